"""Robots of a simulation behind a link: the agent does the same as with the world in its own process."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from hosted_link import HostedLink

from foretree.bringup.embedded import open_household, open_robots
from foretree.bringup.options import Options, Wish
from foretree.clock import SimulatedClock
from foretree.config import ConfigError, find_config
from foretree.robots.simulated.simulation import RosSimulation
from foretree.runs.events import Tape
from foretree.simulation.household.scene import Noise
from foretree.simulation.household.scene_file import load_scene, scene_domain
from foretree.skills.catalogue_file import load_catalogue
from foretree.skills.robot import End, LookRequest, Order, Outcome, RobotError

UNKNOWN_TO_THE_AGENT = ("run.started", "fault.injected")
SOME_NOISE = Noise(confusion=0.05, misread=0.05, missed=0.1)


def scene_of(name):
    path = find_config("scenes", name)
    return load_scene(path, load_catalogue(scene_domain(path)).ontology)


def record(session, tape):
    session.run()
    return [tuple(event[1:]) for event in tape.events if event.kind not in UNKNOWN_TO_THE_AGENT]


def embedded(scene, wish, faults, seed=0):
    tape = Tape()
    session, world = open_household(scene, wish, Options(faults=faults, seed=seed), recorder=tape)
    return session, record(session, tape), world


def behind_a_link(link, wish, faults=(), seed=0, tape=None):
    tape = tape or Tape()
    simulation = RosSimulation(link, patience=5.0)
    options = Options(faults=faults, seed=seed)
    session = open_robots(simulation.robots, link.scene, wish, options, recorder=tape, clock=simulation.clock)
    return session, tape


@pytest.mark.parametrize(
    ("name", "instruction", "faults"),
    [
        ("kitchen", "put a mug on table2", ()),
        ("kitchen", "put a mug on table2", ("after 1: move mug1 counter1", "after 2: fail next action")),
        ("kitchen", "put a mug on table2", ("during 2: disconnect for 1.5",)),
        ("kitchen", "put a mug on table2", ("during 1: disconnect for 4",)),
        ("kitchen", "put a mug on table2", ("after 1: hang next pick",)),
        ("two_robots", "put the mango on table2", ()),
    ],
)
@pytest.mark.parametrize("noise", [Noise(), SOME_NOISE])
def test_the_record_is_the_same_to_the_letter(name, instruction, faults, noise):
    scene, wish = replace(scene_of(name), noise=noise), Wish(instruction)
    alone, expected, world = embedded(scene, wish, faults, 3)
    assert len(world.injected) >= len(faults)
    session, tape = behind_a_link(HostedLink(scene, faults, 3), wish, faults, 3)
    assert record(session, tape) == expected
    assert session.result.counts == alone.result.counts


# -- a simulation that dies ------------------------------------------------------------------------------
def run_until(session, condition):
    session.start()
    while session.result is None and not condition():
        session.step()
    assert session.result is None, "it was over before"


def starts_of(tape):
    return [event for event in tape.events if event.kind == "action.started"]


def test_a_simulation_that_dies_is_never_taken_for_a_success():
    link = HostedLink(scene_of("kitchen"), ())
    session, tape = behind_a_link(link, Wish("put a mug on table2"))
    run_until(session, lambda: len(starts_of(tape)) == 2)
    link.die()
    result = session.run()
    assert result.outcome == "error"
    assert "has sent no observations" in result.reason
    ends = {
        event.data["execution"]: event.data["outcome"]
        for event in tape.events
        if event.kind == "action.ended"
    }
    assert ends[starts_of(tape)[1].data["execution"]] == "lost"


def test_a_simulation_that_is_restarted_knows_nothing_of_what_ran_and_is_not_told_again():
    link = HostedLink(scene_of("kitchen"), ())
    session, tape = behind_a_link(link, Wish("put a mug on table2"))
    run_until(session, lambda: len(starts_of(tape)) == 1)
    before = set(link.goals)
    link.restart()
    result = session.run()
    [lost] = {
        event.data["execution"]
        for event in tape.events
        if event.kind == "action.ended" and event.data["outcome"] == "lost"
    }
    assert lost == starts_of(tape)[0].data["execution"]
    assert not before & set(link.goals)
    assert result.outcome != "reached" or link.world.holds(session.mission.goal)


# -- the robot -------------------------------------------------------------------------------------------
@pytest.fixture
def given():
    link = HostedLink(scene_of("kitchen"), ("at 10: disconnect for 3",))
    simulation = RosSimulation(link, patience=2.0)
    return SimpleNamespace(
        link=link, clock=simulation.clock, robot=simulation.robots[0], simulation=simulation
    )


def test_the_first_look_is_there_at_the_start(given):
    [seen] = given.robot.observations()
    assert seen.time == 0.0
    assert given.robot.observations() == []


def test_an_order_without_a_target_has_failed_and_says_why(given):
    execution = given.robot.start(Order("move"), "run/1")
    end = execution.poll()
    assert end.outcome is Outcome.FAILED
    assert end.reason


def test_a_skill_that_the_robot_lacks_is_refused_by_name(given):
    given.link.servers = lambda interface: [] if interface.name == "robot1/juggle" else ["there"]
    with pytest.raises(RobotError, match="robot1/juggle"):
        given.robot.start(Order("juggle"), "run/1")
    assert given.robot.attach("run/1") is None


def test_an_id_stands_for_one_order(given):
    execution = given.robot.look(LookRequest(), "run/1")
    assert given.robot.look(LookRequest(), "run/1") is execution
    with pytest.raises(RobotError, match="taken by another order"):
        given.robot.look(LookRequest(why="once more"), "run/1")
    assert len(given.link.goals) == 1


def test_a_look_takes_its_time(given):
    execution = given.robot.look(LookRequest(), "run/1")
    assert execution.poll() is None
    given.clock.sleep_until(0.4)
    assert execution.poll() is None
    given.clock.sleep_until(0.5)
    assert execution.poll() == End(Outcome.DONE)
    assert given.robot.observations()[-1].source == "look"


def test_a_cancel_is_confirmed_a_moment_later(given):
    execution = given.robot.look(LookRequest(), "run/1")
    execution.cancel()
    assert execution.poll() is None
    given.clock.sleep_until(0.2)
    assert execution.poll() == End(Outcome.CANCELLED, "cancelled")
    execution.cancel()


def test_a_stopped_robot_has_ended_everything_at_once(given):
    execution = given.robot.look(LookRequest(), "run/1")
    given.robot.stop()
    assert execution.poll() == End(Outcome.CANCELLED, "stopped")


def test_a_robot_that_cannot_be_reached_is_told_nothing(given):
    execution = given.robot.look(LookRequest(), "run/1")
    given.clock.sleep_until(0.6)
    given.clock.sleep_until(10.5)
    for call in (
        lambda: given.robot.look(LookRequest(), "run/2"),
        lambda: given.robot.attach("run/1"),
    ):
        with pytest.raises(RobotError, match="The connection to robot1 is lost"):
            call()
    assert execution.poll() == End(Outcome.DONE)
    assert len(given.link.goals) == 1
    given.clock.sleep_until(13.5)
    assert given.robot.attach("run/2") is None
    assert given.robot.attach("run/1") is execution


def test_what_was_lost_is_asked_for_anew_once_the_robot_is_back(given):
    given.clock.sleep_until(9.8)
    execution = given.robot.look(LookRequest(), "run/1")  # is done during the outage
    given.clock.sleep_until(12.5)
    assert execution.poll().outcome is Outcome.LOST
    given.clock.sleep_until(13.5)
    again = given.robot.attach("run/1")
    assert again is not execution
    assert again.poll() == End(Outcome.DONE)


def test_another_process_of_the_agent_takes_up_what_the_first_one_has_begun(given):
    given.robot.look(LookRequest(), "run/1")
    given.clock.sleep_until(0.6)
    given.simulation.close()
    second = RosSimulation(given.link, patience=2.0)
    found = second.robots[0].attach("run/1")
    assert found.poll() == End(Outcome.DONE)
    unknown = second.robots[0].attach("run/2")
    assert unknown.poll().outcome is Outcome.LOST


def test_a_simulation_that_is_not_there_is_missed_by_name():
    link = HostedLink(scene_of("kitchen"))
    link.die()
    with pytest.raises(RobotError, match=r"list_robots .*there is no such service"):
        RosSimulation(link, patience=0.1)


def test_robots_of_another_scene_are_refused(given):
    with pytest.raises(ConfigError, match="the robots of the scene are"):
        open_robots(given.simulation.robots, "two_robots", Wish("wait"), clock=given.clock)


# -- without lock-step -----------------------------------------------------------------------------------
def test_without_lock_step_the_agents_time_begins_when_it_joins():
    link, clock = HostedLink(scene_of("kitchen")), SimulatedClock()
    link.host.advance(100.0, look=False)
    robot = RosSimulation(link, clock, patience=2.0).robots[0]
    link._advance(101.5, look=True)
    link._arrived += link._messages
    clock.sleep_until(1.5)
    execution = robot.look(LookRequest(), "run/1")
    link._advance(102.0, look=False)
    link._arrived += link._messages
    seen = [one for _ in range(20) for one in robot.observations()]
    assert seen
    assert all(1.5 <= one.time <= 2.0 for one in seen)
    polled = [execution.poll() for _ in range(10)]
    assert polled[-1] == End(Outcome.DONE)
