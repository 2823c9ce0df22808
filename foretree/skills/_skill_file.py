"""Skill files: one YAML file describes a skill, and the phrases that ask for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, field_validator

from foretree.changes import Changes
from foretree.config import read_yaml
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at, find_node, line_of
from foretree.planning.pddl.errors import PddlError
from foretree.planning.pddl.parser import parse_operator
from foretree.planning.pddl.sexpr import Group, read
from foretree.planning.pddl.source import Source
from foretree.planning.pddl.syntax import Domain, Operator, Typed
from foretree.planning.pddl.typed_lists import Hierarchy, TypeNames, read_typed_list
from foretree.planning.task.goals import GoalError, parse_goal
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.schema import Strict, validate
from foretree.skills.executors import ExecutorError, check_executor_name
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.facts import Kind, PredicateInfo
from foretree.world_model.ontology_file import PredicateEntry

_BRACED = re.compile(r"\{(.*?)\}")


class PhraseEntry(Strict):
    """A phrase with an operator's parameters in braces, and the goal that it stands for.

    It is a *wish* for a state if any action may bring that about.
    """

    say: str = Field(min_length=1)
    goal: str = Field(min_length=1)
    wish: bool = False

    def renamed(self, names: Mapping[str, str]) -> PhraseEntry:
        """Return the same with other names in the braces."""

        def rename(text: str) -> str:
            return _BRACED.sub(lambda braced: f"{{{names.get(braced[1], braced[1])}}}", text)

        return PhraseEntry(say=rename(self.say), goal=rename(self.goal), wish=self.wish)


def phrase_templates(
    entries: Sequence[PhraseEntry],
    operator: Operator,
    domain: Domain,
    path: Path,
    location: KeyPath,
    operators: tuple[str, ...] = (),
) -> tuple[PhraseTemplate, ...]:
    """Return the phrase templates in *entries*, found at a location of a file, for an operator.

    Args:
        operators: those that the phrases ask for; the operator alone unless stated.

    Raises:
        ConfigError: one names no parameter of the operator, or its goal is none of the domain.
    """
    for index, entry in enumerate(entries):
        _check(entry, operator, domain, path, (*location, index))
    asked = operators or (operator.name,)
    return tuple(PhraseTemplate(entry.say, entry.goal, operator.name, asked, entry.wish) for entry in entries)


def _check(entry: PhraseEntry, operator: Operator, domain: Domain, path: Path, location: KeyPath) -> None:
    parameters = {parameter.name[1:]: parameter.type for parameter in operator.parameters}
    if re.sub(r"[^()]", "", entry.say).replace("()", ""):
        raise error_at(path, (*location, "say"), "alternatives are written (put|place), and do not nest.")
    said = _BRACED.findall(entry.say)
    for where, text, valid in (("say", entry.say, list(parameters)), ("goal", entry.goal, said)):
        for name in _BRACED.findall(text):
            if name not in valid:
                whose = "of the action" if where == "say" else "that the form says"
                raise error_at(
                    path, (*location, where), f"{{{name}}} is no parameter {whose}. {suggest(name, valid)}"
                )
    # Each parameter stands for an object of its type; equally long, so that columns come out right.
    objects = {f"_{name}_": parameters[name] for name in said}
    try:
        goal = parse_goal(_BRACED.sub(r"_\1_", entry.goal), domain, objects)
    except GoalError as error:
        raise error_at(path, (*location, "goal"), _braced(str(error), said)) from error
    if goal.repair:
        raise error_at(path, (*location, "goal"), _braced(goal.repair, said))


def _braced(message: str, names: list[str]) -> str:
    for name in names:
        message = message.replace(f"_{name}_", f"{{{name}}}")
    return message


class _NewPredicateEntry(PredicateEntry):
    signature: str
    kind: Kind | None = None


class SkillEntry(Strict):
    """Keys of a skill file."""

    skill: str = Field(pattern=r"^[a-z][a-z0-9_-]*$")
    says: str = Field(min_length=1)
    action: str | None = None
    executor: str = Skill.executor
    resources: tuple[str, ...] = Skill.resources
    time_out: float = Field(default=Skill.time_out, gt=0)
    retries: int = Field(default=Skill.retries, ge=0)
    certainty: float = Field(default=Skill.certainty, ge=0, le=1)
    irreversible: bool = Skill.irreversible
    watch: bool = Skill.watch
    confidence: float = Field(default=Skill.confidence, gt=0, le=1)
    success: float = Field(default=Skill.success, gt=0, le=1)
    parameters: Mapping[str, Any] = Field(default_factory=dict)
    forms: tuple[PhraseEntry, ...] = ()
    predicates: Mapping[str, _NewPredicateEntry] = Field(default_factory=dict)

    @field_validator("resources", mode="before")
    @classmethod
    def _unquoted_parameters(cls, value: object) -> object:
        """To YAML, the unquoted ``?hand`` in ``[?hand]`` is a key without a value."""
        if not isinstance(value, list):
            return value
        return [
            f"?{next(iter(v))}" if isinstance(v, dict) and list(v.values()) == [None] else v for v in value
        ]


@dataclass(frozen=True, slots=True)
class NewPredicate:
    """A predicate that a skill file brings along.

    Attributes:
        parameters: its typed parameters.
        info: how the belief treats it.
        kind_given: whether the file says of what kind it is; otherwise that is inferred.
    """

    parameters: tuple[Typed, ...]
    info: PredicateInfo
    kind_given: bool


@dataclass(frozen=True)
class SkillFile:
    """A skill file that has been read, before its action is understood.

    The meaning of an action depends on the domain, to which other skill files may contribute predicates:
    first all files are read, then :meth:`skill` makes each one's skill.

    Attributes:
        path: the file.
        entry: its keys, with the changes for this run made.
        predicates: new predicates, by name.
    """

    path: Path
    entry: SkillEntry
    predicates: Mapping[str, NewPredicate]
    _changes: Changes = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the skill."""
        return self.entry.skill

    def skill(self, domain: Domain) -> Skill:
        """Return the skill over a *domain* that declares everything the action uses.

        Raises:
            PddlError: the action is wrong; with this file's line.
            ConfigError: something else is, such as a form that names no parameter of the action.
        """
        with self._changes.blamed():
            operator = self._operator(domain)
            parameters = [parameter.name for parameter in operator.parameters]
            for index, resource in enumerate(self.entry.resources):
                if resource.startswith("?") and resource not in parameters:
                    raise error_at(
                        self.path,
                        ("resources", index),
                        f"{resource!r} is no parameter of the action. {suggest(resource, parameters)}",
                    )
            forms = phrase_templates(self.entry.forms, operator, domain, self.path, ("forms",))
            return self._made(operator, self.entry.resources, forms)

    def skill_of(
        self,
        operator: Operator,
        roles: Mapping[str, str],
        resources: tuple[str, ...],
        forms: tuple[PhraseTemplate, ...],
    ) -> Skill:
        """Return the skill of another operator that is the same thing to the robot, with the file's settings.

        Args:
            operator: the PDDL action; the file's own is not looked at.
            roles: the robot's name for each parameter (without ``?``) that it is told of.
            resources: parts of the robot that it holds while it runs.
            forms: phrases that ask for it.

        Raises:
            ConfigError: the executor does not exist.
        """
        with self._changes.blamed():
            return replace(self._made(operator, resources, forms), does=self.name, roles=roles)

    def _made(
        self, operator: Operator, resources: tuple[str, ...], forms: tuple[PhraseTemplate, ...]
    ) -> Skill:
        try:
            check_executor_name(self.entry.executor)
        except ExecutorError as error:
            raise error_at(self.path, ("executor",), str(error)) from error
        settings = self.entry.model_dump(exclude={"skill", "action", "resources", "forms", "predicates"})
        return Skill(name=operator.name, operator=operator, resources=resources, forms=forms, **settings)

    def _operator(self, domain: Domain) -> Operator:
        if self.entry.action is None:
            raise error_at(
                self.path,
                ("skill",),
                "action: is missing. Without it, the file only says how operators of this type are carried "
                f"out, in a domain whose own file says which these are, with does: {self.name}.",
            )
        try:
            operator = parse_operator(self.entry.action, domain, str(self.path))
        except PddlError:
            text, line = _as_in_the_file(self.path, ("action",))
            parse_operator(text, domain, str(self.path), line)
            raise
        if operator.name != self.name:
            raise error_at(
                self.path,
                ("action",),
                f"the action is called {operator.name!r}, but the skill {self.name!r}; use one name.",
            )
        return operator


