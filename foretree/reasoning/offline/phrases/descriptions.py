"""Descriptions of things as the words give them, not resolved yet: noun phrases and places."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from foretree.reasoning.offline.phrases.words.rooms import RoomPart

#: How a noun phrase picks its things: *the* one, *a*ny one, *all*, *some* number, by *name*, the one that was
#: spoken of before (*it*, *them*, the place *there*), or the *speaker*.
ReferenceKind = Literal["the", "a", "all", "some", "name", "it", "them", "there", "speaker"]
#: What a thing is most of among several.
Rank = Literal["nearest", "farthest", "leftmost", "rightmost", "highest", "lowest"]

#: "A second mug" is another one.
FURTHER = frozenset({"second", "third", "further", "additional", "extra", "different"})


@dataclass(frozen=True, slots=True)
class LocationPhrase:
    """A limit on where things are: in one of *relations* to *place*, or in a *room*; *text* has the words.

    A *source* is where they are to be taken from. A *likely* one only says what kind they are
    of, where none is there: a kitchen knife may be anywhere.
    """

    relations: tuple[str, ...]
    place: NounPhrase | None = None
    room: RoomPart | None = None
    text: str = ""
    source: bool = False
    likely: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison that singles a thing out by its position: the *rank*, and *to* what it is measured.

    Attributes:
        rank: what it is most of.
        to: what "nearest" is measured from; the speaker if None.
        text: the words.
        adjoining: whether it is near that, as "next to the fridge" says, not only nearer than others.
    """

    rank: Rank
    to: NounPhrase | None = None
    text: str = ""
    adjoining: bool = False


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """Words for one or several things.

    Attributes:
        text: the words.
        picks: how it picks its things.
        class_name: their class (or a type of the domain); None when any will do.
        number: how many, when it picks *some*.
        plural: whether it speaks of several.
        name: the entity's name, when it picks by name.
        states: what must be so of them: predicate, and whether it holds.
        where: where they must be.
        also: further noun phrases that were listed with this one.
        others: further classes that the noun names: dishes are plates, and mugs, and bowls.
        exact: whether it says that there are no more than the number: "both mugs", "the two mugs".
        noun: the words of the noun alone.
        determined: whether a word says how it picks: "all mugs", not "mugs".
        qualities: words for what cannot be told of things, such as their colours.
        load: what is or shall be in or on it: "a mug with a spoon in it"; with the relation, if it is said.
        holds: what is at it: "the table where the apple is"; with the relations, none if not said.
        alternatives: further noun phrases of which one will do as well: "the mug or the glass".
        exceptions: what it leaves out: "all mugs except the dirty one".
        contrast: what of another kind it is set against: "the plate, not the mug".
        at_most: the greatest number of things, where there is one.
        same_kind: whether its class is that of what was spoken of before: "the one on the table".
        other: whether it leaves out what was spoken of before: "the other mug".
        share: whether it takes half of them, or all but one or two, of however many there are.
        without: how many are left out, of a share: "all but two".
        of_them: whether it picks from what was spoken of before: "one of them".
        here: whether the speaker points at it, so that it is near: "this table".
        comparison: what singles it out by its position.
        is_room: whether it names a room, which is right for where something shall be: what is there will do.
        further: where else they must be: "the mug in the kitchen, the one on the table".
        nearby: what is there, where a place is told by that: "next to the lamp".
        nth: its number among two things spoken of before: "the former" is 0.
        is_door: whether it is the door of a thing that is spoken of: "the fridge door".
        portion: whether it is part of what was spoken of before: "a slice".
    """

    text: str
    picks: ReferenceKind
    class_name: str | None = None
    number: int = 1
    plural: bool = False
    name: str | None = None
    states: tuple[tuple[str, bool], ...] = ()
    where: LocationPhrase | None = None
    also: tuple[NounPhrase, ...] = ()
    others: tuple[str, ...] = ()
    exact: bool = False
    noun: str = ""
    determined: bool = True
    qualities: tuple[str, ...] = ()
    load: tuple[str, NounPhrase] | None = None
    holds: tuple[tuple[str, ...], NounPhrase] | None = None
    alternatives: tuple[NounPhrase, ...] = ()
    exceptions: tuple[NounPhrase, ...] = ()
    contrast: NounPhrase | None = None
    at_most: int | None = None
    same_kind: bool = False
    other: bool = False
    share: bool = False
    without: int = 0
    of_them: bool = False
    here: bool = False
    comparison: Comparison | None = None
    is_room: bool = False
    portion: bool = False
    further: tuple[LocationPhrase, ...] = ()
    nearby: NounPhrase | None = None
    nth: int | None = None
    is_door: bool = False

    @property
    def needed(self) -> int:
        """The least number of things that it takes."""
        return self.number if self.picks == "some" else 1

    @property
    def goes_back(self) -> bool:
        """True for "the other mug", "the one on the table": it is told by what was spoken of before."""
        return self.other or self.same_kind

    @property
    def is_bare(self) -> bool:
        """True for "the mug", of which neither place nor state is said."""
        return self.picks == "the" and self.where is None and not self.states and not self.other

    @property
    def is_thing(self) -> bool:
        """True for "the thing", which stands for what was spoken of before as "it" does."""
        return self.text in ("the thing", "that thing", "the whole thing", "the things", "those things")

    @property
    def is_everything(self) -> bool:
        """True for "everything", of which nothing more is said."""
        return self.text == "everything" and not (self.where or self.states or self.exceptions)

    @property
    def counts_only(self) -> bool:
        """True for "one", "two", behind which no noun is said and nothing more."""
        return len(self.text.split()) == 1 and not (self.where or self.states or self.other)

    @property
    def wishes(self) -> bool:
        """True if its states can be what shall be so: "a clean mug"."""
        return bool(self.states) and all(positive for _, positive in self.states)

    @property
    def is_any(self) -> bool:
        """True for "any dirty mug", "anything on the table": any one of these, or all of them."""
        first, second = (*self.text.split(), "", "")[:2]
        return self.picks == "a" and first in ("any", "anything") and second not in ("of", "one", "old")

    @property
    def names_no_kind(self) -> bool:
        """True for "anything", "whatever is edible"."""
        return any(word.startswith(("anything", "whatever")) for word in self.text.split()[:2])

    @property
    def is_further(self) -> bool:
        """True for "another mug", "two more mugs": such as are not yet as they shall be."""
        words = self.text.split()
        more = words[:1] == ["another"] or {"more", *FURTHER} & {*words[1:3]}
        return self.other and self.picks in ("a", "some") and bool(more)

    @property
    def is_one_of_each(self) -> bool:
        """True for "one thing from each table": one from all of them, which no one thing is."""
        place = None if self.where is None else self.where.place
        return self.picks in ("the", "a") and place is not None and place.text.startswith(("each ", "every "))

    @property
    def is_likely_there(self) -> bool:
        """True for what is at a place of which it is not said that it must be there: see ``likely_at``."""
        return self.where is not None and self.where.likely and self.where.place is not None

    def limited(self, where: LocationPhrase) -> NounPhrase:
        """The phrase for what is at a place."""
        return replace(self, where=where, text=f"{self.text} {where.text}")

    def likely_at(self, where: LocationPhrase) -> NounPhrase:
        """The phrase for what is at a place if any such thing is there, and no other place is said."""
        if self.where is not None or self.picks not in ("the", "a", "some", "all") or self.is_room:
            return self
        also = tuple(one.likely_at(where) for one in self.also)
        return replace(self, where=where, also=also)

    def of_kind(self, noun_phrase: NounPhrase) -> NounPhrase:
        """The phrase with the class of another one, where that is how it is to be understood."""
        if not self.same_kind or self.class_name is not None or noun_phrase.class_name is None:
            return self
        return replace(
            self,
            class_name=noun_phrase.class_name,
            others=noun_phrase.others,
            noun=noun_phrase.noun,
            same_kind=False,
        )

    def leaving_out(self, *exceptions: NounPhrase) -> NounPhrase:
        """The phrase without *exceptions*; "the dirty one" among them is of its own kind."""
        left_out = tuple(one.of_kind(self) for one in exceptions)
        return replace(self, exceptions=(*self.exceptions, *left_out))


def counted(phrases: tuple[NounPhrase, ...]) -> list[NounPhrase]:
    """*phrases*, where a mug and another mug are two mugs."""
    found: dict[object, NounPhrase] = {}
    for phrase in phrases:
        plain = phrase.picks == "a" and not phrase.alternatives
        key = (phrase.class_name, phrase.states, phrase.where) if plain else len(found)
        same = found.get(key)
        if same is not None:
            text = f"{same.text} and {phrase.text}"
            phrase = replace(same, picks="some", number=max(same.number, 1) + 1, text=text)
        found[key] = replace(phrase, also=())
    return list(found.values())


def called(phrase: NounPhrase, class_name: str, known: Collection[str]) -> str:
    """The words for what is not one known thing."""
    if phrase.picks != "the" or phrase.other:
        return phrase.text
    return f"any {phrase.noun}" if known else f"the {class_name.replace('_', ' ')} (still to be found)"
