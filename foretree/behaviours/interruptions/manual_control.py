"""The decorator that leaves the robot to a person for a while, and takes it back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from foretree.agent.context import AgentContext
from foretree.agent.look import Look
from foretree.agent.mission import Mission
from foretree.world_model.beliefs.facts import BY_ACTION, BY_EYE

#: What was seen or done before a person had the robot is believed no more than this.
_DOUBT = 0.6


class ManualSwitch(Protocol):
    """What says who has the robot.

    Attributes:
        taken: whether a person has it, or wants it.
    """

    taken: bool


class ManualControl(Decorator):
    """Lets its child work until a person takes the robot over by hand, and again once it is given back.

    To be taken over, the child is stopped: what runs is cancelled, and nothing begins. Meanwhile ticks go on,
    so that what is seen and felt keeps the belief up to date. Once the robot is given back, what was believed
    of the world is in doubt: it has aged, the robot looks around, and the child plans anew for the same goal.

    Args:
        child: what works.
        context: the shared ground.
        mission: what the child works for.
        switch: says who has the robot.
    """

    def __init__(
        self, child: Behaviour, context: AgentContext, mission: Mission, switch: ManualSwitch
    ) -> None:
        super().__init__(name="manual control", child=child)
        self._context = context
        self._mission = mission
        self._switch = switch
        self._look = Look(context)
        self._held_before = False
        #: Whether the child does not work: a person has the robot, or it has not looked around since.
        self.engaged = False

    @property
    def handed_over(self) -> bool:
        """True while a person has the robot, and all that ran has ended."""
        return self.engaged and self._switch.taken and not self._context.team.alive()

    def tick(self) -> Iterator[Behaviour]:
        if self._switch.taken and not self.engaged:
            self._hand_over()
        if self.engaged and not self._taken_back():
            self.status = Status.RUNNING
            yield self
            return
        yield from self.decorated.tick()
        status = self.decorated.status
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def update(self) -> Status:
        return self.decorated.status

    def _hand_over(self) -> None:
        context = self._context
        if self.decorated.status is Status.RUNNING:
            self.decorated.stop(Status.INVALID)
        self.engaged, self._held_before, context.on_hold = True, context.on_hold, True
        context.recorder.record("log", text="A person takes the robot over.")

    def _taken_back(self) -> bool:
        """Take the robot back as soon as it is given; returns whether the child may work."""
        context = self._context
        if self._switch.taken:
            self._look.request_end()
            waits = context.team.alive()
            self.feedback_message = "waits until the robot has stopped" if waits else "a person has the robot"
            return False
        if not self._look.under_way:
            age_beliefs(context)
            begun = self._look.begin((), "has been given back")
            self.feedback_message = "looks around" if begun else self._look.waits
            return False
        if not self._look.poll():
            return False
        self.engaged, context.on_hold, self.feedback_message = False, self._held_before, ""
        self._mission.begin_anew()
        context.recorder.record("log", text="The robot was given back: its plan is made anew.")
        return True

    def terminate(self, new_status: Status) -> None:
        if new_status is Status.INVALID:
            self._look.cancel()
            if self.engaged:
                self.engaged, self._context.on_hold = False, self._held_before


def age_beliefs(context: AgentContext) -> None:
    """Put in doubt what was seen or done up to now: it is stale, and little of it is certain.

    What is known of the map, and what was told, stays.
    """
    vocabulary, now = context.belief.vocabulary, context.clock.now()
    aged = []
    for fact in context.belief.snapshot().facts():
        info = vocabulary[fact.atom[0]]
        if info.observable and fact.source in (*BY_EYE, BY_ACTION):
            time = fact.time if info.shelf_life is None else min(fact.time, now - info.shelf_life - 1.0)
            aged.append(fact._replace(time=time, confidence=min(fact.confidence, _DOUBT)))
    context.belief.refresh(aged)
