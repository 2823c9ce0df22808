"""Nothing waits in silence: whatever a robot does, each wait says what for, and has an end."""

from __future__ import annotations

from collections import Counter

import pytest
from at_home import AtHome, house, with_puppet
from py_trees.common import Status
from toolbox import F, Puppet, R, S, context_for, domain_of, plan_of, tick

from foretree.behaviours.explore import LookAround
from foretree.behaviours.resume_in_flight import InFlight, ResumeInFlight
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.skills.robot import Outcome, RobotError
from foretree.trees._node_error import NodeError, attributed
from foretree.trees.plan_node import PlanNode

#: Seconds of the session's clock within which a robot that never answers is given up, whatever it was told.
BOUND = 200.0
PLAN = plan_of("one two", "b")
DOMAIN = domain_of({"one": ("", "a"), "two": ("a", "b")})


class Wrapped:
    """An execution of a :class:`Contrary` robot."""

    def __init__(self, robot: Contrary, inner, ends: bool = True) -> None:
        self.id = inner.id
        self._robot = robot
        self._inner = inner
        self._ends = ends

    def poll(self):
        self._robot.meet("poll")
        return self._inner.poll() if self._ends else None

    def cancel(self):
        self._robot.meet("cancel")
        self._inner.cancel()


class Contrary:
    """A robot some of whose methods raise from some instant on."""

    def __init__(self, inner, clock) -> None:
        self.inner = inner
        self.clock = clock
        self.name, self.hands = inner.name, inner.hands
        self.raises: dict[str, Exception] = {}
        self.since = 0.0
        self.looks_end = True
        self.asked: Counter[str] = Counter()

    def meet(self, method: str) -> None:
        self.asked[method] += 1
        if method in self.raises and self.clock.now() >= self.since:
            raise self.raises[method]

    def start(self, order, execution_id):
        self.meet("start")
        return Wrapped(self, self.inner.start(order, execution_id))

    def look(self, request, execution_id):
        self.meet("look")
        return Wrapped(self, self.inner.look(request, execution_id), self.looks_end)

    def observations(self):
        self.meet("observations")
        return self.inner.observations()

    def attach(self, execution_id):
        self.meet("attach")
        known = self.inner.attach(execution_id)
        return None if known is None else Wrapped(self, known)

    def stop(self):
        self.meet("stop")
        self.inner.stop()


def plan_with(raises: dict[str, Exception], since: float = 0.0, **settings):
    context = context_for(DOMAIN, robot=Puppet(), **settings)
    puppet = context.robot
    robot = Contrary(puppet, context.clock)
    robot.raises, robot.since = raises, since
    context.robot = context.executive.robot = robot
    return PlanNode(context, PLAN), context, robot, puppet


def ticks(node, context, seconds: float):
    """Tick ten times a second until it is over; returns the reasons that were given, without those repeated."""
    reasons = []
    until = context.clock.now() + seconds
    while context.clock.now() < until:
        node.tick_once()
        reasons.append(node.reason)
        assert node.feedback_message == node.reason
        if node.status is not R:
            break
        context.clock.sleep_until(context.clock.now() + 0.1)
    return list(dict.fromkeys(reasons))


# -- a robot that does not answer ----------------------------------------------------------------------------


def test_a_plan_whose_robot_never_answers_again_fails_and_says_why_all_the_while():
    node, context, robot, _ = plan_with({"poll": RobotError("no route to robbie")}, since=1.0)
    reasons = ticks(node, context, BOUND)
    assert node.status is F
    assert "no route to robbie" in node.reason
    assert reasons[0] == "", "all was well at first"
    assert all("no route to robbie" in reason for reason in reasons[1:]), reasons
    assert robot.asked["cancel"] <= 8


def test_a_plan_in_need_of_what_was_lost_waits_a_while_and_then_fails():
    node, context, robot, puppet = plan_with({}, contact_patience=20.0)
    context.executive.start("x", lambda: robot.start(None, "x"), {"base"}, time_out=1.0, what="drive")
    for step in node._steps.state.steps:
        step.nodes.leaf._resources = frozenset({"base"})
    reasons = ticks(node, context, BOUND)
    assert node.status is F
    assert len(puppet.told) == 1, "nothing was begun on a base that may still move"
    assert "base is held by x (drive), lost: it took too long" in node.reason
    assert "one(): waits: base is held by x (drive), running" in reasons
    assert robot.asked["cancel"] <= 8
    assert context.clock.now() == pytest.approx(26.0, abs=1.0), "time-out, grace, patience"


