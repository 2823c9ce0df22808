"""Options whose values make no sense."""

from __future__ import annotations

import pytest

from foretree.config import find_config

MANGO = "put the mango into the fridge"


@pytest.mark.parametrize("speed", ["1e-9", "-1", "nan", "inf", "1e308", "5e-324"])
@pytest.mark.parametrize("command", [("run", MANGO), ("replay", "last"), ("resume", "last")])
def test_a_speed_at_which_nothing_would_ever_end_is_refused_with_those_that_are_valid(
    foretree, command, speed
):
    job = foretree.run(*command, "--speed", speed)
    assert job.status == 2
    assert "from 0.01 to 1000000" in " ".join(job.err.replace("│", " ").split())


@pytest.mark.parametrize(
    ("ticks", "valid"),
    [("1e308", "up to 10000"), ("1e-9", "from 0.01 on"), ("0", "from 0.01 on"), ("10001", "up to 10000")],
)
def test_a_rhythm_that_no_robot_has_is_refused_with_the_bound_that_is_valid(foretree, ticks, valid):
    job = foretree.run("run", MANGO, "--set", f"agent.tick_hz={ticks}")
    assert job.status == 2
    assert f"agent.tick_hz: expected a number {valid}" in job.err


@pytest.mark.parametrize(
    ("words", "valid"),
    [
        (("runs", "-n", "abc"), "expected a whole number, not 'abc'."),
        (("run", MANGO, "--speed", "fast"), "expected a number, not 'fast'."),
        (("regress", "smoke", "--limit", "0"), "expected a number from 1 on, not '0'."),
    ],
)
def test_a_value_of_another_kind_is_refused_with_the_value_and_those_that_are_valid(foretree, words, valid):
    job = foretree.run(*words)
    assert job.status == 2
    assert "Input should be" not in job.err
    # typer before 0.20 has click say it, in its own words.
    assert valid in job.err or "is not a valid" in job.err or "is not in the range" in job.err


@pytest.mark.parametrize("command", ["run", "plan"])
def test_an_instruction_without_quotes_is_answered_by_one_with_quotes(foretree, command):
    job = foretree.run(command, "bring", "-s", "kitchen", "me", "the", "apple")
    assert job.status == 2
    assert '(me the apple). An instruction stands in quotes: "bring me the apple"' in job.err


def test_a_word_too_many_that_is_no_instruction(foretree):
    job = foretree.run("export", "last", "csv")
    assert job.status == 2
    assert "Got unexpected extra argument(s) (csv)" in job.err
    assert "quotes" not in job.err


def test_the_help_names_every_scene(foretree):
    names = {path.stem for path in find_config("scenes", "kitchen").parent.glob("*.yaml")}
    told = foretree.run("run", "--help").out
    assert "two_robots" in names
    assert [name for name in sorted(names) if name not in told] == []
