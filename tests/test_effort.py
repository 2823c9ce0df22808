"""How tests measure and wait."""

import re
from pathlib import Path

import pytest
from effort import growth, process_times_as_much, times_as_much
from waiting import until

TESTS = Path(__file__).parent

#: Modules that read a clock of their own, and why.
READ_CLOCKS = {
    "effort.py": "compares with a peer",
    "waiting.py": "waits",
    "test_effort.py": "is this one",
    "hostile.py": "says by hand how many inputs there are in a second",
    "test_programs.py": "burns so much in a child, and checks that as much is counted",
    "test_runner.py": "the same",
}


def test_nobody_else_reads_a_clock_of_the_processor():
    """Who does compares, sooner or later, with a constant, and fails on a slower machine."""
    clock = re.compile(r"\b(process_time|thread_time|perf_counter|getrusage|times\(\)\.user)\b")
    found = {path.name for path in TESTS.rglob("*.py") if clock.search(path.read_text(encoding="utf-8"))}
    assert found <= set(READ_CLOCKS), "compare with a peer by tests/effort.py, or move it to benchmarks/"


def test_growth_tells_a_line_from_a_square():
    assert growth(lambda size: sum(range(100 * size)), 30, 300) < 30
    assert growth(lambda size: [sum(range(10 * size)) for _ in range(size)], 30, 300) > 30


def test_ten_times_the_work_is_about_ten_times_the_effort():
    assert 4 < times_as_much(lambda: sum(range(3_000_000)), lambda: sum(range(300_000))) < 25


def test_processes_are_compared_with_processes():
    busy = ["-c", "sum(range(10_000_000))"]
    assert process_times_as_much(busy, ["-c", "pass"]) > 2
    with pytest.raises(AssertionError, match="ended with 3"):
        process_times_as_much(["-c", "raise SystemExit(3)"], ["-c", "pass"], rounds=1)


def test_what_was_waited_for_in_vain_is_said():
    assert until(lambda: 3, "never") == 3
    with pytest.raises(AssertionError, match=r"waited 0 s in vain: the kettle boils"):
        until(lambda: False, lambda: "the kettle boils", patience=0.0)
