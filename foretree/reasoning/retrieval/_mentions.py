"""Mentions in an instruction: furniture, rooms, things, numbers, and actions that need something unnamed.

This is no parser: it takes any wording and finds the names in it, the longest first. The meaning of the
instruction is for the reasoner; retrieval only has to know the names.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from foretree.reasoning.offline.lexicon import BOTH, FUNCTION_WORDS, NUMBERS, UNIVERSAL
from foretree.reasoning.retrieval._stemming import STOPS, stem, words_of
from foretree.reasoning.retrieval.node_index import NodeIndex, NodeText, spoken
from foretree.world_model.ontology import Need, Ontology

#: A number that is part of a name is at least so long (605); a shorter one counts, or tells alike things
#: apart.
_LONG_NUMBER = 3
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}
_DIGITS = {**{word: str(n) for word, n in NUMBERS.items() if n < 10}, "oh": "0", "o": "0", "zero": "0"}
_TEENS = {"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16}
#: What may stand between a name and its number, between numbers, and between the first number and the last.
_NUMBER = frozenset(("number", "no", "nr"))
_UNTIL = frozenset(("to", "through", "until"))
_BETWEEN_ORDINALS = frozenset(("and", "or", "the", "of", "one"))
_AND = frozenset(("and", "or", ",", *_UNTIL))
#: A word with a typing error resembles the right one at least so much, and is not shorter.
_RESEMBLES = 0.84
_CORRECTED_FROM = 6
#: How many things are meant by a plural without a number: as many as there are.
MANY = 99
#: Between a thing and a place, these say that the thing is there already, and is not to be brought there.
_IS_THERE = frozenset(
    words_of(
        "from off out is are was were lie lies lying stands standing sits sitting hangs hanging left waiting"
    )
)
#: How many words may stand between a thing and the place where it is said to be.
_REACH = 6


@dataclass(frozen=True, slots=True)
class PlaceMention:
    """Nodes that are mentioned: a piece of furniture, or the furniture of a room."""

    nodes: tuple[str, ...]
    said: str
    at: int
    room: str | None = None


@dataclass(frozen=True, slots=True)
class ThingMention:
    """Things of some classes that are mentioned.

    Attributes:
        classes: what was said may mean any of these.
        said: the words.
        at: where the words begin.
        end: where they end.
        count: how many are wanted.
        there: nodes where the instruction seems to say that they are.
        surely: whether it says so plainly ("from the couch"), or may also mean that they shall get there.
    """

    classes: tuple[str, ...]
    said: str
    at: int
    end: int
    count: int = 1
    there: tuple[str, ...] = ()
    surely: bool = False


@dataclass(slots=True)
class Mentions:
    """All that an instruction mentions.

    Attributes:
        words: its words.
        places: furniture.
        rooms: rooms, with the furniture in them.
        things: what can be carried.
        needs: what takes something that need not be named, with the word that says it.
        unexplained: the other words.
    """

    words: Sequence[str]
    places: list[PlaceMention] = field(default_factory=list)
    rooms: list[PlaceMention] = field(default_factory=list)
    things: list[ThingMention] = field(default_factory=list)
    needs: list[tuple[Need, str]] = field(default_factory=list)
    unexplained: list[str] = field(default_factory=list)


def find_mentions(instruction: str, index: NodeIndex) -> Mentions:
    """The names of *index* that *instruction* mentions."""
    return _MentionFinder(instruction, index).read()


class _MentionFinder:
    """The work of one :func:`find_mentions`."""

    def __init__(self, instruction: str, index: NodeIndex) -> None:
        self.index = index
        self.names = _Names(index)
        words = _with_digits(words_of(instruction), lambda number: bool(self.names.numbered(number)))
        self.words = [self.names.corrected(word) for word in words]
        self.stems = [stem(word) for word in self.words]
        self.result = Mentions(self.words)
        self.explained: set[int] = set()
        #: Words within longer names: the "washing" of a washing machine does not ask for anything to be
        #: washed.
        self.within: list[range] = []

    def read(self) -> Mentions:
        at = 0
        while at < len(self.words):
            at = self._find_name(at) or at + 1
        self._find_numbered()
        self._narrow_by_room()
        self._find_needs()
        result = self.result
        result.things = [self._with_place(things) for things in result.things]
        result.unexplained = [
            word
            for at, word in enumerate(self.words)
            if at not in self.explained and word not in STOPS and word not in FUNCTION_WORDS
        ]
        return result

    # -- names -------------------------------------------------------------------------------------------
    def _find_name(self, at: int) -> int | None:
        """Take note of the longest name that begins here; returns where it ends."""
        for end in range(min(len(self.words), at + self.names.longest), at, -1):
            if self._find_place(at, end) or self._find_room(at, end) or self._find_things(at, end):
                self._explain(at, end)
                return end
        return None

    def _find_place(self, at: int, end: int) -> bool:
        nodes = self.names.places(self.words[at:end])
        if nodes:
            narrowed, until = self._by_number(nodes, at, end)
            self._explain(end, until)
            names = tuple(node.name for node in self._by_caption(narrowed, at))
            self.result.places.append(PlaceMention(names, self._said(at, until), at))
        return bool(nodes)

    def _find_room(self, at: int, end: int) -> bool:
        for room in (rooms := self.names.rooms(self.words[at:end])):
            nodes = tuple(node.name for node in self.index.by_cost if node.room == room)
            self.result.rooms.append(PlaceMention(nodes, self._said(at, end), at, room))
        return bool(rooms)

    def _find_things(self, at: int, end: int) -> bool:
        classes, plural = self.names.classes(self.words[at:end])
        if classes:
            count = self._count(at, MANY if plural else 1)
            self.result.things.append(ThingMention(classes, self._said(at, end), at, end, count))
        return bool(classes)

    def _count(self, at: int, otherwise: int) -> int:
        """The number that the words before a name ask for."""
        for word in reversed(self.words[max(0, at - 3) : at]):
            if word in NUMBERS or (word.isdecimal() and len(word) < _LONG_NUMBER):
                return _number(word)
            if word in (BOTH, "pair", "couple"):
                return 2
            if word in UNIVERSAL:
                return MANY
            if word in STOPS:
                break
        return otherwise

    # -- which of several ----------------------------------------------------------------------------------
    def _by_number(self, nodes: Sequence[NodeText], at: int, end: int) -> tuple[Sequence[NodeText], int]:
        """The nodes whose number is said, and where the numbers end; all nodes if there is none."""
        numbered: dict[int, list[NodeText]] = defaultdict(list)
        for node in nodes:
            last = spoken(node.name).split()[-1]
            if last.isdecimal():
                numbered[int(last)].append(node)
        wanted: list[int] = []
        until = here = end
        while here < len(self.words):
            word = self.words[here]
            number = _number(word)
            if number in numbered:
                if wanted and self.words[here - 1] in _UNTIL:
                    wanted.extend(range(wanted[-1] + 1, number))
                wanted.append(number)
                until = here + 1
            elif word not in (_AND if wanted else _NUMBER) and not (
                word == "." and self.words[here - 1] in _NUMBER
            ):
                break
            here += 1
        if not wanted and len(numbered) > 1:
            wanted = self._ordinals(at, numbered)
        return [node for number in wanted for node in numbered.get(number, ())] or nodes, until

    def _ordinals(self, at: int, numbered: Mapping[int, object]) -> list[int]:
        """The numbers that the words before a name say: the *first and the second* table, the *last* one."""
        numbers = sorted(numbered)
        meaning = {**_ORDINALS, "last": numbers[-1]}
        if len(numbers) % 2:
            meaning["middle"] = meaning["central"] = numbers[len(numbers) // 2]
        found = []
        for word in reversed(self.words[:at]):
            if word in meaning:
                found.append(meaning[word])
            elif word not in _BETWEEN_ORDINALS:
                break
        return found[::-1]

    def _by_caption(self, nodes: Sequence[NodeText], at: int) -> Sequence[NodeText]:
        """The nodes that the words just before describe, all if they describe none: the *eastern* table."""
        if len(nodes) < 2:
            return nodes
        for before in range(at - 1, max(-1, at - 3), -1):
            word = self.stems[before]
            if before in self.explained or self.words[before] in STOPS:
                break
            told = [node for node in nodes if word in self.names.caption_stems[node.name]]
            if 0 < len(told) < len(nodes):
                self._explain(before, before + 1)
                return told
        return nodes

    # -- numbers -----------------------------------------------------------------------------------------
    def _find_numbered(self) -> None:
        """Long numbers name what has them in its name, or else the room that has."""
        named: list[PlaceMention] = []
        previous = 0
        for at, word in enumerate(self.words):
            if not word.isdecimal() or len(word) < _LONG_NUMBER:
                continue
            numbers = [int(word)]
            if previous and self.words[at - 1] in _UNTIL:
                numbers = list(range(previous + 1, int(word) + 1))
            previous = int(word)
            for number in numbers:
                nodes = self.names.numbered(str(number))
                if nodes:
                    named.append(PlaceMention(tuple(nodes), str(number), at))
                    self._explain(at, at + 1)
        if named:
            # "The table in office 605" is no other table than that of 605.
            told = {node for places in named for node in places.nodes}
            self.result.places = [
                places for places in self.result.places if len(places.nodes) < 2 or not told & {*places.nodes}
            ]
        self.result.places.extend(named)

    def _narrow_by_room(self) -> None:
        """Narrow several pieces of furniture down to those in a room that is mentioned."""
        rooms = {node for room in self.result.rooms for node in room.nodes}
        for number, places in enumerate(self.result.places):
            inside = tuple(node for node in places.nodes if node in rooms)
            if len(places.nodes) > 1 and inside:
                self.result.places[number] = PlaceMention(inside, places.said, places.at)

    # -- needs that are not named ------------------------------------------------------------------------
    def _find_needs(self) -> None:
        known = {*self.stems}
        for phrase, need in self.names.needs:
            if not known.issuperset(phrase):
                continue
            for at in range(len(self.stems) - len(phrase) + 1):
                end = at + len(phrase)
                if tuple(self.stems[at:end]) == phrase and not self._within(at, end):
                    self.result.needs.append((need, self._said(at, end)))
                    self.explained.update(range(at, end))
                    break

    def _within(self, at: int, end: int) -> bool:
        return any(name.start <= at and end <= name.stop and len(name) > end - at for name in self.within)

    # -- where things are said to be -----------------------------------------------------------------------
    def _with_place(self, things: ThingMention) -> ThingMention:
        following = [*self.result.places, *self.result.rooms]
        others = [other.at for other in self.result.things if other.at > things.at]
        stops = [at for at in range(things.end, len(self.words)) if self.words[at] in STOPS]
        limit = min([things.end + _REACH, len(self.words), *others, *stops])
        near = sorted((p for p in following if things.end <= p.at < limit), key=lambda p: p.at)
        if not near:
            return things
        between = self.words[things.end : near[0].at]
        before = self.words[max(0, things.at - 3) : things.at]
        surely = "there" in before or not _IS_THERE.isdisjoint(between)
        nodes = tuple(node for places in near for node in places.nodes)
        return replace(things, there=nodes, surely=surely)

    # -- words -------------------------------------------------------------------------------------------
    def _explain(self, at: int, end: int) -> None:
        self.explained.update(range(at, end))
        if end - at > 1:
            self.within.append(range(at, end))

    def _said(self, at: int, end: int) -> str:
        return " ".join(self.words[at:end])


class _Names:
    """The names by which the nodes and things of an index are mentioned."""

    def __init__(self, index: NodeIndex) -> None:
        self.index = index
        ontology = index.ontology
        self._places: dict[tuple[str, ...], list[NodeText]] = defaultdict(list)
        self._of_class: dict[str, list[NodeText]] = defaultdict(list)
        for node in index.by_cost:
            self._places[_stems(_unnumbered(node.name))].append(node)
            for name in index.lineage(node.class_name):
                self._of_class[name].append(node)
        self._rooms: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for room in dict.fromkeys(node.room for node in index.by_cost):
            if words := _unnumbered(room):
                self._rooms[_stems(words)].append(room)
        things = (thing for node in index.by_cost for thing in node.things)
        self._thing_types = {index.lineage(thing.class_name)[-1] for thing in things}
        self.caption_stems = {n.name: frozenset(map(stem, words_of(n.caption))) for n in index.nodes.values()}
        self.needs = [(_stems(said.split()), need) for need in ontology.needs for said in need.said]
        self._joined = {name.replace(" ", ""): name for name in ontology.all_names() if " " in name}
        self._heads = _head_nouns(ontology)
        self._common = FUNCTION_WORDS
        self._correct = _words_said(ontology)
        texts = (f"{spoken(node.name)} {node.room} {node.caption}" for node in index.by_cost)
        told = {word for text in texts for word in words_of(text)}
        self._known = {stem(word) for word in (*self._correct, *told, *self._common)}
        lengths = [len(words) for words in (*self._places, *self._rooms)]
        self.longest = max([*lengths, ontology.longest_name, 1])

    def places(self, words: Sequence[str]) -> Sequence[NodeText]:
        """The furniture that is called by these words."""
        classes, _ = self._classes(words)
        found = {node.name: node for node in self._places.get(_stems(words), ())}
        for name in classes:
            # A map may call something a table that the ontology has a better name for: the meeting table.
            found.update((node.name, node) for node in self._places.get(_stems(spoken(name).split()), ()))
            found.update((node.name, node) for node in self._of_class.get(name, ()))
        return tuple(found.values())

    def classes(self, words: Sequence[str]) -> tuple[tuple[str, ...], bool]:
        """The classes of things that are called by these words, and whether that is a plural."""
        classes, plural = self._classes(words)
        return tuple(name for name in classes if self.index.lineage(name)[-1] in self._thing_types), plural

    def _classes(self, words: Sequence[str]) -> tuple[tuple[str, ...], bool]:
        phrase = " ".join(words)
        naming = self.index.ontology.named(self._joined.get(phrase, phrase))
        own = () if naming is None else (naming.class_name, *naming.others)
        if len(words) > 1 or words[0] in self._common:
            return own, naming is not None and naming.plural
        # A battery may be an old battery or a new battery, where these are classes of their own.
        others = [name for name in self._heads.get(stem(words[0]), ()) if name not in own]
        return (*own, *others), words[0].endswith("s") if naming is None else naming.plural

    def rooms(self, words: Sequence[str]) -> Sequence[str]:
        """The rooms that are called by these words; none if half the building is."""
        found = self._rooms.get(_stems(words), [])
        return found if len(found) <= 2 else ()

    def numbered(self, number: str) -> list[str]:
        """The nodes with a number in their name; if there are none, those in the room that has it."""
        own = [n.name for n in self.index.by_cost if number in spoken(n.name).split()]
        return own or [n.name for n in self.index.by_cost if number in spoken(n.room).split()]

    def corrected(self, word: str) -> str:
        """*word*, or the name that it resembles when it means nothing itself: a typing error."""
        if len(word) < _CORRECTED_FROM or word.isdecimal() or stem(word) in self._known:
            return word
        alike = [known for known in self._correct if known[0] == word[0]]
        near = difflib.get_close_matches(word, alike, n=1, cutoff=_RESEMBLES)
        return near[0] if near else word


def _head_nouns(ontology: Ontology) -> dict[str, list[str]]:
    """The classes whose names of several words have a head noun, by its stem: batteries by "battery"."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in ontology.classes:
        for words in (spoken(name).split(), *map(str.split, ontology[name].words)):
            head = stem(words[words.index("of") - 1] if "of" in words else words[-1])
            if len(words) > 1 and name not in found[head]:
                found[head].append(name)
    return found


