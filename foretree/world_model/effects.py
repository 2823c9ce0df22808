"""What an action that is said to be done changes in the belief."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from foretree.world_model.belief import Belief
from foretree.world_model.facts import Atom
from foretree.world_model.vocabulary import WHEREABOUTS


class Change(Protocol):
    """A literal: an atom that becomes true, or false."""

    @property
    def atom(self) -> Atom:
        """What changes."""
        ...

    @property
    def positive(self) -> bool:
        """Whether it becomes true."""
        ...


def apply_effects(
    belief: Belief,
    literals: Iterable[Change],
    confidence: float,
    time: float,
    source: str = "action",
) -> None:
    """Believe that an action had its effects, until sight confirms or overrules it.

    What becomes false is told first, so that an action which deletes and adds the same atom adds it. A thing
    that changes its place loses the pose it was last seen at: its support's stands in, and in a hand it has
    none of its own.
    """
    changes = sorted(literals, key=lambda change: change.positive)
    for change in changes:
        belief.tell(change.atom, change.positive, confidence=confidence, time=time, source=source)
    for change in changes:
        key = belief.vocabulary.group_key(change.atom)
        if change.positive and key is not None and key[0] == WHEREABOUTS:
            _move(belief, key[1], change.atom)


def _move(belief: Belief, name: str, atom: Atom) -> None:
    entity = belief.entity(name)
    if entity is None or entity.fixed:
        return
    # The support comes after its subject; a hand comes before what it holds, and has no pose.
    after = atom[atom.index(name, 1) + 1 :]
    support = belief.entity(after[0]) if after else None
    belief.put_entity(replace(entity, pose=None if support is None else support.pose))
