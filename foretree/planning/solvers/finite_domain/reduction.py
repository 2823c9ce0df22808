"""Reduce a task to what a cheapest plan can be made of: so that it is soon proved to be the cheapest."""

from __future__ import annotations

from dataclasses import replace

from foretree.planning.grounding.grounding import Grounding
from foretree.planning.grounding.simplification import simplify
from foretree.planning.solvers.finite_domain._dominance import without_dominated
from foretree.planning.solvers.finite_domain._variable_merging import with_joined_variables
from foretree.planning.solvers.finite_domain.sas import finite_domain
from foretree.planning.solvers.finite_domain.task import FiniteDomainTask, Move


def reduced(grounding: Grounding) -> tuple[Grounding, FiniteDomainTask]:
    """*grounding*, simplified, with fewer operators, and what to search instead: it has the same least cost.

    Where effects are conditional, nothing is left out.
    """
    task = finite_domain(grounding)
    if task.conditional:
        return grounding, task
    while True:
        task = trimmed(with_joined_variables(task))
        while len((smaller := trimmed(without_dominated(task))).moves) < len(task.moves):
            task = smaller
        left = {move.number for move in smaller.moves}
        operators = tuple(o for number, o in enumerate(grounding.operators) if number in left)
        # What nobody does any more, nobody has to undo.
        simpler = simplify(replace(grounding, operators=operators))
        if len(simpler.operators) == len(grounding.operators):
            return grounding, smaller
        grounding = simpler
        task = finite_domain(grounding)


def trimmed(task: FiniteDomainTask) -> FiniteDomainTask:
    """*task* without moves that can never be made, or that change nothing that matters; and its variables
    without values that are never taken."""
    moves = _useful(task, _possible(task))
    used = [{value} for value in task.init]
    for variable, value in task.goal.items():
        used[variable].add(value)
    for move in moves:
        for variable, value in (*move.before.items(), *move.after.items()):
            used[variable].add(value)
    kept = [variable for variable, values in enumerate(used) if len(values) > 1]
    places = {variable: number for number, variable in enumerate(kept)}
    numbers = {variable: {value: n for n, value in enumerate(sorted(used[variable]))} for variable in kept}
    return FiniteDomainTask(
        tuple(tuple(task.values[variable][value] for value in numbers[variable]) for variable in kept),
        tuple(task.about[variable] for variable in kept),
        (),
        tuple(numbers[variable][task.init[variable]] for variable in kept),
        {places[v]: numbers[v][value] for v, value in task.goal.items() if v in places},
        tuple(
            move._replace(
                before={places[v]: numbers[v][value] for v, value in move.before.items() if v in places},
                changes=tuple(
                    c._replace(variable=places[c.variable], value=numbers[c.variable][c.value])
                    for c in move.changes
                    if c.variable in places
                ),
            )
            for move in moves
        ),
    )


def _possible(task: FiniteDomainTask) -> list[Move]:
    """The moves that can be made when nothing is ever undone."""
    reached = set(enumerate(task.init))
    left = list(task.moves)
    possible: set[int] = set()
    news = True
    while news:
        news = False
        waiting = []
        for move in left:
            if reached.issuperset(move.before.items()):
                possible.add(id(move))
                news = news or not reached.issuperset(move.after.items())
                reached.update(move.after.items())
            else:
                waiting.append(move)
        left = waiting
    return [move for move in task.moves if id(move) in possible]


def _useful(task: FiniteDomainTask, moves: list[Move]) -> list[Move]:
    """The *moves* that change a variable that matters; others change nothing else in what is returned."""
    matters = set(task.goal)
    useful: set[int] = set()
    news = True
    while news:
        news = False
        for move in moves:
            if id(move) not in useful and not matters.isdisjoint(move.after):
                useful.add(id(move))
                matters.update(move.before)
                news = True
    return [
        move._replace(changes=tuple(change for change in move.changes if change.variable in matters))
        for move in moves
        if id(move) in useful
    ]
