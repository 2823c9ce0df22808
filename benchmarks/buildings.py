"""Problems of the size a building has after compression, with whatever is about in its rooms.

A floor is a corridor with rooms on both sides: the kitchen, a store and offices. What a problem sees of it is
what compression leaves: the assets that matter, where the robot stands, and both sides of each closed door;
way-points are gone, distances are true. Everything follows from a seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from foretree.planning.goals import parse_goal
from foretree.planning.syntax import Domain, Problem
from foretree.skills.catalogue import load_catalogue
from foretree.world_model.facts import Atom

#: The furniture of each room: name and what the household says its class affords.
_KITCHEN = {
    "fridge1": "container openable cools",
    "microwave1": "container openable switchable heats",
    "sink1": "container washes has_tap",
    "kitchen_table1": "surface wipeable has_space_under",
    "kitchen_table2": "surface wipeable has_space_under",
    "dishwasher1": "container openable switchable",
    "cupboard1": "container openable",
    "bin1": "container",
}
_STORE = {
    "storage_table1": "surface wipeable has_space_under",
    "drawers1": "container openable",
    "drying_rack1": "hanger",
    "couch1": "surface",
}
_OFFICE = "surface wipeable has_space_under"
_OFFICES = [f"table60{number}" for number in range(1, 10)]
_ITEMS = {
    "cup": "fillable",
    "plate": "",
    "bowl": "fillable",
    "milk": "",
    "juice": "",
    "apple": "sliceable",
    "mango": "sliceable",
    "bread": "sliceable",
    "knife": "blade",
    "spoon": "stirrer scoop_tool",
    "cloth": "wiper foldable hangable",
    "towel": "foldable hangable",
    "hat": "hangable",
    "battery": "",
    "remote": "",
    "book": "",
    "block": "",
    "toy": "",
}
#: The decimetres between the doors of neighbouring rooms.
_APART = 40


@dataclass(frozen=True)
class Task:
    """A kind of task: how many things of which classes it is about, which assets it needs, and its goal.

    In the goal, ``{cup0}`` is the first cup; ``{desk0}`` the table of an office.
    """

    name: str
    things: tuple[str, ...]
    assets: tuple[str, ...]
    goal: str
    desks: int = 0


def _each(number: int, text: str) -> str:
    return " ".join(text.replace("#", str(i)) for i in range(number))


TASKS = (
    Task("put", ("mango",), ("fridge1",), "(in {mango0} fridge1)", 1),
    Task("hang", ("hat",), ("drying_rack1", "couch1"), "(hung_on {hat0} drying_rack1)", 1),
    Task("heat", ("milk",), ("fridge1", "microwave1"), "(and (hot {milk0}) (on {milk0} {desk0}))", 1),
    Task(
        "coffee",
        ("cup", "cup"),
        ("kitchen_table1", "sink1", "cupboard1"),
        f"(and {_each(2, '(filled {cup#}) (clean {cup#}) (on {cup#} {desk0})')})",
        2,
    ),
    Task(
        "wash",
        ("cloth",),
        ("couch1", "sink1", "drying_rack1"),
        "(and (clean {cloth0}) (hung_on {cloth0} drying_rack1))",
    ),
    Task(
        "battery",
        ("battery", "battery"),
        ("drawers1", "bin1"),
        "(and (on {battery0} {desk0}) (in {battery1} bin1) (not (open drawers1)))",
        1,
    ),
    Task(
        "plates",
        ("plate",) * 4,
        ("kitchen_table1", "kitchen_table2", "sink1", "cupboard1"),
        f"(and {_each(4, '(clean {plate#})')} {_each(4, '(in {plate#} cupboard1)')})",
        1,
    ),
    Task(
        "blocks",
        ("block",) * 4,
        ("storage_table1", "couch1"),
        f"(and {_each(4, '(on {block#} {desk#})')})",
        4,
    ),
    Task(
        "lunch",
        ("bread", "apple", "plate"),
        ("kitchen_table1", "cupboard1", "sink1", "fridge1"),
        "(and (sliced {bread0}) (sliced {apple0}) (clean {apple0}) (clean {plate0}) (on {plate0} {desk0})"
        " (on {bread0} {desk0}) (on {apple0} {desk0}))",
        1,
    ),
    Task(
        "tidy",
        ("cup", "bowl", "book", "towel", "juice"),
        ("dishwasher1", "drawers1", "drying_rack1", "fridge1"),
        "(and (in {cup0} dishwasher1) (in {bowl0} dishwasher1) (in {book0} drawers1)"
        " (hung_on {towel0} drying_rack1) (in {juice0} fridge1) (not (open fridge1)) (not (open dishwasher1)))",
        2,
    ),
    Task(
        "any",
        ("cup",),
        ("fridge1", "microwave1", "sink1"),
        "(and (exists (?c - cup) (and (filled ?c) (hot ?c) (on ?c {desk0}))) (not (turned_on microwave1)))",
        1,
    ),
    Task(
        "wipe",
        (),
        ("kitchen_table1", "sink1"),
        "(and (wiped {desk0}) (wiped {desk1}) (wiped kitchen_table1))",
        2,
    ),
)


def building(task: Task, seed: int, hands: int = 2, doors: bool = True, items: int = 45) -> Problem:
    """A problem of that kind: *items* things wherever they fit, the robot and the doors as the seed says."""
    return _Floor(task, seed, hands, doors, items).problem()


def buildings(seeds: range, items: tuple[int, ...] = (40, 70, 100)) -> Iterator[tuple[str, Callable[[], Problem]]]:
    """All kinds of tasks in all four settings, for each of *seeds*: names, and how to make the problems."""
    for seed in seeds:
        for task in TASKS:
            for hands in (1, 2):
                for doors in (False, True):
                    name = f"{task.name}-{'dual' if hands == 2 else 'single'}-{'doors' if doors else 'open'}-{seed}"
                    yield name, lambda t=task, s=seed, h=hands, d=doors: building(t, s, h, d, items[s % len(items)])


def household() -> Domain:
    """The household with all its skills."""
    return load_catalogue().domain


class _Floor:
    def __init__(self, task: Task, seed: int, hands: int, doors: bool, items: int) -> None:
        self._rng = random.Random(f"{task.name} {seed} {hands} {doors}")
        self._task, self._hands, self._doors, self._items = task, hands, doors, items
        self._domain = household()
        self._afforded: dict[str, list[str]] = {}
        self._room: dict[str, str] = {}
        self._at: dict[str, tuple[int, int]] = {}
        self._init: set[Atom] = set()
        self._functions: dict[Atom, int] = {}
        self._objects: dict[str, str] = {}

    def problem(self) -> Problem:
        desks = self._rng.sample(_OFFICES, max(self._task.desks, 2))
        self._furnish([*self._task.assets, *desks])
        things = self._fill()
        self._connect()
        goal = self._task.goal.format(**things, **{f"desk{i}": name for i, name in enumerate(desks)})
        formula = parse_goal(goal, self._domain, self._objects).formula
        return Problem("building", self._domain, self._objects, frozenset(self._init), formula, self._functions)

    def _furnish(self, assets: list[str]) -> None:
        """The assets, each in its room, some way from its door."""
        rooms = ["kitchen", "store", *_OFFICES]
        self._rng.shuffle(rooms)
        self._door_at = {room: (number // 2 * _APART, number % 2 * 20) for number, room in enumerate(rooms)}
        extra = [name for name in (*_KITCHEN, *_STORE) if name not in assets]
        for name in [*assets, *self._rng.sample(extra, 2)]:
            room = "kitchen" if name in _KITCHEN else "store" if name in _STORE else name
            self._afforded[name] = {**_KITCHEN, **_STORE}.get(name, _OFFICE).split()
            self._room[name] = room
            x, y = self._door_at[room]
            self._at[name] = (x + self._rng.randint(-15, 15), y + (-1 if y == 0 else 1) * self._rng.randint(5, 40))
            self._objects[name] = name.rstrip("0123456789").replace("drawers", "drawer").replace("couch", "sofa")
            if self._objects[name] not in self._domain.types:
                self._objects[name] = "table"
            self._init |= {(word, name) for word in self._afforded[name]}
            if "container" in self._afforded[name] and (
                "openable" not in self._afforded[name] or self._rng.random() < 0.1
            ):
                self._init.add(("open", name))
            if "switchable" in self._afforded[name] and ("open", name) not in self._init and self._rng.random() < 0.2:
                self._init.add(("turned_on", name))

    def _fill(self) -> dict[str, str]:
        """Things wherever they fit; the task's own among them, by their place in its goal."""
        names: dict[str, str] = {}
        counts: dict[str, int] = {}
        wanted = list(self._task.things)
        classes = wanted + ["knife", "sponge", "cup"]
        classes += [self._rng.choice(sorted(_ITEMS)) for _ in range(self._items - len(classes))]
        for position, word in enumerate(classes):
            number = counts[word] = counts.get(word, 0) + 1
            name = f"{word}{number}"
            if position < len(wanted):
                names[f"{word}{number - 1}"] = name
            self._objects[name] = word if word in self._domain.types else "item"
            affords = "wiper" if word == "sponge" else _ITEMS[word]
            self._init |= {(each, name) for each in affords.split()}
            for state, probability in (("clean", 0.3), ("filled", 0.2 if "fillable" in affords else 0)):
                if self._rng.random() < probability and position >= len(wanted):
                    self._init.add((state, name))
            self._init.add(self._somewhere(name, affords))
        return names

    def _somewhere(self, item: str, affords: str) -> Atom:
        place = self._rng.choice(sorted(self._afforded))
        while place == "bin1" or not {"surface", "container"} & set(self._afforded[place]):
            place = self._rng.choice(sorted(self._afforded))
        return ("on" if "surface" in self._afforded[place] else "in", item, place)

    def _connect(self) -> None:
        """Complete distances where one can walk, and both sides of each closed door."""
        start = self._rng.choice(["corridor", *sorted(set(self._room.values()))])
        self._objects["robot"] = "robot"
        self._objects["robot_here"] = "waypoint"
        self._room["robot_here"] = start
        self._at["robot_here"] = (self._rng.randint(0, 200), 10)
        if start != "corridor":
            x, y = self._door_at[start]
            self._at["robot_here"] = (x, y + (-6 if y == 0 else 6))
        self._init.add(("robot_at", "robot", "robot_here"))
        for hand in ("left", "right")[: self._hands]:
            self._objects[hand] = "hand"
            self._init |= {("has_hand", "robot", hand), ("hand_free", hand)}
        closed = set()
        for room in sorted(set(self._room.values()) - {"corridor"}):
            if self._doors and self._rng.random() < 0.6:
                closed.add(room)
                door, inside, outside = f"door_{room}", f"in_{room}", f"out_{room}"
                self._objects |= {door: "door", inside: "waypoint", outside: "waypoint"}
                self._room |= {inside: room, outside: "corridor"}
                x, y = self._door_at[room]
                self._at[inside] = self._at[outside] = (x, y)
                self._init |= {("door_between", door, inside, outside), ("door_between", door, outside, inside)}
                self._init.add(("openable", door))
                self._functions[("travel_cost", inside, outside)] = 10
                self._functions[("travel_cost", outside, inside)] = 10
        for one, other in combinations(sorted(self._room), 2):
            ways = self._room[one], self._room[other]
            if ways[0] != ways[1] and closed & set(ways):
                continue
            cost = max(3, self._distance(one, other))
            for pair in ((one, other), (other, one)):
                self._init.add(("connected", *pair))
                self._functions[("travel_cost", *pair)] = cost

    def _distance(self, one: str, other: str) -> int:
        """In decimetres, through the doors of their rooms."""
        if self._room[one] == self._room[other]:
            return _steps(self._at[one], self._at[other])
        total, ends = 0, []
        for node in (one, other):
            door = self._at[node] if self._room[node] == "corridor" else self._door_at[self._room[node]]
            total += _steps(self._at[node], door)
            ends.append(door)
        return total + _steps(*ends)


def _steps(one: tuple[int, int], other: tuple[int, int]) -> int:
    return round(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)
