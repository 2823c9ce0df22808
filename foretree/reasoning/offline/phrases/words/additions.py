"""Additions: what is said of a thing behind a comma, and what it is contrasted with.

"Bring me the book, the one on the desk", "the mug, which is still dirty", "the apple, not the mango".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.lexicon import after_any, phrases
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.words.modifiers import Modified, ModifierReader
from foretree.reasoning.offline.phrases.words.scene_words import SceneWords

#: Said before what tells the same thing once more.
_THAT_IS = phrases(
    """
    i mean, that is, namely, preferably, ideally, specifically, in particular, if possible, meaning, i.e,
    to be exact, to be precise, or rather, just, only, please, you know, again, so
    """
)
_ALL_OF_THEM = phrases(
    "all of them, every one of them, every single one, each of them, each one, both of them"
)
_CONTRAST = phrases(
    "not, and not, but not, rather than, instead of, in place of, as opposed to, and definitely not"
)
_ALONG = phrases("along with, together with, and with it, as well as, and also, plus")
_IT = phrases("it, that, them, top of it, top, top of that")
#: Kinds of phrases of which more may be told.
_DESCRIBED = ("the", "a", "some", "all")


class AdditionReader:
    """Reads what is added to the noun phrases of one sentence.

    Args:
        tokens: the words.
        scene: the words for what is there.
        modifiers: reads relative clauses.
        singles: reads the noun phrases at a position, with modifiers so many deep.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        scene: SceneWords,
        modifiers: ModifierReader,
        singles: Callable[[int, int], Sequence[Modified]],
    ) -> None:
        self._tokens = tokens
        self._scene = scene
        self._modifiers = modifiers
        self._singles = singles

    def told_more(self, phrase: NounPhrase, end: int, nesting: int) -> Iterator[Modified]:
        """The phrase with what is told of the same thing behind a comma, longer ones first."""
        if self._word(end) != "," or phrase.picks not in _DESCRIBED or phrase.also or phrase.is_room:
            return
        start = end + 1
        while (after := after_any(self._tokens, start, _THAT_IS)) is not None:
            start = after + (self._word(after) == ",")
        if self._word(start) in lexicon.RELATIVE:
            for more, stop in self._modifiers.relative_clause(phrase, end, start, nesting):
                yield from self._closed(more, stop)
        for other, stop in self._singles(start, nesting):
            if _is_any_such(phrase, other):
                yield from self._closed(replace(other, text=f"{phrase.text} {self._text(end, stop)}"), stop)
                continue
            if (merged := _merged(phrase, other)) is not None:
                text = f"{phrase.text} {self._text(end, stop)}"
                yield from self._closed(replace(merged, text=text), stop)
        for more, stop in self._modifiers.beside(phrase, start, nesting):
            yield from self._closed(more, stop)
        whole = after_any(self._tokens, start, _ALL_OF_THEM) if phrase.plural else None
        if whole is not None:
            yield from self._closed(replace(phrase, picks="all"), whole)
        if start > end + 1 and (found := self._scene.states_at(self._tokens, start)) is not None:
            state = self._scene.state_of(phrase.class_name or "", found[0])
            text = f"{phrase.text} {self._text(end, found[1])}"
            yield from self._closed(replace(phrase, states=(*phrase.states, state), text=text), found[1])

    def _closed(self, phrase: NounPhrase, end: int) -> Iterator[Modified]:
        if self._word(end) == ",":
            yield phrase, end + 1
        yield phrase, end

    # -- contrasts ---------------------------------------------------------------------------------
    def contrasted(
        self, phrase: NounPhrase, end: int, nesting: int, *, behind: bool = False
    ) -> Iterator[Modified]:
        """The phrase without what it is contrasted with: "the mug on the table, not the one on the desk".

        A thing of another kind is not meant anyway; that stays said.

        Args:
            behind: whether the words stand behind a whole command.
        """
        if phrase.picks not in (*_DESCRIBED, "name") or phrase.picks == "all":
            return
        at = end + (self._word(end) == ",")
        start = after_any(self._tokens, at, _CONTRAST)
        for other, stop in self._singles(start, nesting) if start is not None else ():
            if other.picks not in (*_DESCRIBED, "name") or other.is_room:
                continue
            kind = self._scene.kinds.get(other.name or "", other.class_name)
            if phrase.picks != "name" and (other.same_kind or kind in (phrase.class_name, *phrase.others)):
                yield phrase.leaving_out(other), stop
            elif kind is not None and (behind or self._goes_on(stop)):
                yield from self._closed(replace(phrase, contrast=other), stop)

    def to_a_command(
        self, things: Mapping[str, NounPhrase], at: int, nesting: int
    ) -> Iterator[tuple[dict[str, NounPhrase], int]]:
        """The things of a command with what is added behind it: "put it in the box, the one on the desk".

        What is told of one of several things tells which is meant: that is tried first.
        """
        yield from self._with_load(things, at, nesting)
        if self._word(at) not in (
            ",",
            "not",
            "and",
            "but",
            "rather",
            "instead",
            "along",
            "together",
            "as",
            "plus",
        ):
            return
        names = list(things)[::-1]
        names.sort(key=lambda name: not self._is_unclear(things[name]))
        several = any(phrase.picks in ("all", "some") for phrase in things.values())
        for name in names:
            for more, end in self.told_more(things[name], at, nesting):
                yield {**things, name: more}, end
            # Of several things, what is not meant is an exception, and read as such.
            for more, end in () if several else self.contrasted(things[name], at, nesting, behind=True):
                yield {**things, name: more}, end
        comma = at + (self._word(at) == ",")
        placed = len(things) > 1 and not any(phrase.picks == "speaker" for phrase in things.values())
        placed = placed or any(phrase.where is not None for phrase in things.values())
        if placed and (stop := self._other_place(comma)) is not None:
            yield dict(things), stop
        start = after_any(self._tokens, comma, _ALONG)
        first = next(iter(things), None)
        if start is not None and first is not None and self._tokens[comma] in ("along", "together"):
            for other, stop in self._singles(start, nesting):
                one = things[first]
                yield {**things, first: replace(one, also=(*one.also, other))}, stop

    def _with_load(
        self, things: Mapping[str, NounPhrase], at: int, nesting: int
    ) -> Iterator[tuple[dict[str, NounPhrase], int]]:
        """The things of a command with what is in the first: "put the box on the desk with a card inside"."""
        first = next(iter(things), "")
        if len(things) > 1 and things[first].load is None and not things[first].also:
            for more, end in self._modifiers.laden(things[first], at, nesting):
                if more.load is not None and more.load[0]:
                    yield {**things, first: more}, end

    def _goes_on(self, at: int) -> bool:
        return at < len(self._tokens) and self._tokens[at] not in ("and", "then", ".", ";")

    def _is_unclear(self, phrase: NounPhrase) -> bool:
        kinds = [*self._scene.kinds.values()]
        return phrase.picks in _DESCRIBED and kinds.count(phrase.class_name or "") > 1

    def _other_place(self, at: int) -> int | None:
        """The position after a place that is not meant: "inside the box, not on top of it"."""
        start = after_any(self._tokens, at, _CONTRAST)
        if start is None:
            return None
        after = after_any(self._tokens, start, self._scene.relation_words)
        if after is None:
            return None
        ends = after == len(self._tokens) or self._tokens[after] in lexicon.CONNECTIVES
        place = next((end for _, end in self._singles(after, 1)), None)
        return after if ends else after_any(self._tokens, after, _IT) or place

    # -- words -------------------------------------------------------------------------------------
    def _word(self, at: int) -> str:
        return self._tokens[at] if at < len(self._tokens) else ""

    def _text(self, start: int, end: int) -> str:
        return " ".join(word for word in self._tokens[start:end] if word != ",")


