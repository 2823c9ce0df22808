from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from foretree.simulation.grid_homes._object_classes import load_object_classes
from foretree.simulation.grid_homes.home import Home, Posture
from foretree.simulation.grid_homes.layouts.geometry import AHEAD, CELL, Cell, centre_of, distance_to, overlap
from foretree.simulation.grid_homes.layouts.layout import Layout, Piece
from foretree.simulation.grid_homes.layouts.layout_generator import (
    FAMILIES,
    VARIANTS,
    LayoutError,
    generate_layout,
    layout_names,
)

NAMES = layout_names()
ONE_EACH = [f"{family}/{index % VARIANTS}" for index, family in enumerate(FAMILIES)]


def solid_cells(layout: Layout) -> set[Cell]:
    return set(layout.walls) | {cell for piece in layout.pieces for cell in piece.cells}


def walked_cells(layout: Layout, start: Cell) -> set[Cell]:
    """Where a disc gets to, cell by cell, by the distances between its middle and the squares that are solid."""
    solid = solid_cells(layout)

    def is_free(x: float, y: float) -> bool:
        near = product(
            range(int(x / CELL) - 1, int(x / CELL) + 2), range(int(y / CELL) - 1, int(y / CELL) + 2)
        )
        return all(
            distance_to((x, y), (i * CELL, j * CELL, (i + 1) * CELL, (j + 1) * CELL)) >= 0.175
            for i, j in near
            if (i, j) in solid
        )

    seen, todo = {start}, [start]
    while todo:
        here = todo.pop()
        x, y = centre_of(here)
        for di, dj in AHEAD.values():
            cell = here[0] + di, here[1] + dj
            if cell not in seen and all(
                is_free(x + di * CELL * k / 2, y + dj * CELL * k / 2) for k in (1, 2)
            ):
                seen.add(cell)
                todo.append(cell)
    return seen


def shape(layout: Layout) -> tuple[object, ...]:
    return layout.width, layout.height, layout.walls, layout.pieces


def test_there_are_many_layouts_and_no_two_are_alike() -> None:
    assert len({shape(generate_layout(name)) for name in NAMES}) == len(NAMES) >= 100


def test_families_are_either_seen_or_unseen() -> None:
    seen, unseen = layout_names(seen=True), layout_names(seen=False)
    assert sorted([*seen, *unseen]) == sorted(NAMES)
    assert not {name.split("/")[0] for name in seen} & {name.split("/")[0] for name in unseen}
    assert min(len(seen), len(unseen)) >= 50
    for name in (seen[0], unseen[0]):
        assert generate_layout(name).seen is (name in seen)


def test_seen_and_unseen_families_have_the_same_kinds_of_rooms() -> None:
    for seen in (True, False):
        layouts = [generate_layout(name) for name in layout_names(seen)]
        assert {room.kind for layout in layouts for room in layout.rooms} >= {
            "kitchen", "living", "bedroom", "bathroom", "studio"
        }  # fmt: skip
        assert any(len(layout.rooms) >= 4 for layout in layouts)
        assert any(len(layout.rooms) == 1 for layout in layouts)


def test_a_layout_is_the_same_whenever_it_is_drawn() -> None:
    first = generate_layout("loft/3")
    generate_layout.cache_clear()
    assert shape(generate_layout("loft/3")) == shape(first)


@pytest.mark.parametrize("name", ONE_EACH)
def test_the_robot_gets_before_the_front_of_everything(name: str) -> None:
    layout = generate_layout(name)
    reached = walked_cells(layout, min(layout.reachable))
    assert reached == layout.reachable
    for piece in layout.pieces:
        assert layout.spots_before(piece), piece
        for spot in layout.spots_before(piece):
            assert spot in reached


@pytest.mark.parametrize("name", NAMES)
def test_everything_stands_on_its_own_floor(name: str) -> None:
    layout = generate_layout(name)
    bodies = load_object_classes()
    cells = Counter(cell for piece in layout.pieces if piece.base is None for cell in piece.cells)
    assert set(cells.values()) == {1}
    assert not set(cells) & layout.walls
    for piece in layout.pieces:
        body = bodies.furniture[piece.class_name]
        across, along = len(piece.across) * CELL, piece.nx * piece.ny // len(piece.across) * CELL
        assert across in body.widths
        assert along in body.depths
        assert layout.spots_before(piece), piece


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("/2")])
def test_what_stands_on_furniture_stands_within_it_and_beside_the_rest(name: str) -> None:
    layout = generate_layout(name)
    on_top = [piece for piece in layout.pieces if piece.base is not None]
    for piece in on_top:
        assert piece.base is not None
        base = layout.pieces[piece.base]
        assert set(piece.cells) <= set(base.cells)
        assert piece.z == load_object_classes().furniture[base.class_name].height
        assert not any(overlap(piece.foot, other.foot) for other in on_top if other is not piece)


@pytest.mark.parametrize("name", [name for name in NAMES if "flat" in name])
def test_one_gets_from_each_room_into_each(name: str) -> None:
    layout = generate_layout(name)
    for room in layout.rooms:
        assert any(cell in room for cell in layout.reachable)


def test_every_counter_has_room_to_put_something_down() -> None:
    bodies = load_object_classes()
    for name in NAMES:
        layout = generate_layout(name)
        home = Home(layout, bodies, Posture(min(layout.reachable), 0))
        for counter in home.of_class("counter"):
            assert home.spot((0.4, 0.4, 0.2), counter, "on", counter.extent[:3]) is not None, name


def test_every_kitchen_has_what_cooking_takes() -> None:
    takes = ("fridge", "sink", "stove", "microwave", "coffee_machine", "toaster", "cabinet", "drawer", "bin")
    for name in NAMES:
        layout = generate_layout(name)
        if any(room.kind in ("kitchen", "studio") for room in layout.rooms):
            assert all(layout.count(what) for what in takes), name


@pytest.mark.parametrize(("facing", "cell"), [(0, (7, 3)), (90, (4, 6)), (180, (2, 3)), (270, (4, 1))])
def test_one_stands_before_the_front(facing: int, cell: Cell) -> None:
    piece = Piece("table", 4, 3, 2, 2, facing)
    assert piece.before(piece.across[0], 1) == cell


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("loft", "no layout 'loft'. Valid: loft/0 to loft/9"),
        ("loft/10", "no layout 'loft/10'"),
        ("lofft/1", "no family of layouts 'lofft'. Did you mean loft"),
    ],
)
def test_a_name_that_no_layout_has(name: str, message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        generate_layout(name)


@pytest.mark.parametrize("name", ONE_EACH)
def test_the_strips_of_a_layout_are_its_floor_and_the_walls_around_it(name):
    layout = generate_layout(name)

    def cells(strips):
        for low, high in strips:
            assert high[0] - low[0] == pytest.approx(CELL)
            for j in range(round(low[1] / CELL), round(high[1] / CELL)):
                yield round(low[0] / CELL), j

    floor, walls = [*cells(layout.floor_strips())], [*cells(layout.wall_strips())]
    assert sorted(floor) == sorted(layout.floor)
    assert len(walls) == len({*walls})
    assert {*walls} <= layout.walls
    for i, j in floor:
        beside = {(i + di, j + dj) for di in (-1, 0, 1) for dj in (-1, 0, 1)}
        assert beside <= {*floor, *walls}
