"""Nouns and the adjectives before them, with what may stand between: "two pieces of cold bread"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase
from foretree.reasoning.offline.phrases.words.contents import ContentReader
from foretree.reasoning.offline.phrases.words.determiners import Determiner
from foretree.reasoning.offline.phrases.words.looks import BEFORE_NOUNS, is_quality
from foretree.reasoning.offline.phrases.words.scene_words import SceneWords
from foretree.reasoning.reasoner import Situation
from foretree.world_model.ontology import Naming

#: A part, a kind or a number of what follows "of", in the singular.
_MEASURES = frozenset(
    {
        *(
            "piece",
            "bit",
            "item",
            "article",
            "kind",
            "sort",
            "type",
            "chunk",
            "lump",
            "loaf",
            "unit",
            "specimen",
        ),
        *("set", "bunch", "pile", "stack", "heap", "collection", "pair"),
    }
)
#: Of these, what is meant are all things of a group that is called so.
_COLLECTIONS = frozenset({"set", "bunch", "pile", "stack", "heap", "collection"})
_PLURALS = {"loaves": "loaf"}


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun in the words of an instruction.

    Attributes:
        naming: the class that it names; the class is empty for things of whatever kind.
        end: where it ends.
        where: the room that is named before it.
        same_kind: whether it stands for a noun said before.
        single: whether one thing is meant that comes in several parts, such as a pair of scissors.
        states: what it says besides of how the thing is: "a cup of coffee".
    """

    naming: Naming
    end: int
    where: LocationPhrase | None = None
    same_kind: bool = False
    single: bool = False
    states: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Adjectives:
    """The adjectives at a position: states, what else they may be, and their end."""

    states: tuple[Sequence[tuple[str, bool]], ...]
    qualities: tuple[str, ...]
    end: int


