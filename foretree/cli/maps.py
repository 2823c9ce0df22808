"""Commands about maps of buildings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foretree.cli._commands import CommandGroup
from foretree.cli._options import UsageError
from foretree.cli._terminal import new_console, say

PANEL = "Maps"

commands = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="Show maps of buildings, and import them from GraphML.",
)


@commands.command("show")
def show_map(
    name: Annotated[
        str,
        typer.Argument(
            metavar="MAP",
            help="A map of configs/maps, a scene of configs/scenes, a file of either, or a grid home: "
            "l_kitchen/3.",
            show_default=False,
        ),
    ],
    png: Annotated[
        Path | None,
        typer.Option("--png", metavar="FILE", help="Draw it into this file too.", show_default=False),
    ] = None,
    graphml: Annotated[
        Path | None,
        typer.Option(
            "--graphml",
            metavar="FILE",
            help="Write a map to this file too, as GraphML.",
            show_default=False,
        ),
    ] = None,
    closed: Annotated[
        str,
        typer.Option(
            "--closed", metavar="DOORS", help="Doors that are closed, with commas.", show_default=False
        ),
    ] = "",
    path: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--path", metavar="FROM TO", help="Show the cheapest way between two nodes.", show_default=False
        ),
    ] = None,
    scene: Annotated[
        bool, typer.Option("--scene", help="Show the scene where a map has the same name.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The seed of what is in a grid home.")] = 0,
) -> None:
    """Show a map, a scene or a grid home: rooms, doors and what is there, the way between two nodes.

    Examples:

    foretree map show office

    foretree map show office --png office.png --closed kitchen_door,door602 --path fridge1 table605

    foretree map show office --scene --png office_with_all_things.png

    foretree map show flat --png flat.png --path fridge1 bed1

    foretree map show l_kitchen/3 --seed 6 --png home.png
    """
    from foretree.config import is_folder
    from foretree.pictures.scene_picture import draw_site, open_site
    from foretree.pictures.scene_text import describe_site
    from foretree.simulation.household.scene import Scene
    from foretree.world_model.maps.building_map import BuildingMap
    from foretree.world_model.maps.graphml import write_graphml

    if png is not None and png.suffix.lower() != ".png" and not is_folder(png):
        raise UsageError(f"{png} is not the name of a PNG file: call it {png.with_suffix('.png')}.")
    site = open_site(name, seed, scene_first=scene)
    is_home = not isinstance(site, BuildingMap | Scene)
    if is_home and (closed or path):
        raise UsageError(
            f"{name} is a grid home, which has neither doors nor nodes: leave out --closed and --path."
        )
    if graphml is not None and not isinstance(site, BuildingMap):
        raise UsageError(f"{name} is no map of a building: only those are written as GraphML.")
    shut = [door.strip() for door in closed.split(",") if door.strip()]
    typer.echo(describe_site(site, new_console().width, shut, path))
    if png is not None:
        try:
            draw_site(site, closed=shut, path=path).save(png, "PNG", optimize=True)
        except OSError as error:
            raise UsageError(f"Cannot write {png}: {error.strerror}.") from error
        say(f"\nWrote {png}.")
    if graphml is not None and isinstance(site, BuildingMap):
        write_graphml(site, graphml)
        say(f"\nWrote {graphml}.")


@commands.command("import")
def import_map(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A GraphML file.", show_default=False)],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="The map file to write.", show_default=False),
    ],
) -> None:
    """Make a map file out of GraphML, after the checks that every map has to pass.

    Example: foretree map import office.graphml -o office.yaml
    """
    from foretree.world_model.maps.graphml import read_graphml
    from foretree.world_model.maps.map_file import write_map

    if output.resolve() == file.resolve():
        raise UsageError(f"{output} is the file that is to be read: write the map to another one.")
    building = read_graphml(file)
    write_map(building, output)
    typer.echo(
        f"Wrote {output}: {len(building.places)} nodes, {len(building.assets)} assets. "
        f"See it: foretree map show {output}"
    )
