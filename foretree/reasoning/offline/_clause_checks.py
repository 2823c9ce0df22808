"""Checks of what a command says of its things: that it is a deed, and can be meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.grammar.clauses import Clause, Slot
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase
from foretree.reasoning.offline.phrases.discourse import Group

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
