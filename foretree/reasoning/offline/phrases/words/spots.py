"""Spots: places told by what is there, "next to the lamp", "where the plate is", "with the milk"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.lexicon import after_any, phrases
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase
from foretree.reasoning.offline.phrases.words.modifiers import Modified
from foretree.reasoning.offline.phrases.words.scene_words import SceneWords

#: A thing that shall be beside another one goes where that is.
_BESIDE = phrases(
    """
    next to, right next to, by, near, close to, beside, right beside, alongside, nearby, in front of, behind,
    to the left of, to the right of, left of, right of, on the left of, on the right of, adjacent to,
    just next to, besides
    """
)
_WITH = phrases("with, together with, along with, in with")
#: The words that what is put along with a thing begins with.
COMPANY = frozenset({"with", "together", "along"})
_WHERE = phrases("where, to where, over to where, right where, over where, to the place where")
_SAME = phrases("the same, on the same, in the same, to the same, onto the same, into the same, at the same")
_PUTTING = frozenset(
    {"put", "place", "set", "lay", "leave", "store", "keep", "stack", "stow", "stick", "pop"}
)
_PARTICLES = frozenset({"down", "back", "over", "away", "up", "right", "just", "somewhere"})
_INTO = frozenset({"in", "into", "inside"})
_AFTER_COPULA = phrases(
    ",".join(
        f"{word}{when}"
        for word in ("", "standing", "lying", "sitting", "hanging", "kept", "resting", "stored", "at")
        for when in ("", " now", " right now", " currently", " at the moment", " just now", " already")
        if word or when
    )
)

#: The words that such places begin with.
FIRST_WORDS = frozenset(phrase[0] for phrase in (*_BESIDE, *_WITH, *_WHERE, *_SAME)) | _INTO


class SpotReader:
    """Reads the spots of one sentence.

    Args:
        tokens: the words.
        scene: the words for what is there.
        singles: reads the noun phrases at a position, with modifiers so many deep.
    """

    def __init__(
        self, tokens: Sequence[str], scene: SceneWords, singles: Callable[[int, int], Sequence[Modified]]
    ) -> None:
        self._tokens = tokens
        self._scene = scene
        self._singles = singles

    def at(self, start: int, verb: str) -> Iterator[Modified]:
        """Every spot that the words from *start* on name, where a thing shall be put; longer ones first.

        Args:
            verb: what shall be done: "take the plate with the bread" names no spot.
        """
        start = start + (self._word(start) in _PARTICLES)
        if self._word(start) not in FIRST_WORDS:
            return
        after = after_any(self._tokens, start, _BESIDE)
        for nearby, end in self._things(after):
            yield self._spot(start, end, nearby), end
        if after is not None and self._word(after) == "where":
            start = after  # "next to where the plate is"
        after = after_any(self._tokens, start, _WITH) if verb in _PUTTING else None
        for nearby, end in self._things(after):
            if not self._is_relation(end):  # "the cup with the knife" shall be there
                yield self._spot(start, end, nearby), end
        after = after_any(self._tokens, start, _WHERE)
        for nearby, end in self._things(after):
            if self._word(end) in lexicon.COPULA:
                stop = after_any(self._tokens, end + 1, _AFTER_COPULA) or end + 1
                yield self._spot(start, stop, nearby), stop
        after = after_any(self._tokens, start, _SAME)
        if after is not None and (self._word(after) in ("place", "spot") or self._word(after + 1) == "as"):
            for nearby, end in self._things(after + 2 if self._word(after + 1) == "as" else None):
                yield self._spot(start, end, nearby), end
        if self._tokens[start] in _INTO:
            for room, end in self._scene.rooms.at(self._tokens, start + 1):
                text = " ".join(self._tokens[start + 1 : end])
                where = LocationPhrase((), room=room, text=text)
                yield NounPhrase(text, "the", where=where, noun=text, is_room=True), end

    def _things(self, at: int | None) -> Iterator[Modified]:
        for phrase, end in self._singles(at, 1) if at is not None else ():
            if not phrase.is_room and phrase.picks != "speaker":
                yield phrase, end

    def _is_relation(self, at: int) -> bool:
        return any(lexicon.starts_with(self._tokens, at, words) for words in self._scene.relations)

    def _spot(self, start: int, end: int, nearby: NounPhrase) -> NounPhrase:
        return NounPhrase(" ".join(self._tokens[start:end]), "there", nearby=nearby)

    def _word(self, at: int) -> str:
        return self._tokens[at] if at < len(self._tokens) else ""
