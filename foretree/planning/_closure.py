"""Transitive closure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def closure(names: Iterable[str], after: Mapping[str, Iterable[str]]) -> set[str]:
    """*names* and all that comes *after* them, after that, and so on."""
    found = set(names)
    todo = list(found)
    while todo:
        new = set(after.get(todo.pop(), ())) - found
        found |= new
        todo += new
    return found
