"""Training data from homes of the seen layout families: labelled pictures, and where objects lie.

``python -m foretree.simulation.grid_homes.training_data FILE`` writes the gallery that comes with Foretree to
a file ``*.npz``, and the likely places of objects to any other, such as ``configs/homes/likely_places.yaml``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import TypeAlias

from foretree.perception.descriptors import Crops
from foretree.perception.gallery import Pictures, save_pictures
from foretree.simulation.grid_homes._object_classes import load_object_classes
from foretree.simulation.grid_homes.camera.camera import Camera, visible_states
from foretree.simulation.grid_homes.camera.noise import EXCLUSIVE, load_noise
from foretree.simulation.grid_homes.goals import HomeTask
from foretree.simulation.grid_homes.home import Home, HomeObject, Posture
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout, layout_names, showroom
from foretree.simulation.grid_homes.layouts.spawning import (
    draw_placement,
    load_spawn_priors,
    spawn_home,
    varied,
)
from foretree.world_model.camera_model import Lens

#: The number of homes for the gallery that comes with Foretree, and of objects in each.
HOMES, _THINGS = 400, 90
#: The number of further homes, for what chance does not show in these.
MORE = 100
#: States that an object is in at once, sorted.
_Together: TypeAlias = tuple[str, ...]
#: The probability of each state that an object can be in.
_SOMEHOW = 0.35
#: Every so many homes, it is a showroom: with what no generated home has.
_SHOWN = 20
#: The percentage of a class at furniture where none was seen.
_HARDLY_EVER = 0.3


def training_pictures(homes: int, seed: int = 0, *, more: int = 0) -> Pictures:
    """Pictures without grain of what is in view in training homes, with the true states.

    Everything is brought into random states before. One picture is kept of each class in each set of states.

    Args:
        homes: the number of homes.
        seed: decides what is in them.
        more: the number of further homes to show sets of states on purpose that chance has not shown. Without
            a picture that is both hot and cooked, what is both looks hot and raw as much as cold and cooked.
    """
    names = layout_names(seen=True)
    rows: dict[tuple[str, _Together], tuple[Crops, str, dict[str, bool]]] = {}
    unseen: dict[str, set[_Together]] = {}
    for number in range(homes + more):
        on_purpose = number >= homes
        if on_purpose and not any(unseen.values()):
            break
        rng = Random(f"practice {seed} {number}")
        show = number % _SHOWN == _SHOWN - 1
        layout = showroom(_rare_furniture()) if show else generate_layout(names[number % len(names)])
        home = spawn_home(layout, HomeTask(), "diverse", rng, _THINGS)
        _add_rare_items(home, number)
        for thing in home.things.values():
            left = unseen.setdefault(thing.class_name, _possible(thing))
            _prepare(home, thing, rng.choice(sorted(left)) if on_purpose and left else _some(thing, rng))
        camera = Camera(home, Lens(), load_noise().times(0), seed)
        for piece in home.layout.pieces:
            cell = home.layout.spots_before(piece)[0]
            for pitch in (0, -30):
                home.posture = Posture(cell, (piece.facing + 180) % 360, pitch)
                image = camera.take()
                for mask in image.frame.masks:
                    thing = home[image.things[mask.label]]
                    states = {state: state in thing.states for state in visible_states(thing)}
                    key = thing.class_name, tuple(sorted(state for state, so in states.items() if so))
                    if states:
                        rows.setdefault(key, (mask.crop, thing.class_name, states))
                        unseen[thing.class_name].discard(key[1])
    return Pictures.of([rows[key] for key in sorted(rows)])


def _add_rare_items(home: Home, number: int) -> None:
    """Add things of two of the classes that no generated home has, in turn, with chances of their own."""
    priors, rng = load_spawn_priors(), Random(f"rare {number}")
    rare = [name for name in priors.places if name not in priors.rooms]
    for name in sorted({rare[(2 * number + more) % len(rare)] for more in (0, 1)} if rare else ()):
        item = home.classes.items[name]
        found = draw_placement(home, item, priors, rng)
        if found is not None:
            home.add(name, set(), varied(item.colour, rng), *found)


@lru_cache(maxsize=1)
def _rare_furniture() -> tuple[str, ...]:
    """The classes of furniture that no generated home has."""
    common = {piece.class_name for name in layout_names(seen=True) for piece in generate_layout(name).pieces}
    return tuple(name for name in load_object_classes().furniture if name not in common)


def training_places(homes: int, seed: int = 0) -> Mapping[str, Mapping[str, float]]:
    """By class of item and of furniture, the percentage of items that lie there in training homes.

    Args:
        homes: the number of homes.
        seed: decides what is in them.
    """
    names = layout_names(seen=True)
    seen: dict[str, Counter[str]] = {}
    for number in range(homes):
        rng = Random(f"places {seed} {number}")
        home = spawn_home(generate_layout(names[number % len(names)]), HomeTask(), "diverse", rng, _THINGS)
        _add_rare_items(home, number)
        for item in home.items():
            furniture = next((below for below in home.supports_of(item) if below.piece is not None), None)
            if furniture is not None:
                seen.setdefault(item.class_name, Counter())[furniture.class_name] += 1
    return {
        item: {
            place: round(100 * count / sum(counts.values()), 1)
            for place, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
        }
        for item, counts in sorted(seen.items())
    }


def _write_places(path: Path, places: Mapping[str, Mapping[str, float]]) -> None:
    lines = [
        "# Where to expect things before a home has been seen: of a hundred of a class, how many are at each",
        "# class of furniture. Learned in training homes of the seen families, see",
        "# foretree/simulation/grid_homes/training_data.py.",
        "# What was found in past runs is added to this.",
        "",
        "# At furniture that is not named.",
        f"otherwise: {_HARDLY_EVER}",
        "",
        "expect:",
    ]
    for item, shares in places.items():
        row = ", ".join(f"{place}: {share:g}" for place, share in shares.items() if share >= _HARDLY_EVER)
        lines += [f"  - things: [{item}]", *wrap(f"    places: {{{row}}}", 110, subsequent_indent=" " * 13)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _possible(thing: HomeObject) -> set[_Together]:
    """All sets of states that an object can be in."""
    states = visible_states(thing)
    every = (some for count in range(len(states) + 1) for some in combinations(states, count))
    return {some for some in every if not any(one in some and other in some for one, other in EXCLUSIVE)}


def _some(thing: HomeObject, rng: Random) -> _Together:
    """A random set of states for an object."""
    wanted = {state for state in visible_states(thing) if rng.random() < _SOMEHOW}
    for one, other in EXCLUSIVE:
        if one in wanted:
            wanted.discard(other)
    return tuple(sorted(wanted))


def _prepare(home: Home, thing: HomeObject, wanted: _Together) -> None:
    """Bring an object into a set of states."""
    for state in visible_states(thing):
        home.set_state(thing, state, state in wanted)


if __name__ == "__main__":
    _target = Path(sys.argv[1])
    if _target.suffix == ".npz":
        save_pictures(_target, training_pictures(HOMES, more=MORE))
    else:
        _write_places(_target, training_places(HOMES))
