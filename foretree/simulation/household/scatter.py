"""Random variants of a scene: items lie elsewhere, other doors are open, the robot starts elsewhere."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import replace

from foretree.simulation.household.scene import Item, Scene


def scatter(scene: Scene, rng: random.Random, fixed: Collection[str] = (), closed: float = 0.5) -> Scene:
    """Return a scene with its items at random places, of those that the scene lists for their classes.

    Things of classes that the list does not name stay where they are.

    Args:
        fixed: names of items and doors that stay as they are, with all that the items rest on; and of the
            robot, if it is to start where it does.
        closed: how likely each other door is to be closed at the start.
    """
    staying = set(fixed)
    for name in fixed:
        while name in scene.items:
            staying.add(name)
            name = scene.items[name].place
    items = {name: _elsewhere(scene, item, staying, rng) for name, item in sorted(scene.items.items())}
    doors = {
        name: door if name in staying else replace(door, open=rng.random() >= closed)
        for name, door in sorted(scene.doors.items())
    }
    start = rng.choice(sorted(node.name for node in scene.nodes()))
    robot = scene.robot if scene.robot.name in staying else replace(scene.robot, start=start)
    return replace(
        scene,
        items={name: items[name] for name in scene.items},
        doors={name: doors[name] for name in scene.doors},
        robot=robot,
        believed={},
    )


def _elsewhere(scene: Scene, item: Item, staying: Collection[str], rng: random.Random) -> Item:
    places = scene.scattered.get(item.class_name, ())
    if not places or item.name in staying:
        return item
    relation, place = rng.choice(places)
    return replace(item, relation=relation, place=place)
