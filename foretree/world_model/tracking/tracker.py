"""The tracker: keeps the belief in step with what is seen.

Every observation goes through the same steps:

1. what the robot feels of itself is taken as certain;
2. each detection is matched with an entity (:mod:`foretree.world_model.tracking._association`) or becomes a
   new one;
3. classes and states are weighed against what was believed (:mod:`foretree.world_model.beliefs.evidence`),
   places are taken as seen; of looks from one and the same viewpoint, one counts
   (:mod:`foretree.world_model.tracking._viewpoint_evidence`);
4. what should have been seen and was not loses confidence, until it is believed to be gone;
5. of something gone it is asked whether it is a thing that turned up elsewhere in the meantime;
6. connections follow the doors, and what was seen to stand in the way.

Where nobody has told of the furniture, it is discovered: a detection of some becomes an entity that belongs
    to the
map from then on. It grows as more of it is seen, and two that turn out to be one are made one.

What is seen to be as believed costs next to nothing: all of it is refreshed at once, and the belief's journal
stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import dist

from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.consequences import ConsequenceUpdater
from foretree.world_model.beliefs.entities import Entity, Pose
from foretree.world_model.beliefs.entity_creation import add_entity, forget_parts, reclassify
from foretree.world_model.beliefs.evidence import fuse_absence, fuse_classes, fuse_state
from foretree.world_model.beliefs.facts import BY_CLASS, Atom, Fact, Truth
from foretree.world_model.beliefs.vocabulary import WHEREABOUTS
from foretree.world_model.builtin_predicates import HAND_FREE, HOLDING, hand_free, hand_of, holding
from foretree.world_model.maps.places import Passage, PlaceGraph, sync_doors
from foretree.world_model.observation import Detection, Observation, Size, same_content
from foretree.world_model.ontology import Ontology
from foretree.world_model.tracking._association import NEAR, How, Match, Region, associate
from foretree.world_model.tracking._furniture_association import (
    centre,
    extent_of,
    grown,
    is_far,
    is_part,
    shows_all_of,
)
from foretree.world_model.tracking._viewpoint_evidence import ViewpointEvidence

#: Below this confidence a thing that was not seen where it should be is believed not to be there.
GONE = 0.35
#: A state believed less than this has hardly been seen.
GLIMPSED = 0.9
#: How far a place is believed: seen where it was, and seen somewhere else than before.
PLACED = 0.98
MOVED = 0.9
#: Of what should be in a region, nobody knows where, so much is seen of what would be if one knew.
_SOMEWHERE = 0.5
#: A spot of which more is in view than this is plainly seen; so much of that counts, since who is not seen at
#: the very spot may lie beside it.
_PLAINLY, _A_SPOT = 0.5, 0.8
#: Metres that a thing must be off its former pose to be reported as moved.
MOVED_BY = 0.05


@dataclass(frozen=True, slots=True)
class EntityChanges:
    """What one observation changed about entities. Names in the order in which they were dealt with."""

    appeared: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    reclassified: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def entities(self) -> tuple[str, ...]:
        """Every entity of which something changed, once."""
        return tuple(dict.fromkeys((*self.appeared, *self.moved, *self.reclassified, *self.lost)))


@dataclass(frozen=True, slots=True)
class _Settled:
    """A look that only confirmed what was believed: seeing the same again needs no thinking."""

    observation: Observation
    version: int
    facts: tuple[Fact, ...]
    entities: tuple[Entity, ...]
    covered: tuple[Region, ...]


class Tracker:
    """Brings observations into a belief.

    Args:
        belief: what is kept up to date.
        ontology: the classes of things.
        places: the map whose doors connect and separate; None when there is none.
        discovered: the types of furniture that nobody told of, so that what is seen of it is believed to be
            there.
    """

    def __init__(
        self,
        belief: Belief,
        ontology: Ontology,
        places: PlaceGraph | None = None,
        discovered: Collection[str] = (),
    ) -> None:
        self.belief = belief
        self.ontology = ontology
        self.places = places
        self.discovered = frozenset(discovered)
        #: Grows whenever furniture was discovered, has grown, or turned out to be a part of other furniture.
        self.furnished = 0
        #: When each region was last seen completely: for whoever looks for something.
        self.covered_at: dict[Region, float] = {}
        #: The passages that were seen to be blocked, when they were last seen.
        self.blocked: set[Passage] = set()
        self.viewpoints = ViewpointEvidence()
        self._born: dict[str, float] = {}
        #: How large things have looked that can be carried: the least, since what is far away looks larger.
        self._sizes: dict[str, Size] = {}
        #: Pieces of furniture that were seen side by side, by pairs of names in order: these are two.
        self._apart: set[tuple[str, str]] = set()
        self._names: set[str] = set()
        #: Where things were seen last that nobody knows the whereabouts of.
        self._left_at: dict[str, Pose] = {}
        self._settled: _Settled | None = None
        self._consequences = ConsequenceUpdater(ontology.follows, ontology.type_of)
        self.settle(0.0)

    def observe(self, observation: Observation) -> EntityChanges:
        """Take in one observation; says which entities are not what or where they were."""
        settled = self._settled
        if (
            settled is not None
            and settled.version == self.belief.version
            and same_content(settled.observation, observation)
        ):
            self._renew(settled, observation)
            return EntityChanges()
        look = _Look(self, observation)
        changes = look.take_in()
        self._settled = look.settled()
        return changes

    def _renew(self, settled: _Settled, observation: Observation) -> None:
        time = observation.time
        facts = [Fact(f.atom, f.truth, f.confidence, time, f.source) for f in settled.facts]
        self.belief.refresh(facts, [replace(entity, seen_at=time) for entity in settled.entities])
        for region in settled.covered:
            self.covered_at[region] = time
        self._settled = replace(settled, version=self.belief.version, observation=observation)

    def pieces(self) -> list[Entity]:
        """The furniture that was discovered so far, by name."""
        type_of = self.ontology.type_of
        pieces = (e for e in self.belief.entities().values() if e.fixed and e.extent is not None)
        return sorted(
            (e for e in pieces if type_of(e.best_class) in self.discovered), key=lambda piece: piece.name
        )

    def fresh_name(self, class_name: str) -> str:
        """A name that no entity has or ever had."""
        number = 1
        while (name := f"{class_name}{number}") in self._names or self.belief.entity(name) is not None:
            number += 1
        self._names.add(name)
        return name

    def refute(
        self, name: str, classes: Collection[str], time: float, source: str, perhaps: float = 0.0
    ) -> bool:
        """A thing was of no use as what it was taken for: it is of none of *classes*.

        That counts like a look from a viewpoint of its own. What the thing may be instead is what it was
        thought to be with less likelihood, and what looks like the likeliest. If that is nothing, there is
        nothing to learn.

        Args:
            name: which thing.
            classes: what it is not.
            time: when that turned out.
            source: how.
            perhaps: how likely that is even so, where it is certain with anything else.

        Returns:
            Whether it is less likely to be one of them now.
        """
        entity = self.belief.entity(name)
        if entity is None or entity.told:
            return False
        before = entity.best_class
        alike = (other for other in self.ontology.classes if self.ontology.look_alike(before, other))
        left = [one for one in (*entity.classes, *alike) if one not in classes]
        if not left or before not in classes:
            return False
        seen = {**dict.fromkeys(classes, perhaps), **dict.fromkeys(left, 1.0)}
        possible = {*entity.classes, *left}
        scores = self.viewpoints.classes(entity, f"{source} {time}", seen, possible.__contains__)
        after = replace(entity, classes=scores)
        reclassify(self.belief, self.ontology, before, after, time=time, source=source)
        return True

    def assure(self, atom: Atom, truth: Truth | bool, confidence: float, time: float, source: str) -> None:
        """Somebody who feels it says how a state is: eyes that see it otherwise err."""
        self.belief.tell(atom, truth, confidence=confidence, time=time, source=source)
        fact = self.belief.fact(atom)
        if fact is not None:
            self.viewpoints.assured(fact)

    def follow_doors(self, time: float) -> None:
        """Bring ``connected`` in step with the doors, whoever said otherwise in the meantime."""
        if self.places is not None:
            sync_doors(self.belief, self.places, time, self.blocked)

    def settle(self, time: float) -> None:
        """Believe what follows from where things are, and of that kind nothing else."""
        self._consequences.update(self.belief, time)


class _Look:
    """The work of one :meth:`Tracker.observe`."""

    def __init__(self, tracker: Tracker, observation: Observation) -> None:
        self.tracker = tracker
        self.belief = tracker.belief
        self.ontology = tracker.ontology
        self.observation = observation
        self.time = observation.time
        self.facts: list[Fact] = []
        self.entities: list[Entity] = []
        self.confirmed: list[Fact] = []
        self.recognised: list[Entity] = []
        self.covered: tuple[Region, ...] = ()
        self.regions: dict[str, Region] = {}
        self.stirred = False
        self.appeared: list[str] = []
        self.moved: list[str] = []
        self.reclassified: list[str] = []
        self.lost: list[str] = []
        self.removed: list[str] = []

    def take_in(self) -> EntityChanges:
        self._feel()
        self._see_ways()
        tracker = self.tracker
        matches = associate(
            self.observation, self.belief.snapshot(), self.ontology, tracker.discovered, tracker._left_at
        )
        names: dict[str, str] = {}
        for detection in self.observation.detections:
            match = matches[detection.id]
            if match.entity is not None:
                names[detection.id] = match.entity
                self._recognise(match.entity, detection)
            elif match.how == "new":
                names[detection.id] = self._meet(detection, match)
        if self.tracker.discovered:
            self._unite(names)
        self.regions = dict(self._regions(names))
        for detection in self.observation.detections:
            if detection.id in names:
                self._judge_states(names[detection.id], detection)
                self._place(names[detection.id], detection, matches[detection.id].how)
        self._flush()
        self._miss(matches, names)
        # What slipped from a hand may have been recognised since.
        self.lost = [name for name in self.lost if name not in names.values()]
        for name in self._unplaced() if self.reclassified else tuple(self.lost):
            self._merge(name)
        self.tracker.follow_doors(self.time)
        changes = self._changes()
        if self.stirred or changes != EntityChanges():
            self.tracker.settle(self.time)
        return changes

    def settled(self) -> _Settled | None:
        """This look, if another one like it would change nothing at all."""
        if self.stirred or self._changes() != EntityChanges():
            return None
        return _Settled(
            self.observation,
            self.belief.version,
            tuple(self.confirmed),
            tuple(self.recognised),
            self.covered,
        )

    def _changes(self) -> EntityChanges:
        def there(names: list[str]) -> tuple[str, ...]:
            return tuple(name for name in names if name not in self.removed)

        return EntityChanges(
            there(self.appeared),
            there(self.moved),
            there(self.reclassified),
            there(self.lost),
            tuple(self.removed),
        )

    # -- the robot itself --------------------------------------------------------------------------
    def _feel(self) -> None:
        for atom, truth in self.observation.body.items():
            self._note(atom, Truth.TRUE if truth else Truth.FALSE, 1.0, "body")
        self._flush()
        free = {atom[1:] for atom, truth in self.observation.body.items() if truth and atom[0] == HAND_FREE}
        if free:
            self._release(free)

    def _release(self, hands: Collection[tuple[str, ...]], but: str | None = None) -> None:
        """Hands do not hold what they were believed to hold; nobody knows where that is."""
        snapshot = self.belief.snapshot()
        for name in sorted({atom[-1] for atom in snapshot.true_of(HOLDING)}):
            entity = snapshot.entity(name)
            # What is in two hands is still in the one when it has left the other.
            while entity is not None and name != but:
                held = self.belief.snapshot().placement(WHEREABOUTS, name)
                if held is None or hand_of(held) not in hands:
                    break
                self._lose(entity, held, 1.0)

    def _see_ways(self) -> None:
        """What stands in the way separates; with it gone, doors decide again, and where there is none,
        nothing does."""
        places = self.tracker.places
        for (one, other), free in self.observation.passable.items():
            passage = places.passage(one, other) if places is not None else None
            if passage is None:
                continue
            (self.tracker.blocked.discard if free else self.tracker.blocked.add)(passage)
            if passage.door is None:
                for atom in passage.connections():
                    self._note(atom, Truth.TRUE if free else Truth.FALSE, PLACED, self.observation.source)
        self._flush()

    # -- what was seen -----------------------------------------------------------------------------
    def _recognise(self, name: str, detection: Detection) -> None:
        before = self.belief.entity(name)
        assert before is not None
        own_type = self.ontology.type_of(before.best_class)
        if before.fixed and own_type not in self.tracker.discovered:
            self.entities.append(replace(before, seen_at=self.time))
            return
        viewpoint = self.observation.viewpoint_of(detection)

        def possible(name: str) -> bool:
            return name in before.classes or (
                name in self.ontology and self.ontology.type_of(name) == own_type
            )

        if viewpoint:
            away = before.pose is None or dist(before.pose, detection.pose) > NEAR
            if away and not detection.viewpoint and not before.fixed:
                self.tracker.viewpoints.moved(name)
            classes = self.tracker.viewpoints.classes(before, viewpoint, detection.classes, possible)
        else:
            classes = fuse_classes(before.classes, detection.classes, possible)
        features = detection.features or before.features
        if before.fixed:
            after = self._more_of(replace(before, classes=classes, seen_at=self.time), detection)
        else:
            after = Entity(name, classes, detection.pose, self.time, False, features)
        if before.pose is None or after.pose is None or dist(before.pose, after.pose) > MOVED_BY:
            self.moved.append(name)
        if after.classes is not before.classes:
            self.stirred = True
        if after.best_class != before.best_class:
            self.reclassified.append(name)
            reclassify(
                self.belief,
                self.ontology,
                before.best_class,
                after,
                time=self.time,
                source=self.observation.source,
            )
            return
        self.entities.append(after)
        best = after.best_class
        self._note(("class", name, best), Truth.TRUE, classes[best], self.observation.source)

    def _more_of(self, piece: Entity, detection: Detection) -> Entity:
        """A piece of furniture of which more may have been seen."""
        seen = extent_of(detection)
        extent = seen if piece.extent is None else grown(piece.extent, seen)
        if extent is piece.extent:
            return piece
        self.tracker.furnished += 1
        self.stirred = True
        return replace(piece, extent=extent, pose=centre(extent))

    def _unite(self, names: dict[str, str]) -> None:
        """Make one of furniture that was taken for two: nobody had seen what was between, or a look had taken
        it for something else.

        The older name stays, because goals and plans were made with it. What was seen side by side is two,
        unless they are seen to be the two ends of one.
        """
        self._flush()
        tracker, alike = self.tracker, self.ontology.look_alike
        pieces = {piece.name: piece for piece in tracker.pieces()}
        seen = sorted(set(names.values()) & pieces.keys())
        tracker._apart.update(combinations(seen, 2))
        as_seen = {names[d.id]: d for d in self.observation.detections if d.id in names}
        for name in seen:
            one = pieces[name]
            assert one.extent is not None
            for other in list(pieces.values()):
                assert other.extent is not None
                if is_far(one.extent, other.extent) or name == other.name or other.name in as_seen:
                    continue
                pair = (min(name, other.name), max(name, other.name))
                if pair in tracker._apart and not shows_all_of(as_seen[name], other):
                    continue
                if not (is_part(other, one, alike) or is_part(one, other, alike)):
                    continue
                kept, gone = sorted((one, other), key=lambda e: (tracker._born.get(e.name, 0.0), e.name))
                self._make_one(kept, gone)
                for detection, known_as in list(names.items()):
                    if known_as == gone.name:
                        names[detection] = kept.name
                break

    def _make_one(self, kept: Entity, gone: Entity) -> None:
        """What was believed of *gone* is believed of *kept*; what that is, both have shown."""
        belief, tracker = self.belief, self.tracker
        assert kept.extent is not None
        assert gone.extent is not None
        extent = grown(kept.extent, gone.extent)
        classes = tracker.viewpoints.united(gone.name, kept.name) or kept.classes
        tracker.viewpoints.forget(gone.name)
        facts = sorted(
            (fact for fact in self._about(gone.name) if fact.source not in ("map", BY_CLASS)),
            key=lambda fact: fact.atom,
        )
        belief.remove_entity(gone.name)
        self.removed.append(gone.name)
        one = replace(
            kept, classes=classes, extent=extent, pose=centre(extent), seen_at=max(kept.seen_at, gone.seen_at)
        )
        source = self.observation.source
        reclassify(belief, self.ontology, kept.best_class, one, time=self.time, source=source)
        if one.best_class != kept.best_class:
            self.reclassified.append(kept.name)
        for fact in facts:
            atom = tuple(kept.name if term == gone.name else term for term in fact.atom)
            known = belief.fact(atom)
            if atom[0] != "class" and (known is None or known.time <= fact.time):
                belief.tell(atom, fact.truth, confidence=fact.confidence, time=fact.time, source=fact.source)
        tracker.viewpoints.renamed(gone.name, kept.name)
        tracker.covered_at.update(
            {
                (way, kept.name): time
                for (way, place), time in tracker.covered_at.items()
                if place == gone.name
            }
        )
        tracker.furnished += 1
        self.stirred = True

    def _meet(self, detection: Detection, match: Match) -> str:
        total = max(1.0, sum(match.classes.values()))
        classes = {name: score / total for name, score in match.classes.items()}
        entity = Entity("", classes, detection.pose, self.time, features=detection.features)
        if self.ontology.type_of(entity.best_class) in self.tracker.discovered:
            extent = extent_of(detection)
            entity = replace(entity, fixed=True, pose=centre(extent), extent=extent)
            self.tracker.furnished += 1
        entity = replace(entity, name=self.tracker.fresh_name(entity.best_class))
        add_entity(self.belief, self.ontology, entity, time=self.time, source=self.observation.source)
        viewpoint = self.observation.viewpoint_of(detection)
        if viewpoint:
            self.tracker.viewpoints.met(entity, viewpoint)
        self.tracker._born[entity.name] = self.time
        self.appeared.append(entity.name)
        return entity.name

    def _judge_states(self, name: str, detection: Detection) -> None:
        viewpoint, source = self.observation.viewpoint_of(detection), self.observation.source
        for state, probability in detection.states.items():
            atom = (state, name)
            before = self.belief.fact(atom)
            if before is not None and before.source == BY_CLASS:
                continue  # a basket has no lid, whatever a look takes it for
            usual = self.belief.vocabulary[state].usual
            if viewpoint:
                believed = self.tracker.viewpoints.state(atom, before, viewpoint, probability, source, usual)
            else:
                believed = fuse_state(before, probability, usual)
            self._note(atom, *believed, source)

    def _regions(self, names: Mapping[str, str]) -> Iterator[tuple[str, Region]]:
        """What rests where, as far as this look can tell."""
        for detection in self.observation.detections:
            if detection.rests is not None and detection.id in names:
                relation, support = detection.rests
                if support in names:
                    yield names[detection.id], self._region(relation, names[support])

    def _as_it_is(self, region: Region) -> Region | None:
        return self._region(*region) if self.belief.entity(region[1]) is not None else None

    def _region(self, relation: str, name: str) -> Region:
        """Where something is that is seen to rest in *relation* at a thing, by what that is."""
        piece = self.belief.entity(name)
        if piece is None or not piece.fixed or piece.told:
            return relation, name
        return self.ontology.way_to_rest(relation, piece.best_class), name

    def _place(self, name: str, detection: Detection, how: How) -> None:
        entity = self.belief.entity(name)
        if entity is None or entity.fixed:
            return
        self._measure(name, detection)
        source = self.observation.source
        hands = self.observation.held.get(detection.id)
        if hands is not None:
            self._release(hands, but=name)
            self.tracker.viewpoints.taken(name)
            self._settle(name, [holding(hand, name) for hand in hands], 1.0)
            for hand in hands:
                if self.observation.body.get(hand_free(hand)) is None:
                    self._note(hand_free(hand), Truth.FALSE, 1.0, source)
        elif name in self.regions:
            region = self.regions[name]
            viewpoint = self.observation.viewpoint_of(detection)
            sure = PLACED if how in ("in place", "new") else MOVED
            if viewpoint:
                placement = self.belief.snapshot().placement(WHEREABOUTS, name)
                region, sure = self.tracker.viewpoints.rests(
                    name,
                    detection.pose,
                    None if placement is None else self.belief.fact(placement),
                    viewpoint,
                    region,
                    detection.rests_certainty,
                    self._as_it_is,
                )
                self.regions[name] = region
            self._settle(name, [(region[0], name, region[1])], sure)

    def _measure(self, name: str, detection: Detection) -> None:
        """Note how large a thing looks."""
        if detection.extent is None:
            return
        x0, y0, z0, x1, y1, z1 = detection.extent
        wide, high = (x1 - x0 + y1 - y0) / 2, z1 - z0
        before = self.tracker._sizes.get(name, (wide, high))
        self.tracker._sizes[name] = min(before[0], wide), min(before[1], high)

    def _settle(self, name: str, atoms: Sequence[Atom], confidence: float) -> None:
        settled = self.belief.snapshot().placement(WHEREABOUTS, name) in atoms
        if not settled and name not in self.moved and name not in self.appeared:
            self.moved.append(name)
        for atom in atoms:
            self._note(atom, Truth.TRUE, confidence, self.observation.source)

    # -- what was not seen -------------------------------------------------------------------------
    def _miss(self, matches: dict[str, Match], names: dict[str, str]) -> None:
        covered: dict[Region, float] = {}
        for region in self.observation.covered:
            if region.support in names:
                covered[self._region(region.relation, names[region.support])] = region.certainty
        watching = self.observation.source == "look" and self.observation.shows is not None
        if not covered and not watching:
            return
        self.covered = tuple(covered)
        for region_seen, certainty in covered.items():
            self.tracker.covered_at[region_seen] = self.time
            self.tracker.viewpoints.covered(region_seen, self.observation.viewpoint, certainty)
        seen = {names[d]: matches[d] for d in names}
        pieces = {names[d] for d in names if matches[d].how == "map"} if watching else set()
        snapshot = self.belief.snapshot()
        for name, entity in sorted(snapshot.entities().items()):
            if entity.fixed:
                continue
            match = seen.get(name)
            placement = snapshot.placement(WHEREABOUTS, name)
            if placement is None:
                if match is None:
                    self._rule_out(name, covered)
            elif len(placement) > 2 and (
                match is None or (name not in self.regions and match.how == "moved")
            ):
                its = placement[0], placement[2]
                if its in covered:
                    certainty = self._would_show(entity, covered[its])
                elif watching and its[0] == "on" and its[1] in pieces:
                    certainty = self._would_show_plainly(entity)
                else:
                    continue
                if certainty and self._doubt(entity, placement, certainty) and match is None:
                    # The same look has not found it anywhere else that it covers.
                    self._rule_out(name, covered)
        self._flush()

    def _would_show(self, entity: Entity, certainty: float) -> float:
        """The probability that a thing would have been seen where it should be, in a region that was.

        Small things hide behind others: where it is known at which spot it was, the look tells of that.
        """
        if self.observation.shows is None:
            return certainty
        if entity.pose is None:
            return _SOMEWHERE * certainty
        return min(certainty, self.observation.shows(entity.pose, self.tracker._sizes.get(entity.name)))

    def _would_show_plainly(self, entity: Entity) -> float:
        """The same in a region of which a look has seen no more than a part, such as one board of a shelf.

        Only who has looked for something learns so much of a single spot: with each step that is taken by
        the way, some thing or other is overlooked.
        """
        if self.observation.shows is None or entity.pose is None:
            return 0.0
        shown = self.observation.shows(entity.pose, self.tracker._sizes.get(entity.name))
        return _A_SPOT * shown if shown > _PLAINLY else 0.0

    def _doubt(self, entity: Entity, placement: Atom, certainty: float) -> bool:
        """Believe less that *entity* is there; whether that means that it is gone."""
        fact = self.belief.fact(placement)
        assert fact is not None
        source, viewpoint = self.observation.source, self.observation.viewpoint
        if viewpoint:
            confidence = self.tracker.viewpoints.absence(fact, viewpoint, certainty, source)
        else:
            confidence = fuse_absence(fact.confidence, certainty)
        if confidence >= GONE:
            self._note(placement, Truth.TRUE, confidence, source)
            return False
        self._lose(entity, placement, 1.0 - confidence)
        return True

    def _rule_out(self, name: str, covered: dict[Region, float]) -> None:
        for (relation, support), certainty in covered.items():
            self._note((relation, name, support), Truth.FALSE, certainty, self.observation.source)

    def _lose(self, entity: Entity, placement: Atom, confidence: float) -> None:
        """A thing is not where it was, and may be anywhere: also where it was not before it was last seen."""
        # What this very look has shown of it is no glimpse of before.
        self._flush()
        fact = self.belief.fact(placement)
        assert fact is not None
        self.belief.retract(
            sorted(
                other.atom
                for other in self._about(entity.name)
                if other.time < fact.time
                and other.truth is not Truth.TRUE
                and self.belief.vocabulary.group_key(other.atom) == (WHEREABOUTS, entity.name)
            )
        )
        # A glimpse of what then is not there may have been one of another thing.
        vocabulary = self.belief.vocabulary
        self.belief.retract(
            sorted(
                other.atom
                for other in self._about(entity.name)
                if other.source in ("look", "view")
                and other.confidence < GLIMPSED
                and vocabulary[other.atom[0]].kind == "attribute"
            )
        )
        self._note(placement, Truth.FALSE, confidence, self.observation.source)
        if entity.pose is not None:
            self.tracker._left_at[entity.name] = entity.pose
        self.belief.put_entity(replace(entity, pose=None))
        if entity.name not in self.lost:
            self.lost.append(entity.name)

    def _unplaced(self) -> list[str]:
        """Everything of which nobody knows where it is."""
        snapshot = self.belief.snapshot()
        return sorted(
            name
            for name, entity in snapshot.entities().items()
            if not entity.fixed and snapshot.placement(WHEREABOUTS, name) is None
        )

    # -- one thing under two names -----------------------------------------------------------------
    def _merge(self, lost: str) -> None:
        """If something like what is gone turned up elsewhere after it was last seen, that is where it is.

        The older name stays, because goals and plans were made with it; the younger is not used again.
        """
        entity = self.belief.entity(lost)
        if entity is None:
            return
        found = min(self._doubles(entity), default=None)
        if found is None:
            return
        double = self.belief.entity(found[2])
        assert double is not None
        forget_parts(self.belief, self.ontology, double.name)
        facts = sorted(f for f in self._about(double.name) if f.atom[0] != "class")
        self.belief.remove_entity(double.name)
        self.tracker.viewpoints.forget(double.name)
        self.removed.append(double.name)
        self.lost = [name for name in self.lost if name != lost]
        if lost not in self.moved:
            self.moved.append(lost)
        merged = replace(
            entity, pose=double.pose, seen_at=double.seen_at, features=double.features or entity.features
        )
        self.belief.put_entity(merged)
        for fact in facts:
            atom = tuple(lost if term == double.name else term for term in fact.atom)
            self.belief.tell(atom, fact.truth, confidence=fact.confidence, time=fact.time, source=fact.source)

    def _doubles(self, lost: Entity) -> Iterator[tuple[float, float, str]]:
        for name, born in self.tracker._born.items():
            other = self.belief.entity(name)
            if (
                other is not None
                and name != lost.name
                and born > lost.seen_at
                and other.best_class == lost.best_class
                and self.belief.snapshot().placement(WHEREABOUTS, name) is not None
            ):
                yield -other.classes[other.best_class], -born, name

    def _about(self, name: str) -> Iterator[Fact]:
        return (fact for fact in self.belief.snapshot().facts() if name in fact.atom[1:])

    # -- telling -----------------------------------------------------------------------------------
    def _note(self, atom: Atom, truth: Truth, confidence: float, source: str) -> None:
        """Tell what is new at once; what only confirms a record waits for the flush."""
        before = self.belief.fact(atom)
        if before is not None and before.truth is truth:
            if before.confidence != confidence:
                self.stirred = True
            self.facts.append(Fact(atom, truth, confidence, self.time, source))
            return
        self.stirred = True
        if self.belief.vocabulary.group_key(atom) is not None:
            # It may unsettle a record that waits.
            self._flush()
        self.belief.tell(atom, truth, confidence=confidence, time=self.time, source=source)

    def _flush(self) -> None:
        if self.facts or self.entities:
            self.belief.refresh(self.facts, self.entities)
            self.confirmed += self.facts
            self.recognised += self.entities
            self.facts, self.entities = [], []
