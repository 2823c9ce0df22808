"""Detections become observations: poses on the map, supports, what is covered, what is in a hand."""

from math import cos, sin

import numpy as np
import pytest
from ros_messages import ZERO, camera_info, detection_2d, detection_3d, detections, image, pose, quaternion

from foretree.robots.ros.senses.camera import CameraError, Pinhole
from foretree.robots.ros.senses.detections import DetectionError, class_scores, detections_2d, detections_3d
from foretree.robots.ros.senses.settings import DetectionSettings, SenseSettings, SurfaceSettings
from foretree.robots.ros.senses.sight import Sight
from foretree.robots.ros.senses.transforms import FreshTransforms, RigidPose, Transform, TransformError
from foretree.robots.ros.senses.view import CameraView, covered_surfaces, resting_on, surface_extent

CAMERA = Pinhole.of(camera_info(160, 120, 120.0))
#: A table of 0.8 m x 0.6 m whose top is 0.7 m high, turned a little.
TABLE = SurfaceSettings.model_validate(
    {"class": "table", "at": [1.0, 0.0], "size": [0.8, 0.6, 0.7], "heading": 0.3}
)
#: The camera is 1.6 m high over (1, 0) and looks straight down; the image's right is the map's -y.
DOWN = RigidPose((1.0, 0.0, 1.6), (0.70710678, -0.70710678, 0.0, 0.0))
DETECTOR = DetectionSettings(topic="/detections", labels={"cup": "mug", "wine glass": "glass"})


def scene_depth(camera=CAMERA, at=DOWN, boxes=(), table=TABLE):
    """The depth image of a floor, a table and some boxes (on the map, standing upright), by casting rays."""
    flat = camera.points(np.ones((camera.height, camera.width), np.float32))
    rays = flat @ at.matrix.T
    eye = np.array(at.position)
    best = np.full(len(rays), np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        planes = [(0.0, None)] + ([(table.size[2], table)] if table else [])
        for height, surface in planes:
            along = (height - eye[2]) / rays[:, 2]
            points = eye + along[:, None] * rays
            hit = along > 0
            if surface is not None:
                x, y = points[:, 0] - surface.at[0], points[:, 1] - surface.at[1]
                turn = surface.heading
                hit &= np.abs(x * cos(turn) + y * sin(turn)) <= surface.size[0] / 2
                hit &= np.abs(y * cos(turn) - x * sin(turn)) <= surface.size[1] / 2
            best = np.where(hit & (along < best), along, best)
        for box in boxes:
            low, high = np.array(box[:3]), np.array(box[3:])
            one, other = (low - eye) / rays, (high - eye) / rays
            enter, leave = np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)
            best = np.where((enter < leave) & (enter > 0) & (enter < best), enter, best)
    return best.reshape(camera.height, camera.width).astype(np.float32)


def view(boxes=(), table=TABLE, at=DOWN, depth=None, found=0.9):
    depth = scene_depth(at=at, boxes=boxes, table=table) if depth is None else depth
    return CameraView(CAMERA, at, depth, 0.3, 4.0, found)


# -- scores ------------------------------------------------------------------------------------------------
def test_labels_become_classes_and_scores_sum_to_one_at_most():
    found = detections_3d(detections(detection_3d({"cup": 0.9, "bowl": 0.3}, pose())), RigidPose(), DETECTOR)
    (one,) = found.detections
    assert one.classes == {"mug": 0.75, "bowl": 0.25}
    two = detection_3d({"cup": 0.4, "mug": 0.2}, pose())
    assert detections_3d(detections(two), RigidPose(), DETECTOR).detections[0].classes == {
        "mug": pytest.approx(0.6)
    }


def test_a_score_that_is_none_is_refused_and_the_others_are_kept():
    bad = [detection_3d({"cup": score}, pose()) for score in (1.5, -0.1, float("nan"))]
    found = detections_3d(detections(*bad, detection_3d({"cup": 0.8}, pose())), RigidPose(), DETECTOR)
    assert [one.classes for one in found.detections] == [{"mug": 0.8}]
    assert len(found.refused) == 3
    assert "a score of 1.5 for 'cup'" in found.refused[0]
    with pytest.raises(DetectionError):
        class_scores(bad[0].results, {})


def test_unsure_detections_are_left_out_and_no_trouble():
    found = detections_3d(
        detections(detection_3d({"cup": 0.29}, pose()), detection_3d({}, pose())), RigidPose(), DETECTOR
    )
    assert found.detections == found.refused == ()