def _words_said(ontology: Ontology) -> list[str]:
    """The words of all names and needs of an ontology, sorted."""
    phrases = [*ontology.all_names(), *(said for need in ontology.needs for said in need.said)]
    return sorted({word for phrase in phrases for word in phrase.split()})


def _with_digits(words: Sequence[str], known: Callable[[str], bool]) -> list[str]:
    """*words* with numbers in digits where they are spelt as those of rooms are: "six oh five"."""
    result = []
    rest = list(words)
    while rest:
        number, length = "", 1
        if len(rest) > 2 and all(word in _DIGITS for word in rest[:3]):
            number, length = "".join(_DIGITS[word] for word in rest[:3]), 3
        elif len(rest) > 1 and rest[0] in _DIGITS and rest[1] in _TEENS:
            number, length = f"{_DIGITS[rest[0]]}{_TEENS[rest[1]]}", 2
        is_known = bool(number) and known(number)
        result.append(number if is_known else rest[0])
        del rest[: length if is_known else 1]
    return result


def _number(word: str) -> int:
    """The number that a word says; 0 when it says none."""
    return int(word) if word.isdecimal() else NUMBERS.get(word, 0)


def _unnumbered(name: str) -> list[str]:
    return [word for word in spoken(name).split() if not word.isdecimal()]


def _stems(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(stem, words))
