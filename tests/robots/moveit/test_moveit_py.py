"""The link by moveit_py: what it calls exists, with those arguments; and MoveIt lives in another process."""

from __future__ import annotations

import ast
import inspect

import pytest
from fake_link import PlayedLink
from played_arm import SETTINGS
from recorded_moveit import API, PlayedMoveIt, Recorded, signature_of
from waiting import until

from foretree.clock import SimulatedClock
from foretree.robots.moveit import moveit_py_worker
from foretree.robots.moveit.arm import ChangeScene, GripTo, MotionEnd, Pause, Straight, ToJoints, ToPose
from foretree.robots.moveit.error_codes import MotionProblem
from foretree.robots.moveit.moveit_file import MoveItFile
from foretree.robots.moveit.moveit_py_link import MoveItProcess, MoveItPyArm
from foretree.robots.moveit.scene.scene_objects import SceneDiff
from foretree.robots.ros.exchange import RosExchange
from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.transforms import RigidTransform
from foretree.skills.robot import RobotError

POSE = RigidTransform((0.5, 0.1, 0.9))
BOX = Cuboid.upright((1, 2, 3), (0.1, 0.2, 0.3))


def test_moveit_is_made_with_arguments_that_it_has():
    tree = ast.parse(inspect.getsource(moveit_py_worker.make_worker))
    calls = {c.func.id: c for c in ast.walk(tree) if isinstance(c, ast.Call) and isinstance(c.func, ast.Name)}
    made = calls["MoveItPy"]
    keywords = {keyword.arg: None for keyword in made.keywords}
    signature_of(API["MoveItPy"]["__init__"]).bind(*made.args, **keywords)


def test_a_recorded_class_has_what_was_recorded_and_nothing_else():
    with pytest.raises(AttributeError):
        Recorded("PlanningComponent").compute_cartesian_path()
    with pytest.raises(TypeError):
        Recorded("MoveItPy").execute("trajectory")
    with pytest.raises(AttributeError):
        Recorded("PlanRequestParameters").planing_time = 1.0


# -- what the worker makes of requests ---------------------------------------------------------------------
def plan(worker, **request):
    parameters = {"planning_time": 5.0, "planning_pipeline": "ompl", "planner_id": "RRTConnect"}
    return worker.answer(
        {
            "do": "plan",
            "group": "arm",
            "tool": "tcp",
            "frame": "map",
            "goal": {},
            "parameters": parameters,
            **request,
        }
    )


def test_the_worker_plans_from_where_the_robot_is_and_executes():
    played = PlayedMoveIt()
    worker = played.worker()
    assert plan(worker) == {"code": 1}
    names = [name for name, _ in played.component.calls]
    assert names == ["set_start_state_to_current_state", "set_goal_state", "plan"]
    goal = played.component.calls[1][1]
    assert goal == {"motion_plan_constraints": [("moveit_msgs/msg/Constraints", {})]}
    assert played.parameters[0].planner_id == "RRTConnect"
    assert worker.answer({"do": "execute"}) == {"status": "SUCCEEDED", "moved": True}
    # A trajectory is executed once.
    assert worker.answer({"do": "execute"}) == {"status": "PREEMPTED", "moved": False}


@pytest.mark.parametrize(("reachable", "problem"), [(True, None), (False, "out of reach")])
def test_the_worker_finds_out_whether_a_pose_can_be_reached(reachable, problem):
    played = PlayedMoveIt(code=-1, reachable=reachable)
    assert plan(played.worker(), pose={"position": {}}) == {"code": -1, "problem": problem}
    (_, asked), *_ = (call for call in played.state.calls if call[0] == "set_from_ik")
    assert asked["tip_name"] == "tcp"
    # Of a pose in another frame than that of planning, nothing can be said.
    assert plan(played.worker(), pose={}, frame="odom")["problem"] is None


def test_what_is_stopped_after_it_was_planned_is_not_executed():
    worker = PlayedMoveIt().worker()
    plan(worker)
    worker.stop()
    assert worker.answer({"do": "execute"}) == {"status": "PREEMPTED", "moved": False}


