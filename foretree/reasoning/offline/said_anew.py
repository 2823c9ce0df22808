"""Requests of which a part is said anew: "no, on the shelf", "sorry, the other drawer", "not this, but that".

The words take the place of what they correct in the request before: a place that of a place, a thing that of
one of its class, or else of its type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foretree.reasoning.offline.lexicon import DEFINITE, INDEFINITE, NUMBERS, SOME, tokens_of
from foretree.reasoning.offline.phrases.noun_phrases import noun_phrases
from foretree.reasoning.reasoner import Situation

_BACK = r"back\b|where (?:it|they) (?:was|were)\b"
_AT = "in|into|inside|on|onto|to|under|underneath|beneath|behind|beside|next to|near|at|by|upon|over"
_PLACE = re.compile(rf"(?:(?:up |down |over |back )?(?:{_AT})\b|{_BACK})", re.I)
_PLACED = re.compile(rf" (?:{_AT}) (?!(?:{_AT})\b)[^,;]+?(?=,| and |$)")
_TO_SOMEBODY = re.compile(r"to (?P<who>.+)", re.I)
#: What is denied names a thing or a place: "the fridge will not open" denies neither.
_WHAT = rf"(?:(?:the|a|an|that|this|those|these|my|your|{_AT})\b|\w+\d)"
_DENIED = re.compile(
    rf"not (?P<denied>{_WHAT}[^,;]*?)(?:[,;:]| but| i (?:mean|meant)|[.!] )\s*"
    r"(?:but |i (?:mean|meant|said|want) )?(?P<said>.+)",
    re.I,
)
_DENIED_LAST = re.compile(
    rf"(?P<said>{_WHAT}[^,;]*?)(?:(?:,| and) not| instead of| rather than) (?P<denied>{_WHAT}[^,;]*)", re.I
)
_WRONG = re.compile(
    r"(?:(?:that|it)(?: is|'s| was) |you (?:took|got|have|picked|chose) )?the wrong (?P<denied>\w+)[,;.!:]\s*"
    r"(?:i (?:mean|meant|said|want|wanted) )?(?P<said>.+)",
    re.I,
)
_INSTEAD = re.compile(r",? (?:instead|rather|i mean|i meant|i said|please)$", re.I)
_MAKE_IT = re.compile(
    r"(?:make (?:that|it)|(?:it|that) (?:should|must) be|i (?:said|mean|meant|want|wanted)) ", re.I
)
_MAKE_IT_A_THING = re.compile(r"make (?:that|it) (?:the|a|an|my|two|three|both|all) .+", re.I)
_FETCHING = re.compile(r"(?:bring|give|get|fetch|hand|take|pick up|pick|carry|hold|grab)\b")
_BEGINS_THING = frozenset(
    {*DEFINITE, *INDEFINITE, *SOME, *NUMBERS, "all", "both", "every", "each", "everything"}
)
_PREPOSITIONS = frozenset(_AT.split("|")) | {"from", "with", "of", "for", "and", "then", ",", ";"}


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of what was said.

    Attributes:
        said: the words that count.
        denied: those that do not; empty if none are named.
    """

    said: str
    denied: str = ""

    @property
    def is_place(self) -> bool:
        """True if it says where something shall be, and no more."""
        return _PLACE.match(self.said) is not None


def correction_of(words: str) -> Correction:
    """Return what *words* say anew, without "instead" and the like."""
    said = _INSTEAD.sub("", words.strip(" .!"))
    for form in (_WRONG, _DENIED, _DENIED_LAST):
        found = form.fullmatch(said)
        if found is not None:
            return Correction(_plain(found["said"]), found["denied"])
    return Correction(_plain(said))


def denies(words: str) -> bool:
    """Return whether *words* say what is not meant: "not that one, the other", "the apple, not the mug"."""
    plain = words.strip(" .!")
    return any(form.fullmatch(plain) for form in (_DENIED, _DENIED_LAST, _WRONG, _MAKE_IT_A_THING))


def _plain(said: str) -> str:
    return _MAKE_IT.sub("", _INSTEAD.sub("", said.strip(" ,.!")), count=1)


