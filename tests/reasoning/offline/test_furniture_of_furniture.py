"""Furniture that is told by other furniture: "the drawer of the desk", "the cabinet under the sink"."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import NoSuchThingError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.reasoner import Situation
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity

SEEN = {
    "robot1": ("robot", None),
    "hand": ("hand", None),
    "desk1": ("desk", (0.0, 0.0, 0.7)),
    "drawer1": ("drawer", (0.4, 0.1, 0.3)),
    "dresser1": ("dresser", (5.0, 0.0, 0.5)),
    "drawer2": ("drawer", (5.0, 0.2, 0.8)),
    "drawer3": ("drawer", (5.0, 0.2, 0.4)),
    "sink1": ("sink", (0.0, 6.0, 0.8)),
    "cabinet1": ("cabinet", (0.1, 6.2, 0.3)),
    "cabinet2": ("cabinet", (0.1, 6.2, 1.7)),
    "cabinet3": ("cabinet", (4.0, 6.2, 0.3)),
    "stove1": ("stove", None),
    "lamp1": ("lamp", (0.2, 0.2, 0.9)),
    "lamp2": ("lamp", (5.2, 0.2, 1.0)),
    "pen1": ("pen", None),
    "pen2": ("pen", None),
}


@pytest.fixture(scope="module")
def situation():
    home = load_catalogue("home")
    belief = Belief(home.vocabulary)
    for name, (kind, at) in SEEN.items():
        entity = Entity(name, {kind: 1.0}, at, fixed=home.ontology.type_of(kind) != "item")
        add_entity(belief, home.ontology, entity, time=0.0, source="map")
    forms = tuple(form for skill in home.skills.values() for form in skill.forms)
    belief.tell(("in", "pen1", "drawer1"))
    return Situation(belief.snapshot(), home.domain, home.ontology, forms, discovered=("asset",))


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("put the pen in the drawer of the desk", "(exists (?x - pen) (in ?x drawer1))"),
        (
            "put two pens in a drawer in the dresser",
            "(or (at-least 2 (?x - pen) (in ?x drawer2)) (at-least 2 (?x - pen) (in ?x drawer3)))",
        ),
        ("open the cabinet under the sink", "(open cabinet1)"),
        ("turn on the lamp on the desk", "(turned_on lamp1)"),
    ],
)
def test_furniture_is_told_by_what_it_is_part_of_or_under(situation, said, goal):
    found = CommandReasoner().understand(said, situation)
    assert not found.readings
    assert show(found.goal) == goal


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("open the drawer of the dresser", ["drawer2", "drawer3"]),
        (
            "open the white drawer of the dresser",
            ["drawer2", "drawer3"],
        ),
        (
            "put a pen in the cabinet by the stove",
            [f"cabinet{number}" for number in (1, 2, 3)],
        ),
        ("put the pen in a big cabinet", [f"cabinet{number}" for number in (1, 2, 3)]),
    ],
)
def test_what_cannot_be_told_is_asked(situation, said, words):
    found = CommandReasoner().understand(said, situation)
    assert [reading.words for reading in found.readings] == words


def test_no_furniture_is_part_of_what_is_far_away(situation):
    with pytest.raises(NoSuchThingError, match="the drawer of the sink"):
        CommandReasoner().understand("open the drawer of the sink", situation)
