"""Carrying a survey out: many classes at once, answers kept on disk, and an end when the server has one.

An answer that can be used is written down at once. Whoever runs the survey again, after an interruption or
with more classes, is asked for nothing twice.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from foretree.config import digest
from foretree.errors import ForetreeError
from foretree.reasoning.models.consultation import Consultation, NoAnswerError
from foretree.reasoning.models.model import Model, Prices, Reply, Spending, tokens_of
from foretree.reasoning.survey.strategies import Answer, Inquiry, PlainAnswers, Strategy
from foretree.schema import Strict

#: After so many questions in a row that no model answered, the survey ends.
_MOST_FAILURES = 3


class SurveyError(ForetreeError):
    """A survey that cannot go on."""


class _Line(Strict):
    key: str
    object: str
    about: str
    model: str
    answer: bool | tuple[str, ...]


class AnswerStore:
    """The answers of a survey, one JSON object per line of a file. May be used from any thread.

    Args:
        path: the file; it need not be there yet.

    Raises:
        SurveyError: it cannot be read, or is another kind of file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._known: dict[str, Answer] = {}
        self._torn = False
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise SurveyError(f"Cannot read {path}: {error.strerror}.") from error
        self._torn = not data.endswith(b"\n") if data else False
        lines = data.splitlines()
        for line in lines:
            try:
                entry = _Line.model_validate_json(line)
            except ValidationError:
                continue  # torn by an end in the middle of writing: it is asked for once more
            self._known[entry.key] = entry.answer
        if len(lines) > 1 and not self._known:
            raise SurveyError(f"{path} has no answers of a survey in it. Name another file for them.")

    def find(self, key: str) -> Answer | None:
        """The answer to an inquiry, by its key."""
        with self._lock:
            return self._known.get(key)

    def add(self, key: str, thing: str, about: str, model: str, answer: Answer) -> None:
        """Write an answer down.

        Raises:
            SurveyError: the file cannot be written.
        """
        entry = {"key": key, "object": thing, "about": about, "model": model, "answer": answer}
        with self._lock:
            self._known[key] = answer
            line = "\n" * self._torn + json.dumps(entry, ensure_ascii=False) + "\n"
            self._torn = False
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                # One write to the end of the file: lines of several processes do not get mixed up.
                file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
                try:
                    os.write(file, line.encode("utf-8", "replace"))
                finally:
                    os.close(file)
            except OSError as error:
                raise SurveyError(f"Cannot write {self.path}: {error.strerror}.") from error


@dataclass(frozen=True, slots=True)
class SurveyOptions:
    """Options of a survey.

    Attributes:
        corrections: how often the model may correct an answer that cannot be used.
        most_tokens: how long an answer may be, at least.
        parallel: how many classes are asked about at once.
        prices: of the model.
    """

    corrections: int = 2
    most_tokens: int = 0
    parallel: int = 4
    prices: Prices = field(default_factory=Prices)


@dataclass(frozen=True, slots=True)
class SurveyExtent:
    """The extent of a survey before it begins.

    Attributes:
        questions: how many there are at most, if no answer has to be corrected.
        known: how many of them have an answer already.
        asked: about how many tokens the others have.
        answered: about how many tokens their answers have.
    """

    questions: int
    known: int
    asked: int
    answered: int


@dataclass
class SurveyResult:
    """The results of a survey.

    Attributes:
        affords: by class, which affordances it has; None for those that no answer tells.
        problems: by class and inquiry, the reason why there is no answer.
        spent: on the model, in this run.
    """

    affords: dict[str, dict[str, bool | None]] = field(default_factory=dict)
    problems: dict[tuple[str, str], str] = field(default_factory=dict)
    spent: Spending = field(default_factory=Spending)


