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
        str, typer.Argument(metavar="MAP", help="A map of configs/maps, or a map file.", show_default=False)
    ],
    png: Annotated[
        Path | None,
        typer.Option("--png", metavar="FILE", help="Draw it into this file too.", show_default=False),
    ] = None,
    graphml: Annotated[
        Path | None,
        typer.Option(
            "--graphml", metavar="FILE", help="Write it to this file too, as GraphML.", show_default=False
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
) -> None:
    """Show a map: rooms, doors and assets, what closed doors cut off, the way between two nodes.

    Examples:

    foretree map show office

    foretree map show office --png office.png --closed kitchen_door,door602 --path fridge1 table605
    """
    from foretree.config import find_config, is_folder
    from foretree.pictures.map_picture import draw
    from foretree.pictures.map_text import describe_map
    from foretree.world_model.maps.graphml import write_graphml
    from foretree.world_model.maps.map_file import load_map

    if png is not None and png.suffix.lower() != ".png" and not is_folder(png):
        raise UsageError(f"{png} is not the name of a PNG file: call it {png.with_suffix('.png')}.")
    building = load_map(find_config("maps", name))
    shut = [door.strip() for door in closed.split(",") if door.strip()]
    typer.echo(describe_map(building, new_console().width, shut, path))
    way = building.places.path(*path, lambda door: door not in shut) if path else None
    if png is not None:
        try:
            draw(building, path=way.nodes if way else (), closed=shut).save(png, "PNG", optimize=True)
        except OSError as error:
            raise UsageError(f"Cannot write {png}: {error.strerror}.") from error
        say(f"\nWrote {png}.")
    if graphml is not None:
        write_graphml(building, graphml)
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
