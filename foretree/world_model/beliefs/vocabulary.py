"""Predicates as the belief treats them: their kind, exclusive groups, defaults and shelf life."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from foretree.world_model.beliefs.facts import Atom

#: The kind of a predicate. Guards are chosen by it.
Kind: TypeAlias = Literal["place", "class", "attribute", "relation", "robot"]

#: The exclusive group of predicates for the place of an object: at rest somewhere, handed over, in a hand.
WHEREABOUTS = "rests"


@dataclass(frozen=True, slots=True)
class PredicateInfo:
    """The treatment of one predicate.

    Attributes:
        kind: the kind of predicate.
        observable: absent means *unknown* until seen. Otherwise absent means false (the map, the robot's
            own body, whatever a PDDL problem states completely).
        default: what planning assumes when the fact is unknown; None when it must not be assumed.
        shelf_life: seconds after which evidence is stale; None when it keeps. See
            :mod:`~foretree.world_model.beliefs.staleness`.
        group: predicates that share a group exclude each other per subject: a thing that is *on* something
            is not *in* anything, nor in a hand.
        subject: which argument the group is about, counted from 1.
        several: whether it can be true of one subject in several ways at once: two hands hold one tray.
        usual: the prior probability that it holds, None when unknown. One look that sees what hardly ever
            holds is rather a mistake.
    """

    kind: Kind = "relation"
    observable: bool = False
    default: bool | None = False
    shelf_life: float | None = None
    group: str | None = None
    subject: int = 1
    several: bool = False
    usual: float | None = None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All predicates that a belief may hold, by name."""

    predicates: Mapping[str, PredicateInfo] = field(default_factory=dict)

    def __getitem__(self, predicate: str) -> PredicateInfo:
        return self.predicates.get(predicate, _UNLISTED)

    def group_key(self, atom: Atom) -> tuple[str, str] | None:
        """The exclusive group that *atom* belongs to, and the entity it says something about."""
        info = self.predicates.get(atom[0], _UNLISTED)
        if info.group is None or len(atom) <= info.subject:
            return None
        return info.group, atom[info.subject]


_UNLISTED = PredicateInfo()
