from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from foretree.skills.embodied.room import has_no_room
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
