"""Assembly of one goal from the partial goals of commands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

from foretree.planning.pddl.syntax import (
    TRUE,
    And,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Or,
    Typed,
    literals_of,
    substitute,
)
from foretree.planning.semantics.evaluation import conjunction, disjunction, negate
from foretree.reasoning.instruction_errors import NoSuchThingError, NotPossibleError, NotUnderstoodError
from foretree.reasoning.offline.phrases.discourse import Referent
from foretree.world_model.beliefs.facts import Atom, Vocabulary


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

    @property
    def outcome(self) -> tuple[Literal, ...]:
        """The literals that hold afterwards, as far as the words tell."""
        return (*literals_of(self.formula), *self.undoes)


class UndoneError(NotPossibleError):
    """One command undoes what another brings about."""


#: So many ways to choose some of several things can be told apart in a goal.
MOST_CHOICES = 500
#: Maps a thing to the things that it is on, in or under, and its room.
Around = Callable[[str], Collection[str]]
#: One command, as the parts that it has for several things.
Command = Sequence[PartialGoal]


def assemble_goal(commands: Sequence[Command], vocabulary: Vocabulary, around: Around) -> Formula:
    """The goal of several commands, in the order in which they were given.

    A goal says how the world shall be in the end. Where a later command undoes an earlier one that was a step
    on the way (take the mug, then put it in the sink; open the fridge, put the mango in it, then close it)
    only the later one is left. Parts that share a variable come under one quantifier.

    Raises:
        NotPossibleError: one command wants a thing in two places, or undoes an earlier one that was no step
            on the way and would be in vain.
        NoSuchThingError: a command would make untrue what its words say of things, and no known thing is
            like that now.
    """
    commands = [_without_contents(commands, index, vocabulary) for index in range(len(commands))]
    kept: list[PartialGoal] = []
    placed: dict[tuple[str, str], Atom] = {}
    settled: dict[Atom, bool] = {}
    for index in reversed(range(len(commands))):
        left = []
        for part in commands[index]:
            formula = _prune(part.formula, placed, settled, vocabulary)
            if formula is not None:
                left.append(replace(part, formula=formula))
            elif not _is_a_step(part, commands[index + 1 :], vocabulary, around):
                what = f'"{part.says}"' if part.says else "an earlier one"
                raise UndoneError(
                    f"A later command undoes {what}, so nothing would come of that. Say only how it shall "
                    'be in the end, or that it is to be so again: "open the fridge, then close it again".',
                    misfits=0,
                )
        here: dict[tuple[str, str], Atom] = {}
        for literal in (literal for part in commands[index] for literal in part.outcome):
            settled.setdefault(literal.atom, literal.positive)
            key = vocabulary.group_key(literal.atom) if literal.positive else None
            if key is not None and here.setdefault(key, literal.atom) != literal.atom:
                raise NotPossibleError(
                    "One thing cannot be in two places: name one place for each thing.", misfits=0
                )
        placed = {**here, **placed}
        kept[:0] = left
    return conjunction(*(_quantified(group) for group in _sharing(kept)))


def _without_contents(commands: Sequence[Command], index: int, vocabulary: Vocabulary) -> Command:
    """A command without the things that go where they shall be within another that it moves, too.

    "Put a fork in a cup and put them in the sink": the fork stays in the cup.
    """
    inside: set[tuple[str, ...]] = set()
    for part in (part for command in commands[:index] for part in command):
        inside |= {literal.atom[1:] for literal in _placing(part, vocabulary)}
    command = commands[index]
    moves = {literal.atom[1:] for part in command for literal in _placing(part, vocabulary)}

    def comes_along(part: PartialGoal) -> bool:
        placing = _placing(part, vocabulary)
        return bool(placing) and all(
            any((thing, other) in inside and (other, place) in moves for other, _ in moves)
            for thing, place in (literal.atom[1:] for literal in placing)
        )

    return [part for part in command if not comes_along(part)]


def _placing(part: PartialGoal, vocabulary: Vocabulary) -> list[Literal]:
    """Literals of a partial goal that say where things shall be."""
    literals = literals_of(part.formula)
    return [one for one in literals if len(one.atom) == 3 and vocabulary.group_key(one.atom) is not None]


# -- later commands win ------------------------------------------------------------------------------


def _is_a_step(undone: PartialGoal, later: Sequence[Command], vocabulary: Vocabulary, around: Around) -> bool:
    """True if a partial goal that is undone in the end serves a later command.

    It does if a later skill needs it, or is used on things there: where the robot shall go, in what it shall
    open.
    """
    known = {r.term: r for parts in (*later, (undone,)) for part in parts for r in part.about}
    for literal in literals_of(undone.formula):
        entities = [term for term in literal.atom[1:] if term in known]
        for parts in later:
            if any(_needs(part, literal, entities) for part in parts):
                return True
            undone_here = any(_undoes(part, literal, vocabulary) for part in parts)
            if len(entities) == 1:
                place = known[entities[0]]
                near = [_is_there(r, place, around) for part in parts for r in part.about]
                # "Go to the bedroom and wait by the bed": one goes there by way of it.
                if any(near) and (not undone_here or literal.atom[0] == "rob_at_node"):
                    return True
            if undone_here:
                break
    return False


def _needs(part: PartialGoal, literal: Literal, entities: Sequence[str]) -> bool:
    """True if a partial goal needs *literal*, about one of these things at least."""
    for need in part.needs:
        if need.positive is literal.positive and need.atom[0] == literal.atom[0]:
            pairs = [*zip(need.atom[1:], literal.atom[1:], strict=True)]
            matches = all(one in (other, "?") for one, other in pairs)
            if matches and any(one in entities for one, _ in pairs):
                return ~literal not in part.outcome
    return False


def _undoes(part: PartialGoal, literal: Literal, vocabulary: Vocabulary) -> bool:
    """True if *literal* cannot hold once *part* does."""
    key = vocabulary.group_key(literal.atom) if literal.positive else None
    elsewhere = (then for then in part.outcome if then.positive and then != literal)
    return ~literal in part.outcome or (
        key is not None and any(vocabulary.group_key(then.atom) == key for then in elsewhere)
    )


def _is_there(thing: Referent, place: Referent, around: Around) -> bool:
    """True if a thing may be at a place, or is that place; things not found yet may be anywhere."""
    if thing.term == place.term:
        return True
    places = {place.term} if place.quantifier is None else {*place.fitting}
    things = (thing.term,) if thing.quantifier is None else thing.fitting
    return not things or not places or any(place in around(one) for one in things for place in places)


def _prune(
    formula: Formula, placed: dict[tuple[str, str], Atom], settled: dict[Atom, bool], vocabulary: Vocabulary
) -> Formula | None:
    """*formula* without the parts that a later command undoes; None when nothing is left."""
    if isinstance(formula, Literal):
        key = vocabulary.group_key(formula.atom) if formula.positive else None
        undone = settled.get(formula.atom, formula.positive) is not formula.positive
        elsewhere = key is not None and not _may_be_same(placed.get(key, formula.atom), formula.atom)
        return None if undone or elsewhere else formula
    if isinstance(formula, And):
        parts = [_prune(part, placed, settled, vocabulary) for part in formula.parts]
        left = [part for part in parts if part is not None]
        return conjunction(*left) if left else None
    if isinstance(formula, (Exists, Forall)):
        body = _prune(formula.body, placed, settled, vocabulary)
        return None if body is None else type(formula)(formula.variables, body)
    return formula


def _may_be_same(one: Atom, other: Atom) -> bool:
    """True if two atoms are the same but for variables: held in the left hand, and in some hand."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(a == b or "?" in (a[0], b[0]) for a, b in pairs)


