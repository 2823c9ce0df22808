"""Reduce a task to what a cheapest plan can be made of: so that it is soon proved to be the cheapest."""

from __future__ import annotations

from dataclasses import replace

from foretree.planning.grounding.ground_task import GroundTask
from foretree.planning.grounding.simplification import simplify
from foretree.planning.solvers.finite_domain._dominance import without_dominated
from foretree.planning.solvers.finite_domain._variable_merging import with_joined_variables
from foretree.planning.solvers.finite_domain.sas_encoding import finite_domain
from foretree.planning.solvers.finite_domain.task import FiniteDomainTask, SasOperator


def reduced(grounding: GroundTask) -> tuple[GroundTask, FiniteDomainTask]:
    """*grounding*, simplified, with fewer operators, and what to search instead: it has the same least cost.

    Where effects are conditional, nothing is left out.
    """
    task = finite_domain(grounding)
    if task.conditional:
        return grounding, task
    while True:
        task = trimmed(with_joined_variables(task))
        while len((smaller := trimmed(without_dominated(task))).operators) < len(task.operators):
            task = smaller
        left = {operator.number for operator in smaller.operators}
        operators = tuple(o for number, o in enumerate(grounding.operators) if number in left)
        # Without the operators that were left out, those that only undo their effects are of no use either.
        simpler = simplify(replace(grounding, operators=operators))
        if len(simpler.operators) == len(grounding.operators):
            return grounding, smaller
        grounding = simpler
        task = finite_domain(grounding)


def trimmed(task: FiniteDomainTask) -> FiniteDomainTask:
    """*task* without operators that can never be made, or that change nothing that matters; and its variables
    without values that are never taken."""
    operators = _useful(task, _possible(task))
    used = [{value} for value in task.init]
    for variable, value in task.goal.items():
        used[variable].add(value)
    for operator in operators:
        for variable, value in (*operator.before.items(), *operator.after.items()):
            used[variable].add(value)
    kept = [variable for variable, values in enumerate(used) if len(values) > 1]
    values = [sorted(taken) for taken in used]
    return replace(task, groups=(), operators=tuple(operators)).over(kept, values)


def _possible(task: FiniteDomainTask) -> list[SasOperator]:
    """The operators that can be made when nothing is ever undone."""
    reached = set(enumerate(task.init))
    left = list(task.operators)
    possible: set[int] = set()
    news = True
    while news:
        news = False
        waiting = []
        for operator in left:
            if reached.issuperset(operator.before.items()):
                possible.add(id(operator))
                news = news or not reached.issuperset(operator.after.items())
                reached.update(operator.after.items())
            else:
                waiting.append(operator)
        left = waiting
    return [operator for operator in task.operators if id(operator) in possible]


def _useful(task: FiniteDomainTask, operators: list[SasOperator]) -> list[SasOperator]:
    """The *operators* that change a variable that matters; others change nothing else in what is returned."""
    matters = set(task.goal)
    useful: set[int] = set()
    news = True
    while news:
        news = False
        for operator in operators:
            if id(operator) not in useful and not matters.isdisjoint(operator.after):
                useful.add(id(operator))
                matters.update(operator.before)
                news = True
    return [
        operator._replace(changes=tuple(change for change in operator.changes if change.variable in matters))
        for operator in operators
        if id(operator) in useful
    ]
