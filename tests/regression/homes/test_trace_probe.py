"""The digest of a record: equal for equal records, whatever the clock on the wall says."""

from __future__ import annotations

from hashlib import sha256

from foretree.regression.homes._draw import home_catalogue
from foretree.regression.homes._episode import TraceProbe
from foretree.runs.encoding import canonical, without_wall

EVENTS = [
    ("log", {"text": 'somebody wrote "wall": on the wall'}),
    ("belief.changed", {"version": 3, "facts": [["clean", "mug1"], "true", 0.9, "look"]}),
    ("session.overrun", {"wall": {"seconds": 0.3}, "period": 0.1}),
    ("models", {"asked": [{"wall": 3, "tokens": 5}]}),
]


def test_a_digest_is_that_of_the_record_without_the_wall():
    probe, plain = TraceProbe(home_catalogue()), sha256()
    for number, (kind, data) in enumerate(EVENTS):
        probe.mark(number, number / 10)
        probe.record(kind, **data)
        plain.update(canonical([number, number / 10, kind, without_wall(data)]).encode())
    assert probe.digest == plain.hexdigest()[:16]


def test_time_on_the_wall_makes_no_other_digest():
    first, other, third = (TraceProbe(home_catalogue()) for _ in range(3))
    first.record("session.overrun", wall={"seconds": 0.3}, period=0.1)
    other.record("session.overrun", wall={"seconds": 0.4}, period=0.1)
    third.record("session.overrun", wall={"seconds": 0.3}, period=0.2)
    assert first.digest == other.digest != third.digest
