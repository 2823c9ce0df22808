"""Remarks beside a request are told by their form, whatever their words: they are left out, and said to be."""

from __future__ import annotations

from functools import cache

import pytest

from foretree.bringup.embedded import embedded_context
from foretree.bringup.options import Options
from foretree.bringup.understanding import situation
from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner


@cache
def _situation(scene):
    return situation(embedded_context(scene, Options())[0])


def understood(said, scene="flat"):
    return CommandReasoner().understand(said, _situation(scene))


KEYS = "(on keys1 coffee_table1)"
PUT = "put the keys on the coffee table"


@pytest.mark.parametrize(
    "said",
    [
        # -- what people do, feel and have to do ----------------------------------------------------------
        "Our landlord wants to inspect everything tomorrow. {}",
        "My sister should be here any minute, so {}",
        "We should really hurry up. {}",
        "I never remember these things. {}",
        "I was thinking about dinner. {}",
        "I wish my flatmate were a bit tidier. {}",
        "The office called and they need me at once. {}",
        "You must think I'm terribly lazy, but {}",
        "{}. Somehow my aunt always complains",
        "{}, I only want to use them later",
        "{} and I'll love you forever",
        "{}, and I'll make us some dinner in the meantime",
        # -- how it shall strike people, and what is guessed ----------------------------------------------
        "{}, it should look elegant",
        "{}, it would look so much nicer",
        "{}, I want it to look festive when my parents arrive",
        "{}. The air must be getting rather damp",
        "{}. The cat must have been at it again",
        "{}, which would make my day",
        # -- why ------------------------------------------------------------------------------------------
        "{} in case my brother drops by",
        "{} so that my grandmother gets hold of them",
        "{} before one of the twins gets hold of them",
        "{}. That way my sister won't complain",
        "{}, or I'll be late",
        "{}, otherwise my flatmate will be furious",
        "{} because of my bad back",
        "{} due to the heat",
        "{} as a surprise for my wife",
        "{} in honour of my grandmother",
        "{} to make my wife happy",
        "{} in time for my wedding",
        # -- what opens what is told ----------------------------------------------------------------------
        "This morning I burnt my hand, so {}",
        "After work I'm always exhausted, so {}",
        "According to my sister, I'm a slob. {}",
        "Being pregnant, I can't bend down. {}",
        "Thank goodness you're here. {}",
        "The plumber's nearly here, so {}",
        # -- what is called out, and mused ----------------------------------------------------------------
        "What a day! {}",
        "Visitors at six! {}",
        "Hungry kids! {}",
        "No idea why, but {}",
        "{}, who knows what the cat did with them",
        "Don't laugh, but I'm scared of the dark, so {}",
        "{}. Don't tell my wife",
        "{} - I'd be lost without you",
    ],
)
def test_a_remark_of_unknown_words_is_left_out(said):
    found = understood(said.format(PUT))
    assert show(found.goal) == KEYS
    assert not found.constraints


def test_what_is_left_out_is_said():
    found = understood(f"Our landlord wants to inspect everything tomorrow, so {PUT}")
    assert "nothing else is done about" in found.sentence
    assert "landlord" in found.sentence


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (
            "I'm going to nap with the pillow from the armchair tonight, so put it on the bed",
            "(on pillow2 bed1)",
        ),
        ("My laptop drives me nuts. Could you put it on the bed?", "(on laptop1 bed1)"),
        ("I'm off, keys on the coffee table!", KEYS),
        (
            "My aunt is coming, the umbrella in the wardrobe and the lamp on",
            "(and (in umbrella1 wardrobe1) (turned_on lamp1))",
        ),
    ],
)
def test_a_request_goes_back_to_a_remark_or_follows_it(said, meant):
    assert show(understood(said).goal) == meant


@pytest.mark.parametrize(
    "said",
    [
        # -- other requests and wishes ----------------------------------------------------------------------
        f"{PUT} and blorf the lamp",
        f"My aunt is coming, so {PUT} and frobnicate it",
        f"{PUT}, the floor must be spotless",
        f"{PUT}, it should be blorfy",
        f"{PUT}, I'd love a blorf",
        f"{PUT}, I want to have a blorf",
        f"{PUT}, everyone should get a blorf",
        f"{PUT}, my kids must have a blorf",
        f"{PUT}, somebody should blorf",
        f"{PUT}, could you blorf",
        f"{PUT}, or blorf the lamp",
        f"You will blorf the lamp, {PUT}",
        # -- conditions and moments -------------------------------------------------------------------------
        f"{PUT} if my mother is coming",
        f"{PUT} unless my mother is coming",
        f"{PUT} when my mother comes",
        f"{PUT} only when my mother comes",
        f"If the baby cries {PUT}",
        f"{PUT} after my wife has eaten",
        # -- limits and corrections -------------------------------------------------------------------------
        f"{PUT}, but never blorf them",
        f"{PUT}, don't blorf",
        f"{PUT}, nobody touches the lamp",
        f"{PUT}, no, I meant the blorf",
        f"{PUT} instead of blorfing",
        f"{PUT} so that they point north and it faces the wall",
        f"{PUT} tomorrow because my mother is coming",
        # -- nothing that is asked for ----------------------------------------------------------------------
        "My boss is visiting, put it on the bed",
        "The blanket. They blorfed it.",
        "My aunt is coming, and she adores antiques",
    ],
)  # fmt: skip
def test_what_may_be_no_remark_is_not_left_out(said):
    with pytest.raises(InstructionError):
        understood(said)
