"""The reviser that asks a language model.

What the model answers is an opinion about the beginning of a plan. It is read strictly, bound to things that
are believed to exist, and simulated; only what reaches the goal becomes a revision. So nothing that stands in
an answer, or is written on a mug, can become anything but actions of the catalogue that lead
to what was asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace

from foretree.clock import Clock, Deferred
from foretree.planning.incremental import run_to_end
from foretree.planning.plan import Action
from foretree.planning.semantics.atom_index import AtomIndex
from foretree.reasoning.models.background import in_background
from foretree.reasoning.models.model import Model, Prices, Question, Reply, Spending
from foretree.revision._simulator import Simulator, StateDelta
from foretree.revision.llm._action_space import ActionSpace
from foretree.revision.llm._prompt import (
    described,
    describing,
    feedback,
    one_line,
    question_on,
    summarise,
)
from foretree.revision.llm._reading import EditReader
from foretree.revision.llm._realisation import WAY_STATES, StepRealiser, UnrealisableError
from foretree.revision.llm._words import UnreadableAnswerError
from foretree.revision.llm.choices import FeedbackSource, Notation
from foretree.revision.plan_task import PlanTask
from foretree.revision.planner import with_ids_gradually
from foretree.revision.put_back import put_back_gradually
from foretree.revision.revision import NoRevisionError, Revision, RevisionRequest, explain
from foretree.revision.rules.precondition_repair import PreconditionRepair
from foretree.runs.events import Recorder, Silent
from foretree.skills.skill import Skill
from foretree.world_model.ontology import Ontology

#: How often the same revision is offered for the same question: what did not help twice will not help.
MOST_OFFERS = 2


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """Options for asking a model.

    Attributes:
        notation: the format of steps.
        feedback: where the feedback sentence comes from.
        latency: how long asking takes on a simulated clock, in seconds; and as long again for a correction.
        time_out: seconds on the session's clock after which the next reviser is asked.
        patience: real seconds that a simulation waits for an answer.
        most_tokens: how long an answer may be.
        prices: what the model costs.
        corrections: how often an answer that was refused may be corrected.
    """

    notation: Notation = "tuples"
    feedback: FeedbackSource = "template"
    latency: float = 2.0
    time_out: float = 30.0
    patience: float = 120.0
    most_tokens: int = 300
    prices: Prices = field(default_factory=Prices)
    corrections: int = 1


@dataclass(frozen=True, slots=True)
class _Exchange:
    purpose: str
    digest: str
    question: Question
    reply: Reply


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The outcome of thinking: what was asked, and a revision or the reason why there is none."""

    exchanges: tuple[_Exchange, ...]
    revision: Revision | None = None
    refusal: str = ""

    @property
    def corrections(self) -> int:
        """Return how often an answer was sent back."""
        return max(0, sum(exchange.purpose == "revise" for exchange in self.exchanges) - 1)


class LlmReviser:
    """Asks a model how the beginning of the plan is to be changed.

    It thinks on a thread of its own; the tick never waits for it.

    Args:
        model: who is asked.
        clock: decides when an answer counts as arrived.
        skills: what the operators of the domain are to the robot.
        recorder: takes down questions, answers and what they cost.
        options: how it is asked.
        ontology: knows the words for classes, which answers may use; without one they use the classes' names.
    """

    name = "llm"

    def __init__(
        self,
        model: Model,
        clock: Clock,
        skills: Mapping[str, Skill] | None = None,
        recorder: Recorder | None = None,
        options: LlmOptions | None = None,
        ontology: Ontology | None = None,
    ) -> None:
        self._ontology = ontology
        self.options = options or LlmOptions()
        self.time_out = self.options.time_out
        self._model = model
        self._clock = clock
        self._skills = skills or {}
        self._recorder: Recorder = recorder or Silent()
        self._begun: list[Future[_Outcome]] = []
        self._offered: Counter[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]] = Counter()

    @property
    def spent(self) -> Spending:
        """Spending so far, that on answers which were no longer waited for included.

        A simulation waits for those: what it has spent must not depend on how fast the server is.
        """
        if self._clock.simulated:
            wait(self._begun, self.options.patience)
        total = Spending()
        for thought in self._begun:
            if thought.done() and thought.exception() is None:
                for exchange in thought.result().exchanges:
                    total = total.with_(Spending.on(exchange.reply, self.options.prices))
        return total

    def propose(self, request: RevisionRequest) -> Deferred[Revision]:
        """The model's revision, when it is there."""
        # The session's own task changes from tick to tick, so the thread gets one to itself.
        task = PlanTask(request.task.domain, dict(request.task.functions))
        request = replace(request, task=task)
        thinking = _Consultation(self._model, self._skills, self.options, request, self._ontology)
        future = in_background(thinking.think, "language-model reviser")
        self._begun.append(future)
        return Deferred(
            future,
            self._clock,
            self.options.latency,
            self._finish,
            self.options.patience,
            more=lambda outcome: outcome.corrections * self.options.latency,
        )

    def _finish(self, thought: _Outcome) -> Revision:
        for exchange in thought.exchanges:
            reply = exchange.reply
            self._recorder.record(
                "model.answered",
                model=self._model.name,
                purpose=exchange.purpose,
                question=exchange.question.user,
                digest=exchange.digest,
                reply=reply.as_json(),
                cost=self.options.prices.of(reply),
            )
        if thought.revision is None:
            raise NoRevisionError(thought.refusal)
        candidates = tuple((action.skill, action.arguments) for action in thought.revision.actions)
        key = (thought.exchanges[-1].digest, candidates)
        self._offered[key] += 1
        if self._offered[key] > MOST_OFFERS:
            raise NoRevisionError(
                f"it repeats itself: it had the same to say to the same question {MOST_OFFERS} times before"
            )
        return thought.revision


