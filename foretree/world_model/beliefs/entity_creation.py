"""Making an entity known: the entity itself, its class as a fact, what its class affords, and its parts.

What can be taken apart has its parts from the beginning, as entities of their own that are still within it.
So a plan for slices of an uncut apple speaks of entities that exist.
"""

from __future__ import annotations

from collections.abc import Iterator

from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import BY_CLASS, Entity, Truth
from foretree.world_model.ontology import Ontology, Parts


def add_entity(belief: Belief, ontology: Ontology, entity: Entity, *, time: float, source: str) -> None:
    """Add *entity* to the belief, with the facts that follow from what it is, and with its parts."""
    belief.put_entity(entity)
    best = entity.best_class
    class_atom = ("class", entity.name, best)
    belief.tell(class_atom, confidence=entity.classes[best], time=time, source=source)
    for atom in ontology.affordance_atoms(entity.name, best):
        belief.tell(atom, time=time, source=BY_CLASS)
    if ontology.parts is not None and best in ontology.parts.of:
        _add_parts(belief, ontology, ontology.parts, entity, time)


def reclassify(
    belief: Belief, ontology: Ontology, before: str, entity: Entity, *, time: float, source: str
) -> None:
    """Replace an entity, of class *before* so far, by *entity*, with the facts that follow from its class."""
    now = ontology.affordance_atoms(entity.name, entity.best_class)
    belief.retract(atom for atom in ontology.affordance_atoms(entity.name, before) if atom not in now)
    if ontology.parts is not None and entity.best_class not in ontology.parts.of:
        forget_parts(belief, ontology, entity.name)
    add_entity(belief, ontology, entity, time=time, source=source)


def forget_parts(belief: Belief, ontology: Ontology, whole: str) -> None:
    """Remove the parts of an entity that have not been taken off it."""
    if ontology.parts is None:
        return
    for name in list(_still_within(belief, ontology.parts, whole)):
        belief.remove_entity(name)
    belief.retract([(ontology.parts.listed, whole, *ontology.parts.names(whole))])


def _still_within(belief: Belief, parts: Parts, whole: str) -> Iterator[str]:
    for name in parts.names(whole):
        if belief.truth((parts.within, name, whole)) is Truth.TRUE:
            yield name


def _add_parts(belief: Belief, ontology: Ontology, parts: Parts, whole: Entity, time: float) -> None:
    """Add the parts of *whole*, or reclassify those that are known."""
    classes = {parts.of[name]: score for name, score in whole.classes.items() if name in parts.of}
    within = set(_still_within(belief, parts, whole.name))
    for name in parts.names(whole.name):
        known = belief.entity(name)
        if known is None:
            add_entity(belief, ontology, Entity(name, classes, seen_at=time), time=time, source=BY_CLASS)
            belief.tell((parts.within, name, whole.name), time=time, source=BY_CLASS)
        elif name in within:
            part = Entity(name, classes, seen_at=time)
            reclassify(belief, ontology, known.best_class, part, time=time, source=BY_CLASS)
    belief.tell((parts.listed, whole.name, *parts.names(whole.name)), time=time, source=BY_CLASS)
