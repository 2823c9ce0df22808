"""A robot by configuration: orders become goals, calls and messages, and their ends become ends."""

from types import SimpleNamespace

import pytest
from fake_link import PlayedLink

from foretree.clock import SimulatedClock
from foretree.robots.ros.exchange import RosExchange
from foretree.robots.ros.robot import RosRobot
from foretree.robots.ros.robot_file import RobotFile
from foretree.robots.ros.steps import goal_id as id_of
from foretree.skills.executive.executive import Executive, ResourceBusy
from foretree.skills.robot import End, LookRequest, Order, Outcome, RobotError, Target

FILE = {
    "robot": "rob",
    "hands": ["left", "right"],
    "stand_off": 0.5,
    "stands": [{"place": [5.0, 5.0], "at": [5.0, 4.0, 1.5707963]}],
    "skills": {
        "move": {
            "action": "navigate",
            "type": "nav2_msgs/action/NavigateToPose",
            "send": {"pose": "$to.stand_stamped", "behavior_tree": "for $to.class"},
            "done_if": [{"error_code": 0}],
            "reason": "error_msg",
            "failures": [
                {"if": {"error_code": 9}, "says": "the way is blocked"},
                {"if": {"error_code": 10}, "says": "it fell over", "lost": True},
            ],
        },
        "pick": {
            "steps": [
                {"action": "$hand/gripper", "type": "control_msgs/action/GripperCommand",
                 "send": {"command": {"position": 0.08}}},
                {"action": "reach", "type": "my_msgs/action/Reach", "send": {"at": "$item.position"}},
                {"action": "$hand/gripper", "type": "control_msgs/action/GripperCommand",
                 "send": {"command": {"position": 0.0}}, "done_if": [{"stalled": True}]},
            ]
        },
        "turn_on": {"service": "switch", "type": "std_srvs/srv/SetBool", "send": {"data": True},
                    "done_if": [{"success": True}], "reason": "message"},
        "wave": {"topic": "gesture", "type": "std_msgs/msg/String", "send": {"data": "wave $$1"},
                 "confirm": {"topic": "gesture_done", "type": "std_msgs/msg/String", "when": {"data": "wave"}},
                 "cancel": {"data": "rest"}},
        "beep": {"topic": "sound", "type": "std_msgs/msg/String", "send": {"data": "beep"}, "done_after": 2},
    },
    "stop": [{"topic": "halt", "type": "std_msgs/msg/Empty"}],
}  # fmt: skip
MUG = Target({"mug": 0.9}, (1.0, 2.0, 0.5))
MOVE = Order("move", {"from": Target({}, (0.0, 0.0, 0.0)), "to": Target({"table": 1.0}, (2.0, 0.0, 0.0))})


@pytest.fixture
def given():
    link = PlayedLink("navigate", "left/gripper", "right/gripper", "reach", "switch")
    clock = SimulatedClock()
    exchange = RosExchange(link, clock)
    robot = RosRobot(RobotFile.model_validate(FILE), exchange)
    executive = Executive(robot, clock, grace=5.0, repeat=1.0, patience=30.0)
    return SimpleNamespace(link=link, clock=clock, robot=robot, executive=executive)


def pass_time(given, seconds):
    given.clock.sleep_until(given.clock.now() + seconds)


def order(given, order=MOVE, name="run/1", **options):
    return given.executive.start(name, lambda: given.robot.start(order, name), ["base"], **options)


def goal_id(execution, step=None):
    """The id of the goal of "move", or of a step of "pick"."""
    actions = ["left/gripper", "reach", "left/gripper"]
    return id_of(execution, "navigate") if step is None else id_of(execution, actions[step], step)


# -- what is sent ----------------------------------------------------------------------------------------
def test_the_goal_has_the_fields_of_the_file_with_parts_of_the_order_in_them(given):
    given.robot.start(MOVE, "run/1")
    name, sent_id, goal = given.link.goals[0]
    assert (name, sent_id) == ("navigate", goal_id("run/1"))
    assert goal["pose"]["header"]["frame_id"] == "map"
    assert goal["pose"]["pose"]["position"] == {"x": 1.5, "y": 0.0, "z": 0.0}  # half a metre before the table
    assert goal["behavior_tree"] == "for table"


