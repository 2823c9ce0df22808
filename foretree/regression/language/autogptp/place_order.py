"""The place to explore next: where things of the classes sought are usually kept, else often found."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from foretree.reasoning.offline.knowledge.things_file import load_things
from foretree.world_model.affordances.placement import BY_HEAD, Placer
from foretree.world_model.likely_places import LikelyPlaces

#: The weights of the places where a class is kept, the most usual first: each more than what is found often.
_KEPT = (3.0, 2.0, 1.0)


def likeliest_place(
    classes: Collection[str], places: Mapping[str, str], likely: LikelyPlaces, placer: Placer
) -> str:
    """The place at which things of some classes are likeliest.

    Args:
        classes: those that are sought.
        places: the places that are left, each with its class.
        likely: how often things are found where.
        placer: knows under which other names the classes are listed.
    """
    furniture = {place: _listed(kind, likely.places(), placer) for place, kind in places.items()}
    ranks = [_ranks(thing, furniture, likely, placer) for thing in classes]
    return max(places, key=lambda place: sum(one[place] for one in ranks))


def _ranks(
    thing: str, furniture: Mapping[str, str], likely: LikelyPlaces, placer: Placer
) -> Mapping[str, float]:
    """Probability of things of a class at each of some places."""
    kind = _listed(thing, {*likely.things()}, placer)
    often = likely.likelihood(kind, furniture.values())
    table = load_things().things
    known = table.get(thing) or table.get(_listed(thing, table, placer))
    kept: dict[str, float] = {}
    for weight, same in zip(_KEPT, known.kept if known is not None else (), strict=False):
        for name in same:
            kept.setdefault(_listed(name, likely.places(), placer), weight)
    return {place: kept.get(name, 0.0) + often[name] for place, name in furniture.items()}


def _listed(name: str, listed: Collection[str], placer: Placer) -> str:
    """The name itself, or what it is also called, or is taken for, among those *listed*."""
    if name in listed:
        return name
    placed = placer.place(name)
    if placed.confidence < BY_HEAD:
        return name
    best = max(placed.classes, key=placed.classes.__getitem__)
    alike = (best, *placer.mapping.classes[best].like)
    return next((one for one in alike if one in listed), best)
