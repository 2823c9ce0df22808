"""Evidence for classes by viewpoint: of things that are carried about, and of furniture.

Things are carried off and exchanged, so the last few looks decide their class. Furniture stays what it is:
all looks at it count for ever, and however often it is passed by, one doubtful look turns nothing.

What misleads one look from afar misleads others as well. So the surest looks count first, and the others the
less, the more there are: *n* looks are worth log2(1 + n) that err independently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import exp, log, log2
from typing import TypeAlias

from foretree.world_model.beliefs.evidence import FAINT, UNMENTIONED, unless_same

Scores: TypeAlias = Mapping[str, float]

#: Number of viewpoints that are kept apart; older ones are summed up.
KEPT = 8
#: A look less sure than this share of a former one from the same viewpoint shows less of the object.
POORER = 0.85
#: The least score that looks leave to a class.
_LEAST_SCORE = 0.002


@dataclass(slots=True)
class ThingClasses:
    """Class scores of a thing: at the start, by viewpoint, and as a result."""

    start: Scores
    looks: dict[str, Scores] = field(default_factory=dict)
    result: Scores = field(default_factory=dict)

    def after(self, before: Scores, viewpoint: str, seen: Scores, possible: Callable[[str], bool]) -> Scores:
        """The result with one more look; *before* itself if nothing is different."""
        if _adds_nothing(self.looks.get(viewpoint), seen):
            return before
        self.looks.pop(viewpoint, None)
        self.looks[viewpoint] = seen
        weights = self._weights()
        if len(self.looks) > KEPT:
            # The oldest of the least sure ones goes into the start; beside surer ones, this one says nothing.
            _, gone = min((_sureness(look), age) for age, look in enumerate(self.looks.values()))
            oldest = list(self.looks)[gone]
            look, weight = self.looks.pop(oldest), weights.pop(gone)
            if oldest == viewpoint:
                return before
            self.start = _fused(self.start, [(look, weight)], possible)
        looks = zip(self.looks.values(), weights, strict=True)
        self.result = unless_same(before, _fused(self.start, looks, possible) or before)
        return self.result

    def _weights(self) -> list[float]:
        """The weight of each look: the surest count in full, others the less, the more surer there are."""
        sure = [_sureness(look) for look in self.looks.values()]
        weights: dict[float, float] = {}
        surer = 0
        for level, count in sorted(Counter(sure).items(), reverse=True):
            weights[level] = _worth(surer, count) / count if surer else 1.0
            surer += count
        return [weights[level] for level in sure]


@dataclass(slots=True)
class _Level:
    """Looks at furniture that are equally sure: how many, and the sums of their logarithms by class."""

    sums: dict[str, float]
    count: int = 0

    def add(self, seen: Scores, sign: int = 1) -> None:
        self.count += sign
        for name in self.sums:
            self.sums[name] += sign * _log(seen, name)


@dataclass(slots=True)
class FurnitureClasses:
    """Class scores of furniture: by viewpoint, by how sure the looks are, and as a result."""

    names: list[str] = field(default_factory=list)
    looks: dict[str, Scores] = field(default_factory=dict)
    levels: dict[float, _Level] = field(default_factory=dict)
    result: Scores = field(default_factory=dict)

    @classmethod
    def seen(cls, viewpoint: str, scores: Scores) -> FurnitureClasses:
        """The account after the first look."""
        account = cls(result=scores)
        account._add(viewpoint, scores, scores.__contains__)
        return account

    def after(self, before: Scores, viewpoint: str, seen: Scores, possible: Callable[[str], bool]) -> Scores:
        """The result with one more look; *before* itself if nothing is different."""
        if not _adds_nothing(self.looks.get(viewpoint), seen):
            self._add(viewpoint, seen, possible)
            self.result = unless_same(before, self.scores())
        return self.result

    def take_over(self, other: FurnitureClasses) -> None:
        """Take over the looks from other viewpoints at what turned out to be the same piece."""
        for viewpoint, seen in other.looks.items():
            if viewpoint not in self.looks:
                self._add(viewpoint, seen, other.names.__contains__)

    def scores(self) -> dict[str, float]:
        """The class scores by all looks."""
        totals, surer = dict.fromkeys(self.names, 0.0), 0
        for _, level in sorted(self.levels.items(), reverse=True):
            if level.count:
                weight = _worth(surer, level.count) / level.count
                for name, value in level.sums.items():
                    totals[name] += weight * value
                surer += level.count
        best = max(totals.values())
        scores = {name: exp(value - best) for name, value in sorted(totals.items())}
        total = sum(scores.values())
        kept = {name: score for name, score in scores.items() if score >= FAINT * total}
        total = sum(kept.values())
        return {name: score / total for name, score in kept.items()}

    def _add(self, viewpoint: str, seen: Scores, possible: Callable[[str], bool]) -> None:
        for name in sorted(seen):
            if name not in self.names and possible(name):
                self._add_class(name)
        former = self.looks.get(viewpoint)
        if former is not None:
            self.levels[_sureness(former)].add(former, -1)
        self.looks[viewpoint] = seen
        level = self.levels.setdefault(_sureness(seen), _Level(dict.fromkeys(self.names, 0.0)))
        level.add(seen)

    def _add_class(self, name: str) -> None:
        self.names.append(name)
        for level in self.levels.values():
            level.sums[name] = 0.0
        for look in self.looks.values():
            self.levels[_sureness(look)].sums[name] += _log(look, name)


def _sureness(look: Scores) -> float:
    """Return how sure a look is, to a tenth: those that are nearly as sure count alike."""
    return round(max(look.values()), 1)


def _worth(surer: int, count: int) -> float:
    """Return how many looks that err independently *count* more are worth, after so many that are surer."""
    return log2(1 + surer + count) - log2(1 + surer)


def _log(look: Scores, name: str) -> float:
    return log(max(look.get(name, 0.0), UNMENTIONED))


def _adds_nothing(former: Scores | None, seen: Scores) -> bool:
    """Return whether a look says no more than a former one from the same viewpoint."""
    return former is not None and (former == seen or max(seen.values()) < POORER * max(former.values()))


def _fused(
    start: Scores, looks: Iterable[tuple[Scores, float]], possible: Callable[[str], bool]
) -> dict[str, float]:
    """Class scores after looks of some weight, normalised, without what is next to impossible."""
    looks = list(looks)
    names = sorted(filter(possible, {*start, *(name for look, _ in looks for name in look)}))
    if len(names) == 1:
        return {names[0]: 1.0}
    scores = [min(max(start.get(name, 0.0), FAINT), 1 - FAINT) if start else 1.0 for name in names]
    for look, weight in looks:
        for number, name in enumerate(names):
            seen = look.get(name, 0.0)
            if seen < UNMENTIONED:
                seen = UNMENTIONED
            scores[number] *= seen if weight == 1.0 else seen**weight
        total = sum(scores)
        # Objects are confused and exchanged: two good looks from elsewhere turn any belief.
        scores = [max(score / total, _LEAST_SCORE) for score in scores]
    kept = {name: score for name, score in zip(names, scores, strict=True) if score >= FAINT}
    total = sum(kept.values())
    return {name: score / total for name, score in kept.items()}
