"""The README, done exactly as it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", TEXT, re.M | re.S)


def test_there_are_two_examples_of_ten_lines():
    assert len(EXAMPLES) == 2
    for example in EXAMPLES:
        code = [
            line for line in example.splitlines() if line.strip() and not line.startswith(("import", "from"))
        ]
        assert len(code) <= 10


def test_running_an_instruction(capsys):
    names: dict = {}
    exec(compile(EXAMPLES[0], "README.md", "exec"), names)
    assert names["result"].reached
    assert names["result"].counts["revised"] >= 1
    assert "reached" in capsys.readouterr().out


def test_a_plan_in_a_tree_of_ones_own():
    names: dict = {}
    exec(compile(EXAMPLES[1], "README.md", "exec"), names)
    assert names["root"].status is names["py_trees"].common.Status.SUCCESS
    assert names["world"].holds(names["goal"])
    assert not names["world"].illegal


def test_the_one_line():
    [line] = re.findall(r"\(`(foretree\.run\(.*?\))` is the same in one line", TEXT)
    code = f"import foretree; result = {line}; assert result.reached, result"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120, cwd=ROOT)


def test_the_make_targets_are_there():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    pages = [TEXT, (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")]
    named = {name for page in pages for name in re.findall(r"^make ([a-z-]+)", page, re.M)}
    assert {"run", "test"} <= named
    for name in named:
        assert re.search(rf"^{name}:", makefile, re.M), name


@pytest.mark.parametrize("package", ["git", "make", "python3", "python3-venv"])
def test_the_debian_packages_are_named(package):
    [line] = re.findall(r"^sudo apt install (.*)$", TEXT, re.M)
    assert package in line.split()
