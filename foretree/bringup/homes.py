"""Sessions in grid homes, of which the robot is told nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any, get_args

from foretree.agent.context import AgentContext
from foretree.agent.discovery.missing_objects import all_wanted
from foretree.agent.discovery.topological_map import TopologicalMap
from foretree.agent.learning.learner import Learner
from foretree.bringup._assembly import Assembly
from foretree.bringup.options import Options, Wish
from foretree.clock import Clock
from foretree.config import ConfigError
from foretree.errors import suggest
from foretree.perception.eyes import Eyes, open_eyes
from foretree.perception.gallery import own_gallery_path
from foretree.perception.relations import AffordedBearing
from foretree.planning.maps.navigation import find_navigation
from foretree.reasoning.reasoner import Reasoner
from foretree.runs.events import Recorder
from foretree.simulation.grid_homes.body.body import GridBody
from foretree.simulation.grid_homes.body.remote_body import RemoteBody
from foretree.simulation.grid_homes.episode import EpisodeSpec
from foretree.simulation.grid_homes.goals import Evaluation, evaluate
from foretree.simulation.grid_homes.layouts.geometry import CELL
from foretree.simulation.grid_homes.layouts.layout import Layout
from foretree.simulation.grid_homes.layouts.spawning import Mode
from foretree.simulation.grid_homes.surprises import HomeSurprises
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue
from foretree.skills.embodied.body import Body
from foretree.skills.embodied.body_robot import BodyRobot
from foretree.skills.embodied.senses import FrameInterpreter
from foretree.trees.session import Session
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity, Hand, hand_free, has_hand
from foretree.world_model.likely_places import load_likely_places
from foretree.world_model.maps.places import PlaceGraph

#: The domain of homes, and the type of the furniture in it.
DOMAIN, FURNITURE = "home", "asset"
#: The agent's file, unless another is asked for.
AGENT = "homes"
#: The robot and its hand, as the agent calls them.
HAND: Hand = ("robot1", "hand")
#: Values of a home that can be set for one run, and their types.
_KINDS: Mapping[str, Callable[[str], Any]] = {
    "things": int,
    "mode": str,
    "noise": float,
    "persistence": float,
}


@dataclass(frozen=True)
class HomeWorld:
    """The home of a session: its robot, and the truth for who judges the run.

    Attributes:
        episode: what the home was drawn from.
        body: the body that the robot steers.
        robot: the robot.
    """

    episode: EpisodeSpec
    body: Body
    robot: BodyRobot

    @property
    def illegal(self) -> Sequence[object]:
        """Every control that was refused; none if the home is in another process."""
        return self.body.rules.log.refused if isinstance(self.body, GridBody) else ()

    def judge(self) -> Evaluation | None:
        """Evaluate the episode's task in truth; None without a task, or if the home is in another process."""
        task = self.episode.task()
        if task is None or not isinstance(self.body, GridBody):
            return None
        return evaluate(self.body.rules.home, task)

    def close(self) -> None:
        """End the body's process, if it has one of its own."""
        if isinstance(self.body, RemoteBody):
            with suppress(Exception):
                self.body.close()


def open_home(
    episode: EpisodeSpec,
    wish: Wish,
    options: Options | None = None,
    *,
    remote: bool = False,
    recorder: Recorder | None = None,
    clock: Clock | None = None,
    catalogue: Catalogue | None = None,
    reasoner: Reasoner | None = None,
    eyes: Callable[[Body], FrameInterpreter] | None = None,
    learns: bool = False,
    body: Body | None = None,
) -> tuple[Session, HomeWorld]:
    """Return a session in a grid home, ready to run, and its world.

    The agent is told nothing of the home: neither what is in it, nor where one can go.

    Args:
        episode: what the home is drawn from.
        wish: what is asked for.
        options: how the session is set up; its seed is the episode's, whatever it says.
        remote: whether the body lives in a process of its own, so that nothing but frames gets here.
        recorder: takes the run down; by default it is not recorded.
        clock: by default simulated time.
        catalogue: what the robot can do; by default what it can in the domain ``home``.
        reasoner: understands instructions; by default the one for direct commands.
        eyes: makes the robot's eyes; by default those of ``configs/homes/eyes.yaml``, which know the
            pictures that past runs have kept.
        learns: whether this run, too, teaches later ones where things are and how they look. Otherwise what
            is known stays as it is.
        body: the body in the home, if it is somewhere else: behind ROS, say. By default a new one here.

    Raises:
        ForetreeError: a file, a setting, the episode or the goal makes no sense.
    """
    assembly = Assembly(options or Options(agent=AGENT), recorder, clock)
    episode = _changed(episode, assembly.in_scene)
    catalogue = catalogue or load_catalogue(DOMAIN, changes=assembly.in_skills)
    if body is None:
        body = RemoteBody(episode.maker, asdict(episode)) if remote else episode.open()
    see = eyes(body) if eyes is not None else _eyes(body, catalogue, frozen=not learns)
    settings = assembly.config.settings
    guarded = "appearance" in settings.guards
    robot = BodyRobot(body, see, assembly.clock, careful=settings.careful or guarded, sides=guarded)
    context = assembly.context(
        robot,
        catalogue,
        _belief(catalogue, robot),
        PlaceGraph(),
        discovered={FURNITURE},
        place=episode.layout,
    )
    _survey(context, robot, see, learns)
    wish = assembly.heard(context, wish)
    mission = assembly.mission(context, wish)
    if mission.goal is not None:
        # An instruction about all pans implies that there is one.
        mission.wanted = tuple(dict.fromkeys([*mission.wanted, *all_wanted(mission.goal)]))
    header = {
        "seed": episode.seed,
        "home": _plain(asdict(episode)),
        "floor": home_floor(episode.floor_plan()),
        **({"learns": True} if learns else {}),
    }
    session = assembly.session(context, mission, episode.layout, reasoner, wish, header)
    if isinstance(body, GridBody):
        session.strike = _surprises(assembly, body, context)
    return session, HomeWorld(episode, body, robot)


