"""Doubts: what is believed and may be wrong."""

from __future__ import annotations

from collections.abc import Collection

from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import BY_EYE, Atom, Fact, Truth, Vocabulary

#: A state that is seen of a thing is odd if no more than this share of things has it.
_ODD = 0.1


def doubtful(belief: Belief, tried: Collection[Atom]) -> list[Atom]:
    """Return the atoms whose facts may be wrong.

    That is what failures have taught and no look can confirm (*tried*), and what looks have shown although it
    is hardly ever so: of many things that were looked at, some are taken for broken that are not.
    """
    known = belief.snapshot().facts()
    return sorted({fact.atom for fact in known if fact.atom in tried or _is_odd(fact, belief.vocabulary)})


def _is_odd(fact: Fact, vocabulary: Vocabulary) -> bool:
    info = vocabulary[fact.atom[0]]
    if (usual := info.usual) is None or info.kind != "attribute" or fact.source not in BY_EYE:
        return False
    share = usual if fact.truth is Truth.TRUE else 1 - usual
    return fact.truth is not Truth.UNKNOWN and share <= _ODD
