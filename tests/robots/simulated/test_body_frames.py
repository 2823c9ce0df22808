"""Frames of a body go over ROS as they are."""

from dataclasses import replace

import numpy as np
import pytest
from interface_definitions import over_ros

from foretree.robots.simulated.frames import (
    body_fields,
    control_fields,
    control_of,
    frame_fields,
    frame_of,
    lens_of,
)
from foretree.robots.simulated.worlds import home_body
from foretree.skills.embodied.body import Control
from foretree.skills.robot import RobotError


def assert_same_mask(one, other):
    assert (one.label, one.scores, one.visible) == (other.label, other.scores, other.visible)
    assert one.crop.dtype == other.crop.dtype
    assert one.crop.shape == other.crop.shape
    assert (one.crop == other.crop).all()


def assert_same_frame(one, other):
    for name in ("labels", "depth"):
        array, sent = getattr(one, name), getattr(other, name)
        assert array.dtype == sent.dtype
        assert np.array_equal(array, sent)
    for name in ("stance", "ok", "message", "step"):
        assert getattr(one, name) == getattr(other, name)
    assert (one.held is None) == (other.held is None)
    masks = [(one.masks, other.masks), ((one.held,), (other.held,)) if one.held is not None else ((), ())]
    for pair in masks:
        for mask, sent in zip(*pair, strict=True):
            assert_same_mask(mask, sent)


def test_frames_of_a_home_arrive_to_the_last_bit():
    body = home_body("l_kitchen/3", 1)
    frames = [
        body.step(Control(name)) for name in ("wait", "rotate_left", "move_ahead", "look_down", "rotate_left")
    ]
    tried = [body.step(Control("pick_up", mask.label)) for mask in frames[-1].masks]
    frames += tried
    assert any(mask for frame in frames for mask in frame.masks)
    assert any(not frame.ok and frame.message for frame in frames)
    for frame in frames:
        assert_same_frame(frame, frame_of(over_ros("MoveBody_Response", frame_fields(frame))))


def test_what_is_held_arrives():
    body = home_body("l_kitchen/3", 1)
    frame = next(frame for _ in range(4) if (frame := body.step(Control("rotate_left"))).masks)
    holding = replace(frame, held=frame.masks[0])
    assert_same_frame(holding, frame_of(over_ros("MoveBody_Response", frame_fields(holding))))


@pytest.mark.parametrize("control", [Control("wait"), Control("pick_up", 3), Control("put", 0, "in")])
def test_a_control_arrives(control):
    assert control_of(over_ros("MoveBody_Request", control_fields(control))) == control


def test_a_control_that_there_is_not_is_refused():
    with pytest.raises(RobotError, match=r"no control 'dance'. Valid: move_ahead"):
        control_of({"control": "dance", "mask": [], "relation": ""})


def test_the_camera_arrives():
    body = home_body("l_kitchen/3")
    fields = over_ros("DescribeBody_Response", body_fields(body))
    assert lens_of(fields) == body.lens
    assert fields["reach"] == body.reach
