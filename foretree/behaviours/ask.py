"""The leaf that asks a person which of several readings of the instruction is meant."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.context import AgentContext
from foretree.agent.dialogue.conversation import PersonalQuestion, any_will_do, chosen, intent_of, is_yes
from foretree.agent.dialogue.instruction_reader import record_goal, record_words
from foretree.agent.mission import Mission
from foretree.agent.plan_request import NoPlanError, request_plan
from foretree.agent.planning_service import PlanningService
from foretree.clock import Deferred
from foretree.planning.plan import Plan
from foretree.planning.task.problems import ProblemError
from foretree.reasoning.instruction_errors import AmbiguousError
from foretree.reasoning.reasoner import Reading

#: The steps of a plan, by which plans are compared; None where there is none.
_Steps = tuple[tuple[str, tuple[str, ...]], ...] | None


class Ask(Behaviour):
    """Asks which reading is meant, unless all come to the same plan; the answer makes the goal.

    Where no person can answer, no answer comes in time, or none of the readings is meant, nothing is
    done: it fails, and the mission is refused. Words that answer nothing are heard as a new instruction.

    Args:
        context: the shared ground.
        mission: has the readings, and the conversation.
        service: plans for each reading.
    """

    def __init__(self, context: AgentContext, mission: Mission, service: PlanningService) -> None:
        super().__init__(name="ask")
        self._context = context
        self._mission = mission
        self._service = service
        self._pending: Deferred[Plan] | None = None
        self._plans: list[_Steps] = []
        self._until = 0.0

    def initialise(self) -> None:
        self._plans = []

    def update(self) -> Status:
        mission = self._mission
        question = mission.conversation.question
        if question is not None:
            return self._await(question)
        while len(self._plans) < len(mission.readings):
            if not self._compare(mission.readings[len(self._plans)]):
                self.feedback_message = "compares the plans for what may be meant"
                return Status.RUNNING
        if self._plans[0] is not None and all(steps == self._plans[0] for steps in self._plans):
            return self._take(mission.readings[0])
        return self._put()

    def _compare(self, reading: Reading) -> bool:
        """Plan for a reading; returns whether that is done."""
        try:
            if self._pending is None:
                self._pending = request_plan(self._context, self._service, reading.goal, explain=False)
            if not self._pending.ready():
                return False
            plan: Plan | None = self._pending.result()
        except (NoPlanError, ProblemError):
            plan = None
        self._pending = None
        steps = None if plan is None else tuple((a.skill, a.arguments) for a in plan.actions)
        self._plans.append(steps)
        return True

    def _put(self) -> Status:
        """Put the question."""
        context, mission = self._context, self._mission
        words = tuple(reading.words for reading in mission.readings)
        question = PersonalQuestion(f"Which do you mean: {_either(words)}?", words)
        mission.conversation.question = question
        self._until = context.clock.now() + context.settings.ask_patience
        context.recorder.record("agent.chose", tool="ask", why=question.text)
        context.recorder.record("person.asked", question=question.text, choices=list(words))
        self.feedback_message = question.text
        if not mission.conversation.attended and not mission.conversation.waiting:
            mission.conversation.question = None
            return self._refuse(
                f"{question.text} No answer can be given here, so nothing is done. Say which in the request."
            )
        return Status.RUNNING

    def _await(self, question: PersonalQuestion) -> Status:
        mission, conversation = self._mission, self._mission.conversation
        said = conversation.hear()
        if said is not None:
            words = said.words
            conversation.question = None
            record_words(self._context, said)
            rather = intent_of(words)[1]  # "no, the one on the table"
            choice = chosen(words, question.choices)
            choice = chosen(rather, question.choices) if choice is None else choice
            if any_will_do(words):
                choice = self._shortest()
            if choice is not None:
                return self._take(mission.readings[choice])
            if intent_of(words)[0] == "wait":
                conversation.question, self._until = question, inf
                return Status.RUNNING
            if is_yes(words) is False and rather in ("", words):
                return self._refuse(f'"{question.text}" was answered with "{words}".')
            conversation.put_back(said)
            return self._refuse(f'"{question.text}" was not answered.')
        if self._context.clock.now() >= self._until:
            conversation.question = None
            patience = self._context.settings.ask_patience
            return self._refuse(f"{question.text} No answer came within {patience:g} s, so nothing is done.")
        self.feedback_message = question.text
        return Status.RUNNING

    def _shortest(self) -> int:
        """Return the reading with the fewest steps, among those that there is a plan for."""
        lengths = [inf if steps is None else len(steps) for steps in self._plans]
        return lengths.index(min(lengths))

    def _take(self, reading: Reading) -> Status:
        mission = self._mission
        mission.choose(reading.goal, reading.constraints)
        if reading.constraints:
            self._context.keep_to(mission.constraints)
        mission.how = f"{mission.how}, meaning {reading.words}" if mission.how else reading.words
        record_goal(self._context, mission)
        return Status.SUCCESS

    def _refuse(self, why: str) -> Status:
        mission = self._mission
        mission.refusal = AmbiguousError(why)
        mission.reason = self.feedback_message = why
        return Status.FAILURE

    def terminate(self, new_status: Status) -> None:
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
        if new_status is Status.INVALID:
            self._mission.conversation.question = None


def _either(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last
