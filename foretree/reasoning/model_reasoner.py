"""The reasoner that asks a language model for the goal, and has it correct its mistakes.

A model writes a goal, never a plan. What it writes is parsed, checked against the domain and the things that
are known, and checked for whether it can hold at all. What is wrong goes back to the model as a message that
hints at the mend, a few times. Nothing else of an answer is used, so that no text of a scene can add an
action or a tool.
"""

from __future__ import annotations

from concurrent.futures import Future, wait
from dataclasses import dataclass, field

from foretree.clock import Clock, Deferred, SimulatedClock
from foretree.planning.task.goals import GoalError, parse_goal
from foretree.reasoning.goal_meaning import GoalMeaningError, check_meaning
from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    InstructionError,
    NotPossibleError,
    NotUnderstoodError,
)
from foretree.reasoning.models.background import in_background
from foretree.reasoning.models.consultation import (
    Consultation,
    Exchange,
    NoAnswerError,
    Prompt,
    WrongAnswerError,
)
from foretree.reasoning.models.model import Model, Prices, Spending
from foretree.reasoning.reasoner import Situation, Understanding
from foretree.reasoning.scene_data import SceneData
from foretree.runs.events import Recorder, Silent
from foretree.schema import Strict

#: A goal may take so many tokens, or more where the settings allow it.
MOST_GOAL_TOKENS = 1_000
#: Sentences of a model are cut: they are for a person to read at a glance.
_LONGEST_SENTENCE = 300


class _Answer(Strict):
    goal: str = ""
    says: str = ""
    question: str = ""
    cannot: str = ""


@dataclass(frozen=True, slots=True)
class ReasonerOptions:
    """Options for asking a model for a goal.

    Attributes:
        corrections: how often it may correct a goal that is wrong.
        most_tokens: how long an answer may be.
        prices: what the model costs.
        latency: how long asking takes on a simulated clock, in seconds.
        patience: real seconds that a simulation waits for an answer.
    """

    corrections: int = 3
    most_tokens: int = MOST_GOAL_TOKENS
    prices: Prices = field(default_factory=Prices)
    latency: float = 2.0
    patience: float = 120.0


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What was asked, and what has come of it."""

    exchanges: tuple[Exchange, ...]
    understanding: Understanding | None = None
    refusal: InstructionError | None = None


class ModelReasoner:
    """Has a language model write the goal of an instruction.

    Args:
        model: the model to ask.
        clock: decides when an answer counts as arrived.
        recorder: takes down what is asked and answered.
        options: how it is asked.
        prompt: the model's task; by default ``configs/prompts/goal.txt``.
    """

    def __init__(
        self,
        model: Model,
        clock: Clock | None = None,
        recorder: Recorder | None = None,
        options: ReasonerOptions | None = None,
        prompt: Prompt | None = None,
    ) -> None:
        self._model = model
        self._clock = clock or SimulatedClock()
        self._recorder = recorder or Silent()
        self._options = options or ReasonerOptions()
        self._prompt = prompt or Prompt.load("goal")
        self._begun: list[tuple[Future[_Outcome], Consultation[_Answer]]] = []

    @property
    def spent(self) -> Spending:
        """Spending so far, that on answers which were no longer waited for included."""
        if self._clock.simulated:
            wait([future for future, _ in self._begun], self._options.patience)
        total = Spending()
        for _, consultation in self._begun:
            for exchange in tuple(consultation.exchanges):
                total = total.with_(Spending.on(exchange.reply, self._options.prices))
        return total

    def understand(self, instruction: str, situation: Situation) -> Understanding:
        """See :class:`~foretree.reasoning.reasoner.Reasoner`. Waits for the model."""
        pending = self.begin(instruction, situation)
        wait([pending.future])
        return pending.result()

    def begin(self, instruction: str, situation: Situation) -> Deferred[Understanding]:
        """See :class:`~foretree.reasoning.reasoner.DeferringReasoner`."""
        options = self._options
        consultation = Consultation(
            self._model, self._prompt, _Answer, options.corrections, options.most_tokens
        )
        future = in_background(
            lambda: _consult(consultation, instruction, situation), "language-model reasoner"
        )
        self._begun.append((future, consultation))
        return Deferred(
            future, self._clock, options.latency, self._finish, options.patience, consultation.cancelled.set
        )

    def _finish(self, outcome: _Outcome) -> Understanding:
        for exchange in outcome.exchanges:
            exchange.record(self._recorder, self._model.name, self._options.prices)
        if outcome.refusal is not None:
            raise outcome.refusal
        assert outcome.understanding is not None
        return outcome.understanding


def _consult(consultation: Consultation[_Answer], instruction: str, situation: Situation) -> _Outcome:
    """Ask about *instruction*; off the tick thread."""
    scene = SceneData(situation, instruction)

    def read(answer: _Answer) -> Understanding:
        return _understanding(answer, scene, situation)

    data = {"instruction": instruction, **scene.described()}
    try:
        understanding = consultation.ask(data, read)
    except InstructionError as error:
        return _Outcome(tuple(consultation.exchanges), refusal=error)
    except NoAnswerError as error:
        return _Outcome(tuple(consultation.exchanges), refusal=NotUnderstoodError(str(error)))
    return _Outcome(tuple(consultation.exchanges), understanding)


def _understanding(answer: _Answer, scene: SceneData, situation: Situation) -> Understanding:
    """The goal of an answer, checked.

    Raises:
        InstructionError: the model has a question, or says that there is no such goal.
        WrongAnswerError: it is no goal of this domain, or can never hold.
    """
    if answer.question:
        raise AmbiguousError(f"The model asks: {_sentence(scene.with_names_in(answer.question))}")
    if answer.cannot:
        why = _sentence(scene.with_names_in(answer.cannot))
        raise NotPossibleError(f"The model says that it cannot be done: {why}")
    if not answer.goal:
        raise WrongAnswerError('The answer has neither "goal", "question" nor "cannot".')
    try:
        parsed = parse_goal(answer.goal, situation.domain, scene.classes)
        goal = scene.with_names(parsed.formula)
        check_meaning(goal, situation)
    except (GoalError, GoalMeaningError) as error:
        raise WrongAnswerError(scene.told_in(str(error))) from error
    says = _sentence(scene.with_names_in(answer.says))
    says = f'the model says: "{says}"' if says else ""
    return Understanding(goal, " ".join(filter(None, (says, parsed.repair))))


def _sentence(text: str) -> str:
    return " ".join(text.split())[:_LONGEST_SENTENCE]
