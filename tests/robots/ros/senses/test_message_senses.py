"""The senses as a whole: what comes between two ticks becomes observations, looks end, streams fall silent."""

import threading

import numpy as np
import pytest
from ros_messages import (
    NANO,
    ZERO,
    amcl_pose,
    camera_info,
    detection_2d,
    detection_3d,
    detections,
    grid,
    grid_update,
    image,
    joint_state,
    pose,
)

from foretree.clock import SimulatedClock
from foretree.robots.ros.senses.message_senses import MessageSenses, SensingRobot
from foretree.robots.ros.senses.settings import SenseSettings
from foretree.robots.ros.senses.standing import place_areas
from foretree.robots.ros.senses.synchroniser import Synchroniser
from foretree.robots.ros.senses.transforms import RigidPose, Transform, TransformError
from foretree.skills.robot import LookRequest, Outcome, RobotError
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.observation import Observation


# -- synchroniser ------------------------------------------------------------------------------------------
def _put(synchroniser, **stamps):
    for stream, times in stamps.items():
        for time in times:
            synchroniser.put(stream, time, f"{stream} {time}")


def test_messages_of_the_same_time_belong_together_and_the_newest_win():
    together = Synchroniser(["image", "depth", "info"], 0.05)
    _put(together, image=[1.0, 2.0, 3.0], depth=[1.01, 2.02], info=[0.99, 2.0, 3.0])
    assert together.take() == (2.0, {"image": "image 2.0", "depth": "depth 2.02", "info": "info 2.0"})
    assert together.take() is None
    _put(together, depth=[2.96])
    assert together.take() == (3.0, {"image": "image 3.0", "depth": "depth 2.96", "info": "info 3.0"})


def test_the_nearest_message_is_taken_and_late_ones_find_no_partner():
    together = Synchroniser(["image", "depth"], 0.05)
    _put(together, depth=[1.04, 1.0, 0.97], image=[1.0])
    assert together.take()[1]["depth"] == "depth 1.0"
    _put(together, image=[0.97, 1.0])
    assert together.take() is None


def test_memory_is_bounded():
    together = Synchroniser(["image", "depth"], 0.05, kept=4)
    _put(together, image=range(1000))
    assert len(together._waiting["image"]) == 4
    _put(together, depth=range(990))
    assert len(together._waiting["depth"]) == 4


def test_streams_that_stay_apart_are_told():
    slow = Synchroniser(["image", "depth"], 0.02)
    for tick in range(30):
        _put(slow, image=[tick / 10], depth=[tick / 10 + 0.05])
        assert slow.take() is None
    assert slow.trouble(2.95, 1.0) == "depth stays 0.05 s apart from image; 0.02 s are allowed (tolerance)"
    assert slow.trouble(9.0, 1.0) == ""  # both are silent, which is another trouble


def test_when_time_goes_back_it_begins_anew():
    together = Synchroniser(["image", "depth"], 0.05)
    _put(together, image=[100.0], depth=[100.0])
    assert together.take()
    _put(together, image=[1.0], depth=[1.0])
    assert together.take() == (1.0, {"image": "image 1.0", "depth": "depth 1.0"})


# -- the senses --------------------------------------------------------------------------------------------
class Tf:
    """Poses on the map by frame, known up to a time; of any later time they may come."""

    def __init__(self, **poses):
        self.poses = poses
        self.until = 1e9

    def lookup(self, target, source, time):
        if source not in self.poses:
            raise TransformError(f"{target} <- {source}: there is no such frame")
        newest = ZERO + round(self.until * NANO)
        if time is not None and time > newest:
            raise TransformError(f"{target} <- {source}: not known yet", may_come=True)
        return Transform(self.poses[source], newest if time is None else time)


def _places():
    places = PlaceGraph()
    places.add("hall", (0.0, 0.0, 0.0), "hall", "room")
    places.add("spot", (2.0, 0.0, 0.0), "hall", "pose")
    places.connect("hall", "spot")
    return places


