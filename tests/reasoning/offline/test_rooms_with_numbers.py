"""Rooms of a building, named by their numbers: some are one room made of two, with a table for each."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from foretree.clock import SimulatedClock
from foretree.config import find_config
from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.reasoner import Situation
from foretree.simulation.household.initial_belief import initial_belief
from foretree.simulation.household.scene import Item
from foretree.simulation.household.scene_file import load_scene
from foretree.skills.catalogue_file import load_catalogue

REASONER = CommandReasoner()
CATALOGUE = load_catalogue("tabletop")
ITEMS = {
    "lamp1": Item("lamp1", "lamp", "on", "table607", frozenset({"turned_on"})),
    "lamp2": Item("lamp2", "lamp", "on", "table608", frozenset({"turned_on"})),
    "paper1": Item("paper1", "paper", "on", "table603"),
    "knife1": Item("knife1", "knife", "on", "kitchen_table1"),
    "apple1": Item("apple1", "apple", "on", "table610"),
}


@cache
def situation() -> Situation:
    scene = load_scene(find_config("scenes", "office"), CATALOGUE.ontology)
    belief = initial_belief(replace(scene, items=ITEMS), SimulatedClock())
    forms = tuple(form for skill in CATALOGUE.skills.values() for form in skill.forms)
    rooms = {place.name: place.room for place in scene.places.places()}
    return Situation(belief.snapshot(), CATALOGUE.domain, CATALOGUE.ontology, forms, rooms=rooms)


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("turn off the lamp in 607", "(not (turned_on lamp1))"),
        ("turn off the lamp in office 608", "(not (turned_on lamp2))"),
        ("bring the paper to office 602", "(on paper1 table602)"),
        ("take the paper from 603 to the desk in 610", "(on paper1 table610)"),
        ("move the paper to 612", "(on paper1 table612)"),
    ],
)
def test_a_number_names_a_room_or_the_part_of_one(said, goal):
    assert show(REASONER.understand(said, situation()).goal) == goal


@pytest.mark.parametrize("said", ["turn off the lamp in 606", "wash 610", "slice office 610"])
def test_a_room_is_no_thing(said):
    with pytest.raises(InstructionError):
        REASONER.understand(said, situation())


def test_a_tool_is_not_what_a_pronoun_stands_for():
    found = REASONER.understand("slice the apple with the knife and put it on the desk in 603", situation())
    assert show(found.goal) == "(and (sliced apple1) (on apple1 table603))"
