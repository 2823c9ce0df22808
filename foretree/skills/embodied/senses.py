"""Sensor data of a body so far: its last frame, the observation made of it, and the occupancy grid."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from math import dist, floor
from typing import NamedTuple, Protocol

from foretree.perception.frame import Frame, Mask, Stance, detection_id
from foretree.skills.embodied.body import MANIPULATIONS, Body, Control
from foretree.world_model.beliefs.facts import Hand, Pose
from foretree.world_model.observation import Detection, Observation
from foretree.world_model.occupancy.occupancy_grid import Cell, OccupancyGrid, OccupancySettings

#: So many of the last looks are remembered.
_SIGHTS = 40
#: Where things were seen from is remembered by cubes of this side (metres).
_CUBE = 0.5
#: How a step goes, in degrees from where the body looks.
STEPS = {"move_ahead": 0, "strafe_left": 90, "move_back": 180, "strafe_right": 270}
#: How often a held thing can be turned until it shows the first side again, and how far it can be lifted.
SIDES, LIFT = 4, 1


class FrameInterpreter(Protocol):
    """Eyes that turn a frame into an observation.

    Attributes:
        hand: the hand that holds what a frame calls held.
    """

    @property
    def hand(self) -> Hand:
        """Whose hand it is, and what it is called."""

    def see(self, frame: Frame, time: float, source: str = "view", grip: str = "") -> Observation:
        """Return the observation of *frame*; *grip* tells how the held thing is held up.

        Detections are called as :func:`~foretree.perception.eyes.detection_id` says.
        """


class Grip(NamedTuple):
    """Pose of the held thing before the eye.

    Attributes:
        lift: 1 before the eye, 0 as usual, -1 low.
        side: which side is towards the eye, 0 to 3.
    """

    lift: int = 0
    side: int = 0


class Seen(NamedTuple):
    """Something in the last frame: what the eyes make of it, and the mask it is told by to the body."""

    detection: Detection
    mask: Mask


class Senses:
    """Sensor data of a body so far.

    Attributes:
        eyes: make observations of frames.
        careful: whether the body makes sure that a thing looks as it should before it touches it.
        sides: whether it looks from further sides then, where the first view shows something else.
        reach: how far the body reaches, in metres.
        lens: its camera.
        occupancy: the floor as far as it is known.
        frame: the last frame.
        sight: its observation.
        grip: how what is held is held up.
        sights: observations of the last frames, the last at the end.
        held_size: width and depth of the held thing as seen when it was taken (metres); None if unknown.
    """

    def __init__(
        self,
        body: Body,
        eyes: FrameInterpreter,
        first: Frame,
        time: float,
        occupancy: OccupancySettings | None = None,
        careful: bool = True,
        sides: bool = True,
    ) -> None:
        self.eyes = eyes
        self.careful = careful
        self.sides = sides
        self.reach = body.reach
        self.lens = body.lens
        self.occupancy = OccupancyGrid.around(first.stance, occupancy)
        self.grip = Grip()
        self.held_size: tuple[float, float] | None = None
        self._seen_from: dict[Cell, Stance] = {}
        self._looked_from: dict[Cell, set[Cell]] = {}
        self._fronts: dict[Cell, int] = {}
        self.frame = first
        self.sights: deque[Observation] = deque(maxlen=_SIGHTS)
        self.sight = self._see(first, time, "view")

    # -- taking in ---------------------------------------------------------------------------------
    def take_in(self, control: Control, frame: Frame, time: float, source: str) -> None:
        """Learn from what is seen after a control."""
        before = self.frame
        if frame.ok:
            if control.name in MANIPULATIONS:
                self._forget_looks_within_reach(frame.stance)
            self.grip = self._grip_after(control, before, frame)
            self.held_size = self._held_size_after(control, before, frame)
        elif control.name in STEPS:
            self.occupancy.bump(before.stance, (before.stance.heading + STEPS[control.name]) % 360)
        self.frame = frame
        self.sight = self._see(frame, time, source)

    def _see(self, frame: Frame, time: float, source: str) -> Observation:
        # What is seen where is for pictures of the occupancy grid only.
        scores = (
            {mask.label: mask.scores for mask in frame.masks} if self.occupancy.settings.classes else None
        )
        self.occupancy.update(frame.depth, frame.stance, self.lens, frame.labels, scores)
        seen = self.eyes.see(frame, time, source, f"{self.grip.lift} {self.grip.side}")
        for detection in seen.detections:
            self._seen_from[_cube(detection.pose)] = frame.stance
        self.sights.append(seen)
        return seen

    def _grip_after(self, control: Control, before: Frame, frame: Frame) -> Grip:
        lift, side = self.grip
        if frame.held is None or before.held is None:
            return Grip()
        if control.name == "turn_held":
            return Grip(lift, (side + 1) % SIDES)
        return Grip(lift + {"lift_held": 1, "lower_held": -1}.get(control.name, 0), side)

    def _held_size_after(self, control: Control, before: Frame, frame: Frame) -> tuple[float, float] | None:
        if frame.held is None:
            return None
        if before.held is not None:
            return self.held_size
        taken = next((one.detection.extent for one in self.seen() if one.mask.label == control.mask), None)
        return None if taken is None else (taken[3] - taken[0], taken[4] - taken[1])

    # -- asking ------------------------------------------------------------------------------------
    @property
    def stance(self) -> Stance:
        """Position, heading and pitch of the body."""
        return self.frame.stance

    @property
    def cell(self) -> Cell:
        """The cell on which it stands."""
        return self.occupancy.grid.cell_at(self.stance.x, self.stance.y)

    def seen(self) -> Iterator[Seen]:
        """Iterate over the things in the last frame, except the held one."""
        masks = {detection_id(self.frame, mask): mask for mask in self.frame.masks}
        for detection in self.sight.detections:
            if detection.id in masks:
                yield Seen(detection, masks[detection.id])

    def held(self) -> Detection | None:
        """Return the detection of the held thing."""
        return next((one for one in self.sight.detections if one.id in self.sight.held), None)

    def seen_from(self, pose: Pose) -> Stance | None:
        """Return the stance from which something at a pose was last seen."""
        return self._seen_from.get(_cube(pose))

    def heading_to_front(self, pose: Pose) -> int | None:
        """Return the heading of a body before the front of furniture; None if that is not known."""
        return self._fronts.get(_cube(pose))

    def note_front(self, pose: Pose) -> None:
        """Remember that the body stands before the front of furniture."""
        self._fronts[_cube(pose)] = self.stance.heading

    def looked_from(self, pose: Pose) -> Collection[Cell]:
        """The cells from which the body has had a look at something there."""
        return self._looked_from.get(_cube(pose), ())

    def note_look(self, pose: Pose) -> None:
        """Remember that the body has had a look at something from where it stands."""
        self._looked_from.setdefault(_cube(pose), set()).add(self.cell)

    def _forget_looks_within_reach(self, stance: Stance) -> None:
        """Forget from where things were looked at that may have changed: there may be news."""
        for cube in list(self._looked_from):
            x, y = ((part + 0.5) * _CUBE for part in cube)
            if dist((stance.x, stance.y), (x, y)) <= self.reach + _CUBE:
                del self._looked_from[cube]

    def forget_looks(self, pose: Pose) -> None:
        """Forget from where something there was looked at."""
        self._looked_from.pop(_cube(pose), None)


def _cube(pose: Pose) -> Cell:
    return floor(pose[0] / _CUBE), floor(pose[1] / _CUBE)
