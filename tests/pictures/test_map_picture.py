"""Pictures of maps."""

from __future__ import annotations

import pytest
from PIL import Image

from foretree.config import find_config
from foretree.pictures._canvas import lay_out
from foretree.pictures.map_picture import LONGEST, SCALE, draw
from foretree.world_model.maps.building_map import MapRoom
from foretree.world_model.maps.map_builder import MapBuilder
from foretree.world_model.maps.map_file import load_map
from foretree.world_model.maps.places import MapError

PATH, CLOSED, HIGHLIGHT = (242, 140, 30), (192, 57, 43), (255, 216, 77)


@pytest.fixture(scope="module")
def office():
    return load_map(find_config("maps", "office"))


@pytest.fixture(scope="module")
def plain(office):
    return draw(office)


def amount(picture, colour):
    """How many pixels are nearly of a colour, the legend aside."""
    floor = picture.crop((0, 0, picture.width, picture.height - 84))
    return sum(
        number
        for number, found in floor.getcolors(1 << 24)
        if all(abs(one - other) < 16 for one, other in zip(found, colour, strict=True))
    )


def test_the_floor_is_to_scale(office, plain):
    rooms: list[MapRoom] = list(office.rooms.values())
    wide = max(room.high[0] for room in rooms) - min(room.low[0] for room in rooms)
    assert 0 < plain.width - wide * SCALE < 100
    assert plain.mode == "RGB"


def test_a_path_is_shown(office, plain):
    path = office.places.path("fridge1", "table605")
    drawn = draw(office, path=path.nodes)
    # The line is five pixels wide; names and nodes cover some of it.
    assert amount(drawn, PATH) - amount(plain, PATH) > 3 * path.cost / 10 * SCALE


def test_closed_doors_are_shown(office, plain):
    before = amount(plain, CLOSED)
    one = amount(draw(office, closed=["kitchen_door"]), CLOSED) - before
    assert one > 3 * 0.9 * SCALE
    assert amount(draw(office, closed=list(office.doors)), CLOSED) - before > 12 * one


def test_nodes_are_pointed_out(office, plain):
    lit = draw(office, highlight=["couch1", "lobby", "dock"])
    assert amount(lit, HIGHLIGHT) > amount(plain, HIGHLIGHT) + 200


def test_drawing_repeats(office, plain):
    assert draw(office).tobytes() == plain.tobytes()


def test_every_name_finds_a_place(office, monkeypatch):
    laid_out = []

    def recorded(*arguments):
        laid_out.extend(lay_out(*arguments))
        return laid_out

    monkeypatch.setattr("foretree.pictures.map_picture.lay_out", recorded)
    draw(office)
    assert len(laid_out) == 43 + 18 + 31 + 18
    assert None not in laid_out


def test_what_is_not_there(office):
    with pytest.raises(MapError, match="no node 'tabel605'"):
        draw(office, path=["fridge1", "tabel605"])
    with pytest.raises(MapError, match="no node 'couch2'"):
        draw(office, highlight=["couch2"])
    with pytest.raises(MapError, match="no door 'door666'"):
        draw(office, closed=["door666"])
    with pytest.raises(MapError, match="from fridge1 to table605, but the map has no edge between them"):
        draw(office, path=["fridge1", "table605"])


def test_an_image_that_is_none(tmp_path):
    image = tmp_path / "fridge.png"
    image.write_text("not a picture")
    builder = MapBuilder("flat")
    builder.room("kitchen", (0, 0), (4, 4))
    builder.asset("fridge1", "fridge", "kitchen", (1, 3), image=image, caption="Cold.")
    builder.way("kitchen", "fridge1")
    with pytest.raises(MapError, match=r"The image of fridge1, .*fridge\.png, cannot be shown"):
        draw(builder.build())


def test_a_long_floor_is_drawn_smaller():
    builder = MapBuilder("mall")
    for index in range(60):
        builder.room(f"shop{index}", (5 * index, 0), (5 * index + 5, 4))
        if index:
            builder.way(f"shop{index - 1}", f"shop{index}")
    picture = draw(builder.build())
    assert LONGEST < picture.width < LONGEST + 100
    assert picture.height < 300


def test_a_small_map_has_room_for_its_legend():
    builder = MapBuilder("hut", "One room.")
    builder.room("hut", (-1, -1), (1, 1))
    picture = draw(builder.build(), path=["hut"])
    assert isinstance(picture, Image.Image)
    assert picture.width > 1000
