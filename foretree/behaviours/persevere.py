"""Going on until the goal is reached or honestly given up."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from foretree.behaviours.mission import Mission
from foretree.behaviours.runtime import Runtime
from foretree.planning.semantics import evaluate
from foretree.world_model.facts import Truth


class Persevere(Decorator):
    """Repeats its child until the goal is believed reached; fails when the child fails.

    The child is a choice of tools (plan and carry out, explore …) that succeeds as long as one of them got
    anything done.
    """

    def __init__(self, child: Behaviour, runtime: Runtime, mission: Mission) -> None:
        super().__init__(name="persevere", child=child)
        self._runtime = runtime
        self._mission = mission

    def tick(self) -> Iterator[Behaviour]:
        yield from self.decorated.tick()
        status = self.decorated.status
        if status is Status.SUCCESS and not self._reached():
            self.feedback_message = self._mission.reason
            status = Status.RUNNING
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def update(self) -> Status:
        return self.decorated.status

    def _reached(self) -> bool:
        goal = self._mission.goal
        runtime = self._runtime
        assert goal is not None
        if self._mission.unfound(runtime.belief.snapshot(), runtime.catalogue.domain):
            return False
        return evaluate(goal, runtime.belief.truth, runtime.task.objects) is Truth.TRUE


class GiveUp(Behaviour):
    """Ends the attempt, with the reasons that the tools left.

    Args:
        mission: its reason is what the last tool said.
        other_reason: what else there is to say: why the plan failed.
    """

    def __init__(self, mission: Mission, other_reason: Callable[[], str] = lambda: "") -> None:
        super().__init__(name="give up")
        self._mission = mission
        self._other_reason = other_reason

    def update(self) -> Status:
        reasons = dict.fromkeys(r for r in (self._other_reason(), self._mission.reason) if r)
        self._mission.reason = self.feedback_message = " ".join(reasons)
        return Status.FAILURE
