"""Reading planning suites: what a file may say, and the checks that a model of keys and types cannot make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, TypeVar

from pydantic import Field

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at, errors_at
from foretree.planning.pddl.syntax import Formula
from foretree.planning.task.goals import parse_goal
from foretree.regression.core.wordings import Half, Wording
from foretree.regression.planning.suite import (
    Level,
    PlanningSuite,
    PlanningTask,
    PlanningVariant,
    TaskItem,
    TaskVocabulary,
    TrialSetting,
)
from foretree.schema import Strict, validate
from foretree.simulation.household.scene_file import PlacedEntry
from foretree.simulation.household.states_and_relations import relations_of, states_of

T = TypeVar("T")


_Words: TypeAlias = Annotated[str, Field(min_length=1)]


class _Prop(PlacedEntry):
    class_: str = Field(alias="class")
    states: tuple[str, ...] = ()


class _Task(Strict):
    level: Level
    instruction: str
    otherwise: str = ""
    wordings: dict[Half, Annotated[tuple[_Words, ...], Field(min_length=1)]] = Field(default_factory=dict)
    items: dict[str, _Prop] = Field(default_factory=dict)
    assets: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    goal: str
    success: str = ""


class _File(Strict):
    suite: str
    kind: Literal["planning"]
    says: str = ""
    scene: str
    frozen_at: str = ""
    seeds: int = Field(default=1, ge=1, le=1_000_000)
    closed: Annotated[float, Field(ge=0, le=1)] = 0.5
    settings: dict[str, TrialSetting] = Field(min_length=1)
    variants: dict[str, PlanningVariant] = Field(min_length=1)
    places: dict[str, Annotated[tuple[str, ...], Field(min_length=1)]] = Field(default_factory=dict)
    tasks: dict[str, _Task] = Field(min_length=1)


def read_planning_suite(name_or_path: str, ground: Callable[[str], TaskVocabulary]) -> PlanningSuite:
    """Read ``configs/suites/NAME.yaml``, or the file at that path.

    Args:
        name_or_path: which.
        ground: what its tasks may speak of, given the name of its scene.

    Raises:
        ConfigError: it cannot be read or says something that makes no sense: with the file, the line, the
            key, and what would have been valid there.
    """
    path = find_config("suites", name_or_path)
    file = validate(_File, read_yaml(path), path)
    with errors_at(path, ("scene",)):
        known = ground(file.scene)
    return _Reader(file, path, known).read()


class _Reader:
    def __init__(self, file: _File, path: Path, ground: TaskVocabulary) -> None:
        self._file = file
        self._path = path
        self._ground = ground

    def read(self) -> PlanningSuite:
        file = self._file
        for group, among in file.places.items():
            for index, place in enumerate(among):
                self._one_of(("places", group, index), "piece of furniture", place, self._ground.furniture)
        return PlanningSuite(
            file.suite,
            file.scene,
            {name: self._task(name, entry) for name, entry in file.tasks.items()},
            file.settings,
            file.variants,
            file.says,
            file.seeds,
            file.closed,
            file.frozen_at,
        )

    def _task(self, name: str, entry: _Task) -> PlanningTask:
        where: KeyPath = ("tasks", name)
        ontology = self._ground.ontology
        furniture = {}
        for asset, states in entry.assets.items():
            there = (*where, "assets", asset)
            self._one_of(there, "piece of furniture", asset, self._ground.furniture)
            valid = states_of(ontology, self._ground.furniture[asset])
            furniture[asset] = self._states(there, self._ground.furniture[asset], states, valid)
        props = {prop: self._prop((*where, "items", prop), prop, entry) for prop in entry.items}
        objects = {**self._ground.furniture, **{prop.name: prop.class_name for prop in props.values()}}
        goal = self._goal(entry.goal, objects, (*where, "goal"))
        success = self._goal(entry.success, objects, (*where, "success")) if entry.success else goal
        return PlanningTask(
            name,
            entry.level,
            entry.instruction.strip(),
            goal,
            success,
            entry.otherwise.strip(),
            tuple(
                Wording(f"{half}-{number}", say.strip(), half)
                for half, said in entry.wordings.items()
                for number, say in enumerate(said, 1)
            ),
            props,
            furniture,
        )

    def _prop(self, where: KeyPath, name: str, task: _Task) -> TaskItem:
        entry, ontology = task.items[name], self._ground.ontology
        if name in self._ground.furniture:
            raise error_at(self._path, where, "that is the name of a piece of furniture.")
        items = [known.name for known in ontology.classes.values() if known.parent == "item"]
        self._one_of((*where, "class"), "class of item", entry.class_, items)
        relation, place = entry.placement(self._path, where)
        there = (*where, relation)
        among = self._file.places.get(place, (place,))
        others = {other: prop.class_ for other, prop in task.items.items() if other != name}
        for one in among:
            holders = {**self._ground.furniture, **others}
            if one not in holders:
                known = suggest(place, {*holders, *self._file.places})
                raise error_at(self._path, there, f"there is no place {one!r}. {known}")
            if holders[one] not in ontology:
                continue  # that class is the mistake, and it is reported where it stands
            valid = relations_of(ontology[holders[one]])
            if relation not in valid:
                can = f"it can be {' or '.join(valid)} it" if valid else "nothing can be put there"
                raise error_at(
                    self._path, there, f"a thing cannot be {relation} {one}, a {holders[one]}; {can}."
                )
        states = self._states(
            (*where, "states"), entry.class_, entry.states, states_of(ontology, entry.class_)
        )
        return TaskItem(name, entry.class_, relation, among, states)

    def _states(
        self, where: KeyPath, class_name: str, states: Iterable[str], valid: Iterable[str]
    ) -> frozenset[str]:
        valid = tuple(valid)
        return frozenset(self._one_of(where, f"state of a {class_name}", state, valid) for state in states)

    def _one_of(self, where: KeyPath, kind: str, name: str, valid: Iterable[str]) -> str:
        names = tuple(valid)
        if name not in names:
            raise error_at(self._path, where, f"there is no {kind} {name!r}. {suggest(name, names)}")
        return name

    def _goal(self, text: str, objects: Mapping[str, str], where: KeyPath) -> Formula:
        with errors_at(self._path, where):
            return parse_goal(text, self._ground.domain, objects).formula
