"""What people ask for in grid homes: families of tasks, and tasks drawn from them.

A family has parameters, most of them classes of things; ``configs/homes/families.yaml`` says what they can
be. A task is a family with its parameters: an instruction in words, a goal in PDDL that quantifies over
classes (any two pillows serve where two are asked for), and the parts of the goal one by one, for whoever
counts how much of it was reached. Nothing here names a thing of any particular home.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from random import Random
from typing import TypeAlias

from pydantic import RootModel

from foretree.config import find_config, read_yaml
from foretree.errors import ForetreeError, suggest
from foretree.file_errors import error_at
from foretree.planning.pddl.syntax import And, Count, Exists, Forall, Formula, Literal, Typed, show
from foretree.schema import validate
from foretree.world_model.ontology import Ontology, plurals

#: The value of a parameter: a class of things, or a number of them.
Value: TypeAlias = str | int
#: For each family, what each of its parameters can be.
Choices: TypeAlias = Mapping[str, Mapping[str, tuple[Value, ...]]]


class UnknownFamilyError(ForetreeError):
    """A family of tasks that does not exist."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One part of what a task asks for.

    All parts may hold although the goal does not: that the slices are on the same plate, say, only that says.

    Attributes:
        count: how many things of the class must be so; None for every one that there is.
        thing: their class.
        states: what they must be: ``clean``, ``hot``.
        relation: how they must rest: ``on`` or ``in``; empty where that does not matter.
        place: the class of what they must rest there; of furniture or items.
    """

    count: int | None
    thing: str
    states: tuple[str, ...] = ()
    relation: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class HouseholdTask:
    """One task.

    Attributes:
        family: which kind of task.
        parameters: what it was made with.
        instruction: what a person would say.
        formula: what is to be reached.
        conditions: the parts of it.
        needs: how many things of each class a home must have for it at least, tools included.
    """

    family: str
    parameters: Mapping[str, Value]
    instruction: str
    formula: Formula
    conditions: tuple[Condition, ...]
    needs: Mapping[str, int]

    @property
    def goal(self) -> str:
        """What is to be reached, in PDDL."""
        return show(self.formula)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a family asks for, with its parameters filled in."""

    instruction: str
    formula: Formula
    conditions: tuple[Condition, ...]
    needs: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TaskFamily:
    """One kind of task.

    Attributes:
        name: what it is called.
        parameters: what its tasks differ in.
        several: whether it asks for several things, or for several steps to one.
    """

    name: str
    parameters: tuple[str, ...]
    several: bool
    _make: Callable[..., _Wanted] = field(repr=False)

    def task(self, ontology: Ontology, parameters: Mapping[str, Value]) -> HouseholdTask:
        """The task with these *parameters*."""
        made = self._make(_Home(ontology), **parameters)
        return HouseholdTask(
            self.name, dict(parameters), made.instruction, made.formula, made.conditions, made.needs
        )


def find_family(name: str) -> TaskFamily:
    """The family of that name.

    Raises:
        UnknownFamilyError: there is none.
    """
    if name not in FAMILIES:
        raise UnknownFamilyError(f"There is no family of tasks {name!r}. {suggest(name, FAMILIES)}")
    return FAMILIES[name]


def all_tasks(
    family: TaskFamily, ontology: Ontology, choices: Choices, have: Mapping[str, int] | None = None
) -> Iterator[HouseholdTask]:
    """Every task of a family, in order; only those that a home with *have* of each class has all for."""
    for parameters in _combinations(family.parameters, choices[family.name]):
        if len(set(parameters.values())) < len(parameters):
            continue
        task = family.task(ontology, parameters)
        if have is None or all(have.get(name, 0) >= number for name, number in task.needs.items()):
            yield task


def draw_task(
    family: TaskFamily,
    ontology: Ontology,
    choices: Choices,
    random: Random,
    have: Mapping[str, int] | None = None,
) -> HouseholdTask | None:
    """A task of a family; None where the home has not got what any of them needs.

    Each of its tasks is equally likely.

    Args:
        ontology: the classes of things.
        choices: what parameters can be.
        random: decides.
        have: how many things of each class there are; without it, whatever the task needs is taken to be.
    """
    tasks = list(all_tasks(family, ontology, choices, have))
    return random.choice(tasks) if tasks else None


def _combinations(
    names: Sequence[str], values: Mapping[str, tuple[Value, ...]]
) -> Iterator[dict[str, Value]]:
    if not names:
        yield {}
        return
    for value in values[names[0]]:
        for rest in _combinations(names[1:], values):
            yield {names[0]: value, **rest}


