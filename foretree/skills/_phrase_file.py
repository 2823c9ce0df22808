"""Phrases that ask for a skill, read from files and checked against the operator."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import Field

from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at
from foretree.planning.pddl.syntax import Domain, Operator
from foretree.planning.task.goals import GoalError, parse_goal
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.schema import Strict

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
