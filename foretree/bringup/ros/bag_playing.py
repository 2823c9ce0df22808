"""Playing a bag to the senses of a robot file: alone, or with the agent of the run that it is of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from textwrap import shorten

from foretree.bringup.resume import recorded_request, said_in, start_of
from foretree.bringup.ros.carrying.steering import Steering
from foretree.bringup.ros.carrying.workplace import RobotLink, open_with_robot
from foretree.config import ConfigError, find_config
from foretree.robots.ros.bags.reader import Bag
from foretree.robots.ros.bags.replay import (
    PlayedTransforms,
    ReplayClock,
    ReplayDivergedError,
    ReplayedRobot,
    play,
)
from foretree.robots.ros.robot_file import RobotFile, load_robot_file
from foretree.robots.ros.senses.message_senses import MessageSenses, SensingRobot
from foretree.runs.encoding import canonical, without_wall
from foretree.runs.events import Event, Tape
from foretree.runs.reader import events
from foretree.runs.store import Run
from foretree.simulation.household.scene_file import load_scene, scene_domain
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.facts import best_of, show_atom
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.observation import Observation

#: Events of a record that are decisions of the agent, and those that are what it believed when.
_DECISIONS = ("plan.made", "action.intent", "action.ended", "action.skipped", "revision.made")
_BELIEFS = ("belief.changed", "entity.changed", "discrepancy.found")


def played_lines(bag: Path, robot: str, scene: str = "") -> Iterator[str]:
    """Play a bag to a robot's senses; yield a line for each thing that they observe, then their trouble.

    Args:
        bag: an MCAP file, or a folder of rosbag2.
        robot: the robot file's name or path.
        scene: the scene whose map the robot has; without one, it knows no places.

    Raises:
        ForetreeError: a file makes no sense.
    """
    file = load_robot_file(robot)
    if file.senses is None:
        raise ConfigError(f"The robot file of {file.robot} has no section senses (docs/senses.md).")
    places = _places(scene) if scene else None
    opened, made = Bag(bag), _Made(file, places)
    for time, observed in _replayed(opened, file, made) if opened.marks() else play(opened, made.plain):
        for one in observed:
            yield from (f"{time:9.2f}  {line}" for line in observation_lines(one))
        made.note_trouble()
    yield from sorted(made.trouble)


def replay_run(bag: Path, robot: str, run: Run) -> str:
    """Have an agent go through a run once more, with what its robot saw and felt; return what came of it.

    The agent's settings, what people said and what models answered are those of the record. The run has to be
    the first one that its agent carried out: what was believed before it is not on record.

    Args:
        bag: the bag of the run.
        robot: the robot file's name or path.
        run: the run.

    Raises:
        ReplayDivergedError: the agent decides otherwise than is on record; in simulated time also, if it
            believes otherwise. The message says where.
        ForetreeError: a file makes no sense.
    """
    file, recorded = load_robot_file(robot), list(events(run))
    request = recorded_request(start_of(recorded), recorded)
    opened, scene = Bag(bag), str(request.scene)
    clock = ReplayClock(simulated=opened.properties.get("clock") == "simulated")
    made = _Made(file, _places(scene))
    played = ReplayedRobot(file.robot, file.hands, opened, clock, made.with_transforms)
    workplace = open_with_robot(RobotLink(played, clock), scene, request.options)
    attended = bool(start_of(recorded).data.get("attended"))
    session = workplace.session(request.wish, Steering(), attended=attended)
    workplace.context.name = run.id
    tape = Tape()
    workplace.record_to(tape)
    said = said_in(recorded)
    while session.result is None:
        for utterance in said.pop(session.ticks + 1, ()):
            session.say(*utterance)
        session.step()
    if (error := session.result.error) is not None:
        raise error.__cause__ if isinstance(error.__cause__, ReplayDivergedError) else error
    kinds = (*_DECISIONS, *_BELIEFS) if clock.simulated else _DECISIONS
    for was, now in zip_longest(_of_kinds(recorded, kinds), _of_kinds(tape.events, kinds)):
        if was != now:
            raise ReplayDivergedError(f"On record is {_shown(was)}; this time it is {_shown(now)}.")
    counts = Counter(event.kind for event in recorded)
    return (
        f"As in run {run.id}: {session.ticks} ticks, {counts['belief.changed']} changes of belief, "
        f"{counts['action.intent']} actions, {counts['revision.made']} revisions."
    )


def _of_kinds(recorded: Iterable[Event], kinds: Collection[str]) -> Iterator[str]:
    """Iterate over events of these kinds, each with all that it says but real time, as text."""
    for event in recorded:
        if event.kind in kinds:
            said = {key: value for key, value in event.data.items() if key not in ("seconds", "search")}
            yield f"{event.kind} {canonical(without_wall(said))}"


def _shown(said: str | None) -> str:
    return "nothing more" if said is None else shorten(said, 300)


def observation_lines(seen: Observation) -> Iterator[str]:
    """Return what an observation says, a line for each part."""
    classes = {one.id: best_of(one.classes) for one in seen.detections}
    for one in seen.detections:
        best = classes[one.id]
        at = ", ".join(f"{value:.2f}" for value in one.pose)
        rests = f", {one.rests[0]} {classes[one.rests[1]]}" if one.rests is not None else ""
        held = "".join(f", in {hand[1]}" for hand in seen.held.get(one.id, ()))
        yield f"{seen.source} {best} {one.classes[best]:.2f} at {at}{rests}{held}"
    for region in seen.covered:
        yield f"{seen.source} all that is {region.relation} {classes[region.support]}"
    for atom, holds in seen.body.items():
        yield show_atom(atom) if holds else f"(not {show_atom(atom)})"
    for (one_end, other), free in seen.passable.items():
        yield f"the way {one_end} - {other} is {'free' if free else 'blocked'}"


class _Made:
    """Makes the senses, and notes what is the matter with their messages."""

    def __init__(self, file: RobotFile, places: PlaceGraph | None) -> None:
        self._file = file
        self._robot = SensingRobot.of(file, places)
        self._senses: MessageSenses | None = None
        self.trouble: dict[str, None] = {}

    def plain(self, clock: ReplayClock, zero: int) -> MessageSenses:
        return self.with_transforms(clock, zero, PlayedTransforms())

    def with_transforms(self, clock: ReplayClock, zero: int, transforms: PlayedTransforms) -> MessageSenses:
        assert self._file.senses is not None
        self._senses = MessageSenses(self._file.senses, self._robot, clock, zero, transforms)
        return self._senses

    def note_trouble(self) -> None:
        if self._senses is not None:
            for status in self._senses.status():
                if not status.ok and "silent" not in status.text and "nothing has come" not in status.text:
                    self.trouble[f"{status.name}: {status.text}"] = None


def _replayed(bag: Bag, file: RobotFile, made: _Made) -> Iterator[tuple[float, list[Observation]]]:
    """Play the bag of a run, tick by tick as it was."""
    clock = ReplayClock(simulated=True)
    robot = ReplayedRobot(file.robot, file.hands, bag, clock, made.with_transforms)
    while not robot.is_over:
        observed = robot.observations()
        yield clock.now(), observed
        robot.skip()


def _places(scene: str) -> PlaceGraph:
    path = find_config("scenes", scene)
    return load_scene(path, load_catalogue(scene_domain(path)).ontology).places