class Bench:
    """Senses with a clock that is set by hand."""

    def __init__(self, tf=None, eyes=None, journal=None, **settings):
        self.clock = SimulatedClock()
        self.tf = tf or Tf(camera=RigidPose((0.0, 0.0, 1.0)))
        places = _places()
        robot = SensingRobot("rob", "map", places, place_areas(places, 0.4, 0.6))
        self.senses = MessageSenses(
            SenseSettings.model_validate(settings), robot, self.clock, ZERO, self.tf, eyes, journal
        )

    def tick(self, time, **messages):
        """Let messages come, then tick."""
        self.clock.sleep_until(time)
        for stream, message in messages.items():
            for one in message if isinstance(message, list) else [message]:
                self.senses.put(stream, lambda one=one: one)
        return self.senses.observations()

    def trouble(self):
        return {status.name: status.text for status in self.senses.status() if not status.ok}


DETECTIONS = {"detections": {"topic": "/detections", "labels": {"cup": "mug"}}}
DEPTH = {"camera": {"depth": "/depth", "info": "/info"}}


def _cup(time, at=1.0, **more):
    return detections(detection_3d({"cup": 0.9}, pose(at)), time=time, **more)


def _poses(observed):
    return [[one.pose[0] for one in each.detections] for each in observed]


def test_detections_become_an_observation_once():
    bench = Bench(**DETECTIONS)
    (seen,) = bench.tick(1.0, detections=_cup(0.9))
    assert (seen.time, seen.source) == (0.9, "view")
    assert [(one.classes, one.pose) for one in seen.detections] == [({"mug": 0.9}, (1.0, 0.0, 1.0))]
    assert bench.tick(1.1) == []
    assert bench.trouble() == {}


def test_of_several_messages_the_newest_wins_whatever_their_order():
    bench = Bench(**DETECTIONS)
    observed = bench.tick(1.0, detections=[_cup(0.8, 1.0), _cup(0.95, 3.0), _cup(0.9, 2.0)])
    assert _poses(observed) == [[3.0]]
    assert bench.tick(1.1) == []
    assert _poses(bench.tick(1.2, detections=_cup(0.92, 2.0))) == []  # older than what was seen


def test_detections_wait_for_the_transform_of_their_time():
    bench = Bench(**DETECTIONS)
    bench.tf.until = 0.85
    assert bench.tick(1.0, detections=_cup(0.9, 1.0)) == []
    assert bench.tick(1.1, detections=_cup(1.0, 2.0)) == []
    assert bench.trouble() == {}
    bench.tf.until = 0.95
    assert _poses(bench.tick(1.2)) == [[1.0]]
    bench.tf.until = 1.05
    assert _poses(bench.tick(1.25)) == [[2.0]]
    bench.tf.until = 1.3
    assert bench.tick(1.4, detections=_cup(1.35)) == []
    assert bench.tick(1.8) == []
    assert bench.trouble() == {"camera pose": "map <- camera: not known yet"}
    bench.tf.until = 9.0
    assert bench.tick(1.9) == []  # it was given up
    assert len(bench.tick(2.0, detections=_cup(1.95))) == 1
    assert bench.trouble() == {}


def test_detections_that_come_too_fast_for_their_transforms_are_said_to_be_lost():
    bench = Bench(**DETECTIONS)
    bench.tf.until = 0.5
    for tick in range(100):
        time = 1.0 + tick / 100
        assert bench.tick(time, detections=_cup(time)) == []
    assert bench.trouble() == {"camera pose": "map <- camera: not known yet"}
    bench.tf.until = 9.0
    assert len(bench.tick(2.1, detections=_cup(2.1))) == 1
    assert bench.trouble() == {}


def test_a_frame_that_is_not_known_is_said():
    bench = Bench(**DETECTIONS)
    assert bench.tick(1.0, detections=_cup(0.9, frame="lens")) == []
    assert bench.trouble() == {"camera pose": "map <- lens: there is no such frame"}


