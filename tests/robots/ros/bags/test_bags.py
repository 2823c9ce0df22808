"""Bags: other programs read them, and an agent that gets one again believes and decides as it did."""

import json

import numpy as np
import pytest
import yaml
from household_topics import HANDS, Overhead, TopicRobot, kitchen, read_definition, senses_of, settings, told
from in_process import foretree
from ros_messages import (
    NANO,
    STORE,
    ZERO,
    amcl_pose,
    detection_3d,
    detections,
    grid,
    grid_update,
    image,
    packed,
    pose,
)
from rosbags.highlevel import AnyReader
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import get_types_from_msg

from foretree.bringup.embedded import open_robot
from foretree.bringup.options import Options, Wish
from foretree.bringup.ros.bag_playing import played_lines
from foretree.clock import SimulatedClock
from foretree.robots.ros.bags.cdr import DEFINITIONS, pack_log, pack_string, unpack_string
from foretree.robots.ros.bags.definitions import DefinitionError, definition_of, installed_definition
from foretree.robots.ros.bags.marks import Mark
from foretree.robots.ros.bags.noting import NotedClock, NotedRobot, NotedTransforms
from foretree.robots.ros.bags.reader import Bag
from foretree.robots.ros.bags.replay import ReplayClock, ReplayedRobot, play, ticks_of
from foretree.robots.ros.bags.writer import BagError, BagWriter, RunBags, bag_path
from foretree.runs.events import Tape
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore
from foretree.simulation.household.world import HouseholdWorld

GOAL = "(on mango1 table2)"
FAULT = ("after 1: move mango1 counter1",)


# -- packing -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["", "a", "äöü", "x" * 1001])
def test_texts_are_packed_as_ros_does(text):
    packed_text = STORE.serialize_cdr(STORE.types["std_msgs/msg/String"](data=text), "std_msgs/msg/String")
    assert pack_string(text) == bytes(packed_text)
    assert unpack_string(pack_string(text)) == text


@pytest.mark.parametrize("text", ["", "abc", "a longer line"])
def test_lines_are_packed_as_ros_does(text):
    types = STORE.types
    stamp = types["builtin_interfaces/msg/Time"](sec=12, nanosec=345)
    log = types["rcl_interfaces/msg/Log"](
        stamp=stamp, level=30, name="foretree", msg=text, file="", function="", line=0
    )
    expected = bytes(STORE.serialize_cdr(log, "rcl_interfaces/msg/Log"))
    assert pack_log(text, 30, "foretree", 12 * NANO + 345) == expected


def test_a_definition_has_all_that_a_type_consists_of():
    found = definition_of("vision_msgs/msg/Detection3DArray", read_definition)
    types = get_types_from_msg(found, "vision_msgs/msg/Detection3DArray")
    assert {"std_msgs/msg/Header", "geometry_msgs/msg/Vector3", "vision_msgs/msg/Detection3D"} <= set(types)
    assert "MSG: builtin_interfaces/Time" in found
    assert found.count("MSG: geometry_msgs/Point") == 1


def test_a_definition_that_is_not_installed_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    with pytest.raises(DefinitionError, match=r"share/my_msgs/msg/Thing\.msg"):
        installed_definition("my_msgs/msg/Thing")
    (tmp_path / "share/my_msgs/msg").mkdir(parents=True)
    (tmp_path / "share/my_msgs/msg/Thing.msg").write_text("int8 a\n")
    assert definition_of("my_msgs/msg/Thing", installed_definition) == "int8 a\n"


# -- files -------------------------------------------------------------------------------------------------
def _write(path, **settings):
    return BagWriter(path, ZERO, lambda: 2.0, read=read_definition, **settings)


