"""The link to move_group: what it sends, and what it makes of each answer."""

from __future__ import annotations

import pytest
from fake_link import PlayedLink
from played_arm import SETTINGS

from foretree.clock import SimulatedClock
from foretree.robots.moveit.arm import ChangeScene, GripTo, MotionEnd, Pause, Straight, ToJoints, ToPose
from foretree.robots.moveit.error_codes import MotionProblem
from foretree.robots.moveit.move_group import MoveGroupArm, stop_all
from foretree.robots.moveit.moveit_file import MoveItFile
from foretree.robots.moveit.scene.scene_objects import AttachedObject, SceneDiff
from foretree.robots.ros.exchange import RosExchange
from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.transforms import RigidTransform
from foretree.skills.robot import RobotError

SERVERS = (
    "move_action",
    "execute_trajectory",
    "compute_cartesian_path",
    "compute_ik",
    "check_state_validity",
    "apply_planning_scene",
    "clear_octomap",
    "gripper/command",
)
TRAJECTORY = {"joint_trajectory": {"joint_names": ["a"], "points": []}}
POSE = RigidTransform((0.5, 0.1, 0.9))


class Bench:
    """An arm before a played move_group."""

    def __init__(self, *, without=(), **settings):
        self.link = PlayedLink(*(name for name in SERVERS if name not in without))
        self.clock = SimulatedClock()
        self.file = MoveItFile(**{**SETTINGS, **settings})
        self.exchange = RosExchange(self.link, self.clock)
        self.arm = MoveGroupArm(self.exchange, self.file, "hand", "map")
        self.motion = None

    def begin(self, request):
        self.motion = self.arm.begin(request)
        return self

    def planned(self, code=1, status=None):
        self.link.accept()
        self.link.result(
            status or ("SUCCEEDED" if code == 1 else "ABORTED"),
            error_code={"val": code, "message": ""},
            planned_trajectory=TRAJECTORY,
        )
        return self.motion.poll()

    executed = planned

    def answered(self, **response):
        self.link.respond(**response)
        return self.motion.poll()


def test_a_motion_is_planned_and_then_executed():
    bench = Bench().begin(ToPose(POSE))
    name, _, goal = bench.link.goals[0]
    assert name == "move_action"
    request = goal["request"]
    assert request["group_name"] == "arm"
    assert request["start_state"] == {"is_diff": True}
    assert goal["planning_options"]["plan_only"] is True
    position = request["goal_constraints"][0]["position_constraints"][0]
    assert position["link_name"] == "hand_tcp"
    assert position["header"] == {"frame_id": "map"}
    region = position["constraint_region"]
    assert region["primitive_poses"][0]["position"] == {"x": 0.5, "y": 0.1, "z": 0.9}
    assert bench.planned() is None
    name, _, goal = bench.link.goals[1]
    assert name == "execute_trajectory"
    assert goal == {"trajectory": TRAJECTORY}
    assert bench.executed() == MotionEnd("done")


def test_a_posture_is_a_goal_of_joints():
    bench = Bench().begin(ToJoints({"joint1": 0.5}))
    constraints = bench.link.goals[0][2]["request"]["goal_constraints"][0]
    assert constraints["joint_constraints"][0]["joint_name"] == "joint1"
    assert constraints["joint_constraints"][0]["position"] == 0.5


def test_a_straight_way_is_computed_and_then_executed():
    bench = Bench().begin(Straight((POSE, POSE.moved((0, 0, 1), 0.1))))
    name, _, request = bench.link.calls[0]
    assert name == "compute_cartesian_path"
    assert len(request["waypoints"]) == 2
    assert request["avoid_collisions"] is True
    assert request["max_step"] == 0.01
    assert bench.answered(error_code={"val": 1}, fraction=1.0, solution=TRAJECTORY) is None
    assert bench.link.goals[0][0] == "execute_trajectory"
    assert bench.executed() == MotionEnd("done")


@pytest.mark.parametrize("fraction", [0.98, 0.0, -1.0])
def test_a_straight_way_that_is_free_in_part_only_is_not_taken(fraction):
    bench = Bench().begin(Straight((POSE,)))
    assert bench.answered(error_code={"val": 1}, fraction=fraction, solution=TRAJECTORY) is None
    assert bench.link.goals == []
    assert bench.link.calls[1][0] == "compute_ik"
    end = bench.answered(error_code={"val": -31})
    assert end.problem is MotionProblem.OUT_OF_REACH
    assert not end.moved


def contact(body, kind, other="finger", depth=0.01):
    return {
        "contact_body_1": body,
        "body_type_1": kind,
        "contact_body_2": other,
        "body_type_2": 0,
        "depth": depth,
    }


