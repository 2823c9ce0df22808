"""A Franka without ROS: what each way of going wrong comes to, and that nothing is claimed too early."""

import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from fake_arm import DOWN, PlayedArm
from waiting import until

from foretree.clock import WallClock
from foretree.config import ConfigError
from foretree.robots.franka.driver import ContactLostError, MotionFailedError, MotionUnknownError
from foretree.robots.franka.franka_file import FrankaFile, load_franka_file
from foretree.robots.franka.robot import FrankaRobot
from foretree.robots.franka.routines import GoStraight, HandGrip, Rise, downwards, routine_for
from foretree.robots.franka.running import RoutineRun
from foretree.skills.executive.executive import Executive
from foretree.skills.robot import End, LookRequest, Order, Outcome, RobotError, Target

FILE = {
    "robot": "franka",
    "ip": "127.0.0.1",
    "base": {"at": [1.0, 2.0, 0.7], "heading": 0.0},
    "workspace": {"low": [0.2, -0.4, 0.01], "high": [0.7, 0.4, 0.6]},
    "travel_height": 0.4,
    "approach": 0.1,
    "grasp_tolerance": 0.01,
    "poses": {"ready": [0, -0.785, 0, -2.356, 0, 1.571, 0.785]},
    "skills": {"pick": "pick", "place_on": "place", "home": "home_fingers", "rest": {"pose": "ready"}},
}
#: A mug of 6 by 8 by 10 cm, half a metre before the base.
MUG = Target({"mug": 0.9}, (1.5, 2.0, 0.75), extent=(1.47, 1.96, 0.7, 1.53, 2.04, 0.8))
SHELF = Target({"shelf": 0.9}, (1.5, 2.3, 0.75), extent=(1.4, 2.1, 0.7, 1.6, 2.4, 0.8))
PICK = Order("pick", {"item": MUG, "place": SHELF}, hand="hand")
PLACE = Order("place_on", {"item": MUG, "place": SHELF}, hand="hand")


def robot_file(**changed):
    return FrankaFile.model_validate({**FILE, **changed})


def run_to_the_end(run):
    for _ in range(1000):
        if (end := run.advance()) is not None:
            return end
    raise AssertionError("it has no end")


def pick(arm, **changed):
    file = robot_file(**changed)
    return RoutineRun(routine_for(PICK, file, None), arm, file)


# -- what is planned -------------------------------------------------------------------------------------
def test_a_pick_comes_from_above_closes_along_the_narrow_side_and_goes_back_up():
    arm = PlayedArm()
    assert run_to_the_end(pick(arm)) == End(Outcome.DONE)
    across_x = pytest.approx(downwards(1.5707963))
    assert arm.told == [
        ("fingers", pytest.approx(0.08)),
        ("straight", pytest.approx((0.5, 0.0, 0.4)), across_x),
        ("straight", pytest.approx((0.5, 0.0, 0.17)), across_x),
        ("straight", pytest.approx((0.5, 0.0, 0.07)), across_x),
        ("grasp", pytest.approx(0.06)),
        ("straight", pytest.approx((0.5, 0.0, 0.17)), across_x),
        ("straight", pytest.approx((0.5, 0.0, 0.4)), across_x),
    ]


def test_what_lies_low_is_risen_from_before_anything_travels():
    arm = PlayedArm()
    arm.now = replace(arm.now, position=(0.3, 0.2, 0.05))
    run_to_the_end(pick(arm))
    assert arm.told[1] == ("straight", (0.3, 0.2, 0.4), DOWN)


def test_positions_on_the_map_are_turned_into_the_frame_of_the_base():
    file = robot_file(base={"at": [1.5, 1.5, 0.7], "heading": 1.5707963267948966})
    routine = routine_for(PICK, file, None)
    lowest = min((s for s in routine.steps if isinstance(s, GoStraight)), key=lambda s: s.to[2])
    assert lowest.to == pytest.approx((0.5, 0.0, 0.07))
    # The mug is narrow along x of the map, which is y of the base: the fingers need not be turned.
    assert lowest.orientation == pytest.approx(downwards(0.0))