def test_a_measured_standing_pose_comes_before_one_that_is_guessed(given):
    to = Target({"shelf": 1.0}, (5.1, 5.0, 0.0))
    given.robot.start(Order("move", {"from": MOVE.targets["from"], "to": to}), "run/1")
    pose = given.link.goals[0][2]["pose"]["pose"]
    assert pose["position"] == {"x": 5.0, "y": 4.0, "z": 0.0}
    assert pose["orientation"]["z"] == pytest.approx(0.7071, abs=1e-3)


def test_the_hand_chooses_the_server(given):
    given.robot.start(Order("pick", {"item": MUG}, hand="right"), "run/1")
    assert given.link.goals[0][0] == "right/gripper"


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (Order("dance"), "does not say how to dance"),
        (Order("move", {}), r"refers to \$to.stand_stamped"),
        (Order("move", {"to": Target({"table": 1.0}, None)}), "it is not known where the table"),
        (Order("pick", {"item": MUG}), "no hand is used"),
        (Order("pick", {"item": Target({"mug": 1.0}, None)}, hand="left"), "where the mug"),
    ],
)
def test_what_an_order_lacks_is_said_before_anything_is_sent(given, order, says):
    with pytest.raises(RobotError, match=says):
        given.robot.start(order, "run/1")
    assert not given.link.goals


def test_the_same_order_again_is_sent_once_and_another_under_its_id_is_refused(given):
    first = given.robot.start(MOVE, "run/1")
    assert given.robot.start(MOVE, "run/1") is first
    assert len(given.link.goals) == 1
    with pytest.raises(RobotError, match="taken by another order"):
        given.robot.start(Order("beep"), "run/1")


def test_a_held_robot_begins_nothing(given):
    robot = RosRobot(
        RobotFile.model_validate(FILE), RosExchange(given.link, given.clock), hold=lambda: "held"
    )
    with pytest.raises(RobotError, match="held"):
        robot.start(MOVE, "run/1")
    assert not given.link.goals


# -- goals -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("status", "fields", "end"),
    [
        ("SUCCEEDED", {"error_code": 0}, End(Outcome.DONE)),
        ("SUCCEEDED", {"error_code": 3, "error_msg": "no way"}, End(Outcome.FAILED, "no way")),
        ("SUCCEEDED", {}, End(Outcome.FAILED, "navigate: the result does not say error_code: 0")),
        ("SUCCEEDED", {"error_code": 10}, End(Outcome.LOST, "it fell over")),
        ("ABORTED", {"error_code": 9}, End(Outcome.FAILED, "the way is blocked")),
        ("ABORTED", {"error_code": 10}, End(Outcome.LOST, "it fell over")),
        ("ABORTED", {"error_msg": "stuck"}, End(Outcome.FAILED, "stuck")),
        ("CANCELED", {}, End(Outcome.CANCELLED, "navigate: the goal was canceled")),
        ("UNKNOWN", {}, End(Outcome.LOST, "navigate: the action server does not know the goal any more")),
    ],
)
def test_what_results_mean(given, status, fields, end):
    execution = given.robot.start(MOVE, "run/1")
    given.link.accept()
    assert execution.poll() is None
    assert given.link.asked == [goal_id("run/1")]
    given.link.result(status, **fields)
    assert execution.poll() == end
    given.link.result("SUCCEEDED", error_code=0)
    assert execution.poll() == end  # a second result changes nothing


def test_a_rejected_goal_has_failed_and_frees_the_base(given):
    lease = order(given)
    given.link.accept(accepted=False)
    assert lease.poll().outcome is Outcome.FAILED
    assert given.executive.free(["base"])


def test_without_a_server_nothing_is_sent_and_it_has_failed(given):
    del given.link.there["navigate"]
    assert order(given).poll() == End(
        Outcome.FAILED, "navigate (nav2_msgs/action/NavigateToPose): there is no action server."
    )
    assert not given.link.goals


def test_the_result_of_another_goal_does_not_count(given):
    execution = given.robot.start(MOVE, "run/1")
    given.link.accept()
    given.link.result("SUCCEEDED", goal_id("run/2"), error_code=0)
    assert execution.poll() is None


def test_a_goal_that_is_accepted_late_goes_on(given):
    lease = order(given)
    pass_time(given, 6.0)
    assert lease.poll() is None
    assert lease.status == "out of contact"
    given.link.accept()
    given.link.result("SUCCEEDED", error_code=0)
    assert lease.poll() == End(Outcome.DONE)


