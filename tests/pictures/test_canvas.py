"""Where names go in a picture."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.pictures._canvas import Label, Rectangle, lay_out

PAGE = Rectangle(0, 0, 200, 100)


def test_boxes():
    box = Rectangle(10, 10, 30, 20)
    assert box.overlaps(Rectangle(29, 19, 40, 40))
    assert not box.overlaps(Rectangle(30, 10, 40, 20))
    assert box.within(PAGE)
    assert not Rectangle(-1, 0, 5, 5).within(PAGE)


def test_lines_through_a_box():
    box = Rectangle(10, 10, 30, 20)
    assert box.crossed_by((0, 0, 40, 30))
    assert box.crossed_by((15, 0, 15, 100))
    assert box.crossed_by((12, 12, 14, 14))
    assert not box.crossed_by((5, 0, 5, 100))
    assert not box.crossed_by((0, 0, 9, 9))
    assert not box.crossed_by((0, 30, 40, 21))


def test_a_name_stands_below_what_it_names():
    mark = Rectangle(95, 45, 105, 55)
    [place] = lay_out([Label(40, 10, mark)], [mark], [], PAGE)
    assert place == Rectangle(80, 57.5, 120, 67.5)


def test_a_name_avoids_lines():
    mark = Rectangle(95, 45, 105, 55)
    [place] = lay_out([Label(40, 10, mark)], [mark], [(100, 60, 100, 100)], PAGE)
    assert place == Rectangle(80, 32.5, 120, 42.5)


def test_a_name_that_fits_nowhere_is_left_out():
    mark = Rectangle(95, 45, 105, 55)
    assert lay_out([Label(40, 10, mark)], [PAGE], [], PAGE) == [None]
    assert lay_out([Label(300, 10, mark)], [], [], PAGE) == [None]


sizes = st.floats(5, 60)
marks = st.builds(
    lambda x, y, side: Rectangle(x, y, x + side, y + side),
    st.floats(0, 190),
    st.floats(0, 90),
    st.floats(2, 10),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(sizes, st.floats(5, 15), marks), max_size=12))
def test_names_do_not_overlap(wanted):
    taken = [mark for *_, mark in wanted]
    places = lay_out([Label(*one) for one in wanted], taken, [], PAGE)
    put = [place for place in places if place is not None]
    assert all(not one.overlaps(other) for one, other in combinations(put, 2))
    assert all(not place.overlaps(mark) for place in put for mark in taken)
    assert all(place.within(PAGE) for place in put)
