"""The decorator that leaves the robot to a person for a while, and takes it back."""

from __future__ import annotations

from typing import Protocol

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.context import AgentContext
from foretree.agent.mission import Mission
from foretree.behaviours.interruptions.standing_aside import StandingAside


class ManualSwitch(Protocol):
    """Switch that says who has the robot.

    Attributes:
        taken: whether a person has it, or wants it.
    """

    taken: bool


class ManualControl(StandingAside):
    """Lets its child work until a person takes the robot over by hand, and again once it is given back.

    To be taken over, the child is stopped: what runs is cancelled, and nothing begins.

    Args:
        child: what works.
        context: the shared ground.
        mission: what the child works for.
        switch: says who has the robot.
    """

    looks_because = "has been given back"
    goes_on = "The robot was given back: its plan is made anew."

    def __init__(
        self, child: Behaviour, context: AgentContext, mission: Mission, switch: ManualSwitch
    ) -> None:
        super().__init__("manual control", child, context, mission)
        self._switch = switch

    @property
    def handed_over(self) -> bool:
        """True while a person has the robot, and all that ran has ended."""
        return self.engaged and self._switch.taken and not self._context.team.alive()

    def _reason(self) -> str:
        return "a person has the robot" if self._switch.taken else ""

    def _step_aside(self, reason: str) -> None:
        if self.decorated.status is Status.RUNNING:
            self.decorated.stop(Status.INVALID)
        self._context.recorder.record("log", text="A person takes the robot over.")

    def _waits(self, reason: str) -> str:
        return "waits until the robot has stopped" if reason and self._context.team.alive() else reason
