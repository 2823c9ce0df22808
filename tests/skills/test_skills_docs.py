"""docs/skills.md, done exactly as it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from foretree.planning.plan import Action
from foretree.skills._skill_file import read_skill_file
from foretree.skills.catalogue_file import load_catalogue
from foretree.skills.executors import find_executor
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Entity

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "skills.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`(\S+)`:\n\n```\w+\n(.*?)^```", TEXT, re.M | re.S))
COMMANDS = re.search(r"```bash\n(.*?)```", TEXT, re.S)[1].splitlines()


@pytest.fixture
def followed(tmp_path, monkeypatch):
    """The files of the page written where it says, and the environment set as it says."""
    for path, body in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(body, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        if command.startswith("export "):
            variable, _, value = command.removeprefix("export ").partition("=")
            monkeypatch.setenv(variable, value)
    monkeypatch.syspath_prepend(os.environ["PYTHONPATH"])
    yield tmp_path
    sys.modules.pop("scrubbing", None)


def test_a_skill_takes_less_than_forty_lines():
    assert list(FILES) == ["my_configs/skills/scrub.yaml", "scrubbing.py"]
    assert sum(body.count("\n") for body in FILES.values()) < 40


def test_the_skill_of_the_page_is_in_the_catalogue(followed):
    catalogue = load_catalogue()
    assert catalogue["scrub"].time_out == 90
    assert catalogue.vocabulary["scrubbed"].kind == "attribute"
    assert len(catalogue.skills) == 25


def test_the_class_of_the_page_gives_the_robot_an_order_it_knows(followed):
    catalogue = load_catalogue()
    belief = Belief(catalogue.vocabulary)
    for name, class_name in (("mug1", "mug"), ("sink1", "sink")):
        belief.put_entity(Entity(name, {class_name: 1.0}, (1.0, 2.0, 0.0)))
    orders = []

    class Robot:
        name, hands = "robot1", ("left",)

        def start(self, order, execution_id):
            orders.append(order)

    skill = catalogue["scrub"]
    action = Action("a1", "scrub", ("robot1", "left", "mug1", "sink1"))
    for clean in (False, True):
        belief.tell(("clean", "mug1"), clean)
        find_executor(skill.executor).begin(action, skill, belief.snapshot(), Robot(), "e1")
    assert [(order.skill, order.hand, order.parameters["strokes"]) for order in orders] == [
        ("wash", "left", 20),
        ("wash", "left", 5),
    ]


def test_the_command_of_the_page_works(followed):
    [command] = [command for command in COMMANDS if command.startswith("foretree ")]
    done = subprocess.run(
        [sys.executable, "-m", "foretree", *shlex.split(command)[1:]],
        env={**os.environ, "PYTHONPATH": f"{os.environ['PYTHONPATH']}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_key_is_in_the_table_with_its_default():
    rows = dict(re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", TEXT.split("## The keys")[1], re.M))
    given = read_skill_file(ROOT / "configs/skills/pick.yaml", load_catalogue().domain).entry
    assert set(type(given).model_fields) <= set(rows)
    for key, told in rows.items():
        default = getattr(Skill, key, None)
        if isinstance(default, float):
            assert float(told) == default, key
        elif isinstance(default, (bool, int, str)):
            assert told.strip("`") == str(default).lower(), key
