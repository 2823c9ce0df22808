"""Placing what people and detectors name among the classes of the mapping: ``espresso cup`` is a kind of cup.

A name that the mapping does not list is placed, in this order, by its head noun, by classes that share its
head noun, by the last part of a compound, by what its name says that it does (``bread slicer``), and by the
nearest embeddings. The less a way tells, the lower the confidence; what is left of it goes to the base rates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nlargest
from math import prod

from foretree.errors import near_miss
from foretree.world_model.affordances.embedding import Embed, cosine
from foretree.world_model.affordances.mapping import AffordanceMapping
from foretree.world_model.ontology import plain, plurals

#: The confidence that an object has what those have that it is placed with, by the way it was placed.
BY_HEAD, BY_SHARED_HEAD, BY_COMPOUND, BY_FUNCTION, BY_EMBEDDING = 0.9, 0.7, 0.7, 0.6, 0.6
#: How many classes an embedder may name, and how alike the least has to be.
_NEIGHBOURS, _ALIKE = 5, 0.3
#: The weight of the class that is named like a head noun; other classes with that head noun share the rest.
_NAMESAKE = 0.7
#: Letters that the last part of a compound has, and those before it, unless the latter are a known word.
_LAST, _FIRST = 4, 3

_ARTICLES = frozenset({"a", "an", "the", "this", "that", "my", "your", "our", "their", "some", "any", "one"})
#: Nouns before *of* that do not say what it is: a pair of scissors is scissors.
_PARTITIVES = frozenset(
    {"pair", "set", "piece", "slice", "loaf", "bunch", "sheet", "bit", "stick", "bar", "lump", "kind", "type"}
)
_OF = re.compile(r" (?:of|with|for|in|on|from|without) ")


@dataclass(frozen=True, slots=True)
class ClassPlacement:
    """A name among the classes.

    Attributes:
        name: as it was given.
        classes: the classes that it may belong to, or is like; the weights sum to 1, or there are none.
        confidence: how far their affordances are its own: 1 if the mapping lists the name.
        reason: how it was placed, in a phrase.
        states: states that the name mentions: ``broken``.
    """

    name: str
    classes: Mapping[str, float]
    confidence: float
    reason: str
    states: tuple[str, ...] = ()


@dataclass
class Placer:
    """Places names among the classes of a mapping.

    Attributes:
        mapping: the classes.
        embed: turns names into vectors; without it, names that share no word with a class are not placed.
    """

    mapping: AffordanceMapping
    embed: Embed | None = None
    _placed: dict[str, ClassPlacement] = field(default_factory=dict, init=False, repr=False)

    def place(self, name: str) -> ClassPlacement:
        """Place a name; with no classes and no confidence if nothing tells what it is."""
        if name not in self._placed:
            self._placed[name] = self._place(name)
        return self._placed[name]

    def probability(self, name: str, *affordances: str) -> float:
        """The probability that an object of that name has each of the affordances."""
        placed = self.place(name)
        mapping, lost = self.mapping, self.mapping.lost_in(placed.states)
        wanted = [affordance for affordance in affordances if affordance not in lost]
        own = sum(
            weight * prod(mapping.probability(known, affordance) for affordance in wanted)
            for known, weight in placed.classes.items()
        )
        probable = placed.confidence * own
        if placed.confidence < 1.0:
            probable += (1.0 - placed.confidence) * prod(map(mapping.base_rate, wanted))
        return probable * mapping.otherwise ** (len(affordances) - len(wanted))

    def near_names(self, name: str) -> str:
        """Ask back with the names of classes that *name* nearly is; empty if there are none."""
        return near_miss(plain(name), self._names)

    def _place(self, name: str) -> ClassPlacement:
        words = [word for word in map(_bare, plain(name).split()) if word]
        while len(words) > 1 and words[0] in _ARTICLES:
            del words[0]
        states: tuple[str, ...] = ()
        if " ".join(words) not in self._names:
            states = tuple(word for word in words if word in self.mapping.states)
            words = [word for word in words if word not in self.mapping.states]
        phrase = " ".join(words)
        if not phrase.endswith(self._long_names):
            phrase = _head_phrase(phrase)
        for way in self._ways():
            classes, confidence, reason = way(phrase)
            if classes:
                return ClassPlacement(name, classes, confidence, reason, states)
        return ClassPlacement(name, {}, 0.0, "nothing in its name tells what it is", states)

    def _ways(self) -> Sequence[Callable[[str], _Found]]:
        return (
            self._by_name,
            self._by_head,
            self._by_shared_head,
            self._by_compound,
            self._by_function,
            self._by_embedding,
        )

    def _by_name(self, phrase: str) -> _Found:
        known = self._names.get(phrase) or self._joined.get(phrase.replace(" ", ""))
        if known is None:
            return _NOTHING
        same = phrase in (plain(known), *plurals(plain(known)))
        return {known: 1.0}, 1.0, "a known class" if same else f"another word for {known}"

    def _by_head(self, phrase: str) -> _Found:
        """Take the longest name of a class that the phrase ends with."""
        words = phrase.split()
        for start in range(1, len(words)):
            head = " ".join(words[start:])
            known = self._names.get(head) or self._joined.get(head.replace(" ", ""))
            if known:
                weights = self._with_namesakes(known, head)
                return weights, BY_HEAD, f'a kind of {known}, by its head noun "{head}"'
        return _NOTHING

    def _with_namesakes(self, known: str, head: str) -> Mapping[str, float]:
        """Weigh a class against those whose names end like it: a granola bar is rather one of these."""
        others = [other for other in self._heads.get(head, ()) if other != known]
        if not others:
            return {known: 1.0}
        return {known: _NAMESAKE, **dict.fromkeys(others, (1.0 - _NAMESAKE) / len(others))}

    def _by_shared_head(self, phrase: str) -> _Found:
        """Take the classes that end with the same noun, in equal parts."""
        head = phrase.split()[-1] if phrase else ""
        alike = self._heads.get(head, ())
        if not alike:
            return _NOTHING
        return _equally(alike), BY_SHARED_HEAD, f'it shares its head noun "{head}" with {_some(alike)}'

    def _by_compound(self, phrase: str) -> _Found:
        """Take the longest name of a class that the last word ends with: ``snowshoe``."""
        last = phrase.split()[-1] if phrase else ""
        for at in range(2, len(last) - 2):
            first, rest = last[:at], last[at:]
            long_enough = len(rest) >= _LAST and len(first) >= _FIRST
            if rest in self._names and (long_enough or first in self._single_words):
                known = self._names[rest]
                return {known: 1.0}, BY_COMPOUND, f'a kind of {known}, as its name ends with "{rest}"'
        return _NOTHING

    def _by_function(self, phrase: str) -> _Found:
        """Take the classes that have the affordance after which it is named: ``bread slicer``."""
        verb = _verb(phrase.split()[-1]) if phrase else ""
        for affordance in self.mapping.affordances.values():
            if verb and verb in map(_stem, (affordance.name, *affordance.words)):
                alike = tuple(self.mapping.affording([affordance.name]))
                if alike:
                    reason = f"it is named after what it does, {affordance.name}, as {_some(alike)} do"
                    return _equally(alike), BY_FUNCTION, reason
        return _NOTHING

    def _by_embedding(self, phrase: str) -> _Found:
        """Take the classes whose embeddings are the nearest, each by how alike it is."""
        if self.embed is None or not phrase:
            return _NOTHING
        (vector,) = self.embed([phrase])
        alike = ((cosine(vector, other), name) for name, other in self._vectors.items())
        nearest = [(score, name) for score, name in nlargest(_NEIGHBOURS, alike) if score >= _ALIKE]
        if not nearest:
            return _NOTHING
        whole = sum(score for score, _ in nearest)
        weights = {name: score / whole for score, name in nearest}
        return (
            weights,
            BY_EMBEDDING * min(1.0, nearest[0][0]),
            f"its name is used like {_some(tuple(weights))}",
        )

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """The class of each name, plurals included."""
        single = {plain(name): name for name in self.mapping.classes}
        for name, known in self.mapping.classes.items():
            single.update((word, name) for word in known.words if word not in single)
        many = {form: name for word, name in single.items() for form in plurals(word)}
        return {**many, **single}

    @cached_property
    def _joined(self) -> Mapping[str, str]:
        """The class of each name, written as one word."""
        return {name.replace(" ", ""): known for name, known in self._names.items()}

    @cached_property
    def _long_names(self) -> tuple[str, ...]:
        """The names in which a preposition joins two nouns: ``chest of drawers``."""
        return tuple(name for name in self._names if _OF.search(name))

    @cached_property
    def _single_words(self) -> frozenset[str]:
        return frozenset(word for name in self._names for word in name.split())

    @cached_property
    def _heads(self) -> Mapping[str, tuple[str, ...]]:
        """The classes with names of several words, by the last of them."""
        found: dict[str, dict[str, None]] = {}
        for name, known in self._names.items():
            if " " in name:
                found.setdefault(name.rpartition(" ")[2], {})[known] = None
        return {head: tuple(classes) for head, classes in found.items()}

    @cached_property
    def _vectors(self) -> Mapping[str, Sequence[float]]:
        assert self.embed is not None
        names = list(self.mapping.classes)
        return dict(zip(names, self.embed([plain(name) for name in names]), strict=True))


_Found = tuple[Mapping[str, float], float, str]
_NOTHING: _Found = ({}, 0.0, "")


def _bare(word: str) -> str:
    """A word without punctuation around it and a number at its end: ``mug1``."""
    return re.sub(r"^\W+|[\W\d]+$", "", word)


def _head_phrase(phrase: str) -> str:
    """The part that says what it is: *cup* of ``cup of tea``, but *scissors* of ``pair of scissors``."""
    first, *rest = _OF.split(phrase, maxsplit=1)
    if rest and first.split()[-1] in _PARTITIVES and " of " in phrase:
        return _head_phrase(rest[0])
    return first


def _equally(names: Collection[str]) -> Mapping[str, float]:
    return dict.fromkeys(names, 1 / len(names))


def _some(names: Sequence[str], most: int = 3) -> str:
    """Some of several names: ``cup, mug and 4 more``."""
    shown, more = ", ".join(names[:most]), len(names) - most
    return f"{shown} and {more} more" if more > 0 else shown


def _verb(noun: str) -> str:
    """The stem of the verb that a noun in *-er* or *-or* is made of; empty for other nouns."""
    made = re.fullmatch(r"(\w{3,})(?:er|or)s?", noun)
    return _stem(made[1]) if made else ""


def _stem(verb: str) -> str:
    """A verb without a final e and without a double consonant at its end."""
    return re.sub(r"([b-df-hj-np-tv-z])\1$", r"\1", verb.removesuffix("e"))
