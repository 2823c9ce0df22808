"""States of things and ways in which they can rest on each other, by what their classes afford."""

from __future__ import annotations

from collections.abc import Mapping

from foretree.world_model.ontology import ObjectClass, Ontology

#: Ways in which a thing can rest on another, each with what the other must afford for it: one of these.
RELATIONS: Mapping[str, tuple[str, ...]] = {
    "on": ("surface", "stackable"),
    "in": ("container", "slot"),
    "under": ("has_space_under", "outlet"),
    "hung_on": ("hanger",),
}

#: Places with room for one thing only: by relation, what the place affords.
_FOR_ONE = {"on": "stackable", "in": "slot", "under": "outlet"}

#: Affordances of what a liquid, or a powder, can be in or on.
_HOLDS_LIQUID = ("fillable",)
_HOLDS_POWDER = ("fillable", "scoop_tool")

#: The states of each type of thing, and what a thing must afford to have them: one of these, or nothing.
STATES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "asset": {
        "open": ("openable",),
        "turned_on": ("switchable",),
        "wiped": ("wipeable", "erasable"),
        "watered": ("plant",),
    },
    "door": {"open": ("openable",)},
    "item": {
        "clean": (),
        "hot": (),
        "cold": (),
        "sliced": ("sliceable",),
        "clipped": ("clippable",),
        "filled": _HOLDS_LIQUID,
        "has_water": _HOLDS_LIQUID,
        "has_milk": _HOLDS_LIQUID,
        "has_coffee": _HOLDS_LIQUID,
        "has_juice": _HOLDS_LIQUID,
        "has_tea": _HOLDS_LIQUID,
        "has_sugar": _HOLDS_POWDER,
        "has_soil": _HOLDS_POWDER,
        "has_cereal": _HOLDS_POWDER,
        "stirred": ("fillable",),
        "sweetened": ("fillable",),
        "laden": ("scoop_tool",),
        "folded": ("foldable",),
        "watered": ("plant",),
        "open": ("openable",),
        "turned_on": ("switchable",),
    },
}

#: Predicates of a domain for past events that no state of a thing shows afterwards.
PAST_EVENTS = (
    *("poured", "decanted", "scooped", "filled_at_tap", "wiped_down"),
    *("heated", "heated_in", "cooled_in", "boiled", "brewed"),
)


def states_of(ontology: Ontology, class_name: str) -> tuple[str, ...]:
    """Return the states of a class of things that the domain has a word for and that can change."""
    known = ontology[class_name]
    return tuple(
        state
        for state, affordances in STATES.get(known.parent, {}).items()
        if state in ontology.vocabulary.predicates
        and state not in known.affords
        and (not affordances or any(one in known.affords for one in affordances))
    )


def relations_of(support: ObjectClass) -> tuple[str, ...]:
    """Return the ways in which things can rest on a thing of a class, the usual one first."""
    return tuple(
        relation
        for relation, affordances in RELATIONS.items()
        if any(one in support.affords for one in affordances)
    )


def ways_to_rest(item: ObjectClass, support: ObjectClass) -> tuple[str, ...]:
    """Return the ways in which an item of one class can rest on a thing of another, the usual one first."""
    return tuple(relation for relation in relations_of(support) if _fits(item, relation, support))


def takes_one(relation: str, support: ObjectClass) -> bool:
    """Return whether there is room for one thing only."""
    return _FOR_ONE.get(relation) in support.affords


def _fits(item: ObjectClass, relation: str, support: ObjectClass) -> bool:
    if relation == "hung_on":
        return "hangable" in item.affords
    if relation == "in" and "container" not in support.affords:
        return "battery" in item.affords
    if relation == "under" and "has_space_under" not in support.affords:
        return "fillable" in item.affords
    return True
