"""Checks of what a command says of its things: that it is a deed, and can be meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product

from foretree.planning.pddl.syntax import Formula, substitute
from foretree.reasoning.instruction_errors import NoSuchThingError, NotUnderstoodError
from foretree.reasoning.offline.grammar.clauses import Clause, Slot
from foretree.reasoning.offline.interpretation._progress import Progress, ResolvedClause
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase
from foretree.reasoning.offline.phrases.discourse import Discourse, Group

#: Said of places of which each is for another thing.
_APART = frozenset({"different", "separate", "distinct", "various", "own", "respective"})
_HIDING = frozenset({"hide", "conceal", "stash"})
#: Verbs for making what is not there yet.
_MAKING = frozenset({"make", "brew", "prepare", "fix"})
#: Verbs of which "in" tells where a thing is, if it is there.
_TAKING = frozenset(
    [
        "take",
        "fetch",
        "get",
        "grab",
        "collect",
        "bring",
        "carry",
        "retrieve",
        "find",
        "move",
        "deliver",
        "send",
    ]
)


def check_number(phrase: NounPhrase, clause: Clause) -> None:
    """Check that what shall be done is not to be done at most so often, which is done by doing nothing.

    Raises:
        NotUnderstoodError: it is.
    """
    if phrase.at_most is not None and not phrase.number and not clause.pattern.states:
        raise NotUnderstoodError(
            f'"{phrase.text}" may be none at all. Say how many, or what the state of things shall be.'
        )


def check_made(phrase: NounPhrase, slot: Slot, clause: Clause) -> None:
    """Check that what is to be made is told by how it shall be: "make a cup of coffee", but not "a cup".

    Raises:
        NotUnderstoodError: it is not.
    """
    made = len(clause.verb) == 1 and clause.verb[0] in _MAKING and clause.pattern.parts[1:2] == (slot,)
    if made and not (phrase.states and phrase.picks in ("a", "some")):
        raise NotUnderstoodError(f'I cannot {" ".join(clause.verb)} "{phrase.text}".')


def check_apart(group: Group, before: Mapping[str, Group], phrase: NounPhrase) -> None:
    """Check that a command does not put a thing into itself: "move a bowl with a spoon in it".

    Raises:
        NotUnderstoodError: it does.
    """
    named = {referent.term for other in before.values() for referent in other}
    if any(referent.term in named for referent in group):
        raise NotUnderstoodError(f'"{phrase.text}" would be the very thing that is moved. Name the place.')


def check_places(clause: Clause, groups: Mapping[str, Group]) -> None:
    """Check that it is said which place is meant: not so in "on different tables", "hide it in the hall".

    Raises:
        NotUnderstoodError: it is not.
    """
    for slot in clause.pattern.slots:
        phrase = clause.things[slot.name]
        if phrase.is_room and clause.verb[0] in _HIDING:
            raise NotUnderstoodError(f'Where in "{phrase.text}" it is out of sight is not said.')
        moved = [one for name, group in groups.items() if name != slot.name for one in group]
        several = len(moved) > 1 or any(one.several for one in moved)
        if slot.destination and several and _APART & {*phrase.text.split()[:3]}:
            raise NotUnderstoodError(f'Which goes where is not said by "{phrase.text}". Name the places.')


def check_named(phrase: NounPhrase, before: Progress) -> None:
    """Check that a pronoun is for what has been named: "scoop from the bowl and give me *that*".

    Raises:
        NotUnderstoodError: it may be for something else.
    """
    last = before.commands[-1] if before.commands else None
    if phrase.picks == "it" and isinstance(last, ResolvedClause) and last.clause.pattern.has_unnamed_bearer:
        raise NotUnderstoodError(
            f'What "{phrase.text}" is after "{last.sentence()}" is not clear. Say what it is taken with, and '
            'what shall be done with that: "scoop from the bowl with the ladle, then bring me the ladle".'
        )


def without_done(
    clause: Clause, groups: Mapping[str, Group], discourse: Discourse, is_so: Callable[[Formula], bool]
) -> dict[str, Group]:
    """The groups of a command, with "another mug" as none of which what is asked for is so already.

    Args:
        discourse: what was spoken of before the command.
        is_so: tells what is believed.

    Raises:
        NoSuchThingError: there is no other one.
    """
    found = {**groups}
    spoken_of = {referent.type for group in discourse for referent in group}
    for name, group in groups.items():
        phrase = clause.things[name]
        if not phrase.is_further or len(group) != 1:
            continue
        [further] = group
        done = _done(clause, name, groups, is_so)
        left = tuple(one for one in further.possible if one not in done)
        if further.among and left:
            found[name] = (replace(further, among=left, fitting=left),)
        elif further.among and further.type not in spoken_of:
            raise NoSuchThingError(f'I know of nothing that is "{phrase.text}".')
        elif done and not further.among:
            found[name] = (replace(further, fitting=left, apart=(*further.apart, *done)),)
    return found


def _done(
    clause: Clause, name: str, groups: Mapping[str, Group], is_so: Callable[[Formula], bool]
) -> tuple[str, ...]:
    """The known things in the slot of a *name* of which what is asked for is so already."""
    others = {f"_{other}_": one.possible for other, group in groups.items() if other != name for one in group}
    ways = [dict(zip(others, way, strict=True)) for way in product(*others.values())]
    goal = clause.pattern.goal
    return tuple(
        one
        for one in groups[name][0].possible
        if any(is_so(substitute(goal, {**way, f"_{name}_": one})) for way in ways)
    )


def check_moved(
    clause: Clause,
    groups: Mapping[str, Group],
    located: Callable[[tuple[str, ...], LocationPhrase], tuple[str, ...]],
) -> None:
    """Check that "take the book in the study", or "the book in the study", is no wish for what is so.

    Raises:
        NotUnderstoodError: it is.
    """
    if not clause.pattern.is_short and (clause.verb[0] not in _TAKING or ("in",) not in clause.words):
        return
    moved = (slot.name for slot in clause.pattern.slots if not slot.destination)
    names = tuple(one.term for name in moved for one in groups.get(name, ()) if one.quantifier is None)
    for slot in clause.pattern.slots:
        phrase = clause.things[slot.name]
        if not names or not slot.destination or not phrase.is_room or phrase.where is None:
            continue
        if located(names, phrase.where) == names:
            raise NotUnderstoodError(f'"{phrase.text}" is where {", ".join(names)} is already.')
