"""Diagnostics of the agent."""

from foretree.bringup.options import Options, Wish
from foretree.bringup.ros.carrying.carrier import Carrier
from foretree.bringup.ros.carrying.carry_desk import CarryDesk, Job
from foretree.bringup.ros.carrying.steering import Steering
from foretree.bringup.ros.carrying.workplace import open_embedded
from foretree.bringup.ros.diagnostics import Diagnostics, Level
from foretree.clock import SimulatedClock
from foretree.skills.robot import RobotError


class Client:
    def __init__(self, react):
        self.progressed = react

    def started(self):
        pass

    def ended(self, end):
        pass


class Agent:
    def __init__(self, faults=None, configured=True):
        self.desk, self.steering = CarryDesk("queue"), Steering()
        self.carrier = Carrier(self.desk, self.steering, recorded=False)
        if configured:
            self.carrier.workplace = open_embedded("kitchen", Options(faults=faults), SimulatedClock())
        self.desk.open()
        self.diagnostics = Diagnostics(self.carrier, self.desk, self.steering)

    def carry(self, react=lambda progress: None, **wish):
        wish = wish or {"instruction": "put the mango into the fridge"}
        self.desk.put(Job(Wish(**wish), Client(react)))
        self.carrier.carry_out(self.desk.take(0))

    def report(self, name):
        (found,) = (report for report in self.diagnostics.reports("active") if report.name == name)
        return found


def test_before_the_first_goal():
    agent = Agent(configured=False)
    assert agent.report("agent").message == "no goal so far"
    assert agent.report("robot").level is Level.STALE
    assert agent.report("rhythm").level is Level.OK


def test_while_a_goal_is_carried_out_and_after_it():
    agent, seen = Agent(), []
    agent.carry(lambda progress: seen.append(agent.report("agent")))
    assert {report.message for report in seen[:-1]} == {"carries out a goal"}
    assert seen[0].values["instruction"] == "put the mango into the fridge"
    last = agent.report("agent")
    assert (last.level, last.message) == (Level.OK, "the last goal: reached")
    assert agent.report("robot").values == {"robot1": "in contact"}


def test_a_person_who_has_it_and_a_pause_are_warnings():
    agent, seen = Agent(), []

    def react(progress):
        seen.append((progress.status, agent.report("agent")))
        if progress.status == "handed-over":
            agent.steering.give_back()
        elif progress.status == "paused":
            agent.steering.resume()
            agent.steering.take_over()
        elif progress.action and len(seen) < 4:
            agent.steering.pause()

    agent.carry(react)
    told = dict(seen)
    assert (told["paused"].level, told["paused"].message) == (Level.WARN, "paused")
    assert (told["handed-over"].level, told["handed-over"].message) == (Level.WARN, "a person has the robot")


def test_overruns_are_a_warning_once():
    agent, seen = Agent(), []

    def react(progress):
        if not seen:
            agent.carrier.noted.record("session.overrun", wall={"seconds": 0.25, "period": 0.1})
            seen.append((agent.report("rhythm"), agent.report("rhythm")))

    agent.carry(react)
    first, second = seen[0]
    assert first.level is Level.WARN
    assert first.values["longest tick of the goal"] == "0.2500 s"
    assert second.level is Level.OK
    assert second.values["overruns"] == "1"
    assert agent.report("rhythm").values["overruns"] == "1", "it counts over all goals"


def test_a_robot_that_is_silent_is_an_error(monkeypatch):
    agent, reports = Agent(), []
    robot = agent.carrier.workplace.context.robot
    observations = robot.observations

    def silent_for_a_while():
        reports.append(agent.report("robot"))
        if 5 <= len(reports) < 10:
            raise RobotError("the cable is out")
        return observations()

    monkeypatch.setattr(robot, "observations", silent_for_a_while)
    agent.carry()
    said = {report.message for report in reports if report.level is Level.ERROR}
    assert said == {"robot1 sends no observations: the cable is out; given up after 30 s"}
    assert reports[-1].level is Level.OK


class WatchedLink:
    def __init__(self, held="", silent=()):
        self.hold_reason, self.silent = (lambda: held), (lambda: list(silent))


def test_a_robot_that_is_held_and_silent_streams_are_a_warning():
    agent = Agent()
    place = agent.carrier.workplace
    place._link = WatchedLink("stopped by the supervisor: button", ["joint_states is silent for 3.0 s"])
    report = agent.report("robot")
    assert (report.level, report.message) == (Level.WARN, "held: stopped by the supervisor: button")
    assert report.values["senses"] == "joint_states is silent for 3.0 s."
    place._link = WatchedLink(silent=["joint_states is silent for 3.0 s"])
    assert agent.report("robot").message == "senses: joint_states is silent for 3.0 s"
    place._link = WatchedLink()
    assert agent.report("robot").level is Level.OK
