"""Leave to do without what is not there says nothing about what shall be done."""

from __future__ import annotations

import pytest

from foretree.reasoning.offline.sentences.rewording.speech.permissions import without_permissions


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("Bring the kiwi and the lime to me, as far as they are there.", "Bring the kiwi and the lime to me"),
        ("Wash the pan and the wok; skip what you cannot find.", "Wash the pan and the wok"),
        ("If anything is missing, never mind. Put the hat and the scarf away", "Put the hat and the scarf away"),
        ("Put the pen and the ruler on the desk, but if you can't find one of them, just leave it out.",
         "Put the pen and the ruler on the desk"),
        ("Take the pot and the ladle, whatever is unavailable may be skipped.", "Take the pot and the ladle"),
        ("Put the figs in the bowl (if available)", "Put the figs in the bowl"),
        ("Fetch the fork and the whisk. Don't worry if one of them can't be found.", "Fetch the fork and the whisk"),
    ],
)  # fmt: skip
def test_it_is_left_aside(said, rest):
    assert without_permissions(said) == rest


@pytest.mark.parametrize(
    "said",
    [
        "If there is no pear, bring me a plum.",
        "If the pan is not there, wash the pot.",
        "If something is missing, tell me.",
        "Put everything that is missing on the list",
        "Bring me as many plums as you can find",
        "put the book away as soon as possible",
        "Skip what is not there.",
        "Is anything missing?",
    ],
)
def test_what_says_something_stays(said):
    assert without_permissions(said).rstrip(".") == said.rstrip(".")
