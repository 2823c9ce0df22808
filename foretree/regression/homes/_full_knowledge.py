"""Full knowledge of a home: beliefs of all that is true of it, and every way through it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from foretree.simulation.grid_homes.home import Home, HomeObject
from foretree.simulation.grid_homes.layouts.geometry import Cell
from foretree.simulation.grid_homes.layouts.layout import Layout, Piece, steps_from
from foretree.skills.catalogue import Catalogue
from foretree.skills.embodied.body import TURN
from foretree.world_model.beliefs.belief import Belief, Snapshot
from foretree.world_model.beliefs.consequences import update_consequences
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import OBJECT_AT, Entity, hand_free, has_hand, robot_at
from foretree.world_model.maps.places import PlaceGraph

_ROBOT, _HAND, _START = "robot1", "hand", "start"


@dataclass(frozen=True, slots=True)
class FullKnowledge:
    """All that is true of a home.

    Attributes:
        beliefs: everything in it.
        places: the furniture, with what it takes to go from before one piece to before another: as many
            controls as that takes.
    """

    beliefs: Snapshot
    places: PlaceGraph


def full_knowledge(home: Home, catalogue: Catalogue) -> FullKnowledge:
    """All that is true of *home*, as beliefs to plan with *catalogue* from."""
    ontology = catalogue.ontology
    belief, places = Belief(catalogue.vocabulary), PlaceGraph()
    names = {thing.id: f"{thing.class_name}_{thing.id}" for thing in home.things.values()}

    def meet(name: str, class_name: str, fixed: bool = True) -> None:
        entity = Entity(name, {class_name: 1.0}, fixed=fixed)
        add_entity(belief, ontology, entity, time=0.0, source="map")

    meet(_ROBOT, "robot")
    meet(_HAND, "hand")
    meet(_START, "waypoint")
    for atom in (has_hand((_ROBOT, _HAND)), hand_free((_ROBOT, _HAND)), robot_at(_ROBOT, _START)):
        belief.tell(atom, source="map")
    for thing in home.things.values():
        meet(names[thing.id], thing.class_name, fixed=thing.is_furniture)
        if thing.is_furniture:
            belief.tell((OBJECT_AT, names[thing.id], names[thing.id]), source="map")
    for thing in home.things.values():
        _tell_of(belief, thing, names)
    _connect(places, home, names)
    for atom in places.connections():
        belief.tell(atom, source="map")
    update_consequences(belief, ontology.follows, ontology.type_of, 0.0)
    return FullKnowledge(belief.snapshot(), places)


def _tell_of(belief: Belief, thing: HomeObject, names: Mapping[str, str]) -> None:
    name = names[thing.id]
    if thing.rests is not None and not thing.is_furniture:
        belief.tell((thing.rests.relation, name, names[thing.rests.support]), source="camera")
    for state in sorted(thing.states):
        if state in belief.vocabulary.predicates:
            belief.tell((state, name), source="camera")


# -- ways ------------------------------------------------------------------------------------------------


def _connect(places: PlaceGraph, home: Home, names: Mapping[str, str]) -> None:
    layout, posture = home.layout, home.posture
    stands: dict[str, tuple[Cell, int]] = {_START: (posture.cell, posture.heading)}
    for thing in home.furniture():
        assert thing.piece is not None
        spots = layout.spots_before(thing.piece)
        if spots:
            stands[names[thing.id]] = spots[0], _towards(layout, thing.piece)
    for name, (cell, heading) in stands.items():
        places.add(name, (float(cell[0]), float(cell[1]), float(heading)), "home")
    done: list[str] = []
    for name, (cell, heading) in stands.items():
        steps = steps_from(cell, layout.reachable)
        for other in done:
            there, looks = stands[other]
            if there in steps:
                turns = abs((heading - looks + 180) % 360 - 180) // TURN
                places.connect(name, other, max(1, steps[there] + turns))
        done.append(name)


def _towards(layout: Layout, piece: Piece) -> int:
    front = piece if piece.base is None else layout.pieces[piece.base]
    return (front.facing + 180) % 360
