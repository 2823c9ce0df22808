"""A server that speaks the OpenAI protocol: which one, which model, and how patiently it is asked.

The ``openai`` package is an extra (``pip install foretree[llm]``) and is imported when a server is first
asked.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from foretree.errors import ForetreeError

if TYPE_CHECKING:
    from openai import OpenAI

T = TypeVar("T")


class EndpointError(ForetreeError):
    """A model server that cannot be used: not configured, out of reach, too slow, or talking nonsense."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server and a model on it.

    Attributes:
        url: where it listens, up to and including ``/v1``.
        model: which of its models.
        key: what it wants to be shown; servers of one's own often want none.
        time_out: seconds that one request may take, from first to last byte.
        retries: how often a request is repeated that the server refuses for the moment or does not answer.
    """

    url: str
    model: str
    key: str = ""
    time_out: float = 20.0
    retries: int = 2

    @classmethod
    def from_environment(cls, variables: Mapping[str, str] | None = None) -> Endpoint:
        """The server that the environment names.

        ``FORETREE_LLM_URL`` (or ``OPENAI_BASE_URL``), ``FORETREE_LLM_MODEL`` and ``FORETREE_LLM_KEY`` (or
        ``OPENAI_API_KEY``).

        Raises:
            EndpointError: it names none, or no model.
        """
        known = os.environ if variables is None else variables
        url = known.get("FORETREE_LLM_URL") or known.get("OPENAI_BASE_URL", "")
        model = known.get("FORETREE_LLM_MODEL", "")
        for value, name, example in (
            (url, "FORETREE_LLM_URL", "http://localhost:8000/v1"),
            (model, "FORETREE_LLM_MODEL", "the name of a model that it serves"),
        ):
            if not value:
                raise EndpointError(f"{name} is not set: it says which model server to ask, as in {example}.")
        return cls(url, model, known.get("FORETREE_LLM_KEY") or known.get("OPENAI_API_KEY", ""))


class Client:
    """Asks an :class:`Endpoint`, and counts how often."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.calls = 0
        self._client: OpenAI | None = None

    def chat(self, messages: Sequence[Mapping[str, str]], most_tokens: int = 1000) -> str:
        """What the model says to *messages*.

        Raises:
            EndpointError: it says nothing, in time or at all.
        """
        answer = self._ask(
            lambda client: client.chat.completions.create(
                model=self.endpoint.model,
                messages=list(messages),  # type: ignore[arg-type]
                temperature=0.0,
                max_tokens=most_tokens,
            )
        )
        try:
            text = answer.choices[0].message.content
        except (AttributeError, IndexError, TypeError):
            text = None
        if not isinstance(text, str):
            raise EndpointError(f"The answer of the model server at {self.endpoint.url} has no text in it.")
        return text

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text.

        Raises:
            EndpointError: there are none, or not as many.
        """
        answer = self._ask(
            lambda client: client.embeddings.create(
                model=self.endpoint.model, input=list(texts), encoding_format="float"
            )
        )
        try:
            rows = sorted(answer.data, key=lambda row: row.index)
            vectors = [list(map(float, row.embedding)) for row in rows]
        except (AttributeError, TypeError, ValueError):
            vectors = []
        if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) > 1:
            raise EndpointError(
                f"The answer of the model server at {self.endpoint.url} has no vector for each of the "
                f"{len(texts)} texts, or they differ in length."
            )
        return vectors

    def _ask(self, request: Callable[[OpenAI], T]) -> T:
        """Make a request, as often as it may be repeated."""
        client = self._client = self._client or _connect(self.endpoint)
        problem: Exception | None = None
        for _ in range(1 + self.endpoint.retries):
            self.calls += 1
            try:
                return _within(self.endpoint.time_out, lambda: request(client))
            except Exception as error:
                problem = error
                if not _may_pass(error):
                    break
        raise EndpointError(
            f"The model server at {self.endpoint.url} gave no answer: {_told(problem)}"
        ) from problem


def _connect(endpoint: Endpoint) -> OpenAI:
    try:
        from openai import OpenAI
    except ImportError as error:
        raise EndpointError(
            "Asking a model server takes the package openai, which is missing. Install it with: "
            "pip install 'foretree[llm]'"
        ) from error
    # Retries are ours: they count as calls. The key must not be empty, whether the server wants one or not.
    return OpenAI(
        base_url=endpoint.url, api_key=endpoint.key or "none", timeout=endpoint.time_out, max_retries=0
    )


def _within(seconds: float, work: Callable[[], T]) -> T:
    """The result of *work*, unless it takes too long.

    The time-out of a connection starts anew with every byte, so that a server which sends one now and then
    holds it forever. Hence a thread of its own, which is left behind when the time is up.
    """
    result: list[T] = []
    problem: list[Exception] = []

    def run() -> None:
        try:
            result.append(work())
        except Exception as error:
            problem.append(error)

    thread = threading.Thread(target=run, name="model request", daemon=True)
    thread.start()
    thread.join(seconds)
    if problem:
        raise problem[0]
    if not result:
        raise TimeoutError(f"no complete answer within {seconds:g} s")
    return result[0]


def _may_pass(error: Exception) -> bool:
    """Whether it may help to ask again: too many requests, a server in trouble, a broken connection."""
    status: Any = getattr(error, "status_code", None)
    return status is None or status in (408, 409, 429) or status >= 500


def _told(error: Exception | None) -> str:
    text = " ".join(str(error).split())
    return f"{text[:200]}…" if len(text) > 200 else f"{text.rstrip('.')}."
