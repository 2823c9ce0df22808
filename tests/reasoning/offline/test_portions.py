"""Parts of what was spoken of before: "cut the apple and put a slice on the plate"."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.reasoner import Situation
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity

SEEN = {"robot1": "robot", "hand": "hand", "fridge1": "fridge", "apple1": "apple", "apple2": "apple"}


@pytest.fixture(scope="module")
def situation():
    home = load_catalogue("home")
    belief = Belief(home.vocabulary)
    for name, kind in {**SEEN, "bread1": "bread", "bin1": "bin"}.items():
        entity = Entity(name, {kind: 1.0}, None, fixed=home.ontology.type_of(kind) != "item")
        add_entity(belief, home.ontology, entity, time=0.0, source="map")
    forms = tuple(form for skill in home.skills.values() for form in skill.forms)
    return Situation(belief.snapshot(), home.domain, home.ontology, forms, discovered=("asset",))


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        (
            "cut an apple and put a slice in the fridge",
            "(and (exists (?x - apple) (sliced ?x)) (exists (?x3 - apple_slice) (in ?x3 fridge1)))",
        ),
        (
            "slice the bread and throw a piece of it in the bin",
            "(and (sliced bread1) (exists (?x3 - bread_slice) (in ?x3 bin1)))",
        ),
        (
            "slice apple1 and throw a piece in the bin",
            "(and (sliced apple1) (or (in apple1_slice1 bin1) (in apple1_slice2 bin1) (in apple1_slice3 bin1)))",
        ),
        (
            "heat a slice of bread and put the slice in the fridge",
            "(exists (?x - bread_slice) (and (heated ?x) (hot ?x) (in ?x fridge1)))",
        ),
        (
            "slice bread1 and put the pieces in the fridge",
            "(and (sliced bread1) (forall (?x3 - bread_slice) (in ?x3 fridge1)))",
        ),
    ],
)
def test_a_slice_is_one_of_what_was_spoken_of(situation, said, goal):
    assert show(CommandReasoner().understand(said, situation).goal) == goal


def test_a_slice_of_nothing_is_not_guessed(situation):
    with pytest.raises(NotUnderstoodError, match='"a slice" could stand for'):
        CommandReasoner().understand("put a slice in the fridge", situation)
