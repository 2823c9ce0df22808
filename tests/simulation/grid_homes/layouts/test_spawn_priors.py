from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
import yaml

from foretree.config import ConfigError, find_config, read_yaml
from foretree.simulation.grid_homes._object_classes import load_object_classes
from foretree.simulation.grid_homes.home import Home, Posture
from foretree.simulation.grid_homes.layouts.layout import Room
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout
from foretree.simulation.grid_homes.layouts.spawning import draw_placement, load_spawn_priors

BODIES, HABITS = load_object_classes(), load_spawn_priors()
#: What is only in homes that bring it along.
BROUGHT_ALONG = {"credit_card", "cd", "racket", "bat", "tissue_box", "soap_bottle", "plunger"}


def test_everything_has_places_where_it_usually_lies() -> None:
    for name in set(BODIES.items) - {item.slices for item in BODIES.items.values()}:
        assert HABITS.places[name], name
        assert HABITS.rooms.get(name) or name in BROUGHT_ALONG, name


def test_what_no_home_has_by_itself_is_in_no_studio_either() -> None:
    studio = Room("studio", 0, 0, 1, 1)
    assert not any(HABITS.at_home_in(studio, name) for name in BROUGHT_ALONG)
    assert HABITS.at_home_in(studio, "mug")


def test_things_lie_most_often_where_they_mostly_lie(lab) -> None:
    rng = Random(1)
    drawn = Counter()
    for _ in range(300):
        found = draw_placement(lab.home, BODIES.items["milk"], HABITS, rng)
        assert found is not None
        rests, _ = found
        drawn[f"{rests.relation} {lab.home[rests.support].class_name}"] += 1
    # in fridge: 4, on counter: 1, on table: 1
    assert set(drawn) == {"in fridge", "on counter", "on table"}
    assert 160 <= drawn["in fridge"] <= 240


def test_things_lie_in_the_rooms_where_they_are_at_home(flat) -> None:
    rng = Random(2)
    for _ in range(50):
        found = draw_placement(flat.home, BODIES.items["shampoo"], HABITS, rng)
        assert found is not None
        room = flat.home.room_of(flat.home[found[0].support])
        kinds = {one.kind for one in flat.home.layout.rooms}
        assert room is not None
        assert room.kind == "bathroom" or "bathroom" not in kinds


def test_a_thing_is_not_put_where_it_must_not_be(lab) -> None:
    fridge = lab.the("fridge")
    for seed in range(30):
        found = draw_placement(
            lab.home, BODIES.items["milk"], HABITS, Random(seed), lambda rests: rests.support != fridge.id
        )
        assert found is not None
        assert found[0].support != fridge.id


def test_places_do_not_become_so_full_that_the_robot_finds_no_room(lab) -> None:
    rng = Random(3)
    for _ in range(300):
        found = draw_placement(lab.home, BODIES.items["plate"], HABITS, rng)
        if found is None:
            break
        lab.home.add("plate", set(), (0, 0, 0), *found)
    assert found is None
    plate = BODIES.items["plate"]
    for counter in lab.home.of_class("counter"):
        x0, y0, _, x1, y1, z1 = counter.extent
        assert lab.home.spot(plate.size, counter, "on", ((x0 + x1) / 2, (y0 + y1) / 2, z1)) is not None


def test_what_has_no_room_to_spare_is_not_covered_either() -> None:
    layout = generate_layout("bathroom/0")
    home = Home(layout, BODIES, Posture(min(layout.reachable), 0))
    rail = home.of_class("towel_rail")[0]
    towel = BODIES.items["towel"]
    for seed in range(20):
        found = draw_placement(home, towel, HABITS, Random(seed), lambda rests: rests.support == rail.id)
        if found is None:
            break
        home.add("towel", set(), (0, 0, 0), *found)
    assert len(rail.load) == 1


@pytest.mark.parametrize(
    ("where", "value", "message"),
    [
        (("places", "mugg"), {"on counter": 1}, "there is no item 'mugg'. Did you mean mug"),
        (("places", "mug"), {"on countr": 1}, "there is no furniture 'countr'. Did you mean counter"),
        (("places", "mug"), {"under fridge": 1}, "nothing lies there like that. Valid: in fridge"),
        (("places", "mug"), {"on counter": 0}, "a weight is greater than 0, not 0"),
        (("rooms", "kitchen"), ["mugg"], "there is no item 'mugg'"),
        (("rooms", "cellar"), ["mug"], "expected"),
    ],
)
def test_a_mistake_in_the_file_is_named(
    tmp_path: Path, where: tuple[str, str], value: object, message: str
) -> None:
    said = read_yaml(find_config("homes", "habits"))
    said[where[0]][where[1]] = value
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump(said), encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        load_spawn_priors(str(path))
