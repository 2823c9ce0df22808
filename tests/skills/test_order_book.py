"""Orders by execution ids."""

from __future__ import annotations

import pytest

from foretree.skills.order_book import OrderBook, not_lost
from foretree.skills.robot import End, Order, Outcome, RobotError

PICK, OPEN = Order("pick", {"target": "mug1"}), Order("open", {"target": "fridge1"})


class Played:
    """An execution with a given end."""

    def __init__(self, end: End | None = None) -> None:
        self.id = "x/1"
        self._end = end

    def poll(self) -> End | None:
        return self._end

    def cancel(self) -> None:
        pass


def refuse() -> Played:
    raise RobotError("held")


def test_an_order_is_begun_once():
    book, begun = OrderBook[Played](), []

    def begin() -> Played:
        begun.append(Played())
        return begun[-1]

    first = book.begin(PICK, "x/1", begin)
    assert book.begin(Order("pick", {"target": "mug1"}), "x/1", begin) is first
    assert book.begin(PICK, "x/2", begin) is not first
    assert begun == book.executions
    with pytest.raises(RobotError, match="'x/1' is taken by another order"):
        book.begin(OPEN, "x/1", begin)
    assert len(begun) == 2


def test_a_refused_order_is_known_to_have_begun_nothing_until_it_begins():
    book = OrderBook[Played]()
    with pytest.raises(RobotError, match="held"):
        book.begin(PICK, "x/1", refuse)
    assert book.was_refused("x/1")
    assert book.find("x/1") is None
    book.begin(PICK, "x/1", Played)
    assert not book.was_refused("x/1")


def test_what_is_found_anew_takes_the_place_of_what_was_lost():
    book = OrderBook[Played]()
    book.begin(PICK, "x/1", lambda: Played(End(Outcome.LOST, "no contact")))
    with pytest.raises(RobotError, match="no contact"):
        not_lost(book.find("x/1"))
    found = Played()
    book.put("x/1", found)
    assert not_lost(book.begin(PICK, "x/1", refuse)) is found
