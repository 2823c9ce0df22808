"""Causes of failures: the first part that, had it been right, would have made the attempt a success."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from foretree.planning.pddl.syntax import Formula, literals_of
from foretree.reasoning.retrieval.retriever import Hit, Retrieved, first_of_each
from foretree.regression.words._attempt import SpokenTask, WordsAttempt
from foretree.regression.words.suite import Failure
from foretree.simulation.household.scene import Scene


def find_failure(spoken: SpokenTask, attempt: WordsAttempt, found: Retrieved, seen: Scene) -> Failure:
    """The part that is to blame for an attempt that is no success.

    It is tried again with one part after the other made right: with the nodes that the task needs, with the
    scene as it is, and with the person's goal.

    Args:
        spoken: what was attempted.
        attempt: what came of it.
        found: what was retrieved.
        seen: how everything looked.
    """
    complete = _completed(found, spoken.needed)
    if complete != found and spoken.attempt(complete, seen).done:
        return "retrieval"
    if seen != spoken.scene and any(spoken.attempt(one, spoken.scene).done for one in (found, complete)):
        return "perception"
    if spoken.attempt(complete, spoken.scene, spoken.task.goal).done:
        return "grounding" if _same_form(attempt.goal, spoken.task.goal) else "misunderstanding"
    return "planning"


def _completed(found: Retrieved, needed: Iterable[str]) -> Retrieved:
    hits = (*found.hits, *(Hit(node, "the task needs it") for node in sorted(needed)))
    return replace(found, hits=first_of_each(hits))


def _same_form(goal: Formula | None, meant: Formula) -> bool:
    """True if a goal says of some things all that the one that is *meant* says of its things."""
    return goal is not None and not _form(meant) - _form(goal)


def _form(goal: Formula) -> Counter[tuple[str, bool]]:
    return Counter((literal.atom[0], literal.positive) for literal in literals_of(goal))
