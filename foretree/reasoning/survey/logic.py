"""Affordances as combinations of simple questions.

``liquid-contain`` is ``hollow and watertight and open-top``. A model answers simple questions about an object
more reliably than one that takes several of them together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from foretree.config import find_config, read_yaml
from foretree.errors import ForetreeError, suggest
from foretree.file_errors import error_at
from foretree.schema import Strict, validate

_TOKENS = re.compile(r"\(|\)|[a-z][a-z0-9-]*|\S+")
_OPERATORS = frozenset({"and", "or", "not", "(", ")"})


class LogicError(ForetreeError):
    """A combination of questions that cannot be read."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A question, or several joined.

    Attributes:
        kind: ``atom``, ``not``, ``and`` or ``or``.
        atom: the name of the question, of an atom.
        parts: what is joined.
    """

    kind: str
    atom: str = ""
    parts: tuple[Combination, ...] = ()

    def atoms(self) -> Iterator[str]:
        """Iterate over the questions in it, in their order."""
        if self.kind == "atom":
            yield self.atom
        for part in self.parts:
            yield from part.atoms()

    def holds(self, answer: Callable[[str], bool | None]) -> bool | None:
        """Return whether it holds; None if that depends on questions without an answer.

        Args:
            answer: answers a question; called only for those that decide.
        """
        if self.kind == "atom":
            return answer(self.atom)
        if self.kind == "not":
            held = self.parts[0].holds(answer)
            return None if held is None else not held
        decides = self.kind == "or"
        unknown = False
        for part in self.parts:
            held = part.holds(answer)
            if held is decides:
                return decides
            unknown = unknown or held is None
        return None if unknown else not decides


@dataclass(frozen=True, slots=True)
class AffordanceLogic:
    """Simple questions, and the affordances that they add up to.

    Attributes:
        questions: by name; about *it*.
        combinations: by affordance; one that has none is asked about directly.
    """

    questions: Mapping[str, str]
    combinations: Mapping[str, Combination]


class _Logic(Strict):
    questions: dict[str, str] = Field(min_length=1)
    affordances: dict[str, str] = Field(default_factory=dict)


def parse_combination(text: str) -> Combination:
    """Read a combination: names with ``and``, ``or``, ``not`` and parentheses.

    Raises:
        LogicError: it cannot be read.
    """
    tokens = _TOKENS.findall(text)
    read, rest = _parse_joined(tokens, text)
    if rest:
        raise LogicError(f"{text!r}: {rest[0]!r} is not expected here. {_EXPECTED}")
    return read


_EXPECTED = "Write names of questions, joined by and, or, not and parentheses."


def _parse_joined(tokens: list[str], text: str, operator: str = "or") -> tuple[Combination, list[str]]:
    """Read parts joined by an operator; *and* binds closer than *or*."""

    def one(rest: list[str]) -> tuple[Combination, list[str]]:
        return _parse_joined(rest, text, "and") if operator == "or" else _parse_part(rest, text)

    part, tokens = one(tokens)
    parts = [part]
    while tokens and tokens[0] == operator:
        part, tokens = one(tokens[1:])
        parts.append(part)
    return (parts[0] if len(parts) == 1 else Combination(operator, parts=tuple(parts))), tokens


def _parse_part(tokens: list[str], text: str) -> tuple[Combination, list[str]]:
    if not tokens:
        raise LogicError(f"{text!r} is not complete. {_EXPECTED}")
    first, *rest = tokens
    if first == "not":
        part, rest = _parse_part(rest, text)
        return Combination("not", parts=(part,)), rest
    if first == "(":
        part, rest = _parse_joined(rest, text)
        if not rest or rest[0] != ")":
            raise LogicError(f"{text!r}: a parenthesis is not closed.")
        return part, rest[1:]
    if first in _OPERATORS or not first[0].isalpha():
        raise LogicError(f"{text!r}: {first!r} is not expected here. {_EXPECTED}")
    return Combination("atom", first), rest


def load_logic(affordances: Iterable[str], path: Path | None = None) -> AffordanceLogic:
    """Read the questions and combinations of ``configs/affordances/questions.yaml``.

    Args:
        affordances: the affordances that there are.
        path: another such file.

    Raises:
        ConfigError: with the file, the line, the key and what is valid there.
    """
    path = path or find_config("affordances", "questions")
    read = validate(_Logic, read_yaml(path), path)
    known = tuple(affordances)
    combinations: dict[str, Combination] = {}
    for name, text in read.affordances.items():
        where = ("affordances", name)
        if name not in known:
            raise error_at(path, where, f"there is no affordance {name!r}. {suggest(name, known)}")
        try:
            combinations[name] = parse_combination(text)
        except LogicError as error:
            raise error_at(path, where, str(error)) from error
        for atom in combinations[name].atoms():
            if atom not in read.questions:
                hint = suggest(atom, read.questions)
                raise error_at(path, where, f"there is no question {atom!r}. {hint}")
    return AffordanceLogic(read.questions, combinations)
