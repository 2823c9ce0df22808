"""Executing by one order to the robot."""

from __future__ import annotations

from foretree.planning.plan import Action
from foretree.skills.executors.base import arguments_of, targets_of
from foretree.skills.robot import Execution, Order, Robot
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.belief import Snapshot


class OrderExecutor:
    """One order to the robot, aimed at what the belief says of the action's arguments.

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
