"""Recognition errors of a camera, which last as long as the view.

Nothing is drawn in sequence: missed objects, mistaken classes and misread states follow from the seed, the
object at its place, and the viewpoint. Looking again without moving, or coming back, shows the same errors.
Once an object has changed, its states are read afresh.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from foretree.simulation.grid_homes.camera.noise import Band, NoiseModel

#: The highest score of a class.
CERTAIN = 0.99
#: States that exclude each other.
EXCLUSIVE = (("hot", "cold"), ("has_water", "has_coffee"))

#: Of a digest, as eight numbers.
_EIGHT = struct.Struct("<8Q")
_RANGE = float(1 << 64)


@dataclass(frozen=True, slots=True)
class Recognition:
    """Recognition of an object in one look.

    Attributes:
        looks_like: the class that it is taken for, and that its crop shows.
        scores: class scores; the first is the highest, that of *looks_like*.
        states: the states that it seems to be in, in alphabetical order.
        grain: decides the grain of its crop.
    """

    looks_like: str
    scores: Mapping[str, float]
    states: tuple[str, ...]
    grain: int


class RecognitionErrors:
    """Seeded recognition errors.

    Attributes:
        noise: their rates.
    """

    def __init__(self, noise: NoiseModel, seed: int) -> None:
        self.noise = noise
        self._key = f"eyesight {seed}".encode()[:64]

    def recognise(
        self, thing: str, class_name: str, states: Mapping[str, bool], viewpoint: str, band: Band
    ) -> Recognition | None:
        """Recognise an object from a viewpoint; None if it is overlooked.

        Args:
            thing: identifies the object at its place.
            class_name: its class.
            states: all visible states, and whether it is in them.
            viewpoint: identifies the viewpoint.
            band: how well it is in view.
        """
        missed, difficulty, mistaken, which, grain, *_ = self._draw("class", thing, viewpoint)
        if missed / _RANGE < self.noise.missed.of(band):
            return None
        doubt = self._doubt(difficulty / _RANGE, band) if class_name in self.noise.look_alikes else 0.0
        looks_like = class_name
        if mistaken / _RANGE < doubt:
            looks_like = _pick(self.noise.look_alikes[class_name], which / _RANGE)
        seen = self._misread(thing, states, viewpoint, band)
        return Recognition(looks_like, self._scores(looks_like, doubt), seen, grain)

    def _doubt(self, difficulty: float, band: Band) -> float:
        """The probability that this look errs; over all looks, the rate of the band.

        Scores are calibrated by it: of all that is reported with a score of 0.75, three quarters are right.
        """
        rate = self.noise.confused.of(band)
        spread = min(rate, 1 - rate)
        return rate + spread * (2 * difficulty - 1)

    def _scores(self, looks_like: str, doubt: float) -> dict[str, float]:
        first = min(CERTAIN, 1 - doubt)
        scores = {looks_like: first}
        for name, share in self.noise.look_alikes.get(looks_like, {}).items():
            # No look-alike is reported as likelier than the first; doubt beyond that is of no class.
            score = min(share * doubt, 0.99 * first)
            if score > 0:
                scores[name] = score
        return scores

    def _misread(self, thing: str, states: Mapping[str, bool], viewpoint: str, band: Band) -> tuple[str, ...]:
        truth = sorted(states)
        shown = {name for name in truth if states[name]}
        rate = self.noise.misread.of(band)
        if rate > 0 and truth:
            looks = f"{thing} {sorted(shown)}"
            wrong = [
                name
                for start in range(0, len(truth), 8)
                for name, draw in zip(
                    truth[start : start + 8], self._draw(f"states {start}", looks, viewpoint), strict=False
                )
                if draw / _RANGE < rate
            ]
            for name in wrong:
                if name in shown:
                    shown.discard(name)
                else:
                    shown.add(name)
                    for pair in EXCLUSIVE:
                        if name in pair:
                            shown.difference_update(other for other in pair if other != name)
        return tuple(sorted(shown))

    def _draw(self, kind: str, thing: str, viewpoint: str) -> tuple[int, ...]:
        digest = blake2b(f"{kind}|{thing}|{viewpoint}".encode(), key=self._key).digest()
        return _EIGHT.unpack(digest)


def _pick(row: Mapping[str, float], at: float) -> str:
    """Pick a name by its share, for *at* from 0 to 1."""
    rest = at * sum(row.values())
    for name, share in row.items():
        rest -= share
        if rest < 0:
            return name
    return next(reversed(list(row)))
