"""Taking up interrupted runs: from every event on, and with a robot that is really there."""

from concurrent.futures import Future
from pathlib import Path

import pytest
from py_trees.composites import Sequence
from session_tools import Steps, running
from toolbox import NoRobot, R, S, Scripted

from foretree.agent import planning_service
from foretree.behaviours.resume_in_flight import InFlight, ResumeInFlight
from foretree.bringup.options import Options, Wish
from foretree.bringup.request import Request
from foretree.bringup.resume import ResumeError, in_flight, reopen_events
from foretree.clock import SimulatedClock, WallClock
from foretree.planning.pddl.writer import write_problem
from foretree.planning.plan import Action
from foretree.runs.events import Tape
from foretree.skills.robot import End, Outcome, RobotError
from foretree.world_model.beliefs.facts import Truth

#: Somebody moves the mango while the robot is on its way, and closes the fridge behind its back.
SURPRISES = ("after 1: move mango1 on table2", "during 5: close fridge1")


@pytest.fixture(autouse=True)
def remembered_plans(monkeypatch):
    """The same problem has the same solution: solve it once, for these tests plan hundreds of times."""
    submit = planning_service.PlanningService.submit

    def remembering(self, problem, enough=None, *, explain=True):
        key = (write_problem(problem), self._wanted, enough, explain)
        if key not in _SOLUTIONS:
            _SOLUTIONS[key] = submit(self, problem, enough, explain=explain).result()
        future = Future()
        future.set_result(_SOLUTIONS[key])
        return future

    monkeypatch.setattr(planning_service.PlanningService, "submit", remembering)


_SOLUTIONS = {}


def household(wish="put the mango into the fridge", faults=SURPRISES, **more):
    return Request(Wish(wish), "kitchen", Options(faults=faults, **more))


def recorded(request):
    tape = Tape()
    session, world = request.open(tape, SimulatedClock())
    result = session.run()
    assert result.outcome == "reached"
    assert not world.illegal
    return tape.events


def taken_up(events):
    """What becomes of the run that broke off after *events*: the session, its world, the new events."""
    tape = Tape()
    tape.events.extend(events)
    session = reopen_events(events, tape)
    result = session.run()
    return session, session.context.robot._world, result, tape.events


def pddl(name, faults=()):
    folder = Path(__file__).resolve().parents[1] / "planning" / "pddl" / name
    return Request(
        Wish(), options=Options(faults=faults), domain=folder / "domain.pddl", problem=folder / "problem.pddl"
    )


def check(events, where):
    session, world, result, after = taken_up(events)
    assert result.outcome == "reached", (where, result.reason)
    assert not world.illegal, where
    assert world.holds(session.mission.goal), where
    assert not session.context.executive.alive(), where
    assert [event.seq for event in after] == list(range(1, len(after) + 1)), where
    ids = [event.data["id"] for event in after if event.kind == "discrepancy.found"]
    assert len(ids) == len(set(ids)), where
    named = {}
    for event in after:
        if event.kind in ("plan.made", "revision.made"):
            for raw in event.data["actions" if event.kind == "plan.made" else "added"]:
                meant = (raw["skill"], tuple(raw["arguments"]))
                assert named.setdefault(raw["id"], meant) == meant, (where, raw)
    intents = [event.data["execution"] for event in after if event.kind == "action.intent"]
    assert len(intents) == len(set(intents)), where
    ends = [event.data["execution"] for event in after if event.kind == "action.ended"]
    assert sorted(ends) == sorted(intents), where
    return after


def cuts(events, stride=1):
    for cut in range(1, len(events), stride):
        yield events[:cut], f"cut after {cut}: {events[cut - 1].kind} in tick {events[cut - 1].tick}"


# -- wherever it breaks off ------------------------------------------------------------------------------
def test_from_every_other_event_on_in_the_household():
    events = recorded(household(faults=SURPRISES[:1], overrides={"tick_hz": "4"}))
    for first, where in cuts(events, 2):
        check(first, where)


