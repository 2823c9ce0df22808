"""How much goes wrong for a simulated body: the errors of its eyes by distance, and the odds of its hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, FiniteFloat

from foretree.config import ConfigError, find_config, read_yaml, stamp
from foretree.errors import suggest
from foretree.file_errors import FileError, error_at
from foretree.schema import Strict, validate
from foretree.simulation.grid_homes.disturbances import DisturbanceRates

#: How far the shares of a row of look-alikes may be from adding up to 1: they are written with two decimals.
_ROUNDING = 0.011


class NoiseError(ConfigError):
    """There is no such noise."""


class Band(IntEnum):
    """How well something is in view; errors depend on it."""

    FAR = 0
    MIDDLE = 1
    NEAR = 2


@dataclass(frozen=True, slots=True)
class ByBand:
    """A figure for each band."""

    far: float
    middle: float
    near: float

    def of(self, band: Band) -> float:
        """The figure for *band*."""
        return (self.far, self.middle, self.near)[band]

    def times(self, factor: float, limit: float) -> ByBand:
        """Every figure *factor* times as large, but at most *limit*."""
        return ByBand(*(min(limit, factor * figure) for figure in (self.far, self.middle, self.near)))


@dataclass(frozen=True, slots=True)
class NoiseModel:
    """How badly a body sees, and how badly it does.

    Attributes:
        far: what is farther than this (metres) is in the far band.
        near: what is nearer than this is in the near band.
        hidden: of what less than this share is visible is in the far band however near it is.
        confused: how often a thing is taken for a look-alike.
        missed: how often a thing is not segmented.
        misread: how often a state is taken for its opposite.
        grain: the standard deviation of a crop's pixels, in shades of 256.
        depth: the standard deviation of the depth, relative.
        smallest: what shows in fewer pixels than this is not segmented.
        odds: how often manipulations fail, and somebody else changes something.
        look_alikes: by class, what it is taken for and how often, of all the times that it is mistaken.
    """

    far: float
    near: float
    hidden: float
    confused: ByBand
    missed: ByBand
    misread: ByBand
    grain: ByBand
    depth: float
    smallest: int
    odds: DisturbanceRates
    look_alikes: Mapping[str, Mapping[str, float]]

    def band(self, distance: float, visible: float) -> Band:
        """The band of a thing at *distance* of which the share *visible* is in view."""
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
        return replace(
            self,
            confused=self.confused.times(factor, 1),
            missed=self.missed.times(factor, 1),
            misread=self.misread.times(factor, 1),
            grain=self.grain.times(factor, 255),
            depth=self.depth * factor,
            odds=self._odds_times(factor),
        )

    def _odds_times(self, factor: float) -> DisturbanceRates:
        fail = min(1, self.odds.fail * factor)
        silent = min(1 - fail, self.odds.silent * factor)
        return DisturbanceRates(fail, silent, min(1, self.odds.change * factor))


def load_noise(name: str = "noise", classes: Collection[str] | None = None) -> NoiseModel:
    """The noise in ``configs/homes/NAME.yaml``, or in the file at that path.

    Args:
        name: of the file.
        classes: what there is in the homes; when given, look-alikes must be of these.

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
    file = validate(_NoiseFile, read_yaml(path), path)
    if file.near > file.far:
        raise error_at(path, ("near",), f"{file.near} is farther than `far`, {file.far}.")
    if file.odds.fail + file.odds.silent > 1:
        raise error_at(path, ("odds",), "`fail` and `silent` together are more than always.")
    return NoiseModel(
        far=file.far,
        near=file.near,
        hidden=file.hidden,
        confused=file.confused.by_band(),
        missed=file.missed.by_band(),
        misread=file.misread.by_band(),
        grain=file.grain.by_band(),
        depth=file.depth,
        smallest=file.smallest,
        odds=DisturbanceRates(file.odds.fail, file.odds.silent, file.odds.change),
        look_alikes=file.look_alikes,
    )


_Share = Annotated[FiniteFloat, Field(ge=0, le=1)]
_Metres = Annotated[FiniteFloat, Field(ge=0)]


class _Rates(Strict):
    far: _Share
    middle: _Share
    near: _Share

    def by_band(self) -> ByBand:
        return ByBand(self.far, self.middle, self.near)


class _Shades(Strict):
    far: Annotated[FiniteFloat, Field(ge=0, le=255)]
    middle: Annotated[FiniteFloat, Field(ge=0, le=255)]
    near: Annotated[FiniteFloat, Field(ge=0, le=255)]

    def by_band(self) -> ByBand:
        return ByBand(self.far, self.middle, self.near)


class _Odds(Strict):
    fail: _Share
    silent: _Share
    change: _Share


class _NoiseFile(Strict):
    far: _Metres
    near: _Metres
    hidden: _Share
    confused: _Rates
    missed: _Rates
    misread: _Rates
    grain: _Shades
    depth: _Share
    smallest: Annotated[int, Field(ge=1)]
    odds: _Odds
    look_alikes: dict[str, dict[str, _Share]]


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
