"""Sessions in embedded worlds: everything that a run without a robot needs, put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from foretree._version import __version__
from foretree.agent.context import AgentContext
from foretree.agent.mission import Mission
from foretree.agent.plan_request import NoPlanError, request_plan
from foretree.agent.planning_service import PlanningService, shared_answers
from foretree.agent.settings import SECRETS
from foretree.behaviours.understand import Understand, situation
from foretree.clock import Clock, SimulatedClock
from foretree.config import ConfigError, find_config, is_file
from foretree.config_cache import cached
from foretree.errors import takes_extra
from foretree.planning.pddl.parser import read_domain, read_problem
from foretree.planning.pddl.syntax import Formula
from foretree.planning.plan import Plan
from foretree.planning.semantics.axioms import without_axioms
from foretree.planning.task.goals import parse_goal
from foretree.reasoning.models.secrecy import address
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.reasoner import Reasoner
from foretree.revision.planner import PlannerReviser
from foretree.revision.revision import Reviser
from foretree.revision.rules.reviser import RuleReviser
from foretree.runs.events import Recorder, Silent
from foretree.simulation.household.initial_belief import initial_belief
from foretree.simulation.household.scene import Scene, load_scene, scene_domain
from foretree.skills.catalogue import Catalogue, load_catalogue
from foretree.skills.executors import find_executor
from foretree.trees.agent_tree import AgentConfig, build_agent, read_agent
from foretree.trees.plan_node import WORTHWHILE_SAVING
from foretree.trees.session import Result, Session
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entities import Entity
from foretree.world_model.maps.places import PlaceGraph

if TYPE_CHECKING:
    from foretree.agent.retrieval_guide import RetrievalGuide
    from foretree.bringup.homes import HomeWorld
    from foretree.reasoning.models.model import Reply
    from foretree.simulation.action_timing import InjectedFault
    from foretree.simulation.household.world import HouseholdWorld
    from foretree.simulation.pddl_world.world import PddlWorld
    from foretree.skills.robot import Robot

#: A world that a session can run in.
World: TypeAlias = "HouseholdWorld | PddlWorld"


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
        changes: values that differ from the scene's and the skills' files, as text, by key:
            ``scene.noise.confusion``, ``skill.pick.retries``.
        faults: the fault script; None for the scene's own.
        seed: decides everything that is left to chance.
        replies: what models have answered already, by the questions' digests; they are not asked again.
    """

    agent: str = "default"
    overrides: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] | None = None
    seed: int = 0
    changes: Mapping[str, str] = field(default_factory=dict)
    replies: tuple[tuple[str, Reply], ...] = ()