def test_old_stamps_stamps_of_the_future_and_none_are_refused_and_said():
    bench = Bench(**DETECTIONS)
    for time, why in ((1.0, "4.0 s ago"), (9.0, "4.0 s ahead"), (None, "not set")):
        assert bench.tick(5.0, detections=_cup(time)) == []
        assert why in bench.trouble()["detections"]
        assert "/detections" in bench.trouble()["detections"]
    assert len(bench.tick(5.1, detections=_cup(5.0))) == 1
    assert bench.trouble() == {}


def test_depth_that_belongs_to_detections_is_awaited_but_not_for_ever():
    bench = Bench(**DETECTIONS, **DEPTH)
    depth = np.full((48, 64), 2.0, np.float32)
    assert bench.tick(1.0, detections=_cup(0.9)) == []
    (seen,) = bench.tick(1.1, depth=image(depth, "32FC1", 0.9), info=camera_info(time=0.91))
    assert seen.shows is not None
    assert bench.tick(1.2, detections=_cup(1.15)) == []
    (alone,) = bench.tick(1.6)
    assert (alone.shows, len(alone.detections)) == (None, 1)


def test_detections_in_two_dimensions_are_not_used_without_depth():
    flat = {"detections": {"topic": "/d", "type": "vision_msgs/msg/Detection2DArray"}}
    bench = Bench(**flat, **DEPTH)
    box = detections(detection_2d({"cup": 0.9}, (31.5, 23.5), (6.0, 6.0)), time=0.9, flat=True)
    assert bench.tick(1.0, detections=box) == []
    assert bench.tick(3.0) == []
    box.header.stamp.sec += 3
    depth = image(np.full((48, 64), 2.0, np.float32), "32FC1", 3.9)
    (seen,) = bench.tick(4.0, detections=box, depth=depth, info=camera_info(time=3.9))
    assert seen.detections[0].pose == pytest.approx((0.0, 0.0, 3.0), abs=0.02)


def test_an_image_in_an_unknown_encoding_is_said_by_its_stream():
    bench = Bench(**DETECTIONS, **DEPTH)
    odd = image(np.ones((48, 64), np.uint8), "8UC1", 0.9)
    assert bench.tick(1.0, detections=_cup(0.9), depth=odd, info=camera_info(time=0.9)) == []
    assert "8UC1" in bench.trouble()["depth"]


# -- looks -------------------------------------------------------------------------------------------------
def test_a_look_is_done_with_the_first_view_taken_after_it_began():
    bench = Bench(**DETECTIONS)
    bench.tick(1.0)
    look = bench.senses.look(LookRequest(), "x/1")
    (late,) = bench.tick(1.1, detections=_cup(0.95))  # taken before, though it came after
    assert (late.source, look.poll()) == ("view", None)
    (seen,) = bench.tick(1.2, detections=_cup(1.15))
    assert seen.source == "look"
    assert look.poll().outcome is Outcome.DONE
    (after,) = bench.tick(1.3, detections=_cup(1.25))
    assert after.source == "view"


def test_what_is_felt_ends_no_look():
    bench = Bench(**DETECTIONS, body={"topic": "/pose"})
    look = bench.senses.look(LookRequest(), "x/1")
    assert len(bench.tick(1.0, pose=amcl_pose(0.0, 0.0, 0.9))) == 1
    assert look.poll() is None


def test_a_look_without_a_view_fails_and_says_why():
    bench = Bench(**DETECTIONS)
    look = bench.senses.look(LookRequest(), "x/1")
    bench.tick(4.9)
    assert look.poll() is None
    bench.tick(5.1)
    assert look.poll().outcome is Outcome.FAILED
    assert "no view has come within 5 s: nothing has come on /detections" in look.poll().reason
    bench.tick(5.2, detections=_cup(5.15))
    assert look.poll().outcome is Outcome.FAILED


