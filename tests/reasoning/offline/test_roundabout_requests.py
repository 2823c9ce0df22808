"""Requests that are put in a roundabout way: by a result, an errand, a suggestion, or what was left undone."""

import pytest
from scene_situations import situation_in

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner


def goal(said):
    return show(CommandReasoner().understand(said, situation_in("flat", speaker="person1")).goal)


@pytest.mark.parametrize(
    ("said", "plainly"),
    [
        # -- a result ----------------------------------------------------------------------------------
        ("shift the mango so that it ends up in the fridge", "put the mango in the fridge"),
        ("move the vase so it stands on the dresser", "put the vase on the dresser"),
        ("move the towel in the bathroom so that it is on the bed", "put the towel on the bed"),
        ("arrange things so that the phone is in the box", "put the phone in the box"),
        # -- an errand ---------------------------------------------------------------------------------
        ("drive over to the umbrella and put it on the sofa", "put the umbrella on the sofa"),
        ("go to where the vase is, pick it up and bring it to me", "bring me the vase"),
        ("come over here with the phone", "bring me the phone"),
        ("hand the thing that you wash up with to me", "bring me the sponge"),
        ("get the thing one washes up with for me", "bring me the sponge"),
        # -- a suggestion ------------------------------------------------------------------------------
        ("why don't you wipe the coffee table?", "wipe the coffee table"),
        ("why don't you take the phone and put it on the desk?", "put the phone on the desk"),
        ("now would be a good time to fold the blanket", "fold the blanket"),
        ("your job now is to slice the tomato", "slice the tomato"),
        ("all I need you to do is rinse out the bowl", "wash the bowl"),
        ("help me by opening the cupboard", "open the cupboard"),
        # -- what was left undone ----------------------------------------------------------------------
        ("I forgot to fold the blanket, can you do it?", "fold the blanket"),
        ("I was going to wash the bowl but I'm too tired", "wash the bowl"),
        # -- slips of the pen --------------------------------------------------------------------------
        ("put the tomatoe in the box", "put the tomato in the box"),
        ("carry the manggo over here", "bring me the mango"),
        ("wash the plaet and put it in the cuboard", "wash the plate and put it in the cupboard"),
    ],
)
def test_roundabout_requests_are_understood(said, plainly):
    assert goal(said) == goal(plainly)


@pytest.mark.parametrize(
    "said",
    [
        "I was going to throw the vase away but my sister wants to keep it",
        "we meant to put the apple in the bin but it is still good",
        "shift the mango so that it is fine",
        "come with me to the study",
        "go to where the unicorn is and bring it to me",
    ],
)
def test_what_only_looks_like_one_is_refused(said):
    with pytest.raises(InstructionError):
        goal(said)
