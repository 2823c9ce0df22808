"""The clock of a ROS node."""

import threading
import time

import pytest

from foretree.bringup.ros.clock import RosClock


class Source:
    """A simulation that says what time it is."""

    def __init__(self, seconds=0.0):
        self.seconds = seconds

    def __call__(self):
        return int(self.seconds * 1e9)


def sleeper(clock, instant):
    thread = threading.Thread(target=clock.sleep_until, args=[instant], daemon=True)
    thread.start()
    return thread


def test_real_time_goes_on_from_zero():
    clock = RosClock()
    assert 0 <= clock.now() < 60
    before = clock.now()
    clock.sleep_until(before + 0.02)
    assert clock.now() >= before + 0.02 - 1e-5
    clock.sleep_until(0.0)  # past: at once


def test_simulated_time_begins_with_its_first_message():
    source = Source(0.0)
    clock = RosClock(source, simulated_time=True)
    source.seconds = 1_000_000.0
    assert clock.now() == 0.0
    source.seconds = 1_000_000.5
    assert clock.now() == 0.5


def test_it_never_goes_back():
    source = Source(100.0)
    clock = RosClock(source, simulated_time=True)
    source.seconds = 107.0
    assert clock.now() == 7.0
    source.seconds = 3.0  # a bag that starts over
    assert clock.now() == 7.0
    source.seconds = 4.0
    assert clock.now() == 8.0


def test_a_wait_ends_when_the_simulation_has_come_so_far():
    source = Source(1.0)
    clock = RosClock(source, simulated_time=True)
    waiting = sleeper(clock, 0.3)
    source.seconds = 1.2
    clock.changed()
    waiting.join(0.3)
    assert waiting.is_alive()
    source.seconds = 1.3
    clock.changed()
    waiting.join(60)
    assert not waiting.is_alive()


def test_sums_of_floats_do_not_make_it_wait_for_ever():
    source = Source(0.1)
    clock = RosClock(source, simulated_time=True)
    source.seconds = 0.4
    clock.sleep_until(0.1 + 0.1 + 0.1)  # a little more than 0.3


@pytest.mark.parametrize("end", ["wake", "close"])
def test_a_wait_can_be_ended_though_the_simulation_stands_still(end):
    clock = RosClock(Source(5.0), simulated_time=True)
    waiting = sleeper(clock, 1000.0)
    waiting.join(0.05)
    assert waiting.is_alive()
    getattr(clock, end)()
    waiting.join(60)
    assert not waiting.is_alive()


def test_once_closed_it_goes_on_in_real_time():
    clock = RosClock(Source(5.0), simulated_time=True)
    clock.close()
    clock.close()
    before, begun = clock.now(), time.monotonic()
    clock.sleep_until(before + 0.05)
    assert time.monotonic() - begun >= 0.049
    assert clock.now() >= before + 0.05 - 1e-5
