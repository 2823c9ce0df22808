"""Problems of the size a building has after compression, with whatever is about in its rooms.

A floor is a corridor with rooms on both sides: the kitchen, a store and offices. What a problem sees of it is
what compression leaves: the assets that matter and two others, where the robot stands, and both sides of each
closed door; way-points are gone, distances are true. Everything follows from a seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, product

from foretree.planning.pddl.syntax import Problem
from foretree.planning.task.goals import parse_goal
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.facts import Atom

#: The furniture of each room: name and class. Every office has a table.
_ROOMS = {
    "kitchen": {
        "fridge1": "fridge",
        "microwave1": "microwave",
        "sink1": "sink",
        "coffee_maker1": "coffee_maker",
        "kitchen_table1": "kitchen_table",
        "kitchen_table2": "kitchen_table",
        "dishwasher1": "dishwasher",
        "cupboard1": "cupboard",
        "bin1": "trash_bin",
    },
    "store": {
        "storage_table1": "storage_table",
        "storage_drawers1": "storage_drawers",
        "drying_rack1": "drying_rack",
        "couch1": "couch",
        "washing_machine1": "washing_machine",
    },
    "meeting": {"meeting_table1": "meeting_table", "blackboard1": "blackboard"},
    **{f"office60{number}": {f"table60{number}": "table"} for number in range(1, 8)},
}
_DESKS = [name for room, assets in _ROOMS.items() if room.startswith("office") for name in assets]
#: What lies about, besides what a task is about.
_CLUTTER = (
    *("cup", "cup", "plate", "plate", "bowl", "milk", "apple", "mango", "bread", "knife", "spoon", "cloth"),
    *("towel", "hat", "remote", "book", "red_block", "pen", "phone", "toy", "tray", "sponge", "jug", "glass"),
    *("box", "basket", "paper", "lamp", "keys", "umbrella", "sugar_jar", "orange"),
)
#: The decimetres between the doors of neighbouring rooms.
_APART = 40


@dataclass(frozen=True)
class Task:
    """A kind of task: the classes of the things it is about, the assets it needs, and its goal.

    In the goal, ``{cup0}`` is the first cup, ``{desk0}`` the first of so many tables in offices.
    """

    name: str
    things: tuple[str, ...]
    assets: tuple[str, ...]
    goal: str
    desks: int = 0
    states: tuple[str, ...] = ()


TASKS = (
    # simple
    Task("put", ("mango",), ("fridge1",), "(in {mango0} fridge1)", 1),
    Task("hang", ("hat",), ("drying_rack1", "couch1"), "(hung_on {hat0} drying_rack1)"),
    Task("wipe", ("cloth",), ("kitchen_table1",), "(wiped kitchen_table1)", 1),
    # moderate
    Task(
        "rinse",
        ("apple", "plate"),
        ("fridge1", "sink1", "kitchen_table1"),
        "(and (clean {apple0}) (on {apple0} {plate0}) (on {plate0} kitchen_table1))",
    ),
    Task(
        "slice",
        ("bread", "knife"),
        ("kitchen_table1", "cupboard1"),
        "(and (sliced {bread0}) (on {bread0} kitchen_table1) (in {knife0} cupboard1))",
        1,
    ),
    Task(
        "laundry",
        ("cloth",),
        ("couch1", "washing_machine1", "drying_rack1"),
        "(and (clean {cloth0}) (hung_on {cloth0} drying_rack1))",
    ),
    Task(
        "battery",
        ("new_battery", "old_battery", "remote"),
        ("storage_drawers1", "bin1"),
        "(and (in {new_battery0} {remote0}) (in {old_battery0} bin1) (on {remote0} {desk0}))",
        1,
        ("(in {old_battery0} {remote0})", "(occupied {remote0})"),
    ),
    Task(
        "coffee", ("cup",), ("coffee_maker1", "cupboard1"), "(and (has_coffee {cup0}) (on {cup0} {desk0}))", 1
    ),
    Task(
        "any_coffee",
        (),
        ("coffee_maker1", "cupboard1", "kitchen_table1"),
        "(exists (?c - cup) (and (has_coffee ?c) (on ?c {desk0})))",
        1,
    ),
    Task(
        "plant",
        ("jug", "houseplant"),
        ("sink1", "kitchen_table1"),
        "(and (watered {houseplant0}) (on {jug0} kitchen_table1))",
        1,
    ),
    Task(
        "cool",
        ("juice", "mango", "sandwich"),
        ("fridge1", "kitchen_table1"),
        "(and (in {juice0} fridge1) (in {mango0} fridge1) (in {sandwich0} fridge1) (not (open fridge1)))",
        1,
    ),
    Task(
        "sweet",
        ("cup", "spoon", "sugar_jar"),
        ("coffee_maker1", "kitchen_table1"),
        "(and (has_coffee {cup0}) (sweetened {cup0}) (on {cup0} kitchen_table1))",
    ),
    # compositional
    Task(
        "milk",
        ("cup", "milk"),
        ("fridge1", "microwave1", "kitchen_table1"),
        "(and (has_milk {cup0}) (hot {cup0}) (on {cup0} {desk0}) (in {milk0} fridge1))",
        1,
    ),
    Task(
        "blocks",
        ("purple_block", "red_block", "blue_block", "green_block"),
        ("couch1", "storage_table1"),
        "(and (on {purple_block0} {red_block0}) (on {red_block0} {blue_block0})"
        " (on {blue_block0} {green_block0}) (on {green_block0} {desk0}))",
        1,
    ),
    Task(
        "coffees",
        ("cup", "cup"),
        ("coffee_maker1", "meeting_table1", "cupboard1", "kitchen_table1"),
        "(and (has_coffee {cup0}) (on {cup0} meeting_table1) (has_coffee {cup1}) (on {cup1} meeting_table1))",
    ),
    Task(
        "dishes",
        ("plate", "plate", "plate"),
        ("dishwasher1", "kitchen_table1", "meeting_table1"),
        "(and (clean {plate0}) (clean {plate1}) (clean {plate2}))",
        1,
    ),
)


@cache
def tabletop() -> Catalogue:
    """The household of a whole building, with all its skills."""
    return load_catalogue("tabletop")


def building(task: Task, seed: int, hands: int = 2, doors: bool = True, items: int = 45) -> Problem:
    """A problem of that kind: *items* things wherever they fit, the robot and the doors as the seed says."""
    return _Floor(task, seed, hands, doors, items).problem()


def buildings(
    seeds: range, items: tuple[int, ...] = (35, 55, 75)
) -> Iterator[tuple[str, Callable[[], Problem]]]:
    """All kinds of tasks in all four settings, for each of *seeds*: names, and how to make the problems."""
    for seed, task, hands, doors in product(seeds, TASKS, (1, 2), (False, True)):
        setting = f"{'dual' if hands == 2 else 'single'}-{'doors' if doors else 'open'}"
        make = partial(building, task, seed, hands, doors, items[seed % len(items)])
        yield f"{task.name}-{setting}-{seed}", make


class _Floor:
    def __init__(self, task: Task, seed: int, hands: int, doors: bool, items: int) -> None:
        self._rng = random.Random(f"{task.name} {seed} {hands} {doors}")
        self._task, self._hands, self._doors, self._items = task, hands, doors, items
        self._catalogue = tabletop()
        self._room: dict[str, str] = {}
        self._at: dict[str, tuple[int, int]] = {}
        self._init: set[Atom] = set()
        self._functions: dict[Atom, int] = {}
        self._objects: dict[str, str] = {}

    def problem(self) -> Problem:
        desks = self._rng.sample(_DESKS, max(self._task.desks, 1))
        self._furnish([*self._task.assets, *desks])
        names = {f"desk{i}": name for i, name in enumerate(desks)}
        self._fill(names)
        self._connect()
        goal = parse_goal(self._task.goal.format(**names), self._catalogue.domain, self._objects).formula
        init = frozenset(self._init)
        return Problem("building", self._catalogue.domain, self._objects, init, goal, self._functions)

    def _add(self, name: str, class_name: str) -> None:
        self._objects[name] = class_name
        affords = self._affords(class_name)
        self._init |= {(word, name) for word in affords}
        for rule in self._catalogue.ontology.always:
            if rule.has in affords and rule.lacks not in affords:
                self._init.add((rule.then, name))

    def _affords(self, class_name: str) -> tuple[str, ...]:
        return tuple(self._catalogue.ontology[class_name].affords)

    def _furnish(self, assets: list[str]) -> None:
        """The assets, each in its room, some way from its door."""
        rooms = list(_ROOMS)
        self._rng.shuffle(rooms)
        self._door_at = {room: (number // 2 * _APART, number % 2 * 20) for number, room in enumerate(rooms)}
        shared = ("kitchen", "store", "meeting")
        rest = [name for room in shared for name in _ROOMS[room] if name not in assets]
        for name in [*assets, *self._rng.sample(rest, 2)]:
            room = next(room for room, inside in _ROOMS.items() if name in inside)
            self._room[name] = room
            x, y = self._door_at[room]
            self._at[name] = (
                x + self._rng.randint(-15, 15),
                y + (-1 if y == 0 else 1) * self._rng.randint(5, 40),
            )
            self._add(name, _ROOMS[room][name])
            self._init.add(("obj_at_node", name, name))
            if ("openable", name) in self._init and self._rng.random() < 0.1:
                self._init.add(("open", name))

    def _fill(self, names: dict[str, str]) -> None:
        """Things wherever they fit; the task's own get their names in its goal."""
        counts: dict[str, int] = {}
        places = [name for name in sorted(self._room) if self._is_storage(name)]
        clutter = [self._rng.choice(_CLUTTER) for _ in range(self._items - len(self._task.things))]
        states: list[str] = []
        for position, class_name in enumerate([*self._task.things, *clutter]):
            number = counts[class_name] = counts.get(class_name, 0) + 1
            name = f"{class_name}{number}"
            self._add(name, class_name)
            own = position < len(self._task.things)
            if own:
                names[f"{class_name}{number - 1}"] = name
            if position == len(self._task.things) - 1:
                states = [state.format(**names) for state in self._task.states]
                self._init |= {tuple(state[1:-1].split()) for state in states}
            if not own and "dish" in self._affords(class_name) and self._rng.random() < 0.4:
                self._init.add(("clean", name))
        placed = {atom[1] for atom in self._init if atom[0] in ("in", "on")}
        for name in sorted(self._objects):
            if name not in self._room and name not in placed:
                place = self._rng.choice(places)
                while "heats" in self._affords(self._objects[place]):
                    place = self._rng.choice(places)
                self._init.add(("on" if ("surface", place) in self._init else "in", name, place))

    def _is_storage(self, name: str) -> bool:
        """Whether things may lie about there."""
        affords = set(self._affords(self._objects[name]))
        return bool({"surface", "container"} & affords) and not {"waste", "has_tap"} & affords

    def _connect(self) -> None:
        """Complete distances where one can walk, and both sides of each closed door."""
        start = self._rng.choice(["corridor", *sorted(set(self._room.values()))])
        self._objects["robot"] = "robot"
        self._objects["here"] = "node"
        self._room["here"] = start
        self._at["here"] = (self._rng.randint(0, 200), 10)
        if start != "corridor":
            x, y = self._door_at[start]
            self._at["here"] = (x, y + (-6 if y == 0 else 6))
        self._init.add(("rob_at_node", "robot", "here"))
        for hand in ("left", "right")[: self._hands]:
            self._objects[hand] = "hand"
            self._init |= {("rob_has_hand", "robot", hand), ("hand_free", "robot", hand)}
        closed = set()
        for room in sorted(set(self._room.values()) - {"corridor"}):
            if self._doors and self._rng.random() < 0.6:
                closed.add(room)
                door, inside, outside = f"door_{room}", f"in_{room}", f"out_{room}"
                self._objects |= {door: "door", inside: "node", outside: "node"}
                self._room |= {inside: room, outside: "corridor"}
                self._at[inside] = self._at[outside] = self._door_at[room]
                self._init |= {("has_door", door, inside, outside), ("has_door", door, outside, inside)}
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
