"""Clocks: simulated, paced and real time.

A run is deterministic when nothing in it looks at the wall: under :class:`SimulatedClock` time moves only
when the session says so, and a result computed elsewhere (a plan, a model's answer) is *delivered* at a
simulated instant, however long it really took. Under :class:`WallClock` the same code runs in real time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")


class Clock(Protocol):
    """Time in seconds since the session began."""

    simulated: bool

    def now(self) -> float:
        """Seconds since the clock started."""
        ...

    def sleep_until(self, instant: float) -> None:
        """Return once ``now() >= instant``."""
        ...


class SimulatedClock:
    """Time that moves only when told to; sleeping costs nothing."""

    simulated = True

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def now(self) -> float:
        return self._now

    def sleep_until(self, instant: float) -> None:
        if instant > self._now:
            self._now = instant


class PacedClock(SimulatedClock):
    """Simulated time for people to watch: sleeping takes real time.

    Attributes:
        speed: times as fast as real time; 0 does not wait at all. Can be changed at any time.
    """

    def __init__(self, speed: float, start: float = 0.0) -> None:
        super().__init__(start)
        self.speed = speed

    def sleep_until(self, instant: float) -> None:
        if instant > self._now and self.speed > 0:
            time.sleep((instant - self._now) / self.speed)
        super().sleep_until(instant)


class WallClock:
    """Real time, monotonic, from zero or where a resumed run broke off."""

    simulated = False

    def __init__(self, start: float = 0.0) -> None:
        self._zero = time.monotonic() - start

    def now(self) -> float:
        return time.monotonic() - self._zero

    def sleep_until(self, instant: float) -> None:
        remaining = instant - self.now()
        if remaining > 0:
            time.sleep(remaining)


class Deferred(Generic[T]):
    """A result that another thread or process computes, delivered on the clock's terms.

    Under a simulated clock it arrives exactly *latency* seconds after it was asked for: not earlier if the
    work is quick, not later if the machine is slow (then the simulation waits, and its time stands still).
    Under a wall clock it arrives when it is there.

    Args:
        future: where the result will be.
        clock: decides when it counts as arrived.
        latency: simulated seconds between asking and arriving.
        finish: turns what the future holds into the result, on the thread that asks for it.
        patience: real seconds that a simulation waits for the result once it is due.
        abandon: tells work that has begun that its result is no longer wanted.
        more: simulated seconds that what the future holds took beyond *latency*, which shows only then.
    """

    def __init__(
        self,
        future: Future[Any],
        clock: Clock,
        latency: float,
        finish: Callable[[Any], T] = lambda value: value,
        patience: float = 120.0,
        abandon: Callable[[], object] = lambda: None,
        more: Callable[[Any], float] = lambda value: 0.0,
    ) -> None:
        self.future = future
        self.asked_at = clock.now()
        self._finish = finish
        self._clock = clock
        self._due = self.asked_at + latency
        self._patience = patience
        self._abandon = abandon
        self._more = more

    def ready(self) -> bool:
        """Tell whether :meth:`result` would return (or raise) now."""
        if not self._clock.simulated:
            return self.future.done()
        if self._clock.now() < self._due:
            return False
        try:
            failed = self.future.exception(timeout=self._patience)
        except FutureTimeout:
            return False
        except CancelledError:
            return True
        return failed is not None or self._clock.now() >= self._due + self._more(self.future.result())

    def result(self) -> T:
        """The result; only call it once :meth:`ready` said so."""
        return self._finish(self.future.result(timeout=0))

    def cancel(self) -> None:
        """Forget the result; work that has not begun does not begin."""
        self.future.cancel()
        self._abandon()
