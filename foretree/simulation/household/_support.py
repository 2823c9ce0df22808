"""How one thing can rest on another: what scenes, passers-by and chance have to keep to."""

from __future__ import annotations

from foretree.simulation.household.scene import relations_of
from foretree.world_model.ontology import ObjectClass

#: Where there is room for one thing only: by how it rests, what the place affords for it.
_FOR_ONE = {"on": "stackable", "in": "slot", "under": "outlet"}


def ways_to_rest(item: ObjectClass, place: ObjectClass) -> tuple[str, ...]:
    """How a thing of one class can rest on a thing of another; the usual way first."""
    return tuple(relation for relation in relations_of(place) if _fits(item, relation, place))


def takes_one(relation: str, place: ObjectClass) -> bool:
    """Whether there is room for one thing only."""
    return _FOR_ONE.get(relation) in place.affords


def _fits(item: ObjectClass, relation: str, place: ObjectClass) -> bool:
    if relation == "hung_on":
        return "hangable" in item.affords
    if relation == "in" and "container" not in place.affords:
        return "battery" in item.affords
    if relation == "under" and "has_space_under" not in place.affords:
        return "fillable" in item.affords
    return True
