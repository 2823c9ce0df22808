"""Resuming a run that was interrupted: by a crash, a power cut, ``kill -9``.

The belief comes from the record. The world of a real robot is still there; an embedded one ended with its
process, and is brought back by carrying out the recorded run once more, silently, up to its last event:
worlds are deterministic. From there on nothing differs: what was in flight is asked for by its id, its
effects are unknown, the robot looks, and the agent plans anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from py_trees.composites import Sequence as SequenceNode

from foretree.agent.agent_file import read_agent, setting_as_text
from foretree.agent.context import AgentContext
from foretree.behaviours.resume_in_flight import InFlight, ResumeInFlight
from foretree.bringup._assembly import make_adviser, make_chooser, make_reasoner, make_revisers
from foretree.bringup._recorders import RecorderRelay, RecordFollower
from foretree.bringup.options import Options, Wish
from foretree.bringup.request import Request
from foretree.clock import PacedClock
from foretree.errors import ForetreeError
from foretree.planning.plan import Action
from foretree.reasoning.models.model import Reply
from foretree.reasoning.models.record_replay import reply_from
from foretree.runs.events import Event, Recorder
from foretree.runs.reader import events as read
from foretree.runs.store import Run
from foretree.trees.agent_tree import build_agent
from foretree.trees.session import Session
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Entity, Truth, Vocabulary


class ResumeError(ForetreeError):
    """A run that cannot be resumed."""

    exit_code = 3


def reopen(
    run: Run, recorder: Recorder, ask: Callable[[str], bool] | None = None, speed: float = 0.0
) -> Session:
    """A session that goes on where *run* broke off.

    Args:
        run: an interrupted run in an embedded world.
        recorder: continues the run's record.
        ask: puts a question to a person; asked before a real robot moves.
        speed: how fast simulated time passes from there on; 0 for as fast as it goes.

    Raises:
        ResumeError: there is nothing to resume.
    """
    return reopen_events(list(read(run)), recorder, ask, speed)


def reopen_events(
    events: Sequence[Event],
    recorder: Recorder,
    ask: Callable[[str], bool] | None = None,
    speed: float = 0.0,
) -> Session:
    """The same, from the events of a record."""
    started = start_of(events)
    if started.data.get("own_robot"):
        raise ResumeError(
            "The run moved a robot of its own, and only the program that drives it can go on with that. Once "
            "the robot stands still, give its agent the instruction again: it plans from what it sees then."
        )
    relay = RecorderRelay()
    clock = PacedClock(0.0)
    session, _ = recorded_request(started, events).open(relay, clock)
    session.mission.conversation.attended = bool(started.data.get("attended"))
    begin = 0
    for position, event in enumerate(events):
        if event.kind == "session.resumed":
            _catch_up(session, relay, events[begin:position])
            session = _taken_up(session, events[:position], relay, ask, events[position:])
            begin = position
    overtaken = _catch_up(session, relay, events[begin:])
    recorder.mark(session.ticks, session.context.clock.now())
    for fault in overtaken:
        recorder.record("fault.injected", **fault)
    relay.to = recorder
    clock.speed = speed
    return _taken_up(session, events, recorder, ask)


def reopen_robot(
    events: Sequence[Event],
    open_session: Callable[[Wish, Options, Recorder], Session],
    recorder: Recorder,
    ask: Callable[[str], bool] | None = None,
) -> Session:
    """Return a session that goes on with a real robot where its record broke off.

    The robot is asked for what was in flight, by its id; what none of it knows any more is stopped. It moves
    again once a person has said yes.

    Args:
        events: the record.
        open_session: opens a session with the robot, its clock at the last event or later, recorded by the
            recorder that it is given. The session is not run: the one that is returned has its robot.
        recorder: continues the record.
        ask: puts a question to a person; without one, a real robot does not move.

    Raises:
        ResumeError: there is nothing to resume.
    """
    started = start_of(events)
    request = recorded_request(started, events)
    before = open_session(request.wish, request.options, recorder)
    now = before.context.clock.now()
    if now < events[-1].time:
        raise ResumeError(
            f"The session's clock stands at {now:g} s, before the record's last event, at "
            f"{events[-1].time:g} s."
        )
    before.ticks = events[-1].tick
    recorder.mark(before.ticks, now)
    return _taken_up(before, events, recorder, ask)


def start_of(events: Iterable[Event]) -> Event:
    """Return the event with which a record begins.

    Raises:
        ResumeError: there is none: the run broke off before.
    """
    started = next((event for event in events if event.kind == "run.started"), None)
    if started is None:
        raise ResumeError(
            "The run broke off before it had begun, so nothing has moved and there is nothing to take up. "
            "Start it anew."
        )
    return started


def recorded_request(started: Event, events: Iterable[Event]) -> Request:
    """Return what a run was asked to do and how it was set up, with what models answered in it.

    Raises:
        ResumeError: the run cannot be carried out once more from its record alone.
    """
    data = started.data
    if data.get("own_tree"):
        raise ResumeError(
            "The run is the record of a tree that a program of its own ticks, so only this program can go on "
            "with it. Start it anew."
        )
    if data.get("home"):
        raise ResumeError(
            "A run in a home cannot be taken up: the map that the robot had made of it is not on record. "
            "Start it anew."
        )
    if data.get("after"):
        raise ResumeError(
            f"A run that came after another one in the same talk ({data['after']}) cannot be taken up: how "
            "the world was when it began is not on record. Start it anew."
        )
    faults = data.get("faults")
    return Request(
        Wish(
            data["instruction"],
            data["goal"],
            tuple(data.get("constraints", ())),
            hints=tuple(data.get("hints", ())),
        ),
        data["scene"],
        Options(
            data["agent"],
            _settings(started),
            None if faults is None else tuple(faults),
            data["seed"],
            data.get("changes", {}),
            recorded_replies(events),
        ),
        Path(data["domain"]) if data.get("domain") else None,
        Path(data["problem"]) if data.get("problem") else None,
    )


def _settings(started: Event) -> dict[str, str]:
    """The settings on record, as text."""
    return {key: setting_as_text(value) for key, value in started.data["config"].items()}


def _catch_up(session: Session, relay: RecorderRelay, events: Sequence[Event]) -> Sequence[dict[str, Any]]:
    """Carry *session* on to the last of *events*, which it leaves behind.

    Returns:
        The faults that struck in the world on the way to where nothing more is on record.

    Raises:
        ResumeError: something else happens this time.
    """
    trace = RecordFollower(events)
    relay.to = trace
    last = max((event.tick for event in events), default=0)
    said = said_in(events)
    with trace.until_broken_off():
        while session.ticks < last and session.result is None:
            for utterance in said.pop(session.ticks + 1, ()):
                session.say(*utterance)
            session.step()
    if trace.difference:
        raise ResumeError(
            f"The run cannot be repeated up to where it broke off: {trace.difference}. Its scene, skills or "
            "agent have changed since, or it was recorded by another version of Foretree."
        )
    return trace.overtaken


def said_in(events: Sequence[Event]) -> dict[int, list[tuple[str, str]]]:
    """Return what people said in each tick, and who; but not what other terminals asked to have said."""
    said: dict[int, list[tuple[str, str]]] = {}
    if any(event.kind == "request.taken" and event.data["request"] == "say" for event in events):
        return said
    for event in events:
        if event.kind == "person.said":
            said.setdefault(event.tick, []).append((event.data["words"], event.data.get("by", "")))
    return said


def _taken_up(
    before: Session,
    events: Sequence[Event],
    recorder: Recorder,
    ask: Callable[[str], bool] | None,
    later: Sequence[Event] = (),
) -> Session:
    """A new agent in the world of *before*, that knows what the record says.

    What models answered in *later* events they are not asked again.
    """
    old = before.context
    times = sum(event.kind == "session.resumed" for event in events) + 1
    started = next(event for event in events if event.kind == "run.started")
    config = read_agent(started.data["agent"], _settings(started))
    from foretree.bringup._language_model import LanguageModels

    models = cache(lambda: LanguageModels(config.settings, old.clock, recorder, recorded_replies(later)))
    context = AgentContext(
        old.robot,
        old.catalogue,
        belief_from(events, old.belief.vocabulary) if before.ticks else old.belief,
        old.places,
        old.clock,
        recorder,
        old.settings,
        make_revisers(config, old.clock, models, old.catalogue),
        teammates=[member.robot for member in old.team.members[1:]],
    )
    context.adviser = make_adviser(config, models)
    context.name = f"x{times}" if old.clock.simulated else old.name
    context.task.functions = old.task.functions
    context.keep_to(before.mission.constraints)
    context.actions_named = _last_number(_action_ids(events))
    found = (event.data["id"] for event in events if event.kind == "discrepancy.found")
    context.discrepancies_named = _last_number(found)
    mission = replace(before.mission, subgoal=None, plan=None, looked_at=[], rounds=0, reason="")
    mission.conversation.question = None  # it is asked anew
    flying = in_flight(events)
    root = SequenceNode(
        name="resumed",
        memory=True,
        children=[
            ResumeInFlight(context, flying, ask),
            build_agent(
                config, context, mission, make_reasoner(config, models), make_chooser(config, models)
            ),
        ],
    )
    tick = before.ticks
    session = Session(
        context,
        root,
        mission,
        resumed={"from_tick": tick, "in_flight": [flown.action.id for flown in flying if not flown.ended]},
    )
    session.ticks = tick
    return session


def recorded_replies(events: Iterable[Event]) -> tuple[tuple[str, Reply], ...]:
    """Return the answers of models on record, by the questions' digests."""
    return tuple(
        (event.data["digest"], reply_from(event.data["reply"]))
        for event in events
        if event.kind == "model.answered"
    )


