"""The order in which things are said to be done, as constraints that a plan keeps to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from foretree.planning.constraints.constraints import Before, ConstraintError, check_constraint
from foretree.planning.pddl.syntax import (
    TRUE,
    And,
    Count,
    Domain,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Or,
    substitute,
)
from foretree.planning.semantics.evaluation import conjunction, disjunction, negate
from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.grammar.goal_assembly import PartialGoal
from foretree.reasoning.offline.sentences.sequence import Step
from foretree.world_model.beliefs.facts import Atom

#: More things than so many are not told apart in an order.
MOST_COUNTED = 3
#: Makes a goal of the parts of several requests.
Assemble = Callable[[Sequence[Sequence[PartialGoal]]], Formula]


class Lasting(NamedTuple):
    """A request, by what shall hold of it in the end.

    Attributes:
        step: when it is said to be done; None if that is not known.
        says: it in words.
        parts: the parts of its goal.
    """

    step: Step | None
    says: str
    parts: Sequence[PartialGoal]


def one_before(first: Formula, then: Formula) -> Iterator[Before]:
    """Yield the constraint that no part of *then* is made so until *first* has been, if it says anything."""
    if TRUE not in (first, then) and first != then:
        yield Before(uncounted(first), any_part(then))


def any_part(formula: Formula) -> Formula:
    """The formula that holds as soon as any part of *formula* does: of all mugs on the table, one of them."""
    if isinstance(formula, (And, Or)):
        return disjunction([any_part(part) for part in formula.parts])
    if isinstance(formula, (Forall, Count)):
        return Exists(formula.variables, any_part(formula.body))
    return formula


def uncounted(formula: Formula) -> Formula:
    """*formula* with so many different things for "so many at least", as constraints do not count."""
    if isinstance(formula, (And, Or)):
        return type(formula)(tuple(map(uncounted, formula.parts)))
    if isinstance(formula, (Forall, Exists)):
        return type(formula)(formula.variables, uncounted(formula.body))
    if not isinstance(formula, Count) or formula.at_least > MOST_COUNTED:
        return formula
    name = formula.variable.name
    things = [replace(formula.variable, name=f"{name}{number}") for number in range(formula.at_least)]
    bodies = [substitute(formula.body, {name: thing.name}) for thing in things]
    apart = [negate(Equal(one.name, other.name)) for one, other in combinations(things, 2)]
    return Exists(tuple(things), conjunction(*apart, *bodies))


def said_order(
    commands: Sequence[Lasting], assemble: Assemble, domain: Domain, in_the_end: Collection[Atom]
) -> Iterator[Before]:
    """Yield the constraints that requests are carried out in the order in which they are said to be.

    Args:
        commands: the requests.
        assemble: makes a goal of the parts of several.
        domain: what the goals are about.
        in_the_end: the atoms of the goal of them all.

    Raises:
        NotUnderstoodError: that cannot be kept to.
    """
    # What is said twice is done once: "wash it and then, once it is clean, put it away".
    first = {assemble([command.parts]): command for command in reversed(commands) if command.parts}
    commands = [command for command in commands if command in first.values()]
    steps = [command.step for command in commands]
    if None in steps:  # It is not known of all what step they are of: each comes after the one before.
        steps = [Step(number) for number in range(len(commands))]
    earlier: list[Lasting] = []
    for step in sorted({step for step in steps if step is not None}):
        later = [command for command, its in zip(commands, steps, strict=True) if its == step]
        if _variables(earlier) & _variables(later):
            earlier += later  # They are about one and the same thing, whichever that will be.
            continue
        goals = [assemble([command.parts for command in group]) for group in (earlier, later)]
        if len(earlier) > 1:
            goals[0] = _kept(goals[0], in_the_end)
        for constraint in one_before(*goals):
            _check(constraint, earlier, later, domain)
            yield constraint
        earlier = later


def _kept(goal: Formula, atoms: Collection[Atom]) -> Formula:
    """Return what several requests leave to hold at once: where a bowl is heated, it may not be stirred."""
    if not isinstance(goal, And):
        return goal
    parts = [part for part in goal.parts if not isinstance(part, Literal) or part.atom in atoms]
    return conjunction(*parts) if parts else goal


def _check(constraint: Before, earlier: Sequence[Lasting], later: Sequence[Lasting], domain: Domain) -> None:
    try:
        check_constraint(constraint, domain)
    except ConstraintError as error:
        first, then = (" and ".join(command.says for command in group) for group in (earlier, later))
        raise NotUnderstoodError(
            f'I cannot keep to the order of "{first}" and "{then}". Say one after the other is done.'
        ) from error


def _variables(commands: Sequence[Lasting]) -> set[str]:
    """The variables for things that requests leave open."""
    about = (thing for command in commands for part in command.parts for thing in part.about)
    return {thing.term for thing in about if thing.quantifier is not None}
