"""The documentation: up to date, its links lead somewhere, its examples work."""

from __future__ import annotations

import importlib
import importlib.util
import re
import shlex
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest
import yaml
from PIL import Image
from typer.main import get_command
from typer.testing import CliRunner

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.bringup.scaffold import create
from foretree.cli import app
from foretree.config import find_config
from foretree.pictures.map_picture import draw
from foretree.pictures.scene_picture import draw_site, open_site
from foretree.simulation.household.scene_file import load_scene
from foretree.world_model.maps.map_file import load_map
from foretree.world_model.ontology_file import load_ontology

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}

#: Commands that consist of commands: ``foretree map show``.
GROUPS = {name for name, command in get_command(app).commands.items() if hasattr(command, "commands")}


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXTS[page], re.M | re.S)


@pytest.fixture(scope="module")
def generate():
    specification = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", TEXTS)
def test_generated_parts_are_up_to_date(generate, page):
    if "<!-- generated" in TEXTS[page]:
        assert generate.renewed(TEXTS[page]) == TEXTS[page], "run `make docs`"


def test_every_generated_part_is_used(generate):
    used = {name for text in TEXTS.values() for name in re.findall(r"<!-- generated: (\w+) -->", text)}
    assert used == set(generate.PARTS)


@pytest.mark.parametrize("page", TEXTS)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", TEXTS[page]):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


def anchors(text: str) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_page_is_in_the_index():
    listed = set(re.findall(r"\]\((\w+\.md)", TEXTS["docs/index.md"]))
    assert listed == {page.name for page in (ROOT / "docs").glob("*.md")} - {"index.md"}


@pytest.mark.parametrize("page", TEXTS)
def test_commands_and_options_are_there(page):
    for block in blocks(page, "bash"):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["foretree"] and len(words) > 1 and not words[1].startswith("-"):
                options = [word for word in words[2:] if re.match(r"--?[a-z]", word)]
                command = words[1:3] if words[1] in GROUPS else words[1:2]
                known = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "200"})
                assert known.exit_code == 0, line
                for option in options:
                    assert re.search(rf"(^|\s){option}\b", known.output), (line, option)


def test_instructions_are_understood():
    """Every instruction in quotes in an example, in the scene that the example names."""
    asked = set()
    for page in TEXTS:
        for block in blocks(page, "bash"):
            for found in re.finditer(r'^foretree (?:run|plan) "([^"…]+)"(.*)$', block, re.M):
                if "--scene bar.yaml" in found[2]:
                    continue  # the tutorial has a test of its own
                scene = re.search(r"--scene (\w+)", found[2])
                asked.add((found[1], scene[1] if scene else "kitchen"))
    # docs/skills.md teaches the robot to scrub first; it has a test of its own.
    asked = {(instruction, scene) for instruction, scene in asked if "scrub" not in instruction}
    assert len(asked) >= 4
    for instruction, scene in sorted(asked):
        session, _ = open_household(scene, Wish(instruction), Options(faults=()))
        assert session.run().reached, instruction


def test_faults_make_sense():
    for page in TEXTS:
        for line in TEXTS[page].splitlines():
            if "--scene bar.yaml" in line:
                continue
            scene = re.search(r"--scene (\w+)", line)
            for fault in re.findall(r'--fault "([^"]+)"', line):
                where = scene[1] if scene else "kitchen"
                open_household(where, Wish("open the fridge"), Options(faults=(fault,)))


def test_the_scene_of_the_page(tmp_path):
    text, _ = blocks("docs/scenes.md", "yaml")
    (tmp_path / "breakfast.yaml").write_text(text, encoding="utf-8")
    scene = load_scene(tmp_path / "breakfast.yaml", load_ontology(find_config("domains", "household")))
    for instruction in scene.instructions:
        session, world = open_household(scene, Wish(instruction), Options(seed=1))
        result = session.run()
        assert result.reached, result
        assert any(fault.what.endswith("move mango1 shelf1") for fault in world.injected)


def test_the_scene_on_a_map_of_the_page(tmp_path, capsys):
    _, text = blocks("docs/scenes.md", "yaml")
    [program] = blocks("docs/scenes.md", "python")
    (tmp_path / "breakfast.yaml").write_text(text, encoding="utf-8")
    scene = load_scene(tmp_path / "breakfast.yaml")
    exec(program, {"scene": scene})
    said = program.split("# ")[1].strip().split(" … ")
    printed = capsys.readouterr().out.strip()
    assert printed.startswith(said[0])
    assert printed.endswith(said[1])


def test_every_deed_is_explained():
    from foretree.simulation.household._disturbances import _GRAMMAR

    rows = " ".join(re.findall(r"^\| (`.*?) \|", TEXTS["docs/scenes.md"], re.M))
    for deed in _GRAMMAR:
        opening = " ".join(word for word in deed.split()[:2] if word.islower())
        assert f"`{opening}" in rows, deed


def test_every_key_of_a_scene_is_explained():
    from foretree.simulation.household.scene_file import _MapFile, _RoomsFile

    rows = re.findall(r"^\| `(\w+)` \|", TEXTS["docs/scenes.md"].split("## Keys")[1].split("##")[0], re.M)
    assert sorted(rows) == sorted({**_RoomsFile.model_fields, **_MapFile.model_fields})


