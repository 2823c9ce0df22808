"""Streams of messages: what has come since the last tick, and which of them are silent, late or unusable."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, NamedTuple

from foretree.robots.ros.senses.settings import SenseSettings

#: Gives a message; one that is left out is never unpacked.
Load = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Stream:
    """A topic that senses listen to.

    Attributes:
        name: what it is for (``depth``).
        topic: the topic.
        type: its type.
        kept: messages kept between two ticks: the newest.
        latched: whether it is sent once and kept for late listeners, as maps are; its silence means nothing.
    """

    name: str
    topic: str
    type: str
    kept: int = 1
    latched: bool = False


def streams_of(settings: SenseSettings) -> tuple[Stream, ...]:
    """Return the streams of some settings."""
    found = []
    camera = settings.camera
    if camera is not None:
        for name, topic, kind in (
            ("image", camera.image, "sensor_msgs/msg/Image"),
            ("depth", camera.depth, "sensor_msgs/msg/Image"),
            ("info", camera.info, "sensor_msgs/msg/CameraInfo"),
        ):
            if topic is not None:
                found.append(Stream(name, topic, kind, kept=8))
    if settings.detections is not None:
        found.append(Stream("detections", settings.detections.topic, settings.detections.type, kept=8))
    if settings.joints is not None:
        found.append(Stream("joints", settings.joints, "sensor_msgs/msg/JointState", kept=8))
    if settings.body is not None and settings.body.topic is not None:
        found.append(Stream("pose", settings.body.topic, settings.body.type))
    if settings.grid is not None:
        grid = settings.grid
        found.append(Stream("grid", grid.topic, "nav_msgs/msg/OccupancyGrid", latched=True))
        if grid.updates is not None:
            kind = "map_msgs/msg/OccupancyGridUpdate"
            found.append(Stream("grid_updates", grid.updates, kind, kept=256, latched=True))
    return tuple(found)


class Arrived(NamedTuple):
    """A message that has come.

    Attributes:
        stream: the stream's name.
        load: gives the message.
        at: when it came, on the session's clock.
        number: how many messages had come with it.
    """

    stream: str
    load: Load
    at: float
    number: int


class Taken(NamedTuple):
    """Messages that have come between two ticks.

    Attributes:
        time: when it was taken, on the session's clock.
        number: how many messages had come by then, in all.
        arrived: the messages, oldest first.
        overflown: streams of which older messages were left out.
    """

    time: float
    number: int
    arrived: Sequence[Arrived]
    overflown: frozenset[str]


class Inbox:
    """The newest messages of each stream. One thread puts them in, another one takes them out.

    Args:
        streams: the streams.
        now: the time now on the session's clock.
    """

    def __init__(self, streams: Iterable[Stream], now: Callable[[], float]) -> None:
        self._now = now
        self._lock = Lock()
        self._waiting: dict[str, deque[Arrived]] = {s.name: deque(maxlen=s.kept) for s in streams}
        self._overflown: set[str] = set()
        self._count = 0

    def put(self, stream: str, load: Load) -> Arrived:
        """Take in a message."""
        with self._lock:
            self._count += 1
            arrived = Arrived(stream, load, self._now(), self._count)
            waiting = self._waiting[stream]
            if len(waiting) == waiting.maxlen:
                self._overflown.add(stream)
            waiting.append(arrived)
            return arrived

    def take(self) -> Taken:
        """Return what has come since the last call."""
        with self._lock:
            arrived = sorted((one for w in self._waiting.values() for one in w), key=lambda one: one.number)
            for waiting in self._waiting.values():
                waiting.clear()
            overflown, self._overflown = frozenset(self._overflown), set()
            return Taken(self._now(), self._count, arrived, overflown)


@dataclass(frozen=True, slots=True)
class StreamStatus:
    """The state of a stream, for diagnostics.

    Attributes:
        name: the stream.
        topic: its topic.
        ok: whether it can be used.
        text: what is the matter, in a sentence; empty if nothing is.
        messages: how many have come.
    """

    name: str
    topic: str
    ok: bool
    text: str
    messages: int


class StreamWatch:
    """Watches one stream for silence, lateness, and messages that cannot be used.

    Args:
        stream: the stream.
        silent_after: seconds of silence from which on it is called silent.
        since: when it was first listened to, on the session's clock.
    """

    def __init__(self, stream: Stream, silent_after: float, since: float) -> None:
        self.stream = stream
        self._silent_after = silent_after
        self._since = since
        self._last: float | None = None
        self._messages = 0
        self._refused = ""

    def came(self, at: float) -> None:
        """Note that a message has come."""
        self._last = at
        self._messages += 1

    def refused(self, reason: str) -> None:
        """Note why its last message could not be used."""
        self._refused = reason

    def used(self) -> None:
        """Note that its last message was used."""
        self._refused = ""

    def status(self, now: float) -> StreamStatus:
        """Return its state."""
        text = self._refused
        silent = now - (self._since if self._last is None else self._last)
        if self._last is None and silent > self._silent_after:
            text = f"nothing has come on {self.stream.topic} ({self.stream.type}) for {silent:.1f} s"
        elif not self.stream.latched and silent > self._silent_after:
            text = f"{self.stream.topic} is silent for {silent:.1f} s"
        return StreamStatus(self.stream.name, self.stream.topic, not text, text, self._messages)
