"""Purposes of things."""

from __future__ import annotations

import pytest

from foretree.errors import ForetreeError
from foretree.world_model.affordances.purposes import load_purposes, purposes_of, rank_for
from foretree.world_model.affordances.shipped import common_placer


def test_each_name_is_one_of_a_listed_class() -> None:
    known = load_purposes()
    names = {name for one in known.purposes for name in (*one.made, *one.serves)} | known.alone
    assert names
    assert {name for name in names if common_placer().place(name).confidence < 1.0} == set()


def test_what_stands_alone_is_made_for_no_purpose() -> None:
    known = load_purposes()
    assert not known.alone.intersection(*[{name for one in known.purposes for name in one.made}])


def test_a_class_has_the_purposes_of_all_its_names() -> None:
    placer = common_placer()
    assert [one.name for one in purposes_of("flashlight", placer) or ()] == ["to see in the dark with"]
    assert purposes_of("torch", placer) == purposes_of("flashlight", placer)


def test_what_is_made_for_a_purpose_comes_before_what_only_serves() -> None:
    placer = common_placer()
    purposes = purposes_of("torch", placer) or ()
    lantern, phone = (rank_for(purposes, name, placer) for name in ("lantern", "phone"))
    assert lantern is not None
    assert phone is not None
    assert lantern < phone
    assert rank_for(purposes, "remote", placer) is None


def test_what_nothing_replaces_differs_from_what_is_not_known() -> None:
    assert purposes_of("passport", common_placer()) == ()
    assert purposes_of("glorp", common_placer()) is None


def test_a_name_that_is_listed_twice_is_a_mistake(tmp_path) -> None:
    path = tmp_path / "purposes.yaml"
    path.write_text("purposes:\n  to sit on: {made: [chair, stool, chair]}\n")
    with pytest.raises(ForetreeError, match=r"'chair' is listed for the second time"):
        load_purposes(path)
