"""Which operators of a domain are one and the same thing to the robot: the table in the domain's file.

A base domain has many operators for one type of action: taking a cup from a table and taking it out of a
drawer have different conditions, but the robot is told to pick in both cases. The file of such a domain
(``configs/domains/tabletop.yaml``) says under ``operators`` what each one is to the robot and which argument
plays which part, and under ``expand`` how the domain becomes that of a building. How an action of a type is
carried out is said once, in the skill file of that name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from foretree.config import read_yaml
from foretree.errors import suggest
from foretree.file_errors import FileError, error_at
from foretree.planning.pddl.syntax import Domain, Operator
from foretree.schema import Strict, validate
from foretree.skills._asking import FormEntry, forms_of
from foretree.skills._failure_feedback import FailureFeedback
from foretree.skills._failure_feedback_file import FeedbackEntry, read_feedback
from foretree.skills._skill_file import SkillFile
from foretree.skills.skill import Skill

if TYPE_CHECKING:  # loaded only where a domain is expanded
    from foretree.planning.expansion.options import Expansion

#: What the robot is told of in an order of each type.
ACTION_TYPES: Mapping[str, tuple[str, ...]] = {
    "pick": ("item", "place"),
    "place_in": ("item", "place"),
    "place_on": ("item", "place"),
    "place_under": ("item", "place"),
    "hang_on": ("item", "place"),
    "open": ("place",),
    "close": ("place",),
    "pour": ("item", "target"),
    "cut": ("tool", "item"),
    "stir": ("tool", "item"),
    "scoop": ("tool", "item"),
    "fold": ("item",),
    "wipe": ("tool", "target"),
    "turn_on": ("place",),
    "turn_off": ("place",),
    "clean": ("item", "place"),
    "fill": ("item", "place"),
    "examine": ("place",),
}


@dataclass(frozen=True, slots=True)
class TableEntry:
    """What one operator is to the robot.

    Attributes:
        does: the type of action.
        roles: what the robot calls each parameter (without ``?``) that it is told of.
        asked: whether people ask for it in the words of its type's skill file.
        forms: other ways in which they ask for it, over the operator's parameters.
    """

    does: str
    roles: Mapping[str, str]
    asked: bool = False
    forms: tuple[FormEntry, ...] = ()


@dataclass(frozen=True)
class OperatorTable:
    """The table of one domain.

    Attributes:
        path: the file that it stands in.
        entries: by operator, those that expansion adds included.
        expansion: what is added to the base domain.
        nodes: the types of things that are nodes of the map, under their own names.
        further: the skill files of what the robot does besides, each with an operator of its own.
        lessons: what the robot's words for a failure teach, over roles.
    """

    path: Path
    entries: Mapping[str, TableEntry]
    expansion: Expansion
    nodes: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    lessons: tuple[FailureFeedback, ...] = ()

    @property
    def action_types(self) -> tuple[str, ...]:
        """The types of action that occur, each once: the skill files that are needed."""
        return tuple(dict.fromkeys(entry.does for entry in self.entries.values()))

    def expanded(self, base: Domain) -> Domain:
        """The *base* domain with what the file adds to it.

        Raises:
            FileError: it cannot be expanded so.
        """
        from foretree.planning.expansion.expand import expand
        from foretree.planning.expansion.expansion_errors import ExpansionError, ExpansionOptionError

        try:
            whole = expand(base, self.expansion)
        except ExpansionOptionError as error:
            raise error_at(self.path, ("expand", error.option or ""), str(error)) from error
        except ExpansionError as error:
            raise error_at(self.path, ("expand",), str(error)) from error
        types = dict(whole.types)
        for index, name in enumerate(self.nodes):
            if name not in base.types:
                raise error_at(
                    self.path,
                    ("expand", "nodes", index),
                    f"{name!r} is no type of the domain {base.name}. {suggest(name, base.types)}",
                )
            types[name] = "node"
        values = {field.name: getattr(whole, field.name) for field in fields(Domain)}
        return Domain(**{**values, "types": types})

    def skills(self, domain: Domain, files: Mapping[str, SkillFile]) -> dict[str, Skill]:
        """A skill for each operator, carried out as the file of its type says.

        Args:
            domain: the expanded domain.
            files: the skill files of the types, by name.

        Raises:
            ConfigError: a way of asking does not fit the operator.
        """
        made = {}
        for name, entry in self.entries.items():
            operator, file = domain.operators[name], files[entry.does]
            forms = forms_of(entry.forms, operator, domain, self.path, ("operators", name, "forms"))
            if entry.asked:
                parameters = {role: parameter for parameter, role in entry.roles.items()}
                asked = [form.renamed(parameters) for form in file.forms]
                same = tuple(other for other, it in self.entries.items() if it.does == entry.does)
                forms += forms_of(asked, operator, domain, file.path, ("forms",), same)
            resources = tuple(_resources(operator, file.resources))
            skill = file.skill_of(operator, entry.roles, resources, forms)
            made[name] = replace(skill, lessons=tuple(self._lessons_for(entry)))
        return made

    def _lessons_for(self, entry: TableEntry) -> Iterator[FailureFeedback]:
        names = {f"?{role}": f"?{parameter}" for parameter, role in entry.roles.items()}
        for lesson in self.lessons:
            about = lesson.renamed(names)
            if about is not None:
                yield about


def _resources(operator: Operator, resources: tuple[str, ...]) -> Iterator[str]:
    """What an operator holds: the parts that its type's file names, and for a hand there each of its own."""
    hands = [parameter.name for parameter in operator.parameters if parameter.type == "hand"]
    for resource in resources:
        if not resource.startswith("?"):
            yield resource
        else:
            # A robot whose hands are not told apart does one thing at a time.
            yield from hands or ["robot"]


