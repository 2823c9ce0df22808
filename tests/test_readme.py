"""The README, done exactly as it says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from in_process import foretree
from launcher import Launcher

from foretree.runs.reader import events as read
from foretree.runs.store import RunStore

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


# -- the command line ------------------------------------------------------------------------------------
#: Serve until they are stopped: tests/debugger tries them.
SERVING = re.compile(r"^foretree view|--view$")
#: What stands between a command that goes on in the background and the next one.
AND_THEN = " & sleep 5"
LINES = [
    line for block in re.findall(r"^```bash\n(.*?)^```", TEXT, re.M | re.S) for line in block.splitlines()
]
COMMANDS = [line for line in LINES if line.startswith("foretree ") and not SERVING.search(line)]


def test_every_command_works_when_typed_in_its_order(tmp_path, monkeypatch):
    """In one folder that holds what a clone holds, with one home, which is empty at first."""
    for name in ("configs", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(tmp_path)
    launcher = Launcher(home)
    jobs = []
    try:
        for line in COMMANDS:
            command, background, then = line.partition(AND_THEN)
            words = shlex.split(re.sub(r" >\S+$", "", command))[1:]
            if not background:
                done = foretree(*words, FORETREE_HOME=str(home))
                assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
                assert "Traceback" not in done.stderr
                continue
            job = launcher.start(*words)
            jobs.append(job)
            name = words[words.index("--id") + 1]
            job.until(partial(going, job, RunStore(home / "runs"), name))
            assert job.alive(), f"{line}\n{job.out}\n{job.err}"
            if "kill -9" in then:
                job.kill()
    finally:
        for job in jobs:
            if job.alive():
                job.kill()
        launcher.close()
    assert {path.name for path in tmp_path.iterdir()} >= {
        "mango.csv",
        "office.png",
        "building.pddl",
        "reports",
    }


def going(job, store, name):
    """Whether that run has begun to act, or will never."""
    acts = name in store.ids() and any(read(store.open(name), kinds=["action.started"]))
    return acts or not job.alive()


def test_commands_in_the_text_work_too(tmp_path, monkeypatch):
    inline = {line for line in re.findall(r"`foretree ([^`]+)`", TEXT) if " " not in line or "|" not in line}
    assert {"doctor", "new skill polish", "regress smoke"} <= inline
    monkeypatch.chdir(tmp_path)
    for kind in ("skill", "scene", "agent", "robot"):
        assert foretree("new", kind, f"my_{kind}", FORETREE_HOME=str(tmp_path)).returncode == 0
    assert foretree("doctor", FORETREE_HOME=str(tmp_path)).returncode == 0


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
