"""Servers that speak the OpenAI protocol: address, model, time limits, retries.

The ``openai`` package is an extra (``pip install foretree[llm]``) and is imported when a server is first
asked.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

from foretree.errors import ForetreeError
from foretree.reasoning.models._chat import (
    FormatMemory,
    format_options,
    hint_at_setting,
    limit_options,
    may_be_format,
    message_text,
)
from foretree.reasoning.models._transport import (
    RefusedError,
    UnreadableResponseError,
    check_redirect,
    hook_error,
    read_json,
)
from foretree.reasoning.models.background import in_background
from foretree.reasoning.models.choices import TokenLimitName
from foretree.reasoning.models.model import AnswerForm, Question, Reply, tokens_of
from foretree.reasoning.models.secrecy import Secrets, address

if TYPE_CHECKING:
    from openai import OpenAI

T = TypeVar("T")

#: What a model says goes on record and into the next question: no answer may be longer, in characters.
MOST_CHARACTERS = 1_000_000
#: No server counts more tokens than this in one question or answer, or it does not count.
MOST_TOKENS = 1_000_000_000
#: Seconds before a request is made a second time, where the server does not say how long; then doubled.
FIRST_PAUSE = 0.2
#: What is known of the servers that this process has asked.
_FORMATS = FormatMemory()


class EndpointError(ForetreeError):
    """A model server that cannot be used: not configured, out of reach, too slow, or unreadable."""


class RefusedRequestError(EndpointError):
    """A model server refuses a request, and would do so again.

    Attributes:
        status: of HTTP.
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message, status)
        self.status = status

    def message(self) -> str:
        """See :class:`~foretree.errors.ForetreeError`."""
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server and a model on it.

    Attributes:
        url: where it listens, up to and including ``/v1``.
        model: which of its models.
        key: the API key; local servers often want none.
        time_out: seconds that one request may take, from first to last byte.
        retries: how often a request is repeated that the server refuses for the moment or does not answer.
        patience: the longest pause, in seconds, that the server may ask for before it is asked again.
        temperature: how random answers are; with None the server decides.
        tokens_as: what requests call the longest answer; with ``none`` they do not say it.
    """

    url: str
    model: str
    key: str = ""
    time_out: float = 20.0
    retries: int = 2
    patience: float = 20.0
    temperature: float | None = 0.0
    tokens_as: TokenLimitName = "max_tokens"

    @classmethod
    def from_environment(cls, variables: Mapping[str, str] | None = None, **known: Any) -> Endpoint:
        """The server that the environment names, as far as the arguments do not.

        ``FORETREE_LLM_URL`` (or ``OPENAI_BASE_URL``), ``FORETREE_LLM_MODEL`` and ``FORETREE_LLM_KEY`` (or
        ``OPENAI_API_KEY``).

        Args:
            variables: the environment; by default that of the process.
            known: fields that are settled already; an empty one is not.

        Raises:
            EndpointError: it names none, or no model.
        """
        given = os.environ if variables is None else variables
        found = {
            "url": given.get("FORETREE_LLM_URL") or given.get("OPENAI_BASE_URL", ""),
            "model": given.get("FORETREE_LLM_MODEL", ""),
            "key": given.get("FORETREE_LLM_KEY") or given.get("OPENAI_API_KEY", ""),
        }
        endpoint = cls(**{**found, **{name: value for name, value in known.items() if value != ""}})
        for value, name, meaning in (
            (endpoint.url, "FORETREE_LLM_URL", "the URL of the model server, as in http://localhost:8000/v1"),
            (endpoint.model, "FORETREE_LLM_MODEL", "the name of a model that the server has"),
        ):
            if not value:
                raise EndpointError(f"{name} is not set. Its value is {meaning}.")
        return endpoint

    @property
    def address(self) -> str:
        """The URL as it may be shown and recorded, without any key in it."""
        return address(self.url)

    @property
    def longest(self) -> float:
        """Seconds after which a request has been answered or given up, whatever the server does."""
        return (1 + self.retries) * self.time_out + self.retries * self.patience


class Client:
    """Asks an :class:`Endpoint`, and counts how often."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.calls = 0
        self._secrets = Secrets.of(endpoint.url, endpoint.key)
        self._client: OpenAI | None = None

    def chat(self, messages: Sequence[Mapping[str, str]], most_tokens: int = 1000) -> str:
        """The words of the model in answer to *messages*.

        Raises:
            EndpointError: it says nothing, in time or at all.
        """
        reply = self.answer(messages, most_tokens)
        if reply.problem and not reply.text:
            told = f"The answer of the model server at {self.endpoint.address} has no text in it."
            raise EndpointError(f"{told} {reply.problem}")
        return reply.text

    def answer(
        self, messages: Sequence[Mapping[str, str]], most_tokens: int = 1000, form: AnswerForm | None = None
    ) -> Reply:
        """The same, with the numbers of tokens, and the problem if there is no whole answer.

        Args:
            messages: what is said.
            most_tokens: how long the answer may be.
            form: its form. A server that does not understand schemas is asked for JSON, or for text.

        Raises:
            EndpointError: it says nothing, in time or at all.
        """
        if form is None:
            return self._chat(messages, most_tokens, {})
        server = (self.endpoint.url, self.endpoint.model)
        *others, last = _FORMATS.to_try(server)
        for found in others:
            try:
                reply = self._chat(messages, most_tokens, format_options(form, found))
            except RefusedRequestError as error:
                if not may_be_format(error.status, str(error)):
                    raise
            else:
                break
        else:
            found = last
            reply = self._chat(messages, most_tokens, format_options(form, found))
        _FORMATS.note(server, found)
        return replace(reply, format=found)

    def _chat(
        self, messages: Sequence[Mapping[str, str]], most_tokens: int, options: Mapping[str, Any]
    ) -> Reply:
        endpoint = self.endpoint

        def read(said: Any) -> Reply:
            choices = said["choices"]
            text, problem = message_text(choices)
            if len(text) > MOST_CHARACTERS:
                raise EndpointError(
                    f"The answer of the model server at {endpoint.address} is too long: {len(text):,} "
                    f"characters, where {most_tokens:,} tokens were asked for and {MOST_CHARACTERS:,} "
                    "characters are the most that is read."
                )
            asked = _tokens(said, "prompt_tokens", "".join(message["content"] for message in messages))
            answered = _tokens(said, "completion_tokens", text)
            if choices and choices[0].get("finish_reason") == "length":
                problem = f"The answer was cut off after {answered} tokens."
            return Reply(self._secrets.hide(text), self._secrets.hide(problem), asked, answered)

        limits = limit_options(endpoint.temperature, endpoint.tokens_as, most_tokens)
        return self._ask(
            lambda client: client.chat.completions.with_streaming_response.create(
                model=endpoint.model,
                messages=list(messages),  # type: ignore[arg-type]
                **limits,
                **options,
            ),
            read,
            "has no text in it",
        )

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text.

        Raises:
            EndpointError: there are none, or not as many.
        """

        def read(answer: Any) -> list[list[float]]:
            rows = sorted(answer["data"], key=lambda row: row["index"])
            vectors = [list(_finite_numbers(row["embedding"])) for row in rows]
            if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) > 1:
                raise ValueError(f"{len(vectors)} vectors")
            return vectors

        return self._ask(
            lambda client: client.embeddings.with_streaming_response.create(
                model=self.endpoint.model, input=list(texts), encoding_format="float"
            ),
            read,
            f"has no vector for each of the {len(texts)} texts, or they differ in length",
        )

    def models(self) -> tuple[str, ...]:
        """The models that the server says it has.

        Raises:
            EndpointError: it does not say.
        """
        return self._ask(
            lambda client: client.models.with_streaming_response.list(),
            lambda answer: tuple([self._secrets.hide(model["id"]) for model in answer["data"]]),
            "does not say which models it has",
        )

    def _ask(
        self,
        request: Callable[[OpenAI], AbstractContextManager[Any]],
        read: Callable[[Any], T],
        problem: str,
    ) -> T:
        """Make a request and *read* its answer; raise an error with the *problem* if it cannot be read."""
        answer = self._repeat(request)
        try:
            return read(answer)
        except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError):
            # The error is not shown with it, since it may have the key in it.
            told = f"The answer of the model server at {self.endpoint.address} {problem}."
            raise EndpointError(told) from None

    def _repeat(self, request: Callable[[OpenAI], AbstractContextManager[Any]]) -> Any:
        """Make a request, as often as it may be repeated; return the answer, as JSON."""
        client = self._client = self._client or _connect(self.endpoint)
        seconds = self.endpoint.time_out
        problem: Exception | None = None
        for turn in range(1 + self.endpoint.retries):
            if problem is not None:
                pause = _pause_after(problem, turn)
                if pause > self.endpoint.patience:
                    break
                time.sleep(pause)
            self.calls += 1
            try:
                return _with_time_limit(seconds, lambda: read_json(request(client), seconds))
            except Exception as error:
                problem = hook_error(error)
                if not _may_be_temporary(problem):
                    break
        told = _describe(problem, self._secrets)
        hint = hint_at_setting(told) if isinstance(problem, RefusedError) else ""
        told = f"The model server at {self.endpoint.address} gave no answer: {' '.join((told, hint)).strip()}"
        # What it comes from is not shown with it, since that may have the key in it.
        if isinstance(problem, RefusedError):
            raise RefusedRequestError(told, problem.status_code) from None
        raise EndpointError(told) from None


class ServedModel:
    """A model on a server."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.name = endpoint.model
        self.endpoint = endpoint

    def ask(self, question: Question) -> Reply:
        """See :class:`Model`. What goes wrong with the server is told in the reply."""
        client = Client(self.endpoint)
        messages = [
            {"role": "system", "content": question.system},
            {"role": "user", "content": question.user},
        ]
        try:
            reply = client.answer(messages, question.most_tokens, question.form)
        except EndpointError as error:
            reply = Reply(problem=str(error))
        return replace(reply, calls=client.calls)