def test_what_is_in_the_way_at_the_goal_is_found_out():
    bench = Bench().begin(ToPose(POSE))
    assert bench.planned(-1) is None
    name, _, request = bench.link.calls[0]
    assert name == "compute_ik"
    assert request["ik_request"]["avoid_collisions"] is False
    assert request["ik_request"]["ik_link_name"] == "hand_tcp"
    assert bench.answered(error_code={"val": 1}, solution={"joint_state": {"name": ["a"]}}) is None
    name, _, request = bench.link.calls[1]
    assert (name, request["robot_state"]) == ("check_state_validity", {"joint_state": {"name": ["a"]}})
    found = [
        contact("mug2", 1, depth=0.001),
        contact("table1", 1, depth=0.02),
        contact("link3", 0, depth=0.5),
    ]
    end = bench.answered(valid=False, contacts=found)
    assert end.obstacle == "table1"
    assert end.problem is MotionProblem.COLLISION_AT_GOAL
    assert not end.moved
    assert "PLANNING_FAILED" in end.says


def test_what_the_arm_touches_at_the_start_is_found_out():
    bench = Bench().begin(ToPose(POSE))
    assert bench.planned(-10) is None
    name, _, request = bench.link.calls[0]
    assert (name, request["robot_state"]) == ("check_state_validity", {"is_diff": True})
    end = bench.answered(valid=False, contacts=[contact("mug1", 1)])
    assert (end.obstacle, end.problem) == ("mug1", MotionProblem.COLLISION_AT_START)


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        ([{"error_code": {"val": -31}}], MotionProblem.OUT_OF_REACH),
        ([{"error_code": {"val": -15}}], MotionProblem.TOO_LONG),
        ([{"error": "the service failed"}], MotionProblem.TOO_LONG),
        (
            [{"error_code": {"val": 1}, "solution": {}}, {"valid": True, "contacts": []}],
            MotionProblem.TOO_LONG,
        ),
        ([{"error_code": {"val": 1}, "solution": {}}, {"error": "failed"}], MotionProblem.TOO_LONG),
        (
            [{"error_code": {"val": 1}, "solution": {}}, {"valid": False, "contacts": [contact("link1", 0)]}],
            MotionProblem.COLLISION_AT_GOAL,
        ),
    ],
)
def test_a_plan_that_was_not_found_in_time_has_a_reason_if_move_group_knows_one(answers, problem):
    bench = Bench().begin(ToPose(POSE))
    end = bench.planned(-6)
    for answer in answers:
        assert end is None
        end = bench.answered(**answer)
    assert end.outcome == "failed"
    assert end.problem is problem
    assert end.obstacle == ""
    assert not end.moved


def test_without_the_services_that_tell_the_reason_the_failure_stays_what_it_is():
    end = Bench(without=("compute_ik",)).begin(ToPose(POSE)).planned(-1)
    assert end.problem is MotionProblem.NO_PATH
    assert not end.moved


@pytest.mark.parametrize(
    ("code", "problem"),
    [(-4, MotionProblem.NOT_FOLLOWED), (-3, MotionProblem.CHANGED), (-99, MotionProblem.TROUBLE)],
)
def test_an_execution_that_fails_may_have_moved(code, problem):
    bench = Bench().begin(ToPose(POSE))
    bench.planned()
    end = bench.executed(code)
    assert (end.outcome, end.problem, end.moved) == ("failed", problem, True)


def test_an_execution_that_is_rejected_has_not_moved():
    bench = Bench().begin(ToPose(POSE))
    bench.planned()
    bench.link.accept(accepted=False)
    end = bench.motion.poll()
    assert (end.outcome, end.moved) == ("failed", False)


def test_an_execution_that_is_forgotten_is_lost():
    bench = Bench().begin(ToPose(POSE))
    bench.planned()
    assert bench.executed(0, status="UNKNOWN").outcome == "lost"


def test_a_success_with_another_code_is_none():
    bench = Bench(without=("compute_ik",)).begin(ToPose(POSE))
    assert bench.planned(99999, status="SUCCEEDED").outcome == "failed"


def test_what_is_cancelled_while_it_is_planned_is_not_executed():
    bench = Bench().begin(ToPose(POSE))
    bench.motion.cancel()
    assert bench.link.cancelled == [bench.link.last_goal]
    # move_group plans to the end in spite of it.
    end = bench.planned()
    assert (end.outcome, end.moved) == ("cancelled", False)
    assert len(bench.link.goals) == 1
    bench = Bench().begin(Straight((POSE,)))
    bench.motion.cancel()
    assert bench.answered(error_code={"val": 1}, fraction=1.0, solution=TRAJECTORY).outcome == "cancelled"
    assert bench.link.goals == []


