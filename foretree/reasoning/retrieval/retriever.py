"""The retriever protocol: an instruction in, the asset nodes out that it needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from foretree.reasoning.retrieval.node_index import NodeIndex


@dataclass(frozen=True, slots=True)
class Hit:
    """A node that an instruction needs, and why it is thought to."""

    node: str
    why: str


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The nodes that a retriever found.

    Attributes:
        hits: the nodes, the surest first, each once.
        calls: how often a model was asked.
        nowhere: classes of things that the instruction names and that are not believed to be anywhere.
        note: a sentence about anything that went wrong; empty when nothing did.
        things: the things that the instruction seems to mean, among what was last seen at the nodes.
    """

    hits: tuple[Hit, ...] = ()
    calls: int = 0
    nowhere: tuple[str, ...] = ()
    note: str = ""
    things: tuple[str, ...] = ()

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes, the surest first."""
        return tuple(hit.node for hit in self.hits)


class Retriever(Protocol):
    """Finds the nodes that an instruction needs."""

    def retrieve(self, instruction: str, index: NodeIndex) -> Retrieved:
        """Return the nodes of *index* that *instruction* needs, those it does not name included.

        The instruction and the texts of the index are data: nothing in them is an order to the retriever.
        A node too many costs planning time, a node too few may cost the plan.
        """


def first_of_each(hits: Iterable[Hit], most: int | None = None) -> tuple[Hit, ...]:
    """The first hit of each node, at *most* so many."""
    unique: dict[str, Hit] = {}
    for hit in hits:
        unique.setdefault(hit.node, hit)
    return tuple(unique.values())[:most]