@dataclass(frozen=True)
class Request:
    """Everything that a session in an embedded world is opened from; opens as many as are wanted.

    Attributes:
        wish: what is asked for.
        scene: the scene's name, or the path of its file.
        options: how it is set up.
        domain, problem: a PDDL task instead.
        home: the layout of a grid home instead, ``l_kitchen/3``.
        learns: whether later runs in homes know what this one has found out.
    """

    wish: Wish
    scene: str = "kitchen"
    options: Options = field(default_factory=Options)
    domain: Path | None = None
    problem: Path | None = None
    home: str = ""
    learns: bool = False

    def open(
        self, recorder: Recorder | None = None, clock: Clock | None = None
    ) -> tuple[Session, World | HomeWorld]:
        """A session that is ready to run, and its world.

        Raises:
            ForetreeError: a file, a setting, a fault or the goal makes no sense.
        """
        if self.domain is not None and self.problem is not None:
            return open_pddl(self.domain, self.problem, self.options, recorder=recorder, clock=clock)
        if self.home:
            with takes_extra("homes", "Grid homes"):
                from foretree.bringup.homes import open_named_home

            return open_named_home(
                self.home, self.wish, self.options, recorder=recorder, clock=clock, learns=self.learns
            )
        return open_household(self.scene, self.wish, self.options, recorder=recorder, clock=clock)

    def open_to_plan(self) -> Session:
        """A session to plan for, not to run: where nothing is to go wrong in a scene, it needs no world.

        Raises:
            ForetreeError: as :meth:`open` does.
        """
        options = self.options
        if self.domain is not None or self.home or options.faults:
            return self.open()[0]
        config = read_agent(options.agent, options.overrides)
        catalogue, scene = _read(self.scene, options)
        if scene.faults:
            return self.open()[0]
        # Nothing but the names of its parts is asked of a robot that does nothing.
        robot = cast("Robot", scene.robot)
        context = _believing(scene, robot, catalogue, SimulatedClock(), Silent(), config, options)
        mission = read_wish(context, self.wish) if self.wish.goal else Mission(self.wish.instruction)
        return _session(context, mission, config, {})

    def check(self) -> tuple[str, ...]:
        """Find out what can be found out before anything begins or is recorded.

        Returns:
            what is odd about the files and does no harm.

        Raises:
            ForetreeError: a file, a setting, a fault or the goal makes no sense, or the instruction is not
                understood.
        """
        session, _ = self.open()
        for skill in session.context.catalogue.skills.values():
            find_executor(skill.executor)
        for node in session.tree.root.iterate():
            if isinstance(node, Understand) and session.mission.goal is None:
                node.ask()
        return session.warnings

    def with_overrides(self, **settings: str) -> Request:
        """The same request with other settings."""
        overrides = {**self.options.overrides, **settings}
        return replace(self, options=replace(self.options, overrides=overrides))


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
        catalogue: what the robot can do; by default what it can in the scene's domain, with the changes in
            *options*.
        reasoner: understands instructions; by default the one for direct commands.

    Raises:
        ForetreeError: a file, a setting, a fault or the goal makes no sense.
    """
    options = options or Options()
    config = read_agent(options.agent, options.overrides)
    context, world = _household(scene, config, options, recorder, clock, catalogue)
    named = _lasting(scene) if isinstance(scene, str) else scene.name
    header = run_header(wish, named, world.robot.name, config, options)
    # A goal is read here, so that a mistake in it is an error before anything begins; an instruction is for
    # the agent's tree to understand.
    mission = read_wish(context, wish) if wish.goal else Mission(wish.instruction)
    return _session(context, mission, config, header, reasoner), world


def embedded_context(
    scene: str | Scene,
    options: Options | None = None,
    *,
    recorder: Recorder | None = None,
    clock: Clock | None = None,
    catalogue: Catalogue | None = None,
) -> tuple[AgentContext, HouseholdWorld]:
    """What a plan node in a tree of your own needs to act in a household scene, and its world.

    The arguments are those of :func:`open_household`. Whoever ticks the tree also moves the clock on.

    Raises:
        ForetreeError: a file, a setting or a fault makes no sense.
    """
    options = options or Options()
    config = read_agent(options.agent, options.overrides)
    return _household(scene, config, options, recorder, clock, catalogue)


def run(instruction: str, scene: str | Scene = "kitchen", **options: Any) -> Result:
    """Carry out an instruction in a household scene, in simulated time, and say what it came to.

    Args:
        instruction: what is asked for.
        scene: the scene's name, or the path of its file, or the scene itself.
        options: the fields of :class:`Options`.

    Raises:
        ForetreeError: a file, a setting or a fault makes no sense.
    """
    session, _ = open_household(scene, Wish(instruction), Options(**options))
    return session.run()


#: How far to plan for a PDDL task, at least, unless an option says otherwise.
_PDDL_LIMITS = {"expansions": 5_000_000, "actions": 1_000_000}


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
    from foretree.simulation.pddl_world.world import PddlWorld

    options = options or Options()
    config = _for_pddl(read_agent(options.agent, options.overrides), options)
    if options.changes:
        raise ConfigError(
            f"--set {next(iter(options.changes))}: a PDDL task has neither a scene nor skill files; only "
            "what begins with agent. can be set."
        )
    clock = clock or SimulatedClock()
    recorder = recorder or Silent()
    task = read_problem(problem, read_domain(domain))
    plain = without_axioms(task)
    if not plain.domain.axioms:  # else it takes axioms anyway, and they say the most in the fewest words
        task = plain
    warnings = tuple(map(str, (*task.domain.warnings, *task.warnings)))
    catalogue = Catalogue.from_domain(task.domain)
    world = PddlWorld(task, clock, options.faults or (), options.seed, on_fault=_reporter(recorder))
    belief = Belief(catalogue.vocabulary)
    for name, type_name in sorted(task.objects.items()):
        belief.put_entity(Entity(name, {type_name: 1.0}, fixed=True))
    for atom in sorted(task.init):
        belief.tell(atom, source="told")
    places = PlaceGraph()
    replies = options.replies
    context = _context(world.robot, catalogue, belief, places, clock, recorder, config, replies=replies)
    context.task.functions = task.functions
    header = run_header(Wish(), task.name, world.robot.name, config, options)
    header.update(domain=str(domain.resolve()), problem=str(problem.resolve()))
    session = _session(context, Mission(goal=task.goal), config, header)
    session.warnings = warnings
    return session, world


def _for_pddl(config: AgentConfig, options: Options) -> AgentConfig:
    """The agent, with limits for problems of any kind: nobody waits for the plan with a robot in the room."""
    more = {key: value for key, value in _PDDL_LIMITS.items() if key not in options.overrides}
    at_least = {key: max(value, getattr(config.settings, key)) for key, value in more.items()}
    if "good_expansions" not in options.overrides:
        at_least["good_expansions"] = 0  # no more than the first plan makes worth while
    return replace(config, settings=replace(config.settings, **at_least))


def _household(
    scene: str | Scene,
    config: AgentConfig,
    options: Options,
    recorder: Recorder | None,
    clock: Clock | None,
    catalogue: Catalogue | None,
) -> tuple[AgentContext, HouseholdWorld]:
    from foretree.simulation.household.world import HouseholdWorld

    clock = clock or SimulatedClock()
    recorder = recorder or Silent()
    catalogue, scene = _read(scene, options, catalogue)
    world = HouseholdWorld(scene, clock, options.faults, options.seed, _reporter(recorder))
    return _believing(scene, world.robot, catalogue, clock, recorder, config, options), world


def _read(
    scene: str | Scene, options: Options, catalogue: Catalogue | None = None
) -> tuple[Catalogue, Scene]:
    """What can be done in a scene, unless it is given, and the scene."""
    in_scene, in_skills = by_file(options.changes)
    if isinstance(scene, Scene):
        return catalogue or load_catalogue(scene.domain, changes=in_skills), scene
    path = find_config("scenes", scene)

    def read() -> tuple[Catalogue, Scene]:
        known = catalogue or load_catalogue(scene_domain(path), changes=in_skills)
        return known, load_scene(path, known.ontology, in_scene)

    return read() if catalogue or options.changes else cached(f"household {path}", read)


def _believing(
    scene: Scene,
    robot: Robot,
    catalogue: Catalogue,
    clock: Clock,
    recorder: Recorder,
    config: AgentConfig,
    options: Options,
) -> AgentContext:
    """The context of an agent that was told of a scene."""
    guide = None
    if scene.building is not None:
        from foretree.agent.retrieval_guide import RetrievalGuide

        guide = RetrievalGuide(scene.building, catalogue.ontology)
    belief, places = initial_belief(scene, clock), scene.places
    return _context(robot, catalogue, belief, places, clock, recorder, config, guide, options.replies)


def by_file(changes: Mapping[str, str]) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Changes to the scene by key, and changes to skills by name and key.

    Raises:
        ConfigError: a change is to something else.
    """
    in_scene: dict[str, str] = {}
    in_skills: dict[str, dict[str, str]] = {}
    for name, value in changes.items():
        file, _, key = name.partition(".")
        if file == "skill":
            skill, _, key = key.partition(".")
            in_skills.setdefault(skill, {})[key] = value
        elif file == "scene":
            in_scene[key] = value
        if file not in ("scene", "skill") or not key:
            raise ConfigError(
                f"--set {name}: there is nothing to set by that name. Valid: agent.KEY, scene.KEY and "
                "skill.NAME.KEY."
            )
    return in_scene, in_skills


