"""The senses of a robot on ROS: what has come since the last tick becomes observations.

Messages are put in by whatever thread receives them; everything else is done by the thread that ticks. Each
tick sees exactly the messages that came before it, so that a bag of them gives the same observations again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from foretree.clock import Clock
from foretree.errors import ForetreeError
from foretree.robots.ros.senses.body import BodySense
from foretree.robots.ros.senses.grids import GridMap, PassageWatch
from foretree.robots.ros.senses.settings import SenseSettings
from foretree.robots.ros.senses.sight import FrameEyes, Messages, Sight
from foretree.robots.ros.senses.standing import PlaceArea, Standing, place_areas
from foretree.robots.ros.senses.streams import Arrived, Inbox, Load, StreamStatus, StreamWatch, streams_of
from foretree.robots.ros.senses.synchroniser import Synchroniser
from foretree.robots.ros.senses.transforms import FreshTransforms, TransformError, Transforms
from foretree.robots.ros.stamps import SessionTime
from foretree.skills.robot import End, LookRequest, Outcome, RobotError
from foretree.world_model.beliefs.facts import Atom
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.observation import Observation

if TYPE_CHECKING:
    from foretree.robots.ros.robot_file import RobotFile

#: Camera streams, whose messages are put together by their stamps.
_CAMERA = ("detections", "image", "depth", "info")
#: An image that viewers of a run are shown with detections is at most so many seconds older or newer.
_SAME_IMAGE = 0.3
#: Sets of camera messages that wait for transforms.
_WAITING = 8


@dataclass(frozen=True, slots=True)
class SensingRobot:
    """The robot and the map that senses report about.

    Attributes:
        name: the robot's name in the belief.
        frame: the frame of the belief's poses.
        places: the agent's map, if it has one.
        areas: where the robot stands at each place.
        stand_off: how far from furniture it stands that is there (metres).
    """

    name: str
    frame: str = "map"
    places: PlaceGraph | None = None
    areas: Sequence[PlaceArea] = ()
    stand_off: float = 0.6

    @classmethod
    def of(cls, file: RobotFile, places: PlaceGraph | None) -> SensingRobot:
        """Return the robot that a robot file describes, on the agent's map."""
        body = file.senses.body if file.senses is not None else None
        areas: Sequence[PlaceArea] = ()
        if places is not None and body is not None:
            stands = [((stand.place[0], stand.place[1]), stand.at[:2]) for stand in file.stands]
            areas = place_areas(places, body.tolerance, file.stand_off, stands)
        return cls(file.robot, file.frame, places, areas, file.stand_off)


class SenseJournal(Protocol):
    """Takes down what a replay needs besides the messages."""

    def looked_for(self, execution_id: str, since: float) -> None:
        """Note that a look was begun, and that views count from *since* on."""

    def taken(self, time: float, number: int) -> None:
        """Note that at *time* all messages up to a number were taken in."""


class LookExecution:
    """A look that is done once a view taken after its beginning was observed."""

    def __init__(self, execution_id: str, since: float, until: float) -> None:
        self.id = execution_id
        self.since = since
        self.until = until
        self.end: End | None = None

    def poll(self) -> End | None:
        """Return the end, once there is one."""
        return self.end

    def cancel(self) -> None:
        """End the look, unless it has ended."""
        self.end = self.end or End(Outcome.CANCELLED, "cancelled")


@dataclass(slots=True)
class _Set:
    """Camera messages that belong together."""

    time: float
    messages: Messages
    since: float


@dataclass(slots=True)
class _Reported:
    """State of the body that was reported last."""

    facts: Mapping[Atom, bool] = field(default_factory=dict)
    at: float = float("-inf")


