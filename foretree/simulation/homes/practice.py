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
from foretree.simulation.homes.home import Posture
from foretree.simulation.homes.in_sight import states_that_show
from foretree.simulation.homes.noise import load_noise
from foretree.simulation.homes.stocking import Needs, furnish
from foretree.world_model.camera_model import Lens

#: So many homes the gallery that comes with Foretree was taken in.
HOMES = 200
#: How many pictures are kept of things of one class in the same states.
_ALIKE = 1
#: How many things there are in each home.
_THINGS = 90
#: How often what can break is broken there: homes begin with nothing broken.
_BROKEN = 0.25


def practice_pictures(homes: int, seed: int = 0) -> Pictures:
    """Pictures of everything in some practice homes, without grain, with what is true of them.

    Args:
        homes: how many.
        seed: which things are in them.
    """
    names = layout_names(seen=True)
    rows: list[tuple[Crops, str, dict[str, bool]]] = []
    kept: dict[tuple[str, tuple[str, ...]], int] = {}
    for number in range(homes):
        name = names[number % len(names)]
        layout = draw_layout(name)
        rng = Random(f"practice {seed} {number}")
        home = furnish(layout, Needs(), "diverse", rng, _THINGS)
        for thing in home.things.values():
            if thing.body.traits & {"fragile", "electronic"} and rng.random() < _BROKEN:
                home.set_state(thing, "broken")
        camera = Camera(home, Lens(), load_noise().times(0), seed)
        todo = set(home.things)
        for cell in sorted(layout.reachable)[::3]:
            for heading in (0, 90, 180, 270):
                home.posture = Posture(cell, heading, -30)
                picture = camera.take()
                for mask in picture.masks:
                    thing = home[picture.things[mask.label]]
                    if thing.id not in todo:
                        continue
                    todo.discard(thing.id)
                    states = {state: state in thing.states for state in states_that_show(thing)}
                    key = thing.class_name, tuple(sorted(state for state, so in states.items() if so))
                    if states and kept.get(key, 0) < _ALIKE:
                        kept[key] = kept.get(key, 0) + 1
                        rows.append((mask.crop, thing.class_name, states))
    return Pictures.of(rows)


if __name__ == "__main__":
    save_pictures(Path(sys.argv[1]), practice_pictures(HOMES))
