"""Regression through operators whose parameters are still open: when something holds after an action."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from foretree.planning.pddl.syntax import (
    FALSE,
    TRUE,
    And,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Operator,
    Or,
    parts_of,
)
from foretree.planning.semantics.evaluation import conjuncts, negate


def all_of(*parts: Formula) -> Formula:
    """The conjunction of *parts*, without what is trivial."""
    flat = [leaf for part in parts for leaf in (part.parts if isinstance(part, And) else (part,))]
    left = tuple(dict.fromkeys(leaf for leaf in flat if leaf != TRUE))
    if FALSE in left:
        return FALSE
    return left[0] if len(left) == 1 else And(left)


def any_of(*parts: Formula) -> Formula:
    """The disjunction of *parts*, without what is trivial."""
    flat = [leaf for part in parts for leaf in (part.parts if isinstance(part, Or) else (part,))]
    left = tuple(dict.fromkeys(leaf for leaf in flat if leaf != FALSE))
    if TRUE in left:
        return TRUE
    return left[0] if len(left) == 1 else Or(left)


def normal_form(formula: Formula) -> Formula:
    """*formula* with negations at its atoms and equalities only."""
    if isinstance(formula, Equal):
        return _same(formula.left, formula.right)
    if isinstance(formula, Not):
        if isinstance(formula.part, Equal):
            return negate(_same(formula.part.left, formula.part.right))
        return normal_form(negate(formula.part))
    if isinstance(formula, And):
        return all_of(*map(normal_form, formula.parts))
    if isinstance(formula, Or):
        return any_of(*map(normal_form, formula.parts))
    if isinstance(formula, (Exists, Forall)):
        body = normal_form(formula.body)
        return body if body in (TRUE, FALSE) else type(formula)(formula.variables, body)
    return formula


def made(operator: Operator, literal: Literal) -> Formula:
    """Condition under which *operator* makes *literal* true, be it so before or not; an addition wins."""
    found = _caused(operator, literal)
    if literal.positive or found == FALSE:
        return found
    return all_of(found, negate(_caused(operator, ~literal)))


def _caused(operator: Operator, literal: Literal) -> Formula:
    """Condition under which *operator* has an effect that is *literal*."""
    ways = []
    for effect in operator.effects:
        if effect.literal.positive == literal.positive and effect.literal.atom[0] == literal.atom[0]:
            same = [_same(*pair) for pair in zip(effect.literal.atom[1:], literal.atom[1:], strict=True)]
            way = all_of(*same, effect.condition)
            ways.append(Exists(effect.variables, way) if effect.variables and way != FALSE else way)
    return any_of(*ways)


def _same(left: str, right: str) -> Formula:
    if left == right:
        return TRUE
    return Equal(left, right) if "?" in (left[0], right[0]) else FALSE


def _moved(operator: Operator, literal: Literal) -> Iterator[str]:
    """Yield the subjects of which *operator* ends the one way in which the predicate of *literal* is true."""
    ended = [~one.literal for one in operator.effects if one.condition == TRUE]
    for part in conjuncts(operator.precondition):
        if isinstance(part, Literal) and part.atom[0] == literal.atom[0] and part.positive and part in ended:
            yield part.atom[1]


def becomes(operator: Operator, formula: Formula) -> Formula:
    """Condition under which *operator* makes some literal of *formula*, which is in normal form, true."""
    if isinstance(formula, Literal):
        return made(operator, formula)
    if isinstance(formula, (Equal, Not)):
        return FALSE
    parts = any_of(*(becomes(operator, part) for part in parts_of(formula)))
    if isinstance(formula, (Exists, Forall)) and parts not in (TRUE, FALSE):
        return Exists(formula.variables, parts)
    return parts


def after(operator: Operator, formula: Formula, single: Collection[str] = ()) -> Formula:
    """Condition under which *formula*, in normal form, holds after *operator*.

    Args:
        operator: it.
        formula: in normal form.
        single: predicates that are true of no subject in two ways at once, as being somewhere is.
    """
    if isinstance(formula, Literal):
        stays = negate(made(operator, ~formula))
        if formula.positive and formula.atom[0] in single:
            stays = all_of(stays, *(negate(_same(one, formula.atom[1])) for one in _moved(operator, formula)))
        return any_of(made(operator, formula), all_of(formula, stays))
    if isinstance(formula, And):
        return all_of(*(after(operator, part, single) for part in formula.parts))
    if isinstance(formula, Or):
        return any_of(*(after(operator, part, single) for part in formula.parts))
    if isinstance(formula, (Exists, Forall)):
        body = after(operator, formula.body, single)
        return body if body in (TRUE, FALSE) else type(formula)(formula.variables, body)
    return formula
