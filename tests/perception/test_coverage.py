from __future__ import annotations

from home_frames import LENS, BodiesBearing, block, cabinet, class_names, scene, seen_in_homes, table

from foretree.perception._coverage import covered_by
from foretree.perception._frame_geometry import frame_geometry
from foretree.perception.relations import find_support_relations
from foretree.world_model.camera_model import Stance

BEARING = BodiesBearing()


def covered(frame, opened=()) -> dict[tuple[str, str], float]:
    surfaces, names = frame_geometry(frame, LENS), class_names(frame)
    rests = find_support_relations(surfaces, names, BEARING)
    likely = {names.index(name): share for name, share in dict(opened).items()}
    found = covered_by(frame, surfaces, names, rests, likely, BEARING)
    return {(relation, names[number]): share for relation, number, share in found}


def test_a_table_in_full_view_is_covered():
    assert covered(scene(Stance(0, 0, 0, -30), table(2.0, 0.0)))["on", "table"] > 0.85


def test_a_table_that_is_cut_off_is_not():
    assert covered(scene(Stance(0, -1.5, 0, -30), table(1.2, 0.0))) == {}


def test_a_top_is_covered_although_its_front_is_cut_off_below():
    stance = Stance(0.2, 0, 0)
    frame = scene(stance, ("counter", [block(1.4, 0, 0, 0.5, 1.0, 0.9)]))
    assert (frame.labels[-1] == 1).any()
    assert covered(frame)["on", "counter"] > 0.8


def test_a_top_behind_something_else_is_not():
    screen = ("wardrobe", [block(1.0, 0.3, 0, 0.3, 1.0, 1.3)])
    assert ("on", "table") not in covered(scene(Stance(0, 0, 0, -30), screen, table(2.2, 0.3)))


def test_what_lies_on_a_table_hides_some_of_it():
    boxes = [("box", [block(1.8, y, 0.75, 0.3, 0.3, 0.2)]) for y in (-0.4, 0.4)]
    empty = covered(scene(Stance(0, 0, 0, -30), table(2.0, 0.0)))["on", "table"]
    assert 0.6 < covered(scene(Stance(0, 0, 0, -30), table(2.0, 0.0), *boxes))["on", "table"] < empty


def test_a_top_above_the_eye_is_not():
    assert covered(scene(Stance(0, 0, 0), ("sideboard", [block(2, 0, 0, 0.5, 1, 1.6)]))) == {}


def test_the_inside_of_an_open_cabinet_is_covered_from_the_front():
    frame = scene(Stance(0, 0, 0), cabinet(2.2, 0, is_open=True))
    assert covered(frame, {"cabinet": 0.95})["in", "cabinet"] > 0.7


def test_the_inside_of_a_cabinet_is_not_when_it_looks_closed_or_is_misread_or_seen_from_behind():
    opened = scene(Stance(0, 0, 0), cabinet(2.2, 0, is_open=True))
    assert covered(opened, {"cabinet": 0.05}) == {}
    closed = scene(Stance(0, 0, 0), cabinet(2.2, 0, is_open=False), noise=0.02)
    assert covered(closed, {"cabinet": 0.96}) == {}
    behind = scene(Stance(4.4, 0, 180), cabinet(2.2, 0, is_open=True), noise=0.02)
    assert covered(behind, {"cabinet": 0.96}) == {}


def test_in_homes_regions_are_as_surely_covered_as_is_said():
    claimed = found = things = 0.0
    for seen in seen_in_homes(homes=5, looks=16, noise=0):
        names = [seen.thing(mask.label).class_name for mask in seen.frame.masks]
        ids = [seen.thing(mask.label).id for mask in seen.frame.masks]
        surfaces = frame_geometry(seen.frame, LENS)
        rests = find_support_relations(surfaces, names, BEARING)
        opened = {n: float(seen.home[i].is_open) for n, i in enumerate(ids) if seen.home[i].can("openable")}
        for relation, number, share in covered_by(seen.frame, surfaces, names, rests, opened, BEARING):
            support = seen.home[ids[number]]
            assert relation != "in" or support.is_open
            there = [one for one in support.load if seen.home[one].rests == (relation, support.id)]
            things += len(there)
            claimed += share * len(there)
            found += sum(one in ids for one in there)
    assert things > 100
    assert abs(found - claimed) / things < 0.15
