"""The settings of arms that MoveIt plans for, as a robot file has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, ValidationError, model_validator

from foretree.config import ConfigError
from foretree.errors import suggest
from foretree.schema import Strict, describe
from foretree.skills.manipulation.articulation import Articulation, Hinge, Slide
from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.hand import HandGeometry
from foretree.skills.manipulation.transforms import RigidTransform, Vector, cross, rotation_of, unit

Positive: TypeAlias = Annotated[float, Field(gt=0, le=1000)]
Share: TypeAlias = Annotated[float, Field(gt=0, le=1)]
Seconds: TypeAlias = Annotated[float, Field(gt=0, le=600)]
Coordinates: TypeAlias = tuple[float, float, float]
Size: TypeAlias = tuple[Positive, Positive, Positive]


class HandEntry(Strict):
    """The measures of a hand; see :class:`~foretree.skills.manipulation.hand.HandGeometry`."""

    max_opening: Positive
    min_opening: float = Field(default=HandGeometry.min_opening, ge=0)
    finger_length: Positive = HandGeometry.finger_length
    fingertip: float = Field(default=HandGeometry.fingertip, ge=0)
    finger_width: Positive = HandGeometry.finger_width
    finger_thickness: Positive = HandGeometry.finger_thickness
    palm: Size = HandGeometry.palm
    clearance: Positive = HandGeometry.clearance
    tolerance: Positive = HandGeometry.tolerance

    @property
    def geometry(self) -> HandGeometry:
        """The measures."""
        return HandGeometry(**self.model_dump())


class CommandGripper(Strict):
    """A gripper with ``control_msgs/action/GripperCommand``.

    Attributes:
        kind: which kind of gripper.
        action: the action's name.
        width_per_position: the gap between the fingers for each metre of the command's position: 2 where the
            position is that of one of two fingers, 1 where it is the gap.
        force: of the grip, in newtons (``max_effort``).
        squeeze: how much narrower than a thing the fingers are told to close (metres), so that they press,
            and an empty hand closes further than one that holds it.
    """

    kind: Literal["command"] = "command"
    action: str = Field(min_length=1)
    width_per_position: Positive = 1.0
    force: float = Field(default=20.0, ge=0)
    squeeze: float = Field(default=0.01, ge=0.003, le=0.1)


class FrankaGripper(Strict):
    """A Franka hand with ``franka_msgs/action/Grasp`` and ``franka_msgs/action/Move``.

    Attributes:
        kind: which kind of gripper.
        grasp, move: names of the actions.
        speed: of the fingers, in metres a second.
        force: of the grip, in newtons.
    """

    kind: Literal["franka"]
    grasp: str = "franka_gripper/grasp"
    move: str = "franka_gripper/move"
    speed: Positive = 0.1
    force: float = Field(default=20.0, ge=0)


class ArmEntry(Strict):
    """An arm with its hand.

    Attributes:
        group: its planning group in the MoveIt configuration.
        tool: the link whose pose is planned for: between the fingertips, z out of the hand, and the fingers
            close along y.
        touches: links that may touch what the hand holds.
        hand: the hand's measures.
        gripper: how it is told to close.
        carry: joint values of a posture that the arm takes after picking and placing; none if it stays.
        shoulder: the point that reach is measured from, relative to where the base stands.
        reach: how far the arm gets from there (metres).
    """

    group: str = Field(min_length=1)
    tool: str = Field(min_length=1)
    touches: tuple[str, ...] = Field(min_length=1)
    hand: HandEntry
    gripper: CommandGripper | FrankaGripper = Field(discriminator="kind")
    carry: Mapping[str, float] = Field(default_factory=dict)
    shoulder: Coordinates = (0.0, 0.0, 0.0)
    reach: Positive = 0.8

    @model_validator(mode="before")
    @classmethod
    def _common_gripper(cls, data: object) -> object:
        """Take a gripper without a kind for one with GripperCommand."""
        if isinstance(data, Mapping) and isinstance(data.get("gripper"), Mapping):
            return {**data, "gripper": {"kind": "command", **data["gripper"]}}
        return data


class PlanningEntry(Strict):
    """Settings of motion planning.

    Attributes:
        pipeline, planner: of the MoveIt configuration; empty for its defaults.
        time: seconds that planning a motion may take.
        attempts: how often the planner is started for one.
        velocity, acceleration: shares of what the joints can do.
        near, turn: how exactly a pose is reached: metres, radians.
        step: metres between two points of a straight path.
        least: the share of a straight path that must be possible for it to be taken.
        jump: how much farther than usual a joint may go from one point of a straight path to the next, as a
            factor; 0 for no limit.
        straight: pipeline and planner for straight paths with moveit_py, which has no Cartesian planning.
    """

    pipeline: str = ""
    planner: str = ""
    time: Seconds = 5.0
    attempts: int = Field(default=5, ge=1, le=100)
    velocity: Share = 0.2
    acceleration: Share = 0.2
    near: Positive = 0.002
    turn: Positive = 0.02
    step: Positive = 0.01
    least: Share = 0.99
    jump: float = Field(default=5.0, ge=0)
    straight: tuple[str, str] = ("pilz_industrial_motion_planner", "LIN")


class HingeEntry(Strict):
    """See :class:`~foretree.skills.manipulation.articulation.Hinge`."""

    point: Coordinates
    axis: Coordinates = (0.0, 0.0, 1.0)
    angle: float


class SlideEntry(Strict):
    """See :class:`~foretree.skills.manipulation.articulation.Slide`."""

    direction: Coordinates
    distance: Positive


class JointedFurniture(Strict):
    """A door or a drawer, for what stands at *place* in the belief's frame.

    Attributes:
        place: x and y of the furniture, as in the scene file.
        handle: a point of the handle, where the tool's origin goes, when it is closed.
        into: the direction in which the tool points when it takes the handle.
        across: the direction in which the fingers close on it.
        grip: how thick the handle is (metres).
        hinge, slide: how it moves; one of the two.
    """

    place: tuple[float, float]
    handle: Coordinates
    into: Coordinates
    across: Coordinates
    grip: Positive
    hinge: HingeEntry | None = None
    slide: SlideEntry | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> JointedFurniture:
        if (self.hinge is None) == (self.slide is None):
            raise ValueError("either a hinge or a slide")
        z, y = unit(self.into), unit(self.across)
        if abs(sum(a * b for a, b in zip(z, y, strict=True))) > 0.05:
            raise ValueError("an across that is square to into")
        return self

    @property
    def articulation(self) -> Articulation:
        """Return how it opens."""
        z = unit(self.into)
        x = unit(cross(unit(self.across), z))
        pose = RigidTransform(self.handle, rotation_of(x, cross(z, x), z))
        joint: Hinge | Slide
        if self.hinge is not None:
            joint = Hinge(self.hinge.point, self.hinge.axis, self.hinge.angle)
        else:
            assert self.slide is not None
            joint = Slide(self.slide.direction, self.slide.distance)
        return Articulation(pose, self.grip, joint)


class InteriorEntry(Strict):
    """The floor inside of what stands at *place*: things can be put there.

    Attributes:
        place: x and y of the furniture, as in the scene file.
        low, high: opposite corners of the room above the floor, in the belief's frame.
    """

    place: tuple[float, float]
    low: Coordinates
    high: Coordinates


class Recovery(Strict):
    """An action that has the robot go on after its controller has given up, with an empty goal."""

    action: str
    type: str = "franka_msgs/action/ErrorRecovery"


class SceneEntry(Strict):
    """Settings of the planning scene that is made of the belief; see docs/moveit.md.

    Attributes:
        least_certainty: how sure the belief must be that a thing is where it is.
        octomap: whether MoveIt has an octomap.
        inflation: without one, how much larger what is less certain is made (metres on each side).
        radius: how far from the robot things matter (metres).
    """

    least_certainty: float = Field(default=0.7, ge=0, le=1)
    octomap: bool = False
    inflation: float = Field(default=0.03, ge=0, le=1)
    radius: Positive = 3.0


class MoveItFile(Strict):
    """The settings.

    Attributes:
        link: ``move_group`` for a running move_group node, ``moveit_py`` for MoveIt in a process of ours.
        namespace: before the names of move_group's actions and services.
        parameter_files: for moveit_py, YAML files with the parameters of the MoveIt configuration.
        base_at: where the base of a robot that does not drive stands, in the belief's frame; for one that
            drives, the stands of the robot file say it.
        arms: by the name of the hand.
        planning: how motions are planned.
        scene: how the planning scene is made.
        sizes: of things of a class, along x, y and z (metres), for what the belief knows no box of.
        furniture: doors and drawers.
        interiors: floors inside of furniture.
        approach: metres of the straight way to a thing, and of the lift.
        from_side: classes that are gripped from the side only, so that they can be poured from.
        grasp_planner: the class that plans grasps, as ``package.module:Class``.
        grasps: how many grasps are tried at most for one order.
        tilt: how far a vessel is tilted to pour (radians).
        pour_height: of its lip above the other vessel (metres).
        pour_time: seconds that it stays tilted.
        recovery: what makes the robot go on after its controller has given up.
    """

    link: Literal["move_group", "moveit_py"] = "move_group"
    namespace: str = ""
    parameter_files: tuple[str, ...] = ()
    base_at: Coordinates | None = None
    arms: Mapping[str, ArmEntry] = Field(min_length=1)
    planning: PlanningEntry = PlanningEntry()
    scene: SceneEntry = SceneEntry()
    sizes: Mapping[str, Size] = Field(default_factory=dict)
    furniture: tuple[JointedFurniture, ...] = ()
    interiors: tuple[InteriorEntry, ...] = ()
    approach: Positive = 0.1
    from_side: tuple[str, ...] = ()
    grasp_planner: str = "foretree.skills.manipulation.box_grasps:BoxGraspPlanner"
    grasps: int = Field(default=6, ge=1, le=50)
    tilt: Positive = 2.0
    pour_height: Positive = 0.05
    pour_time: Seconds = 2.0
    recovery: Recovery | None = None

    def articulation_at(self, place: Vector) -> Articulation | None:
        """Return how what stands there opens; None if nothing is stated about it."""
        found = next((one for one in self.furniture if _is_at(one.place, place)), None)
        return None if found is None else found.articulation

    def interior_at(self, place: Vector) -> Cuboid | None:
        """Return the floor inside of what stands there, as the top of a box; None if none is stated."""
        found = next((one for one in self.interiors if _is_at(one.place, place)), None)
        if found is None:
            return None
        (x0, y0, z), (x1, y1, _) = found.low, found.high
        return Cuboid.of((x0, y0, z - _FLOOR, x1, y1, z))


def read_settings(settings: Mapping[str, Any], robot: str) -> MoveItFile:
    """Return the settings of a robot.

    Raises:
        ConfigError: they make no sense; with the key, and what would be valid.
    """
    try:
        return MoveItFile.model_validate(settings)
    except ValidationError as error:
        mistakes = error.errors(include_url=False)
        mistake = next((one for one in mistakes if one["type"] == "extra_forbidden"), mistakes[0])
        at = ".".join(str(part) for part in mistake["loc"])
        if mistake["type"] == "extra_forbidden":
            problem = "there is no such key."
            if len(mistake["loc"]) == 1:
                problem += f" {suggest(at, MoveItFile.model_fields)}"
        else:
            problem = "is missing." if mistake["type"] == "missing" else describe([mistake])
        raise ConfigError(f"{robot}: in the settings of MoveIt, {at}: {problem}") from error


#: How thick the floor inside of furniture is taken to be, and how near what is stated is to where it stands.
_FLOOR, _NEAR = 0.02, 0.3


def _is_at(stated: tuple[float, float], place: Vector) -> bool:
    return abs(stated[0] - place[0]) < _NEAR and abs(stated[1] - place[1]) < _NEAR
