"""Entities that turn out to be one: lost objects that turned up elsewhere, and furniture seen in parts.

The older name stays, because goals and plans were made with it. The younger is not used again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from foretree.world_model.beliefs.entity_creation import forget_parts, reclassify
from foretree.world_model.beliefs.facts import BY_CLASS, WHEREABOUTS, Atom, Entity, Fact, centre
from foretree.world_model.tracking._belief_update import BeliefUpdate
from foretree.world_model.tracking._furniture_association import grown, is_far, is_part, shows_all_of


# -- furniture ---------------------------------------------------------------------------------------
def merge_furniture(update: BeliefUpdate, names: dict[str, str]) -> None:
    """Merge pieces of furniture that are one: what is between them had not been seen, or looked different.

    What was seen side by side is two pieces, unless they are seen to be the two ends of one.

    Args:
        update: the observation being taken in.
        names: by detection, the entity that it is; changed where that is merged with another one.
    """
    update.flush()
    state, alike = update.state, update.state.ontology.look_alike
    pieces = {piece.name: piece for piece in state.pieces()}
    seen = sorted(set(names.values()) & pieces.keys())
    state.distinct_furniture.update(combinations(seen, 2))
    as_seen = {names[d.id]: d for d in update.observation.detections if d.id in names}
    for name in seen:
        one = pieces[name]
        assert one.extent is not None
        for other in list(pieces.values()):
            assert other.extent is not None
            if is_far(one.extent, other.extent) or name == other.name or other.name in as_seen:
                continue
            pair = (min(name, other.name), max(name, other.name))
            if pair in state.distinct_furniture and not shows_all_of(as_seen[name], other):
                continue
            if not (is_part(other, one, alike) or is_part(one, other, alike)):
                continue
            kept, gone = sorted((one, other), key=lambda e: (state.created_at.get(e.name, 0.0), e.name))
            _merge_pieces(update, kept, gone)
            names.update({detection: kept.name for detection in names if names[detection] == gone.name})
            break


def _merge_pieces(update: BeliefUpdate, kept: Entity, gone: Entity) -> None:
    """Believe of *kept* what was believed of *gone*; both have shown what it is."""
    belief, state = update.belief, update.state
    assert kept.extent is not None
    assert gone.extent is not None
    extent = grown(kept.extent, gone.extent)
    classes = state.viewpoints.merged(gone.name, kept.name) or kept.classes
    state.viewpoints.forget(gone.name)
    facts = [fact for fact in _facts_to_move(update, gone.name) if fact.source not in ("map", BY_CLASS)]
    belief.remove_entity(gone.name)
    update.removed.append(gone.name)
    merged = replace(
        kept, classes=classes, extent=extent, pose=centre(extent), seen_at=max(kept.seen_at, gone.seen_at)
    )
    reclassify(belief, state.ontology, kept.best_class, merged, time=update.time, source=update.source)
    if merged.best_class != kept.best_class:
        update.reclassified.append(kept.name)
    for fact in facts:
        known = belief.fact(_renamed(fact.atom, gone.name, kept.name))
        if known is None or known.time <= fact.time:
            _move_fact(update, fact, gone.name, kept.name)
    state.viewpoints.renamed(gone.name, kept.name)
    state.covered_at.update(
        {(way, kept.name): time for (way, place), time in state.covered_at.items() if place == gone.name}
    )
    state.furniture_revision += 1
    update.changed = True


# -- movable objects ---------------------------------------------------------------------------------
def merge_lost(update: BeliefUpdate, lost: str) -> None:
    """Merge a lost object with one like it, if such a one turned up elsewhere after it was last seen."""
    belief, state = update.belief, update.state
    entity = belief.entity(lost)
    found = min(_doubles(update, entity), default=None) if entity is not None else None
    if entity is None or found is None:
        return
    double = belief.entity(found[2])
    assert double is not None
    forget_parts(belief, state.ontology, double.name)
    facts = _facts_to_move(update, double.name)
    belief.remove_entity(double.name)
    state.viewpoints.forget(double.name)
    update.removed.append(double.name)
    update.lost = [name for name in update.lost if name != lost]
    if lost not in update.moved:
        update.moved.append(lost)
    merged = replace(
        entity, pose=double.pose, seen_at=double.seen_at, features=double.features or entity.features
    )
    belief.put_entity(merged)
    for fact in facts:
        _move_fact(update, fact, double.name, lost)


def _doubles(update: BeliefUpdate, lost: Entity) -> Iterator[tuple[float, float, str]]:
    snapshot = update.belief.snapshot
    for name, created_at in update.state.created_at.items():
        other = update.belief.entity(name)
        if (
            other is not None
            and name != lost.name
            and created_at > lost.seen_at
            and other.best_class == lost.best_class
            and snapshot().placement(WHEREABOUTS, name) is not None
        ):
            yield -other.classes[other.best_class], -created_at, name


def unplaced(update: BeliefUpdate) -> list[str]:
    """Movable entities whose place is unknown, by name."""
    snapshot = update.belief.snapshot()
    return sorted(
        name
        for name, entity in snapshot.entities().items()
        if not entity.fixed and snapshot.placement(WHEREABOUTS, name) is None
    )


# -- facts -------------------------------------------------------------------------------------------
def _facts_to_move(update: BeliefUpdate, name: str) -> list[Fact]:
    """The facts about an entity but its class, sorted."""
    return sorted(
        (fact for fact in update.facts_about(name) if fact.atom[0] != "class"), key=lambda fact: fact.atom
    )


def _move_fact(update: BeliefUpdate, fact: Fact, gone: str, kept: str) -> None:
    atom = _renamed(fact.atom, gone, kept)
    update.belief.tell(atom, fact.truth, confidence=fact.confidence, time=fact.time, source=fact.source)


def _renamed(atom: Atom, gone: str, kept: str) -> Atom:
    return tuple(kept if term == gone else term for term in atom)
