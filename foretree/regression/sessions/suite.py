"""Suites: many scenarios, the ways of carrying them out that are compared, and how a suite file says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import Field

from foretree.bringup.options import Wish
from foretree.clock import SimulatedClock
from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at, errors_at
from foretree.planning.pddl.syntax import Formula, show
from foretree.planning.task.goals import parse_goal
from foretree.regression.core.selection import chosen, seed_of
from foretree.regression.core.variants import (
    AgentVariant,
    VariantEntry,
    optimised_for,
    read_variants,
    revised_by,
)
from foretree.regression.planning.suite import Level, PlanningSuite, Trial
from foretree.schema import Strict, validate
from foretree.simulation.faults.fault_script import FaultRates
from foretree.simulation.household.scene import Noise, Scene
from foretree.simulation.household.scene_file import load_scene, scene_domain
from foretree.simulation.household.world import HouseholdWorld
from foretree.skills.catalogue_file import load_catalogue

T = TypeVar("T")

#: How a scenario should end: most are to be reached; where that is impossible, the agent has to say so.
Ending: TypeAlias = Literal["reached", "given-up"]

_Probability: TypeAlias = Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True)
class Scenario:
    """A scene, what is asked for in it, what goes wrong, and how to tell success.

    Attributes:
        name: unique in its suite.
        scene: with the suite's noise and chance in place of its own; for a scene that is drawn, one example.
        wish: what the agent is asked for.
        faults: the fault script.
        success: what has to be true of the world in the end; None for what the agent took as its goal.
        ends: how it should end.
        draw: draws the scene from a seed; None for a scene that is always the same.
    """

    name: str
    scene: Scene
    wish: Wish
    faults: tuple[str, ...] = ()
    success: Formula | None = None
    ends: Ending = "reached"
    draw: Callable[[int], Scene] | None = None

    def scene_of(self, seed: int) -> Scene:
        """The scene of the episode with a seed."""
        return self.scene if self.draw is None else self.draw(seed)

    @property
    def noisy(self) -> bool:
        """True if the robot's eyes can be wrong."""
        return self.scene.noise != Noise()


@dataclass(frozen=True)
class ScenarioTrial:
    """One episode to be run: which scenario, in which variant, with which seed."""

    number: int
    scenario: str
    variant: str
    seed: int


