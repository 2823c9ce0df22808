"""The executor protocol, and the targets of an action."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from foretree.config import ConfigError
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import Typed
from foretree.planning.plan import Action
from foretree.skills.robot import Execution, Robot, Target
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Truth, holding


class ExecutorError(ConfigError):
    """A skill names a way of executing that does not exist."""


class TargetError(ForetreeError):
    """An action is aimed at something that the belief knows nothing about."""


class Executor(Protocol):
    """A way of executing skills."""

    def begin(
        self, action: Action, skill: Skill, beliefs: Snapshot, robot: Robot, execution_id: str
    ) -> Execution:
        """Tell *robot* to begin with *action*. Called once per attempt, on the tick thread: never blocks.

        Raises:
            TargetError: the belief does not say what the action is aimed at.
            RobotError: the robot refuses, or cannot be told.
        """


def arguments_of(action: Action, skill: Skill) -> Iterator[tuple[Typed, str]]:
    """The action's arguments, each with the parameter that it is for."""
    return zip(skill.operator.parameters, action.arguments, strict=True)


def targets_of(action: Action, skill: Skill, beliefs: Snapshot, robot: Robot) -> dict[str, Target]:
    """Return the targets of *action* as the belief has them, by the role that each plays for the robot.

    The robot and its hands are no targets. Neither is what a skill with ``by_name`` merely names: a world
    made from bare PDDL has no poses and goes by the names themselves.

    Raises:
        TargetError: an argument is no entity of the belief.
    """
    targets = {}
    for parameter, name in arguments_of(action, skill):
        role = _role(skill, parameter)
        if role is None or parameter.type in ("robot", "hand"):
            continue
        target = target_of(name, beliefs, robot)
        if target is not None:
            targets[role] = target
        elif not skill.parameters.get("by_name"):
            raise TargetError(f"{action}: nothing is known about {name!r}, so there is nothing to aim at.")
    return targets


def target_of(name: str, beliefs: Snapshot, robot: Robot) -> Target | None:
    """Return the target for an entity; None if the belief does not have it."""
    entity = beliefs.entity(name)
    if entity is None:
        return None
    held_in = _held_in(name, beliefs, robot)
    return Target(entity.classes, entity.pose, entity.features, held_in, entity.extent)


def _role(skill: Skill, parameter: Typed) -> str | None:
    """Return the robot's name for a parameter; None for one that only planning needs."""
    name = parameter.name[1:]
    return skill.roles.get(name) if skill.roles else name


def _held_in(name: str, beliefs: Snapshot, robot: Robot) -> str | None:
    holds = (hand for hand in robot.hands if beliefs.truth(holding((robot.name, hand), name)) is Truth.TRUE)
    return next(holds, None)
