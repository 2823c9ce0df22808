"""From what each command asks for to one goal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from foretree.planning.semantics import conjuncts
from foretree.planning.syntax import (
    And,
    Count,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Or,
    Typed,
    substitute,
)
from foretree.reasoning.instruction_errors import NoSuchThingError, NotPossibleError
from foretree.reasoning.referents import Referent
from foretree.world_model.facts import Atom
from foretree.world_model.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Demand:
    """One thing that shall be so, and the referents that it is about.

    ``undoes`` is what the deed makes untrue, as far as the words tell: a vessel that is poured out is empty.
    """

    formula: Formula
    about: tuple[Referent, ...]
    undoes: tuple[Literal, ...] = ()


def conclude(commands: Sequence[Sequence[Demand]], vocabulary: Vocabulary) -> Formula:
    """The goal of several commands, each with its demands, in the order in which they were given.

    A goal says how the world shall be in the end. Where a later command undoes an earlier one (take the mug,
    then put it in the sink; open the fridge, then close it) only the later one is left. Demands that share a
    variable come under one quantifier.

    Raises:
        NotPossibleError: one command wants a thing in two places.
        NoSuchThingError: a command would make untrue what its words say of things, and no known thing is
            like that now.
    """
    kept = _without_what_is_undone(commands, vocabulary)
    parts: list[Formula] = []
    for group in _sharing(kept):
        parts.append(_quantified(group))
    flat = tuple(dict.fromkeys(leaf for part in parts for leaf in conjuncts(part)))
    return flat[0] if len(flat) == 1 else And(flat)


# -- later commands win ------------------------------------------------------------------------------


def _without_what_is_undone(commands: Sequence[Sequence[Demand]], vocabulary: Vocabulary) -> list[Demand]:
    kept: list[Demand] = []
    placed: dict[tuple[str, str], Atom] = {}
    settled: dict[Atom, bool] = {}
    follows: tuple[Demand, ...] = ()
    for demands in reversed(commands):
        left = []
        for demand in demands:
            formula = _prune(demand.formula, placed, settled, vocabulary)
            if formula is not None:
                left.append(Demand(formula, demand.about, demand.undoes))
        here: dict[tuple[str, str], Atom] = {}
        for literal in (
            found for demand in demands for found in (*_literals(demand.formula), *demand.undoes)
        ):
            settled.setdefault(literal.atom, literal.positive)
            key = vocabulary.group_key(literal.atom) if literal.positive else None
            if key is not None and here.setdefault(key, literal.atom) != literal.atom:
                raise NotPossibleError(
                    "One thing cannot be in two places: name one place for each thing.", misfits=0
                )
        if demands and not left and _undone_at_once(demands, follows):
            raise NotPossibleError(
                "One command undoes at once what the one before it asks for, so nothing would come of that. "
                "Say only how it shall be in the end, or give the commands one at a time.",
                misfits=0,
            )
        follows = tuple(demands)
        placed = {**here, **placed}
        kept[:0] = left
    return kept


def _undone_at_once(demands: Sequence[Demand], follows: Sequence[Demand]) -> bool:
    """Whether the command that *follows* makes untrue what *demands* ask for."""
    then = {literal for demand in follows for literal in (*_literals(demand.formula), *demand.undoes)}
    return any(~literal in then for demand in demands for literal in _literals(demand.formula))


def _prune(
    formula: Formula, placed: dict[tuple[str, str], Atom], settled: dict[Atom, bool], vocabulary: Vocabulary
) -> Formula | None:
    """*formula* without what a later command undoes; None when nothing is left."""
    if isinstance(formula, Literal):
        if settled.get(formula.atom, formula.positive) is not formula.positive:
            return None
        key = vocabulary.group_key(formula.atom) if formula.positive else None
        if key is not None and placed.get(key, formula.atom) != formula.atom:
            return None
        return formula
    if isinstance(formula, And):
        parts = [_prune(part, placed, settled, vocabulary) for part in formula.parts]
        left = tuple(part for part in parts if part is not None)
        if not left:
            return None
        return left[0] if len(left) == 1 else And(left)
    if isinstance(formula, (Exists, Forall)):
        body = _prune(formula.body, placed, settled, vocabulary)
        return None if body is None else type(formula)(formula.variables, body)
    return formula


# -- quantifiers -------------------------------------------------------------------------------------


def _sharing(demands: Sequence[Demand]) -> Iterator[list[Demand]]:
    """Demands in groups that share no variable with each other, in the order of each group's first."""
    groups: list[list[Demand]] = []
    for demand in demands:
        variables = {r.term for r in demand.about if r.quantifier is not None}
        joined = [
            group
            for group in groups
            if variables & {r.term for d in group for r in d.about if r.quantifier is not None}
        ]
        if joined:
            joined[0].append(demand)
            for other in joined[1:]:
                joined[0].extend(other)
                groups.remove(other)
        else:
            groups.append([demand])
    yield from groups