class NounReader:
    """Reads the nouns of one sentence."""

    def __init__(self, tokens: Sequence[str], situation: Situation, scene: SceneWords) -> None:
        self._tokens = tokens
        self._ontology = situation.ontology
        self._types = frozenset(situation.domain.types)
        self._scene = scene
        self._contents = ContentReader(tokens, situation.ontology, scene, self.named, self._states)

    def _states(self, at: int) -> tuple[Sequence[Sequence[tuple[str, bool]]], int]:
        """Return the states that the adjectives at a position may mean, and their end."""
        found = self.adjectives(at)
        return found.states, found.end

    def adjectives(self, at: int) -> Adjectives:
        """Return the adjectives at a position."""
        states: list[Sequence[tuple[str, bool]]] = []
        qualities: list[str] = []
        while True:
            found = self._scene.states_at(self._tokens, at)
            word = self._word(at)
            if found is not None:
                states.append(found[0])
                at = found[1]
            elif self._is_quality(at):
                qualities.append(word)
                at += 1
            elif word in lexicon.DEGREES and self._begins_adjective(at + 1):
                at += 1
                continue
            else:
                return Adjectives(tuple(states), tuple(qualities), at)
            if self._word(at) in ("and", ",") and self._begins_adjective(at + 1):
                at += 1

    def _begins_adjective(self, at: int) -> bool:
        return self._word(at) in self._scene.first_of_states or self._is_quality(at)

    def _is_quality(self, at: int) -> bool:
        word = self._word(at)
        if word in BEFORE_NOUNS and any(self.named(at + 1)):
            return not self._is_noun(at)
        said = word in lexicon.QUALITIES or (word != "" and is_quality(word, self._scene.known))
        return said and not self._is_noun(at)

    def at(self, found: Determiner, start: int, at: int) -> Iterator[Noun]:
        """Yield the nouns at a position, of a phrase that begins at *start*."""
        for filled in self._contents.at(found, at):
            yield Noun(filled.naming, filled.end, states=filled.states)
        pair = self._word(at - 1) == "of" and self._word(at - 2) in ("pair", "bunch")
        plain = [Noun(naming, end, single=pair and _comes_in_parts(naming)) for naming, end in self.named(at)]
        yield from self._at_furniture(at)
        yield from plain
        yield from self._ones(found, start, at)
        yield from self._measured(found, at)
        if not plain and self._word(at) != "the":
            for room, end in self._scene.rooms.at(self._tokens, at):
                text = f"in the {' '.join(self._tokens[at:end])}"
                where = LocationPhrase((), room=room, text=text, likely=True)
                yield from (Noun(naming, stop, where) for naming, stop in self.named(end))

    def _at_furniture(self, at: int) -> Iterator[Noun]:
        """Nouns behind the furniture that things are at: "the sofa cushion", "the desk shelf"."""
        for furniture, middle in self.named(at):
            if furniture.plural or self._type_of(furniture) != "asset":
                continue
            text = self._text(at, middle)
            place = NounPhrase(text, "the", furniture.class_name, noun=text, others=furniture.others)
            relations = tuple(dict.fromkeys(one for many in self._scene.relations.values() for one in many))
            where = LocationPhrase(relations, place, text=f"at the {text}", likely=True)
            own = {end for _, end in self.named(at)}
            for naming, end in self.named(middle):
                here = furniture.class_name in self._scene.kinds.values()
                # "Toilet paper" and "a coffee table" are things of their own.
                if here and end not in own and self._type_of(naming) in ("item", "asset"):
                    yield Noun(naming, end, where)

    def _type_of(self, naming: Naming) -> str:
        known = naming.class_name in self._ontology
        return self._ontology.type_of(naming.class_name) if known else ""

    def _text(self, start: int, end: int) -> str:
        return " ".join(self._tokens[start:end])

    def _measured(self, found: Determiner, at: int) -> Iterator[Noun]:
        """Nouns behind a measure: "pieces of fruit", "the pile of books", "a pair of scissors"."""
        word = self._word(at)
        measure = _PLURALS.get(word, word.removesuffix("s"))
        after = at + 2
        if measure not in _MEASURES or self._word(at + 1) != "of":
            return
        after = self.adjectives(after).end
        for naming, end in self.named(after):
            parts = _comes_in_parts(naming)
            if measure == "pair" and not parts:
                continue
            several = measure != word or (measure in _COLLECTIONS and naming.plural and not parts)
            several |= found.picks == "all"
            yield Noun(Naming(naming.class_name, several, naming.others), end)

    def _ones(self, found: Determiner, start: int, at: int) -> Iterator[Noun]:
        """Words for a noun said before, or behind it: "the dirty one of the mugs"."""
        word = self._word(at)
        plural = word in lexicon.ONES or (word in lexicon.OTHERS and found.picks in ("the", "all"))
        if plural or (word in lexicon.ONE and (found.picks is not None or at > start)):
            if self._word(at + 1) == "of" and self._word(at + 2) in lexicon.DEFINITE:
                for naming, end in self.named(at + 3):
                    if naming.plural:
                        yield Noun(Naming(naming.class_name, plural, naming.others), end)
            yield Noun(Naming("", plural), at + 1, same_kind=True)
        elif found.counts and at == found.end:
            yield Noun(Naming("", found.picks == "some"), at, same_kind=True)  # "put two on the table"

    def named(self, at: int) -> Iterator[tuple[Naming, int]]:
        """Nouns at a position; of things of whatever kind the class is empty."""
        for length in range(self._ontology.longest_name, 0, -1):
            if at + length > len(self._tokens):
                continue
            naming = self._ontology.named(" ".join(self._tokens[at : at + length]))
            if naming is not None:
                yield naming, at + length
        word = self._word(at)
        if word in lexicon.THING or word in lexicon.THINGS:
            singular = word.removesuffix("s")
            yield Naming(singular if singular in self._types else "", word in lexicon.THINGS), at + 1

    def _is_noun(self, at: int) -> bool:
        """True if a noun begins there, so that "orange" is a fruit unless a noun follows it."""
        return any(not any(self.named(end)) for _, end in self.named(at))

    def _word(self, at: int) -> str:
        return self._tokens[at] if 0 <= at < len(self._tokens) else ""


def _comes_in_parts(naming: Naming) -> bool:
    """Return whether things of a class come in parts, and are called so: scissors, keys."""
    return naming.class_name.endswith("s") and not naming.class_name.endswith("ss")