def test_a_goal_that_is_never_answered_is_lost_and_keeps_the_base(given):
    lease = order(given)
    for _ in range(14):
        pass_time(given, 1.0)
        lease.poll()
    assert lease.poll().outcome is Outcome.LOST
    with pytest.raises(ResourceBusy):
        order(given, name="run/2")


def test_a_goal_that_is_accepted_after_it_was_lost_is_cancelled_and_then_the_base_is_free(given):
    lease = order(given)
    for _ in range(14):
        pass_time(given, 1.0)
        lease.poll()
    given.link.accept()
    given.executive.poll_unattended()
    pass_time(given, 2.0)
    given.executive.poll_unattended()
    assert set(given.link.cancelled) == {goal_id("run/1")}
    given.link.result("CANCELED")
    given.executive.poll_unattended()
    assert given.executive.free(["base"])
    assert lease.poll().outcome is Outcome.LOST


# -- cancelling ------------------------------------------------------------------------------------------
def test_a_cancel_is_awaited(given):
    lease = order(given)
    given.link.accept()
    lease.poll()
    lease.cancel()
    given.link.answer_cancel("ACCEPTED")
    assert lease.poll() is None
    given.link.result("CANCELED")
    assert lease.poll().outcome is Outcome.CANCELLED


def test_a_cancel_before_the_goal_is_accepted_is_sent_again_once_it_is(given):
    lease = order(given)
    lease.cancel()
    given.link.answer_cancel("UNKNOWN_GOAL_ID")
    assert lease.poll() is None
    given.link.accept()
    assert lease.poll() is None
    assert given.link.cancelled == [goal_id("run/1")] * 2


def test_what_was_done_before_its_cancel_arrived_is_done(given):
    lease = order(given)
    given.link.accept()
    lease.cancel()
    given.link.answer_cancel("GOAL_TERMINATED")
    given.link.result("SUCCEEDED", error_code=0)
    assert lease.poll() == End(Outcome.DONE)


def test_a_cancel_that_is_refused_is_sent_again_and_the_action_may_end_by_itself(given):
    lease = order(given)
    given.link.accept()
    lease.poll()
    lease.cancel()
    given.link.answer_cancel("REJECTED")
    assert lease.poll() is None
    pass_time(given, 1.0)
    assert lease.poll() is None
    assert len(given.link.cancelled) == 2
    given.link.result("SUCCEEDED", error_code=0)
    assert lease.poll() == End(Outcome.DONE)


def test_a_cancel_that_is_always_refused_ends_as_lost_and_keeps_the_base(given):
    lease = order(given)
    given.link.accept()
    lease.cancel()
    for _ in range(7):
        given.link.answer_cancel("REJECTED")
        pass_time(given, 1.0)
        lease.poll()
    assert lease.poll().outcome is Outcome.LOST
    assert not given.executive.free(["base"])


def test_a_server_that_forgot_the_goal_is_asked_once_more_and_then_it_is_lost(given):
    lease = order(given)
    given.link.accept()
    lease.poll()
    lease.cancel()
    given.link.answer_cancel("UNKNOWN_GOAL_ID")
    assert lease.poll() is None
    assert given.link.asked == [goal_id("run/1")] * 2
    given.link.result("UNKNOWN")
    assert lease.poll().outcome is Outcome.LOST
    assert not given.executive.free(["base"])


# -- servers that die ------------------------------------------------------------------------------------
def test_a_server_that_is_gone_too_long_takes_the_goal_with_it(given):
    lease = order(given)
    given.link.accept()
    lease.poll()
    del given.link.there["navigate"]
    for _ in range(7):
        assert lease.poll() is None or lease.poll().outcome is Outcome.LOST
        pass_time(given, 1.0)
    assert lease.poll().outcome is Outcome.LOST
    assert not given.executive.free(["base"])


def test_a_connection_that_comes_back_in_time_changes_nothing(given):
    lease = order(given)
    given.link.accept()
    lease.poll()
    kept = given.link.there.pop("navigate")
    lease.poll()
    pass_time(given, 3.0)
    given.link.there["navigate"] = kept
    assert lease.poll() is None
    given.link.result("SUCCEEDED", error_code=0)
    assert lease.poll() == End(Outcome.DONE)