# -- in words ----------------------------------------------------------------------------------------
#: What nobody counts.
_UNCOUNTED = frozenset({"bread", "cereal", "juice", "lettuce", "milk", "soap", "toilet_paper"})


def _words(class_name: str) -> str:
    return class_name.replace("_", " ")


def _one(class_name: str) -> str:
    """``a mug``, ``an apple``; ``the keys``."""
    words = _words(class_name)
    if class_name in _UNCOUNTED or (words.endswith("s") and not words.endswith("ss")):
        return f"the {words}"
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def _many(class_name: str) -> str:
    """``mugs``; ``keys``."""
    return plurals(_words(class_name))[0]


def _number(count: int) -> str:
    return {1: "one", 2: "two", 3: "three"}.get(count, str(count))


def _slices(count: int, whole: str) -> str:
    return f"{_number(count)} slice{'s' if count > 1 else ''} of {_words(whole)}"


# -- in PDDL -----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Content:
    """So many things of a class, in some states, that are to be on or in something."""

    count: int
    thing: str
    states: tuple[str, ...] = ()

    def within(self, relation: str, place: str) -> Formula:
        """They are in, or on, what the variable *place* stands for."""
        # Another variable for each class: one formula may speak of several within one another.
        variable = Typed(f"?{self.thing}", self.thing)
        body = _is_so(variable.name, self.states, Literal((relation, variable.name, place)))
        return Exists((variable,), body) if self.count == 1 else Count(variable, body, at_least=self.count)


def _is_so(variable: str, states: Sequence[str], *more: Formula) -> Formula:
    parts = (*(Literal((state, variable)) for state in states), *more)
    return parts[0] if len(parts) == 1 else And(parts)


def _added(*needs: Mapping[str, int]) -> dict[str, int]:
    """Everything that is needed, in order; what is needed twice over, once with the larger number."""
    together: dict[str, int] = {}
    for some in needs:
        for name, number in some.items():
            together[name] = max(number, together.get(name, 0))
    return together


#: What it takes to make things so.
_TOOLS: Mapping[str, Mapping[str, int]] = {
    "clean": {"sink": 1},
    "hot": {"microwave": 1},
    "cold": {"fridge": 1},
}


@dataclass(frozen=True, slots=True)
class _Home:
    """What the families have to know of a home."""

    ontology: Ontology

    def relation(self, place: str) -> str:
        """How things rest there."""
        return "in" if self.ontology.affords(place, "container") else "on"

    def part(self, whole: str) -> tuple[str, int]:
        """The class of a thing's slices, and how many one gives."""
        parts = self.ontology.parts
        assert parts is not None
        return parts.of[whole], parts.number

    def to_slice(self, whole: str, count: int) -> dict[str, int]:
        """What it takes to have so many slices."""
        return {whole: ceil(count / self.part(whole)[1]), "knife": 1}

    def put(
        self, item: str, place: str, states: tuple[str, ...] = (), count: int = 1
    ) -> tuple[Formula, Condition]:
        """Things are at one place."""
        relation = self.relation(place)
        body = _Content(count, item, states).within(relation, "?place")
        formula = Exists((Typed("?place", place),), body)
        return formula, Condition(count, item, states, relation, place)

    def serve(
        self, holder: str, states: tuple[str, ...], contents: Sequence[_Content], *more: Formula
    ) -> tuple[Formula, tuple[Condition, ...]]:
        """One plate or bowl, which may have to be clean, has things on or in it; and *more* holds of it."""
        relation = self.relation(holder)
        within = [content.within(relation, f"?{holder}") for content in contents]
        formula = Exists((Typed(f"?{holder}", holder),), _is_so(f"?{holder}", states, *within, *more))
        conditions = [Condition(c.count, c.thing, c.states, relation, holder) for c in contents]
        if states:
            conditions.insert(0, Condition(1, holder, states))
        return formula, tuple(conditions)


# -- the families ------------------------------------------------------------------------------------
def _pick_and_place(home: _Home, item: str, place: str) -> _Wanted:
    formula, condition = home.put(item, place)
    said = f"put {_one(item)} {condition.relation} {_one(place)}"
    return _Wanted(said, formula, (condition,), {item: 1, place: 1})


def _stack_and_place(home: _Home, item: str, holder: str, place: str) -> _Wanted:
    relation = home.relation(place)
    there = Exists((Typed("?place", place),), Literal((relation, f"?{holder}", "?place")))
    formula, conditions = home.serve(holder, (), [_Content(1, item)], there)
    inner = conditions[0].relation
    said = f"put {_one(holder)} with {_one(item)} {inner} it {relation} {_one(place)}"
    conditions = (*conditions, Condition(1, holder, (), relation, place))
    return _Wanted(said, formula, conditions, {item: 1, holder: 1, place: 1})


