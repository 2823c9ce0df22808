"""Initial belief of an agent in a scene: the map, its own body, and the items it knows of."""

from __future__ import annotations

from foretree.clock import Clock
from foretree.simulation.household.household_state import House
from foretree.simulation.household.resting_poses import resting_pose
from foretree.simulation.household.scene import RobotBody, Scene
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import OBJECT_AT, Atom, Entity, Pose, hand_free, has_hand, robot_at
from foretree.world_model.maps.places import sync_doors

#: Confidence in what the agent is told about things that others can change.
TOLD = 0.95


def initial_belief(scene: Scene, clock: Clock) -> Belief:
    """Return the belief that the agent of a scene starts with.

    It always contains the map: rooms, furniture and what it affords, doors, people, and the robot itself.
    Which items it contains, the scene's ``known`` and ``believed`` say. Which doors and containers are open
    is known only where everything is.
    """
    return _Builder(scene, clock.now()).build()


class _Builder:
    def __init__(self, scene: Scene, time: float) -> None:
        self.scene = scene
        self.time = time
        self.house = House(scene)
        self.belief = Belief(scene.ontology.vocabulary)

    def build(self) -> Belief:
        for body in self.scene.robots:
            self._add_robot(body)
        self._add_map()
        for name in self.scene.items:
            if self.scene.tells(name):
                self._add_item(name)
        places = self.scene.places
        for atom in (*places.connections(lambda door: False), *places.door_facts()):
            self._tell_fixed(atom)
        sync_doors(self.belief, places, self.time)
        return self.belief

    def _tell_fixed(self, atom: Atom) -> None:
        """Tell what never changes, or what the robot knows of itself."""
        self.belief.tell(atom, True, time=self.time, source="map")

    def _tell(self, atom: Atom, truth: bool = True) -> None:
        """Tell what others can have changed."""
        self.belief.tell(atom, truth, confidence=TOLD, time=self.time, source="told")

    def _introduce(self, name: str, class_name: str, pose: Pose | None, fixed: bool = True) -> None:
        entity = Entity(name, {class_name: 1.0 if fixed else TOLD}, pose, self.time, fixed)
        source = "map" if fixed else "told"
        add_entity(self.belief, self.scene.ontology, entity, time=self.time, source=source)

    def _add_robot(self, robot: RobotBody) -> None:
        self._introduce(robot.name, "robot", self.house.nodes[robot.start].pose)
        for hand in robot.hands:
            self._introduce(hand, "hand", None)
            self._tell_fixed(has_hand((robot.name, hand)))
            self._tell_fixed(hand_free((robot.name, hand)))
        self._tell_fixed(robot_at(robot.name, robot.start))

    def _add_map(self) -> None:
        for place in self.scene.nodes():
            if place.kind in ("pose", "room"):
                self._introduce(place.name, "waypoint", place.pose)
        for name, thing_id in self.house.names.items():
            thing = self.house[thing_id]
            if thing.kind == "item":
                continue
            self._introduce(name, thing.class_name, thing.pose)
            if thing.kind == "asset" and OBJECT_AT in self.scene.ontology.vocabulary.predicates:
                self._tell_fixed((OBJECT_AT, name, name))
            if self.scene.known == "everything":
                for state in thing.possible:
                    self._tell((state, name), state in thing.states)

    def _add_item(self, name: str) -> None:
        house, thing = self.house, self.house.named(name)
        assert thing.rests is not None
        relation, place, states = thing.rests.relation, self.scene.items[name].place, frozenset(thing.states)
        pose = house.pose_of(thing)
        believed = self.scene.believed.get(name)
        if believed is not None:
            relation, place = believed.relation, believed.place
            states = states if believed.states is None else believed.states
            if thing.rests != (relation, house.names[place]):
                support = house.named(place)
                there = house.pose_of(support)
                assert there is not None
                pose = resting_pose(there, relation, 0, house.level_of(support) + (support.kind == "item"))
        self._introduce(name, thing.class_name, pose, fixed=False)
        self._tell((relation, name, place))
        for state in thing.possible:
            self._tell((state, name), state in states)
