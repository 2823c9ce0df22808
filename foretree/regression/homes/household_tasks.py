"""Families of household tasks: how people ask for them, and what they ask for in PDDL.

A family has parameters, most of them classes of objects; ``configs/homes/families.yaml`` lists their values.
A task is a family with its parameters: an instruction, and a goal that quantifies over classes (any two
pillows serve where two are asked for). Nothing here names an object of a particular home. What a task needs,
and whether it is reached in truth, is in :mod:`foretree.simulation.grid_homes.task_families`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from itertools import product
from pathlib import Path
from typing import TypeAlias

from pydantic import RootModel

from foretree.config import find_config, read_yaml
from foretree.errors import ForetreeError, suggest
from foretree.file_errors import error_at
from foretree.planning.pddl.syntax import And, Count, Exists, Forall, Formula, Literal, Typed, show
from foretree.schema import validate
from foretree.simulation.grid_homes.task_families import class_at
from foretree.world_model.ontology import Ontology, plurals

#: The value of a parameter: a class of objects, or a number of them.
Value: TypeAlias = str | int
#: For each family, the values of each of its parameters.
Choices: TypeAlias = Mapping[str, Mapping[str, tuple[Value, ...]]]
#: An instruction, and the goal that it stands for.
_Asked: TypeAlias = tuple[str, Formula]


class UnknownFamilyError(ForetreeError):
    """A family of tasks that does not exist."""


@dataclass(frozen=True, slots=True)
class HouseholdTask:
    """A family of tasks with its parameters filled in.

    Attributes:
        family: the name of the family.
        parameters: what the task was made with.
        instruction: what a person would say.
        formula: the goal.
    """

    family: str
    parameters: Mapping[str, Value]
    instruction: str
    formula: Formula

    @property
    def goal(self) -> str:
        """The goal in PDDL."""
        return show(self.formula)


@dataclass(frozen=True, slots=True)
class TaskFamily:
    """One kind of task.

    Attributes:
        name: unique among the families.
        several: whether a task asks for several objects, or for several steps to one.
    """

    name: str
    several: bool
    _ask: Callable[..., _Asked] = field(repr=False)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(signature(self._ask).parameters)[1:]

    def task(self, ontology: Ontology, parameters: Mapping[str, Value]) -> HouseholdTask:
        """The task with these *parameters*."""
        return HouseholdTask(self.name, dict(parameters), *self._ask(_GoalWriter(ontology), **parameters))


def find_family(name: str) -> TaskFamily:
    """The family of that name.

    Raises:
        UnknownFamilyError: there is none.
    """
    if name not in FAMILIES:
        raise UnknownFamilyError(f"There is no family of tasks {name!r}. {suggest(name, FAMILIES)}")
    return FAMILIES[name]


def all_tasks(family: TaskFamily, ontology: Ontology, choices: Choices) -> Iterator[HouseholdTask]:
    """Every task of a family, in order; no two parameters have the same value."""
    names = family.parameters
    for values in product(*(choices[family.name][name] for name in names)):
        if len(set(values)) == len(values):
            yield family.task(ontology, dict(zip(names, values, strict=True)))


# -- in words ----------------------------------------------------------------------------------------
#: What the classes of slices end with.
_SLICE = "_slice"
#: Classes without an indefinite article.
_UNCOUNTED = frozenset({"bread", "cereal", "juice", "lettuce", "milk", "soap", "toilet_paper"})


def _words(class_name: str) -> str:
    return class_name.replace("_", " ")


def _one(class_name: str) -> str:
    """``a mug``, ``an apple``; ``the keys``."""
    if class_name.endswith(_SLICE):
        return f"a slice of {_words(class_name.removesuffix(_SLICE))}"
    words = _words(class_name)
    if class_name in _UNCOUNTED or (words.endswith("s") and not words.endswith("ss")):
        return f"the {words}"
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def _place(place: str) -> str:
    """``a dresser``, also of ``on dresser``."""
    return _one(class_at(place))


def _many(class_name: str) -> str:
    """``mugs``; ``keys``; ``slices of bread``."""
    if class_name.endswith(_SLICE):
        return f"slices of {_words(class_name.removesuffix(_SLICE))}"
    return plurals(_words(class_name))[0]


def _slices(count: int, whole: str) -> str:
    number = {1: "one", 2: "two", 3: "three"}.get(count, str(count))
    return f"{number} slice{'s' if count > 1 else ''} of {_words(whole)}"


# -- in PDDL -----------------------------------------------------------------------------------------
def _both(parts: Sequence[Formula]) -> Formula:
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _in_states(variable: str, states: Sequence[str], *more: Formula) -> Formula:
    return _both([*(Literal((state, variable)) for state in states), *more])


def _resting(count: int, class_name: str, states: Sequence[str], relation: str, support: str) -> Formula:
    """So many objects of a class, in some states, rest on or in what the variable *support* stands for."""
    # A variable of its own for each class: formulas about several classes are nested.
    variable = Typed(f"?{class_name}", class_name)
    body = _in_states(variable.name, states, Literal((relation, variable.name, support)))
    return Exists((variable,), body) if count == 1 else Count(variable, body, at_least=count)


def _exists(variable: str, class_name: str, body: Formula) -> Formula:
    return Exists((Typed(variable, class_name),), body)


@dataclass(frozen=True, slots=True)
class _GoalWriter:
    """Goals in the terms of an ontology."""

    ontology: Ontology

    def relation(self, place: str) -> str:
        """Relation of objects to a place: the one that is said, else ``in`` where possible, else ``on``."""
        how, _, place = place.rpartition(" ")
        return how if how else "in" if self.ontology.affords(place, "container") else "on"

    def slice_of(self, whole: str) -> str:
        """The class of an object's slices."""
        assert self.ontology.parts is not None
        return self.ontology.parts.of[whole]

    def at_one_place(self, count: int, item: str, states: Sequence[str], place: str) -> Formula:
        """So many objects of a class rest at the same place."""
        there = _resting(count, item, states, self.relation(place), "?place")
        return _exists("?place", class_at(place), there)

    def served(
        self,
        holder: str,
        states: Sequence[str],
        contents: Sequence[tuple[int, str, Sequence[str]]],
        *more: Formula,
    ) -> Formula:
        """One plate or bowl in some states has contents (count, class, states); and *more* holds of it."""
        within = [_resting(*content, self.relation(holder), f"?{holder}") for content in contents]
        return _exists(f"?{holder}", holder, _in_states(f"?{holder}", states, *within, *more))


