"""The chances of finding an object at each place of a home that is not fully known."""

from __future__ import annotations

from collections.abc import Mapping

from foretree.world_model.likely_places import LikelyPlaces
from foretree.world_model.tracking.tracker import Tracker

#: The hope that furniture that is missing is beyond what is known of the floor.
_UNSEEN_FURNITURE_PROBABILITY = 0.8
#: Of each class of furniture so many pieces more are expected where was not looked.
_UNSEEN_PIECES = 0.5
#: Where there are fewer square metres to see beyond a frontier there is less hope. In the slivers that noise
#: leaves there is hardly room for anything.
_WIDE_FRONTIER, _SLIVER, _SLIVER_SHARE = 2.0, 0.4, 0.02


def location_chances(
    class_name: str, tracker: Tracker, prior: LikelyPlaces, ends: Mapping[str, float]
) -> Mapping[str, float]:
    """Return how likely another object of a class is at each piece of furniture and beyond each frontier.

    For furniture, also how likely it is that it was taken for another piece. An object may be at furniture
    that was not seen yet: of a class of which no piece is known, say. Of others there is half a piece more
    wherever much of the floor is unknown.

    Args:
        class_name: what is looked for.
        tracker: knows the furniture.
        prior: knows where things usually are.
        ends: how many square metres there may be to see beyond each frontier.
    """
    ontology = tracker.ontology
    shares = {name: _frontier_share(beyond) for name, beyond in ends.items()}
    unseen = sum(shares.values())
    pieces = tracker.pieces()
    found: dict[str, float] = {}
    if ontology.type_of(class_name) in tracker.discovered:
        found = {
            piece.name: piece.classes.get(class_name, 0.0)
            for piece in pieces
            if piece.best_class != class_name
        }
        beyond, whole = _UNSEEN_FURNITURE_PROBABILITY * min(1.0, unseen), 1.0
    else:
        furniture = [name for name in ontology.classes if ontology.type_of(name) in tracker.discovered]
        beyond = 0.0
        for kind, chance in prior.likelihood(class_name, furniture).items():
            number = sum(piece.classes.get(kind, 0.0) for piece in pieces)
            more = min(1.0, unseen) * _UNSEEN_PIECES / (_UNSEEN_PIECES + number)
            beyond += chance * more
            for piece in pieces:
                share = piece.classes.get(kind, 0.0) / max(1.0, number)
                found[piece.name] = found.get(piece.name, 0.0) + chance * (1.0 - more) * share
        whole = beyond + sum(found.values())
    found.update((name, beyond * share / unseen) for name, share in shares.items())
    return {name: chance / whole for name, chance in found.items()} if whole else found


def _frontier_share(beyond: float) -> float:
    """Return the share of what may be beyond a wide frontier that there is room for beyond this one."""
    return min(1.0, beyond / _WIDE_FRONTIER) if beyond >= _SLIVER else _SLIVER_SHARE
