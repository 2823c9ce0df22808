"""The leaf that understands: instruction → goal."""

from __future__ import annotations

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.behaviours.mission import Mission
from foretree.behaviours.runtime import Runtime
from foretree.errors import ForetreeError
from foretree.planning.syntax import show
from foretree.reasoning import Reasoner, Situation


class Understand(Behaviour):
    """Has the reasoner turn the instruction into a goal, unless a goal was given.

    Fails when the instruction is not understood; nothing has moved then.
    """

    def __init__(self, runtime: Runtime, mission: Mission, reasoner: Reasoner) -> None:
        super().__init__(name="understand")
        self._runtime = runtime
        self._mission = mission
        self._reasoner = reasoner

    def update(self) -> Status:
        mission = self._mission
        if mission.goal is None:
            runtime = self._runtime
            situation = Situation(
                ontology=runtime.catalogue.ontology,
                domain=runtime.catalogue.domain,
                forms=tuple(form for skill in runtime.catalogue.skills.values() for form in skill.forms),
                beliefs=runtime.belief.snapshot(),
            )
            try:
                understood = self._reasoner.understand(mission.instruction, situation)
            except ForetreeError as error:
                mission.refusal = error
                mission.reason = self.feedback_message = str(error)
                return Status.FAILURE
            mission.goal = understood.goal
            mission.how = understood.sentence
        self._runtime.recorder.record("goal.set", goal=show(mission.goal), how=mission.how)
        self.feedback_message = show(mission.goal)
        return Status.SUCCESS
