"""The readings of an instruction with words that could be any of several things."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from foretree.planning.pddl.syntax import Formula
from foretree.reasoning.instruction_errors import AmbiguousError, InstructionError
from foretree.reasoning.offline.phrases.known_things import conjoined, known_things
from foretree.reasoning.reasoner import Reading, Situation, Understanding

#: Between more readings nobody can choose.
MOST_READINGS = 6


def with_readings(
    understand: Callable[[Situation], Understanding], situation: Situation, ambiguous: AmbiguousError
) -> Understanding | None:
    """Return the understanding with a reading for each thing that may be meant; None if there is none such.

    Args:
        understand: understands the instruction in a situation.
        ambiguous: why it cannot be understood as it is.
    """
    found: list[tuple[Understanding, Mapping[str, str]]] = []
    unsettled = [(situation, ambiguous)]
    while unsettled:
        known, error = unsettled.pop(0)
        many = len(found) + len(unsettled) + len(error.among) > MOST_READINGS
        if many or not error.among or error.words in known.meant:
            return None
        for name in error.among:
            told = replace(known, meant={**known.meant, error.words: name})
            try:
                found.append((understand(told), told.meant))
            except AmbiguousError as further:
                unsettled.append((told, further))
            except InstructionError:
                return None
    first, meant = found[0]
    if any(
        replace(
            one,
            goal=first.goal,
            sentence=first.sentence,
            spoken_of=first.spoken_of,
            constraints=first.constraints,
        )
        != first
        for one, _ in found
    ):
        return None  # They differ in more than their goals.
    shared = tuple(rule for rule in first.constraints if all(rule in one.constraints for one, _ in found))
    readings: dict[Formula, Reading] = {}
    for one, names in found:
        own = tuple(rule for rule in one.constraints if rule not in shared)
        readings.setdefault(one.goal, Reading(one.goal, _told_apart(situation, names), own))
    several = tuple(readings.values()) if len(readings) > 1 else ()
    if not several and first.constraints != shared:
        return None
    sentence = _as_said(first.sentence, meant)
    return replace(first, sentence=sentence, readings=several, spoken_of=(), constraints=shared)


def _told_apart(situation: Situation, meant: Mapping[str, str]) -> str:
    """The things that are meant, with their places."""
    things = known_things(situation)
    return conjoined(
        f"{name} {things.describe_place(name)}" if things.has_place(name) else name for name in meant.values()
    )


def _as_said(sentence: str, meant: Mapping[str, str]) -> str:
    """A sentence with the words that were said in place of the names of the things meant."""
    for words, name in meant.items():
        sentence = re.sub(rf"\b{re.escape(name)}\b", words, sentence)
    return sentence