# -- the file ----------------------------------------------------------------------------------------


class _Expand(BaseModel, extra="allow", frozen=True):
    """What is under ``expand``: the types of nodes, and besides them the options of an expansion."""

    nodes: tuple[str, ...] = ()


class _Operator(Strict):
    does: str
    arguments: Mapping[str, int]
    asked: bool = False
    forms: tuple[FormEntry, ...] = ()


class _Table(Strict):
    expand: _Expand = _Expand()
    operators: Mapping[str, _Operator]
    skills: tuple[str, ...] = ()
    lessons: tuple[FeedbackEntry, ...] = ()


#: The keys of such a file that are read here.
_KEYS = tuple(_Table.model_fields)


def read_operator_table(path: Path, base: Domain) -> OperatorTable | None:
    """The table in the file of a domain; None if it has none: then each skill file brings its own operator.

    Args:
        path: the YAML file of the domain.
        base: the domain before expansion.

    Raises:
        ConfigError: with the file, the line and what would have been valid.
    """
    data = read_yaml(path)
    if "operators" not in data:
        for key in _KEYS:
            if key in data:
                raise error_at(path, (key,), "operators: is missing; say there what each operator is.")
        return None
    from foretree.planning.expansion.added_operators import MOVE_ROBOT, OPEN_DOOR
    from foretree.planning.expansion.options import read_expansion

    read = validate(_Table, {key: data[key] for key in _KEYS if key in data}, path)
    for name in read.operators:
        if name not in base.operators:
            raise error_at(
                path,
                ("operators", name),
                f"the domain {base.name} has no such operator. {suggest(name, base.operators)}",
            )
    entries = {}
    for name, operator in base.operators.items():
        if name not in read.operators:
            raise error_at(
                path,
                ("operators",),
                f"{name} is missing, which {base.name} has: say which type of action it is, such as "
                f"{name}: {{does: pick, arguments: {{item: 0, place: 1}}}}. "
                f"Types: {', '.join(ACTION_TYPES)}.",
            )
        entries[name] = _entry(path, operator, read.operators[name])
    expansion = read_expansion(read.expand.model_extra or {}, path, ("expand",))
    if expansion.navigates:
        entries[MOVE_ROBOT] = TableEntry("move", {"from": "from", "to": "to"}, asked=True)
    if expansion.doors:
        # People ask for doors as for all that opens; that can be said only where both are open alike.
        alike = expansion.door_open == "open"
        entries[OPEN_DOOR] = TableEntry("open_door", {"d": "door", "from": "from", "to": "to"}, asked=alike)
    roles = sorted({role for names in ACTION_TYPES.values() for role in names})
    lessons = tuple(read_feedback(read.lessons, roles, base, path))
    return OperatorTable(path, entries, expansion, read.expand.nodes, read.skills, lessons)


def _entry(path: Path, operator: Operator, read: _Operator) -> TableEntry:
    def mistake(problem: str, *location: str) -> FileError:
        return error_at(path, ("operators", operator.name, *location), problem)

    if read.does not in ACTION_TYPES:
        raise mistake(f"there is no type of action {read.does!r}. {suggest(read.does, ACTION_TYPES)}", "does")
    roles = ACTION_TYPES[read.does]
    whole = f"{read.does} has the roles {', '.join(roles)}"
    for role in read.arguments:
        if role not in roles:
            raise mistake(f"{role!r} is no role of {read.does}. {suggest(role, roles)}", "arguments", role)
    for role in roles:
        if role not in read.arguments:
            raise mistake(f"{role} is missing: {whole}.", "arguments")
    shown = ", ".join(f"{number} {p.name}" for number, p in enumerate(operator.parameters))
    named: dict[str, str] = {}
    for role, position in read.arguments.items():
        if not 0 <= position < len(operator.parameters):
            raise mistake(f"{operator.name} has no argument {position}. Valid: {shown}.", "arguments", role)
        parameter = operator.parameters[position].name[1:]
        if parameter in named:
            raise mistake(
                f"?{parameter} is the {named[parameter]} already, and plays one part only. Valid: {shown}.",
                "arguments",
                role,
            )
        named[parameter] = role
    return TableEntry(read.does, named, read.asked, read.forms)
