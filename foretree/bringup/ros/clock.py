"""The clock of a ROS node: real time, or the time of a simulation, with waits that can be ended."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

#: A wait ends at the latest after so many seconds of real time; then it is looked what time it is.
_LONGEST_WAIT = 0.1
#: Nanoseconds by which a wait may end early: instants are sums of floats.
_TOLERANCE = 1000


class RosClock:
    """Time in seconds since it was made, from a source that counts nanoseconds. It never goes back.

    A source that jumps back, such as a simulation that begins anew or a bag that starts over, does not take
    the clock with it: it goes on from where it was. Once the clock is closed, it goes on in real time, so
    that what ends does not wait for a simulation that stands still.

    Implements :class:`foretree.clock.Clock`, but for a wait that is ended by :meth:`wake`.

    Args:
        source: what time it is, in nanoseconds; by default real time, monotonic.
        simulated_time: whether the source is the time of a simulation, which may be fast, slow, or stand
            still; :meth:`changed` is to be called whenever it has changed.
    """

    #: What takes time here takes real time, also where a simulation says what time it is.
    simulated = False

    def __init__(
        self, source: Callable[[], int] = time.monotonic_ns, *, simulated_time: bool = False
    ) -> None:
        self._source = source
        self._simulated_time = simulated_time
        self._condition = threading.Condition()
        self._last = source()
        self._elapsed = 0
        self._wakes = 0
        self._closed = False

    def now(self) -> float:
        """Seconds since the clock was made."""
        return self._nanoseconds() / 1e9

    def sleep_until(self, instant: float) -> None:
        """Return once ``now() >= instant``, or the clock is woken."""
        due = int(instant * 1e9) - _TOLERANCE
        with self._condition:
            wakes = self._wakes
            while self._wakes == wakes and (missing := due - self._nanoseconds()) > 0:
                wait = _LONGEST_WAIT if self._follows_simulation else min(missing / 1e9, _LONGEST_WAIT)
                self._condition.wait(wait)

    def changed(self) -> None:
        """Take note that the source says another time now."""
        with self._condition:
            self._condition.notify_all()

    def wake(self) -> None:
        """End the wait that goes on, whatever time it is."""
        with self._condition:
            self._wakes += 1
            self._condition.notify_all()

    def close(self) -> None:
        """Go on in real time from now on, and end the wait that goes on."""
        with self._condition:
            if not self._closed:
                self._nanoseconds()
                self._closed, self._last = True, time.monotonic_ns()
        self.wake()

    @property
    def _follows_simulation(self) -> bool:
        return self._simulated_time and not self._closed

    def _nanoseconds(self) -> int:
        with self._condition:
            read = time.monotonic_ns() if self._closed else self._source()
            if self._last:  # a simulation says zero until its first message
                self._elapsed += max(0, read - self._last)
            self._last = read
            return self._elapsed
