"""ALFRED's files: trials and rooms are read in both forms, and what makes no sense is told."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from alfred_folder import KITCHEN, TRIALS, write_alfred, write_as_published, write_room

from foretree.simulation.grid_homes.alfred.rooms import AlfredError, heading_of, read_room
from foretree.simulation.grid_homes.alfred.tasks import task_of
from foretree.simulation.grid_homes.alfred.trials import read_trials


def test_both_forms_say_the_same(folder, tmp_path):
    one, other = read_trials(folder), read_trials(write_as_published(tmp_path))
    assert set(one) == {trial["trial"] for trial in TRIALS}
    assert one == other
    assert read_room(folder, 2) == read_room(tmp_path, 2)


def test_a_trial_says_what_is_asked_and_what_lies_where(folder):
    trial = read_trials(folder)["slice-in-pan"]
    assert (trial.target, trial.sliced, trial.holder, trial.place) == ("Apple", True, "Pan", "CounterTop")
    assert trial.poses[0][:3] == ("Apple_1a", "Apple", -1.6)
    assert trial.steps[1] == ("walk", "grasp it")
    assert trial.start == (0.25, 1.0, 90, 30)


@pytest.mark.parametrize(
    ("name", "family", "parameters"),
    [
        ("cold-apple", "cool_and_place", {"item": "apple", "place": "table"}),
        ("slice-in-pan", "stack_and_place", {"item": "apple_slice", "holder": "pan", "place": "counter"}),
        ("two-books", "pick_two_and_place", {"item": "book", "place": "on dresser"}),
        ("lit-card", "examine_in_light", {"item": "credit_card"}),
    ],
)
def test_types_of_tasks_are_families(folder, name, family, parameters):
    assert task_of(read_trials(folder)[name]) == (family, parameters)


def test_rotations_are_clockwise_from_the_z_axis():
    assert [heading_of(rotation) for rotation in (0, 90, 180, 270, 360)] == [90, 0, 270, 180, 90]


def test_a_room_keeps_its_metres_apart_from_the_homes(folder):
    room = read_room(folder, 2)
    assert len(room.stands) == 81
    counter = room.receptacles[0]
    assert counter.heading == 180
    # The westernmost place to stand is 0.6 m east of the counter's centre.
    west = min(i for i, _ in room.stands)
    assert (west + 0.5) * 0.25 - counter.at[0] == pytest.approx(0.6)


def spoil(folder: Path, **changes):
    write_alfred(folder, {**TRIALS[0], "trial": "bad", **changes})


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"trial": "cold-apple"}, "two trials cold-apple"),
        ({"scene_num": "two"}, "scene_num must be a whole number"),
        ({"init_action": {"x": 1}}, "init_action must say x, z, rotation and horizon"),
        ({"init_action": {"x": float("nan"), "z": 0, "rotation": 0, "horizon": 0}}, "init_action must say"),
        ({"pddl_params": None}, "lacks pddl_params"),
        ({"object_poses": [{"name": "Cup_1"}]}, "must have a name and a position"),
        ({"object_poses": {}}, "object_poses must be a list"),
    ],
)
def test_a_trial_that_makes_no_sense_is_told_with_its_line(tmp_path, changes, says):
    spoil(tmp_path, **changes)
    with pytest.raises(AlfredError, match=says) as caught:
        read_trials(tmp_path)
    assert "trials.jsonl.gz:5" in str(caught.value)


def test_a_folder_without_trials_says_what_would_be_there(tmp_path):
    with pytest.raises(AlfredError, match=r"trials\.jsonl\.gz nor trials\.jsonl, nor folders"):
        read_trials(tmp_path)
    with pytest.raises(AlfredError, match="There is no folder"):
        read_trials(tmp_path / "nowhere")


def test_rooms_that_make_no_sense_are_told(tmp_path):
    with pytest.raises(AlfredError, match=r"no FloorPlan2-layout\.npy"):
        read_room(tmp_path, 2)
    layouts = tmp_path / "layouts"
    write_room(layouts, 2, {"Sink|a|b|c": [0, 0, 0, 30]}, [])
    with pytest.raises(AlfredError, match="named CLASS"):
        read_room(tmp_path, 2)
    write_room(layouts, 4, {"Sink|1|1|1": ["here"]}, [])
    with pytest.raises(AlfredError, match="must have a pose"):
        read_room(tmp_path, 4)
    write_room(layouts, 6, KITCHEN, [])
    np.save(layouts / "FloorPlan6-layout.npy", np.array([[0.0, 0.0], [9e9, 0.0]]))
    with pytest.raises(AlfredError, match="spans more than"):
        read_room(tmp_path, 6)
    (layouts / "FloorPlan6-layout.npy").write_bytes(b"no array")
    with pytest.raises(AlfredError, match="cannot be read"):
        read_room(tmp_path, 6)
    write_room(layouts, 8, KITCHEN, [])
    (layouts / "FloorPlan8-openable.json").write_text(json.dumps([1]))
    with pytest.raises(AlfredError, match="must be a JSON object"):
        read_room(tmp_path, 8)


@pytest.mark.parametrize(
    ("kind", "asked", "says"),
    [
        ("pick_up_simple", {"object_target": "Apple"}, "no type of task 'pick_up_simple'"),
        ("look_at_obj_in_light", {"object_target": "ScrubBrush"}, "nothing like 'ScrubBrush'"),
        (
            "pick_and_place_simple",
            {"object_target": "Apple", "parent_target": "Window"},
            "no place like 'Window'",
        ),
        ("look_at_obj_in_light", {"object_target": "Mug", "object_sliced": True}, "nothing to slice"),
    ],
)
def test_tasks_about_what_homes_do_not_have_are_told(tmp_path, kind, asked, says):
    spoil(tmp_path, task_type=kind, pddl_params=asked)
    with pytest.raises(AlfredError, match=says):
        task_of(read_trials(tmp_path)["bad"])
