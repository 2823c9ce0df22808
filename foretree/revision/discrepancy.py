"""Discrepancies: where expectation and belief disagree."""

from __future__ import annotations

import re
from dataclasses import dataclass

from foretree.planning.plan import Action
from foretree.revision.expectation import Expectation, say_atom, say_facts
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Fact, Truth

#: What is seen instead where no thing can be named: only together with what is expected do they say anything.
UNSURE = "that cannot be made sure"
UNKNOWN = "nothing is known about it"


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """An expectation that the belief contradicts, or an action that failed.

    Attributes:
        id: unique in the session (``d3``).
        action: the action it concerns; None when it is the goal that is missed at the end.
        guard: which guard found it; ``failure`` when an action failed, ``goal`` at the end of the plan;
            ``wish`` when the person wants something else; ``hold`` when the robot was stopped from outside.
        expected: what should have been, in words.
        seen: what is believed instead, in words.
        version: of the belief that disagrees.
        facts: what was believed that decided it.
        expectation: the expectation, when it came from one.
        doubted: whether it is not refuted but only in doubt, and looking could not settle it.
        optional: whether the plan is still good as it is: something better has come into view.
        part: the guard whose business it is: at the end of the plan, what is missed of the goal; and of an
            action that failed, what the robot has seen. Empty if it is none's.
    """

    id: str
    action: Action | None
    guard: str
    expected: str
    seen: str
    version: int
    facts: tuple[Fact, ...] = ()
    expectation: Expectation | None = None
    doubted: bool = False
    optional: bool = False
    part: str = ""

    @property
    def sentence(self) -> str:
        """The whole of it in a sentence."""
        if self.guard == "failure":
            return f"{self.action} failed: {self.seen.rstrip('.')}."
        if self.optional:
            return f"{self.action} is meant for {self.expected}, but {self.seen}, which is nearer."
        if self.guard in ("wish", "hold"):
            return f"{self.seen.rstrip('.')}."
        if self.action is None:
            return f"The plan is through, but {self.seen}."
        if self.expectation is not None and self.expectation.purpose:
            return f"{self.action} is not needed: {self.seen}."
        return f"{self.action} expects {self.expected}, but {self.seen}."

    @property
    def summary(self) -> str:
        """The discrepancy as a person would say it: "mango1 is now on table2"."""
        seen = self.seen.rstrip(".")
        if self.guard == "failure":
            return f"{self.action} failed: {seen}"
        if self.optional:
            return f"{seen}, which is nearer"
        if self.guard in ("wish", "hold"):
            return seen
        if self.action is None:
            return f"the plan is through, but {seen}"
        if seen in (UNSURE, UNKNOWN):
            return self.sentence.rstrip(".")
        if self.expectation is not None and self.expectation.purpose:
            return f"{seen} already"
        if self.guard == "appearance":
            return seen
        return re.sub(r"^(\w+) is (?!not )", r"\1 is now ", seen)


def describe_seen(facts: tuple[Fact, ...], beliefs: Snapshot) -> str:
    """Return what is believed instead; of a thing that is not where it should be, where it is."""
    told: dict[str, None] = {}
    for fact in facts:
        key = beliefs.vocabulary.group_key(fact.atom)
        actual = beliefs.placement(*key) if key is not None and fact.truth is not Truth.TRUE else None
        told[say_atom(actual) if actual is not None else say_facts((fact,))] = None
    return ", ".join(told) or UNKNOWN
