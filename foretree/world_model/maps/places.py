"""The place graph: the places where a robot can stand, the passages between them, and their doors."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from heapq import heappop, heappush
from math import dist
from typing import Literal, TypeAlias

from foretree.errors import ForetreeError, suggest
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import CONNECTED, HAS_DOOR, TRAVEL_COST, Atom, Pose, Truth

#: The kind of a node: a spot on the floor, the middle of a room, a piece of furniture, a person.
NodeKind: TypeAlias = Literal["pose", "room", "asset", "person"]

#: Tells whether a door is open.
IsOpen: TypeAlias = Callable[[str], bool]


class MapError(ForetreeError):
    """A map that contradicts itself, or a question about a node that it does not have."""


@dataclass(frozen=True, slots=True)
class Place:
    """A node of the map: somewhere a robot can stand."""

    name: str
    pose: Pose
    room: str
    kind: NodeKind = "pose"


@dataclass(frozen=True, slots=True)
class Passage:
    """An edge of the map, passable both ways; *door* is what can close it."""

    one: str
    other: str
    cost: int
    door: str | None = None

    def connections(self) -> tuple[Atom, Atom]:
        """``connected``, both ways."""
        return (CONNECTED, self.one, self.other), (CONNECTED, self.other, self.one)

    def beyond(self, node: str) -> str:
        """The end that one comes to from *node*."""
        return self.other if node == self.one else self.one


class PassageState(Enum):
    """The state of a passage."""

    FREE = "free"
    CLOSED = "closed"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Path:
    """A way from the first node to the last, and what it costs to travel."""

    nodes: tuple[str, ...]
    cost: int


def all_open(door: str) -> bool:
    """Tell that every door is open."""
    return True


class PlaceGraph:
    """Nodes with pose and room, passages with an integer cost and perhaps a door.

    A map from a file is built once per scene and does not change while a session runs; a map of a home that a
    robot explores grows with what it sees. Which doors are open is no part of it, but an argument
    of its methods.

    Attributes:
        revision: grows with every change, so that what is derived from the map can be kept until then.
    """

    def __init__(self) -> None:
        self.revision = 0
        self._all_open: tuple[int, dict[str, dict[str, int]]] = (0, {})
        self._places: dict[str, Place] = {}
        #: The passages that leave each node, by the node they lead to.
        self._passages: dict[str, dict[str, Passage]] = {}
        self._doors: dict[str, list[Passage]] = {}

    # -- building ----------------------------------------------------------------------------------
    def add(self, name: str, pose: Pose, room: str, kind: NodeKind = "pose") -> Place:
        """Add a node.

        Raises:
            MapError: there already is a node of that name.
        """
        if name in self._places:
            raise MapError(f"The map already has a node {name!r}, in {self.room_of(name)}.")
        place = Place(name, pose, room, kind)
        self._places[name] = place
        self._passages[name] = {}
        self.revision += 1
        return place

    def connect(self, one: str, other: str, cost: int | None = None, door: str | None = None) -> Passage:
        """Add a passage between two nodes, both ways.

        Args:
            cost: what it costs to travel; by default the distance in metres, at least 1.
            door: the door in it, if there is one.

        Raises:
            MapError: a node is not there, both are the same, the passage is already there, or the cost is
                negative.
        """
        a, b = self.place(one), self.place(other)
        if one == other:
            raise MapError(f"A passage leads from {one!r} to itself.")
        if other in self._passages[one]:
            raise MapError(f"The map already has a passage between {one!r} and {other!r}.")
        if cost is None:
            cost = max(1, round(dist(a.pose, b.pose)))
        if cost < 0:
            raise MapError(f"The passage between {one!r} and {other!r} costs {cost}; costs are at least 0.")
        passage = Passage(one, other, cost, door)
        self._passages[one][other] = self._passages[other][one] = passage
        if door is not None:
            self._doors.setdefault(door, []).append(passage)
        self.revision += 1
        return passage

    def disconnect(self, one: str, other: str) -> None:
        """Take a passage out, if there is one; its door, if it has one, is out of it, too."""
        passage = self.passage(one, other)
        if passage is None:
            return
        del self._passages[one][other], self._passages[other][one]
        if passage.door is not None:
            self._doors[passage.door].remove(passage)
            if not self._doors[passage.door]:
                del self._doors[passage.door]
        self.revision += 1

    def remove(self, name: str) -> None:
        """Take a node out, with its passages.

        Raises:
            MapError: there is no such node.
        """
        self.place(name)
        for other in list(self._passages[name]):
            self.disconnect(name, other)
        del self._places[name], self._passages[name]
        self.revision += 1

    def move(self, name: str, pose: Pose) -> None:
        """Correct the pose of a node.

        Raises:
            MapError: there is no such node.
        """
        place = self.place(name)
        if place.pose != pose:
            self._places[name] = replace(place, pose=pose)
            self.revision += 1

    def copy(self) -> PlaceGraph:
        """The same map, to be extended without changing this one: a scene adds the people in it."""
        other = PlaceGraph()
        other._places = dict(self._places)
        other._passages = {node: dict(passages) for node, passages in self._passages.items()}
        other._doors = {door: list(passages) for door, passages in self._doors.items()}
        return other

    # -- asking ------------------------------------------------------------------------------------
    def __contains__(self, node: object) -> bool:
        return node in self._places

    def __len__(self) -> int:
        return len(self._places)

    def place(self, node: str) -> Place:
        """The node of that name.

        Raises:
            MapError: there is none; the message lists those there are.
        """
        try:
            return self._places[node]
        except KeyError:
            raise MapError(f"The map has no node {node!r}. {suggest(node, self._places)}") from None

    def places(self) -> Iterator[Place]:
        """Every node, in the order it was added."""
        return iter(self._places.values())

    def passages(self) -> Iterator[Passage]:
        """Every passage, in a fixed order."""
        done: set[str] = set()
        for node, passages in self._passages.items():
            yield from (passage for other, passage in passages.items() if other not in done)
            done.add(node)

    def passage(self, one: str, other: str) -> Passage | None:
        """The passage between two nodes, in whichever direction it was added; None if there is none."""
        return self._passages.get(one, {}).get(other)

    def room_of(self, node: str) -> str:
        """The room that a node is in."""
        return self.place(node).room

    def rooms(self) -> tuple[str, ...]:
        """Every room, in the order of its first node."""
        return tuple(dict.fromkeys(place.room for place in self.places()))

    def nodes_in(self, room: str) -> tuple[str, ...]:
        """The nodes of a room, in the order they were added."""
        return tuple(place.name for place in self.places() if place.room == room)

    def neighbours(self, node: str, is_open: IsOpen = all_open) -> tuple[str, ...]:
        """The nodes next to one, through doors that are open."""
        return tuple(passage.beyond(node) for passage in self.passages_at(node, is_open))

    def passages_at(self, node: str, is_open: IsOpen = all_open) -> tuple[Passage, ...]:
        """The passages that leave a node, in the order they were added."""
        self.place(node)
        passages = self._passages[node].values()
        return tuple(passage for passage in passages if _passable(passage, is_open))

    def components(self, is_open: IsOpen = all_open) -> tuple[frozenset[str], ...]:
        """The parts that the map falls into, in the order of their first node.

        With every door closed these are the parts inside which no door is ever in the way.
        """
        parts: list[frozenset[str]] = []
        seen: set[str] = set()
        for node in self._places:
            if node not in seen:
                parts.append(frozenset(self.distances(node, is_open)))
                seen |= parts[-1]
        return tuple(parts)

    def doors(self) -> tuple[str, ...]:
        """Every door, in the order of its first passage."""
        return tuple(self._doors)

    def door_edges(self, door: str) -> tuple[Passage, ...]:
        """The passages that a door closes."""
        return tuple(self._doors.get(door, ()))

    def distances(self, start: str, is_open: IsOpen = all_open) -> dict[str, int]:
        """The travel costs from *start* to each node that can be reached, nearest first."""
        self.place(start)
        if is_open is not all_open:
            return self._search(start, None, is_open)[0]
        if self._all_open[0] != self.revision:
            self._all_open = (self.revision, {})
        known = self._all_open[1]
        if start not in known:
            known[start] = self._search(start, None, is_open)[0]
        return dict(known[start])

    def path(self, start: str, goal: str, is_open: IsOpen = all_open) -> Path | None:
        """The cheapest path; None when closed doors, or nothing at all, leave none."""
        self.place(start)
        self.place(goal)
        costs, before = self._search(start, goal, is_open)
        if goal not in costs:
            return None
        nodes = [goal]
        while nodes[-1] != start:
            nodes.append(before[nodes[-1]])
        return Path(tuple(reversed(nodes)), costs[goal])

    def _search(self, start: str, goal: str | None, is_open: IsOpen) -> tuple[dict[str, int], dict[str, str]]:
        """Costs from *start*, nearest node first, as far as *goal* if there is one, and predecessors.

        Among ways of the same cost the one found first counts, so that equal maps give equal paths.
        """
        costs: dict[str, int] = {}
        best = {start: 0}
        before: dict[str, str] = {}
        found = 0
        queue = [(0, found, start)]
        while queue:
            cost, _, node = heappop(queue)
            if node in costs:
                continue
            costs[node] = cost
            if node == goal:
                break
            for other, passage in self._passages[node].items():
                if other in costs or not _passable(passage, is_open):
                    continue
                further = cost + passage.cost
                if other not in best or further < best[other]:
                    best[other] = further
                    before[other] = node
                    found += 1
                    heappush(queue, (further, found, other))
        return costs, before

    # -- as facts ----------------------------------------------------------------------------------
    def connections(self, is_open: IsOpen = all_open) -> Iterator[Atom]:
        """``connected`` for each passage that is free, both ways."""
        for passage in self.passages():
            if _passable(passage, is_open):
                yield from passage.connections()

    def door_facts(self) -> Iterator[Atom]:
        """``has_door`` for each passage that has a door, both ways."""
        for door, passages in self._doors.items():
            for passage in passages:
                yield (HAS_DOOR, door, passage.one, passage.other)
                yield (HAS_DOOR, door, passage.other, passage.one)

    def travel_costs(self) -> Mapping[Atom, int]:
        """``travel_cost`` of each passage, both ways, whether its door is open or not."""
        return {
            atom: p.cost
            for p in self.passages()
            for atom in ((TRAVEL_COST, p.one, p.other), (TRAVEL_COST, p.other, p.one))
        }


def sync_doors(belief: Belief, places: PlaceGraph, time: float, blocked: Container[Passage] = ()) -> None:
    """Make the ``connected`` facts of a belief follow the doors and the blocked passages.

    A door in an unknown state counts as closed: the planner then plans to open it. Only changes are told.
    """
    for door in places.doors():
        evidence = belief.snapshot().evidence(("open", door))
        for passage in places.door_edges(door):
            free = evidence.truth is Truth.TRUE and passage not in blocked
            for atom in passage.connections():
                if (belief.truth(atom) is Truth.TRUE) is not free:
                    belief.tell(atom, free, confidence=evidence.confidence, time=time, source="map")


def _passable(passage: Passage, is_open: IsOpen) -> bool:
    return passage.door is None or is_open(passage.door)