# -- in three dimensions -----------------------------------------------------------------------------------
def test_a_box_is_put_on_the_map():
    at = RigidPose((2.0, 1.0, 0.5), (0.0, 0.0, sin(np.pi / 4), cos(np.pi / 4)))  # turned left by 90 degrees
    box = detection_3d({"cup": 1.0}, pose(1.0, 0.0, 0.2), (0.3, 0.1, 0.2))
    (one,) = detections_3d(detections(box), at, DETECTOR).detections
    assert one.pose == pytest.approx((2.0, 2.0, 0.7))
    assert one.extent == pytest.approx((1.95, 1.85, 0.6, 2.05, 2.15, 0.8))


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        (lambda: detection_3d({"cup": 1.0}, pose(turn=quaternion(w=0.0))), "length 0"),
        (lambda: detection_3d({"cup": 1.0}, pose(x=float("nan"))), "not finite"),
        (lambda: detection_3d({"cup": 1.0}, pose(), (0.1, -0.1, 0.1)), "box of the size"),
        (lambda: detection_3d({"cup": 1.0}, pose(), frame="gripper"), "'gripper' among those in 'camera'"),
    ],
)
def test_a_box_that_says_nothing_is_refused(spoilt, why):
    found = detections_3d(detections(spoilt()), RigidPose(), DETECTOR)
    assert found.detections == ()
    assert why in found.refused[0]


# -- in two dimensions -------------------------------------------------------------------------------------
MUG = (1.0, 0.1, 0.7, 1.08, 0.18, 0.8)


def _pixel(x, y, z, at=DOWN):
    (pixel,), _ = CAMERA.pixels(at.invert(np.array([[x, y, z]])))
    return tuple(pixel.tolist())


def _boxed(box, at=DOWN):
    corners = np.array([(x, y, z) for x in box[::3] for y in box[1::3] for z in box[2::3]])
    pixels, _ = CAMERA.pixels(at.invert(corners))
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    return tuple(((low + high) / 2).tolist()), tuple((high - low).tolist())


def test_a_box_in_the_image_is_placed_by_depth():
    flat = detections(detection_2d({"cup": 0.9}, *_boxed(MUG)), flat=True)
    (one,) = detections_2d(flat, view([MUG]), DETECTOR, [TABLE]).detections
    assert (
        one.extent == pytest.approx(MUG, abs=0.02) or one.extent[2] > 0.7
    )  # the sides hardly show from above
    assert one.pose[:2] == pytest.approx((1.04, 0.14), abs=0.015)
    assert resting_on(one.extent, [TABLE]) is None or one.extent[2] == pytest.approx(0.7, abs=0.06)


def test_from_aside_the_box_has_its_height_and_rests_on_the_table():
    aside = _looking((0.2, 0.0, 1.2), (1.0, 0.1, 0.7))
    flat = detections(detection_2d({"cup": 0.9}, *_boxed(MUG, aside)), flat=True)
    (one,) = detections_2d(flat, view([MUG], at=aside), DETECTOR, [TABLE]).detections
    assert one.extent == pytest.approx(MUG, abs=0.035)
    assert resting_on(one.extent, [TABLE]) == ("on", "table@1,0")


def _looking(eye, at):
    ahead = np.array(at) - np.array(eye)
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, (0, 0, 1.0))
    right /= np.linalg.norm(right)
    matrix = np.column_stack((right, np.cross(ahead, right), ahead))
    w = np.sqrt(max(0.0, 1 + np.trace(matrix))) / 2
    x, y, z = ((matrix[i, j] - matrix[j, i]) / (4 * w) for i, j in ((2, 1), (0, 2), (1, 0)))
    found = RigidPose(tuple(map(float, eye)), tuple(map(float, (x, y, z, w))))
    assert np.allclose(found.matrix, matrix, atol=1e-6)
    return found


@pytest.mark.parametrize(
    ("box", "why"),
    [
        (detection_2d({"cup": 1.0}, (80.0, 60.0), (0.0, 5.0)), "box of 0 x 5 pixels"),
        (detection_2d({"cup": 1.0}, (80.0, 60.0), (5.0, 5.0), theta=0.3), "turned"),
        (detection_2d({"cup": 1.0}, (500.0, 60.0), (5.0, 5.0)), "without depth"),
    ],
)
def test_a_box_in_the_image_that_says_nothing_is_refused(box, why):
    found = detections_2d(detections(box, flat=True), view(), DETECTOR)
    assert found.detections == ()
    assert why in found.refused[0]


def test_a_box_without_depth_or_out_of_range_is_refused():
    box = detections(detection_2d({"cup": 1.0}, (80.0, 60.0), (10.0, 10.0)), flat=True)
    blind = np.full((120, 160), np.inf, np.float32)
    assert "without depth around 80, 60" in detections_2d(box, view(depth=blind), DETECTOR).refused[0]
    far = np.full((120, 160), 6.0, np.float32)
    assert "6.00 m off; from 0.3 to 4 m" in detections_2d(box, view(depth=far), DETECTOR).refused[0]


