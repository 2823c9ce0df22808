"""Semantic anchors: which predicates of a domain mean that a hand is free, and that it holds something.

They are found from how effects pair them. Grasping makes "held" true and "free" false, letting go does the
opposite; no operator may do one half without the other. Names do not matter, and neither does arity: what
"held" says more than "free" is the thing held, and what they share is the robot, or the hand, or both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations

from foretree.errors import suggest
from foretree.planning.expansion.expansion_errors import AmbiguousAnchorError, AnchorNotFoundError
from foretree.planning.expansion.options import Expansion
from foretree.planning.expansion.roles import role_of, words_about
from foretree.planning.formula_reader import signature
from foretree.planning.syntax import Domain, Operator
from foretree.world_model.facts import Atom


@dataclass(frozen=True, slots=True)
class Anchor:
    """A predicate and what its arguments are: positions count from 0, None where it has no such argument."""

    predicate: str
    robot: int | None = None
    hand: int | None = None
    item: int | None = None

    def robot_in(self, atom: Atom) -> str | None:
        """The robot that *atom* is about."""
        return None if self.robot is None else atom[self.robot + 1]

    def hand_in(self, atom: Atom) -> str | None:
        """The hand that *atom* is about."""
        return None if self.hand is None else atom[self.hand + 1]

    def item_in(self, atom: Atom) -> str | None:
        """The held thing that *atom* is about."""
        return None if self.item is None else atom[self.item + 1]


@dataclass(frozen=True, slots=True)
class Anchors:
    """The anchors of a domain: the predicate for a free hand, and those for a hand that holds something."""

    hand_free: Anchor
    holding: tuple[Anchor, ...]

    def of(self, predicate: str) -> Anchor | None:
        """The anchor that *predicate* is, if it is one."""
        return next((a for a in (self.hand_free, *self.holding) if a.predicate == predicate), None)

    def holds(self, predicate: str) -> bool:
        """Whether *predicate* means that something is held."""
        return any(anchor.predicate == predicate for anchor in self.holding)


def find_anchors(domain: Domain, options: Expansion | None = None) -> Anchors:
    """The anchors of *domain*, as *options* names them or as its effects show them.

    Raises:
        AnchorNotFoundError: there is no such pair, or a predicate that *options* names does not exist.
        AmbiguousAnchorError: there are several, or it is unclear what their arguments are.
    """
    options = options or Expansion()
    _check_named(domain, options)
    pairs = list(_pairs(domain))
    if options.hand_free is not None:
        pairs = [pair for pair in pairs if pair.free == options.hand_free]
    if options.holding:
        pairs = [pair for pair in pairs if pair.held in options.holding]
    if not pairs:
        raise _not_found(domain, options)
    groups: dict[str, list[_Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair.free, []).append(pair)
    likely = _likeliest(domain, groups)
    if len(likely) > 1:
        shown = "; or ".join(
            f"{_show(domain, free)} with {' and '.join(_show(domain, p.held) for p in found)}"
            for free, found in likely.items()
        )
        raise AmbiguousAnchorError(
            f"It is ambiguous which predicate means that the hand is free and which that something is held: "
            f"{shown}. Say which with hand_free and holding, for example hand_free: {next(iter(likely))}.",
            ("predicate", next(iter(likely))),
            "hand_free",
        )
    [(free, found)] = likely.items()
    return _with_roles(domain, free, found)


# -- pairs that effects show -------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Pair:
    """A "free" and a "held" predicate; ``shared[i]`` is where "held" has the argument *i* of "free"."""

    free: str
    held: str
    shared: tuple[int, ...]

    def free_of(self, held: Atom) -> Atom:
        """The atom that says the hand which *held* is about is free."""
        return (self.free, *(held[position + 1] for position in self.shared))


def _pairs(domain: Domain) -> Iterator[_Pair]:
    """Every pair that at least one operator grasps with and another lets go with."""
    changes = [_changes(operator) for operator in domain.operators.values()]
    for free, free_parameters in domain.predicates.items():
        for held, held_parameters in domain.predicates.items():
            if free == held or len(held_parameters) <= len(free_parameters):
                continue
            for shared in permutations(range(len(held_parameters)), len(free_parameters)):
                pair = _Pair(free, held, shared)
                if any(_grasps(pair, *change) for change in changes) and any(
                    _grasps(pair, gone, made) for made, gone in changes
                ):
                    yield pair


def _changes(operator: Operator) -> tuple[list[Atom], list[Atom]]:
    """What an operator makes true, and what false."""
    made = [effect.literal.atom for effect in operator.effects if effect.literal.positive]
    gone = [effect.literal.atom for effect in operator.effects if not effect.literal.positive]
    return made, gone


def _grasps(pair: _Pair, made: list[Atom], gone: list[Atom]) -> bool:
    """Whether "held" becomes true and "free" false, and nothing the other way round."""
    if any(atom[0] == pair.free for atom in made) or any(atom[0] == pair.held for atom in gone):
        return False
    return any(atom[0] == pair.held and pair.free_of(atom) in gone for atom in made)


def _likeliest(domain: Domain, groups: Mapping[str, list[_Pair]]) -> dict[str, list[_Pair]]:
    """The groups that are left when those go which something speaks against, as long as any is left."""
    left = dict(groups)
    for speaks_for in (_always_together, _names_no_place, _says_who, _loses_its_rest):
        kept = {free: pairs for free, pairs in left.items() if speaks_for(domain, pairs)}
        left = kept or left
    return left


def _always_together(domain: Domain, pairs: list[_Pair]) -> bool:
    """No operator changes the one without the other."""
    for operator in domain.operators.values():
        made, gone = _changes(operator)
        for one, other in ((made, gone), (gone, made)):
            for atom in one:
                if atom[0] == pairs[0].free and not any(
                    pair.held == a[0] and pair.free_of(a) == atom for pair in pairs for a in other
                ):
                    return False
                for pair in pairs:
                    if atom[0] != pair.held:
                        continue
                    # Swapping what the hand holds leaves the hand as it is.
                    swapped = any(
                        p.held == a[0] and p.free_of(a) == pair.free_of(atom) for p in pairs for a in other
                    )
                    if pair.free_of(atom) not in other and not swapped:
                        return False
    return True


def _names_no_place(domain: Domain, pairs: list[_Pair]) -> bool:
    """A free hand without arguments, or with arguments that are called robots or hands."""
    free = pairs[0].free
    return all(
        any(role_of(words_about(domain, pair.held, place)) for pair in pairs)
        or role_of(words_about(domain, free, position)) is not None
        for pair in pairs
        for position, place in enumerate(pair.shared)
    )


def _says_who(domain: Domain, pairs: list[_Pair]) -> bool:
    """The names of the predicates or of their arguments speak of robots or hands."""
    return role_of((pairs[0].free, *(pair.held for pair in pairs))) is not None


def _loses_its_rest(domain: Domain, pairs: list[_Pair]) -> bool:
    """What is grasped loses some other fact about it: that it lies somewhere."""
    for operator in domain.operators.values():
        made, gone = _changes(operator)
        for pair in pairs:
            if _grasps(pair, made, gone):
                for atom in made:
                    if atom[0] == pair.held:
                        items = {t for i, t in enumerate(atom[1:]) if i not in pair.shared}
                        if any(items & set(other[1:]) for other in gone):
                            return True
    return False


# -- roles of arguments ------------------------------------------------------------------------------
def _with_roles(domain: Domain, free: str, pairs: list[_Pair]) -> Anchors:
    held: dict[str, _Pair] = {}
    for pair in pairs:
        if pair.held in held:
            raise AmbiguousAnchorError(
                f"It is ambiguous which arguments of {_show(domain, pair.held)} are those of "
                f"{_show(domain, free)}: give them types, such as robot or hand.",
                ("predicate", pair.held),
                "holding",
            )
        held[pair.held] = pair
    roles: dict[int, str | None] = {}
    for position in range(len(domain.predicates[free])):
        words = [*words_about(domain, free, position)]
        for pair in held.values():
            words += words_about(domain, pair.held, pair.shared[position])
        roles[position] = role_of(words)
    if len(roles) == 2 and None in roles.values() and set(roles.values()) != {None}:
        known = next(role for role in roles.values() if role)
        roles = {position: role or _OTHER[known] for position, role in roles.items()}
    if None in roles.values() or len(set(roles.values())) < len(roles):
        raise AmbiguousAnchorError(
            f"It is unclear which arguments of {_show(domain, free)} are a robot and which a hand: give "
            "them types called robot and hand (or gripper, or arm).",
            ("predicate", free),
            "hand_free",
        )
    where = {role: position for position, role in roles.items()}
    return Anchors(
        Anchor(free, where.get("robot"), where.get("hand")),
        tuple(_held_with_roles(domain, pair, where) for pair in held.values()),
    )


_OTHER = {"robot": "hand", "hand": "robot"}


def _held_with_roles(domain: Domain, pair: _Pair, where: Mapping[str | None, int]) -> Anchor:
    found = {role: pair.shared[position] for role, position in where.items()}
    rest = [i for i in range(len(domain.predicates[pair.held])) if i not in pair.shared]
    # "Held" may say which robot or hand holds where "free" does not.
    for position in list(rest):
        role = role_of(words_about(domain, pair.held, position)) if len(rest) > 1 else None
        if role is not None and role not in found:
            found[role] = position
            rest.remove(position)
    if len(rest) != 1:
        raise AmbiguousAnchorError(
            f"It is unclear which argument of {_show(domain, pair.held)} is the thing held: give the others "
            "types called robot and hand (or gripper, or arm).",
            ("predicate", pair.held),
            "holding",
        )
    return Anchor(pair.held, found.get("robot"), found.get("hand"), rest[0])


# -- what to say -------------------------------------------------------------------------------------
def _show(domain: Domain, predicate: str) -> str:
    return signature(predicate, domain.predicates[predicate])


def _check_named(domain: Domain, options: Expansion) -> None:
    named = [("hand_free", options.hand_free), *(("holding", word) for word in options.holding)]
    for option, word in named:
        if word is not None and word not in domain.predicates:
            raise AnchorNotFoundError(
                f'{option} names "{word}", which is not a predicate of the domain "{domain.name}". '
                f"{suggest(word, domain.predicates)}",
                option=option,
            )


def _not_found(domain: Domain, options: Expansion) -> AnchorNotFoundError:
    sought = " and ".join(
        f"{option}: {word}"
        for option, word in (("hand_free", options.hand_free), ("holding", ", ".join(options.holding)))
        if word
    )
    asked = f" with {sought}" if sought else ""
    return AnchorNotFoundError(
        f'No pair of predicates of the domain "{domain.name}"{asked} means "the hand is free" and "is held": '
        "there must be an operator that makes the one false and the other true, as grasping does, and one "
        "that does the opposite, as letting go does; the second must have the first's arguments and the "
        "thing held, as (hand_empty) and (holding ?o) do.",
        ("domain", domain.name),
        "hand_free" if options.hand_free else "holding" if options.holding else None,
    )
