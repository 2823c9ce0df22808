"""Sentences in the manner of people who ask for household tasks, in a home that the robot has looked around in."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.reasoner import Situation
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity


@pytest.fixture(scope="module")
def home():
    return load_catalogue("home")


def understood(home, said, seen):
    """What is understood where one of each of these classes was seen; two of those named twice."""
    belief = Belief(home.vocabulary)
    names = ["robot", "hand", *seen.split()]
    for at, kind in enumerate(names):
        name = f"{kind}{names[: at + 1].count(kind)}"
        fixed = home.ontology.type_of(kind) != "item"
        entity = Entity(name, {kind: 1.0}, (0.0, 0.0, 0.0), fixed=fixed)
        add_entity(belief, home.ontology, entity, time=0.0, source="map")
    forms = tuple(form for skill in home.skills.values() for form in skill.forms)
    known = belief.snapshot(), home.domain, home.ontology, forms
    return CommandReasoner().understand(said, Situation(*known, discovered={"asset"}))


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("turn on the lamp and look at the watch", "(examined_by watch1 lamp1)"),
        ("switch on the lamp to examine the watch", "(examined_by watch1 lamp1)"),
        ("take the watch to the lamp and examine it", "(examined_by watch1 lamp1)"),
        ("view the watch in the lamplight", "(examined_by watch1 lamp1)"),
        (
            "turn on the lamp with the watch in your hand",
            "(and (turned_on lamp1) (exists (?robot - robot ?hand - hand) (holding ?robot ?hand watch1)))",
        ),
        (
            "put the watch and the towel on the table next to each other",
            "(and (on watch1 table1) (on towel1 table1))",
        ),
        (
            "place the watch and the towel on the table, one after the other",
            "(and (on watch1 table1) (on towel1 table1))",
        ),
        ("put the watch in the middle of the table", "(on watch1 table1)"),
        ("put the watch on the table's left side", "(on watch1 table1)"),
        ("put the watch on the far right corner of the table", "(on watch1 table1)"),
        ("throw away the watch in the trash can", "(in watch1 bin1)"),
        ("hang the towel over the towel bar", "(on towel1 towel_rail1)"),
        ("put the toilet paper on the table", "(on toilet_paper1 table1)"),
        (
            "put the towel that's been washed on the table",
            "(exists (?x - towel) (and (clean ?x) (on ?x table1)))",
        ),
    ],
)
def test_wordings_mean_what_is_asked_for(home, said, goal):
    seen = "watch lamp table bin towel towel_rail toilet_paper newspaper toilet"
    assert show(understood(home, said, seen).goal) == goal


@pytest.mark.parametrize(
    "said",
    [
        "put the egg on the left side of the sink",
        "move the egg to the right side of the stove",
        "put the knife with the fork in the drawer",
    ],
)
def test_what_is_beside_a_thing_or_told_wrongly_is_no_place(home, said):
    with pytest.raises(InstructionError):
        understood(home, said, "egg fridge sink stove drawer knife fork counter")


def test_a_thing_with_another_one_is_put_at_a_place_with_that_in_it(home):
    goal = show(understood(home, "put the bowl with the spoon on the table", "bowl bowl spoon table").goal)
    assert goal == "(exists (?x - bowl) (and (on ?x table1) (in spoon1 ?x)))"
