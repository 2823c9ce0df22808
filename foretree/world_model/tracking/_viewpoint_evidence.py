"""Evidence by viewpoint: looks from the same place repeat the same mistakes.

So of each viewpoint one look counts, the newest, unless an older one was plainly better; looks from different
viewpoints are independent, and multiply. A belief of any other origin (an effect of an action, what was told)
begins a new account: what was seen before counts no more than the belief that it had led to.

Objects are carried off and exchanged, so the last few looks decide their class. Furniture stays what it is:
all looks at it count for ever, and however often it is passed by, one doubtful look turns nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import dist, exp, log, log2, prod
from typing import TypeAlias

from foretree.world_model.beliefs.evidence import (
    BELIEVED,
    FAINT,
    UNMENTIONED,
    fuse_absence,
    fuse_another,
    fuse_states,
    unless_same,
)
from foretree.world_model.beliefs.facts import Atom, Entity, Fact, Pose, Region, Truth

#: Number of viewpoints that are kept apart; older ones are summed up.
KEPT = 8
#: A look less sure than this share of a former one from the same viewpoint shows less of the object.
_POORER = 0.85
#: The least score that looks leave to a class.
_LEAST_SCORE = 0.002

#: Metres from its last pose from which on an object has been moved.
_MOVED = 0.3

_Scores: TypeAlias = Mapping[str, float]
_Belief: TypeAlias = tuple[Truth, float, str]


@dataclass(slots=True)
class _Classes:
    """Class scores of an object: at the start, by viewpoint, and as a result."""

    start: _Scores
    looks: dict[str, _Scores] = field(default_factory=dict)
    result: _Scores = field(default_factory=dict)


@dataclass(slots=True)
class _Level:
    """Looks at furniture that are equally sure: how many, and the sums of their logarithms by class."""

    count: int = 0
    sums: dict[str, float] = field(default_factory=dict)

    def add(self, seen: _Scores, sign: int) -> None:
        self.count += sign
        for name in self.sums:
            self.sums[name] += sign * _log(seen, name)


@dataclass(slots=True)
class _Piece:
    """Class scores of furniture: by viewpoint, by how sure the looks are, and the result.

    What misleads one look from afar misleads others as well. So the surest looks count first, and so many
    looks count as much as log2(1 + n) that err independently.
    """

    looks: dict[str, _Scores] = field(default_factory=dict)
    levels: dict[float, _Level] = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)
    result: _Scores = field(default_factory=dict)

    def add(self, viewpoint: str, seen: _Scores, possible: Callable[[str], bool]) -> None:
        for name in sorted(seen):
            if name not in self.names and possible(name):
                self.names[name] = None
                for level in self.levels.values():
                    level.sums[name] = 0.0
                for look in self.looks.values():
                    self.levels[_sureness(look)].sums[name] += _log(look, name)
        former = self.looks.get(viewpoint)
        if former is not None:
            self.levels[_sureness(former)].add(former, -1)
        self.looks[viewpoint] = seen
        level = self.levels.setdefault(_sureness(seen), _Level(sums=dict.fromkeys(self.names, 0.0)))
        level.add(seen, 1)

    def classes(self) -> dict[str, float]:
        totals, counted = dict.fromkeys(self.names, 0.0), 0
        for _, level in sorted(self.levels.items(), reverse=True):
            if level.count:
                weight = (log2(1 + counted + level.count) - log2(1 + counted)) / level.count
                for name, value in level.sums.items():
                    totals[name] += weight * value
                counted += level.count
        best = max(totals.values())
        scores = {name: exp(value - best) for name, value in sorted(totals.items())}
        total = sum(scores.values())
        kept = {name: score for name, score in scores.items() if score >= FAINT * total}
        total = sum(kept.values())
        return {name: score / total for name, score in kept.items()}


@dataclass(slots=True)
class _Readings:
    """Evidence for an atom: at the start, by viewpoint, and the result. *wrong* viewpoints do not count."""

    start: Fact | None
    looks: dict[str, float] = field(default_factory=dict)
    result: _Belief | None = None
    wrong: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Resting:
    """Evidence for the region of an object at *pose*, in log-odds: at the start, by viewpoint, the result."""

    pose: Pose
    start: tuple[Region, float] | None
    looks: dict[str, tuple[Region, float]] = field(default_factory=dict)
    result: Region | None = None


class ViewpointEvidence:
    """The looks at each entity that still count, by viewpoint."""

    def __init__(self) -> None:
        self._classes: dict[str, _Classes] = {}
        self._pieces: dict[str, _Piece] = {}
        self._states: dict[Atom, _Readings] = {}
        self._missed: dict[Atom, _Readings] = {}
        self._resting: dict[str, _Resting] = {}
        self._covered: dict[Region, dict[str, float]] = {}
        self._moves = 0

    # -- classes -----------------------------------------------------------------------------------
    def created(self, entity: Entity, viewpoint: str) -> None:
        """Begin the account of a new entity, seen from a viewpoint."""
        if entity.fixed:
            self._pieces[entity.name] = _piece(viewpoint, entity.classes)
        else:
            self._classes[entity.name] = _Classes({}, {viewpoint: entity.classes}, entity.classes)

    def classes(
        self, entity: Entity, viewpoint: str, seen: _Scores, possible: Callable[[str], bool]
    ) -> _Scores:
        """The class scores of an entity after one more look; its own when nothing is different.

        Args:
            entity: the entity so far.
            viewpoint: the viewpoint of the look.
            seen: the scores by the look.
            possible: tells whether an entity of this kind can be of a class at all.
        """
        if entity.fixed:
            return self._classes_of_piece(entity, viewpoint, seen, possible)
        account = self._classes.get(entity.name)
        if account is None or account.result != entity.classes:
            account = self._classes[entity.name] = _Classes(entity.classes)
        if _adds_nothing(account.looks.get(viewpoint), seen):
            return entity.classes
        account.looks.pop(viewpoint, None)
        account.looks[viewpoint] = seen
        if len(account.looks) > KEPT:
            oldest = next(iter(account.looks))
            account.start = _weighed(account.start, [account.looks.pop(oldest)], possible)
        result = _weighed(account.start, account.looks.values(), possible) or entity.classes
        account.result = unless_same(entity.classes, result)
        return account.result

    def _classes_of_piece(
        self, entity: Entity, viewpoint: str, seen: _Scores, possible: Callable[[str], bool]
    ) -> _Scores:
        account = self._pieces.get(entity.name)
        if account is None or account.result != entity.classes:
            account = self._pieces[entity.name] = _piece("", entity.classes)
        if not _adds_nothing(account.looks.get(viewpoint), seen):
            account.add(viewpoint, seen, possible)
            account.result = unless_same(entity.classes, account.classes())
        return account.result

    def merged(self, gone: str, kept: str) -> _Scores | None:
        """Merge the looks at two pieces of furniture that are one; return its class scores, if any."""
        one, other = self._pieces.pop(kept, None), self._pieces.pop(gone, None)
        whole = one or other
        if whole is None:
            return None
        if one is not None and other is not None:
            possible = other.names.__contains__
            for viewpoint, seen in other.looks.items():
                if viewpoint not in one.looks:
                    one.add(viewpoint, seen, possible)
        whole.result = whole.classes()
        self._pieces[kept] = whole
        return whole.result

    def moved(self, name: str) -> None:
        """Note that an object has moved: from the same viewpoints it shows other sides now."""
        account = self._classes.get(name)
        if account is not None:
            self._moves += 1
            account.looks = {
                f"{where} before move {self._moves}": look for where, look in account.looks.items()
            }

    # -- states ------------------------------------------------------------------------------------
    def state(
        self,
        atom: Atom,
        before: Fact | None,
        viewpoint: str,
        seen: float,
        source: str,
        usual: float | None = None,
    ) -> tuple[Truth, float]:
        """The truth and confidence of a state after one more look.

        Args:
            atom: the state.
            before: the fact so far.
            viewpoint: the viewpoint of the look.
            seen: the probability of the state by the look.
            source: the source of the look.
            usual: the prior probability of such a state, if it is known.
        """
        account = _account(self._states, atom, before)
        if before is not None and viewpoint in account.wrong:
            account.result = before.truth, before.confidence, source
            return before.truth, before.confidence
        former = account.looks.get(viewpoint)
        if (
            before is not None
            and former is not None
            and (former == seen or abs(seen - 0.5) < _POORER * abs(former - 0.5))
        ):
            # It may have been seen by the way before, and is looked at now.
            account.result = before.truth, before.confidence, source
            return before.truth, before.confidence
        # What the others came to is known, if this look comes after all of them and none is dropped.
        goes_on = former is None and 0 < len(account.looks) < KEPT
        account.looks.pop(viewpoint, None)
        account.looks[viewpoint] = seen
        if goes_on and account.result is not None:
            truth, confidence = fuse_another(account.result[0], account.result[1], seen)
        else:
            if len(account.looks) > KEPT:
                oldest = next(iter(account.looks))
                account.start = _fact(atom, fuse_states(account.start, [account.looks.pop(oldest)], usual))
            truth, confidence = fuse_states(account.start, account.looks.values(), usual)
        account.result = truth, confidence, source
        return truth, confidence

    def assured(self, fact: Fact) -> None:
        """Take a state as certain; viewpoints from which it looks otherwise count no more."""
        account = self._states.get(fact.atom)
        holds = fact.truth is Truth.TRUE
        wrong: frozenset[str] = frozenset()
        if account is not None:
            wrong = frozenset(where for where, seen in account.looks.items() if (seen > 0.5) is not holds)
            if account.start is not None and account.start.truth is fact.truth:
                wrong |= account.wrong  # it was felt to be so before
        result = fact.truth, fact.confidence, fact.source
        self._states[fact.atom] = _Readings(fact, result=result, wrong=wrong)

    # -- places ------------------------------------------------------------------------------------
    def rests(
        self,
        name: str,
        pose: Pose,
        before: Fact | None,
        viewpoint: str,
        seen: Region,
        certainty: float,
        as_it_is: Callable[[Region], Region | None],
        against: Callable[[Region], float] = lambda region: 0.0,
    ) -> tuple[Region, float]:
        """The region in which an object rests after one more look, and the confidence in that.

        An object that has not moved still rests where it did, whatever a single look shows.

        Args:
            name: the object.
            pose: its pose by the look.
            before: the fact that says where it is, so far.
            viewpoint: the viewpoint of the look.
            seen: the region by the look.
            certainty: the probability that the look is right.
            as_it_is: turns a region into the one by the class that the support has now: *in* what was taken
                for a cabinet may be *on* a shelf. None if the support is gone.
            against: how much speaks against a region before any look, as the logarithm of odds. What was not
                concluded from looks, such as what the robot did itself, needs no plausibility.
        """
        believed = None if before is None or len(before.atom) != 3 else (before.atom[0], before.atom[2])
        account = self._resting.get(name)
        if account is None or account.result != believed or dist(account.pose, pose) > _MOVED:
            stays = believed is not None and (account is None or dist(account.pose, pose) <= _MOVED)
            known = (believed, _odds(before.confidence)) if stays and before and believed else None
            account = self._resting[name] = _Resting(pose, known)
        account.looks.pop(viewpoint, None)
        account.looks[viewpoint] = seen, _odds(certainty)
        if len(account.looks) > KEPT:
            del account.looks[next(iter(account.looks))]
        votes: dict[Region, float] = {}
        for region, weight in (*([account.start] if account.start else ()), *account.looks.values()):
            now = as_it_is(region)
            if now is not None:
                votes[now] = votes.get(now, 0.0) + weight
        start = as_it_is(account.start[0]) if account.start else None
        votes = {
            region: vote - (against(region) if region != start else 0.0) for region, vote in votes.items()
        }
        best = max(votes, key=lambda region: (votes[region], region == believed, region))
        account.result = best
        others = sum(exp(votes[region] - votes[best]) for region in votes if region != best)
        return best, round(1 / (1 + others + exp(-votes[best])), 4)

    def last_region(self, name: str) -> Region | None:
        """The region in which an object was last seen at rest, if it has not been taken since."""
        account = self._resting.get(name)
        return None if account is None else account.result

    def taken(self, name: str) -> None:
        """Note that an object is in a hand."""
        self._resting.pop(name, None)

    def renamed(self, gone: str, kept: str) -> None:
        """Move what rests at one piece of furniture to another one, which it was merged with."""
        for region in [region for region in self._covered if region[1] == gone]:
            for viewpoint, certainty in self._covered.pop(region).items():
                self.covered((region[0], kept), viewpoint, certainty)
        for account in self._resting.values():
            if account.start is not None and account.start[0][1] == gone:
                account.start = (account.start[0][0], kept), account.start[1]
            for viewpoint, (region, weight) in account.looks.items():
                if region[1] == gone:
                    account.looks[viewpoint] = (region[0], kept), weight
            if account.result is not None and account.result[1] == gone:
                account.result = account.result[0], kept

    # -- absence -----------------------------------------------------------------------------------
    def absence(self, before: Fact, viewpoint: str, certainty: float, source: str) -> float:
        """The confidence that an object is still where a look did not see it.

        Args:
            before: the fact that says where it is.
            viewpoint: the viewpoint of the look.
            certainty: the probability that the look would have shown it.
            source: the source of the look.
        """
        account = _account(self._missed, before.atom, before)
        account.looks[viewpoint] = max(certainty, account.looks.get(viewpoint, 0.0))
        assert account.start is not None
        confidence = account.start.confidence
        for sure in account.looks.values():
            confidence = fuse_absence(confidence, sure)
        account.result = before.truth, confidence, source
        return confidence

    def covered(self, region: Region, viewpoint: str, certainty: float) -> None:
        """Note that a look would have shown what is in a region with probability *certainty*."""
        looks = self._covered.setdefault(region, {})
        looks[viewpoint] = max(certainty, looks.get(viewpoint, 0.0))

    def probability_overlooked(self, region: Region) -> float:
        """The probability that all looks so far overlooked an object that is in a region.

        What hides it from one viewpoint is likely to hide it from others as well: the n-th best look counts
        one n-th squared.
        """
        looks = sorted(self._covered.get(region, {}).values(), reverse=True)
        return float(prod((1.0 - certainty) ** (1 / n**2) for n, certainty in enumerate(looks, 1)))

    def forget(self, name: str) -> None:
        """Forget an entity that does not exist any more."""
        for region in [region for region in self._covered if region[1] == name]:
            del self._covered[region]
        self._classes.pop(name, None)
        self._resting.pop(name, None)
        self._pieces.pop(name, None)
        for accounts in (self._states, self._missed):
            for atom in [atom for atom in accounts if name in atom[1:]]:
                del accounts[atom]


def _account(accounts: dict[Atom, _Readings], atom: Atom, before: Fact | None) -> _Readings:
    """The account of an atom; a new one if the belief does not come from it."""
    account = accounts.get(atom)
    believed = None if before is None else (before.truth, before.confidence, before.source)
    if account is None or account.result != believed:
        account = accounts[atom] = _Readings(before)
    return account


def _odds(probability: float) -> float:
    """The log-odds of a probability, limited to what a belief can weigh."""
    return min(BELIEVED, max(0.0, log(max(probability, 1e-6) / max(1.0 - probability, 1e-6))))


def _piece(viewpoint: str, seen: _Scores) -> _Piece:
    piece = _Piece(result=seen)
    piece.add(viewpoint, seen, seen.__contains__)
    return piece


def _sureness(look: _Scores) -> float:
    """How sure a look is, to a tenth: those that are nearly as sure count alike."""
    return round(max(look.values()), 1)


def _log(look: _Scores, name: str) -> float:
    return log(max(look.get(name, 0.0), UNMENTIONED))


def _adds_nothing(former: _Scores | None, seen: _Scores) -> bool:
    """Return whether a look says no more than a former one from the same viewpoint."""
    return former is not None and (former == seen or max(seen.values()) < _POORER * max(former.values()))


def _weighed(start: _Scores, looks: Iterable[_Scores], possible: Callable[[str], bool]) -> dict[str, float]:
    """Class scores after independent looks, normalised, without what is next to impossible."""
    looks = list(looks)
    names = sorted(filter(possible, {*start, *(name for look in looks for name in look)}))
    if len(names) == 1:
        return {names[0]: 1.0}
    scores = [min(max(start.get(name, 0.0), FAINT), 1 - FAINT) if start else 1.0 for name in names]
    for look in looks:
        for number, name in enumerate(names):
            seen = look.get(name, 0.0)
            scores[number] *= seen if seen > UNMENTIONED else UNMENTIONED
        total = sum(scores)
        # Objects are confused and exchanged: two good looks from elsewhere turn any belief.
        scores = [max(score / total, _LEAST_SCORE) for score in scores]
    kept = {name: score for name, score in zip(names, scores, strict=True) if score >= FAINT}
    total = sum(kept.values())
    return {name: score / total for name, score in kept.items()}


def _fact(atom: Atom, belief: tuple[Truth, float]) -> Fact:
    return Fact(atom, *belief, time=0.0, source="")