def test_the_worker_shows_scenes_and_tells_of_what_moveit_raises():
    played = PlayedMoveIt()
    show = {"do": "show", "scene": {"is_diff": True}, "clear_octomap": True}
    assert played.worker().answer(show) == {"shown": True}
    assert [name for name, _ in played.monitor.calls] == ["new_planning_scene_message", "clear_octomap"]
    assert "KeyError" in plan(played.worker(), group="leg")["error"]
    assert "no such request" in played.worker().answer({"do": "dance"})["error"]


# -- the arm, with MoveIt in another process ---------------------------------------------------------------
@pytest.fixture
def bench():
    made = []

    def bench(**played):
        process = MoveItProcess("recorded_moveit:make", played)
        made.append(process)
        link = PlayedLink("gripper/command")
        exchange = RosExchange(link, SimulatedClock())
        settings = {**SETTINGS, "link": "moveit_py", "scene": {"octomap": True}}
        return MoveItPyArm(process, exchange, MoveItFile(**settings), "hand", "map")

    yield bench
    for process in made:
        process.close()


def ended(motion):
    found = []

    def is_over():
        found.append(motion.poll())
        return found[-1] is not None

    until(is_over, "the answer of MoveIt")
    return found[-1]


@pytest.mark.parametrize("request_", [ToPose(POSE), ToJoints({"joint1": 0.1}), Straight((POSE, POSE))])
def test_a_motion_is_planned_and_executed_over_there(bench, request_):
    assert ended(bench().begin(request_)) == MotionEnd("done")


@pytest.mark.parametrize(
    ("played", "problem", "moved"),
    [
        ({"code": -1}, MotionProblem.NO_PATH, False),
        ({"code": -1, "reachable": False}, MotionProblem.OUT_OF_REACH, False),
        ({"code": -12}, MotionProblem.COLLISION_AT_GOAL, False),
        ({"status": "ABORTED"}, MotionProblem.NOT_FOLLOWED, True),
        ({"status": "TIMED_OUT"}, MotionProblem.NOT_FOLLOWED, True),
    ],
)
def test_a_motion_that_fails(bench, played, problem, moved):
    end = ended(bench(**played).begin(ToPose(POSE)))
    assert (end.outcome, end.problem, end.moved) == ("failed", problem, moved)


def test_a_status_that_is_not_known_is_lost(bench):
    assert ended(bench(status="UNKNOWN").begin(ToPose(POSE))).outcome == "lost"


def test_a_motion_is_stopped_while_it_is_executed(bench):
    arm = bench(slow=True)
    motion = arm.begin(ToPose(POSE))
    until(lambda: motion.poll() is not None or motion._executing, "the answer of MoveIt")
    motion.cancel()
    assert ended(motion).outcome == "cancelled"  # the played motion would last half a minute


def test_a_motion_that_is_cancelled_while_it_is_planned_does_not_begin(bench):
    motion = bench().begin(ToPose(POSE))
    motion.cancel()
    end = ended(motion)
    assert (end.outcome, end.moved) == ("cancelled", False)


def test_the_scene_is_shown_and_the_hand_closes_by_its_own_action(bench):
    arm = bench()
    assert ended(arm.begin(ChangeScene(SceneDiff(add={"a": BOX})))).outcome == "done"
    assert ended(bench(shown=False).begin(ChangeScene(SceneDiff(add={"a": BOX})))).outcome == "failed"
    arm.begin(GripTo(0.05))
    assert arm.begin(Pause(1.0)).poll() is None


def test_moveit_that_cannot_be_started_or_has_ended_cannot_be_reached(bench):
    arm = bench(broken=True)

    def refused():
        try:
            arm.begin(ToPose(POSE)).poll()
        except RobotError as error:
            return "robot_description is not set" in str(error)
        return False

    until(refused, "the answer of MoveIt")
    arm = bench(slow=True)
    motion = arm.begin(ToPose(POSE))
    until(lambda: motion.poll() is not None or motion._executing, "the answer of MoveIt")
    arm._process._child.kill()

    def gone():
        try:
            return motion.poll() is not None
        except RobotError:
            return True

    until(gone, "the answer of MoveIt")
    with pytest.raises(RobotError, match="MoveIt has ended"):
        arm.begin(ToPose(POSE))
