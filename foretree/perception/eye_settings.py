"""Opening eyes: from the settings in a file, and the pictures that come with Foretree."""

from __future__ import annotations

import os
from dataclasses import dataclass
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
from foretree.world_model.builtin_predicates import Hand
from foretree.world_model.camera_model import Lens


@dataclass(frozen=True, slots=True)
class EyeSettings:
    """How eyes judge what they see.

    Attributes:
        describer: what compares pictures: ``patches`` or ``clip``.
        weights: for CLIP, a file of weights.
        model: for CLIP, what open_clip calls the network that they are for.
        learned: how many pictures of its own an agent keeps.
        judging: how pictures vote.
        reliability: how far the eyes can be relied on.
    """

    describer: str
    weights: Path | None
    model: str
    learned: int
    judging: Judging
    reliability: Reliability


def load_eye_settings(name: str = "eyes") -> EyeSettings:
    """The settings in ``configs/homes/NAME.yaml``, or in the file at that path.

    Raises:
        ConfigError: there is no such file, or it makes no sense; with file, line and key.
    """
    path = find_config("homes", name)
    said = validate(_File, read_yaml(path), path)
    relied = said.reliability
    if relied.near > relied.far:
        raise error_at(path, ("reliability", "near"), f"it is farther than far, which is {relied.far:g} m.")
    return EyeSettings(
        said.describer,
        None if said.weights is None else Path(os.path.expanduser(said.weights)),
        said.model,
        said.learned,
        Judging(**said.judging.model_dump()),
        Reliability(
            relied.near,
            relied.far,
            relied.hidden,
            relied.found.grades(),
            relied.read.grades(),
            relied.rests.grades(),
        ),
    )


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
    gallery = Gallery(
        load_pictures(find_config("homes", "gallery", ".npz")),
        open_describer(settings.describer, settings.weights, settings.model),
        settings.judging,
        own=own,
        limit=settings.learned,
        frozen=frozen,
    )
    return Eyes(lens, bearing, gallery, hand, settings.reliability)


_Share = Annotated[float, Field(ge=0, le=1)]
_Likely = Annotated[float, Field(ge=0.5, le=1)]


class _Grades(Strict):
    well: _Likely
    fairly: _Likely
    badly: _Likely

    def grades(self) -> tuple[float, float, float]:
        return self.well, self.fairly, self.badly


class _Judging(Strict):
    neighbours: int = Field(ge=1)
    temperature: float = Field(gt=0, allow_inf_nan=False)
    known: float = Field(ge=-1, le=1)
    doubt: float = Field(ge=0, le=1)


class _Reliability(Strict):
    near: float = Field(ge=0, allow_inf_nan=False)
    far: float = Field(ge=0, allow_inf_nan=False)
    hidden: _Share
    found: _Grades
    read: _Grades
    rests: _Grades


class _File(Strict):
    describer: str
    weights: str | None = None
    model: str = CLIP_MODELS[0]
    learned: int = Field(default=512, ge=1)
    judging: _Judging
    reliability: _Reliability
