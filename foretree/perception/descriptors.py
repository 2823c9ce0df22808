"""Descriptors of crops: vectors whose directions are similar for similar crops."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretree.errors import ForetreeError, suggest
from foretree.perception.frame import CROP

#: n x CROP x CROP x 3, red, green and blue.
Crops: TypeAlias = NDArray[np.uint8]
#: n x d, every row of length 1.
Descriptors: TypeAlias = NDArray[np.float32]

#: Patches along a side of a crop.
_PATCHES = 4
#: The CLIP models there are; their image towers differ in one function only.
CLIP_MODELS = ("ViT-B-32", "ViT-B-32-quickgelu")
#: The number of crops in a batch for CLIP.
_BATCH = 64


class DescriberError(ForetreeError):
    """A describer that is unknown or cannot be loaded."""


class Describer(Protocol):
    """Turns crops into descriptors.

    Attributes:
        name: identifies the describer; descriptors of different ones cannot be compared.
    """

    name: str

    def describe(self, crops: Crops) -> Descriptors:
        """The descriptor of each crop, of length 1."""
        ...

    def __hash__(self) -> int:
        """Tell one from another: descriptors of the pictures that all know are cached."""
        ...


class PatchDescriber:
    """Colours and textures of patches: needs nothing but numpy, and takes microseconds."""

    name = "patches"

    def describe(self, crops: Crops) -> Descriptors:
        """The mean colour of each patch and how it varies, less the mean over all of it."""
        colours = channels(crops)
        mean = colours @ _pooling(_PATCHES)
        spread = np.sqrt(np.maximum(np.square(colours) @ _pooling(_PATCHES) - np.square(mean), 0))
        parts = 3 * _PATCHES**2
        found = np.concatenate((mean.reshape(-1, parts), spread.reshape(-1, parts)), axis=1)
        found -= found.mean(axis=1, keepdims=True)
        return normalised(found)


#: Shared, so that its descriptors of the pictures that all know can be cached.
_PATCH_DESCRIBER = PatchDescriber()


def channels(crops: Crops) -> NDArray[np.float32]:
    """The pixels of each colour of each crop in a row."""
    colours = np.empty((len(crops), 3, CROP * CROP), dtype=np.float32)
    colours[:] = crops.reshape(-1, CROP * CROP, 3).transpose(0, 2, 1)
    return colours.reshape(-1, CROP * CROP)


def mean_colours(crops: Crops, parts: int) -> NDArray[np.float32]:
    """The mean colours of *parts* x *parts* patches of each crop."""
    colours: NDArray[np.float32] = (channels(crops) @ _pooling(parts)).reshape(-1, 3 * parts**2)
    return colours


@lru_cache(maxsize=4)
def _pooling(parts: int) -> NDArray[np.float32]:
    """The matrix that maps the pixels of a crop to the means of its patches."""
    side = CROP // parts
    part = np.arange(CROP) // side
    patch = (part[:, None] * parts + part[None, :]).ravel()
    return np.asarray((patch[:, None] == np.arange(parts**2)) / np.float32(side**2), dtype=np.float32)


class ClipDescriber:
    """CLIP ViT-B/32, by ``open_clip_torch``.

    Args:
        weights: a file of weights, as open_clip reads it.
        model: what open_clip calls the network they are for: ``ViT-B-32``, or ``ViT-B-32-quickgelu``, which
            is what OpenAI's own were trained as.

    Raises:
        DescriberError: the library or the file is not there, or the file is no such weights.
    """

    name = "clip-vit-b-32"

    def __init__(self, weights: Path, model: str = CLIP_MODELS[0]) -> None:
        if model not in CLIP_MODELS:
            raise DescriberError(f"There is no CLIP model {model!r} here. {suggest(model, CLIP_MODELS)}")
        try:
            import open_clip
            import torch
        except ModuleNotFoundError:
            raise DescriberError(
                "CLIP needs the library open_clip, which is not installed: pip install open_clip_torch"
            ) from None
        except (ImportError, OSError, RuntimeError) as error:
            # So it is where the builds of torch and torchvision do not fit together.
            raise DescriberError(
                f"CLIP needs the library open_clip, which cannot be imported: {_first_line(error)}"
            ) from error
        if not weights.is_file():
            raise DescriberError(
                f"There are no weights for CLIP at {weights}: it must be a file for {model}."
            )
        try:
            network = open_clip.create_model(model, pretrained=str(weights))
        except Exception as error:  # whatever a reader of pickles, zip files or tensors says of a wrong file
            raise DescriberError(
                f"{weights} does not hold weights for CLIP {model}: {_first_line(error)}"
            ) from error
        self._torch: Any = torch
        self._network: Any = network.eval()
        self._mean, self._std = (
            torch.tensor(three).reshape(1, 3, 1, 1)
            for three in (open_clip.OPENAI_DATASET_MEAN, open_clip.OPENAI_DATASET_STD)
        )

    def describe(self, crops: Crops) -> Descriptors:
        """The embedding of each crop by the image tower."""
        torch = self._torch
        found = []
        with torch.no_grad():
            for start in range(0, len(crops), _BATCH):
                batch = torch.from_numpy(crops[start : start + _BATCH].astype(np.float32) / 255)
                large = torch.nn.functional.interpolate(
                    batch.permute(0, 3, 1, 2), size=(224, 224), mode="bicubic", align_corners=False
                )
                found.append(
                    self._network.encode_image((large - self._mean) / self._std).float().cpu().numpy()
                )
        return normalised(np.concatenate(found) if found else np.zeros((0, 512), dtype=np.float32))


def open_describer(name: str, weights: Path | None = None, model: str = CLIP_MODELS[0]) -> Describer:
    """The describer of a name: ``patches``, or ``clip`` with its *weights* for a *model*.

    Raises:
        DescriberError: there is no such describer, or it cannot be had.
    """
    if name == "patches":
        return _PATCH_DESCRIBER
    if name == "clip":
        if weights is None:
            raise DescriberError("CLIP needs a file of weights; the settings name none.")
        return ClipDescriber(weights, model)
    raise DescriberError(f"There is no describer {name!r}. {suggest(name, ('clip', 'patches'))}")


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0].rstrip(": ")


def normalised(rows: NDArray[np.float32]) -> Descriptors:
    """*rows*, each of length 1; a row of zeros stays."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Descriptors = np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)
    return unit
