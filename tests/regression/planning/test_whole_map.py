from __future__ import annotations

import pytest

from foretree.regression.planning._building_planner import WholeMap
from foretree.regression.planning.factory import mapped_scene
from foretree.world_model.maps.places import MapError, PassageState


def test_nothing_is_left_out():
    places = mapped_scene("office").scene.places
    floor = WholeMap(places)
    for door in places.doors():
        floor.set_door(door, is_open=door != "kitchen_door")
    layout = floor.roadmap()
    passages = list(places.passages())
    assert set(layout.nodes) == {place.name for place in places.places()}
    assert [passage.door for passage in layout.closed] == ["kitchen_door"]
    assert len(layout.ways) == len(passages) - 1
    free = next(passage for passage in passages if passage.door is None)
    assert layout.way(free.other, free.one) == (free.other, free.one)
    assert layout.ways[free.one, free.other].cost == free.cost
    closed = layout.closed[0]
    assert layout.way(closed.one, closed.other) == (closed.one, closed.other)


def test_what_is_blocked_is_no_way():
    places = mapped_scene("office").scene.places
    floor = WholeMap(places)
    passage = next(passage for passage in places.passages() if passage.door is None)
    floor.set_passage(passage.one, passage.other, PassageState.BLOCKED)
    assert len(floor.roadmap().ways) == len(list(places.passages())) - 1
    with pytest.raises(MapError, match="no way"):
        floor.roadmap().way(passage.one, passage.other)
