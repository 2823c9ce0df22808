"""Operator tables: which operators of a domain are the same skill to the robot.

A base domain has many operators for one type of action: taking a cup from a table and taking it out of a
drawer have different conditions, but the robot is told to pick in both cases. The file of such a domain
(``configs/domains/tabletop.yaml``) says under ``operators`` what each one is to the robot and which role each
argument has, and under ``expand`` how the domain becomes that of a building. The skill file of a type of
action says once how it is carried out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from foretree.config import read_yaml
from foretree.errors import suggest
from foretree.file_errors import FileError, KeyPath, error_at
from foretree.planning.pddl.syntax import Domain, Operator
from foretree.schema import Strict, validate
from foretree.skills._skill_file import PhraseEntry, SkillFile, phrase_templates
from foretree.skills.skill import FailureFeedback, Skill
from foretree.world_model.beliefs.consequences import read_pattern

if TYPE_CHECKING:  # loaded only where a domain is expanded
    from foretree.planning.expansion.options import Expansion

#: Roles of the targets of an order, by type of action.
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
    """One operator as the robot sees it.

    Attributes:
        does: the type of action.
        roles: the robot's name for each parameter (without ``?``) that it is told of.
        asked: whether people ask for it in the words of its type's skill file.
        forms: other phrases that ask for it, over the operator's parameters.
    """

    does: str
    roles: Mapping[str, str]
    asked: bool = False
    forms: tuple[PhraseEntry, ...] = ()


@dataclass(frozen=True)
class OperatorTable:
    """The table of one domain.

    Attributes:
        path: the file that it stands in.
        entries: by operator, those that expansion adds included.
        expansion: what is added to the base domain.
        nodes: the types of things that are nodes of the map, under their own names.
        further: names of further skill files, each with an operator of its own.
        feedback: meaning of the robot's reasons for failures, over roles.
    """

    path: Path
    entries: Mapping[str, TableEntry]
    expansion: Expansion
    nodes: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    feedback: tuple[FailureFeedback, ...] = ()

    @property
    def action_types(self) -> tuple[str, ...]:
        """The types of action that occur, each once: the skill files that are needed."""
        return tuple(dict.fromkeys(entry.does for entry in self.entries.values()))

    def expanded(self, base: Domain) -> Domain:
        """Return the *base* domain with everything that the file adds to it.

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
        """Return a skill for each operator, with the settings of the skill file of its type.

        Args:
            domain: the expanded domain.
            files: the skill files of the types, by name.

        Raises:
            ConfigError: a phrase does not fit the operator.
        """
        made = {}
        for name, entry in self.entries.items():
            operator, file = domain.operators[name], files[entry.does]
            forms = phrase_templates(entry.forms, operator, domain, self.path, ("operators", name, "forms"))
            if entry.asked:
                parameters = {role: parameter for parameter, role in entry.roles.items()}
                asked = [form.renamed(parameters) for form in file.entry.forms]
                same = tuple(other for other, it in self.entries.items() if it.does == entry.does)
                forms += phrase_templates(asked, operator, domain, file.path, ("forms",), same)
            resources = tuple(_resources(operator, file.entry.resources))
            skill = file.skill_of(operator, entry.roles, resources, forms)
            made[name] = replace(skill, feedback=tuple(self._feedback_on(entry)))
        return made

    def _feedback_on(self, entry: TableEntry) -> Iterator[FailureFeedback]:
        names = {f"?{role}": f"?{parameter}" for parameter, role in entry.roles.items()}
        renamed = (feedback.renamed(names) for feedback in self.feedback)
        return (feedback for feedback in renamed if feedback is not None)


def _resources(operator: Operator, resources: tuple[str, ...]) -> Iterator[str]:
    """The resources of an operator: those in its type's file; a hand there stands for each of its own."""
    hands = [parameter.name for parameter in operator.parameters if parameter.type == "hand"]
    for resource in resources:
        if not resource.startswith("?"):
            yield resource
        else:
            # A robot whose hands are not told apart does one thing at a time.
            yield from hands or ["robot"]


# -- the file ----------------------------------------------------------------------------------------


class _Feedback(Strict):
    said: tuple[str, ...]
    then: str | None = None
    unfit: str | None = None


class _Expand(BaseModel, extra="allow", frozen=True):
    """Values under ``expand``: the types of nodes, and the options of an expansion."""

    nodes: tuple[str, ...] = ()


class _Operator(Strict):
    does: str
    arguments: Mapping[str, int]
    asked: bool = False
    forms: tuple[PhraseEntry, ...] = ()


class _Table(Strict):
    expand: _Expand = _Expand()
    operators: Mapping[str, _Operator]
    skills: tuple[str, ...] = ()
    lessons: tuple[_Feedback, ...] = ()


#: Prefix of a negated atom in feedback: ``not (open ?place)``.
_NOT = "not "

#: The keys of such a file that are read here.
_KEYS = tuple(_Table.model_fields)


def read_operator_table(path: Path, base: Domain) -> OperatorTable | None:
    """Return the table in the file of a domain; None if each skill file brings its own operator.

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
    from foretree.planning.expansion.added_operators import CLOSE_DOOR, MOVE_ROBOT, OPEN_DOOR
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
        for name in (OPEN_DOOR, CLOSE_DOOR):
            entries[name] = TableEntry(name, {"d": "door", "from": "from", "to": "to"}, asked=alike)
    roles = sorted({role for names in ACTION_TYPES.values() for role in names})
    feedback = tuple(
        _read_feedback(entry, roles, base, path, ("lessons", i)) for i, entry in enumerate(read.lessons)
    )
    return OperatorTable(path, entries, expansion, read.expand.nodes, read.skills, feedback)


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


def _read_feedback(
    entry: _Feedback, roles: Sequence[str], domain: Domain, path: Path, location: KeyPath
) -> FailureFeedback:
    if (entry.then is None) == (entry.unfit is None):
        raise error_at(path, location, "say either what is so (then), or what is not what it seemed (unfit).")
    if entry.unfit is not None:
        if entry.unfit not in roles:
            problem = f"{entry.unfit!r} is no role. {suggest(entry.unfit, roles)}"
            raise error_at(path, (*location, "unfit"), problem)
        return FailureFeedback(entry.said, unfit=f"?{entry.unfit}")
    assert entry.then is not None
    atom, key = read_pattern(entry.then.removeprefix(_NOT)), (*location, "then")
    if atom is None:
        raise error_at(path, key, f"write (full ?place) or not (open ?place), not {entry.then!r}.")
    if len(domain.predicates.get(atom[0], ())) != len(atom) - 1:
        problem = f"{domain.name} has no predicate {atom[0]!r} of {len(atom) - 1} things."
        raise error_at(path, key, f"{problem} {suggest(atom[0], domain.predicates)}")
    for term in atom[1:]:
        if term.removeprefix("?") not in roles:
            raise error_at(path, key, f"{term!r} is no role. {suggest(term.removeprefix('?'), roles)}")
    return FailureFeedback(entry.said, atom, not entry.then.startswith(_NOT))