def _connect(endpoint: Endpoint) -> OpenAI:
    try:
        from openai import DefaultHttpxClient, OpenAI
    except ImportError as error:
        raise EndpointError(
            "Asking a model server takes the package openai, which is missing. Install it with: "
            "pip install 'foretree[llm]'"
        ) from error

    def look_at(response: Any) -> None:
        """Read no more of what a server refuses with than a person would, and do not go elsewhere."""
        if response.has_redirect_location:
            check_redirect(response, endpoint.url)
        elif response.status_code >= 300:
            raise RefusedError(response, endpoint.time_out)

    # Retries are ours: they count as calls. The key must not be empty, whether the server wants one or not.
    return OpenAI(
        base_url=endpoint.url,
        api_key=endpoint.key or "none",
        timeout=endpoint.time_out,
        max_retries=0,
        http_client=DefaultHttpxClient(event_hooks={"response": [look_at]}),
    )


def _with_time_limit(seconds: float, work: Callable[[], T]) -> T:
    """The result of *work*, unless it takes too long.

    The time-out of a connection starts anew with every byte, so that a server which sends one now and then
    holds it forever. Hence a thread of its own, which is left behind when the time is up.
    """
    try:
        return in_background(work, "model request").result(seconds)
    except FutureTimeout as error:
        raise TimeoutError(f"no complete answer within {seconds:g} s") from error