def _pick_two_and_place(home: _Home, item: str, place: str) -> _Wanted:
    formula, condition = home.put(item, place, count=2)
    said = f"put two {_many(item)} {condition.relation} {_one(place)}"
    return _Wanted(said, formula, (condition,), {item: 2, place: 1})


def _made_so(state: str, word: str) -> Callable[[_Home, str, str], _Wanted]:
    def wanted(home: _Home, item: str, place: str) -> _Wanted:
        formula, condition = home.put(item, place, (state,))
        words = _words(item)
        some = f"some {word} {words}" if item in _UNCOUNTED else f"a {word} {words}"
        said = f"put {some} {condition.relation} {_one(place)}"
        return _Wanted(said, formula, (condition,), _added({item: 1, place: 1}, _TOOLS[state]))

    return wanted


def _examine_in_light(home: _Home, item: str) -> _Wanted:
    formula = Exists((Typed("?item", item),), Literal(("examined", "?item")))
    said = f"examine {_one(item)} in the light of a lamp"
    return _Wanted(said, formula, (Condition(1, item, ("examined",)),), {item: 1, "lamp": 1})


_COFFEE = ("clean", "has_coffee")


def _coffee(home: _Home, vessel: str) -> _Wanted:
    formula = Exists((Typed("?vessel", vessel),), _is_so("?vessel", _COFFEE))
    needs = {vessel: 1, "coffee_machine": 1, "sink": 1}
    return _Wanted(
        f"make coffee in a clean {_words(vessel)}", formula, (Condition(1, vessel, _COFFEE),), needs
    )


def _clean_all(home: _Home, item: str) -> _Wanted:
    formula = Forall((Typed("?item", item),), Literal(("clean", "?item")))
    needs = {item: 2, "sink": 1}
    return _Wanted(f"clean all {_many(item)}", formula, (Condition(None, item, ("clean",)),), needs)


def _put_all_on(home: _Home, item: str, place: str) -> _Wanted:
    relation = home.relation(place)
    there = Exists((Typed("?place", place),), Literal((relation, "?item", "?place")))
    formula = Forall((Typed("?item", item),), there)
    said = f"put all {_many(item)} {relation} {_many(place)}"
    return _Wanted(said, formula, (Condition(None, item, (), relation, place),), {item: 2, place: 1})


def _put_all_in_one(home: _Home, item: str, place: str) -> _Wanted:
    relation = home.relation(place)
    each = Forall((Typed("?item", item),), Literal((relation, "?item", "?place")))
    formula = Exists((Typed("?place", place),), each)
    said = f"put all {_many(item)} {relation} one {_words(place)}"
    return _Wanted(said, formula, (Condition(None, item, (), relation, place),), {item: 2, place: 1})


def _boil(home: _Home, item: str) -> _Wanted:
    cooked = And((Literal(("cooked", "?item")), Literal(("sliced", "?item"), False)))
    formula = Exists((Typed("?item", item),), cooked)
    needs = {item: 1, "pot": 1, "stove": 1, "sink": 1}
    return _Wanted(f"boil {_one(item)}", formula, (Condition(1, item, ("cooked",)),), needs)


def _water_plant(home: _Home, vessel: str) -> _Wanted:
    formula = Exists((Typed("?plant", "plant"),), Literal(("watered", "?plant")))
    needs = {"plant": 1, vessel: 1, "sink": 1}
    return _Wanted("water a plant", formula, (Condition(1, "plant", ("watered",)),), needs)


_TOAST = ("cooked",)


def _toast(home: _Home) -> _Wanted:
    slice_class, _ = home.part("bread")
    formula, conditions = home.serve("plate", (), [_Content(1, slice_class, _TOAST)])
    needs = _added(home.to_slice("bread", 1), {"plate": 1, "toaster": 1})
    return _Wanted("make a slice of toast and put it on a plate", formula, conditions, needs)


def _some_slices(home: _Home, item: str, number: int, holder: str) -> _Wanted:
    slice_class, _ = home.part(item)
    formula, conditions = home.serve(holder, (), [_Content(number, slice_class)])
    said = f"put {_slices(number, item)} {home.relation(holder)} {_one(holder)}"
    return _Wanted(said, formula, conditions, _added(home.to_slice(item, number), {holder: 1}))