def _surprises(assembly: Assembly, body: GridBody, context: AgentContext) -> Callable[[str], None]:
    """Return what lets something happen in the home that a body is in, and puts it on record."""
    surprises = HomeSurprises(body.rules, lambda: context.tracker.belief.entities())

    def strike(line: str) -> None:
        surprises.strike(line)
        assembly.recorder.record("fault.injected", what=line)

    return strike


def home_floor(layout: Layout) -> dict[str, Any]:
    """Floor, walls and names of rooms, as they are, for a viewer of the run: the agent is not told."""
    rooms = ((room.kind, (room.x0 + room.x1) / 2, (room.y0 + room.y1) / 2) for room in layout.rooms)
    return {
        "ground": [list(map(list, strip)) for strip in layout.floor_strips()],
        "walls": [list(map(list, strip)) for strip in layout.wall_strips()],
        "names": [{"name": kind, "at": [x * CELL, y * CELL]} for kind, x, y in rooms],
    }


def _survey(context: AgentContext, robot: BodyRobot, see: FrameInterpreter, learns: bool) -> None:
    """Have the map follow what the robot sees, and what it finds out kept for later runs if it *learns*."""
    likely = context.tracker.likely = load_likely_places(frozen=not learns)
    navigation = find_navigation(context.catalogue.domain)
    moves = navigation.moves if navigation is not None else {}
    context.topological_map = TopologicalMap(
        context.tracker,
        context.places,
        robot,
        robot.senses,
        context.executive,
        context.task.price,
        context.clock.now,
        moves,
        likely,
    )
    if learns:
        gallery = see.gallery if isinstance(see, Eyes) else None
        context.learner = Learner(context, robot.senses, likely, gallery)


def open_named_home(
    layout: str,
    wish: Wish,
    options: Options,
    *,
    recorder: Recorder | None = None,
    clock: Clock | None = None,
    learns: bool = False,
) -> tuple[Session, HomeWorld]:
    """A session in the home of a layout, ``l_kitchen/3``, with whatever the options' seed puts into it.
    If it *learns*, later runs know what it has found out.

    Raises:
        ForetreeError: there is no such layout, or a setting or the goal makes no sense.
    """
    if options.faults:
        raise ConfigError("Faults are for scenes: in homes, chance decides what goes wrong.")
    episode = EpisodeSpec(layout, options.seed)
    return open_home(episode, wish, for_home(options), recorder=recorder, clock=clock, learns=learns)


def for_home(options: Options) -> Options:
    """Return *options* with the agent for homes, unless they name another one than the usual."""
    return replace(options, agent=AGENT) if options.agent == "default" else options


def _changed(episode: EpisodeSpec, changes: Mapping[str, str]) -> EpisodeSpec:
    """*episode* with what is set for one run: ``scene.noise=0``.

    Raises:
        ConfigError: there is no such thing to set, or the value makes no sense.
    """
    for key, text in changes.items():
        if key not in _KINDS:
            raise ConfigError(f"--set scene.{key}: of a home there is no {key!r}. {suggest(key, _KINDS)}")
        try:
            value = _KINDS[key](text)
        except ValueError:
            kind = "a whole number" if _KINDS[key] is int else "a number"
            raise ConfigError(f"--set scene.{key}: it must be {kind}, not {text!r}.") from None
        if key == "mode" and value not in get_args(Mode):
            raise ConfigError(f"--set scene.mode: there is no mode {text!r}. {suggest(text, get_args(Mode))}")
        episode = replace(episode, **{key: value})
    return episode


def _eyes(body: Body, catalogue: Catalogue, frozen: bool) -> FrameInterpreter:
    bearing = AffordedBearing(catalogue.ontology)
    return open_eyes(body.lens, bearing, hand=HAND, own=own_gallery_path(), frozen=frozen)


def _belief(catalogue: Catalogue, robot: BodyRobot) -> Belief:
    """The belief before anything was seen: that there is a robot, and that it has hands."""
    belief = Belief(catalogue.vocabulary)
    for name, class_name in ((robot.name, "robot"), *((hand, "hand") for hand in robot.hands)):
        entity = Entity(name, {class_name: 1.0}, fixed=True)
        add_entity(belief, catalogue.ontology, entity, time=0.0, source="map")
    for hand in robot.hands:
        belief.tell(has_hand((robot.name, hand)), source="map")
        belief.tell(hand_free((robot.name, hand)), source="map")
    return belief


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: dict(value) if isinstance(value, Mapping) else value for key, value in data.items()}
