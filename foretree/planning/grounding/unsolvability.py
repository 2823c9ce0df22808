"""Say why a problem has no plan, in a person's words.

What cannot even be reached when nothing is ever deleted cannot be reached at all; that is where most
impossible goals end, and the chain of what needs what leads to the root cause: a thing that is nowhere, a
tool that does not exist, something no action changes. Where every part of the goal can be reached alone, the
parts exclude each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from foretree.planning.grounding._unreachability import MOST_SHOWN, UnreachabilityExplainer, joined_by_and
from foretree.planning.grounding.capacity_proofs import CapacityConflict, find_capacity_conflict
from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.grounding import TooManyActionsError, ground
from foretree.planning.pddl.syntax import And, Cost, Effect, Formula, Literal, Operator, Problem, show
from foretree.planning.semantics.operator_index import index_of
from foretree.planning.work_limit import TooMuchWorkError, WorkLimit

#: More goal parts than this are not tried one by one.
_MOST_PARTS = 12


def explain_unsolvable(
    problem: Problem,
    solvable: Callable[[Problem], bool | None] | None = None,
    most: int | None = None,
    work: WorkLimit | None = None,
) -> str:
    """Explain why *problem*, which has no plan, has none.

    Args:
        solvable: answers whether a problem has a plan (None if that takes too long). With it, goal parts
            that exclude each other are narrowed down to a minimal set.
        most: as many actions are looked at.
        work: counts the steps.
    """
    try:
        reason = explain_unreachable(problem, most, work)
    except (TooManyActionsError, TooMuchWorkError):
        return "It cannot be reached; to find out why, there is too much that can be done."
    if reason is not None:
        return reason
    parts = problem.goal.parts if isinstance(problem.goal, And) else (problem.goal,)
    if len(parts) == 1:
        return f"{show(parts[0])} cannot be reached, although every single step towards it is possible."
    minimal = None if solvable is None else _minimal(problem, parts, solvable)
    if minimal is None:
        return "Each part of the goal may be reachable alone, but all together they are not."
    if len(minimal) == 1:
        return (
            f"{show(minimal[0])} cannot be reached, although every single step towards it is possible; "
            "the rest of the goal is not the reason."
        )
    return f"These parts of the goal exclude each other: {joined_by_and(map(show, minimal))}."


def explain_unreachable(
    problem: Problem, most: int | None = None, work: WorkLimit | None = None
) -> str | None:
    """Explain why the goal cannot be reached even if nothing were ever undone, or why parts of it never
    hold at once; None if that is not why.

    What is derived counts as made true by actions, which can be done where a rule says so.

    Raises:
        CompilationError: a condition becomes too large.
        TooManyActionsError: there are more than *most* actions.
        TooMuchWorkError: there are more steps than allowed.
    """
    work = work or WorkLimit()
    problem = _deriving(problem)
    compiled = compile_away(problem, work)
    grounding = ground(compiled.problem, prune=False, most=most, work=work)
    if grounding.refuted:
        return _refuted(problem, work)
    if grounding.unreachable:
        return UnreachabilityExplainer(compiled, grounding, work).explain(grounding.unreachable)
    if grounding.exclusive is not None:
        one, other = (show(Literal(atom)) for atom in grounding.exclusive)
        return f"{one} and {other} exclude each other: they never hold at once."
    conflict = find_capacity_conflict(compiled)
    return None if conflict is None else _describe_conflict(conflict)


def _deriving(problem: Problem) -> Problem:
    """*problem* with an action in place of each rule: what can be derived can be reached then.

    An action makes nothing false, but what is derived is not so initially, and that is all that is asked.
    """
    operators = dict(problem.domain.operators)
    rules: Counter[str] = Counter()
    for axiom in problem.domain.axioms:
        head = (axiom.predicate, *(parameter.name for parameter in axiom.parameters))
        rules[axiom.predicate] += 1
        name = f"derive {axiom.predicate} by rule {rules[axiom.predicate]}"
        operators[name] = Operator(name, axiom.parameters, axiom.body, (Effect(Literal(head)),), Cost(0))
    return replace(problem, domain=replace(problem.domain, operators=operators, axioms=()))


def _minimal(
    problem: Problem, parts: Sequence[Formula], solvable: Callable[[Problem], bool | None]
) -> tuple[Formula, ...] | None:
    """A smallest-by-inclusion set of parts that cannot be reached together; None if that is too hard."""
    if len(parts) > _MOST_PARTS:
        return None
    needed = list(parts)
    for part in parts:
        rest = [other for other in needed if other is not part]
        answer = solvable(replace(problem, goal=And(tuple(rest))))
        if answer is None:
            return None
        if not answer:
            needed = rest
    return tuple(needed)


def _refuted(problem: Problem, work: WorkLimit) -> str:
    """Say which part of the goal is false for good, whatever is done."""
    parts = problem.goal.parts if isinstance(problem.goal, And) else (problem.goal,)
    for part in parts:
        alone = compile_away(replace(problem, goal=part), work)
        if ground(alone.problem, work=work).refuted:
            if isinstance(part, Literal) and part.atom[0] not in index_of(problem.domain).fluents:
                truth = "is not so" if part.positive else "is so"
                return f"{show(Literal(part.atom))} {truth}, and no action ever changes {part.atom[0]}."
            return f"{show(part)} is false, and no action can change that."
    return f"{show(problem.goal)} is false, and no action can change that."


def _describe_conflict(conflict: CapacityConflict) -> str:
    """Say in words that parts of the goal are too many."""
    parts = [" or ".join(show(Literal(atom)) for atom in part[:MOST_SHOWN]) for part in conflict.parts]
    more = len(parts) - MOST_SHOWN
    shown = "; ".join(parts[:MOST_SHOWN]) + (f"; and {more} more" if more > 0 else "")
    return (
        f"Of these {len(parts)} parts of the goal, no more than {conflict.room} can be so at once: {shown}."
    )
