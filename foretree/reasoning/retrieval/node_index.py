"""Texts about the asset nodes of a building, by which retrieval finds nodes."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import WHEREABOUTS
from foretree.world_model.maps.building_map import BuildingMap
from foretree.world_model.ontology import Ontology


@dataclass(frozen=True, slots=True)
class SeenThing:
    """A thing that was last seen at a node: on, in or under what stands there, or what rests on that."""

    name: str
    class_name: str


@dataclass(frozen=True, slots=True)
class NodeText:
    """The text about one node.

    Attributes:
        name: the node, which is named as the asset that stands there.
        class_name: what the asset is.
        room: the room it is in.
        caption: a sentence about the asset, its place and its use.
        things: what was last seen there.
        cost: what it costs the robot to get there; of nodes that are equally good the nearest is taken.
    """

    name: str
    class_name: str
    room: str = ""
    caption: str = ""
    things: tuple[SeenThing, ...] = ()
    cost: int = 0


@dataclass(frozen=True)
class NodeIndex:
    """The nodes to choose from, and what classes of things are called and are good for."""

    nodes: Mapping[str, NodeText]
    ontology: Ontology = field(default_factory=Ontology)

    def text(self, node: str) -> str:
        """All that is known of a node, as one text."""
        known = self.nodes[node]
        affords = (
            affordance for name in self.lineage(known.class_name) for affordance in self._affords(name)
        )
        words = (word for name in self.lineage(known.class_name) for word in self._words(name))
        things = (spoken(thing.name) for thing in known.things)
        return ". ".join(
            filter(
                None,
                (
                    known.caption.rstrip("."),
                    f"{spoken(known.name)} in {spoken(known.room)}",
                    ", ".join(dict.fromkeys((*words, *affords))),
                    ", ".join(dict.fromkeys(things)),
                ),
            )
        )

    def is_a(self, class_name: str, other: str) -> bool:
        """True if things of a class are of the *other* class."""
        return other in self.lineage(class_name)

    def affords(self, class_name: str, wanted: str) -> bool:
        """True if things of a class are *wanted*: of that class, or with that affordance."""
        lineage = self.lineage(class_name)
        return wanted in lineage or any(self.ontology.affords(name, wanted) for name in lineage)

    def lineage(self, class_name: str) -> tuple[str, ...]:
        """A class and the classes above it."""
        found: dict[str, None] = {}
        while class_name not in found:
            found[class_name] = None
            class_name = self.ontology.type_of(class_name)
        return tuple(found)

    def where(self, class_name: str) -> Iterator[tuple[NodeText, SeenThing]]:
        """The things of a class, each with the node where it was last seen; the nearest first."""
        for node in self.by_cost:
            for thing in node.things:
                if self.is_a(thing.class_name, class_name):
                    yield node, thing

    @cached_property
    def by_cost(self) -> Sequence[NodeText]:
        """The nodes, the nearest first."""
        return sorted(self.nodes.values(), key=lambda node: (node.cost, node.name))

    def _affords(self, class_name: str) -> Iterator[str]:
        if class_name in self.ontology:
            yield from map(spoken, self.ontology[class_name].affords)

    def _words(self, class_name: str) -> Iterator[str]:
        if class_name in self.ontology:
            yield spoken(class_name)
            yield from self.ontology[class_name].words


def index_building(
    building: BuildingMap, beliefs: Snapshot, ontology: Ontology, costs: Mapping[str, int] | None = None
) -> NodeIndex:
    """The assets of a building, with what is believed to be at each.

    Args:
        building: its map.
        beliefs: what was last seen where.
        ontology: what classes are called and afford.
        costs: what it costs the robot to get to a node, as
            :meth:`~foretree.world_model.maps.places.PlaceGraph.distances` says it.
    """
    things: dict[str, list[SeenThing]] = {}
    entities = beliefs.entities()
    for name, node in where_things_are(beliefs, building.assets).items():
        if name != node:
            things.setdefault(node, []).append(SeenThing(name, entities[name].best_class))
    return index_assets(building, things, ontology, costs)


def index_assets(
    building: BuildingMap,
    things: Mapping[str, Sequence[SeenThing]],
    ontology: Ontology,
    costs: Mapping[str, int] | None = None,
) -> NodeIndex:
    """The assets of a building, with the *things* at each; the rest is as for :func:`index_building`."""
    farthest = max((costs or {}).values(), default=0) + 1
    return NodeIndex(
        {
            asset.name: NodeText(
                asset.name,
                asset.class_name,
                asset.room,
                " ".join(filter(None, (asset.caption, building.rooms[asset.room].says))),
                tuple(things.get(asset.name, ())),
                0 if costs is None else costs.get(asset.name, farthest),
            )
            for asset in building.assets.values()
        },
        ontology,
    )


def where_things_are(beliefs: Snapshot, nodes: Container[str]) -> dict[str, str]:
    """The node at which each entity is believed to be, as far as it is at one of *nodes*; sorted by name.

    What rests on, in or under something is where that is. A node is at itself.
    """
    found = {}
    for name in sorted(beliefs.entities()):
        lowest, seen = name, {name}
        while (placement := beliefs.placement(WHEREABOUTS, lowest)) is not None and placement[-1] not in seen:
            lowest = placement[-1]
            seen.add(lowest)
        if lowest in nodes:
            found[name] = lowest
    return found


def spoken(name: str) -> str:
    """A name as people say it: ``kitchen_table2`` is "kitchen table 2"."""
    return " ".join(re.findall(r"[^\W\d_]+|\d+", name))
