"""Executors that a skill file can name by a word."""

from __future__ import annotations

from foretree.planning.plan import Action
from foretree.skills.executors.base import arguments_of, targets_of
from foretree.skills.robot import End, Execution, LookRequest, Order, Outcome, Robot
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.belief import Snapshot


class OrderExecutor:
    """Gives the robot one order, aimed at what the belief says of the action's arguments.

    With ``by_name: true`` among the skill's parameters the order also carries the bare ``arguments``, for
    worlds in which a name is all there is to a thing.
    """

    def begin(
        self, action: Action, skill: Skill, beliefs: Snapshot, robot: Robot, execution_id: str
    ) -> Execution:
        parameters = dict(skill.parameters)
        if parameters.pop("by_name", False):
            parameters["arguments"] = list(action.arguments)
        hands = (name for parameter, name in arguments_of(action, skill) if parameter.type == "hand")
        order = Order(
            skill=skill.order,
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


class _Done:
    def __init__(self, execution_id: str) -> None:
        self.id = execution_id

    def poll(self) -> End | None:
        return End(Outcome.DONE)

    def cancel(self) -> None:
        pass
