"""Parts of what events record: actions and assumptions of plans, nodes of trees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from foretree.runs.node_types import current_node_type


def items_of(value: object) -> tuple[Any, ...]:
    """The items of a list; none of what is not a list, as in a damaged or foreign record."""
    return tuple(value) if isinstance(value, list | tuple) else ()


class RecordedAction(NamedTuple):
    """An action of a plan."""

    id: str
    skill: str
    arguments: tuple[str, ...]
    cost: float

    @classmethod
    def read(cls, raw: object) -> RecordedAction:
        """The action that a record has; what it lacks is empty."""
        if not isinstance(raw, Mapping):
            return cls("", "", (), 1)
        cost = raw.get("cost", 1)
        return cls(
            str(raw.get("id") or ""),
            str(raw.get("skill") or ""),
            items_of(raw.get("arguments")),
            cost if isinstance(cost, int | float) else 1,
        )


class RecordedAssumption(NamedTuple):
    """A fact that a plan takes for granted."""

    atom: tuple[str, ...]
    value: bool
    source: str
    confidence: float | None

    @classmethod
    def read(cls, raw: Mapping[str, Any]) -> RecordedAssumption:
        """The assumption that a record has."""
        atom = raw["atom"]
        words = tuple(atom.strip("()").split()) if isinstance(atom, str) else tuple(map(str, atom))
        return cls(words, raw.get("value", True) is True, str(raw.get("source") or ""), raw.get("confidence"))

    def __str__(self) -> str:
        return f"{'' if self.value else 'not '}({' '.join(self.atom)})"


class RecordedNode(NamedTuple):
    """A node of the behaviour tree."""

    id: str
    name: str
    type: str
    parent: str | None

    @classmethod
    def read(cls, raw: Mapping[str, Any]) -> RecordedNode:
        """The node that a record has."""
        return cls(raw["id"], raw["name"], current_node_type(raw["type"]), raw.get("parent"))


def phrase(value: object) -> str:
    """A value from event data as a person reads it: names joined by commas, atoms as PDDL writes them."""
    if isinstance(value, list | tuple):
        return ", ".join(
            f"({' '.join(map(str, each))})" if isinstance(each, list | tuple) else phrase(each)
            for each in value
        )
    return "" if value is None else str(value)