def _quantified(demands: Sequence[Demand]) -> Formula:
    mentioned = dict.fromkeys(r for d in demands for r in d.about if r.quantifier is not None)
    referents = sorted(mentioned, key=lambda referent: _depends(referent, demands))
    wanted = tuple(leaf for demand in demands for leaf in conjuncts(demand.formula))
    formula = _all_of(wanted)
    for referent in reversed(referents):
        formula = _bind(referent, formula)
    return formula


def _depends(referent: Referent, demands: Sequence[Demand]) -> bool:
    """Whether there may be one such thing for each of several others: "a plate on every table".

    Not so if it is spoken of without them: "wash a plate and put all apples on it".
    """
    if referent.several:
        return False
    others = [demand.about for demand in demands if referent in demand.about]
    return any(all(several in about for about in others) for several in others[0] if several.several)


def _bind(referent: Referent, formula: Formula) -> Formula:
    states = [Literal((predicate, referent.term), positive) for predicate, positive in referent.states]
    among = referent.among
    if states:
        asked = set(_literals(formula))
        undone = any(~state in asked for state in states)
        if asked == {~state for state in states} and not referent.all_known:
            pass  # "Wash all dirty mugs": those that are not dirty need no washing.
        elif undone or referent.quantifier == "forall":
            # "Wash a dirty mug": dirty is what it is now, not what it shall be.
            among = referent.fitting
            if not among:
                raise NoSuchThingError(f'I know of nothing that is "{referent.says}".')
        else:
            formula = _all_of((*states, *conjuncts(formula)))
    if among:
        each = [substitute(formula, {referent.term: name}) for name in among]
        if referent.quantifier == "forall":
            return _all_of(each)
        if referent.quantifier == "count":
            return _any_of([_all_of(some) for some in combinations(each, referent.number)])
        return _any_of(each)
    variable = Typed(referent.term, referent.type)
    if referent.quantifier == "forall":
        return Forall((variable,), formula)
    if referent.quantifier == "count":
        return Count(variable, formula, at_least=referent.number)
    return Exists((variable,), formula)


def _all_of(parts: Sequence[Formula]) -> Formula:
    flat = tuple(dict.fromkeys(leaf for part in parts for leaf in conjuncts(part)))
    return flat[0] if len(flat) == 1 else And(flat)


def _any_of(parts: Sequence[Formula]) -> Formula:
    return parts[0] if len(parts) == 1 else Or(tuple(parts))


def _literals(formula: Formula) -> Iterator[Literal]:
    if isinstance(formula, Literal):
        yield formula
    elif isinstance(formula, Not):
        yield from (~literal for literal in _literals(formula.part))
    elif isinstance(formula, (And, Or)):
        for part in formula.parts:
            yield from _literals(part)
    elif isinstance(formula, (Exists, Forall, Count)):
        yield from _literals(formula.body)