def test_another_server_in_its_place_is_asked_and_the_goal_is_not_sent_again(given):
    lease = order(given)
    given.link.accept()
    lease.poll()
    given.link.restart("navigate")
    assert lease.poll() is None
    assert given.link.asked == [goal_id("run/1")] * 2
    assert len(given.link.goals) == 1
    given.link.result("UNKNOWN")
    assert lease.poll().outcome is Outcome.LOST


def test_a_killed_server_that_leaves_the_list_late_is_not_taken_for_the_one_at_work(given):
    given.link.there["navigate"] = {"killed", "new"}
    lease = order(given)
    assert lease.poll() is None
    given.link.there["navigate"] = {"new"}  # which has not answered yet, and must not be asked too early
    assert lease.poll() is None
    assert given.link.asked == []
    given.link.accept()
    given.link.result("SUCCEEDED", error_code=0)
    assert lease.poll() == End(Outcome.DONE)


def test_a_server_that_dies_before_it_answers_leaves_the_outcome_unknown(given):
    lease = order(given)
    given.link.restart("navigate")
    assert lease.poll() is None
    given.link.result("UNKNOWN")
    assert lease.poll().outcome is Outcome.LOST
    assert len(given.link.goals) == 1


# -- several steps ---------------------------------------------------------------------------------------
def pick(given):
    return given.robot.start(Order("pick", {"item": MUG}, hand="left"), "run/1")


def do(given, index, status="SUCCEEDED", **fields):
    given.link.accept(goal_id("run/1", index))
    given.link.result(status, goal_id("run/1", index), **fields)


def test_steps_are_taken_in_turn_and_the_last_one_decides(given):
    execution = pick(given)
    for index in range(3):
        assert execution.poll() is None
        assert len(given.link.goals) == index + 1
        do(given, index, stalled=True)
    assert execution.poll() == End(Outcome.DONE)
    assert [name for name, *_ in given.link.goals] == ["left/gripper", "reach", "left/gripper"]


def test_a_hand_that_closed_on_nothing_has_not_picked(given):
    execution = pick(given)
    for index in range(3):
        do(given, index, stalled=False)
        execution.poll()
    assert execution.poll().outcome is Outcome.FAILED


def test_a_step_that_fails_ends_it(given):
    execution = pick(given)
    do(given, 0)
    execution.poll()
    do(given, 1, "ABORTED")
    assert execution.poll().outcome is Outcome.FAILED
    assert len(given.link.goals) == 2


def test_a_step_that_is_done_before_its_cancel_begins_no_other(given):
    execution = pick(given)
    execution.cancel()
    do(given, 0)
    assert execution.poll() == End(Outcome.CANCELLED, "cancelled between two steps")
    assert len(given.link.goals) == 1


def test_a_server_that_is_missing_for_a_later_step_is_a_failure(given):
    execution = pick(given)
    del given.link.there["reach"]
    do(given, 0)
    assert execution.poll().outcome is Outcome.FAILED
    assert "no action server" in execution.poll().reason


# -- services and topics ---------------------------------------------------------------------------------
def test_a_service_is_done_if_its_response_says_so(given):
    for success, outcome in ((True, Outcome.DONE), (False, Outcome.FAILED)):
        execution = given.robot.start(Order("turn_on"), f"run/{success}")
        assert execution.poll() is None
        given.link.respond(success=success, message="no power")
        assert execution.poll() == End(outcome, "" if success else "no power")


def test_a_service_that_dies_leaves_the_outcome_unknown(given):
    execution = order(given, Order("turn_on"))
    given.link.restart("switch")
    for _ in range(7):
        execution.poll()
        pass_time(given, 1.0)
    assert execution.poll().outcome is Outcome.LOST


def test_a_service_that_cannot_be_cancelled_is_waited_for(given):
    execution = given.robot.start(Order("turn_on"), "run/1")
    execution.cancel()
    assert execution.poll() is None
    given.link.respond(success=True)
    assert execution.poll() == End(Outcome.DONE)


def test_a_message_is_done_when_the_robot_confirms_it(given):
    execution = given.robot.start(Order("wave"), "run/1")
    assert given.link.published == [("gesture", {"data": "wave $1"})]
    given.link.say("gesture_done", data="nod")
    assert execution.poll() is None
    given.link.say("gesture_done", data="wave")
    assert execution.poll() == End(Outcome.DONE)


