"""The senses on real topics: what a node publishes arrives as observations."""

import time
from contextlib import ExitStack

import numpy as np
import pytest
from waiting import until

from foretree.clock import WallClock
from foretree.robots.ros.bags.noting import NotedTransforms
from foretree.robots.ros.bags.reader import Bag
from foretree.robots.ros.bags.replay import ReplayClock, ReplayedRobot
from foretree.robots.ros.bags.writer import BagWriter
from foretree.robots.ros.node import SpinningNode
from foretree.robots.ros.robot_file import RobotFile
from foretree.robots.ros.senses.message_senses import MessageSenses, SensingRobot
from foretree.robots.ros.senses.settings import SenseSettings
from foretree.robots.ros.senses.standing import place_areas
from foretree.robots.ros.senses.subscriptions import NodeSenses, SenseSubscriptions, Tf2Transforms, ros_now
from foretree.robots.ros.stamps import SessionTime
from foretree.skills.robot import LookRequest, Outcome
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.occupancy.occupancy_grid import CellState

WIDTH, HEIGHT, FOCAL = 80, 60, 60.0
SETTINGS = SenseSettings.model_validate(
    {
        "camera": {"image": "camera/image", "depth": "camera/depth", "info": "camera/info", "near": 0.2},
        "detections": {
            "topic": "detections",
            "type": "vision_msgs/msg/Detection2DArray",
            "labels": {"cup": "mug"},
        },
        "joints": "joint_states",
        "grippers": {"hand": {"joints": ["finger"], "open": 0.07, "frame": "tcp"}},
        "body": {"frame": "base_link"},
        "grid": {"topic": "map"},
        "surfaces": [{"class": "table", "at": [2.0, 0.0], "size": [0.6, 0.6, 0.5]}],
    }
)


class Sender:
    """A node that publishes what a robot's drivers do: its camera looks down on a table with a mug."""

    def __init__(self, node):
        from geometry_msgs.msg import TransformStamped
        from nav_msgs.msg import OccupancyGrid
        from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_sensor_data
        from sensor_msgs.msg import CameraInfo, Image, JointState
        from tf2_ros import StaticTransformBroadcaster, TransformBroadcaster
        from vision_msgs.msg import Detection2DArray

        self.node = node
        sensor = qos_profile_sensor_data
        self.image = node.create_publisher(Image, "camera/image", sensor)
        self.depth = node.create_publisher(Image, "camera/depth", sensor)
        self.info = node.create_publisher(CameraInfo, "camera/info", sensor)
        self.detections = node.create_publisher(Detection2DArray, "detections", 10)
        self.joints = node.create_publisher(JointState, "joint_states", 10)
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.map = node.create_publisher(OccupancyGrid, "map", latched)
        self.tf = TransformBroadcaster(node)
        self.static = StaticTransformBroadcaster(node)
        mounted = TransformStamped()
        mounted.header.frame_id, mounted.child_frame_id = "base_link", "lens"
        mounted.transform.translation.x, mounted.transform.translation.z = 1.0, 1.5
        mounted.transform.rotation.x, mounted.transform.rotation.y = 0.70710678, -0.70710678
        mounted.transform.rotation.w = 0.0
        mounted.header.stamp = node.get_clock().now().to_msg()
        fingers = TransformStamped()
        fingers.header.frame_id, fingers.child_frame_id = "base_link", "tcp"
        fingers.transform.translation.x, fingers.transform.translation.z = 1.0, 0.6
        fingers.header.stamp = mounted.header.stamp
        self.static.sendTransform([mounted, fingers])

    def stamp(self, ago=0.0):
        from rclpy.duration import Duration

        return (self.node.get_clock().now() - Duration(seconds=ago)).to_msg()

    def send_pose(self, x=1.0, ago=0.0):
        from geometry_msgs.msg import TransformStamped

        at = TransformStamped()
        at.header.stamp, at.header.frame_id, at.child_frame_id = self.stamp(ago), "map", "base_link"
        at.transform.translation.x, at.transform.rotation.w = x, 1.0
        self.tf.sendTransform(at)

    def send_joints(self, position):
        from sensor_msgs.msg import JointState

        message = JointState(name=["finger"], position=[position])
        message.header.stamp = self.stamp()
        self.joints.publish(message)

    def send_map(self):
        from nav_msgs.msg import OccupancyGrid

        message = OccupancyGrid()
        message.header.frame_id, message.header.stamp = "map", self.stamp()
        message.info.resolution, message.info.width, message.info.height = 0.1, 60, 20
        message.info.origin.position.x = message.info.origin.position.y = -1.0
        message.info.origin.orientation.w = 1.0
        floor = np.zeros((20, 60), np.int8)
        floor[:, 18:20] = 100
        message.data = floor.reshape(-1).tolist()
        self.map.publish(message)

    def send_view(self, encoding="16UC1"):
        from sensor_msgs.msg import CameraInfo, Image
        from vision_msgs.msg import Detection2D, Detection2DArray, ObjectHypothesisWithPose

        stamp = self.stamp()
        depth = np.full((HEIGHT, WIDTH), 1000, np.uint16)  # the table's top is 1 m below
        depth[26:35, 36:45] = 900  # the mug is 0.1 m high, in the middle
        image = Image(height=HEIGHT, width=WIDTH, encoding=encoding, step=2 * WIDTH)
        image.header.stamp, image.header.frame_id = stamp, "lens"
        image.data = depth.tobytes()
        self.depth.publish(image)
        colours = Image(height=HEIGHT, width=WIDTH, encoding="rgb8", step=3 * WIDTH, header=image.header)
        colours.data = bytes(3 * WIDTH * HEIGHT)
        self.image.publish(colours)
        info = CameraInfo(height=HEIGHT, width=WIDTH, header=image.header)
        info.k = [FOCAL, 0.0, (WIDTH - 1) / 2, 0.0, FOCAL, (HEIGHT - 1) / 2, 0.0, 0.0, 1.0]
        self.info.publish(info)
        one = Detection2D()
        hypothesis = ObjectHypothesisWithPose()
        hypothesis.hypothesis.class_id, hypothesis.hypothesis.score = "cup", 0.9
        one.results = [hypothesis]
        one.bbox.center.position.x, one.bbox.center.position.y = 40.0, 30.0
        one.bbox.size_x = one.bbox.size_y = 9.0
        self.detections.publish(Detection2DArray(header=image.header, detections=[one]))


