"""The planning scene as the belief has it: furniture and things with boxes, and what the hands hold.

MoveIt takes what a camera sees inside a collision object out of its octomap, as it does with the robot
itself. So what the belief is sure of becomes a collision object, and there the octomap has no say; what it is
not sure of is left to the octomap, or, without one, becomes a larger collision object. An octomap does not
forget by itself what was seen before an object was known: it is cleared whenever objects have come or moved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from foretree.robots.moveit.scene.scene_objects import AttachedObject, SceneObjects
from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.transforms import Vector
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import WHEREABOUTS, Entity, hand_of

#: Predicates of where a thing rests for which its pose is that of something that can be touched.
_OUT_OF_SIGHT = ("in",)


@dataclass(frozen=True)
class SceneSettings:
    """Settings of a scene that is made of a belief.

    Attributes:
        sizes: of things of a class, for what the belief knows no box of.
        least_certainty: how sure the belief must be that a thing is where it is.
        octomap: whether MoveIt has an octomap: then what is less certain is left to it.
        inflation: without an octomap, how much larger what is less certain is made (metres on each side).
        radius: how far from the robot things matter (metres).
        base: where the robot stands, if that is known; nothing is left out without it.
    """

    sizes: Mapping[str, Vector] = field(default_factory=dict)
    least_certainty: float = 0.7
    octomap: bool = False
    inflation: float = 0.03
    radius: float = 3.0
    base: Callable[[], Vector | None] = lambda: None


def scene_of(
    beliefs: Snapshot,
    settings: SceneSettings,
    held: Mapping[str, AttachedObject] | None = None,
    leave_out: frozenset[str] = frozenset(),
) -> SceneObjects:
    """Return the scene that a belief describes.

    Args:
        beliefs: what is believed.
        settings: how the scene is made.
        held: what the hands hold, by name; of what the belief only says to be in a hand, no shape is known.
        leave_out: names of what is touched on purpose.
    """
    held = held or {}
    base = settings.base()
    objects: dict[str, Cuboid] = {}
    for name, entity in beliefs.entities().items():
        if name in held or name in leave_out:
            continue
        box = box_of(entity, settings.sizes)
        if box is None or not _is_near(box, base, settings.radius):
            continue
        at = beliefs.placement(WHEREABOUTS, name)
        if hand_of(at) is not None or (at is not None and at[0] in _OUT_OF_SIGHT):
            continue  # the hand has it, or walls are around it
        sure = entity.fixed or (
            at is not None and beliefs.evidence(at).confidence >= settings.least_certainty
        )
        if sure:
            objects[name] = box
        elif not settings.octomap:
            objects[name] = box.grown(settings.inflation)
    return SceneObjects(objects, dict(held))


def box_of(entity: Entity, sizes: Mapping[str, Vector]) -> Cuboid | None:
    """Return the box around a thing: the one that was seen, or that of its class; None if neither is known.

    A pose is taken for the middle of a thing.
    """
    if entity.extent is not None:
        return Cuboid.of(entity.extent)
    size = sizes.get(entity.best_class)
    return None if entity.pose is None or size is None else Cuboid.upright(entity.pose, size)


def _is_near(box: Cuboid, base: Vector | None, radius: float) -> bool:
    if base is None:
        return True
    apart = [
        max(0.0, abs(own - at) - side / 2)
        for own, at, side in zip(box.centre[:2], base[:2], box.size[:2], strict=True)
    ]
    return apart[0] ** 2 + apart[1] ** 2 <= radius**2