def test_a_cancelled_execution_ends_as_move_group_says():
    for status, outcome in (("CANCELED", "cancelled"), ("SUCCEEDED", "done")):
        bench = Bench().begin(ToPose(POSE))
        bench.planned()
        bench.motion.cancel()
        assert bench.motion.poll() is None
        assert bench.executed(-7 if status == "CANCELED" else 1, status=status).outcome == outcome


def test_servers_that_are_not_there():
    with pytest.raises(RobotError, match="no action server"):
        Bench(without=("move_action",)).begin(ToPose(POSE))
    bench = Bench(without=("execute_trajectory",)).begin(ToPose(POSE))
    end = bench.planned()
    assert (end.outcome, end.moved) == ("failed", False)
    bench = Bench().begin(ToPose(POSE))
    bench.link.there.pop("move_action")
    with pytest.raises(RobotError, match="gone"):
        bench.motion.poll()


def test_names_stand_in_a_namespace():
    bench = Bench(namespace="/left/")
    bench.link.there = {f"left/{name}": {"1"} for name in SERVERS}
    bench.begin(ToPose(POSE))
    assert bench.link.goals[0][0] == "left/move_action"
    stop_all(bench.exchange, bench.file)
    assert bench.link.all_cancelled == ["left/execute_trajectory", "left/move_action", "gripper/command"]


# -- the hand ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("grip", "result", "outcome"),
    [
        (GripTo(0.08), {"position": 0.08, "reached_goal": True}, "done"),
        (GripTo(0.08), {"position": 0.03, "reached_goal": False, "stalled": True}, "failed"),
        (GripTo(0.05, holds=True), {"position": 0.05, "reached_goal": False, "stalled": True}, "done"),
        (GripTo(0.05, holds=True), {"position": 0.04, "reached_goal": True, "stalled": False}, "failed"),
        (
            GripTo(0.05, holds=True),
            {"position": 0.041, "reached_goal": False, "stalled": True},
            "failed",
        ),
        (GripTo(0.002, holds=True), {"position": 0.0, "reached_goal": False, "stalled": True}, "failed"),
        (GripTo(0.002, holds=True), {"position": 0.002, "reached_goal": False, "stalled": True}, "done"),
    ],
)
@pytest.mark.parametrize("status", ["SUCCEEDED", "ABORTED"])
def test_the_gap_says_whether_the_hand_holds_something(grip, result, outcome, status):
    bench = Bench().begin(grip)
    command = bench.link.goals[0][2]["command"]
    assert command["position"] == pytest.approx(max(0.0, grip.width - 0.01) if grip.holds else grip.width)
    bench.link.accept()
    bench.link.result(status, **result)
    end = bench.motion.poll()
    opened = not grip.holds and status == "ABORTED"
    assert end.outcome == ("failed" if opened else outcome)
    assert end.width == pytest.approx(result["position"])


def test_a_gripper_that_tells_the_way_of_one_finger():
    arms = {
        "hand": {
            **SETTINGS["arms"]["hand"],
            "gripper": {"action": "gripper/command", "width_per_position": 2},
        }
    }
    bench = Bench(arms=arms).begin(GripTo(0.05, holds=True))
    assert bench.link.goals[0][2]["command"]["position"] == pytest.approx(0.02)
    bench.link.accept()
    bench.link.result("ABORTED", position=0.025, stalled=True, reached_goal=False)
    assert bench.motion.poll().width == pytest.approx(0.05)


@pytest.mark.parametrize(("success", "outcome"), [(True, "done"), (False, "failed")])
def test_a_franka_hand_judges_the_gap_itself(success, outcome):
    arms = {"hand": {**SETTINGS["arms"]["hand"], "gripper": {"kind": "franka"}}}
    bench = Bench(arms=arms)
    bench.link.there |= {"franka_gripper/grasp": {"1"}, "franka_gripper/move": {"1"}}
    bench.begin(GripTo(0.05, holds=True, tolerance=0.01))
    name, _, goal = bench.link.goals[0]
    assert name == "franka_gripper/grasp"
    assert goal["epsilon"] == {"inner": 0.01, "outer": 0.01}
    bench.link.accept()
    bench.link.result("SUCCEEDED" if success else "ABORTED", success=success, error="")
    end = bench.motion.poll()
    assert (end.outcome, end.width) == (outcome, 0.05 if success else None)
    bench.begin(GripTo(0.08))
    assert bench.link.goals[1][0] == "franka_gripper/move"
    # An empty hand is never taken for one that holds something thin.
    bench.begin(GripTo(0.002, holds=True, tolerance=0.01))
    assert bench.link.goals[2][2]["epsilon"]["inner"] < 0.002


