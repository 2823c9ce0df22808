"""Words that leave open where a thing is, whether there is one, and what may take its place."""

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
from foretree.reasoning.offline.sentences.rewording.in_place import with_replacements_told
from foretree.reasoning.offline.sentences.rewording.whereabouts import without_whereabouts
from foretree.simulation.household.scene_file import load_scene


def of_flat(*unseen):
    scene = load_scene(find_config("scenes", "flat"))
    known = tuple(name for name in scene.items if name not in ("spoon1", "shirt1", "milk1"))
    scene = replace(scene, known=known, unexplored=unseen, believed={}) if unseen else scene
    session, _ = open_household(scene, Wish(goal="(open fridge1)"), Options())
    return situation(session.context)


@pytest.fixture(scope="module")
def unseen():
    """The flat, where nobody has looked into three pieces of furniture."""
    return of_flat("dishwasher1", "wardrobe1", "fridge1")


@pytest.fixture(scope="module")
def seen():
    return of_flat()


def goal_of(said, situation):
    return re.sub(r"\?\w+", "?it", show(CommandReasoner().understand(said, situation).goal))


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("Fetch me a spoon from wherever they've ended up.", "(exists (?it - spoon) (given ?it person1))"),
        ("Find us a spoon somewhere and put it on the desk.", "(exists (?it - spoon) (on ?it desk1))"),
        ("Put the spoon on the counter, wherever it's lying.", "(exists (?it - spoon) (on ?it counter1))"),
        ("Get me a spoon, would you? There ought to be one around here somewhere.",
         "(exists (?it - spoon) (given ?it person1))"),
        ("Hand me the keys, please, goodness knows where my wife has left them.", "(given keys1 person1)"),
        ("Put the coat on the bed; I can't remember whether it's in the hall or upstairs.", "(on coat1 bed1)"),
        ("Could you see where the spoon went and bring it to me?", "(exists (?it - spoon) (given ?it person1))"),
        ("Go and check where I left the umbrella and put it on the sofa.", "(on umbrella1 sofa1)"),
        ("Find out whether we've still got milk and put it on the coffee table.",
         "(exists (?it - milk) (on ?it coffee_table1))"),
        ("Bring me the umbrella, it ought to be in the wardrobe.", "(given umbrella1 person1)"),
        ("I need a clean shirt for tonight, so hang one on the coat rack.",
         "(exists (?it - shirt) (and (clean ?it) (hung_on ?it coat_rack1)))"),
        ("Put a spoon in the sink if you can find one.", "(exists (?it - spoon) (in ?it sink1))"),
        ("If there's any milk left, put it on the table in the kitchen.", "(exists (?it - milk) (on ?it table1))"),
        ("If we've got milk, bring it to me.", "(exists (?it - milk) (given ?it person1))"),
    ],
)  # fmt: skip
def test_where_a_thing_is_need_not_be_known(unseen, said, goal):
    assert goal_of(said, unseen) == goal


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("If there's any juice, bring it to me.", "(and)"),
        ("Get me an apple, or a mango if there are none.", "(exists (?it - apple) (given ?it person1))"),
        ("Get me a banana; failing that, a mango will do.", "(exists (?it - mango) (given ?it person1))"),
        ("A glass of milk would be nice now, could you bring me one?",
         "(exists (?it - glass) (and (poured milk1 ?it) (filled ?it) (given ?it person1)))"),
        ("Get the remote for me, and change the channel.", "(given remote1 person1)"),
    ],
)  # fmt: skip
def test_what_is_there_decides(seen, said, goal):
    assert goal_of(said, seen) == goal


@pytest.mark.parametrize(
    "said",
    [
        "Put the mug wherever there is room.",
        "Put the mug somewhere.",
        "Put it wherever the plates are.",
        "Bring the apple from where it is to the table.",
        "Find somewhere to put the mug.",
        "I can't remember where I put my keys, fetch them.",
        "Where is it?",
        "Check if there is a mug in the sink and wash it.",
    ],
)
def test_places_that_matter_stay(said):
    assert without_whereabouts(said) == said


@pytest.mark.parametrize(
    ("said", "rest", "in_place"),
    [
        ("Bring me a scarf or something like it, please.", "Bring me a scarf, please.", "welcome"),
        ("Bring me an orange or whatever you have.", "Bring me an orange.", "welcome"),
        ("Bring me an orange if there's one left.", "Bring me an orange.", "none"),
        ("If there is an orange, bring it.", "If there is an orange, bring it.", "none"),
        ("Bring me an orange.", "Bring me an orange.", "usual"),
        ("Something to drink or something to eat, please.", "Something to drink or something to eat, please.", "usual"),
        ("If you find one, bring me an egg; otherwise wash the mug.",
         "If you find one, bring me an egg; otherwise wash the mug.", "none"),
    ],
)  # fmt: skip
def test_words_tell_what_may_take_the_place_of_what_is_missing(said, rest, in_place):
    assert with_replacements_told(said) == (rest, in_place)


@pytest.mark.parametrize(
    "said",
    ["See if we have a spoon and bring me the apple.", "See if the lamp is on and bring me the keys."],
)
def test_what_is_only_asked_beside_a_request_is_not_passed_over(seen, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, seen)
