"""Assembly of one goal from the partial goals of commands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from foretree.planning.pddl.syntax import (
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
from foretree.planning.semantics.evaluation import conjuncts
from foretree.reasoning.instruction_errors import NoSuchThingError, NotPossibleError
from foretree.reasoning.offline._referents import Referent
from foretree.world_model.beliefs.facts import Atom
from foretree.world_model.beliefs.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class PartialGoal:
    """A part of the goal, and the referents that it is about.

    ``undoes`` has the facts that the skill deletes, as far as the words tell: a vessel poured out is empty.
    ``needs`` has its preconditions, where ``?`` stands for any thing: a thing that is put down is held.
    ``says`` is the command in words.
    """

    formula: Formula
    about: tuple[Referent, ...]
    undoes: tuple[Literal, ...] = ()
    needs: tuple[Literal, ...] = ()
    says: str = ""


def assemble_goal(
    commands: Sequence[Sequence[PartialGoal]],
    vocabulary: Vocabulary,
    around: Callable[[str], Collection[str]],
) -> Formula:
    """The goal of several commands, each with its demands, in the order in which they were given.

    A goal says how the world shall be in the end. Where a later command undoes an earlier one that was a step
    on the way (take the mug, then put it in the sink; open the fridge, put the mango in it, then close it)
    only the later one is left. Demands that share a variable come under one quantifier.

    Args:
        around: what a thing is on, in or under, and its room.

    Raises:
        NotPossibleError: one command wants a thing in two places, or undoes an earlier one that was no step
            on the way and would be in vain.
        NoSuchThingError: a command would make untrue what its words say of things, and no known thing is
            like that now.
    """
    kept = _without_what_is_undone(commands, vocabulary, around)
    parts: list[Formula] = []
    for group in _sharing(kept):
        parts.append(_quantified(group))
    flat = tuple(dict.fromkeys(leaf for part in parts for leaf in conjuncts(part)))
    return flat[0] if len(flat) == 1 else And(flat)


# -- later commands win ------------------------------------------------------------------------------


def _without_what_is_undone(
    commands: Sequence[Sequence[PartialGoal]],
    vocabulary: Vocabulary,
    around: Callable[[str], Collection[str]],
) -> list[PartialGoal]:
    kept: list[PartialGoal] = []
    placed: dict[tuple[str, str], Atom] = {}
    settled: dict[Atom, bool] = {}
    for index in reversed(range(len(commands))):
        demands = commands[index]
        left = []
        for demand in demands:
            formula = _prune(demand.formula, placed, settled, vocabulary)
            if formula is not None:
                left.append(replace(demand, formula=formula))
            elif not _is_a_step(demand, commands[index + 1 :], vocabulary, around):
                what = f'"{demand.says}"' if demand.says else "an earlier one"
                raise NotPossibleError(
                    f"A later command undoes {what}, so nothing would come of that. "
                    "Say only how it shall be in the end, or give the commands one at a time.",
                    misfits=0,
                )
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
        placed = {**here, **placed}
        kept[:0] = left
    return kept


def _is_a_step(
    undone: PartialGoal,
    later: Sequence[Sequence[PartialGoal]],
    vocabulary: Vocabulary,
    around: Callable[[str], Collection[str]],
) -> bool:
    """True if a partial goal that is undone in the end serves a later command.

    It does if a later skill needs it, or is used on things there: where the robot shall go, in what it shall
    open.
    """
    known = {r.term: r for demands in (*later, (undone,)) for demand in demands for r in demand.about}
    for literal in _literals(undone.formula):
        entities = [term for term in literal.atom[1:] if term in known]
        for demands in later:
            if any(_needs(demand, literal, entities) for demand in demands):
                return True
            if any(_undoes(demand, literal, vocabulary) for demand in demands):
                break
            if len(entities) == 1:
                place = known[entities[0]]
                if any(_is_there(r, place, around) for demand in demands for r in demand.about):
                    return True
    return False


def _needs(demand: PartialGoal, literal: Literal, entities: Sequence[str]) -> bool:
    """True if a partial goal needs *literal*, about one of these things at least."""
    for need in demand.needs:
        if need.positive is literal.positive and need.atom[0] == literal.atom[0]:
            pairs = [*zip(need.atom[1:], literal.atom[1:], strict=True)]
            if all(one == other or one == "?" for one, other in pairs) and any(
                one in entities for one, _ in pairs
            ):
                return not any(~literal == undone for undone in (*_literals(demand.formula), *demand.undoes))
    return False


def _undoes(demand: PartialGoal, literal: Literal, vocabulary: Vocabulary) -> bool:
    """True if *literal* cannot hold once *demand* does."""
    key = vocabulary.group_key(literal.atom) if literal.positive else None
    return any(
        then == ~literal
        or (key is not None and then.positive and key == vocabulary.group_key(then.atom) and then != literal)
        for then in (*_literals(demand.formula), *demand.undoes)
    )


def _is_there(thing: Referent, place: Referent, around: Callable[[str], Collection[str]]) -> bool:
    """True if a thing may be at a place, or is that place; things not found yet may be anywhere."""
    if thing.term == place.term:
        return True
    places = {place.term} if place.quantifier is None else {*place.fitting}
    things = (thing.term,) if thing.quantifier is None else thing.fitting
    return not things or not places or any(place in around(one) for one in things for place in places)


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


def _sharing(demands: Sequence[PartialGoal]) -> Iterator[list[PartialGoal]]:
    """Demands in groups that share no variable with each other, in the order of each group's first."""
    groups: list[list[PartialGoal]] = []
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


def _quantified(demands: Sequence[PartialGoal]) -> Formula:
    mentioned = dict.fromkeys(r for d in demands for r in d.about if r.quantifier is not None)
    referents = sorted(mentioned, key=lambda referent: _depends(referent, demands))
    wanted = tuple(leaf for demand in demands for leaf in conjuncts(demand.formula))
    formula = _all_of(wanted)
    for referent in reversed(referents):
        formula = _bind(referent, formula)
    return formula


def _depends(referent: Referent, demands: Sequence[PartialGoal]) -> bool:
    """True if there may be one such thing for each of several others: "a plate on every table".

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
