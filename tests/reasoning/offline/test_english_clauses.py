"""Clauses of English sentences: what each is said for, and what is left of long instructions."""

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.offline.english.adjuncts import shortened
from foretree.reasoning.offline.english.clauses import ClauseFinder
from foretree.reasoning.offline.english.lexicon.lexicon_file import english_words
from foretree.reasoning.offline.english.reading import EnglishReader
from foretree.reasoning.offline.english.words import Sentence, written_out
from foretree.reasoning.offline.lexicon import tokens_of

VERBS = frozenset(
    {"put", "wash", "bring", "take", "open", "close", "turn", "grab", "fold", "place", "set", "fetch"}
)
NOUNS = frozenset(
    {"plate", "mug", "table", "fridge", "lamp", "drawer", "towel", "rack", "water", "cloth", "book"}
)


def sentence(text: str) -> Sentence:
    words = written_out([word for word in tokens_of(text) if word != "."], english_words())
    return Sentence(tuple(words), english_words(), VERBS, NOUNS)


def told(text: str) -> list[tuple[str, str]]:
    """Each clause's mood, and what it says."""
    return [(clause.mood, " ".join(clause.words)) for clause in ClauseFinder(sentence(text)).clauses()]


def roles(text: str) -> list[tuple[str, str]]:
    reader = EnglishReader(VERBS, NOUNS)
    reading = reader.reading(tokens_of(text, marks=True))
    return [("request", " ".join(one.words)) for one in reading.statements if one.words] + [
        ("remark", " ".join(remark)) for remark in reading.remarks
    ]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        (
            "you're standing in the hall anyway, so grab the book and bring it to me",
            [
                ("declarative", "you are standing in the hall anyway"),
                ("imperative", "grab the book"),
                ("imperative", "bring it to me"),
            ],
        ),
        ("wash the plate and the mug", [("imperative", "wash the plate and the mug")]),
        ("take the mug that is dirty", [("imperative", "take the mug that is dirty")]),
        (
            "the drawer they came out of should be shut and the lamp turned off",
            [
                ("declarative", "the drawer they came out of should be shut"),
                ("declarative", "the lamp turned off"),
            ],
        ),
        (
            "bring the book, which is on the table, to me",
            [("imperative", "bring the book , which is on the table , to me")],
        ),
        (
            "if it is open close the drawer",
            [("declarative", "it is open"), ("imperative", "close the drawer")],
        ),
        (
            "the book should be washed and stay on the table",
            [("declarative", "the book should be washed"), ("declarative", "stay on the table")],
        ),
    ],
)
def test_clauses_are_told_apart(text, clauses):
    assert told(text) == clauses


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("would you mind washing the plate?", [("request", "wash the plate")]),
        ("do you think you could open the drawer?", [("request", "open the drawer")]),
        ("why don't you close the fridge?", [("request", "close the fridge")]),
        ("is there any chance you could fetch the towel?", [("request", "fetch the towel")]),
        ("I'd be glad if you folded the towel", [("request", "fold the towel")]),
        ("be a dear and take the mug to the table", [("request", "take the mug to the table")]),
        ("I need you to open the fridge", [("request", "open the fridge")]),
        ("don't forget to close the drawer", [("request", "close the drawer")]),
        (
            "the plate should be on the table by the time I'm back",
            [("request", "want the plate be on the table")],
        ),
        ("no mug should be left on the table", [("request", "want every mug be not on the table")]),
        ("make sure that the lamp is off", [("request", "want the lamp be off")]),
        ("the book goes on the table", [("request", "want the book be on the table")]),
        ("get the towel for me", [("request", "bring the towel to me")]),
        (
            "this label itches, bring me the towel",
            [("request", "bring me the towel"), ("remark", "this label itches")],
        ),
        (
            "wash the plate because my sister is coming over",
            [("request", "wash the plate"), ("remark", "my sister is coming over")],
        ),
        ("the fridge is open?", []),
    ],
)
def test_what_a_clause_is_said_for(text, found):
    assert roles(text) == found


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("put the mug on the table for our guest", "put the mug on the table"),
        ("wash the plate before lunch", "wash the plate"),
        ("bring me a cloth to wipe the table", "bring me a cloth"),
        ("carefully put the mug on the table", "put the mug on the table"),
    ],
)
def test_what_says_nothing_about_the_goal_may_be_left_out(text, shorter):
    assert tuple(shorter.split()) in [*shortened(sentence(text))]


@pytest.mark.parametrize("text", ["wash the plate twice", "don't touch the mug", "put two mugs on the table"])
def test_what_changes_the_goal_is_never_left_out(text):
    assert not [*shortened(sentence(text))]


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("Ugh, this label itches. Bring me the plate, will you?", "(given plate1 anna)"),
        ("My hands are completely full, so could you open the fridge for me?", "(open fridge1)"),
        ("Wash the plate, nobody has done it for days, before my mother-in-law gets here.", "(clean plate1)"),
        ("I don't care how you do it, but the plate has got to be clean before dinner.", "(clean plate1)"),
        ("With your free hand open the fridge, I can't reach it.", "(open fridge1)"),
        ("You can use both hands, so put the mango in the fridge in one go.", "(in mango1 fridge1)"),
    ],
)
def test_long_instructions_come_to_what_is_asked(situation, said, goal):
    assert show(CommandReasoner().understand(said, situation).goal) == goal


@pytest.mark.parametrize(
    "said",
    [
        "open the fridge after my mother has come home",
        "wash the plate, unless the moon is full",
        "bring me the mango. What is on table1?",
    ],
)
def test_what_changes_a_request_is_never_dropped(situation, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, situation)


@pytest.mark.parametrize("said", ["I like mangos", "I love my new coat", "We really appreciate the towel"])
def test_what_somebody_is_fond_of_is_not_asked_for(situation, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, situation)
