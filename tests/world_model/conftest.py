"""A small kitchen to look at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foretree.config import find_config
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.observation import Covered, Detection, Observation
from foretree.world_model.ontology_file import load_ontology
from foretree.world_model.tracking.tracker import Tracker

FURNITURE = {
    "table1": ("table", (0.0, 0.0, 0.7)),
    "table2": ("table", (5.0, 0.0, 0.7)),
    "fridge1": ("fridge", (0.0, 4.0, 1.0)),
    "sink1": ("sink", (2.0, 4.0, 0.9)),
    "door1": ("door", (3.0, 2.0, 1.0)),
}


@pytest.fixture(scope="session")
def household():
    return load_ontology(find_config("domains", "household"))


class Kitchen:
    """A belief with furniture in it, its tracker, and short ways to look at things."""

    def __init__(self, ontology):
        self.ontology = ontology
        self.belief = Belief(ontology.vocabulary)
        self.places = PlaceGraph()
        for name, (kind, pose) in FURNITURE.items():
            entity = Entity(name, {kind: 1.0}, pose, fixed=True)
            add_entity(self.belief, ontology, entity, time=0.0, source="map")
            if kind != "door":
                self.places.add(name, pose, "kitchen" if pose[0] < 3 else "hall", kind="asset")
        add_entity(
            self.belief, ontology, Entity("robot1", {"robot": 1.0}, fixed=True), time=0.0, source="map"
        )
        self.places.connect("table1", "table2", door="door1")
        self.places.connect("table1", "fridge1")
        self.places.connect("fridge1", "sink1")
        self.tracker = Tracker(self.belief, ontology, self.places)
        self.now = 0.0

    def know(self, name, kind, atom=None, pose=None, **states):
        """As a briefing tells it."""
        add_entity(self.belief, self.ontology, Entity(name, {kind: 1.0}, pose), time=0.0, source="told")
        if atom:
            self.belief.tell(atom, confidence=0.9, source="told")
        for state, truth in states.items():
            self.belief.tell((state, name), truth, source="told")

    def look(
        self, *things, covered=(), body=None, held=None, at=None, passable=None, viewpoint="", shows=None
    ):
        """See things. Furniture that supports something or is covered is always seen along."""
        self.now = self.now + 1.0 if at is None else at
        items = {t.id for t in things}
        supports = {t.rests[1] for t in things if t.rests} | {support for _, support, *_ in covered}
        furniture = [
            Detection(f"f-{name}", {FURNITURE[name][0]: 0.95}, FURNITURE[name][1])
            for name in sorted(supports - items)
        ]

        def seen_as(support):
            return support if support in items else f"f-{support}"

        renamed = [replace(t, rests=t.rests and (t.rests[0], seen_as(t.rests[1]))) for t in things]
        return self.tracker.observe(
            Observation(
                self.now,
                "look",
                (*furniture, *renamed),
                tuple(Covered(relation, seen_as(support), *rest) for relation, support, *rest in covered),
                body or {},
                held or {},
                passable or {},
                viewpoint,
                shows,
            )
        )

    def truth(self, *atom):
        return self.belief.truth(atom).value

    def things(self):
        return sorted(name for name, e in self.belief.entities().items() if not e.fixed)


@pytest.fixture
def kitchen(household):
    return Kitchen(household)


@pytest.fixture
def thing():
    def make(kind, pose=(0.1, 0.1, 0.75), rests=("on", "table1"), name="d1", features=(), **states):
        classes = kind if isinstance(kind, dict) else {kind: 0.95}
        return Detection(name, classes, pose, states, rests, features)

    return make
