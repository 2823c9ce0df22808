from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
import yaml

from foretree.clock import SimulatedClock
from foretree.config import find_config
from foretree.simulation.household.scene import Scene
from foretree.simulation.household.scene_file import load_scene
from foretree.simulation.household.world import HouseholdWorld
from foretree.skills.robot import End, Order, Target
from foretree.world_model.observation import Detection, Observation
from foretree.world_model.ontology import Ontology
from foretree.world_model.ontology_file import load_ontology

#: Two rooms with a closed door in between, and one of everything that a rule asks for.
HOUSE: dict[str, Any] = {
    "scene": "lab",
    "rooms": {"kitchen": {"from": [0, 0], "to": [8, 6]}, "hall": {"from": [8, 0], "to": [12, 6]}},
    "doors": {"door1": {"between": ["kitchen", "hall"], "at": [8, 3], "open": False}},
    "furniture": {
        "table1": {"class": "table", "room": "kitchen", "at": [2, 2]},
        "fridge1": {"class": "fridge", "room": "kitchen", "at": [1, 5]},
        "microwave1": {"class": "microwave", "room": "kitchen", "at": [3, 5]},
        "sink1": {"class": "sink", "room": "kitchen", "at": [5, 5]},
        "rack1": {"class": "coat_rack", "room": "kitchen", "at": [7, 5]},
        "lamp1": {"class": "lamp", "room": "kitchen", "at": [7, 1]},
        "table2": {"class": "table", "room": "hall", "at": [10, 2]},
        "box1": {"class": "box", "room": "hall", "at": [10, 4]},
    },
    "items": {
        "mango1": {"class": "mango", "on": "table1"},
        "knife1": {"class": "knife", "on": "table1"},
        "mug1": {"class": "mug", "on": "table1"},
        "kettle1": {"class": "kettle", "on": "table1", "states": ["filled"]},
        "spoon1": {"class": "spoon", "on": "table1"},
        "cloth1": {"class": "cloth", "on": "table1"},
        "shoe1": {"class": "shoe", "under": "table1"},
        "coat1": {"class": "coat", "hung_on": "rack1"},
        "sponge1": {"class": "sponge", "in": "sink1"},
        "milk1": {"class": "milk", "in": "fridge1"},
        "bread1": {"class": "bread", "in": "microwave1"},
        "apple1": {"class": "apple", "on": "table2"},
        "keys1": {"class": "keys", "in": "box1"},
    },
    "people": {"person1": {"room": "kitchen", "at": [5, 2]}},
    "robot": {"name": "robot1", "hands": ["left", "right"], "at": "table1"},
}


#: A room with a building's devices and things that rest on things, and a closed door to another.
OFFICE: dict[str, Any] = {
    "scene": "office",
    "domain": "tabletop",
    "rooms": {"kitchen": {"from": [0, 0], "to": [9, 9]}, "hall": {"from": [9, 0], "to": [12, 9]}},
    "doors": {"door1": {"between": ["kitchen", "hall"], "at": [9, 3], "open": False}},
    "furniture": {
        "table1": {"class": "table", "room": "kitchen", "at": [2, 2]},
        "table2": {"class": "table", "room": "hall", "at": [11, 2]},
        "fridge1": {"class": "fridge", "room": "kitchen", "at": [1, 5]},
        "microwave1": {"class": "microwave", "room": "kitchen", "at": [3, 5]},
        "sink1": {"class": "sink", "room": "kitchen", "at": [5, 5]},
        "coffee_maker1": {"class": "coffee_maker", "room": "kitchen", "at": [7, 5]},
        "washer1": {"class": "washing_machine", "room": "kitchen", "at": [1, 8]},
        "rack1": {"class": "drying_rack", "room": "kitchen", "at": [3, 8]},
        "board1": {"class": "blackboard", "room": "kitchen", "at": [5, 8]},
        "bed1": {"class": "flower_bed", "room": "kitchen", "at": [7, 8]},
        "tv1": {"class": "tv", "room": "kitchen", "at": [7, 2]},
    },
    "items": {
        "tray1": {"class": "tray", "on": "table1"},
        "plate1": {"class": "plate", "on": "tray1"},
        "mango1": {"class": "mango", "on": "plate1"},
        "cup1": {"class": "cup", "on": "table1"},
        "cup2": {"class": "cup", "on": "table1", "states": ["filled", "has_coffee", "hot"]},
        "mug1": {"class": "mug", "under": "coffee_maker1"},
        "bowl1": {"class": "bowl", "in": "microwave1"},
        "egg1": {"class": "egg", "in": "bowl1", "states": ["cold"]},
        "glass1": {"class": "glass", "in": "sink1"},
        "apple1": {"class": "apple", "in": "fridge1"},
        "plate2": {"class": "plate", "in": "fridge1"},
        "cake1": {"class": "cake", "on": "plate2"},
        "milk1": {"class": "milk", "on": "table1"},
        "juice1": {"class": "juice", "on": "table1"},
        "sugar1": {"class": "sugar_jar", "on": "table1"},
        "kettle1": {"class": "kettle", "on": "table1", "states": ["filled", "has_water"]},
        "spoon1": {"class": "spoon", "on": "table1"},
        "knife1": {"class": "knife", "on": "table1"},
        "scissors1": {"class": "scissors", "on": "table1"},
        "bread1": {"class": "bread", "on": "table1"},
        "paper1": {"class": "paper", "on": "table1"},
        "cloth1": {"class": "cloth", "on": "table1"},
        "sponge1": {"class": "sponge", "on": "table1"},
        "eraser1": {"class": "eraser", "on": "table1"},
        "shirt1": {"class": "shirt", "in": "washer1"},
        "towel1": {"class": "towel", "hung_on": "rack1"},
        "red1": {"class": "red_block", "on": "table1"},
        "blue1": {"class": "blue_block", "on": "red1"},
        "green1": {"class": "green_block", "on": "table1"},
        "box1": {"class": "box", "on": "table1"},
        "keys1": {"class": "keys", "in": "box1"},
        "remote1": {"class": "remote", "on": "table1"},
        "remote2": {"class": "remote", "on": "table1"},
        "battery1": {"class": "old_battery", "in": "remote1"},
        "battery2": {"class": "new_battery", "on": "table1"},
        "laptop1": {"class": "laptop", "on": "table1"},
        "lamp1": {"class": "lamp", "on": "table1"},
        "plant1": {"class": "houseplant", "on": "table1"},
    },
    "robot": {"name": "robot1", "hands": ["left", "right"], "at": "table1"},
}


