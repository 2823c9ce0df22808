"""One attempt at a task from words: understood, planned for and carried out, judged by the truth."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from foretree.clock import SimulatedClock
from foretree.planning.pddl.syntax import Formula, constants_of
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.models.endpoint import Endpoint
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.reasoning.reasoner import Reading, Reasoner, Situation
from foretree.reasoning.retrieval.embedding import EmbeddingRetriever
from foretree.reasoning.retrieval.keyword import KeywordRetriever
from foretree.reasoning.retrieval.llm import LlmRetriever
from foretree.reasoning.retrieval.node_index import NodeIndex, index_building, where_things_are
from foretree.reasoning.retrieval.retriever import Retrieved, Retriever
from foretree.regression.core.unasked import unasked_changes
from foretree.regression.planning.factory import HouseholdFactory, mapped_scene
from foretree.regression.planning.measured_planning import Planned
from foretree.regression.planning.suite import PlanningSuite, PlanningTask, Trial
from foretree.regression.words.suite import RetrieverKind
from foretree.simulation.household.initial_belief import initial_belief
from foretree.simulation.household.scene import Scene
from foretree.skills.catalogue import Catalogue
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import ROBOT_AT

_RETRIEVERS: Mapping[RetrieverKind, Callable[[], Retriever]] = {
    "keyword": KeywordRetriever,
    "embedding": EmbeddingRetriever,
    "llm": lambda: LlmRetriever(Endpoint.from_environment()),
}


@lru_cache(maxsize=3)
def retriever_of(kind: RetrieverKind) -> Retriever:
    """The retriever of a kind, one for this process."""
    return _RETRIEVERS[kind]()


@lru_cache(maxsize=1)
def offline_reasoner() -> Reasoner:
    """The reasoner that this process shares: its grammar is compiled once."""
    return CommandReasoner()


@dataclass(frozen=True)
class _Settled:
    """A retriever for planners that get what was retrieved already."""

    found: Retrieved

    def retrieve(self, instruction: str, index: NodeIndex) -> Retrieved:
        return self.found


@lru_cache(maxsize=4)
def _forms(scene: str) -> tuple[PhraseTemplate, ...]:
    skills = mapped_scene(scene).catalogue.skills.values()
    return tuple(form for skill in skills for form in skill.forms)


@dataclass(frozen=True)
class WordsAttempt:
    """Outcome of an attempt.

    Attributes:
        goal: what was understood; None where it was not.
        reason: why there is no goal, no plan or no end to it, for a person.
        planned: whether there was a plan.
        refused: what the world refused.
        success: whether the plan was carried out and the task is done.
        unasked: what was brought about on purpose though the task does not speak of it.
        to_goal: seconds from the instruction to the goal.
        to_plan: seconds from there to the first plan.
    """

    goal: Formula | None = None
    reason: str = ""
    planned: bool = False
    refused: str = ""
    success: bool = False
    unasked: tuple[str, ...] = ()
    to_goal: float = field(default=0.0, compare=False)
    to_plan: float = field(default=0.0, compare=False)

    @property
    def done(self) -> bool:
        """True if the task was done, and nothing else."""
        return self.success and not self.unasked

    @property
    def other_meaning(self) -> bool:
        """True if it would be reported as done although it is not what was asked for."""
        return self.planned and not self.refused and not self.done


@dataclass(frozen=True)
class SpokenTask:
    """Task in a scene as it begins, said in one way.

    Attributes:
        suite: where the task is from.
        trial: which task, and how it begins.
        say: what the person says.
        scene: how everything is.
        seconds: time limit of planning.
    """

    suite: PlanningSuite
    trial: Trial
    say: str
    scene: Scene
    seconds: float

    @property
    def task(self) -> PlanningTask:
        """The task that is meant."""
        return self.suite.tasks[self.trial.task]

    @property
    def _catalogue(self) -> Catalogue:
        return mapped_scene(self.suite.scene).catalogue

    @cached_property
    def index(self) -> NodeIndex:
        """The furniture with what was last seen there, which is where it is."""
        costs = self.scene.places.distances(self.scene.robot.start)
        floor = mapped_scene(self.suite.scene).floor
        return index_building(floor, _believed(self.scene, None), self._catalogue.ontology, costs)

    @cached_property
    def needed(self) -> frozenset[str]:
        """The nodes of all that the task is about."""
        beliefs, assets = _believed(self.scene, None), mapped_scene(self.suite.scene).floor.assets
        where = where_things_are(beliefs, assets)
        named = {*constants_of(self.task.success), *constants_of(self.task.goal), *self.task.props}
        return frozenset(where[name] for name in named if name in where)

    def attempt(self, found: Retrieved, seen: Scene, given: Formula | None = None) -> WordsAttempt:
        """Understand, plan and carry out.

        Args:
            found: what was retrieved; of all other nodes nothing is known.
            seen: how everything looks.
            given: the goal; by default what is said is understood.
        """
        if given is not None:
            return self._carried_out(given, found, seen)
        situation = self._situation(found.nodes, seen)
        begun = time.perf_counter()
        try:
            understood = offline_reasoner().understand(self.say, situation)
        except InstructionError as error:
            return WordsAttempt(reason=str(error))
        to_goal = time.perf_counter() - begun
        if understood.answer:
            return WordsAttempt(reason=understood.answer)
        question = self._question(understood.readings, found, seen)
        if question:
            return WordsAttempt(understood.goal, question, to_goal=to_goal)
        return replace(self._carried_out(understood.goal, found, seen), to_goal=to_goal)

    def _question(self, readings: Sequence[Reading], found: Retrieved, seen: Scene) -> str:
        """Return what the agent asks; nothing if all readings come to the same plan."""
        plans = [self._planned(reading.goal, found, seen) for reading in readings]
        if all(plan.found and plan.steps == plans[0].steps for plan in plans):
            return ""
        return f"Which is meant: {', or '.join(reading.words for reading in readings)}?"

    def _situation(self, nodes: Collection[str], seen: Scene) -> Situation:
        """Beliefs with nothing but *nodes* in view."""
        catalogue = self._catalogue
        return Situation(
            _believed(seen, frozenset(nodes)),
            catalogue.domain,
            catalogue.ontology,
            _forms(self.suite.scene),
            rooms={place.name: place.room for place in seen.places.places()},
        )

    def _planned(self, goal: Formula, found: Retrieved, seen: Scene) -> Planned:
        factory, task = HouseholdFactory(), replace(self.task, instruction=self.say, goal=goal)
        suite = replace(self.suite, tasks={task.name: task})
        planner = factory.planner(suite, self.trial, _Settled(found))
        return planner.plan(factory.world(seen), self.seconds, prove=False)

    def _carried_out(self, goal: Formula, found: Retrieved, seen: Scene) -> WordsAttempt:
        """Plan in the scene as it is seen, and carry the plan out in the one that is."""
        factory, planned = HouseholdFactory(), self._planned(goal, found, seen)
        if not planned.found:
            return WordsAttempt(goal, planned.why or "no plan was found", to_plan=planned.first)
        world = factory.world(self.scene)
        refused = world.carry_out(planned.steps)
        asked = {*constants_of(self.task.success), *self.task.props}
        unasked = unasked_changes(goal, asked, factory.world(self.scene).house, world.house, {})
        return WordsAttempt(
            goal,
            planned=True,
            refused=refused,
            success=not refused and world.holds(self.task.success),
            # Where the robot stands in the end does not matter.
            unasked=tuple(change for change in unasked if not change.startswith(f"({ROBOT_AT} ")),
            to_plan=planned.first,
        )


def _believed(scene: Scene, nodes: Collection[str] | None) -> Snapshot:
    """Beliefs about a scene, with nothing but what is at *nodes*; all of it if there are none given."""
    belief = initial_belief(scene, SimulatedClock())
    if nodes is not None:
        where = where_things_are(belief.snapshot(), scene.furniture)
        for name, node in where.items():
            if node not in nodes:
                belief.remove_entity(name)
    return belief.snapshot()
