from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.simulation.grid_homes.layouts.geometry import (
    GAP,
    Rectangle,
    centre_of,
    distance_to,
    foot_of,
    free_spot,
    moved,
    overlap,
)

WITHIN: Rectangle = (1.0, 2.0, 2.2, 2.6)
sizes = st.sampled_from([0.1, 0.2, 0.3, 0.4])
corners = st.integers(0, 20).map(lambda k: k * 0.05)


@st.composite
def rectangles(draw: st.DrawFn) -> Rectangle:
    x, y = WITHIN[0] + draw(corners), WITHIN[1] + draw(corners) / 2
    return x, y, x + draw(sizes), y + draw(sizes)


def fits(spot: Rectangle, taken: list[Rectangle]) -> bool:
    inside = (
        spot[0] >= WITHIN[0] - 1e-9
        and spot[1] >= WITHIN[1] - 1e-9
        and spot[2] <= WITHIN[2] + 1e-9
        and spot[3] <= WITHIN[3] + 1e-9
    )
    return inside and not any(overlap(spot, other) for other in taken)


def test_a_cell_has_its_middle_between_its_edges() -> None:
    assert centre_of((0, 3)) == (0.125, 0.875)


def test_rectangles_that_touch_do_not_overlap() -> None:
    assert not overlap((0, 0, 1, 1), (1, 0, 2, 1))
    assert overlap((0, 0, 1, 1), (0.9, 0.9, 2, 2))
    assert overlap((0, 0, 1, 1), (1, 0, 2, 1), GAP)


@pytest.mark.parametrize(("point", "away"), [((0.5, 0.5), 0.0), ((2.0, 0.5), 1.0), ((4.0, 5.0), 5.0)])
def test_how_far_a_point_is_from_a_rectangle(point: tuple[float, float], away: float) -> None:
    assert distance_to(point, (0, 0, 1, 1)) == pytest.approx(away)


def test_an_extent_keeps_its_size_when_it_moves() -> None:
    assert moved((0, 0, 0, 1, 2, 3), (1, 1, 1)) == (1, 1, 1, 2, 3, 4)
    assert foot_of((0, 1, 2, 3, 4, 5)) == (0, 1, 3, 4)


def test_a_wish_that_can_be_granted_is_granted() -> None:
    assert free_spot(WITHIN, [], (0.2, 0.2), (1.5, 2.3)) == pytest.approx((1.4, 2.2, 1.6, 2.4))


@given(st.lists(rectangles(), max_size=8), sizes, sizes)
def test_a_free_spot_is_free(taken: list[Rectangle], wide: float, deep: float) -> None:
    spot = free_spot(WITHIN, taken, (wide, deep), (1.6, 2.3))
    if spot is not None:
        assert fits(spot, taken)
        assert (spot[2] - spot[0], spot[3] - spot[1]) == pytest.approx((wide, deep))


@given(st.lists(rectangles(), max_size=8), sizes, sizes)
def test_there_is_no_room_only_where_nobody_finds_any(
    taken: list[Rectangle], wide: float, deep: float
) -> None:
    if free_spot(WITHIN, taken, (wide, deep), (1.6, 2.3)) is not None:
        return
    wider = [(x0 - GAP, y0 - GAP, x1 + GAP, y1 + GAP) for x0, y0, x1, y1 in taken]
    for a, b in product(range(25), range(13)):
        x, y = WITHIN[0] + a * 0.05, WITHIN[1] + b * 0.05
        assert not fits((x, y, x + wide, y + deep), wider)