def test_what_was_lost_and_answers_in_time_is_waited_for():
    node, context, robot, puppet = plan_with({})
    context.executive.start("x", lambda: robot.start(None, "x"), {"base"}, time_out=1.0)
    for step in node._steps.state.steps:
        step.nodes.leaf._resources = frozenset({"base"})
    ticks(node, context, 20.0)
    assert node.status is R
    puppet.told[0].end(Outcome.CANCELLED)
    tick(node)
    assert len(puppet.told) == 2
    for execution in puppet.told[1:]:
        execution.end(Outcome.DONE)
    tick(node)
    puppet.told[-1].end(Outcome.DONE)
    assert tick(node) == [S]


def test_a_short_silence_is_shown_while_it_lasts_and_then_forgotten():
    node, context, robot, puppet = plan_with({"poll": RobotError("wireless")}, since=1.0)
    assert ticks(node, context, 3.0) == ["", "one(): out of contact, lost after 5 s: wireless"]
    robot.raises = {}
    assert ticks(node, context, 1.0)[-1] == ""
    puppet.told[0].end(Outcome.DONE)
    tick(node)
    puppet.told[1].end(Outcome.DONE)
    assert tick(node) == [S]


def test_a_robot_that_sends_no_observations_is_given_up_after_a_while():
    node, context, _, puppet = plan_with({"observations": RobotError("camera bus is down")})
    reasons = ticks(node, context, BOUND)
    assert node.status is F
    assert node.reason == "robot has sent no observations for 30 s: camera bus is down"
    assert not puppet.told, "nothing begins blindly"
    assert reasons[0].startswith("one(): waits: robot sends no observations: camera bus is down")
    assert context.clock.now() == pytest.approx(30.0, abs=0.5)


def test_what_was_silent_for_a_moment_goes_on():
    node, context, robot, puppet = plan_with({"observations": RobotError("hiccup")})
    ticks(node, context, 10.0)
    robot.raises = {}
    assert ticks(node, context, 0.3)[-1] == ""
    assert len(puppet.told) == 1


# -- mistakes in a driver ------------------------------------------------------------------------------------


def mistake_in(method: str) -> NodeError:
    """A plan node's error when a driver makes a mistake in *method*."""
    node, _, robot, puppet = plan_with({})
    if method == "start":
        robot.raises = {method: KeyError("gripper")}
    else:
        tick(node)
        robot.raises = {method: KeyError("gripper")}
    if method == "attach":
        robot.raises["poll"] = RobotError("gone")
    with pytest.raises(NodeError) as caught:
        node.stop() if method == "cancel" else tick(node)
    assert node.status is not R
    assert len(puppet.told) <= 1
    return caught.value


@pytest.mark.parametrize("method", ["poll", "observations", "cancel", "attach"])
def test_a_mistake_of_the_driver_is_the_same_error_wherever_it_is_made(method):
    told = mistake_in("start")
    error = mistake_in(method)
    assert type(error.cause) is type(told.cause) is KeyError
    assert error.path == ("plan" if method == "observations" else told.path)
    assert error.exit_code == told.exit_code == 70
    assert "raised KeyError: 'gripper'" in str(error)


def test_a_robot_out_of_reach_is_no_fault_in_the_node_that_asked():
    """Where nobody can go on without an answer: a resumed session that has to stop the robot first."""
    home = AtHome()
    context, robot = with_puppet(home)
    robot.stop = lambda: (_ for _ in ()).throw(RobotError("no route to robbie"))
    node = ResumeInFlight(context, [InFlight(home.action("pick robot1 left mango1 table1"), "x-7")])
    with pytest.raises(RobotError) as raised:
        node.tick_once()
    assert attributed(raised.value, node).exit_code == 4
    assert attributed(KeyError("gripper"), node).exit_code == 70


def test_a_mistake_in_breaking_off_a_look_leaves_nothing_running():
    node, context, robot, puppet = plan_with({})
    tick(node)
    node._goal_check._look._lease = context.executive.start("x", lambda: robot.start(None, "x"), {"camera"})
    puppet.told[1].cancel = lambda: {}["shutter"]
    with pytest.raises(NodeError, match="shutter"):
        node.stop()
    assert puppet.told[0].cancels == 1
    assert not [below.name for below in node.iterate() if below.status is R]


