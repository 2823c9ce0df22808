"""Things named by what they are or are for, and which are meant."""

import contextlib

import pytest

from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.offline.knowledge.kinds_file import load_kinds

DESCRIBED = [
    ("bring me something to cut the bread with", "(exists (?x - knife) (given ?x anna))"),
    ("bring me the thing you cut bread with", "(given knife1 anna)"),
    ("wash the thing for cutting vegetables", "(clean knife1)"),
    ("put what one dries oneself with into the sink", "(in towel1 sink1)"),
    ("open the thing that keeps the milk cold", "(open fridge1)"),
    ("bring me the fruit that comes from the tropics", "(given mango1 anna)"),
    ("bring me something to eat", "(or (given apple1 anna) (given apple2 anna) (given mango1 anna))"),
    ("put what is used to slice bread into the sink", "(in knife1 sink1)"),
    ("bring me a drinking vessel", "(or (given mug1 anna) (given mug2 anna) (given cup1 anna))"),
    ("have you got anything I could rest my head on?", "(exists (?x - pillow) (given ?x anna))"),
]


@pytest.mark.parametrize(("said", "goal"), DESCRIBED, ids=[said for said, _ in DESCRIBED])
def test_things_are_named_by_what_they_are_or_are_for(situation, said, goal):
    understood = CommandReasoner().understand(said, situation)
    assert show(understood.goal) == goal
    assert understood.wanted == ()


def test_every_kind_is_read(situation):
    for name in (*load_kinds().nouns, *load_kinds().by_name):
        with contextlib.suppress(InstructionError):
            CommandReasoner().understand(f"bring me the {name}", situation)


def test_what_is_not_here_is_wanted_by_its_class(situation):
    for said in ("bring me a comb", "get me something to comb my hair with"):
        understood = CommandReasoner().understand(said, situation)
        assert (show(understood.goal), understood.wanted) == (
            "(exists (?x - comb) (given ?x anna))",
            ("comb",),
        )


def test_what_was_said_is_in_the_sentence(situation):
    understood = CommandReasoner().understand("bring me something to cut the bread with", situation)
    assert understood.sentence == "bring anna something to cut the bread with"


@pytest.mark.parametrize(
    "said",
    ["bring me something to blorb with", "wash the thing that never stirs anything", "bring me a piano"],
)
def test_what_is_not_known_of_things_is_refused(situation, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, situation)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("kinds:\n  drink: {words: [beverage]}\n", r"kinds.yaml:2: kinds.drink: it names no classes"),
        ("kinds:\n  drink: {colour: red}\n", r"kinds.yaml:2: kinds.drink.colour: there is no such key"),
    ],
)
def test_mistakes_in_the_file_of_kinds_are_located(tmp_path, text, problem):
    path = tmp_path / "kinds.yaml"
    path.write_text(text)
    with pytest.raises(ForetreeError, match=problem):
        load_kinds(path)
