"""``foretree map``, driven as a user drives it."""

from __future__ import annotations

import shlex

import pytest
from PIL import Image

from foretree.bringup.scaffold import create, how_to_try
from foretree.cli import main
from foretree.world_model.maps.map_file import load_map


@pytest.fixture
def foretree(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        with pytest.raises(SystemExit) as left:
            main(list(arguments))
        out, err = capsys.readouterr()
        return left.value.code, out, err

    return run


def test_showing_a_map(foretree):
    code, out, err = foretree("map", "show", "office")
    assert (code, err) == (0, "")
    assert "92 nodes (43 poses, 18 rooms, 31 assets)" in out
    assert "fridge1" in out
    assert "cold" in out


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("kitchen", "in it: milk1, egg1"),
        ("l_kitchen/3", "A home with 16 pieces of furniture"),
        ("teatime", "on it: kettle1, glass1, glass2"),
    ],
)
def test_scenes_and_homes_are_shown_too(foretree, name, says):
    code, out, err = foretree("map", "show", name, "--png", "a.png")
    assert (code, err) == (0, "")
    assert says in out
    assert out.endswith("\nWrote a.png.\n")
    assert Image.open("a.png").width > 500


def test_a_scene_with_the_name_of_a_map(foretree):
    code, out, _ = foretree("map", "show", "office", "--scene", "--path", "dock", "sink1")
    assert code == 0
    assert "old_battery1" in out
    assert "From dock to sink1 it costs" in out


def test_the_seed_of_a_home(foretree):
    assert foretree("map", "show", "l_kitchen/3") != foretree("map", "show", "l_kitchen/3", "--seed", "6")


def test_doors_and_a_path(foretree):
    code, out, _ = foretree(
        "map", "show", "office", "--closed", "kitchen_door, door601", "--path", "fridge1", "table605"
    )
    assert code == 0
    assert "With door601, kitchen_door closed every node can still be reached." in out
    assert "From fridge1 to table605 it costs" in out
    assert "[dining_door]" in out


def test_pictures_and_graphml(foretree, tmp_path):
    code, out, _ = foretree(
        "map", "show", "office", "--png", "a.png", "--graphml", "a.graphml", "--path", "dock", "sink1"
    )
    assert code == 0
    assert Image.open("a.png").width > 1000
    assert out.endswith("\nWrote a.png.\n\nWrote a.graphml.\n")
    code, out, _ = foretree("map", "import", "a.graphml", "-o", "a.yaml")
    assert code == 0
    assert "Wrote a.yaml: 92 nodes, 31 assets." in out
    assert len(load_map(tmp_path / "a.yaml").doors) == 18


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("show", "ofice"), "There is no scene, map or home called 'ofice'. Did you mean office?"),
        (("show", "flat", "--closed", "door6"), "The scene flat has no door 'door6'."),
        (("show", "flat", "--graphml", "a"), "flat is no map of a building: only those are written as"),
        (("show", "l_kitchen/3", "--path", "a", "b"), "l_kitchen/3 is a grid home, which has neither doors"),
        (("show", "no.yaml"), "There is no file 'no.yaml'."),
        (("show", "office", "--closed", "door6"), "The map office has no door 'door6'."),
        (("show", "office", "--path", "fridge1", "table6"), "The map has no node 'table6'."),
        (("show", "office", "--png", "no/a.png"), "Cannot write no/a.png: No such file or directory."),
        (("show", "office", "--png", "a.jpg"), "a.jpg is not the name of a PNG file: call it a.png."),
        (("import", "a.graphml", "-o", "./a.graphml"), "a.graphml is the file that is to be read: write"),
        (("import", "no.graphml", "-o", "a.yaml"), "Cannot read no.graphml: No such file or directory."),
    ],
)
def test_mistakes(foretree, arguments, says):
    code, _, err = foretree("map", *arguments)
    assert code == 2
    assert err.startswith(f"foretree: {says}")
    assert err.count("\n") == 1


def test_a_folder_is_no_picture(foretree, tmp_path):
    (tmp_path / "folder").mkdir()
    code, _, err = foretree("map", "show", "office", "--png", "folder")
    assert code == 2
    assert err.startswith("foretree: Cannot write folder: Is a directory.")


def test_a_new_map_can_be_shown(foretree, tmp_path):
    path = create("map", "cottage", tmp_path)
    assert load_map(path).name == "cottage"
    program, *arguments = shlex.split(how_to_try("map", path))
    assert program == "foretree"
    code, out, _ = foretree(*arguments)
    assert code == 0
    assert Image.open("cottage.png").width > 1000
    assert out.startswith("cottage: Two rooms")
