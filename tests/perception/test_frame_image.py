"""Frames as images, read back by Pillow."""

from io import BytesIO

import numpy as np
from PIL import Image

from foretree.perception.frame import detection_id
from foretree.perception.frame_image import FrameImage
from foretree.simulation.grid_homes.episode import open_episode
from foretree.skills.embodied.body import Control


def opened(content):
    return Image.open(BytesIO(content))


def test_an_image_has_a_mask_and_a_box_for_each_thing_in_the_frame():
    body = open_episode("studio/0", seed=1)
    for _ in range(4):
        frame = body.step(Control("rotate_left"))
        image = FrameImage(frame).encoded()
        picture, masks = opened(image.content), np.asarray(opened(image.masks))
        assert picture.size == (image.width, image.height) == (frame.labels.shape[1], frame.labels.shape[0])
        assert len(image.content) + len(image.masks) < 20_000
        shown = [mask for mask in frame.masks if (frame.labels == mask.label).any()]
        assert {detection_id(frame, mask) for mask in shown} == image.boxes.keys() == image.shades.keys()
        for mask in shown:
            name = detection_id(frame, mask)
            where = frame.labels == mask.label
            assert np.array_equal(masks == image.shades[name], where)
            rows, columns = np.nonzero(where)
            box = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
            assert image.boxes[name] == box


def test_a_mask_has_the_colour_of_its_crop_and_distance_is_dark():
    frame = open_episode("studio/0", seed=1, noise=0).step(Control("rotate_left"))
    pixels = np.asarray(opened(FrameImage(frame).encoded().content).convert("RGB")).astype(int)
    mask = max(frame.masks, key=lambda one: (frame.labels == one.label).sum())
    own = mask.crop[4:12, 4:12].mean(axis=(0, 1))
    seen = pixels[frame.labels == mask.label]
    ratio = seen / np.maximum(own, 1)
    assert ratio.max() <= 1.01
    assert np.ptp(ratio, axis=1).max() < 0.1  # the hue is kept
    behind = (frame.labels == 0) & np.isfinite(frame.depth)
    middle = np.median(frame.depth[behind])
    near, far = (pixels[behind & part].mean() for part in (frame.depth < middle, frame.depth > middle))
    assert near > far
