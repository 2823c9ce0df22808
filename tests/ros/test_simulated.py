"""Simulated worlds over a real ROS: in lock-step equal to the embedded ones, and honest when they die."""

import pytest
from simulation_process import SimulationProcess

from foretree.bringup.embedded import open_household, open_robots
from foretree.bringup.options import Options, Wish
from foretree.bringup.ros.clock import RosClock
from foretree.robots.ros.node import SpinningNode
from foretree.robots.ros.rclpy_link import RclpyLink
from foretree.robots.simulated.ros_body import RosBody
from foretree.robots.simulated.simulation import RosSimulation
from foretree.robots.simulated.worlds import home_body
from foretree.runs.events import Tape
from foretree.skills.embodied.body import Control
from foretree.skills.robot import RobotError

WISH = Wish("put a mug on table2")
FAULTS = ("after 1: move mug1 counter1", "after 2: fail next action", "during 4: disconnect for 1.5")
UNKNOWN_TO_THE_AGENT = ("run.started", "fault.injected")


@pytest.fixture
def agent():
    with SpinningNode("agent") as spinning:
        yield spinning.node


@pytest.fixture
def simulation(request):
    processes = []

    def begin(*arguments):
        processes.append(SimulationProcess(*arguments))
        return processes[-1]

    yield begin
    for each in processes:
        each.kill()


def open_over_ros(node, faults, tape, clock=None):
    there = RosSimulation(RclpyLink(node), clock)
    options = Options(faults=faults)
    return open_robots(there.robots, "kitchen", WISH, options, recorder=tape, clock=there.clock)


def record(tape):
    return [tuple(event[1:]) for event in tape.events if event.kind not in UNKNOWN_TO_THE_AGENT]


def starts_of(tape):
    return [event.data["execution"] for event in tape.events if event.kind == "action.started"]


def test_in_lock_step_a_run_is_the_embedded_one_to_the_letter(agent, simulation):
    simulation("--lock-step", *(part for line in FAULTS for part in ("--fault", line)))
    tape, embedded = Tape(), Tape()
    alone, world = open_household("kitchen", WISH, Options(faults=FAULTS), recorder=embedded)
    expected = alone.run()
    assert len(world.injected) >= len(FAULTS)
    assert expected.counts["revised"]
    result = open_over_ros(agent, FAULTS, tape).run()
    assert result.outcome == expected.outcome == "reached"
    assert record(tape) == record(embedded)


def run_until(session, condition):
    session.start()
    while session.result is None and not condition():
        session.step()
    assert session.result is None, "it was over before"


def test_a_simulation_that_is_killed_is_never_taken_for_a_success(agent, simulation):
    process, tape = simulation("--lock-step"), Tape()
    session = open_over_ros(agent, (), tape)
    run_until(session, lambda: len(starts_of(tape)) == 2)
    process.kill()
    result = session.run()
    assert result.outcome == "error"
    ends = {
        event.data["execution"]: event.data["outcome"]
        for event in tape.events
        if event.kind == "action.ended"
    }
    assert ends[starts_of(tape)[1]] == "lost"


def test_a_simulation_in_its_place_is_not_told_again_what_the_first_one_was_at(agent, simulation):
    process, tape = simulation("--lock-step"), Tape()
    session = open_over_ros(agent, (), tape)
    run_until(session, lambda: len(starts_of(tape)) == 1)
    process.kill()
    process.start()
    result = session.run()
    [first, *others] = starts_of(tape)
    ends = {
        event.data["execution"]: event.data["outcome"]
        for event in tape.events
        if event.kind == "action.ended"
    }
    assert ends[first] == "lost"
    assert first not in others
    assert result.outcome in ("error", "given-up", "failed", "reached")
    if result.outcome == "reached":
        assert [end for execution, end in ends.items() if execution in others].count("done") >= 3


def test_running_free_it_ends_the_same_in_the_simulations_time(simulation):
    simulation("--speed", "10")
    with SpinningNode("agent", simulated_time=True) as spinning:
        clock = RosClock(lambda: spinning.node.get_clock().now().nanoseconds, simulated_time=True)
        tape = Tape()
        result = open_over_ros(spinning.node, (), tape, clock).run()
    assert result.outcome == "reached"
    assert len(starts_of(tape)) == 4


def test_a_body_in_a_home_shows_the_same_frames(agent, simulation):
    process = simulation("--home", "l_kitchen/3", "--seed", "5", "--lock-step")
    body, alone = RosBody(RclpyLink(agent), patience=30.0), home_body("l_kitchen/3", 5)
    assert (body.lens, body.reach) == (alone.lens, alone.reach)
    for name in ("wait", "rotate_left", "move_ahead", "look_down", "rotate_right"):
        frame, expected = body.step(Control(name)), alone.step(Control(name))
        assert (frame.labels == expected.labels).all()
        assert (frame.depth == expected.depth).all()
        assert (frame.stance, frame.ok, frame.step) == (expected.stance, expected.ok, expected.step)
        assert [mask.scores for mask in frame.masks] == [mask.scores for mask in expected.masks]
    process.kill()
    with pytest.raises(RobotError, match="body/move"):
        RosBody.step(body, Control("wait"))


def test_it_ends_with_a_signal(simulation):
    process = simulation("--lock-step")
    assert process.end() == 0
    assert "kitchen" in process.said[0]
