"""Pictures of all that a robot can be put into: scenes, grid homes, maps of buildings. Needs Pillow."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from foretree.config import ConfigError, config_files, find_config, read_yaml
from foretree.errors import near_miss
from foretree.pictures._site_floors import home_floor, scene_floor
from foretree.pictures.map_picture import draw
from foretree.printable import quote
from foretree.simulation.household.scene import Scene
from foretree.simulation.household.scene_file import load_scene
from foretree.world_model.maps.building_map import BuildingMap

if TYPE_CHECKING:
    from PIL.Image import Image

    from foretree.simulation.grid_homes.home import Home

#: What can be drawn.
Site: TypeAlias = "Scene | BuildingMap | Home"


def scene_png(name: str) -> bytes:
    """Return a picture of the scene, the grid home or the map of that name, as PNG.

    A path is no name: nothing but what is in the configuration folders is read.

    Raises:
        ForetreeError: there is nothing of that name, or its file makes no sense.
    """
    return as_png(draw_site(_named(name, ("scenes", "maps"), seed=0)))


def as_png(image: Image) -> bytes:
    """Return a picture as PNG."""
    written = BytesIO()
    image.save(written, "PNG", optimize=True)
    return written.getvalue()


def open_site(name: str, seed: int = 0, *, scene_first: bool = False) -> Site:
    """Return the map, the scene or the grid home of that name, or the map or scene in that file.

    Args:
        name: a map comes before a scene of the same name.
        seed: decides what is in a home.
        scene_first: whether a scene comes before a map of the same name.

    Raises:
        ForetreeError: there is nothing of that name, or its file makes no sense.
    """
    kinds = ("scenes", "maps") if scene_first else ("maps", "scenes")
    if not Path(name).suffix:
        return _named(name, kinds, seed)
    file = find_config(kinds[0], name)
    return _load("scenes" if "scene" in read_yaml(file) else "maps", file)


def _named(name: str, kinds: Sequence[str], seed: int) -> Site:
    for kind in kinds:
        if name in (files := config_files(kind)):
            return _load(kind, files[name])
    if name.partition("/")[0] in {home.partition("/")[0] for home in _homes()}:
        from foretree.simulation.grid_homes.episode import EpisodeSpec

        return EpisodeSpec(name, seed).open().rules.home
    raise _unknown(name)


def _load(kind: str, file: Path) -> Scene | BuildingMap:
    from foretree.world_model.maps.map_file import load_map

    return load_scene(file) if kind == "scenes" else load_map(file)


def draw_site(site: Site, *, closed: Collection[str] = (), path: tuple[str, str] | None = None) -> Image:
    """Draw a map, a scene as it is at its start, or a grid home as it is.

    Args:
        site: what to draw.
        closed: doors to be drawn closed, besides those that a scene closes.
        path: two nodes; the cheapest path between them is drawn, if there is one. Homes have none.

    Raises:
        MapError: a node or a door of that name is not there.
    """
    if isinstance(site, BuildingMap):
        return draw(site, closed=closed, path=_way(site, closed, path))
    if isinstance(site, Scene):
        shut = {*closed, *(door.name for door in site.doors.values() if not door.open)}
        return scene_floor(site, closed, _way(site, shut, path)).picture()
    return home_floor(site).picture()


def _way(site: Scene | BuildingMap, closed: Collection[str], ends: tuple[str, str] | None) -> tuple[str, ...]:
    way = site.places.path(*ends, lambda door: door not in closed) if ends else None
    return way.nodes if way else ()


def _homes() -> tuple[str, ...]:
    """The names of all grid homes; none if what they take is not installed."""
    with suppress(ModuleNotFoundError):
        from foretree.simulation.grid_homes.layouts.layout_generator import layout_names

        return layout_names()
    return ()


def _unknown(name: str) -> ConfigError:
    scenes, maps, homes = config_files("scenes"), config_files("maps"), _homes()
    families = dict.fromkeys(home.partition("/")[0] for home in homes)
    valid = f"Scenes: {', '.join(scenes)}. Maps: {', '.join(maps)}. " + (
        f"Homes: {', '.join(families)}, each with a number, as {homes[0]}."
        if homes
        else "Homes take: pip install 'foretree[homes]'."
    )
    near = near_miss(name, (*scenes, *maps, *homes))
    return ConfigError(f"There is no scene, map or home called {quote(name)}. {near or valid}")
