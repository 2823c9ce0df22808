"""Sentences that are no plain commands: questions, negations, conditions and the like, told by their words.

None of them is carried out. They are recognised so that the person hears what was not understood, instead of
a guess at single words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from foretree.reasoning import lexicon
from foretree.reasoning.lexicon import Phrase, starts_with


def _phrases(text: str) -> tuple[Phrase, ...]:
    return tuple(tuple(phrase.split()) for phrase in text.split(","))


_STOP = _phrases(
    """stop, halt, abort, cancel, quit, freeze, pause, wait, never mind, nevermind, forget it, hold on,
    hang on, enough"""
)
#: What a request begins with that is put as a question: "could you", "would you please".
_POLITE = _phrases("can you, could you, will you, would you")
_QUESTION = _phrases(
    """what, what's, where, where's, which, who, who's, whose, whom, why, how, is, isn't, are, aren't, am,
    was, were, can, could, may, might, shall, should, will, would"""
)
_DO = frozenset({"do", "does", "did", "has", "have", "had"})
_SUBJECTS = frozenset(
    {"i", "you", "we", "they", "he", "she", "there", "anybody", "anyone", "somebody", "someone"}
)
_NOT = _phrases(
    """no, not, don't, dont, doesn't, didn't, never, without, neither, nor, nothing, nowhere, none, nobody,
    can't, cannot, couldn't, won't, wouldn't, shouldn't, mustn't, isn't, aren't, avoid, refrain, instead of,
    rather than"""
)
_EXCEPT = _phrases("except, excluding, but, besides, other than, apart from, aside from, all but")
_CONDITION = _phrases(
    "if, unless, until, till, when, whenever, while, once, before, after, else, otherwise, in case,"
    "as soon as, as long as, provided, because, since"
)
_CHOICE = _phrases("or, either")
_AGAIN = _phrases(
    "twice, thrice, times, time, repeatedly, always, forever, keep, continuously, constantly, often"
)
_TIME = re.compile(
    r"seconds|(minute|hour|day|week|month)s?|o'clock|tomorrow|tonight|today|yesterday|later|soon|daily|weekly|noon|"
    r"midnight|morning|afternoon|evening|night|(mon|tues|wednes|thurs|fri|satur|sun)day"
)


def what_it_is_instead(
    tokens: Sequence[str], asked: bool, known: Collection[str], openings: Collection[str]
) -> str | None:
    """What an instruction is if it is no plain command, as a sentence with what to say instead; else None.

    Args:
        tokens: its words.
        asked: whether it ends with a question mark.
        known: the words that the skills' forms are made of; such a word is no sign of anything.
        openings: the words that commands begin with.
    """
    start = _begin(tokens)
    if start >= len(tokens):
        return None
    stop = next((p for p in _STOP if starts_with([*tokens], start, p)), None)
    if stop is not None and (len(stop) > 1 or stop[0] not in known):
        return (
            f'"{" ".join(stop)}" is no task, so nothing was begun. A run that goes on is ended with Ctrl-C, '
            "or with `foretree stop last` from another terminal."
        )
    first = tokens[start]
    polite = any(starts_with([*tokens], at, phrase) for at in range(start + 1) for phrase in _POLITE)
    subject = tokens[start + 1] if start + 1 < len(tokens) else ""
    inverted = (first,) in _QUESTION or (first == "when" and asked) or (first in _DO and subject in _SUBJECTS)
    if first not in openings and not polite and (inverted or asked):
        return (
            "That is a question. Questions are not understood yet, only commands, "
            'such as "bring me the mug". `foretree plan` says what a command would do.'
        )
    found = _Finder(tokens, known)
    if sign := found(_NOT):
        return (
            f'What shall not be done or be so ("{sign}") is not understood yet, so nothing is done. '
            "Say only what shall be done."
        )
    if sign := found(_EXCEPT):
        return f'Exceptions ("{sign}") are not understood yet. Name the things that are meant, one by one.'
    if sign := found(_CONDITION):
        return (
            f'Conditions, reasons and moments ("{sign}") are not understood yet. Say what shall be done now, '
            'in any case; what follows on it is said with "then".'
        )
    if sign := found(_CHOICE):
        return f'A choice ("{sign}") is not understood yet. Name one, or say "any" if any will do.'
    if sign := found(_AGAIN):
        return (
            f'How often or how long something is done ("{sign}") is not understood yet. Say what to do once.'
        )
    moment = next((token for token in tokens if _TIME.fullmatch(token) and token not in known), None)
    if moment is not None:
        return f'When something is done ("{moment}") is not understood yet. What is said is done at once.'
    return None


def is_foreign(tokens: Sequence[str], unknown: Collection[int]) -> bool:
    """Whether so little of a sentence is known that it is probably in another language."""
    words = [token for token in tokens if token not in lexicon.CONNECTIVES]
    strange = any(not token.isascii() for token in tokens)
    return len(words) >= 3 and len(unknown) >= (0.4 if strange else 0.7) * len(words)


def _begin(tokens: Sequence[str]) -> int:
    """The first word that is neither a connective nor politeness."""
    at = 0
    while at < len(tokens):
        after = lexicon.skip_fillers([*tokens], at)
        if after < len(tokens) and tokens[after] in lexicon.CONNECTIVES:
            after += 1
        if after == at:
            break
        at = after
    return at


class _Finder:
    """Finds the first of some phrases in the words, where it is not one of the skills' own."""

    def __init__(self, tokens: Sequence[str], known: Collection[str]) -> None:
        self._tokens = [*tokens]
        self._known = known

    def __call__(self, phrases: Iterable[Phrase]) -> str | None:
        for at in range(len(self._tokens)):
            for phrase in phrases:
                own = len(phrase) == 1 and phrase[0] in self._known
                if starts_with(self._tokens, at, phrase) and not own:
                    return " ".join(phrase)
        return None
