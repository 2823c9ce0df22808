"""The tutorial, followed word for word in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "tutorial.md"
BLOCK = re.compile(r"(?:^`([\w/.]+)`:\n\n)?^```(\w+)\n(.*?)^```", re.M | re.S)


def follow(folder: Path) -> list[tuple[str, str]]:
    """Write each file and run each command of the page in its order; return the commands with their output."""
    env = {**os.environ, "FORETREE_HOME": str(folder / "home"), "COLUMNS": "120"}
    done = []
    for name, language, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if language != "bash":
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            continue
        for line in text.splitlines():
            if line.startswith("export "):
                key, _, value = line.removeprefix("export ").partition("=")
                env[key] = value
                continue
            here = re.sub("^python ", f"{sys.executable} ", line)
            here = re.sub("^foretree ", f"{sys.executable} -m foretree ", here)
            ran = subprocess.run(
                ["bash", "-c", here], cwd=folder, env=env, capture_output=True, text=True, timeout=300
            )
            assert ran.returncode == 0, f"{line}\n{ran.stdout}\n{ran.stderr}"
            done.append((line, ran.stdout))
    return done


def test_every_step_does_what_the_page_says(tmp_path):
    done = follow(tmp_path)
    said = dict(done)
    calm, disturbed = (out for line, out in done if line.startswith("foretree run"))
    assert "reached" in calm
    assert "never; 0 discrepancies" in calm
    assert "reached" in disturbed
    assert "never" not in disturbed
    assert "table1" in said["foretree why last 2"]
    plan = next(out for line, out in done if line.startswith("foretree plan"))
    assert plan.index("open(") < plan.index("pick(") < plan.index("shake(") < plan.index("place_on(")
    assert said["python serve.py"].splitlines()[-1] == "reached"
    assert "shake left_hand item=bottle" in said["python serve.py"]
    first, last = (out for line, out in done if line == "python evening.py")
    assert "shake left_hand item=bottle" in first
    assert "shake left_hand item=bottle" not in last
    assert [line for line in last.splitlines() if line.endswith(": the bottle")] == [
        f"{way} {number}: the bottle" for number in range(3) for way in ("up", "down")
    ]
    assert "shake bottle1 [✓]" in last


def test_the_robot_takes_forty_lines():
    [robot] = [
        text for name, _, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")) if "class Job" in text
    ]
    assert robot.count("\n") <= 40