def _context(
    robot: Robot,
    catalogue: Catalogue,
    belief: Belief,
    places: PlaceGraph,
    clock: Clock,
    recorder: Recorder,
    config: AgentConfig,
    guide: RetrievalGuide | None = None,
    replies: Iterable[tuple[str, Reply]] = (),
) -> AgentContext:
    return AgentContext(
        robot,
        catalogue,
        belief,
        places,
        clock,
        recorder,
        config.settings,
        make_revisers(config, clock, catalogue, recorder, replies),
        improver=make_improver(config, clock),
        guide=guide,
    )


def make_revisers(
    config: AgentConfig,
    clock: Clock,
    catalogue: Catalogue | None = None,
    recorder: Recorder | None = None,
    replies: Iterable[tuple[str, Reply]] = (),
) -> list[Reviser]:
    """The revisers that the settings name, in their order.

    Args:
        config: the agent.
        clock: all time comes from it.
        catalogue: what the operators of the domain are to the robot; a language model is told.
        recorder: takes down what is asked of models.
        replies: what models have answered already, for a run that is carried out once more.

    Raises:
        EndpointError: the settings name no model server, where one is needed.
        AnswerBookError: the answers of models cannot be read.
    """
    settings = config.settings
    made: list[Reviser] = []
    for name in settings.revisers:
        if name == "rules":
            made.append(RuleReviser())
        elif name == "llm":
            from foretree.bringup._language_model import make_llm_reviser

            made.append(make_llm_reviser(settings, clock, catalogue, recorder, replies))
        else:
            service = PlanningService(settings, shared_answers(settings))
            made.append(PlannerReviser(service, clock, settings.planning_latency, settings.planning_patience))
    return made


