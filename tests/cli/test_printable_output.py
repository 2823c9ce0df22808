"""Names, instructions and messages from outside are shown, and never obeyed by the terminal."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from foretree.cli import main
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore

REPOSITORY = Path(__file__).resolve().parents[2]
EVIL = "\x1b[2J\x9b31m\u202e\u200b\x07"
SPELT = r"\x1b[2J\x9b31m\u202e\u200b\x07"
MARKUP = "[bold]plain[/nonsense] :mango:"

DOMAIN = f"""(define (domain d{EVIL})
  (:requirements :typing)
  (:types thing{EVIL})
  (:predicates (done{EVIL} ?x - thing{EVIL}))
  (:action do{EVIL} :parameters (?x - thing{EVIL}) :precondition () :effect (done{EVIL} ?x)))
"""
PROBLEM = f"""(define (problem p{EVIL}) (:domain d{EVIL})
  (:objects mug{EVIL} - thing{EVIL}) (:init) (:goal (done{EVIL} mug{EVIL})))
"""


class Screen(io.StringIO):
    """A terminal: colours are for it, and nothing is stripped from what goes to it."""

    encoding = "utf-8"

    def isatty(self):
        return True


@pytest.fixture
def task(tmp_path):
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(DOMAIN, encoding="utf-8")
    problem.write_text(PROBLEM, encoding="utf-8")
    return ["--domain", str(domain), "--problem", str(problem)]


@pytest.fixture
def screen(tmp_path, monkeypatch):
    """`foretree WORDS` on a terminal: the exit code and what it shows, all of which is safe."""
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.setenv("TERM", "xterm")

    def shown(*words):
        out, err = Screen(), Screen()
        monkeypatch.setattr("sys.stdout", out)
        monkeypatch.setattr("sys.stderr", err)
        with pytest.raises(SystemExit) as end:
            main(list(words))
        assert sys.stdout is out
        text = out.getvalue() + err.getvalue()
        for evil in ("\x1b[2j", "\x9b", "\u202e", "\u200b", "\x07"):
            assert evil not in text.lower(), (evil, text)
        return end.value.code, text

    return shown


@pytest.mark.parametrize("form", ["", "--pddl", "--dot", "--xml", "--ascii", "--json"])
def test_names_of_a_domain(screen, task, form):
    code, text = screen("plan", *task, *filter(None, [form]))
    assert code == 0, text
    assert "mug" in text
    # One form is JSON, another puts names into quotes of its own: the backslash may be doubled.
    assert "u202e" in text


@pytest.mark.parametrize(
    "words",
    [
        ("plan", f"fly to the {EVIL}"),
        ("plan", "--goal", f"(in mango1 {EVIL})"),
        ("plan", "put the mango into the fridge", "--set", f"agent.{EVIL}=1"),
        ("plan", "put the mango into the fridge", "--set", f"{EVIL}"),
        ("plan", "put the mango into the fridge", "--scene", EVIL),
        ("plan", "put the mango into the fridge", "--agent", EVIL),
        ("run", "put the mango into the fridge", "--id", EVIL),
        ("show", EVIL),
        ("why", EVIL, "1"),
        (f"show{EVIL}",),
        ("plan", f"--{EVIL}"),
        ("domain", "expand", f"{EVIL}.pddl", "--doors"),
    ],
)
def test_errors_quote_what_was_given(screen, words):
    code, text = screen(*words)
    assert code in (2, 3), text
    assert "Traceback" not in text
    assert "fault" not in text.replace("default", "")


@pytest.mark.parametrize(
    "words",
    [
        ("{}",),
        ("--{}",),
        ("plan", "{}"),
        ("plan", "--goal", "(in {} fridge1)"),
        ("plan", "--scene", "studio", "--{}"),
        ("plan", "--scene", "studio", "--", "--{}"),
        ("plan", "--json={}", "x"),
        ("runs", "{}"),
        ("runs", "-n", "{}"),
        ("show", "{}"),
        ("domain", "{}"),
        ("map", "show", "--{}"),
    ],
)
def test_messages_are_cut(screen, words):
    code, text = screen(*(word.format("q" * 1_000_000) for word in words))
    assert code in (2, 3)
    assert text.count("q") < 5_000  # beside it a spinner may turn


def test_names_in_a_file(screen, tmp_path):
    file = tmp_path / "agent.yaml"
    file.write_text('"a\\e[2J\\u202e": 1\n', encoding="utf-8")
    code, text = screen("plan", "put the mango into the fridge", "--agent", str(file))
    assert code == 2, text
    assert "[2J" in text


def recorded(home, instruction):
    recorder = RunRecorder(RunStore(home / "runs").create(instruction, run_id="evil"))
    recorder.record("run.started", instruction=instruction, scene=instruction, robot="r", seed=1)
    recorder.record("goal.set", goal=f"(done {instruction})", how=instruction)
    recorder.record("run.ended", outcome="failed", reason=instruction)
    recorder.close("failed")


@pytest.mark.parametrize(
    "words", [("runs",), ("show", "evil"), ("show", "evil", "--events"), ("why", "evil"), ("export", "evil")]
)
def test_a_run_of_such_an_instruction(screen, tmp_path, words):
    recorded(tmp_path, f"fetch {EVIL} {MARKUP}")
    code, text = screen(*words)
    assert "Traceback" not in text
    assert "fault" not in text
    if words[0] != "why":  # there is nothing to explain
        assert code in (0, 1), text
        assert "[bold]plain[/nonsense] :mango:" in text
        assert "u202e" in text


def test_colours_of_our_own_stay(screen, tmp_path):
    recorded(tmp_path, "fetch the mango")
    _, text = screen("show", "evil")
    assert "\x1b[1m" in text


def test_a_run_carries_such_names_to_its_end(screen, task):
    code, text = screen("run", *task, "--plain", "--speed", "0", "--id", "nasty")
    assert code == 0, text
    assert f"mug{SPELT}".lower() in text


def test_a_report_takes_nothing_for_markup(monkeypatch):
    from foretree.cli._terminal import new_console
    from foretree.regression.reports.document import Document, Section, Table, print_document

    out = Screen()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setenv("COLUMNS", "400")
    name = f"{MARKUP}{EVIL}"
    table = Table(("name", name), ((name, name),), title=name)
    print_document(Document(name, name, (Section(name, (table, name)),)), new_console())
    text = out.getvalue()
    assert text.count(f"{MARKUP}{SPELT}") == 7
    assert "\x1b[2J" not in text


def test_texts_with_styles_are_cleaned_too(monkeypatch):
    from rich.text import Text

    from foretree.cli._terminal import new_console

    out = Screen()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    new_console().print(Text("a\x1b[2J\u202eb", style="bold"))
    assert out.getvalue() == "\x1b[1ma\\x1b[2J\\u202eb\x1b[0m\n"


def test_a_process_of_its_own(tmp_path, task):
    done = subprocess.run(
        [sys.executable, "-m", "foretree", "plan", *task, "--pddl"],
        env={
            **os.environ,
            "FORETREE_HOME": str(tmp_path),
            "PYTHONPATH": str(REPOSITORY),
            "PYTHONIOENCODING": "utf-8",
        },
        capture_output=True,
        timeout=300,
    )
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "(:action do" in text
    assert f"mug{SPELT}".lower() in text  # and not without what would be stripped for a pipe
    assert not {"\x1b", "\x9b", "\u202e", "\u200b", "\x07"} & set(text)
