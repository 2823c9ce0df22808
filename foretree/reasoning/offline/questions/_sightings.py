"""Answers to when a thing was seen last."""

from __future__ import annotations

from foretree.reasoning.offline.questions._words_of_question import QuestionWords
from foretree.world_model.beliefs.facts import BY_ACTION, BY_EYE, WHEREABOUTS, Fact

#: Longer times are told in minutes.
_SECONDS = 90.0


def duration(seconds: float) -> str:
    """Return a time in words."""
    return f"{seconds:.0f} s" if seconds < _SECONDS else f"about {seconds / 60:.0f} min"


def last_seen(question: QuestionWords, name: str) -> str:
    """Return where a thing is, and when it was seen there; if that is not known, when it was seen at all."""
    beliefs = question.beliefs
    placement = beliefs.placement(WHEREABOUTS, name)
    account = question.situation.account
    now = account().now if account is not None else None
    if placement is None:
        seen = [fact for fact in beliefs.facts() if fact.atom[1:2] == (name,) and fact.source in BY_EYE]
        if question.things.room_of(name) is not None:
            return question.place(name)
        unknown = f"I do not know where {name} is."
        if not seen or now is None:
            return unknown
        return f"{unknown} I last saw it {duration(now - max(fact.time for fact in seen))} ago."
    fact = beliefs.fact(placement)
    return f"{question.place(name)}{_since(fact, now)}"


def _since(fact: Fact | None, now: float | None) -> str:
    if fact is None or now is None:
        return ""
    ago = duration(max(0.0, now - fact.time))
    if fact.source in BY_EYE:
        return f" I last saw it there {ago} ago."
    if fact.source == BY_ACTION:
        return f" That comes of what I did {ago} ago."
    return " I was told so, and have not seen it myself."
