"""Facts: what can be true, false or unknown."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

#: A ground atom: the predicate, then its arguments. ``("on", "mango1", "table2")``.
Atom: TypeAlias = tuple[str, ...]
#: Where something rests: the relation, and the entity that supports it. ``("on", "table1")``.
Region: TypeAlias = tuple[str, str]

#: The source of facts that follow from the class of an entity: they do not age, and are not looked for.
BY_CLASS = "class"
#: The source of effects of actions.
BY_ACTION = "action"
#: The sources of observations: on purpose, and by the way.
BY_EYE = ("look", "view")


class Truth(Enum):
    """The three truth values of a belief."""

    FALSE = "false"
    UNKNOWN = "unknown"
    TRUE = "true"

    def __invert__(self) -> Truth:
        return _NEGATED[self]


_NEGATED = {Truth.FALSE: Truth.TRUE, Truth.UNKNOWN: Truth.UNKNOWN, Truth.TRUE: Truth.FALSE}


class Fact(NamedTuple):
    """One atom's standing in the belief.

    ``confidence`` is in the truth value as stated: 0.9 with ``Truth.FALSE`` means 90 % sure it is false.
    ``time`` is when the evidence was gathered, on the session's clock; ``source`` says where it came from
    (``look``, ``view``, ``action``, ``map``, ``told``, :data:`BY_CLASS`).
    """

    atom: Atom
    truth: Truth
    confidence: float
    time: float
    source: str


def show_atom(atom: Atom) -> str:
    """*atom* as PDDL writes it."""
    return f"({' '.join(atom)})"
