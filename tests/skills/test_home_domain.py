"""The base domain of grid homes: what it covers, that all of it can be used, and what it refuses to plan."""

from __future__ import annotations

import pytest
from home_scenes import BASE, LADEN, ONTOLOGY, PLAIN, REFUSALS, USES, home, literals

from foretree.config import read_yaml
from foretree.planning.pddl.syntax import And, Forall, Literal, atoms_of
from foretree.planning.semantics.actions import TypedObjects, instantiate, validate
from foretree.planning.semantics.evaluation import conjuncts, evaluate, state_oracle
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.facts import Truth

RESTS = ("on", "in", "under", "part_of")
FLUENTS = {effect.literal.atom[0] for operator in PLAIN.operators.values() for effect in operator.effects}
#: Of an item: nothing is on or in it.
NOTHING_THERE = next(
    part for part in conjuncts(PLAIN.operators["wash_at_tap"].precondition) if isinstance(part, Forall)
)


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue("home")


# -- what it covers ----------------------------------------------------------------------------------
def test_it_has_the_things_of_a_home():
    kinds = [known.parent for known in ONTOLOGY.classes.values()]
    assert kinds.count("item") >= 60
    assert kinds.count("asset") >= 20


def test_every_operator_is_in_the_table_and_every_predicate_matters():
    assert list(read_yaml(ONTOLOGY.source)["operators"]) == list(PLAIN.operators)
    used = FLUENTS | {a[0] for o in PLAIN.operators.values() for a in atoms_of(o.precondition)}
    used |= {atom[0] for rule in ONTOLOGY.follows for atom in rule.when}
    used |= {a[0] for o in PLAIN.operators.values() for e in o.effects for a in atoms_of(e.condition)}
    assert used - {"is", "differ"} == set(PLAIN.predicates)
    afforded = {affordance for known in ONTOLOGY.classes.values() for affordance in known.affords}
    unary = {name for name, parameters in PLAIN.predicates.items() if len(parameters) == 1}
    assert unary - FLUENTS - {"broken", "tight"} <= afforded


def test_it_is_plain_strips_but_for_what_must_be_empty_and_for_want_of_room():
    for operator in PLAIN.operators.values():
        for effect in operator.effects:
            about = {atom[0] for atom in atoms_of(effect.condition)} | {effect.literal.atom[0]}
            plain = effect.condition == And()
            assert plain or about <= {"tight", "crowded"}, operator.name
            assert not effect.variables, operator.name
        if operator.name != "slice_food":
            others = [p for p in conjuncts(operator.precondition) if not isinstance(p, Literal)]
            assert all(part == NOTHING_THERE for part in others), operator.name


def test_every_operator_names_what_its_things_rest_on_down_to_the_furniture():
    for operator in PLAIN.operators.values():
        needs = [p.atom for p in conjuncts(operator.precondition) if isinstance(p, Literal) and p.positive]
        anchored = {p.name for p in operator.parameters if p.type == "asset"}
        assert len(anchored) == 1, operator.name
        anchored |= {atom[1] for atom in needs if atom[0] == "holding"}
        for _ in operator.parameters:
            anchored |= {a[1] for a in needs if a[0] in RESTS and a[2] in anchored}
        assert anchored == {p.name for p in operator.parameters}, operator.name


def test_nothing_is_like_what_it_can_never_be():
    """A fork may be taken for a spoon, but never furniture for what can be carried."""
    for known in ONTOLOGY.classes.values():
        assert all(ONTOLOGY.type_of(other) == known.parent for other in known.like), known.name


def test_nothing_that_sparks_is_heated():
    able = {known.name for known in ONTOLOGY.classes.values() if "heatable" in known.affords}
    assert not able & {known.name for known in ONTOLOGY.classes.values() if "sparks" in known.affords}


def test_every_thing_that_can_be_sliced_has_slices():
    able = {known.name for known in ONTOLOGY.classes.values() if "sliceable" in known.affords}
    assert able == set(ONTOLOGY.parts.of)
    slices = {known.name for known in ONTOLOGY.classes.values() if "slice" in known.affords}
    assert slices == set(ONTOLOGY.parts.of.values())