class MessageSenses:
    """Implements :class:`foretree.robots.ros.robot.RobotSenses` on messages of the robot's topics.

    Args:
        settings: the section ``senses`` of the robot file.
        robot: the robot and its map.
        clock: the session's clock.
        zero: ROS time in nanoseconds at which that clock was zero.
        transforms: transforms between frames.
        eyes: what detects things in colour images, if no detector's messages are listened to.
        journal: takes down what a replay needs besides the messages.
    """

    def __init__(
        self,
        settings: SenseSettings,
        robot: SensingRobot,
        clock: Clock,
        zero: int,
        transforms: Transforms,
        eyes: FrameEyes | None = None,
        journal: SenseJournal | None = None,
    ) -> None:
        self.streams = streams_of(settings)
        self.inbox = Inbox(self.streams, clock.now)
        self._settings = settings
        self._limits = settings.limits
        self._clock = clock
        self._now = clock.now()
        #: Time stands still while a tick's messages are taken in.
        self.time = SessionTime(lambda: self._now, zero)
        self._journal = journal
        fresh = FreshTransforms(transforms, lambda: self.time.ros(self._now), self._limits.transform_age)
        standing = Standing(robot.areas) if robot.areas else None
        self._body = BodySense(robot.name, robot.frame, settings, standing, fresh)
        self._sight = Sight(robot.name, robot.frame, settings, fresh, lambda: self._body.holds)
        self._frame, self._transforms = robot.frame, fresh
        self.grid = GridMap(settings.grid) if settings.grid is not None else None
        self._passages: PassageWatch | None = None
        if settings.grid is not None and robot.places is not None:
            self._passages = PassageWatch(robot.places, settings.grid, robot.stand_off)
        self._eyes = _EyesAtWork(eyes) if eyes is not None and settings.detections is None else None
        names = {stream.name for stream in self.streams}
        first = "image" if self._eyes is not None else "detections"
        taken = [name for name in (first, "depth", "info") if name in names]
        camera = settings.camera
        self._together = Synchroniser(taken, camera.tolerance if camera else 0.05) if first in taken else None
        self._alone = settings.detections is not None and settings.detections.type.endswith("3DArray")
        self._image: tuple[float, Any] | None = None
        self._sets: list[_Set] = []
        self._blind_since: float | None = None
        self._looks: list[LookExecution] = []
        self._reported = _Reported()
        self._watches = {s.name: StreamWatch(s, self._limits.silent_after, self._now) for s in self.streams}
        #: What is the matter with transforms, by what they are for.
        self._lost: dict[str, str] = {}

    # -- from any thread -------------------------------------------------------------------------------
    def put(self, stream: str, load: Load) -> Arrived:
        """Take in a message."""
        return self.inbox.put(stream, load)

    # -- from the thread that ticks --------------------------------------------------------------------
    def observations(self) -> list[Observation]:
        """Return everything observed since the last call, oldest first. Never blocks."""
        self._now, number, arrived, overflown = self.inbox.take()
        if self._journal is not None:
            self._journal.taken(self._now, number)
        if "grid_updates" in overflown and self.grid is not None:
            self._forget_grid()
        for one in arrived:
            self._take(one)
        observed = [*self._feel(), *self._watch_passages(), *self._see()]
        self._end_looks(observed)
        return observed

    def look(self, request: LookRequest, execution_id: str) -> LookExecution:
        """Begin a look: it is done once a view taken from now on has been observed.

        Raises:
            RobotError: nothing is set up that shows anything.
        """
        return self.begin_look(execution_id, self._clock.now())

    def begin_look(self, execution_id: str, since: float) -> LookExecution:
        """Begin a look that is done with a view taken after *since*.

        Raises:
            RobotError: nothing is set up that shows anything.
        """
        if self._together is None:
            raise RobotError(
                "The robot cannot look: its file names neither detections nor a camera with eyes (senses)."
            )
        if self._journal is not None:
            self._journal.looked_for(execution_id, since)
        look = LookExecution(execution_id, since, since + self._limits.look)
        self._looks.append(look)
        return look

    def status(self) -> list[StreamStatus]:
        """Return the state of each stream, of the camera's streams together, and of transforms."""
        now = self._clock.now()
        found = [watch.status(now) for watch in self._watches.values()]
        if self._together is not None:
            apart = self._together.trouble(now, self._limits.silent_after)
            found.append(StreamStatus("synchronised", "", not apart, apart, 0))
        for name, text in list(self._lost.items()):  # diagnostics ask from another thread
            found.append(StreamStatus(name, "/tf", not text, text, 0))
        return found

    def close(self) -> None:
        """End the thread in which eyes work."""
        if self._eyes is not None:
            self._eyes.close()

    # -- taking in -------------------------------------------------------------------------------------
    def _take(self, arrived: Arrived) -> None:
        watch = self._watches[arrived.stream]
        watch.came(arrived.at)
        try:
            self._take_message(arrived.stream, arrived.load())
        except TransformError as error:
            watch.refused(f"{watch.stream.topic}: {error}")
            if arrived.stream == "pose":
                self._body.lose_place()
        except ForetreeError as error:
            watch.refused(f"{watch.stream.topic}: {error}")
        else:
            watch.used()

    def _take_message(self, stream: str, message: Any) -> None:
        if stream == "grid_updates":
            assert self.grid is not None
            self.grid.update(message)
        elif stream == "grid":
            assert self.grid is not None
            self.grid.take(message, self._transforms.lookup(self._frame, message.header.frame_id, None).pose)
        else:
            time = self._recent(message)
            if stream == "joints":
                self._body.feel_joints(message)
            elif stream == "pose":
                self._body.locate_by(message)
            elif stream == "image" and self._eyes is None:
                self._image = time, message
            elif self._together is not None and stream in _CAMERA:
                self._together.put(stream, time, message)

    def _recent(self, message: Any) -> float:
        """When a message was taken.

        Raises:
            StampError: that is not known, or too long ago.
        """
        time = self.time.seconds(message.header.stamp)
        self.time.check_age(time, self._limits.message_age)
        return time

    # -- seeing ----------------------------------------------------------------------------------------
    def _see(self) -> list[Observation]:
        if self._together is None:
            return []
        found = self._together.take()
        if found is None and self._alone:
            found = self._together.take_alone(self._now - self._limits.transform_patience)
        if found is not None:
            self._sets = [*self._sets, _Set(*found, self._now)][-_WAITING:]
        observed = self._eyes.done() if self._eyes is not None else []
        for number in range(len(self._sets) - 1, -1, -1):
            one = self._sets[number]
            try:
                observed += self._observe(one)
            except TransformError as error:
                if self._blind_since is None:
                    self._blind_since = one.since
                patience = self._limits.transform_patience
                # Sets that come fast push each other out before any of them has waited for so long.
                lasts = self._now - self._blind_since > patience
                self._lost["camera pose"] = str(error) if lasts or not error.may_come else ""
                if self._now - one.since > patience or not error.may_come:
                    del self._sets[number]
                continue
            except ForetreeError as error:
                self._refuse(one, str(error))
            else:
                self._lost["camera pose"] = ""
                self._blind_since = None
            del self._sets[: number + 1]  # the newest wins
            break
        return observed

    def _observe(self, one: _Set) -> list[Observation]:
        source = "look" if any(look.since < one.time for look in self._looks) else "view"
        if self._eyes is not None:
            if not self._eyes.is_busy:
                self._eyes.begin(self._sight, one, source)
            return []
        messages = dict(one.messages)
        if self._image is not None and abs(self._image[0] - one.time) <= _SAME_IMAGE:
            messages["image"] = self._image[1]
        observation, refused = self._sight.observation(messages, one.time, source)
        if refused:
            self._watches["detections"].refused(f"{len(refused)} detections were left out: {refused[0]}")
        return [observation]

    def _refuse(self, one: _Set, reason: str) -> None:
        for stream in one.messages:
            self._watches[stream].refused(reason)

    def _end_looks(self, observed: Sequence[Observation]) -> None:
        views = [one.time for one in observed if one.source in ("look", "view") and _is_view(one)]
        for look in self._looks:
            if look.end is not None:
                continue
            if any(time > look.since for time in views):
                look.end = End(Outcome.DONE)
            elif self._now > look.until:
                reasons = "; ".join(status.text for status in self.status() if not status.ok)
                waited = f"no view has come within {self._limits.look:g} s"
                look.end = End(Outcome.FAILED, f"{waited}: {reasons}" if reasons else waited)
        self._looks = [look for look in self._looks if look.end is None]

    # -- feeling ---------------------------------------------------------------------------------------
    def _feel(self) -> list[Observation]:
        if self._settings.body is not None and self._settings.body.frame:
            try:
                self._body.locate()
            except TransformError as error:
                self._lost["robot pose"] = str(error)
                self._body.lose_place()
            else:
                self._lost["robot pose"] = ""
        facts = self._body.facts()
        is_due = self._now - self._reported.at >= self._limits.repeat
        if not facts or (facts == self._reported.facts and not is_due):
            return []
        self._reported = _Reported(facts, self._now)
        return [Observation(self._now, "view", body=facts)]

    def _watch_passages(self) -> list[Observation]:
        if self._passages is None or self.grid is None:
            return []
        changes = self._passages.changes(self.grid)
        return [Observation(self._now, "view", passable=changes)] if changes else []

    def _forget_grid(self) -> None:
        """Wait for a whole grid: of its updates some were lost."""
        assert self.grid is not None
        self.grid.forget()
        self._watches["grid_updates"].refused("updates were lost between two ticks; a whole grid is awaited")


def _is_view(observation: Observation) -> bool:
    """Return whether an observation shows something, and not only what the robot feels."""
    return not observation.body and not observation.passable


class _EyesAtWork:
    """Eyes in a thread of their own, with one frame at a time."""

    def __init__(self, eyes: FrameEyes) -> None:
        self._eyes = eyes
        self._thread = ThreadPoolExecutor(1, "eyes")
        self._future: Future[Observation] | None = None

    @property
    def is_busy(self) -> bool:
        """Return whether a frame is being looked at."""
        return self._future is not None

    def begin(self, sight: Sight, one: _Set, source: str) -> None:
        """Begin to look at a frame."""
        frame = sight.rgbd_frame(one.messages, one.time, source)
        self._future = self._thread.submit(self._eyes.see, frame)

    def done(self) -> list[Observation]:
        """Return what the last frame shows, once that is known."""
        if self._future is None or not self._future.done():
            return []
        future, self._future = self._future, None
        return [future.result()]

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)
