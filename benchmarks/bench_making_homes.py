"""What it costs to draw a layout, to furnish a home, to carry a control out, and to paint a crop.

    python -m pytest benchmarks/bench_making_homes.py

Each is held to its figure by processor time.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time

from foretree.simulation.grid_homes.camera._appearance import clean_crop, grainy
from foretree.simulation.grid_homes.goals import HomeTask
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout, layout_names
from foretree.simulation.grid_homes.layouts.spawning import spawn_home
from foretree.simulation.grid_homes.rules import HomeRules
from foretree.skills.embodied.body import MANIPULATIONS, MOTIONS, Control


def each(count: int, do: Callable[[], object]) -> float:
    """Seconds of processor time that one of *count* takes."""
    begun = process_time()
    do()
    return (process_time() - begun) / count


def test_a_layout_is_drawn_within_30_ms():
    names = layout_names()
    generate_layout.cache_clear()
    assert each(len(names), lambda: [generate_layout(name) for name in names]) < 0.03


def test_a_home_is_made_within_50_ms():
    names = layout_names()[::4]
    generate_layout.cache_clear()
    made = each(
        len(names),
        lambda: [spawn_home(generate_layout(name), HomeTask(), "diverse", Random(name)) for name in names],
    )
    assert made < 0.05


def test_a_control_is_carried_out_within_200_microseconds():
    home = spawn_home(generate_layout("hall_flat/0"), HomeTask(), "diverse", Random(0))
    robot, rng = HomeRules(home), Random(0)
    names, things = [*MOTIONS, *MANIPULATIONS], list(home.things)
    controls = [(Control(rng.choice(names)), rng.choice(things)) for _ in range(4000)]
    assert each(4000, lambda: [robot.do(control, target) for control, target in controls]) < 0.0002


def test_a_crop_is_painted_within_100_microseconds():
    crop = clean_crop("mug", (200, 60, 60), ("hot",))
    assert each(2000, lambda: [grainy(crop, 5, number) for number in range(2000)]) < 100e-6