@pytest.mark.parametrize(
    ("name", "faults"),
    [
        ("gripper", ("after 2: set (busy right)", "after 3: clear (busy right)")),
        ("blocks", ("after 1: fail next action", "after 2: silent next action")),
    ],
)
def test_from_every_event_on_in_a_pddl_world(name, faults):
    for events, where in cuts(recorded(pddl(name, faults))):
        check(events, where)


def test_twice():
    events = recorded(household(faults=SURPRISES[:1], overrides={"tick_hz": "4"}))
    for first, where in cuts(events, 19):
        again = check(first, where)
        for second in range(len(first) + 1, len(again) - 1, 17):
            check(again[:second], f"{where}, then after {second}: {again[second - 1].kind}")


def test_faults_strike_once_whatever_breaks_off():
    """The faults that struck before the interruption are those on record, and the others are to come."""
    events = recorded(household(overrides={"tick_hz": "4"}))
    for first, where in cuts(events, 17):
        after = check(first, where)
        struck = [event.data["what"] for event in after if event.kind == "fault.injected"]
        assert struck == list(SURPRISES)[: len(struck)], where


def test_a_fault_that_the_record_missed_still_strikes_once():
    both = ("after 1: move mango1 on table2", "after 1: move apple1 on table2")
    events = recorded(household(faults=both))
    first = next(index for index, event in enumerate(events) if event.kind == "fault.injected")
    after = check(events[: first + 1], "between two faults")
    assert [event.data["what"] for event in after if event.kind == "fault.injected"] == list(both)


def test_discrepancies_are_numbered_on():
    first = "after 1: move mango1 on table2"
    noticed = next(e for e in recorded(household(faults=(first,))) if e.kind == "discrepancy.found")
    # While the robot is on its way to where the mango is then, it is moved once more.
    events = recorded(household(faults=(first, f"at {noticed.time + 3:.1f}: move mango1 on counter1")))
    after = check(events[: noticed.seq + 1], "after the first discrepancy")
    assert [e.data["id"] for e in after if e.kind == "discrepancy.found"] == ["d1", "d2"]


def test_what_was_in_flight():
    tape = Tape()

    def intent(name):
        action = {"id": name, "skill": "first", "arguments": [], "cost": 1}
        tape.commit("action.intent", action=action, execution=f"x-{name}")

    for name in ("a1", "a2", "a3"):
        intent(name)
    tape.record("action.ended", action="a1", execution="x-a1", outcome="done")
    tape.record("belief.changed", version=2, facts=[])
    tape.record("action.ended", action="a2", execution="x-a2", outcome="done")
    known = [(flown.action.id, flown.execution, flown.ended) for flown in in_flight(tape.events)]
    assert known == [("a2", "x-a2", True), ("a3", "x-a3", False)]


