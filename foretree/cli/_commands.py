"""Commands that are built when they are first asked for: building all costs more than listing them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial, update_wrapper
from inspect import Parameter, Signature, signature
from typing import Any, ClassVar, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command
from typer.models import CommandInfo

from foretree.errors import suggest
from foretree.printable import quote


class OptionGroup:
    """Options that several commands share: the annotated attributes of a subclass, with their defaults.

    A command that takes one has an option for each of them. It is no dataclass: to make one takes longer than
    to list all commands. A subclass may leave out options of its bases.
    """

    left_out: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **given: Any) -> None:
        vars(self).update(given)


@dataclass(frozen=True, eq=False, repr=False)
class Entry:
    """A line in a list of commands, and the way to build its command."""

    name: str
    panel: str
    lead: str
    build: Callable[[], Any]


def of_command(info: CommandInfo) -> Entry:
    """Return the entry of a function that is a command."""
    assert info.callback is not None
    name = info.name or info.callback.__name__
    return Entry(name, str(info.rich_help_panel), _lead(info.callback.__doc__), partial(_alone, name, info))


def of_group(name: str, commands: typer.Typer, panel: str) -> Entry:
    """Return the entry of a group of commands."""
    return Entry(name, panel, _lead(str(commands.info.help)), partial(_group, name, commands))


class Entries(Mapping[str, Any]):
    """Commands by name, each built when it is first asked for."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self.entries = entries
        self._built: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            self._built[name] = self.entries[name].build()
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


class CommandGroup(TyperGroup):
    """Commands in panels. What is none is answered by the names that are near."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _eased(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {}
        if isinstance(self.commands, Entries):
            for entry in self.commands.entries.values():
                panels.setdefault(entry.panel, []).append((entry.name, entry.lead))
        else:
            panels["Commands"] = [(name, _lead(command.help)) for name, command in self.commands.items()]
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if (both := " ".join(args[:2])) in self.commands:  # a command of two words, such as `regress diff`
            args = [both, *args[2:]]
        if args and args[0] not in self.commands and not ctx.resilient_parsing:
            names = list(self.commands)
            ctx.fail(f"There is no command {quote(args[0])}. {suggest(args[0], names, limit=len(names))}")
        return super().resolve_command(ctx, args)


class Command(TyperCommand):
    """A command whose parameters are read at little cost. Words too many are answered by what was meant."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _eased(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        left = super().parse_args(ctx, args)
        if left and not ctx.resilient_parsing:
            words, instruction = " ".join(left), ctx.params.get("instruction")
            hint = f'. An instruction stands in quotes: "{instruction} {words}"' if instruction else ""
            ctx.fail(f"Got unexpected extra argument(s) ({words}){hint}")
        return left


def _alone(name: str, info: CommandInfo) -> Any:
    _prepare(info)
    one = typer.Typer(add_completion=False, rich_markup_mode=None)
    one.registered_commands.append(info)
    return _named(name, get_command(one))


def _group(name: str, commands: typer.Typer) -> Any:
    for info in commands.registered_commands:
        _prepare(info)
    group: Any = get_command(commands)
    for one, command in group.commands.items():
        _named(one, command)
    return _named(name, group)


def _prepare(info: CommandInfo) -> None:
    info.cls = Command
    assert info.callback is not None
    info.callback = _expanded(info.callback)


def _expanded(command: Callable[..., None]) -> Callable[..., None]:
    """Return *command* with an option for each attribute of the groups of options that it takes."""
    hints = get_type_hints(command, include_extras=True)
    groups = {
        name: (hint, _options_of(hint))
        for name, hint in hints.items()
        if isinstance(hint, type) and issubclass(hint, OptionGroup)
    }
    parameters: list[Parameter] = []
    for name, parameter in signature(command).parameters.items():
        if name in groups:
            group, options = groups[name]
            parameters += [
                parameter.replace(name=option, default=getattr(group, option), annotation=annotation)
                for option, annotation in options.items()
            ]
        else:
            parameters.append(parameter.replace(annotation=hints[name]))

    def expanded(**given: Any) -> None:
        made = {
            name: group(**{option: given.pop(option) for option in options})
            for name, (group, options) in groups.items()
        }
        command(**made, **given)

    # Arguments that have to be given come first, as in every signature.
    parameters.sort(key=lambda parameter: parameter.default is not Parameter.empty)
    update_wrapper(expanded, command)
    expanded.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(expanded)["__signature__"] = Signature(parameters)
    del vars(expanded)["__wrapped__"]  # it takes other parameters
    return expanded


def _options_of(group: type[OptionGroup]) -> dict[str, Any]:
    hints = get_type_hints(group, include_extras=True)
    return {name: hint for name, hint in hints.items() if name not in ("left_out", *group.left_out)}


def _named(name: str, command: Any) -> Any:
    """Name a command, and keep the lines that people copy in one piece."""
    command.name = name
    command.help = re.sub(r"(?m)^(?=(?:Example: )?foretree )", "\b\n", command.help or "")
    return command


def _eased(parameters: list[Any]) -> list[Any]:
    """Have parameters converted by pydantic only where there is something to convert."""
    for parameter in parameters:
        # typer has not always asked pydantic
        if hasattr(parameter, "get_runtime_param") and "get_runtime_param" not in vars(parameter):
            parameter.get_runtime_param = partial(_Easy, parameter.get_runtime_param)
    return parameters


class _Easy:
    """Converts what was said for a parameter where there is nothing to convert.

    All else is for typer, which asks pydantic: that takes longer to load than all that most commands need.
    """

    def __init__(self, thorough: Callable[[], Any]) -> None:
        self._thorough = thorough

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        wanted = param.type_descriptor.annotation
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if type(value) is wanted and wanted in (str, int, float):
            return value
        if wanted == list[str] and not isinstance(value, str):
            return list(value)
        try:
            return self._thorough().coerce(value, param=param, ctx=ctx)
        except typer.BadParameter as error:
            if (complaints := getattr(error.__cause__, "errors", None)) is not None:
                from foretree.schema import describe  # pydantic's words are not those of a command line

                error.message = describe(complaints())
            raise


def _lead(text: str | None) -> str:
    return " ".join((text or "").strip().split("\n\n")[0].split())
