"""Evidence by viewpoint: looks from the same place repeat the same mistakes.

So of each viewpoint one look counts, the newest, unless an older one was plainly better; looks from different
viewpoints are independent, and multiply. A belief of any other origin (an effect of an action, what was told)
begins a new account: what was seen before counts no more than the belief that it had led to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import dist, exp, log, prod
from typing import TypeAlias

from foretree.world_model.beliefs.evidence import (
    BELIEVED,
    fuse_absence,
    fuse_another,
    fuse_states,
)
from foretree.world_model.beliefs.facts import Atom, Entity, Fact, Pose, Region, Truth
from foretree.world_model.tracking._class_evidence import (
    KEPT,
    POORER,
    FurnitureClasses,
    Scores,
    ThingClasses,
)

#: Metres from its last pose from which on an object has been moved.
_MOVED = 0.3

_Belief: TypeAlias = tuple[Truth, float, str]


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
        self._things: dict[str, ThingClasses] = {}
        self._pieces: dict[str, FurnitureClasses] = {}
        self._states: dict[Atom, _Readings] = {}
        self._missed: dict[Atom, _Readings] = {}
        self._resting: dict[str, _Resting] = {}
        self._covered: dict[Region, dict[str, float]] = {}
        self._moves = 0

    # -- classes -----------------------------------------------------------------------------------
    def created(self, entity: Entity, viewpoint: str) -> None:
        """Begin the account of a new entity, seen from a viewpoint."""
        if entity.fixed:
            self._pieces[entity.name] = FurnitureClasses.seen(viewpoint, entity.classes)
        else:
            self._things[entity.name] = ThingClasses({}, {viewpoint: entity.classes}, entity.classes)

    def classes(
        self, entity: Entity, viewpoint: str, seen: Scores, possible: Callable[[str], bool]
    ) -> Scores:
        """The class scores of an entity after one more look; its own when nothing is different.

        Args:
            entity: the entity so far.
            viewpoint: the viewpoint of the look.
            seen: the scores by the look.
            possible: tells whether an entity of this kind can be of a class at all.
        """
        account: ThingClasses | FurnitureClasses | None
        if entity.fixed:
            account = self._pieces.get(entity.name)
            if account is None or account.result != entity.classes:
                account = self._pieces[entity.name] = FurnitureClasses.seen("", entity.classes)
        else:
            account = self._things.get(entity.name)
            if account is None or account.result != entity.classes:
                account = self._things[entity.name] = ThingClasses(entity.classes)
        return account.after(entity.classes, viewpoint, seen, possible)

    def merged(self, gone: str, kept: str) -> Scores | None:
        """Merge the looks at two pieces of furniture that are one; return its class scores, if any."""
        one, other = self._pieces.pop(kept, None), self._pieces.pop(gone, None)
        whole = one or other
        if whole is None:
            return None
        if one is not None and other is not None:
            one.take_over(other)
        whole.result = whole.scores()
        self._pieces[kept] = whole
        return whole.result

    def moved(self, name: str) -> None:
        """Note that an object has moved: from the same viewpoints it shows other sides now."""
        account = self._things.get(name)
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
            and (former == seen or abs(seen - 0.5) < POORER * abs(former - 0.5))
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
        self._things.pop(name, None)
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


def _fact(atom: Atom, belief: tuple[Truth, float]) -> Fact:
    return Fact(atom, *belief, time=0.0, source="")