# -- the families ------------------------------------------------------------------------------------
_COFFEE = ("clean", "has_coffee")
_COOKED = ("cooked",)


def _pick_and_place(goals: _GoalWriter, item: str, place: str) -> _Asked:
    return f"put {_one(item)} {goals.relation(place)} {_place(place)}", goals.at_one_place(1, item, (), place)


def _stack_and_place(goals: _GoalWriter, item: str, holder: str, place: str) -> _Asked:
    relation = goals.relation(place)
    there = _exists("?place", class_at(place), Literal((relation, f"?{holder}", "?place")))
    said = f"put {_one(holder)} with {_one(item)} {goals.relation(holder)} it {relation} {_place(place)}"
    return said, goals.served(holder, (), [(1, item, ())], there)


def _pick_two_and_place(goals: _GoalWriter, item: str, place: str) -> _Asked:
    said = f"put two {_many(item)} {goals.relation(place)} {_place(place)}"
    return said, goals.at_one_place(2, item, (), place)


def _in_state_and_place(state: str) -> Callable[[_GoalWriter, str, str], _Asked]:
    def ask(goals: _GoalWriter, item: str, place: str) -> _Asked:
        article = "some" if item in _UNCOUNTED else "a"
        what = f"{state} slice of {_words(item.removesuffix(_SLICE))}" if item.endswith(_SLICE) else ""
        said = f"put {article} {what or f'{state} {_words(item)}'} {goals.relation(place)} {_place(place)}"
        return said, goals.at_one_place(1, item, (state,), place)

    return ask


def _examine_in_light(goals: _GoalWriter, item: str) -> _Asked:
    said = f"examine {_one(item)} in the light of a lamp"
    return said, _exists("?item", item, Literal(("examined", "?item")))


def _coffee(goals: _GoalWriter, vessel: str) -> _Asked:
    said = f"make coffee in a clean {_words(vessel)}"
    return said, _exists("?vessel", vessel, _in_states("?vessel", _COFFEE))


def _clean_all(goals: _GoalWriter, item: str) -> _Asked:
    return f"clean all {_many(item)}", Forall((Typed("?item", item),), Literal(("clean", "?item")))


def _put_all_on(goals: _GoalWriter, item: str, place: str) -> _Asked:
    relation = goals.relation(place)
    there = _exists("?place", place, Literal((relation, "?item", "?place")))
    return f"put all {_many(item)} {relation} {_many(place)}", Forall((Typed("?item", item),), there)


def _put_all_in_one(goals: _GoalWriter, item: str, place: str) -> _Asked:
    relation = goals.relation(place)
    each = Forall((Typed("?item", item),), Literal((relation, "?item", "?place")))
    return f"put all {_many(item)} {relation} one {_words(place)}", _exists("?place", place, each)


def _boil(goals: _GoalWriter, item: str) -> _Asked:
    whole = Literal(("sliced", "?item"), False)
    return f"boil {_one(item)}", _exists("?item", item, _in_states("?item", _COOKED, whole))


def _water_plant(goals: _GoalWriter, vessel: str) -> _Asked:
    return "water a plant", _exists("?plant", "plant", Literal(("watered", "?plant")))


def _toast(goals: _GoalWriter) -> _Asked:
    goal = goals.served("plate", (), [(1, goals.slice_of("bread"), _COOKED)])
    return "make a slice of toast and put it on a plate", goal


def _some_slices(goals: _GoalWriter, item: str, number: int, holder: str) -> _Asked:
    said = f"put {_slices(number, item)} {goals.relation(holder)} {_one(holder)}"
    return said, goals.served(holder, (), [(number, goals.slice_of(item), ())])


