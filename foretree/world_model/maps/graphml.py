"""Maps as GraphML files, which other tools can show and edit; they are read back without loss.

The map is in the attributes of nodes and edges:

- every node has ``kind`` (room, pose, asset), ``x``, ``y`` and ``room``;
- a room's node also has its rectangle (``low_x``, ``low_y``, ``high_x``, ``high_y``) and ``says``;
- an asset's node also has ``class``, ``image`` (a path relative to the file) and ``caption``;
- an edge has ``cost``, and ``door``, ``door_x`` and ``door_y`` if there is a door in it;
- the graph has ``name`` and ``says``.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx

from foretree.config import ConfigError
from foretree.errors import suggest
from foretree.world_model.maps.building_map import BuildingMap, Point, relative_path
from foretree.world_model.maps.map_builder import FaultyMapError, MapBuilder, check_classes
from foretree.world_model.maps.places import Place
from foretree.world_model.ontology import Ontology

_KINDS = ("room", "pose", "asset")


class GraphmlError(ConfigError):
    """A GraphML file cannot be read, or is not a map."""


def write_graphml(building: BuildingMap, path: Path) -> None:
    """Write a map as GraphML.

    Raises:
        GraphmlError: the file cannot be written.
    """
    graph: nx.Graph[str] = nx.Graph(name=building.name, says=building.says)
    for place in building.places.places():
        graph.add_node(place.name, **_node_data(building, place, path.parent))
    for passage in building.places.passages():
        data: dict[str, Any] = {"cost": passage.cost}
        if passage.door is not None:
            x, y = building.doors[passage.door].at
            data |= {"door": passage.door, "door_x": x, "door_y": y}
        graph.add_edge(passage.one, passage.other, **data)
    try:
        # The writer that needs nothing but the standard library: the file is the same everywhere.
        nx.write_graphml_xml(graph, path)
    except OSError as error:
        raise GraphmlError(f"Cannot write {path}: {error.strerror}.") from error


def read_graphml(path: Path, ontology: Ontology | None = None) -> BuildingMap:
    """Read a map that was written as GraphML, by Foretree or by another tool.

    Args:
        path: the file. Images are looked for relative to it.
        ontology: the classes that assets can be of; without one, any will do.

    Raises:
        GraphmlError: with the file, the line and what would have been valid there.
    """
    try:
        _check_elements(path)
        with warnings.catch_warnings():
            # A key without a type is text, and ports are of no use to a map: neither is worth a word.
            warnings.simplefilter("ignore", UserWarning)
            graph = nx.read_graphml(path)
    except OSError as error:
        raise GraphmlError(f"Cannot read {path}: {error.strerror}.") from error
    except ElementTree.ParseError as error:
        line, column = error.position
        problem = str(error).partition(":")[0]
        raise GraphmlError(f"{path}:{line}:{column + 1}: not valid XML: {problem}.") from error
    except (nx.NetworkXError, ValueError, LookupError) as error:
        raise GraphmlError(f"{path}: not valid GraphML: {error}.") from error
    return _Reader(graph, path, ontology).read()


def _check_elements(path: Path) -> None:
    """Refuse duplicates and unknown ends of edges, which the reader of the graph would silently repair."""
    root = ElementTree.parse(path).getroot()
    names: dict[str, None] = {}
    for node in root.iterfind(".//{*}node"):
        name = node.get("id", "")
        if name in names:
            raise _error_at(
                path, _node(name), f"{name}: the name is taken already, by another node.", last=True
            )
        names[name] = None
    joined: set[frozenset[str]] = set()
    for edge in root.iterfind(".//{*}edge"):
        one, other = edge.get("source", ""), edge.get("target", "")
        which = f"the edge between {one} and {other}"
        for end in (one, other):
            if end not in names:
                raise _error_at(
                    path, _edge(one, other), f"{which}: there is no node {end!r}. {suggest(end, names)}"
                )
        if frozenset((one, other)) in joined:
            raise _error_at(
                path, _edge(one, other), f"{which}: there already is an edge between them.", last=True
            )
        joined.add(frozenset((one, other)))


def _error_at(path: Path, element: str, problem: str, last: bool = False) -> GraphmlError:
    """An error with the line of the first, or the last, element that matches a pattern."""
    text = path.read_text(encoding="utf-8", errors="replace")
    found = [text.count("\n", 0, match.start()) + 1 for match in re.finditer(element, text)] or [1]
    return GraphmlError(f"{path}:{found[-1 if last else 0]}: {problem}")


def _node_data(building: BuildingMap, place: Place, folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = {
        "kind": place.kind,
        "x": float(place.pose[0]),
        "y": float(place.pose[1]),
        "room": place.room,
    }
    if place.kind == "room":
        room = building.rooms[place.name]
        data |= {"low_x": room.low[0], "low_y": room.low[1], "high_x": room.high[0], "high_y": room.high[1]}
        data["says"] = room.says
    if place.kind == "asset":
        asset = building.assets[place.name]
        data |= {"class": asset.class_name, "caption": asset.caption}
        data["image"] = relative_path(asset.image, folder.resolve())
    return data


class _Reader:
    """Builds a map from a graph; its errors name the line in the file."""

    def __init__(self, graph: Any, path: Path, ontology: Ontology | None) -> None:
        self.graph = graph
        self.path = path
        self.ontology = ontology
        self.edges: list[tuple[str, str]] = list(graph.edges())

    def read(self) -> BuildingMap:
        if self.graph.is_directed():
            raise self._fail("<graph ", 'the edges of a map go both ways: say edgedefault="undirected".')
        try:
            return self._built()
        except FaultyMapError as mistake:
            section, name = (*mistake.location, "")[:2]
            if section == "edges":
                one, other = self.edges[int(name)]
                raise self._fail(
                    _edge(one, other), f"the edge between {one} and {other}: {mistake.problem}"
                ) from None
            element = _door(str(name)) if section == "doors" else _node(str(name))
            said = ".".join(map(str, mistake.location[1:])) or section
            raise self._fail(element, f"{said}: {mistake.problem}") from None

    def _built(self) -> BuildingMap:
        about = self.graph.graph
        builder = MapBuilder(str(about.get("name") or self.path.stem), str(about.get("says", "")))
        nodes = [_Element(self, name, _node(name), data) for name, data in self.graph.nodes(data=True)]
        kinds = {node.name: node.one_of("kind", _KINDS) for node in nodes}
        rooms, poses, assets = ([node for node in nodes if kinds[node.name] == kind] for kind in _KINDS)
        for node in rooms:
            low, high = node.point("low_x", "low_y"), node.point("high_x", "high_y")
            builder.room(node.name, low, high, at=node.point("x", "y"), says=node.text("says"))
        for node in poses:
            builder.pose(node.name, node.word("room"), node.point("x", "y"))
        for node in assets:
            builder.asset(
                node.name,
                node.word("class"),
                node.word("room"),
                node.point("x", "y"),
                image=self.path.parent / node.word("image"),
                caption=node.text("caption"),
            )
        if self.ontology is not None:
            check_classes({node.name: node.word("class") for node in assets}, self.ontology)
        edges = [
            _Element(
                self, f"the edge between {one} and {other}", _edge(one, other), self.graph.edges[one, other]
            )
            for one, other in self.edges
        ]
        for name, at in self._doors(edges).items():
            builder.door(name, at)
        for (one, other), edge in zip(self.edges, edges, strict=True):
            builder.edge(one, other, cost=edge.whole("cost"), door=edge.text("door") or None)
        return builder.build(self.path)

    def _doors(self, edges: list[_Element]) -> dict[str, Point]:
        doors: dict[str, Point] = {}
        for edge in edges:
            door = edge.text("door")
            if door:
                at = edge.point("door_x", "door_y")
                if doors.setdefault(door, at) != at:
                    raise edge.fail(
                        f"{door} is at {list(at)} here, but at {list(doors[door])} in another edge."
                    )
        return doors

    def _fail(self, element: str, problem: str) -> GraphmlError:
        return _error_at(self.path, element, problem)


class _Element:
    """A node or an edge of the file, and the attributes that it has."""

    def __init__(self, reader: _Reader, name: str, element: str, data: Mapping[str, Any]) -> None:
        self.name = name
        self._reader = reader
        self._element = element
        self._data = data

    def fail(self, problem: str) -> GraphmlError:
        return self._reader._fail(self._element, f"{self.name}: {problem}")

    def text(self, key: str) -> str:
        return str(self._data.get(key, ""))

    def word(self, key: str) -> str:
        if not self.text(key):
            raise self.fail(f"it has no {key!r}; docs/maps.md lists the attributes that it needs.")
        return self.text(key)

    def one_of(self, key: str, valid: tuple[str, ...]) -> str:
        value = self.word(key)
        if value not in valid:
            raise self.fail(f"its {key!r} is {value!r}. {suggest(value, valid)}")
        return value

    def point(self, x: str, y: str) -> Point:
        return self._number(x), self._number(y)

    def whole(self, key: str) -> int | None:
        if key not in self._data:
            return None
        value = self._number(key)
        if value != int(value):
            raise self.fail(f"its {key!r} is {value:g}; it is a whole number, in decimetres.")
        return int(value)

    def _number(self, key: str) -> float:
        value = self.word(key)
        try:
            number = float(value)
        except ValueError:
            raise self.fail(f"its {key!r} is {value!r}; it is a number.") from None
        if not isfinite(number):
            raise self.fail(f"its {key!r} is {value!r}; it is a finite number.")
        return number


def _node(name: str) -> str:
    return rf"<node\s[^>]*\bid={_quoted(name)}"


def _edge(one: str, other: str) -> str:
    ends = (one, other), (other, one)
    return "|".join(rf"<edge\s[^>]*source={_quoted(a)}\s[^>]*target={_quoted(b)}" for a, b in ends)


def _door(name: str) -> str:
    return rf">\s*{re.escape(name)}\s*</data>"


def _quoted(name: str) -> str:
    return rf"""["']{re.escape(name)}["']"""
