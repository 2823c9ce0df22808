"""The object-affordance mapping: how likely an affordance is, given the class of an object.

What the file says of a class is a prior that counts as several outcomes; outcomes of actions and what people
say are counted on top of it (a Beta distribution, of which the mean is used).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from foretree.errors import ForetreeError, suggest
from foretree.printable import quote

#: How many outcomes the file counts as.
STRENGTH = 8.0
#: How many outcomes a person's word about a class counts as: enough to overrule the file.
TOLD = 16.0
#: Affordances at least so likely are taken for true where a yes or no is asked for.
LIKELY = 0.5
#: What a listed class affords at least so likely is relied upon in plans: water comes out of few fridges.
RELIABLE = 0.65


class UnknownAffordanceError(ForetreeError):
    """There is no affordance of that name."""


@dataclass(frozen=True, slots=True)
class Affordance:
    """Something that objects can let an agent do with them.

    Attributes:
        name: ``liquid-contain``.
        means: its definition, in a sentence.
        words: verbs for it: ``slice`` and ``chop`` for ``cut``.
        predicates: the static predicates of planning domains that say the same.
        is_use: whether objects are made for it; others tell how they are handled.
        implies: what has it has these, too.
    """

    name: str
    means: str
    words: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    is_use: bool = True
    implies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Counts of the times that an affordance was there when it was relied upon, and that it was not."""

    held: float = 0.0
    failed: float = 0.0

    def __add__(self, other: Outcomes) -> Outcomes:
        return Outcomes(self.held + other.held, self.failed + other.failed)

    def __sub__(self, other: Outcomes) -> Outcomes:
        return Outcomes(self.held - other.held, self.failed - other.failed)

    @property
    def count(self) -> float:
        """All outcomes."""
        return self.held + self.failed

    def rated(self, expected: float, strength: float) -> float:
        """The probability, given these outcomes and an expectation that counts as *strength* outcomes."""
        return (strength * expected + self.held) / (strength + self.count)


def told(holds: bool) -> Outcomes:
    """The outcomes that a person's word about a class counts as."""
    return Outcomes(held=TOLD) if holds else Outcomes(failed=TOLD)


@dataclass(frozen=True, slots=True)
class AffordingClass:
    """A class of objects, and how likely it is said to have each affordance.

    Attributes:
        name: ``coffee_machine``.
        affords: probabilities of affordances; those that are not listed are unlikely.
        words: other names of it.
        like: classes that it is easily taken for.
        section: the kind of things among which it is listed: clothes, hand tools.
    """

    name: str
    affords: Mapping[str, float]
    words: tuple[str, ...] = ()
    like: tuple[str, ...] = ()
    section: str = ""


@dataclass
class AffordanceMapping:
    """The probability of each affordance, given a class.

    Attributes:
        affordances: by name, in the order of the file.
        classes: by name, in the order of the file.
        otherwise: the probability of an affordance that a class does not list.
        states: the affordances that an object in a state has lost: a broken one, a locked one.
        state_words: other words for those states that people tell of.
        evidence: outcomes by class and affordance.
    """

    affordances: Mapping[str, Affordance]
    classes: Mapping[str, AffordingClass]
    otherwise: float = 0.03
    states: Mapping[str, frozenset[str]] = field(default_factory=dict)
    state_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    evidence: dict[tuple[str, str], Outcomes] = field(default_factory=dict)
    _base_rates: dict[str, float] = field(default_factory=dict, init=False, repr=False, compare=False)

    def checked(self, name: str) -> str:
        """The affordance of that name, or that a predicate of that name states.

        Upper case, blanks and underscores are fine.

        Raises:
            UnknownAffordanceError: there is none.
        """
        known = "-".join(name.lower().replace("_", " ").replace("-", " ").split())
        if known in self.affordances:
            return known
        if stated := self.of_predicate(name.strip()):
            return stated
        meant = [a.name for a in self.affordances.values() if known.replace("-", " ") in a.words]
        hint = f"Did you mean {' or '.join(meant)}?" if meant else suggest(known, self.affordances)
        raise UnknownAffordanceError(f"There is no affordance {quote(name)}. {hint}")

    def probability(self, class_name: str, affordance: str) -> float:
        """The probability that an object of a listed class has an affordance."""
        expected = self.classes[class_name].affords.get(affordance, self.otherwise)
        seen = self.evidence.get((class_name, affordance))
        return seen.rated(expected, STRENGTH) if seen else expected

    def base_rate(self, affordance: str) -> float:
        """The probability that an object of any class has an affordance."""
        if affordance not in self._base_rates:
            whole = sum(self.probability(name, affordance) for name in self.classes)
            self._base_rates[affordance] = whole / len(self.classes) if self.classes else self.otherwise
        return self._base_rates[affordance]

    def affording(self, affordances: Collection[str]) -> Iterator[str]:
        """Iterate over the classes that are likely to have each of *affordances*."""
        for name in self.classes:
            if all(self.probability(name, affordance) >= LIKELY for affordance in affordances):
                yield name

    def learn(self, class_name: str, affordance: str, outcomes: Outcomes) -> None:
        """Count outcomes of actions that relied on an affordance of objects of a class."""
        key = class_name, affordance
        self.evidence[key] = self.evidence.get(key, Outcomes()) + outcomes
        self._base_rates.pop(affordance, None)

    def tell(self, class_name: str, affordance: str, holds: bool) -> None:
        """Count a person's word that objects of a class have an affordance, or do not have it."""
        self.learn(class_name, affordance, told(holds))

    def of_predicate(self, predicate: str) -> str | None:
        """The affordance that a static predicate of a planning domain states."""
        return self._by_predicate.get(predicate)

    def contradictions(self, affords: Collection[str]) -> list[tuple[str, str]]:
        """Pairs of an affordance that is among *affords* and one that it implies but is not."""
        return [
            (name, implied)
            for name, known in self.affordances.items()
            if name in affords
            for implied in known.implies
            if implied not in affords
        ]

    def lost_in(self, states: Iterable[str]) -> frozenset[str]:
        """The affordances that an object in some states has lost."""
        return frozenset().union(*(self.states.get(state, ()) for state in states))

    @cached_property
    def _by_predicate(self) -> Mapping[str, str]:
        return {p: known.name for known in self.affordances.values() for p in known.predicates}
