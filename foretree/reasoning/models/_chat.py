"""Chat requests and their answers: the part of the protocol in which servers differ."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, Literal, TypeAlias, get_args

from foretree.reasoning.models.choices import TokenLimitName
from foretree.reasoning.models.model import AnswerForm

#: How a server is told the form of an answer: by a schema that it enforces, as JSON, or in words only.
AnswerFormat: TypeAlias = Literal["schema", "json", "text"]

#: The best format first.
FORMATS: tuple[AnswerFormat, ...] = get_args(AnswerFormat)
#: Statuses by which servers refuse what they do not know. Else it is the request that is wrong.
_UNKNOWN = frozenset({400, 404, 415, 422, 501})
#: Thoughts that some servers leave in front of the answer.
_THOUGHTS = re.compile(r"\s*<think>.*?</think>\s*", re.DOTALL)
#: What servers say of a setting that a model does not have.
_UNSUPPORTED = re.compile(r"unsupported|not support|unknown|unrecogni[sz]ed|not permitted|extra", re.I)
_HINTS = {
    "temperature": "To leave the temperature out of requests, set llm_temperature to none.",
    "max_tokens": "To send the limit by its newer name, or not at all, set llm_tokens_as to "
    "max_completion_tokens or to none.",
}


class FormatMemory:
    """The best format that each server understands, found out by trying once."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], AnswerFormat] = {}
        self._lock = Lock()

    def to_try(self, server: tuple[str, str]) -> tuple[AnswerFormat, ...]:
        """The formats to try with a server, in turn."""
        with self._lock:
            return FORMATS[FORMATS.index(self._found.get(server, FORMATS[0])) :]

    def note(self, server: tuple[str, str], found: AnswerFormat) -> None:
        """Remember that a server understands a format, and none before it."""
        with self._lock:
            self._found[server] = found


def format_options(form: AnswerForm | None, by: AnswerFormat) -> dict[str, Any]:
    """The part of a request that tells the form of the answer."""
    if form is None or by == "text":
        return {}
    if by == "json":
        return {"response_format": {"type": "json_object"}}
    schema = {"name": form.name, "strict": True, "schema": dict(form.schema)}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def limit_options(temperature: float | None, name: TokenLimitName, most_tokens: int) -> dict[str, Any]:
    """The part of a request that tells how random and how long the answer may be."""
    options: dict[str, Any] = {} if temperature is None else {"temperature": temperature}
    return options if name == "none" else {**options, name: most_tokens}


def may_be_format(status: int, told: str) -> bool:
    """True if a refusal may be due to the format of the answer that was asked for."""
    return status in _UNKNOWN and not hint_at_setting(told)


def hint_at_setting(told: str) -> str:
    """A hint at the setting to change, where a server refuses a part of every request; else nothing."""
    if not _UNSUPPORTED.search(told):
        return ""
    return next((hint for word, hint in _HINTS.items() if word in told), "")


def message_text(choices: Sequence[Any]) -> tuple[str, str]:
    """The words of a model, and the reason why there are none.

    Raises:
        TypeError, KeyError, AttributeError: the answer is of another form.
    """
    if choices == []:
        return "", "The model gave no answer at all."
    message: Mapping[str, Any] = choices[0]["message"]
    text = _without_thoughts(_joined(message.get("content")))
    if text:
        return text, ""
    if isinstance(refusal := message.get("refusal"), str) and refusal:
        return "", f"The model refuses: {' '.join(refusal.split())[:200]}"
    if message.get("tool_calls") or message.get("function_call"):
        return "", "The model called a tool instead of answering. It was offered none."
    if message.get("reasoning_content") or message.get("reasoning"):
        return "", "The model thought, and gave no answer. Thoughts count as tokens: allow more (llm_tokens)."
    if message.get("content") is None:
        raise TypeError("no text")
    return "", ""


def _joined(content: Any) -> str:
    """The text of a message, which may be in parts."""
    if content is None:
        return ""
    if isinstance(content, list):
        content = "".join(part["text"] for part in content if part.get("type", "text") == "text")
    if not isinstance(content, str):
        raise TypeError(f"no text: {type(content)}")
    return content


def _without_thoughts(text: str) -> str:
    """*text* without the thoughts in front of it; of thoughts that never end, nothing is left."""
    rest = _THOUGHTS.sub("", text, count=1) if text.lstrip().startswith("<think>") else text
    return "" if rest.lstrip().startswith("<think>") else rest
