from __future__ import annotations

from foretree.simulation.grid_homes.goals import unwanted_effects
from foretree.simulation.grid_homes.task_families import make_task

SLICES = make_task("slices", {"item": "apple", "number": 2, "holder": "plate"})


def kinds(lab, task=SLICES) -> list[tuple[str, str]]:
    return [(one.kind, one.class_name) for one in unwanted_effects(lab.rules.log, task, lab.home.classes)]


def test_slicing_what_nobody_wanted_sliced_is_a_mistake(lab) -> None:
    for name in ("apple", "tomato"):
        lab.add(name, "on", "table")
    lab.hold("knife")
    lab.must("slice", "apple")
    assert kinds(lab) == []
    lab.must("slice", "tomato")
    assert kinds(lab) == [("slice", "tomato")]
    assert kinds(lab, make_task("sandwich", {})) == [("slice", "apple")]


def test_pouring_is_a_mistake_where_it_does_harm(lab) -> None:
    lab.add("laptop", "on", "table")
    lab.add("bowl", "on", "table")
    lab.hold("mug", "filled", "has_water")
    lab.must("pour", "bowl")
    assert kinds(lab) == []
    lab.must("fill", "sink")
    lab.must("pour", "laptop")
    lab.must("fill", "sink")
    lab.must("pour", "sofa")
    assert kinds(lab) == [("ruin", "laptop"), ("spill", "sofa")]


def test_breaking_is_always_a_mistake(lab) -> None:
    lab.add("ball", "on", "sofa")
    lab.hold("plate")
    lab.must("put", "ball")
    assert kinds(lab) == [("break", "plate")]
