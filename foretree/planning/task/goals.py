"""Goals as people and models write them: checked against the domain, and repaired when that is safe."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from foretree.errors import ForetreeError
from foretree.planning.pddl.errors import PddlError, PddlSyntaxError
from foretree.planning.pddl.formula_reader import FormulaReader
from foretree.planning.pddl.sexpr import read
from foretree.planning.pddl.source import TOKEN, Source
from foretree.planning.pddl.syntax import And, Domain, Formula, Or, rebuild, show
from foretree.planning.pddl.typed_lists import Hierarchy, TypeNames

#: Goals of more words and parentheses than this are not repaired: every place is tried, each anew.
MOST_PIECES = 600


class GoalError(ForetreeError):
    """A goal does not say what it should.

    Attributes:
        column: where in the goal, counted from 1.
        line: in which of its lines, counted from 1.
    """

    def __init__(self, problem: str, line: int, column: int) -> None:
        super().__init__(problem, line, column)
        self.problem = problem
        self.line = line
        self.column = column

    def message(self) -> str:
        """See :class:`~foretree.errors.ForetreeError`."""
        line = f"line {self.line}, " if self.line > 1 else ""
        return f"In the goal, {line}column {self.column}: {self.problem}"


@dataclass(frozen=True, slots=True)
class ParsedGoal:
    """A goal, and what had to be repaired to read it: a sentence, or None when it was fine as it stood."""

    formula: Formula
    repair: str | None = None


def parse_goal(text: str, domain: Domain, objects: Mapping[str, str]) -> ParsedGoal:
    """The goal that *text* states.

    Several formulas side by side read as their conjunction. Unbalanced parentheses are repaired when there
    is one way to do it: every change in a single place (parentheses of one kind added, or removed) that
    makes a valid goal must make the same goal. When closing ones are missing, readings as one formula go
    before readings as several side by side.

    Args:
        text: ``(and (on mug1 table2) …)``, or ``(on mug1 table2) (open fridge1)``.
        domain: its predicates and types are the valid ones.
        objects: what the goal may name, with types; the domain's constants come on top.

    Raises:
        GoalError: it is not a goal; the message names the column and says what would have been valid.
    """
    source = Source("goal", text)
    words = [piece.group() for piece in _pieces(text)]
    excess = words.count("(") - words.count(")")
    if excess == 0:
        try:
            return ParsedGoal(_read(source, domain, objects)[0])
        except PddlError as error:
            raise GoalError(error.problem, error.line, error.column) from error
    return _repaired(source, excess, domain, objects)


def _read(source: Source, domain: Domain, objects: Mapping[str, str]) -> tuple[Formula, bool]:
    """The formula, and whether it stood there as one rather than as several side by side."""
    top = read(source)
    if not top.items:
        source.fail(PddlSyntaxError, 0, "The goal is empty: write (predicate object …).")
    for item, at in zip(top.items, top.places, strict=True):
        if isinstance(item, str):
            bare = all(isinstance(other, str) for other in top.items)
            form = f"({' '.join(map(str, top.items))})" if bare else "(predicate object …)"
            source.fail(PddlSyntaxError, at, f'"{item}" stands outside parentheses: write {form}.')
    formulas = FormulaReader(source, domain, objects, TypeNames(source, Hierarchy.of(domain)), counting=True)
    parts = [formulas.formula(item, at, {}) for item, at in zip(top.items, top.places, strict=True)]
    return (parts[0], True) if len(parts) == 1 else (And(tuple(parts)), False)


#: A repaired goal, and a sentence that says what was done.
_Repair: TypeAlias = tuple[str, str]


def _repaired(source: Source, excess: int, domain: Domain, objects: Mapping[str, str]) -> ParsedGoal:
    """The goal that every repair in a single place agrees on; *excess* counts the unclosed parentheses."""
    if excess > 0:
        wrong = f"{_parentheses(excess, 'closing')} {'is' if excess == 1 else 'are'} missing"
    else:
        wrong = f"{_parentheses(-excess, 'closing')} too many (or as many opening ones missing)"
    if len(_pieces(source.text)) > MOST_PIECES:
        raise GoalError(f"{wrong}; the goal is too long to find out where.", *_where_unbalanced(source))
    readings: list[tuple[str, Formula, bool]] = []
    likeliest: PddlError | None = None
    for text, says in _closed(source, excess) if excess > 0 else _opened(source, -excess):
        try:
            formula, alone = _read(Source("goal", text), domain, objects)
        except PddlError as error:
            likeliest = likeliest or error
            continue
        if "(and)" in (shown := show(formula)) or "(or)" in shown:
            continue  # An empty "and" is never meant: the parenthesis went to a place that makes no sense.
        readings.append((says, formula, alone))
    if excess > 0 and any(alone for _, _, alone in readings):
        readings = [reading for reading in readings if reading[2]]
    if not readings:
        because = f" The likeliest change fails because: {likeliest.problem}" if likeliest else ""
        problem = f"{wrong}, and no change in a single place makes a valid goal.{because}"
        raise GoalError(problem, *_where_unbalanced(source))
    says, formula, _ = readings[0]
    for _, other, _ in readings[1:]:
        if _flattened(other) != _flattened(formula):
            problem = f"{wrong}, and it could mean {show(formula)} or {show(other)}: write the one you mean."
            raise GoalError(problem, *_where_unbalanced(source))
    return ParsedGoal(formula, f"{says}, and read the goal as {show(formula)}.")


def _closed(source: Source, count: int) -> Iterator[_Repair]:
    """Every way to close *count* parentheses more in a single place, the likeliest first."""
    text = source.text
    for nth, piece in enumerate(reversed(_pieces(text))):
        where = "at the end" if nth == 0 else _column(source, piece.end())
        repaired = f"{text[: piece.end()]}{')' * count} {text[piece.end() :]}"
        yield repaired, f"Added {_parentheses(count, 'closing')} {where}"
    yield from _removed(source, "(", count)


def _opened(source: Source, count: int) -> Iterator[_Repair]:
    """Every way to be rid of *count* surplus closing parentheses in a single place, the likeliest first."""
    yield from _removed(source, ")", count)
    text = source.text
    for nth, piece in enumerate(_pieces(text)):
        where = "at the beginning" if nth == 0 else _column(source, piece.start())
        repaired = f"{text[: piece.start()]}{'(' * count}{text[piece.start() :]}"
        yield repaired, f"Added {_parentheses(count, 'opening')} {where}"


def _removed(source: Source, parenthesis: str, count: int) -> Iterator[_Repair]:
    text = source.text
    pieces = _pieces(text)
    kind = "opening" if parenthesis == "(" else "closing"
    for first in range(len(pieces) - count, -1, -1):
        run = pieces[first : first + count]
        if all(piece.group() == parenthesis for piece in run):
            gone = {piece.start() for piece in run}
            # A blank in its place keeps the columns of what follows.
            repaired = "".join(" " if at in gone else character for at, character in enumerate(text))
            where = _column(source, run[0].start())
            yield repaired, f"Removed {_parentheses(count, kind)} {where}"


def _pieces(text: str) -> list[re.Match[str]]:
    """The parentheses and words of *text*, without comments."""
    return [match for match in TOKEN.finditer(text) if match.group()[0] != ";"]


def _parentheses(count: int, kind: str) -> str:
    return f"{count} {kind} parenthes{'is' if count == 1 else 'es'}"


def _column(source: Source, at: int) -> str:
    return f"at column {source.place(at)[1]}"


def _where_unbalanced(source: Source) -> tuple[int, int]:
    """The line and column at which the parentheses first fail to match."""
    try:
        read(source)
    except PddlError as error:
        return error.line, error.column
    return 1, 1


def _flattened(formula: Formula) -> Formula:
    """*formula* without nesting that means nothing, so that equal readings compare equal."""
    formula = rebuild(formula, _flattened)
    if isinstance(formula, (And, Or)):
        kind = type(formula)
        parts = ((part.parts if isinstance(part, kind) else (part,)) for part in formula.parts)
        flat = tuple(chain.from_iterable(parts))
        return flat[0] if len(flat) == 1 else kind(flat)
    return formula
