"""Small problems over the tabletop domain: furniture in a row, and things on, in and under it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations

from hypothesis import strategies as st

from foretree.planning.maps.navigation import NavigationNames, find_navigation
from foretree.planning.pddl.syntax import Problem
from foretree.planning.task.goals import parse_goal
from foretree.planning.task.object_selection import (
    ObjectSelection,
    SupportRelations,
    find_support_relations,
    select_objects,
)
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.facts import Atom

#: Furniture at nodes of the same name, ten steps from one to the next.
ROW = ("table1", "fridge1", "sink1", "couch1", "coffee_maker1", "table2", "trash_bin1", "table3")


@cache
def catalogue() -> Catalogue:
    return load_catalogue("tabletop")


@cache
def resting() -> SupportRelations:
    found = find_support_relations(catalogue().domain)
    assert found is not None
    return found


@cache
def names() -> NavigationNames:
    found = find_navigation(catalogue().domain)
    assert found is not None
    return found.names


def class_of(name: str) -> str:
    return name.rstrip("0123456789")


def problem_of(
    rests: Mapping[str, tuple[str, str]],
    goal: str,
    states: Iterable[Atom] = (),
    held: Mapping[str, str] | None = None,
    row: Iterable[str] = ROW,
    start: str = "table1",
) -> Problem:
    """A problem of reaching *goal*.

    Args:
        rests: how each thing rests on what.
        states: what else is so.
        held: the thing in each hand that holds one.
    """
    row, held = tuple(row), held or {}
    kinds = {name: class_of(name) for name in (*row, *rests, *held.values())}
    objects = {"robot1": "robot", "left": "hand", "right": "hand"} | kinds
    init = {("rob_at_node", "robot1", start), *states}
    for hand in ("left", "right"):
        init.add(("rob_has_hand", "robot1", hand))
        init.add(("holding", "robot1", hand, held[hand]) if hand in held else ("hand_free", "robot1", hand))
    for name, kind in kinds.items():
        init |= set(catalogue().ontology.affordance_atoms(name, kind))
    init |= {("obj_at_node", name, name) for name in row}
    init |= {(how, name, place) for name, (how, place) in rests.items()}
    costs = {}
    for one, other in combinations(row, 2):
        init |= {("connected", one, other), ("connected", other, one)}
        far = distances(one)[other]
        costs |= {("travel_cost", one, other): far, ("travel_cost", other, one): far}
    wanted = parse_goal(goal, catalogue().domain, objects).formula
    return Problem("tabletop", catalogue().domain, objects, frozenset(init), wanted, costs)


def distances(node: str) -> dict[str, int]:
    """Along the row."""
    return {other: 10 * abs(ROW.index(node) - number) for number, other in enumerate(ROW)}


def selected(
    problem: Problem, nodes: Iterable[str] = (), keep: Iterable[str] = (), **more: bool
) -> ObjectSelection:
    return select_objects(problem, resting(), names(), distances, nodes, keep, **more)


def things(problem: Problem) -> set[str]:
    """What can be carried."""
    return set(problem.of_type("item"))


_THINGS = ("mug1", "mug2", "cup1", "plate1", "tray1", "box1", "mango1", "apple1", "knife1", "milk1", "cloth1")
_GOALS = (
    "(on mango1 table2)",
    "(in apple1 fridge1)",
    "(clean mug1)",
    "(sliced mango1)",
    "(and (on plate1 table3) (on apple1 plate1))",
    "(exists (?m - mug) (and (has_milk ?m) (on ?m table2)))",
    "(exists (?m - mug) (has_coffee ?m))",
    "(at-least 2 (?m - item) (on ?m couch1))",
    "(and (on cloth1 couch1) (at-most 1 (?i - item) (on ?i couch1)))",
    "(and (clean mug1) (exists (?i - item) (on ?i couch1)))",
    "(forall (?m - mug) (clean ?m))",
    "(not (exists (?i - item) (on ?i table1)))",
    "(or (on mango1 couch1) (on apple1 couch1))",
    "(and (in mango1 box1) (on box1 table3))",
)


@st.composite
def scenes(draw: st.DrawFn) -> dict[str, object]:
    """Random scenes with something to do: the arguments of :func:`problem_of`."""
    carriers = ["plate1", "tray1"]
    rests: dict[str, tuple[str, str]] = {}
    for name in _THINGS:
        on = ["table1", "couch1", "table2", "table3", "sink1", "fridge1"]
        on += [carrier for carrier in carriers if carrier in rests and name not in carriers]
        place = draw(st.sampled_from(on))
        rests[name] = ("in" if place in ("sink1", "fridge1") else "on", place)
    held = {}
    if draw(st.booleans()):
        name = draw(st.sampled_from(["cup1", "knife1", "mango1"]))
        del rests[name]
        held = {draw(st.sampled_from(["left", "right"])): name}
    states = {("filled", "milk1"), ("has_milk", "milk1")}
    if draw(st.booleans()):
        states.add(("open", "fridge1"))
    if draw(st.booleans()):
        states.add(("clean", "mug1"))
    start = draw(st.sampled_from(ROW))
    goal = draw(st.sampled_from(_GOALS))
    return {"rests": rests, "goal": goal, "states": states, "held": held, "start": start}
