"""Responses of model servers, read piece by piece and within limits: no server can flood us or send us on."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from time import monotonic
from typing import Any
from urllib.parse import urljoin

from foretree.reasoning.models.secrecy import address, origin

#: No answer may be longer, in bytes: vectors for some thousand texts fit in, a flood does not.
MOST_BYTES = 64 * 1024 * 1024
#: What a server says when it refuses, or sends on, is read so far, in bytes.
MOST_REFUSAL_BYTES = 64 * 1024
#: What the last event of a stream says.
_STREAM_END = "[DONE]"


def read_json(response: AbstractContextManager[Any], seconds: float) -> Any:
    """The JSON of a response; of a stream of events, the answer that they are pieces of.

    Raises:
        UnreadableResponseError: it is too long, or not JSON.
        TimeoutError: it takes longer than that.
    """
    until = monotonic() + seconds
    body = bytearray()
    with response as opened:
        for piece in opened.iter_bytes():
            body += piece
            if len(body) > MOST_BYTES:
                raise UnreadableResponseError(f"it is longer than {MOST_BYTES // 2**20} MiB")
            if monotonic() > until:
                raise TimeoutError(f"no complete answer within {seconds:g} s")
    try:
        if body.lstrip().startswith((b"data:", b"event:", b":")):
            return _joined(body.decode())
        return json.loads(body)
    except RecursionError as error:
        raise UnreadableResponseError("it is nested too deeply") from error
    except ValueError as error:
        raise UnreadableResponseError(f"it is not JSON: {error}") from error


def _joined(stream: str) -> Any:
    """The chat answer of which *stream* has the pieces: some servers stream though they are not asked to."""
    texts: dict[str, list[str]] = {"content": [], "reasoning_content": []}
    joined: dict[str, Any] = {}
    ending, calls = None, False
    for line in stream.splitlines():
        said = line.removeprefix("data:").strip()
        if not line.startswith("data:") or said == _STREAM_END:
            continue
        piece = json.loads(said)
        if not isinstance(piece, dict):
            raise UnreadableResponseError("an event of its stream is no JSON object")
        joined |= {key: piece[key] for key in ("usage", "error") if piece.get(key)}
        for choice in piece.get("choices") or ():
            delta = choice.get("delta") or choice.get("message") or {}
            for key, parts in texts.items():
                parts.extend([delta[key]] if isinstance(delta.get(key), str) else [])
            calls = calls or bool(delta.get("tool_calls"))
            ending = choice.get("finish_reason") or ending
    message: dict[str, Any] = {key: "".join(parts) for key, parts in texts.items()}
    message["tool_calls"] = [{}] if calls else None
    return joined | {"choices": [{"message": message, "finish_reason": ending}]}


class UnreadableResponseError(ValueError):
    """An answer that cannot be read. The same question would get the same again."""


class RefusedError(Exception):
    """A server says that it does not do what was asked, and why."""

    def __init__(self, response: Any, seconds: float) -> None:
        self.response = response
        self.status_code: int = response.status_code
        until = monotonic() + seconds
        said = bytearray()
        for piece in response.iter_bytes():
            said += piece
            if len(said) > MOST_REFUSAL_BYTES or monotonic() > until:
                break
        try:  # without the escapes of JSON, in which a key could hide
            text = json.dumps(json.loads(said), ensure_ascii=False)
        except (ValueError, RecursionError):
            text = said.decode(errors="replace")
        super().__init__(f"Error code: {self.status_code} - {text}")


def check_redirect(response: Any, url: str) -> None:
    """Let a request be redirected only within the server that it was meant for.

    Raises:
        UnreadableResponseError: it is to go elsewhere, with all that is in it.
    """
    target = urljoin(str(response.request.url), response.headers["location"])
    try:
        same = origin(target) == origin(url)
    except ValueError:
        same = False
    if not same:
        raise UnreadableResponseError(
            f"it redirects to another server, {address(target)}, which is not followed. If you mean "
            "that one, name it"
        )
    length = response.headers.get("content-length", "")
    if not (length.isdecimal() and len(length) < 10 and int(length) <= MOST_REFUSAL_BYTES):
        raise UnreadableResponseError("it redirects, with a text that may have no end")


def hook_error(error: Exception) -> Exception:
    """The exception of the response hook, which the package may have wrapped."""
    inner: BaseException | None = error
    while inner is not None:
        if isinstance(inner, (UnreadableResponseError, RefusedError)):
            return inner
        inner = inner.__cause__
    return error