def make_improver(config: AgentConfig, clock: Clock) -> Reviser | None:
    """Who looks for cheaper plans while the robot is busy; None if the settings want nobody to."""
    settings = config.settings
    if settings.improving == 0:
        return None
    service = PlanningService(replace(settings, plans="optimal", expansions=settings.improving))
    return PlannerReviser(
        service, clock, settings.planning_latency, settings.planning_patience, worthwhile=WORTHWHILE_SAVING
    )


def understand(context: AgentContext, wish: Wish, reasoner: Reasoner | None = None) -> Mission:
    """What *wish* asks for, as a mission with a goal that can be planned for.

    Raises:
        ForetreeError: the instruction or the goal is not understood.
        NoPlanError: something that the instruction names has to be found first.
    """
    mission = read_wish(context, wish, reasoner)
    refuse_unfound(context, mission)
    return mission


def refuse_unfound(context: AgentContext, mission: Mission) -> None:
    """Raise if something has to be found first: where nobody knows of any cup, all cups are washed already.

    Raises:
        NoPlanError: it has.
    """
    unfound = mission.unfound(context.belief.snapshot(), context.catalogue.domain)
    if unfound:
        raise NoPlanError(
            f"Nobody knows where to find {', '.join(unfound)}. A run would look for it first, and then plan."
        )


def read_wish(context: AgentContext, wish: Wish, reasoner: Reasoner | None = None) -> Mission:
    """What *wish* asks for, as a mission with a goal, whatever has to be found before.

    Raises:
        ForetreeError: the instruction or the goal is not understood.
    """
    if not wish.goal:
        understood = (reasoner or CommandReasoner()).understand(wish.instruction, situation(context))
        return Mission(wish.instruction, understood.goal, understood.sentence, understood.wanted)
    types = {name: entity.best_class for name, entity in context.belief.entities().items()}
    parsed = parse_goal(wish.goal, context.catalogue.domain, types)
    return Mission(wish.instruction, parsed.formula, parsed.repair or "")


def make_plan(context: AgentContext, goal: Formula) -> Plan:
    """A plan for *goal* from what is believed. Waits for it.

    Raises:
        NoPlanError: there is none; the message says why.
        ProblemError: the goal names something that nobody knows of.
    """
    pending = request_plan(context, PlanningService(context.settings), goal)
    wait([pending.future])
    return pending.result()


def _session(
    context: AgentContext,
    mission: Mission,
    config: AgentConfig,
    header: Mapping[str, Any],
    reasoner: Reasoner | None = None,
) -> Session:
    root = build_agent(config, context, mission, reasoner or CommandReasoner())
    return Session(context, root, mission, header)


def run_header(wish: Wish, scene: str, robot: str, config: AgentConfig, options: Options) -> dict[str, Any]:
    """What the record says about a run at its start."""
    settings = config.settings
    return {
        "instruction": wish.instruction,
        "goal": wish.goal,
        "scene": scene,
        "robot": robot,
        "seed": options.seed,
        "faults": list(options.faults) if options.faults is not None else None,
        "config": {
            name: _plain(getattr(settings, name)) for name in settings.__slots__ if name not in SECRETS
        }
        | {"llm_url": address(settings.llm_url)},
        "agent": _lasting(options.agent),
        "changes": dict(options.changes),
        "foretree": __version__,
    }


def _lasting(name: str) -> str:
    """What a file goes by wherever the run is taken up: a path in full, a name as it is."""
    path = Path(name)
    return str(path.resolve()) if path.suffix and is_file(path) else name


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _reporter(recorder: Recorder) -> Any:
    def report(injected: InjectedFault) -> None:
        recorder.record("fault.injected", what=injected.what)

    return report
