"""Work on a thread of its own."""

import threading

import pytest

from foretree.reasoning.models.background import in_background


def test_what_comes_of_it_is_in_the_future():
    here = threading.current_thread()
    assert in_background(lambda: threading.current_thread() is not here, "work").result(5) is True


def test_so_is_what_goes_wrong_with_it():
    with pytest.raises(ZeroDivisionError):
        in_background(lambda: 1 // 0, "work").result(5)


def test_what_has_begun_goes_on_and_holds_up_nobody():
    gate = threading.Event()
    future = in_background(lambda: gate.wait(5), "work")
    assert not future.cancel()
    assert not future.done()
    gate.set()
    assert future.result(5) is True
