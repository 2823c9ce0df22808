"""Referents, and the discourse: what the words of an instruction have spoken of so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Quantifier: TypeAlias = Literal["exists", "forall", "count"]


@dataclass(frozen=True, slots=True)
class Referent:
    """The referent of a noun phrase: an entity, or a variable over some.

    Attributes:
        term: the entity's name, or the variable.
        type: its class, or the type of a variable.
        quantifier: what binds the variable; None for an entity.
        number: how many, for *count*.
        at_most: the greatest number, for *count*; None for any.
        among: the only entities that are meant, where the words picked them by how or where they are now.
        states: what must be so of it in the end, because the words say so.
        fitting: the entities of which *states* is known to hold now.
        all_known: whether those are all that there are.
        says: the words that name it in a sentence.
        beside: whether it was named only to say where another one is: the fridge of "the milk in the fridge".
        definite: whether it is one and the same for all others: "all mugs on the table".
        destination: whether it is where others shall be.
        apart: variables of which it is none: "a mug here, the other one there".
        unseen: whether it was named beside a request, and nothing of its class is known: what goes back to it
            is to be found first.
    """

    term: str
    type: str
    quantifier: Quantifier | None = None
    number: int = 1
    at_most: int | None = None
    among: tuple[str, ...] = ()
    states: tuple[tuple[str, bool], ...] = ()
    fitting: tuple[str, ...] = ()
    all_known: bool = True
    says: str = ""
    beside: bool = False
    definite: bool = False
    destination: bool = False
    apart: tuple[str, ...] = ()
    unseen: bool = False

    @property
    def several(self) -> bool:
        """True if it stands for more than one thing."""
        return self.quantifier in ("forall", "count")

    @property
    def is_all_there(self) -> bool:
        """True if it stands for all things somewhere: "everything on the table"."""
        return self.type == "item" and self.quantifier == "forall" and bool(self.among)

    @property
    def possible(self) -> tuple[str, ...]:
        """The entities that it may be, as far as they are known."""
        return (self.term,) if self.quantifier is None else self.among or self.fitting


#: The things that one noun phrase stands for.
Group: TypeAlias = tuple[Referent, ...]
#: The groups mentioned so far, latest last; each place named beside one comes before it as a group.
Discourse: TypeAlias = tuple[Group, ...]


def with_unseen(group: Group) -> tuple[Group, tuple[str, ...]]:
    """Return what was spoken of before, with the classes of what was only named beside the request."""
    return group, tuple(referent.type for referent in group if referent.unseen)
