"""Weighing evidence by viewpoint: what the eyes got wrong, they get wrong again from the same place.

Looking twenty times from where one stands says no more than looking once. So of each viewpoint one look
counts, the newest, unless an older one was plainly better; looks from different viewpoints are independent,
and multiply. What is believed for any other reason (an action's effect, what somebody said) begins a new
account: what was seen before it counts no more than the belief it had led to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from foretree.world_model.entities import Entity
from foretree.world_model.evidence import FAINT, UNMENTIONED, fuse_absence, fuse_state
from foretree.world_model.facts import Atom, Fact, Truth

#: So many viewpoints are kept apart; older ones are summed up.
KEPT = 8
#: A look that is less sure than this share of what the same viewpoint showed before shows less of the thing.
_POORER = 0.85
#: No class scores less than this on account of looks.
_OUT_OF_THE_QUESTION = 0.002

_Scores: TypeAlias = Mapping[str, float]
_Belief: TypeAlias = tuple[Truth, float, str]


@dataclass(slots=True)
class _Classes:
    """What is believed of an entity's classes: to begin with, what each viewpoint says, and all in all."""

    start: _Scores
    looks: dict[str, _Scores] = field(default_factory=dict)
    result: _Scores = field(default_factory=dict)


@dataclass(slots=True)
class _Readings:
    """What is believed of an atom: to begin with, what each viewpoint says, and all in all."""

    start: Fact | None
    looks: dict[str, float] = field(default_factory=dict)
    result: _Belief | None = None


