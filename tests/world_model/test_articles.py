"""Articles of the names of classes."""

import pytest

from foretree.world_model.articles import with_article


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mug", "a mug"),
        ("egg", "an egg"),
        ("umbrella", "an umbrella"),
        ("oven_mitt", "an oven mitt"),
        ("usb_stick", "a usb stick"),
        ("hourglass", "an hourglass"),
        ("scissors", "scissors"),
        ("reading_glasses", "reading glasses"),
        ("wine_glass", "a wine glass"),
    ],
)
def test_a_class_is_named_as_people_say(name, said):
    assert with_article(name) == said
