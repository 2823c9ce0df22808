"""Steps of a robot file, carried out one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from foretree.skills.robot import End, Outcome, RobotError


class RunningStep(Protocol):
    """A step that was begun."""

    def poll(self) -> End | None:
        """Return the end, once there is one. Raises RobotError if the robot cannot be asked."""

    def cancel(self) -> None:
        """Ask for an early end."""


class StepSequence:
    """The execution of an order, or of a look: its steps, one after the other.

    Args:
        execution_id: its id.
        begins: what begins each step. The first is begun here, so that what it raises refuses the order.

    Raises:
        RobotError: the first step could not be begun; nothing was sent.
    """

    def __init__(self, execution_id: str, begins: Sequence[Callable[[], RunningStep]]) -> None:
        self.id = execution_id
        self._ahead = list(begins)
        self._cancelled = False
        self._end: End | None = None if begins else End(Outcome.DONE)
        self._running: RunningStep | None = self._ahead.pop(0)() if begins else None

    def poll(self) -> End | None:
        """Return the end; see :class:`~foretree.skills.robot.Execution`."""
        while self._end is None and self._running is not None:
            end = self._running.poll()
            if end is None:
                return None
            self._end = self._next() if end.outcome is Outcome.DONE and self._ahead else end
        return self._end

    def cancel(self) -> None:
        """Ask for an early end: of the running step, and of all that follow."""
        self._cancelled = True
        if self._end is None and self._running is not None:
            self._running.cancel()

    def _next(self) -> End | None:
        if self._cancelled:
            return End(Outcome.CANCELLED, "cancelled between two steps")
        try:
            self._running = self._ahead.pop(0)()
        except RobotError as error:
            return End(Outcome.FAILED, str(error))
        return None
