"""Derived predicates, evaluated in a state or in a belief.

Rules are evaluated stratum by stratum: first those that depend on no derived predicate, each stratum until
nothing new follows. What then does not follow is false. In a belief, where facts may be unknown, two things
are derived: what surely follows, and what may follow; what lies between them is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, product
from math import prod
from typing import TypeAlias

from foretree.planning._closure import closure
from foretree.planning.pddl.syntax import (
    And,
    Axiom,
    Count,
    Domain,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Or,
    Typed,
    atoms_of,
    parts_of,
    substitute,
    substitute_atom,
    terms_of,
    types_of,
)
from foretree.planning.semantics.axioms import strata, uses
from foretree.planning.semantics.evaluation import Objects, Oracle, evaluate, negate, state_oracle
from foretree.planning.semantics.operator_index import index_of, unify
from foretree.planning.semantics.relations import Relations
from foretree.world_model.beliefs.facts import Atom, Truth

#: A condition of more alternatives than this is tested as a whole instead of being matched.
_MOST_CASES = 200

#: One way in which a condition may hold: further variables, and what has to be so of them.
_Way: TypeAlias = tuple[tuple[Typed, ...], tuple[Formula, ...]]


@dataclass(frozen=True, slots=True)
class _Case:
    """One way in which a rule applies.

    Attributes:
        head: what it derives.
        names: for each variable, the objects that it may stand for.
        atoms: what facts are matched with.
        tests: what else has to hold, each with its free variables.
    """

    head: Atom
    names: Mapping[str, Collection[str]]
    atoms: tuple[Atom, ...]
    tests: Mapping[Formula, frozenset[str]]

    def derive(
        self,
        facts: _Facts,
        holds: Callable[[Formula], bool],
        stratum: Collection[str],
        new: Sequence[Atom] | None,
    ) -> Iterator[Atom]:
        """The atoms that follow from *facts*; at least those that follow from the *new* ones, if given."""
        if new is None or any(atom[0] in stratum for test in self.tests for atom in atoms_of(test)):
            yield from self._heads(facts, holds, self.atoms, self.tests, {})
            return
        for number, pattern in enumerate(self.atoms):
            rest = (*self.atoms[:number], *self.atoms[number + 1 :])
            for atom in new if pattern[0] in stratum else ():
                binding = unify(pattern, atom, allowed=self.names)
                if binding is not None:
                    yield from self._heads(facts, holds, rest, self.tests, binding)

    def _heads(
        self,
        facts: _Facts,
        holds: Callable[[Formula], bool],
        atoms: Sequence[Atom],
        tests: Mapping[Formula, frozenset[str]],
        binding: Mapping[str, str],
    ) -> Iterator[Atom]:
        """The heads for all ways to match *atoms* and to pass *tests*."""
        waiting = {test: free for test, free in tests.items() if not free <= binding.keys()}
        if not all(holds(substitute(test, binding)) for test in tests if test not in waiting):
            return
        if atoms:
            # The atom with the fewest open places first.
            pattern = min(atoms, key=lambda atom: sum(t in self.names and t not in binding for t in atom[1:]))
            rest = [atom for atom in atoms if atom is not pattern]
            known = [binding.get(term) if term in self.names else term for term in pattern[1:]]
            for row in facts.agreeing(pattern[0], known):
                further = unify(pattern[1:], row, binding, self.names)
                if further is not None:
                    yield from self._heads(facts, holds, rest, waiting, further)
            return
        open_variable = next((name for name in self.names if name not in binding), None)
        if open_variable is None:
            yield substitute_atom(self.head, binding)
        else:
            for name in self.names[open_variable]:
                yield from self._heads(facts, holds, (), waiting, {**binding, open_variable: name})


class Derivation:
    """The derived predicates of a domain, over given objects.

    Args:
        domain: has the rules.
        objects: what their variables range over.
    """

    def __init__(self, domain: Domain, objects: Objects) -> None:
        self._domain = domain
        self._objects = objects
        self._derived = frozenset(axiom.predicate for axiom in domain.axioms)
        self._strata = [
            (names, [case for a in domain.axioms if a.predicate in names for case in _cases(a, objects)])
            for names in strata(domain.axioms)
        ]

    def is_derived(self, atom: Atom) -> bool:
        """True if rules decide about *atom*."""
        return atom[0] in self._derived

    def close(self, state: frozenset[Atom]) -> frozenset[Atom]:
        """*state* and all that follows in it, without what it says of derived predicates itself."""
        facts = _Facts(atom for atom in state if atom[0] not in self._derived)
        for names, cases in self._strata:
            self._run(names, cases, facts, state_oracle(facts.atoms), (Truth.TRUE,))
        return frozenset(facts.atoms)

    def reasons(self, atom: Atom, state: Container[Atom]) -> frozenset[Literal]:
        """Literals that hold in *state* and together decide whether the derived *atom* does.

        They are all that actions may change of what its rules ask about: more than one derivation of it
        takes, but then it may be derived in many ways, and be false for many reasons.
        """
        asked = closure({atom[0]}, uses(self._domain.axioms)) & index_of(self._domain).fluents.keys()
        return frozenset(Literal(a, a in state) for name in sorted(asked) for a in self._atoms(name))

    def truth(self, belief: Oracle) -> Oracle:
        """A belief with derived predicates: *belief* itself is asked about all others."""
        asked = {atom[0] for _, cases in self._strata for case in cases for atom in case.atoms}
        atoms = (atom for name in sorted(asked - self._derived) for atom in self._atoms(name))
        perhaps = _Facts(atom for atom in atoms if belief(atom) is not Truth.FALSE)
        sure = _Facts(atom for atom in perhaps.atoms if belief(atom) is Truth.TRUE)

        def oracle(atom: Atom) -> Truth:
            if atom[0] not in self._derived:
                return belief(atom)
            if atom in sure.atoms:
                return Truth.TRUE
            return Truth.UNKNOWN if atom in perhaps.atoms else Truth.FALSE

        # A rule may depend on the negation of a lower stratum, of which both sides must be known by then.
        for names, cases in self._strata:
            self._run(names, cases, sure, oracle, (Truth.TRUE,))
            self._run(names, cases, perhaps, oracle, (Truth.TRUE, Truth.UNKNOWN))
        return oracle

    def _atoms(self, predicate: str) -> Iterator[Atom]:
        parameters = self._domain.predicates[predicate]
        for names in product(*(self._objects.of_type(parameter.type) for parameter in parameters)):
            yield (predicate, *names)

    def _run(
        self,
        names: Collection[str],
        cases: Sequence[_Case],
        facts: _Facts,
        oracle: Oracle,
        accepted: Container[Truth],
    ) -> None:
        """Derive what one stratum adds to *facts*; each round builds on what the one before has found."""

        def holds(test: Formula) -> bool:
            return evaluate(test, oracle, self._objects) in accepted

        new: list[Atom] | None = None
        while new is None or new:
            found = dict.fromkeys(atom for case in cases for atom in case.derive(facts, holds, names, new))
            new = [atom for atom in found if atom not in facts.atoms]
            for atom in new:
                facts.learn(atom)


class _Facts(Relations):
    """Atoms, found by predicate and arguments."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        super().__init__()
        self.atoms: set[Atom] = set()
        for atom in atoms:
            self.learn(atom)

    def learn(self, atom: Atom) -> None:
        """Add an atom."""
        self.atoms.add(atom)
        self.add(atom[0], atom[1:])


