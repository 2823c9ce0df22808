"""Sessions in grid homes: a body that nobody has told anything, and a judge who knows the truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any, get_args

from foretree.agent.context import AgentContext
from foretree.agent.learning import Learner
from foretree.agent.missing_objects import all_wanted
from foretree.agent.mission import Mission
from foretree.agent.topological_map import PlacePrior, TopologicalMap
from foretree.bringup.embedded import (
    Options,
    Wish,
    by_file,
    make_improver,
    make_revisers,
    read_wish,
    run_header,
)
from foretree.clock import Clock, SimulatedClock
from foretree.config import ConfigError
from foretree.errors import suggest
from foretree.perception.eye_settings import open_eyes
from foretree.perception.eyes import Eyes
from foretree.perception.gallery import own_gallery_path
from foretree.perception.relations import AffordedBearing
from foretree.planning.maps.navigation import find_navigation
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.reasoner import Reasoner
from foretree.runs.events import Recorder, Silent
from foretree.simulation.grid_homes.body.body import GridBody
from foretree.simulation.grid_homes.body.remote_body import RemoteBody
from foretree.simulation.grid_homes.episode import EpisodeSpec, open_episode
from foretree.simulation.grid_homes.evaluation import Evaluation, evaluate
from foretree.simulation.grid_homes.layouts.spawning import Mode
from foretree.skills.catalogue import Catalogue, load_catalogue
from foretree.skills.embodied.body import Body
from foretree.skills.embodied.body_robot import BodyRobot
from foretree.skills.embodied.senses import FrameInterpreter
from foretree.trees.agent_tree import build_agent, read_agent
from foretree.trees.session import Session
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entities import Entity
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.builtin_predicates import Hand, hand_free, has_hand
from foretree.world_model.likely_places import LikelyPlaces, load_likely_places
from foretree.world_model.maps.places import PlaceGraph

#: What can be done in homes, and what of it stands where it stands.
DOMAIN, FURNITURE = "home", "asset"
#: The agent's file, unless another is asked for.
AGENT = "homes"
#: The robot and its hand, as the agent calls them.
HAND: Hand = ("robot1", "hand")
#: What can be set of a home for one run, and what it is.
_KINDS: Mapping[str, Callable[[str], Any]] = {"things": int, "mode": str, "noise": float}
_MAKER = f"{open_episode.__module__}:{open_episode.__name__}"


class HomeWorld:
    """The home of a session: what the robot is, and for judges, what is true.

    Attributes:
        episode: what the home was drawn from.
        body: the body that the robot steers.
        robot: the robot.
    """

    def __init__(self, episode: EpisodeSpec, body: Body, robot: BodyRobot) -> None:
        self.episode = episode
        self.body = body
        self.robot = robot

    @property
    def illegal(self) -> Sequence[object]:
        """Every control that was refused; none if the home is in another process."""
        return self.body.rules.log.refused if isinstance(self.body, GridBody) else ()

    def judge(self) -> Evaluation | None:
        """What has come of the episode's task in truth; None if it has none, or the home is in another
        process."""
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
    likely: PlacePrior | None = None,
    learns: bool = False,
) -> tuple[Session, HomeWorld]:
    """A session in a grid home, ready to run, and its world.

    The agent is told nothing of the home: neither what is in it, nor where one can go.

    Args:
        episode: what the home is drawn from.
        wish: what is asked for.
        options: how the session is set up; its seed is the episode's, whatever it says.
        remote: whether the body lives in a process of its own, so that nothing but frames gets here.
        recorder: takes the run down; by default nobody does.
        clock: by default simulated time.
        catalogue: what the robot can do; by default what it can in the domain ``home``.
        reasoner: understands instructions; by default the one for direct commands.
        eyes: makes the robot's eyes; by default those of ``configs/homes/eyes.yaml``, which know the
            pictures that past runs have kept.
        likely: knows where things usually are; by default what people expect, and what past runs have found.
        learns: whether this run, too, teaches later ones where things are and how they look. Otherwise what
            is known stays as it is.

    Raises:
        ForetreeError: a file, a setting, the episode or the goal makes no sense.
    """
    options = options or Options(agent=AGENT)
    in_scene, in_skills = by_file(options.changes)
    episode = _changed(episode, in_scene)
    config = read_agent(options.agent, options.overrides)
    catalogue = catalogue or load_catalogue(DOMAIN, changes=in_skills)
    clock = clock or SimulatedClock()
    recorder = recorder or Silent()
    body: Body = RemoteBody(_MAKER, asdict(episode)) if remote else episode.open()
    see = eyes(body) if eyes is not None else _eyes(body, catalogue, frozen=not learns)
    careful = config.settings.careful or "appearance" in config.settings.guards
    robot = BodyRobot(body, see, clock, careful=careful)
    places = PlaceGraph()
    context = AgentContext(
        robot,
        catalogue,
        _belief(catalogue, robot),
        places,
        clock,
        recorder,
        config.settings,
        make_revisers(config, clock, catalogue, recorder),
        improver=make_improver(config, clock),
        discovered={FURNITURE},
    )
    likely = likely or load_likely_places(frozen=not learns)
    navigation = find_navigation(catalogue.domain)
    context.topological_map = TopologicalMap(
        context.belief,
        context.tracker,
        places,
        robot,
        robot.senses,
        context.executive,
        context.task.price,
        clock.now,
        navigation.moves if navigation is not None else {},
        likely,
    )
    if learns:
        context.learner = Learner(
            context,
            robot.senses,
            likely if isinstance(likely, LikelyPlaces) else None,
            see.gallery if isinstance(see, Eyes) else None,
        )
    # A goal is read here, so that a mistake in it is an error before anything begins.
    mission = read_wish(context, wish) if wish.goal else Mission(wish.instruction)
    if mission.goal is not None:
        # Whoever speaks of all pans knows of one.
        mission.wanted = tuple(dict.fromkeys([*mission.wanted, *all_wanted(mission.goal)]))
    root = build_agent(config, context, mission, reasoner or CommandReasoner())
    header = run_header(wish, episode.layout, robot.name, config, options)
    header.update(seed=episode.seed, home=_plain(asdict(episode)), **({"learns": True} if learns else {}))
    return Session(context, root, mission, header), HomeWorld(episode, body, robot)


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
    if options.agent == "default":
        options = replace(options, agent=AGENT)
    episode = EpisodeSpec(layout, options.seed)
    return open_home(episode, wish, options, recorder=recorder, clock=clock, learns=learns)


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
    """What the agent believes before it has seen anything: that it has a body."""
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
