"""Executing by a look."""

from __future__ import annotations

from foretree.planning.plan import Action
from foretree.skills.executors.base import targets_of
from foretree.skills.robot import Execution, LookRequest, Robot
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.belief import Snapshot


class LookExecutor:
    """A look at the action's targets; what it sees reaches the belief as any observation does."""

    def begin(
        self, action: Action, skill: Skill, beliefs: Snapshot, robot: Robot, execution_id: str
    ) -> Execution:
        at = tuple(targets_of(action, skill, beliefs, robot).values())
        return robot.look(LookRequest(at=at, why=skill.says), execution_id)
