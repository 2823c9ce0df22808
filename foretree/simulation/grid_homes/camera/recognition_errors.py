"""What a body takes the things in its view for: the errors of its eyes, which last as long as the view.

Nothing here is drawn in sequence. Whether a thing is missed, what it is taken for, and which of its states
are misread follow from the seed, the thing where it stands, and the viewpoint: who looks again without moving
learns nothing new, and who comes back finds the same error. Once a thing has changed, its states are read
afresh.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from foretree.simulation.grid_homes.camera.noise import Band, NoiseModel

#: Nothing is reported with more certainty than this.
CERTAIN = 0.99
#: What one of two states excludes.
EXCLUSIVE = (("hot", "cold"), ("has_water", "has_coffee"))

#: Of a digest, as eight numbers.
_EIGHT = struct.Struct("<8Q")
_RANGE = float(1 << 64)


@dataclass(frozen=True, slots=True)
class Recognition:
    """What one look takes a thing for.

    Attributes:
        looks_like: the class that it looks like, and that its crop is drawn as.
        scores: class scores; the first is the highest, that of *looks_like*.
        states: the states that it seems to have, in alphabetical order.
        grain: a number to draw its crop's grain by.
    """

    looks_like: str
    scores: Mapping[str, float]
    states: tuple[str, ...]
    grain: int


class RecognitionErrors:
    """The errors of a body's eyes.

    Attributes:
        noise: how many errors there are.
    """

    def __init__(self, noise: NoiseModel, seed: int) -> None:
        self.noise = noise
        self._key = f"eyesight {seed}".encode()[:64]

    def impression(
        self, thing: str, class_name: str, states: Mapping[str, bool], viewpoint: str, band: Band
    ) -> Recognition | None:
        """What a look from *viewpoint* takes *thing* for; None if it overlooks it.

        Args:
            thing: which thing it is and where it stands.
            class_name: its class.
            states: all states that it can have, and whether it does.
            viewpoint: where it is looked at from.
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
        """How likely this look errs: over all looks, as likely as the band says.

        The scores say it, so that of all that is reported with a score of 0.75, three quarters are right.
        """
        rate = self.noise.confused.of(band)
        spread = min(rate, 1 - rate)
        return rate + spread * (2 * difficulty - 1)

    def _scores(self, looks_like: str, doubt: float) -> dict[str, float]:
        first = min(CERTAIN, 1 - doubt)
        scores = {looks_like: first}
        for name, share in self.noise.look_alikes.get(looks_like, {}).items():
            # Eyes that thought something else likelier would say so; doubt beyond that is of no class in
            # particular.
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
    """The name in *row* at which the shares, added up, pass *at*."""
    rest = at * sum(row.values())
    for name, share in row.items():
        rest -= share
        if rest < 0:
            return name
    return next(reversed(list(row)))