@dataclass(frozen=True, slots=True)
class _Thing:
    """A thing in a sentence: where, its class, and its type."""

    begin: int
    end: int
    words: str
    kind: str
    type: str


class RequestBefore:
    """The request that is corrected, as it was read.

    Args:
        sentence: it, in plain words.
        situation: what is known.
    """

    def __init__(self, sentence: str, situation: Situation) -> None:
        *before, last = [part.partition(";")[0] for part in sentence.split("; and ")]
        self._kept = [re.sub(r", meaning .*", "", part) for part in before]
        self._sentence = re.sub(r", meaning .*", "", last)
        self._situation = situation

    def may_correct(self, correction: Correction) -> bool:
        """Return whether words are known to name a place or a thing, and no more."""
        tokens = tokens_of(correction.said)
        named = (end == len(tokens) for _, end in noun_phrases(tokens, self._situation).at(0))
        return correction.is_place or any(named)

    def with_correction(self, correction: Correction, further: bool = False) -> Iterator[Sequence[str]]:
        """Yield lists of requests that may be meant, the likeliest list first.

        Args:
            correction: what is said anew.
            further: whether it is said beside what was asked for, and not in place of it.
        """
        if further:
            self._kept = []
        if correction.is_place:
            yield self._whole(self._with_place(correction.said))
            return
        things = list(self._things())
        kind, type_ = self._class_of(correction.said)
        denied = self._class_of(correction.denied)[0] if correction.denied else ""
        ranked: dict[int, list[str]] = {}
        for thing in things:
            named = bool(denied) and (thing.kind == denied or thing.words == correction.denied)
            same = kind is not None and thing.kind == kind
            rank = 0 if named else 1 if same or kind is None else 2 if thing.type == type_ else 3
            said = f"{self._sentence[: thing.begin]}{correction.said}{self._sentence[thing.end :]}"
            ranked.setdefault(rank, []).append(said)
        for rank in sorted(ranked):
            # Of what says no class, "the other one", the first thing is meant.
            yield self._whole(ranked[rank] if kind is not None else ranked[rank][:1])
            if kind is None:
                return

    def _whole(self, requests: Sequence[str]) -> Sequence[str]:
        return [", and ".join((*self._kept, one)) for one in requests]

    def _with_place(self, place: str) -> list[str]:
        places = list(_PLACED.finditer(self._sentence))
        if places:
            last = places[-1]
            return [f"{self._sentence[: last.start()]} {place}{self._sentence[last.end() :]}"]
        things = [thing for thing in self._things() if thing.type == "item"]
        if not things or not _FETCHING.match(self._sentence):
            return []
        to = _TO_SOMEBODY.fullmatch(place)
        if to is not None and self._class_of(to["who"])[1] == "person":
            return [f"bring {things[0].words} {place}"]
        return [f"put {things[0].words} {place}"]

    def _things(self) -> Iterator[_Thing]:
        """Yield the things in the sentence, in order."""
        at = 0
        words = list(re.finditer(r"[\w'-]+|[,;]", self._sentence))
        while at < len(words):
            word = words[at][0]
            end = at + 1
            if word in _BEGINS_THING:
                while end < len(words) and words[end][0] not in _PREPOSITIONS:
                    end += 1
            elif word not in self._situation.beliefs.entities():
                at += 1
                continue
            said = self._sentence[words[at].start() : words[end - 1].end()]
            kind, type_ = self._class_of(said)
            if kind is not None:
                yield _Thing(words[at].start(), words[end - 1].end(), said, kind, type_)
            at = end

    def _class_of(self, words: str) -> tuple[str | None, str]:
        """Return the class of what words name, and its type; None for "the other one"."""
        entities, ontology = self._situation.beliefs.entities(), self._situation.ontology
        if words in entities:
            kind = entities[words].best_class
            return kind, ontology.type_of(kind) or ""
        tokens = tokens_of(words)
        for phrase, end in noun_phrases(tokens, self._situation).at(0):
            if end == len(tokens) and not phrase.same_kind:
                entity = entities.get(phrase.name or "")
                kind = entity.best_class if entity is not None else phrase.class_name or ""
                return (kind, ontology.type_of(kind) or "") if kind else (None, "")
        return None, ""
