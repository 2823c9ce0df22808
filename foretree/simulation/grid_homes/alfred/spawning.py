"""Homes from ALFRED's trials: what they say lies somewhere lies there, in random states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import dist
from random import Random

from foretree.simulation.grid_homes._object_classes import ItemClass, Relation, load_object_classes
from foretree.simulation.grid_homes._physics import settle
from foretree.simulation.grid_homes.alfred.classes import load_alfred_classes
from foretree.simulation.grid_homes.alfred.furnishing import AlfredLayout
from foretree.simulation.grid_homes.alfred.rooms import AlfredRoom, heading_of
from foretree.simulation.grid_homes.alfred.trials import AlfredTrial, Pose
from foretree.simulation.grid_homes.goals import HomeTask, classes_of, is_reached
from foretree.simulation.grid_homes.home import Home, Placement, Posture
from foretree.simulation.grid_homes.layouts.geometry import centre_of
from foretree.simulation.grid_homes.layouts.layout import Layout
from foretree.simulation.grid_homes.layouts.spawning import (
    SpawnError,
    draw_placement,
    first_with_room,
    load_spawn_priors,
    randomize_states,
    varied,
)
from foretree.skills.embodied.body import NOD

#: How often things are drawn anew when a goal holds from the start.
_DRAWS = 20
#: In how many of the receptacles that are nearest to its place a thing can lie.
_NEAREST = 4
#: The share of a place that is covered before things lie elsewhere: ours are smaller than ALFRED's.
_FULL = 0.7


def spawn_trial(furnished: AlfredLayout, trial: AlfredTrial, required: HomeTask, rng: Random) -> Home:
    """Draw the home of a trial.

    Of the places where a thing can lie, one is drawn; as many as the task takes, if it takes several. What
    the task takes beyond what the trial has lies where such things usually do.

    Args:
        furnished: the room.
        trial: what lies where, and where the robot starts.
        required: what must be there.
        rng: draws.

    Raises:
        SpawnError: the room has no such furniture, or no room for what is required.
    """
    layout = furnished.layout
    for name in required.furniture:
        if not layout.count(name):
            raise SpawnError(f"There is no {name} in {layout.name}.")
    for draw in range(_DRAWS):
        home = _draw(furnished, trial, required, rng, anywhere=draw < _DRAWS // 2)
        if not is_reached(home, required):
            return home
    raise SpawnError(
        f"In {layout.name} what is asked for is so from the start, however often things are drawn."
    )


def _draw(
    furnished: AlfredLayout, trial: AlfredTrial, required: HomeTask, rng: Random, anywhere: bool
) -> Home:
    """Draw a home; unless things may be *anywhere*, what the task is about is not where the task wants it."""
    home = Home(furnished.layout, load_object_classes(), _start(furnished.room, furnished.layout, trial))
    items, ours = home.classes.items, load_alfred_classes().items
    poses: dict[str, list[Pose]] = {}
    for pose in trial.poses:
        if pose.class_name in ours:
            poses.setdefault(pose.thing, []).append(pose)
    named = frozenset() if anywhere else classes_of(required)

    def may(item: ItemClass, rests: Placement) -> bool:
        return item.name not in named or home[rests.support].class_name not in named

    kinds = Counter(ours[there[0].class_name] for there in poses.values())
    # What carries others and what is large first, while there is room.
    for there in sorted(poses.values(), key=lambda one: _bulk(items[ours[one[0].class_name]]), reverse=True):
        item = items[ours[there[0].class_name]]
        kinds[item.name] -= 1
        missing = required.items.get(item.name, 0) - len(home.of_class(item.name)) - kinds[item.name]
        for pose in rng.sample(there, min(len(there), max(1, missing))):
            ways = list(_supports(furnished, pose))
            found = first_with_room(home, item, ways, rng, partial(may, item), _FULL)
            if found is not None:
                home.add(item.name, set(), varied(item.colour, rng), *found)
    for name, count in sorted(required.items.items()):
        _complete(home, items[name], count, rng, partial(may, items[name]))
    randomize_states(home, required.goal, rng)
    settle(home)
    return home


def _complete(home: Home, item: ItemClass, count: int, rng: Random, may: Callable[[Placement], bool]) -> None:
    """Add things of a class until there are enough."""
    while len(home.of_class(item.name)) < count:
        found = draw_placement(home, item, load_spawn_priors(), rng, may)
        if found is None:
            raise SpawnError(f"There is no room for another {item.name} in {home.layout.name}.")
        home.add(item.name, set(), varied(item.colour, rng), *found)


def _bulk(item: ItemClass) -> float:
    return item.size[0] * item.size[1]


def _start(room: AlfredRoom, layout: Layout, trial: AlfredTrial) -> Posture:
    """The posture in which the robot starts: on the nearest cell that it can walk from."""
    x, z, rotation, horizon = trial.start
    at = room.place(x, z)
    cell = min(sorted(layout.reachable), key=lambda one: dist(centre_of(one), at))
    return Posture(cell, heading_of(rotation), -NOD * round(horizon / NOD))


def _supports(furnished: AlfredLayout, pose: Pose) -> Iterator[Placement]:
    """Return where a thing lies that is at a pose: at the nearest receptacle, or at another one near."""
    room = furnished.room
    at = (*room.place(pose.x, pose.z), pose.y)
    pieces = furnished.pieces
    near: Sequence[int] = sorted(
        (index for index, piece in enumerate(pieces) if piece >= 0),
        key=lambda index: dist((*room.receptacles[index].at, room.receptacles[index].height), at),
    )
    seen: set[int] = set()
    for index in near:
        piece = pieces[index]
        if piece not in seen and len(seen) < _NEAREST:
            seen.add(piece)
            relation = _relation(furnished, index)
            if relation is not None:
                # The things of a home are numbered as the pieces of its layout.
                yield Placement(relation, f"t{piece + 1}")


def _relation(furnished: AlfredLayout, index: int) -> Relation | None:
    """Return how things lie at a receptacle; None if they do not."""
    body = load_object_classes().furniture[furnished.layout.pieces[furnished.pieces[index]].class_name]
    how, _, _ = (load_alfred_classes().place(furnished.room.receptacles[index].class_name) or "").rpartition(
        " "
    )
    return next((one for one in body.relations if how in ("", one)), None)
