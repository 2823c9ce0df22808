"""The executor protocol, the executors that a skill file can name by a word, and the targets of an action."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from foretree.config import ConfigError
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import Typed
from foretree.planning.plan import Action
from foretree.skills.robot import End, Execution, LookRequest, Order, Outcome, Robot, Target
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
        # A parameter without a role is one that only planning needs.
        role = skill.roles.get(parameter.name[1:]) if skill.roles else parameter.name[1:]
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
    holds = (hand for hand in robot.hands if beliefs.truth(holding((robot.name, hand), name)) is Truth.TRUE)
    return Target(entity.classes, entity.pose, entity.features, next(holds, None), entity.extent)


class OrderExecutor:
    """Gives the robot one order, aimed at what the belief says of the action's arguments.

    With ``by_name: true`` among the skill's parameters the order also carries the bare ``arguments``, for
    worlds in which a name is all there is to a thing. With ``partner: SKILL`` among them, the action is one
    of two robots: each gets an order with its own hand, and that of the other one is to use SKILL.
    """

    def begin(
        self, action: Action, skill: Skill, beliefs: Snapshot, robot: Robot, execution_id: str
    ) -> Execution:
        parameters = dict(skill.parameters)
        if parameters.pop("by_name", False):
            parameters["arguments"] = list(action.arguments)
        hands = (name for parameter, name in arguments_of(action, skill) if parameter.type == "hand")
        does, partner = skill.order, parameters.pop("partner", None)
        if partner is not None:
            hands = (name for name in [*hands] if name in robot.hands)
            first = next(name for parameter, name in arguments_of(action, skill) if parameter.type == "robot")
            does = does if robot.name == first else str(partner)
        order = Order(
            skill=does,
            targets=targets_of(action, skill, beliefs, robot),
            hand=next(hands, None),
            parameters=parameters,
            other_hand=next(hands, None),
        )
        return robot.start(order, execution_id)


class LookExecutor:
    """Has the robot look at the action's targets; what it sees reaches the belief as any observation does."""

    def begin(
        self, action: Action, skill: Skill, beliefs: Snapshot, robot: Robot, execution_id: str
    ) -> Execution:
        at = tuple(targets_of(action, skill, beliefs, robot).values())
        return robot.look(LookRequest(at=at, why=skill.says), execution_id)


class InstantExecutor:
    """Is done at once, without the robot: for actions that only change what the agent takes note of."""

    def begin(
        self, action: Action, skill: Skill, beliefs: Snapshot, robot: Robot, execution_id: str
    ) -> Execution:
        return _Done(execution_id)


@dataclass
class _Done:
    id: str

    def poll(self) -> End | None:
        return End(Outcome.DONE)

    def cancel(self) -> None:
        pass