def test_a_confirmation_from_before_does_not_count(given):
    given.link.say("gesture_done", data="wave")
    execution = given.robot.start(Order("wave"), "run/1")
    given.link.say("gesture_done", data="wave")
    assert execution.poll() is None  # it may still be about the wave before
    given.link.say("gesture_done", data="")
    given.link.say("gesture_done", data="wave")
    assert execution.poll() == End(Outcome.DONE)


def test_a_cancelled_message_is_cancelled_once_the_robot_confirms(given):
    execution = given.robot.start(Order("wave"), "run/1")
    execution.cancel()
    assert given.link.published[-1] == ("gesture", {"data": "rest"})
    assert execution.poll() is None
    given.link.say("gesture_done", data="wave")
    assert execution.poll().outcome is Outcome.CANCELLED


def test_a_message_without_confirmation_takes_its_time(given):
    execution = given.robot.start(Order("beep"), "run/1")
    pass_time(given, 1.9)
    assert execution.poll() is None
    pass_time(given, 0.2)
    assert execution.poll() == End(Outcome.DONE)


# -- stopping, reattaching, looking ----------------------------------------------------------------------
def test_stopping_cancels_all_goals_and_sends_what_the_file_has_for_it(given):
    lease = order(given)
    given.link.accept()
    lease.poll()
    given.robot.stop()
    assert given.link.published == [("halt", {})]
    assert set(given.link.all_cancelled) == {"navigate", "left/gripper", "right/gripper", "reach"}
    assert given.link.cancelled == [goal_id("run/1")]
    assert lease.poll() is None  # confirmed by the result only
    given.link.result("CANCELED")
    assert lease.poll().outcome is Outcome.CANCELLED


def test_what_cannot_be_told_to_stop_keeps_nothing_else_moving(given):
    given.robot.start(MOVE, "run/1")

    def refuse(topic, message):
        raise RobotError("no such type")

    given.link.publish = refuse
    with pytest.raises(RobotError, match="no such type"):
        given.robot.stop()
    assert "navigate" in given.link.all_cancelled
    assert given.link.cancelled == [goal_id("run/1")]


def test_after_a_crash_the_goal_is_found_by_its_id(given):
    given.robot.start(MOVE, "run/1")
    restarted = RosRobot(RobotFile.model_validate(FILE), RosExchange(given.link, given.clock))
    found = restarted.attach("run/1")
    assert goal_id("run/1") in given.link.asked
    assert len(given.link.goals) == 1
    assert found.poll() is None
    for asked in set(given.link.asked) - {goal_id("run/1")}:
        given.link.result("UNKNOWN", asked)
    assert found.poll() is None
    given.link.result("SUCCEEDED", goal_id("run/1"), error_code=0)
    assert found.poll().outcome is Outcome.DONE


def test_what_was_interrupted_between_two_steps_is_not_done(given):
    restarted = RosRobot(RobotFile.model_validate(FILE), RosExchange(given.link, given.clock))
    found = restarted.attach("run/1")
    for asked in set(given.link.asked) - {goal_id("run/1", 1)}:
        given.link.result("UNKNOWN", asked)
    given.link.result("SUCCEEDED", goal_id("run/1", 1))
    assert found.poll() == End(Outcome.CANCELLED, "interrupted between two steps")


def test_a_goal_that_two_skills_may_have_sent_counts_as_the_middle_of_one(given):
    opening = {"action": "$hand/gripper", "type": "control_msgs/action/GripperCommand"}
    file = {**FILE, "skills": {**FILE["skills"], "open_hand": opening}}
    found = RosRobot(RobotFile.model_validate(file), RosExchange(given.link, given.clock)).attach("run/1")
    for asked in set(given.link.asked) - {goal_id("run/1", 0)}:
        given.link.result("UNKNOWN", asked)
    given.link.result("SUCCEEDED", goal_id("run/1", 0))
    assert found.poll() == End(Outcome.CANCELLED, "interrupted between two steps")


def test_what_no_server_knows_after_a_crash_is_never_done(given):
    found = given.robot.attach("old/1")
    for asked in set(given.link.asked):
        given.link.result("UNKNOWN", asked)
    assert found.poll().outcome is Outcome.FAILED


def test_a_robot_without_senses_refuses_to_look(given):
    with pytest.raises(RobotError, match="no senses"):
        given.robot.look(LookRequest(), "run/1")
