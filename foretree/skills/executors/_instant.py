"""Executing by bookkeeping alone."""

from __future__ import annotations

from foretree.planning.plan import Action
from foretree.skills.robot import End, Execution, Outcome, Robot
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.belief import Snapshot


class InstantExecutor:
    """Done at once, without the robot: for actions that only change what the agent takes note of."""

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
