"""Problems over the tabletop domain, from a line of facts and a line of goals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeAlias

import yaml
from tabletop_uses import USES

from foretree.config import find_config
from foretree.planning.pddl.parser import read_domain
from foretree.planning.pddl.syntax import And, Domain, Literal, Problem
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.simulation.household.plan_execution import WorldStep
from foretree.simulation.household.scene import Scene
from foretree.simulation.household.scene_file import load_scene
from foretree.skills._operator_table import read_operator_table
from foretree.world_model.beliefs.facts import Atom
from foretree.world_model.ontology_file import load_ontology

#: An action and its arguments.
Step: TypeAlias = tuple[str, tuple[str, ...]]

ONTOLOGY = load_ontology(find_config("domains", "tabletop"))
assert ONTOLOGY.domain is not None
#: The tabletop domain with the classes of things as types.
BASE = read_domain(ONTOLOGY.domain)
BASE = replace(BASE, types={**BASE.types, **ONTOLOGY.types()})

#: The predicates that no action changes.
STATIC = set(BASE.predicates) - {e.literal.atom[0] for o in BASE.operators.values() for e in o.effects}
#: The furniture of every scene.
FURNITURE = (
    "blackboard1", "coffee_maker1", "couch1", "cupboard1", "dishwasher1", "drying_rack1", "flower_bed1",
    "fridge1", "meeting_table1", "microwave1", "projector1", "sink1", "table1", "trash_bin1", "tv1",
    "wardrobe1", "washing_machine1", "window1",
)  # fmt: skip


def literals(line: str) -> Iterable[Literal]:
    """What a line such as ``on cup1 table1, not open fridge1`` says."""
    for words in filter(None, (part.split() for part in line.split(","))):
        yield Literal(tuple(words[1:]), False) if words[0] == "not" else Literal(tuple(words))


def class_of(thing: str) -> str:
    """``red_block`` for ``red_block1``."""
    return thing.rstrip("0123456789")


def affordances(things: Iterable[str]) -> set[Atom]:
    """The static facts about things."""
    return {atom for thing in things for atom in ONTOLOGY.affordance_atoms(thing, class_of(thing))}


def tabletop(facts: str, goal: str, domain: Domain = BASE) -> Problem:
    """The problem of reaching *goal* from *facts* among the furniture."""
    told, wanted = tuple(literals(facts)), tuple(literals(goal))
    things = sorted({*FURNITURE, *(name for literal in (*told, *wanted) for name in literal.atom[1:])})
    init = {literal.atom for literal in told} | affordances(things)
    if not any(atom[0] == "holding" for atom in init):
        init.add(("hand_empty",))
    objects = {thing: class_of(thing) for thing in things}
    return Problem("tabletop", domain, objects, frozenset(init), And(wanted))


# -- in a building -----------------------------------------------------------------------------------
_TABLE = read_operator_table(ONTOLOGY.source, BASE)
assert _TABLE is not None
#: The same domain for a building, with two hands.
BUILDING = _TABLE.expanded(BASE)
_TWO_HANDED = _TABLE.expansion.two_handed


def in_a_building(problem: Problem, steps: Sequence[Step]) -> tuple[Problem, list[Step]]:
    """*problem* with each piece of furniture at its own node, and *steps* with the ways between them.

    The robot does with its left hand what takes one; nodes are connected each with each, and a way costs 3.
    """
    nodes = sorted(n for n, kind in problem.objects.items() if BASE.is_a(kind, "asset"))
    objects = dict(problem.objects) | {"robot1": "robot", "left": "hand", "right": "hand", "door_mat": "node"}
    init = {_with_a_hand(atom) for atom in problem.init} | {("rob_at_node", "robot1", "door_mat")}
    init |= {("rob_has_hand", "robot1", hand) for hand in ("left", "right")}
    init.add(("hand_free", "robot1", "right"))
    init |= {("obj_at_node", node, node) for node in nodes}
    ways = {(one, other) for one in (*nodes, "door_mat") for other in nodes if one != other}
    init |= {("connected", *way) for way in ways}
    goal = And(tuple(Literal(_with_a_hand(part.atom), part.positive) for part in problem.goal.parts))
    building = Problem(
        problem.name,
        BUILDING,
        objects,
        frozenset(init),
        goal,
        {("travel_cost", *way): 3 for way in ways},
    )
    at, walked = "door_mat", []
    for name, arguments in steps:
        (node,) = (argument for argument in arguments if argument in nodes)
        if at != node:
            walked.append(("move_robot", ("robot1", at, node)))
            at = node
        hands = ("left", "right") if name in _TWO_HANDED else ("left",)
        walked.append((name, ("robot1", *hands, *arguments, node)))
    return building, walked


def _with_a_hand(atom: Atom) -> Atom:
    if atom[0] == "hand_empty":
        return ("hand_free", "robot1", "left")
    return ("holding", "robot1", "left", atom[1]) if atom[0] == "holding" else atom


@cache
def plan_for(name: str) -> tuple[Problem, tuple[Step, ...]]:
    """The problem that it takes an operator to solve, and the cheapest plan for it."""
    problem = tabletop(*USES[name])
    solution = shared_planner().solve(problem)
    assert solution.status == "solved", solution.why
    return problem, solution.steps


# -- in the world ------------------------------------------------------------------------------------
_RESTS = ("on", "in", "under", "hung_on")
#: What the domain keeps for itself: the world knows nothing of it.
BOOKS = frozenset({"occupied", "piled_at", "flushed", "soaked"})


def scene_of(problem: Problem, path: Path) -> Scene:
    """A room of the world in which things are as a problem says at first."""
    furniture, items, hands = {}, {}, {}
    told = problem.init - affordances(problem.objects)
    for name, kind in sorted(problem.objects.items()):
        states = sorted(atom[0] for atom in told if atom[1:] == (name,) and atom[0] not in BOOKS)
        if BASE.is_a(kind, "asset"):
            place = [1.0 + 1.5 * (len(furniture) % 8), 1.0 + 1.5 * (len(furniture) // 8)]
            furniture[name] = {"class": kind, "room": "hall", "at": place, "states": states}
        else:
            items[name] = {"class": kind, "states": [state for state in states if state != "holding"]}
    for atom in sorted(problem.init):
        if atom[0] in _RESTS:
            items[atom[1]][atom[0]] = atom[2]
        elif atom[0] == "holding":
            hands["left"] = atom[1]
    for name in hands.values():
        items[name]["on"] = "table1"
    described = {
        "scene": "tabletop",
        "domain": "tabletop",
        "rooms": {"hall": {"from": [0, 0], "to": [14, 14]}},
        "furniture": furniture,
        "items": items,
        "robot": {"name": "robot1", "hands": ["left", "right"], "at": "table1"},
    }
    path.write_text(yaml.safe_dump(described), encoding="utf-8")
    return load_scene(path, ONTOLOGY)


def world_step(name: str, arguments: Sequence[str]) -> WorldStep:
    """An action of the domain as the robot is told of it."""
    entry = _TABLE.entries[name]
    parameters = [p.name[1:] for p in BASE.operators[name].parameters]
    roles = {entry.roles[p]: a for p, a in zip(parameters, arguments, strict=True) if p in entry.roles}
    return WorldStep(entry.does, roles, ("left", "right") if name in _TWO_HANDED else ("left",))
