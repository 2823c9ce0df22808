"""Drinks and other contents of vessels, and commands about them, on the office floor."""

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

SEEN = (
    "fridge1 window1 meeting_table1 kettle_table1 drying_rack1 sink1 washing_machine1 storage_table1 cup1 cup2 "
    "bowl1 milk1 soil_bag1 bag1 flowerpot1 kettle1 towel1 coat1 spoon1 robot1"
)
TRUE = [
    *(("on", name, "kettle_table1") for name in ("cup1", "kettle1", "bag1")),
    *(("on", name, "storage_table1") for name in ("cup2", "bowl1", "soil_bag1", "flowerpot1", "coat1")),
    *(("has_tea", "cup1"), ("filled", "cup1"), ("has_cereal", "bowl1")),
    *(("hung_on", "towel1", "drying_rack1"), ("in", "milk1", "fridge1")),
]


@pytest.fixture(scope="module")
def situation():
    office = load_catalogue("tabletop")
    belief = Belief(office.vocabulary)
    for name in SEEN.split():
        kind = name.rstrip("12")
        entity = Entity(name, {kind: 1.0}, None, fixed=office.ontology.type_of(kind) != "item")
        add_entity(belief, office.ontology, entity, time=0.0, source="map")
    for atom in TRUE:
        belief.tell(atom)
    forms = tuple(form for skill in office.skills.values() for form in skill.forms)
    return Situation(belief.snapshot(), office.domain, office.ontology, forms)


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        (
            "make a cup of coffee and put it on the meeting table",
            "(exists (?x - cup) (and (has_coffee ?x) (filled ?x) (on ?x meeting_table1)))",
        ),
        (
            "two coffees for the meeting table, please",
            "(at-least 2 (?x - cup) (and (has_coffee ?x) (on ?x meeting_table1)))",
        ),
        (
            "bring me a cup of hot milk to the meeting table",
            "(exists (?x - cup) (and (has_milk ?x) (hot ?x) (on ?x meeting_table1)))",
        ),
        ("sweeten the tea in the cup on the kettle table", "(sweetened cup1)"),
        ("put sugar into the cup of tea and stir it", "(sweetened cup1)"),
        ("pour milk over the cereal in the bowl", "(has_milk bowl1)"),
        ("pour some milk from the fridge into the bowl", "(and (poured milk1 bowl1) (filled bowl1))"),
        ("fill the flower pot with soil from the bag on the storage table", "(has_soil flowerpot1)"),
        ("fill the kettle at the sink", "(has_water kettle1)"),
        ("fold the towel on the rack", "(folded towel1)"),
        ("take the coat to the rack, and the towel too", "(and (hung_on coat1 drying_rack1) (hung_on towel1 drying_rack1))"),
        ("close the window and the fridge door", "(and (not (open window1)) (not (open fridge1)))"),
    ],
)  # fmt: skip
def test_what_is_in_a_vessel_tells_it(situation, said, goal):
    assert show(CommandReasoner().understand(said, situation).goal) == goal


@pytest.mark.parametrize(
    "said",
    [
        "make the cup",
        "sweeten the tea with the spoon",  # no state says which spoon was used
        "prepare a cup",
        "bring the cup of coffee to the meeting table",
        "fill the flower pot with soil from the cup",
        "fill the flower pot with soil from the box",
    ],
)
def test_what_is_not_there_is_not_made_up(situation, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, situation)
