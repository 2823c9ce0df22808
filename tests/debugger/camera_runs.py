"""Runs with camera images."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from PIL import Image

from foretree.agent.camera_record import RecordedImage
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import Run, RunStore
from foretree.world_model.look_image import EncodedImage
from foretree.world_model.observation import Detection, Observation


def png(colour: tuple[int, int, int], size: tuple[int, int] = (64, 48)) -> bytes:
    file = BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG")
    return file.getvalue()


def masks_of_two(size: tuple[int, int] = (64, 48)) -> bytes:
    """Masks of shade 1 on the left and 2 on the right, with nothing between."""
    shades = np.zeros((size[1], size[0]), np.uint8)
    shades[10:30, 4:20] = 1
    shades[10:30, 40:60] = 2
    file = BytesIO()
    Image.fromarray(shades, "L").save(file, "PNG")
    return file.getvalue()


def look(colour: tuple[int, int, int], mug: str = "mug1", **changes: object) -> RecordedImage:
    """What a camera saw: a mug on the left, and on the right something that was taken for nothing."""
    given: dict = {
        "boxes": {"d1": (4, 10, 20, 30), "d2": (40, 10, 60, 30)},
        "masks": masks_of_two(),
        "shades": {"d1": 1, "d2": 2},
    }
    image = EncodedImage(64, 48, png(colour), **{**given, **changes})
    seen = (
        Detection("d1", {"mug": 0.8, "cup": 0.2}, (1.0, 2.0, 0.8)),
        Detection("d2", {"plate": 0.6}, (2.0, 2.0, 0.8)),
    )
    return RecordedImage(Observation(1.0, "look", seen, image=image), {"d1": mug})


def record_looks(store: RunStore, name: str, *looks: RecordedImage, mug: str = "mug1") -> Run:
    """A run with an event in each second: the images, from second 1."""
    run = store.create("look", "here", name)
    recorder = RunRecorder(run)
    recorder.record("run.started", instruction="look", scene="here", robot="robot1")
    entity = {"name": mug, "class": "mug", "score": 0.9, "fixed": False, "pose": [1, 2, 0.8]}
    recorder.record("entity.changed", entities=[entity])
    for second, each in enumerate(looks, 1):
        recorder.mark(second, float(second))
        recorder.record("camera.seen", source="look", image=each)
    recorder.mark(len(looks) + 1, len(looks) + 1.0)
    recorder.record("log", text="done")
    recorder.close("reached")
    return run
