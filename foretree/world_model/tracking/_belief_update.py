"""The changes that one observation makes to a belief, told in as few versions as possible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from foretree.world_model.beliefs.facts import BY_EYE, WHEREABOUTS, Atom, Entity, Fact, Region, Truth
from foretree.world_model.observation import Observation
from foretree.world_model.tracking._tracker_state import TrackerState

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
