"""Commands about planning domains."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foretree.cli._commands import CommandGroup, OptionGroup
from foretree.cli._options import UsageError
from foretree.cli._terminal import say, show_warnings
from foretree.printable import clean

if TYPE_CHECKING:
    from foretree.planning.expansion.options import Expansion

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


class ExpansionOptions(OptionGroup):
    """Options for what is added to a domain."""

    navigation: Annotated[bool, typer.Option("--navigation", help="Robots and things are at nodes.")] = False
    doors: Annotated[bool, typer.Option("--doors", help="Doors are to be opened.")] = False
    hands: Annotated[
        int | None,
        typer.Option("--hands", metavar="N", help="Tell N hands of a robot apart.", show_default=False),
    ] = None
    costs: Annotated[
        bool, typer.Option("--costs", help="Count actions and the ways between nodes as costs.")
    ] = False
    robots: Annotated[
        int | None,
        typer.Option("--robots", metavar="N", help="Tell N robots apart.", show_default=False),
    ] = None
    carry: Annotated[str, _names("--carry", "Predicates for what moves together with what it rests on")] = ""
    mobile: Annotated[str, _names("--mobile", "Types of things that are pushed with what is on them")] = ""
    two_handed: Annotated[str, _names("--two-handed", "Actions that take two hands at once")] = ""
    placeless: Annotated[str, _names("--placeless", "Types of what has no place, such as colours")] = ""
    anchors: Annotated[
        Path | None,
        typer.Option(
            "--anchors",
            metavar="FILE",
            help="A YAML file that sets hand_free, holding, door_open, or any other option.",
            show_default=False,
        ),
    ] = None

    def expansion(self) -> Expansion:
        """Return the expansion that the options ask for.

        Raises:
            UsageError: they ask for none.
        """
        from foretree.config import read_yaml
        from foretree.planning.expansion.options import Expansion, read_expansion

        def listed(names: str) -> tuple[str, ...]:
            return tuple(name.strip() for name in names.split(",") if name.strip())

        expansion = Expansion(
            navigation=self.navigation,
            doors=self.doors,
            hands=self.hands,
            costs=self.costs,
            robots=self.robots,
            carry=listed(self.carry),
            mobile=listed(self.mobile),
            two_handed=listed(self.two_handed),
            placeless=listed(self.placeless),
        )
        if self.anchors is not None:
            expansion |= read_expansion(read_yaml(self.anchors), self.anchors)
        if expansion == Expansion():
            raise UsageError(
                "Say what to add to the domain, for example --navigation --doors --hands 2 --costs."
            )
        return expansion


@commands.command("expand")
def expand_domain(
    base: Annotated[
        Path, typer.Argument(metavar="BASE", help="The PDDL domain of a tabletop.", show_default=False)
    ],
    options: ExpansionOptions,
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
    from foretree.planning.expansion.files import expand_file, write_expanded

    expansion = options.expansion()
    if output is not None and output.resolve() == base.resolve():
        raise UsageError(f"{output} is the domain that is to be expanded: write the result to another file.")
    expanded = expand_file(base, expansion, options.anchors)
    show_warnings([str(warning) for warning in expanded.warnings])
    text = write_expanded(expanded, base.name)
    if output is None:
        typer.echo(clean(text), nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"Cannot write {output}: {error.strerror}.") from error
    say(f"Wrote {output}.")
