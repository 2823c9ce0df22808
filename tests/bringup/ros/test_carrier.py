"""Goals carried out in an embedded scene, on simulated time, without ROS."""

import itertools
import threading
from types import SimpleNamespace

import pytest
from waiting import until

from foretree.bringup.options import Options, Wish
from foretree.bringup.ros.carrying.carrier import Carrier
from foretree.bringup.ros.carrying.carry_desk import CarryDesk, Job
from foretree.bringup.ros.carrying.steering import Steering
from foretree.bringup.ros.carrying.workplace import open_embedded
from foretree.clock import SimulatedClock
from foretree.planning.task.goals import parse_goal
from foretree.reasoning.reasoner import Reading, Understanding
from foretree.runs.reader import events
from foretree.runs.store import RunStore


class Client:
    """Notes what it is told, and may do something at a certain progress."""

    def __init__(self, react=lambda progress: None):
        self.starts = 0
        self.told = []
        self.ends = []
        self._react = react

    def started(self):
        self.starts += 1

    def progressed(self, progress):
        self.told.append(progress)
        self._react(progress)

    def ended(self, end):
        self.ends.append(end)


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))


@pytest.fixture
def agent():
    return make_agent()


def make_agent(second_goal="queue", recorded=False, **options):
    desk, steering = CarryDesk(second_goal), Steering()
    carrier = Carrier(desk, steering, recorded=recorded)
    carrier.workplace = open_embedded("kitchen", Options(**options), SimulatedClock())
    desk.open()
    return SimpleNamespace(desk=desk, steering=steering, carrier=carrier, workplace=carrier.workplace)


def carry(agent, wish, react=lambda progress: None):
    if isinstance(wish, str):
        wish = Wish(wish)
    job = Job(wish, Client(react))
    assert not agent.desk.refusal(wish)
    agent.desk.put(job)
    agent.carrier.carry_out(agent.desk.take(0))
    (end,) = job.client.ends
    return end, job.client


def test_a_goal_is_reached_and_told_of_on_the_way(agent):
    end, client = carry(agent, "put the mango into the fridge")
    assert (end.outcome, end.reason, end.run) == ("reached", "", "")
    assert client.starts == 1
    actions = [progress.action for progress in client.told]
    assert any(action.startswith("pick(") for action in actions)
    assert all(a != b for a, b in itertools.pairwise(client.told))
    assert {progress.status for progress in client.told} == {"working"}


def test_a_revision_is_told_with_its_reason():
    agent = make_agent(faults=("after 1: move mango1 table2",))
    end, client = carry(agent, "put the mango into the fridge")
    assert end.outcome == "reached"
    last = client.told[-1]
    assert last.revisions >= 1
    assert "mango1" in last.revision


def test_a_goal_in_pddl_is_reached_and_the_belief_goes_on_from_one_goal_to_the_next(agent):
    assert carry(agent, "put the mango into the fridge")[0].outcome == "reached"
    end, client = carry(agent, Wish(goal="(in mango1 fridge1)"))
    assert end.outcome == "reached"
    assert not any("pick" in progress.action for progress in client.told)


def test_what_makes_no_sense_ends_as_an_error_with_the_reason(agent):
    end, client = carry(agent, Wish(goal="(in mango1 "))
    assert end.outcome == "error"
    assert end.reason
    assert carry(agent, "put the mango into the fridge")[0].outcome == "reached"


def test_without_a_robot_a_goal_ends_as_an_error(agent):
    agent.carrier.workplace = None
    assert "not configured" in carry(agent, "put the mango into the fridge")[0].reason


def test_a_cancelled_goal_ends_with_the_robot_stopped(agent):
    def react(progress):
        if progress.action:
            agent.desk.cancel(running[0], "cancelled by the client")

    running = []
    job = Job(Wish("put the mango into the fridge"), Client(react))
    running.append(job)
    agent.desk.put(job)
    agent.carrier.carry_out(agent.desk.take(0))
    (end,) = job.client.ends
    assert (end.outcome, end.reason) == ("cancelled", "cancelled by the client")
    assert not agent.workplace.context.team.alive()
    assert carry(agent, "put the mango into the fridge")[0].outcome == "reached"


def test_each_goal_is_a_run_with_executions_of_its_own():
    agent = make_agent(recorded=True)
    first, _ = carry(agent, "put the mango into the fridge")
    second, _ = carry(agent, "put the mango onto table1")
    kept = [RunStore().open(end.run) for end in (first, second)]
    assert [run.info().outcome for run in kept] == ["reached", "reached"]
    executions = [
        {event.data["execution"] for event in events(run) if event.kind == "action.intent"} for run in kept
    ]
    assert all(executions)
    assert not executions[0] & executions[1]
    started = next(event for event in events(kept[0]) if event.kind == "run.started")
    assert started.data["floor"]["rooms"]


