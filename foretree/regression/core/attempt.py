"""Running a session to its end within a limit, and what was wrong with that end."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from py_trees.common import Status

from foretree.regression.core.processor_time import processor_time
from foretree.trees.session import Result, Session

#: What can be wrong with an episode, apart from not reaching its goal.
Trouble: TypeAlias = Literal["", "crashed", "hung"]


class HungError(Exception):
    """An episode took longer than it may."""


@dataclass(frozen=True)
class Effort:
    """What an episode took of the machine: seconds on the wall, and of processors, planners included."""

    wall: float = 0.0
    processor: float = 0.0


def measured(carry_out: Callable[[], dict[str, Any]], facts: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """What an episode came to, with what that took of the machine.

    Args:
        carry_out: carries it out; whatever goes wrong becomes part of the result.
        facts: what is known of the episode anyhow, with what else is given.
    """
    wall, processor = time.perf_counter(), processor_time()
    try:
        found = carry_out()
    except Exception:  # whatever it is: a suite goes on, and counts it, with its traceback, as a crash
        found = facts(trouble="crashed", details=traceback.format_exc())
    return {**found, "effort": Effort(time.perf_counter() - wall, processor_time() - processor)}


@dataclass(frozen=True)
class Attempt:
    """How a session ended.

    Attributes:
        result: what it came to.
        trouble: whether it crashed or hung.
        details: the error behind the trouble, with its traceback.
        running: nodes that were left RUNNING.
        alive: executions that were left alive.
    """

    result: Result
    trouble: Trouble
    details: str
    running: tuple[str, ...]
    alive: tuple[str, ...]


def attempt(session: Session, deadline: float) -> Attempt:
    """Run *session* to its end, or until a moment on the wall's performance counter at which it has hung."""
    session.before_tick.append(lambda session: _watch(session, deadline))
    result = session.run()
    error = result.error if result.outcome == "error" else None
    # The session takes what is raised in it for an error of its own.
    hung = error is not None and isinstance(error.__cause__, HungError)
    return Attempt(
        result,
        "hung" if hung else "crashed" if error is not None else "",
        "".join(traceback.format_exception(error)) if error is not None else "",
        tuple(node.name for node in session.tree.root.iterate() if node.status is Status.RUNNING),
        session.context.executive.alive(),
    )


def _watch(session: Session, deadline: float) -> None:
    if time.perf_counter() > deadline:
        raise HungError(f"still running in tick {session.ticks}, {session.context.clock.now():.1f} s into it")
