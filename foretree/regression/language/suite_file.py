"""Reading language suites: what a file may say, and the checks that a model of keys and types cannot make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at, errors_at
from foretree.planning.pddl.syntax import Formula
from foretree.planning.task.goals import parse_goal
from foretree.regression.core.variants import VariantEntry, read_variants
from foretree.regression.core.wordings import Half
from foretree.regression.language.suite import (
    Because,
    InstructionCase,
    LanguageSuite,
    SpokenCase,
    SubstitutionCase,
    Tool,
    Wanted,
)
from foretree.schema import Strict, validate
from foretree.simulation.faults.fault_script import FaultRates
from foretree.simulation.household.goal_oracle import holds
from foretree.simulation.household.household_state import House
from foretree.simulation.household.scene import Noise, Scene
from foretree.simulation.household.scene_file import load_scene, scene_domain
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue

_Words: TypeAlias = Annotated[tuple[str, ...], Field(min_length=1)]

#: The keys that go with each outcome, besides those that any case may have; the first is required.
_KEYS: Mapping[Wanted, tuple[str, ...]] = {
    "reaches": ("goal", "nothing", "calls", "left_out"),
    "asks": ("readings", "calls"),
    "refuses": ("because", "calls"),
    "answers": ("answer", "calls"),
}
_OF_OUTCOMES = tuple(dict.fromkeys(key for keys in _KEYS.values() for key in keys))
#: The keys of a case with a missing thing, and those of one in a scene.
_OF_MISSING = ("missing", "things", "alternatives")
_OF_SCENE = ("scene", "unexplored", "outcome", *_OF_OUTCOMES)


class _Case(Strict):
    say: Annotated[str, Field(min_length=1)]
    family: str = ""
    half: Half = "open"
    # in a scene
    scene: str = ""
    outcome: Wanted = "reaches"
    goal: str = ""
    readings: tuple[str, ...] = ()
    because: Because | None = None
    answer: tuple[str, ...] = ()
    nothing: bool = False
    unexplored: tuple[str, ...] | None = None
    calls: dict[Tool, Annotated[int, Field(ge=1)]] | None = None
    left_out: str = ""
    # with a missing thing
    things: _Words | str = ""
    missing: str = ""
    alternatives: tuple[str, ...] = ()


class _File(Strict):
    suite: str
    kind: Literal["language"]
    says: str = ""
    agent: str = "default"
    frozen_at: str = ""
    variants: dict[str, VariantEntry] = Field(
        default_factory=lambda: {"default": VariantEntry()}, min_length=1
    )
    lists: dict[str, _Words] = Field(default_factory=dict)
    of: tuple[str, ...] = ()
    cases: dict[str, _Case] = Field(default_factory=dict)


def read_language_suite(name_or_path: str) -> LanguageSuite:
    """Read ``configs/suites/NAME.yaml``, or the file at that path.

    Raises:
        ConfigError: it cannot be read or says something that makes no sense: with the file, the line, the
            key, and what would have been valid there.
    """
    return _read(find_config("suites", name_or_path), ())


def _read(path: Path, within: tuple[Path, ...]) -> LanguageSuite:
    """The suite of a file, which is a part of others."""
    return _Reader(validate(_File, read_yaml(path), path), path, (*within, path)).read()


class _Reader:
    def __init__(self, file: _File, path: Path, within: tuple[Path, ...]) -> None:
        self._file = file
        self._path = path
        self._within = within
        self._place = cache(_load)

    def read(self) -> LanguageSuite:
        file = self._file
        for name, things in file.lists.items():
            self._distinct(things, ("lists", name))
        cases = {name: self._case(name, entry) for name, entry in file.cases.items()}
        parts = [self._part(name, ("of", index)) for index, name in enumerate(file.of)]
        for part in parts:
            cases |= part.cases
        if not cases:
            raise error_at(self._path, (), "there is nothing to do: say cases, or the suites that it is of.")
        return LanguageSuite(
            file.suite,
            cases,
            read_variants(self._path, file.agent, file.variants),
            file.says,
            file.agent,
            file.frozen_at or ", ".join(dict.fromkeys(part.frozen_at for part in parts if part.frozen_at)),
        )

    def _part(self, name: str, where: KeyPath) -> LanguageSuite:
        """Another suite, as a part of this one: a case that is of no family is of one of the suite's name."""
        with errors_at(self._path, where):
            path = find_config("suites", name)
        if path in self._within:
            raise error_at(self._path, where, "a suite cannot be a part of itself.")
        suite = _read(path, self._within)
        cases = (
            replace(case, name=f"{suite.name}/{case.name}", family=case.family or suite.name)
            for case in suite.cases.values()
        )
        return replace(suite, cases={case.name: case for case in cases})

    def _case(self, name: str, entry: _Case) -> SpokenCase:
        where: KeyPath = ("cases", name)
        if entry.missing or entry.things or entry.alternatives:
            return self._substitution(name, entry, where)
        if not entry.scene:
            raise error_at(self._path, where, "say where: a scene, or the things that are there.")
        return self._instruction(name, entry, where)

    # -- missing things ------------------------------------------------------------------------------
    def _substitution(self, name: str, entry: _Case, where: KeyPath) -> SubstitutionCase:
        self._has(entry, _OF_MISSING, where, "a case with a missing thing")
        self._lacks(entry, _OF_SCENE, where, "a case with a missing thing, which has no scene")
        things = entry.things
        there = (*where, "things")
        if isinstance(things, str):
            if things not in self._file.lists:
                problem = f"there is no list {things!r}. {suggest(things, self._file.lists)}"
                raise error_at(self._path, there, problem)
            things = self._file.lists[things]
        else:
            self._distinct(things, there)
        if entry.missing in things:
            raise error_at(self._path, (*where, "missing"), f"{entry.missing} is one of the things.")
        for index, thing in enumerate(entry.alternatives):
            if thing not in things:
                problem = f"{thing} is none of the things. {suggest(thing, things)}"
                raise error_at(self._path, (*where, "alternatives", index), problem)
        return SubstitutionCase(
            name=name,
            say=entry.say,
            family=entry.family,
            half=entry.half,
            things=things,
            missing=entry.missing,
            alternatives=entry.alternatives,
        )

    def _distinct(self, things: Sequence[str], where: KeyPath) -> None:
        for index, thing in enumerate(things):
            if thing in things[:index]:
                raise error_at(self._path, (*where, index), f"{thing} is listed twice.")

    # -- instructions --------------------------------------------------------------------------------
    def _instruction(self, name: str, entry: _Case, where: KeyPath) -> InstructionCase:
        says = f"a case whose outcome is {entry.outcome}"
        others = [key for key in _OF_OUTCOMES if key not in _KEYS[entry.outcome]]
        self._has(entry, _KEYS[entry.outcome][:1], where, says)
        self._lacks(entry, others, where, says)
        with errors_at(self._path, (*where, "scene")):
            scene, catalogue = self._place(entry.scene)
        goal = self._goal(entry.goal, scene, catalogue, (*where, "goal")) if entry.goal else None
        if goal is not None and holds(House(scene), goal, {}) != entry.nothing:
            problem = (
                "the goal does not hold at the start, so something has to be done: leave out nothing."
                if entry.nothing
                else "the goal holds at the start. If nothing has to be done, say nothing: true."
            )
            raise error_at(self._path, (*where, "goal"), problem)
        return InstructionCase(
            name=name,
            say=entry.say,
            family=entry.family,
            half=entry.half,
            scene=self._known(scene, entry.unexplored, (*where, "unexplored")),
            outcome=entry.outcome,
            goal=goal,
            readings=tuple(
                self._goal(text, scene, catalogue, (*where, "readings", index))
                for index, text in enumerate(entry.readings)
            ),
            because=entry.because,
            answer=entry.answer,
            nothing=entry.nothing,
            calls=entry.calls,
            left_out=entry.left_out,
        )

    def _goal(self, text: str, scene: Scene, catalogue: Catalogue, where: KeyPath) -> Formula:
        with errors_at(self._path, where):
            goal = parse_goal(text, catalogue.domain, scene.types()).formula
            holds(House(scene), goal, {})  # that it can be decided
            return goal

    def _known(self, scene: Scene, unexplored: tuple[str, ...] | None, where: KeyPath) -> Scene:
        """*scene* with what the agent is told of it: all but what is at unexplored furniture."""
        if unexplored is None:
            return scene
        for index, name in enumerate(unexplored):
            if name not in scene.furniture:
                problem = f"there is no piece of furniture {name!r}. {suggest(name, scene.furniture)}"
                raise error_at(self._path, (*where, index), problem)
        known = tuple(name for name in scene.items if _furniture_below(scene, name) not in unexplored)
        return replace(scene, known=known if unexplored else "everything", unexplored=unexplored, believed={})

    # -- keys ----------------------------------------------------------------------------------------
    def _has(self, entry: _Case, keys: Sequence[str], where: KeyPath, says: str) -> None:
        for key in keys:
            if not getattr(entry, key):
                raise error_at(self._path, where, f"{key} is missing: {says} needs it.")

    def _lacks(self, entry: _Case, keys: Sequence[str], where: KeyPath, says: str) -> None:
        for key in keys:
            if key in entry.model_fields_set:
                raise error_at(self._path, (*where, key), f"{says} has no such key.")


def _load(name: str) -> tuple[Scene, Catalogue]:
    """A scene without noise and faults, and what can be done in it."""
    path = find_config("scenes", name)
    catalogue = load_catalogue(scene_domain(path))
    scene = load_scene(path, catalogue.ontology)
    return replace(scene, noise=Noise(), chance=FaultRates(), faults=()), catalogue


def _furniture_below(scene: Scene, name: str) -> str:
    while name in scene.items:
        name = scene.items[name].place
    return name
