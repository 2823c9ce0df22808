"""The most likely place of the mistake where parentheses do not match.

The parentheses alone do not tell: the next one closes the group that is still open, and the mistake shows at
the end of the file. But ``:effect`` belongs to an action and ``(:action`` to a domain, and people indent
their text: a line that begins further to the left than a group is not meant to be in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn, TypeAlias

from foretree.planning.pddl.errors import PddlSyntaxError
from foretree.planning.pddl.source import TOKEN, Source

#: The parts of an action.
_PARTS = (":parameters", ":precondition", ":effect", ":duration", ":condition")
#: Groups that may stand in, or have others in them, the entries of a section of plain entries.
_TAKES = {
    ":predicates": ("either",),
    ":functions": ("either",),
    ":init": ("=", "not", "at", "or", "oneof", "unknown"),
}
_HEAD = re.compile(r"\(\s*\??[^\s();?]*")


class _Token(NamedTuple):
    """A token in lower case, its offset, its line's indentation, its column, and if it begins the line."""

    text: str
    at: int
    indent: int
    column: int
    first: bool


#: The offset of a mistake, and what is wrong there.
_Suspect: TypeAlias = tuple[int, str]


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
    source.fail(PddlSyntaxError, *(_Search(source, sections_at).find() or (at, problem)))


class _Search:
    """The search for the first section that is not balanced, and in it for the first line that shows it."""

    def __init__(self, source: Source, sections_at: int) -> None:
        self._source = source
        self._sections_at = sections_at
        self._open: list[_Token] = []
        self._suspect: _Suspect | None = None
        self._closed_at = -1
        self._end = 0
        self._last = ""

    def find(self) -> _Suspect | None:
        """The most likely place of the mistake; None if there is no better one than where it showed."""
        for token in _tokens(self._source.text):
            found = self._check_opening(token.at) if token.text == "(" else None
            if found is None and token.first and self._suspect is None:
                self._suspect = self._misplaced(token)
            if found is None and token.text in _PARTS:
                found = self._check_part(token)
            if found is not None:
                return found
            if token.text == "(":
                self._open.append(token)
            elif token.text == ")":
                if not self._open:
                    return None
                self._open.pop()
                self._closed_at = self._closed_at if self._open else token.at
            self._end, self._last = token.at + len(token.text), token.text
        if self._open and self._suspect is None and len(self._open) <= self._sections_at:
            count, opened = len(self._open), self._open[-1]
            missing = "1 closing parenthesis is" if count == 1 else f"{count} closing parentheses are"
            never = f"{self._show_open(opened)} is never closed."
            return self._after_last(f"{missing} missing after this: {never}")
        return self._suspect if self._open else None

    def _check_opening(self, at: int) -> _Suspect | None:
        """A group that cannot begin here."""
        depth = len(self._open)
        key = _HEAD.match(self._source.text, at)
        is_section = key is not None and key.group().lstrip("(").strip().startswith(":")
        if is_section and depth > self._sections_at and ":length" not in map(self._head, self._open):
            return self._suspect or self._begins_inside(at, self._open[self._sections_at])
        stray = None if key is None else self._stray(at)
        if stray is not None:
            return self._suspect or stray
        if depth == self._sections_at:
            self._suspect = None  # every section before this one is balanced
        if depth or self._closed_at < 0 or not self._sections_at:
            return None
        return (
            self._closed_at,
            "This parenthesis closes the definition, and more follows it: there is one too many here "
            "or before.",
        )

    def _check_part(self, key: _Token) -> _Suspect | None:
        """A part of an action that stands in something else, or in nothing."""
        if len(self._open) > self._sections_at + 1:
            return self._suspect or self._begins_inside(key.at, self._open[-1], key.text)
        if not self._sections_at or len(self._open) != self._sections_at:
            return None
        return _too_many(key.at, f"{key.text} stands outside of any action")

    def _stray(self, at: int) -> _Suspect | None:
        """A group where none can stand: in a fact, in a declaration, between two parts of an action."""
        shown = _show(self._source, at)
        head = shown.lower()[1:]
        inside = [*map(self._head, self._open[self._sections_at :])]
        is_section = head in ("domain", "problem") or head.startswith(":")
        if len(self._open) == self._sections_at > 0 and not is_section:
            return _too_many(at, f"{shown} stands outside of any section")
        if inside == [":action"] and self._last == ")":
            return (
                at,
                f"{shown} stands between the parts of the action: there is a closing parenthesis too "
                "many before it, or one of :parameters, :precondition and :effect is missing.",
            )
        takes = _TAKES.get(inside[0]) if len(inside) == 2 else None
        if takes is not None and head not in takes and inside[1] not in takes:
            return self._begins_inside(at, self._open[-1])
        return None

    def _misplaced(self, token: _Token) -> _Suspect | None:
        """An open group of the section that the first token of a line is indented to be outside of."""
        inside = self._open[self._sections_at :]
        for group in reversed(inside):
            closes = token.text == ")" and group is not inside[-1]
            beside = token.text == "(" and group.first and group is not inside[0]
            if self._source.text.find("\n", group.at, token.at) >= 0 and (
                (group.indent > token.column and not closes) or (beside and group.column == token.column)
            ):
                line, _ = self._source.place(token.at)
                return self._after_last(
                    f"A closing parenthesis is missing after this: {self._show_open(group)} is still open, "
                    f"and line {line} begins outside of it."
                )
        return None

    def _begins_inside(self, at: int, around: _Token, word: str | None = None) -> _Suspect:
        return (
            at,
            f"{word or _show(self._source, at)} begins inside {self._show_open(around)}, so a closing "
            "parenthesis is missing before it.",
        )

    def _after_last(self, problem: str) -> _Suspect:
        return max(self._end - 1, 0), problem

    def _head(self, group: _Token) -> str:
        return _show(self._source, group.at).lower()[1:]

    def _show_open(self, group: _Token) -> str:
        return f"{_show(self._source, group.at)} of {self._source.show_place(group.at)}"


def _too_many(at: int, problem: str) -> _Suspect:
    return at, f"{problem}: there is a closing parenthesis too many before it."


def _show(source: Source, at: int) -> str:
    found = _HEAD.match(source.text, at)
    return "".join(found.group().split()) if found else "("


def _tokens(text: str) -> Iterator[_Token]:
    begin, indent, seen = 0, 0, -1
    for match in TOKEN.finditer(text):
        token, at = match.group(), match.start()
        if token[0] == ";":
            continue
        begin = text.rfind("\n", begin, at) + 1 or begin
        first = begin != seen
        if first:
            indent, seen = len(text[begin:at].expandtabs(8)), begin
        yield _Token(token.lower(), at, indent, len(text[begin:at].expandtabs(8)), first)
