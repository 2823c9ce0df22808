"""Joint states, where the robot stands, occupancy grids and the passages that they block."""

import numpy as np
import pytest
from ros_messages import NANO, ZERO, amcl_pose, grid, grid_update, joint_state, odometry, pose, quaternion

from foretree.robots.ros.senses.body import BodySense, JointStateError, holds_something, joints
from foretree.robots.ros.senses.grids import GridError, GridMap, PassageWatch
from foretree.robots.ros.senses.settings import GridSettings, GripperSettings, SenseSettings
from foretree.robots.ros.senses.standing import PlaceArea, Standing, body_pose, place_areas
from foretree.robots.ros.senses.transforms import (
    FreshTransforms,
    PoseError,
    RigidPose,
    Transform,
    TransformError,
)
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.occupancy.occupancy_grid import CellState

FINGERS = ["finger1", "finger2"]
GRIPPER = GripperSettings(joints=FINGERS, closed=0.004, open=0.07)


# -- joint states ------------------------------------------------------------------------------------------
def test_joints_by_name():
    found = joints(joint_state(["a", "b"], [1.0, 2.0], [0.5, float("nan")]))
    assert (found["a"].position, found["a"].velocity, found["a"].effort) == (1.0, 0.5, None)
    assert (found["b"].position, found["b"].velocity) == (2.0, None)


def test_joint_states_that_contradict_themselves_are_refused():
    with pytest.raises(JointStateError, match="2 names, but 1 values of position"):
        joints(joint_state(["a", "b"], [1.0]))
    with pytest.raises(JointStateError, match="2 names, but 3 values of effort"):
        joints(joint_state(["a", "b"], [1.0, 2.0], [], [1.0, 2.0, 3.0]))
    with pytest.raises(JointStateError, match="the joint a is there twice"):
        joints(joint_state(["a", "a"], [1.0, 2.0]))


@pytest.mark.parametrize(
    ("positions", "velocities", "holds"),
    [
        ([0.02, 0.02], [], True),
        ([0.001, 0.001], [], False),  # closed on nothing
        ([0.04, 0.04], [], False),  # open
        ([0.02, 0.02], [0.0, 0.03], None),  # moving
        ([0.02, 0.02], [0.0, 0.001], True),
        ([0.02, float("nan")], [], None),
        ([0.02], [], None),  # one finger is missing
    ],
)
def test_a_gripper_holds_something_if_its_fingers_rest_in_between(positions, velocities, holds):
    state = joints(joint_state(FINGERS[: len(positions)], positions, velocities))
    assert holds_something(GRIPPER, state) is holds


def test_a_gripper_whose_effort_counts():
    strong = GRIPPER.model_copy(update={"effort": 5.0})
    for effort, holds in (([6.0, 0.0], True), ([-6.0, 0.0], True), ([1.0, 1.0], None), ([], None)):
        assert holds_something(strong, joints(joint_state(FINGERS, [0.02, 0.02], [], effort))) is holds


# -- where it stands ---------------------------------------------------------------------------------------
def _places():
    places = PlaceGraph()
    places.add("hall", (0.0, 0.0, 0.0), "hall", "room")
    places.add("spot", (2.0, 0.0, 0.0), "hall", "pose")
    places.add("table1", (4.0, 0.0, 0.0), "hall", "asset")
    places.connect("hall", "spot")
    places.connect("spot", "table1")
    return places


AREAS = place_areas(_places(), 0.3, 0.6)


def test_one_is_at_furniture_beside_it_and_at_measured_stands_only_there():
    assert [(area.place, area.reach) for area in AREAS] == [
        ("hall", 0.3),
        ("spot", 0.3),
        ("table1", pytest.approx(0.9)),
    ]
    measured = place_areas(_places(), 0.3, 0.6, [((4.0, 0.1), (3.2, 0.0)), ((4.0, 0.1), (4.8, 0.0))])
    assert [area for area in measured if area.place == "table1"] == [
        PlaceArea("table1", 3.2, 0.0, 0.3),
        PlaceArea("table1", 4.8, 0.0, 0.3),
    ]


def test_a_place_is_kept_while_the_pose_wavers_and_left_when_it_is_plainly_away():
    standing = Standing(AREAS)
    told = [standing.update(x, 0.0) for x in (1.0, 1.75, 1.6, 1.4, 1.75, 3.2)]
    assert told == [None, "spot", "spot", None, "spot", "table1"]