class Survey:
    """Asks a model about classes of objects.

    Args:
        model: the model.
        strategy: how it is asked.
        store: the answers that there are.
        options: see :class:`SurveyOptions`.
    """

    def __init__(
        self, model: Model, strategy: Strategy, store: AnswerStore, options: SurveyOptions | None = None
    ) -> None:
        self._model = PlainAnswers(model)
        self._strategy = strategy
        self._store = store
        self._options = options or SurveyOptions()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._failures = 0
        self._unheard = ""
        self._result = SurveyResult()

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._model.name

    def extent(self, things: Iterable[str]) -> SurveyExtent:
        """Return the extent of a survey of these classes."""
        questions = known = asked = answered = 0
        for thing in things:
            for inquiry in self._strategy.inquiries(thing):
                questions += 1
                if self._store.find(self._key(inquiry)) is not None:
                    known += 1
                    continue
                data = json.dumps({**inquiry.data, "earlier": []}, ensure_ascii=False)
                asked += tokens_of(inquiry.prompt.text) + tokens_of(data)
                answered += inquiry.expected_tokens
        return SurveyExtent(questions, known, asked, answered)

    def run(
        self,
        things: Sequence[str],
        affordances: Collection[str],
        advance: Callable[[], None] = lambda: None,
    ) -> SurveyResult:
        """Ask about each class, and return what they afford.

        Args:
            things: the classes, in words.
            affordances: those that are asked about.
            advance: called when a class is done.

        Raises:
            SurveyError: the server does not answer, or the budget is spent; what was answered is kept.
            KeyboardInterrupt: likewise, at the wish of the user.
        """
        self._stopped.clear()
        self._failures = 0
        self._unheard = ""
        self._result = SurveyResult()
        pool = ThreadPoolExecutor(self._options.parallel, "survey")
        try:
            waiting = {pool.submit(self._one, thing, affordances): thing for thing in things}
            found: dict[str, dict[str, bool | None]] = {}
            while waiting:
                for future in _ended(waiting):
                    found[waiting.pop(future)] = future.result()
                    advance()
        finally:
            self._stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
        if self._unheard:
            raise self._failure(self._unheard)
        self._result.affords = {thing: found[thing] for thing in things}
        return self._result

    def _one(self, thing: str, affordances: Collection[str]) -> dict[str, bool | None]:
        return self._strategy.affords(thing, affordances, lambda inquiry: self._answer(thing, inquiry))

    def _answer(self, thing: str, inquiry: Inquiry) -> Answer | None:
        key = self._key(inquiry)
        known = self._store.find(key)
        if known is not None:
            return known
        if self._stopped.is_set():
            raise SurveyError("The survey was stopped.")
        options = self._options
        most = max(options.most_tokens, inquiry.most_tokens)
        consultation: Consultation[Any] = Consultation(
            self._model, inquiry.prompt, inquiry.form, options.corrections, most
        )
        try:
            answer: Answer = consultation.ask(inquiry.data, inquiry.read)
        except NoAnswerError as error:
            self._note(thing, inquiry, consultation, str(error))
            return None
        self._note(thing, inquiry, consultation)
        self._store.add(key, thing, inquiry.key, self._model.name, answer)
        return answer

    def _note(self, thing: str, inquiry: Inquiry, consultation: Consultation[Any], problem: str = "") -> None:
        """Count what was asked; end the survey when the server does not answer time and again."""
        replies: list[Reply] = [exchange.reply for exchange in consultation.exchanges]
        with self._lock:
            for reply in replies:
                spent = Spending.on(reply, self._options.prices)
                self._result.spent = self._result.spent.with_(spent)
            silent = bool(replies) and bool(replies[-1].problem) and not replies[-1].asked
            self._failures = self._failures + 1 if silent else 0
            if problem:
                self._result.problems[thing, inquiry.key] = problem
            self._unheard = problem if silent else self._unheard
            if self._failures >= _MOST_FAILURES:
                raise self._failure(problem)

    def _failure(self, problem: str) -> SurveyError:
        kept = f"What was answered is kept in {self._store.path}; the same command goes on."
        return SurveyError(f"{problem} {kept}")

    def _key(self, inquiry: Inquiry) -> str:
        parts = [self._model.name, inquiry.prompt.version, inquiry.key, inquiry.data["object"]]
        return digest(json.dumps(parts).encode())[:24]


def _ended(waiting: Mapping[Future[Any], str]) -> list[Future[Any]]:
    """Those that have ended, in the order in which they were begun: of several errors the first counts."""
    ended = wait(waiting, return_when=FIRST_COMPLETED).done
    return [future for future in waiting if future in ended]