def test_what_comes_after_is_the_same_every_time():
    events = recorded(household(overrides={"tick_hz": "4"}))
    half = events[: len(events) // 2]
    assert taken_up(half)[3] == taken_up(half)[3]


# -- what cannot be taken up -----------------------------------------------------------------------------
def test_nothing_to_take_up():
    with pytest.raises(ResumeError, match="before it had begun"):
        reopen_events([], Tape())


def test_a_record_that_does_not_repeat_itself():
    events = recorded(household())
    (goal,) = [event for event in events if event.kind == "goal.set"]
    events[goal.seq - 1] = goal._replace(kind="log")
    with pytest.raises(ResumeError, match=rf"event {goal.seq} was log in tick 1, and is goal.set"):
        reopen_events(events[:40], Tape())


# -- a robot that is really there ------------------------------------------------------------------------
class There(NoRobot):
    """A robot that goes on with what it was told before the crash, in real time."""

    def __init__(self, known=()):
        self.known = {name: self._Execution(name) for name in known}
        self.stops = 0
        self.looks = 0

    class _Execution:
        def __init__(self, name):
            self.id = name
            self.end = None
            self.cancels = 0

        def poll(self):
            return self.end

        def cancel(self):
            self.cancels += 1

    def attach(self, execution_id):
        return self.known.get(execution_id)

    def look(self, request, execution_id):
        self.looks += 1
        execution = self._Execution(execution_id)
        execution.end = End(Outcome.DONE)
        return execution

    def stop(self):
        self.stops += 1
        for execution in self.known.values():
            execution.end = execution.end or End(Outcome.CANCELLED, "stopped")


FIRST = Action("a1", "first", ())


def taking_up(robot, flown, ask, after=S, **more):
    """A session on a real clock that begins with taking up *flown*."""
    steps = Steps(robot=robot, clock=WallClock(), tick_hz=100, **more)
    take_up = ResumeInFlight(steps.context, flown, ask)
    then = Scripted("then", [after])
    steps.session.tree.root = Sequence("resumed", memory=True, children=[take_up, then])
    return steps, take_up, then


def test_it_waits_for_what_the_robot_still_does():
    robot = There(["x-1"])
    asked = []
    steps, take_up, then = taking_up(robot, [InFlight(FIRST, "x-1")], lambda q: asked.append(q) or True)
    for _ in range(5):
        steps.session.step()
    assert take_up.status is R
    assert "first()" in take_up.feedback_message
    assert not asked  # nobody is asked while it cannot be said what the answer would mean
    robot.known["x-1"].end = End(Outcome.DONE)
    result = steps.session.run()
    assert result.outcome == "reached"
    assert robot.stops == 0
    assert robot.looks == 1
    assert len(asked) == 1
    assert steps.context.belief.truth(("one",)) is Truth.TRUE
    (end,) = steps.recorder.of("action.ended")
    assert end.data == {"action": "a1", "execution": "x-1", "outcome": "done", "reason": ""}


def test_it_stops_the_robot_when_that_knows_nothing_of_it():
    robot = There()
    steps, _, _ = taking_up(robot, [InFlight(FIRST, "x-1")], lambda question: True)
    result = steps.session.run()
    assert result.outcome == "reached"
    assert robot.stops == 1
    (end,) = steps.recorder.of("action.ended")
    assert end.data["outcome"] == "lost"
    assert steps.context.belief.truth(("one",)) is not Truth.TRUE


def test_what_was_in_flight_may_have_changed_what_it_changes():
    robot = There(["x-1"])
    flown = [InFlight(FIRST, "x-1")]
    steps, _, _ = taking_up(robot, flown, lambda question: True, observable=True)
    steps.context.belief.tell(("one",), Truth.FALSE)
    steps.session.step()
    assert steps.context.belief.truth(("one",)) is Truth.UNKNOWN
    robot.known["x-1"].end = End(Outcome.FAILED, "slipped")
    assert steps.session.run().outcome == "reached"
    assert steps.context.belief.truth(("one",)) is Truth.UNKNOWN


def test_it_stops_the_robot_when_that_cannot_be_asked():
    class Mute(There):
        def attach(self, execution_id):
            raise RobotError("the connection is lost")

    robot = Mute()
    steps, _, _ = taking_up(robot, [InFlight(FIRST, "x-1")], lambda question: True)
    assert steps.session.run().outcome == "reached"
    assert robot.stops == 1


@pytest.mark.parametrize("ask", [None, lambda question: False])
def test_without_a_yes_it_ends_as_cancelled(ask):
    robot = There()
    steps, _, then = taking_up(robot, [], ask)
    result = steps.session.run()
    assert result.outcome == "cancelled"
    assert "no permission to go on" in result.reason
    assert robot.looks == 0
    assert then.updates == 0


def test_what_had_ended_is_only_doubted():
    robot = There()
    steps, _, _ = taking_up(robot, [InFlight(FIRST, "x-1", ended=True)], lambda question: True)
    assert steps.session.run().outcome == "reached"
    assert robot.stops == 0
    assert not steps.recorder.of("action.ended")


def test_cancelling_while_it_waits_stops_the_robot():
    robot = There(["x-1"])
    steps, take_up, _ = taking_up(robot, [InFlight(FIRST, "x-1")], lambda question: True)
    steps.session.step()
    steps.session.cancel("enough")
    assert robot.stops == 1
    assert not running(steps.session)
    assert not steps.context.executive.alive()
    assert [event.data["outcome"] for event in steps.recorder.of("action.ended")] == ["cancelled"]
