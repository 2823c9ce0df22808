"""Association: the matching of detections with entities.

A look names no entities, so its detections are matched with the belief in six passes. Each takes only what
the passes before it left over, cheapest pairs first, one to one:

1. *the map*: furniture, doors and people, by where they are; furniture that was discovered, by the room that
   it takes (:mod:`foretree.world_model.tracking._furniture_association`). Later passes can then say what
   rests where; what rests on another item, as soon as that is recognised.
2. *in the hand*: what a hand holds is what it was seen to hold before, and what an action says that it took,
   unless that plainly looks like something else.
3. *put down*: what an action has put somewhere has no spot of its own there yet, so it is whatever looks
   like it and is new there.
4. *in place*: near where the entity was seen last; on the very spot, a thing misread as a look-alike is still
   that thing, unless the look-alike is seen in its turn where this one was. Then anywhere within the same
   region (on the same table) if it is of the same class.
5. *moved*: an entity of the same class that is unaccounted for. That is one whose whereabouts are unknown, or
   one that should be in a region which this look covers and is not there. What rests on a thing that has
   moved has moved with it, so this goes from the bottom up. A thing in the hand may also be one
   that was believed elsewhere: it must have come from somewhere. Something believed to be where this look
   did not reach stays there.
6. *in place* once more: a look-alike beside the spot where the entity was is that, if it is nothing else.

What is left is new.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import merge
from math import hypot, inf
from typing import Literal, TypeAlias

from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import (
    BY_ACTION,
    HOLDING,
    WHEREABOUTS,
    Atom,
    Entity,
    Pose,
    Region,
    best_of,
    hand_of,
)
from foretree.world_model.observation import Detection, Observation
from foretree.world_model.ontology import Ontology
from foretree.world_model.tracking._furniture_association import match_furniture
from foretree.world_model.tracking._match_costs import (
    NEAR,
    NEAR_FIXED,
    NOWHERE,
    ODD_COST,
    SAME_SPOT,
    Candidates,
    MatchCosts,
    Pair,
    gap,
    one_to_one,
    unlike,
    way_moved,
)

#: The rule that matched a detection with an entity.
How: TypeAlias = Literal["map", "held", "in place", "moved", "new", "nothing"]

_OTHER_REGION_COST = 0.2
_ELSEWHERE_COST = 0.2

#: A detection's id, and the names of what it may be with what speaks against each, least first.
_Row: TypeAlias = tuple[str, Iterator[tuple[float, str]]]


@dataclass(frozen=True, slots=True)
class Match:
    """The entity that a detection was matched with.

    Attributes:
        entity: its name; None when the detection is a new entity, or nothing that can be one.
        how: the rule that matched them.
        classes: the possible classes of a new entity (no class of furniture that the map has all of).
    """

    entity: str | None
    how: How
    classes: Mapping[str, float] = field(default_factory=dict)


def associate(
    observation: Observation,
    belief: Snapshot,
    ontology: Ontology,
    discovered: Collection[str] = (),
    left_at: Mapping[str, Pose] | None = None,
) -> dict[str, Match]:
    """Match each detection, by its id, with an entity of *belief*.

    A new entity is only made of something that can be one: whatever is of a type that the map provides
    (furniture) and is not on the map is matched with *nothing*.

    Args:
        discovered: the types of what belongs to the map but may not be on it yet.
        left_at: the last poses of entities whose place is unknown.
    """
    return _Association(observation, belief, ontology, frozenset(discovered), left_at or {}).run()


class _Association:
    """The work of one :func:`associate`."""

    def __init__(
        self,
        observation: Observation,
        belief: Snapshot,
        ontology: Ontology,
        discovered: frozenset[str],
        left_at: Mapping[str, Pose],
    ) -> None:
        self.observation = observation
        self.belief = belief
        self.ontology = ontology
        self.discovered = discovered
        self.left_at = left_at
        self.fixed: list[Entity] = []
        self.loose: list[Entity] = []
        for entity in belief.entities().values():
            (self.fixed if entity.fixed else self.loose).append(entity)
        self.best = {e.name: e.best_class for e in self.loose}
        self.best.update((e.name, e.best_class) for e in self.fixed)
        self.map_types = {ontology.type_of(self.best[e.name]) for e in self.fixed} - discovered
        self.seen_as = {d.id: best_of(d.classes) for d in observation.detections}
        #: Detections of what is discovered: pieces of furniture, which are nothing else.
        self.pieces = {d for d, name in self.seen_as.items() if ontology.type_of(name) in discovered}
        self.costs = MatchCosts(ontology, self.seen_as, self.best, left_at)
        self.taken: set[str] = set()
        self.found: dict[str, tuple[str, How]] = {}
        self.regions: dict[str, Region] = {}
        self.stale = False  # whether something has been found since regions were looked at

    def run(self) -> dict[str, Match]:
        detections = self.observation.detections
        told = [e for e in self.fixed if not self._is_discovered(self.best[e.name])]
        self._near([d for d in detections if d.id not in self.pieces], told, NEAR_FIXED, "map")
        self._discovered()
        self.regions_of = {e.name: _resting(self.belief.placement(WHEREABOUTS, e.name)) for e in self.loose}
        self.loose_at: dict[Region | None, list[Entity]] = {}
        self.alike: dict[str, list[Entity]] = {}
        for entity in self.loose:
            self.loose_at.setdefault(self.regions_of[entity.name], []).append(entity)
            self.alike.setdefault(self.best[entity.name], []).append(entity)
        self._in_hand()
        self._put_down()
        self._near(self._left(), self.loose, NEAR, "in place", odd_gate=SAME_SPOT)
        # Of what rests on items it is known only now on which.
        self._reconsider()
        self._put_down()
        self._exchange()
        self._within_region()
        for level in self._levels():
            self._moved(level)
            self._within_region()
        self._near(self._left(), self.loose, NEAR, "in place")
        return {d.id: self._match(d) for d in detections}

    # -- the passes --------------------------------------------------------------------------------
    def _discovered(self) -> None:
        """Match discovered furniture, by the room that it takes."""
        seen = [d for d in self.observation.detections if d.id in self.pieces]
        known = [e for e in self.fixed if self._is_discovered(self.best[e.name])]
        self._take(match_furniture(seen, known, self.ontology.look_alike), "map")

    def _near(
        self,
        detections: Sequence[Detection],
        entities: list[Entity],
        gate: float,
        how: How,
        odd_gate: float = inf,
    ) -> None:
        """Match by place: within *gate*, and within *odd_gate* what looks like something else."""
        by_x = sorted(
            (e.pose[0], e.name, e) for e in entities if e.pose is not None and e.name not in self.taken
        )
        xs = [x for x, _, _ in by_x]
        pairs: list[Pair] = []
        for detection in detections:
            if detection.id in self.observation.held:
                continue
            x, y, z = detection.pose
            region = self.regions.get(detection.id) if how != "map" else None
            for _, name, entity in by_x[bisect_left(xs, x - gate) : bisect_right(xs, x + gate)]:
                assert entity.pose is not None
                apart = hypot(x - entity.pose[0], y - entity.pose[1], z - entity.pose[2])
                if apart > gate:
                    continue
                cost = self.costs.class_cost(detection, entity, apart)
                if cost is None or (apart > odd_gate and self.seen_as[detection.id] != self.best[name]):
                    continue
                if region is not None and self.regions_of[name] not in (None, region):
                    cost += _OTHER_REGION_COST
                pairs.append((cost + apart / gate + unlike(detection, entity), detection, entity))
        self._take(pairs, how)

    def _in_hand(self) -> None:
        held = self.observation.held
        if not held:
            return
        holds = self._holds()
        pairs: list[Pair] = []
        for detection in self.observation.detections:
            entity = next((holds[hand] for hand in held.get(detection.id, ()) if hand in holds), None)
            if entity is not None and detection.id not in self.found:
                cost = self.costs.class_cost(detection, entity, 0.0)
                if cost is None and (self._is_seen(entity) or detection.viewpoint):
                    # Something may have been picked by mistake; but a hand that was seen to hold it keeps
                    # it, and of what can be looked at from more sides, one side does not decide.
                    cost = ODD_COST
                if cost is not None:
                    pairs.append((cost, detection, entity))
        self._take(pairs, "held")
        # What an action says has left the hand may be there still.
        put_down = [e for e in self.loose if e.name not in self.taken and self._is_claim(e)]
        in_hand = [d for d in self._left() if d.id in held]
        self._take((pair for d in in_hand for e in put_down for pair in self.costs.pairs(d, e)), "moved")

    def _holds(self) -> dict[tuple[str, ...], Entity]:
        """The entity in each hand, by the belief; of several, the one that came into it last."""
        found = []
        for entity in self.loose:
            placement = self.belief.placement(WHEREABOUTS, entity.name)
            hand = hand_of(placement)
            if placement is not None and hand is not None:
                found.append((self.belief.evidence(placement).time, entity.name, hand, entity))
        return {hand: entity for _, _, hand, entity in sorted(found, key=lambda one: one[:2])}

    def _put_down(self) -> None:
        pairs: list[Pair] = []
        left = self._by_region(self._left())
        for entity in self.loose:
            region = self.regions_of[entity.name]
            if entity.name in self.taken or region not in left or not self._is_claim(entity):
                continue
            for detection in left[region]:
                cost = self.costs.class_cost(detection, entity, NEAR)
                if cost is not None and not self._spot_of_another(detection, entity):
                    pairs.append((cost + unlike(detection, entity), detection, entity))
        self._take(pairs, "in place")

    def _reconsider(self) -> None:
        """Undo matches with entities that lay nearby where an action has put another one."""
        claimed = {
            self.regions_of[e.name] for e in self.loose if e.name not in self.taken and self._is_claim(e)
        }
        was_at = {entity.name: entity for entity in self.loose}
        for detection in self.observation.detections:
            name, how = self.found.get(detection.id, ("", "new"))
            if how != "in place" or name not in was_at:
                continue
            region = self.regions.get(detection.id)
            elsewhere = region is not None and self.regions_of[name] not in (None, region)
            if elsewhere and region in claimed and gap(detection, was_at[name]) > SAME_SPOT:
                del self.found[detection.id]
                self.stale = True
                self.taken.discard(name)

    def _spot_of_another(self, detection: Detection, entity: Entity) -> bool:
        """Return whether the detection is more likely one that was seen here before than *entity*."""
        seen = self.seen_as[detection.id]
        gate = SAME_SPOT if seen == self.best[entity.name] else NEAR
        return any(
            other.pose is not None and not self._is_claim(other) and gap(detection, other) <= gate
            for other in self.alike.get(seen, ())
        )

    def _exchange(self) -> None:
        """Swap two entities that each look like the other: they have changed places."""
        best = self.best
        misread = {
            name: detection
            for detection, (name, _) in self.found.items()
            if name in self.regions_of and self.seen_as[detection] != best[name]
        }
        alike: dict[tuple[str, str], list[str]] = {}
        for name in sorted(misread, reverse=True):
            alike.setdefault((best[name], self.seen_as[misread[name]]), []).append(name)
        for one in sorted(misread):
            its = misread[one]
            mine, others = ((best[one], self.seen_as[its]), (self.seen_as[its], best[one]))
            if alike[mine] and alike[mine][-1] == one and alike.get(others):
                alike[mine].pop()
                other = alike[others].pop()
                self._find(its, other, "moved")
                self._find(misread[other], one, "moved")

    def _within_region(self) -> None:
        rows: list[_Row] = []
        for region, detections in self._by_region(self._left()).items():
            there = [e for e in self.loose_at.get(region, ()) if e.name not in self.taken]
            # What rests on a thing that was carried about lies on it as before.
            is_carried = region is not None and region[1] in self.regions_of
            way = way_moved(detections, there) if is_carried else NOWHERE
            candidates = Candidates(there, self.left_at)
            rows += ((d.id, self.costs.cheapest_first(d, candidates, way)) for d in detections)
        self._pair_off(rows, "in place")

    def _by_region(self, detections: Iterable[Detection]) -> dict[Region | None, list[Detection]]:
        """Those detections of which it is known where they rest, by where."""
        found: dict[Region | None, list[Detection]] = {}
        for detection in detections:
            if detection.id in self.regions:
                found.setdefault(self.regions[detection.id], []).append(detection)
        return found

    def _levels(self) -> list[list[Detection]]:
        """The detections that are left, by what they rest on: no item, then one of those, and so on."""
        items = {d.id: d for d in self.observation.detections if self._may_move(d)}
        levels: dict[int, list[Detection]] = {}
        for detection in self._left():
            height, below, passed = 0, detection, {detection.id}
            # What a look says of itself may go round in a circle.
            while below.rests is not None and below.rests[1] in items.keys() - passed:
                height, below = height + 1, items[below.rests[1]]
                passed.add(below.id)
            levels.setdefault(height, []).append(detection)
        return [levels[height] for height in sorted(levels)]

    def _may_move(self, detection: Detection) -> bool:
        return detection.id not in self.pieces and self.found.get(detection.id, ("", "new"))[1] != "map"

    def _moved(self, level: Sequence[Detection]) -> None:
        left = [detection for detection in level if detection.id not in self.found]
        if not left:
            return
        named = {d: name for d, (name, _) in self.found.items()}
        covered = {(c.relation, named.get(c.support)) for c in self.observation.covered}
        unaccounted: list[Entity] = []
        elsewhere: list[Entity] = []
        for entity in self.loose:
            if entity.name not in self.taken:
                lost = self.belief.placement(WHEREABOUTS, entity.name) is None
                is_missed = lost or self.regions_of[entity.name] in covered
                (unaccounted if is_missed else elsewhere).append(entity)
        candidates = Candidates(unaccounted, self.left_at)
        rows: list[_Row] = []
        for detection in left:
            row = self.costs.cheapest_first(detection, candidates)
            if detection.id in self.observation.held:
                others = (pair for entity in elsewhere for pair in self.costs.pairs(detection, entity))
                dearer = sorted((cost + _ELSEWHERE_COST, entity.name) for cost, _, entity in others)
                row = merge(row, dearer)
            rows.append((detection.id, row))
        self._pair_off(rows, "moved")

    def _is_claim(self, entity: Entity) -> bool:
        """Return whether it is believed to be where it is only because an action has put it there."""
        return self._source(entity) == BY_ACTION

    def _is_seen(self, entity: Entity) -> bool:
        """Return whether it was seen where it is believed to be."""
        return self._source(entity) not in (None, BY_ACTION, "told")

    def _source(self, entity: Entity) -> str | None:
        placement = self.belief.placement(WHEREABOUTS, entity.name)
        return None if placement is None else self.belief.evidence(placement).source

    # -- what they share ---------------------------------------------------------------------------
    def _left(self) -> list[Detection]:
        return [d for d in self.observation.detections if d.id not in self.found and d.id not in self.pieces]

    def _take(self, pairs: Iterable[Pair], how: How) -> None:
        for _, detection, entity in sorted(pairs, key=lambda pair: (pair[0], pair[1].id, pair[2].name)):
            if detection.id not in self.found and entity.name not in self.taken:
                self._find(detection.id, entity.name, how)
                self.taken.add(entity.name)
        self._look_where_things_rest()

    def _pair_off(self, rows: Iterable[_Row], how: How) -> None:
        for detection, name in one_to_one(rows, self.taken):
            self._find(detection, name, how)
            self.taken.add(name)
        self._look_where_things_rest()

    def _find(self, detection: str, name: str, how: How) -> None:
        self.found[detection] = (name, how)
        self.stale = True

    def _look_where_things_rest(self) -> None:
        """Find out where detections rest, now that more of their supports have been matched."""
        if self.stale:
            self.regions = dict(self._regions())
            self.stale = False

    def _regions(self) -> Iterator[tuple[str, Region]]:
        for detection in self.observation.detections:
            if detection.rests is not None:
                relation, support = detection.rests
                if support in self.found:
                    name = self.found[support][0]
                    if self._is_discovered(self.best[name]):
                        relation = self.ontology.way_to_rest(relation, self.best[name])
                    yield detection.id, (relation, name)

    def _match(self, detection: Detection) -> Match:
        if detection.id in self.found:
            return Match(*self.found[detection.id])
        can_be = self._is_discovered if detection.id in self.pieces else self._loose
        possible = {name: detection.classes[name] for name in sorted(detection.classes) if can_be(name)}
        return Match(None, "new" if possible else "nothing", possible)

    def _loose(self, class_name: str) -> bool:
        if class_name not in self.ontology or self._is_discovered(class_name):
            return False
        return self.ontology.type_of(class_name) not in self.map_types

    def _is_discovered(self, class_name: str) -> bool:
        return self.ontology.type_of(class_name) in self.discovered


def _resting(placement: Atom | None) -> Region | None:
    if placement is None or placement[0] == HOLDING or len(placement) < 3:
        return None
    return placement[0], placement[2]
