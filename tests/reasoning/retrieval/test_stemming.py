"""Words cut down to what their forms have in common."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.reasoning.retrieval._stemming import stem, words_of


@pytest.mark.parametrize(
    "forms",
    [
        "slice slices sliced slicing",
        "wash washes washed washing",
        "dry dries dried drying",
        "chop chops chopped chopping",
        "stir stirs stirred stirring",
        "wipe wipes wiped wiping",
        "knife knives",
        "shelf shelves",
        "glass glasses",
        "cherry cherries",
        "boil boils boiled boiling",
        "press presses pressed pressing",
    ],
)
def test_all_forms_of_a_word_have_one_stem(forms):
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(("one", "other"), [("red", "reed"), ("sing", "s"), ("bus", "bu"), ("bed", "b")])
def test_what_only_looks_like_an_ending_stays(one, other):
    assert stem(one) != stem(other)


def test_a_text_has_words_numbers_and_stops():
    assert words_of("Anna's table, no. 605: the kids' T-shirt!") == [
        "anna", "table", ",", "no", ".", "605", ":", "the", "kids", "t", "shirt", "!",
    ]  # fmt: skip
    assert words_of("table605 ’tis") == ["table", "605", "tis"]


@given(st.text())
def test_any_text_can_be_cut_up(text):
    assert all(stem(word) for word in words_of(text))
