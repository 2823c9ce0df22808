"""The decorator that listens: what a person says meanwhile changes, extends or ends what is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from foretree.agent.context import AgentContext
from foretree.agent.dialogue.conversation import Intent, intent_of, is_yes
from foretree.agent.dialogue.instruction_reader import InstructionReader, record_goal
from foretree.agent.mission import Mission
from foretree.clock import Deferred
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import TRUE, And
from foretree.reasoning.models.model import UnrecordedQuestionError
from foretree.reasoning.reasoner import Understanding


class Listen(Decorator):
    """Ticks its child, and hears what the person says meanwhile.

    "Stop" ends the session. "And the plate into the sink" adds to the goal; any other instruction takes its
    place. What is not understood is recorded, and what was begun goes on. While a question waits for its
    answer, what is said is left to it.

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

    def tick(self) -> Iterator[Behaviour]:
        self._attend()
        if self._context.stop_reason:
            self.status = Status.RUNNING
            yield self
            return
        yield from self.decorated.tick()
        status = self.decorated.status
        if (status is not Status.RUNNING and self._mission.conversation.waiting) or self._reading is not None:
            status = Status.RUNNING  # what was said last is heard first
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def update(self) -> Status:
        return self.decorated.status

    def _attend(self) -> None:
        """Hear what was said, and act on it as soon as it is understood."""
        conversation = self._mission.conversation
        if self._reading is None and conversation.question is None:
            words = conversation.hear()
            if words is not None:
                self._hear(words)
        if self._reading is not None and self._reading[2].ready():
            intent, words, reading = self._reading
            self._reading = None
            try:
                self._change(intent, words, reading.result())
            except UnrecordedQuestionError:
                raise  # a replay must not diverge
            except ForetreeError as error:
                self._reply(f"{error} What was begun goes on.")

    def _hear(self, words: str) -> None:
        self._context.recorder.record("person.said", words=words)
        intent = intent_of(words)[0]
        instruction = self._reader.in_full(words)
        if intent == "stop":
            self._context.stop_reason = f'the person said: "{words}"'
        elif len(instruction.split()) <= 1 and is_yes(instruction) is not None:
            self._reply("Nothing was asked.")
        else:
            self._reading = intent, instruction, self._reader.begin(instruction)

    def _change(self, intent: Intent, words: str, understood: Understanding) -> None:
        """Change the goal, or add to it."""
        mission = self._mission
        if understood.answer:
            self._reply(understood.answer)
            return
        if understood.constraints and understood.goal == TRUE:  # a prohibition alone: it holds from now on
            intent = "extend"
            understood = replace(understood, sentence=understood.sentence.removeprefix("do nothing; "))
            lasting = (*mission.given_constraints, *understood.constraints)
            mission.given_constraints = tuple(dict.fromkeys(lasting))
        goal, wanted, left_out = mission.goal, mission.wanted, mission.left_out
        before, how, replaced = mission.instruction, mission.how, mission.replaced
        ongoing = goal is not None and not (mission.more_of or mission.readings or mission.refusal)
        if intent == "extend":
            kept = dict.fromkeys((*mission.constraints, *understood.constraints))
            understood = replace(understood, constraints=tuple(kept))
        self._reader.accept(understood)
        mission.said.append(before)
        mission.instruction = words
        if intent == "extend" and ongoing:
            assert goal is not None
            assert mission.goal is not None
            if mission.readings:
                both = (replace(one, goal=And((goal, one.goal))) for one in mission.readings)
                mission.readings = tuple(both)
            mission.goal = And((goal, mission.goal))
            mission.wanted = tuple(dict.fromkeys((*wanted, *mission.wanted)))
            mission.left_out = (*left_out, *mission.left_out)
            mission.replaced = replaced
            mission.instruction, mission.how = f"{before}, and {words}", f"{how}; and {mission.how}"
        mission.begin_anew()
        if not mission.readings:
            record_goal(self._context, mission)

    def _reply(self, text: str) -> None:
        self._mission.conversation.reply = text
        self._context.recorder.record("person.told", text=text)

    def terminate(self, new_status: Status) -> None:
        if new_status is Status.INVALID:
            self._reading = None
