"""Frames and calibrations, checked before a robot moves."""

from math import cos, nan, pi, sin

import pytest

from foretree.bringup.ros.frames import (
    FramesError,
    FramesFile,
    FrameTransform,
    HandEyeCalibration,
    RequiredTransform,
    angle_between,
    check_frames,
    read_frames,
    require_frames,
)
from foretree.config import ConfigError

HERE = FrameTransform((0.3, 0.0, 0.4), age=0.1)
BASE_TO_CAMERA = RequiredTransform(parent="base", child="camera", nearest=0.1, farthest=2.0, max_age=0.5)
MOUNT = {
    "parent": "hand",
    "child": "camera",
    "translation": (0.05, 0.0, 0.06),
    "rotation": (0.0, 0.0, 0.0, 1.0),
    "samples": 15,
    "residual": 0.001,
}


def problems(found, wanted=BASE_TO_CAMERA):
    return check_frames(FramesFile(transforms=(wanted,)), lambda parent, child: found)


def calibrated(found, **changes):
    file = FramesFile(hand_eye=(HandEyeCalibration(**{**MOUNT, **changes}),))
    return check_frames(file, lambda parent, child: found)


def turned(degrees):
    return (0.0, 0.0, sin(degrees * pi / 360), cos(degrees * pi / 360))


def test_what_is_as_wanted_is_no_problem():
    assert problems(HERE) == []
    assert problems(FrameTransform(HERE.translation, age=None)) == [], "a static one is of any age"
    require_frames(FramesFile(transforms=(BASE_TO_CAMERA,)), lambda parent, child: HERE)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ("camera is not connected to base", "There is no transform from base to camera: camera is not"),
        (FrameTransform((0.3, 0, 0.4), age=0.6), "is 0.6 s old; at most 0.5 s"),
        (FrameTransform((0.3, 0, 0.4), age=-2.0), "from the future, by 2 s"),
        (FrameTransform((0.01, 0, 0.0), age=0.1), "0.01 m from base; from 0.1 to 2 m"),
        (FrameTransform((3.0, 0, 0.0), age=0.1), "3 m from base"),
        (FrameTransform((0.3, 0, nan), age=0.1), "not finite"),
        (FrameTransform((0.3, 0, 0.4), (0, 0, 0, 0), 0.1), "length 0, not 1"),
        (FrameTransform((0.3, 0, 0.4), (0, 0, 0.5, 1.0), 0.1), "length 1.118, not 1"),
    ],
)
def test_what_is_wrong_is_said(found, said):
    (problem,) = problems(found)
    assert said in problem


def test_all_problems_are_said_at_once():
    file = FramesFile(transforms=(BASE_TO_CAMERA, RequiredTransform(parent="map", child="base")))
    with pytest.raises(FramesError, match=r"base to camera.*map to base"):
        require_frames(file, lambda parent, child: "nothing is published.")


def test_a_calibration_that_the_published_transform_agrees_with():
    assert calibrated(FrameTransform((0.051, 0.0, 0.06), turned(0.5))) == []
    assert calibrated(FrameTransform((0.05, 0.0, 0.06), (0.0, 0.0, 0.0, -1.0))) == [], "q and -q are the same"


@pytest.mark.parametrize(
    ("found", "changes", "said"),
    [
        (FrameTransform((0.06, 0.0, 0.06)), {}, "differs from its calibration by 0.01 m"),
        (FrameTransform((0.05, 0.0, 0.06), turned(2)), {}, "and 2 degrees"),
        (FrameTransform((0.05, 0.0, 0.06)), {"residual": 0.02}, "off by 0.02 m; at most 0.005 m"),
        (FrameTransform((0.05, 0.0, 0.06)), {"samples": 2}, "2 views; it takes 3"),
        (FrameTransform((0.05, 0.0, 0.06)), {"rotation": (0.0, 0.0, 0.0, 0.0)}, "length 0"),
        ("there is no camera.", {}, "no transform from hand to camera"),
        (FrameTransform((0.05, 0.0, 0.06), (1.0, 1.0, 1.0, 1.0)), {}, "length 2"),
    ],
)
def test_a_calibration_that_is_bad_or_out_of_date(found, changes, said):
    (problem,) = calibrated(found, **changes)
    assert said in problem


def test_angles():
    assert angle_between(turned(10), turned(40)) == pytest.approx(30)
    assert angle_between(turned(0), turned(0)) == 0
    assert angle_between((0, 0, 0, 0), turned(0)) > 180


def test_the_example_is_valid_and_mistakes_in_files_are_said(tmp_path):
    assert read_frames("example").transforms[0].parent == "map"
    wrong = tmp_path / "frames.yaml"
    wrong.write_text("transforms:\n  - {parent: map, child: base, nearest: 2, farthest: 1}\n")
    with pytest.raises(ConfigError, match=r"nearest up to farthest"):
        read_frames(str(wrong))
