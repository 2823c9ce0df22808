"""AgentContext and session from their parts, whatever world they act in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from py_trees.behaviour import Behaviour
from py_trees.trees import BehaviourTree

from foretree._version import __version__
from foretree.agent.agent_file import AgentConfig, read_agent
from foretree.agent.context import AgentContext
from foretree.agent.dialogue.instruction_reader import situation
from foretree.agent.mission import Mission
from foretree.agent.planning_service import PlanningService, shared_answers
from foretree.agent.settings import SECRETS
from foretree.agent.tools.chooser import RuleChooser, ToolChooser
from foretree.bringup.options import Options, Wish, changes_by_file
from foretree.bringup.understanding import read_constraints, read_wish
from foretree.clock import Clock, SimulatedClock
from foretree.config import is_file
from foretree.reasoning.models.secrecy import address
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.reasoner import Reasoner
from foretree.revision.planner import PlannerReviser
from foretree.revision.revision import Reviser
from foretree.revision.rules.reviser import RuleReviser
from foretree.runs.events import Recorder, Silent
from foretree.skills.catalogue import Catalogue
from foretree.trees.agent_tree import build_agent
from foretree.trees.fast_tick import FastTree
from foretree.trees.plan_node import WORTHWHILE_SAVING
from foretree.trees.session import Session
from foretree.world_model.affordances.embedding import Embed
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.maps.places import PlaceGraph

if TYPE_CHECKING:
    from foretree.agent.retrieval_guide import RetrievalGuide
    from foretree.bringup._language_model import LanguageModels
    from foretree.reasoning.dialogs.dialog import Turn
    from foretree.reasoning.model_alternatives import AlternativeAdviser
    from foretree.simulation.action_timing import InjectedFault
    from foretree.skills.robot import Robot


class Assembly:
    """Puts a context and a session together.

    Args:
        options: how the session is set up.
        recorder: takes the run down; by default it is not recorded.
        clock: by default simulated time.

    Attributes:
        config: the agent, with the settings of the options.
        in_scene, in_skills: what the options change in the files of the scene and of skills.
    """

    def __init__(
        self, options: Options | None = None, recorder: Recorder | None = None, clock: Clock | None = None
    ) -> None:
        self.options = options = options or Options()
        self.config = read_agent(options.agent, options.overrides)
        self.in_scene, self.in_skills = changes_by_file(options.changes)
        self.recorder: Recorder = recorder or Silent()
        self.clock: Clock = clock or SimulatedClock()
        self._models: LanguageModels | None = None
        self._embed: Embed | None = None

    def models(self) -> LanguageModels:
        """The language model that the settings describe, for all parts that ask it."""
        if self._models is None:
            from foretree.bringup._language_model import LanguageModels

            replies = self.options.replies
            self._models = LanguageModels(self.config.settings, self.clock, self.recorder, replies)
        return self._models

    def embedder(self) -> Embed | None:
        """Return the embedder that the settings name, the same for all parts; None if they name none.

        Raises:
            ForetreeError: there is no such embedder.
        """
        if self._embed is None and self.config.settings.embedder:
            from foretree.bringup._language_model import embedder_of

            self._embed = embedder_of(self.config.settings)
        return self._embed

    def context(
        self,
        robot: Robot,
        catalogue: Catalogue,
        belief: Belief,
        places: PlaceGraph,
        *,
        guide: RetrievalGuide | None = None,
        discovered: Collection[str] = (),
        teammates: Sequence[Robot] = (),
        place: str = "",
    ) -> AgentContext:
        """Return the context of a robot that knows so much; *place* is the scene or the home it is in."""
        context = AgentContext(
            robot,
            catalogue,
            belief,
            places,
            self.clock,
            self.recorder,
            self.config.settings,
            make_revisers(self.config, self.clock, self.models, catalogue),
            discovered=discovered,
            teammates=teammates,
        )
        for one in (robot, *teammates):
            watch = getattr(one, "watch", None)  # of robots that plan their motions around what is believed
            if watch is not None:
                watch(belief.snapshot)
        context.guide = guide
        context.embed = self.embedder()
        context.adviser = make_adviser(self.config, self.models)
        settings = self.config.settings
        if settings.experience or settings.optimise == "success":
            _learn_success(context, place)
        if settings.optimise == "cost" and settings.improving:  # for cheaper plans while the robot is busy
            context.improver = PlannerReviser(
                PlanningService(replace(settings, plans="optimal", expansions=settings.improving)),
                self.clock,
                settings.planning_latency,
                settings.planning_patience,
                worthwhile=WORTHWHILE_SAVING,
            )
        return context

    def reasoner(self) -> Reasoner:
        """Return the reasoner that the settings name.

        Raises:
            EndpointError: the settings name no model server, where one is needed.
            AnswerBookError: the answers of models cannot be read.
        """
        return make_reasoner(self.config, self.models, self.embedder())

    def heard(self, context: AgentContext, wish: Wish) -> Wish:
        """Return a wish with the instruction that is in its dialog; where to look first is told to the agent.

        Raises:
            InstructionError: nothing in the dialog is understood as a request.
        """
        if wish.dialog:
            said = tuple(turn.words for turn in wish.dialog)
            wish = replace(wish, instruction=self._asked_in(wish.dialog, context), hints=(*wish.hints, *said))
        if wish.hints:
            from foretree.reasoning.dialogs.place_hints import place_hints

            context.expect(place_hints(wish.hints, context.catalogue.ontology))
        return wish

    def _asked_in(self, dialog: Sequence[Turn], context: AgentContext) -> str:
        """Return the instruction in a dialog. A model reads all of it."""
        from foretree.reasoning.dialogs.dialog import request_in, transcript

        if self.config.settings.reasoner != "offline":
            return transcript(dialog)
        reasoner, known = CommandReasoner(self.embedder()), situation(context)
        return request_in(dialog, lambda words: reasoner.understand(words, known))

    def mission(self, context: AgentContext, wish: Wish) -> Mission:
        """Return the mission for a wish.

        A goal is read here, so that a mistake in it is an error before anything begins. An instruction is for
        the agent's tree to understand.
        """
        if wish.goal:
            return read_wish(context, wish)
        return Mission(wish.instruction, given_constraints=read_constraints(context, wish), by=wish.by)

    def session(
        self,
        context: AgentContext,
        mission: Mission,
        scene: str,
        reasoner: Reasoner | None = None,
        wish: Wish | None = None,
        header: Mapping[str, Any] | None = None,
        make_tree: Callable[[Behaviour], BehaviourTree] = FastTree,
    ) -> Session:
        """Return a session that is ready to run.

        Args:
            context: what its nodes share.
            mission: what it is about.
            scene: the name of the scene, for the record.
            reasoner: understands instructions; by default the one that the settings name.
            wish: what is asked for, for the record.
            header: what else, or otherwise, the record says at the start of the run.
            make_tree: makes what ticks the agent's root, by default a tree of py_trees.
        """
        chooser = make_chooser(self.config, self.models)
        root = build_agent(self.config, context, mission, reasoner or self.reasoner(), chooser)
        robots = ", ".join(member.robot.name for member in context.team)
        said = {**self._header(wish or Wish(), scene, robots), **(header or {})}
        return Session(context, root, mission, said, make_tree=make_tree)

    def report_fault(self, injected: InjectedFault) -> None:
        """Record a fault that a world has injected."""
        self.recorder.record("fault.injected", what=injected.what)

    def _header(self, wish: Wish, scene: str, robot: str) -> dict[str, Any]:
        options, settings = self.options, self.config.settings
        values = {name: getattr(settings, name) for name in settings.__slots__ if name not in SECRETS}
        return {
            "instruction": wish.instruction,
            "goal": wish.goal,
            **({"constraints": list(wish.constraints)} if wish.constraints else {}),
            **({"hints": list(wish.hints)} if wish.hints else {}),
            "scene": scene,
            "robot": robot,
            "seed": options.seed,
            "faults": list(options.faults) if options.faults is not None else None,
            "config": {
                **{
                    name: list(value) if isinstance(value, tuple) else value for name, value in values.items()
                },
                "llm_url": address(settings.llm_url),
            },
            "agent": lasting_name(options.agent),
            "changes": dict(options.changes),
            "foretree": __version__,
        }


def lasting_name(name: str) -> str:
    """Return a file's name as it holds in every folder: a path in full, the name of a config as it is."""
    path = Path(name)
    return str(path.resolve()) if path.suffix and is_file(path) else name


