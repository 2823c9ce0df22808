"""Writing a bag: the robot's messages as they come, the marks that a replay needs, and the run's events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from foretree.clock import Clock
from foretree.errors import ForetreeError
from foretree.robots.ros.bags.cdr import DEFINITIONS, pack_log, pack_string
from foretree.robots.ros.bags.definitions import ReadDefinition, definition_of, installed_definition
from foretree.robots.ros.bags.marks import TOPIC, Mark, MarkKind, end_data, order_digest, transform_data
from foretree.robots.ros.senses.transforms import Transform, TransformError, Transforms
from foretree.robots.ros.stamps import NANO
from foretree.runs.encoding import canonical
from foretree.runs.export.mcap_events import LINES, LOG_LEVELS, messages_of
from foretree.runs.export.mcap_log import McapLog
from foretree.runs.export.run_source import RunSource
from foretree.runs.store import Run
from foretree.skills.robot import End, Execution, LookRequest, Order, Robot, RobotError
from foretree.world_model.observation import Observation

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


class NotedTransforms:
    """Transforms of which a bag takes down those that are asked for."""

    def __init__(self, transforms: Transforms, bag: BagWriter) -> None:
        self._transforms = transforms
        self._bag = bag

    def lookup(self, target: str, source: str, time: int | None) -> Transform:
        """Return the pose of *source* in *target*; take down what it is, or why it is not known."""
        try:
            found = self._transforms.lookup(target, source, time)
        except TransformError as error:
            self._bag.mark("transform", transform_data(target, source, time, error))
            raise
        self._bag.mark("transform", transform_data(target, source, time, found))
        return found


class NotedClock:
    """A session's clock, of which a bag takes down when ticks begin.

    Args:
        clock: the clock.
        bag: the bag.
    """

    def __init__(self, clock: Clock, bag: BagWriter) -> None:
        self.simulated = clock.simulated
        self._clock = clock
        self._bag = bag

    def now(self) -> float:
        """Return the time now."""
        return self._clock.now()

    def sleep_until(self, instant: float) -> None:
        """Return once that time has come, and take it down."""
        self._clock.sleep_until(instant)
        self._bag.mark("awake", {})


class NotedRobot:
    """A robot of which a bag takes down what it was told, and how that ended.

    Args:
        robot: the robot.
        bag: the bag.
    """

    def __init__(self, robot: Robot, bag: BagWriter) -> None:
        self.name, self.hands = robot.name, robot.hands
        self._robot = robot
        self._bag = bag
        self._executions: dict[str, _NotedExecution] = {}

    def start(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out *order*."""
        return self._begin(order, execution_id, lambda: self._robot.start(order, execution_id))

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        """Begin a look."""
        return self._begin(request, execution_id, lambda: self._robot.look(request, execution_id))

    def observations(self) -> list[Observation]:
        """Return everything observed since the last call, oldest first."""
        return self._robot.observations()

    def attach(self, execution_id: str) -> Execution | None:
        """Return the execution of that id, if the robot still knows it."""
        found = self._robot.attach(execution_id)
        return None if found is None else self._noted(found)

    def stop(self) -> None:
        """Stop moving, now."""
        self._bag.mark("stopped", {})
        self._robot.stop()

    def _begin(
        self, order: Order | LookRequest, execution_id: str, begin: Callable[[], Execution]
    ) -> Execution:
        skill = order.skill if isinstance(order, Order) else "look"
        said = {"execution": execution_id, "skill": skill, "digest": order_digest(order)}
        self._bag.mark("begun", said)
        try:
            return self._noted(begin())
        except RobotError as error:
            self._bag.mark("refused", {**said, "reason": error.message()})
            raise

    def _noted(self, execution: Execution) -> Execution:
        known = self._executions.get(execution.id)
        if known is None:
            known = self._executions[execution.id] = _NotedExecution(execution, self._bag)
        return known


class _NotedExecution:
    """An execution whose end a bag takes down."""

    def __init__(self, execution: Execution, bag: BagWriter) -> None:
        self.id = execution.id
        self._execution = execution
        self._bag = bag
        self._end: End | None = None

    def poll(self) -> End | None:
        """Return the end, once there is one."""
        end = self._execution.poll()
        if end is not None and self._end is None:
            self._end = end
            self._bag.mark("ended", end_data(self.id, end))
        return end

    def cancel(self) -> None:
        """Ask for an early end."""
        self._bag.mark("cancelled", {"execution": self.id})
        self._execution.cancel()