def test_a_mistake_in_breaking_off_one_execution_of_an_earlier_run_breaks_off_the_others():
    home = AtHome()
    context, puppet = with_puppet(home)
    flown = []
    for number, words in enumerate(("pick robot1 left mango1 table1", "pick robot1 right mug1 table1")):
        puppet.look(None, f"x{number}")
        flown.append(InFlight(home.action(words), f"x{number}"))
    node = ResumeInFlight(context, flown)
    node.tick_once()
    assert node.status is R
    told = [context.executive.robot.attach(one.execution) for one in flown]
    told[0].cancel = lambda: {}["gripper"]
    with pytest.raises(KeyError):
        node.stop(Status.INVALID)
    assert told[1].cancels == 1


def test_a_mistake_of_the_driver_is_raised_once_and_the_execution_has_an_end():
    node, context, robot, _ = plan_with({})
    tick(node)
    robot.raises = {"poll": KeyError("gripper")}
    with pytest.raises(NodeError):
        tick(node)
    context.sync()
    assert context.executive.alive() == ("x-1",), "it holds what it holds until the robot can be asked"
    robot.raises = {}
    robot.inner.told[0].end(Outcome.DONE)
    context.sync()
    assert context.executive.alive() == ()


# -- whole sessions ------------------------------------------------------------------------------------------


def session_with(method: str, error: Exception, since: float = 4.0, **settings: str):
    # It has to look for the mango once it finds it gone.
    faults = ("after 1: move mango1 in cupboard1",)
    session, world = open_household(
        house(), Wish("put the mango into the fridge"), Options(overrides=settings, faults=faults)
    )
    context = session.context
    robot = Contrary(world.robot, context.clock)
    robot.raises, robot.since = {method: error}, since
    context.robot = context.executive.robot = robot
    return session, robot


@pytest.mark.parametrize("method", ["start", "poll", "observations", "look"])
def test_a_session_whose_robot_is_gone_ends_with_the_reason(method):
    session, robot = session_with(method, RobotError("no route to robbie"), since=0.0)
    result = session.run()
    assert not result.reached or method == "look"
    if not result.reached:
        assert "no route to robbie" in result.reason
    if result.error is not None:
        assert result.error.exit_code == 4
    assert result.seconds < 2 * BOUND
    assert robot.asked["cancel"] <= 40
    assert not [node.name for node in session.tree.root.iterate() if node.status is R]


@pytest.mark.parametrize("method", ["start", "poll", "observations", "look", "attach"])
def test_a_session_whose_driver_is_wrong_ends_as_an_error_that_says_where(method):
    session, robot = session_with(method, KeyError("gripper"), since=0.0)
    if method == "attach":
        robot.raises["poll"] = RobotError("gone")
    result = session.run()
    assert result.outcome == "error"
    assert result.error.exit_code == 70
    assert "KeyError" in result.reason
    assert "gripper" in result.reason
    if method == "observations":
        assert "in meet (test_waiting_reasons.py, line" in result.reason
    else:
        assert "The node agent/" in result.reason


def test_a_look_whose_end_never_comes_ends_in_time_and_no_other_is_waited_for():
    session, robot = session_with("look", RobotError(""), since=1e9, contact_patience="20")
    robot.looks_end = False
    says = set()
    session.before_tick.append(lambda it: says.update(plan.reason for plan in it.plans()))
    result = session.run()
    assert result.seconds < 2 * BOUND
    assert any("waits: camera is held by" in text and "lost: it took too long" in text for text in says)
    assert robot.asked["look"] == 1, "no look begins while the camera may still be moving"


def camera_held(home, contact_patience=20.0):
    """A camera that an execution holds whose end never comes, in a context at home."""
    context, puppet = with_puppet(home, contact_patience=contact_patience)
    context.executive.start("x", lambda: puppet.look(None, "x"), {"camera"}, time_out=1.0, what="stare")
    return context


def look_around(context):
    return LookAround(context)


def take_up(context):
    return ResumeInFlight(context, ())


@pytest.mark.parametrize("node_of", [look_around, take_up])
def test_who_wants_to_look_waits_for_the_camera_for_a_while_only(node_of):
    home = AtHome()
    context = camera_held(home)
    node = node_of(context)
    said = set()
    while node.status is not S:
        home.clock.sleep_until(home.clock.now() + 0.1)
        context.sync()
        node.tick_once()
        if node.status is R:
            said.add(node.feedback_message)
        assert home.clock.now() < BOUND
    assert "waits to look: camera is held by x (stare), running" in said
    assert home.clock.now() == pytest.approx(26.0, abs=1.0), "time-out, grace, patience"
    assert home.tape.of("look.ended")[-1].data["outcome"] == "failed"
