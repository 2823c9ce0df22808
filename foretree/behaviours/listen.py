"""The decorator that listens: what people say meanwhile changes, extends or ends what is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from foretree.agent.context import AgentContext
from foretree.agent.dialogue.claims import Claim, called, claim_of
from foretree.agent.dialogue.conversation import Intent, Utterance, intent_of, is_yes
from foretree.agent.dialogue.disagreement import (
    ContradictionCheck,
    Disagreement,
    Side,
    record_disagreement,
    settled_by,
)
from foretree.agent.dialogue.instruction_reader import (
    InstructionReader,
    record_goal,
    record_reply,
    record_words,
    situation,
)
from foretree.agent.dialogue.kept_wishes import KeptWishes, uphold, with_claim
from foretree.agent.mission import MOST_PAST, Mission
from foretree.agent.planning_service import PlanningService
from foretree.clock import Deferred
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import And
from foretree.reasoning.goal_meaning import refuse_excluded
from foretree.reasoning.models.model import UnrecordedQuestionError
from foretree.reasoning.reasoner import Understanding


@dataclass(frozen=True, slots=True)
class _Heard:
    """Wish of a person, as far as it is understood."""

    intent: Intent
    words: str
    understood: Understanding


@dataclass(frozen=True, slots=True)
class _Dispute:
    """An undecided disagreement, what the later of the two has said, and until when to wait."""

    about: Disagreement
    heard: _Heard
    until: float


class Listen(Decorator):
    """Ticks its child, and hears what people say meanwhile.

    "Stop" ends the session. "Wait" has nothing new begin until "go on". "And the plate into the sink" adds to
    the goal; any other instruction takes the place of what the same person wanted, and is added to what
    others want. Where one contradicts what another person wants, they are told so, and what was asked first
    is kept until one of them decides. What is not understood is recorded, and what was begun goes on. While a
    question waits for its answer, what is said is left to it.

    Args:
        child: what goes on meanwhile.
        context: the shared ground.
        mission: has the conversation and the goal.
        reader: understands what is said.
    """

    def __init__(
        self, child: Behaviour, context: AgentContext, mission: Mission, reader: InstructionReader
    ) -> None:
        super().__init__(name="listen", child=child)
        self._context = context
        self._mission = mission
        self._reader = reader
        self._reading: tuple[Intent, str, Deferred[Understanding]] | None = None
        self._checking: tuple[_Heard, ContradictionCheck] | None = None
        self._dispute: _Dispute | None = None
        self._waits_after: Status | None = None

    def tick(self) -> Iterator[Behaviour]:
        self._attend()
        if self._context.stop_reason:
            self.status = Status.RUNNING
            yield self
            return
        if self._waits_after is None:
            yield from self.decorated.tick()
        status = self._waits_after or self.decorated.status
        conversation = self._mission.conversation
        if status is not Status.RUNNING:
            if conversation.waiting or self._reading is not None or self._checking is not None:
                status = Status.RUNNING  # what was said last is heard first
            elif self._dispute is not None:
                status = self._end_dispute(status)
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def update(self) -> Status:
        return self.decorated.status

    def _attend(self) -> None:
        """Hear what was said, and act on it as soon as it is understood."""
        conversation = self._mission.conversation
        try:
            if self._reading is None and self._checking is None and conversation.question is None:
                said = conversation.hear()
                if said is not None:
                    self._hear(said)
            if self._reading is not None and self._reading[2].ready():
                intent, words, reading = self._reading
                self._reading = None
                self._weigh(_Heard(intent, words, reading.result()))
            if self._checking is not None and self._checking[1].ready():
                heard, check = self._checking
                self._checking = None
                if check.found is not None:
                    self._disagree(check.found, heard)
                else:
                    self._change(heard)
        except UnrecordedQuestionError:
            raise  # a replay must not diverge
        except ForetreeError as error:
            self._reply(f"{error} What was begun goes on.")

    def _hear(self, said: Utterance) -> None:
        mission = self._mission
        record_words(self._context, said)
        side = self._dispute.about.decided(said) if self._dispute is not None else None
        mission.speaks(said.by)
        if side is None and (lifted := self._reader.lift_rules(said.words)):
            self._context.keep_to(mission.constraints)
            if mission.goal is not None and not mission.readings:
                mission.begin_anew()  # a shorter way may be open now
                record_goal(self._context, mission)
            self._reply(lifted)
            return
        intent = intent_of(said.words)[0]
        instruction = self._reader.in_full(said.words)
        if side is not None:
            self._settle(side)
        elif intent == "stop":
            who = called(mission.by) or "the person"
            self._context.stop_reason = f'{who} said: "{said.words}"'
        elif intent in ("wait", "proceed"):
            self._hold(intent == "wait")
        elif len(instruction.split()) <= 1 and is_yes(instruction) is not None:
            self._reply("Nothing was asked.")
        else:
            self._reading = intent, instruction, self._reader.begin(instruction)

    def _hold(self, hold: bool) -> None:
        """Begin nothing new until told to go on, or go on."""
        if hold:
            self._reply('I wait. Say "go on" when I shall go on.')
        else:
            self._reply("I go on." if self._context.on_hold else "I am not waiting for anything.")
        self._context.on_hold = hold

    # -- several people ----------------------------------------------------------------------------------
    def _weigh(self, heard: _Heard) -> None:
        """Answer a question, and do what is wanted unless it may contradict what another person wants."""
        mission, understood = self._mission, heard.understood
        if understood.answer:
            self._reply(understood.answer)
            return
        others = mission.claims_of_others()
        if not others or understood.readings or mission.goal is None:
            self._change(heard)
            return
        claim = self._claim(heard)
        check = ContradictionCheck(self._context, PlanningService(self._context.settings), others, claim)
        self._checking = heard, check

    def _claim(self, heard: _Heard) -> Claim:
        return claim_of(self._mission.by, heard.words, heard.understood)

    def _disagree(self, found: Disagreement, heard: _Heard) -> None:
        """Say who wants what, and ask them, unless the settings say whose words count."""
        settings, clock = self._context.settings, self._context.clock
        side = settled_by(settings.disagreements, found)
        self._dispute = _Dispute(found, heard, clock.now() + settings.ask_patience)
        if side is not None:
            self._tell(found.told)
            self._settle(side)
            return
        text = found.question(f"I keep to {found.earlier.wish} until one of you decides.")
        self._context.recorder.record("person.asked", question=text, choices=list(found.choices))
        self._mission.conversation.reply = text
        record_disagreement(self._context, found)

    def _settle(self, side: Side) -> None:
        """Do what was decided."""
        assert self._dispute is not None
        found, heard = self._dispute.about, self._dispute.heard
        self._dispute = None
        record_disagreement(self._context, found, side)
        kept, dropped = (found.later, found.earlier) if side == "later" else (found.earlier, found.later)
        self._tell(f"I do {kept.wish}, and not {dropped.wish}.")
        if side == "later":
            self._mission.drop(found.earlier)
            self._mission.speaks(found.later.by)
            self._change(heard)

    def _end_dispute(self, status: Status) -> Status:
        """Wait for a decision where people are there, when all else is done; then say there is none."""
        assert self._dispute is not None
        if self._mission.conversation.attended and self._context.clock.now() < self._dispute.until:
            self._waits_after = status
            self.feedback_message = "waits until it is decided whose words count"
            return Status.RUNNING
        found = self._dispute.about
        self._dispute = self._waits_after = None
        self._tell(f"Nobody has decided, so I have not done {found.later.wish}.")
        return status

    # -- what is wanted ----------------------------------------------------------------------------------
    def _change(self, heard: _Heard) -> None:
        """Change the goal, or add to it."""
        mission, intent, understood = self._mission, heard.intent, heard.understood
        self._waits_after = None
        self._context.on_hold = False  # who wants something else wants it done
        if understood.keeps_only:  # a rule alone: it holds from now on
            intent = "extend"
            understood = replace(understood, sentence=understood.sentence.removeprefix("do nothing; "))
            lasting = (*mission.given_constraints, *understood.constraints)
            mission.given_constraints = tuple(dict.fromkeys(lasting))
        claim = self._claim(replace(heard, understood=understood))
        before = KeptWishes.of(mission, intent)
        if before is not None:
            kept = dict.fromkeys((*before.constraints, *understood.constraints))
            understood = replace(understood, constraints=tuple(kept))
        if before is not None and before.goal is not None:
            refuse_excluded(And((before.goal, understood.goal)), situation(self._context))
        said_before = mission.instruction
        self._reader.accept(understood)
        mission.said.append(said_before)
        mission.past = (*mission.past, self._context.belief.snapshot())[-MOST_PAST:]
        mission.instruction = heard.words
        if before is not None:
            before.add_to(mission)
        mission.claims = with_claim(mission.claims, claim, intent)
        uphold(mission, self._context)
        mission.begin_anew()
        if not mission.readings:
            record_goal(self._context, mission)

    def _reply(self, text: str) -> None:
        record_reply(self._context, self._mission, text)

    def _tell(self, text: str) -> None:
        """Say something to all."""
        self._mission.conversation.reply = text
        self._context.recorder.record("person.told", text=text)

    def terminate(self, new_status: Status) -> None:
        if new_status is Status.INVALID:
            self._reading = self._dispute = self._waits_after = None
            if self._checking is not None:
                self._checking[1].cancel()
                self._checking = None
