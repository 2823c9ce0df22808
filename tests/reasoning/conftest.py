"""A flat to talk about."""

from __future__ import annotations

import pytest

from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.reasoner import Situation
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity

FIXED = {
    "robot1": ("robot", None),
    "left": ("hand", None),
    "anna": ("person", "living_room"),
    "table1": ("table", "kitchen"),
    "table2": ("table", "living_room"),
    "counter1": ("counter", "kitchen"),
    "fridge1": ("fridge", "kitchen"),
    "microwave1": ("microwave", "kitchen"),
    "dishwasher1": ("dishwasher", "kitchen"),
    "sink1": ("sink", "kitchen"),
    "sofa1": ("sofa", "living_room"),
    "dresser1": ("dresser", "bedroom"),
    "coat_rack1": ("coat_rack", "hall"),
    "coffee_machine1": ("coffee_machine", "kitchen"),
    "lamp1": ("lamp", "living_room"),
    "door1": ("door", "hall"),
}
ITEMS = {
    "mango1": ("mango", ("on", "table2")),
    "apple1": ("apple", ("on", "table1")),
    "apple2": ("apple", ("in", "fridge1")),
    "mug1": ("mug", ("on", "table1")),
    "mug2": ("mug", ("on", "table2")),
    "plate1": ("plate", ("on", "table1")),
    "bottle1": ("bottle", ("on", "counter1")),
    "knife1": ("knife", ("on", "counter1")),
    "coat1": ("coat", ("on", "sofa1")),
    "shirt1": ("shirt", ("on", "sofa1")),
    "pillow1": ("pillow", ("on", "sofa1")),
    "pillow2": ("pillow", ("on", "sofa1")),
    "pillow3": ("pillow", ("on", "table2")),
    "towel1": ("towel", None),
    "basket1": ("basket", ("on", "dresser1")),
    "cup1": ("cup", ("in", "basket1")),
    "fork1": ("fork", ("in", "basket1")),
    "fork2": ("fork", ("on", "dresser1")),
}


@pytest.fixture(scope="session")
def catalogue():
    return load_catalogue("household")


@pytest.fixture(scope="session")
def belief(catalogue):
    belief = Belief(catalogue.vocabulary)
    for name, (kind, _) in FIXED.items():
        entity = Entity(name, {kind: 1.0}, (0.0, 0.0, 0.0), fixed=True)
        add_entity(belief, catalogue.ontology, entity, time=0.0, source="map")
    for name, (kind, rests) in ITEMS.items():
        add_entity(belief, catalogue.ontology, Entity(name, {kind: 1.0}), time=0.0, source="told")
        if rests:
            belief.tell((rests[0], name, rests[1]))
    belief.tell(("clean", "mug2"))
    belief.tell(("clean", "mug1"), False)
    return belief


@pytest.fixture(scope="session")
def situation(belief, catalogue):
    forms = tuple(form for skill in catalogue.skills.values() for form in skill.forms)
    rooms = {name: room for name, (_, room) in FIXED.items() if room}
    return Situation(belief.snapshot(), catalogue.domain, catalogue.ontology, forms, "anna", rooms)


@pytest.fixture(scope="session")
def reasoner():
    return CommandReasoner()
