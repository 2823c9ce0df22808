from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from played_arm import Kitchen

from foretree.robots.moveit.scene.planning_scene import SceneSettings, scene_of
from foretree.robots.moveit.scene.scene_objects import (
    AttachedObject,
    SceneDiff,
    SceneObjects,
    applied,
    difference,
)
from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.transforms import RigidTransform

SIZES = {"mug": (0.06, 0.05, 0.1), "jug": (0.07, 0.07, 0.2)}
NAMES = st.sampled_from(["a", "b", "c", "d"])
BOXES = st.builds(
    lambda x, size: Cuboid.upright((x, 0.0, 0.0), (size, 1.0, 1.0)),
    st.integers(0, 2),
    st.sampled_from([0.5, 1.0]),
)
HELD = st.builds(
    AttachedObject, st.just(RigidTransform()), st.just((0.1, 0.1, 0.1)), st.sampled_from(["left", "right"])
)


@st.composite
def scenes(draw):
    objects, attached = draw(st.dictionaries(NAMES, BOXES)), draw(st.dictionaries(NAMES, HELD))
    return SceneObjects({name: box for name, box in objects.items() if name not in attached}, attached)


class MoveIt:
    """What MoveIt makes of a diff: what is detached becomes an object of the world; what is attached is none."""

    def __init__(self):
        self.world, self.held = {}, {}

    def take(self, diff):
        for name in diff.detach:
            self.world[name] = self.held.pop(name)
        for name, held in diff.attach.items():
            self.world.pop(name, None)
            self.held[name] = held
        for name in diff.remove:
            del self.world[name]
        for name, box in diff.add.items():
            self.world[name] = box
        for name, box in diff.move.items():
            assert name in self.world
            assert self.world[name].size == box.size
            self.world[name] = box


@given(st.lists(scenes(), max_size=5))
def test_after_every_diff_moveit_has_the_scene_that_was_meant(scenes):
    moveit, shown = MoveIt(), SceneObjects()
    for scene in scenes:
        diff = difference(shown, scene)
        moveit.take(diff)
        assert moveit.world == dict(scene.objects)
        assert moveit.held == dict(scene.attached)
        shown = applied(shown, diff)
        assert (dict(shown.objects), dict(shown.attached)) == (dict(scene.objects), dict(scene.attached))
        assert not difference(shown, scene)


def test_what_is_no_change_is_not_shown():
    assert not SceneDiff()
    assert not SceneDiff(remove=("a",)).covers_more
    assert SceneDiff(add={"a": Cuboid.upright((0, 0, 0), (1, 1, 1))}).covers_more


def shown(kitchen, **settings):
    return scene_of(kitchen.belief.snapshot(), SceneSettings(SIZES, **settings))


def test_furniture_and_things_are_objects():
    scene = shown(Kitchen())
    assert set(scene.objects) == {"table1", "mug1", "mug2", "jug1"}
    assert scene.objects["table1"].top == pytest.approx(0.8)
    assert scene.objects["jug1"].size == (0.07, 0.07, 0.2)


def test_what_is_not_sure_is_larger_or_left_to_the_octomap():
    kitchen = Kitchen()
    kitchen.belief.tell(("on", "mug2", "table1"), confidence=0.5, source="look")
    kitchen.belief.retract([("on", "jug1", "table1")])
    scene = shown(kitchen, inflation=0.02)
    assert scene.objects["mug2"].size == pytest.approx((0.1, 0.09, 0.14))
    assert scene.objects["jug1"].size == pytest.approx((0.11, 0.11, 0.24))
    assert scene.objects["mug1"].size == (0.06, 0.05, 0.1)
    assert set(shown(kitchen, octomap=True).objects) == {"table1", "mug1"}


def test_what_is_held_shut_in_far_away_or_of_unknown_size_is_no_object():
    kitchen = Kitchen()
    kitchen.belief.tell(("in", "mug2", "table1"), source="look")
    kitchen.belief.tell(("holding", "arm", "hand", "jug1"), source="look")
    kitchen.put("cup1", "cup", (0.6, 0.1, 0.85))
    kitchen.put("mug3", "mug", (5.0, 0.0, 0.85))
    kitchen.put("mug4", "mug", None)
    near = shown(kitchen, base=lambda: (0.0, 0.0, 0.0))
    assert set(near.objects) == {"table1", "mug1"}
    assert "mug3" in shown(kitchen).objects


def test_what_is_touched_on_purpose_is_left_out():
    scene = scene_of(Kitchen().belief.snapshot(), SceneSettings(SIZES), leave_out=frozenset({"table1"}))
    assert "table1" not in scene.objects
