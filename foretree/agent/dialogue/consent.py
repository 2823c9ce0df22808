"""Consent of others to an instruction, before it is begun: they may have asked for what contradicts it."""

from __future__ import annotations

from foretree.agent.context import AgentContext
from foretree.agent.dialogue.claims import Claim
from foretree.agent.dialogue.conversation import PersonalQuestion
from foretree.agent.dialogue.disagreement import (
    ContradictionCheck,
    Disagreement,
    DisagreementError,
    Side,
    record_disagreement,
    settled_by,
    still_counts,
)
from foretree.agent.dialogue.instruction_reader import record_words
from foretree.agent.mission import Mission
from foretree.agent.planning_service import PlanningService


class Consent:
    """Checks an instruction against what others have asked for before, and asks whose words count if need be.

    Where no person can answer, or none does in time, what was asked first is kept.

    Args:
        context: the shared ground.
        mission: has the instruction, what still counts, and the conversation.
        claim: the instruction, as it is understood.

    Attributes:
        refusal: the reason for not doing it, once :meth:`ready` is true; None if it may be done.
        waits_for: what it waits for, in words.
    """

    def __init__(self, context: AgentContext, mission: Mission, claim: Claim) -> None:
        self._context = context
        self._mission = mission
        mission.standing = tuple(one for one in mission.standing if still_counts(one, context))
        self._claim = claim
        self._check = self._begin_check()
        self._until = 0.0
        self._over = False
        self.refusal: DisagreementError | None = None
        self.waits_for = "checks what others have asked for"

    def _begin_check(self) -> ContradictionCheck:
        others = tuple(one for one in self._mission.standing if one.by != self._claim.by)
        service = PlanningService(self._context.settings)
        return ContradictionCheck(self._context, service, others, self._claim)

    def ready(self) -> bool:
        """Go on with it; return whether it is over."""
        if self._over or not self._check.ready():
            return self._over
        found = self._check.found
        if found is None:
            self._over = True
        elif self._mission.conversation.question is None:
            self._begin(found)
        else:
            self._await(found)
        return self._over

    def cancel(self) -> None:
        """Give it up."""
        self._check.cancel()
        if self._until:
            self._mission.conversation.question = None

    def _begin(self, found: Disagreement) -> None:
        context, conversation = self._context, self._mission.conversation
        record_disagreement(context, found)
        side = settled_by(context.settings.disagreements, found)
        if side is not None:
            self._end(found, side)
            return
        text = found.question("I keep to what was asked first unless you decide otherwise.")
        question = PersonalQuestion(text, found.choices)
        context.recorder.record("person.asked", question=question.text, choices=list(question.choices))
        if not conversation.attended and not conversation.waiting:
            self._refuse(found, "Nobody is there to decide.")
            return
        self.waits_for = question.text
        self._until = context.clock.now() + context.settings.ask_patience
        conversation.question = question

    def _await(self, found: Disagreement) -> None:
        context, conversation = self._context, self._mission.conversation
        said = conversation.hear()
        if said is None:
            if context.clock.now() >= self._until:
                conversation.question = None
                patience = context.settings.ask_patience
                self._refuse(found, f"Nobody has decided within {patience:g} s.")
            return
        conversation.question = None
        record_words(context, said)
        side = found.decided(said)
        if side is not None:
            self._end(found, side)
            return
        conversation.put_back(said)
        self._refuse(found, "That was not decided.")

    def _end(self, found: Disagreement, side: Side) -> None:
        record_disagreement(self._context, found, side)
        if side == "later":
            self._mission.drop(found.earlier)
            self._check = self._begin_check()  # others may be against it, too
            text = f"{found.told} I do {found.later.wish}, and not {found.earlier.wish}."
            self._context.recorder.record("person.told", text=text)
        else:
            self._refuse(found, "It was decided so.")

    def _refuse(self, found: Disagreement, why: str) -> None:
        self._over = True
        self.refusal = DisagreementError(f"{found.told} {why} So I keep to {found.earlier.wish}.")
