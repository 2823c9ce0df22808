"""Homes from ALFRED's rooms and trials: where one can stand, what stands and lies where, and what is asked."""

from __future__ import annotations

from math import dist

import pytest
from alfred_folder import REAL

from foretree.simulation.grid_homes.alfred.episode import AlfredEpisode
from foretree.simulation.grid_homes.alfred.furnishing import furnished_room
from foretree.simulation.grid_homes.alfred.rooms import AlfredError
from foretree.simulation.grid_homes.alfred.tasks import task_of
from foretree.simulation.grid_homes.alfred.trials import read_trials
from foretree.simulation.grid_homes.goals import is_reached
from foretree.simulation.grid_homes.layouts.geometry import AHEAD


def episode(folder, name: str, seed: int = 0) -> AlfredEpisode:
    trial = read_trials(folder)[name]
    family, parameters = task_of(trial)
    return AlfredEpisode(f"FloorPlan{trial.room}", seed, family, parameters, folder=str(folder), trial=name)


def named(layout, class_name: str):
    return next(piece for piece in layout.pieces if piece.class_name == class_name)


def middle(piece):
    x0, y0, x1, y1 = piece.foot
    return (x0 + x1) / 2, (y0 + y1) / 2


@pytest.mark.parametrize("number", [2, 301])
def test_one_can_stand_where_alfred_says(folder, number):
    furnished = furnished_room(folder, number)
    layout = furnished.layout
    # What has no place of its own may take a little of it.
    assert len(layout.reachable & furnished.room.stands) >= 0.85 * len(furnished.room.stands)
    assert layout.reachable <= furnished.room.stands


@pytest.mark.parametrize("number", [2, 301])
def test_every_piece_can_be_used_and_stands_by_itself(folder, number):
    layout = furnished_room(folder, number).layout
    assert all(layout.spots_before(piece) for piece in layout.pieces)
    cells = [cell for piece in layout.pieces if piece.base is None for cell in piece.cells]
    assert len(cells) == len(set(cells))
    assert not set(cells) & layout.walls


def test_furniture_is_about_where_it_was_and_faces_who_operates_it(folder):
    furnished = furnished_room(folder, 2)
    for receptacle, index in zip(furnished.room.receptacles, furnished.pieces, strict=True):
        piece = furnished.layout.pieces[index]
        # The drawers are under the counter: ours stand beside it.
        assert dist(middle(piece), receptacle.at) < (2.0 if receptacle.class_name == "Drawer" else 1.0)
        if receptacle.class_name in ("Fridge", "Sink", "DiningTable"):
            assert piece.facing == (receptacle.heading + 180) % 360


def test_drawers_above_each_other_are_one_piece_and_a_microwave_stands_on_another(folder):
    furnished = furnished_room(folder, 2)
    layout = furnished.layout
    assert layout.count("drawer") == 1
    assert furnished.pieces[1] == furnished.pieces[2]
    assert layout.pieces[named(layout, "microwave").base].class_name == "counter"


def test_what_has_no_place_gets_one(folder):
    assert {"stove", "coffee_machine"} <= {
        piece.class_name for piece in furnished_room(folder, 2).layout.pieces
    }
    assert furnished_room(folder, 301).layout.count("lamp") == 1
    assert not furnished_room(folder, 2).lacking


def test_things_lie_at_the_nearest_receptacle(folder):
    home = episode(folder, "cold-apple").home()
    places = {thing.class_name: home[thing.rests.support].class_name for thing in home.items()}
    assert places["mug"] == "sink"
    assert places["egg"] == "fridge"
    assert places["knife"] == "counter"
    assert "scrub_brush" not in places


def test_of_several_places_one_is_drawn(folder):
    where = set()
    for seed in range(12):
        home = episode(folder, "cold-apple", seed).home()
        (apple,) = home.of_class("apple")
        where.add(home[apple.rests.support].class_name)
    assert {"counter", "table"} <= where


def test_as_many_as_the_task_takes_are_there_and_its_goal_is_not_reached(folder):
    for name in read_trials(folder):
        one = episode(folder, name)
        home, task = one.home(), one.task()
        for class_name, count in task.items.items():
            assert len(home.of_class(class_name)) >= count, (name, class_name)
        assert not is_reached(home, task)
    assert (
        task_of(read_trials(folder)["slice-in-pan"])[1]["item"]
        not in episode(folder, "slice-in-pan").task().items
    )


def test_the_robot_starts_where_the_trial_says(folder):
    posture = episode(folder, "cold-apple").home().posture
    room = furnished_room(folder, 2).room
    x, y = room.place(0.25, 1.0)
    assert posture.cell == (int(x // 0.25), int(y // 0.25))
    assert (posture.heading, posture.pitch) == (0, -30)


def test_the_same_seed_gives_the_same_home(folder):
    def told(home):
        return [(t.id, t.class_name, t.rests, t.extent, sorted(t.states)) for t in home.things.values()]

    assert told(episode(folder, "two-books", 3).home()) == told(episode(folder, "two-books", 3).home())
    assert told(episode(folder, "two-books", 3).home()) != told(episode(folder, "two-books", 4).home())


def test_a_trial_that_is_not_there_is_told(folder):
    with pytest.raises(AlfredError, match="no trial 'three-books'"):
        AlfredEpisode("FloorPlan2", folder=str(folder), trial="three-books").home()


@pytest.mark.skipif(not (REAL / "trials.jsonl.gz").is_file(), reason=f"no trials of ALFRED in {REAL}")
def test_real_rooms_keep_the_floor_and_all_that_tasks_are_about():
    numbers = sorted({trial.room for trial in read_trials(REAL).values() if trial.room % 2 == 0})
    for number in numbers[::6]:
        furnished = furnished_room(REAL, number)
        layout = furnished.layout
        assert not furnished.lacking, number
        assert all(layout.spots_before(piece) for piece in layout.pieces), number
        kept = len(layout.reachable & furnished.room.stands) / len(furnished.room.stands)
        assert kept >= 0.8, number
        beside = {(i + di, j + dj) for i, j in furnished.room.stands for di, dj in AHEAD.values()}
        assert len(layout.reachable - furnished.room.stands - beside) <= 0.1 * len(furnished.room.stands)
