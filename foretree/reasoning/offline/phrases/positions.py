"""Positions of things, as far as they are known: the nearest, the leftmost, what is beside another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import dist

from foretree.reasoning.offline.phrases.descriptions import Rank
from foretree.reasoning.offline.phrases.known_things import KnownThings
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import BODY, Pose

#: What is beside a thing is no farther from it, in metres.
_BESIDE = 1.5
#: Of two things, one is nearer only if it is so by this much.
_MARGIN = 0.1
#: What the speaker points at is nearer than all else by this much.
_POINTED_AT = 0.5
#: What is a part of furniture, or stands on, under or above it, is no farther from its middle.
_WITHIN = 1.0


class Positions:
    """The comparison of things by where they are."""

    def __init__(self, situation: Situation, things: KnownThings) -> None:
        self._beliefs = situation.beliefs
        self._speaker = situation.speaker
        self._things = things

    def most(self, names: Sequence[str], rank: Rank, to: Sequence[str] = ()) -> tuple[str, ...]:
        """The one of *names* that is most so; none if that cannot be told.

        Left and right are as the robot sees them from where it is.

        Args:
            to: what "nearest" is measured from, or the speaker.
        """
        measure = self._measure(names, rank, to or self._people())
        if measure is None:
            return ()
        ranked = sorted(names, key=measure)
        if len(ranked) > 1 and measure(ranked[1]) - measure(ranked[0]) < _MARGIN:
            return ()
        return tuple(ranked[:1])

    def beside(self, names: Sequence[str], to: Sequence[str]) -> tuple[str, ...]:
        """The one of *names* that is beside another thing: alone on what that is on, or nearest to it."""
        shared = {support for other in to for support in (*self._things.supports(other),)[:1]}
        there = [name for name in names if set((*self._things.supports(name),)[:1]) & shared]
        if len(there) == 1:
            return tuple(there)
        nearest = self.most(there or names, "nearest", to)
        measure = self._measure(nearest, "nearest", to)
        return tuple(name for name in nearest if measure is not None and measure(name) <= _BESIDE)

    def are_apart(self, name: str, others: Sequence[str]) -> bool:
        """Return whether a thing is known to be elsewhere than where each of some others rests."""
        spot = next(iter(self._things.supports(name)), name if self._things.are_fixed((name,)) else "")
        spots = [next(iter(self._things.supports(other)), "") for other in others]
        return bool(spots) and all((spot, *spots)) and spot not in spots

    def at_furniture(
        self, names: Sequence[str], relations: Sequence[str], places: Sequence[str]
    ) -> tuple[str, ...]:
        """The furniture of *names* that is part of other furniture, or on or under it.

        No facts say so: that is told by where they are, seen from above.
        """
        found: list[str] = []
        poses = {place: pose for place in places if (pose := self._pose(place)) is not None}
        for name in names:
            at = self._pose(name)
            near = (
                pose
                for place, pose in poses.items()
                if at is not None and place != name and dist(at[:2], pose[:2]) <= _WITHIN
            )
            if any("under" not in relations or (at is not None and at[2] <= pose[2]) for pose in near):
                found.append(name)
        return tuple(found)

    def pointed_at(self, names: Sequence[str]) -> tuple[str, ...]:
        """The one of *names* that the speaker stands beside, farther from all the others; none if unclear."""
        measure = self._measure(names, "nearest", self._people())
        if measure is None:
            return ()
        ranked = sorted(names, key=measure)
        clear = len(ranked) < 2 or measure(ranked[1]) - measure(ranked[0]) >= _POINTED_AT
        return tuple(ranked[:1]) if ranked and measure(ranked[0]) <= _BESIDE and clear else ()

    def _people(self) -> tuple[str, ...]:
        return (self._speaker,) if self._speaker is not None else self._things.of_classes("person")

    def _measure(self, names: Sequence[str], rank: Rank, to: Sequence[str]) -> Callable[[str], float] | None:
        """Measure that is least for the thing that is most so; None if the places of some are unknown."""
        poses = {name: pose for name in names if (pose := self._pose(name)) is not None}
        if len(poses) < len(names):
            return None
        if rank in ("highest", "lowest"):
            return lambda name: poses[name][2] if rank == "lowest" else -poses[name][2]
        if rank in ("leftmost", "rightmost"):
            seen_from = self._robot()
            if seen_from is None:
                return None
            return lambda name: _to_the_right(poses, seen_from, name) * (1 if rank == "leftmost" else -1)
        origin = self._pose(to[0]) if len(to) == 1 else None
        if origin is None:
            return None
        sign = 1 if rank == "nearest" else -1
        return lambda name: sign * dist(poses[name][:2], origin[:2])

    def _robot(self) -> Pose | None:
        robots = self._things.of_classes("robot")
        if len(robots) != 1:
            return None
        at = self._beliefs.placement(BODY, robots[0])
        return self._pose(at[-1] if at is not None else robots[0])

    def _pose(self, name: str) -> Pose | None:
        """The position of a thing, or of what it rests on."""
        entities = self._beliefs.entities()
        known = (entities[one].pose for one in (name, *self._things.supports(name)) if one in entities)
        return next((pose for pose in known if pose is not None), None)


def _to_the_right(poses: dict[str, Pose], seen_from: Pose, name: str) -> float:
    """Distance of a thing to the right of the middle, seen from a point."""
    middle = [sum(pose[i] for pose in poses.values()) / len(poses) for i in (0, 1)]
    ahead = (middle[0] - seen_from[0], middle[1] - seen_from[1])
    far = dist(middle, seen_from[:2]) or 1.0
    aside = (poses[name][0] - middle[0], poses[name][1] - middle[1])
    return (ahead[1] * aside[0] - ahead[0] * aside[1]) / far
