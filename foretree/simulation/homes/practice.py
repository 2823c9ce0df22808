"""Practice homes: labelled pictures for a gallery, taken in homes of the families that may be learned from.

``python -m foretree.simulation.homes.practice configs/homes/gallery.npz`` writes the gallery that comes with
Foretree.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from foretree.perception.descriptors import Crops
from foretree.perception.gallery import Pictures, save_pictures
from foretree.simulation.homes.architect import draw_layout, layout_names
from foretree.simulation.homes.camera import Camera
from foretree.simulation.homes.eyesight import EXCLUSIVE
from foretree.simulation.homes.home import Home, Posture, Thing
from foretree.simulation.homes.in_sight import states_that_show
from foretree.simulation.homes.noise import load_noise
from foretree.simulation.homes.stocking import Needs, furnish
from foretree.world_model.camera_model import Lens

#: So many homes the gallery that comes with Foretree was taken in, and so many things are in each.
HOMES, _THINGS = 400, 90
#: How often a thing there is in each state that such things can be in.
_SOMEHOW = 0.35


def practice_pictures(homes: int, seed: int = 0) -> Pictures:
    """Pictures of what is in view in practice homes, without grain, with what is true of it.

    Somebody has prepared the homes: everything is in some state or other. One picture is kept of things of
    one class in the same states.

    Args:
        homes: how many.
        seed: what is in them.
    """
    names = layout_names(seen=True)
    rows: dict[tuple[str, tuple[str, ...]], tuple[Crops, str, dict[str, bool]]] = {}
    for number in range(homes):
        rng = Random(f"practice {seed} {number}")
        home = furnish(draw_layout(names[number % len(names)]), Needs(), "diverse", rng, _THINGS)
        for thing in home.things.values():
            _prepare(home, thing, rng)
        camera = Camera(home, Lens(), load_noise().times(0), seed)
        for piece in home.layout.pieces:
            cell = home.layout.spots_before(piece)[0]
            for pitch in (0, -30):
                home.posture = Posture(cell, (piece.facing + 180) % 360, pitch)
                picture = camera.take()
                for mask in picture.masks:
                    thing = home[picture.things[mask.label]]
                    states = {state: state in thing.states for state in states_that_show(thing)}
                    key = thing.class_name, tuple(sorted(state for state, so in states.items() if so))
                    if states:
                        rows.setdefault(key, (mask.crop, thing.class_name, states))
    return Pictures.of([rows[key] for key in sorted(rows)])


def _prepare(home: Home, thing: Thing, rng: Random) -> None:
    """Bring a thing into some state or other."""
    wanted = {state for state in states_that_show(thing) if rng.random() < _SOMEHOW}
    for one, other in EXCLUSIVE:
        if one in wanted:
            wanted.discard(other)
    for state in states_that_show(thing):
        home.set_state(thing, state, state in wanted)


if __name__ == "__main__":
    save_pictures(Path(sys.argv[1]), practice_pictures(HOMES))
