"""Language models: questions, replies, prices, spending.

A problem with a server is a reply too: the caller has to go on without an answer, and a run in which that
happened has to be repeatable like any other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any, Protocol, runtime_checkable

from foretree.errors import ForetreeError


class UnrecordedQuestionError(ForetreeError):
    """A question that has no recorded answer, in a replay."""


#: An answer may come in a fence, as models like to write it.
_FENCE = re.compile(r"```[a-z]*\s*\n(.*?)\n?\s*```", re.DOTALL)


#: Letters to a token, about: for servers that do not say how many tokens there were.
LETTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The form of an answer in JSON, for servers that can be told.

    Attributes:
        name: what it is called.
        schema: a JSON schema.
    """

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a model.

    Attributes:
        system: its task, in our words only.
        user: the data, which may have the words of others in it.
        most_tokens: how long the answer may be.
        form: the form of the answer, which the task tells too; no part of what tells questions apart.
    """

    system: str
    user: str
    most_tokens: int = 500
    form: AnswerForm | None = field(default=None, compare=False)

    def digest(self, model: str) -> str:
        """The key of this question to *model*."""
        parts = [model, self.system, self.user, self.most_tokens]
        return sha256(json.dumps(parts).encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a question.

    Attributes:
        text: the words of the model.
        problem: the reason why there is no usable text; empty if there is.
        asked: tokens of the question.
        answered: tokens of the answer.
        calls: how often the server was asked.
        format: how the server was told the form of the answer; empty if it was not.
    """

    text: str = ""
    problem: str = ""
    asked: int = 0
    answered: int = 0
    calls: int = 0
    format: str = ""

    def as_json(self) -> dict[str, Any]:
        """The reply as a record has it."""
        return asdict(self)


class Model(Protocol):
    """Answers questions. May be asked from any thread."""

    name: str

    def ask(self, question: Question) -> Reply:
        """Ask *question* and wait for the reply."""


def tokens_of(text: str) -> int:
    """The number of tokens of *text*, about."""
    return -(-len(text) // LETTERS_PER_TOKEN)


def unfenced(text: str) -> str:
    """The words of an answer without the fence that they may be in."""
    fenced = _FENCE.fullmatch(text.strip())
    return fenced.group(1).strip() if fenced else text.strip()


def json_in(text: str) -> str:
    """The JSON of an answer, which may stand in a fence with words around it."""
    fenced = _FENCE.findall(text)
    return fenced[0].strip() if len(fenced) == 1 else text.strip()


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of a model, per million tokens, in any currency."""

    asked: float = 0.0
    answered: float = 0.0

    def of(self, reply: Reply) -> float:
        """The cost of *reply*."""
        return round((reply.asked * self.asked + reply.answered * self.answered) / 1e6, 9)


@dataclass(frozen=True, slots=True)
class Spending:
    """The spending of a run on models so far.

    Attributes:
        questions: how many were asked.
        calls: how often servers were asked, repetitions included.
        asked: tokens of the questions.
        answered: tokens of the answers.
        cost: the price of those.
    """

    questions: int = 0
    calls: int = 0
    asked: int = 0
    answered: int = 0
    cost: float = 0.0

    @classmethod
    def on(cls, reply: Reply, prices: Prices) -> Spending:
        """The spending on one reply."""
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


@runtime_checkable
class TracksSpending(Protocol):
    """A reviser or reasoner that asks models which have their price."""

    @property
    def spent(self) -> Spending:
        """Spending so far."""
