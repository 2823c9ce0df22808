"""The section ``senses`` of a robot file: topics, types, frames, limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, model_validator

from foretree.schema import Strict

Metres: TypeAlias = Annotated[float, Field(gt=0, le=100)]
Seconds: TypeAlias = Annotated[float, Field(gt=0, le=3600)]
Share: TypeAlias = Annotated[float, Field(ge=0, le=1)]
Topic: TypeAlias = Annotated[str, Field(pattern=r"^[~/\w]+$")]


class CameraSettings(Strict):
    """A camera with depth.

    Attributes:
        image: colour images, for eyes of our own and for viewers of a run.
        depth: depth images, registered to the colour image.
        info: camera info of the depth image.
        frame: the camera's optical frame, if messages name another one.
        tolerance: seconds by which stamps of messages may differ that belong together.
        near, far: nearer and farther than this nothing is detected (metres).
    """

    image: Topic | None = None
    depth: Topic | None = None
    info: Topic | None = None
    frame: str = ""
    tolerance: Seconds = 0.05
    near: Metres = 0.3
    far: Metres = 4.0

    @model_validator(mode="after")
    def _info_with_depth(self) -> CameraSettings:
        if self.depth and not self.info:
            raise ValueError("info: the camera info that belongs to the depth images")
        return self


class DetectionSettings(Strict):
    """Detections of a detector that runs as a node.

    Attributes:
        topic: their topic.
        type: their type; those in two dimensions take depth images.
        labels: classes of the domain by the detector's class ids; others count as they are called.
        at_least: detections whose best score is less are left out.
        found: how often the detector finds what is in plain view.
    """

    topic: Topic
    type: Literal["vision_msgs/msg/Detection2DArray", "vision_msgs/msg/Detection3DArray"] = (
        "vision_msgs/msg/Detection3DArray"
    )
    labels: Mapping[str, str] = Field(default_factory=dict)
    at_least: Share = 0.3
    found: Share = 0.9


class GripperSettings(Strict):
    """Settings by which a gripper's joints tell whether it holds something.

    Attributes:
        joints: its finger joints.
        scale: metres (or radians) of opening per unit of the joints' positions, which are added up.
        closed: up to this opening it has closed on nothing.
        open: from this opening on it is open.
        still: joints that move faster than this tell nothing yet.
        effort: it holds something only if a joint's effort is at least this; 0: whatever the effort.
        frame: the frame between the fingers; what is detected there is what it holds.
    """

    joints: tuple[str, ...] = Field(min_length=1)
    scale: float = Field(default=1.0, gt=0)
    closed: float = Field(default=0.003, ge=0)
    open: float = Field(gt=0)
    still: float = Field(default=0.005, gt=0)
    effort: float = Field(default=0.0, ge=0)
    frame: str = ""

    @model_validator(mode="after")
    def _closed_before_open(self) -> GripperSettings:
        if self.closed >= self.open:
            raise ValueError("closed: less than open")
        return self


class BodySettings(Strict):
    """Sources of where the robot is.

    Attributes:
        frame: its base's frame, asked for in tf2.
        topic: the topic of its pose, instead.
        type: that topic's type.
        tolerance: metres by which the robot may be off a place and still is there.
        uncertain: metres of standard deviation from which on a pose is not used.
    """

    frame: str = ""
    topic: Topic | None = None
    type: Literal[
        "nav_msgs/msg/Odometry",
        "geometry_msgs/msg/PoseStamped",
        "geometry_msgs/msg/PoseWithCovarianceStamped",
    ] = "geometry_msgs/msg/PoseWithCovarianceStamped"
    tolerance: Metres = 0.4
    uncertain: Metres = 0.5

    @model_validator(mode="after")
    def _one_of_two(self) -> BodySettings:
        if bool(self.frame) == bool(self.topic):
            raise ValueError("either frame (asked for in tf2), or topic (and its type)")
        return self


class GridSettings(Strict):
    """An occupancy grid.

    Attributes:
        topic: ``nav_msgs/msg/OccupancyGrid``, such as a costmap.
        updates: ``map_msgs/msg/OccupancyGridUpdate``, if it is updated in parts.
        occupied, free: from which value on a cell is occupied, and up to which it is free.
        radius: the robot's radius (metres): a passage is free if a disc of it fits through.
        aside: metres that a way may lead aside of the straight line between two places.
    """

    topic: Topic
    updates: Topic | None = None
    occupied: int = Field(default=65, ge=1, le=100)
    free: int = Field(default=25, ge=0, le=99)
    radius: Metres = 0.3
    aside: Metres = 1.0

    @model_validator(mode="after")
    def _free_below_occupied(self) -> GridSettings:
        if self.free >= self.occupied:
            raise ValueError("free: less than occupied")
        return self


class SurfaceSettings(Strict):
    """A piece of furniture on which things rest, as it stands on the map.

    Attributes:
        class_: its class.
        at: its position on the map, as in the scene.
        size: how wide, deep and high it is (metres).
        heading: how far it is turned (radians).
    """

    class_: str = Field(alias="class")
    at: tuple[float, float]
    size: tuple[Metres, Metres, Metres]
    heading: float = 0.0


class SenseLimits(Strict):
    """Limits of age and silence, in seconds.

    Attributes:
        transform_age: the newest transform is not used if it is older.
        transform_patience: how long detections wait for the transform of their time.
        message_age: messages that are older when they come are not used.
        silent_after: a stream that has sent nothing for so long is called silent.
        look: a look without a view has failed after so long.
        repeat: what has not changed is reported again after so long.
    """

    transform_age: Seconds = 0.5
    transform_patience: Seconds = 0.3
    message_age: Seconds = 1.0
    silent_after: Seconds = 2.0
    look: Seconds = 5.0
    repeat: Seconds = 1.0


class SenseSettings(Strict):
    """The section ``senses`` of a robot file; ``docs/senses.md`` describes it.

    Attributes:
        camera, detections, joints, grippers, body, grid: what it listens to.
        surfaces: furniture on which things rest.
        limits: limits of age and silence.
        bag: which messages a run's bag has: ``beliefs`` (what beliefs come from: no colour images, unless
            eyes of our own see them), or ``all``.
    """

    camera: CameraSettings | None = None
    detections: DetectionSettings | None = None
    joints: Topic | None = None
    grippers: Mapping[str, GripperSettings] = Field(default_factory=dict)
    body: BodySettings | None = None
    grid: GridSettings | None = None
    surfaces: tuple[SurfaceSettings, ...] = ()
    limits: SenseLimits = Field(default_factory=SenseLimits)
    bag: Literal["beliefs", "all"] = "beliefs"

    @model_validator(mode="after")
    def _parts_fit(self) -> SenseSettings:
        camera, seen = self.camera, self.detections
        if seen and seen.type.endswith("2DArray") and not (camera and camera.depth):
            raise ValueError("detections in two dimensions take depth: camera with depth and info")
        if self.grippers and not self.joints:
            raise ValueError("grippers take joints: the topic of sensor_msgs/msg/JointState")
        return self
