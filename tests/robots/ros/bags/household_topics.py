"""A household whose robot is seen and felt over topics only: detections, joints and pose are messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from ros_messages import (
    DEFINITIONS,
    STORE,
    ZERO,
    amcl_pose,
    camera_info,
    detection_3d,
    detections,
    image,
    joint_state,
    packed,
    pose,
)

from foretree.config import find_config
from foretree.robots.ros.senses.message_senses import MessageSenses, SensingRobot
from foretree.robots.ros.senses.settings import SenseSettings
from foretree.robots.ros.senses.standing import place_areas
from foretree.robots.ros.senses.transforms import RigidPose, Transform
from foretree.simulation.household.scene import Scene
from foretree.simulation.household.scene_file import load_scene, scene_domain
from foretree.simulation.household.world import HouseholdWorld
from foretree.skills.catalogue_file import load_catalogue
from foretree.skills.robot import Execution, LookRequest, Order
from foretree.world_model.observation import Observation

TOPICS = {
    "detections": "/left/detections",
    "depth": "/left/depth",
    "info": "/left/info",
    "joints": "/left/joint_states",
    "pose": "/left/amcl_pose",
}
#: A camera is this high above the floor, and furniture this high.
EYE, TOP = 2.5, 0.85
HANDS = ("left_hand", "right_hand")


def read_definition(type_name: str) -> str:
    """The text of a ``.msg`` file."""
    if type_name in DEFINITIONS:
        return DEFINITIONS[type_name]
    text, _ = STORE.generate_msgdef(type_name, ros_version=2)
    return text.split("=" * 80)[0]


def kitchen() -> Scene:
    path = find_config("scenes", "kitchen")
    return load_scene(path, load_catalogue(scene_domain(path)).ontology)


def settings(scene: Scene) -> SenseSettings:
    surfaces = [
        {"class": thing.class_name, "at": list(thing.at), "size": [1.2, 1.2, TOP]}
        for thing in scene.furniture.values()
        if thing.class_name in ("table", "counter")
    ]
    return SenseSettings.model_validate(
        {
            "detections": {"topic": "detections"},
            "camera": {"depth": "depth", "info": "info"},
            "joints": "joint_states",
            "grippers": {hand: {"joints": [f"{hand}_finger"], "open": 0.08} for hand in HANDS},
            "body": {"topic": "amcl_pose", "tolerance": 0.2},
            "surfaces": surfaces,
        }
    )


def senses_of(scene: Scene, clock: Any, transforms: Any, journal: Any = None) -> MessageSenses:
    robot = SensingRobot("robot1", "map", scene.places, place_areas(scene.places, 0.2, 0.0))
    return MessageSenses(settings(scene), robot, clock, ZERO, transforms, journal=journal)


class TopicRobot:
    """The robot of a household, of which no observation arrives but by messages.

    Args:
        world: the household.
        senses: what takes in the messages.
        bag: takes them down; None: nothing does.
    """

    def __init__(self, world: HouseholdWorld, senses: MessageSenses, clock: Any, bag: Any = None) -> None:
        self._world, self._inner, self._senses, self._clock = world, world.robots[0], senses, clock
        self._bag = bag
        self.name, self.hands = self._inner.name, self._inner.hands
        if bag is not None:
            for stream, topic in TOPICS.items():
                bag.listens(topic, stream)

    def start(self, order: Order, execution_id: str) -> Execution:
        return self._inner.start(order, execution_id)

    def look(self, request: LookRequest, execution_id: str) -> Execution:
        looking = self._inner.look(request, execution_id)
        return Look(looking, self._senses.look(request, execution_id))

    def observations(self) -> list[Observation]:
        for seen in self._inner.observations():
            self._publish(seen)
        return self._senses.observations()

    def attach(self, execution_id: str) -> Execution | None:
        return self._inner.attach(execution_id)

    def stop(self) -> None:
        self._inner.stop()

    def _publish(self, seen: Observation) -> None:
        now = self._clock.now()
        house = self._world.house
        things = [
            detection_3d(dict(one.classes), pose(*one.pose))
            for one in seen.detections
            if one.id not in seen.held and house is not None
        ]
        self._send("detections", detections(*things, time=now, frame="map"))
        depth = np.full((60, 80), EYE - TOP if house.node is not None else np.inf, np.float32)
        self._send("depth", image(depth, "32FC1", now))
        self._send("info", camera_info(80, 60, 50.0, now))
        widths = {f"{hand}_finger": 0.0 if house.hands[hand] is None else 0.04 for hand in self.hands}
        self._send("joints", joint_state(list(widths), list(widths.values()), time=now))
        at = house.nodes[house.node or house.last_node].pose
        away = 0.0 if house.node is not None else 0.5
        self._send("pose", amcl_pose(at[0] + away, at[1], time=now))

    def _send(self, stream: str, message: Any) -> None:
        data = packed(message)
        arrived = self._senses.put(stream, lambda: STORE.deserialize_cdr(data, message.__msgtype__))
        if self._bag is not None:
            self._bag.received(TOPICS[stream], message.__msgtype__, data, arrived.at, arrived.number)


class Look:
    """A look whose end is that of the senses once the camera has turned."""

    def __init__(self, turning: Execution, seeing: Execution) -> None:
        self.id, self._turning, self._seeing = turning.id, turning, seeing

    def poll(self) -> Any:
        return self._turning.poll() and self._seeing.poll()

    def cancel(self) -> None:
        self._turning.cancel()
        self._seeing.cancel()


class Overhead:
    """Transforms of a camera that looks down on where the robot stands."""

    def __init__(self) -> None:
        self.house: Any = None

    def lookup(self, target: str, source: str, time: int | None) -> Transform:
        assert (target, source, time is None) == ("map", "camera", False)
        x, y, _ = self.house.nodes[self.house.node or self.house.last_node].pose
        assert time is not None
        return Transform(RigidPose((x, y, EYE), (0.70710678, -0.70710678, 0.0, 0.0)), time)


def told(event: Any) -> Mapping[str, Any]:
    """What an event says, without what the wall clock has to do with."""
    return {key: value for key, value in event.data.items() if key not in ("wall", "seconds")}
