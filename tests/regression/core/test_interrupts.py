from __future__ import annotations

import signal
import threading

import pytest

from foretree.regression.core.interrupts import ctrl_c, interrupted_once


@pytest.fixture(autouse=True)
def handler():
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def test_it_is_read_however_often_it_is_pressed_and_strikes_nowhere():
    before = signal.getsignal(signal.SIGINT)
    with ctrl_c() as stop:
        assert not stop.poll()
        for _ in range(100_000):  # more than a pipe holds, if each were a message
            signal.raise_signal(signal.SIGINT)
        assert stop.poll()
    assert signal.getsignal(signal.SIGINT) is before


def test_afterwards_it_strikes_as_before():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with ctrl_c():
        pass
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_who_was_heard_within_does_not_interrupt_what_is_around_it():
    before = signal.getsignal(signal.SIGINT)
    with interrupted_once():
        with ctrl_c() as stop:
            signal.raise_signal(signal.SIGINT)
            assert stop.poll()
        signal.raise_signal(signal.SIGINT)  # heard a second time, just when the report is to be written
    signal.raise_signal(signal.SIGINT)
    signal.signal(signal.SIGINT, before)
    with interrupted_once(), ctrl_c():
        pass
    assert signal.getsignal(signal.SIGINT) is before


def test_who_was_not_heard_within_interrupts():
    with interrupted_once():
        with ctrl_c():
            pass
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_who_ignores_it_goes_on_ignoring_it():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with ctrl_c() as stop:
        signal.raise_signal(signal.SIGINT)
        assert not stop.poll()


def test_another_thread_may_use_it_and_hears_nothing():
    heard = []

    def listen() -> None:
        with ctrl_c() as stop:
            heard.append(stop.poll())

    thread = threading.Thread(target=listen)
    thread.start()
    thread.join()
    assert heard == [False]
