"""A folder as ALFRED's, written by hand: a kitchen and a bedroom with two trials each, none of them ALFRED's."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

#: Where the real thing is looked for.
REAL = Path(os.environ.get("FORETREE_ALFRED", Path(__file__).parents[4].parent / "shared" / "alfred"))

#: Where one can stand: x from -1 to 1, z from 0 to 2.
STANDS = [[x / 4, z / 4] for x in range(-4, 5) for z in range(9)]
KITCHEN = {
    "CounterTop|-01.60|+00.95|+00.50": [-1.0, 0.5, 270, 30],
    "Drawer|-01.60|+00.40|+00.55": [-1.0, 0.5, 270, 30],
    "Drawer|-01.60|+00.70|+00.55": [-1.0, 0.75, 270, 30],
    "Sink|+00.00|+00.90|-00.70|SinkBasin": [0.0, 0.0, 180, 30],
    "Fridge|+01.80|+00.00|+00.50": [1.0, 0.5, 90, 30],
    "Microwave|-01.60|+01.10|+00.90": [-1.0, 0.75, 270, 30],
    "DiningTable|+00.00|+00.00|+02.80": [0.0, 2.0, 0, 30],
}
BEDROOM = {
    "Bed|-01.80|+00.00|+01.00": [-1.0, 1.0, 270, 30],
    "Dresser|+00.00|+00.00|-00.70": [0.0, 0.0, 180, 30],
    "Desk|+01.60|+00.00|+01.00": [1.0, 1.0, 90, 30],
}


def pose(thing: str, x: float, y: float, z: float) -> dict[str, Any]:
    return {"name": thing, "position": {"x": x, "y": y, "z": z}, "rotation": {"x": 0, "y": 0, "z": 0}}


IN_THE_KITCHEN = [
    pose("Apple_1a", -1.6, 1.1, 0.4),
    pose("Apple_1a", 0.1, 0.8, 2.7),
    pose("Knife_2b", -1.5, 1.1, 0.5),
    pose("Mug_3c", 0.0, 0.95, -0.7),
    pose("Pan_4d", -0.2, 0.8, 2.8),
    pose("Egg_5e", 1.8, 0.6, 0.5),
    pose("ScrubBrush_6f", 0.0, 0.1, 1.0),
]
IN_THE_BEDROOM = [
    pose("Book_7a", -1.8, 0.5, 1.0),
    pose("Book_7a", 1.6, 0.8, 1.0),
    pose("Book_7a", 0.0, 0.9, -0.7),
    pose("CreditCard_8b", 0.0, 0.9, -0.7),
]


def trial(name: str, kind: str, room: int, poses: list[dict[str, Any]], **asked: Any) -> dict[str, Any]:
    params = {"object_target": "", "parent_target": "", "mrecep_target": "", "object_sliced": False, **asked}
    return {
        "trial": name,
        "task_type": kind,
        "pddl_params": params,
        "scene_num": room,
        "init_action": {"x": 0.25, "y": 0.9, "z": 1.0, "rotation": 90, "horizon": 30},
        "object_poses": poses,
        "task_descriptions": [f"{name}, as one says it", f"{name}, as another says it"],
        "step_descriptions": [["go", "take it"], ["walk", "grasp it"]],
    }


TRIALS = (
    trial(
        "cold-apple",
        "pick_cool_then_place_in_recep",
        2,
        IN_THE_KITCHEN,
        object_target="Apple",
        parent_target="DiningTable",
    ),
    trial(
        "slice-in-pan",
        "pick_and_place_with_movable_recep",
        2,
        IN_THE_KITCHEN,
        object_target="Apple",
        object_sliced=True,
        mrecep_target="Pan",
        parent_target="CounterTop",
    ),
    trial(
        "two-books",
        "pick_two_obj_and_place",
        301,
        IN_THE_BEDROOM,
        object_target="Book",
        parent_target="Dresser",
    ),
    trial("lit-card", "look_at_obj_in_light", 301, IN_THE_BEDROOM, object_target="CreditCard"),
)


def write_room(folder: Path, number: int, receptacles: dict[str, Any], classes: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / f"FloorPlan{number}-layout.npy", np.array(STANDS))
    (folder / f"FloorPlan{number}-openable.json").write_text(json.dumps(receptacles))
    named = {key.split("|")[0] for key in receptacles}
    (folder / f"FloorPlan{number}-objects.json").write_text(json.dumps(sorted({*named, *classes})))


def write_rooms(folder: Path) -> None:
    write_room(folder, 2, KITCHEN, ["StoveBurner", "CoffeeMachine", "Window"])
    write_room(folder, 301, BEDROOM, ["DeskLamp"])


def write_alfred(folder: Path, *more: dict[str, Any]) -> Path:
    """Write the folder as one file of all trials, and layouts beside it."""
    write_rooms(folder / "layouts")
    lines = "".join(json.dumps(one) + "\n" for one in (*TRIALS, *more))
    with gzip.open(folder / "trials.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(lines)
    return folder


def write_as_published(folder: Path) -> Path:
    """Write the same as ALFRED does: a folder for each trial, and layouts in a folder of its programs."""
    write_rooms(folder / "gen" / "layouts")
    for one in TRIALS:
        where = folder / one["task_type"] / one["trial"]
        where.mkdir(parents=True)
        poses = [{**p, "objectName": p["name"]} for p in one["object_poses"]]
        said = zip(one["task_descriptions"], one["step_descriptions"], strict=True)
        (where / "traj_data.json").write_text(
            json.dumps(
                {
                    "task_id": one["trial"],
                    "task_type": one["task_type"],
                    "pddl_params": one["pddl_params"],
                    "scene": {
                        "scene_num": one["scene_num"],
                        "init_action": one["init_action"],
                        "object_poses": poses,
                    },
                    "turk_annotations": {"anns": [{"task_desc": d, "high_descs": s} for d, s in said]},
                }
            )
        )
    return folder
