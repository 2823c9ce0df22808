"""Planning suites: tasks that are planned in several settings, and carried out without surprises.

A suite of sessions asks what an agent makes of its plan; a planning suite asks how good the plan is, how
long it took, and what each part of planning contributes. Where everything is at the start is drawn from a
seed, so that the same task meets another building every time; all settings and variants meet the same ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from random import Random
from typing import Literal, TypeAlias

from pydantic import Field

from foretree.planning.pddl.syntax import Domain, Formula
from foretree.regression.core.selection import SuiteError, chosen, seed_of
from foretree.regression.core.wordings import Wording
from foretree.schema import Strict
from foretree.simulation.household.scene import Item
from foretree.world_model.ontology import Ontology

#: How much a task asks for: see :data:`RANGES`.
Level: TypeAlias = Literal["simple", "moderate", "compositional"]
#: What a variant does without; empty for nothing.
Without: TypeAlias = Literal["", "expansion", "compression", "incremental-map", "selection"]

#: What the best plan with two hands and open doors comes to on each level: the fewest and the most pieces
#: of furniture that it stops at, and the fewest and the most actions. Manipulations, doors that are opened
#: and ways between two stops count as one action each.
RANGES: Mapping[Level, tuple[tuple[int, int], tuple[int, int]]] = {
    "simple": ((1, 2), (2, 4)),
    "moderate": ((2, 4), (5, 10)),
    "compositional": ((3, 6), (10, 20)),
}


@dataclass(frozen=True, slots=True)
class TaskItem:
    """A thing that a task is about, and where it is at the start: at one of *among*, drawn with each seed."""

    name: str
    class_name: str
    relation: str
    among: tuple[str, ...]
    states: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PlanningTask:
    """Something to be planned.

    Attributes:
        name: unique in its suite.
        level: how much it asks for.
        instruction: what a person says.
        otherwise: the same in other words.
        further: the same in more other words.
        goal: what the plan has to reach.
        success: what has to be true of the world in the end.
        props: the things it is about, by name; all others are scattered.
        furniture: the states of furniture that differ from the usual, by name.
    """

    name: str
    level: Level
    instruction: str
    goal: Formula
    success: Formula
    otherwise: str = ""
    further: tuple[Wording, ...] = ()
    props: Mapping[str, TaskItem] = field(default_factory=dict)
    furniture: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def wordings(self) -> Mapping[str, Wording]:
        """Everything that a person may say to ask for it, by name."""
        first = (Wording("instruction", self.instruction), Wording("otherwise", self.otherwise))
        return {wording.name: wording for wording in (*first, *self.further) if wording.say}


class TrialSetting(Strict):
    """Conditions of a trial: the number of hands, and whether doors may be closed."""

    says: str = ""
    hands: Literal[1, 2] = 2
    doors: bool = False

    @property
    def easiest(self) -> bool:
        """True of two hands and open doors, where nothing makes a task harder."""
        return self.hands == 2 and not self.doors


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two settings, by name, that differ in one thing: the robot has more hands in *one*, or no doors."""

    by: Literal["hands", "doors"]
    one: str
    other: str


class PlanningVariant(Strict):
    """A way of planning: all of it, or without one part. The first of a suite is the reference.

    Attributes:
        says: what it is, in a few words.
        without: the part that is left out.
        seeds: with how many of the suite's seeds it is tried; None for all.
        seconds: on the wall that planning may take until the plan is proved to be the cheapest.
    """

    says: str = ""
    without: Without = ""
    seeds: int | None = Field(default=None, ge=1)
    seconds: float = Field(default=60.0, gt=0)


@dataclass(frozen=True)
class TaskVocabulary:
    """Names that a suite's tasks may use: classes, predicates, and furniture with its classes."""

    ontology: Ontology
    domain: Domain
    furniture: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Trial:
    """One thing to plan: which task, in which setting and variant, from which start."""

    number: int
    task: str
    setting: str
    variant: str
    seed: int