def test_the_agent_of_the_page(tmp_path, monkeypatch):
    [agent] = blocks("docs/agents.md", "yaml")
    [module] = blocks("docs/agents.md", "python")
    (tmp_path / "my_agent.yaml").write_text(agent, encoding="utf-8")
    (tmp_path / "announcing.py").write_text(module, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    from foretree.runs.events import Tape

    tape = Tape()
    options = Options(agent=str(tmp_path / "my_agent.yaml"))
    session, _ = open_household("kitchen", Wish("open the fridge"), options, recorder=tape)
    assert session.run().reached
    assert tape.of("log")[0].data["text"].startswith("I shall see to it that")
    sys.modules.pop("announcing", None)


def test_every_node_of_an_agent_is_explained():
    from foretree.agent.agent_file import read_agent
    from foretree.trees.agent_tree import _TreeBuilder

    session, _ = open_household("kitchen", Wish("open the fridge"))
    builder = _TreeBuilder(read_agent(), session.context, session.mission, None)
    text = TEXTS["docs/agents.md"]
    for name in (*builder._leaves, *builder._decorators):
        assert re.search(rf"^\| `{name}[:`]", text, re.M), name


def test_every_setting_is_in_the_agents_file():
    from dataclasses import fields

    from foretree.agent.settings import Settings

    given = yaml.safe_load((ROOT / "configs/agents/default.yaml").read_text(encoding="utf-8"))["settings"]
    assert list(given) == [field.name for field in fields(Settings)]


def test_the_robot_of_the_page(tmp_path, monkeypatch, capsys):
    template, example = blocks("docs/robots.md", "python")
    path = create("robot", "my_robot", tmp_path)
    assert path.read_text(encoding="utf-8") == template
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(compile(example, "docs/robots.md", "exec"), names)
    assert names["tree"].root.status is names["py_trees"].common.Status.SUCCESS
    assert "place_on" in capsys.readouterr().out
    sys.modules.pop("my_robot", None)


def test_the_compressed_map_of_the_page():
    example = blocks("docs/planning.md", "python")[0]
    exec(compile(example, "docs/planning.md", "exec"), {})


def test_reading_and_filming_a_run(tmp_path, monkeypatch, capsys):
    example, *others, filming = blocks("docs/runs.md", "python")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))
    arguments = [
        "run",
        "put the mango into the fridge",
        "--fault",
        "after 1: move mango1 on table2",
        "--plain",
    ]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    exec(compile(example, "docs/runs.md", "exec"), {})
    assert "mango1" in capsys.readouterr().out
    for each in (*others, filming):
        exec(compile(each, "docs/runs.md", "exec"), {})
    assert Image.open("mango.gif").size[0] == 640


def test_every_dependency_has_its_licence():
    packaging = pytest.importorskip("packaging.requirements")
    shipped = set()
    for text in requires("foretree") or ():
        requirement = packaging.Requirement(text)
        extras = ("bags", "engines", "film", "homes", "llm", "mcap", "parquet", "view")
        taken = requirement.marker is None or any(requirement.marker.evaluate({"extra": e}) for e in extras)
        if taken and requirement.name != "foretree":
            shipped.add(requirement.name.lower().replace("-", "_"))
    named = re.findall(r"^\| `([^`]+)` \|", TEXTS["docs/licences.md"], re.M)
    assert shipped == {name.lower().replace("-", "_") for name in named}


def test_the_picture_shows_a_run():
    picture = (ROOT / "docs/images/run.svg").read_text(encoding="utf-8").replace("&#160;", " ")
    assert "revised by rules" in picture
    assert "discrepancy" in picture


def test_the_film_shows_the_same_run():
    film = Image.open(ROOT / "docs/images/run.gif")
    assert film.width == 800
    assert film.n_frames > 40
    assert (ROOT / "docs/images/run.gif").stat().st_size < 1_500_000


@pytest.mark.parametrize(("name", "file"), [("flat", "flat.png"), ("l_kitchen/3", "home.png")])
def test_pictures_show_a_scene_and_a_home(name, file):
    assert Image.open(ROOT / "docs/images" / file).size == draw_site(open_site(name)).size


def test_the_picture_shows_the_office():
    picture = Image.open(ROOT / "docs/images/office.png")
    office = load_map(find_config("maps", "office"))
    assert picture.size == draw(office).size


def test_the_words_of_the_design_are_explained():
    words = (
        "Instruction Goal Entity Fact Belief Observation Skill Action Plan Assumption Robot Execution Executive "
        "Expectation Guard Discrepancy Reviser Revision Clock Session Run Scenario Suite"
    )
    for word in words.split():
        assert f"**{word}**" in TEXTS["docs/concepts.md"], word


def test_the_rooms_of_the_page_are_the_rooms_of_the_house():
    text = TEXTS["docs/concepts.md"].split("## The house")[1]
    named = set(re.findall(r"^\| `(\w+)/` \|", text, re.M)) | set(
        re.findall(r"^\| `(\w+)\.py` \|", text, re.M)
    )
    package = ROOT / "foretree"
    built = {path.parent.name for path in package.glob("*/__init__.py")}
    built |= {path.stem for path in package.glob("*.py") if not path.stem.startswith("_")}
    assert named == built | {"perception"}


def test_the_new_names_of_renamed_things_exist():
    rows = re.findall(r"^\| `[^`]+` \| `([\w.]+)` \|$", TEXTS["docs/renames.md"], re.M)
    assert len(rows) > 200
    wrong = []
    for name in rows:
        parts = ["foretree", *name.removeprefix("foretree.").split(".")]
        if parts[1][0].isupper():
            continue  # a method or field, beside the class that the row above names
        found = len(parts)
        while found and not _is_module(parts[:found]):
            found -= 1
        rest = parts[found:]
        if rest and not hasattr(importlib.import_module(".".join(parts[:found])), rest[0]):
            wrong.append(name)
    assert wrong == []


def _is_module(parts):
    try:
        importlib.import_module(".".join(parts))
    except ModuleNotFoundError:
        return False
    return True
