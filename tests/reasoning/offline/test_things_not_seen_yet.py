"""Things of which nothing is known yet: named in remarks and questions, looked for, and gone back to."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from foretree.agent.dialogue.instruction_reader import situation
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.config import find_config
from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.simulation.household.scene_file import load_scene


@pytest.fixture(scope="module")
def unseen():
    """The flat with its furniture, of which the contents are unknown."""
    scene = load_scene(find_config("scenes", "flat"))
    scene = replace(scene, known=(), unexplored=tuple(scene.furniture), believed={})
    session, _ = open_household(scene, Wish(goal="(open fridge1)"), Options())
    return situation(session.context)


@pytest.fixture(scope="module")
def seen():
    session, _ = open_household("flat", Wish(goal="(open fridge1)"), Options())
    return situation(session.context)


def read(said, situation):
    found = CommandReasoner().understand(said, situation)
    return re.sub(r"\?\w+", "?it", show(found.goal)), found.wanted


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("I left a shoe under the bed. Put it into the wardrobe.", "(exists (?it - shoe) (in ?it wardrobe1))"),
        ("I've mislaid my phone, fetch it.", "(exists (?it - phone) (given ?it person1))"),
        ("Where on earth is the remote? Put it on the sofa.", "(exists (?it - remote) (on ?it sofa1))"),
        ("I think my umbrella is in the hall. Hang it on the coat rack.",
         "(exists (?it - umbrella) (hung_on ?it coat_rack1))"),
        ("My keys are in the dresser somewhere. Open it and bring them to me.",
         "(and (open dresser1) (exists (?it - keys) (given ?it person1)))"),
        ("I bought an apple and a mango. Put them in the fridge.",
         "(and (exists (?it - apple) (in ?it fridge1)) (exists (?it - mango) (in ?it fridge1)))"),
    ],
)  # fmt: skip
def test_a_request_may_go_back_to_what_was_only_named(unseen, said, goal):
    found, wanted = read(said, unseen)
    assert found == goal
    assert wanted


def test_what_is_named_and_not_gone_back_to_is_not_looked_for(unseen):
    assert read("I had an apple this morning. Close the fridge.", unseen) == ("(not (open fridge1))", ())
    goal, wanted = read("My shirt is on the rack. Bring me a towel.", unseen)
    assert (goal, wanted) == ("(exists (?it - towel) (given ?it person1))", ("towel",))


@pytest.mark.parametrize(
    ("said", "known", "unknown"),
    [
        ("Find the umbrella and put it on the bed.", "(on umbrella1 bed1)",
         "(exists (?it - umbrella) (on ?it bed1))"),
        ("Could you look for my phone, and then put it on the desk?", "(on phone1 desk1)",
         "(exists (?it - phone) (on ?it desk1))"),
        ("Go and track the newspaper down. Lay it on the sofa.", "(on newspaper1 sofa1)",
         "(exists (?it - newspaper) (on ?it sofa1))"),
        ("I'd like you to find out where the battery is and put it in the box.", "(in battery1 box1)",
         "(exists (?it - battery) (in ?it box1))"),
        ("As soon as you find the battery, bring it to me.", "(given battery1 person1)",
         "(exists (?it - battery) (given ?it person1))"),
        ("Search for my keys.", "(given keys1 person1)", "(exists (?it - keys) (given ?it person1))"),
        ("See if you can find my keys.", "(given keys1 person1)", "(exists (?it - keys) (given ?it person1))"),
        ("Look in the dresser for my keys.", "(given keys1 person1)", "(exists (?it - keys) (given ?it person1))"),
    ],
)  # fmt: skip
def test_what_is_looked_for_is_used_or_brought(seen, unseen, said, known, unknown):
    assert read(said, seen)[0] == known
    goal, wanted = read(said, unseen)
    assert goal == unknown
    assert len(wanted) == 1


def test_furniture_and_rooms_that_are_looked_for_are_used_or_gone_to(unseen):
    assert read("Find the fridge and open it.", unseen)[0] == "(open fridge1)"
    assert "rob_at_node" in read("Find the bathroom.", unseen)[0]


@pytest.mark.parametrize(
    "said",
    ["Find a spot for the vase.", "Find out what time it is.", "Look out for the cat.",
     "Find it.", "Find someone who can cook."],
)  # fmt: skip
def test_what_looks_for_no_thing_is_refused(unseen, said):
    with pytest.raises(InstructionError):
        read(said, unseen)


def test_setting_off_is_no_deed(seen):
    assert read("Run and bring me my umbrella.", seen)[0] == "(given umbrella1 person1)"
    with pytest.raises(InstructionError):
        read("Run!", seen)


@pytest.mark.parametrize(
    ("said", "goal", "wanted"),
    [
        ("Put chopsticks on the desk.", "(exists (?it - chopsticks) (on ?it desk1))", "chopsticks"),
        ("Bring lemonade to me.", "(exists (?it - lemonade) (given ?it person1))", "lemonade"),
        ("I bought a pineapple. Put it in the fridge.", "(exists (?it - pineapple) (in ?it fridge1))", "pineapple"),
        ("Find my goggles and lay them on the bed.", "(exists (?it - goggles) (on ?it bed1))", "goggles"),
    ],
)  # fmt: skip
def test_classes_that_the_domain_lacks_are_named_like_others(seen, said, goal, wanted):
    assert read(said, seen) == (goal, (wanted,))


@pytest.mark.parametrize("said", ["Iron the shirt.", "Hammer the nail.", "Mop up.", "Bring me a sofa bed."])
def test_deeds_and_furniture_are_no_such_things(seen, said):
    with pytest.raises(InstructionError):
        read(said, seen)


def test_furniture_that_is_not_here_may_be_told_of(seen):
    assert (
        read("There's a puddle on the floor, hand me the umbrella.", seen)[0] == "(given umbrella1 person1)"
    )
