"""Goals as the scenarios write them: prefix formulas with parentheses left out or left open.

The number of arguments that a predicate has is known, so atoms need no parentheses. A conjunction or a
disjunction ends where its parenthesis is closed, else with the goal. Where that leaves one with a single
part, a parenthesis is missing before: it is put where each has several, if there is one such place only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from foretree.errors import ForetreeError, suggest
from foretree.planning.pddl.syntax import Domain, Formula
from foretree.planning.task.goals import GoalError, parse_goal
from foretree.printable import quote
from foretree.regression.language.autogptp.scene_file import SAME_PREDICATES, object_name

_JOINING = ("and", "or")
_TOKEN = re.compile(r"[()]|[^\s()]+")


class GoalTextError(ForetreeError):
    """A goal that cannot be read, however its parentheses are completed."""


@dataclass(frozen=True, slots=True)
class ReadGoal:
    """A goal, and its text with all parentheses; *mended* if more than the outermost were missing."""

    formula: Formula
    text: str
    mended: bool


def read_goal(text: str, domain: Domain, objects: Mapping[str, str]) -> ReadGoal:
    """Read the goal of a scenario.

    Args:
        text: a formula such as ``and (on apple0 table0) (or (opened fridge0) (opened oven0))``.
        domain: has the predicates.
        objects: those of the scene, with their types.

    Raises:
        GoalTextError: what the goal says cannot be told, or is not about the scene.
    """
    tokens = _TOKEN.findall(text.replace(",", " ").lower())
    if not tokens:
        raise GoalTextError("The goal is empty: write, for example, and (on apple0 table0) (clean cup0).")
    as_written = _GoalReader(tokens, domain, objects).whole()
    found = as_written
    if as_written.lonely:
        others = {str(one): one for one in _closed_earlier(tokens, domain, objects) if not one.lonely}
        if len(others) > 1:
            first, second = list(others)[:2]
            raise GoalTextError(
                f"A closing parenthesis is missing in {quote(' '.join(tokens))}, which could mean {first} "
                f"or {second}. Write the one that is meant."
            )
        found = next(iter(others.values()), as_written)
    complete = str(found)
    try:
        formula = parse_goal(complete, domain, objects).formula
    except GoalError as error:
        raise GoalTextError(str(error)) from error
    depth = tokens.count("(") - tokens.count(")")
    return ReadGoal(formula, complete, depth != 0 or found is not as_written)


def _closed_earlier(tokens: list[str], domain: Domain, objects: Mapping[str, str]) -> Iterator[_Part]:
    """The readings with one more closing parenthesis."""
    for at in range(1, len(tokens)):
        if tokens[at] == "(" and tokens[at - 1] not in ("(", "not", *_JOINING):
            yield _GoalReader([*tokens[:at], ")", *tokens[at:]], domain, objects).whole()


@dataclass(frozen=True)
class _Part:
    """A part of a goal: an atom, or a word with the parts that it applies to."""

    word: str
    parts: tuple[_Part, ...] = ()
    arguments: tuple[str, ...] = ()

    @property
    def lonely(self) -> bool:
        """True if a conjunction or disjunction in it has one part only, or one of its own kind as a part."""
        joins = self.word in _JOINING
        return (joins and (len(self.parts) < 2 or any(p.word == self.word for p in self.parts))) or any(
            part.lonely for part in self.parts
        )

    def __str__(self) -> str:
        return f"({' '.join((self.word, *map(str, self.parts), *self.arguments))})"


class _GoalReader:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[str], domain: Domain, objects: Mapping[str, str]) -> None:
        self._tokens = tokens
        self._domain = domain
        self._objects = objects
        self._at = 0

    def whole(self) -> _Part:
        """The goal; what stands side by side is meant together."""
        found: list[_Part] = []
        while (token := self._peek()) is not None:
            if token == ")":  # one too many
                self._at += 1
            else:
                found.append(self._one())
        if not found:
            raise GoalTextError(f"The goal {quote(' '.join(self._tokens))} says nothing.")
        return found[0] if len(found) == 1 else _Part("and", tuple(found))

    def _one(self) -> _Part:
        """The formula that begins here, up to its closing parenthesis if it has one."""
        opened = 0
        while self._peek() == "(":
            self._at += 1
            opened += 1
        word = self._peek()
        if word is None or word == ")":
            said = quote(" ".join(self._tokens[: self._at]))
            valid = ", ".join(self._domain.predicates)
            raise GoalTextError(f"After {said} and, or, not, or a predicate should follow. Valid: {valid}.")
        self._at += 1
        if word in _JOINING:
            made = _Part(word, tuple(self._joined(word, opened > 0)))
        elif word == "not":
            made = _Part(word, (self._one(),))
        else:
            made = self._atom(word)
        while opened and self._peek() == ")":
            self._at += 1
            opened -= 1
        return made

    def _joined(self, word: str, is_opened: bool) -> Sequence[_Part]:
        """Parts of a conjunction or disjunction; without a parenthesis before it, it is the whole goal."""
        parts: list[_Part] = []
        while (token := self._peek()) is not None:
            if token != ")":
                parts.append(self._one())
            elif is_opened:
                break
            else:
                self._at += 1
        if not parts:
            raise GoalTextError(f"Nothing follows {quote(word)}: write ({word} (on apple0 table0) (…)).")
        return parts

    def _atom(self, predicate: str) -> _Part:
        arguments: list[str] = []
        while (token := self._peek()) is not None and token not in "()" and not self._begins_formula(token):
            arguments.append(token)
            self._at += 1
        name = SAME_PREDICATES.get((predicate, len(arguments)), predicate)
        valid = self._domain.predicates
        if name not in valid:
            raise GoalTextError(f"{quote(predicate)} is no predicate. {suggest(name, valid)}")
        if len(arguments) != len(valid[name]):
            shown = " ".join((predicate, *(p.name[1:].upper() for p in valid[name])))
            said = " ".join((predicate, *arguments))
            raise GoalTextError(f"{quote(said)} names {len(arguments)} objects: write ({shown}).")
        return _Part(name, arguments=tuple(map(self._object, arguments)))

    def _begins_formula(self, token: str) -> bool:
        """True for the word of a formula whose parenthesis is missing, unless an object is called so."""
        words = (*_JOINING, "not", *self._domain.predicates)
        return token in words and object_name(token, self._objects) is None

    def _object(self, text: str) -> str:
        name = object_name(text, self._objects)
        if name is None:
            raise GoalTextError(f"There is no {quote(text)} in the scene. {suggest(text, self._objects)}")
        return name

    def _peek(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None