def test_a_thing_is_let_go_a_little_above_the_surface_as_high_as_it_was_held():
    file = robot_file()
    grip = routine_for(PICK, file, None).grip
    assert grip == HandGrip(pytest.approx(0.07), pytest.approx(downwards(1.5707963)))
    steps = routine_for(PLACE, file, grip).steps
    lowest = min((s for s in steps if isinstance(s, GoStraight)), key=lambda s: s.to[2])
    assert lowest.to == pytest.approx((0.5, 0.25, 0.1 + 0.07 + 0.005))


def test_a_measured_spot_comes_before_the_middle():
    file = robot_file(spots=[{"place": [1.5, 2.3], "at": [1.6, 2.2, 0.9]}])
    steps = routine_for(PLACE, file, HandGrip(0.07, DOWN)).steps
    lowest = min((s for s in steps if isinstance(s, GoStraight)), key=lambda s: s.to[2])
    assert lowest.to == pytest.approx((0.6, 0.2, 0.2 + 0.07 + 0.005))


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (Order("dance"), "does not say how to dance"),
        (Order("pick"), "names no item"),
        (Order("pick", {"item": replace(MUG, extent=None)}), "how large the mug"),
        (Order("pick", {"item": replace(MUG, extent=(1.4, 1.9, 0.7, 1.6, 2.1, 0.8))}), "20 cm wide"),
        (Order("pick", {"item": replace(MUG, extent=(1.47, 1.96, 0.7, 1.53, 2.04, 0.71))}), "1.0 cm high"),
        (
            Order("pick", {"item": replace(MUG, extent=(4.47, 1.96, 0.7, 4.53, 2.04, 0.8))}),
            "outside its work",
        ),
        (
            Order("pick", {"item": replace(MUG, extent=(1.47, 1.96, 0.5, 1.53, 2.04, 0.6))}),
            "outside its work",
        ),
        (PLACE, "not known how the thing in the hand is held"),
    ],
)
def test_what_cannot_be_done_safely_is_refused_before_anything_moves(order, says):
    with pytest.raises(RobotError, match=says):
        routine_for(order, robot_file(), None)


# -- the file --------------------------------------------------------------------------------------------
def test_without_an_address_there_is_no_robot():
    with pytest.raises(ConfigError, match="ip: say the address"):
        load_franka_file("franka_franky")


def test_the_file_that_is_shipped_is_slow():
    file = load_franka_file("franka_franky", ip="172.16.0.2")
    assert file.relative_dynamics_factor <= 0.1
    assert not file.recover


def test_a_file_that_says_nothing_of_speed_and_force_is_slow_and_gentle():
    file = robot_file()
    assert file.relative_dynamics_factor <= 0.1
    assert (file.force_threshold, file.torque_threshold) == (15.0, 10.0)


@pytest.mark.parametrize(
    "changed",
    [
        {"relative_dynamics_factor": 1.5},
        {"grasp_force": 200},
        {"travel_height": 0.9},
        {"workspace": {"low": [0.2, 0.4, 0.0], "high": [0.7, -0.4, 0.6]}},
        {"look_from": "nowhere"},
        {"speed": 1},
    ],
)
def test_files_that_make_no_sense_are_refused(changed):
    with pytest.raises(ValueError, match="validation error"):
        robot_file(**changed)


# -- how a routine ends ----------------------------------------------------------------------------------
def test_a_motion_that_is_broken_off_has_failed_with_the_arms_words():
    arm = PlayedArm()
    arm.breaks_off = 'ControlException: ["cartesian_reflex"]'
    assert run_to_the_end(pick(arm)) == End(Outcome.FAILED, 'ControlException: ["cartesian_reflex"]')


def test_a_motion_that_is_refused_has_failed():
    arm = PlayedArm()
    arm.refuses = "CommandException: rejected"
    assert run_to_the_end(pick(arm)) == End(Outcome.FAILED, "CommandException: rejected")


def test_a_motion_that_ends_elsewhere_has_failed():
    arm = PlayedArm(takes=1)
    run = pick(arm)
    while not arm.told or arm.told[-1][0] != "straight":
        assert run.advance() is None
    arm._target = arm.now
    end = run_to_the_end(run)
    assert end.outcome is Outcome.FAILED
    assert "cm away from where it was to go" in end.reason


