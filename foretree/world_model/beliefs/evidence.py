"""Weighing evidence: how one look changes what was believed.

The world changes unseen, so no belief is so firm that looks cannot turn it: two good looks that contradict it
turn it around, and one does that is nearly certain. One doubtful look does not, so that a single mistake of
perception passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import exp, log

from foretree.world_model.beliefs.facts import BY_ACTION, Fact, Truth

#: The most that what was believed can weigh, in log-odds: as if it were 92 % sure.
BELIEVED = log(0.92 / 0.08)
#: The same for what several looks from different places have shown, of which one may have misled: 99 % sure.
SEEN_SEVERAL_TIMES = log(0.99 / 0.01)
#: The same for effects of actions: 96 % sure.
DONE = log(0.96 / 0.04)
#: The most that one look can say: 99 % sure.
SEEN = log(0.99 / 0.01)
#: Probabilities this close to a half are *unknown*.
UNDECIDED = 0.05
#: Scores below this are dropped from an entity's classes.
FAINT = 0.02
#: The score of a class that a look does not mention.
UNMENTIONED = 0.01


def fuse_state(
    before: Fact | None, seen: float, usual: float | None = None, firm: float = BELIEVED
) -> tuple[Truth, float]:
    """The truth and confidence of a state after one look that saw it with probability *seen*.

    Where nothing was believed before, *usual* is the prior. What was believed weighs no more than *firm*, or,
    for the effect of an action of the robot, :data:`DONE`.
    """
    if before is not None and before.source == BY_ACTION:
        firm = max(firm, DONE)
    probable = usual if before is None and usual is not None else _probability(before)
    believed = _clamp(_log_odds(probable), firm)
    return _judged(1.0 / (1.0 + exp(-believed - _weight(seen))))


def fuse_states(
    before: Fact | None, looks: Iterable[float], usual: float | None = None
) -> tuple[Truth, float]:
    """The truth and confidence of a state after several looks from different viewpoints, in their order.

    There must be at least one. The latest count most, for the world changes; but a single one that errs does
    not turn what several others have shown.
    """
    first, *others = looks
    truth, confidence = fuse_state(before, first, usual, SEEN_SEVERAL_TIMES)
    for seen in others:
        truth, confidence = fuse_another(truth, confidence, seen)
    return truth, confidence


def fuse_another(truth: Truth, confidence: float, seen: float) -> tuple[Truth, float]:
    """The result of :func:`fuse_states` with one more look, given the result so far."""
    probable = 0.5
    if truth is not Truth.UNKNOWN:
        probable = confidence if truth is Truth.TRUE else 1.0 - confidence
    believed = log(probable / (1.0 - probable))
    if believed > SEEN_SEVERAL_TIMES:
        believed = SEEN_SEVERAL_TIMES
    elif believed < -SEEN_SEVERAL_TIMES:
        believed = -SEEN_SEVERAL_TIMES
    return _judged(1.0 / (1.0 + exp(-believed - _weight(seen))))


def _judged(probability: float) -> tuple[Truth, float]:
    """The truth and confidence for a probability."""
    if -UNDECIDED < probability - 0.5 < UNDECIDED:
        return Truth.UNKNOWN, max(probability, 1.0 - probability)
    if probability > 0.5:
        return Truth.TRUE, probability
    return Truth.FALSE, 1.0 - probability


@lru_cache(maxsize=1 << 14)
def _weight(seen: float) -> float:
    """The weight of one look in log-odds. There are few different probabilities, so they are cached."""
    return _clamp(_log_odds(seen), SEEN)


def fuse_classes(
    before: Mapping[str, float], seen: Mapping[str, float], possible: Callable[[str], bool]
) -> Mapping[str, float]:
    """The class scores after one more look, normalised; *before* itself when nothing is different.

    Args:
        possible: tells whether an object of this kind can be of a class at all.
    """
    scores: dict[str, float] = {}
    for name in sorted({*before, *seen}):
        if possible(name):
            prior = min(max(before.get(name, 0.0), FAINT), 1.0 - FAINT)
            scores[name] = prior * max(seen.get(name, 0.0), UNMENTIONED)
    total = sum(scores.values())
    if not total:
        return before
    kept = {name: score / total for name, score in scores.items() if score >= FAINT * total}
    total = sum(kept.values())
    return unless_same(before, {name: score / total for name, score in kept.items()})


def unless_same(before: Mapping[str, float], after: Mapping[str, float]) -> Mapping[str, float]:
    """The class scores *after*, or *before* itself if next to nothing is different."""
    same = after.keys() == before.keys() and all(abs(after[name] - before[name]) < 1e-3 for name in after)
    return before if same else after


def fuse_absence(confidence: float, certainty: float) -> float:
    """The confidence that an object is still where one look did not see it.

    Args:
        confidence: the confidence before.
        certainty: the probability that the look would have seen it.
    """
    log_odds = _clamp(_log_odds(confidence), BELIEVED) + log(max(1.0 - certainty, 1e-6))
    return 1.0 / (1.0 + exp(-log_odds))


def _probability(fact: Fact | None) -> float:
    if fact is None or fact.truth is Truth.UNKNOWN:
        return 0.5
    return fact.confidence if fact.truth is Truth.TRUE else 1.0 - fact.confidence


def _log_odds(probability: float) -> float:
    if probability <= 0.0:
        return -SEEN
    return SEEN if probability >= 1.0 else log(probability / (1.0 - probability))


def _clamp(value: float, limit: float) -> float:
    return max(-limit, min(limit, value))