# -- coverage ----------------------------------------------------------------------------------------------
def test_a_table_that_is_seen_whole_is_covered():
    found, covered = covered_surfaces(view(), [TABLE])
    assert [(one.relation, one.support) for one in covered] == [("on", "table@1,0")]
    assert 0.85 < covered[0].certainty <= 0.9
    assert found[0].classes == {"table": 1.0}
    assert found[0].pose == (1.0, 0.0, 0.0)
    assert found[0].extent == surface_extent(TABLE)


def test_what_stands_on_a_table_hides_only_what_is_behind_it():
    assert len(covered_surfaces(view([MUG]), [TABLE])[1]) == 1
    low = _looking((0.1, 0.0, 1.0), (1.0, 0.0, 0.7))
    wall = (0.75, -0.5, 0.7, 0.8, 0.5, 1.1)  # stands on the table and hides most of it
    assert len(covered_surfaces(view(at=low), [TABLE])[1]) == 1
    assert covered_surfaces(view([wall], at=low), [TABLE])[1] == []


def test_a_table_behind_something_or_elsewhere_is_not_covered():
    board = (0.3, -0.6, 1.2, 1.7, 0.6, 1.25)
    found, covered = covered_surfaces(view([board]), [TABLE])
    assert (found, covered) == ([], [])
    # The table is not where it should be: the floor shows there.
    assert covered_surfaces(view(table=None), [TABLE])[1] == []


def test_a_table_partly_out_of_the_image_or_seen_from_below_is_not_covered():
    aside = RigidPose((1.4, 0.0, 1.6), DOWN.rotation)
    found, covered = covered_surfaces(view(at=aside), [TABLE])
    assert (len(found), covered) == (1, [])
    level = _looking((0.0, 0.0, 0.75), (1.0, 0.0, 0.7))
    assert covered_surfaces(view(at=level), [TABLE]) == ([], [])
    blind = np.full((120, 160), np.inf, np.float32)
    assert covered_surfaces(view(depth=blind), [TABLE])[1] == []


def test_a_view_tells_which_spots_it_shows():
    seen = view([MUG])
    assert seen.shows((0.8, -0.1, 0.73)) == pytest.approx(0.9)
    assert seen.shows((1.04, 0.14, 0.75), (0.08, 0.1)) == pytest.approx(0.9)
    assert seen.shows((1.0, 0.0, 0.3)) == 0.0  # under the table
    assert seen.shows((3.0, 0.0, 0.7)) == 0.0  # out of the image
    assert seen.shows((1.0, 0.0, 1.5)) == 0.0  # too near
    assert 0 < seen.shows((0.8, -0.1, 0.73), (0.02, 0.02)) < 0.5  # hardly large enough
    blind = view(depth=np.full((120, 160), np.inf, np.float32))
    assert blind.shows((0.8, -0.1, 0.73)) == 0.0


def test_things_rest_on_what_is_below_them():
    assert resting_on((1.0, 0.1, 0.71, 1.1, 0.2, 0.8), [TABLE]) == ("on", "table@1,0")
    assert resting_on((1.0, 0.1, 0.9, 1.1, 0.2, 1.0), [TABLE]) is None  # above it
    assert resting_on((2.0, 0.1, 0.71, 2.1, 0.2, 0.8), [TABLE]) is None  # beside it


# -- all together ------------------------------------------------------------------------------------------
class Frames:
    """Transforms to the map by source frame; of others it is said that they may come."""

    def __init__(self, **poses):
        self.poses = poses

    def lookup(self, target, source, time):
        if source not in self.poses:
            raise TransformError(f"no {source} yet", may_come=True)
        return Transform(self.poses[source], time or ZERO)


def _sight(frames, holds=None, **settings):
    parts = {
        "detections": {"topic": "/d", "labels": {"cup": "mug"}},
        "surfaces": [TABLE.model_dump(by_alias=True)],
    }
    settings = SenseSettings.model_validate({**parts, **settings})
    fresh = FreshTransforms(frames, lambda: ZERO, 1.0)
    return Sight("rob", "map", settings, fresh, lambda: holds or {})


def _messages(*found, depth=None, **more):
    camera = {
        "depth": image(scene_depth() if depth is None else depth, "32FC1"),
        "info": camera_info(160, 120, 120.0),
    }
    return {"detections": detections(*found), **camera, **more}


CAMERA_TOPICS = {"camera": {"depth": "/depth", "info": "/info"}}