# -- skills ------------------------------------------------------------------------------------------
def test_the_robot_is_told_of_few_types_of_action(catalogue):
    assert {skill.order for skill in catalogue.skills.values()} == {
        "clean", "close", "cut", "examine", "fill", "inspect", "move", "open", "pick", "place_in", "place_on",
        "place_under", "pour", "turn_off", "turn_on",
    }  # fmt: skip
    assert {s.order for s in catalogue.skills.values() if s.irreversible} == {"cut", "pour"}
    assert catalogue["slice_food"].roles == {"tool": "tool", "item": "item"}
    # What is in the hand is seen in the light as soon as the robot looks at the lamp.
    assert catalogue["examine_in_light"].executor == "look"
    assert catalogue["examine_in_light"].roles == {"place": "place"}


def test_there_is_one_hand_and_no_door(catalogue):
    names = [p.name for o in catalogue.domain.operators.values() for p in o.parameters]
    assert "?hand2" not in names
    assert "open_door" not in catalogue.skills


# -- everything can be used --------------------------------------------------------------------------
def test_there_is_a_use_for_every_operator():
    assert list(USES) == list(PLAIN.operators)


@pytest.mark.parametrize("name", USES)
def test_an_operator_is_used_by_a_plan(name):
    problem = home(*USES[name])
    solution = shared_planner().solve(problem)
    assert solution.status == "solved", solution.why
    assert name in [step for step, _ in solution.steps]
    assert validate(problem, solution.steps).ok


@pytest.mark.parametrize(("facts", "step", "lacks"), REFUSALS)
def test_what_the_home_would_refuse_or_suffer_from_is_no_plan(facts, step, lacks):
    name, *arguments = step.split()
    problem = home(facts, "")
    objects = TypedObjects(BASE, problem.objects)
    action = instantiate(BASE.operators[name], arguments, objects)
    missing = [
        part
        for part in conjuncts(action.precondition)
        if evaluate(part, state_oracle(problem.init), objects) is not Truth.TRUE
    ]
    assert [part for part in literals(lacks) if part in missing]
    assert not validate(problem, [(name, arguments)]).ok


@pytest.mark.parametrize(("facts", "besides", "step"), LADEN)
def test_what_holds_something_is_neither_washed_nor_heated(facts, besides, step):
    name, *arguments = step.split()
    assert validate(home(facts, ""), [(name, arguments)]).ok
    assert not validate(home(f"{facts}, {besides}", ""), [(name, arguments)]).ok


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_plate_is_washed_when_all_that_was_on_it_is_elsewhere(number):
    things = ["egg1", "apple1", "fork1"][:number]
    facts = ", ".join(["on plate1 table1", *(f"on {thing} plate1" for thing in things)])
    problem = home(facts, "clean plate1")
    solution = shared_planner().solve(problem)
    steps = [name for name, _ in solution.steps]
    assert steps.count("take_off_item") == number
    assert "put_on_item" not in steps, "nothing is gained by putting more on it"


# -- slices ------------------------------------------------------------------------------------------
CUT = ("slice_food", ("knife1", "apple1", "apple1_slice1", "apple1_slice2", "apple1_slice3", "table1"))


def test_nothing_is_cut_twice():
    problem = home("holding knife1, on apple1 table1", "sliced apple1, on apple1_slice3 table1")
    assert validate(problem, [CUT]).ok
    assert validate(problem, [CUT, CUT]).step == 1


def test_a_slice_is_taken_only_once_it_is_cut_off():
    problem = home("on knife1 table1, on apple1 table1", "holding apple1_slice1")
    pick = ("pick_from_surface", ("apple1_slice1", "table1"))
    assert not validate(problem, [pick]).ok
    take, put = ("pick_from_surface", ("knife1", "table1")), ("put_on_surface", ("knife1", "table1"))
    assert validate(problem, [take, CUT, put, pick]).ok


def test_what_is_left_of_a_thing_stays_where_it_was():
    problem = home("holding knife1, on apple1 table1", "on apple1 table1, sliced apple1")
    assert validate(problem, [CUT]).ok


def test_a_cup_is_empty_when_it_has_been_washed():
    problem = home(
        "holding mug1, filled mug1, has_coffee mug1", "clean mug1, not has_coffee mug1, not filled mug1"
    )
    assert validate(problem, [("wash_at_tap", ("mug1", "sink1"))]).ok