class Drive:
    """A world with its clock, told what to do by the scene's names, as no agent could."""

    def __init__(self, scene: Scene, **options: Any) -> None:
        self.clock = SimulatedClock()
        self.world = HouseholdWorld(scene, self.clock, **options)
        self.robot = self.world.robot
        self.house = self.world.house
        self._count = 0

    def target(self, name: str, **changes: Any) -> Target:
        house = self.house
        if name in house.names:
            thing = house.named(name)
            held = thing.rests.support if thing.rests and thing.rests.relation == "held" else None
            target = Target({thing.class_name: 0.9}, house.pose_of(thing), held_in=held)
        else:
            target = Target({"waypoint": 1.0}, house.nodes[name].pose)
        return replace(target, **changes)

    def order(
        self, skill: str, hand: str | None = "left", other_hand: str | None = None, **names: str | Target
    ) -> Order:
        targets = {
            parameter.rstrip("_"): self.target(name) if isinstance(name, str) else name
            for parameter, name in names.items()
        }
        return Order(skill, targets, hand, other_hand=other_hand)

    def start(
        self, skill: str, hand: str | None = "left", other_hand: str | None = None, **names: str | Target
    ) -> Any:
        self._count += 1
        return self.robot.start(self.order(skill, hand, other_hand, **names), f"x{self._count}")

    def wait(self, seconds: float) -> None:
        self.clock.sleep_until(self.clock.now() + seconds)
        self.world.advance()

    def end(self, execution: Any, patience: float = 60.0) -> End | None:
        until = self.clock.now() + patience
        while (end := execution.poll()) is None and self.clock.now() < until:
            self.wait(0.1)
        return end

    def do(
        self, skill: str, hand: str | None = "left", other_hand: str | None = None, **names: str | Target
    ) -> End:
        end = self.end(self.start(skill, hand, other_hand, **names))
        assert end is not None
        return end

    def go(self, *nodes: str) -> None:
        for node in nodes:
            end = self.do("move", None, from_=self.house.last_node, to=node)
            assert end.outcome.value == "done", end

    def rests(self, name: str) -> tuple[str, str] | None:
        thing = self.house.named(name)
        if thing.rests is None:
            return None
        names = {i: n for n, i in self.house.names.items()}
        return thing.rests.relation, names.get(thing.rests.support, thing.rests.support)

    def is_(self, state: str, name: str) -> bool:
        return state in self.house.named(name).states

    def seen(self) -> dict[str, Detection]:
        """The last observation since the previous call, by the scene's names."""
        observations = self.robot.observations()
        assert observations
        return self.by_name(observations[-1])

    def by_name(self, observation: Observation) -> dict[str, Detection]:
        poses = {self.house.pose_of(self.house.things[i]): n for n, i in self.house.names.items()}
        return {poses[detection.pose]: detection for detection in observation.detections}


@pytest.fixture(scope="session")
def ontology() -> Ontology:
    return load_ontology(find_config("domains", "household"))


@pytest.fixture(scope="session")
def shipped(ontology: Ontology) -> Callable[[str], Scene]:
    return lambda name: load_scene(find_config("scenes", name))


@pytest.fixture(scope="session")
def lab(ontology: Ontology, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Scene]:
    """The two-room scene, with some of its keys replaced."""

    def make(**changes: Any) -> Scene:
        path = tmp_path_factory.mktemp("scenes") / "lab.yaml"
        path.write_text(yaml.safe_dump({**HOUSE, **changes}, sort_keys=False))
        return load_scene(path, ontology)

    return make


@pytest.fixture(scope="session")
def tabletop() -> Ontology:
    return load_ontology(find_config("domains", "tabletop"))


@pytest.fixture(scope="session")
def office(tabletop: Ontology, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Scene]:
    """The scene with a building's devices: some keys replaced, some items and furniture added or changed."""

    def make(
        items: Mapping[str, Any] | None = None, furniture: Mapping[str, Any] | None = None, **changes: Any
    ) -> Scene:
        path = tmp_path_factory.mktemp("scenes") / "office.yaml"
        more = {"items": items or {}, "furniture": furniture or {}}
        written = {**OFFICE, **{key: {**OFFICE[key], **added} for key, added in more.items()}, **changes}
        path.write_text(yaml.safe_dump(written, sort_keys=False))
        return load_scene(path, tabletop)

    return make


@pytest.fixture(scope="session")
def at_work(office: Callable[..., Scene]) -> Callable[..., Drive]:
    """Starts a world with a building's devices."""

    def make(scene: Mapping[str, Any] | None = None, **options: Any) -> Drive:
        return Drive(office(**(scene or {})), **options)

    return make


@pytest.fixture(scope="session")
def drive(lab: Callable[..., Scene]) -> Callable[..., Drive]:
    """Starts a world: options of the world, and under ``scene`` changes to the scene."""

    def make(scene: Mapping[str, Any] | None = None, **options: Any) -> Drive:
        return Drive(lab(**(scene or {})), **options)

    return make
