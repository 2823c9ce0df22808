"""Typed lists (``a b - block c - (either crate pallet)``) and the types they name."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from itertools import count

from foretree.errors import suggest
from foretree.planning.pddl.errors import (
    DuplicateNameError,
    PddlSyntaxError,
    UnknownNameError,
    UnsupportedPddlError,
)
from foretree.planning.pddl.sexpr import Group, Node
from foretree.planning.pddl.source import Source
from foretree.planning.pddl.syntax import Domain, Typed, lineage

#: Turns the word or group after a dash into the name of a type.
Resolve = Callable[[Node, int], str]


def read_typed_list(
    source: Source,
    group: Group,
    start: int,
    resolve: Resolve,
    *,
    variables: bool,
    repeats: bool = False,
) -> tuple[Typed, ...]:
    """The names in *group* from index *start* on, with their types; those without one are objects.

    Args:
        source: the text that the group comes from.
        group: has the names.
        start: where they begin in it.
        resolve: turns what follows a dash into a type.
        variables: whether the names are variables.
        repeats: whether a name may occur again, which is harmless in a declaration; else only objects may be
            listed again, with the same type.

    Raises:
        PddlSyntaxError: something in the list is neither a name nor a type.
        DuplicateNameError: a name occurs twice.
    """
    result: list[Typed] = []
    seen: dict[str, str] = {}
    for name, at, type_name in _entries(source, group, start, resolve, variables):
        if name in seen:
            problem = f'"{name}" occurs twice in this list.'
            if not repeats and (variables or seen[name] != type_name):
                source.fail(DuplicateNameError, at, problem)
            if repeats:
                source.warn(DuplicateNameError, at, problem, "Only the number and the types of these count.")
                result.append(Typed(unused_name(name, seen), type_name))
                seen[result[-1].name] = type_name
            else:
                source.warn(DuplicateNameError, at, problem, "It is one object.")
            continue
        seen[name] = type_name
        result.append(Typed(name, type_name))
    return tuple(result)


def unused_name(name: str, taken: Container[str]) -> str:
    """The first of ``name-2``, ``name-3`` … that is not taken."""
    return next(new for number in count(2) if (new := f"{name}-{number}") not in taken)


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
                problem = "There is no name before this dash for the type to apply to."
                source.warn(PddlSyntaxError, at, problem, "It is left out.")
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


@dataclass(frozen=True)
class Hierarchy:
    """Types: each with its parent, and those that have several with the others."""

    parents: dict[str, str] = field(default_factory=dict)
    further: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def lineage(self, name: str) -> tuple[str, ...]:
        """A type and all above it, the nearest first, without ``object``."""
        return lineage(name, self.parents, self.further)

    def above(self, name: str) -> tuple[str, ...]:
        """The parents of a type."""
        return (self.parents[name], *self.further.get(name, ()))

    def add(self, name: str, parent: str) -> None:
        """Put a type below *parent*, and below those that it is below already."""
        known = self.parents.get(name, "object")
        if known == "object":
            self.parents[name] = parent
        elif parent not in (known, "object", *self.further.get(name, ())):
            self.further[name] = (*self.further.get(name, ()), parent)

    @classmethod
    def of(cls, domain: Domain) -> Hierarchy:
        """The types of a domain."""
        return cls(dict(domain.types), dict(domain.further_parents))


def read_types(source: Source, group: Group) -> Hierarchy:
    """The section ``(:types …)``.

    Raises:
        PddlSyntaxError: a type is above itself.
    """

    types = Hierarchy()
    above: dict[str, None] = {}
    for name, at, type_name in _below(source, group):
        if name == "object":
            if type_name != "object":
                source.fail(
                    PddlSyntaxError, at, 'Nothing is above "object", which is above every other type.'
                )
            continue
        if name == type_name:
            source.warn(PddlSyntaxError, at, f'The type "{name}" is put below itself.', "That is left out.")
            type_name = "object"
        types.add(name, type_name)
        above[type_name] = None
    for name in above:
        if name != "object":
            types.parents.setdefault(name, "object")
    try:
        TopologicalSorter({name: types.above(name) for name in types.parents}).prepare()
    except CycleError as error:
        circle = error.args[1][:0:-1]  # each type after the one that it is above
        first = circle.index(next(name for name in types.parents if name in circle))
        shown = " - ".join([*circle[first:], *circle[: first + 1]])
        source.fail(PddlSyntaxError, group.at, f"Types are above themselves: {shown}.")
    return types


def _below(source: Source, group: Group) -> Iterator[tuple[str, int, str]]:
    """The types that ``(:types …)`` lists, each with one of its parents; again with each further one."""

    def parents(node: Node, at: int) -> str:
        if isinstance(node, str):
            return _name(source, node, at, variables=False)
        if node.head != "either" or len(node.items) < 2:
            source.fail(
                PddlSyntaxError, at, f'"{node}" is not a type: write one name, or (either name name …).'
            )
        read_as = "It is below each of them, as if it were listed once for each."
        source.warn(PddlSyntaxError, at, f'"{node}" stands above a type.', read_as)
        return " ".join(_name(source, item, place, variables=False) for item, place in node.entries)

    for name, at, above in _entries(source, group, 1, parents, False):
        for parent in above.split():
            yield name, at, parent


class TypeNames:
    """The types that may be named.

    Args:
        source: the text in which they are named.
        types: all of them.
        growing: whether ``(either …)`` may add a type above its members; a domain may while it is read,
            what is read against a finished domain may not.
    """

    def __init__(self, source: Source, types: Hierarchy, growing: bool = False) -> None:
        self._source = source
        self._types = types
        self._growing = growing

    def exact(self, node: Node, at: int) -> str:
        """The type that has exactly the objects which the text asks for.

        Raises:
            UnknownNameError: no such type is declared.
            UnsupportedPddlError: an ``(either …)`` that no single type can stand for.
        """
        if isinstance(node, str):
            return self._known(node, at)
        members = self._members(node, at)
        if len(members) == 1:
            return members[0]
        union = "-or-".join(members)
        if union in self._types.parents:
            return union
        if not self._growing:
            self._source.fail(
                UnsupportedPddlError,
                at,
                f'"{node}" has no single type to stand for it: declare one in (:types …) of which '
                f"{' and '.join(members)} are below, and name that.",
            )
        self._types.parents[union] = self._common(members)
        for member in members:
            parent = self._types.parents[member]
            if parent in self._types.lineage(union) or parent == "object":
                self._types.parents[member] = union
            else:
                self._types.add(member, union)
        return union

    def loose(self, node: Node, at: int) -> str:
        """A type that has at least the objects which the text asks for: enough where nothing is chosen."""
        if isinstance(node, str):
            return self._known(node, at)
        return self._common(self._members(node, at))

    def declared(self, node: Node, at: int) -> str:
        """The type of objects, which must be declared: they would belong to no other type.

        Raises:
            UnknownNameError: no such type is declared.
        """
        if isinstance(node, str) and node != "object" and node not in self._types.parents:
            self._source.fail(UnknownNameError, at, self._unknown(node))
        return self.exact(node, at)

    def _common(self, members: list[str]) -> str:
        """The nearest type above all of *members*."""
        others = [self._types.lineage(member) for member in members[1:]]
        return next(
            (name for name in self._types.lineage(members[0]) if all(name in other for other in others)),
            "object",
        )

    def _unknown(self, name: str) -> str:
        return f'"{name}" is not a type. {suggest(name, [*self._types.parents, "object"])}'

    def _known(self, name: str, at: int) -> str:
        if name != "object" and name not in self._types.parents:
            _name(self._source, name, at, variables=False)
            self._source.warn(UnknownNameError, at, self._unknown(name), "Nothing is of this type.")
            if self._growing:
                self._types.parents[name] = "object"
        return name

    def _members(self, group: Group, at: int) -> list[str]:
        if group.head != "either" or len(group.items) < 2:
            self._source.fail(
                PddlSyntaxError, at, f'"{group}" is not a type: write one name, or (either name name …).'
            )
        names: set[str] = set()
        for item, place in group.entries:
            if isinstance(item, Group):
                self._source.fail(PddlSyntaxError, place, f'"{item}" is not the name of a type.')
            names.add(self._known(item, place))
        if "object" in names:
            return ["object"]
        return sorted(name for name in names if names.isdisjoint(self._types.lineage(name)[1:]))
