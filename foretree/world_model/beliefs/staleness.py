"""Ageing of facts: evidence grows stale once it is older than the shelf life of its predicate.

Shelf lives are data: ``shelf_life`` of a predicate, in seconds, in the YAML file of a domain or a skill.
"""

from __future__ import annotations

from foretree.world_model.beliefs.facts import Fact
from foretree.world_model.beliefs.vocabulary import Vocabulary


def is_stale(fact: Fact, vocabulary: Vocabulary, now: float) -> bool:
    """Return whether the evidence for a fact is older than its predicate's shelf life."""
    shelf_life = vocabulary[fact.atom[0]].shelf_life
    return shelf_life is not None and now - fact.time > shelf_life
