"""What an agent is told about a scene before it begins: the map, its own body, and the items it knows of."""

from __future__ import annotations

from dataclasses import dataclass

from foretree.clock import Clock
from foretree.simulation.household.household_state import House, resting_pose
from foretree.simulation.household.scene import Scene
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entities import Entity, Pose
from foretree.world_model.beliefs.entity_creation import introduce
from foretree.world_model.maps.map_predicates import OBJECT_AT
from foretree.world_model.maps.places import PlaceGraph, sync_doors
from foretree.world_model.robot_predicates import hand_free, has_hand, robot_at

#: How far an agent believes what it was told about things that others can change.
TOLD = 0.95


@dataclass(frozen=True, slots=True)
class Briefing:
    """What an agent starts with."""

    belief: Belief
    places: PlaceGraph


def brief(scene: Scene, clock: Clock) -> Briefing:
    """What the agent of a scene is told at the start.

    It always knows the map: rooms, furniture and what it affords, doors, people, and where it is itself.
    Which items it knows of, the scene's ``known`` and ``believed`` say. Which doors and containers are open
    it only knows where it knows everything.
    """
    return Briefing(_Briefer(scene, clock.now()).brief(), scene.places)


class _Briefer:
    def __init__(self, scene: Scene, time: float) -> None:
        self.scene = scene
        self.places = scene.places
        self.time = time
        self.house = House(scene)
        self.belief = Belief(scene.ontology.vocabulary)

    def brief(self) -> Belief:
        self._body()
        self._map()
        for name in self.scene.items:
            if self.scene.tells(name):
                self._item(name)
        for atom in self.places.connections(lambda door: False):
            self._tell(atom)
        for atom in self.places.door_facts():
            self._tell(atom)
        sync_doors(self.belief, self.places, self.time)
        return self.belief

    def _tell(self, atom: tuple[str, ...], truth: bool = True) -> None:
        """Tell what cannot be otherwise."""
        self.belief.tell(atom, truth, time=self.time, source="map")

    def _told(self, atom: tuple[str, ...], truth: bool = True) -> None:
        """Tell what was so when somebody last looked."""
        self.belief.tell(atom, truth, confidence=TOLD, time=self.time, source="told")

    def _introduce(self, name: str, class_name: str, pose: Pose | None, fixed: bool = True) -> None:
        entity = Entity(name, {class_name: 1.0 if fixed else TOLD}, pose, self.time, fixed)
        source = "map" if fixed else "told"
        introduce(self.belief, self.scene.ontology, entity, time=self.time, source=source)

    def _body(self) -> None:
        robot = self.scene.robot
        self._introduce(robot.name, "robot", self.house.position)
        for hand in robot.hands:
            self._introduce(hand, "hand", None)
            self._tell(has_hand((robot.name, hand)))
            self._tell(hand_free((robot.name, hand)))
        self._tell(robot_at(robot.name, robot.start))

    def _map(self) -> None:
        for place in self.places.places():
            if place.kind in ("pose", "room"):
                self._introduce(place.name, "waypoint", place.pose)
        for thing_name, thing_id in self.house.names.items():
            thing = self.house[thing_id]
            if thing.kind == "item":
                continue
            self._introduce(thing_name, thing.class_name, thing.pose)
            if thing.kind == "asset" and OBJECT_AT in self.scene.ontology.vocabulary.predicates:
                self._tell((OBJECT_AT, thing_name, thing_name))
            if self.scene.known == "everything":
                for state in thing.possible:
                    self._told((state, thing_name), state in thing.states)

    def _item(self, name: str) -> None:
        thing = self.house.named(name)
        assert thing.rests is not None
        relation, place, states = thing.rests.relation, self.scene.items[name].place, frozenset(thing.states)
        pose = self.house.pose_of(thing)
        stale = self.scene.believed.get(name)
        if stale is not None:
            relation, place = stale.relation, stale.place
            states = states if stale.states is None else stale.states
            if thing.rests != (relation, self.house.names[place]):
                support = self.house.named(place)
                there = self.house.pose_of(support)
                assert there is not None
                pose = resting_pose(
                    there, relation, 0, self.house.level_of(support) + (support.kind == "item")
                )
        self._introduce(name, thing.class_name, pose, fixed=False)
        self._told((relation, name, place))
        for state in thing.possible:
            self._told((state, name), state in states)
