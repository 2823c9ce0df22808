"""S-expressions of PDDL text, with their places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn, TypeAlias

from foretree.planning.pddl.errors import PddlSyntaxError
from foretree.planning.pddl.source import TOKEN, Source

#: Deeper than any text that people write; it keeps the recursive readers clear of Python's recursion limit.
MAX_DEPTH = 150


class Group:
    """A pair of parentheses with its words and groups, each with its offset in the text.

    Words are plain lower-case strings and their offsets lie beside them, because a problem has thousands
    of words and needs the place of hardly any.
    """

    __slots__ = ("at", "items", "places")

    def __init__(self, at: int) -> None:
        self.at = at
        self.items: list[Node] = []
        self.places: list[int] = []

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.items))})"

    @property
    def entries(self) -> Iterator[tuple[Node, int]]:
        """The words and groups after the first, each with its offset."""
        return zip(self.items[1:], self.places[1:], strict=True)

    @property
    def head(self) -> str | None:
        """The first word, or None when there is none."""
        first = self.items[0] if self.items else None
        return first if isinstance(first, str) else None


Node: TypeAlias = str | Group


def read(source: Source, sections_at: int = 0) -> Group:
    """The words and groups of a text.

    Args:
        source: the text.
        sections_at: how many groups surround a ``(:section``, at most. One that is found deeper means that
            a parenthesis is missing before it.

    Raises:
        PddlSyntaxError: the parentheses do not match.
    """
    current = Group(0)
    stack: list[Group] = []
    for match in TOKEN.finditer(source.text):
        token = match.group()
        if token == "(":
            group = Group(match.start())
            current.items.append(group)
            current.places.append(group.at)
            stack.append(current)
            current = group
            if len(stack) > MAX_DEPTH:
                source.fail(PddlSyntaxError, group.at, f"Parentheses are nested deeper than {MAX_DEPTH}.")
        elif token == ")":
            if not stack:
                problem = "This closing parenthesis closes nothing: remove it, or open one before it."
                _unbalanced(source, sections_at, match.start(), problem)
            current = stack.pop()
        elif token[0] != ";":
            if token[0] == ":" and not current.items and len(stack) > sections_at + 1:
                around = stack[sections_at + 1]
                if around.head != ":length":  # the one section that has more of its kind inside
                    _unbalanced(
                        source,
                        sections_at,
                        current.at,
                        f"({token} begins inside ({around.head or ''} of {source.show_place(around.at)}, so "
                        "a closing parenthesis is missing before it.",
                    )
            current.items.append(token.lower())
            current.places.append(match.start())
    if stack:
        missing = "1 closing parenthesis is" if len(stack) == 1 else f"{len(stack)} closing parentheses are"
        problem = f"This parenthesis is never closed: {missing} missing after it."
        _unbalanced(source, sections_at, current.at, problem)
    return current


def _unbalanced(source: Source, sections_at: int, at: int, problem: str) -> NoReturn:
    # Loaded for faulty texts only.
    from foretree.planning.pddl._parentheses import fail_unbalanced

    fail_unbalanced(source, sections_at, at, problem)