def test_another_program_reads_all_of_a_bag(tmp_path):
    path = tmp_path / "run.mcap"
    run = RunStore(tmp_path).create("put it away")
    recorder = RunRecorder(run)
    recorder.record("run.started", instruction="put it away")
    recorder.record("log", text="something happened")
    recorder.close("reached")
    bag = _write(path)
    depth = image(np.arange(12, dtype=np.uint16).reshape(3, 4), "16UC1")
    sent = [(f"/pose{n % 2}", amcl_pose(n, 0.0, n / 10)) for n in range(50)] + [("/depth", depth)]
    for number, (topic, message) in enumerate(sent, 1):
        bag.received(topic, message.__msgtype__, packed(message), number / 100, number)
    bag.taken(1.0, 51)
    bag.add_run(run)
    bag.close()
    with AnyReader([path]) as reader:
        found = [(c.topic, time, reader.deserialize(data, c.msgtype)) for c, time, data in reader.messages()]
    poses = [message.pose.pose.position.x for topic, _, message in found if topic.startswith("/pose")]
    assert poses == list(range(50))
    assert next(time for topic, time, _ in found if topic == "/pose0") == ZERO + NANO // 100
    assert [m.data.tobytes() for topic, _, m in found if topic == "/depth"] == [depth.data.tobytes()]
    lines = [message.msg for topic, _, message in found if topic == "/foretree/lines"]
    assert any("something happened" in line for line in lines)
    started = next(message for topic, _, message in found if topic == "/foretree/run/started")
    assert json.loads(started.data)["data"]["instruction"] == "put it away"
    assert sum(topic == "/foretree/marks" for topic, _, _ in found) == 1
    assert bag_path(run).name == f"{run.id}.mcap"


def test_a_bag_reads_its_own_messages_and_marks(tmp_path):
    path = tmp_path / "run.mcap"
    bag = _write(path, simulated=True)
    message = amcl_pose(1.0, 2.0)
    bag.received("/pose", message.__msgtype__, packed(message), 0.5, 7)
    bag.mark("begun", {"execution": "x/1"}, 0.75)
    bag.close()
    bag.received("/pose", message.__msgtype__, packed(message), 0.6, 8)  # too late
    read = Bag(path)
    first = next(iter(read.messages()))
    assert (first.topic, first.type, first.time, first.number) == (
        "/pose",
        message.__msgtype__,
        ZERO + NANO // 2,
        7,
    )
    assert first.load().pose.pose.position.y == 2.0
    assert read.marks() == [Mark("begun", 0.75, {"execution": "x/1"})]
    assert read.properties == {"zero": str(ZERO), "clock": "simulated"}


def test_each_run_has_a_bag_of_its_own_and_maps_are_in_all(tmp_path):
    store = RunStore(tmp_path)
    bags = RunBags(lambda: 1.0, lambda: ZERO, read=read_definition)
    floor, part = grid(np.zeros((2, 2))), grid_update(np.ones((1, 1)), 0, 0)
    bags.listens("/map", "grid")
    bags.listens("/map_updates", "grid_updates")
    bags.listens("/pose", "pose")
    there = amcl_pose(0.0, 0.0)

    def send(topic, message, number):
        bags.received(topic, message.__msgtype__, packed(message), number / 10, number)

    send("/map", floor, 1)
    send("/map_updates", part, 2)
    send("/pose", there, 3)
    bags.taken(0.3, 3)  # belongs to no run
    found = []
    for first in (4, 7):
        run = store.create("tidy up")
        recorder = RunRecorder(run)
        bags.begin(run)
        send("/pose", there, first)
        bags.taken(first / 10, first)
        bags.looked_for("x/1", 0.0)
        recorder.close("reached")
        path = bags.finish(run)
        assert path == bag_path(run)
        send("/pose", there, first + 1)
        read = Bag(path)
        found.append([message.number for message in read.messages() if message.number])
        assert [mark.kind for mark in read.marks()] == ["stream"] * 3 + ["tick", "view"]
    assert found == [[1, 2, 4], [1, 2, 7]]
    assert bags.finish(run) is None


def test_a_bag_that_a_crash_cut_short_is_read_as_far_as_it_goes(tmp_path):
    path = tmp_path / "run.mcap"
    bag = _write(path)
    large = image(np.random.default_rng(0).integers(0, 255, (300, 400, 3)).astype(np.uint8), "rgb8")
    for number in range(1, 21):
        bag.received("/image", large.__msgtype__, packed(large), number, number)
    bag._file.flush()
    path.write_bytes(path.read_bytes()[:-1000])
    numbers = [message.number for message in Bag(path).messages()]
    assert len(numbers) > 5
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_topic_without_a_definition_is_left_out_and_the_bag_says_so(tmp_path):
    def read(type_name):
        raise DefinitionError(f"no {type_name}")

    bag = BagWriter(tmp_path / "run.mcap", ZERO, lambda: 0.0, read=read)
    bag.received("/odd", "my_msgs/msg/Thing", b"", 0.0, 1)
    bag.received("/odd", "my_msgs/msg/Thing", b"", 0.0, 2)
    bag.taken(1.0, 2)
    bag.close()
    assert bag.left_out == {"/odd": "no my_msgs/msg/Thing"}
    with pytest.raises(BagError, match="Messages of /odd are not in the bag: no my_msgs"):
        _replayed(Bag(tmp_path / "run.mcap"), ReplayClock(True))


