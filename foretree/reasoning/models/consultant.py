"""Consultants: a model asked for one purpose in the background, with what that costs and its record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from foretree.clock import Clock, Deferred
from foretree.errors import ForetreeError
from foretree.reasoning.models.background import in_background
from foretree.reasoning.models.consultation import Consultation, Exchange, NoAnswerError, Prompt
from foretree.reasoning.models.model import Model, Prices, Spending, UnrecordedQuestionError
from foretree.runs.events import Recorder
from foretree.schema import Strict

A = TypeVar("A", bound=Strict)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ConsultantOptions:
    """Options for asking a model.

    Attributes:
        corrections: how often it may correct an answer that cannot be used.
        most_tokens: how long an answer may be.
        prices: what the model costs.
        latency: how long asking takes on a simulated clock, in seconds.
        patience: real seconds that a simulation waits for an answer.
    """

    corrections: int = 3
    most_tokens: int = 1_000
    prices: Prices = field(default_factory=Prices)
    latency: float = 2.0
    patience: float = 120.0


@dataclass(frozen=True, slots=True)
class _Outcome(Generic[T]):
    """Question that was asked, and what has come of it."""

    exchanges: tuple[Exchange, ...]
    result: T | None = None
    refusal: ForetreeError | None = None


class Consultant:
    """Asks a model about one kind of matter; no tick waits for it.

    Args:
        model: the model to ask.
        prompt: its task.
        clock: decides when an answer counts as arrived.
        recorder: takes down what is asked and answered.
        options: how it is asked.
    """

    def __init__(
        self,
        model: Model,
        prompt: Prompt,
        clock: Clock,
        recorder: Recorder,
        options: ConsultantOptions,
    ) -> None:
        self._model = model
        self._prompt = prompt
        self._clock = clock
        self._recorder = recorder
        self._options = options
        self._prompts_recorded: set[str] = set()
        self._begun: list[tuple[Future[Any], Consultation[Any]]] = []

    @property
    def spent(self) -> Spending:
        """Spending so far, that on answers which were no longer waited for included.

        A simulation waits for those: what it has spent must not depend on how fast the server is.
        """
        if self._clock.simulated:
            wait([future for future, _ in self._begun], self._options.patience)
        total = Spending()
        for _, consultation in self._begun:
            for exchange in tuple(consultation.exchanges):
                total = total.with_(Spending.on(exchange.reply, self._options.prices))
        return total

    def begin(
        self,
        form: type[A],
        data: Mapping[str, Any],
        read: Callable[[A], T],
        refuse: Callable[[str], ForetreeError] = NoAnswerError,
    ) -> Deferred[T]:
        """Begin to ask about *data*; the result is what *read* makes of the answer, or what it raises.

        Args:
            form: the form of the answer.
            data: what the question is about.
            read: raises a ``WrongAnswerError`` if the answer cannot be used. Called on another thread.
            refuse: makes the error with which it ends if no answer can be used.
        """
        options = self._options
        consultation = Consultation(self._model, self._prompt, form, options.corrections, options.most_tokens)

        def ask() -> _Outcome[T]:
            try:
                result = consultation.ask(data, read)
            except UnrecordedQuestionError:
                raise  # a replay must not diverge
            except NoAnswerError as error:
                return _Outcome(tuple(consultation.exchanges), refusal=refuse(str(error)))
            except ForetreeError as error:
                return _Outcome(tuple(consultation.exchanges), refusal=error)
            return _Outcome(tuple(consultation.exchanges), result)

        future = in_background(ask, f"consultant ({self._prompt.name})")
        self._begun.append((future, consultation))
        latency, patience = options.latency, options.patience
        return Deferred(future, self._clock, latency, self._finish, patience, consultation.cancelled.set)

    def _finish(self, outcome: _Outcome[T]) -> T:
        for exchange in outcome.exchanges:
            # The words once in a run: a prompt that is edited later can still be read there.
            first = exchange.prompt.version not in self._prompts_recorded
            self._prompts_recorded.add(exchange.prompt.version)
            exchange.record(self._recorder, self._model.name, self._options.prices, with_prompt=first)
        if outcome.refusal is not None:
            raise outcome.refusal
        assert outcome.result is not None
        return outcome.result
