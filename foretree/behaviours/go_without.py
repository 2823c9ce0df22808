"""Leaves for what is missing and cannot be found: another thing instead, or as much as can be done."""

from __future__ import annotations

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.context import AgentContext
from foretree.agent.mission import Mission
from foretree.agent.tools.parts import GoalParts
from foretree.agent.tools.substitution import Substitution
from foretree.planning.pddl.syntax import show


class SuggestAlternative(Behaviour):
    """Takes another thing in place of a missing one: it is in the goal from then on.

    Fails when nothing would do.
    """

    def __init__(self, context: AgentContext, mission: Mission, substitution: Substitution) -> None:
        super().__init__(name="suggest an alternative")
        self._context = context
        self._mission = mission
        self._substitution = substitution

    def update(self) -> Status:
        mission, recorder = self._mission, self._context.recorder
        found = self._substitution.best()
        if found is None:
            return Status.FAILURE
        mission.goal = found.goal
        mission.wanted = tuple(name for name in mission.wanted if name != found.missing)
        mission.accepted.append((found.missing, found.alternative.thing))
        self.feedback_message = f"takes {found.words}: {found.alternative.why}"
        recorder.record("agent.chose", tool="alternative", why=self.feedback_message)
        mission.how = f"{mission.how}, with {found.words}" if mission.how else f"with {found.words}"
        recorder.record("goal.set", goal=show(mission.goal), how=mission.how)
        return Status.SUCCESS


class ChoosePart(Behaviour):
    """Chooses as much of the goal as can be reached, and makes it the subgoal. Fails when that is nothing."""

    def __init__(self, context: AgentContext, mission: Mission, parts: GoalParts) -> None:
        super().__init__(name="choose a part")
        self._context = context
        self._mission = mission
        self._parts = parts

    def update(self) -> Status:
        mission = self._mission
        part = self._parts.best()
        if part is None:
            return Status.FAILURE
        mission.parts.append(part.goal)
        mission.subgoal = part.goal
        left = "; ".join(f"{left.words}: {left.why.rstrip('.')}" for left in part.left_out)
        mission.reason = f"Left out: {left}."
        self.feedback_message = f"does {show(part.goal)}; leaves out {left}"
        self._context.recorder.record("agent.chose", tool="partial", why=self.feedback_message)
        return Status.SUCCESS