class _Consultation:
    """One question to a model and what becomes of the answer; off the tick thread."""

    def __init__(
        self,
        model: Model,
        skills: Mapping[str, Skill],
        options: LlmOptions,
        request: RevisionRequest,
        ontology: Ontology | None,
    ) -> None:
        self._ontology = ontology
        self._model = model
        self._skills = skills
        self._options = options
        self._request = request

    def think(self) -> _Outcome:
        """Ask, read, bind, simulate."""
        request, task = self._request, self._request.task
        task.refresh(request.beliefs)
        vocabulary = request.beliefs.vocabulary
        simulator = Simulator(task)
        repair = PreconditionRepair(simulator, vocabulary, WAY_STATES)
        space = ActionSpace(task.domain, vocabulary, self._skills, repair.moves_robot)
        options = self._options
        plan = summarise(request, space, options.notation)
        exchanges: list[_Exchange] = []
        told = feedback(request.discrepancies)
        if options.feedback == "model":
            exchanges.append(self._exchange("describe", describing(request.discrepancies)))
            told = described(exchanges[0].reply, request.discrepancies)
        realiser = StepRealiser(simulator, repair, space, options.notation)
        start = self._start(simulator)
        reader = EditReader(request, space, realiser, start, plan, self._irreversible, self._ontology)
        refused: dict[str, str] = {}
        why = ""
        for _ in range(1 + options.corrections):
            question = question_on(request, told, plan, space, options.notation, options.most_tokens, refused)
            exchanges.append(self._exchange("revise", question))
            reply = exchanges[-1].reply
            if reply.problem:
                why = f"{why} Asked again: {reply.problem}" if why else reply.problem
                break
            try:
                return _Outcome(tuple(exchanges), self._revision(reader.actions(reply.text)))
            except (UnreadableAnswerError, UnrealisableError) as error:
                told_why = str(error) if str(error).endswith((".", "?")) else f"{error}."
                refused = {"answer": one_line(reply.text), "why": told_why}
                why = f"{told_why} It said: {_quoted(reply.text)}"
        return _Outcome(tuple(exchanges), refusal=why)

    @property
    def _irreversible(self) -> frozenset[str]:
        return frozenset(skill.order for skill in self._skills.values() if skill.irreversible)

    def _revision(self, actions: Sequence[Action]) -> Revision:
        request = self._request
        steps = [(action.skill, action.arguments) for action in actions]
        named = run_to_end(with_ids_gradually(steps, request))
        revised = run_to_end(put_back_gradually(named, request))
        return Revision(tuple(revised), explain(request, revised), LlmReviser.name, request.beliefs.version)

    def _exchange(self, purpose: str, question: Question) -> _Exchange:
        return _Exchange(purpose, question.digest(self._model.name), question, self._model.ask(question))

    # -- what is believed --------------------------------------------------------------------------------
    def _start(self, simulator: Simulator) -> StateDelta:
        request = self._request
        start = StateDelta(AtomIndex(request.task.state(request.beliefs)))
        for action in request.running:
            start = simulator.advance(start, request.task.ground(action))
        return start


def _quoted(text: str) -> str:
    """The beginning of what a model said, on one line."""
    told = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return repr(f"{told[:80]}…" if len(told) > 80 else told)
