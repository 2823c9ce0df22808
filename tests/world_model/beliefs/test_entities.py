"""What an entity is taken for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from foretree.world_model.beliefs.entities import Entity, best_of

SCORES = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([0.0, 0.1, 0.3, 0.5]), min_size=1)


@given(SCORES)
def test_the_best_class_is_the_likeliest_and_of_several_the_first_by_name(classes: dict[str, float]):
    best = sorted(classes, key=lambda name: (-classes[name], name))[0]
    assert best_of(classes) == Entity("thing1", classes).best_class == best


def test_what_is_of_no_class_has_no_best_one():
    assert Entity("thing1", {}).best_class == ""
