"""Commands about planning domains."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from foretree.cli._commands import CommandGroup
from foretree.cli._request import UsageError
from foretree.cli._terminal import say, show_warnings
from foretree.printable import clean

PANEL = "Domains"

commands = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="Make planning domains out of others.",
)


@commands.callback()
def _group() -> None:
    """Keep this a group, however few commands there are."""


def _names(option: str, what: str) -> Any:
    return typer.Option(option, metavar="NAMES", help=f"{what}, with commas.", show_default=False)


@commands.command("expand")
def expand_domain(
    base: Annotated[
        Path, typer.Argument(metavar="BASE", help="The PDDL domain of a tabletop.", show_default=False)
    ],
    navigation: Annotated[bool, typer.Option("--navigation", help="Robots and things are at nodes.")] = False,
    doors: Annotated[bool, typer.Option("--doors", help="Doors are to be opened.")] = False,
    hands: Annotated[
        int | None,
        typer.Option("--hands", metavar="N", help="Tell N hands of a robot apart.", show_default=False),
    ] = None,
    costs: Annotated[bool, typer.Option("--costs", help="Count deeds and the ways between nodes.")] = False,
    robots: Annotated[
        int | None,
        typer.Option("--robots", metavar="N", help="Say which of N robots acts.", show_default=False),
    ] = None,
    carry: Annotated[str, _names("--carry", "Predicates that say what goes with what it rests on")] = "",
    mobile: Annotated[str, _names("--mobile", "Types of things that are pushed with what is on them")] = "",
    two_handed: Annotated[str, _names("--two-handed", "Actions that take two hands at once")] = "",
    placeless: Annotated[str, _names("--placeless", "Types of what is nowhere, such as colours")] = "",
    anchors: Annotated[
        Path | None,
        typer.Option(
            "--anchors",
            metavar="FILE",
            help="A YAML file that says hand_free, holding, door_open, or any other option.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write it there.", show_default=False),
    ] = None,
) -> None:
    """Make the domain of a building out of the domain of a tabletop.

    Examples:

    foretree domain expand blocks.pddl --navigation --doors --hands 2 --costs -o building.pddl

    foretree domain expand tray.pddl --navigation --carry on,in --two-handed lift_tray,put_tray
    """
    from foretree.config import read_yaml
    from foretree.planning.expansion.files import expand_file, write_expanded
    from foretree.planning.expansion.option_file import read_expansion
    from foretree.planning.expansion.options import Expansion

    def listed(names: str) -> tuple[str, ...]:
        return tuple(name.strip() for name in names.split(",") if name.strip())

    options = Expansion(
        navigation=navigation,
        doors=doors,
        hands=hands,
        costs=costs,
        robots=robots,
        carry=listed(carry),
        mobile=listed(mobile),
        two_handed=listed(two_handed),
        placeless=listed(placeless),
    )
    if anchors is not None:
        options |= read_expansion(read_yaml(anchors), anchors)
    if options == Expansion():
        raise UsageError("Say what to add to the domain, for example --navigation --doors --hands 2 --costs.")
    if output is not None and output.resolve() == base.resolve():
        raise UsageError(f"{output} is the domain that is to be expanded: write the result to another file.")
    expanded = expand_file(base, options, anchors)
    show_warnings([str(warning) for warning in expanded.warnings])
    text = write_expanded(expanded, base.name)
    if output is None:
        typer.echo(clean(text), nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"Cannot write {output}: {error.strerror}.") from error
    say(f"{output} is written.")
