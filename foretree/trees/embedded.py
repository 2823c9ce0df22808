"""Sessions in embedded worlds: everything that a run without a robot needs, put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from foretree import __version__
from foretree.behaviours.mission import Mission
from foretree.behaviours.planning_service import PlanningService
from foretree.behaviours.runtime import Runtime
from foretree.clock import Clock, SimulatedClock
from foretree.config import find_config
from foretree.planning.goals import parse_goal
from foretree.planning.parser import read_domain, read_problem
from foretree.planning.syntax import Formula
from foretree.reasoning import CommandReasoner, Reasoner
from foretree.revision.planner import Replan
from foretree.revision.revision import Reviser
from foretree.revision.rules import Rules
from foretree.runs.events import Recorder, Silent
from foretree.simulation.briefing import brief
from foretree.simulation.household import HouseholdWorld
from foretree.simulation.pddl_world import PddlWorld
from foretree.simulation.scene import Scene, load_scene
from foretree.simulation.stage import Injected
from foretree.skills.catalogue import Catalogue, load_catalogue
from foretree.trees.agent import AgentConfig, build_agent, read_agent
from foretree.trees.session import Session
from foretree.world_model.belief import Belief
from foretree.world_model.entities import Entity
from foretree.world_model.places import PlaceGraph

#: A world that a session can run in.
World: TypeAlias = HouseholdWorld | PddlWorld


@dataclass(frozen=True)
class Wish:
    """What is asked for: an instruction, or a goal in PDDL."""

    instruction: str = ""
    goal: str = ""


@dataclass(frozen=True)
class Options:
    """How a session in an embedded world is set up.

    Attributes:
        agent: the agent's file.
        overrides: settings that differ from the agent's file, as text.
        faults: the fault script; None for the scene's own.
        seed: decides everything that is left to chance.
    """

    agent: str = "default"
    overrides: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] | None = None
    seed: int = 0


def open_household(
    scene: str | Scene,
    wish: Wish,
    options: Options | None = None,
    *,
    recorder: Recorder | None = None,
    clock: Clock | None = None,
    catalogue: Catalogue | None = None,
    reasoner: Reasoner | None = None,
) -> tuple[Session, HouseholdWorld]:
    """A session in a household scene, ready to run, and its world.

    Args:
        scene: the scene's name, or the path of its file, or the scene itself.
        wish: what is asked for.
        options: how it is set up.
        recorder: takes the run down; by default nobody does.
        clock: by default simulated time.
        catalogue: what the robot can do; by default the household's.
        reasoner: understands instructions; by default the one for direct commands.

    Raises:
        ForetreeError: a file, a setting, a fault or the goal makes no sense.
    """
    options = options or Options()
    config = read_agent(options.agent, options.overrides)
    clock = clock or SimulatedClock()
    recorder = recorder or Silent()
    catalogue = catalogue or load_catalogue()
    if isinstance(scene, str):
        scene = load_scene(find_config("scenes", scene), catalogue.ontology)
    world = HouseholdWorld(scene, clock, options.faults, options.seed, _reporter(recorder))
    briefing = brief(scene, clock)
    runtime = _runtime(world, catalogue, briefing.belief, briefing.places, clock, recorder, config)
    header = _header(wish, scene.name, world, config, options)
    return _session(runtime, wish, config, header, reasoner), world


def open_pddl(
    domain: Path,
    problem: Path,
    options: Options | None = None,
    *,
    recorder: Recorder | None = None,
    clock: Clock | None = None,
) -> tuple[Session, PddlWorld]:
    """A session that carries out any PDDL task in a world with the semantics of its domain.

    Raises:
        ForetreeError: a file, a setting or a fault makes no sense.
    """
    options = options or Options()
    config = read_agent(options.agent, options.overrides)
    clock = clock or SimulatedClock()
    recorder = recorder or Silent()
    task = read_problem(problem, read_domain(domain))
    catalogue = Catalogue.from_domain(task.domain)
    world = PddlWorld(task, clock, options.faults or (), options.seed, on_fault=_reporter(recorder))
    belief = Belief(catalogue.vocabulary)
    for name, type_name in sorted(task.objects.items()):
        belief.put_entity(Entity(name, {type_name: 1.0}, fixed=True))
    for atom in sorted(task.init):
        belief.tell(atom, source="told")
    places = PlaceGraph()
    runtime = _runtime(world, catalogue, belief, places, clock, recorder, config)
    runtime.task.functions = task.functions
    wish = Wish()
    header = _header(wish, f"{domain.name}, {problem.name}", world, config, options)
    session = _session(runtime, wish, config, header, None, goal=task.goal)
    return session, world


def _runtime(
    world: World,
    catalogue: Catalogue,
    belief: Belief,
    places: PlaceGraph,
    clock: Clock,
    recorder: Recorder,
    config: AgentConfig,
) -> Runtime:
    return Runtime(
        world.robot,
        catalogue,
        belief,
        places,
        clock,
        recorder,
        config.settings,
        make_revisers(config, clock),
    )


def make_revisers(config: AgentConfig, clock: Clock) -> list[Reviser]:
    """The revisers that the settings name, in their order."""
    settings = config.settings
    made: list[Reviser] = []
    for name in settings.revisers:
        if name == "rules":
            made.append(Rules())
        else:
            service = PlanningService(settings)
            made.append(Replan(service, clock, settings.planning_latency, settings.planning_patience))
    return made


def _session(
    runtime: Runtime,
    wish: Wish,
    config: AgentConfig,
    header: Mapping[str, Any],
    reasoner: Reasoner | None,
    goal: Formula | None = None,
) -> Session:
    how = "given as a PDDL problem" if goal is not None else ""
    if wish.goal:
        types = {name: entity.best_class for name, entity in runtime.belief.entities().items()}
        parsed = parse_goal(wish.goal, runtime.catalogue.domain, types)
        goal = parsed.formula
        how = "given as a goal" + (f"; {parsed.repair}" if parsed.repair else "")
    mission = Mission(wish.instruction, goal, how)
    root = build_agent(config, runtime, mission, reasoner or CommandReasoner())
    return Session(runtime, root, mission, header)


def _header(wish: Wish, scene: str, world: World, config: AgentConfig, options: Options) -> dict[str, Any]:
    settings = config.settings
    return {
        "instruction": wish.instruction,
        "goal": wish.goal,
        "scene": scene,
        "robot": world.robot.name,
        "seed": options.seed,
        "faults": list(options.faults) if options.faults is not None else None,
        "config": {name: _plain(getattr(settings, name)) for name in settings.__slots__},
        "agent": options.agent,
        "foretree": __version__,
    }


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _reporter(recorder: Recorder) -> Any:
    def report(injected: Injected) -> None:
        recorder.record("fault.injected", what=injected.what)

    return report