def test_an_observation_of_a_mug_on_a_table():
    frames = Frames(camera=DOWN)
    mug = detection_3d({"cup": 0.9}, pose(*DOWN.invert(np.array([[1.0, 0.1, 0.75]]))[0]), (0.1, 0.1, 0.1))
    sight = _sight(frames, **CAMERA_TOPICS)
    observation, refused = sight.observation(_messages(mug), 4.0, "look")
    table, cup = observation.detections
    assert refused == ()
    assert (observation.time, observation.source) == (4.0, "look")
    assert cup.classes == {"mug": 0.9}
    assert cup.pose == pytest.approx((1.0, 0.1, 0.75), abs=0.001)
    assert cup.rests == ("on", table.id)
    assert observation.covered[0].support == table.id
    assert observation.shows((0.8, -0.1, 0.73), None) > 0.8
    assert observation.viewpoint
    again, _ = sight.observation(_messages(mug), 5.0, "look")
    assert {one.id for one in again.detections}.isdisjoint(one.id for one in observation.detections)
    assert again.viewpoint == observation.viewpoint


def test_without_depth_nothing_is_covered_and_no_spot_is_shown():
    observation, _ = _sight(Frames(camera=DOWN)).observation({"detections": detections()}, 0.0, "view")
    assert (observation.covered, observation.shows, observation.detections) == ((), None, ())


def test_what_is_detected_on_a_known_surface_rests_on_it_also_without_depth():
    mug = detection_3d({"cup": 0.9}, pose(*DOWN.invert(np.array([[1.0, 0.1, 0.75]]))[0]), (0.1, 0.1, 0.1))
    observation, _ = _sight(Frames(camera=DOWN)).observation({"detections": detections(mug)}, 0.0, "view")
    table, cup = observation.detections
    assert (table.classes, table.pose, cup.rests) == ({"table": 1.0}, (1.0, 0.0, 0.0), ("on", table.id))
    assert observation.covered == ()


def test_furniture_that_the_detector_sees_is_that_of_the_map():
    seen = detection_3d({"table": 0.9}, pose(0.0, 0.0, 1.2), (0.8, 0.6, 0.7))
    observation, _ = _sight(Frames(camera=DOWN), **CAMERA_TOPICS).observation(_messages(seen), 0.0, "view")
    assert [one.pose for one in observation.detections] == [(1.0, 0.0, 0.0)]


def test_what_is_between_the_fingers_of_a_hand_that_holds_something_is_held():
    gripper = {"joints": ["j"], "open": 0.08, "frame": "tcp"}
    frames = Frames(camera=DOWN, tcp=RigidPose((1.0, 0.1, 0.8)))
    mug = detection_3d({"cup": 0.9}, pose(*DOWN.invert(np.array([[1.0, 0.1, 0.75]]))[0]))
    other = detection_3d({"cup": 0.9}, pose(*DOWN.invert(np.array([[1.0, 0.4, 0.75]]))[0]))
    settings = {**CAMERA_TOPICS, "joints": "/joints", "grippers": {"hand": gripper}}
    for holds, expected in (({"hand": True}, [(("rob", "hand"),)]), ({"hand": False}, []), ({}, [])):
        observation, _ = _sight(frames, holds, **settings).observation(_messages(other, mug), 0.0, "view")
        assert list(observation.held.values()) == expected
        if expected:
            held = next(one for one in observation.detections if one.id in observation.held)
            assert held.pose == pytest.approx((1.0, 0.1, 0.75), abs=0.001)
    away = Frames(camera=DOWN, tcp=RigidPose((2.0, 0.1, 0.8)))
    assert _sight(away, {"hand": True}, **settings).observation(_messages(mug), 0.0, "view")[0].held == {}


def test_without_the_pose_of_the_camera_there_is_no_observation():
    with pytest.raises(TransformError, match="no camera yet"):
        _sight(Frames(), **CAMERA_TOPICS).observation(_messages(), 0.0, "view")


def test_depth_and_camera_info_of_two_sizes_do_not_belong_together():
    wrong = _messages(depth=np.ones((60, 80), np.float32))
    with pytest.raises(CameraError, match="80 x 60 pixels, but the camera info says 160 x 120"):
        _sight(Frames(camera=DOWN), **CAMERA_TOPICS).observation(wrong, 0.0, "view")


def test_frames_for_eyes_have_registered_depth():
    colours = image(np.zeros((120, 160, 3), np.uint8), "rgb8", frame="camera")
    sight = _sight(Frames(camera=DOWN), camera={"image": "/image", "depth": "/depth", "info": "/info"})
    frame = sight.rgbd_frame(_messages(image=colours), 1.0, "view")
    assert (frame.colours.shape, frame.depth.shape, frame.pose) == ((120, 160, 3), (120, 160), DOWN)
    small = image(np.zeros((60, 80, 3), np.uint8), "rgb8")
    with pytest.raises(CameraError, match="registered"):
        sight.rgbd_frame(_messages(image=small), 1.0, "view")
