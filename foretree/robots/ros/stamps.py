"""Stamps of messages on the session's clock: the one place where ROS time becomes the session's time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from foretree.errors import ForetreeError

#: Nanoseconds in a second.
NANO = 1_000_000_000
#: Seconds by which a stamp may be ahead of the time now: clocks of two machines are never quite the same.
_AHEAD = 0.1


class StampError(ForetreeError):
    """A stamp from which no time follows: it is not set, or lies in the future."""


def nanoseconds(stamp: Any) -> int:
    """Return a ``builtin_interfaces/msg/Time`` in nanoseconds."""
    return int(stamp.sec) * NANO + int(stamp.nanosec)


class SessionTime:
    """Conversion of ROS time to seconds on the session's clock.

    Args:
        now: the time now on the session's clock.
        zero: ROS time, in nanoseconds, at which the session's clock was zero.
    """

    def __init__(self, now: Callable[[], float], zero: int) -> None:
        self.now = now
        self.zero = zero

    @classmethod
    def begun(cls, now: Callable[[], float], ros_now: Callable[[], int]) -> SessionTime:
        """Return the conversion for a session that goes on now; *ros_now* is ROS time in nanoseconds."""
        return cls(now, ros_now() - round(now() * NANO))

    def seconds(self, stamp: Any) -> float:
        """Return when a message was taken, in seconds on the session's clock; negative if before its start.

        Raises:
            StampError: the stamp is not set, or ahead of the time now.
        """
        at = nanoseconds(stamp)
        if at == 0:
            raise StampError("the stamp of its header is not set")
        time, now = self.of(at), self.now()
        if time > now + _AHEAD:
            raise StampError(
                f"its stamp is {time - now:.1f} s ahead of the time now: the clock of its sender is another "
                "one, or only one of the two uses simulated time (use_sim_time)"
            )
        return time

    def check_age(self, time: float, limit: float) -> None:
        """Check that a message was taken recently.

        Raises:
            StampError: it was taken longer ago than *limit* seconds.
        """
        age = self.now() - time
        if age > limit:
            raise StampError(f"it was taken {age:.1f} s ago, more than {limit:g} s, and is not used")

    def of(self, ros_time: int) -> float:
        """Return ROS time in nanoseconds as seconds on the session's clock."""
        return (ros_time - self.zero) / NANO

    def ros(self, time: float) -> int:
        """Return a time on the session's clock as ROS time in nanoseconds."""
        return self.zero + round(time * NANO)
