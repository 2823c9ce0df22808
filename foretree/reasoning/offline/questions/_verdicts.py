"""Answers to yes-or-no questions about one thing or several."""

from __future__ import annotations

from collections.abc import Mapping

from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.questions._words_of_question import QuestionWords
from foretree.world_model.beliefs.facts import Truth

#: With more things than that, those alike are named together.
_MOST_APART = 3


def be(names: tuple[str, ...]) -> str:
    """Return the verb for so many things."""
    return "are" if len(names) > 1 else "is"


def verdict(phrase: NounPhrase, truths: Mapping[str, Truth], words: str) -> str:
    """Return whether the things that a phrase means are as *words* say, by the truth for each."""
    yes, no, unknown = (
        tuple(name for name, truth in truths.items() if truth is one)
        for one in (Truth.TRUE, Truth.FALSE, Truth.UNKNOWN)
    )
    if phrase.picks in ("a", "some") and (not phrase.plural or phrase.determined):
        return _any(phrase, yes, unknown, words)
    if phrase.picks == "all" and len(truths) > 1:
        return _all(yes, no, unknown, words)
    if len(truths) > _MOST_APART:
        return _together(yes, no, unknown, words)
    return " ".join(is_so(name, words, truth) for name, truth in truths.items())


def is_so(name: str, words: str, truth: Truth) -> str:
    """Return whether one thing is so."""
    if truth is Truth.UNKNOWN:
        return f"I do not know whether {name} is {words}."
    return f"Yes, {name} is {words}." if truth is Truth.TRUE else f"No, {name} is not {words}."


def _any(phrase: NounPhrase, yes: tuple[str, ...], unknown: tuple[str, ...], words: str) -> str:
    if yes:
        return f"Yes: {QuestionWords.listed(yes)}."
    known = f"I know of no {QuestionWords.noun(phrase, 1)} that is {words}."
    return f"{known} I cannot tell of {QuestionWords.listed(unknown)}." if unknown else known


def _all(yes: tuple[str, ...], no: tuple[str, ...], unknown: tuple[str, ...], words: str) -> str:
    rest = f" I do not know whether {QuestionWords.listed(unknown)} {be(unknown)}." if unknown else ""
    if no:
        return f"No: {QuestionWords.listed(no)} {be(no)} not {words}.{rest}"
    if not yes:
        return f"I do not know whether any of them is {words}."
    return f"{'Yes' if not unknown else 'As far as I know'}: {QuestionWords.listed(yes)} {be(yes)}.{rest}"


def _together(yes: tuple[str, ...], no: tuple[str, ...], unknown: tuple[str, ...], words: str) -> str:
    said = [f"{QuestionWords.listed(yes)} {be(yes)} {words}."] if yes else []
    said += [f"{QuestionWords.listed(no)} {be(no)} not {words}."] if no else []
    said += [f"I do not know about {QuestionWords.listed(unknown)}."] if unknown else []
    return " ".join(said)
