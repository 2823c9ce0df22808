"""What is to be so in a home, as a judge asks it of the truth.

Conditions speak of classes, states, and what rests where: "at least two clean mugs in a cabinet". They know
nothing of how a planner writes goals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from foretree.simulation.grid_homes._object_classes import Relation
from foretree.simulation.grid_homes.home import Home, HomeObject

ANYHOW: tuple[Relation, ...] = ("on", "in", "under")


@dataclass(frozen=True, slots=True)
class Selector:
    """Things of a kind.

    Attributes:
        classes: they are of one of these classes.
        states: they are in all of these states.
        lacks: they are in none of these.
        at: where they rest; None: anywhere.
        bears: what rests on them.
    """

    classes: tuple[str, ...]
    states: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    at: At | None = None
    bears: tuple[Load, ...] = ()


@dataclass(frozen=True, slots=True)
class At:
    """On, in or under one of some things, in one of these ways."""

    place: Selector
    relations: tuple[Relation, ...] = ANYHOW


@dataclass(frozen=True, slots=True)
class Load:
    """At least so many of some things, resting in one of these ways."""

    count: int
    things: Selector
    relations: tuple[Relation, ...] = ("on", "in")


@dataclass(frozen=True, slots=True)
class AtLeast:
    """There are at least so many of those."""

    count: int
    things: Selector


@dataclass(frozen=True, slots=True)
class Every:
    """There are some of those, and each of them is also one of *such*."""

    things: Selector
    such: Selector


@dataclass(frozen=True, slots=True)
class Together:
    """There are some of those, and all of them rest on, in or under one and the same place."""

    things: Selector
    at: At


Condition: TypeAlias = AtLeast | Every | Together


@dataclass(frozen=True, slots=True)
class HomeTask:
    """What a robot is to bring about.

    Attributes:
        family: which kind of task it is.
        goal: what has to be so; all of it.
        items: what it takes: how many items of which classes.
        furniture: and which furniture.
    """

    family: str
    goal: tuple[Condition, ...]
    items: Mapping[str, int] = field(default_factory=dict)
    furniture: tuple[str, ...] = ()


def holds(home: Home, condition: Condition) -> bool:
    """Whether a condition is true of a home."""
    if isinstance(condition, AtLeast):
        return _count(home, condition.things) >= condition.count
    return all(_each(home, condition))


def is_reached(home: Home, task: HomeTask) -> bool:
    """Whether everything that a task asks for is so."""
    return all(holds(home, condition) for condition in task.goal)


def goal_conditions(home: Home, task: HomeTask) -> list[bool]:
    """Which parts of a task's goal are so: its single demands first, then that they hold of the same things.

    What things must not be is no demand of its own: it would be met from the start.

    A mug that is to be clean and in a cabinet makes three: one is clean, one is in a cabinet, and a clean one
    is in a cabinet. Two mugs count twice; of *all* mugs, each counts.
    """
    found: list[bool] = []
    for condition in task.goal:
        if isinstance(condition, AtLeast):
            found += (holds(home, step) for step in dict.fromkeys(_steps(condition)))
        else:
            found += _each(home, condition)
    return found


def classes_of(task: HomeTask) -> frozenset[str]:
    """Every class that a task's goal names."""
    found: set[str] = set()
    for condition in task.goal:
        for those in _named(condition):
            found.update(those.classes)
    return frozenset(found)


def matches(home: Home, thing: HomeObject, those: Selector) -> bool:
    """Whether a thing is one of those; what is broken is nothing any more."""
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
    """Of each of the things that a condition is about, whether it is as it should be; none is not enough."""
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
    """What has to be so on the way to a condition, and at last the condition itself."""
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
