"""Passages that constraints bar: doors that may not be opened, nodes that may not be entered.

The compressed map keeps the cheapest ways only, so it has to know which ways are none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from foretree.planning.maps.navigation import Navigation, NavigationError
from foretree.planning.pddl.syntax import (
    Literal,
    Operator,
    Problem,
    atoms_of,
    constants_of,
    substitute,
    variables_in,
)
from foretree.planning.semantics.actions import TypedObjects
from foretree.planning.semantics.evaluation import conjuncts, evaluate
from foretree.planning.semantics.operator_index import unify
from foretree.world_model.beliefs.facts import Atom, Truth


def without_barred_passages(problem: Problem, navigation: Navigation) -> Problem:
    """*problem* without the passages that no robot may take, and the doors that none may open.

    Raises:
        NavigationError: which passages are barred depends on more than the map, or a robot stands where it
            may not come back to.
    """
    names, operators = navigation.names, problem.domain.operators
    moves = [operators[name] for name in navigation.moves]
    doormen = [operators[name] for name in (*navigation.openers, *navigation.closers) if name in operators]
    parts = (part for operator in (*moves, *doormen) for part in conjuncts(operator.precondition))
    if any(any(variables_in(part)) and any(atoms_of(part)) for part in parts):
        raise NavigationError("What moves need quantifies: the map cannot be compressed.")
    robots = sorted(atom[1] for atom in problem.init if atom[0] == names.robot_at)
    here = {atom[-1] for atom in problem.init if atom[0] == names.robot_at}
    barred = {
        atom
        for predicate, by in ((names.connected, moves), (names.has_door, doormen))
        for atom in problem.init
        if atom[0] == predicate and by and _is_barred(atom, by, robots, names.robot_at, problem)
    }
    into = {atom[1:] for atom in barred if atom[0] == names.connected}
    if any(there in here and (there, back) not in into for back, there in into):
        raise NavigationError("A robot may leave its node, but not come back: the map has no such passages.")
    return replace(problem, init=problem.init - barred) if barred else problem


def without_doubtful_passages(problem: Problem, navigation: Navigation) -> Problem | None:
    """*problem* without the nodes that may be entered or left at some times only; None if there are none.

    A way that leads round such a node is not on a compressed map, if the one through it is shorter.
    """
    operators = (problem.domain.operators[name] for name in navigation.moves)
    parts = (part for operator in operators for part in conjuncts(operator.precondition))
    doubtful = {name for part in parts if any(atoms_of(part)) for name in constants_of(part)}
    names = navigation.names
    away = {
        atom
        for atom in problem.init
        if atom[0] in (names.connected, names.has_door) and not doubtful.isdisjoint(atom[-2:])
    }
    return replace(problem, init=problem.init - away) if away else None


def _is_barred(
    passage: Atom, operators: Iterable[Operator], robots: Iterable[str], robot_at: str, problem: Problem
) -> bool:
    """Return whether no robot may take *passage*, whatever else is so."""
    objects = TypedObjects(problem.domain, problem.objects)
    return all(
        any(
            evaluate(substitute(part, binding), lambda atom: Truth.UNKNOWN, objects) is Truth.FALSE
            for part in conjuncts(operator.precondition)
            if not isinstance(part, Literal)
        )
        for operator in operators
        for robot in robots
        for binding in _bindings(operator, passage, robot, robot_at)
    )


def _bindings(operator: Operator, passage: Atom, robot: str, robot_at: str) -> Iterator[Mapping[str, str]]:
    """Yield the ways in which *operator* is about *passage* with *robot*."""
    conditions = [part.atom for part in conjuncts(operator.precondition) if isinstance(part, Literal)]
    who = {atom[1]: robot for atom in conditions if atom[0] == robot_at}
    for atom in conditions:
        if atom[0] == passage[0]:
            found = unify(atom[1:], passage[1:], who)
            if found is not None:
                yield found