@dataclass(frozen=True)
class Suite:
    """Scenarios and the variants they are run in, both by name."""

    name: str
    scenarios: Mapping[str, Scenario]
    variants: Mapping[str, AgentVariant]
    says: str = ""
    seeds: int = 1
    agent: str = "default"

    def trials(self, episodes: int | None = None, seed: int = 0) -> tuple[ScenarioTrial, ...]:
        """The episodes to run: for each variant the same scenarios with the same seeds.

        Args:
            episodes: how many per variant; by default every scenario as often as the suite says.
            seed: decides the seeds of the episodes.
        """
        scenarios = tuple(self.scenarios)
        count = self.seeds * len(scenarios) if episodes is None else episodes
        turns = [(scenarios[number % len(scenarios)], number // len(scenarios)) for number in range(count)]
        seeds = [(scenario, seed_of(seed, scenario, turn)) for scenario, turn in turns]
        return tuple(
            ScenarioTrial(number, scenario, variant, own)
            for number, ((scenario, own), variant) in enumerate(product(seeds, self.variants))
        )

    def only(self, scenarios: Iterable[str] = (), variants: Iterable[str] = ()) -> Suite:
        """The suite with these scenarios and variants only; an empty choice leaves all.

        Raises:
            SuiteError: there is none of that name.
        """
        return replace(
            self,
            scenarios=chosen("scenario", self.name, self.scenarios, scenarios),
            variants=chosen("variant", self.name, self.variants, variants),
        )

    def revised_by(self, revisers: Iterable[str]) -> Suite:
        """The suite with another reviser chain in every variant that revises plans; none named leaves all.

        Raises:
            ConfigError: there is no such reviser.
        """
        return replace(self, variants=revised_by(self.agent, self.variants, revisers))

    def optimised_for(self, optimise: str) -> Suite:
        """The suite with plans made by cost, or by success; an empty text leaves all variants.

        Raises:
            ConfigError: there is no such thing to make plans by.
        """
        return replace(self, variants=optimised_for(self.agent, self.variants, optimise))


# -- files ---------------------------------------------------------------------------------------------


class _Scenario(Strict):
    scene: str
    instruction: str = ""
    goal: str = ""
    faults: tuple[str, ...] = ()
    chance: dict[str, _Probability] = Field(default_factory=dict)
    noise: dict[str, _Probability] = Field(default_factory=dict)
    success: str = ""
    ends: Ending = "reached"


class _Tasks(Strict):
    of: str
    level: Level | None = None
    settings: Annotated[tuple[str, ...], Field(min_length=1)]


class _File(Strict):
    suite: str
    kind: Literal["sessions"] = "sessions"
    says: str = ""
    extends: str = ""
    agent: str = "default"
    seeds: int = Field(default=1, ge=1, le=1_000_000)
    chance: dict[str, _Probability] = Field(default_factory=dict)
    noise: dict[str, _Probability] = Field(default_factory=dict)
    variants: dict[str, VariantEntry] = Field(min_length=1)
    tasks: _Tasks | None = None
    scenarios: dict[str, _Scenario] = Field(default_factory=dict)


def read_suite(name_or_path: str) -> Suite:
    """Read ``configs/suites/NAME.yaml``, or the file at that path.

    Raises:
        ConfigError: it cannot be read or says something that makes no sense: with the file, the line, the
            key, and what would have been valid there.
    """
    path = find_config("suites", name_or_path)
    return _Reader(validate(_File, _with_base(path, ()), path), path).read()


def _with_base(path: Path, extended_by: tuple[Path, ...]) -> dict[str, Any]:
    """Contents of a suite file, on top of those of the suite that it extends."""
    data = read_yaml(path)
    base = data.get("extends")
    if not isinstance(base, str) or not base:
        return data
    with errors_at(path, ("extends",)):
        base_path = find_config("suites", base)
    if base_path in (path, *extended_by):
        raise error_at(path, ("extends",), "a suite cannot extend itself.")
    return {**_with_base(base_path, (path, *extended_by)), **data}


class _Reader:
    """Checks what pydantic cannot: that names name something, and that goals and faults make sense."""

    def __init__(self, file: _File, path: Path) -> None:
        self._file = file
        self._path = path
        self._catalogue = cache(load_catalogue)
        self._scene = cache(self._load)

    def read(self) -> Suite:
        file = self._file
        self._probabilities(Noise, file.noise, ("noise",))
        self._probabilities(FaultRates, file.chance, ("chance",))
        scenarios = {name: self._scenario(name, entry) for name, entry in file.scenarios.items()}
        if file.tasks is not None:
            scenarios |= self._tried(("tasks",), partial(self._of_tasks, file.tasks))
        if not scenarios:
            raise error_at(self._path, (), "there is nothing to do: say scenarios, or tasks.")
        return Suite(
            file.suite,
            scenarios,
            read_variants(self._path, file.agent, file.variants),
            file.says,
            file.seeds,
            file.agent,
        )

    def _scenario(self, name: str, entry: _Scenario) -> Scenario:
        where: KeyPath = ("scenarios", name)
        if bool(entry.instruction) == bool(entry.goal):
            raise error_at(self._path, where, "say what is asked for: either an instruction or a goal.")
        noise = {**self._file.noise, **self._probabilities(Noise, entry.noise, (*where, "noise"))}
        chance = {**self._file.chance, **self._probabilities(FaultRates, entry.chance, (*where, "chance"))}
        plain = self._tried((*where, "scene"), partial(self._scene, entry.scene))
        scene = replace(plain, noise=Noise(**noise), chance=FaultRates(**chance), faults=())
        for index, fault in enumerate(entry.faults):
            self._tried((*where, "faults", index), partial(HouseholdWorld, scene, SimulatedClock(), (fault,)))
        if entry.goal:
            self._goal(entry.goal, scene, (*where, "goal"))
        success = self._goal(entry.success, scene, (*where, "success")) if entry.success else None
        return Scenario(name, scene, Wish(entry.instruction, entry.goal), entry.faults, success, entry.ends)

    def _of_tasks(self, tasks: _Tasks) -> dict[str, Scenario]:
        """A scenario for each of the tasks of a planning suite in each of the settings."""
        # Only suites that refer to such tasks need what these are made of.
        from foretree.regression.planning.factory import task_vocabulary
        from foretree.regression.planning.suite_file import read_planning_suite

        levels = () if tasks.level is None else (tasks.level,)
        suite = read_planning_suite(tasks.of, task_vocabulary).only(settings=tasks.settings, levels=levels)
        rates = Noise(**self._file.noise), FaultRates(**self._file.chance)
        found = {}
        for name, task in suite.tasks.items():
            wish = Wish(task.instruction, show(task.goal))
            for setting in tasks.settings:
                own = name if len(tasks.settings) == 1 else f"{name}/{setting}"
                draw = partial(_draw_scene, suite, name, setting, *rates)
                found[own] = Scenario(own, draw(0), wish, success=task.success, draw=draw)
        return found

    def _load(self, name: str) -> Scene:
        path = find_config("scenes", name)
        return load_scene(path, self._catalogue(scene_domain(path)).ontology)

    def _goal(self, text: str, scene: Scene, where: KeyPath) -> Formula:
        domain = self._catalogue(scene.domain).domain
        return self._tried(where, lambda: parse_goal(text, domain, scene.types()).formula)

    def _probabilities(
        self, model: type[Noise] | type[FaultRates], given: Mapping[str, float], where: KeyPath
    ) -> Mapping[str, float]:
        valid = [field.name for field in fields(model)]
        for key in given:
            if key not in valid:
                raise error_at(
                    self._path, (*where, key), f"there is no such {where[-1]}. {suggest(key, valid)}"
                )
        return given

    def _tried(self, where: KeyPath, make: Callable[[], T]) -> T:
        """Call *make*; a mistake in it is a mistake at *where*."""
        with errors_at(self._path, where):
            return make()


def _draw_scene(
    suite: PlanningSuite, task: str, setting: str, noise: Noise, chance: FaultRates, seed: int
) -> Scene:
    """The scene that a planning suite has for a task with a seed, for a session with noise and faults."""
    from foretree.regression.planning.factory import HouseholdFactory, mapped_scene, scene_at_start

    factory = HouseholdFactory()
    start = suite.start(Trial(0, task, setting, "", seed), factory.nodes(suite), factory.doors(suite))
    drawn = scene_at_start(mapped_scene(suite.scene).scene, start)
    return replace(drawn, noise=noise, chance=chance, faults=())