def test_what_is_no_bag_is_refused(tmp_path):
    with pytest.raises(BagError, match="There is no bag"):
        Bag(tmp_path / "none.mcap")
    (tmp_path / "text.mcap").write_text("no bag at all, but a text")
    with pytest.raises(BagError, match="no MCAP file"):
        Bag(tmp_path / "text.mcap")
    (tmp_path / "folder").mkdir()
    with pytest.raises(BagError, match="cannot be read"):
        list(Bag(tmp_path / "folder").messages())
    with pytest.raises(BagError, match="cannot be written"):
        BagWriter(tmp_path / "none/run.mcap", ZERO, lambda: 0.0)


# -- an agent, again ---------------------------------------------------------------------------------------
def _record(path, goal=GOAL, faults=FAULT, recorder=None, name=""):
    """A run whose robot is seen over topics; return its events and its result."""
    scene, tape, clock = kitchen(), recorder or Tape(), SimulatedClock()
    bag = BagWriter(path, ZERO, clock.now, simulated=True, read=read_definition)
    noted = NotedClock(clock, bag)
    world = HouseholdWorld(scene, noted, faults)
    overhead = Overhead()
    overhead.house = world.house
    senses = senses_of(scene, noted, NotedTransforms(overhead, bag), journal=bag)
    robot = NotedRobot(TopicRobot(world, senses, noted, bag), bag)
    session = open_robot(robot, "kitchen", Wish(goal=goal), Options(), recorder=tape, clock=noted)
    session.context.name = name or session.context.name
    result = session.run()
    bag.close()
    return tape, result


def _replayed(bag, clock, patience=60.0):
    scene = kitchen()
    return ReplayedRobot(
        "robot1", HANDS, bag, clock, lambda clock, zero, tf: senses_of(scene, clock, tf), patience=patience
    )


def _replay(path, goal=GOAL, patience=60.0, options=None):
    tape = Tape()
    bag = Bag(path)
    clock = ReplayClock(bag.properties["clock"] == "simulated")
    robot = _replayed(bag, clock, patience)
    session = open_robot(robot, kitchen(), Wish(goal=goal), options or Options(), recorder=tape, clock=clock)
    return tape, session.run()


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    path = tmp_path_factory.mktemp("bag") / "run.mcap"
    return path, *_record(path)


def test_the_run_over_topics_notices_what_its_camera_shows(recorded):
    _, tape, result = recorded
    assert result.outcome == "reached"
    assert tape.of("revision.made")  # the mango was moved, and only a message told of it
    assert any(
        fact[3] in ("look", "view") for event in tape.of("belief.changed") for fact in event.data["facts"]
    )


def test_an_agent_believes_and_decides_again_what_it_did(recorded):
    path, tape, result = recorded
    again, result_again = _replay(path)
    assert result_again.outcome == result.outcome
    kinds = (
        "belief.changed",
        "entity.changed",
        "action.intent",
        "action.ended",
        "revision.made",
        "guard.checked",
    )
    for kind in (*kinds, "look.started", "look.ended", "discrepancy.found", "plan.made"):
        expected = [(event.time, told(event)) for event in tape.of(kind)]
        assert [(event.time, told(event)) for event in again.of(kind)] == expected, kind


def test_without_its_messages_it_would_decide_otherwise(recorded, monkeypatch):
    path, *_ = recorded
    monkeypatch.setattr("foretree.robots.ros.bags.replay._Numbered.put", lambda self, through, senses: None)
    again, result = _replay(path, patience=0.5)
    assert result.outcome == "error"
    assert "bag" in result.reason


def test_an_agent_that_decides_otherwise_is_told_so(recorded):
    path, *_ = recorded
    _, result = _replay(path, goal="(on apple1 table2)", patience=0.5)
    assert result.outcome == "error"
    assert "in the run of the bag it began" in result.reason or "In the run of the bag" in result.reason


def test_a_bag_of_another_program_cannot_replay_an_agent(tmp_path):
    path = _foreign(tmp_path, StoragePlugin.MCAP)
    with pytest.raises(BagError, match="no marks of an agent's ticks"):
        _replayed(Bag(path), ReplayClock(True))


