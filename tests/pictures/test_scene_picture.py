"""Pictures of scenes and grid homes: everything has its name, and no name covers another."""

from __future__ import annotations

from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image

from foretree.config import ConfigError, config_files, find_config
from foretree.errors import ForetreeError
from foretree.pictures._site_floors import beside, home_floor, scene_floor
from foretree.pictures.scene_picture import draw_site, open_site, scene_png
from foretree.simulation.household.scene_file import load_scene
from foretree.world_model.maps.building_map import BuildingMap, MapRoom, openings
from foretree.world_model.maps.places import MapError

PATH, CLOSED, THING = (242, 140, 30), (192, 57, 43), (217, 115, 13)
HOMES = ("l_kitchen/3", "quad_flat/1", "angled_living/1")


def floor_of(name):
    if "/" in name:
        return home_floor(open_site(name))
    return scene_floor(load_scene(find_config("scenes", name)))


def amount(picture, colour):
    """How many pixels are nearly of a colour, the legend aside."""
    floor = picture.crop((0, 0, picture.width, picture.height - 60))
    return sum(
        number
        for number, found in floor.getcolors(1 << 24)
        if all(abs(one - other) < 16 for one, other in zip(found, colour, strict=True))
    )


@pytest.mark.parametrize("name", [*config_files("scenes"), *HOMES])
def test_every_name_has_a_place_of_its_own(name):
    drawing = floor_of(name).drawing()
    assert drawing.misfits == 0
    for box in drawing.boxes:
        assert box.left >= 0
        assert box.top >= 0
        assert box.right <= drawing.width
        assert box.bottom <= drawing.height
    for one, other in combinations(drawing.boxes, 2):
        assert not one.overlaps(other)
    for text, box in zip(drawing.texts, drawing.boxes, strict=True):
        # The mark of a room is but a point in its middle.
        marks = [other.mark for other in drawing.texts if other is not text]
        marks = [mark for mark in marks if mark.right - mark.left > 2]
        assert not any(box.overlaps(mark) for mark in marks), text.lines[0]


def test_everything_of_a_scene_is_named():
    scene = load_scene(find_config("scenes", "studio"))
    said = " ".join(line for text in floor_of("studio").drawing().texts for line, _, _ in text.lines)
    for name in (*scene.rooms, *scene.furniture, *scene.items, *scene.people, *scene.doors, scene.robot.name):
        assert name in said
    assert "microwave1 (turned_on)" in said


def test_things_in_things_are_named_with_them():
    said = [line for text in floor_of("office").drawing().texts for line, _, _ in text.lines]
    assert any("chopping_board1 (bread1)" in line for line in said)


def test_a_scene_is_drawn_with_its_closed_doors_and_a_path():
    scene = load_scene(find_config("scenes", "flat"))
    plain = draw_site(scene)
    assert amount(plain, CLOSED) > 500
    assert amount(draw_site(scene, closed=["kitchen_door"]), CLOSED) > amount(plain, CLOSED) + 200
    assert amount(draw_site(scene, path=("fridge1", "tv1")), PATH) > amount(plain, PATH) + 1000
    assert amount(draw_site(scene, path=("fridge1", "bed1")), PATH) == amount(plain, PATH), "it is closed off"
    assert draw_site(scene).tobytes() == plain.tobytes()


def test_the_seed_of_a_home_decides_what_is_in_it():
    one, same, other = (draw_site(open_site("l_kitchen/3", seed)).tobytes() for seed in (0, 0, 6))
    assert one == same
    assert one != other


def test_a_robot_works_beside_furniture_towards_the_room():
    room = MapRoom("kitchen", (0, 0), (6, 5))
    assert beside((3.0, 4.5), room) == (3.0, 4.0)
    assert beside((0.5, 2.5), room) == (1.0, 2.5)
    assert beside((0.5, 2.5), None) == (0.5, 2.0)


def test_openings_are_where_one_passes_without_a_door():
    flat = load_scene(find_config("scenes", "flat"))
    assert openings(flat.rooms, flat.places) == (((7.2, 5.5), (8.8, 5.5)),)
    kitchen = load_scene(find_config("scenes", "kitchen"))
    assert openings(kitchen.rooms, kitchen.places) == ()


@pytest.mark.parametrize("name", ["kitchen", "office", "l_kitchen/3"])
def test_scenes_homes_and_maps_are_drawn_by_name(name):
    picture = Image.open(BytesIO(scene_png(name)))
    assert picture.format == "PNG"
    assert picture.width > 500


def test_a_scene_comes_before_a_map_of_its_name_where_that_is_wanted():
    assert isinstance(open_site("office"), BuildingMap)
    assert open_site("office", scene_first=True).items
    assert scene_png("office") != scene_png("flat")


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../scenes/kitchen", "kitchen.yaml", "/etc/passwd", "l_kitchen/../3", "x\0y"]
)
def test_a_name_does_not_lead_out_of_the_configuration(name, tmp_path, monkeypatch):
    monkeypatch.chdir(find_config("scenes", "kitchen").parent)
    with pytest.raises(ForetreeError, match=r"There is no (scene, map or home called|layout)"):
        scene_png(name)


def test_a_path_is_no_name_for_the_debugger(tmp_path):
    path = str(find_config("scenes", "kitchen"))
    assert open_site(path).name == "kitchen"
    with pytest.raises(ConfigError, match="There is no scene, map or home called"):
        scene_png(path)


def test_a_name_that_is_none_lists_what_is_valid():
    with pytest.raises(ConfigError, match=r"Scenes: arm_and_cart, flat.*Maps: office. Homes: galley_kitchen"):
        scene_png("nope")
    with pytest.raises(ConfigError, match=r"Did you mean kitchen\?"):
        scene_png("kitchn")
    with pytest.raises(ForetreeError, match="Valid: l_kitchen/0 to l_kitchen/9"):
        scene_png("l_kitchen/99")


def test_a_door_that_is_none():
    scene = load_scene(find_config("scenes", "flat"))
    with pytest.raises(MapError, match=r"The scene flat has no door 'foo'\. Valid: bathroom_door"):
        draw_site(scene, closed=["foo"])


def test_files_of_ones_own_are_drawn(tmp_path):
    text = find_config("scenes", "teatime").read_text(encoding="utf-8")
    (tmp_path / "tea.yaml").write_text(text.replace("scene: teatime", "scene: tea"), encoding="utf-8")
    assert open_site(str(tmp_path / "tea.yaml")).name == "tea"
    assert draw_site(open_site(str(tmp_path / "tea.yaml"))).width > 500
