"""The request for a session, and how it is set up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretree.config import ConfigError

if TYPE_CHECKING:
    from foretree.reasoning.dialogs.dialog import Turn
    from foretree.reasoning.models.model import Reply


@dataclass(frozen=True)
class Wish:
    """An instruction, or a goal in PDDL; the constraints on the way, in PDDL; who wishes it, if known.

    Attributes:
        instruction, goal: what is asked for, in one of both ways.
        constraints: what has to hold on the way.
        by: who wishes it, if that is known.
        hints: what else was said, from which follows where to look for things first.
        dialog: a recorded dialog that the instruction is in, instead of both.
    """

    instruction: str = ""
    goal: str = ""
    constraints: tuple[str, ...] = ()
    by: str = ""
    hints: tuple[str, ...] = ()
    dialog: tuple[Turn, ...] = ()


@dataclass(frozen=True)
class Options:
    """Options of a session in an embedded world.

    Attributes:
        agent: the agent's file.
        overrides: settings that differ from the agent's file, as text.
        changes: values that differ from the scene's and the skills' files, as text, by key:
            ``scene.noise.confusion``, ``skill.pick.retries``.
        faults: the fault script; None for the scene's own.
        seed: decides everything that is left to chance.
        replies: what models have answered already, by the questions' digests; they are not asked again.
    """

    agent: str = "default"
    overrides: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] | None = None
    seed: int = 0
    changes: Mapping[str, str] = field(default_factory=dict)
    replies: tuple[tuple[str, Reply], ...] = ()


def changes_by_file(changes: Mapping[str, str]) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Changes to the scene by key, and changes to skills by name and key.

    Raises:
        ConfigError: a change is to something else.
    """
    in_scene: dict[str, str] = {}
    in_skills: dict[str, dict[str, str]] = {}
    for name, value in changes.items():
        file, _, key = name.partition(".")
        if file == "skill":
            skill, _, key = key.partition(".")
            in_skills.setdefault(skill, {})[key] = value
        elif file == "scene":
            in_scene[key] = value
        if file not in ("scene", "skill") or not key:
            raise ConfigError(
                f"--set {name}: there is nothing to set by that name. Valid: agent.KEY, scene.KEY and "
                "skill.NAME.KEY."
            )
    return in_scene, in_skills
