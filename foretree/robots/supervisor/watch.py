"""The agent's view of a supervisor: why nothing may begin now."""

from __future__ import annotations

from foretree.clock import Clock
from foretree.robots.supervisor.supervisor import SupervisorState

#: Seconds after which a supervisor that says nothing is taken for dead. It says something ten times a second.
SILENT_AFTER = 1.0


class SupervisorWatch:
    """Follows the states of a supervisor. One that is silent, or was never heard, holds the robot as well.

    Feed it from the thread that hears the messages, and ask it from the one that ticks.

    Args:
        clock: tells how long ago it was heard.
        silent_after: seconds of silence after which the robot counts as held.
    """

    def __init__(self, clock: Clock, silent_after: float = SILENT_AFTER) -> None:
        self._clock = clock
        self._silent_after = silent_after
        self._heard: tuple[float, SupervisorState] | None = None

    def feed(self, state: SupervisorState) -> None:
        """Take in what the supervisor says."""
        self._heard = self._clock.now(), state

    def hold_reason(self) -> str:
        """Return why nothing may begin now; empty if it may."""
        if self._heard is None:
            return "nothing has been heard of the supervisor"
        heard_at, state = self._heard
        silent = self._clock.now() - heard_at
        if not silent <= self._silent_after:
            return f"nothing has been heard of the supervisor for more than {self._silent_after:g} s"
        if not state.held:
            return ""
        why = "; ".join(state.causes) or "it does not say why"
        return f"stopped by the supervisor: {why}"