def _cooked_slices(goals: _GoalWriter, item: str, number: int, holder: str) -> _Asked:
    said = f"put {_slices(number, item)}, cooked, {goals.relation(holder)} {_one(holder)}"
    return said, goals.served(holder, (), [(number, goals.slice_of(item), _COOKED)])


def _salad(goals: _GoalWriter, holder: str) -> _Asked:
    contents = [(1, goals.slice_of(whole), ()) for whole in ("lettuce", "tomato", "cucumber")]
    said = f"make a salad of lettuce, tomato and cucumber {goals.relation(holder)} a clean {_words(holder)}"
    return said, goals.served(holder, ("clean",), contents)


def _sandwich(goals: _GoalWriter) -> _Asked:
    toast = (2, goals.slice_of("bread"), _COOKED)
    contents = [toast, *((1, goals.slice_of(whole), ()) for whole in ("lettuce", "tomato"))]
    said = "make a sandwich of two slices of toast, lettuce and tomato on a clean plate"
    return said, goals.served("plate", ("clean",), contents)


def _breakfast(goals: _GoalWriter, vessel: str, place: str) -> _Asked:
    relation = goals.relation(place)
    here = Literal((relation, "?plate", "?place"))
    plate = goals.served("plate", ("clean",), [(1, goals.slice_of("bread"), _COOKED)], here)
    coffee = _resting(1, vessel, _COFFEE, relation, "?place")
    cup = f"a clean {_words(vessel)}"
    said = f"serve breakfast {relation} {_one(place)}: coffee in {cup}, toast on a clean plate"
    return said, _exists("?place", place, And((coffee, plate)))


#: All families by name: first those with one or two objects to be put somewhere.
FAMILIES: Mapping[str, TaskFamily] = {
    family.name: family
    for family in (
        TaskFamily("pick_and_place", False, _pick_and_place),
        TaskFamily("stack_and_place", False, _stack_and_place),
        TaskFamily("pick_two_and_place", False, _pick_two_and_place),
        TaskFamily("clean_and_place", False, _in_state_and_place("clean")),
        TaskFamily("heat_and_place", False, _in_state_and_place("hot")),
        TaskFamily("cool_and_place", False, _in_state_and_place("cold")),
        TaskFamily("examine_in_light", False, _examine_in_light),
        TaskFamily("coffee", True, _coffee),
        TaskFamily("clean_all", True, _clean_all),
        TaskFamily("put_all_on", True, _put_all_on),
        TaskFamily("put_all_in_one", True, _put_all_in_one),
        TaskFamily("boil", True, _boil),
        TaskFamily("water_plant", True, _water_plant),
        TaskFamily("toast", True, _toast),
        TaskFamily("slices", True, _some_slices),
        TaskFamily("cooked_slices", True, _cooked_slices),
        TaskFamily("salad", True, _salad),
        TaskFamily("sandwich", True, _sandwich),
        TaskFamily("breakfast", True, _breakfast),
    )
}


# -- the file ----------------------------------------------------------------------------------------
class _File(RootModel[dict[str, dict[str, tuple[Value, ...]]]]):
    """For each family, the values of each of its parameters."""


def read_choices(ontology: Ontology, path: Path | None = None) -> Choices:
    """Read the values of each family's parameters.

    Args:
        ontology: the classes of objects.
        path: such a file; by default ``configs/homes/families.yaml``.

    Raises:
        ConfigError: it names a family, a parameter or a class that does not exist, or leaves one out; with
            file and line.
    """
    path = path or find_config("homes", "families")
    read = validate(_File, read_yaml(path), path).root
    for name, parameters in read.items():
        if name not in FAMILIES:
            problem = f"there is no family of tasks {name!r}. {suggest(name, FAMILIES)}"
            raise error_at(path, (name,), problem)
        _check(path, FAMILIES[name], parameters, ontology)
    for name in FAMILIES:
        if name not in read:
            raise error_at(path, (), f"{name}: is missing; say there what its parameters can be.")
    return read


def _check(
    path: Path, family: TaskFamily, parameters: Mapping[str, tuple[Value, ...]], ontology: Ontology
) -> None:
    for name, values in parameters.items():
        if name not in family.parameters:
            problem = f"{family.name} has no parameter {name!r}. {suggest(name, family.parameters)}"
            raise error_at(path, (family.name, name), problem)
        for index, value in enumerate(values):
            if name == "number":
                if not isinstance(value, int) or value < 1:
                    problem = f"{value!r} is no number of slices: write 1, 2, 3 …"
                    raise error_at(path, (family.name, name, index), problem)
            elif value not in ontology.classes:
                problem = f"there is no class {value!r}. {suggest(str(value), ontology.classes)}"
                raise error_at(path, (family.name, name, index), problem)
    for name in family.parameters:
        if not parameters.get(name):
            problem = f"{name}: is missing; say which values the parameter can have."
            raise error_at(path, (family.name,), problem)
