"""Problems out of parts: together they say the same as the whole, and none says what is another's to say."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from floors import DOMAIN, change, goals, nodes_of, random_floor
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.planning.maps.compression import compress
from foretree.planning.maps.navigation import find_navigation
from foretree.planning.pddl.syntax import Count, Domain, Literal, Typed
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.fast_downward.solver import FastDownward
from foretree.planning.task.goals import parse_goal
from foretree.planning.task.problem_assembly import (
    Contents,
    OwnershipError,
    PartError,
    ProblemPart,
    assemble,
    factored_problem,
    map_part,
    usual_ownership,
)
from foretree.planning.task.problems import ProblemError
from foretree.world_model.maps.compressed_map import CompressedMap
from foretree.world_model.maps.places import MapError

NAVIGATION = find_navigation(DOMAIN)
OWNERSHIP = usual_ownership(NAVIGATION)


class Body:
    """The robot on a floor."""

    name = "robot1"

    def __init__(self, floor):
        self.floor = floor

    def state(self):
        facts = {("rob_at_node", "robot1", self.floor.robot)}
        for hand in self.floor.hands:
            facts |= {("rob_has_hand", "robot1", hand), ("hand_free", "robot1", hand)}
        return Contents({"robot1": "robot", **dict.fromkeys(self.floor.hands, "hand")}, frozenset(facts))


class Eyes:
    """Sees what is at a node of a floor."""

    def __init__(self, floor):
        self.floor = floor
        self.looked_at = []

    def ground(self, node):
        self.looked_at.append(node)
        assets = [asset for asset, stands in self.floor.stands.items() if stands == node]
        items = [item for item, asset in self.floor.lies.items() if asset in assets]
        facts = {("obj_at_node", asset, node) for asset in assets}
        facts |= {(trait, asset) for asset in assets for trait in self.floor.traits[asset]}
        facts |= {("on", item, self.floor.lies[item]) for item in items}
        return Contents({**dict.fromkeys(assets, "asset"), **dict.fromkeys(items, "item")}, frozenset(facts))


@pytest.fixture(scope="module")
def planner():
    with FastDownward() as planner:
        yield planner


def factored(floor, goal, compressed_map, eyes=None):
    return factored_problem(
        DOMAIN,
        parse_goal(goal, DOMAIN, floor.objects(floor.stands)).formula,
        [Body(floor)],
        eyes or Eyes(floor),
        compressed_map,
        NAVIGATION,
        nodes_of(floor, floor.stands),
    )


def facts_but_doors(problem):
    return {atom for atom in problem.init if atom[0] != "door_open"}


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_the_parts_say_together_what_the_whole_says(seed):
    rng = random.Random(seed)
    floor = random_floor(rng, size=10)
    kept = CompressedMap(floor.places)
    for _ in range(3):
        floor.blocked = set()
        goal = goals(floor, rng)
        floor.tell(kept)
        parts = factored(floor, goal, kept)
        whole = compress(floor.problem(goal), CompressedMap(floor.places), NAVIGATION)
        assert parts.layout == whole.layout
        assert parts.problem.objects == whole.problem.objects
        assert facts_but_doors(parts.problem) == facts_but_doors(whole.problem)
        assert parts.problem.functions == whole.problem.functions
        change(floor, rng)


def test_a_plan_for_the_parts_holds_on_the_whole_map(planner):
    floor = random_floor(random.Random(3))
    goal = "(on cup0 table2)"
    kept = CompressedMap(floor.places)
    floor.tell(kept)
    found = factored(floor, goal, kept)
    solution = planner.solve(found.problem)
    validation = validate(floor.problem(goal), found.refine(solution.steps))
    assert (validation.ok, validation.cost) == (True, solution.cost)


def test_only_nodes_that_matter_are_looked_at():
    floor = random_floor(random.Random(3), size=30)
    eyes = Eyes(floor)
    factored(floor, "(rob_at_node robot1 n7)", CompressedMap(floor.places), eyes)
    assert eyes.looked_at == sorted({*nodes_of(floor, floor.stands), floor.robot, "n7"})


def test_an_open_door_that_the_goal_names_is_known_to_be_open():
    floor = random_floor(random.Random(3))
    door = floor.places.doors()[0]
    floor.closed = set()
    kept = CompressedMap(floor.places)
    problem = factored(floor, f"(door_open {door})", kept).problem
    assert ("door_open", door) in problem.init
    assert problem.objects[door] == "door"
    floor.closed = {door}
    floor.tell(kept)
    problem = factored(floor, f"(door_open {door})", kept).problem
    assert ("door_open", door) not in problem.init


def test_the_type_that_says_more_is_taken():
    domain = replace(DOMAIN, types={**DOMAIN.types, "kitchen_node": "node"})
    parts = [
        ProblemPart("map", "The map", Contents({"n1": "node"})),
        ProblemPart("grounding", "The grounding of n1", Contents({"n1": "kitchen_node"}), "n1"),
    ]
    goal = Literal(("rob_at_node", "r", "n1"))
    robot = ProblemPart("robot", "r", Contents({"r": "robot"}))
    for order in ([*parts, robot], [robot, *reversed(parts)]):
        assert assemble(domain, goal, order, OWNERSHIP).objects["n1"] == "kitchen_node"


def test_an_untyped_map_says_what_is_a_node_and_what_is_a_door():
    floor = random_floor(random.Random(3))
    kept = CompressedMap(floor.places, ["n1"])
    kept.set_door(floor.places.doors()[0], False)
    kept.keep_doors(floor.places.doors()[:1])
    navigation = replace(NAVIGATION, node_kinds=frozenset(("is_node",)), door_kinds=frozenset(("is_door",)))
    facts = map_part(kept.roadmap(), DOMAIN, navigation).contents.facts
    assert ("is_node", "n1") in facts
    assert ("is_door", floor.places.doors()[0]) in facts


def test_without_doors_in_the_domain_a_closed_door_is_a_wall():
    predicates = {name: p for name, p in DOMAIN.predicates.items() if name not in ("has_door", "door_open")}
    operators = {name: o for name, o in DOMAIN.operators.items() if name != "open_door"}
    domain = replace(DOMAIN, predicates=predicates, operators=operators)
    navigation = find_navigation(domain)
    floor = random_floor(random.Random(3))
    floor.closed = set(floor.places.doors())
    kept = CompressedMap(floor.places)
    floor.tell(kept)
    goal = parse_goal("(exists (?n - node) (rob_at_node robot1 ?n))", domain, floor.objects([])).formula
    found = factored_problem(domain, goal, [Body(floor)], Eyes(floor), kept, navigation, [])
    assert set(found.problem.objects) & set(floor.places.doors()) == set()
    ends = {frozenset(atom[1:]) for atom in found.problem.init if atom[0] == "connected"}
    assert ends == {frozenset((p.one, p.other)) for p in floor.places.passages() if p.door is None}


# -- mistakes ------------------------------------------------------------------------------------------------

ROBOT = ProblemPart("robot", "robot1", Contents({"robot1": "robot", "left": "hand"}))
MAP = ProblemPart(
    "map", "The map", Contents({"n1": "node", "n2": "node", "d1": "door"}), doors=frozenset(("d1",))
)
SEEN = ProblemPart("grounding", "The grounding of n1", Contents({"table1": "asset", "cup1": "item"}), "n1")
GOAL = Literal(("on", "cup1", "table1"))


def saying(part, *facts, **functions):
    contents = replace(part.contents, facts=frozenset(tuple(fact.split()) for fact in facts), **functions)
    return [replace(part, contents=contents) if part is other else other for other in (ROBOT, MAP, SEEN)]


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        (saying(ROBOT, "on cup1 table1"), "robot1 says (on cup1 table1), but on belongs to the groundings"),
        (saying(ROBOT, "connected n1 n2"), "but connected belongs to the map. robot1 may say hand_free, holding"),
        (saying(SEEN, "holding robot1 left cup1"), "of n1 says (holding robot1 left cup1), but holding belongs to"),
        (saying(SEEN, "connected n1 n2"), "of n1 says (connected n1 n2), but connected belongs to the map"),
        (saying(SEEN, "door_open d1"), "but door_open of a door belongs to the map"),
        (saying(SEEN, "obj_at_node table1 n2"), "belongs to the grounding of n2. The grounding of n1 may say"),
        (saying(MAP, "rob_at_node robot1 n1"), "The map says (rob_at_node robot1 n1), but rob_at_node belongs to"),
        (saying(SEEN, functions={("travel_cost", "n1", "n2"): 1}), "but travel_cost belongs to the map"),
    ],
)  # fmt: skip
def test_saying_what_is_anothers_to_say_names_the_culprit(parts, says):
    with pytest.raises(OwnershipError) as error:
        assemble(DOMAIN, GOAL, parts, OWNERSHIP)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        (saying(SEEN, "onn cup1 table1"), "the domain floor has no onn. Did you mean on"),
        (saying(SEEN, "on cup1"), "that takes 2 arguments: (on ?item - item ?asset - asset)"),
        (saying(SEEN, "on cup9 table1"), 'no part knows of "cup9". Did you mean cup1'),
        (saying(SEEN, "on table1 cup1"), '"table1" is of type asset, and ?item must be of type item'),
        (saying(SEEN, functions={("weight", "cup1"): 1}), "the domain floor has no weight"),
        (saying(SEEN, objects={"cup1": "cup"}), '"cup1" is of type cup, which the domain floor does not have'),
        (saying(SEEN, objects={"n1": "asset"}), 'that "n1" is of type asset, but The map says it is of type node'),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_domain_is_refused(parts, says):
    with pytest.raises(PartError) as error:
        assemble(DOMAIN, GOAL, parts, OWNERSHIP)
    assert says in str(error.value)


def test_two_values_of_the_same_function_are_refused():
    """Whoever came last would win, and nobody would know."""
    maps = [
        ProblemPart(
            "map", author, Contents(MAP.contents.objects, functions={("travel_cost", "n1", "n2"): cost})
        )
        for author, cost in (("The map", 10), ("The other map", 12))
    ]
    with pytest.raises(PartError, match=r"The other map says that \(travel_cost n1 n2\) is 12, but .* is 10"):
        assemble(DOMAIN, GOAL, [ROBOT, SEEN, *maps], OWNERSHIP)
    assert assemble(DOMAIN, GOAL, [ROBOT, SEEN, maps[0], maps[0]], OWNERSHIP).functions == {
        ("travel_cost", "n1", "n2"): 10
    }


@pytest.mark.parametrize(
    ("goal", "says"),
    [
        (Literal(("on", "mango1", "table1")), 'The goal names "mango1", which neither the robot nor the map'),
        (Literal(("on", "cup1", "table2")), "Did you mean table1"),
        (
            Literal(("over", "cup1", "table1")),
            "The goal says over, which is no predicate of the domain floor",
        ),
        (Count(Typed("?i", "item"), Literal(("on", "?i", "tabel1")), 1), "Did you mean table1"),
    ],
)
def test_a_goal_over_unknown_objects_is_refused(goal, says):
    with pytest.raises(ProblemError) as error:
        assemble(DOMAIN, goal, [ROBOT, MAP, SEEN], OWNERSHIP)
    assert says in str(error.value)


def test_an_unknown_node_is_refused():
    floor = random_floor(random.Random(3))
    goal = Literal(("on", "cup0", "table0"))
    with pytest.raises(MapError, match="no node 'attic'"):
        factored_problem(
            DOMAIN, goal, [Body(floor)], Eyes(floor), CompressedMap(floor.places), NAVIGATION, ["attic"]
        )


def test_an_object_may_be_a_constant_of_the_domain():
    domain = replace(DOMAIN, constants=(Typed("cup1", "item"),))
    problem = assemble(domain, GOAL, [ROBOT, MAP, SEEN], OWNERSHIP)
    assert "cup1" not in problem.objects
    assert isinstance(problem.domain, Domain)
