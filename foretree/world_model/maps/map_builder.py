"""Building a map step by step, with the checks that every map must pass.

Readers of files (YAML, GraphML) and Python code build maps with a :class:`MapBuilder`, so all get the same
checks. An error has its location by the keys of the YAML file; readers of files add the line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from math import dist, isfinite
from pathlib import Path

from foretree.config import is_file
from foretree.errors import suggest
from foretree.file_errors import KeyPath
from foretree.printable import quote
from foretree.schema import FARTHEST
from foretree.world_model.maps.building_map import (
    BuildingMap,
    MapAsset,
    MapDoor,
    MapRoom,
    Point,
    crossing,
    overlap,
    shared_wall,
    way_cost,
)
from foretree.world_model.maps.places import MapError, NodeKind, PlaceGraph
from foretree.world_model.ontology import Ontology

#: Assets stand at least this far apart, in metres, so that a position tells one from the next.
ASSET_SPACING = 0.9

#: Nodes are at least this far apart, in metres.
NODE_SPACING = 0.3

#: Decimetres that an edge may cost: beyond that, sums of costs are no longer what engines count with.
MOST_COST = 10**8

#: Metres from the middle of a door within which an edge passes it.
DOOR_REACH = 0.5

#: Characters that XML, and so GraphML, cannot hold.
_NO_TEXT = re.compile(r"[^\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_SECTIONS: dict[NodeKind, str] = {"room": "rooms", "pose": "poses", "asset": "assets"}


class FaultyMapError(MapError):
    """A map contradicts itself.

    Attributes:
        location: where, by the keys of a map file: ``("assets", "couch1", "at")``.
        problem: what, and what would have been valid.
    """

    def __init__(self, location: KeyPath, problem: str) -> None:
        super().__init__(f"{'.'.join(map(str, location))}: {problem}")
        self.location = tuple(location)
        self.problem = problem


class MapBuilder:
    """Makes a :class:`~foretree.world_model.maps.building_map.BuildingMap` out of rooms, nodes, doors and
    edges.

    What a call names must have been added before: a room before what is in it, nodes and doors before the
    edges. Every method raises :class:`FaultyMapError` when its arguments make no sense.

    Example::

        builder = MapBuilder("flat", says="Two rooms.")
        builder.room("kitchen", (0, 0), (4, 3))
        builder.room("hall", (4, 0), (8, 3))
        builder.asset("fridge1", "fridge", "kitchen", (0.5, 2.5), image=photo, caption="The fridge.")
        builder.door("door1", (4, 1.5))
        builder.edge("kitchen", "hall", door="door1")
        builder.way("fridge1", "kitchen")
        building = builder.build()

    Args:
        name: its name.
        says: a description for people, in one sentence.
    """

    def __init__(self, name: str, says: str = "") -> None:
        self._name = _text(("map",), name)
        if not self._name:
            raise FaultyMapError(("map",), "it says nothing; a map has a name.")
        self._says = _text(("says",), says)
        self._rooms: dict[str, MapRoom] = {}
        self._assets: dict[str, MapAsset] = {}
        self._doors: dict[str, Point] = {}
        self._between: dict[str, tuple[str, str]] = {}
        self._nodes: dict[str, tuple[Point, str, NodeKind]] = {}
        self._edges: dict[frozenset[str], tuple[int, str | None]] = {}
        self._ways = 0
        self._single_edges = 0

    def room(self, name: str, low: Point, high: Point, *, at: Point | None = None, says: str = "") -> None:
        """Add a room, with a node of the same name in it.

        Args:
            name: its name.
            low: the corner with the smaller x and y.
            high: the opposite corner.
            at: where its node is; by default in the middle.
            says: a description for people.
        """
        key = ("rooms", name)
        self._claim(name, key)
        if low[0] >= high[0] or low[1] >= high[1]:
            raise FaultyMapError(
                key, "a room goes from the corner with the smaller x and y to the opposite one."
            )
        room = MapRoom(name, _point(key, low), _point(key, high), _text((*key, "says"), says))
        for other in self._rooms.values():
            if overlap(room, other):
                raise FaultyMapError(
                    key,
                    f"it overlaps {other.name}, which goes from {_said(other.low)} to {_said(other.high)}; "
                    "rooms may share walls only.",
                )
        self._rooms[name] = room
        self._node(key, name, name, _point((*key, "at"), at or room.middle), "room")

    def pose(self, name: str, room: str, at: Point) -> None:
        """Add a node to stand at."""
        key = ("poses", name)
        self._claim(name, key)
        self._node(key, name, room, _point((*key, "at"), at), "pose")

    def asset(self, name: str, class_name: str, room: str, at: Point, *, image: Path, caption: str) -> None:
        """Add an asset, with a node of the same name.

        Args:
            name: its name.
            class_name: its class.
            room: the room it is in.
            at: its position.
            image: a file that shows it.
            caption: a description: what it is, where it is and what it is for.
        """
        key = ("assets", name)
        self._claim(name, key)
        at = _point((*key, "at"), at)
        for other in self._assets.values():
            if dist(at, other.at) < ASSET_SPACING - 1e-9:
                raise FaultyMapError(
                    (*key, "at"),
                    f"it is {dist(at, other.at):.2f} m from {other.name}; leave at least {ASSET_SPACING} m.",
                )
        self._node(key, name, room, at, "asset")
        if not is_file(image):
            raise FaultyMapError(
                (*key, "image"), f"there is no file {image}; every asset has an image that shows it."
            )
        caption = _text((*key, "caption"), caption)
        if not caption:
            raise FaultyMapError(
                (*key, "caption"),
                "it says nothing; say what it is, where it is and what it is for: it is found by that.",
            )
        self._assets[name] = MapAsset(name, class_name, room, at, image, caption)

    def door(self, name: str, at: Point) -> None:
        """Add a door; the edges that pass it name it."""
        key = ("doors", name)
        self._claim(name, key)
        self._doors[name] = _point((*key, "at"), at)

    def way(self, *nodes: str) -> None:
        """Add edges from each node to the next, without doors, that cost what their length says."""
        key = ("ways", self._ways)
        self._ways += 1
        if len(nodes) < 2:
            raise FaultyMapError(key, "a way leads through at least two nodes.")
        for index, (one, other) in enumerate(pairwise(nodes)):
            self._check_node((*key, index), one)
            self._check_node((*key, index + 1), other)
            self._connect((*key, index + 1), one, other, None, None)

    def edge(self, one: str, other: str, *, cost: int | None = None, door: str | None = None) -> None:
        """Add an edge, passable both ways.

        Args:
            one: a node.
            other: the node at the other end.
            cost: what it costs to travel; by default its length in decimetres, rounded up.
            door: the door in it, if there is one.
        """
        key = ("edges", self._single_edges)
        self._single_edges += 1
        for index, node in enumerate((one, other)):
            self._check_node((*key, "between", index), node)
        self._connect(key, one, other, cost, door)

    def build(self, source: Path | None = None) -> BuildingMap:
        """The map.

        Args:
            source: the file that it was read from.

        Raises:
            FaultyMapError: there is no room, a door is in no edge, nodes are too close together, or a node
                cannot be reached.
        """
        if not self._rooms:
            raise FaultyMapError(("rooms",), "there are none; a map has at least one room.")
        for door in self._doors:
            if door not in self._between:
                raise FaultyMapError(
                    ("doors", door),
                    "no edge passes it; name it in the edge that leads from one side of it to the other.",
                )
        self._check_spacing()
        places = self._places()
        self._check_reachable(places)
        return BuildingMap(
            name=self._name,
            places=places,
            rooms=dict(self._rooms),
            assets=dict(self._assets),
            doors={name: self._finished_door(name, places) for name in places.doors()},
            says=self._says,
            source=source,
        )

    # -- nodes ---------------------------------------------------------------------------------------
    def _claim(self, name: str, key: KeyPath) -> None:
        if not _NAME.fullmatch(name):
            raise FaultyMapError(
                key, "a name starts with a small letter and goes on with small letters, digits, _ and -."
            )
        if name in self._nodes:
            raise FaultyMapError(key, f"the name is taken already, in {_SECTIONS[self._nodes[name][2]]}.")
        if name in self._doors:
            raise FaultyMapError(key, "the name is taken already, in doors.")

    def _node(self, key: KeyPath, name: str, room: str, at: Point, kind: NodeKind) -> None:
        if room not in self._rooms:
            raise FaultyMapError((*key, "room"), f"there is no room {room!r}. {suggest(room, self._rooms)}")
        where = self._rooms[room]
        if not where.contains(*at):
            raise FaultyMapError(
                (*key, "at"),
                f"{_said(at)} is outside {room}, which goes from {_said(where.low)} to {_said(where.high)}.",
            )
        self._nodes[name] = (at, room, kind)

    def _check_spacing(self) -> None:
        # Sorted by x, only neighbours in that order can be close together.
        nodes = sorted(self._nodes.items(), key=lambda item: item[1][0][0])
        for index, (one, (here, _, _)) in enumerate(nodes):
            for other, (there, _, kind) in nodes[index + 1 :]:
                if there[0] - here[0] >= NODE_SPACING:
                    break
                if dist(here, there) < NODE_SPACING - 1e-9:
                    raise FaultyMapError(
                        (_SECTIONS[kind], other, "at"),
                        f"it is {dist(here, there):.2f} m from {one}; nodes are at least {NODE_SPACING} m "
                        "apart.",
                    )

    # -- edges ---------------------------------------------------------------------------------------
    def _check_node(self, key: KeyPath, name: str) -> None:
        if name not in self._nodes:
            raise FaultyMapError(key, f"there is no node {name!r}. {suggest(name, self._nodes)}")

    def _connect(self, key: KeyPath, one: str, other: str, cost: int | None, door: str | None) -> None:
        pair = frozenset((one, other))
        if one == other:
            raise FaultyMapError(key, f"it leads from {one} to itself.")
        if pair in self._edges:
            raise FaultyMapError(key, f"there already is an edge between {one} and {other}.")
        if cost is None:
            cost = way_cost(self._nodes[one][0], self._nodes[other][0])
        if not 0 <= cost <= MOST_COST:
            raise FaultyMapError(
                (*key, "cost"),
                f"it costs {quote(cost)}; a cost is 0 or more, up to {MOST_COST:,}, in decimetres.",
            )
        self._check_walls(key, one, other, door)
        self._edges[pair] = (cost, door)

    def _check_walls(self, key: KeyPath, one: str, other: str, door: str | None) -> None:
        """Check that an edge passes no wall but the one between its rooms, once, at its door.

        A room is convex, so edges inside it pass none.
        """
        (start, from_room, _), (end, to_room, _) = self._nodes[one], self._nodes[other]
        if door is not None and door not in self._doors:
            raise FaultyMapError((*key, "door"), f"there is no door {door!r}. {suggest(door, self._doors)}")
        if from_room == to_room:
            if door is not None:
                raise FaultyMapError(
                    (*key, "door"), f"{one} and {other} are both in {from_room}; a door is between two rooms."
                )
            return
        rooms = self._rooms[from_room], self._rooms[to_room]
        wall = shared_wall(*rooms)
        if wall is None:
            raise FaultyMapError(
                key,
                f"{one} is in {from_room} and {other} in {to_room}, but these rooms share no wall; lead the "
                "way through the rooms between them.",
            )
        passed = crossing(*rooms, start, end)
        if passed is None:
            raise FaultyMapError(
                key,
                f"the way from {one} to {other} goes through a wall; pass from {from_room} to {to_room} "
                f"between {_said(wall[0])} and {_said(wall[1])}.",
            )
        if door is None:
            return
        at = self._doors[door]
        if dist(passed, at) > DOOR_REACH:
            raise FaultyMapError(
                (*key, "door"),
                f"the way from {one} to {other} passes the wall at {_said(passed)}, {dist(passed, at):.2f} m "
                f"from {door}, which is at {_said(at)}; at most {DOOR_REACH} m make sense.",
            )
        if not (rooms[0].contains(*at) and rooms[1].contains(*at)):
            raise FaultyMapError(
                ("doors", door, "at"),
                f"{_said(at)} is not on the wall of {from_room} and {to_room}, from {_said(wall[0])} to "
                f"{_said(wall[1])}.",
            )
        between = self._between.setdefault(door, (from_room, to_room))
        if {*between} != {from_room, to_room}:
            raise FaultyMapError(
                (*key, "door"),
                f"{door} is between {between[0]} and {between[1]}, not {from_room} and {to_room}.",
            )

    # -- the whole -----------------------------------------------------------------------------------
    def _places(self) -> PlaceGraph:
        """Rooms, then poses, then assets, as they were added; then the edges in the order of their nodes.

        The order depends on nothing else, so that a map read back from a file is the same in every way.
        """
        places = PlaceGraph()
        for wanted in _SECTIONS:
            for name, (at, room, kind) in self._nodes.items():
                if kind == wanted:
                    places.add(name, (*at, 0.0), room, kind)
        rank = {place.name: index for index, place in enumerate(places.places())}
        edges = [(sorted(pair, key=rank.__getitem__), *rest) for pair, rest in self._edges.items()]
        for (one, other), cost, door in sorted(edges, key=lambda edge: [rank[node] for node in edge[0]]):
            places.connect(one, other, cost, door)
        return places

    def _finished_door(self, name: str, places: PlaceGraph) -> MapDoor:
        first = places.door_edges(name)[0]
        between = places.room_of(first.one), places.room_of(first.other)
        return MapDoor(name, self._doors[name], between)

    def _check_reachable(self, places: PlaceGraph) -> None:
        """Check that all nodes are connected when all doors are open."""
        parts = sorted(places.components(), key=len, reverse=True)
        if len(parts) < 2:
            return
        lost = [name for name in self._nodes if name not in parts[0]]
        # An asset without a way is the mistake that people make; a lone pose is only part of it.
        name = next((name for name in lost if name in self._assets), lost[0])
        at, room, kind = self._nodes[name]
        near = [n for n in parts[0] if self._nodes[n][1] == room] or list(parts[0])
        nearest = min(near, key=lambda n: (dist(self._nodes[n][0], at), n))
        others = len(parts[0]) - 1
        rest = (
            "" if others == 0 else f" and the other {others} nodes" if others > 1 else " and the other node"
        )
        raise FaultyMapError(
            (_SECTIONS[kind], name),
            f"it cannot be reached, even with all doors open: no way leads to it from {nearest}{rest}. "
            f"Add an edge, for example between {nearest} and {name}.",
        )


def check_classes(class_of: Mapping[str, str], ontology: Ontology) -> None:
    """Check that assets are of classes that there are.

    Raises:
        FaultyMapError: one is not.
    """
    valid = [name for name in ontology.classes if _is_asset(name, ontology)]
    for asset, class_name in class_of.items():
        if class_name not in valid:
            raise FaultyMapError(
                ("assets", asset, "class"),
                f"there is no class of asset {class_name!r}. {suggest(class_name, valid)}",
            )


def _is_asset(class_name: str, ontology: Ontology) -> bool:
    above, seen = class_name, set()
    while above in ontology and above not in seen:
        seen.add(above)
        above = ontology.type_of(above)
    return above == "asset"


def _point(key: KeyPath, at: Point) -> Point:
    if not (isfinite(at[0]) and isfinite(at[1]) and max(abs(at[0]), abs(at[1])) <= FARTHEST):
        raise FaultyMapError(
            key, f"{_said(at)} is no point on a floor; give x and y in metres, up to {FARTHEST:g}."
        )
    return float(at[0]), float(at[1])


def _text(key: KeyPath, text: str) -> str:
    """*text* in one line. Map files are text themselves, in which control characters have no place."""
    line = " ".join(text.split())
    if _NO_TEXT.search(line):
        raise FaultyMapError(
            key, f"{quote(line)} has control characters; use letters, digits and punctuation."
        )
    return line


def _said(at: Point) -> str:
    return f"[{at[0]:g}, {at[1]:g}]"
