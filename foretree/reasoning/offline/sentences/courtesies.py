"""Courtesies and asides, which say nothing about what shall be done, and short forms written out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from foretree.config import ConfigError, find_config
from foretree.reasoning.offline.lexicon import NUMBERS, listed, opening
from foretree.reasoning.offline.word_lists import word_lists

_STOPS = (".", ";")


class Courtesies:
    """Phrases that people say besides."""

    def __init__(self, lists: Mapping[str, tuple[str, ...]], short: Mapping[str, tuple[str, ...]]) -> None:
        self._anywhere = listed(lists["anywhere"])
        self._first = listed(lists["first"])
        self._last = listed(lists["last"])
        self._apart = listed((*lists["last"], *lists["apart"]))
        calls = "|".join(sorted(map(re.escape, lists["help"]), key=len, reverse=True))
        self._call = re.compile(
            rf"(?<=\w)\s*[,.;:!?–—-]+\s*(?:and |so |but )?(?:please )?(?:{calls})(?:,? please)?[\s.?!]*$",
            re.I,
        )
        self._short = {word: tuple(" ".join(long).split()) for word, long in short.items()}

    def without_call(self, text: str) -> str:
        """Return an instruction without a call for help at its end: "the tea is cold, can you fix that?"."""
        return self._call.sub(".", text)

    def without(self, tokens: Sequence[str]) -> list[str]:
        """Return *tokens* without courtesies, and with short forms written out."""
        plain = [word for token in tokens for word in self._short.get(token, (token,))]
        found: list[str] = []
        at = 0
        while at < len(plain):
            begins = not found or found[-1] in _STOPS
            length = opening(plain, self._anywhere, at) or self._last_at(plain, at)
            length = length or (self._first_at(plain, at) if begins else 0)
            if not length and not (begins and plain[at] == ","):
                found.append(plain[at])
            at += length or 1
        return _tidied(found)

    def without_asides(self, tokens: Sequence[str]) -> list[str]:
        """Return *tokens* without what is said by the way, but with the verbs of asking."""
        found: list[str] = []
        at = 0
        while at < len(tokens):
            length = opening(tokens, self._anywhere, at)
            asks = bool(length) and tokens[at] in ("would", "do", "could", "can")
            if not length or asks:
                found.append(tokens[at])
                length = 1
            at += length
        return _tidied(found)

    def _first_at(self, words: Sequence[str], at: int) -> int:
        """The number of words of an opening that says nothing, unless it is all there is."""
        length = opening(words, self._first, at)
        following = words[at + length] if at + length < len(words) else ""
        counts = words[at + length - 1] in ("just", "only") and following in NUMBERS
        denied = following in ("not", "never") or counts
        return 0 if denied or _ends(words, at + length) else length

    def _last_at(self, words: Sequence[str], at: int) -> int:
        """The number of words of a closing that says nothing, where the sentence ends after it."""
        markers = self._apart if at and words[at - 1] == "," else self._last
        here = (len(one) for one in markers.at(words, at))
        return next((length for length in here if _ends(words, at + length)), 0)


@cache
def load_courtesies() -> Courtesies:
    """Read ``configs/language/courtesies.yaml`` and ``short_forms.yaml``.

    Raises:
        ConfigError: one cannot be read, or lacks a list.
    """
    lists = word_lists("courtesies")
    if missing := [name for name in ("anywhere", "first", "last", "apart", "help") if name not in lists]:
        path = find_config("language", "courtesies")
        raise ConfigError(f"{path}: there is no list {missing[0]!r}. It may have phrases as few as one.")
    return Courtesies(lists, word_lists("short_forms"))


def _ends(words: Sequence[str], at: int) -> bool:
    return at == len(words) or words[at] in _STOPS or (words[at] == "," and at + 1 == len(words))


def _tidied(words: Sequence[str]) -> list[str]:
    """The words without commas that stand beside nothing any more."""
    found: list[str] = []
    for word in words:
        doubled = word == "," and (not found or found[-1] in (",", "and", *_STOPS))
        if not doubled:
            if word in _STOPS and found and found[-1] == ",":
                found.pop()
            found.append(word)
    while found and found[-1] == ",":
        found.pop()
    return found
