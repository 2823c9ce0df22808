"""Small talk: "good morning", "how are you?", "well done". It is answered, and nothing moves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from foretree.reasoning.offline.lexicon import Phrases, listed, opening
from foretree.reasoning.offline.word_lists import word_lists

#: The list of what says nothing by itself.
_BESIDES = "besides"
#: What is longer is no small talk.
_MOST_WORDS = 12


def answer_small_talk(words: str) -> str:
    """Return the answer to small talk; empty if *words* are more than that.

    Of several greetings and courtesies the last one is answered: "hello! How are you?".
    """
    said = re.findall(r"[\w'-]+|[,.;:!?]", words.lower().replace("’", "'"))
    if not 0 < len(said) <= _MOST_WORDS:
        return ""
    answers, besides = _known()
    found = ""
    for part in _parts(said):
        answer = _answer(part, answers, besides)
        if answer is None:
            return ""
        found = answer or found
    return found


def _parts(said: Sequence[str]) -> Iterator[tuple[str, ...]]:
    part: list[str] = []
    for word in (*said, "."):
        if word not in (",", ".", ";", ":", "!", "?"):
            part.append(word)
        elif part:
            yield tuple(part)
            part = []


def _answer(part: tuple[str, ...], answers: Mapping[tuple[str, ...], str], besides: Phrases) -> str | None:
    """Return the answer to a part; empty where it says nothing, None where it is no small talk."""
    if part in answers:
        return answers[part]
    length = opening(part, besides)
    if length == len(part):
        return ""
    found = _answer(part[length:], answers, besides) if length else None
    ends = (at for at in range(1, len(part)) if opening(part, besides, at) == len(part) - at)
    return found or next((said for at in ends if (said := _answer(part[:at], answers, besides))), None)


@cache
def _known() -> tuple[Mapping[tuple[str, ...], str], Phrases]:
    """Read ``configs/language/small_talk.yaml``: the answers by what is said, and what is said besides."""
    lists = word_lists("small_talk")
    answers = {
        tuple(said.split()): answer for answer, every in lists.items() if answer != _BESIDES for said in every
    }
    return answers, listed(lists.get(_BESIDES, ()))
