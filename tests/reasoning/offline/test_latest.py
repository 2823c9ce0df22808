"""What is kept of the latest situations."""

from __future__ import annotations

from foretree.reasoning.offline.phrases.latest import Latest


def test_a_value_is_found_again_by_the_same_objects_and_by_no_equal_ones():
    latest, one, other = Latest[list[str]](), ["scene"], ["scene"]
    made = latest.of((one,), list)
    assert latest.of((one,), list) is made
    assert latest.of((other,), list) is not made


def test_only_the_latest_are_kept():
    latest, parts = Latest[object](), [([number],) for number in range(7)]
    values = [latest.of(part, object) for part in parts]
    assert latest.of(parts[6], object) is values[6]
    assert latest.of(parts[0], object) is not values[0]
