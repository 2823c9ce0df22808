"""Sessions in embedded worlds: a household from a scene file, or the world of a PDDL task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from foretree.agent.agent_file import AgentConfig
from foretree.agent.context import AgentContext
from foretree.agent.mission import Mission
from foretree.bringup._assembly import Assembly, lasting_name
from foretree.bringup.options import Options, Wish
from foretree.bringup.understanding import read_constraints
from foretree.clock import Clock, WallClock
from foretree.config import ConfigError, find_config
from foretree.config_cache import cached
from foretree.planning.pddl.parser import read_domain, read_problem
from foretree.planning.semantics.axioms import without_axioms
from foretree.reasoning.reasoner import Reasoner
from foretree.runs.events import Recorder
from foretree.simulation.household.initial_belief import initial_belief
from foretree.simulation.household.scene import RobotBody, Scene
from foretree.skills.capabilities import Capabilities, Helper, capabilities
from foretree.skills.catalogue import Catalogue
from foretree.trees.session import Result, Session
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Entity
from foretree.world_model.maps.building_map import openings
from foretree.world_model.maps.places import PlaceGraph

if TYPE_CHECKING:
    from foretree.simulation.household.world import HouseholdWorld
    from foretree.simulation.pddl_world.world import PddlWorld
    from foretree.skills.robot import Robot

#: How far to plan for a PDDL task, at least, unless an option says otherwise.
_PDDL_LIMITS = {"expansions": 5_000_000, "actions": 1_000_000}


def run(instruction: str, scene: str | Scene = "kitchen", **options: Any) -> Result:
    """Carry out an instruction in a household scene, in simulated time, and return its result.

    Args:
        instruction: what is asked for.
        scene: the scene's name, or the path of its file, or the scene itself.
        options: the fields of :class:`Options`.

    Raises:
        ForetreeError: a file, a setting or a fault makes no sense.
    """
    session, _ = open_household(scene, Wish(instruction), Options(**options))
    return session.run()


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
    """Return a session in a household scene, ready to run, and its world.

    Args:
        scene: the scene's name, or the path of its file, or the scene itself.
        wish: what is asked for.
        options: how it is set up.
        recorder: takes the run down; by default it is not recorded.
        clock: by default simulated time.
        catalogue: what the robot can do; by default what it can in the scene's domain, with the changes in
            *options*.
        reasoner: understands instructions; by default the one for direct commands.

    Raises:
        ForetreeError: a file, a setting, a fault or the goal makes no sense.
    """
    assembly = Assembly(options, recorder, clock)
    context, world = _household(assembly, scene, catalogue)
    session = _session(assembly, context, wish, scene, reasoner, floor_of(world.scene))
    session.strike = world.strike
    return session, world


def embedded_context(
    scene: str | Scene,
    options: Options | None = None,
    *,
    recorder: Recorder | None = None,
    clock: Clock | None = None,
    catalogue: Catalogue | None = None,
) -> tuple[AgentContext, HouseholdWorld]:
    """Return what a plan node in a tree of your own needs to act in a household scene, and its world.

    The arguments are those of :func:`open_household`. Your own loop ticks the tree and moves the clock on.

    Raises:
        ForetreeError: a file, a setting or a fault makes no sense.
    """
    return _household(Assembly(options, recorder, clock), scene, catalogue)


def plan_household(scene: str, wish: Wish, options: Options | None = None) -> Session | None:
    """Return a session to plan for, not to run, in a household scene; None if the scene has faults to inject.

    Raises:
        ForetreeError: a file, a setting or the goal makes no sense.
    """
    assembly = Assembly(options)
    catalogue, known = _read(assembly, scene)
    if known.faults:
        return None
    # Nothing but the names of its parts is asked of a robot that does nothing.
    context = _told_context(assembly, known, cast("tuple[Robot, ...]", known.robots), catalogue)
    return _session(assembly, context, wish, scene)


def robot_context(
    robot: Robot,
    scene: str | Scene,
    options: Options | None = None,
    *,
    recorder: Recorder | None = None,
    clock: Clock | None = None,
    catalogue: Catalogue | None = None,
) -> AgentContext:
    """Return what a plan node needs to act with a robot of your own.

    Belief and map come from a scene file: rooms, furniture, doors, where the robot is, and the items that it
    is told of. What the file says of faults and of the camera's noise has no effect. For example::

        import py_trees
        from foretree import PlanNode, Wish, make_plan, robot_context, understand

        context = robot_context(MyRobot(), "my_scene.yaml")
        goal = understand(context, Wish("put the mug on the shelf")).goal
        tree = py_trees.trees.BehaviourTree(PlanNode(context, make_plan(context, goal)))

    Args:
        robot: your robot.
        scene: the scene's name, or the path of its file, or the scene itself.
        options: how it is set up.
        recorder: takes the run down; by default it is not recorded.
        clock: by default real time.
        catalogue: what the robot can do; by default what it can in the scene's domain.

    Raises:
        ForetreeError: a file or a setting makes no sense.
    """
    return _with_robot(Assembly(options, recorder, clock or WallClock()), robot, scene, catalogue)


def open_robot(
    robot: Robot,
    scene: str | Scene,
    wish: Wish,
    options: Options | None = None,
    *,
    recorder: Recorder | None = None,
    clock: Clock | None = None,
    reasoner: Reasoner | None = None,
) -> Session:
    """Return a session of the agent with a robot of your own, ready to run.

    The arguments are those of :func:`open_household`, and the belief that it begins with is that of
    :func:`robot_context`. For example::

        result = open_robot(MyRobot(), "my_scene.yaml", Wish("put the mug on the shelf")).run()

    Raises:
        ForetreeError: a file, a setting or the goal makes no sense.
    """
    assembly = Assembly(options, recorder, clock or WallClock())
    context = _with_robot(assembly, robot, scene)
    return _session(assembly, context, wish, scene, reasoner, own_robot=True)


def open_robots(
    robots: Sequence[Robot],
    scene: str | Scene,
    wish: Wish,
    options: Options | None = None,
    *,
    recorder: Recorder | None = None,
    clock: Clock | None = None,
    catalogue: Catalogue | None = None,
    reasoner: Reasoner | None = None,
) -> Session:
    """Return a session with the robots of a scene, wherever they are: in a simulation over ROS, say.

    The arguments are those of :func:`open_household`; the robots are all those of the scene, in its order.

    Raises:
        ForetreeError: a file, a setting or the goal makes no sense, or the scene has other robots.
    """
    assembly = Assembly(options, recorder, clock or WallClock())
    catalogue, known = _read(assembly, scene, catalogue)
    expected, there = [one.name for one in known.robots], [one.name for one in robots]
    if expected != there:
        raise ConfigError(
            f"{known.name}: the robots of the scene are {', '.join(expected)}, not {', '.join(there)}. Name "
            "the scene that the robots are in."
        )
    context = _told_context(assembly, known, robots, catalogue)
    return _session(assembly, context, wish, scene, reasoner, floor_of(known), own_robot=True)


def configured_reasoner(options: Options) -> Reasoner:
    """Return the reasoner that the agent's settings name.

    Raises:
        ForetreeError: a setting makes no sense, or names no model server where one is needed.
    """
    return Assembly(options).reasoner()


def open_pddl(
    domain: Path,
    problem: Path,
    options: Options | None = None,
    *,
    wish: Wish | None = None,
    recorder: Recorder | None = None,
    clock: Clock | None = None,
) -> tuple[Session, PddlWorld]:
    """Return a session that carries out any PDDL task in a world with the semantics of its domain.

    Args:
        domain: the domain's file.
        problem: the problem's file, which has the goal.
        options: how it is set up.
        wish: the constraints on the way, if there are any.
        recorder: takes the run down; by default it is not recorded.
        clock: by default simulated time.

    Raises:
        ForetreeError: a file, a setting or a fault makes no sense.
    """
    from foretree.simulation.pddl_world.world import PddlWorld

    assembly = Assembly(options, recorder, clock)
    options = assembly.options
    assembly.config = _for_pddl(assembly.config, options)
    if options.changes:
        raise ConfigError(
            f"--set {next(iter(options.changes))}: a PDDL task has neither a scene nor skill files; only "
            "what begins with agent. can be set."
        )
    task = read_problem(problem, read_domain(domain))
    plain = without_axioms(task)
    if not plain.domain.axioms:  # else it takes axioms anyway, and they say the most in the fewest words
        task = plain
    catalogue = Catalogue.from_domain(task.domain)
    faults = options.faults or ()
    world = PddlWorld(task, assembly.clock, faults, options.seed, on_fault=assembly.report_fault)
    belief = Belief(catalogue.vocabulary)
    for name, type_name in sorted(task.objects.items()):
        belief.put_entity(Entity(name, {type_name: 1.0}, fixed=True))
    for atom in sorted(task.init):
        belief.tell(atom, source="told")
    context = assembly.context(world.robot, catalogue, belief, PlaceGraph())
    context.task.functions = task.functions
    files = {"domain": str(domain.resolve()), "problem": str(problem.resolve())}
    wish = wish or Wish()
    mission = Mission(goal=task.goal, constraints=read_constraints(context, wish))
    session = assembly.session(context, mission, task.name, wish=wish, header=files)
    session.strike = world.strike
    session.warnings = tuple(map(str, (*task.domain.warnings, *task.warnings)))
    return session, world


def _for_pddl(config: AgentConfig, options: Options) -> AgentConfig:
    """The agent with limits for problems of any kind, where no robot stands waiting for the plan."""
    at_least = {key: max(value, getattr(config.settings, key)) for key, value in _PDDL_LIMITS.items()}
    at_least["good_expansions"] = 0  # no more than the first plan makes worth while
    at_least = {key: value for key, value in at_least.items() if key not in options.overrides}
    return replace(config, settings=replace(config.settings, **at_least))


def _household(
    assembly: Assembly, scene: str | Scene, catalogue: Catalogue | None
) -> tuple[AgentContext, HouseholdWorld]:
    from foretree.simulation.household.world import HouseholdWorld

    catalogue, scene = _read(assembly, scene, catalogue)
    options = assembly.options
    world = HouseholdWorld(scene, assembly.clock, options.faults, options.seed, assembly.report_fault)
    return _told_context(assembly, scene, world.robots, catalogue), world


def _with_robot(
    assembly: Assembly, robot: Robot, scene: str | Scene, catalogue: Catalogue | None = None
) -> AgentContext:
    catalogue, scene = _read(assembly, scene, catalogue)
    body = RobotBody(robot.name, tuple(robot.hands), scene.robot.start, scene.robot.speed)
    context = _told_context(assembly, replace(scene, robot=body, teammates=()), (robot,), catalogue)
    if not assembly.clock.simulated:
        # A real robot remembers what it was told by earlier sessions, and takes no id a second time.
        context.name = f"x{uuid4().hex[:12]}"
    return context


def _session(
    assembly: Assembly,
    context: AgentContext,
    wish: Wish,
    scene: str | Scene,
    reasoner: Reasoner | None = None,
    floor: Mapping[str, Any] | None = None,
    own_robot: bool = False,
) -> Session:
    named = lasting_name(scene) if isinstance(scene, str) else scene.name
    header = {**({"floor": floor} if floor else {}), **({"own_robot": True} if own_robot else {})}
    wish = assembly.heard(context, wish)
    return assembly.session(context, assembly.mission(context, wish), named, reasoner, wish, header)


def floor_of(scene: Scene) -> dict[str, Any]:
    """Return rooms, doors and open passages of a scene, so that a viewer of the run can draw them."""
    return {
        "rooms": [
            {"name": room.name, "low": list(room.low), "high": list(room.high)}
            for room in scene.rooms.values()
        ],
        "doors": [{"name": door.name, "at": list(door.at)} for door in scene.doors.values()],
        "passages": [[list(end) for end in gap] for gap in openings(scene.rooms, scene.places)],
    }


def _read(
    assembly: Assembly, scene: str | Scene, catalogue: Catalogue | None = None
) -> tuple[Catalogue, Scene]:
    """Return what can be done in a scene, unless it is given, and the scene."""

    def read() -> tuple[Catalogue, Scene]:
        # Imported here: the models of the files are not needed where the result is in the cache.
        from foretree.simulation.household.scene_file import load_scene, scene_domain
        from foretree.skills.catalogue_file import load_catalogue

        if isinstance(scene, Scene):
            return catalogue or load_catalogue(scene.domain, changes=assembly.in_skills), scene
        path = find_config("scenes", scene)
        known = catalogue or load_catalogue(scene_domain(path), changes=assembly.in_skills)
        return known, load_scene(path, known.ontology, assembly.in_scene)

    if catalogue or assembly.options.changes or isinstance(scene, Scene):
        return read()
    return cached(f"household {find_config('scenes', scene)}", read)


def _capabilities(catalogue: Catalogue, scene: Scene) -> Capabilities:
    """Return what the robots and people of a scene can do.

    Raises:
        CapabilityError: the scene says that they can do what nothing can.
    """
    robots = {robot.name: robot.skills for robot in scene.robots}
    people = {name: Helper(person.helps, person.cost) for name, person in scene.helpers.items()}
    return capabilities(catalogue, robots, people)


def _told_context(
    assembly: Assembly, scene: Scene, robots: Sequence[Robot], catalogue: Catalogue
) -> AgentContext:
    """Return the context of robots that were told of a scene."""
    guide = None
    if scene.building is not None:
        from foretree.agent.retrieval_guide import RetrievalGuide

        guide = RetrievalGuide(scene.building, catalogue.ontology)
    belief = initial_belief(scene, assembly.clock)
    agents = _capabilities(catalogue, scene)
    for atom in agents.facts:
        belief.tell(atom, time=assembly.clock.now(), source="map")
    context = assembly.context(
        robots[0], agents.catalogue, belief, scene.places, guide=guide, teammates=robots[1:], place=scene.name
    )
    if agents.costs:
        context.task.price({**context.task.functions, **agents.costs})
    context.tracker.note_explored(scene.explored(), assembly.clock.now())
    return context