# -- quantifiers -------------------------------------------------------------------------------------


def _sharing(parts: Command) -> list[list[PartialGoal]]:
    """Partial goals in groups that share no variable with each other, in the order of each group's first."""
    groups: list[list[PartialGoal]] = []
    for part in parts:
        variables = _variables([part])
        joined = [group for group in groups if variables & _variables(group)]
        if not joined:
            groups.append([part])
        else:
            joined[0].append(part)
        for other in joined[1:]:
            joined[0].extend(other)
            groups.remove(other)
    return groups


def _variables(parts: Command) -> set[str]:
    about = {r for part in parts for r in part.about if r.quantifier is not None}
    return {r.term for r in about}.union(*(r.apart for r in about))


def _quantified(parts: Command) -> Formula:
    mentioned = dict.fromkeys(r for part in parts for r in part.about if r.quantifier is not None)
    formula = conjunction(*(part.formula for part in parts))
    outer_first = sorted(mentioned, key=lambda referent: _depth(referent, parts))
    for referent in reversed(outer_first):
        formula = _bind(referent, formula)
    return formula


def _depth(referent: Referent, parts: Command) -> int:
    """Depth of a quantifier: what is the same for all first, what depends on others last.

    "Two mugs on a table" are on one and the same, "all mugs on a table" are not.
    """
    if referent.apart:
        return 3
    counts = {r.quantifier for part in parts for r in part.about if r.several and referent in part.about}
    shared = referent.definite or (referent.destination and counts == {"count"})
    if counts and shared and not referent.several:
        return 0
    return 2 if _depends(referent, parts) else 1


