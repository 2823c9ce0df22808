"""Taking in what a look shows of known entities and of new ones, and which of them it should have shown.

Each look that does not show an object where it is believed to be lowers the confidence; below a threshold the
object is believed to be gone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import dist

from foretree.world_model.beliefs.entity_creation import add_entity, reclassify
from foretree.world_model.beliefs.evidence import fuse_absence, fuse_classes, fuse_state
from foretree.world_model.beliefs.facts import (
    BY_CLASS,
    HOLDING,
    WHEREABOUTS,
    Atom,
    Entity,
    Region,
    Truth,
    centre,
    hand_free,
    hand_of,
    holding,
)
from foretree.world_model.observation import Detection
from foretree.world_model.tracking._association import How, Match
from foretree.world_model.tracking._belief_update import BeliefUpdate
from foretree.world_model.tracking._furniture_association import extent_of, grown
from foretree.world_model.tracking._match_costs import NEAR

#: Confidence in a place: where the object was before, and somewhere else than before.
UNMOVED_CONFIDENCE, MOVED_CONFIDENCE = 0.98, 0.9
#: Metres that an object must be off its former pose to be reported as moved.
MOVED_BY = 0.05


def recognise(update: BeliefUpdate, name: str, detection: Detection) -> None:
    """Take in the class, pose and appearance of a known entity."""
    state = update.state
    before = update.belief.entity(name)
    assert before is not None
    own_type = state.ontology.type_of(before.best_class)
    if before.fixed and own_type not in state.discovered:
        update.entities.append(replace(before, seen_at=update.time))
        return
    classes = _fused_classes(update, before, own_type, detection)
    if before.fixed:
        after = _grown(update, replace(before, classes=classes, seen_at=update.time), detection)
    else:
        features = detection.features or before.features
        after = Entity(name, classes, detection.pose, update.time, False, features)
    if before.pose is None or after.pose is None or dist(before.pose, after.pose) > MOVED_BY:
        update.moved.append(name)
    if after.classes is not before.classes:
        update.changed = True
    best = after.best_class
    if best != before.best_class:
        update.reclassified.append(name)
        ontology, source = state.ontology, update.source
        reclassify(update.belief, ontology, before.best_class, after, time=update.time, source=source)
        return
    update.entities.append(after)
    update.note(("class", name, best), Truth.TRUE, classes[best])


def _fused_classes(
    update: BeliefUpdate, before: Entity, own_type: str, detection: Detection
) -> Mapping[str, float]:
    ontology, viewpoints = update.state.ontology, update.state.viewpoints

    def possible(name: str) -> bool:
        return name in before.classes or (name in ontology and ontology.type_of(name) == own_type)

    viewpoint = update.observation.viewpoint_of(detection)
    if not viewpoint:
        return fuse_classes(before.classes, detection.classes, possible)
    away = before.pose is None or dist(before.pose, detection.pose) > NEAR
    if away and not detection.viewpoint and not before.fixed:
        viewpoints.moved(before.name)
    return viewpoints.classes(before, viewpoint, detection.classes, possible)


def _grown(update: BeliefUpdate, piece: Entity, detection: Detection) -> Entity:
    """Discovered furniture, of which more may have been seen."""
    seen = extent_of(detection)
    extent = seen if piece.extent is None else grown(piece.extent, seen)
    if extent is piece.extent:
        return piece
    update.state.furniture_revision += 1
    update.changed = True
    return replace(piece, extent=extent, pose=centre(extent))


def create(update: BeliefUpdate, detection: Detection, match: Match) -> str:
    """Make an entity of a detection that matches none; return its name."""
    state = update.state
    total = max(1.0, sum(match.classes.values()))
    classes = {name: score / total for name, score in match.classes.items()}
    entity = Entity("", classes, detection.pose, update.time, features=detection.features)
    if state.ontology.type_of(entity.best_class) in state.discovered:
        extent = extent_of(detection)
        entity = replace(entity, fixed=True, pose=centre(extent), extent=extent)
        state.furniture_revision += 1
    entity = replace(entity, name=state.new_name(entity.best_class))
    add_entity(update.belief, state.ontology, entity, time=update.time, source=update.source)
    viewpoint = update.observation.viewpoint_of(detection)
    if viewpoint:
        state.viewpoints.created(entity, viewpoint)
    state.created_at[entity.name] = update.time
    update.appeared.append(entity.name)
    return entity.name


def judge_states(update: BeliefUpdate, name: str, detection: Detection) -> None:
    """Take in the states that a detection shows."""
    viewpoint = update.observation.viewpoint_of(detection)
    for state, probability in detection.states.items():
        atom = (state, name)
        before = update.belief.fact(atom)
        if before is not None and before.source == BY_CLASS:
            continue  # a basket has no lid, whatever a look takes it for
        usual = update.belief.vocabulary[state].usual
        if viewpoint:
            believed = update.state.viewpoints.state(
                atom, before, viewpoint, probability, update.source, usual
            )
        else:
            believed = fuse_state(before, probability, usual)
        update.note(atom, *believed)


def regions_of(update: BeliefUpdate, names: Mapping[str, str]) -> dict[str, Region]:
    """The regions in which entities rest by this look; *names* are the entities by detection."""
    return {
        names[detection.id]: update.region(detection.rests[0], names[detection.rests[1]])
        for detection in update.observation.detections
        if detection.rests is not None and detection.id in names and detection.rests[1] in names
    }


def place(update: BeliefUpdate, name: str, detection: Detection, how: How) -> None:
    """Take in where a movable object is: in hands, or at rest somewhere."""
    entity = update.belief.entity(name)
    if entity is None or entity.fixed:
        return
    _measure(update, name, detection)
    hands = update.observation.held.get(detection.id)
    if hands is not None:
        release(update, hands, but=name)
        update.state.viewpoints.taken(name)
        _settle(update, name, [holding(hand, name) for hand in hands], 1.0)
        for hand in hands:
            if update.observation.body.get(hand_free(hand)) is None:
                update.note(hand_free(hand), Truth.FALSE, 1.0)
    elif name in update.regions:
        region = update.regions[name]
        confidence = UNMOVED_CONFIDENCE if how in ("in place", "new") else MOVED_CONFIDENCE
        if update.observation.viewpoint_of(detection):
            region, confidence = _fused_region(update, name, detection, region)
            update.regions[name] = region
        _settle(update, name, [(region[0], name, region[1])], confidence)


def _fused_region(
    update: BeliefUpdate, name: str, detection: Detection, region: Region
) -> tuple[Region, float]:
    belief = update.belief
    placement = belief.snapshot().placement(WHEREABOUTS, name)

    def as_it_is(region: Region) -> Region | None:
        return update.region(*region) if belief.entity(region[1]) is not None else None

    return update.state.viewpoints.rests(
        name,
        detection.pose,
        None if placement is None else belief.fact(placement),
        update.observation.viewpoint_of(detection),
        region,
        detection.rests_certainty,
        as_it_is,
        lambda region: update.state.implausibility(name, region),
    )


def release(update: BeliefUpdate, hands: Collection[tuple[str, ...]], but: str | None = None) -> None:
    """Make the place of what *hands* were believed to hold unknown, except for *but*."""
    snapshot = update.belief.snapshot()
    for name in sorted({atom[-1] for atom in snapshot.true_of(HOLDING)}):
        entity = snapshot.entity(name)
        # What is in two hands is still in the one when it has left the other.
        while entity is not None and name != but:
            held = update.belief.snapshot().placement(WHEREABOUTS, name)
            if held is None or hand_of(held) not in hands:
                break
            update.lose(entity, held, 1.0)


def _measure(update: BeliefUpdate, name: str, detection: Detection) -> None:
    """Note how large an object looks."""
    if detection.extent is None:
        return
    x0, y0, z0, x1, y1, z1 = detection.extent
    wide, high = (x1 - x0 + y1 - y0) / 2, z1 - z0
    before = update.state.sizes.get(name, (wide, high))
    update.state.sizes[name] = min(before[0], wide), min(before[1], high)


def _settle(update: BeliefUpdate, name: str, atoms: Sequence[Atom], confidence: float) -> None:
    settled = update.belief.snapshot().placement(WHEREABOUTS, name) in atoms
    if not settled and name not in update.moved and name not in update.appeared:
        update.moved.append(name)
    for atom in atoms:
        update.note(atom, Truth.TRUE, confidence)


#: Below this confidence an object that was not seen where it should be is believed not to be there.
GONE = 0.35
#: The share of a region's certainty that counts for an object whose spot in the region is unknown.
_SPOT_UNKNOWN = 0.5
#: A spot is plainly in view from this probability on; the share of it that counts, since an object that is
#: not seen at its very spot may lie beside it.
_PLAINLY, _AT_SPOT = 0.5, 0.8


def note_absences(update: BeliefUpdate, matches: Mapping[str, Match], names: Mapping[str, str]) -> None:
    """Lower the confidence in objects that this look should have shown.

    Args:
        matches: by detection, how it was matched.
        names: by detection, the entity that it is.
    """
    covered = _covered_regions(update, names)
    watching = update.source == "look" and update.observation.shows is not None
    if not covered and not watching:
        return
    seen = {names[d]: matches[d] for d in names}
    pieces = {names[d] for d in names if matches[d].how == "map"} if watching else set()
    snapshot = update.belief.snapshot()
    for name, entity in sorted(snapshot.entities().items()):
        if entity.fixed:
            continue
        match = seen.get(name)
        placement = snapshot.placement(WHEREABOUTS, name)
        if placement is None:
            gone = True
        elif len(placement) > 2 and (match is None or (name not in update.regions and match.how == "moved")):
            certainty = _visibility(update, entity, (placement[0], placement[2]), covered, pieces)
            gone = certainty > 0 and _doubt(update, entity, placement, certainty)
        else:
            gone = False
        if gone and match is None:
            # This look has not found it anywhere else that it covers.
            for (relation, support), certainty in covered.items():
                update.note((relation, name, support), Truth.FALSE, certainty)
    update.flush()


def _covered_regions(update: BeliefUpdate, names: Mapping[str, str]) -> dict[Region, float]:
    """The regions that this look saw completely, each with its certainty; notes them."""
    covered = {
        update.region(seen.relation, names[seen.support]): seen.certainty
        for seen in update.observation.covered
        if seen.support in names
    }
    if covered:
        update.covered = tuple(covered)
    for region, certainty in covered.items():
        update.state.covered_at[region] = update.time
        update.state.viewpoints.covered(region, update.observation.viewpoint, certainty)
    return covered


def _visibility(
    update: BeliefUpdate,
    entity: Entity,
    region: Region,
    covered: Mapping[Region, float],
    pieces: set[str],
) -> float:
    """The probability that an object would have been seen in the region where it should be.

    Small things hide behind others: where the spot is known at which it was, the look tells of that. In a
    region of which a look has seen a part only, such as one board of a shelf, only a look on purpose counts:
    with each step that is taken by the way, some object or other is overlooked.
    """
    shows, size = update.observation.shows, update.state.sizes.get(entity.name)
    if region in covered:
        if shows is None:
            return covered[region]
        if entity.pose is None:
            return _SPOT_UNKNOWN * covered[region]
        return min(covered[region], shows(entity.pose, size))
    if shows is None or entity.pose is None or region[0] != "on" or region[1] not in pieces:
        return 0.0
    shown = shows(entity.pose, size)
    return _AT_SPOT * shown if shown > _PLAINLY else 0.0


def _doubt(update: BeliefUpdate, entity: Entity, placement: Atom, certainty: float) -> bool:
    """Believe less that *entity* is there; return whether it is believed to be gone."""
    fact = update.belief.fact(placement)
    assert fact is not None
    viewpoint = update.observation.viewpoint
    if viewpoint:
        confidence = update.state.viewpoints.absence(fact, viewpoint, certainty, update.source)
    else:
        confidence = fuse_absence(fact.confidence, certainty)
    if confidence >= GONE:
        update.note(placement, Truth.TRUE, confidence)
        return False
    update.lose(entity, placement, 1.0 - confidence)
    return True
