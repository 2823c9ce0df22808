"""A flat as a robot may believe it to be: 25 pieces of furniture in five rooms, and 60 things."""

from __future__ import annotations

from collections.abc import Mapping

from foretree.skills.catalogue import Catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.consequences import ConsequenceUpdater
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import OBJECT_AT, Entity, hand_free, has_hand, robot_at
from foretree.world_model.maps.places import PlaceGraph

#: Each room: the middle of it, and the furniture around that.
ROOMS: Mapping[str, tuple[tuple[float, float], str]] = {
    "hall": ((4.0, 4.0), "shelf1"),
    "kitchen": (
        (1.5, 6.5),
        "counter1 counter2 sink1 stove1 fridge1 microwave1 toaster1 coffee_machine1 cabinet1 drawer1 table1 bin1",
    ),
    "living_room": ((6.5, 6.5), "sofa1 armchair1 coffee_table1 sideboard1 lamp1 tv1 plant1"),
    "bedroom": ((6.5, 1.5), "bed1 side_table1 dresser1 desk1"),
    "bathroom": ((1.5, 1.5), "bathtub1"),
}

#: What rests where, and what else is known of it.
THINGS = """
mug1 in cabinet1: ; mug2 on table1: filled has_coffee ; cup1 on counter1: clean ; cup2 on coffee_table1:
glass1 in cabinet1: clean ; glass2 on side_table1: ; bowl1 on counter1: ; bowl2 in cabinet1: clean
plate1 on table1: ; plate2 in cabinet1: clean ; pan1 on counter2: ; pot1 on counter2: clean ; tray1 on sideboard1:
basket1 on shelf1: ; box1 on shelf1: ; jug1 on table1: ; bottle1 in fridge1: ; wine_bottle1 in fridge1:
vase1 on coffee_table1: ; watering_can1 on sideboard1: ; knife1 in drawer1: ; fork1 in drawer1: ; fork2 on table1:
spoon1 in drawer1: ; spoon2 in mug1: ; ladle1 in drawer1: ; spatula1 on counter2: ; sponge1 in sink1: ; cloth1 on table1:
apple1 on counter1: ; apple2 on coffee_table1: ; tomato1 in fridge1: ; tomato2 on counter1: ; orange1 on table1:
potato1 in fridge1: ; potato2 on counter2: ; carrot1 in fridge1: ; cucumber1 in fridge1: ; lettuce1 in fridge1:
bread1 on counter1: ; egg1 in fridge1: ; egg2 on plate1: ; salt_shaker1 on table1: ; salt_shaker2 on counter2:
book1 on bed1: ; book2 on sofa1: ; newspaper1 on sofa1: ; notebook1 on desk1: ; pen1 on desk1: ; pen2 on coffee_table1:
laptop1 on desk1: ; phone1 on side_table1: ; remote1 on sofa1: ; remote2 on coffee_table1: ; keys1 on shelf1:
watch1 in dresser1: ; pillow1 on bed1: ; pillow2 on armchair1: ; towel1 on bathtub1: ; candle1 on sideboard1:
"""


def believed_home(catalogue: Catalogue, at: str = "shelf1") -> tuple[Belief, PlaceGraph]:
    """The belief of a robot that stands somewhere in the flat, and its map."""
    belief, places = Belief(catalogue.vocabulary), PlaceGraph()

    def meet(name: str, class_name: str, fixed: bool = True) -> None:
        add_entity(
            belief, catalogue.ontology, Entity(name, {class_name: 1.0}, fixed=fixed), time=0.0, source="map"
        )

    for body, kind in (("robot1", "robot"), ("hand", "hand")):
        meet(body, kind)
    for atom in (has_hand(("robot1", "hand")), hand_free(("robot1", "hand")), robot_at("robot1", at)):
        belief.tell(atom, source="map")
    for room, ((x, y), furniture) in ROOMS.items():
        places.add(room, (x, y, 0.0), room, "room")
        meet(room, "waypoint")
        for number, name in enumerate(furniture.split()):
            across, along = number % 4 - 1.5, number // 4 - 1.0
            places.add(name, (x + 0.75 * across, y + 0.75 * along, 0.0), room)
            places.connect(name, room, cost=2 + round(3 * abs(across) + 3 * abs(along)))
            meet(name, _class_of(name))
            belief.tell((OBJECT_AT, name, name), source="map")
    for room in list(ROOMS)[1:]:
        places.connect(room, "hall", cost=14)
    for line in filter(None, (part.strip() for part in THINGS.replace("\n", ";").split(";"))):
        said, states = line.split(":")
        name, relation, place = said.split()
        meet(name, _class_of(name), fixed=False)
        belief.tell((relation, name, place), source="camera")
        for state in states.split():
            belief.tell((state, name), source="camera")
    for atom in places.connections():
        belief.tell(atom, source="map")
    ConsequenceUpdater(catalogue.ontology.follows, catalogue.ontology.type_of).update(belief, 0.0)
    return belief, places


def contents(belief: Belief) -> dict[str, int]:
    """How many things of each class there are."""
    counted: dict[str, int] = {}
    for entity in belief.snapshot().entities().values():
        counted[entity.best_class] = counted.get(entity.best_class, 0) + 1
    return counted


def _class_of(name: str) -> str:
    return name.rstrip("0123456789")
