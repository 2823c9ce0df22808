"""Write the generated parts of the documentation and the README anew: ``python docs/generate.py``.

A page says where such a part goes by two comments, ``<!-- generated: NAME -->`` and ``<!-- end -->``; NAME is
one of :data:`PARTS`. With ``--check`` nothing is written; the exit code says whether anything is out of date.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from pkgutil import walk_packages
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, get_args, get_type_hints

from rich.console import Console
from typer.main import get_command

import foretree
from foretree.agent.settings import Settings
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.bringup.preview import preview
from foretree.bringup.scaffold import create
from foretree.cli import EXIT_CODES, app
from foretree.config import find_config
from foretree.errors import ForetreeError
from foretree.planning.pddl.formula_reader import signature
from foretree.planning.pddl.parser import read_domain
from foretree.planning.pddl.syntax import Domain
from foretree.regression.homes.household_tasks import FAMILIES, all_tasks, read_choices
from foretree.runs.event_kinds import EVENT_TYPES
from foretree.runs.events import SCHEMA_VERSION, Tape
from foretree.runs.views.tables import why_page
from foretree.runs.views.terminal import Show
from foretree.runs.views.why import why
from foretree.simulation.household.states_and_relations import RELATIONS, relations_of, states_of
from foretree.skills._operator_table import ACTION_TYPES, OperatorTable, read_operator_table
from foretree.world_model.ontology import Ontology
from foretree.world_model.ontology_file import load_ontology

DOCS = Path(__file__).resolve().parent

_PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.S)


#: Packages of ROS that a few modules import, which define no errors of their own. Docs are made without ROS.
_OF_ROS = ("diagnostic_msgs", "py_trees_ros", "rclpy")


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


# -- the command line --------------------------------------------------------------------------------
def commands() -> str:
    """Every command, in the order of ``foretree --help``."""
    found = dict(_all_commands(get_command(app)))
    listed = [
        (f"[`{name}`](#foretree-{name.replace(' ', '-')})", _lead(command.help))
        for name, command in found.items()
    ]
    whole = table(("command", "what it does"), listed)
    return "\n\n".join([whole, *(_command(name, command) for name, command in found.items())])


def _all_commands(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """The commands of a group and of the groups in it: ``run``, ``map show``."""
    for name in group.list_commands(None):
        command = group.commands[name]
        if hasattr(command, "commands"):
            yield from _all_commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def _command(name: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and "--help" not in p.opts]
    words = [f"foretree {name}", *(_placeholder(p) for p in arguments), *(["[OPTIONS]"] if options else [])]
    parts = [f"## foretree {name}", f"```\n{' '.join(words)}\n```", *_paragraphs(command.help)]
    rows = [(f"`{_metavar(p)}`", _told(p)) for p in arguments]
    hints = get_type_hints(inspect.unwrap(command.callback))
    rows += [(f"`{_spelling(p, hints[p.name])}`", _told(p)) for p in options]
    if rows:
        parts.append(table(("", ""), rows))
    return "\n\n".join(parts)


def _lead(text: str) -> str:
    return " ".join(text.strip().split("\n\n")[0].split())


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.replace("\b\n", "").strip().split("\n\n"):
        line = " ".join(paragraph.split())
        head, colon, example = line.partition("Example: ")
        if colon and not head:
            yield f"```bash\n{example}\n```"
        elif line.startswith("foretree "):
            yield f"```bash\n{line}\n```"
        else:
            yield line


def _metavar(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name.upper())


def _placeholder(parameter: Any) -> str:
    return _metavar(parameter) if parameter.required else f"[{_metavar(parameter)}]"


def _spelling(option: Any, hint: Any) -> str:
    names = ", ".join(sorted(option.opts, key=len, reverse=True))
    # "float | None" is about a float.
    kind = next((part for part in get_args(hint) if part is not type(None)), hint)
    words = {int: "INTEGER", float: "NUMBER", Path: "PATH"}
    return names if kind is bool else f"{names} {option.metavar or words.get(kind, 'TEXT')}"


def _told(parameter: Any) -> str:
    default = parameter.default
    is_value = isinstance(default, (str, int, float)) and default is not False and default != ""
    note = f" Default: `{default}`." if is_value and parameter.show_default else ""
    return f"{' '.join((parameter.help or '').split())}{note}"


def exit_codes() -> str:
    """What ``foretree`` exits with."""
    return table(("code", "meaning"), [(str(code), meaning) for code, meaning in EXIT_CODES.items()])


# -- errors ------------------------------------------------------------------------------------------
def errors() -> str:
    """Every kind of mistake that has an exception of its own, by room."""
    rows = []
    for error in sorted(_errors(), key=lambda error: (error.__module__, error.__name__)):
        room = error.__module__.removeprefix("foretree.").split(".")[0]
        rows.append((f"`{error.__name__}`", room, str(error.exit_code), _lead(error.__doc__ or "")))
    return table(("exception", "room", "exit code", "raised when"), rows)


def _errors() -> set[type[ForetreeError]]:
    for module in walk_packages(foretree.__path__, "foretree."):
        try:
            import_module(module.name)
        except ModuleNotFoundError as error:
            if error.name not in _OF_ROS:
                raise

    def below(kind: type[ForetreeError]) -> Iterator[type[ForetreeError]]:
        for error in kind.__subclasses__():
            if error.__module__.startswith("foretree."):
                yield error
            yield from below(error)

    return set(below(ForetreeError))


# -- runs --------------------------------------------------------------------------------------------
def events() -> str:
    """The kinds of events."""
    rows = [(f"`{kind}`", str(of.__doc__).splitlines()[0].rstrip(".")) for kind, of in EVENT_TYPES.items()]
    return f"Schema version {SCHEMA_VERSION}.\n\n" + table(("kind", "data"), rows)


# -- agents ------------------------------------------------------------------------------------------
def settings() -> str:
    """What can be set about an agent."""
    told = dict(re.findall(r"^ {4}(\w+): ((?:.+\n?(?: {8}.+\n?)*))", inspect.getdoc(Settings) or "", re.M))
    defaults = Settings()
    rows = []
    for field in fields(Settings):
        value = getattr(defaults, field.name)
        shown = ", ".join(value) if isinstance(value, tuple) else str(value).lower()
        rows.append((f"`{field.name}`", f"`{shown}`", " ".join(told[field.name].split())))
    return table(("setting", "default", "what it decides"), rows)


# -- scenes ------------------------------------------------------------------------------------------
def classes() -> str:
    """The classes of furniture and items, and what can be said of each."""
    ontology = load_ontology(find_config("domains", "household"))
    rows = []
    for kind in ontology.classes.values():
        if kind.parent not in ("asset", "item"):
            continue
        where = "furniture" if kind.parent == "asset" else "item"
        holds = ", ".join(r for r in RELATIONS if r in relations_of(kind))
        rows.append((f"`{kind.name}`", where, holds, ", ".join(states_of(ontology, kind.name))))
    return table(("class", "is", "things go", "states"), rows)


# -- the tabletop domain, and that of homes ----------------------------------------------------------
@cache
def _base(name: str) -> tuple[Ontology, Domain, OperatorTable]:
    """A domain before it is expanded."""
    ontology = load_ontology(find_config("domains", name))
    assert ontology.source is not None
    assert ontology.domain is not None
    domain = read_domain(ontology.domain)
    operators = read_operator_table(ontology.source, domain)
    assert operators is not None
    return ontology, domain, operators


def tabletop_types() -> str:
    """The types of action, and what the robot is told of."""
    _, domain, operators = _base("tabletop")
    count = Counter(operators.entries[name].does for name in domain.operators)
    # There are types that only other domains have operators of.
    rows = [
        (f"`{does}`", ", ".join(roles), str(count[does]))
        for does, roles in ACTION_TYPES.items()
        if count[does]
    ]
    return table(("type", "roles", "operators"), rows)


def tabletop_operators() -> str:
    """The operators of the base domain by type."""
    return _operators("tabletop")


def home_operators() -> str:
    """The same for homes."""
    return _operators("home")


def _operators(name: str) -> str:
    _, domain, operators = _base(name)
    rows = []
    for does in ACTION_TYPES:
        mine = [o for name, o in domain.operators.items() if operators.entries[name].does == does]
        if not mine:
            continue
        shown = ", ".join(f"`{o.name} {' '.join(p.name for p in o.parameters)}`" for o in mine)
        rows.append((f"`{does}`", shown))
    return table(("type", "operators"), rows)


def _fluents(domain: Domain) -> set[str]:
    return {e.literal.atom[0] for o in domain.operators.values() for e in o.effects}


def tabletop_fluents() -> str:
    """The predicates that actions change, and by which types they become true."""
    _, domain, operators = _base("tabletop")
    changing = _fluents(domain)
    rows = []
    for name, parameters in domain.predicates.items():
        if name in changing:
            causes = {
                operators.entries[operator.name].does: None
                for operator in domain.operators.values()
                if any(e.literal.positive and e.literal.atom[0] == name for e in operator.effects)
            }
            shown = ", ".join(f"`{does}`" for does in causes) or "nothing, it only ends"
            rows.append((f"`{signature(name, parameters)}`", shown))
    return table(("predicate", "becomes true by"), rows)


def tabletop_affordances() -> str:
    """The predicates that never change, and the classes of things that they hold of."""
    ontology, domain, _ = _base("tabletop")
    changing = _fluents(domain)
    rows = [
        (f"`{name}`", ", ".join(c.name for c in ontology.classes.values() if name in c.affords))
        for name in domain.predicates
        if name not in changing
    ]
    return table(("predicate", "classes"), rows)


# -- household tasks ---------------------------------------------------------------------------------
def home_families() -> str:
    """The families of household tasks, each with an example."""
    ontology, _, _ = _base("home")
    choices = read_choices(ontology)
    rows = []
    for family in FAMILIES.values():
        task = Random(4).choice(list(all_tasks(family, ontology, choices)))
        parameters = ", ".join(f"`{name}`" for name in family.parameters)
        rows.append((f"`{family.name}`", parameters, task.instruction, f"`{task.goal}`"))
    return table(("family", "parameters", "for example", "as a goal"), rows)


# -- robots ------------------------------------------------------------------------------------------
def robot_template() -> str:
    """What ``foretree new robot my_robot`` writes."""
    with TemporaryDirectory() as directory:
        text = create("robot", "my_robot", Path(directory)).read_text(encoding="utf-8")
    return f"```python\n{text}```"


# -- examples ----------------------------------------------------------------------------------------
MANGO = Wish("put the mango into the fridge")


@cache
def mango_run() -> Tape:
    """The run of all examples."""
    tape = Tape()
    faults = ("after 1: move mango1 on table2",)
    session, _ = open_household("kitchen", MANGO, Options(faults=faults), recorder=tape)
    session.run()
    return tape


def example_run() -> str:
    """What the run prints when it is not on a terminal."""
    view = Show("plain", Console(file=StringIO()))
    lines = [line for event in mango_run().events for line in view.lines(event)]
    return "\n".join(["```text", *lines, "```"])


def plan_example() -> str:
    """What ``foretree plan`` prints."""
    session, _ = open_household("kitchen", MANGO)
    return f"```text\n{preview(session)}\n```"


def why_example() -> str:
    """What ``foretree why last 3`` prints."""
    console = Console(width=100, highlight=False, no_color=True, force_terminal=False)
    with console.capture() as printed:
        console.print(why_page(why(mango_run().events, "3"), console))
    lines = [line.rstrip() for line in printed.get().splitlines()]
    return "\n".join(["```text", *lines, "```"])


PARTS: dict[str, Callable[[], str]] = {
    "commands": commands,
    "exit_codes": exit_codes,
    "errors": errors,
    "events": events,
    "settings": settings,
    "classes": classes,
    "tabletop_types": tabletop_types,
    "tabletop_operators": tabletop_operators,
    "tabletop_fluents": tabletop_fluents,
    "tabletop_affordances": tabletop_affordances,
    "home_operators": home_operators,
    "home_families": home_families,
    "robot_template": robot_template,
    "example_run": example_run,
    "plan_example": plan_example,
    "why_example": why_example,
}


def renewed(text: str) -> str:
    """A page with its generated parts as they should be."""
    return _PART.sub(lambda found: f"{found[1]}\n{PARTS[found[2]]()}\n\n{found[3]}", text)


def main(arguments: list[str]) -> int:
    """Write what is out of date, or only say so."""
    stale = []
    for page in (*sorted(DOCS.glob("*.md")), DOCS.parent / "README.md"):
        text = page.read_text(encoding="utf-8")
        new = renewed(text)
        if new != text:
            stale.append(page.name)
            if "--check" not in arguments:
                page.write_text(new, encoding="utf-8")
    if stale:
        print(f"{'Out of date' if '--check' in arguments else 'Written'}: {', '.join(stale)}.")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
