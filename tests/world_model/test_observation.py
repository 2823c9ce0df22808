"""When two looks saw the same."""

from dataclasses import replace

import pytest

from foretree.world_model.observation import Covered, Detection, Observation, same_content

TABLE = Detection("d1", {"table": 0.9}, (0.0, 0.0, 0.7))
MUG = Detection("d2", {"mug": 0.9}, (0.1, 0.0, 0.7), {"clean": 0.9}, ("on", "d1"))
LOOK = Observation(
    1.0,
    "view",
    (TABLE, MUG),
    (Covered("on", "d1"),),
    {("hand_free", "robot1", "left"): True},
    {"d2": ("robot1", "right")},
)


def test_fresh_ids_and_another_time_make_no_difference():
    again = Observation(
        2.0,
        "view",
        (replace(TABLE, id="x1"), replace(MUG, id="x2", rests=("on", "x1"))),
        (Covered("on", "x1"),),
        LOOK.body,
        {"x2": ("robot1", "right")},
    )
    assert same_content(LOOK, again)


@pytest.mark.parametrize(
    "change",
    [
        {"source": "look"},
        {"detections": (TABLE,)},
        {"detections": (TABLE, replace(MUG, pose=(0.2, 0.0, 0.7)))},
        {"detections": (TABLE, replace(MUG, classes={"cup": 0.9}))},
        {"detections": (TABLE, replace(MUG, states={"clean": 0.1}))},
        {"detections": (TABLE, replace(MUG, rests=("under", "d1")))},
        {"detections": (TABLE, replace(MUG, rests=None))},
        {"detections": (TABLE, replace(MUG, features=(1.0,)))},
        {"covered": ()},
        {"covered": (Covered("on", "d1", 0.5),)},
        {"covered": (Covered("on", "d2"),)},
        {"body": {("hand_free", "robot1", "left"): False}},
        {"held": {"d2": ("robot1", "left")}},
        {"held": {}},
    ],
)
def test_any_difference_is_one(change):
    assert not same_content(LOOK, replace(LOOK, **change))
    assert not same_content(replace(LOOK, **change), LOOK)