def _may_be_temporary(error: Exception) -> bool:
    """True if it may help to ask again: too many requests, a server in trouble, a broken connection."""
    if isinstance(error, UnreadableResponseError):
        return False
    status: Any = getattr(error, "status_code", None)
    return status is None or status in (408, 409, 429) or status >= 500


def _pause_after(error: Exception, turn: int) -> float:
    """Seconds to wait before the request is made for another time: as the server says, if it does."""
    headers: Any = getattr(getattr(error, "response", None), "headers", None) or {}
    wanted = str(headers.get("retry-after", "")).strip()
    try:
        pause = float(wanted)
    except ValueError:
        try:
            until = parsedate_to_datetime(wanted)
        except (TypeError, ValueError):
            return FIRST_PAUSE * 2.0 ** (turn - 1)
        zone = until.tzinfo or timezone.utc
        pause = (until.replace(tzinfo=zone) - datetime.now(timezone.utc)).total_seconds()
    return max(0.0, pause) if pause == pause else FIRST_PAUSE


def _tokens(said: Any, kind: str, text: str) -> int:
    """The number of tokens by the server's count; an estimate if it has none."""
    usage = said.get("usage")
    count = usage.get(kind) if isinstance(usage, dict) else None
    if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= MOST_TOKENS:
        return count
    return tokens_of(text)


def _finite_numbers(row: Iterable[Any]) -> Iterator[float]:
    """The numbers of a vector.

    Raises:
        ValueError, OverflowError: one of them is none.
    """
    for value in row:
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise ValueError(f"no number: {type(value)}")
        yield float(value)


def _describe(error: Exception | None, secrets: Secrets) -> str:
    text = secrets.hide(" ".join(str(error).split()))  # servers like to repeat a key that they do not know
    return f"{text[:200]}…" if len(text) > 200 else f"{text.rstrip('.')}."