def _is_any_such(phrase: NounPhrase, other: NounPhrase) -> bool:
    """True for "the pillow, any pillow", and for "the mugs, all of them"."""
    same = other.same_kind or other.class_name == phrase.class_name
    return same and other.picks == "a" and other.text.startswith(("any ", "either ", "whichever "))


def _merged(phrase: NounPhrase, other: NounPhrase) -> NounPhrase | None:
    """The phrase with what another one tells of the same thing; None if that is another thing."""
    stands_for_it = other.same_kind or (other.class_name is None and other.picks == "a" and not other.noun)
    told = other.states or other.where or other.qualities or other.comparison or other.load or other.holds
    alike = other.plural == phrase.plural and other.number == phrase.number and not other.also
    if not stands_for_it or not (told or other.other) or not alike:
        return None
    if other.picks not in ("the", "a", "all"):
        return None
    both = phrase.where is not None and other.where is not None
    return replace(
        phrase,
        picks="the" if "the" in (phrase.picks, other.picks) and not phrase.plural else phrase.picks,
        states=(*phrase.states, *other.states),
        where=phrase.where or other.where,
        further=(*phrase.further, *((other.where,) if both and other.where is not None else ())),
        qualities=(*phrase.qualities, *other.qualities),
        comparison=phrase.comparison or other.comparison,
        load=phrase.load or other.load,
        holds=phrase.holds or other.holds,
        other=phrase.other or other.other,
    )