@pytest.mark.parametrize(
    ("played", "says"),
    [
        ({"grasp_answer": False}, "closed on nothing"),
        ({"grasp_width": 0.02}, "2.0 cm wide, not 6.0 cm"),
    ],
)
def test_a_grasp_is_done_only_if_the_thing_is_held(played, says):
    arm = PlayedArm()
    vars(arm).update(played)
    end = run_to_the_end(pick(arm))
    assert end.outcome is Outcome.FAILED
    assert says in end.reason


def test_a_thing_that_is_lost_while_it_is_lifted_makes_the_pick_fail():
    arm = PlayedArm()
    run = pick(arm)
    while not arm.now.grasped:
        assert run.advance() is None
    arm.now = replace(arm.now, grasped=False, width=0.0)
    arm._target = arm._target and replace(arm._target, grasped=False, width=0.0)
    assert run_to_the_end(run) == End(Outcome.FAILED, "the hand holds nothing")


def test_a_hand_that_holds_something_does_not_open_for_a_pick():
    arm = PlayedArm()
    arm.now = replace(arm.now, grasped=True, width=0.03)
    assert run_to_the_end(pick(arm)) == End(Outcome.FAILED, "the hand holds something")
    assert arm.told == []


def test_a_place_with_an_empty_hand_has_failed():
    arm, file = PlayedArm(), robot_file()
    run = RoutineRun(routine_for(PLACE, file, HandGrip(0.07, DOWN)), arm, file)
    assert run_to_the_end(run) == End(Outcome.FAILED, "the hand holds nothing")
    assert arm.told == []


def test_a_hand_outside_the_workspace_does_not_move():
    arm = PlayedArm()
    arm.now = replace(arm.now, position=(0.4, 0.5, 0.2))
    end = run_to_the_end(pick(arm))
    assert (end.outcome, "outside the workspace" in end.reason) == (Outcome.FAILED, True)
    assert [told[0] for told in arm.told] == ["fingers"]


@pytest.mark.parametrize("mode", ["Reflex", "UserStopped", "Guiding", "Other", "Move"])
def test_an_arm_that_is_not_ready_is_left_alone(mode):
    arm = PlayedArm()
    arm.now = replace(arm.now, mode=mode, errors=("joint_reflex",))
    end = run_to_the_end(pick(arm))
    why = f"the arm is not ready; its mode is {mode}, with errors: joint_reflex"
    assert end == End(Outcome.FAILED, why, without_effect=True)
    assert (arm.told, arm.recovered) == ([], 0)


def test_errors_of_a_reflex_are_cleared_where_the_file_says_so():
    arm = PlayedArm()
    arm.now = replace(arm.now, mode="Reflex", errors=("joint_reflex",))
    assert run_to_the_end(pick(arm, recover=True)) == End(Outcome.DONE)
    assert arm.recovered == 1
    arm.now = replace(arm.now, mode="UserStopped", grasped=False)
    assert run_to_the_end(pick(arm, recover=True)).outcome is Outcome.FAILED


def test_a_cancel_stops_the_arm_and_ends_once_it_stands():
    arm = PlayedArm()
    arm.hangs = True
    run = pick(arm)
    for _ in range(5):
        assert run.advance() is None
    run.cancelled.set()
    assert run_to_the_end(run) == End(Outcome.CANCELLED)
    assert arm.stops == 1


def test_a_cancel_before_anything_began_moves_nothing():
    arm = PlayedArm()
    run = pick(arm)
    run.cancelled.set()
    assert run.advance() == End(Outcome.CANCELLED)
    assert (arm.told, arm.stops) == ([], 0)


def test_a_stop_that_is_refused_is_sent_again_and_nothing_is_cancelled_before(monkeypatch):
    arm = PlayedArm()
    arm.hangs = True
    run = pick(arm)
    assert run.advance() is None
    refusals = iter([True, True])
    stop = arm.stop

    def refusing():
        if next(refusals, False):
            raise MotionFailedError("CommandException: not now")
        stop()

    monkeypatch.setattr(arm, "stop", refusing)
    while arm.told == []:
        run.advance()
    run.cancelled.set()
    assert [run.advance(), run.advance()] == [None, None]
    assert run_to_the_end(run) == End(Outcome.CANCELLED)


def test_what_is_done_before_the_cancel_takes_effect_is_done():
    arm, file = PlayedArm(takes=1), robot_file()
    run = RoutineRun(routine_for(Order("rest"), file, None), arm, file)
    while not arm.told:
        run.advance()
    arm.stop = lambda: None  # too late to have an effect
    run.cancelled.set()
    assert run_to_the_end(run) == End(Outcome.DONE)


