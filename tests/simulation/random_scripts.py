"""Random fault scripts for a scene, by seed."""

from __future__ import annotations

import random

from foretree.simulation.faults.fault_script import FAILURE_MODES
from foretree.simulation.household._disturbances import random_disturbance
from foretree.simulation.household.scene import Scene

_KINDS = ("move", "open", "close", "clean", "dirty", "switch", *FAILURE_MODES)


def random_faults(scene: Scene, seed: int, rate: float, actions: int = 12) -> tuple[str, ...]:
    """A fault script by seed: something happens before each of the first *actions*, or not, by *rate*."""
    rng = random.Random(f"{scene.name}/{seed}")
    script = []
    for count in range(actions):
        if rng.random() >= rate:
            continue
        kind = rng.choice(_KINDS)
        if kind in FAILURE_MODES:
            script.append(f"after {count}: {kind} next action")
        else:
            disturbance = random_disturbance(kind, scene, rng)
            if disturbance is not None:
                script.append(f"after {count}: {disturbance}")
    return tuple(script)
