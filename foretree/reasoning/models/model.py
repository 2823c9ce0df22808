"""A language model that is asked and whose answers are counted: questions, replies, prices.

Trouble with a server is a reply too: whoever asks has to go on without an answer, and a run in which that
happened has to be repeatable like any other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol

from foretree.errors import ForetreeError

if TYPE_CHECKING:  # loaded where a server is asked
    from foretree.reasoning.models.endpoint import Endpoint


class UnrecordedQuestionError(ForetreeError):
    """A question that the answers on record have no answer to, while nobody else may be asked."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked.

    Attributes:
        system: what it is to do: our words only.
        user: what it is about: data, others' words among it.
        most_tokens: how long the answer may be.
    """

    system: str
    user: str
    most_tokens: int = 500

    def digest(self, model: str) -> str:
        """What tells this question to *model* from all others."""
        return sha256(json.dumps([model, *asdict(self).values()]).encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a question.

    Attributes:
        text: what the model said.
        problem: why it said nothing, or nothing that can be used; then the text does not count.
        asked: tokens of the question.
        answered: tokens of the answer.
        calls: how often the server was asked.
    """

    text: str = ""
    problem: str = ""
    asked: int = 0
    answered: int = 0
    calls: int = 0

    def as_json(self) -> dict[str, Any]:
        """The reply as a record has it."""
        return asdict(self)


class Model(Protocol):
    """Answers questions. May be asked from any thread."""

    name: str

    def ask(self, question: Question) -> Reply:
        """What the model says to *question*. Waits for it."""
        ...


class ServedModel:
    """A model on a server."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.name = endpoint.model
        self.endpoint = endpoint

    def ask(self, question: Question) -> Reply:
        """See :class:`Model`. What goes wrong with the server is told in the reply."""
        from foretree.reasoning.models.endpoint import Client, EndpointError

        client = Client(self.endpoint)
        messages = [
            {"role": "system", "content": question.system},
            {"role": "user", "content": question.user},
        ]
        try:
            answer = client.answer(messages, question.most_tokens)
        except EndpointError as error:
            return Reply(problem=str(error), calls=client.calls)
        problem = "" if answer.complete else f"The answer was cut off after {answer.answered} tokens."
        return Reply(answer.text, problem, answer.asked, answer.answered, client.calls)


@dataclass(frozen=True, slots=True)
class Prices:
    """What a model costs, per million tokens, in whatever currency."""

    asked: float = 0.0
    answered: float = 0.0

    def of(self, reply: Reply) -> float:
        """What *reply* costs."""
        return round((reply.asked * self.asked + reply.answered * self.answered) / 1e6, 9)


@dataclass(frozen=True, slots=True)
class Spending:
    """What a run has spent on models so far.

    Attributes:
        questions: how many were asked.
        calls: how often servers were asked, repetitions included.
        asked: tokens of the questions.
        answered: tokens of the answers.
        cost: what that costs.
    """

    questions: int = 0
    calls: int = 0
    asked: int = 0
    answered: int = 0
    cost: float = 0.0

    @classmethod
    def on(cls, reply: Reply, prices: Prices) -> Spending:
        """What one reply has taken."""
        return cls(1, reply.calls, reply.asked, reply.answered, prices.of(reply))

    def with_(self, other: Spending) -> Spending:
        """Both together."""
        return Spending(
            self.questions + other.questions,
            self.calls + other.calls,
            self.asked + other.asked,
            self.answered + other.answered,
            round(self.cost + other.cost, 9),
        )

    def as_json(self) -> Mapping[str, Any]:
        """The spending as a record has it."""
        return asdict(self)