def make_reasoner(
    config: AgentConfig, models: Callable[[], LanguageModels], embed: Embed | None = None
) -> Reasoner:
    """Return the reasoner that the settings name.

    Raises:
        EndpointError: the settings name no model server, where one is needed.
        AnswerBookError: the answers of models cannot be read.
    """
    return CommandReasoner(embed) if config.settings.reasoner == "offline" else models().reasoner()


def _learn_success(context: AgentContext, place: str) -> None:
    """Let a context learn what succeeds, and plan for success instead of low cost if the settings say so."""
    from foretree.agent.learning.complaints import believe_words
    from foretree.agent.learning.experience import Experience, experience_path
    from foretree.agent.learning.success_model import SuccessModel
    from foretree.planning.task.success_costs import weigh

    entity = context.belief.entity
    experience = Experience(entity, experience_path(context.settings.experience), place, context.embed)
    context.success = SuccessModel(context.catalogue.skills, experience, entity)
    believe_words(context)
    if context.settings.optimise == "success":
        context.task.weigh = partial(weigh, probabilities=context.success)


def make_chooser(config: AgentConfig, models: Callable[[], LanguageModels]) -> ToolChooser:
    """Return the chooser of tools that the settings name.

    Raises:
        EndpointError: the settings name no model server, where one is needed.
        AnswerBookError: the answers of models cannot be read.
    """
    return RuleChooser() if config.settings.tools == "rules" else models().chooser()


def make_adviser(config: AgentConfig, models: Callable[[], LanguageModels]) -> AlternativeAdviser | None:
    """Return the model that is asked what would do in place of a missing thing, if the settings name one.

    Raises:
        EndpointError: the settings name no model server, where one is needed.
        AnswerBookError: the answers of models cannot be read.
    """
    return models().adviser() if config.settings.alternatives == "model" else None


def make_revisers(
    config: AgentConfig,
    clock: Clock,
    models: Callable[[], LanguageModels],
    catalogue: Catalogue | None = None,
) -> list[Reviser]:
    """Return the revisers that the settings name, in their order.

    Args:
        config: the agent.
        clock: all time comes from it.
        models: makes what asks language models; called where one is needed.
        catalogue: what the operators of the domain are to the robot; a language model is told.

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
            made.append(models().reviser(catalogue))
        else:
            service = PlanningService(settings, shared_answers(settings))
            made.append(PlannerReviser(service, clock, settings.planning_latency, settings.planning_patience))
    return made
