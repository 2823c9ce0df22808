"""Typed lists (``a b - block c - (either crate pallet)``) and the types they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from foretree.errors import suggest
from foretree.planning.pddl_errors import (
    DuplicateNameError,
    PddlSyntaxError,
    UnknownNameError,
    UnsupportedPddlError,
)
from foretree.planning.sexpr import Group, Node, Source
from foretree.planning.syntax import Typed

#: Turns what follows the dash into the name of a type.
Resolve = Callable[[Node, int], str]


def read_typed_list(
    source: Source, group: Group, start: int, resolve: Resolve, *, variables: bool
) -> tuple[Typed, ...]:
    """The names in *group* from index *start* on, with their types; those without one are objects.

    Raises:
        PddlSyntaxError: something in the list is neither a name nor a type.
        DuplicateNameError: a name occurs twice.
    """
    result: list[Typed] = []
    seen: set[str] = set()
    for name, at, type_name in _entries(source, group, start, resolve, variables):
        if name in seen:
            source.fail(DuplicateNameError, at, f'"{name}" occurs twice in this list.')
        seen.add(name)
        result.append(Typed(name, type_name))
    return tuple(result)


def _entries(
    source: Source, group: Group, start: int, resolve: Resolve, variables: bool
) -> Iterator[tuple[str, int, str]]:
    pending: list[tuple[str, int]] = []
    items, places = group.items, group.places
    index = start
    while index < len(items):
        item, at = items[index], places[index]
        if item == "-":
            if not pending:
                source.fail(
                    PddlSyntaxError, at, "There is no name before this dash for the type to apply to."
                )
            if index + 1 == len(items):
                source.fail(PddlSyntaxError, at, "A type is missing after this dash.")
            type_name = resolve(items[index + 1], places[index + 1])
            for name, where in pending:
                yield name, where, type_name
            pending = []
            index += 2
            continue
        pending.append((_name(source, item, at, variables), at))
        index += 1
    for name, where in pending:
        yield name, where, "object"


def _name(source: Source, item: Node, at: int, variables: bool) -> str:
    if isinstance(item, Group):
        wanted = "variables" if variables else "names"
        source.fail(PddlSyntaxError, at, f'"{item}" stands in a list of {wanted} and types, without groups.')
    if variables and (item[0] != "?" or item == "?"):
        source.fail(PddlSyntaxError, at, f'"{item}" is not a variable: write ?{item.lstrip("-?:") or "x"}.')
    if not variables and item[0] in "?:-":
        hint = "put a space after the dash" if item[0] == "-" else f"write {item.lstrip('-?:') or 'a name'}"
        source.fail(PddlSyntaxError, at, f'"{item}" is not a name: {hint}.')
    return item


def read_types(source: Source, group: Group) -> dict[str, str]:
    """The section ``(:types …)``: every type with its parent.

    Raises:
        DuplicateNameError: a type has two parents.
        PddlSyntaxError: a type is above itself.
    """

    def parent(node: Node, at: int) -> str:
        if isinstance(node, Group):
            source.fail(
                UnsupportedPddlError,
                at,
                f'"{node}": a type has one parent; write a single name after the dash.',
            )
        return node

    types: dict[str, str] = {}
    above: dict[str, None] = {}
    for name, at, type_name in _entries(source, group, 1, parent, variables=False):
        if name == "object":
            if type_name != "object":
                source.fail(
                    PddlSyntaxError, at, 'Nothing is above "object", which is above every other type.'
                )
            continue
        if types.get(name, type_name) != type_name:
            source.fail(
                DuplicateNameError,
                at,
                f'The type "{name}" is already below "{types[name]}"; a type has one parent.',
            )
        types[name] = type_name
        above[type_name] = None
    for name in above:
        if name != "object":
            types.setdefault(name, "object")
    for name in types:
        chain, current = [name], types[name]
        while current != "object":
            if current == name:
                source.fail(
                    PddlSyntaxError, group.at, f"Types are above themselves: {' - '.join([*chain, name])}."
                )
            if current in chain:
                break
            chain.append(current)
            current = types[current]
    return types


class TypeNames:
    """The types that may be named.

    Args:
        source: the text in which they are named.
        types: each with its parent.
        growing: whether ``(either …)`` may add a type above its members; a domain may while it is read,
            what is read against a finished domain may not.
    """

    def __init__(self, source: Source, types: dict[str, str], growing: bool = False) -> None:
        self._source = source
        self._types = types
        self._growing = growing

    def exact(self, node: Node, at: int) -> str:
        """The type that has exactly the objects which the text asks for.

        Raises:
            UnknownNameError: nobody declared that type.
            UnsupportedPddlError: an ``(either …)`` that no single type can stand for.
        """
        if isinstance(node, str):
            return self._known(node, at)
        members = self._members(node, at)
        if len(members) == 1:
            return members[0]
        union = "-or-".join(members)
        if union in self._types:
            return union
        parents = {self._types[member] for member in members}
        if not self._growing or len(parents) > 1:
            self._source.fail(
                UnsupportedPddlError,
                at,
                f'"{node}" has no single type to stand for it: declare one in (:types …) of which '
                f"{' and '.join(members)} are below, and name that.",
            )
        self._types[union] = parents.pop()
        for member in members:
            self._types[member] = union
        return union

    def loose(self, node: Node, at: int) -> str:
        """A type that has at least the objects which the text asks for: enough where nothing is chosen."""
        if isinstance(node, str):
            return self._known(node, at)
        members = self._members(node, at)
        ancestries = [[member, *self._ancestors(member)] for member in members]
        return next(name for name in ancestries[0] if all(name in ancestry for ancestry in ancestries))

    def _known(self, name: str, at: int) -> str:
        if name != "object" and name not in self._types:
            self._source.fail(
                UnknownNameError, at, f'"{name}" is not a type. {suggest(name, [*self._types, "object"])}'
            )
        return name

    def _members(self, group: Group, at: int) -> list[str]:
        if group.head != "either" or len(group.items) < 2:
            self._source.fail(
                PddlSyntaxError, at, f'"{group}" is not a type: write one name, or (either name name …).'
            )
        names: set[str] = set()
        for item, place in zip(group.items[1:], group.places[1:], strict=True):
            if isinstance(item, Group):
                self._source.fail(PddlSyntaxError, place, f'"{item}" is not the name of a type.')
            names.add(self._known(item, place))
        if "object" in names:
            return ["object"]
        return sorted(name for name in names if names.isdisjoint(self._ancestors(name)))

    def _ancestors(self, name: str) -> list[str]:
        found = []
        while name != "object":
            name = self._types[name]
            found.append(name)
        return found
