"""Leaves for what is missing and cannot be found: another thing instead, or as much as can be done."""

from __future__ import annotations

from math import inf

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.context import AgentContext
from foretree.agent.dialogue.conversation import PersonalQuestion, any_will_do, intent_of, is_yes
from foretree.agent.dialogue.instruction_reader import record_goal, record_words
from foretree.agent.mission import Mission
from foretree.agent.tools.parts import GoalParts
from foretree.agent.tools.substitution import Replacement, Substitution
from foretree.clock import Deferred
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import show
from foretree.reasoning.models.model import Spending, UnrecordedQuestionError
from foretree.world_model.articles import with_article


class SuggestAlternative(Behaviour):
    """Takes another thing in place of a missing one: it is in the goal from then on.

    Where nothing would do by affordances, an adviser is asked, if there is one. Where it matters, the person
    has to accept it; no answer in time is a no. Fails when nothing would do, or what would is turned down.
    """

    def __init__(self, context: AgentContext, mission: Mission, substitution: Substitution) -> None:
        super().__init__(name="suggest an alternative")
        self._context = context
        self._mission = mission
        self._substitution = substitution
        self._pending: tuple[str, Deferred[str]] | None = None
        self._suggested: Replacement | None = None
        self._until = 0.0

    def update(self) -> Status:
        if self._suggested is not None:
            return self._await(self._suggested)
        found = self._substitution.best()
        while found is None:
            if not self._advised():
                return Status.RUNNING if self._pending is not None else self._fail()
            found = self._substitution.best()
        verb = "suggests" if found.matters else "takes"
        self.feedback_message = f"{verb} {found.words}: {found.alternative.why}"
        self._context.recorder.record("agent.chose", tool="alternative", why=self.feedback_message)
        return self._put(found) if found.matters else self._take(found)

    def _put(self, found: Replacement) -> Status:
        """Ask whether the person accepts it."""
        context = self._context
        name = found.missing.replace("_", " ")
        text = f"I cannot find the {name}. Shall I take {found.alternative.thing} instead?"
        question = PersonalQuestion(text)
        self._suggested, self._mission.conversation.question = found, question
        self._until = context.clock.now() + context.settings.ask_patience
        context.recorder.record("person.asked", question=question.text, choices=[])
        return Status.RUNNING

    def _await(self, found: Replacement) -> Status:
        context, conversation = self._context, self._mission.conversation
        question = conversation.question
        said = conversation.hear()
        if said is None and context.clock.now() < self._until:
            return Status.RUNNING
        self._suggested = conversation.question = None
        if said is not None:
            record_words(context, said)
            if intent_of(said.words)[0] == "wait":
                self._suggested, conversation.question, self._until = found, question, inf
                return Status.RUNNING
            if is_yes(said.words) or any_will_do(said.words):
                return self._take(found)
            if is_yes(said.words) is None:
                conversation.put_back(said)  # it is an instruction
        self._mission.declined.append((found.missing, found.alternative.thing))
        return self._fail()

    def _take(self, found: Replacement) -> Status:
        mission = self._mission
        mission.goal = found.goal
        mission.wanted = tuple(name for name in mission.wanted if name != found.missing)
        mission.accepted.append((found.missing, found.alternative.thing))
        mission.how = f"{mission.how}, with {found.words}" if mission.how else f"with {found.words}"
        mission.replaced = (*mission.replaced, found.words)
        record_goal(self._context, mission)
        return Status.SUCCESS

    def _fail(self) -> Status:
        context, mission = self._context, self._mission
        lacks = mission.lacks(context.belief.snapshot(), context.catalogue.domain)
        self.feedback_message = mission.note_not_found(", ".join(lack.words for lack in lacks))
        return Status.FAILURE

    def _advised(self) -> bool:
        """Return whether there is news from the adviser, who is asked about what is still unadvised."""
        if self._pending is None:
            missing = self._substitution.unadvised()
            if missing is None:
                return False
            self._pending = missing, self._substitution.ask(missing)
        missing, pending = self._pending
        if not pending.ready():
            self.feedback_message = f"asks what would do in place of {with_article(missing)}"
            return False
        self._pending = None
        try:
            self._substitution.advise(missing, pending.result())
        except UnrecordedQuestionError:
            raise  # a replay must not diverge
        except ForetreeError as error:
            self._substitution.advise(missing, "")
            text = f"No advice on what would do in place of {with_article(missing)}: {error}"
            self._context.recorder.record("log", text=text)
        return True

    @property
    def spent(self) -> Spending:
        """Money spent on the adviser."""
        adviser = self._context.adviser
        return adviser.spent if adviser is not None else Spending()

    def terminate(self, new_status: Status) -> None:
        if self._pending is not None:
            self._pending[1].cancel()
            self._pending = None
        if new_status is Status.INVALID and self._suggested is not None:
            self._suggested = self._mission.conversation.question = None


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
