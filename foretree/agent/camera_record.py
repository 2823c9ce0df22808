"""Camera images on record: what a look saw as an image, and what the world model made of each detection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from foretree.runs.attachments import IMAGE_TYPES, DeferredValue, Keep
from foretree.runs.events import Recorder
from foretree.world_model.beliefs.facts import best_of
from foretree.world_model.look_image import EncodedImage
from foretree.world_model.observation import Detection, Observation

#: So many classes of a detection are on record, the most likely first.
_CLASSES = 4
#: What is less likely is left out.
_LEAST = 0.001


def record_image(recorder: Recorder, observation: Observation, entities: Mapping[str, str]) -> None:
    """Record what the camera delivered for *observation*.

    Args:
        recorder: where to.
        observation: the look, with an image.
        entities: by the id of a detection, the entity that it is.
    """
    image = RecordedImage(observation, dict(entities))
    recorder.record("camera.seen", source=observation.source, image=image)


@dataclass(eq=False)
class RecordedImage(DeferredValue):
    """The image of an observation, encoded by the thread that writes the run.

    Attributes:
        observation: the look.
        entities: by the id of a detection, the entity that it is.
    """

    observation: Observation
    entities: Mapping[str, str]

    def made(self, keep: Keep) -> dict[str, Any]:
        """Return where the image and its masks are, and what is in it.

        A camera that fails is no reason to lose the record: it then says what went wrong. Mistakes in
        keeping files are not the camera's: the recorder hears of them.
        """
        try:
            image, shown = self._encoded()
        except Exception as error:  # a robot's own code, which may raise anything
            return {"trouble": f"The image could not be encoded: {error}"}
        made: dict[str, Any] = {
            "camera": image.camera,
            "width": image.width,
            "height": image.height,
            "type": image.media_type,
            "digest": keep(image.media_type, image.content, image.pixels),
            "detections": shown,
        }
        if image.masks:
            made["masks"] = keep("image/png", image.masks, image.mask_pixels)
        return made

    def _encoded(self) -> tuple[EncodedImage, list[dict[str, Any]]]:
        """Have the camera encode its image; return that and what is in it."""
        assert self.observation.image is not None
        image = self.observation.image.encoded()
        if image.media_type not in IMAGE_TYPES:
            raise ValueError(f"{image.media_type!r} is none of {', '.join(IMAGE_TYPES)}")
        found = [self._detection(each) for each in self.observation.detections]
        shown = [
            {**each, "box": [round(float(side), 1) for side in image.boxes[name]]}
            | ({"mask": int(image.shades[name])} if name in image.shades else {})
            for name, each in zip((d.id for d in self.observation.detections), found, strict=True)
            if name in image.boxes
        ]
        return image, shown

    def _detection(self, detection: Detection) -> dict[str, Any]:
        scores = sorted(detection.classes.items(), key=lambda one: (-one[1], one[0]))[:_CLASSES]
        found: dict[str, Any] = {
            "class": best_of(detection.classes) if detection.classes else "",
            "scores": {name: round(float(score), 3) for name, score in scores if score >= _LEAST},
        }
        if detection.id in self.entities:
            found["entity"] = self.entities[detection.id]
        return found