def _cases(axiom: Axiom, objects: Objects) -> Iterator[_Case]:
    """The ways in which a rule applies: its condition as a disjunction of conjunctions."""
    head = (axiom.predicate, *(parameter.name for parameter in axiom.parameters))
    for variables, parts in _alternatives(axiom.body, count()):
        names = {v.name: dict.fromkeys(objects.of_type(v.type)) for v in (*axiom.parameters, *variables)}
        matched = [part for part in parts if isinstance(part, Literal) and part.positive]
        tests = {part: _free(part) for part in parts if part not in matched}
        yield _Case(head, names, tuple(literal.atom for literal in matched), tests)


def _alternatives(formula: Formula, numbers: Iterator[int]) -> list[_Way]:
    """The ways in which *formula* may hold; where there are too many, it is one way to be tested."""
    match formula:
        case And(parts):
            ways = [_alternatives(part, numbers) for part in parts]
            if prod(map(len, ways)) <= _MOST_CASES:
                return [
                    (sum((new for new, _ in way), ()), sum((found for _, found in way), ()))
                    for way in product(*ways)
                ]
        case Or(parts):
            found = [way for part in parts for way in _alternatives(part, numbers)]
            if len(found) <= _MOST_CASES:
                return found
        case Exists(variables, body):
            # No name of a variable in PDDL text has a blank, so these are new.
            fresh = tuple(Typed(f"{v.name} {next(numbers)}", v.type) for v in variables)
            renaming = {old.name: new.name for old, new in zip(variables, fresh, strict=True)}
            inner = _alternatives(substitute(body, renaming), numbers)
            return [((*fresh, *more), parts) for more, parts in inner]
        case Not(part) if not isinstance(pushed := negate(part), Not):
            return _alternatives(pushed, numbers)
    return [((), (formula,))]


def _free(formula: Formula) -> frozenset[str]:
    """The variables that nothing binds in a formula."""
    if isinstance(formula, (Literal, Equal)):
        return frozenset(term for term in terms_of(formula) if term[0] == "?")
    found = frozenset[str]().union(*map(_free, parts_of(formula)))
    bound = formula.variables if isinstance(formula, (Exists, Forall, Count)) else ()
    return found.difference(types_of(bound))
