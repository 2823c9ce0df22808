"""Inflected forms of English words, and the words that a form may be of."""

from __future__ import annotations

from collections.abc import Iterator

from foretree.reasoning.offline.grammar.verb_forms import third_person

_VOWELS = "aeiou"
_PLURALS = {
    "people": "person",
    "teeth": "tooth",
    "feet": "foot",
    "children": "child",
    "mice": "mouse",
    "geese": "goose",
    "lice": "louse",
    "dice": "die",
}


def singulars(word: str) -> Iterator[str]:
    """Yield what a noun may be the plural of."""
    if word in _PLURALS:
        yield _PLURALS[word]
    if word.endswith("men"):
        yield f"{word[:-2]}an"
    if not word.endswith("s") or word.endswith("ss"):
        return
    yield word[:-1]
    if word.endswith("es"):
        yield word[:-2]
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
    if word.endswith("ves"):
        yield f"{word[:-3]}f"
        yield f"{word[:-3]}fe"


def verbs_of_third_person(word: str) -> Iterator[str]:
    """Yield what "washes" may be a form of."""
    stems = (word[:-1], word[:-2], f"{word[:-3]}y") if word.endswith("s") else ()
    yield from (verb for verb in stems if verb and third_person(verb) == word)
    if word.endswith("zzes"):
        yield word[:-3]


def verbs_of_ending(word: str, ending: str) -> Iterator[str]:
    """Yield the verbs that a form in "-ed" or "-ing" may be of: "hope" of "hoping", "hop" of "hopping"."""
    if not word.endswith(ending):
        return
    stem = word[: -len(ending)]
    if ending == "ed" and stem.endswith("i"):
        yield f"{stem[:-1]}y"
    elif ending == "ing" and stem.endswith("y"):
        yield f"{stem[:-1]}ie"
    yield f"{stem}e"
    if not _always_doubles(stem):
        yield stem
    if len(stem) > 2 and stem[-1] == stem[-2] and _may_double(stem[:-1]):
        yield stem[:-1]
    if stem.endswith("ck"):
        yield stem[:-1]


def adjectives_of(word: str) -> Iterator[str]:
    """Yield the adjectives that "colder" or "coldest" may be of."""
    for ending in ("er", "est"):
        if word.endswith(ending):
            yield from _adjective_stems(word[: -len(ending)])


def adjectives_of_adverb(word: str) -> Iterator[str]:
    """Yield the adjectives that "neatly" may be made of."""
    if word.endswith("ly"):
        stem = word[:-2]
        yield stem
        yield f"{stem}e"
        yield f"{stem}le"
        yield f"{stem}l"
        if stem.endswith("i"):
            yield f"{stem[:-1]}y"
        if stem.endswith("al"):
            yield stem[:-2]


def _adjective_stems(stem: str) -> Iterator[str]:
    yield stem
    yield f"{stem}e"
    if stem.endswith("i"):
        yield f"{stem[:-1]}y"
    if len(stem) > 2 and stem[-1] == stem[-2]:
        yield stem[:-1]


def _may_double(verb: str) -> bool:
    """Tell whether the last letter of a verb may be doubled: in "prefer" and "travel", not in "wash"."""
    return len(verb) > 1 and verb[-1] not in f"{_VOWELS}wxy" and verb[-2] in _VOWELS


def _always_doubles(verb: str) -> bool:
    """Tell whether endings always double the last letter of a verb: in "hop" and "quit", not in "travel"."""
    plain = verb.replace("qu", "q")
    return len(plain) > 2 and _may_double(plain) and sum(letter in _VOWELS for letter in plain) == 1
