"""Commands that check the installation, and create files to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foretree.cli._terminal import say

PANEL = "Running"

commands = typer.Typer()


@commands.command(rich_help_panel=PANEL)
def doctor() -> None:
    """Check every part that is optional or comes from elsewhere, and say how to add what is missing."""
    from foretree.bringup.doctor import examine

    failed = False
    for finding in examine():
        sign = "ok     " if finding.ok else "missing" if finding.optional else "BROKEN "
        typer.echo(f"{sign}  {finding.part:<22} {finding.says}")
        if not finding.ok and finding.remedy:
            typer.echo(f"         {'':<22} {finding.remedy}")
        failed = failed or not (finding.ok or finding.optional)
    if failed:
        raise typer.Exit(1)


@commands.command(rich_help_panel=PANEL)
def new(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="skill, scene, map, agent or robot.", show_default=False)
    ],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="What to call it, in lower case.", show_default=False)
    ],
    directory: Annotated[
        Path | None,
        typer.Option(
            "--in",
            metavar="FOLDER",
            help="Where to put the file; the working directory by default.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Create a commented file to start from: a skill, a scene, a map, an agent or a robot. It works as it is.

    Example: foretree new skill polish
    """
    from foretree.bringup.scaffold import create, how_to_try

    path = create(kind, name, directory or Path())
    say(f"Created {path}. It works as it is; its comments say what to change.")
    say(f"Try it: {how_to_try(kind, path)}")
