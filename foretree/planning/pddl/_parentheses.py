"""Parentheses that do not match: where the mistake most likely is.

Where a parenthesis is missing cannot be known from the parentheses alone: the next one closes what is still
open, and only the end of the file tells. But ``:effect`` belongs to an action and ``(:action`` to a domain,
and people indent what they write: what begins further to the left than a group is not meant to be in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from foretree.planning.pddl.errors import PddlSyntaxError
from foretree.planning.pddl.source import TOKEN, Source

#: The parts of an action.
_PARTS = (":parameters", ":precondition", ":effect", ":duration", ":condition")
#: Groups that may stand in, or have others in them, the entries of a section of plain entries.
_TAKES = {
    "(:predicates": ("(either",),
    "(:functions": ("(either",),
    "(:init": ("(=", "(not", "(at", "(or", "(oneof", "(unknown"),
}
_HEAD = re.compile(r"\(\s*\??[^\s();?]*")


@dataclass(frozen=True, slots=True)
class _Open:
    """A group that is open: where it begins, how far its line is indented, whether it begins the line."""

    at: int
    indent: int
    column: int
    first: bool


@dataclass(frozen=True, slots=True)
class _Suspect:
    at: int
    problem: str


def fail_unbalanced(source: Source, sections_at: int, at: int, problem: str) -> NoReturn:
    """Raise the error about parentheses that do not match, at the place where it most likely has its cause.

    Args:
        source: the text.
        sections_at: how many groups surround a ``(:section``, at most.
        at: where it showed.
        problem: how it showed, for want of something better.

    Raises:
        PddlSyntaxError: always.
    """
    suspect = _find(source, sections_at) or _Suspect(at, problem)
    source.fail(PddlSyntaxError, suspect.at, suspect.problem)


def _find(source: Source, sections_at: int) -> _Suspect | None:
    """The first section that does not come out right, and in it the first line that shows it."""
    stack: list[_Open] = []
    suspect: _Suspect | None = None
    closed_at = -1
    end = 0
    last = ""
    for token, at, indent, column, first in _tokens(source.text):
        if token == "(":
            key = _HEAD.match(source.text, at)
            is_section = key is not None and key.group().lstrip("(").strip().startswith(":")
            if is_section and len(stack) > sections_at and not _is_within(source, stack, ":length"):
                around = stack[sections_at]
                return suspect or _Suspect(
                    at,
                    f"{_show(source, at)} begins inside {_show(source, around.at)} of "
                    f"{source.show_place(around.at)}, so a closing parenthesis is missing before it.",
                )
            stray = None if key is None else _stray(source, stack, sections_at, at, last)
            if stray is not None:
                return suspect or stray
            if len(stack) == sections_at:
                suspect = None  # what is before is closed, as it should be
            if not stack and closed_at >= 0 and sections_at:
                return _Suspect(
                    closed_at,
                    "This parenthesis closes the definition, and more follows it: there is one too many here "
                    "or before.",
                )
        if first and suspect is None:
            suspect = _misplaced(source, stack[sections_at:], token, at, column, end)
        if token == "(":
            stack.append(_Open(at, indent, column, first))
        elif token == ")":
            if not stack:
                return None
            stack.pop()
            closed_at = at if not stack else closed_at
        elif token in _PARTS and len(stack) > sections_at + 1:
            around = stack[-1]
            return suspect or _Suspect(
                at,
                f"{token} begins inside {_show(source, around.at)} of {source.show_place(around.at)}, so a "
                "closing parenthesis is missing before it.",
            )
        elif token in _PARTS and sections_at and len(stack) == sections_at:
            return _Suspect(
                at,
                f"{token} stands outside of any action: there is a closing parenthesis too many before it.",
            )
        end = at + len(token)
        last = token
    if stack and suspect is None and len(stack) <= sections_at:
        opened = stack[-1]
        number = "1 closing parenthesis is" if len(stack) == 1 else f"{len(stack)} closing parentheses are"
        return _Suspect(
            max(end - 1, 0),
            f"{number} missing after this: {_show(source, opened.at)} of {source.show_place(opened.at)} is "
            "never closed.",
        )
    return suspect if stack else None


def _stray(source: Source, stack: list[_Open], sections_at: int, at: int, last: str) -> _Suspect | None:
    """A group where none can stand: in a fact, in a declaration, between two parts of an action."""
    head = _show(source, at).lower()
    if len(stack) == sections_at > 0 and head not in ("(domain", "(problem") and not head.startswith("(:"):
        return _Suspect(
            at,
            f"{_show(source, at)} stands outside of any section: there is a closing parenthesis too many "
            "before it.",
        )
    inside = [_show(source, group.at).lower() for group in stack[sections_at:]]
    if inside[:1] == ["(:action"] and len(inside) == 1 and last == ")":
        return _Suspect(
            at,
            f"{_show(source, at)} stands between the parts of the action: there is a closing parenthesis too "
            "many before it, or one of :parameters, :precondition and :effect is missing.",
        )
    takes = _TAKES.get(inside[0]) if len(inside) == 2 else None
    if takes is not None and head not in takes and inside[1] not in takes:
        return _Suspect(
            at,
            f"{_show(source, at)} begins inside {_show(source, stack[-1].at)} of "
            f"{source.show_place(stack[-1].at)}, so a closing parenthesis is missing before it.",
        )
    return None


def _misplaced(
    source: Source, stack: list[_Open], token: str, at: int, column: int, end: int
) -> _Suspect | None:
    """What a token that begins a line tells: a group that it stands in, and is not indented as if it did."""
    for group in reversed(stack):
        if source.text.find("\n", group.at, at) < 0:
            continue
        if token == ")":
            outside = group is stack[-1] and group.indent > column
        else:
            outside = group.indent > column
            outside |= token == "(" and group.first and group.column == column and group is not stack[0]
        if outside:
            line, _ = source.place(at)
            return _Suspect(
                max(end - 1, 0),
                f"A closing parenthesis is missing after this: {_show(source, group.at)} of "
                f"{source.show_place(group.at)} is still open, and line {line} begins outside of it.",
            )
    return None


def _is_within(source: Source, stack: list[_Open], head: str) -> bool:
    return any(_show(source, group.at).lower() == f"({head}" for group in stack)


def _show(source: Source, at: int) -> str:
    found = _HEAD.match(source.text, at)
    return "".join(found.group().split()) if found else "("


def _tokens(text: str) -> Iterator[tuple[str, int, int, int, bool]]:
    """Tokens in lower case, each with its offset, its line's indentation, its column, and if it is first."""
    begin, indent, seen = 0, 0, -1
    for match in TOKEN.finditer(text):
        token, at = match.group(), match.start()
        if token[0] == ";":
            continue
        begin = text.rfind("\n", begin, at) + 1 or begin
        first = begin != seen
        if first:
            indent, seen = len(text[begin:at].expandtabs(8)), begin
        yield token.lower(), at, indent, len(text[begin:at].expandtabs(8)), first
