"""Words cut down to what their forms have in common: slice, slices, sliced and slicing are all ``slic``."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[.,;:!?]")
_POSSESSIVE = re.compile(r"['’]s?$")
_VOWEL = re.compile(r"[aeiouy]")
_PLURALS = (("sses", "ss"), ("ies", "i"), ("ves", "f"), ("ss", "ss"), ("us", "us"), ("s", ""))
#: What ends a clause. These count as words, too, so that words on the two sides are not taken for a phrase.
STOPS = frozenset(".,;:!?")


def words_of(text: str) -> list[str]:
    """The words, numbers and stops of *text*, in lower case. A possessive loses its 's."""
    return [_POSSESSIVE.sub("", word) for word in _WORD.findall(text.lower())]


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """*word* without the endings of plurals and of verbs.

    The rules are those of the first step of Porter's stemmer ("An algorithm for suffix stripping", 1980),
    and a final e or y goes as well. What is left need not be a word; it only has to be the same for all
    forms.
    """
    for ending, instead in _PLURALS:
        if word.endswith(ending) and len(word) > 3:
            word = word[: len(word) - len(ending)] + instead
            break
    for ending in ("ing", "ed"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) > 2 and _VOWEL.search(rest):
            word = rest
            if word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    if len(word) > 3 and word[-1] in "eiy":
        return word[:-1]
    return f"{word[:-1]}i" if word.endswith("y") else word
