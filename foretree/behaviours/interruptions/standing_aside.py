"""Base of the decorators that stand aside for a while, and then have the plan made anew."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from foretree.agent.context import AgentContext
from foretree.agent.look import Look
from foretree.agent.mission import Mission
from foretree.world_model.beliefs.facts import BY_ACTION, BY_EYE

#: What was seen or done before it stood aside is believed no more than this.
_DOUBT = 0.6


class StandingAside(Decorator):
    """Lets its child work, except while something else has the robot.

    Ticks go on meanwhile, so that what is seen and felt keeps the belief up to date. Afterwards what was
    believed of the world has aged, the robot looks around, and the child plans anew for the same goal.

    Args:
        name: the node's name.
        child: what works.
        context: the shared ground.
        mission: what the child works for.

    Attributes:
        engaged: whether the child does not work: it stands aside, or has not looked around since.
    """

    #: Why it looks around, and what the record says when it goes on.
    looks_because: ClassVar[str]
    goes_on: ClassVar[str]

    def __init__(self, name: str, child: Behaviour, context: AgentContext, mission: Mission) -> None:
        super().__init__(name=name, child=child)
        self._context = context
        self._mission = mission
        self._look = Look(context)
        self._held_before = False
        self.engaged = False

    @abstractmethod
    def _reason(self) -> str:
        """Return why it is to stand aside now; empty if it is not. Asked at every tick."""

    @abstractmethod
    def _step_aside(self, reason: str) -> None:
        """Have what runs end."""

    @abstractmethod
    def _waits(self, reason: str) -> str:
        """Return what is waited for before it can look around; empty if nothing is."""

    def tick(self) -> Iterator[Behaviour]:
        reason = self._reason()
        if reason and not self.engaged:
            self.engaged, self._held_before, self._context.on_hold = True, self._context.on_hold, True
            self._step_aside(reason)
        if self.engaged and not self._back(reason):
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

    def terminate(self, new_status: Status) -> None:
        if new_status is Status.INVALID:
            self._look.cancel()
            if self.engaged:
                self.engaged, self._context.on_hold = False, self._held_before

    def _back(self, reason: str) -> bool:
        """Return whether the child may work: nothing is waited for, and the robot has looked around."""
        context = self._context
        if reason:
            self._look.request_end()
        if reason or not self._look.under_way:
            self.feedback_message = self._waits(reason)
            if self.feedback_message:
                return False
        if not self._look.under_way:
            if self.decorated.status is Status.RUNNING:
                self.decorated.stop(Status.INVALID)
            age_beliefs(context)
            begun = self._look.begin((), self.looks_because)
            self.feedback_message = "looks around" if begun else self._look.waits
            return False
        if not self._look.poll():
            return False
        self.engaged, context.on_hold, self.feedback_message = False, self._held_before, ""
        self._mission.begin_anew()
        context.recorder.record("log", text=self.goes_on)
        return True


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
