"""Consultations: a question to a model, sent back with what is wrong until the answer can be used.

The task is a prompt: a file that users can edit. The data, which may have the words of others in it, is one
JSON object beside it. An answer is one JSON object too, of a form that the caller declares; whatever else it
says is not read.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from foretree.config import digest, find_config, read_text
from foretree.errors import ForetreeError
from foretree.reasoning.models.model import AnswerForm, Model, Prices, Question, Reply, json_in
from foretree.runs.events import Recorder
from foretree.schema import Strict

A = TypeVar("A", bound=Strict)
T = TypeVar("T")

#: Of a wrong answer, so many characters go back to the model.
_LONGEST_ANSWER = 2_000

#: What servers refuse in a schema, or have no use for.
_NOT_SENT = frozenset({"title", "default", "description"})


class WrongAnswerError(ForetreeError):
    """An answer that cannot be used; the model is told why."""


class NoAnswerError(ForetreeError):
    """A model that gives no answer that can be used."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A task of a model, in words.

    Attributes:
        name: what it is for.
        text: the words.
    """

    name: str
    text: str

    @classmethod
    def load(cls, name: str) -> Prompt:
        """The prompt ``configs/prompts/NAME.txt``, or the user's own of that name.

        Raises:
            ConfigError: there is none, or it cannot be read.
        """
        return cls(name, read_text(find_config("prompts", name, ".txt")))

    @property
    def version(self) -> str:
        """The digest of its words, which a run has on record."""
        return digest(self.text.encode())


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its reply.

    Attributes:
        prompt: the task.
        question: as it was asked.
        reply: what the model said.
        wrong: why that could not be used, which the model is told; empty if it could.
    """

    prompt: Prompt
    question: Question
    reply: Reply
    wrong: str = ""

    def record(self, recorder: Recorder, model: str, prices: Prices, *, with_prompt: bool = False) -> None:
        """Note it in the record of a run, *with_prompt* together with the words of the prompt."""
        recorder.record(
            "model.answered",
            model=model,
            purpose=self.prompt.name,
            question=self.question.user,
            digest=self.question.digest(model),
            prompt=self.prompt.version,
            reply=self.reply.as_json(),
            cost=prices.of(self.reply),
            **({"wrong": self.wrong} if self.wrong else {}),
            **({"prompt_text": self.prompt.text} if with_prompt else {}),
        )


class Consultation(Generic[A]):
    """Asks a model about one matter. May be used on any thread.

    Args:
        model: the model to ask.
        prompt: its task.
        form: the form of its answer.
        corrections: how often it may correct an answer that cannot be used.
        most_tokens: how long an answer may be.

    Attributes:
        exchanges: what was asked and answered so far.
        cancelled: once it is set, nothing more is asked.
    """

    def __init__(
        self, model: Model, prompt: Prompt, form: type[A], corrections: int = 3, most_tokens: int = 1_000
    ) -> None:
        self.exchanges: list[Exchange] = []
        self.cancelled = threading.Event()
        self._model = model
        self._prompt = prompt
        self._form = form
        self._corrections = corrections
        self._most_tokens = most_tokens

    def ask(self, data: Mapping[str, Any], read: Callable[[A], T]) -> T:
        """Ask about *data*, and return what *read* makes of the answer.

        Args:
            data: what the question is about.
            read: raises a :class:`WrongAnswerError` if the answer cannot be used.

        Raises:
            NoAnswerError: the model gives none that can be used.
        """
        earlier: list[dict[str, Any]] = []
        wrong = ""
        for _ in range(1 + self._corrections):
            if self.cancelled.is_set():
                raise NoAnswerError("The answer is no longer needed.")
            reply = self._exchange({**data, "earlier": earlier})
            if reply.problem:
                raise NoAnswerError(reply.problem)
            try:
                return read(self._parse(reply.text))
            except WrongAnswerError as error:
                wrong = str(error)
                self.exchanges[-1] = replace(self.exchanges[-1], wrong=wrong)
            earlier.append({"answer": reply.text[:_LONGEST_ANSWER], "wrong": wrong})
        attempts = "1 attempt" if len(earlier) == 1 else f"{len(earlier)} attempts"
        raise NoAnswerError(
            f"The model wrote no valid answer ({self._prompt.name}) in {attempts}. The last mistake: {wrong}"
        )

    def _exchange(self, data: Mapping[str, Any]) -> Reply:
        text = json.dumps(data, ensure_ascii=False)
        question = Question(
            self._prompt.text, text, self._most_tokens, answer_form(self._form, self._prompt.name)
        )
        reply = self._model.ask(question)
        self.exchanges.append(Exchange(self._prompt, question, reply))
        return reply

    def _parse(self, text: str) -> A:
        try:
            return self._form.model_validate_json(json_in(text))
        except ValidationError as error:
            mistake = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, mistake["loc"])) or "the answer"
            problem = f"{where} is not of the form that was asked for: {mistake['msg']}."
            raise WrongAnswerError(problem) from error


def answer_form(form: type[Strict], name: str) -> AnswerForm:
    """The form as servers take it: every key must be there, and no other."""
    return AnswerForm(name, _strict(form.model_json_schema()))


def _strict(schema: Any) -> Any:
    """*schema* without the titles and defaults that servers refuse, and with all its keys required."""
    if isinstance(schema, list):
        return [_strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        key: _strict(part) for key, part in schema.items() if key not in ("title", "default", "description")
    }
    if isinstance(properties := schema.get("properties"), dict):
        kept["properties"] = {key: _strict(part) for key, part in properties.items()}
        kept |= {"required": list(properties), "additionalProperties": False}
    return kept
