"""Noun phrases in a home that the robot discovers by itself.

There the person cannot know what the robot has seen, nor does the robot know all that there is. What is still
to be found is any of its kind; so is what was seen, unless words tell which is meant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from foretree.reasoning.offline.grammar.clauses import Slot
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase
from foretree.reasoning.offline.phrases.known_things import KnownThings, either
from foretree.reasoning.reasoner import Situation
from foretree.world_model.ontology import ObjectClass, plain

#: The things, of those known, that are as a phrase says.
Fitting = Callable[[NounPhrase], tuple[str, ...]]


class UnexploredHome:
    """The reading of noun phrases where more is to be discovered; elsewhere they stay as they are."""

    def __init__(self, situation: Situation, things: KnownThings) -> None:
        self._discovered = situation.discovered
        self._ontology = situation.ontology
        self._things = things

    def covering(self, phrase: NounPhrase, slot: Slot) -> NounPhrase:
        """The phrase with the kinds of its class that are there: "a chair" may be an armchair."""
        name = phrase.class_name or ""
        if name not in self._ontology or phrase.picks == "all":
            return phrase
        known = self._ontology[name]
        if not self._discovered:
            return self._nearest(phrase, known)
        covers = known.covers if phrase.noun.removesuffix("s") == plain(name) else ()
        seen = [kind for kind in (name, *covers) if self._things.of_classes(kind)]
        if not seen or (slot.destination and not self._will_do(name, slot)):
            others = [
                kind for kind in known.instead if self._things.of_classes(kind) and self._will_do(kind, slot)
            ]
            seen = others or seen
            meant = either(kind.replace("_", " ") for kind in others) if others else ""
            phrase = replace(phrase, text=f"{phrase.text} (meaning the {meant})" if meant else phrase.text)
        if seen in ([], [name]):
            return phrase
        return replace(phrase, class_name=seen[0], others=(*phrase.others, *seen[1:]))

    def _will_do(self, kind: str, slot: Slot) -> bool:
        return all(self._ontology.affords(kind, need) for need in slot.must_afford)

    def _nearest(self, phrase: NounPhrase, known: ObjectClass) -> NounPhrase:
        """The phrase for the furniture that is meant where there is none of its class."""
        if (
            phrase.others
            or self._things.of_classes(known.name)
            or not self._things.all_on_the_map(known.name)
        ):
            return phrase
        meant = next((kind for kind in known.instead if self._things.of_classes(kind)), None)
        return phrase if meant is None else replace(phrase, class_name=meant)

    def unfound(self, phrase: NounPhrase, slot: Slot, known: tuple[str, ...], fitting: Fitting) -> NounPhrase:
        """The phrase without what the robot has still to find out of the *known* things.

        "The keys from the dresser" are any where none have been seen there, "the heated apple" is to be
        heated where none is hot, and "the lamp on the desk" is the only lamp that there is.
        """
        if phrase.picks == "all" and not phrase.determined and slot.destination:
            return replace(phrase, picks="a")  # "on shelves": on one or another of them
        if not self._discovered or phrase.picks not in ("the", "a", "some"):
            return phrase
        phrase = self._placed(phrase, known, fitting)
        if phrase.picks != "the" or phrase.where is not None:
            return phrase
        bare = not phrase.determined and len(known) > 1
        if bare or self._is_to_be_laden(phrase, known) or (phrase.wishes and not fitting(phrase)):
            phrase = replace(phrase, picks="a")
        return phrase

    def _placed(self, phrase: NounPhrase, known: tuple[str, ...], fitting: Fitting) -> NounPhrase:
        """The phrase without a place where nothing of it is known to be, if that may well be so."""
        where = phrase.where
        if where is None or len(fitting(replace(phrase, states=()))) >= phrase.needed:
            return phrase
        if where.source and where.place is not None:
            return replace(phrase, where=None, picks="a" if phrase.picks == "the" else phrase.picks)
        # The only one there is will be meant, unless it is known to be elsewhere.
        placed = any(True for one in known for _ in self._things.supports(one))
        unplaced = self.is_found(phrase) or (phrase.picks != "a" and not placed)
        return replace(phrase, where=None) if len(known) == 1 and unplaced else phrase

    def _is_to_be_laden(self, phrase: NounPhrase, known: tuple[str, ...]) -> bool:
        """True for "the mug with a spoon in it" where there are several mugs, and no spoon in any."""
        if phrase.load is None or len(known) < 2:
            return False
        held = self._things.of_classes(phrase.load[1].class_name or "item")
        return not self._things.resting(held, ("in", "on"), *known)

    def any_will_do(self, phrase: NounPhrase, slot: Slot, able: tuple[str, ...]) -> bool:
        """True if "the mug" may be any of several, as one that is still to be found may be any.

        Of furniture that is to be opened or switched, it matters which.
        """
        simple = phrase.where is None and not phrase.others and not phrase.states
        found = bool(self._discovered) and (slot.destination or not self.is_found(phrase))
        return phrase.picks == "the" and simple and found and len(able) > 1

    def any_of_them(self, phrase: NounPhrase) -> bool:
        """True if "the two mugs" may be any two of several, as "the mug" may be any."""
        said = phrase.text.split()[0]
        return bool(self._discovered) and not self.is_found(phrase) and said == "the" and not phrase.where

    def final_place(self, phrase: NounPhrase, slot: Slot, fitting: Fitting) -> LocationPhrase | None:
        """The place of a phrase, if that says where the thing shall be in the end.

        "Put the watch in a bowl on the shelf" does where there are bowls, but none on a shelf.
        """
        where = phrase.where
        if where is None or where.source or where.place is None or not slot.destination:
            return None
        if not self._discovered or phrase.picks not in ("the", "a") or phrase.class_name is None:
            return None
        known = self._things.of_classes(phrase.class_name, *phrase.others)
        carried = self._ontology.type_of(phrase.class_name) == "item" and not phrase.also
        return where if carried and known and not fitting(phrase) else None

    def is_found(self, phrase: NounPhrase) -> bool:
        """True if a phrase is about what the robot finds by itself."""
        return self._ontology.type_of(phrase.class_name or "") in self._discovered
