"""Suites of language cases: what a person says, and what they mean by it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from foretree.errors import suggest
from foretree.planning.pddl.syntax import Formula
from foretree.regression.core.selection import SuiteError, chosen
from foretree.regression.core.variants import AgentVariant, revised_by
from foretree.regression.core.wordings import Half
from foretree.simulation.household.scene import Scene

#: What a careful helper does: reaches a goal, asks which of several is meant, refuses, or answers.
Wanted: TypeAlias = Literal["reaches", "asks", "refuses", "answers"]

#: Why it refuses.
Because: TypeAlias = Literal["impossible", "unsafe", "missing", "unclear"]

#: The tools that an agent can call.
Tool: TypeAlias = Literal["plan", "partial", "explore", "alternative", "ask"]


#: Parts that can be left out, with the settings that do so.
ABLATIONS: Mapping[str, Mapping[str, str]] = {
    "affordances": {"alternatives": "similar"},
    "corrections": {"goal_corrections": "0"},
}


@dataclass(frozen=True, kw_only=True)
class SpokenCase(ABC):
    """Something that a person says, and where it is from.

    Attributes:
        name: unique in its suite.
        say: what the person says.
        family: the group of cases that it belongs to, if the suite has any.
        half: when it was written.
    """

    name: str
    say: str
    family: str = ""
    half: Half = "open"

    @property
    @abstractmethod
    def wanted(self) -> str:
        """The response that it should have, in a word."""


@dataclass(frozen=True, kw_only=True)
class InstructionCase(SpokenCase):
    """Something that is said in a scene, which a session is run with.

    Attributes:
        scene: where, with no noise and nothing that goes wrong; the agent knows what the case says it knows.
        outcome: what a careful helper does.
        goal: the weakest condition on the final state under which the person is content; None where nothing
            is to be reached.
        readings: the goals between which the person has to be asked.
        because: why it is to be refused.
        answer: words that must occur in the answer.
        nothing: whether nothing has to be done: the goal holds from the start.
        calls: the least number of calls of each tool; empty where they are not counted.
        left_out: the part of what is asked that cannot be done, in words.
    """

    scene: Scene
    outcome: Wanted = "reaches"
    goal: Formula | None = None
    readings: tuple[Formula, ...] = ()
    because: Because | None = None
    answer: tuple[str, ...] = ()
    nothing: bool = False
    calls: Mapping[Tool, int] | None = None
    left_out: str = ""

    @property
    def wanted(self) -> str:
        """Outcome that it should come to."""
        return self.outcome


@dataclass(frozen=True, kw_only=True)
class SubstitutionCase(SpokenCase):
    """Something that is said where a thing that it needs is missing: which other thing would do?

    Attributes:
        things: the classes of what is there.
        missing: the class of what is not.
        alternatives: those of the things that a sensible person would accept.
    """

    things: tuple[str, ...]
    missing: str
    alternatives: tuple[str, ...]

    @property
    def wanted(self) -> str:
        """Outcome that it should come to."""
        return "suggests"


@dataclass(frozen=True)
class LanguageTrial:
    """One case to be tried in one variant."""

    number: int
    case: str
    variant: str


@dataclass(frozen=True)
class LanguageSuite:
    """Cases, and the variants of the agent they are tried with, both by name.

    Attributes:
        frozen_at: the commit that brought the frozen half, where that is said.
        served: the variants that ask a model server, with the kind of garbage that it mixes in.
    """

    name: str
    cases: Mapping[str, SpokenCase]
    variants: Mapping[str, AgentVariant]
    says: str = ""
    agent: str = "default"
    frozen_at: str = ""
    served: Mapping[str, str] = field(default_factory=dict)

    def trials(self) -> tuple[LanguageTrial, ...]:
        """The trials: each case in each variant. What is no instruction is not understood by a model."""
        pairs = (
            (name, variant)
            for name, case in self.cases.items()
            for variant in self.variants
            if variant not in self.served or isinstance(case, InstructionCase)
        )
        return tuple(LanguageTrial(number, case, variant) for number, (case, variant) in enumerate(pairs))

    def only(self, cases: Iterable[str] = (), variants: Iterable[str] = ()) -> LanguageSuite:
        """The suite with these cases and variants only; an empty choice leaves all.

        Raises:
            SuiteError: there is none of that name.
        """
        return replace(
            self,
            cases=chosen("case", self.name, self.cases, cases),
            variants=chosen("variant", self.name, self.variants, variants),
        )

    def served_by(self, variants: Mapping[str, AgentVariant]) -> LanguageSuite:
        """The suite with variants that ask a model server, instead of its own; none leaves all."""
        return (
            replace(self, variants=variants, served={kind: kind for kind in variants}) if variants else self
        )

    def ablated(self, parts: Iterable[str]) -> LanguageSuite:
        """The suite with each variant without each of these parts besides; none leaves it as it is.

        Raises:
            SuiteError: there is no such part.
        """
        found, served = dict(self.variants), dict(self.served)
        for part in dict.fromkeys(parts):
            if part not in ABLATIONS:
                raise SuiteError(
                    f"Of a language suite {part!r} cannot be left out. {suggest(part, ABLATIONS)}"
                )
            for variant in self.variants.values():
                name = f"{variant.name} without {part}"
                settings = {**variant.settings, **ABLATIONS[part]}
                found[name] = replace(variant, name=name, settings=settings)
                if variant.name in self.served:
                    served[name] = self.served[variant.name]
        return replace(self, variants=found, served=served)

    def revised_by(self, revisers: Iterable[str]) -> LanguageSuite:
        """The suite with another reviser chain in each variant that revises plans.

        Raises:
            ConfigError: there is no such reviser.
        """
        return replace(self, variants=revised_by(self.agent, self.variants, revisers))