@pytest.fixture
def bench(tmp_path):
    places = PlaceGraph()
    places.add("hall", (0.0, 0.0, 0.0), "hall", "room")
    places.add("table1", (2.0, 0.0, 0.0), "hall", "asset")
    places.connect("hall", "table1")
    with ExitStack() as stack:
        driver = stack.enter_context(SpinningNode("driver"))
        agent = stack.enter_context(SpinningNode("foretree_senses"))
        clock = WallClock()
        zero = SessionTime.begun(clock.now, ros_now(agent.node)).zero
        robot = SensingRobot("rob", "map", places, place_areas(places, 0.4, 0.6))
        bag = BagWriter(tmp_path / "run.mcap", zero, clock.now)
        transforms = NotedTransforms(Tf2Transforms(agent.node), bag)
        senses = MessageSenses(SETTINGS, robot, clock, zero, transforms, journal=bag)
        SenseSubscriptions(agent.node, senses, bag)
        senses.bag, senses.robot = bag, robot
        yield Sender(driver.node), senses


def _observe(senses, send, wanted, what):
    """Publish until an observation comes that is wanted; return it."""
    found = []

    def come():
        send()
        time.sleep(0.02)
        found.extend(one for one in senses.observations() if wanted(one))
        return found

    def trouble():
        return f"{what}; {[str(status) for status in senses.status() if not status.ok]}"

    return until(come, trouble)[0]


def test_what_a_node_publishes_is_observed(bench):
    sender, senses = bench

    def send():
        sender.send_pose()
        sender.send_view()
        sender.send_joints(0.03)

    seen = _observe(senses, send, lambda one: one.detections and one.held, "a view with a held mug")
    table, mug = seen.detections
    assert mug.classes == {"mug": 0.9}
    assert mug.pose == pytest.approx((2.0, 0.0, 0.6), abs=0.05)
    assert mug.rests is None or mug.rests == ("on", table.id)
    assert seen.held == {mug.id: (("rob", "hand"),)}
    assert [one.support for one in seen.covered] == [table.id]
    assert (table.classes, table.pose) == ({"table": 1.0}, (2.0, 0.0, 0.0))
    assert seen.image.encoded().width == WIDTH
    felt = _observe(senses, send, lambda one: one.body, "what the robot feels")
    assert felt.body == {("hand_free", "rob", "hand"): False, ("rob_at_node", "rob", "table1"): True}
    look = senses.look(LookRequest(), "x/1")
    _observe(senses, send, lambda one: one.source == "look", "a look")
    assert look.poll().outcome is Outcome.DONE
    until(
        lambda: (send(), senses.observations(), all(s.ok for s in senses.status() if s.name != "grid"))[-1],
        "peace",
    )


