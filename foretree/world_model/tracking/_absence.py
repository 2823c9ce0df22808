"""Objects that a look would have shown where they are believed to be, and did not.

Each such look lowers the confidence; below a threshold the object is believed to be gone.
"""

from __future__ import annotations

from collections.abc import Mapping

from foretree.world_model.beliefs.evidence import fuse_absence
from foretree.world_model.beliefs.facts import WHEREABOUTS, Atom, Entity, Region, Truth
from foretree.world_model.tracking._association import Match
from foretree.world_model.tracking._belief_update import BeliefUpdate

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