def belief_from(events: Iterable[Event], vocabulary: Vocabulary) -> Belief:
    """The belief that a record ends with."""
    belief = Belief(vocabulary)
    for event in events:
        if event.kind == "entity.changed":
            for entity in event.data["entities"]:
                pose = tuple(entity["pose"]) if entity["pose"] is not None else None
                classes = {entity["class"]: entity["score"]}
                belief.put_entity(Entity(entity["name"], classes, pose, event.time, entity["fixed"]))
        elif event.kind == "belief.changed":
            for atom, truth, confidence, source in event.data["facts"]:
                belief.tell(tuple(atom), Truth(truth), confidence=confidence, time=event.time, source=source)
    return belief


def in_flight(events: Iterable[Event]) -> list[InFlight]:
    """The actions of which the record has an intent but no end, or an end but not what was believed then."""
    flying: dict[str, InFlight] = {}
    for event in events:
        if event.kind == "action.intent":
            raw = event.data["action"]
            action = Action(raw["id"], raw["skill"], tuple(raw["arguments"]), raw["cost"])
            flying[event.data["execution"]] = InFlight(action, event.data["execution"])
        elif event.kind == "action.ended" and event.data["execution"] in flying:
            execution = event.data["execution"]
            flying[execution] = replace(flying[execution], ended=True)
        elif event.kind == "belief.changed":
            flying = {execution: flown for execution, flown in flying.items() if not flown.ended}
    return list(flying.values())


def _action_ids(events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        if event.kind in ("plan.made", "revision.made"):
            made = event.data["actions" if event.kind == "plan.made" else "added"]
            yield from (raw["id"] for raw in made)


def _last_number(names: Iterable[str]) -> int:
    """The highest number in ids such as a12 or d3."""
    return max((int(name[1:]) for name in names if name[1:].isdigit()), default=0)
