"""Recorded dialogs between two people: reading them, and finding what is asked for."""

import json

import pytest

from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import TRUE, Literal
from foretree.reasoning.dialogs.dialog import DialogError, Turn, read_dialog, request_in, transcript
from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.reasoner import Understanding

LINES = "Commander: Wash the mug.\n\nDriver: Where is it?\nCommander:  In the   cupboard.\n"
TURNS = (
    Turn("Commander", "Wash the mug."),
    Turn("Driver", "Where is it?"),
    Turn("Commander", "In the cupboard."),
)


def written(tmp_path, text):
    path = tmp_path / "dialog.txt"
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


@pytest.mark.parametrize(
    "text",
    [
        LINES,
        [[turn.speaker, turn.words] for turn in TURNS],
        {"dialog": [{"speaker": turn.speaker, "utterance": turn.words} for turn in TURNS]},
        {"game_id": "1", "dialog_history_cleaned": [[turn.speaker, turn.words] for turn in TURNS]},
    ],
)
def test_forms_of_dialogs(tmp_path, text):
    assert read_dialog(written(tmp_path, text)) == TURNS


def test_a_dialog_as_text():
    assert transcript(TURNS[:2]) == "Commander: Wash the mug.\nDriver: Where is it?"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has no turns"),
        ("Wash the mug.\n", "line 1: it is not said who says 'Wash the mug.'"),
        ("[1", "is no JSON"),
        ({"words": "Wash the mug."}, "has no list of turns"),
        ([["Commander"]], "turn 1: it does not say who said what"),
        ([["Commander", 7]], "turn 1"),
        ([["Commander", "Hm."]] * 501, "500 are read at most"),
    ],
)
def test_what_is_no_dialog_is_told(tmp_path, text, told):
    with pytest.raises(DialogError) as caught:
        read_dialog(written(tmp_path, text))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ForetreeError, match="nowhere"):
        read_dialog(tmp_path / "nowhere.txt")


GOAL = Literal(("clean", "mug1"))


def understand(words):
    """Only sentences with *wash* or *put* ask for something."""
    if words.lower().startswith(("wash", "put")):
        return Understanding(GOAL, words)
    if words.startswith("Fine"):
        return Understanding(TRUE, words, answer="Fine.")
    raise NotUnderstoodError(f"Not understood: {words}")


def asked(*turns):
    return request_in([Turn(speaker, words) for speaker, words in turns], understand)


@pytest.mark.parametrize(
    ("turns", "request_"),
    [
        ((("Commander", "Wash the mug."),), "Wash the mug."),
        ((("Commander", "Hi!"), ("Commander", "wash the mug")), "wash the mug"),
        ((("Commander", "Hi, today you need to wash the mug."),), "wash the mug."),
        ((("Commander", "Fine weather."), ("Driver", "Wash what?"), ("Commander", "Wash it")), "Wash it"),
        ((("Commander", "The mug is dirty. Wash it. Thanks."),), "Wash it."),
        ((("Driver", "put it where?"), ("Commander", "Wash it")), "Wash it"),
        ((("Commander", "Wash it."), ("Commander", "Put your hand up.")), "Wash it."),
        (
            (("Commander", "Wash it."), ("Commander", "Great! Next, put it down.")),
            "Wash it, then put it down",
        ),
    ],
)
def test_what_is_asked_for(turns, request_):
    assert asked(*turns) == request_


def test_nothing_that_is_asked_for_is_left_out():
    with pytest.raises(NotUnderstoodError, match=r"something besides: .Then fly\."):
        asked(("Commander", "Wash it."), ("Commander", "Then fly."))
    with pytest.raises(NotUnderstoodError, match="No turn of the dialog is understood as a request"):
        asked(("Commander", "Hi!"), ("Driver", "Wash it?"))