def test_a_look_can_be_cancelled_and_stays_so():
    bench = Bench(**DETECTIONS)
    look = bench.senses.look(LookRequest(), "x/1")
    look.cancel()
    bench.tick(1.0, detections=_cup(0.9))
    look.cancel()
    assert look.poll().outcome is Outcome.CANCELLED


def test_a_robot_that_sees_nothing_cannot_look():
    with pytest.raises(RobotError, match="names neither detections nor a camera with eyes"):
        Bench(joints="/joint_states").senses.look(LookRequest(), "x/1")


# -- body, grid --------------------------------------------------------------------------------------------
GRIPPER = {"joints": "/joints", "grippers": {"hand": {"joints": ["f"], "open": 0.07}}}


def test_what_is_felt_is_told_when_it_changes_and_now_and_then():
    bench = Bench(**GRIPPER)
    (first,) = bench.tick(1.0, joints=joint_state(["f"], [0.08], time=0.95))
    assert first.body == {("hand_free", "rob", "hand"): True}
    assert bench.tick(1.1, joints=joint_state(["f"], [0.079], time=1.05)) == []
    (changed,) = bench.tick(1.2, joints=joint_state(["f"], [0.03], time=1.15))
    assert changed.body == {("hand_free", "rob", "hand"): False}
    assert bench.tick(1.9, joints=joint_state(["f"], [0.03], time=1.85)) == []
    assert len(bench.tick(2.3, joints=joint_state(["f"], [0.03], time=2.25))) == 1


def test_a_joint_state_that_contradicts_itself_is_said_and_changes_nothing():
    bench = Bench(**GRIPPER)
    assert bench.tick(1.0, joints=joint_state(["f"], [0.08, 1.0], time=0.95)) == []
    assert bench.trouble() == {"joints": "/joints: 1 names, but 2 values of position"}


def test_a_place_is_told_and_a_pose_that_is_lost_is_not_told_any_more():
    tf = Tf(base_link=RigidPose((2.1, 0.0, 0.0)))
    bench = Bench(tf, body={"frame": "base_link"})
    tf.until = 1.0
    (told,) = bench.tick(1.0)
    assert told.body == {("rob_at_node", "rob", "spot"): True}
    assert bench.tick(4.0) == []
    assert bench.trouble() == {
        "robot pose": "map <- base_link: the newest transform is 3.0 s old, more than 0.5 s, and is not used"
    }
    tf.until = 5.0
    tf.poses["base_link"] = RigidPose((1.0, 0.0, 0.0))
    (told,) = bench.tick(5.0)
    assert set(told.body.values()) == {False}
    assert bench.trouble() == {}


def test_a_grid_tells_of_blocked_passages():
    bench = Bench(grid={"topic": "/map", "updates": "/map_updates"})
    floor = np.zeros((20, 60))
    assert bench.tick(1.0, grid=grid(floor, 0.1, pose(-1.0, -1.0), time=0.0)) == []
    (told,) = bench.tick(2.0, grid_updates=grid_update(np.full((20, 2), 100), 19, 0))
    assert told.passable == {("hall", "spot"): False}
    assert bench.trouble() == {}
    assert bench.tick(90.0) == []
    assert bench.trouble() == {}  # maps are sent once


def test_lost_updates_make_a_grid_unusable_until_a_whole_one_comes():
    bench = Bench(grid={"topic": "/map", "updates": "/map_updates"})
    bench.tick(1.0, grid=grid(np.zeros((20, 60)), 0.1, pose(-1.0, -1.0)))
    one = grid_update(np.zeros((1, 1)), 0, 0)
    bench.tick(2.0, grid_updates=[one] * 300)
    assert bench.senses.grid.states is None
    assert (
        "before a whole grid" in bench.trouble()["grid_updates"] or "lost" in bench.trouble()["grid_updates"]
    )
    bench.tick(3.0, grid=grid(np.zeros((20, 60)), 0.1, pose(-1.0, -1.0)), grid_updates=[one])
    assert bench.trouble() == {}


