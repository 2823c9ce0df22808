"""ALFRED's trials: a task in a room, what lies where, and what people said about it.

They are read from ``trials.jsonl`` (or ``trials.jsonl.gz``), a trial a line, or from ALFRED's own folders, in
which each trial has a ``traj_data.json``.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from foretree.simulation.grid_homes.alfred.rooms import AlfredError, as_numbers

#: The files that hold all trials, and the file of a single one.
FILES, FILE = ("trials.jsonl.gz", "trials.jsonl"), "traj_data.json"


class Pose(NamedTuple):
    """One of the places where a thing can lie.

    Attributes:
        thing: the name of the thing; several poses of one are alternatives.
        class_name: ALFRED's.
        x, y, z: metres of the room, y upwards.
    """

    thing: str
    class_name: str
    x: float
    y: float
    z: float


@dataclass(frozen=True, slots=True)
class AlfredTrial:
    """A trial.

    Attributes:
        name: unique among them.
        kind: the type of the task: ``pick_two_obj_and_place``.
        room: the number of the room.
        target: ALFRED's class of what is to be moved or looked at.
        sliced: whether a slice of that is.
        holder: the class of what it is to be put on or in before that is moved; empty if none.
        place: the class of where it is to be put; empty if nowhere.
        start: where the robot starts: x, z, rotation, horizon.
        poses: where things can lie.
        descriptions: what people said that the task was.
        steps: what they said step by step, description by description.
    """

    name: str
    kind: str
    room: int
    target: str
    sliced: bool
    holder: str
    place: str
    start: tuple[float, float, float, float]
    poses: tuple[Pose, ...]
    descriptions: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]


@lru_cache(maxsize=4)
def read_trials(folder: Path) -> Mapping[str, AlfredTrial]:
    """Read all trials in a folder, by name.

    Raises:
        AlfredError: there are none, or one makes no sense.
    """
    found: dict[str, AlfredTrial] = {}
    for where, data in _all_data(folder):
        trial = _trial(where, data)
        if trial.name in found:
            raise AlfredError(f"{where}: there are two trials {trial.name}.")
        found[trial.name] = trial
    if not found:
        raise AlfredError(
            f"There are no trials in {folder}: neither {' nor '.join(FILES)}, nor folders with a {FILE} each."
        )
    return dict(sorted(found.items()))


def _all_data(folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    path = next((folder / name for name in FILES if (folder / name).is_file()), None)
    if path is None:
        if not folder.is_dir():
            raise AlfredError(f"There is no folder {folder}.")
        for one in sorted(folder.rglob(FILE)):
            yield str(one), _flat(str(one), _parsed(str(one), _read(one)))
        return
    for number, line in enumerate(_read(path).splitlines(), 1):
        if line.strip():
            yield f"{path}:{number}", _parsed(f"{path}:{number}", line)


def _read(path: Path) -> str:
    try:
        if path.suffix == ".gz":
            with gzip.open(path, "rt", encoding="utf-8") as file:
                return file.read()
        return path.read_text(encoding="utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise AlfredError(f"{path} cannot be read: {error}") from error


def _parsed(where: str, text: str) -> Mapping[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise AlfredError(f"{where} is no JSON: {error}") from error
    if not isinstance(data, dict):
        raise AlfredError(f"{where} must be a JSON object.")
    return data


def _flat(where: str, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The contents of a ``traj_data.json`` in the form of a line of ``trials.jsonl``."""
    scene, said = data.get("scene"), data.get("turk_annotations")
    anns = said.get("anns") if isinstance(said, dict) else None
    if (
        not isinstance(scene, dict)
        or not isinstance(anns, list)
        or not all(isinstance(a, dict) for a in anns)
    ):
        raise AlfredError(f"{where} lacks scene or turk_annotations, which every trial of ALFRED has.")
    return {
        **data,
        **scene,
        "trial": data.get("task_id"),
        "task_descriptions": [ann.get("task_desc") for ann in anns],
        "step_descriptions": [ann.get("high_descs") for ann in anns],
    }


def _trial(where: str, data: Mapping[str, Any]) -> AlfredTrial:
    asked = data.get("pddl_params")
    if not isinstance(asked, dict):
        raise AlfredError(f"{where} lacks pddl_params, which say what the task is about.")
    for key, kind in (("trial", str), ("task_type", str), ("scene_num", int)):
        if not isinstance(data.get(key), kind):
            raise AlfredError(f"{where}: {key} must be {'text' if kind is str else 'a whole number'}.")
    begin = as_numbers(data.get("init_action"), ("x", "z", "rotation", "horizon"))
    if begin is None:
        raise AlfredError(f"{where}: init_action must say x, z, rotation and horizon.")
    return AlfredTrial(
        name=data["trial"],
        kind=data["task_type"],
        room=data["scene_num"],
        target=str(asked.get("object_target") or ""),
        sliced=bool(asked.get("object_sliced")),
        holder=str(asked.get("mrecep_target") or ""),
        place=str(asked.get("parent_target") or ""),
        start=(begin["x"], begin["z"], begin["rotation"], begin["horizon"]),
        poses=tuple(_pose(where, one) for one in _list(where, data, "object_poses")),
        descriptions=tuple(str(one) for one in _list(where, data, "task_descriptions")),
        steps=tuple(
            tuple(map(str, one)) for one in _list(where, data, "step_descriptions") if isinstance(one, list)
        ),
    )


def _list(where: str, data: Mapping[str, Any], key: str) -> list[Any]:
    found = data.get(key, [])
    if not isinstance(found, list):
        raise AlfredError(f"{where}: {key} must be a list.")
    return found


def _pose(where: str, data: object) -> Pose:
    name = data.get("objectName", data.get("name")) if isinstance(data, dict) else None
    at = as_numbers(data.get("position"), ("x", "y", "z")) if isinstance(data, dict) else None
    if not isinstance(name, str) or at is None:
        raise AlfredError(f"{where}: object_poses must have a name and a position, x, y and z, each.")
    return Pose(name, name.rpartition("_")[0] or name, at["x"], at["y"], at["z"])


def trial_files(folder: Path) -> list[Path]:
    """The files that trials are read from."""
    return [folder / name for name in FILES if (folder / name).is_file()][:1] or sorted(folder.rglob(FILE))
