"""Semantic anchors: which predicates of a domain mean that a hand is free, and that it holds something.

They are found from how effects pair them. Grasping makes "held" true and "free" false, letting go does the
opposite. Names do not matter for that, and neither does arity: what "held" says more than "free" is the
thing held, and what they share is the robot, or the hand, or both; which of these it is, the domain's own
types, unary predicates and variables must say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import NamedTuple

from foretree.errors import suggest
from foretree.planning.expansion._implied_literals import implied, implied_atoms
from foretree.planning.expansion._roles import role_of, words_about
from foretree.planning.expansion.expansion_errors import (
    AmbiguousHandPredicateError,
    HandPredicateNotFoundError,
)
from foretree.planning.expansion.options import Expansion
from foretree.planning.pddl.formula_reader import signature
from foretree.planning.pddl.syntax import Domain, Effect, Operator
from foretree.world_model.beliefs.facts import Atom

_ROLES = ("robot", "hand", "item")

#: What a file of anchors may say: a name, or one with arguments in a pair of parentheses.
_NAMED = re.compile(r"\s*(?:\((?P<with_arguments>[^()]*)\)|(?P<alone>[^()\s]+))\s*")
#: Words in the name of a predicate that say a hand holds nothing.
_FREE = frozenset({"available", "empty", "free", "handempty", "idle", "ready", "unbusy", "vacant"})
_EXAMPLES = {"hand_free": "(idle ?robot)", "holding": "(in_gripper ?robot ?item)"}


@dataclass(frozen=True, slots=True)
class HandPredicate:
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
class HandPredicates:
    """The anchors of a domain.

    Attributes:
        hand_free: a hand is free.
        holding: a hand holds something; most domains have one such predicate.
        exclusive: a free hand holds nothing and a busy one a single thing, as far as operators show.
    """

    hand_free: HandPredicate
    holding: tuple[HandPredicate, ...]
    exclusive: bool = True

    def of(self, predicate: str) -> HandPredicate | None:
        """The anchor that *predicate* is, if it is one."""
        return next((a for a in (self.hand_free, *self.holding) if a.predicate == predicate), None)

    def holds(self, predicate: str) -> bool:
        """Whether *predicate* means that something is held."""
        return any(anchor.predicate == predicate for anchor in self.holding)

    def speak_of(self, role: str) -> bool:
        """Whether an argument of theirs is a ``robot``, or a ``hand``."""
        return any(getattr(anchor, role) is not None for anchor in (self.hand_free, *self.holding))


def find_hand_predicates(domain: Domain, options: Expansion | None = None) -> HandPredicates:
    """The anchors of *domain*, as *options* name them or as its effects show them.

    Raises:
        AnchorNotFoundError: there is no such pair, or a predicate that *options* name does not exist.
        AmbiguousAnchorError: there are several, or it is unclear what their arguments are.
    """
    named = _Named(domain, options or Expansion())
    pairs = [pair for pair in _pairs(domain) if named.admits(pair)] or list(named.pairs())
    groups: dict[str, list[_Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair.free, []).append(pair)
    if not (named.free or named.held):
        groups = {free: found for free, found in groups.items() if not _is_busy(domain, free)}
    if not groups:
        raise _not_found(domain, named)
    likely = _likeliest(domain, groups)
    if len(likely) > 1:
        shown = "; or ".join(
            f"{_show(domain, free)} with {' and '.join(_show(domain, p.held) for p in found)}"
            for free, found in likely.items()
        )
        first = next(iter(likely))
        raise AmbiguousHandPredicateError(
            "Several pairs of predicates could mean that the hand is free and that it holds something: "
            f"{shown}. Say which in a file of anchors, for example hand_free: {first}.",
            ("predicate", first),
        )
    [(free, found)] = likely.items()
    least = min(len(domain.predicates[pair.held]) for pair in found)
    found = [pair for pair in found if len(domain.predicates[pair.held]) == least]
    _check_alternatives(domain, found)
    return _with_roles(domain, named, free, found)


# -- what the user names -----------------------------------------------------------------------------
class _Named:
    """The predicates that options name, and what they say about their arguments.

    A name alone is enough most of the time; ``(in_gripper ?robot ?item)`` says what the arguments are, too.
    """

    def __init__(self, domain: Domain, options: Expansion) -> None:
        self._domain = domain
        free = () if options.hand_free is None else (options.hand_free,)
        self.free = dict(self._read("hand_free", text) for text in free)
        self.held = dict(self._read("holding", text) for text in options.holding)

    def _read(self, option: str, text: str) -> tuple[str, tuple[str, ...] | None]:
        said = _NAMED.fullmatch(text)
        if said is None:
            raise HandPredicateNotFoundError(
                f'{option} is "{text}", which is neither a name nor a name with arguments between two '
                f"parentheses, such as {_EXAMPLES[option]}.",
                option=option,
            )
        words = (said["with_arguments"] or said["alone"] or "").split()
        name = words[0] if words else ""
        if name not in self._domain.predicates:
            raise HandPredicateNotFoundError(
                f'{option} names "{name}", which is not a predicate of the domain "{self._domain.name}". '
                f"{suggest(name, self._domain.predicates)}",
                option=option,
            )
        parameters = self._domain.predicates[name]
        if "(" not in text:
            return name, None
        roles = tuple(word.lstrip("?") for word in words[1:])
        valid = _ROLES if option == "holding" else _ROLES[:2]
        fits = len(roles) == len(parameters) and len(set(roles)) == len(roles) and set(roles) <= set(valid)
        if not fits or (option == "holding" and "item" not in roles):
            thing = " and exactly one ?item" if option == "holding" else ""
            raise HandPredicateNotFoundError(
                f'{option} is "{text}", which does not say what each argument of '
                f"{_show(self._domain, name)} is: write one word for each, at most one ?robot and one "
                f"?hand{thing}.",
                option=option,
            )
        return name, roles

    def __str__(self) -> str:
        said = (("hand_free", self.free), ("holding", self.held))
        return " and ".join(f"{option}: {', '.join(names)}" for option, names in said if names)

    @property
    def option(self) -> str | None:
        """The option to blame when nothing fits."""
        return "hand_free" if self.free else "holding" if self.held else None

    def admits(self, pair: _Pair) -> bool:
        """Whether *pair* is of the predicates that are named."""
        return (not self.free or pair.free in self.free) and (not self.held or pair.held in self.held)

    def pairs(self) -> Iterator[_Pair]:
        """The named predicates as pairs, though no effects pair them: their arguments must say how."""
        for free in self.free:
            roles = self.roles(free)
            for held in self.held:
                others = {role: position for position, role in self.roles(held).items() if role is not None}
                if all(role in others for role in roles.values()):
                    yield _Pair(free, held, tuple(others[str(role)] for role in roles.values()))

    def roles(self, predicate: str) -> dict[int, str | None]:
        """What each argument of *predicate* is, as far as it is said or as words tell."""
        said = self.free.get(predicate) or self.held.get(predicate)
        if said:
            return dict(enumerate(said))
        count = len(self._domain.predicates[predicate])
        return {i: role_of(words_about(self._domain, predicate, i)) for i in range(count)}


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


class _Change(NamedTuple):
    """An atom that an operator makes true or false, and when it does."""

    atom: Atom
    when: tuple[object, ...]


def _changes(operator: Operator) -> tuple[list[_Change], list[_Change]]:
    """What an operator makes true, and what false."""

    def changes(positive: bool) -> list[_Change]:
        return [_change(effect) for effect in operator.effects if effect.literal.positive == positive]

    return changes(True), changes(False)


def _change(effect: Effect) -> _Change:
    return _Change(effect.literal.atom, (effect.condition, effect.variables))


def _pairs(domain: Domain) -> Iterator[_Pair]:
    """Every pair that at least one operator grasps with and another lets go with."""
    changes = [_changes(operator) for operator in domain.operators.values()]
    grasped = {pair for made, gone in changes for pair in _grasping(made, gone)}
    let_go = {pair for made, gone in changes for pair in _grasping(gone, made)}
    yield from sorted(grasped & let_go, key=lambda pair: (pair.free, pair.held, pair.shared))


def _grasping(made: Sequence[_Change], gone: Sequence[_Change]) -> Iterator[_Pair]:
    """Every pair that an operator with these effects grasps with."""
    for held, free in product(made, gone):
        if held.when == free.when and len(held.atom) > len(free.atom):
            for shared in permutations(range(len(held.atom) - 1), len(free.atom) - 1):
                pair = _Pair(free.atom[0], held.atom[0], shared)
                if pair.free_of(held.atom) == free.atom and _grasps(pair, made, gone):
                    yield pair


def _grasps(pair: _Pair, made: Sequence[_Change], gone: Sequence[_Change]) -> bool:
    """Whether "held" becomes true and "free" false, and nothing the other way round.

    Something that does both at once is a move from one place to another, as of a disk between pegs.
    """
    if any(c.atom[0] == pair.free for c in made) or any(c.atom[0] == pair.held for c in gone):
        return False
    return any(c.atom[0] == pair.held and _Change(pair.free_of(c.atom), c.when) in gone for c in made)


def _is_busy(domain: Domain, free: str) -> bool:
    """Whether *free* must be false before it becomes true.

    Where things lie and how busy the hand is change together just as what is held and a free hand do. But
    that a hand is busy must be false before it becomes true, and that it is free hardly ever must; where it
    must, its name may tell.
    """
    if not _FREE.isdisjoint(re.split(r"[-_]", free)):
        return False
    return any(
        effect.literal.positive
        and effect.literal.atom[0] == free
        and ~effect.literal in implied(operator.precondition, lambda literal: (literal,))
        for operator in domain.operators.values()
        for effect in operator.effects
    )


def _likeliest(domain: Domain, groups: Mapping[str, list[_Pair]]) -> dict[str, list[_Pair]]:
    """The groups that are left when those go which something speaks against, as long as any is left."""
    left = dict(groups)
    for speaks_for in (_always_together, _exclusive, _knows_its_arguments, _loses_its_rest, _names_hands):
        kept = {free: pairs for free, pairs in left.items() if speaks_for(domain, pairs)}
        left = kept or left
    return left


def _always_together(domain: Domain, pairs: Sequence[_Pair]) -> bool:
    """No operator changes the one without the other, but for swapping what the hand holds."""
    for operator in domain.operators.values():
        made, gone = _changes(operator)
        for one, other in ((made, gone), (gone, made)):
            freed = [
                _Change(pair.free_of(c.atom), c.when)
                for pair in pairs
                for c in other
                if c.atom[0] == pair.held
            ]
            for change in one:
                if change.atom[0] == pairs[0].free and change not in freed:
                    return False
                for pair in pairs:
                    if change.atom[0] == pair.held:
                        hand = _Change(pair.free_of(change.atom), change.when)
                        if hand not in other and hand not in freed:
                            return False
    return True


def _knows_its_arguments(domain: Domain, pairs: Sequence[_Pair]) -> bool:
    """What "free" is about is called a robot or a hand, or it is about nothing in particular."""
    return all(_shared_role(domain, pairs, position) is not None for position in range(len(pairs[0].shared)))


def _loses_its_rest(domain: Domain, pairs: Sequence[_Pair]) -> bool:
    """What is grasped loses some other fact about it: that it lies somewhere."""
    for operator in domain.operators.values():
        made, gone = _changes(operator)
        for pair in pairs:
            for change in made if _grasps(pair, made, gone) else ():
                if change.atom[0] == pair.held:
                    items = {term for i, term in enumerate(change.atom[1:]) if i not in pair.shared}
                    if any(items & set(other.atom[1:]) for other in gone):
                        return True
    return False


def _names_hands(domain: Domain, pairs: Sequence[_Pair]) -> bool:
    """The names of the predicates speak of robots or hands."""
    return role_of((pairs[0].free, *(pair.held for pair in pairs))) is not None


def _check_alternatives(domain: Domain, pairs: Sequence[_Pair]) -> None:
    """Several ways of holding are fine as long as no operator means two at once: only one can be holding."""
    held = {pair.held for pair in pairs}
    for operator in domain.operators.values():
        made, _ = _changes(operator)
        together = sorted({change.atom[0] for change in made if change.atom[0] in held})
        if len(together) > 1:
            shown = " and ".join(_show(domain, predicate) for predicate in together)
            raise AmbiguousHandPredicateError(
                f'"{operator.name}" makes {shown} true at once, and each could mean that something is held. '
                f"Say which does in a file of anchors, for example holding: {together[0]}.",
                ("action", operator.name),
            )


def _exclusive(domain: Domain, pairs: Sequence[_Pair]) -> bool:
    """Nothing is grasped with a hand that may be busy, and none is freed that may hold something else."""
    if not _always_together(domain, pairs):
        return False
    for operator in domain.operators.values():
        for effect in operator.effects:
            sure = implied_atoms(operator.precondition) | implied_atoms(effect.condition)
            busy = [pair.free_of(atom) for pair in pairs for atom in sure if atom[0] == pair.held]
            atom = effect.literal.atom
            if effect.literal.positive and atom[0] == pairs[0].free and atom not in busy:
                return False
            for pair in pairs:
                if effect.literal.positive and atom[0] == pair.held:
                    hand = pair.free_of(atom)
                    if hand not in sure and hand not in busy:
                        return False
    return True


# -- roles of arguments ------------------------------------------------------------------------------
def _shared_role(domain: Domain, pairs: Sequence[_Pair], position: int) -> str | None:
    """What the argument of "free" at *position* is called, there or where "held" has it."""
    words = [*words_about(domain, pairs[0].free, position)]
    for pair in pairs:
        words += words_about(domain, pair.held, pair.shared[position])
    return role_of(words)


def _with_roles(domain: Domain, named: _Named, free: str, pairs: Sequence[_Pair]) -> HandPredicates:
    held: dict[str, _Pair] = {}
    for pair in pairs:
        if pair.held in held:
            raise AmbiguousHandPredicateError(
                f"It is unclear which arguments of {_show(domain, pair.held)} are those of "
                f"{_show(domain, free)}: give them types, such as robot or hand, or say what they are in a "
                f"file of anchors, such as holding: ({pair.held} ?robot ?item).",
                ("predicate", pair.held),
            )
        held[pair.held] = pair
    said = named.free.get(free)
    positions = range(len(domain.predicates[free]))
    roles = [said[i] if said else _shared_role(domain, pairs, i) for i in positions]
    if len(roles) == 2 and roles.count(None) == 1:
        known = next(role for role in roles if role)
        roles = [role or ("hand" if known == "robot" else "robot") for role in roles]
    if None in roles or len(set(roles)) < len(roles):
        raise AmbiguousHandPredicateError(
            f"{_show(domain, free)} and {_show(domain, pairs[0].held)} change as a free hand and a held "
            f"thing do, but it is unclear which arguments of {_show(domain, free)} are a robot and which a "
            "hand: give them types called robot and hand (or gripper, or arm), or say what they are in a "
            f"file of anchors, such as hand_free: ({' '.join([free, '?robot', '?hand'][: len(roles) + 1])}).",
            ("predicate", free),
        )
    where = {str(role): position for position, role in enumerate(roles)}
    return HandPredicates(
        HandPredicate(free, where.get("robot"), where.get("hand")),
        tuple(_held_with_roles(domain, named, pair, where) for pair in held.values()),
        _exclusive(domain, pairs),
    )


def _held_with_roles(domain: Domain, named: _Named, pair: _Pair, where: Mapping[str, int]) -> HandPredicate:
    said = named.held.get(pair.held)
    if said:
        return HandPredicate(pair.held, **{role: position for position, role in enumerate(said)})
    found = {role: pair.shared[position] for role, position in where.items()}
    rest = [i for i in range(len(domain.predicates[pair.held])) if i not in pair.shared]
    # "Held" may say which robot or hand holds where "free" does not.
    for position in list(rest) if len(rest) > 1 else ():
        role = role_of(words_about(domain, pair.held, position))
        if role is not None and role not in found:
            found[role] = position
            rest.remove(position)
    if len(rest) != 1:
        arguments = " ".join(["?robot", "?hand", "?item"][-len(domain.predicates[pair.held]) :])
        raise AmbiguousHandPredicateError(
            f"It is unclear which argument of {_show(domain, pair.held)} is the thing held: give the others "
            "types called robot and hand (or gripper, or arm), or say what they are in a file of anchors, "
            f"such as holding: ({pair.held} {arguments}).",
            ("predicate", pair.held),
        )
    return HandPredicate(pair.held, found.get("robot"), found.get("hand"), rest[0])


# -- what to say -------------------------------------------------------------------------------------
def _show(domain: Domain, predicate: str) -> str:
    parameters = domain.predicates[predicate]
    if all(parameter.type == "object" for parameter in parameters):
        return f"({' '.join([predicate, *(parameter.name for parameter in parameters)])})"
    return signature(predicate, parameters)


def _busy(domain: Domain) -> str:
    """A sentence about a predicate that says the opposite of what is looked for, if there is one."""
    changes = [_changes(operator) for operator in domain.operators.values()]
    grasped = {pair for made, _ in changes for pair in _together(made)}
    let_go = {pair for _, gone in changes for pair in _together(gone)}
    needed_false = {
        literal.atom[0]
        for operator in domain.operators.values()
        for literal in implied(operator.precondition, lambda literal: (literal,))
        if not literal.positive
    }
    for busy, held in sorted(grasped & let_go):
        if busy in needed_false:
            opposite = f"{_show(domain, busy)} may be the opposite, true while {_show(domain, held)} is"
            return f" {opposite}: then turn it round."
    return ""


def _together(changed: Sequence[_Change]) -> Iterator[tuple[str, str]]:
    """Predicates that change together, the first about some of what the second is about."""
    for one, other in product(changed, changed):
        if one.when == other.when and set(one.atom[1:]) < set(other.atom[1:]):
            yield one.atom[0], other.atom[0]


def _not_found(domain: Domain, named: _Named) -> HandPredicateNotFoundError:
    asked = f" with {named}" if str(named) else ""
    return HandPredicateNotFoundError(
        f'No pair of predicates of the domain "{domain.name}"{asked} means "the hand is free" and "is held": '
        "there must be an operator that makes the one false and the other true, as grasping does, and one "
        "that does the opposite, as letting go does; the second must have the first's arguments and the "
        "thing held, as (hand_empty) and (holding ?o) do. Name them in a file of anchors, hand_free: … and "
        f"holding: …, if they are there but changed otherwise.{_busy(domain)}",
        None if named.option else ("domain", domain.name),
        named.option,
    )
