"""The leaf that understands: instruction → goal."""

from __future__ import annotations

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.context import AgentContext
from foretree.agent.mission import Mission
from foretree.clock import Deferred
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import show
from foretree.planning.task.constraints import describe_constraint
from foretree.reasoning.instruction_errors import NotPossibleError
from foretree.reasoning.models.model import Spending, TracksSpending, UnrecordedQuestionError
from foretree.reasoning.reasoner import Reasoner, Situation, Understanding, begin_to_understand


class Understand(Behaviour):
    """Has the reasoner turn the instruction into a goal, unless a goal was given.

    Fails when the instruction is not understood; nothing has moved then.

    Attributes:
        reasoner: what it asks.
    """

    def __init__(self, context: AgentContext, mission: Mission, reasoner: Reasoner) -> None:
        super().__init__(name="understand")
        self._context = context
        self._mission = mission
        self.reasoner = reasoner
        self._pending: Deferred[Understanding] | None = None

    def update(self) -> Status:
        mission = self._mission
        if mission.goal is None:
            pending = self._pending = self._pending or self._ask()
            if not pending.ready():
                waited = self._context.clock.now() - pending.asked_at
                self.feedback_message = f"waiting for the reasoner for {waited:.1f} s"
                return Status.RUNNING
            self._pending = None
            try:
                understood = _without_constraints(pending.result())
            except UnrecordedQuestionError:
                raise  # a replay must not diverge
            except ForetreeError as error:
                mission.refusal = error
                mission.reason = self.feedback_message = str(error)
                return Status.FAILURE
            mission.goal = understood.goal
            mission.how = understood.sentence
            mission.wanted = understood.wanted
            mission.answer = understood.answer
        answered = {"answer": mission.answer} if mission.answer else {}
        self._context.recorder.record("goal.set", goal=show(mission.goal), how=mission.how, **answered)
        self._look_up()
        self.feedback_message = show(mission.goal)
        return Status.SUCCESS

    def _look_up(self) -> None:
        """Have the guide say what of the building the instruction needs."""
        context, instruction = self._context, self._mission.instruction
        if context.guide is None or not instruction:
            return
        found = context.guide.find(instruction, context.belief.snapshot(), context.node())
        context.task.keep, context.task.things = frozenset(found.nodes), frozenset(found.things)
        why = "; ".join(f"{hit.node}: {hit.why}" for hit in found.hits) or "nothing that it names is known"
        context.recorder.record("agent.chose", tool="retrieve", why=why)

    def ask(self) -> Understanding:
        """Return what the reasoner makes of the instruction, and wait for it.

        Raises:
            ForetreeError: it makes nothing of it.
        """
        return self.reasoner.understand(self._mission.instruction, situation(self._context))

    def terminate(self, new_status: Status) -> None:
        if new_status is Status.INVALID and self._pending is not None:
            self._pending.cancel()
            self._pending = None

    @property
    def spent(self) -> Spending:
        """What was spent on models so far."""
        return self.reasoner.spent if isinstance(self.reasoner, TracksSpending) else Spending()

    def _ask(self) -> Deferred[Understanding]:
        context = self._context
        return begin_to_understand(
            self.reasoner, self._mission.instruction, situation(context), context.clock
        )


def _without_constraints(understood: Understanding) -> Understanding:
    """Return *understood*, unless it must keep to something on the way, which the agent does not yet.

    Raises:
        NotPossibleError: it must.
    """
    if understood.constraints:
        said = "; ".join(map(describe_constraint, understood.constraints))
        raise NotPossibleError(f"I cannot promise yet to keep to this on the way: {said}.")
    return understood


def situation(context: AgentContext) -> Situation:
    """Return what a reasoner may know about the world when it reads an instruction."""
    catalogue, places = context.catalogue, context.places
    people = [place.name for place in places.places() if place.kind == "person"]
    return Situation(
        beliefs=context.belief.snapshot(),
        domain=catalogue.domain,
        ontology=catalogue.ontology,
        forms=tuple(form for skill in catalogue.skills.values() for form in skill.forms),
        # With several people about, it is not clear who "me" is.
        speaker=people[0] if len(people) == 1 else None,
        rooms={place.name: place.room for place in places.places()},
        discovered=context.tracker.discovered,
    )
