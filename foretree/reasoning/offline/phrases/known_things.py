"""The things that an instruction may refer to, by what is believed, and what they are called in messages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from foretree.errors import suggest
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.latest import Latest
from foretree.reasoning.offline.phrases.words.rooms import RoomPart
from foretree.reasoning.reasoner import Situation
from foretree.world_model.articles import with_article
from foretree.world_model.beliefs.facts import WHEREABOUTS, Truth, hand_of


def describe_misfit(affordance: str) -> str:
    """The lack of a property, whose name is a noun, an adjective, a verb, or begins with "has"."""
    words = affordance.replace("_", " ")
    if words.startswith("has "):
        return f"has no {words[4:]}"
    if words.endswith(("able", "ible", "small")):
        return f"is not {words}"
    if re.search(r"[^su]s$", words):
        return f"{words} nothing"
    return f"is no {words}"


def conjoined(words: Iterable[str]) -> str:
    """*words* as a list in a sentence: one, two and three."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def either(words: Iterable[str]) -> str:
    """*words* as alternatives in a sentence: one, two or three."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


_latest = Latest["KnownThings"]()


def known_things(situation: Situation) -> KnownThings:
    """The things of a situation."""
    return _latest.of(scene_of(situation), lambda: KnownThings(situation))


def scene_of(situation: Situation) -> tuple[object, ...]:
    """Return all of a situation but who speaks and what is meant."""
    return (
        situation.beliefs,
        situation.domain,
        situation.ontology,
        situation.rooms,
        situation.discovered,
    )


class KnownThings:
    """The entities of a situation.

    Attributes:
        classes: the class of each, by name.
    """

    def __init__(self, situation: Situation) -> None:
        self._beliefs = situation.beliefs
        self._domain = situation.domain
        self._ontology = situation.ontology
        self._rooms = situation.rooms
        entities = self._beliefs.entities()
        self.classes = {name: entities[name].best_class for name in sorted(entities)}
        fixed = (entity.best_class for entity in entities.values() if entity.fixed)
        self._map_types = {self._ontology.type_of(name) for name in fixed} - {*situation.discovered}
        self._of_class: dict[str, tuple[str, ...]] = {}

    def of_classes(self, *class_names: str) -> tuple[str, ...]:
        """The things of any of these classes or types, in the order of the classes."""
        is_a, known = self._domain.is_a, self.classes.items()
        for wanted in class_names:
            if wanted not in self._of_class:
                self._of_class[wanted] = tuple(name for name, kind in known if is_a(kind, wanted))
        return tuple(dict.fromkeys(name for wanted in class_names for name in self._of_class[wanted]))

    def compounds_of(self, class_name: str) -> Iterator[str]:
        """The classes here whose names are compounds of that of a class: a kitchen table is a table."""
        kinds = dict.fromkeys(self.classes.values())
        return (kind for kind in kinds if kind.endswith(f"_{class_name}"))

    def of_type(self, type_name: str) -> tuple[str, ...]:
        """The things of a type."""
        return self.of_classes(type_name)

    def all_on_the_map(self, class_name: str) -> bool:
        """True if all things of a class belong to the map, so that no further ones can be found."""
        return self._ontology.type_of(class_name) in self._map_types

    def have_states(self, name: str, states: Iterable[tuple[str, bool]]) -> bool:
        """True if the states hold of a thing; unknown ones are taken as planning takes them."""
        for predicate, positive in states:
            truth = self._beliefs.truth((predicate, name))
            assumed = bool(self._beliefs.vocabulary[predicate].default)
            if (assumed if truth is Truth.UNKNOWN else truth is Truth.TRUE) is not positive:
                return False
        return True

    def may_have_states(self, name: str, states: Iterable[tuple[str, bool]]) -> bool:
        """True if it is not known that one of the states does not hold of a thing."""
        wrong = {True: Truth.FALSE, False: Truth.TRUE}
        return all(self._beliefs.truth((one, name)) is not wrong[positive] for one, positive in states)

    def are_fixed(self, names: Sequence[str]) -> bool:
        """True if all of these stay where they are, as furniture does."""
        entities = self._beliefs.entities()
        return all(entities[name].fixed for name in names)

    # -- places ------------------------------------------------------------------------------------
    def supports(self, name: str) -> Iterator[str]:
        """The support of a thing, the support of that, and so on."""
        passed = {name}
        while True:
            placement = self._beliefs.placement(WHEREABOUTS, name)
            if placement is None or len(placement) < 3 or placement[2] in passed:
                return
            name = placement[2]
            passed.add(name)
            yield name

    def room_of(self, name: str) -> str | None:
        """The room of a thing, or of the lowest thing that it rests on."""
        return next((self._rooms[spot] for spot in (name, *self.supports(name)) if spot in self._rooms), None)

    def is_in(self, name: str, part: RoomPart) -> bool:
        """True if a thing, or the lowest thing that it rests on, is in a room or a part of it.

        Where no furniture has the number of the part in its name, the whole room is meant.
        """
        if self.room_of(name) != part.room:
            return any(self.is_in(name, other) for other in part.also)
        lowest = (name, *self.supports(name))[-1]
        within = part.has(lowest) or not any(
            part.has(spot) for spot, room in self._rooms.items() if room == part.room
        )
        return within or any(self.is_in(name, other) for other in part.also)

    def around(self, name: str) -> tuple[str, ...]:
        """The things that a thing is on, in or under, and its room, as far as they are known."""
        room = self.room_of(name)
        return (*self.supports(name), *(() if room is None else (room,)))

    def resting(self, names: Collection[str], relations: Collection[str], *places: str) -> tuple[str, ...]:
        """The things of *names* that rest directly at one of *places*, else those that rest on such things.

        The bread on the chopping board on the table is "the bread on the table", unless other bread lies on
        the table itself.
        """

        def rests(name: str) -> bool:
            placement = self._beliefs.placement(WHEREABOUTS, name)
            return placement is not None and placement[0] in relations and placement[2] in places

        direct = tuple(name for name in names if rests(name))
        return direct or tuple(name for name in names if any(map(rests, self.supports(name))))

    # -- messages ----------------------------------------------------------------------------------
    def describe_place(self, name: str) -> str:
        """The place of a thing, in a few words."""
        room = self._rooms.get(name)
        if room is not None:
            return f"in {room}" if room[-1].isdecimal() else f"in the {room.replace('_', ' ')}"
        placement = self._beliefs.placement(WHEREABOUTS, name)
        if placement is None:
            return "at an unknown place"
        hand = hand_of(placement)
        return f"in {hand[1]}" if hand else " ".join((placement[0].replace("_", " "), *placement[2:]))

    def has_place(self, name: str) -> bool:
        """Return whether a thing is somewhere, known or not; a door is between two rooms."""
        return name in self._rooms or not self._beliefs.entities()[name].fixed

    def _listed(self, names: Sequence[str]) -> str:
        return conjoined(
            f"{name} ({self.describe_place(name)})" if self.has_place(name) else name for name in names
        )

    def ambiguous(self, phrase: NounPhrase, names: tuple[str, ...], every: bool = False) -> str:
        """The problem that a phrase may mean any of several things; all of them, too, if *every*."""
        noun = phrase.noun if phrase.others else (phrase.class_name or "thing").replace("_", " ")
        places = [self.describe_place(name) for name in names]
        telling = [
            f"the {self.classes[name].replace('_', ' ')} {place}"
            for name, place in zip(names, places, strict=True)
            if places.count(place) == 1
        ]
        said = " or ".join(f'"{hint}"' for hint in (*telling[:1], names[0]))
        otherwise = f'"every {noun}" if all are meant' if every else f'"{with_article(noun)}" if any will do'
        several = f"any of {len(names)}: {self._listed(names)}"
        return f'"{phrase.text}" could be {several}. Say {said}, or {otherwise}.'

    def untold(self, phrase: NounPhrase, names: Sequence[str]) -> str:
        """The problem that a phrase picks one of several things by what cannot be told of things."""
        words = conjoined(f'"{quality}"' for quality in phrase.qualities)
        return f"I cannot tell what is {words}. Things here that it may be: {self._listed(names)}."

    def too_few(self, phrase: NounPhrase, class_name: str, known: int) -> str:
        """The problem that the map has too few things of a class."""
        there = self.of_classes(self._ontology.type_of(class_name))
        what = class_name.replace("_", " ")
        count = f"only {known} {what}" if known else f"no {what}"
        return f'"{phrase.text}": there is {count} here. {suggest(class_name, there, limit=20)}'

    def unseen(self, phrase: NounPhrase, class_name: str) -> str:
        """The problem that no thing of a class has been seen, so that a phrase cannot single one out."""
        noun = class_name.replace("_", " ")
        one = with_article(noun)
        instead = f'"every {noun}" if all are meant' if phrase.picks == "all" else f'"{one}" if any will do'
        return f'I have not seen {one} yet, so I cannot tell what is "{phrase.text}". Say {instead}.'

    def none_fits(self, phrase: NounPhrase, known: tuple[str, ...], found: int) -> str:
        """The problem that too few of the *known* things are as a phrase says."""
        what = f"only {found} that {'are' if found > 1 else 'is'}" if found else "nothing that is"
        return f'I know of {what} "{phrase.text}". There is {self._listed(known)}.'