def test_a_map_that_was_sent_before_the_senses_listened_arrives(bench):
    sender, senses = bench
    sender.send_map()
    blocked = _observe(senses, lambda: None, lambda one: one.passable, "a blocked passage")
    assert blocked.passable == {("hall", "table1"): False}
    occupancy = senses.grid.occupancy()
    assert occupancy.state(occupancy.grid.cell_at(0.85, 0.0)) is CellState.OCCUPIED
    assert occupancy.state(occupancy.grid.cell_at(0.5, 0.0)) is CellState.FREE


def test_a_transform_that_is_too_old_is_not_used_and_said(bench):
    sender, senses = bench

    def send():
        sender.send_pose(ago=4.0)
        sender.send_view()

    said = {}

    def is_said():
        send()
        time.sleep(0.02)
        assert not any(one.detections or one.body for one in senses.observations())
        said.update({status.name: status.text for status in senses.status()})
        return "old" in said.get("robot pose", "") and "extrapolation" in said.get("camera pose", "")

    until(is_said, lambda: f"the old transform is told; {said}")
    assert "map <- base_link: the newest transform is 4." in said["robot pose"]
    assert "map <- lens" in said["camera pose"]


def test_a_silent_stream_and_an_unknown_encoding_are_said(bench):
    sender, senses = bench
    said = {}

    def is_said():
        sender.send_pose()
        sender.send_view(encoding="16SC3")
        time.sleep(0.02)
        assert not any(one.detections for one in senses.observations())
        said.update({status.name: status.text for status in senses.status()})
        return "16SC3" in said["depth"] and "nothing has come on joint_states" in said["joints"]

    until(is_said, lambda: f"what is wrong is told; {said}")


def test_a_bag_of_real_messages_gives_the_same_observations_and_rosbags_reads_it(bench):
    rosbags = pytest.importorskip("rosbags.highlevel")
    sender, senses = bench
    sender.send_map()
    observed = []

    def send():
        sender.send_pose()
        sender.send_view()
        sender.send_joints(0.03)
        time.sleep(0.02)
        observed.extend(senses.observations())
        return [one for one in observed if one.held and one.covered], [
            one for one in observed if one.passable
        ]

    until(lambda: all(send()), "a view with a held mug, and a blocked passage")
    senses.bag.close()
    assert senses.bag.left_out == {}
    with rosbags.AnyReader([senses.bag.path]) as reader:
        topics = {
            c.topic for c, _, data in reader.messages() if reader.deserialize(data, c.msgtype) is not None
        }
    assert {
        "/camera/depth",
        "/camera/info",
        "/detections",
        "/joint_states",
        "/map",
        "/foretree/marks",
    } <= topics

    def made(clock, zero, transforms):
        return MessageSenses(SETTINGS, senses.robot, clock, zero, transforms)

    clock = ReplayClock(simulated=False)
    robot = ReplayedRobot("rob", ("hand",), Bag(senses.bag.path), clock, made)
    again = []
    while not robot.is_over:
        again += robot.observations()
        if not robot.is_over:
            clock.sleep_until(0.0)
    assert [one.time for one in again] == [one.time for one in observed]
    assert [(one.detections, one.covered, one.held, one.body, one.passable) for one in again] == [
        (one.detections, one.covered, one.held, one.body, one.passable) for one in observed
    ]


def test_senses_by_a_robot_file_have_a_node_of_their_own():
    parts = {"robot": "rob", "hands": ["hand"], "skills": {"*": {"executor": "a:B"}}}
    senses = SETTINGS.model_dump(by_alias=True, exclude_none=True)
    file = RobotFile.model_validate({**parts, "senses": {**senses, "body": {"frame": "base_link"}}})
    places = PlaceGraph()
    places.add("table1", (2.0, 0.0, 0.0), "hall", "asset")
    found = NodeSenses(file, places, WallClock(), arguments=["--ros-args", "-r", "__ns:=/left"])
    try:
        assert found.observations() == []
        until(lambda: any("joint_states" in status.text for status in found.status()), "a silent stream")
        assert found.look(LookRequest(), "x/1").poll() is None
    finally:
        found.close()
