"""Variants of an agent: the same but for some settings, such as its guards or its revisers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeAlias

from pydantic import Field

from foretree.agent.agent_file import read_agent, setting_as_text
from foretree.file_errors import KeyPath, errors_at
from foretree.revision.expectation import GUARD_NAMES
from foretree.schema import Strict

_Value: TypeAlias = str | int | float | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AgentVariant:
    """A way of carrying out the scenarios of a suite.

    Attributes:
        name: unique in its suite.
        says: what it is, in a few words.
        settings: the agent's settings that differ.
        guards: the guards that are compiled in.
        otherwise: everything else that is set, for telling whether two variants differ in guards only.
    """

    name: str
    says: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    guards: tuple[str, ...] = GUARD_NAMES
    otherwise: str = ""

    @property
    def guarded(self) -> bool:
        """True if all guards are compiled in, so that nothing may begin that is seen to be impossible."""
        return set(GUARD_NAMES) <= set(self.guards)


class VariantEntry(Strict):
    """Entry of a variant in a suite file."""

    says: str = ""
    settings: dict[str, _Value] = Field(default_factory=dict)


def read_variants(path: Path, agent: str, entries: Mapping[str, VariantEntry]) -> dict[str, AgentVariant]:
    """The variants that a suite file lists.

    Raises:
        ConfigError: a setting makes no sense; with the file and the line.
    """
    found = {}
    for name, entry in entries.items():
        settings = {key: setting_as_text(value) for key, value in entry.settings.items()}
        where: KeyPath = ("variants", name, "settings")
        for key, value in settings.items():
            with errors_at(path, (*where, key)):
                read_agent(agent, {key: value})
        with errors_at(path, where):
            found[name] = variant_of(agent, name, entry.says, settings)
    return found


def variant_of(agent: str, name: str, says: str, settings: Mapping[str, str]) -> AgentVariant:
    """The variant of an agent with these settings.

    Raises:
        ConfigError: a setting makes no sense.
    """
    read = asdict(read_agent(agent, settings).settings)
    guards = read.pop("guards")
    return AgentVariant(name, says, settings, guards, repr(sorted(read.items())))


def revised_by(
    agent: str, variants: Mapping[str, AgentVariant], revisers: Iterable[str]
) -> Mapping[str, AgentVariant]:
    """*variants* with another reviser chain in each that revises plans; none named leaves all.

    Raises:
        ConfigError: there is no such reviser.
    """
    given = tuple(revisers)
    if not given:
        return variants
    names = ",".join(given)
    found = {}
    for name, variant in variants.items():
        if read_agent(agent, variant.settings).settings.revisers:
            variant = variant_of(agent, name, variant.says, {**variant.settings, "revisers": names})
        found[name] = variant
    return found


def optimised_for(
    agent: str, variants: Mapping[str, AgentVariant], optimise: str
) -> Mapping[str, AgentVariant]:
    """*variants* whose plans are made by cost, or by success; an empty text leaves all.

    Raises:
        ConfigError: there is no such thing to make plans by.
    """
    if not optimise:
        return variants
    return {
        name: variant_of(agent, name, variant.says, {**variant.settings, "optimise": optimise})
        for name, variant in variants.items()
    }