def test_between_two_places_it_does_not_go_to_and_fro():
    standing = Standing([PlaceArea("a", 0.0, 0.0, 1.0), PlaceArea("b", 1.0, 0.0, 1.0)])
    assert [standing.update(x, 0.0) for x in (0.4, 0.52, 0.48, 0.6, 0.48, 0.4)] == [
        "a",
        "a",
        "a",
        "b",
        "b",
        "a",
    ]


def test_poses_of_each_type():
    assert body_pose(amcl_pose(1.0, 2.0), 0.5)[1].position[:2] == (1.0, 2.0)
    frame, found = body_pose(odometry(1.0, 2.0), 0.5)
    assert (frame, found.position) == ("odom", (1.0, 2.0, 0.0))
    with pytest.raises(PoseError, match=r"uncertain by 0\.80 m, more than 0\.5 m"):
        body_pose(amcl_pose(1.0, 2.0, variance=0.64), 0.5)
    with pytest.raises(PoseError, match="length 0"):
        body_pose(amcl_pose(1.0, 2.0, turn=quaternion(w=0.0)), 0.5)
    with pytest.raises(PoseError, match="uncertain"):
        body_pose(amcl_pose(1.0, 2.0, variance=float("nan")), 0.5)


class Moving:
    """The pose of any frame on the map: that of ``at``, of ``age`` seconds ago; None: unknown."""

    def __init__(self):
        self.at, self.age = RigidPose(), 0.0

    def lookup(self, target, source, time):
        if self.at is None:
            raise TransformError(f"{target} <- {source}: there is no such frame")
        return Transform(self.at, ZERO - round(self.age * NANO))


def _body(**settings):
    moving = Moving()
    fresh = FreshTransforms(moving, lambda: ZERO, 0.5)
    return BodySense("rob", "map", SenseSettings.model_validate(settings), Standing(AREAS), fresh), moving


def test_what_a_robot_feels():
    body, moving = _body(
        body={"frame": "base_link"}, joints="/joint_states", grippers={"hand": GRIPPER.model_dump()}
    )
    assert body.facts() == {}
    body.feel_joints(joint_state(["finger1"], [0.02]))
    assert body.facts() == {}
    body.feel_joints(joint_state(["finger2"], [0.02]))  # from another publisher
    assert body.facts() == {("hand_free", "rob", "hand"): False}
    moving.at = RigidPose((2.1, 0.0, 0.0))
    body.locate()
    assert body.facts() == {("hand_free", "rob", "hand"): False, ("rob_at_node", "rob", "spot"): True}
    moving.at = RigidPose((1.2, 0.0, 0.0))
    body.locate()
    body.feel_joints(joint_state(FINGERS, [0.04, 0.04]))
    assert body.facts() == {
        ("hand_free", "rob", "hand"): True,
        ("rob_at_node", "rob", "hall"): False,
        ("rob_at_node", "rob", "spot"): False,
        ("rob_at_node", "rob", "table1"): False,
    }
    moving.age = 0.7
    with pytest.raises(TransformError, match=r"0\.7 s old"):
        body.locate()


def test_odometry_is_taken_to_the_map():
    body, moving = _body(body={"topic": "/odom", "type": "nav_msgs/msg/Odometry"})
    moving.at = RigidPose((1.5, 0.0, 0.0))  # of odom on the map
    body.locate_by(odometry(0.5, 0.0))
    assert body.facts() == {("rob_at_node", "rob", "spot"): True}


# -- occupancy grids ---------------------------------------------------------------------------------------
def _grid(free=0, columns=60, rows=20):
    """A free floor of 6 m x 2 m, whose lower corner is at (-1, -1)."""
    return np.full((rows, columns), free)


CORNER = pose(-1.0, -1.0)


def _map(values=None, settings=None, at=CORNER):
    found = GridMap(settings or GridSettings(topic="/map"))
    found.take(grid(_grid() if values is None else values, 0.1, at), RigidPose())
    return found


def test_a_grid_becomes_that_of_the_world_model():
    values = _grid()
    values[3, 7] = 100
    values[4, 7] = -1
    values[5, 7] = 50
    occupancy = _map(values).occupancy()
    cell = occupancy.grid.cell_at(-1 + 0.75, -1 + 0.35)
    assert occupancy.state(cell) is CellState.OCCUPIED
    assert occupancy.state((cell[0] + 1, cell[1])) is CellState.FREE
    assert occupancy.state((cell[0], cell[1] + 1)) is CellState.UNKNOWN
    assert occupancy.state((cell[0], cell[1] + 2)) is CellState.UNKNOWN
    assert occupancy.state((-5, -5)) is CellState.UNKNOWN
    states = occupancy.states
    assert (states == CellState.OCCUPIED).sum() == 1
    assert (states == CellState.FREE).sum() == 60 * 20 - 3


