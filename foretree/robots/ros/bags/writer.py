"""Writing a bag: the robot's messages as they come, the marks that a replay needs, and the run's events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any

from foretree.errors import ForetreeError
from foretree.robots.ros.bags.cdr import DEFINITIONS, pack_log, pack_string
from foretree.robots.ros.bags.definitions import ReadDefinition, definition_of, installed_definition
from foretree.robots.ros.bags.marks import TOPIC, Mark, MarkKind
from foretree.robots.ros.stamps import NANO
from foretree.runs.encoding import canonical
from foretree.runs.export.mcap_events import LINES, LOG_LEVELS, messages_of
from foretree.runs.export.mcap_log import McapLog
from foretree.runs.export.run_source import RunSource
from foretree.runs.store import Run

#: Updates of a map that are kept for the bags of later runs.
_MOST_UPDATES = 2000
_TEXT, _LOG = "std_msgs/msg/String", "rcl_interfaces/msg/Log"


class BagError(ForetreeError):
    """A bag cannot be written or read."""

    exit_code = 3


def bag_path(run: Run) -> Path:
    """Return where the bag of a run is: beside its record."""
    return run.path.with_suffix(".mcap")


class BagWriter:
    """Writes a bag. All messages in it are those of ROS, so that ``ros2 bag``, Foxglove and rosbags read it.

    Messages come from the thread that receives them, marks from the one that ticks.

    Args:
        path: the file.
        zero: ROS time in nanoseconds at which the session's clock was zero.
        now: the time now on the session's clock.
        simulated: whether that is a simulated clock.
        read: returns definitions of message types.

    Attributes:
        left_out: why messages of a topic are not in the bag, by topic.

    Raises:
        BagError: the file cannot be written.
        MissingPackageError: the package ``mcap`` is missing.
    """

    def __init__(
        self,
        path: Path,
        zero: int,
        now: Callable[[], float],
        simulated: bool = False,
        read: ReadDefinition = installed_definition,
    ) -> None:
        try:
            self._file = path.open("wb")
        except OSError as error:
            raise BagError(f"The bag {path} cannot be written: {error.strerror}.") from error
        self.path = path
        self.left_out: dict[str, str] = {}
        self._zero = zero
        self._now = now
        self._read = read
        self._definitions: dict[str, str] = dict(DEFINITIONS)
        self._log = McapLog(self._file, profile="ros2")
        self._log.describe("foretree", {"zero": str(zero), "clock": "simulated" if simulated else "wall"})
        self._closed = False

    # -- messages, as they come --------------------------------------------------------------------------
    def listens(self, topic: str, stream: str) -> None:
        """Note that the senses have a stream on a topic."""
        self.mark("stream", {"topic": topic, "stream": stream})

    def received(self, topic: str, type_name: str, data: bytes, at: float, number: int = 0) -> None:
        """Write a message, packed, that came at a time of the session's clock.

        A topic whose type has no definition is left out, and :attr:`left_out` says why. The *number* is the
        one under which the senses took it in.
        """
        if self._closed or topic in self.left_out:
            return
        definition = self._definitions.get(type_name)
        if definition is None:
            try:
                definition = self._definitions[type_name] = definition_of(type_name, self._read)
            except ForetreeError as error:
                self.left_out[topic] = str(error)
                self.mark("missing", {"topic": topic, "why": str(error)}, at)
                return
        self._log.write_packed(topic, type_name, definition, data, self._ros(at), number)

    # -- marks -------------------------------------------------------------------------------------------
    def mark(self, kind: MarkKind, data: Mapping[str, Any], time: float | None = None) -> None:
        """Write a mark."""
        time = self._now() if time is None else time
        self._text(TOPIC, Mark(kind, time, data).text(), self._ros(time))

    def taken(self, time: float, number: int) -> None:
        """Note a tick that took in all messages up to a number."""
        self.mark("tick", {"through": number}, time)

    def looked_for(self, execution_id: str, since: float) -> None:
        """Note that a look waits for a view taken after *since*."""
        self.mark("view", {"execution": execution_id, "since": since})

    # -- the run -----------------------------------------------------------------------------------------
    def add_run(self, run: Run) -> None:
        """Write the events of a run and the lines that tell of them, each event as JSON in a text.

        Raises:
            RunError: the run cannot be read.
        """
        for topic, message, time in messages_of(RunSource(run), began=self._zero):
            if topic == LINES:
                level = LOG_LEVELS[message["level"]]
                data = pack_log(message["message"], level, message["name"], time)
                self._log.write_packed(topic, _LOG, DEFINITIONS[_LOG], data, time)
            else:
                self._text(topic, message, time)

    def close(self) -> None:
        """Finish the file. What comes afterwards is left out."""
        if not self._closed:
            self._closed = True
            self._log.close()
            self._file.close()

    def _text(self, topic: str, content: Any, time: int) -> None:
        text = content if isinstance(content, str) else canonical(content)
        if not self._closed:
            self._log.write_packed(topic, _TEXT, DEFINITIONS[_TEXT], pack_string(text), time)

    def _ros(self, time: float) -> int:
        return self._zero + round(time * NANO)


class RunBags:
    """A bag for each run: what comes between two runs is in none.

    What is sent once, such as a map, is in the bag of every later run too.

    Args:
        now: the time now on the session's clock.
        zero: returns ROS time in nanoseconds at which that clock was zero.
        simulated: whether that is a simulated clock.
        read: returns definitions of message types.
    """

    def __init__(
        self,
        now: Callable[[], float],
        zero: Callable[[], int],
        simulated: bool = False,
        read: ReadDefinition = installed_definition,
    ) -> None:
        self._now, self._zero, self._simulated, self._read = now, zero, simulated, read
        self._lock = Lock()
        self._bag: BagWriter | None = None
        self._streams: dict[str, str] = {}
        self._latched: list[tuple[str, str, bytes, float, int]] = []

    def begin(self, run: Run) -> None:
        """Begin the bag of a run.

        Raises:
            BagError: the file cannot be written.
        """
        bag = BagWriter(bag_path(run), self._zero(), self._now, self._simulated, self._read)
        with self._lock:
            for topic, stream in self._streams.items():
                bag.listens(topic, stream)
            for message in self._latched:
                bag.received(*message)
            self._bag = bag

    def finish(self, run: Run) -> Path | None:
        """Finish the bag with the events of the run; return its path, None if there is none."""
        with self._lock:
            bag, self._bag = self._bag, None
        if bag is None:
            return None
        try:
            bag.add_run(run)
        finally:
            bag.close()
        return bag.path

    def listens(self, topic: str, stream: str) -> None:
        """Note that the senses have a stream on a topic."""
        with self._lock:
            self._streams[topic] = stream
            if self._bag is not None:
                self._bag.listens(topic, stream)

    def received(self, topic: str, type_name: str, data: bytes, at: float, number: int) -> None:
        """Take in a message, packed."""
        message = (topic, type_name, data, at, number)
        with self._lock:
            stream = self._streams.get(topic)
            if stream == "grid":
                self._latched = [message]
            elif stream == "grid_updates":
                self._latched = [*self._latched, message][-_MOST_UPDATES:]
            if self._bag is not None:
                self._bag.received(*message)

    def mark(self, kind: MarkKind, data: Mapping[str, Any], time: float | None = None) -> None:
        """Write a mark."""
        if self._bag is not None:
            self._bag.mark(kind, data, time)

    def taken(self, time: float, number: int) -> None:
        """Note a tick that took in all messages up to a number."""
        if self._bag is not None:
            self._bag.taken(time, number)

    def looked_for(self, execution_id: str, since: float) -> None:
        """Note that a look waits for a view taken after *since*."""
        if self._bag is not None:
            self._bag.looked_for(execution_id, since)
