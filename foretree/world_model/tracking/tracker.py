"""The tracker: keeps the belief in step with observations.

Every observation goes through the same steps:

1. what the robot feels of itself is taken as certain, and blocked passages are noted;
2. each detection is matched with an entity (:mod:`foretree.world_model.tracking._association`) or becomes a
   new one;
3. classes and states are weighed against the belief (:mod:`foretree.world_model.beliefs.evidence`), places
   are taken as seen (:mod:`foretree.world_model.tracking._recognition`); of the looks from one viewpoint, one
   counts (:mod:`foretree.world_model.tracking._viewpoint_evidence`);
4. what should have been seen and was not loses confidence, until it is believed to be gone
   (:mod:`foretree.world_model.tracking._recognition`);
5. what is gone is merged with an object like it that turned up elsewhere in the meantime
   (:mod:`foretree.world_model.tracking._merging`);
6. connections follow the doors and the blocked passages.

Furniture of a type in ``discovered`` is not on the map beforehand: a detection of it becomes an entity that
belongs to the map from then on. It grows as more of it is seen, and two pieces that turn out to be one are
merged.

What is seen to be as believed costs next to nothing: all of it is refreshed at once, and the belief's journal
stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from foretree.world_model.beliefs.consequences import ConsequenceUpdater
from foretree.world_model.beliefs.entity_creation import reclassify
from foretree.world_model.beliefs.facts import HAND_FREE, WHEREABOUTS, Atom, Fact, Truth
from foretree.world_model.maps.places import sync_doors
from foretree.world_model.observation import Observation, same_content
from foretree.world_model.tracking._association import associate
from foretree.world_model.tracking._belief_update import BeliefUpdate, EntityChanges, TrackerState
from foretree.world_model.tracking._merging import merge_furniture, merge_lost, unplaced
from foretree.world_model.tracking._recognition import (
    UNMOVED_CONFIDENCE,
    create,
    judge_states,
    note_absences,
    place,
    recognise,
    regions_of,
    release,
)

__all__ = ["EntityChanges", "Tracker"]


@dataclass(eq=False, repr=False)
class Tracker(TrackerState):
    """Brings observations into a belief. For its arguments and attributes, see the base class."""

    def __post_init__(self) -> None:
        self.discovered = frozenset(self.discovered)
        #: A look that only confirmed the belief, and the version after it: the next one that shows the
        #: same is not processed again.
        self._confirmation: BeliefUpdate | None = None
        self._confirmed_version = 0
        self._consequences = ConsequenceUpdater(self.ontology.follows, self.ontology.type_of)
        self._consequences.update(self.belief, 0.0)

    def observe(self, observation: Observation) -> EntityChanges:
        """Take in one observation; return which entities are not what or where they were."""
        last = self._confirmation
        if (
            last is not None
            and self._confirmed_version == self.belief.version
            and same_content(last.observation, observation)
        ):
            self._renew(last, observation)
            return EntityChanges()
        update = BeliefUpdate(self, observation)
        self._take_in(update)
        changes = update.changes()
        self._confirmation = None
        if changes != EntityChanges() or update.changed:
            self._consequences.update(self.belief, update.time)
        else:
            self._confirmation, self._confirmed_version = update, self.belief.version
        return changes

    def note_explored(self, supports: Iterable[str], time: float) -> None:
        """Take note that all is known that rests at some pieces of furniture, as if one had looked there."""
        relations = [
            name for name, info in self.belief.vocabulary.predicates.items() if info.group == WHEREABOUTS
        ]
        self.covered_at.update({(relation, name): time for name in supports for relation in relations})

    def _renew(self, last: BeliefUpdate, observation: Observation) -> None:
        time = observation.time
        facts = [Fact(f.atom, f.truth, f.confidence, time, f.source) for f in last.confirmed]
        self.belief.refresh(facts, [replace(entity, seen_at=time) for entity in last.recognised])
        self.covered_at.update(dict.fromkeys(last.covered, time))
        same = zip(last.observation.detections, observation.detections, strict=True)
        self.seen = {now.id: self.seen[before.id] for before, now in same if before.id in self.seen}
        last.observation = observation
        self._confirmed_version = self.belief.version

    def _take_in(self, update: BeliefUpdate) -> None:
        self._feel(update)
        self._note_passages(update)
        detections = update.observation.detections
        matches = associate(
            update.observation, self.belief.snapshot(), self.ontology, self.discovered, self.last_poses
        )
        names: dict[str, str] = {}
        for detection in detections:
            match = matches[detection.id]
            if match.entity is not None:
                names[detection.id] = match.entity
                recognise(update, match.entity, detection)
            elif match.how == "new":
                names[detection.id] = create(update, detection, match)
        if self.discovered:
            merge_furniture(update, names)
        self.seen = names
        update.regions = regions_of(update, names)
        for detection in detections:
            if detection.id in names:
                judge_states(update, names[detection.id], detection)
                place(update, names[detection.id], detection, matches[detection.id].how)
        update.flush()
        note_absences(update, matches, names)
        # What slipped from a hand may have been recognised since.
        update.lost = [name for name in update.lost if name not in names.values()]
        for name in unplaced(update) if update.reclassified else tuple(update.lost):
            merge_lost(update, name)
        self.follow_doors(update.time)

    def _feel(self, update: BeliefUpdate) -> None:
        """Take in what the robot feels of itself."""
        body = update.observation.body
        for atom, truth in body.items():
            update.note(atom, Truth.TRUE if truth else Truth.FALSE, 1.0, "body")
        update.flush()
        free = {atom[1:] for atom, truth in body.items() if truth and atom[0] == HAND_FREE}
        if free:
            release(update, free)

    def _note_passages(self, update: BeliefUpdate) -> None:
        """Take in which passages are blocked; where nothing is in the way, doors decide, if there are any."""
        for (one, other), free in update.observation.passable.items():
            passage = self.places.passage(one, other) if self.places is not None else None
            if passage is None:
                continue
            (self.blocked.discard if free else self.blocked.add)(passage)
            if passage.door is None:
                for atom in passage.connections():
                    update.note(atom, Truth.TRUE if free else Truth.FALSE, UNMOVED_CONFIDENCE)
        update.flush()

    # -- evidence other than observations ----------------------------------------------------------
    def refute(
        self, name: str, classes: Collection[str], time: float, source: str, perhaps: float = 0.0
    ) -> bool:
        """Learn that an entity is of none of *classes*, because it could not be used as one of them.

        That counts like a look from a viewpoint of its own. The other classes that it may be of are those it
        was believed to be of with less likelihood, and those that look like the likeliest. If there are none,
        nothing is learned.

        Args:
            name: the entity.
            classes: the classes that it is not of.
            time: when that turned out.
            source: the source of the evidence.
            perhaps: the likelihood of *classes* all the same, if that of all others is 1.

        Returns:
            Whether the entity is less likely to be of one of *classes* now.
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
        """Tell a state that was felt; looks that showed it otherwise count no more."""
        self.belief.tell(atom, truth, confidence=confidence, time=time, source=source)
        fact = self.belief.fact(atom)
        if fact is not None:
            self.viewpoints.assured(fact)

    def follow_doors(self, time: float) -> None:
        """Bring ``connected`` in step with the doors and the blocked passages."""
        if self.places is not None:
            sync_doors(self.belief, self.places, time, self.blocked)
