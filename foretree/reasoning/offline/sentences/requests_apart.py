"""Requests that an instruction is taken apart into, each from one verb to the next."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from foretree.reasoning.offline.lexicon import (
    DEFINITE,
    INDEFINITE,
    NUMBERS,
    SOME,
    UNIVERSAL,
    opening,
    phrases,
    skip_between,
    word_set,
)

DETERMINERS = frozenset({*DEFINITE, *INDEFINITE, *UNIVERSAL, *SOME, *NUMBERS, "both"})
PRONOUNS = frozenset({"it", "them", "they", "its", "there", "one", "ones", "each", "others", "either"})
_POINTERS = frozenset({"this", "that", "these", "those", "both", "all"})
#: Words that make a part of a sentence depend on another, or limit it.
BINDING = word_set(
    """
    if unless when whenever until till before or either neither nor otherwise else never not don't doesn't
    without except instead only once while because so after provided avoid refrain
    forbidden prohibited banned allowed
    """
)
#: Of these, those that say when something is done, or why.
WHEN_OR_WHY = word_set("before till until while once because so after")
#: After these, "after" and "so" only go on with the sentence.
_AFTER_THAT = phrases("after that, afterwards, after this")
_ASKED_OF_HEARER = word_set("can could will would")
_ALSO = word_set("also then please kindly maybe perhaps just")
#: What is told somebody says nothing of what is to be done: "call my sister *to tell her it is ripe*".
_TELLING = phrases(
    "to tell, to say, to ask, to let, to remind, to warn, to inform, and tell, and say, that, about"
)
_SUBJECTS = word_set("i we he she they it it's i'm i've i'd we're we've he's she's they're")
_IS = word_set("is are has have was were i'm i've")
_OBLIGING = word_set("to should must shall ought will would needs need wants want")


@dataclass(frozen=True)
class RequestWords:
    """The words of one request in a sentence.

    Attributes:
        words: they, connectives and fillers before the verb included.
        sentence: the number of its sentence.
        bound: whether its sentence limits what is done.
    """

    words: tuple[str, ...]
    sentence: int
    bound: bool

    @property
    def plain(self) -> tuple[str, ...]:
        """The words from the verb on."""
        return self.words[begin_of(self.words) :]

    def follows_from(self, before: RequestWords) -> bool:
        """Return whether the one before only tells why it is done: "*my laptop is flat*, so charge it"."""
        told = before.words
        begins = bool(told) and told[0] in (*DETERMINERS, *_SUBJECTS)
        tells = begins and any(word in _IS or word.endswith("'s") for word in told)
        asks = not _OBLIGING.isdisjoint(told) or is_bound(told)
        goes_on = self.sentence == before.sentence and ("so" in self.words[:2] or self.deed_refers)
        return goes_on and tells and not asks

    @property
    def refers(self) -> bool:
        """True if it has a pronoun."""
        return _refer(self.plain)

    @property
    def deed_refers(self) -> bool:
        """True if it has a pronoun before what says when it is done, why, or what is told."""
        words = self.plain
        told = (
            at
            for at, word in enumerate(words)
            if word in WHEN_OR_WHY
            or opening(words, _TELLING, at)
            or (word == "," and _tells(words[at + 1 :]))
        )
        return _refer(words[: next(told, len(words))])


def _refer(words: Sequence[str]) -> bool:
    """Return whether words have a pronoun."""
    return any(
        (word in PRONOUNS and after != "of")  # "one of those tabs"
        or (word in _POINTERS and (not after or after in ("in", "on", "to", "into")))
        for word, after in pairwise((*words, ""))
    )


def _ends_deed(words: Sequence[str], at: int) -> bool:
    """Return whether the rest of a request says when it is done, why, or what is told."""
    tells = words[at] == "," and _tells(words[at + 1 :])
    return words[at] in WHEN_OR_WHY or tells or bool(opening(words, _TELLING, at))


def _tells(words: Sequence[str]) -> bool:
    """Return whether words tell something: "I can't bear to look at it any more"."""
    return bool(words) and words[0] in _SUBJECTS


def begin_of(words: Sequence[str]) -> int:
    """The position of the verb of a request: "and could you also *wash* it"."""
    at = skip_between(words, 0)
    at += words[at : at + 1] in (("so",), ["so"])
    if words[at : at + 1] in (["to"], ("to",)):
        return at + 1
    if tuple(words[at + 1 : at + 2]) == ("you",) and words[at] in _ASKED_OF_HEARER:
        return at + 2 + (at + 2 < len(words) and words[at + 2] in _ALSO)
    return at


def is_bound(sentence: Sequence[str], binding: Collection[str] = BINDING) -> bool:
    """Return whether words say when, whether or how far something is done."""
    plain: list[str] = []
    at = 0
    while at < len(sentence):
        length = next(map(len, _AFTER_THAT.at(sentence, at)), 0)
        if not length and not (sentence[at] == "so" and _is_degree(sentence, at)):
            plain.append(sentence[at])
        at += length or 1
    return not frozenset(binding).isdisjoint(plain)


def _is_degree(sentence: Sequence[str], at: int) -> bool:
    """Return whether "so" says how much: "I'm *so* tired"."""
    following = sentence[at + 1 : at + 2]
    return bool(following) and following[0] not in (*_SUBJECTS, *DETERMINERS, "that", "as", "you")
