"""Needs and observations, and the requests that they come to."""

import pytest

from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import show, variables_in
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.offline.knowledge.needs.needs_file import load_needs
from foretree.reasoning.offline.knowledge.wordings import WordingCompiler, WordingError, plain_words

OBSERVATIONS = [
    ("why is the fridge still open?", "(not (open fridge1))"),
    ("you left the fridge open again!", "(not (open fridge1))"),
    ("there are crumbs all over the counter", "(wiped counter1)"),
    ("oh dear, I've spilled my tea on the counter", "(wiped counter1)"),
    ("that plate has lipstick on it", "(clean plate1)"),
    ("the plate's filthy", "(clean plate1)"),
    ("nobody has washed the plate", "(clean plate1)"),
    ("why hasn't the shirt been folded yet?", "(folded shirt1)"),
    ("the lamp is still on", "(not (turned_on lamp1))"),
    ("it's getting rather dark in here", "(turned_on lamp1)"),
    ("I can't see a thing", "(turned_on lamp1)"),
    ("the mango would taste better cold", "(in mango1 fridge1)"),
    ("there's a sticky patch on the counter", "(wiped counter1)"),
    ("what a racket from the lamp", "(not (turned_on lamp1))"),
]
NEEDS = [
    ("brr, I'm freezing", "(exists (?x - coat) (given ?x anna))", "you are cold"),
    ("my hair is soaking wet", "(exists (?x - towel) (given ?x anna))", "you want to dry yourself"),
    ("I could do with a nap", "(exists (?x - pillow) (given ?x anna))", "you want to sleep"),
    ("my nose is bleeding", "(exists (?x - towel) (given ?x anna))", "you are hurt"),
]


@pytest.mark.parametrize(("said", "goal"), OBSERVATIONS, ids=[said for said, _ in OBSERVATIONS])
def test_what_is_wrong_is_put_right(situation, said, goal):
    understood = CommandReasoner().understand(said, situation)
    assert (show(understood.goal), understood.answer) == (goal, "")


@pytest.mark.parametrize(("said", "goal", "means"), NEEDS, ids=[said for said, *_ in NEEDS])
def test_needs_are_met_and_what_is_assumed_is_said(situation, said, goal, means):
    understood = CommandReasoner().understand(said, situation)
    assert show(understood.goal) == goal
    assert understood.sentence.startswith(f"{means}: ")


def test_a_request_counts_and_the_remark_only_names_things(situation):
    understood = CommandReasoner().understand("I spilled juice on the counter, could you wipe it?", situation)
    assert show(understood.goal) == "(wiped counter1)"
    understood = CommandReasoner().understand("I'm freezing. Bring me the mango.", situation)
    assert show(understood.goal) == "(given mango1 anna)"
    assert '"i am freezing"' in understood.sentence


@pytest.mark.parametrize(
    "said",
    [
        "I'm not cold",
        "the shirt is off",
        "the lamp smells",
        "I was freezing yesterday",
        "it never gets dark in here",
        "if I were cold I would say so",
        "the fridge is not open any more",
        "what a lovely evening we're having",
        "my neighbour bought a new car",
        "I'm not thirsty, bring me nothing",
    ],
)
def test_what_asks_for_nothing_is_refused(situation, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, situation)


def test_several_things_that_may_be_wrong_are_asked_about(situation):
    found = CommandReasoner().understand("the table is sticky", situation)
    assert [show(one.goal) for one in found.readings] == ["(wiped table1)", "(wiped table2)"]


def test_a_need_that_nothing_here_meets_is_refused_with_what_would_help(situation):
    with pytest.raises(InstructionError, match=r'it is stuffy. What would help: "open the window"'):
        CommandReasoner().understand("it's stuffy in here", situation)


def test_wordings():
    wording = WordingCompiler({"dirty": ("dirty", "a mess")}).compile("... {thing} (is|was) <dirty>")
    assert list(wording.matches("there the mug that is on the table is a mess ")) == [
        {"thing": "the mug that is on the table"}
    ]
    assert not list(wording.matches("never was the mug dirty "))
    assert plain_words(("the", "bread's", "gone", "really", "bad")) == (
        "the bread is gone bad ",
        "the bread has gone bad ",
        "the bread gone bad ",
    )


@pytest.mark.parametrize(
    ("wording", "problem"),
    [("(one|two", "lacks a '\\)'"), ("one)", "too many"), ("<none>", "no list of words 'none'")],
)
def test_wordings_that_cannot_be_read(wording, problem):
    with pytest.raises(WordingError, match=problem):
        WordingCompiler().compile(wording)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "needs:\n  a:\n    means: you\n    say: ['(x']\n    then: [go]\n",
            r"needs.yaml:4: needs.a.say.0: .*lacks",
        ),
        (
            "needs:\n  a:\n    means: you\n    say: [x]\n    then: ['wash {it}']\n",
            r":5: needs.a.then.0: .*\{it\}",
        ),
        ("needs:\n  a:\n    means: you\n    say: [x]\n", r"needs.a"),
    ],
)
def test_mistakes_in_the_file_of_needs_are_located(tmp_path, text, problem):
    path = tmp_path / "needs.yaml"
    path.write_text(text)
    with pytest.raises(ForetreeError, match=problem):
        load_needs(path)


@pytest.mark.parametrize(
    ("said", "brought"),
    [
        ("I'm just out of the shower - towel!", "towel"),
        ("I'm just out of the shower, a cloth!", "cloth"),
        ("my hair is soaking wet, and there is no cloth", "towel"),
        ("I'm freezing, a blanket!", "blanket"),
    ],
)
def test_a_thing_that_is_named_is_the_one_that_is_brought(situation, said, brought):
    understood = CommandReasoner().understand(said, situation)
    assert f" - {brought})" in show(understood.goal)


@pytest.mark.parametrize(
    "said", ["I'm parched, I could murder a basket of milk", "I'm thirsty, I'd love the pillow full of water"]
)
def test_a_need_is_not_met_without_the_thing_that_is_asked_for(situation, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, situation)


@pytest.mark.parametrize(
    "said",
    [
        "Brr, it's icy in here and I'm freezing. Fetch me the quilt from whoever has borrowed it.",
        "I'm freezing, could a quilt be laid out from somewhere?",
    ],
)
def test_no_need_is_met_in_place_of_a_request_that_is_not_understood(situation, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, situation)


@pytest.mark.parametrize("said", ["my nose is bleeding", "I grazed my knee"])
def test_the_thing_that_is_named_is_the_one_that_is_taken(situation, said):
    """A paper towel is not named where a towel is taken."""
    understood = CommandReasoner().understand(said, situation)
    (kind,) = {variable.type for variable in variables_in(understood.goal)} or {""}
    assert not understood.wanted
    assert "paper" not in understood.sentence
    assert kind in understood.sentence