def test_a_mistake_of_the_driver_means_lost(monkeypatch):
    arm = PlayedArm()
    monkeypatch.setattr(arm, "is_moving", lambda: (_ for _ in ()).throw(MotionUnknownError("Oops: what")))
    end = run_to_the_end(pick(arm))
    assert end.outcome is Outcome.LOST
    assert "Oops" in end.reason


# -- the robot -------------------------------------------------------------------------------------------
@pytest.fixture
def given():
    arm = PlayedArm()
    robot = FrankaRobot(robot_file(), arm, WallClock())
    robot.connect()
    yield SimpleNamespace(arm=arm, robot=robot)
    arm.reachable = True
    robot.close()


def end_of(execution):
    return until(lambda: ended(execution), "the end of an execution")


def ended(execution):
    try:
        return execution.poll()
    except RobotError:
        return None


def test_a_thing_is_picked_and_placed_and_the_hand_is_felt(given):
    assert end_of(given.robot.start(PICK, "run/1")) == End(Outcome.DONE)
    assert end_of(given.robot.start(PLACE, "run/2")) == End(Outcome.DONE)
    felt = [observation.body for observation in given.robot.observations()]
    assert felt == [{("hand_free", "franka", "hand"): free} for free in (True, False, True)]
    with pytest.raises(RobotError, match="how the thing in the hand is held"):
        given.robot.start(PLACE, "run/3")


def test_what_is_outside_the_workspace_is_out_of_reach_and_nothing_moves(given):
    far = replace(MUG, extent=(4.47, 1.96, 0.7, 4.53, 2.04, 0.8))
    execution = given.robot.start(Order("pick", {"item": far}), "run/1")
    end = execution.poll()
    assert (end.outcome, end.out_of_reach, end.without_effect) == (Outcome.FAILED, True, True)
    assert given.robot.attach("run/1") is execution
    assert given.arm.told == []
    assert end_of(given.robot.start(Order("rest"), "run/2")) == End(Outcome.DONE)


def test_an_order_is_carried_out_once_and_one_at_a_time(given):
    given.arm.hangs = True
    first = given.robot.start(PICK, "run/1")
    assert given.robot.start(PICK, "run/1") is first
    assert given.robot.attach("run/1") is first
    with pytest.raises(RobotError, match="taken by another order"):
        given.robot.start(PLACE, "run/1")
    with pytest.raises(RobotError, match="still carries out another"):
        given.robot.start(Order("rest"), "run/2")
    assert given.robot.attach("run/2") is None


def test_nothing_blocks_while_the_arm_does_not_return_from_a_call(given, monkeypatch):
    called, returns = threading.Event(), threading.Event()

    def state():
        called.set()
        returns.wait(60)
        return given.arm.now

    monkeypatch.setattr(given.arm, "state", state)
    execution = given.robot.start(PICK, "run/1")
    assert called.wait(60)
    assert execution.poll() is None
    given.robot.observations()
    given.robot.attach("run/1")
    execution.cancel()
    given.robot.stop()
    until(lambda: given.arm.stops, "the arm to be told while another call hangs")
    assert not returns.is_set()
    returns.set()
    assert end_of(execution).outcome is Outcome.CANCELLED


def test_stop_stops_the_arm_and_cancels_what_runs(given):
    given.arm.hangs = True
    execution = given.robot.start(PICK, "run/1")
    until(lambda: given.arm.told, "a motion")
    given.robot.stop()
    assert end_of(execution) == End(Outcome.CANCELLED)
    assert given.arm.stops >= 1
    assert execution.poll() == End(Outcome.CANCELLED)


def test_stop_reaches_an_idle_arm_as_well(given):
    given.robot.stop()
    until(lambda: given.arm.stops, "the arm to be told")


def test_out_of_contact_is_said_until_the_arm_answers_and_then_it_has_failed(given):
    given.arm.hangs = True
    execution = given.robot.start(PICK, "run/1")
    until(lambda: given.arm.told, "a motion")
    given.arm.reachable = False

    def is_out_of_contact():
        try:
            return execution.poll() is not None
        except RobotError as error:
            return "does not answer" in str(error)

    until(is_out_of_contact, "the lost contact to be noticed")
    with pytest.raises(RobotError, match="does not answer"):
        given.robot.start(Order("rest"), "run/2")
    given.arm.reachable = True
    end = end_of(execution)
    assert end.outcome is Outcome.FAILED
    assert "connection was lost" in end.reason
    assert given.arm.connections == 2