def test_it_is_paused_stepped_and_resumed(agent):
    replies, seen = {}, []

    def react(progress):
        seen.append(progress.status)
        if progress.action and "pause" not in replies:
            replies["early"] = agent.steering.resume(), agent.steering.step()
            replies["pause"] = agent.steering.pause()
        elif progress.status == "paused" and "step" not in replies:
            replies["ticks"] = agent.carrier.session.ticks
            replies["step"] = agent.steering.step(3)
            helper.start()

    def go_on():
        session = agent.carrier.session
        until(lambda: session.ticks == replies["ticks"] + 3, "three ticks")
        replies["resume"] = agent.steering.resume()

    helper = threading.Thread(target=go_on)
    end, _ = carry(agent, "put the mango into the fridge", react)
    helper.join(60)
    assert end.outcome == "reached"
    assert [reply.success for reply in replies["early"]] == [False, False]
    assert all(replies[each].success for each in ("pause", "step", "resume"))
    assert "paused" in seen


def answering(agent, words, asked):
    """Answer questions with *words* in turn, the last of them again and again."""

    def react(progress):
        if progress.status == "asking" and progress.question:
            asked.append(progress.question)
            answer = words.pop(0) if len(words) > 1 else words[0]
            reply = agent.steering.answer(answer)
            assert reply.success == (answer in ("yes", "no"))

    return react


def test_each_action_waits_for_a_yes_where_actions_are_confirmed(agent):
    agent.steering.confirms = True
    asked = []
    end, client = carry(agent, "put the mango into the fridge", answering(agent, ["yes"], asked))
    assert end.outcome == "reached"
    begun = [progress.action for progress in client.told if progress.action]
    assert [question.removeprefix("Do ").removesuffix("?") for question in asked] == list(
        dict.fromkeys(begun)
    )


def test_an_action_that_is_not_allowed_does_not_begin(agent):
    agent.steering.confirms = True
    asked = []
    end, client = carry(agent, "put the mango into the fridge", answering(agent, ["yes", "no"], asked))
    assert end.outcome == "cancelled"
    assert f"{asked[1].removeprefix('Do ').removesuffix('?')} was not allowed" in end.reason
    assert not agent.workplace.context.team.alive()
    begun = {progress.action for progress in client.told if progress.action}
    assert len(begun) == 1


def test_the_world_is_checked_once_more_after_a_long_wait_for_a_yes(agent):
    agent.steering.confirms = True
    asked = []

    def react(progress):
        if progress.status == "asking":
            asked.append(progress.question)
            if "pick" in progress.question and len(asked) == 2:
                agent.carrier.session.strike("move mango1 table2")
                helper.start()
            else:
                agent.steering.answer("yes")

    def wait_and_allow():
        session = agent.carrier.session
        ticks = session.ticks
        until(lambda: session.ticks > ticks + 50, "some ticks")
        agent.steering.answer("yes")

    helper = threading.Thread(target=wait_and_allow)
    end, client = carry(agent, "put the mango into the fridge", react)
    helper.join(60)
    assert end.outcome == "reached"
    picks = [progress.action for progress in client.told if progress.action.startswith("pick(")]
    assert picks == ["pick(robot1, left_hand, mango1, table2)"]


def test_another_instruction_takes_the_place_of_the_first(agent):
    said = []

    def react(progress):
        if progress.action and not said:
            said.append(agent.steering.revise("put the mango onto table2"))

    end, _ = carry(agent, "put the mango into the fridge", react)
    assert said[0].success
    assert end.outcome == "reached"
    assert agent.workplace.context.belief.snapshot().placement("rests", "mango1")[-1] == "table2"


def test_nothing_can_be_steered_while_nothing_is_done(agent):
    steering = agent.steering
    replies = [
        steering.pause(),
        steering.resume(),
        steering.step(),
        steering.answer("yes"),
        steering.revise("stop"),
    ]
    assert [reply.success for reply in replies] == [False] * 5
    assert all(reply.message for reply in replies)


def test_an_answer_takes_a_question(agent):
    replies = []

    def react(progress):
        if not replies:
            replies.append(agent.steering.answer("the left one"))
            replies.append(agent.steering.revise("  "))

    carry(agent, "put the mango into the fridge", react)
    assert [reply.success for reply in replies] == [False, False]
    assert "asked" in replies[0].message


PLACES = ("table1", "table2")


class TwoReadings:
    """Understands an instruction in two ways."""

    def understand(self, instruction, situation):
        types = {name: entity.best_class for name, entity in situation.beliefs.entities().items()}
        goals = [parse_goal(f"(on mango1 {place})", situation.domain, types).formula for place in PLACES]
        readings = tuple(map(Reading, goals, ("the first table", "the second table")))
        return Understanding(goals[0], instruction, readings=readings)


