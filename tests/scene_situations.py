"""Situations at the beginning of the scenes in ``configs/scenes``."""

from __future__ import annotations

from functools import cache

from foretree.clock import SimulatedClock
from foretree.config import find_config
from foretree.reasoning.reasoner import Situation
from foretree.simulation.household.initial_belief import initial_belief
from foretree.simulation.household.scene_file import load_scene
from foretree.skills.catalogue_file import load_catalogue


@cache
def situation_in(scene: str, domain: str = "household", speaker: str | None = None) -> Situation:
    """Return what is known at the beginning of a scene."""
    catalogue = load_catalogue(domain)
    placed = load_scene(find_config("scenes", scene), catalogue.ontology)
    belief = initial_belief(placed, SimulatedClock())
    forms = tuple(form for skill in catalogue.skills.values() for form in skill.forms)
    rooms = {place.name: place.room for place in placed.places.places()}
    return Situation(belief.snapshot(), catalogue.domain, catalogue.ontology, forms, speaker, rooms=rooms)