def _cooked_slices(home: _Home, item: str, number: int, holder: str) -> _Wanted:
    slice_class, _ = home.part(item)
    formula, conditions = home.serve(holder, (), [_Content(number, slice_class, ("cooked",))])
    said = f"put {_slices(number, item)}, cooked, {home.relation(holder)} {_one(holder)}"
    needs = _added(home.to_slice(item, number), {holder: 1, "stove": 1, "pan": 1})
    return _Wanted(said, formula, conditions, needs)


def _salad(home: _Home, holder: str) -> _Wanted:
    wholes = ("lettuce", "tomato", "cucumber")
    contents = [_Content(1, home.part(whole)[0]) for whole in wholes]
    formula, conditions = home.serve(holder, ("clean",), contents)
    needs = _added(*(home.to_slice(whole, 1) for whole in wholes), {holder: 1, "sink": 1})
    return _Wanted(
        f"make a salad of lettuce, tomato and cucumber {home.relation(holder)} a clean {_words(holder)}",
        formula,
        conditions,
        needs,
    )


def _sandwich(home: _Home) -> _Wanted:
    contents = [
        _Content(2, home.part("bread")[0], _TOAST),
        _Content(1, home.part("lettuce")[0]),
        _Content(1, home.part("tomato")[0]),
    ]
    formula, conditions = home.serve("plate", ("clean",), contents)
    wholes = (home.to_slice(whole, 2) for whole in ("bread", "lettuce", "tomato"))
    needs = _added(*wholes, {"plate": 1, "toaster": 1, "sink": 1})
    said = "make a sandwich of two slices of toast, lettuce and tomato on a clean plate"
    return _Wanted(said, formula, conditions, needs)


def _breakfast(home: _Home, vessel: str, place: str) -> _Wanted:
    relation = home.relation(place)
    here = Literal((relation, "?plate", "?place"))
    slice_class, _ = home.part("bread")
    plate, on_plate = home.serve("plate", ("clean",), [_Content(1, slice_class, _TOAST)], here)
    coffee = _Content(1, vessel, _COFFEE).within(relation, "?place")
    formula = Exists((Typed("?place", place),), And((coffee, plate)))
    conditions = (
        Condition(1, vessel, _COFFEE, relation, place),
        *on_plate,
        Condition(1, "plate", (), relation, place),
    )
    needs = _added(
        {vessel: 1, "plate": 1, place: 1, "coffee_machine": 1, "toaster": 1, "sink": 1},
        home.to_slice("bread", 1),
    )
    cup = f"a clean {_words(vessel)}"
    said = f"serve breakfast {relation} {_one(place)}: coffee in {cup}, toast on a clean plate"
    return _Wanted(said, formula, conditions, needs)


#: All families, by name: first those with one or two things to be put somewhere.
FAMILIES: Mapping[str, TaskFamily] = {
    family.name: family
    for family in (
        TaskFamily("pick_and_place", ("item", "place"), False, _pick_and_place),
        TaskFamily("stack_and_place", ("item", "holder", "place"), False, _stack_and_place),
        TaskFamily("pick_two_and_place", ("item", "place"), False, _pick_two_and_place),
        TaskFamily("clean_and_place", ("item", "place"), False, _made_so("clean", "clean")),
        TaskFamily("heat_and_place", ("item", "place"), False, _made_so("hot", "hot")),
        TaskFamily("cool_and_place", ("item", "place"), False, _made_so("cold", "cold")),
        TaskFamily("examine_in_light", ("item",), False, _examine_in_light),
        TaskFamily("coffee", ("vessel",), True, _coffee),
        TaskFamily("clean_all", ("item",), True, _clean_all),
        TaskFamily("put_all_on", ("item", "place"), True, _put_all_on),
        TaskFamily("put_all_in_one", ("item", "place"), True, _put_all_in_one),
        TaskFamily("boil", ("item",), True, _boil),
        TaskFamily("water_plant", ("vessel",), True, _water_plant),
        TaskFamily("toast", (), True, _toast),
        TaskFamily("slices", ("item", "number", "holder"), True, _some_slices),
        TaskFamily("cooked_slices", ("item", "number", "holder"), True, _cooked_slices),
        TaskFamily("salad", ("holder",), True, _salad),
        TaskFamily("sandwich", (), True, _sandwich),
        TaskFamily("breakfast", ("vessel", "place"), True, _breakfast),
    )
}


# -- the file ----------------------------------------------------------------------------------------
class _File(RootModel[dict[str, dict[str, tuple[Value, ...]]]]):
    """For each family, what each of its parameters can be."""


def read_choices(ontology: Ontology, path: Path | None = None) -> Choices:
    """What the parameters of each family can be.

    Args:
        ontology: the classes of things.
        path: such a file; ``configs/homes/families.yaml`` unless stated.

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