@dataclass(frozen=True)
class TaskStart:
    """A task as it begins, with nothing left open but where all the other things are.

    Attributes:
        items: the things that the task is about, each in its place.
        furniture: the states of furniture that differ from the usual.
        robot: where the robot stands.
        hands: how many hands it has.
        closed: the doors that are closed.
        seed: decides where everything else is.
    """

    items: Mapping[str, Item]
    furniture: Mapping[str, frozenset[str]]
    robot: str
    hands: int
    closed: frozenset[str]
    seed: int


@dataclass(frozen=True)
class PlanningSuite:
    """Tasks, and the settings and variants they are planned in, all by name; and the scene they are for.

    Attributes:
        frozen_at: the commit that brought the frozen wordings, where that is said.
    """

    name: str
    scene: str
    tasks: Mapping[str, PlanningTask]
    settings: Mapping[str, TrialSetting]
    variants: Mapping[str, PlanningVariant]
    says: str = ""
    seeds: int = 1
    closed: float = 0.5
    frozen_at: str = ""

    def trials(self, seeds: int | None = None, seed: int = 0) -> tuple[Trial, ...]:
        """The trials: every task in every setting and variant, one seed after the other.

        Args:
            seeds: how often each; by default as often as the suite says. A variant may say that it does with
                fewer.
            seed: decides the seeds.
        """
        found: list[Trial] = []
        for turn in range(self.seeds if seeds is None else seeds):
            for task in self.tasks:
                own = seed_of(seed, task, turn)
                for setting in self.settings:
                    for name, variant in self.variants.items():
                        if variant.seeds is None or turn < variant.seeds:
                            found.append(Trial(len(found), task, setting, name, own))
        return tuple(found)

    def contrasts(self) -> Iterator[Contrast]:
        """The pairs of settings that tell what hands are worth, or what doors cost."""
        for (one, here), (other, there) in permutations(self.settings.items(), 2):
            if here.hands == 2 and there.hands == 1 and here.doors == there.doors:
                yield Contrast("hands", one, other)
            if not here.doors and there.doors and here.hands == there.hands:
                yield Contrast("doors", one, other)

    def easiest(self) -> tuple[str, ...]:
        """The settings in which nothing makes a task harder."""
        return tuple(name for name, setting in self.settings.items() if setting.easiest)

    def only(
        self,
        tasks: Iterable[str] = (),
        settings: Iterable[str] = (),
        variants: Iterable[str] = (),
        levels: Iterable[str] = (),
    ) -> PlanningSuite:
        """The suite with only these; an empty choice leaves all.

        Raises:
            SuiteError: there is none of that name, or none is left.
        """
        wanted = chosen("level", self.name, {level: level for level in RANGES}, levels)
        left = chosen("task", self.name, self.tasks, tasks)
        left = {name: task for name, task in left.items() if task.level in wanted}
        if not left:
            raise SuiteError(f"None of the tasks asked for in the suite {self.name} is of that level.")
        return replace(
            self,
            tasks=left,
            settings=chosen("setting", self.name, self.settings, settings),
            variants=chosen("variant", self.name, self.variants, variants),
        )

    def start(self, trial: Trial, nodes: Sequence[str], doors: Sequence[str]) -> TaskStart:
        """Draw the start of *trial*.

        Args:
            trial: what is to be planned.
            nodes: where the robot may stand at the start.
            doors: all doors of the building.
        """
        task, setting = self.tasks[trial.task], self.settings[trial.setting]
        # Every setting draws the same, whether it has doors or not, so that they differ in nothing else.
        rng = Random(trial.seed)
        robot = rng.choice(nodes)
        items = {
            prop.name: Item(prop.name, prop.class_name, prop.relation, rng.choice(prop.among), prop.states)
            for prop in task.props.values()
        }
        closed = frozenset(door for door in doors if rng.random() < self.closed)
        return TaskStart(
            items, task.furniture, robot, setting.hands, closed if setting.doors else frozenset(), trial.seed
        )
