"""Dialogs and hints on the command line: what is asked for, what is on record, and what is said of wrong ones."""

import pytest

from foretree.runs.reader import events

SAID = "Commander: Hi! Please put the mango into the fridge.\nDriver: Okay.\nCommander: The milk is in the fridge.\n"


@pytest.fixture
def dialog(tmp_path):
    path = tmp_path / "dialog.txt"
    path.write_text(SAID)
    return path


def test_a_dialog_is_carried_out_and_on_record(foretree, store, dialog):
    job = foretree.run("run", "--dialog", str(dialog), "--id", "d1", "--hint", "the pear is on the table")
    assert job.status == 0, job.err
    began = next(iter(events(store.open("d1"), kinds=("run.started",)))).data
    assert "put the mango into the fridge" in began["instruction"]
    assert began["hints"][0] == "the pear is on the table"
    assert "The milk is in the fridge." in began["hints"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hello", "line 1: it is not said who says 'hello'"),
        ("A: Hm hm.", "No turn of the dialog is understood"),
    ],
)
def test_what_is_no_dialog_is_told_in_a_paragraph(foretree, tmp_path, text, told):
    path = tmp_path / "dialog.txt"
    path.write_text(text)
    job = foretree.run("plan", "--dialog", str(path))
    assert job.status != 0
    assert told in " ".join(job.err.split())


def test_a_dialog_is_no_addition_to_an_instruction(foretree, dialog):
    job = foretree.run("plan", "wash the mug", "--dialog", str(dialog))
    assert "in one way" in job.err
