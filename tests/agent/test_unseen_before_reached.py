"""Goals that hold only as long as nobody looks."""

from foretree.bringup.embedded import run


def test_what_nobody_has_seen_is_looked_at_before_it_counts_as_reached():
    """The microwave of the studio runs, and the robot, which stands in another room, does not know."""
    result = run("make sure that the microwave is off", "studio")
    assert (result.outcome, result.counts["done"]) == ("reached", 3)


def test_what_is_known_needs_no_look():
    result = run("make sure that the fridge is closed", "kitchen")
    assert (result.outcome, result.counts.get("done", 0)) == ("reached", 0)
