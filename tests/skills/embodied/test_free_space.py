from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from foretree.skills.embodied._free_space import has_no_room, is_large, may_not_fit
from foretree.world_model.observation import Covered, Detection, Observation

TABLE = Detection("t", {"table": 1.0}, (0.5, 0.4, 0.4), extent=(0.0, 0.0, 0.0, 1.0, 0.8, 0.75))


def table_with(*footprints: tuple[float, float, float, float], covered: bool = True) -> Observation:
    """A table, one metre by 0.8, with things on it."""
    things = tuple(
        Detection(
            f"d{n}", {"box": 1.0}, (0.0, 0.0, 0.8), rests=("on", "t"), extent=(x0, y0, 0.75, x1, y1, 0.9)
        )
        for n, (x0, y0, x1, y1) in enumerate(footprints)
    )
    return Observation(0.0, "view", (TABLE, *things), (Covered("on", "t"),) if covered else ())


def test_an_empty_table_has_room_for_what_is_smaller():
    assert not has_no_room(table_with(), "t", (0.3, 0.3))
    assert not has_no_room(table_with(), "t", (0.7, 0.95))  # turned
    assert has_no_room(table_with(), "t", (1.2, 0.3))


def test_what_is_there_takes_room():
    left_half = (0.0, 0.0, 0.6, 0.8)
    assert not has_no_room(table_with(left_half), "t", (0.3, 0.3))
    assert has_no_room(table_with(left_half), "t", (0.5, 0.5))


def test_where_it_would_just_not_fit_there_is_no_room():
    all_but_so_much = (0.0, 0.0, 0.98 - 0.26, 0.8)
    looks = (0.27, 0.27)  # of a plate of 0.24
    assert not has_no_room(table_with(all_but_so_much), "t", looks)
    assert has_no_room(table_with((0.0, 0.0, 0.98 - 0.23, 0.8)), "t", looks)


def test_what_one_does_not_see_all_of_may_have_room():
    assert not has_no_room(table_with((0.0, 0.0, 1.0, 0.8), covered=False), "t", (0.3, 0.3))


# -- what is large ---------------------------------------------------------------------------------------


PLATE = (0.25, 0.25)
#: Each leaves room for a plate on either side, and both together nowhere.
LEFT, RIGHT = (0.2, 0.0, 0.4, 0.8), (0.6, 0.0, 0.8, 0.8)


def test_a_plate_is_large_and_a_bottle_is_not():
    assert is_large(PLATE)
    assert not is_large((0.08, 0.3))


def test_what_is_large_is_put_only_where_it_fits_as_everything_looks():
    just_so = (0.0, 0.0, 0.98 - 0.255, 0.8)
    assert may_not_fit([table_with(just_so)], "t", PLATE)
    assert not has_no_room(table_with(just_so), "t", PLATE)
    assert not may_not_fit([table_with((0.0, 0.0, 0.98 - 0.27, 0.8))], "t", PLATE)


def test_what_hides_in_the_last_look_is_remembered():
    assert not may_not_fit([table_with(LEFT)], "t", PLATE)
    assert may_not_fit([table_with(LEFT, RIGHT), table_with(LEFT)], "t", PLATE)


def test_what_a_look_would_have_shown_is_gone():
    def sees(where, size):
        return 0.9 if where[0] > 0.5 else 0.0

    last = replace(table_with(LEFT), shows=sees)
    assert not may_not_fit([table_with(LEFT, RIGHT), last], "t", PLATE)
    assert may_not_fit([table_with(LEFT, RIGHT), replace(table_with(RIGHT), shows=sees)], "t", PLATE)


def test_several_looks_at_a_thing_err_less_than_one():
    right, too_large = (0.0, 0.0, 0.7, 0.8), (0.0, 0.0, 0.74, 0.8)
    assert may_not_fit([table_with(too_large)], "t", PLATE)
    assert not may_not_fit([table_with(right), table_with(right), table_with(too_large)], "t", PLATE)


def test_what_lies_on_other_furniture_takes_no_room():
    other = Detection("o", {"shelf": 1.0}, (1.5, 0.4, 0.4), extent=(0.9, 0.0, 0.0, 2.0, 0.8, 0.75))
    box = Detection(
        "b", {"box": 1.0}, (0.9, 0.4, 0.8), rests=("on", "o"), extent=(0.6, 0.0, 0.75, 1.2, 0.8, 0.9)
    )
    before = Observation(0.0, "view", (other, box))
    assert not may_not_fit([before, table_with(LEFT)], "t", PLATE)


def shelf_with(*things: tuple[float, float]) -> Observation:
    """A shelf, two metres high, with things on its boards: how high each lies, and up to where it reaches."""
    shelf = replace(TABLE, extent=(0.0, 0.0, 0.0, 1.0, 0.8, 2.0))
    boxes = (
        Detection(
            f"b{n}", {"box": 1.0}, (0.4, 0.4, z), rests=("on", "t"), extent=(0.0, 0.0, z, x, 0.8, z + 0.1)
        )
        for n, (z, x) in enumerate(things)
    )
    return Observation(0.0, "view", (shelf, *boxes))


def test_one_board_of_a_shelf_with_room_will_do():
    assert not may_not_fit([shelf_with((0.2, 0.9), (0.7, 0.3))], "t", PLATE)
    assert may_not_fit([shelf_with((0.2, 0.9), (0.7, 0.9))], "t", PLATE)


def test_what_lies_inside_makes_no_room_on_top():
    assert may_not_fit([shelf_with((0.2, 0.3), (1.98, 0.9))], "t", PLATE)
    assert not may_not_fit([shelf_with((0.2, 0.9), (1.98, 0.3))], "t", PLATE)
    assert may_not_fit([shelf_with((1.98, 0.9)), shelf_with((0.2, 0.3))], "t", PLATE)


side = st.floats(0.05, 0.5)
spot = st.floats(0.0, 0.75)


@given(st.lists(st.tuples(spot, spot, side, side), max_size=6), side, side)
def test_where_a_point_of_a_fine_grid_is_free_there_is_room(boxes, wide, deep):
    taken = [(x, y, x + w, y + d) for x, y, w, d in boxes]
    fits = any(
        not any(x < x1 and x0 < x + wide and y < y1 and y0 < y + deep for x0, y0, x1, y1 in taken)
        for x in (0.02 + 0.06 * n for n in range(17))
        for y in (0.02 + 0.06 * n for n in range(14))
        if x + wide <= 0.98 and y + deep <= 0.78
    )
    if fits:
        assert not has_no_room(table_with(*taken), "t", (wide, deep))
