"""Forms of English verbs: "washed" and "washing" of "wash", "put" and "putting" of "put"."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from foretree.reasoning.offline.lexicon import Phrase

#: Participles that no rule gives.
_IRREGULAR = {
    **{same: same for same in ("burst", "cut", "hit", "let", "put", "set", "shut", "spread", "read")},
    "become": "become", "begin": "begun", "bend": "bent", "bind": "bound", "bring": "brought",
    "break": "broken", "build": "built", "buy": "bought", "catch": "caught", "do": "done",
    "come": "come", "draw": "drawn", "drink": "drunk", "drive": "driven", "eat": "eaten", "feed": "fed",
    "find": "found", "freeze": "frozen", "get": "got", "give": "given", "go": "gone", "grind": "ground",
    "hang": "hung", "hide": "hidden", "hold": "held", "keep": "kept", "lay": "laid", "leave": "left",
    "lend": "lent", "light": "lit", "make": "made", "move": "moved", "run": "run", "see": "seen",
    "send": "sent", "sew": "sewn", "shake": "shaken", "slide": "slid", "stand": "stood", "stick": "stuck",
    "sweep": "swept", "take": "taken", "tear": "torn", "throw": "thrown", "wind": "wound", "write": "written",
}  # fmt: skip
#: What a participle may be called besides.
_ALSO = {"got": "gotten", "hung": "hanged"}
_VOWELS = "aeiou"


@cache
def participle(verb: str) -> str:
    """The past participle of a verb: "washed"."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ied"
    return f"{_doubled(verb)}ed"


@cache
def gerund(verb: str) -> str:
    """The "-ing" form of a verb: "washing"."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    return f"{_doubled(verb)}ing"


@cache
def third_person(verb: str) -> str:
    """The form of a verb after "he" or "it": "washes"."""
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def participles(verb: Phrase) -> tuple[Phrase, ...]:
    """The past participles of a verb with its particles: "turned on"."""
    first = participle(verb[0])
    found = (first, *((_ALSO[first],) if first in _ALSO else ()))
    return tuple((form, *verb[1:]) for form in found)


def base_form(word: str, verbs: Collection[str]) -> str:
    """The verb among *verbs* that a word is, or is a form of; empty if it is of none."""
    if word in verbs:
        return word
    if word.endswith("ing"):
        return next((verb for verb in _stems(word[:-3]) if verb in verbs and gerund(verb) == word), "")
    if word.endswith("s"):
        stems = (word[:-1], word[:-2], f"{word[:-3]}y")
        return next((verb for verb in stems if verb in verbs and third_person(verb) == word), "")
    return ""


def participle_of(word: str, verbs: Collection[str]) -> str:
    """The verb among *verbs* whose participle a word is; empty if it is of none."""
    return next((verb for verb in verbs if word in (participle(verb), _ALSO.get(participle(verb)))), "")


def _stems(stem: str) -> tuple[str, ...]:
    return stem, f"{stem}e", stem[:-1], f"{stem[:-1]}ie"


def _doubled(verb: str) -> str:
    """A verb with its last letter doubled where its endings double it: "chop" is "chopp-"."""
    short = sum(letter in _VOWELS for letter in verb) == 1
    ends = len(verb) > 2 and verb[-1] not in f"{_VOWELS}wxy" and verb[-2] in _VOWELS
    return verb + verb[-1] if short and ends else verb