# -- silence, threads, eyes --------------------------------------------------------------------------------
def test_a_stream_that_is_silent_is_told():
    bench = Bench(**DETECTIONS)
    assert bench.trouble() == {}
    bench.tick(2.5)
    assert bench.trouble() == {
        "detections": "nothing has come on /detections (vision_msgs/msg/Detection3DArray) for 2.5 s"
    }
    bench.tick(3.0, detections=_cup(2.95))
    assert bench.trouble() == {}
    bench.tick(6.5)
    assert bench.trouble() == {"detections": "/detections is silent for 3.5 s"}


def test_messages_that_are_left_out_are_never_unpacked():
    bench = Bench(body={"topic": "/pose"})
    loaded = []
    for number in range(100):
        bench.senses.put("pose", lambda number=number: loaded.append(number) or amcl_pose(0.0, 0.0, 0.0))
    bench.senses.observations()
    assert loaded == [99]


def test_each_message_is_taken_in_by_exactly_one_tick_though_another_thread_puts_them():
    bench = Bench(joints="/joints")
    names = []
    done = threading.Event()

    def put():
        for number in range(2000):
            bench.senses.put(
                "joints", lambda number=number: names.append(number) or joint_state(["f"], [0.0])
            )
        done.set()

    thread = threading.Thread(target=put)
    thread.start()
    while not done.is_set():
        bench.senses.observations()
    thread.join()
    bench.senses.observations()
    assert names == sorted(set(names))
    assert names[-1] == 1999


class Eyes:
    def __init__(self):
        self.go = threading.Event()
        self.seen = []

    def see(self, frame):
        self.seen.append(frame)
        assert self.go.wait(60)
        return Observation(frame.time, frame.source)


def test_own_eyes_work_beside_the_tick_and_take_the_newest_image():
    eyes = Eyes()
    bench = Bench(eyes=eyes, camera={"image": "/image"})
    colours = np.zeros((4, 4, 3), np.uint8)
    bench.tick(1.0)
    look = bench.senses.look(LookRequest(), "x/1")
    assert bench.tick(1.1, image=image(colours, "rgb8", 1.05)) == []
    assert bench.tick(1.2, image=image(colours, "rgb8", 1.15)) == []
    eyes.go.set()
    observed = []
    while not observed:
        observed = bench.tick(1.3)
    assert [(one.time, one.source) for one in observed] == [(1.05, "look")]
    assert look.poll().outcome is Outcome.DONE
    bench.senses.close()


def test_what_a_replay_needs_is_taken_down():
    noted = []

    class Journal:
        def looked_for(self, execution_id, since):
            noted.append((execution_id, since))

        def taken(self, time, number):
            noted.append((time, number))

    bench = Bench(journal=Journal(), **DETECTIONS)
    bench.tick(1.0)
    bench.senses.look(LookRequest(), "x/1")
    bench.tick(2.0, detections=[_cup(1.9)] * 20)  # also those that are left out are counted
    assert noted == [(1.0, 0), ("x/1", 1.0), (2.0, 20)]


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"camera": {"depth": "/depth"}}, "info"),
        ({"detections": {"topic": "/d", "type": "vision_msgs/msg/Detection2DArray"}}, "take depth"),
        ({"body": {"frame": "a", "topic": "/b"}}, "either frame"),
        ({"grippers": {"hand": {"joints": ["f"], "open": 0.07}}}, "joints"),
        (
            {"grippers": {"hand": {"joints": ["f"], "open": 0.07, "closed": 0.1}}, "joints": "/j"},
            "less than open",
        ),
        ({"grid": {"topic": "/map", "free": 70}}, "less than occupied"),
        ({"detections": {"topic": "/d", "type": "my_msgs/msg/Found"}}, "Detection2DArray"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, why):
    with pytest.raises(ValueError, match=why):
        SenseSettings.model_validate(settings)
