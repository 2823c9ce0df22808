"""The memory of a tracker beside the belief, and the changes that one observation makes.

Changes are told in as few versions of the belief as possible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from math import log
from typing import TYPE_CHECKING

from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import BY_EYE, WHEREABOUTS, Atom, Entity, Fact, Pose, Region, Truth
from foretree.world_model.maps.places import Passage, PlaceGraph
from foretree.world_model.observation import Observation, Size
from foretree.world_model.ontology import Ontology
from foretree.world_model.tracking._viewpoint_evidence import ViewpointEvidence

if TYPE_CHECKING:
    from foretree.world_model.likely_places import LikelyPlaces

#: From this share of things of a class on, nothing speaks against one of them being at such furniture.
_FAIRLY_OFTEN = 0.05
#: What speaks against it counts so much, and no more than this (logarithms of odds).
_PRIOR_WEIGHT, _MOST_AGAINST = 0.5, 1.5


@dataclass(eq=False, repr=False)
class TrackerState:
    """A belief with what tracking needs to know of it.

    Attributes:
        belief: the belief that observations change.
        ontology: the classes of objects.
        places: the map whose doors connect and separate; None when there is none.
        discovered: the types of furniture that the map does not list, so that what is seen of it becomes an
            entity.
        furniture_revision: grows whenever furniture is discovered, grows, or is merged with other furniture.
        covered_at: when each region was last seen completely.
        blocked: the passages that were blocked when they were last seen.
        viewpoints: the evidence by viewpoint.
        created_at: when perception created each entity.
        sizes: how large each movable object has looked; the least, since what is far away looks larger.
        last_poses: where objects were seen last whose place is unknown now.
        seen: by the id of a detection in the last look, the entity that it is.
        distinct_furniture: pairs of names, in order, of furniture that was seen side by side.
        likely: knows where things usually are; None if nothing is expected.
    """

    belief: Belief
    ontology: Ontology
    places: PlaceGraph | None = None
    discovered: Collection[str] = ()
    furniture_revision: int = field(default=0, init=False)
    covered_at: dict[Region, float] = field(default_factory=dict, init=False)
    blocked: set[Passage] = field(default_factory=set, init=False)
    viewpoints: ViewpointEvidence = field(default_factory=ViewpointEvidence, init=False)
    created_at: dict[str, float] = field(default_factory=dict, init=False)
    sizes: dict[str, Size] = field(default_factory=dict, init=False)
    last_poses: dict[str, Pose] = field(default_factory=dict, init=False)
    seen: dict[str, str] = field(default_factory=dict, init=False)
    distinct_furniture: set[tuple[str, str]] = field(default_factory=set, init=False)
    likely: LikelyPlaces | None = field(default=None, init=False)
    _names: set[str] = field(default_factory=set, init=False)

    def pieces(self) -> list[Entity]:
        """The furniture that was discovered so far, by name."""
        type_of = self.ontology.type_of
        pieces = (e for e in self.belief.entities().values() if e.fixed and e.extent is not None)
        return sorted(
            (e for e in pieces if type_of(e.best_class) in self.discovered), key=lambda piece: piece.name
        )

    def implausibility(self, name: str, region: Region) -> float:
        """Weigh what speaks against an object resting in a region, by the classes of both, before any look.

        It is the logarithm of odds. Where things of its class are fairly often, nothing speaks against it;
        nor where it rests on something that can be carried, or where nothing is known.
        """
        thing, place = self.belief.entity(name), self.belief.entity(region[1])
        if self.likely is None or thing is None or place is None or not place.fixed:
            return 0.0
        known, kind = thing.best_class, place.best_class
        if not self.likely.expects(known):
            return 0.0
        share = self.likely.likelihood(known, {*self.likely.places(), kind})[kind]
        return min(_MOST_AGAINST, max(0.0, _PRIOR_WEIGHT * log(_FAIRLY_OFTEN / max(share, 1e-6))))

    def new_name(self, class_name: str) -> str:
        """A name that no entity has or ever had."""
        number = 1
        while (name := f"{class_name}{number}") in self._names or self.belief.entity(name) is not None:
            number += 1
        self._names.add(name)
        return name


#: A state believed less than this was hardly seen.
_HARDLY_SEEN = 0.9


@dataclass(frozen=True, slots=True)
class EntityChanges:
    """Entities that one observation changed: their names, in the order in which they were processed."""

    appeared: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    reclassified: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def entities(self) -> tuple[str, ...]:
        """Every entity of which something changed, once."""
        return tuple(dict.fromkeys((*self.appeared, *self.moved, *self.reclassified, *self.lost)))


@dataclass(eq=False, repr=False)
class BeliefUpdate:
    """An observation being taken into a belief.

    What is new is told at once. What only confirms a record waits, and is then refreshed as a whole: that
    leaves the belief's journal as it is.

    Attributes:
        facts: confirmed facts that wait for :meth:`flush`.
        entities: confirmed entities that wait for it.
        confirmed: the facts that were refreshed so far.
        recognised: the entities that were refreshed so far.
        changed: whether the belief says anything else than before.
        regions: where each recognised object rests by this look.
        covered: the regions that this look saw completely.
    """

    state: TrackerState
    observation: Observation
    facts: list[Fact] = field(default_factory=list, init=False)
    entities: list[Entity] = field(default_factory=list, init=False)
    confirmed: list[Fact] = field(default_factory=list, init=False)
    recognised: list[Entity] = field(default_factory=list, init=False)
    changed: bool = field(default=False, init=False)
    regions: dict[str, Region] = field(default_factory=dict, init=False)
    covered: tuple[Region, ...] = field(default=(), init=False)
    appeared: list[str] = field(default_factory=list, init=False)
    moved: list[str] = field(default_factory=list, init=False)
    reclassified: list[str] = field(default_factory=list, init=False)
    lost: list[str] = field(default_factory=list, init=False)
    removed: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.belief = self.state.belief
        self.time = self.observation.time
        self.source = self.observation.source

    def changes(self) -> EntityChanges:
        """The changes so far, without entities that have been removed since."""

        lists = (self.appeared, self.moved, self.reclassified, self.lost)
        appeared, moved, reclassified, lost = (
            tuple(name for name in names if name not in self.removed) for names in lists
        )
        return EntityChanges(appeared, moved, reclassified, lost, tuple(self.removed))

    def note(self, atom: Atom, truth: Truth, confidence: float, source: str = "") -> None:
        """Tell a fact at once if it is new, with the next :meth:`flush` if it confirms a record."""
        source = source or self.source
        before = self.belief.fact(atom)
        if before is not None and before.truth is truth:
            if before.confidence != confidence:
                self.changed = True
            self.facts.append(Fact(atom, truth, confidence, self.time, source))
            return
        self.changed = True
        if self.belief.vocabulary.group_key(atom) is not None:
            # It may change a record that waits.
            self.flush()
        self.belief.tell(atom, truth, confidence=confidence, time=self.time, source=source)

    def flush(self) -> None:
        """Refresh everything that waits."""
        if self.facts or self.entities:
            self.belief.refresh(self.facts, self.entities)
            self.confirmed += self.facts
            self.recognised += self.entities
            self.facts, self.entities = [], []

    def facts_about(self, name: str) -> Iterator[Fact]:
        """The recorded facts that mention an entity."""
        return (fact for fact in self.belief.snapshot().facts() if name in fact.atom[1:])

    def region(self, relation: str, support: str) -> Region:
        """The region of an object seen in *relation* to a support, by the class of discovered furniture."""
        piece = self.belief.entity(support)
        if piece is None or not piece.fixed or piece.told:
            return relation, support
        return self.state.ontology.way_to_rest(relation, piece.best_class), support

    def lose(self, entity: Entity, placement: Atom, confidence: float) -> None:
        """Stop believing that an object is where it was; it may be anywhere, also where it was not seen
        before."""
        # What this very look has shown of it is no earlier glimpse.
        self.flush()
        belief, vocabulary = self.belief, self.belief.vocabulary
        fact = belief.fact(placement)
        assert fact is not None
        key = (WHEREABOUTS, entity.name)
        belief.retract(
            sorted(
                other.atom
                for other in self.facts_about(entity.name)
                if other.time < fact.time
                and other.truth is not Truth.TRUE
                and vocabulary.group_key(other.atom) == key
            )
        )
        # A glimpse of what then is not there may have been one of another object.
        belief.retract(
            sorted(
                other.atom
                for other in self.facts_about(entity.name)
                if other.source in BY_EYE
                and other.confidence < _HARDLY_SEEN
                and vocabulary[other.atom[0]].kind == "attribute"
            )
        )
        self.note(placement, Truth.FALSE, confidence)
        if entity.pose is not None:
            self.state.last_poses[entity.name] = entity.pose
        belief.put_entity(replace(entity, pose=None))
        if entity.name not in self.lost:
            self.lost.append(entity.name)
