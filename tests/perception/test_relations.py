from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from home_frames import LENS, BodiesBearing, block, cabinet, class_names, scene, seen_in_homes, table
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.config import find_config
from foretree.perception._frame_geometry import frame_geometry
from foretree.perception.relations import (
    AffordedBearing,
    SupportRelation,
    find_support_relations,
    without_cycles,
)
from foretree.world_model.camera_model import Stance
from foretree.world_model.ontology_file import load_ontology

BEARING = BodiesBearing()
#: A basket of five boxes, with room in it.
BASKET = [
    block(1.7, 0, 0.75, 0.3, 0.24, 0.07),
    *(block(1.7 + dx, dy, 0.82, *size, 0.07) for dx, dy, size in (
        (-0.145, 0, (0.01, 0.24)), (0.145, 0, (0.01, 0.24)), (0, -0.115, (0.3, 0.01)), (0, 0.115, (0.3, 0.01)),
    )),
]  # fmt: skip


def resting(frame) -> dict[str, tuple[str, str] | None]:
    names = class_names(frame)
    rests = find_support_relations(frame_geometry(frame, LENS), names, BEARING)
    return {
        name: None if rest is None else (rest.relation, names[rest.support])
        for name, rest in zip(names, rests, strict=True)
    }


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_on_a_table_on_a_plate_and_beside_it(noise: float):
    frame = scene(
        Stance(0, 0, 0, -30),
        table(1.8, 0.0),
        ("plate", [block(1.6, 0.2, 0.75, 0.24, 0.24, 0.03)]),
        ("apple", [block(1.6, 0.2, 0.78, 0.08, 0.08, 0.08)]),
        ("mug", [block(1.6, -0.1, 0.75, 0.09, 0.09, 0.1)]),
        noise=noise,
    )
    assert resting(frame) == {
        "table": None,
        "plate": ("on", "table"),
        "apple": ("on", "plate"),
        "mug": ("on", "table"),
    }


def test_in_a_basket_and_in_front_of_it():
    frame = scene(
        Stance(0.6, 0, 0, -30),
        table(1.8, 0.0),
        ("basket", BASKET),
        ("orange", [block(1.7, 0.0, 0.82, 0.08, 0.08, 0.08)]),
        ("apple", [block(1.45, 0.0, 0.75, 0.08, 0.08, 0.08)]),
    )
    found = resting(frame)
    assert found["orange"] == ("in", "basket")
    assert found["apple"] == found["basket"] == ("on", "table")


def test_in_an_open_cabinet():
    frame = scene(
        Stance(0, 0, 0), cabinet(1.8, 0, is_open=True), ("pot", [block(1.7, 0.1, 0.62, 0.24, 0.24, 0.15)])
    )
    assert resting(frame)["pot"] == ("in", "cabinet")


def test_on_the_floor_under_a_table():
    frame = scene(Stance(0, 0, 0, -30), table(1.8, 0.0), ("ball", [block(1.6, 0.0, 0.0, 0.16, 0.16, 0.16)]))
    assert resting(frame)["ball"] == ("under", "table")


def test_what_is_far_behind_a_surface_does_not_rest_on_it():
    frame = scene(Stance(0, 0, 0, -30), table(1.5, 0.0), ("vase", [block(2.6, 0.0, 0.6, 0.12, 0.12, 0.4)]))
    assert resting(frame)["vase"] is None


def test_a_thing_whose_foot_is_hidden_rests_on_what_is_beneath_it():
    frame = scene(
        Stance(0, 0, 0, -30),
        table(1.8, 0.0),
        ("cereal", [block(1.9, 0.0, 0.75, 0.1, 0.2, 0.27)]),
        ("box", [block(1.6, 0.0, 0.75, 0.24, 0.5, 0.2)]),
    )
    assert resting(frame)["cereal"] == ("on", "table")


