"""Objects of a planning scene, and what changes from one scene to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.transforms import RigidTransform, Vector


@dataclass(frozen=True, slots=True)
class AttachedObject:
    """A thing in a hand.

    Attributes:
        pose: of its middle, in the tool's frame.
        size: along its own axes.
        hand: the hand.
    """

    pose: RigidTransform
    size: Vector
    hand: str


@dataclass(frozen=True)
class SceneObjects:
    """Objects that stand around, and those that are held, by id."""

    objects: Mapping[str, Cuboid] = field(default_factory=dict)
    attached: Mapping[str, AttachedObject] = field(default_factory=dict)


@dataclass(frozen=True)
class SceneDiff:
    """The changes that turn one scene into another; in this order.

    Attributes:
        detach: ids of what is held no longer, each with the hand that held it.
        remove: ids of what stands around no longer.
        add: what is new, or has another size.
        move: what is elsewhere.
        attach: what is held now.
    """

    detach: Mapping[str, str] = field(default_factory=dict)
    remove: tuple[str, ...] = ()
    add: Mapping[str, Cuboid] = field(default_factory=dict)
    move: Mapping[str, Cuboid] = field(default_factory=dict)
    attach: Mapping[str, AttachedObject] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.detach or self.remove or self.add or self.move or self.attach)

    @property
    def covers_more(self) -> bool:
        """True if objects are where none were: what a camera has seen there before is known better now."""
        return bool(self.add or self.move or self.attach)


def difference(before: SceneObjects, after: SceneObjects) -> SceneDiff:
    """Return what turns *before* into *after*."""
    held_otherwise = {name for name, held in before.attached.items() if after.attached.get(name) != held}
    known = before.objects
    return SceneDiff(
        detach={name: before.attached[name].hand for name in sorted(held_otherwise)},
        # What is let go of becomes an object of the world, where no one has put it.
        remove=tuple(
            sorted(
                name
                for name in {*known, *held_otherwise}
                if name not in after.objects and name not in after.attached
            )
        ),
        add={
            name: box
            for name, box in sorted(after.objects.items())
            if name not in known or known[name].size != box.size
        },
        move={
            name: box
            for name, box in sorted(after.objects.items())
            if name in known and known[name].size == box.size and known[name].pose != box.pose
        },
        attach={
            name: held for name, held in sorted(after.attached.items()) if before.attached.get(name) != held
        },
    )


def applied(scene: SceneObjects, diff: SceneDiff) -> SceneObjects:
    """Return the scene after the changes."""
    attached = {name: held for name, held in scene.attached.items() if name not in diff.detach}
    objects = {name: box for name, box in scene.objects.items() if name not in diff.remove}
    objects.update(diff.add)
    objects.update(diff.move)
    attached.update(diff.attach)
    for name in diff.attach:
        objects.pop(name, None)
    return SceneObjects(objects, attached)
