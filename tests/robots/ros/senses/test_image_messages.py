"""Images and cameras from messages."""

import numpy as np
import pytest
from ros_messages import camera_info, image

from foretree.robots.ros.senses.camera import CameraError, Pinhole
from foretree.robots.ros.senses.images import ImageError, ViewImage, colour_image, depth_image

RGB = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)


@pytest.mark.parametrize("padding", [0, 5])
@pytest.mark.parametrize(
    ("encoding", "pixels"),
    [
        ("rgb8", RGB),
        ("bgr8", RGB[:, :, ::-1]),
        ("rgba8", np.concatenate((RGB, np.full((2, 3, 1), 99, np.uint8)), axis=2)),
    ],
)
def test_colours_of_each_encoding_are_the_same(encoding, pixels, padding):
    assert np.array_equal(colour_image(image(pixels, encoding, padding=padding)), RGB)


def test_grey_is_grey_in_all_colours():
    grey = np.array([[0, 100], [200, 255]], dtype=np.uint8)
    assert np.array_equal(colour_image(image(grey, "mono8", padding=2)), np.stack([grey] * 3, axis=2))


@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("padding", [0, 6])
def test_depth_is_in_metres_and_infinite_where_nothing_was_measured(padding, big):
    metres = np.array([[1.0, 0.0, 2.5], [0.25, 0.0, 60.0]])
    expected = np.where(metres > 0, metres, np.inf).astype(np.float32)
    millimetres = image((metres * 1000).astype(np.uint16), "16UC1", padding=padding, big=big)
    assert np.allclose(depth_image(millimetres), expected)
    holes = np.where(metres > 0, metres, np.nan).astype(np.float32)
    assert np.allclose(depth_image(image(holes, "32FC1", padding=padding, big=big)), expected)


def test_depth_that_is_infinite_or_negative_was_not_measured():
    odd = np.array([[np.inf, -np.inf, -1.0, 1e6, 1.0]], dtype=np.float32)
    assert np.isfinite(depth_image(image(odd, "32FC1"))).tolist() == [[False] * 4 + [True]]


def test_other_encodings_are_refused_by_name():
    with pytest.raises(ImageError, match=r"'yuv422'.*Valid: bgr8, mono8, rgb8, rgba8"):
        colour_image(image(RGB, "yuv422"))
    with pytest.raises(ImageError, match=r"'16SC1'.*16UC1"):
        depth_image(image(RGB[:, :, 0], "16SC1"))
    with pytest.raises(ImageError, match=r"colour image in the encoding '16UC1'"):
        colour_image(image(RGB[:, :, 0].astype(np.uint16), "16UC1"))


def test_an_image_with_fewer_bytes_than_it_says_is_refused():
    short = image(RGB, "rgb8")
    short.data = short.data[:-1]
    with pytest.raises(ImageError, match=r"3 x 2 pixels takes rows of 9 bytes, and 18 in all.*has 17"):
        colour_image(short)
    narrow = image(RGB, "rgb8")
    narrow.step = 8
    with pytest.raises(ImageError, match=r"says rows of 8"):
        colour_image(narrow)


def test_the_last_row_need_not_be_padded():
    padded = image(RGB, "rgb8", padding=4)
    padded.data = padded.data[:-4]
    assert np.array_equal(colour_image(padded), RGB)


def test_viewers_get_a_jpeg():
    encoded = ViewImage(np.zeros((4, 6, 3), np.uint8), {"d1": (0, 0, 2, 2)}).encoded()
    assert (encoded.width, encoded.height, encoded.media_type) == (6, 4, "image/jpeg")
    assert encoded.content[:2] == b"\xff\xd8"
    assert encoded.boxes == {"d1": (0, 0, 2, 2)}


# -- cameras -----------------------------------------------------------------------------------------------
STRAIGHT = Pinhole.of(camera_info())
BENT = Pinhole.of(camera_info(distortion=(-0.25, 0.08, 0.002, -0.001, 0.01)))
RATIONAL = Pinhole.of(
    camera_info(model="rational_polynomial", distortion=(0.4, 0.1, 0.0, 0.001, 0.01, 0.5, 0.1, 0.0))
)


def test_a_point_ahead_is_at_the_middle_and_right_and_down_are_positive():
    pixels, depths = STRAIGHT.pixels(np.array([[0, 0, 2.0], [0.5, 0, 1.0], [0, 0.25, 1.0]]))
    assert pixels.tolist() == [[31.5, 23.5], [61.5, 23.5], [31.5, 38.5]]
    assert depths.tolist() == [2.0, 1.0, 1.0]


@pytest.mark.parametrize("camera", [STRAIGHT, BENT, RATIONAL])
def test_pixels_with_depth_become_points_that_show_at_these_pixels(camera):
    depth = np.full((48, 64), 1.5, dtype=np.float32)
    depth[0, 0] = np.inf
    points = camera.points(depth)
    assert len(points) == 64 * 48 - 1
    assert np.allclose(points[:, 2], 1.5)
    pixels, _ = camera.pixels(points)
    rows, columns = np.mgrid[0:48, 0:64]
    expected = np.column_stack((columns.ravel(), rows.ravel()))[1:]
    assert np.abs(pixels - expected).max() < 0.1
    if camera is not STRAIGHT:
        assert np.abs(points - STRAIGHT.points(depth)).max() > 0.005  # distortion does matter here


def test_a_part_of_an_image_has_the_points_of_that_part():
    depth = np.full((48, 64), 2.0, dtype=np.float32)
    part = BENT.points(depth, slice(10, 20), slice(5, 7))
    assert np.allclose(part, BENT.points(depth).reshape(48, 64, 3)[5:7, 10:20].reshape(-1, 3))


def test_what_is_behind_or_far_beside_a_camera_is_not_in_its_image():
    for camera in (STRAIGHT, BENT):
        pixels, _ = camera.pixels(np.array([[0.0, 0.0, -1.0], [50.0, 0.0, 1.0]]))
        assert not camera.inside(pixels).any()


def test_cameras_that_cannot_be_used_are_refused():
    with pytest.raises(CameraError, match=r"not calibrated"):
        Pinhole.of(camera_info(k=(0.0,) * 9))
    with pytest.raises(CameraError, match=r"'equidistant' and 4 coefficients.*plumb_bob.*rectified"):
        Pinhole.of(camera_info(model="equidistant", distortion=(0.1, 0.0, 0.0, 0.0)))
    with pytest.raises(CameraError, match=r"part of its image"):
        Pinhole.of(camera_info(binning=2))
    with pytest.raises(CameraError, match=r"skew"):
        Pinhole.of(camera_info(k=(60.0, 1.0, 32.0, 0.0, 60.0, 24.0, 0.0, 0.0, 1.0)))
    wild = Pinhole.of(camera_info(distortion=(-3.0, 0.0, 0.0, 0.0, 0.0)))
    with pytest.raises(CameraError, match=r"cannot be taken back"):
        wild.points(np.ones((48, 64), np.float32))


def test_a_rectified_image_of_an_unknown_model_can_be_used():
    assert Pinhole.of(camera_info(model="equidistant", distortion=(0.0,) * 4)) == STRAIGHT
