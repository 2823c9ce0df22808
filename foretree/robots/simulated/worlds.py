"""Worlds that a simulation over ROS offers, made from what its command line says."""

from __future__ import annotations

from collections.abc import Sequence

from foretree.clock import SimulatedClock
from foretree.config import find_config
from foretree.robots.simulated.host import SimulationHost
from foretree.simulation.household.scene_file import load_scene, scene_domain
from foretree.simulation.household.world import HouseholdWorld
from foretree.skills.catalogue_file import load_catalogue
from foretree.skills.embodied.body import Body


def host_scene(scene: str, faults: Sequence[str] | None = None, seed: int = 0) -> SimulationHost:
    """Return the host of a scene's robots.

    Args:
        scene: the scene's name, or the path of its file.
        faults: a fault script that replaces the scene's own.
        seed: of the noise and of faults that strike by chance.

    Raises:
        ForetreeError: there is no such scene, or it or a fault makes no sense.
    """
    path = find_config("scenes", scene)
    catalogue = load_catalogue(scene_domain(path))
    return host_household(
        HouseholdWorld(load_scene(path, catalogue.ontology), clock := SimulatedClock(), faults, seed), clock
    )


def host_household(world: HouseholdWorld, clock: SimulatedClock) -> SimulationHost:
    """Return the host of all robots of a household whose time is *clock*."""
    return SimulationHost([world, *world.teammates], clock)


def home_body(layout: str, seed: int = 0) -> Body:
    """Return the body in the home of a layout, ``l_kitchen/3``, with whatever the seed puts into it.

    Raises:
        ForetreeError: there is no such layout.
    """
    from foretree.simulation.grid_homes.episode import EpisodeSpec  # takes packages that not everyone has

    return EpisodeSpec(layout, seed).open()
