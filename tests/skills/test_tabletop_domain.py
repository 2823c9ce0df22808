"""The household's base domain: what it covers, that all of it can be used, and that it keeps its own books."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tabletop_scenes import BASE, ONTOLOGY, in_a_building, literals, plan_for, tabletop
from tabletop_uses import CROWD, REFUSALS, USES

from foretree.config import read_yaml
from foretree.planning.grounding.grounding import ground
from foretree.planning.pddl.parser import read_domain
from foretree.planning.pddl.syntax import And, Literal, atoms_of
from foretree.planning.pddl.writer import write_domain, write_problem
from foretree.planning.semantics.actions import TypedObjects, explain_misfit, instantiate, validate
from foretree.planning.semantics.evaluation import conjuncts, evaluate, state_oracle
from foretree.planning.solvers.fast_downward.solver import FastDownward
from foretree.skills._operator_table import ACTION_TYPES
from foretree.world_model.beliefs.consequences import class_facts, consequences
from foretree.world_model.beliefs.facts import Truth

TABLE = read_yaml(ONTOLOGY.source)["operators"]
RESTS = ("on", "in", "under", "hung_on")
FLUENTS = {effect.literal.atom[0] for operator in BASE.operators.values() for effect in operator.effects}


@pytest.fixture(scope="module")
def planner():
    with FastDownward() as planner:
        yield planner


# -- what it covers ----------------------------------------------------------------------------------
def test_it_has_more_than_eighty_operators_over_as_many_predicates_of_fifteen_types():
    domain = read_domain(ONTOLOGY.domain)
    assert len(domain.operators) >= 81
    assert len(domain.predicates) >= 79
    assert {entry["does"] for entry in TABLE.values()} <= set(ACTION_TYPES)
    assert len({entry["does"] for entry in TABLE.values()}) == 15


def test_the_table_says_of_every_operator_what_it_is_to_the_robot():
    assert list(TABLE) == list(BASE.operators)


def test_every_predicate_matters_to_some_operator():
    used = {e.literal.atom[0] for o in BASE.operators.values() for e in o.effects}
    used |= {atom[0] for o in BASE.operators.values() for atom in atoms_of(o.precondition)}
    assert used == set(BASE.predicates)


def test_it_is_plain_strips():
    """Whatever the optimal search is slow with, or cannot take, is left out."""
    for operator in BASE.operators.values():
        assert all(isinstance(part, Literal) for part in conjuncts(operator.precondition)), operator.name
        assert all(e.condition == And() and not e.variables for e in operator.effects), operator.name
        assert len(operator.parameters) <= 4, operator.name


def test_no_two_operators_are_the_same():
    seen = {}
    for operator in BASE.operators.values():
        meaning = (operator.parameters, operator.precondition, operator.effects)
        assert seen.setdefault(meaning, operator.name) == operator.name


def test_every_operator_names_what_its_things_rest_on_down_to_the_furniture():
    """So that expansion knows where it takes place."""
    for operator in BASE.operators.values():
        needs = [p.atom for p in conjuncts(operator.precondition) if p.positive]
        anchored = {p.name for p in operator.parameters if p.type == "asset"}
        assert len(anchored) == 1, operator.name
        anchored |= {atom[1] for atom in needs if atom[0] == "holding"}
        for _ in operator.parameters:
            anchored |= {a[1] for a in needs if a[0] in (*RESTS, "piled_at") and a[2] in anchored}
        assert anchored == {p.name for p in operator.parameters}, operator.name


# -- classes of things -------------------------------------------------------------------------------
def having(affordance):
    return {c.name for c in ONTOLOGY.classes.values() if affordance in c.affords}


def items():
    return {c.name for c in ONTOLOGY.classes.values() if c.parent == "item"}


def test_every_static_predicate_is_afforded_by_some_class():
    static = set(BASE.predicates) - FLUENTS
    assert static <= {a for c in ONTOLOGY.classes.values() for a in c.affords}


def test_what_can_carry_something_is_lifted_with_it_or_takes_one_thing_only():
    single = having("stackable") | having("slot")
    assert (having("surface") | having("container")) & items() - single <= having("carrier")
    assert not having("carrier") & single
    assert having("stackable") <= having("surface")


def test_what_is_poured_from_a_vessel_needs_no_lid_off():
    assert not having("fillable") & (having("openable") | having("dispenser") | having("bulky"))


def test_switching_on_is_told_apart_by_what_it_does():
    kinds = [having(name) for name in ("heats", "brews", "has_tap", "washes", "shows_pictures")]
    assert Counter(name for kind in kinds for name in kind).most_common(1)[0][1] == 1
    assert having("switchable") - items() == set().union(*kinds)
    assert having("shows_pictures").isdisjoint(having("openable"))
    assert having("washes") == having("laundry_drum") | having("dish_rack")
    assert having("hanger") == having("pegs") | having("metal")


# -- everything can be used --------------------------------------------------------------------------
def test_there_is_a_use_for_every_operator():
    assert list(USES) == list(BASE.operators)


@pytest.mark.parametrize("name", USES)
def test_an_operator_is_used_by_a_plan_here_and_in_a_building(name):
    problem, plan = plan_for(name)
    assert name in [step for step, _ in plan]
    assert validate(problem, plan).ok
    building, steps = in_a_building(problem, plan)
    validation = validate(building, steps)
    assert validation.ok, validation.reason


@pytest.mark.parametrize(("facts", "step", "lacks"), REFUSALS)
def test_what_the_world_would_refuse_is_no_plan(facts, step, lacks):
    name, *arguments = step.split()
    problem = tabletop(f"{facts}, clean {arguments[-1]}", "")
    objects = TypedObjects(BASE, problem.objects)
    assert explain_misfit(BASE, BASE.operators[name], arguments, problem.objects) is None
    action = instantiate(BASE.operators[name], arguments, objects)
    missing = [
        part
        for part in conjuncts(action.precondition)
        if evaluate(part, state_oracle(problem.init), objects) is not Truth.TRUE
    ]
    assert missing == list(literals(lacks))
    assert not validate(problem, [(name, arguments)]).ok


# -- what happens in passing -------------------------------------------------------------------------
def test_a_vessel_that_stood_under_a_running_tap_is_not_taken_for_empty(planner):
    """The tap fills every empty vessel in the basin: it has to be emptied, or taken out before."""
    facts = "in cup1 sink1, in plate1 sink1"
    late = [
        ("rinse_item", ("plate1", "sink1")),
        ("pick_from_flushed_basin", ("cup1", "sink1")),
        ("put_under_outlet", ("cup1", "coffee_maker1")),
        ("brew_coffee", ("cup1", "coffee_maker1")),
    ]
    problem = tabletop(facts, "clean plate1, has_coffee cup1")
    refused = validate(problem, late)
    assert (refused.ok, refused.step) == (False, 3)
    steps = [name for name, _ in planner.solve(problem).steps]
    assert steps.index("pick_from_basin") < steps.index("rinse_item")
    flushed = tabletop(f"{facts}, flushed sink1", "has_coffee cup1")
    steps = [name for name, _ in planner.solve(flushed).steps]
    # Pouring it away and watering the flowers with it cost the same.
    emptied = next(step for step, name in enumerate(steps) if name in ("pour_away", "water_bed"))
    assert steps.index("fill_vessel") < emptied < steps.index("brew_coffee")


def test_a_cup_is_as_hot_as_what_is_in_it(planner):
    """Neither an empty cup from the microwave nor one that had coffee in it makes milk hot."""
    poured = "on cup1 table1, hot cup1, holding milk1"
    assert not validate(
        tabletop(poured, "has_milk cup1, hot cup1"), [("pour_milk_from_carton", ("milk1", "cup1", "table1"))]
    ).ok
    emptied = tabletop("holding cup1, filled cup1, has_coffee cup1, hot cup1, sweetened cup1", "hot cup1")
    assert validate(emptied, []).ok
    assert not validate(emptied, [("pour_away", ("cup1", "sink1"))]).ok
    problem = tabletop("on milk1 table1, on cup1 table1", "has_milk cup1, hot cup1")
    steps = [name for name, _ in planner.solve(problem).steps]
    assert steps.index("pour_milk_from_carton") < steps.index("heat_in_microwave")


def test_what_is_heated_is_not_cold_any_more():
    problem = tabletop("in milk1 fridge1, open fridge1, cold milk1, open microwave1", "cold milk1")
    taken = [
        ("pick_from_open_container", ("milk1", "fridge1")),
        ("put_in_microwave", ("milk1", "microwave1")),
    ]
    assert validate(problem, taken[:1]).ok
    assert not validate(problem, taken).ok


def test_two_fabrics_are_washed_in_one_go(planner):
    problem = tabletop("on shirt1 couch1, on towel1 couch1", "clean shirt1, clean towel1")
    steps = Counter(name for name, _ in planner.solve(problem).steps)
    assert steps["wash_two_together"] == 1
    assert steps.total() == 7


# -- its own books -----------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def crowd():
    problem = tabletop(CROWD, "clean apple1")
    return problem, ground(problem, prune=False)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rng=st.randoms(use_true_random=False))
def test_whatever_is_done_a_thing_rests_in_one_way_and_the_books_are_right(crowd, rng):
    problem, grounding = crowd
    state = set(problem.init)
    for _ in range(40):
        able = [
            o
            for o in grounding.operators
            if all((atom in state) == wanted for atom, wanted in o.precondition)
        ]
        # Each operator equally often, however many things it can be done with.
        name = rng.choice(sorted({operator.name for operator in able}))
        chosen = rng.choice([operator for operator in able if operator.name == name])
        state -= {effect.literal[0] for effect in chosen.effects if not effect.literal[1]}
        state |= {effect.literal[0] for effect in chosen.effects if effect.literal[1]}
        where = Counter(atom[1] for atom in state if atom[0] in (*RESTS, "holding"))
        things = {name for name, kind in problem.objects.items() if BASE.is_a(kind, "item")}
        assert where == Counter(things), chosen
        held = [atom for atom in state if atom[0] == "holding"]
        assert (("hand_empty",) in state) is (not held), chosen
        kinds = class_facts(problem.objects, ONTOLOGY.type_of)
        given_facts = [atom for atom in state if atom[0] not in ("occupied", "piled_at")]
        follows = consequences(ONTOLOGY.follows, [*given_facts, *kinds])
        assert follows == {atom for atom in state if atom[0] in ("occupied", "piled_at")}, chosen


# -- other tools read it -----------------------------------------------------------------------------
@pytest.fixture(scope="module", params=["table", "building"])
def written(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tabletop")
    problem = tabletop(*USES["dissolve_sugar"])
    if request.param == "building":
        problem, _ = in_a_building(problem, [])
    (folder / "domain.pddl").write_text(write_domain(problem.domain))
    (folder / "problem.pddl").write_text(write_problem(problem))
    return folder, len(problem.domain.operators)


def test_fast_downward_translates_it(written):
    folder, _ = written
    command = [sys.executable, "-m", "fast_downward.translate", "--sas-file", "out.sas"]
    done = subprocess.run(
        [*command, "domain.pddl", "problem.pddl"], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / "out.sas").read_text().startswith("begin_version")


@pytest.mark.parametrize(
    "written", ["table", pytest.param("building", marks=pytest.mark.slow)], indirect=True
)
def test_unified_planning_reads_it(written):
    folder, operators = written
    io = pytest.importorskip("unified_planning.io")
    read = io.PDDLReader().parse_problem(str(folder / "domain.pddl"), str(folder / "problem.pddl"))
    assert len(read.actions) == operators