def test_a_part_of_a_grid_is_updated():
    found = _map()
    found.update(grid_update(np.full((2, 3), 100), x=10, y=5))
    assert np.argwhere(found.states == CellState.OCCUPIED).tolist() == [
        [r, c] for r in (5, 6) for c in (10, 11, 12)
    ]


@pytest.mark.parametrize(
    ("x", "y", "shape"), [(58, 0, (1, 3)), (0, 19, (2, 1)), (-1, 0, (1, 1)), (0, 0, (0, 0))]
)
def test_an_update_outside_of_the_grid_is_refused(x, y, shape):
    with pytest.raises(GridError, match="of a grid of 60 x 20"):
        _map().update(grid_update(np.zeros(shape), x, y))


def test_an_update_without_a_grid_is_refused():
    with pytest.raises(GridError, match="before a whole grid"):
        GridMap(GridSettings(topic="/map")).update(grid_update(np.zeros((1, 1)), 0, 0))


def test_grids_that_cannot_be_used_are_refused():
    found = GridMap(GridSettings(topic="/map"))
    with pytest.raises(GridError, match=r"turned by 0\.400 rad"):
        found.take(grid(_grid(), 0.1, pose(turn=quaternion(z=np.sin(0.2), w=np.cos(0.2)))), RigidPose())
    with pytest.raises(GridError, match="whose origin is"):
        found.take(grid(_grid(), 0.1, pose(turn=quaternion(w=0.0))), RigidPose())
    with pytest.raises(GridError, match="60 x 20 cells of 0 m"):
        found.take(grid(_grid(), 0.0), RigidPose())
    short = grid(_grid(), 0.1)
    short.data = short.data[1:]
    with pytest.raises(GridError, match="60 x 20 cells, but 1199 values"):
        found.take(short, RigidPose())
    assert found.states is None


def _watch(**settings):
    settings = GridSettings(topic="/map", **settings)
    return PassageWatch(_places(), settings, 0.6), settings


def test_a_passage_is_blocked_when_something_stands_across_it_and_free_again_without():
    watch, _ = _watch()
    found = _map()
    assert watch.changes(found) == {}  # free, as the map has it
    found.update(grid_update(np.full((20, 2), 100), x=19, y=0))  # across the way from hall to spot
    assert watch.changes(found) == {("hall", "spot"): False}
    assert watch.changes(found) == {}
    found.update(grid_update(np.zeros((20, 2)), x=19, y=0))
    assert watch.changes(found) == {("hall", "spot"): True}


def test_a_gap_that_the_robot_does_not_fit_through_is_none():
    wall = np.full((20, 2), 100)
    wall[6:10] = 0  # 40 cm
    for radius, blocked in ((0.15, False), (0.3, True)):
        watch, settings = _watch(radius=radius)
        found = _map(settings=settings)
        found.update(grid_update(wall, x=19, y=0))
        assert bool(watch.changes(found)) is blocked


def test_of_unknown_floor_nothing_is_said():
    watch, _ = _watch()
    found = _map()
    found.update(grid_update(np.full((20, 2), 100), x=19, y=0))
    assert watch.changes(found) == {("hall", "spot"): False}
    found.update(grid_update(np.full((20, 2), -1), x=19, y=0))
    assert watch.changes(found) == {}  # there may be a way now, but nobody has seen one
    watch, _ = _watch()
    assert watch.changes(_map(_grid(-1))) == {}


def test_places_outside_of_the_grid_and_passages_with_a_door_are_not_judged():
    watch, _ = _watch()
    assert watch.changes(_map(_grid(100), at=pose(-30.0, -1.0))) == {}
    places = PlaceGraph()
    places.add("a", (0.0, 0.0, 0.0), "a", "room")
    places.add("b", (2.0, 0.0, 0.0), "b", "room")
    places.connect("a", "b", door="door1")
    found = _map()
    found.update(grid_update(np.full((20, 2), 100), x=19, y=0))
    assert PassageWatch(places, GridSettings(topic="/map"), 0.6).changes(found) == {}