def test_contact_that_is_lost_in_between_refuses_orders_until_it_is_back(given):
    given.arm.reachable = False
    given.robot.stop()  # which tries to reach it

    def refused():
        try:
            return given.robot.start(Order("rest"), "run/1") and False
        except RobotError:
            return True

    until(refused, "an order to be refused")
    given.arm.reachable = True

    def accepted():
        try:
            return given.robot.start(Order("rest"), "run/2")
        except RobotError:
            return None

    given.arm.hangs = False
    assert end_of(until(accepted, "an order to be accepted")).outcome in (Outcome.DONE, Outcome.CANCELLED)


def test_what_was_lost_has_failed_once_the_arm_is_known_to_stand(given, monkeypatch):
    calls = iter([MotionUnknownError("Oops")])

    def is_moving():
        if error := next(calls, None):
            raise error
        return False

    given.arm.hangs = True
    monkeypatch.setattr(given.arm, "is_moving", is_moving)
    monkeypatch.setattr(given.arm, "fingers_done", lambda: True)
    execution = given.robot.start(PICK, "run/1")
    assert end_of(execution).outcome is Outcome.LOST

    def attached():
        try:
            return given.robot.attach("run/1")
        except RobotError:
            return None

    again = until(attached, "the arm to answer")
    assert again.poll().outcome is Outcome.FAILED
    assert execution.poll().outcome is Outcome.LOST


def test_an_arm_that_never_answers_is_lost_for_the_executive_within_its_grace():
    arm, clock = PlayedArm(), WallClock()
    arm.hangs = True
    robot = FrankaRobot(robot_file(), arm, clock)
    robot.connect()
    executive = Executive(robot, clock, grace=0.5, repeat=0.1, patience=5.0)
    lease = executive.start("run/1", lambda: robot.start(PICK, "run/1"), ["hand"])
    until(lambda: arm.told, "a motion")
    arm.reachable = False
    assert until(lease.poll, "an end").outcome is Outcome.LOST
    arm.reachable = True
    robot.close()


def test_an_arm_that_cannot_be_reached_at_first_says_so():
    arm = PlayedArm()
    arm.reachable = False
    robot = FrankaRobot(robot_file(), arm, WallClock())
    with pytest.raises(ContactLostError):
        robot.connect()
    with pytest.raises(RobotError, match="not connected"):
        robot.start(PICK, "run/1")


def test_a_look_goes_to_its_pose_first_and_then_asks_the_senses():
    class Senses:
        looks = 0

        def observations(self):
            return []

        def look(self, request, execution_id):
            assert arm.told[-1][0] == "joints"
            self.looks += 1
            return SimpleNamespace(id=execution_id, poll=lambda: End(Outcome.DONE), cancel=lambda: None)

    arm, senses = PlayedArm(), Senses()
    robot = FrankaRobot(robot_file(look_from="ready"), arm, WallClock(), senses)
    robot.connect()
    look = robot.look(LookRequest(), "run/1")
    assert end_of(look) == End(Outcome.DONE)
    assert (senses.looks, arm.told) == (1, [("joints", (0, -0.785, 0, -2.356, 0, 1.571, 0.785))])
    robot.close()


def test_a_robot_without_senses_does_not_look(given):
    with pytest.raises(RobotError, match="no senses"):
        given.robot.look(LookRequest(), "run/1")


def test_a_robot_that_is_held_begins_nothing():
    arm = PlayedArm()
    robot = FrankaRobot(robot_file(), arm, WallClock(), hold=lambda: "The supervisor has stopped it.")
    robot.connect()
    with pytest.raises(RobotError, match="supervisor"):
        robot.start(PICK, "run/1")
    robot.close()


def test_rising_is_a_step_of_every_routine_that_moves_the_arm():
    file = robot_file()
    for order in (PICK, PLACE, Order("rest")):
        assert any(isinstance(step, Rise) for step in routine_for(order, file, HandGrip(0.07, DOWN)).steps)
