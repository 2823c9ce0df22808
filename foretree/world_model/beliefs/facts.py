"""The content of beliefs: facts, entities, predicates, and the predicates that the program knows by name.

Domains are data, but the robot feels where it stands and what its hands hold, and maps become facts; all
other predicates come from domain files. Evidence grows stale once it is older than the shelf life of its
predicate: ``shelf_life``, in seconds, in the YAML file of a domain or a skill.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from math import inf
from typing import Literal, NamedTuple, TypeAlias

#: A ground atom: the predicate, then its arguments. ``("on", "mango1", "table2")``.
Atom: TypeAlias = tuple[str, ...]
#: Where something rests: the relation, and the entity that supports it. ``("on", "table1")``.
Region: TypeAlias = tuple[str, str]

#: The source of facts that follow from the class of an entity: they do not age, and are not looked for.
BY_CLASS = "class"
#: The source of what a person has said of a thing.
BY_WORD = "told"
#: The source of effects of actions.
BY_ACTION = "action"
#: The source of what was seen by the way.
IN_PASSING = "view"
#: The sources of observations: on purpose, and by the way.
BY_EYE = ("look", IN_PASSING)


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


# -- entities ----------------------------------------------------------------------------------------
#: Metres in the map's frame, z up.
Pose: TypeAlias = tuple[float, float, float]
#: A box: x0, y0, z0, x1, y1, z1 in metres, in the map's frame.
Extent: TypeAlias = tuple[float, float, float, float, float, float]


def centre(extent: Extent) -> Pose:
    """The middle of a box."""
    x0, y0, z0, x1, y1, z1 = extent
    return (round((x0 + x1) / 2, 3), round((y0 + y1) / 2, 3), round((z0 + z1) / 2, 3))


def best_of(classes: Mapping[str, float]) -> str:
    """The class of the highest score; of several, the first by name. Empty where there is none."""
    best, most = "", -inf
    for name, score in classes.items():
        if score > most or (score == most and name < best):
            best, most = name, score
    return best


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity: something that is believed to exist.

    Attributes:
        name: the agent's own name for it, unique in the belief (``mango1``).
        classes: how likely it is to be of each class; sums to at most 1.
        pose: where it was last seen, or None when that is unknown.
        seen_at: when it was last seen, on the session's clock.
        fixed: whether it belongs to the map (furniture, doors, the robot) and is never created or
            renamed by perception.
        features: an appearance descriptor; empty when there is none.
        extent: the bounding box of all that was seen of discovered furniture; None for everything else.
        best_class: the likeliest class, empty where there is none; ties go to the alphabetically first, so
            that runs repeat.
    """

    name: str
    classes: Mapping[str, float]
    pose: Pose | None = None
    seen_at: float = 0.0
    fixed: bool = False
    features: tuple[float, ...] = field(default=(), repr=False)
    extent: Extent | None = field(default=None, repr=False)
    best_class: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "best_class", best_of(self.classes))

    @property
    def told(self) -> bool:
        """True if its class was told with the map, so that no look changes it."""
        return self.fixed and self.extent is None


# -- predicates --------------------------------------------------------------------------------------
#: The kind of a predicate. Guards are chosen by it.
Kind: TypeAlias = Literal["place", "class", "attribute", "relation", "robot"]

#: The exclusive group of predicates for the place of an object: at rest somewhere, handed over, in a hand.
WHEREABOUTS = "rests"
#: The group of facts that say where the body of a robot is.
BODY = "body"


@dataclass(frozen=True, slots=True)
class PredicateInfo:
    """The treatment of one predicate.

    Attributes:
        kind: the kind of predicate.
        observable: absent means *unknown* until seen. Otherwise absent means false (the map, the robot's
            own body, whatever a PDDL problem states completely).
        default: what planning assumes when the fact is unknown; None when it must not be assumed.
        shelf_life: seconds after which evidence is stale; None when it keeps.
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

    def single_of_first(self, predicates: Iterable[str]) -> frozenset[str]:
        """Return those of *predicates* that are true of what they name first in one way at a time."""
        infos = ((name, self[name]) for name in predicates)
        return frozenset(
            name for name, info in infos if info.group and info.subject == 1 and not info.several
        )

    def is_stale(self, fact: Fact, now: float) -> bool:
        """Return whether the evidence for a fact is older than its predicate's shelf life."""
        shelf_life = self[fact.atom[0]].shelf_life
        return shelf_life is not None and now - fact.time > shelf_life


_UNLISTED = PredicateInfo()


# -- predicates that the program knows by name -------------------------------------------------------
#: A hand: the robot that it belongs to, and its name.
Hand: TypeAlias = tuple[str, str]

ROBOT_AT = "rob_at_node"
HAS_HAND = "rob_has_hand"
HAND_FREE = "hand_free"
HOLDING = "holding"

#: ``(obj_at_node ?thing ?node)``: where a thing is that rests on nothing else.
OBJECT_AT = "obj_at_node"
#: ``(connected ?from ?to)``: one can go from one node to the next, now.
CONNECTED = "connected"
#: ``(has_door ?door ?from ?to)``: a door, open or closed, is on the way.
HAS_DOOR = "has_door"
#: ``(travel_cost ?from ?to)``: what the way costs.
TRAVEL_COST = "travel_cost"


def robot_at(robot: str, node: str) -> Atom:
    """The robot stands at a node of the map."""
    return (ROBOT_AT, robot, node)


def has_hand(hand: Hand) -> Atom:
    """The robot has this hand."""
    return (HAS_HAND, *hand)


def hand_free(hand: Hand) -> Atom:
    """The hand holds nothing."""
    return (HAND_FREE, *hand)


def holding(hand: Hand, thing: str) -> Atom:
    """The hand holds a thing."""
    return (HOLDING, *hand, thing)


def hand_of(placement: Atom | None) -> Hand | None:
    """The hand that a thing is in; None when its *placement* is not in a hand, or not known."""
    if placement is None or placement[0] != HOLDING or len(placement) != 4:
        return None
    return placement[1], placement[2]
