"""Noise of a simulated body: errors of its camera by distance, and how often its manipulations fail."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from foretree.config import ConfigError, find_config, read_yaml, stamp
from foretree.errors import suggest
from foretree.file_errors import FileError, error_at
from foretree.schema import Strict, validate
from foretree.simulation.grid_homes.disturbances import DisturbanceRates

#: How far the shares of a row of look-alikes may be from adding up to 1: they are written with two decimals.
_ROUNDING = 0.011
_Share = Annotated[float, Field(ge=0, le=1)]
_Length = Annotated[float, Field(ge=0)]


class NoiseError(ConfigError):
    """An impossible amount of noise."""


class Band(IntEnum):
    """Band of distance and visibility, on which errors depend."""

    FAR = 0
    MIDDLE = 1
    NEAR = 2


class ByBand(Strict):
    """A figure for each band."""

    far: Annotated[float, Field(ge=0)]
    middle: Annotated[float, Field(ge=0)]
    near: Annotated[float, Field(ge=0)]

    def of(self, band: Band) -> float:
        """The figure for *band*."""
        return (self.far, self.middle, self.near)[band]

    def times(self, factor: float, limit: float) -> ByBand:
        """Every figure *factor* times as large, but at most *limit*."""
        figures = (min(limit, factor * figure) for figure in (self.far, self.middle, self.near))
        return type(self)(**dict(zip(("far", "middle", "near"), figures, strict=True)))


class Rates(ByBand):
    """A rate for each band."""

    far: _Share
    middle: _Share
    near: _Share


class Shades(ByBand):
    """A standard deviation in shades of 256 for each band."""

    far: Annotated[float, Field(ge=0, le=255)]
    middle: Annotated[float, Field(ge=0, le=255)]
    near: Annotated[float, Field(ge=0, le=255)]


class NoiseModel(Strict):
    """Errors of a body's camera and hand, as a file states them.

    Attributes:
        far: objects farther away than this (metres) are in the far band.
        near: objects nearer than this are in the near band.
        hidden: objects of which less than this share is visible are in the far band at any distance.
        confused: how often an object is taken for a look-alike.
        missed: how often an object is not segmented.
        misread: how often a state is taken for its opposite.
        grain: the standard deviation of a crop's pixels.
        depth: the standard deviation of the depth, relative.
        smallest: what shows in fewer pixels is not segmented.
        odds: how often manipulations fail, and other people change something.
        look_alikes: by class, what it is taken for and how often, of all times that it is mistaken.
    """

    far: _Length
    near: _Length
    hidden: _Share
    confused: Rates
    missed: Rates
    misread: Rates
    grain: Shades
    depth: _Share
    smallest: Annotated[int, Field(ge=1)]
    odds: DisturbanceRates
    look_alikes: dict[str, dict[str, _Share]]

    def band(self, distance: float, visible: float) -> Band:
        """The band of an object at *distance* of which the share *visible* is in view."""
        if distance > self.far or visible < self.hidden:
            return Band.FAR
        return Band.MIDDLE if distance >= self.near else Band.NEAR

    def times(self, factor: float) -> NoiseModel:
        """All rates *factor* times as large. At 0, nothing ever goes wrong.

        Raises:
            NoiseError: *factor* is negative or no number.
        """
        if not 0 <= factor < float("inf"):
            raise NoiseError(f"Noise can be 0 or more times the default, not {factor} times.")
        rates = {name: getattr(self, name).times(factor, 1) for name in ("confused", "missed", "misread")}
        scaled = {
            "grain": self.grain.times(factor, 255),
            "depth": self.depth * factor,
            "odds": self.odds.times(factor),
        }
        return self.model_copy(update={**rates, **scaled})


def load_noise(name: str = "noise", classes: Collection[str] | None = None) -> NoiseModel:
    """The noise in ``configs/homes/NAME.yaml``, or in the file at that path.

    Args:
        name: of the file.
        classes: the object classes of the homes; if given, look-alikes must be among them.

    Raises:
        ConfigError: there is no such file, or it makes no sense; with file, line and key.
    """
    path = find_config("homes", name)
    noise = _read_noise(stamp(path))
    _check_look_alikes(noise.look_alikes, classes, path)
    return noise


@lru_cache(maxsize=4)
def _read_noise(stamped: tuple[Path, int, int]) -> NoiseModel:
    """The noise in a file that is as it was when it was stamped."""
    path = stamped[0]
    noise = validate(NoiseModel, read_yaml(path), path)
    if noise.near > noise.far:
        raise error_at(path, ("near",), f"{noise.near} is farther than `far`, {noise.far}.")
    if noise.odds.fail + noise.odds.silent > 1:
        raise error_at(path, ("odds",), "`fail` and `silent` together are more than always.")
    return noise


def _check_look_alikes(
    look_alikes: Mapping[str, Mapping[str, float]], classes: Collection[str] | None, path: Path
) -> None:
    for name, row in look_alikes.items():
        if classes is not None and name not in classes:
            raise _at(path, (name,), f"there is no class {name!r}. {suggest(name, classes)}")
        for other in row:
            if other == name:
                raise _at(path, (name, other), f"{name} cannot be mistaken for what it is.")
            if classes is not None and other not in classes:
                raise _at(path, (name, other), f"there is no class {other!r}. {suggest(other, classes)}")
            if name not in look_alikes.get(other, {}):
                problem = f"{name} is taken for {other}, so {other} must be taken for {name} at times."
                raise _at(path, (name, other), problem)
        if abs(sum(row.values()) - 1) > _ROUNDING:
            raise _at(path, (name,), f"the shares must add up to 1, not to {sum(row.values()):g}.")


def _at(path: Path, keys: tuple[str, ...], problem: str) -> FileError:
    return error_at(path, ("look_alikes", *keys), problem)
