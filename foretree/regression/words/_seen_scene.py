"""Scenes as eyes that err see them: things are overlooked, or taken for others that look like them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from foretree.simulation.household.scene import Scene
from foretree.simulation.household.states_and_relations import states_of
from foretree.world_model.ontology import Ontology


def seen_scene(scene: Scene, overlooked: float, mistaken: float, rng: Random) -> Scene:
    """*scene* as it is seen.

    What rests on, in or under a thing that is overlooked is overlooked as well, and only things that nothing
    rests on are taken for others.

    Args:
        scene: as it is.
        overlooked: how likely each thing is not to be seen.
        mistaken: how likely each thing is to be taken for another.
        rng: decides which.
    """
    if not overlooked and not mistaken:
        return scene
    seen = dict(scene.items)
    bearing = {item.place for item in scene.items.values()}
    for name, item in scene.items.items():
        missed, taken = rng.random() < overlooked, rng.random() < mistaken
        alike = _look_alikes(scene.ontology, item.class_name)
        if missed:
            del seen[name]
        elif taken and alike and name not in bearing:
            class_name = rng.choice(alike)
            states = item.states.intersection(states_of(scene.ontology, class_name))
            seen[name] = replace(item, class_name=class_name, states=states)
    while hidden := [name for name, item in seen.items() if item.place in scene.items.keys() - seen.keys()]:
        for name in hidden:
            del seen[name]
    return replace(scene, items=seen)


def _look_alikes(ontology: Ontology, class_name: str) -> list[str]:
    return [
        other
        for other, known in ontology.classes.items()
        if known.parent == "item" and other != class_name and ontology.look_alike(other, class_name)
    ]