def test_a_grip_that_was_rejected_forgotten_or_cancelled():
    bench = Bench().begin(GripTo(0.05))
    bench.link.accept(accepted=False)
    assert bench.motion.poll().moved is False
    for status, outcome in (("UNKNOWN", "lost"), ("CANCELED", "cancelled")):
        bench = Bench().begin(GripTo(0.05))
        bench.motion.cancel()
        bench.link.accept()
        bench.link.result(status)
        assert bench.motion.poll().outcome == outcome


# -- the scene ---------------------------------------------------------------------------------------------
BOX = Cuboid.upright((1, 2, 3), (0.1, 0.2, 0.3))


def test_a_change_of_the_scene():
    held = AttachedObject(RigidTransform((0, 0, 0.1)), (0.1, 0.1, 0.1), "hand")
    diff = SceneDiff({"mug3": "hand"}, ("mug1",), {"mug2": BOX}, {"table1": BOX}, {"mug4": held})
    bench = Bench().begin(ChangeScene(diff))
    scene = bench.link.calls[0][2]["scene"]
    assert scene["is_diff"] is True
    assert scene["robot_state"]["is_diff"] is True
    gone, taken = scene["robot_state"]["attached_collision_objects"]
    assert gone == {"link_name": "hand_tcp", "object": {"id": "mug3", "operation": b"\x01"}}
    assert taken["touch_links"] == ["hand", "left_finger", "right_finger"]
    assert taken["object"]["header"] == {"frame_id": "hand_tcp"}
    removed, added, moved = scene["world"]["collision_objects"]
    assert removed == {"id": "mug1", "operation": b"\x01"}
    assert added["primitives"] == [{"type": 1, "dimensions": [0.1, 0.2, 0.3]}]
    assert (added["operation"], moved["operation"]) == (b"\x00", b"\x03")
    assert "primitives" not in moved
    assert bench.answered(success=True) == MotionEnd("done", moved=False)


@pytest.mark.parametrize("answer", [{"success": False}, {"error": "gone"}])
def test_a_scene_that_moveit_does_not_take_is_a_failure(answer):
    end = Bench().begin(ChangeScene(SceneDiff(remove=("a",)))).answered(**answer)
    assert end.outcome == "failed"


def test_an_octomap_is_cleared_when_objects_have_come_or_moved():
    bench = Bench(scene={"octomap": True}).begin(ChangeScene(SceneDiff(add={"a": BOX})))
    assert bench.answered(success=True) is None
    assert bench.link.calls[1][0] == "clear_octomap"
    assert bench.answered().outcome == "done"
    assert (
        Bench(scene={"octomap": True})
        .begin(ChangeScene(SceneDiff(remove=("a",))))
        .answered(success=True)
        .outcome
        == "done"
    )


def test_a_pause_takes_its_time():
    bench = Bench().begin(Pause(2.0))
    assert bench.motion.poll() is None
    bench.clock.sleep_until(2.0)
    assert bench.motion.poll().outcome == "done"
    bench.begin(Pause(2.0))
    bench.motion.cancel()
    assert bench.motion.poll().outcome == "cancelled"


RECOVERY = {"action": "action_server/error_recovery"}


@pytest.mark.parametrize("status", ["SUCCEEDED", "ABORTED"])
def test_a_robot_whose_controller_gave_up_recovers_before_its_next_motion_if_that_is_asked_for(status):
    bench = Bench(recovery=RECOVERY)
    bench.link.there["action_server/error_recovery"] = {"1"}
    bench.begin(ToPose(POSE))
    bench.planned()
    bench.executed(-4)
    bench.begin(ToPose(POSE))
    assert bench.link.goals[-1][::2] == ("action_server/error_recovery", {})
    bench.link.accept()
    bench.link.result(status)
    end = bench.motion.poll()
    if status == "ABORTED":
        assert "did not recover" in end.says
        return
    assert end is None
    assert bench.link.goals[-1][0] == "move_action"
    bench.begin(ToPose(POSE))
    assert bench.link.goals[-1][0] == "move_action"  # once is enough


def test_no_robot_recovers_unasked():
    bench = Bench().begin(ToPose(POSE))
    bench.planned()
    bench.executed(-4)
    bench.begin(ToPose(POSE))
    assert bench.link.goals[-1][0] == "move_action"
