"""Messages of several topics that were taken at the same time."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

#: Messages kept of each stream: what was taken together may come half a second apart at 30 Hz.
_KEPT = 16
#: A stamp that is so much older (seconds) than what was taken together last means that time went back.
_BACK = 5.0

#: A stamp on the session's clock, and a message.
_Stamped: TypeAlias = tuple[float, Any]


class Synchroniser:
    """Keeps the newest messages of several streams, and finds those that belong together by their stamps.

    The newest set wins: older ones are left out. A set is given once.

    Args:
        streams: their names; a set has a message of each.
        tolerance: seconds by which stamps of one set may differ from that of the first stream.
        kept: messages kept of each stream.
    """

    def __init__(self, streams: Sequence[str], tolerance: float, kept: int = _KEPT) -> None:
        self._first, *self._others = streams
        self._tolerance = tolerance
        self._kept = kept
        self._waiting: dict[str, list[_Stamped]] = {name: [] for name in streams}
        self._last = float("-inf")
        #: The least distance of each stream from the first, since the last set.
        self._apart: dict[str, float] = {}

    def put(self, stream: str, stamp: float, message: Any) -> None:
        """Take in a message of a stream; one that is older than the last set is left out."""
        if stamp < self._last - _BACK:
            self.clear()
        if stamp < self._last - self._tolerance:
            return
        waiting = self._waiting[stream]
        insort(waiting, (stamp, message), key=itemgetter(0))
        del waiting[: -self._kept]

    def take(self) -> tuple[float, Mapping[str, Any]] | None:
        """Return the newest set that was not given yet, with the stamp of its first message."""
        for stamp, message in reversed(self._waiting[self._first]):
            if stamp <= self._last:
                return None
            found = {self._first: message}
            for name in self._others:
                nearest = _nearest(self._waiting[name], stamp)
                if nearest is None:
                    continue
                apart = abs(nearest[0] - stamp)
                self._apart[name] = min(apart, self._apart.get(name, apart))
                if apart <= self._tolerance:
                    found[name] = nearest[1]
            if len(found) == len(self._waiting):
                self._forget(stamp)
                return stamp, found
        return None

    def take_alone(self, before: float) -> tuple[float, Mapping[str, Any]] | None:
        """Return the newest message of the first stream alone that has waited for others since *before*."""
        old = [one for one in self._waiting[self._first] if self._last < one[0] <= before]
        if not old:
            return None
        stamp, message = old[-1]
        self._forget(stamp)
        return stamp, {self._first: message}

    def trouble(self, now: float, patience: float) -> str:
        """Return why there was no set for so long although every stream sends; empty if all is well."""
        newest = {name: waiting[-1][0] for name, waiting in self._waiting.items() if waiting}
        if len(newest) < len(self._waiting) or min(newest.values()) < now - patience:
            return ""  # a stream that is silent is another trouble
        if self._last >= now - patience:
            return ""
        apart = {name: gap for name, gap in self._apart.items() if gap > self._tolerance}
        if not apart:
            return ""
        said = ", ".join(f"{name} stays {gap:.2f} s apart from {self._first}" for name, gap in apart.items())
        return f"{said}; {self._tolerance:g} s are allowed (tolerance)"

    def clear(self) -> None:
        """Forget all messages."""
        for waiting in self._waiting.values():
            waiting.clear()
        self._last = float("-inf")
        self._apart.clear()

    def _forget(self, stamp: float) -> None:
        self._last = stamp
        self._apart.clear()
        for name, waiting in self._waiting.items():
            self._waiting[name] = [one for one in waiting if one[0] > stamp - self._tolerance]
        self._waiting[self._first] = [one for one in self._waiting[self._first] if one[0] > stamp]


def _nearest(waiting: Sequence[_Stamped], stamp: float) -> _Stamped | None:
    return min(waiting, key=lambda one: abs(one[0] - stamp), default=None)
