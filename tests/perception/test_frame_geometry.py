from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from home_frames import LENS, block, scene, table

from foretree.perception._frame_geometry import NO_MASK, frame_geometry
from foretree.perception.frame import Mask, Stance


@pytest.mark.parametrize(("heading", "dx", "dy"), [(0, 1, 0), (90, 0, 1), (180, -1, 0), (270, 0, -1)])
@pytest.mark.parametrize("pitch", [0, -30])
def test_a_thing_is_where_it_is(heading: int, dx: int, dy: int, pitch: int):
    box = block(2 + 1.6 * dx, 3 + 1.6 * dy, 0.8, 0.3, 0.3, 0.15)
    frame = scene(Stance(2, 3, heading, pitch), ("box", [box]))
    surfaces = frame_geometry(frame, LENS)
    np.testing.assert_allclose(surfaces.boxes[0], box, atol=0.11)  # half a pixel of a top seen at a slant
    nearest = np.maximum(np.maximum(np.array(box[:3]) - (2, 3, 1.4), (2, 3, 1.4) - np.array(box[3:])), 0)
    assert surfaces.distance[0] == pytest.approx(np.linalg.norm(nearest), abs=0.05)


def test_noise_hardly_makes_things_larger():
    frame = scene(Stance(0, 0, 0, -30), table(2.0, 0.0), noise=0.02)
    box = frame_geometry(frame, LENS).boxes[0]
    assert box[2] < 0.5
    np.testing.assert_allclose(box[[0, 1, 3, 4, 5]], (1.6, -0.7, 2.4, 0.7, 0.75), atol=0.1)


def test_neighbours_in_the_same_mask_take_noise_out_and_others_do_not():
    clean = scene(Stance(0, 0, 0, -30), table(2.0, 0.0), ("box", [block(1.9, 0, 0.75, 0.3, 0.3, 0.3)]))
    noisy = scene(
        Stance(0, 0, 0, -30), table(2.0, 0.0), ("box", [block(1.9, 0, 0.75, 0.3, 0.3, 0.3)]), noise=0.02
    )
    mask = clean.labels > 0
    before = np.abs(noisy.depth[mask] / clean.depth[mask] - 1).mean()
    after = np.abs(frame_geometry(noisy, LENS).depth[mask] / clean.depth[mask] - 1).mean()
    assert after < 0.65 * before
    exact = frame_geometry(clean, LENS).depth
    assert np.abs(exact[mask] / clean.depth[mask] - 1).max() < 0.06, "edges stay"


def test_what_has_no_pixels_or_no_depth_has_no_box():
    frame = scene(Stance(0, 0, 0), table(2.0, 0.0))
    ghost = Mask(7, {"mug": 0.9}, frame.masks[0].crop)
    depth = np.full_like(frame.depth, np.inf)
    surfaces = frame_geometry(replace(frame, masks=(*frame.masks, ghost)), LENS)
    assert surfaces.pixels[1] == 0
    assert np.isnan(surfaces.boxes[1]).all()
    blind = frame_geometry(replace(frame, depth=depth), LENS)
    assert blind.pixels.tolist() == [0]
    assert np.isnan(blind.boxes).all()


def test_a_frame_without_masks_is_no_trouble():
    frame = scene(Stance(0, 0, 0), table(2.0, 0.0))
    empty = frame_geometry(replace(frame, masks=(), labels=np.zeros_like(frame.labels)), LENS)
    assert (empty.index == NO_MASK).all()
    assert empty.boxes.shape == (0, 6)


def test_labels_need_not_be_in_order():
    frame = scene(Stance(0, 0, 0), table(2.0, 0.0), ("box", [block(1.9, 0, 0.75, 0.3, 0.3, 0.3)]))
    labels = np.choose(frame.labels, (0, 9, 4)).astype(np.int16)
    one, other = frame.masks
    turned = replace(frame, labels=labels, masks=(replace(other, label=4), replace(one, label=9)))
    np.testing.assert_allclose(
        frame_geometry(turned, LENS).boxes[::-1], frame_geometry(frame, LENS).boxes, atol=1e-3
    )
