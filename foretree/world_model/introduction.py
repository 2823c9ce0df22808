"""Making an entity known: the entity itself, its class as a fact, and what its class affords."""

from __future__ import annotations

from foretree.world_model.belief import Belief
from foretree.world_model.entities import Entity
from foretree.world_model.facts import BY_CLASS
from foretree.world_model.ontology import Ontology


def introduce(belief: Belief, ontology: Ontology, entity: Entity, *, time: float, source: str) -> None:
    """Add *entity* to the belief, with the facts that follow from what it is."""
    belief.put_entity(entity)
    best = entity.best_class
    class_atom = ("class", entity.name, best)
    belief.tell(class_atom, confidence=entity.classes[best], time=time, source=source)
    for atom in ontology.affordance_atoms(entity.name, best):
        belief.tell(atom, time=time, source=BY_CLASS)


def reclassify(
    belief: Belief, ontology: Ontology, before: str, entity: Entity, *, time: float, source: str
) -> None:
    """Replace an entity that was taken for a *before* by what it is taken for now."""
    now = ontology.affordance_atoms(entity.name, entity.best_class)
    belief.retract(atom for atom in ontology.affordance_atoms(entity.name, before) if atom not in now)
    introduce(belief, ontology, entity, time=time, source=source)
