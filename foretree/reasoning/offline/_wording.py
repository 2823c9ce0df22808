"""Wording of messages about things."""

from __future__ import annotations

import re
from collections.abc import Iterable

from foretree.world_model.beliefs.facts import Atom, hand_of


def describe_placement(placement: Atom) -> str:
    """The place of a thing, in a few words."""
    hand = hand_of(placement)
    if hand is not None:
        return f"in {hand[1]}"
    return " ".join((placement[0].replace("_", " "), *placement[2:]))


def describe_misfit(affordance: str) -> str:
    """The lack of a property, whose name is a noun, an adjective, a verb, or begins with "has"."""
    words = affordance.replace("_", " ")
    if words.startswith("has "):
        return f"has no {words[4:]}"
    if words.endswith(("able", "ible", "small")):
        return f"is not {words}"
    if re.search(r"[^su]s$", words):
        return f"{words} nothing"
    return f"is no {words}"


def with_article(noun: str) -> str:
    """A noun with its indefinite article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def conjoined(words: Iterable[str]) -> str:
    """*words* as a list in a sentence: one, two and three."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def either(words: Iterable[str]) -> str:
    """*words* as alternatives in a sentence: one, two or three."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last
