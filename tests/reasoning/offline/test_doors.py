"""Doors between rooms: opened, closed, told apart by the rooms that they lead to."""

from __future__ import annotations

import pytest
from scene_situations import situation_in

from foretree.planning.constraints.constraints import show_constraint
from foretree.planning.pddl.syntax import show
from foretree.reasoning.offline.commands import CommandReasoner


def in_flat(said: str):
    return CommandReasoner().understand(said, situation_in("flat"))


@pytest.mark.parametrize(
    ("said", "door"),
    [
        ("shut the kitchen door", "kitchen_door"),
        ("please close the door to the bedroom", "bedroom_door"),
        ("could you close the door of the study?", "study_door"),
        ("close the study door behind you", "study_door"),
        ("make sure that the bathroom door is shut", "bathroom_door"),
        ("the kitchen door should be closed", "kitchen_door"),
        ("pull the study door shut", "study_door"),
        ("why is the study door still open?", "study_door"),
    ],
)
def test_a_door_is_closed(said, door):
    assert show(in_flat(said).goal) == f"(not (open {door}))"


def test_several_doors():
    assert show(in_flat("shut all the doors").goal) == "(forall (?x - door) (not (open ?x)))"
    others = in_flat("close every door but the study door").goal
    assert (
        show(others) == "(and (not (open bathroom_door)) (not (open bedroom_door)) (not (open kitchen_door)))"
    )


def test_a_door_that_is_not_to_be_closed():
    (kept,) = in_flat("never close the kitchen door").constraints
    assert show_constraint(kept) == "(never-use close_door kitchen_door)"


@pytest.mark.parametrize(
    "said", ["close the door", "close the door behind you", "go to the study and shut the door"]
)
def test_which_of_several_doors_is_asked(said):
    meant = [reading.words for reading in in_flat(said).readings]
    assert meant == ["bathroom_door", "bedroom_door", "kitchen_door", "study_door"]


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("close the door of the meeting room", "(not (open meeting_door))"),
        ("open the storage room door", "(open storage_door)"),
        ("shut the door of office 604", "(not (open door604))"),
        ("shut door606", "(not (open door606))"),
    ],
)
def test_doors_of_rooms_that_are_called_otherwise(said, goal):
    assert show(CommandReasoner().understand(said, situation_in("office", "tabletop")).goal) == goal
