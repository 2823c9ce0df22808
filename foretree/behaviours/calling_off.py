"""The reason why actions are called off: py_trees stops a node without one, so who does it says it here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_reason: ContextVar[str] = ContextVar("reason", default="the plan no longer wants it")


@contextmanager
def called_off(reason: str) -> Iterator[None]:
    """Stop nodes for a *reason*: the actions that they were carrying out are cancelled with it."""
    token = _reason.set(reason)
    try:
        yield
    finally:
        _reason.reset(token)


def reason_of_call_off() -> str:
    """Return the reason for which nodes are being stopped."""
    return _reason.get()