def _depends(referent: Referent, parts: Command) -> bool:
    """True if there may be one such thing for each of several others: "a plate on every table".

    Not so if it is spoken of without them: "wash a plate and put all apples on it".
    """
    if referent.several:
        return False
    others = [part.about for part in parts if referent in part.about]
    return any(all(several in about for about in others) for several in others[0] if several.several)


def _bind(referent: Referent, formula: Formula) -> Formula:
    states = [Literal((predicate, referent.term), positive) for predicate, positive in referent.states]
    among = referent.among
    if referent.apart:
        formula = _apart(referent, formula)
    if states:
        asked = set(literals_of(formula))
        undone = any(~state in asked for state in states)
        if asked == {~state for state in states} and not referent.all_known:
            pass  # "Wash all dirty mugs": those that are not dirty need no washing.
        elif undone or referent.quantifier == "forall":
            # "Wash a dirty mug": dirty is what it is now, not what it shall be.
            among = referent.fitting
            if not among:
                raise NoSuchThingError(f'I know of nothing that is "{referent.says}".')
        else:
            formula = conjunction(*states, formula)
    if among:
        each = [substitute(formula, {referent.term: name}) for name in among]
        if referent.quantifier == "forall":
            return conjunction(*each)
        if referent.quantifier == "count":
            return _some_of(each, referent)
        told = [one for part in each if (one := _told_apart(part)) is not None]
        return disjunction(told or each)
    variable = Typed(referent.term, referent.type)
    if referent.quantifier == "forall":
        return Forall((variable,), formula)
    if referent.quantifier == "count":
        return Count(variable, formula, at_least=referent.number, at_most=referent.at_most)
    return Exists((variable,), formula)


def _apart(referent: Referent, formula: Formula) -> Formula:
    """*formula* for what is none of some others: "the other mug"."""
    if referent.quantifier == "forall":
        return disjunction((*(Equal(referent.term, other) for other in referent.apart), formula))
    return conjunction(*(Not(Equal(referent.term, other)) for other in referent.apart), formula)


def _told_apart(formula: Formula) -> Formula | None:
    """*formula* without what names of things settle: that they are different; None if it cannot hold."""
    if isinstance(formula, Or):
        some = [one for part in formula.parts if (one := _told_apart(part)) is not None]
        return disjunction(some) if some else None
    if isinstance(formula, And):
        parts = [_told_apart(part) for part in formula.parts]
        return None if None in parts else conjunction(*(part for part in parts if part is not None))
    if isinstance(formula, Not) and isinstance(formula.part, Equal):
        left, right = formula.part.left, formula.part.right
        if left == right:
            return None
        return formula if "?" in (left[0], right[0]) else TRUE
    return formula


def _some_of(each: Sequence[Formula], referent: Referent) -> Formula:
    """So many of the formulas hold, one for each thing, and no more if there is a greatest number.

    Raises:
        NotUnderstoodError: there are too many ways to choose.
    """
    most = referent.at_most
    if comb(len(each), referent.number) > MOST_CHOICES:
        raise NotUnderstoodError(
            f'There are too many ways to choose "{referent.says}". Call them by their names.'
        )
    if most is None:
        return disjunction(conjunction(*some) for some in combinations(each, referent.number))
    numbers = range(referent.number, min(most, len(each)) + 1)
    return disjunction(
        conjunction(*some, *(negate(one) for one in each if one not in some))
        for number in numbers
        for some in combinations(each, number)
    )