def test_a_question_is_told_and_answered(agent, monkeypatch):
    monkeypatch.setattr(agent.workplace, "_reasoner", TwoReadings())
    replies, asked = [], []

    def react(progress):
        if progress.question and not replies:
            asked.append(progress)
            replies.append(agent.steering.answer("the second one"))

    end, _ = carry(agent, "put the mango on the table", react)
    assert asked[0].status == "asking"
    assert asked[0].question == "Which do you mean: the first table or the second table?"
    assert replies[0].success
    assert end.outcome == "reached"
    assert agent.workplace.context.belief.snapshot().placement("rests", "mango1")[-1] == "table2"


def test_what_a_mistake_of_the_agent_does_is_an_end_too(agent, monkeypatch):
    def broken(*arguments, **more):
        raise RuntimeError("a mistake")

    monkeypatch.setattr(agent.workplace, "session", broken)
    end, _ = carry(agent, "put the mango into the fridge")
    assert (end.outcome, end.reason) == ("error", "RuntimeError: a mistake")
    assert agent.desk.wait_until_idle(0)


def test_it_serves_until_told_to_end(agent):
    ended, after = threading.Event(), []
    jobs = [
        Job(Wish("put the mango into the fridge"), Client()),
        Job(Wish("put the mango onto table2"), Client()),
    ]
    for job in jobs:
        agent.desk.put(job)
    ended.set()
    agent.carrier.serve(ended, lambda: after.append(len(after)))
    assert [job.client.ends[0].outcome for job in jobs] == ["reached", "reached"]
    assert after == [0, 1]


def test_a_person_takes_the_robot_over_and_gives_it_back():
    agent = make_agent(recorded=True)
    steering, told = agent.steering, []

    def react(progress):
        told.append(progress)
        world = agent.workplace.context
        if progress.action and not steering.taken and not replies:
            replies.append(steering.take_over())
            replies.append(steering.take_over())
        elif progress.status == "handed-over":
            assert not world.team.alive()
            assert not progress.action
            agent.carrier.session.strike("move mango1 table2")
            replies.append(steering.give_back())
            replies.append(steering.give_back())

    replies = []
    end, _ = carry(agent, "put the mango into the fridge", react)
    assert end.outcome == "reached"
    assert [reply.success for reply in replies] == [True, False, True, False]
    kinds = [(event.kind, event.data) for event in events(RunStore().open(end.run))]
    back = next(place for place, (kind, data) in enumerate(kinds) if "given back" in data.get("why", ""))
    assert kinds[back][0] == "look.started"
    assert any(kind == "plan.made" for kind, _ in kinds[back:]), "it plans anew"
    assert not any(kind == "action.intent" for kind, _ in kinds[handed_over(kinds) : back])
    picked = [data["action"]["arguments"] for kind, data in kinds[back:] if kind == "action.intent"]
    assert any("table2" in arguments for arguments in picked)


def handed_over(kinds):
    return next(
        place for place, (kind, data) in enumerate(kinds) if "takes the robot over" in data.get("text", "")
    )


def test_a_goal_that_comes_while_a_person_has_the_robot_waits():
    agent = make_agent()
    agent.steering.take_over()

    def react(progress):
        if progress.status == "handed-over":
            agent.steering.give_back()
        elif agent.steering.taken:
            assert not progress.action

    end, client = carry(agent, "put the mango into the fridge", react)
    assert [progress.status for progress in client.told[:3]] == ["working", "handed-over", "working"]
    assert end.outcome == "reached"


def test_a_goal_is_cancelled_while_a_person_has_the_robot():
    agent = make_agent()
    agent.steering.take_over()
    job = Job(Wish("put the mango into the fridge"), Client(lambda progress: agent.desk.cancel(job)))
    agent.desk.put(job)
    agent.carrier.carry_out(agent.desk.take(0))
    assert job.client.ends[0].outcome == "cancelled"


def test_a_paused_robot_can_be_taken_over(agent):
    replies = []

    def react(progress):
        if progress.action and not replies:
            replies.append(agent.steering.pause())
        elif progress.status == "paused":
            replies.append(agent.steering.take_over())
        elif progress.status == "handed-over":
            replies.append(agent.steering.give_back())

    end, _ = carry(agent, "put the mango into the fridge", react)
    assert end.outcome == "reached"
    assert len(replies) == 3
    assert all(reply.success for reply in replies)


def test_what_watches_over_the_robot_hears_of_every_tick_and_of_an_idle_agent(agent):
    beats = []
    agent.workplace.beat = lambda: beats.append(agent.carrier.session)
    ended, heard = threading.Event(), []
    thread = threading.Thread(target=agent.carrier.serve, args=(ended,))
    thread.start()
    try:
        until(lambda: len(beats) >= 3, "beats with nothing to do")
        heard += beats
        job = Job(Wish("put the mango into the fridge"), Client())
        agent.desk.put(job)
        until(lambda: job.client.ends, "the end of the goal")
    finally:
        ended.set()
        thread.join()
    session = agent.carrier.session
    assert heard == [None] * len(heard)
    assert beats.count(session) >= session.ticks