def test_marks_belong_to_ticks():
    kinds = ["stream", "tick", "begun", "awake", "ended", "tick", "awake", "tick", "cancelled"]
    marks = [Mark(kind, float(n), {"through": n}) for n, kind in enumerate(kinds)]
    found = [
        (t.awake, [m.kind for m in t.before], t.time, [m.kind for m in t.marks]) for t in ticks_of(marks)
    ]
    assert found == [
        (1.0, ["stream"], 1.0, ["begun"]),
        (3.0, ["ended"], 5.0, []),
        (6.0, [], 7.0, ["cancelled"]),
    ]


# -- bags of other programs --------------------------------------------------------------------------------
def _foreign(folder, storage):
    path = folder / "rosbag2"
    with Writer(path, version=9, storage_plugin=storage) as writer:
        connections = {}
        for number in range(20):
            time = number / 10
            found = detections(detection_3d({"mango": 0.9}, pose(1.8, 2.0, 0.9)), time=time, frame="map")
            for topic, message in (("/detections", found), ("/amcl_pose", amcl_pose(1.8, 2.0, time))):
                kind = message.__msgtype__
                if topic not in connections:
                    connections[topic] = writer.add_connection(topic, kind, typestore=STORE)
                writer.write(connections[topic], ZERO + round(time * NANO), packed(message))
    return path


@pytest.mark.parametrize("storage", [StoragePlugin.MCAP, StoragePlugin.SQLITE3])
def test_a_bag_of_rosbag2_is_played_to_senses(tmp_path, storage):
    scene = kitchen()
    bag = Bag(_foreign(tmp_path, storage))
    played = list(play(bag, lambda clock, zero: senses_of(scene, clock, Overhead())))
    seen = [one for _, observed in played for one in observed if one.detections]
    assert 15 <= len(seen) <= 20
    assert seen[0].detections[-1].classes == {"mango": 0.9}
    assert seen[0].detections[-1].rests[0] == "on"
    felt = [one.body for _, observed in played for one in observed if one.body]
    assert felt[0] == {("rob_at_node", "robot1", "table1"): True}
    assert [time for time, _ in played] == pytest.approx([0.1 * n for n in range(1, len(played) + 1)])


def _robot_file(folder):
    skills = {"*": {"topic": "/t", "type": "std_msgs/msg/String", "done_after": 1.0}}
    said = {"robot": "robot1", "hands": list(HANDS), "stand_off": 0.0, "skills": skills}
    path = folder / "robot.yaml"
    senses = settings(kitchen()).model_dump(by_alias=True, exclude_none=True, mode="json")
    path.write_text(yaml.safe_dump({**said, "senses": senses}))
    return str(path)


def test_the_command_line_plays_any_bag_to_a_robot_file(tmp_path, recorded):
    robot = _robot_file(tmp_path)
    of_a_run = list(played_lines(recorded[0], robot, "kitchen"))
    assert any("mango" in line and "on counter" in line for line in of_a_run)
    assert any("all that is on table" in line for line in of_a_run)
    assert any(line.endswith("(rob_at_node robot1 table1)") for line in of_a_run)
    foreign = _foreign(tmp_path, StoragePlugin.SQLITE3)
    done = foretree("bag", str(foreign), "--robot", robot, "--scene", "kitchen")
    assert done.returncode == 0
    assert "mango 0.90 at 1.80, 2.00, 0.90, on table" in done.stdout


def test_the_definitions_that_are_written_are_those_of_ros():
    for name, definition in DEFINITIONS.items():
        assert get_types_from_msg(definition, name)[name] == STORE.fielddefs[name]


def test_the_command_line_has_the_agent_go_through_a_run_once_more(tmp_path, monkeypatch):
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))
    run = RunStore().create("move the mango")
    recorder = RunRecorder(run)
    _, result = _record(tmp_path / "run.mcap", recorder=recorder, name=run.id)
    recorder.close(result.outcome)
    asked = ("bag", str(tmp_path / "run.mcap"), "--robot", _robot_file(tmp_path), "--run")
    done = foretree(*asked, "last")
    assert done.returncode == 0, done.stderr
    assert f"As in run {run.id}: " in done.stdout
    assert f" {result.counts['revised']} revisions." in done.stdout
    other = RunStore().create("move the apple")
    recorder = RunRecorder(other)
    _record(tmp_path / "other.mcap", "(on apple1 table2)", recorder=recorder, name=run.id)
    recorder.close("reached")
    done = foretree(*asked, other.id)
    assert done.returncode == 1
    assert "in the run of the bag it began" in done.stderr
