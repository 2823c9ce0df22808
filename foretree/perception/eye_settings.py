"""Opening eyes: from the settings in a file, and the pictures that come with Foretree."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from pydantic import Field

from foretree.config import find_config, read_yaml
from foretree.file_errors import error_at
from foretree.perception._reliability import Reliability
from foretree.perception.descriptors import CLIP_MODELS, open_describer
from foretree.perception.eyes import Eyes
from foretree.perception.gallery import Gallery, Judging, load_pictures
from foretree.perception.relations import Bearing
from foretree.schema import Strict, validate
from foretree.world_model.beliefs.facts import Hand
from foretree.world_model.camera_model import Lens


class EyeSettings(Strict):
    """Settings of eyes.

    Attributes:
        describer: what compares pictures: ``patches`` or ``clip``.
        weights: for CLIP, a file of weights.
        model: for CLIP, open_clip's name of the network.
        learned: the number of pictures of its own that an agent keeps.
        judging: how pictures vote.
        reliability: how far the eyes can be relied on.
    """

    describer: str
    weights: str | None = None
    model: str = CLIP_MODELS[0]
    learned: Annotated[int, Field(ge=1)] = 512
    judging: Judging
    reliability: Reliability


def load_eye_settings(name: str = "eyes") -> EyeSettings:
    """The settings in ``configs/homes/NAME.yaml``, or in the file at that path.

    Raises:
        ConfigError: there is no such file, or it makes no sense; with file, line and key.
    """
    path = find_config("homes", name)
    settings = validate(EyeSettings, read_yaml(path), path)
    relied = settings.reliability
    if relied.near > relied.far:
        raise error_at(path, ("reliability", "near"), f"it is farther than far, which is {relied.far:g} m.")
    return settings


def open_eyes(
    lens: Lens,
    bearing: Bearing,
    settings: EyeSettings | None = None,
    *,
    hand: Hand = ("robot", "hand"),
    own: Path | None = None,
    frozen: bool = False,
) -> Eyes:
    """Eyes that know the pictures that come with Foretree.

    Args:
        lens: the camera's.
        bearing: what can rest on what.
        settings: how they judge; those of ``configs/homes/eyes.yaml`` unless given.
        hand: the hand that holds what a frame calls held.
        own: where they keep what they learn, see :func:`~foretree.perception.gallery.own_gallery_path`; None:
            they keep nothing, and know nothing from before.
        frozen: whether they learn nothing.

    Raises:
        ForetreeError: the settings make no sense, the gallery cannot be read, or CLIP is not there.
    """
    settings = settings or load_eye_settings()
    weights = None if settings.weights is None else Path(os.path.expanduser(settings.weights))
    gallery = Gallery(
        load_pictures(find_config("homes", "gallery", ".npz")),
        open_describer(settings.describer, weights, settings.model),
        settings.judging,
        own=own,
        limit=settings.learned,
        frozen=frozen,
    )
    return Eyes(lens, bearing, gallery, settings.reliability, hand)