def read_skill_file(
    path: Path, domain: Domain, changes: Mapping[str, Mapping[str, str]] | None = None
) -> SkillFile:
    """Read a skill file; its new predicates may use the types of *domain*.

    Args:
        path: the YAML file.
        domain: what it builds on.
        changes: values that differ from the file's, by skill and key: ``{"pick": {"retries": "0"}}``.

    Raises:
        ConfigError: with the file, the line and what would have been valid.
        PddlError: a new predicate's signature is wrong.
    """
    data = read_yaml(path)
    name = str(data.get("skill"))
    made = Changes(f"skill.{name}", (changes or {}).get(name, {}))
    with made.blamed():
        entry = validate(SkillEntry, made.made_in(data), path)
    predicates = {}
    for name, told in entry.predicates.items():
        parameters = _signature(path, name, told.signature, domain)
        unsaid = {"signature"} if told.kind else {"signature", "kind"}
        info = PredicateInfo(**told.model_dump(exclude=unsaid))
        predicates[name] = NewPredicate(parameters, info, told.kind is not None)
    return SkillFile(path, entry, predicates, made)


def _signature(path: Path, name: str, text: str, domain: Domain) -> tuple[Typed, ...]:
    """The parameters in a declaration such as ``(polished ?item - item)``."""
    location = ("predicates", name, "signature")
    source = Source(str(path), text)
    try:
        top = read(source)
        group = top.items[0] if len(top.items) == 1 else None
        if not isinstance(group, Group) or group.head != name:
            raise error_at(path, location, f"write ({name} ?item - item), not {text!r}.")
        names = TypeNames(source, Hierarchy.of(domain))
        return read_typed_list(source, group, 1, names.loose, variables=True)
    except PddlError as error:
        raise error_at(path, location, error.problem) from error


def _as_in_the_file(path: Path, location: tuple[str, ...]) -> tuple[str, int]:
    """The text at a location as it stands in the file, indented as it is, and the line where it begins.

    Parsed again, it gives errors whose lines and columns are the file's.
    """
    _, node = find_node(path, location)
    if not isinstance(node, yaml.ScalarNode) or node.style != "|":
        return str(node.value), line_of(path, location)
    lines = path.read_text(encoding="utf-8").splitlines()
    begin, end = node.start_mark.line + 1, node.end_mark.line
    return "\n".join(lines[begin:end]), begin + 1
