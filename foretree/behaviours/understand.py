"""The leaf that understands: instruction → goal."""

from __future__ import annotations

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.context import AgentContext
from foretree.agent.dialogue.claims import Claim
from foretree.agent.dialogue.consent import Consent
from foretree.agent.dialogue.instruction_reader import InstructionReader, record_goal, situation
from foretree.agent.dialogue.kept_wishes import uphold
from foretree.agent.mission import Mission
from foretree.clock import Deferred
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import show
from foretree.reasoning.goal_meaning import GoalMeaningError, refuse_excluded
from foretree.reasoning.instruction_errors import NoSuchThingError
from foretree.reasoning.models.model import Spending, TracksSpending, UnrecordedQuestionError
from foretree.reasoning.reasoner import Reasoner, Understanding


class Understand(Behaviour):
    """Has the reasoner turn the instruction into a goal, unless a goal was given.

    Fails when the instruction is not understood; nothing has moved then.

    Args:
        context: knows what there is.
        mission: has the instruction, and gets the goal.
        reasoner: what is asked.
        searching: whether the tree looks for what is meant where no known thing is as the instruction says,
            and then has it read anew, so that this is no failure.

    Attributes:
        reasoner: what it asks.
    """

    def __init__(
        self, context: AgentContext, mission: Mission, reasoner: Reasoner, *, searching: bool = False
    ) -> None:
        super().__init__(name="understand")
        self._context = context
        self._mission = mission
        self._reader = InstructionReader(context, mission, reasoner)
        self._searching = searching
        self.reasoner = reasoner
        self._pending: Deferred[Understanding] | None = None
        self._consent: Consent | None = None

    def update(self) -> Status:
        mission = self._mission
        if self._consent is not None:
            return self._obtain(self._consent)
        mission.speaks(mission.by)
        if mission.goal is None:
            pending = self._pending = self._pending or self._reader.begin()
            if not pending.ready():
                waited = self._context.clock.now() - pending.asked_at
                self.feedback_message = f"waiting for the reasoner for {waited:.1f} s"
                return Status.RUNNING
            self._pending = None
            try:
                self._reader.accept(pending.result())
            except UnrecordedQuestionError:
                raise  # a replay must not diverge
            except ForetreeError as error:
                if not self._may_be_found(error):
                    return self._refuse(error)
                self._look_up()
                self.feedback_message = f"to be found first: {error}"
                return Status.SUCCESS
        else:
            try:
                refuse_excluded(mission.goal, situation(self._context))
            except GoalMeaningError as error:
                return self._refuse(error)
            self._context.keep_to(mission.constraints)
        self._note_claim()
        if self._consent is not None:
            return self._obtain(self._consent)
        return self._succeed()

    def _note_claim(self) -> None:
        """Take note of who wants what, and begin to check it against what others want that still counts."""
        mission, context = self._mission, self._context
        assert mission.goal is not None
        words = mission.instruction or show(mission.goal)
        own = tuple(rule for rule in mission.constraints if rule not in mission.given_constraints)
        claim = Claim(mission.by, words, mission.how, mission.goal, own, mission.wanted)
        mission.claims = (claim,)
        if mission.standing:
            self._consent = Consent(context, mission, claim)

    def _obtain(self, consent: Consent) -> Status:
        """Go on as soon as no one else is against it."""
        if not consent.ready():
            self.feedback_message = consent.waits_for
            return Status.RUNNING
        self._consent = None
        if consent.refusal is not None:
            return self._refuse(consent.refusal)
        uphold(self._mission, self._context)
        self._context.keep_to(self._mission.constraints)
        return self._succeed()

    def _refuse(self, error: ForetreeError) -> Status:
        self._mission.refusal = error
        self._mission.reason = self.feedback_message = str(error)
        return Status.FAILURE

    def _succeed(self) -> Status:
        mission = self._mission
        if not mission.readings:  # else it is not known yet
            record_goal(self._context, mission)
        self._look_up()
        assert mission.goal is not None
        self.feedback_message = show(mission.goal)
        return Status.SUCCESS

    def _may_be_found(self, error: ForetreeError) -> bool:
        """Have what is meant looked for, if the tree does that."""
        if not self._searching or not isinstance(error, NoSuchThingError) or not error.wanted:
            return False
        self._reader.search_for(error)
        return True

    def _look_up(self) -> None:
        """Have the guide say what of the building the instruction needs."""
        context, instruction = self._context, self._mission.instruction
        if context.guide is None or not instruction:
            return
        found = context.guide.find(instruction, context.belief.snapshot(), context.node())
        context.task.keep, context.task.things = frozenset(found.nodes), frozenset(found.things)
        why = "; ".join(f"{hit.node}: {hit.why}" for hit in found.hits) or "nothing that it names is known"
        context.recorder.record("agent.chose", tool="retrieve", why=why)

    def check(self) -> None:
        """Find out whether the instruction is understood, and wait for it.

        Raises:
            ForetreeError: it is not, and nothing that may be found will change that.
        """
        try:
            self.reasoner.understand(self._mission.instruction, situation(self._context, self._mission))
        except NoSuchThingError as error:
            if not self._searching or not error.wanted:
                raise

    def terminate(self, new_status: Status) -> None:
        if new_status is not Status.INVALID:
            return
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
        if self._consent is not None:
            self._consent.cancel()
            self._consent = None

    @property
    def spent(self) -> Spending:
        """Money spent on models so far."""
        return self.reasoner.spent if isinstance(self.reasoner, TracksSpending) else Spending()
