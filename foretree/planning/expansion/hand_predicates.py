"""The hand predicates of a domain, which mean that a hand is free, or that it holds something.

They are found from the effects of operators, see :mod:`foretree.planning.expansion._grasping`. The argument
that "held" has and "free" has not is the thing held. Those that they share are the robot, or the hand, or
both; which of these, the domain's own types, unary predicates and variables must say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from foretree.errors import suggest
from foretree.planning.expansion._grasping import Candidate, GraspPair, find_pairs, opposites
from foretree.planning.expansion._role_words import role_of, words_about
from foretree.planning.expansion.expansion_errors import (
    AmbiguousHandPredicateError,
    HandPredicateNotFoundError,
)
from foretree.planning.expansion.options import Expansion
from foretree.planning.pddl.formula_reader import signature
from foretree.planning.pddl.syntax import Domain
from foretree.world_model.beliefs.facts import Atom

_ROLES = ("robot", "hand", "item")

#: A name, or one with arguments in a pair of parentheses.
_NAMED = re.compile(r"\s*(?:\((?P<with_arguments>[^()]*)\)|(?P<alone>[^()\s]+))\s*")
_EXAMPLES = {"hand_free": "(idle ?robot)", "holding": "(in_gripper ?robot ?item)"}


@dataclass(frozen=True, slots=True)
class HandPredicate:
    """A predicate and what its arguments are: positions count from 0, None where it has no such argument."""

    name: str
    robot: int | None = None
    hand: int | None = None
    item: int | None = None

    def term(self, role: str, atom: Atom) -> str | None:
        """The ``robot``, ``hand`` or held ``item`` that *atom* is about, if it names one."""
        position = getattr(self, role)
        return None if position is None else atom[position + 1]


@dataclass(frozen=True, slots=True)
class HandPredicates:
    """The hand predicates of a domain.

    Attributes:
        hand_free: a hand is free.
        holding: a hand holds something; most domains have one such predicate.
        exclusive: a free hand holds nothing and a busy one a single thing, as far as operators show.
    """

    hand_free: HandPredicate
    holding: tuple[HandPredicate, ...]
    exclusive: bool = True

    def __iter__(self) -> Iterator[HandPredicate]:
        yield from (self.hand_free, *self.holding)

    def of(self, name: str) -> HandPredicate | None:
        """The hand predicate of a name, if there is one."""
        return next((predicate for predicate in self if predicate.name == name), None)

    def holds(self, name: str) -> bool:
        """True if the predicate of a name means that something is held."""
        return any(predicate.name == name for predicate in self.holding)

    def item_in(self, atom: Atom) -> str | None:
        """The thing that *atom* says is held, or is not."""
        predicate = self.of(atom[0])
        return None if predicate is None else predicate.term("item", atom)

    def speak_of(self, role: str) -> bool:
        """True if an argument of theirs is a ``robot``, or a ``hand``."""
        return any(getattr(predicate, role) is not None for predicate in self)


def find_hand_predicates(domain: Domain, options: Expansion | None = None) -> HandPredicates:
    """The hand predicates of *domain*, as *options* name them or as its effects show them.

    Raises:
        HandPredicateNotFoundError: there is no such pair, or a predicate that *options* name does not exist.
        AmbiguousHandPredicateError: there are several, or it is unclear what their arguments are.
    """
    named = _Named(domain, options or Expansion())
    groups: dict[str, list[GraspPair]] = {}
    for pair in [pair for pair in find_pairs(domain) if named.admits(pair)] or list(named.pairs()):
        groups.setdefault(pair.free, []).append(pair)
    candidates = [Candidate(domain, free, tuple(pairs)) for free, pairs in groups.items()]
    if named.option is None:
        candidates = [candidate for candidate in candidates if not candidate.is_busy()]
    if not candidates:
        raise _not_found(domain, named)
    candidates = _likeliest(candidates)
    if len(candidates) > 1:
        shown = "; or ".join(
            f"{_show(domain, c.free)} with {' and '.join(_show(domain, p.held) for p in c.pairs)}"
            for c in candidates
        )
        first = candidates[0].free
        raise AmbiguousHandPredicateError(
            "Several pairs of predicates could mean that the hand is free and that it holds something: "
            f"{shown}. Say which in a file of anchors, for example hand_free: {first}.",
            ("predicate", first),
        )
    [found] = candidates
    least = min(len(domain.predicates[pair.held]) for pair in found.pairs)
    found = replace(found, pairs=tuple(p for p in found.pairs if len(domain.predicates[p.held]) == least))
    _check_alternatives(found)
    return _with_roles(found, named)


def _likeliest(candidates: list[Candidate]) -> list[Candidate]:
    """The candidates that are left when those go that fail a test, as long as any is left."""
    for holds in (
        Candidate.changes_together,
        Candidate.is_exclusive,
        Candidate.knows_its_arguments,
        Candidate.takes_things_away,
        Candidate.names_hands,
    ):
        candidates = [candidate for candidate in candidates if holds(candidate)] or candidates
    return candidates


def _check_alternatives(found: Candidate) -> None:
    """Refuse two ways of holding in one operator; several are fine where each operator means one."""
    for operator in found.domain.operators.values():
        together = found.made_at_once(operator)
        if len(together) > 1:
            shown = " and ".join(_show(found.domain, predicate) for predicate in together)
            raise AmbiguousHandPredicateError(
                f'"{operator.name}" makes {shown} true at once, and each could mean that something is held. '
                f"Say which does in a file of anchors, for example holding: {together[0]}.",
                ("action", operator.name),
            )


# -- named by the user -------------------------------------------------------------------------------
class _Named:
    """The predicates that options name, and the roles of their arguments.

    A name alone is enough most of the time; ``(in_gripper ?robot ?item)`` says what the arguments are, too.
    """

    def __init__(self, domain: Domain, options: Expansion) -> None:
        self._domain = domain
        self.free = dict(self._read("hand_free", text) for text in [options.hand_free] if text is not None)
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
        """The option that names predicates, if one does."""
        return "hand_free" if self.free else "holding" if self.held else None

    def admits(self, pair: GraspPair) -> bool:
        """True if *pair* is of the predicates that are named."""
        return (not self.free or pair.free in self.free) and (not self.held or pair.held in self.held)

    def pairs(self) -> Iterator[GraspPair]:
        """The named predicates as pairs, though no effects pair them: their arguments must say how."""
        for free in self.free:
            roles = self.roles(free)
            for held in self.held:
                others = {role: position for position, role in self.roles(held).items() if role is not None}
                if all(role in others for role in roles.values()):
                    yield GraspPair(free, held, tuple(others[str(role)] for role in roles.values()))

    def roles(self, predicate: str) -> dict[int, str | None]:
        """The role of each argument of *predicate*, as it is said or as its names tell."""
        said = self.free.get(predicate) or self.held.get(predicate)
        if said:
            return dict(enumerate(said))
        count = len(self._domain.predicates[predicate])
        return {i: role_of(words_about(self._domain, predicate, i)) for i in range(count)}


# -- roles of arguments ------------------------------------------------------------------------------
def _with_roles(candidate: Candidate, named: _Named) -> HandPredicates:
    domain, free, pairs = candidate.domain, candidate.free, candidate.pairs
    names = [pair.held for pair in pairs]
    for pair in pairs:
        if names.count(pair.held) > 1:
            raise AmbiguousHandPredicateError(
                f"It is unclear which arguments of {_show(domain, pair.held)} are those of "
                f"{_show(domain, free)}: give them types, such as robot or hand, or say what they are in a "
                f"file of anchors, such as holding: ({pair.held} ?robot ?item).",
                ("predicate", pair.held),
            )
    said = named.free.get(free)
    positions = range(len(domain.predicates[free]))
    roles = [said[i] if said else candidate.shared_role(i) for i in positions]
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
        tuple(_held_with_roles(domain, named, pair, where) for pair in pairs),
        candidate.is_exclusive(),
    )


def _held_with_roles(
    domain: Domain, named: _Named, pair: GraspPair, where: Mapping[str, int]
) -> HandPredicate:
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


# -- messages ----------------------------------------------------------------------------------------
def _show(domain: Domain, predicate: str) -> str:
    parameters = domain.predicates[predicate]
    if all(parameter.type == "object" for parameter in parameters):
        return f"({' '.join([predicate, *(parameter.name for parameter in parameters)])})"
    return signature(predicate, parameters)


def _not_found(domain: Domain, named: _Named) -> HandPredicateNotFoundError:
    asked = f" with {named}" if str(named) else ""
    opposite = ""
    for busy, held in opposites(domain)[:1]:
        shown = f"{_show(domain, busy)} may be the opposite, true while {_show(domain, held)} is"
        opposite = f" {shown}: then turn it round."
    return HandPredicateNotFoundError(
        f'No pair of predicates of the domain "{domain.name}"{asked} means "the hand is free" and "is held": '
        "there must be an operator that makes the one false and the other true, as grasping does, and one "
        "that does the opposite, as letting go does; the second must have the first's arguments and the "
        "thing held, as (hand_empty) and (holding ?o) do. Name them in a file of anchors, hand_free: … and "
        f"holding: …, if they are there but changed otherwise.{opposite}",
        None if named.option else ("domain", domain.name),
        named.option,
    )
