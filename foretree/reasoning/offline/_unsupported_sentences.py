"""Sentences that are no plain commands: questions, negations, conditions and the like, told by their words.

None of them is carried out. They are recognised so that the person hears what was not understood, instead of
a guess at single words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.lexicon import Phrase, starts_with


def _phrases(text: str) -> tuple[Phrase, ...]:
    return tuple(tuple(phrase.split()) for phrase in text.split(","))


_STOP = _phrases(
    """stop, halt, abort, cancel, quit, freeze, pause, wait, never mind, nevermind, forget it, enough"""
)
#: Said alone they are such, else commands: "hold on to the mug".
_STOP_ALONE = _phrases("hold on, hang on")
#: What a request begins with that is put as a question: "could you", "would you please".
_POLITE = _phrases("can you, could you, will you, would you")
#: What asks wherever it stands: "tell me where the milk is", "wash what is on the table".
_ASKING = _phrases(
    "what, what's, whatever, where, where's, wherever, who, whoever, whose, whom, why, how, whether"
)
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
    "again, twice, thrice, times, time, repeatedly, always, forever, keep, continuously, constantly, often"
)
_TIME = re.compile(
    r"seconds|(minute|hour|day|week|month)s?|o'clock|tomorrow|tonight|today|yesterday|later|soon|daily|weekly|noon|"
    r"midday|midnight|weekend|hourly|\d+[ap]m|morning|afternoon|evening|night|(mon|tues|wednes|thurs|fri|satur|sun)day"
)


def explain_unsupported(
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
    for at in _begins(tokens, start):
        stop = next((p for p in _STOP if starts_with([*tokens], at, p)), None)
        stop = stop or next((p for p in _STOP_ALONE if _is_all(tokens, at, p)), None)
        if stop is not None and (len(stop) > 1 or stop[0] not in known):
            return (
                f'"{" ".join(stop)}" is no task, so nothing was begun. A run that goes on is ended with '
                "Ctrl-C, or with `foretree stop last` from another terminal."
            )
    first = tokens[start]
    polite = any(starts_with([*tokens], at, phrase) for at in range(start + 1) for phrase in _POLITE)
    subject = tokens[start + 1] if start + 1 < len(tokens) else ""
    said_of_somebody = start > 0 and tokens[start - 1] in _SUBJECTS
    inverted = (
        ((first,) in _QUESTION and not said_of_somebody)
        or (first == "when" and asked)
        or (first in _DO and subject in _SUBJECTS)
    )
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
    if sign := found(_ASKING):
        return (
            f'What is to be found out ("{sign}") is not understood yet. Name the things that are meant, '
            "and say what shall be done with them."
        )
    if sign := found(_CHOICE):
        return f'A choice ("{sign}") is not understood yet. Name one, or say "any" if any will do.'
    if sign := found(_AGAIN):
        return (
            f'How often or how long something is done ("{sign}") is not understood yet. Say what to do once.'
        )
    if moment := _moment(tokens, known):
        return f'When something is done ("{moment}") is not understood yet. What is said is done at once.'
    return None


def _moment(tokens: Sequence[str], known: Collection[str]) -> str:
    """The first word that says when something is done; empty if there is none."""
    for before, token in zip(("", *tokens), tokens, strict=False):
        of_a_clock = token in ("am", "pm") and before[:1].isdigit()  # "I am" is no time
        if token not in known and (of_a_clock or _TIME.fullmatch(token)):
            return token
    return ""


def is_foreign(tokens: Sequence[str], unknown: Collection[int]) -> bool:
    """Whether so little of a sentence is known that it is probably in another language."""
    words = [token for token in tokens if token not in lexicon.CONNECTIVES]
    strange = any(not token.isascii() for token in tokens)
    return len(words) >= 3 and len(unknown) >= (0.4 if strange else 0.7) * len(words)


def _begins(tokens: Sequence[str], start: int) -> Iterator[int]:
    """Where commands may begin: at the first word, and after each connective."""
    yield start
    for at in range(start + 1, len(tokens)):
        if tokens[at - 1] in lexicon.CONNECTIVES and tokens[at] not in lexicon.CONNECTIVES:
            yield _begin(tokens, at)


def _is_all(tokens: Sequence[str], at: int, phrase: Phrase) -> bool:
    """Whether a phrase at a position is all that is said until the next connective."""
    end = lexicon.skip_fillers([*tokens], at + len(phrase))
    return starts_with([*tokens], at, phrase) and (end == len(tokens) or tokens[end] in lexicon.CONNECTIVES)


def _begin(tokens: Sequence[str], at: int = 0) -> int:
    """The first word from *at* on that is neither a connective nor politeness."""
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
