"""Options whose values make no sense."""

from __future__ import annotations

import pytest

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
