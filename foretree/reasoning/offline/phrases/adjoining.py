"""Places beside a thing: "put the mug next to the laptop"."""

from __future__ import annotations

from collections.abc import Callable

from foretree.reasoning.instruction_errors import AmbiguousError, NoSuchThingError, NotUnderstoodError
from foretree.reasoning.offline.grammar.patterns import Slot
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.discourse import Group, Referent
from foretree.reasoning.offline.phrases.known_things import KnownThings
from foretree.reasoning.offline.phrases.slot_needs import SlotNeeds


class AdjoiningPlaces:
    """Finds what a thing rests on, where another one can be put beside it."""

    def __init__(self, things: KnownThings, needs: SlotNeeds) -> None:
        self._things = things
        self._needs = needs

    def place(self, phrase: NounPhrase, slot: Slot, meant: Callable[[NounPhrase], tuple[str, ...]]) -> Group:
        """The place that is beside what a phrase names.

        Beside furniture may be the floor, or other furniture: that must be said.

        Raises:
            InstructionError: there is no such place, or it cannot be told.
        """
        other = phrase if phrase.comparison is None else phrase.comparison.to or phrase
        names = meant(other)
        if not names:
            raise NoSuchThingError(f'I know of nothing that is "{other.text}".')
        if self._things.are_fixed(names):
            raise NotUnderstoodError(
                f'What is "{phrase.text}" to put something on cannot be told. Name the place itself.'
            )
        places = {support for name in names for support in (*self._things.supports(name),)[:1]}
        if len(places) > 1:
            raise AmbiguousError(self._things.ambiguous(other, names), other.text, names)
        able = self._needs.able(places, slot)
        if not able:
            raise NoSuchThingError(f'I know of no place "{phrase.text}" to put that.')
        says = f"{able[0]}, {phrase.text}"
        return (Referent(able[0], self._things.classes[able[0]], says=says, destination=True),)