def test_an_appliance_stands_on_a_counter_and_a_counter_on_nothing():
    frame = scene(
        Stance(0, 0, 0, -30),
        ("counter", [block(1.5, 0, 0, 0.5, 1.2, 0.9)]),
        ("toaster", [block(1.5, 0, 0.9, 0.25, 0.25, 0.2)]),
    )
    assert resting(frame) == {"counter": None, "toaster": ("on", "counter")}


@pytest.mark.parametrize(
    ("opened", "support"), [({0: 0.04}, "counter"), ({0: 0.96}, "cabinet"), ({}, "cabinet")]
)
def test_what_is_seen_is_in_nothing_that_is_shut(opened, support):
    """A plate on the counter, at the very side of a cabinet, and seen a little too far to that side."""
    frame = scene(
        Stance(0, 0, 0, -30),
        ("cabinet", [block(1.5, 0, 0, 0.5, 0.8, 1.2)]),
        ("counter", [block(1.5, 0.7, 0, 0.5, 0.6, 0.9)]),
        ("plate", [block(1.3, 0.37, 0.9, 0.2, 0.06, 0.03)]),
    )
    names = class_names(frame)
    rest = find_support_relations(frame_geometry(frame, LENS), names, BEARING, opened)[2]
    assert names[rest.support] == support


def test_an_ontology_says_what_can_rest_where():
    bearing = AffordedBearing(load_ontology(find_config("domains", "household")))
    assert bearing.relations("table") == ("on",)
    assert "in" in bearing.relations("fridge")
    assert bearing.relations("remote") == ()
    assert bearing.is_furniture("table")
    assert not bearing.is_furniture("mug")
    assert not bearing.is_furniture("no such thing")


def test_in_homes_most_of_it_is_right():
    """With the classes known, what is left is a matter of geometry; figures in docs/perception.md."""
    right: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for seen in seen_in_homes(homes=5, looks=16):
        things = [seen.thing(mask.label) for mask in seen.frame.masks]
        ids = [thing.id for thing in things]
        surfaces = frame_geometry(seen.frame, LENS)
        rests = find_support_relations(surfaces, [thing.class_name for thing in things], BEARING)
        for number, thing in enumerate(things):
            if thing.piece is None and thing.rests is not None and thing.rests.support in ids:
                rest = rests[number]
                far = surfaces.distance[number]
                said = None if rest is None else (rest.relation, ids[rest.support])
                right["<1" if far < 1 else "1-3" if far <= 3 else ">3"][said == thing.rests] += 1
    share = {bucket: count[True] / count.total() for bucket, count in right.items()}
    assert min(count.total() for count in right.values()) > 20
    assert share["1-3"] > 0.92
    assert share["<1"] > 0.8
    assert share[">3"] > 0.85


def test_things_that_seem_to_stand_in_each_other_stand_in_nothing_that_is_less_plain():
    given_ = [
        SupportRelation("in", 1, 0.5),
        SupportRelation("in", 2, 0.3),
        SupportRelation("in", 0, 0.9),
        SupportRelation("on", 2, 0.1),
        None,
    ]
    assert without_cycles(given_) == (given_[0], None, *given_[2:])
    assert without_cycles([SupportRelation("in", 0, 0.5)]) == (None,)


@settings(deadline=None)
@given(st.lists(st.none() | st.tuples(st.integers(0, 7), st.floats(0, 1)), min_size=8, max_size=8))
def test_no_circle_is_left_and_nothing_else_is_lost(rests):
    before = [None if rest is None else SupportRelation("on", *rest) for rest in rests]
    after = without_cycles(before)
    for start in range(8):
        passed, thing = [], start
        while (rest := after[thing]) is not None:
            passed.append(thing)
            assert rest.support not in passed
            thing = rest.support
        if after[start] is None and before[start] is not None:
            around, thing = [start], before[start].support
            while thing != start and before[thing] is not None and thing not in around:
                around.append(thing)
                thing = before[thing].support
            assert thing == start, "what was left out was part of a circle"
