"""Goals asked of the true state of a home.

Conditions are about classes, states, and what rests where: "at least two clean mugs in a cabinet". They are
independent of the goals that a planner is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from foretree.simulation.grid_homes._object_classes import ObjectClasses, Relation
from foretree.simulation.grid_homes.event_log import HomeLog, IrreversibleEffect
from foretree.simulation.grid_homes.home import Home, HomeObject

ANYHOW: tuple[Relation, ...] = ("on", "in", "under")


@dataclass(frozen=True, slots=True)
class Selector:
    """Selection of objects.

    Attributes:
        classes: they are of one of these classes.
        states: they are in all of these states.
        lacks: they are in none of these.
        at: the place where they rest; None: anywhere.
        bears: the loads that rest on them.
    """

    classes: tuple[str, ...]
    states: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    at: At | None = None
    bears: tuple[Load, ...] = ()


@dataclass(frozen=True, slots=True)
class At:
    """A place: on, in or under one of some objects."""

    place: Selector
    relations: tuple[Relation, ...] = ANYHOW


@dataclass(frozen=True, slots=True)
class Load:
    """At least so many of some objects, resting in one of these relations."""

    count: int
    things: Selector
    relations: tuple[Relation, ...] = ("on", "in")


@dataclass(frozen=True, slots=True)
class AtLeast:
    """At least so many of some objects exist."""

    count: int
    things: Selector


@dataclass(frozen=True, slots=True)
class Every:
    """Some of these objects exist, and each is also one of *such*."""

    things: Selector
    such: Selector


@dataclass(frozen=True, slots=True)
class Together:
    """Some of these objects exist, and all rest at one and the same place."""

    things: Selector
    at: At


Condition: TypeAlias = AtLeast | Every | Together


@dataclass(frozen=True, slots=True)
class HomeTask:
    """A task in a home.

    Attributes:
        family: the kind of task; empty for none in particular.
        goal: the conditions, all of which have to hold.
        items: the number of items that it takes, by class.
        furniture: the classes of furniture that it takes.
    """

    family: str = ""
    goal: tuple[Condition, ...] = ()
    items: Mapping[str, int] = field(default_factory=dict)
    furniture: tuple[str, ...] = ()


def holds(home: Home, condition: Condition) -> bool:
    """Tell whether a condition holds in a home."""
    if isinstance(condition, AtLeast):
        return _count(home, condition.things) >= condition.count
    return all(_each(home, condition))


def is_reached(home: Home, task: HomeTask) -> bool:
    """Tell whether the whole goal of a task holds."""
    return all(holds(home, condition) for condition in task.goal)


def goal_conditions(home: Home, task: HomeTask) -> list[bool]:
    """Evaluate each part of a task's goal holds: single demands first, then that they hold of the same
    objects.

    A mug that is to be clean and in a cabinet makes three: one is clean, one is in a cabinet, and a clean one
    is in a cabinet. Two mugs count twice; of *all* mugs, each counts. States that objects must not be in are
    no demands of their own: they would be met from the start.
    """
    found: list[bool] = []
    for condition in task.goal:
        if isinstance(condition, AtLeast):
            found += (holds(home, step) for step in dict.fromkeys(_steps(condition)))
        else:
            found += _each(home, condition)
    return found


def classes_of(task: HomeTask) -> frozenset[str]:
    """All classes that a task's goal names."""
    found: set[str] = set()
    for condition in task.goal:
        for those in _named(condition):
            found.update(those.classes)
    return frozenset(found)


def matches(home: Home, thing: HomeObject, those: Selector) -> bool:
    """Tell whether an object is selected; broken objects never are."""
    return (
        thing.class_name in those.classes
        and "broken" not in thing.states
        and all(state in thing.states for state in those.states)
        and not any(state in thing.states for state in those.lacks)
        and (those.at is None or _is_at(home, thing, those.at))
        and all(_bears(home, thing, load) for load in those.bears)
    )


def _is_at(home: Home, thing: HomeObject, at: At) -> bool:
    if thing.rests is None or thing.rests.relation not in at.relations:
        return False
    return matches(home, home[thing.rests.support], at.place)


def _bears(home: Home, thing: HomeObject, load: Load) -> bool:
    there = (home[one] for one in thing.load)
    fitting = [
        one
        for one in there
        if one.rests is not None and one.rests.relation in load.relations and matches(home, one, load.things)
    ]
    return len(fitting) >= load.count


def _count(home: Home, those: Selector) -> int:
    return sum(matches(home, thing, those) for thing in home.things.values())


def _each(home: Home, condition: Every | Together) -> list[bool]:
    """Evaluate each of the objects that a condition is about; a condition about none is false."""
    things = [thing for thing in home.things.values() if matches(home, thing, condition.things)]
    if isinstance(condition, Every):
        found = [matches(home, thing, condition.such) for thing in things]
    else:
        there = [_is_at(home, thing, condition.at) for thing in things]
        places = [thing.rests.support for thing, at in zip(things, there, strict=True) if thing.rests and at]
        best = max(sorted(set(places)), key=places.count, default="")
        found = [
            at and thing.rests is not None and thing.rests.support == best
            for thing, at in zip(things, there, strict=True)
        ]
    return found or [False]


def _steps(condition: AtLeast) -> Iterator[AtLeast]:
    """The partial conditions of a condition, and at last the condition itself."""
    those = condition.things
    bare = Selector(those.classes)
    single = [replace(bare, states=(state,)) for state in those.states]
    if those.at is not None:
        place = those.at.place
        if place != Selector(place.classes):
            yield from _steps(AtLeast(1, place))
        single.append(replace(bare, at=At(Selector(place.classes), those.at.relations)))
    for load in those.bears:
        if load.things != Selector(load.things.classes):
            yield from _steps(AtLeast(load.count, load.things))
        simple = replace(load, things=Selector(load.things.classes))
        single += (replace(bare, bears=(replace(simple, count=n),)) for n in range(1, load.count + 1))
    for one in (*single, those):
        yield from (AtLeast(n, one) for n in range(1, condition.count + 1))


def _named(condition: Condition) -> Iterator[Selector]:
    if isinstance(condition, AtLeast):
        yield from _within(condition.things)
    elif isinstance(condition, Every):
        yield from _within(condition.things)
        yield from _within(condition.such)
    else:
        yield from _within(condition.things)
        yield from _within(condition.at.place)


def _within(those: Selector) -> Iterator[Selector]:
    yield those
    if those.at is not None:
        yield from _within(those.at.place)
    for load in those.bears:
        yield from _within(load.things)


# -- at the end of an episode ---


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Progress of a task in truth.

    Attributes:
        reached: whether the whole goal holds.
        conditions: for each part of the goal, whether it holds.
    """

    reached: bool
    conditions: tuple[bool, ...]


def evaluate(home: Home, task: HomeTask) -> Evaluation:
    """Evaluate a task in a home as it is now."""
    return Evaluation(is_reached(home, task), tuple(goal_conditions(home, task)))


def unwanted_effects(log: HomeLog, task: HomeTask, classes: ObjectClasses) -> tuple[IrreversibleEffect, ...]:
    """Irreversible effects that a task did not ask for.

    Breaking, ruining and spilling are never asked for; slicing is if the task names the slices; pouring into
    what holds water does no harm.
    """
    named = classes_of(task)

    def is_unwanted(effect: IrreversibleEffect) -> bool:
        if effect.kind == "slice":
            return classes.items[effect.class_name].slices not in named
        return effect.kind != "pour"

    return tuple(effect for effect in log.irreversible if is_unwanted(effect))