class Viewpoints:
    """What was seen from where, as far as it still counts."""

    def __init__(self) -> None:
        self._classes: dict[str, _Classes] = {}
        self._states: dict[Atom, _Readings] = {}
        self._missed: dict[Atom, _Readings] = {}
        self._moves = 0

    # -- classes -----------------------------------------------------------------------------------
    def met(self, entity: Entity, viewpoint: str) -> None:
        """A new entity has been seen from a viewpoint for the first time."""
        self._classes[entity.name] = _Classes({}, {viewpoint: entity.classes}, entity.classes)

    def classes(
        self, entity: Entity, viewpoint: str, seen: _Scores, possible: Callable[[str], bool]
    ) -> _Scores:
        """The class scores of an entity after one more look; its own when nothing is different.

        Args:
            entity: as it is believed.
            viewpoint: where it is seen from.
            seen: what the look says.
            possible: whether a thing of this kind can be of a class at all.
        """
        account = self._class_account(entity)
        former = account.looks.get(viewpoint)
        if former is not None and max(seen.values()) < _POORER * max(former.values()):
            return entity.classes
        if former is not None and former == seen:
            return entity.classes
        account.looks.pop(viewpoint, None)
        account.looks[viewpoint] = seen
        if len(account.looks) > KEPT:
            oldest = next(iter(account.looks))
            account.start = _weighed(account.start, [account.looks.pop(oldest)], possible)
        result = _weighed(account.start, account.looks.values(), possible) or entity.classes
        if result.keys() == entity.classes.keys() and all(
            abs(result[name] - entity.classes[name]) < 1e-3 for name in result
        ):
            result = entity.classes
        account.result = result
        return result

    def united(self, kept: Entity, gone: Entity, possible: Callable[[str], bool]) -> _Scores:
        """The class scores of an entity that was taken for two: what either showed, it has shown.

        Args:
            kept: the entity whose account goes on.
            gone: the one that there is not.
            possible: whether a thing of this kind can be of a class at all.
        """
        one, other = (self._class_account(entity) for entity in (kept, gone))
        looks = {**other.looks, **one.looks}
        starts = [account.start for account in (one, other) if account.start]
        while len(looks) > KEPT:
            starts.append(looks.pop(next(iter(looks))))
        start = _weighed({}, starts, possible) if starts else {}
        result = _weighed(start, looks.values(), possible) or kept.classes
        self._classes[kept.name] = _Classes(start, looks, result)
        self.forget(gone.name)
        return result

    def _class_account(self, entity: Entity) -> _Classes:
        """The account of an entity; a new one if it is believed otherwise than by what the account says."""
        account = self._classes.get(entity.name)
        if account is None or account.result != entity.classes:
            account = self._classes[entity.name] = _Classes(entity.classes)
        return account

    def moved(self, name: str) -> None:
        """A thing is somewhere else now: to where it was seen from before, it shows other sides."""
        account = self._classes.get(name)
        if account is not None:
            self._moves += 1
            account.looks = {
                f"{where} before move {self._moves}": look for where, look in account.looks.items()
            }

    # -- states ------------------------------------------------------------------------------------
    def state(
        self, atom: Atom, before: Fact | None, viewpoint: str, seen: float, source: str
    ) -> tuple[Truth, float]:
        """What to believe of a state after one more look: the truth and its confidence.

        Args:
            atom: the state of the thing.
            before: what is believed.
            viewpoint: where it is seen from.
            seen: how likely the state is, by the look.
            source: of what is believed then.
        """
        account = _account(self._states, atom, before)
        former = account.looks.get(viewpoint)
        if (
            before is not None
            and former is not None
            and (former == seen or abs(seen - 0.5) < _POORER * abs(former - 0.5))
        ):
            # It may have been seen by the way before, and is looked at now.
            account.result = before.truth, before.confidence, source
            return before.truth, before.confidence
        account.looks.pop(viewpoint, None)
        account.looks[viewpoint] = seen
        if len(account.looks) > KEPT:
            oldest = next(iter(account.looks))
            account.start = _fact(atom, fuse_state(account.start, account.looks.pop(oldest)))
        fact = account.start
        for look in account.looks.values():
            fact = _fact(atom, fuse_state(fact, look))
        assert fact is not None
        account.result = fact.truth, fact.confidence, source
        return fact.truth, fact.confidence

    # -- absence -----------------------------------------------------------------------------------
    def absence(self, before: Fact, viewpoint: str, certainty: float, source: str) -> float:
        """How far a thing is still believed to be where a look from a viewpoint did not see it.

        Args:
            before: where it is believed to be.
            viewpoint: where the look was taken from.
            certainty: the probability that it would have seen the thing.
            source: of what is believed then.
        """
        account = _account(self._missed, before.atom, before)
        account.looks[viewpoint] = max(certainty, account.looks.get(viewpoint, 0.0))
        assert account.start is not None
        confidence = account.start.confidence
        for sure in account.looks.values():
            confidence = fuse_absence(confidence, sure)
        account.result = before.truth, confidence, source
        return confidence

    def forget(self, name: str) -> None:
        """There is no such entity any more."""
        self._classes.pop(name, None)
        for accounts in (self._states, self._missed):
            for atom in [atom for atom in accounts if name in atom[1:]]:
                del accounts[atom]


def _account(accounts: dict[Atom, _Readings], atom: Atom, before: Fact | None) -> _Readings:
    """The account of an atom; a new one if it is believed otherwise than by what the account says."""
    account = accounts.get(atom)
    believed = None if before is None else (before.truth, before.confidence, before.source)
    if account is None or account.result != believed:
        account = accounts[atom] = _Readings(before)
    return account


def _weighed(start: _Scores, looks: Iterable[_Scores], possible: Callable[[str], bool]) -> dict[str, float]:
    """Class scores after independent looks, normalised, without what is next to impossible."""
    looks = list(looks)
    names = sorted(filter(possible, {*start, *(name for look in looks for name in look)}))
    scores = {name: min(max(start.get(name, 0.0), FAINT), 1 - FAINT) if start else 1.0 for name in names}
    for look in looks:
        for name in names:
            scores[name] *= max(look.get(name, 0.0), UNMENTIONED)
        total = sum(scores.values())
        # Things are taken for other things, and exchanged: two good looks from elsewhere turn any belief.
        scores = {name: max(score / total, _OUT_OF_THE_QUESTION) for name, score in scores.items()}
    kept = {name: score for name, score in scores.items() if score >= FAINT}
    total = sum(kept.values())
    return {name: score / total for name, score in kept.items()}


def _fact(atom: Atom, belief: tuple[Truth, float]) -> Fact:
    return Fact(atom, *belief, time=0.0, source="")
