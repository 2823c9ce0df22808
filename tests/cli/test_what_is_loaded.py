"""What a command loads before it does anything: the largest part of what it costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
MANGO = "put the mango into the fridge"
#: What a plan off a terminal has no use for, once its configuration files have been read by an earlier one.
UNNEEDED = (
    "networkx",
    "pydantic",
    "rich",
    "yaml",
    "foretree.schema",
    "foretree.reasoning.models.endpoint",
    "foretree.simulation.household.world",
    "statistics",
    "xml",
)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The modules of the second of two plans, each in a process of its own."""
    code = f"""
        import json, sys
        from foretree.cli import main
        try:
            main(["plan", {MANGO!r}])
        except SystemExit as end:
            assert not end.code
        print(json.dumps(list(sys.modules)), file=sys.stderr)
    """
    # Of its own: what other processes keep or drop meanwhile makes no difference.
    cache = str(tmp_path_factory.mktemp("cache"))
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)],
            env={**os.environ, "XDG_CACHE_HOME": cache},
            capture_output=True,
            text=True,
            cwd=REPOSITORY,
        )
    assert "place_in(robot1, left_hand, mango1, fridge1)" in done.stdout, done.stderr
    return set(json.loads(done.stderr))


def test_a_plan_loads_nothing_that_it_has_no_use_for(loaded) -> None:
    assert [name for name in UNNEEDED if name in loaded] == []


def test_a_plan_loads_few_modules(loaded) -> None:
    """It was 912 once, all in all; tools, constraints, dialogue and language came as small modules since."""
    assert len([name for name in loaded if name.split(".")[0] == "foretree"]) <= 380
    assert len(loaded) < 630
