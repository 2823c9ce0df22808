"""Derived predicates, evaluated in a state or in a belief.

Rules are evaluated stratum by stratum: first those that depend on no derived predicate, each stratum until
nothing new follows. What then does not follow is false. In a belief, where facts may be unknown, two things
are derived: what surely follows, and what may follow; what lies between them is unknown.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

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
    terms_of,
    types_of,
)
from foretree.planning.semantics.axioms import strata
from foretree.planning.semantics.evaluation import Objects, Oracle, evaluate, negate, state_oracle
from foretree.planning.semantics.operator_index import index_of, unify
from foretree.world_model.beliefs.facts import Atom, Truth

#: A condition of more alternatives than this is tested as a whole instead of being matched.
_MOST_CASES = 200


@dataclass(frozen=True, slots=True)
class _Case:
    """One way in which a rule applies: variables, atoms to match them with, and what else has to hold."""

    predicate: str
    head: tuple[str, ...]
    variables: tuple[Typed, ...]
    atoms: tuple[Atom, ...]
    tests: tuple[Formula, ...]

    def tests_stratum(self, names: frozenset[str]) -> bool:
        """True if a test, as opposed to an atom to match, asks for one of these predicates."""
        return any(atom[0] in names for test in self.tests for atom in atoms_of(test))


class Derivation:
    """The derived predicates of a domain, over given objects.

    Args:
        domain: has the rules.
        objects: what their variables range over.
    """

    def __init__(self, domain: Domain, objects: Objects) -> None:
        self._domain = domain
        self._objects = objects
        self._members: dict[str, frozenset[str]] = {}
        self._derived = frozenset(axiom.predicate for axiom in domain.axioms)
        self._fluents = index_of(domain).fluents
        self._after = {
            name: [atom[0] for a in domain.axioms if a.predicate == name for atom in atoms_of(a.body)]
            for name in self._derived
        }
        self._strata = [
            (
                frozenset(names),
                [case for a in domain.axioms if a.predicate in names for case in _cases(a)],
            )
            for names in strata(domain.axioms)
        ]

    def is_derived(self, atom: Atom) -> bool:
        """True if rules decide about *atom*."""
        return atom[0] in self._derived

    def close(self, state: frozenset[Atom]) -> frozenset[Atom]:
        """*state* and all that follows in it, without what it says of derived predicates itself."""
        if not self._strata:
            return state
        facts = _Facts(atom for atom in state if atom[0] not in self._derived)
        oracle = state_oracle(facts)
        for stratum in self._strata:
            self._run(stratum, facts, oracle, possible=False)
        return frozenset(facts.atoms)

    def reasons(self, atom: Atom, state: Container[Atom]) -> frozenset[Literal]:
        """Literals that hold in *state* and together decide whether the derived *atom* does.

        They are all that actions may change of what its rules ask about: more than one derivation of it
        takes, but then it may be derived in many ways, and be false for many reasons.
        """
        asked = closure({atom[0]}, self._after) & self._fluents.keys()
        return frozenset(Literal(a, a in state) for name in sorted(asked) for a in self._atoms(name))

    def truth(self, belief: Oracle) -> Oracle:
        """A belief with derived predicates: *belief* itself is asked about all others."""
        if not self._strata:
            return belief
        sure, perhaps = _Facts(()), _Facts(())
        for name in sorted(self._asked() - self._derived):
            for atom in self._atoms(name):
                value = belief(atom)
                if value is not Truth.FALSE:
                    perhaps.add(atom)
                    if value is Truth.TRUE:
                        sure.add(atom)

        def oracle(atom: Atom) -> Truth:
            if atom[0] not in self._derived:
                return belief(atom)
            if atom in sure:
                return Truth.TRUE
            return Truth.UNKNOWN if atom in perhaps else Truth.FALSE

        # A rule may depend on the negation of a lower stratum, of which both sides must be known by then.
        for stratum in self._strata:
            self._run(stratum, sure, oracle, possible=False)
            self._run(stratum, perhaps, oracle, possible=True)
        return oracle

    def _asked(self) -> frozenset[str]:
        return frozenset(atom[0] for _, cases in self._strata for case in cases for atom in case.atoms)

    def _atoms(self, predicate: str) -> Iterator[Atom]:
        parameters = self._domain.predicates[predicate]
        for names in product(*(self._objects.of_type(parameter.type) for parameter in parameters)):
            yield (predicate, *names)

    def _run(
        self,
        stratum: tuple[frozenset[str], Sequence[_Case]],
        facts: _Facts,
        oracle: Oracle,
        *,
        possible: bool,
    ) -> None:
        """Derive what one stratum adds to *facts*; each round builds on what the one before has found."""
        names, cases = stratum
        new: list[Atom] | None = None
        while new is None or new:
            found: dict[Atom, None] = {}
            for case in cases:
                for atom in self._apply(case, names, facts, new, oracle, possible):
                    if atom not in facts:
                        found[atom] = None
            new = list(found)
            for atom in new:
                facts.add(atom)

    def _apply(
        self,
        case: _Case,
        stratum: frozenset[str],
        facts: _Facts,
        new: list[Atom] | None,
        oracle: Oracle,
        possible: bool,
    ) -> Iterator[Atom]:
        types = {variable.name: self._of_type(variable.type) for variable in case.variables}
        matcher = _Matcher(case, types, self._objects, facts, oracle, possible)
        if new is None or case.tests_stratum(stratum):
            yield from matcher.heads(case.atoms, case.tests, {})
            return
        for number, pattern in enumerate(case.atoms):
            if pattern[0] in stratum:
                rest = [*case.atoms[:number], *case.atoms[number + 1 :]]
                for binding in matcher.bindings(pattern, new, {}):
                    yield from matcher.heads(rest, case.tests, binding)

    def _of_type(self, name: str) -> frozenset[str]:
        if name not in self._members:
            self._members[name] = frozenset(self._objects.of_type(name))
        return self._members[name]


@dataclass(frozen=True, slots=True)
class _Matcher:
    """Matches one case of a rule with facts.

    Attributes:
        case: the case.
        types: the names that each of its variables may stand for.
        objects: all objects.
        facts: the atoms to match with.
        oracle: decides the tests.
        possible: whether a test may be unknown.
    """

    case: _Case
    types: Mapping[str, frozenset[str]]
    objects: Objects
    facts: _Facts
    oracle: Oracle
    possible: bool

    def bindings(
        self, pattern: Atom, facts: Iterable[Atom], binding: Mapping[str, str]
    ) -> Iterator[dict[str, str]]:
        """*binding* with what makes *pattern* one of *facts*, for each that fits."""
        for fact in facts:
            found = unify(pattern, fact, binding, self.types)
            if found is not None:
                yield found

    def heads(
        self, atoms: Sequence[Atom], tests: Sequence[Formula], binding: Mapping[str, str]
    ) -> Iterator[Atom]:
        """The heads for all ways to match *atoms* and to pass *tests*."""
        waiting: list[Formula] = []
        for test in tests:
            if any(term not in binding for term in _free(test)):
                waiting.append(test)
                continue
            value = evaluate(substitute(test, binding), self.oracle, self.objects)
            if value is Truth.FALSE or (value is Truth.UNKNOWN and not self.possible):
                return
        if atoms:
            # The atom with the fewest open places first.
            pattern = min(atoms, key=lambda atom: sum(t in self.types and t not in binding for t in atom[1:]))
            rest = [atom for atom in atoms if atom is not pattern]
            for further in self.bindings(pattern, self.facts.like(pattern, binding, self.types), binding):
                yield from self.heads(rest, waiting, further)
            return
        open_variable = next((v for v in self.case.variables if v.name not in binding), None)
        if open_variable is None:
            yield (self.case.predicate, *(binding.get(term, term) for term in self.case.head))
        else:
            for name in self.objects.of_type(open_variable.type):
                yield from self.heads((), waiting, {**binding, open_variable.name: name})


class _Facts:
    """Atoms, found by predicate and first argument."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        self.atoms: dict[Atom, None] = {}
        self._by_predicate: dict[str, list[Atom]] = {}
        self._by_place: dict[tuple[str, int, str], list[Atom]] = {}
        for atom in sorted(atoms):
            self.add(atom)

    def __contains__(self, atom: object) -> bool:
        return atom in self.atoms

    def add(self, atom: Atom) -> None:
        """Add an atom."""
        self.atoms[atom] = None
        self._by_predicate.setdefault(atom[0], []).append(atom)
        for place, name in enumerate(atom[1:]):
            self._by_place.setdefault((atom[0], place, name), []).append(atom)

    def like(
        self, pattern: Atom, binding: Mapping[str, str], variables: Mapping[str, object]
    ) -> Sequence[Atom]:
        """Atoms of which some may match *pattern*, and all that do are."""
        best: Sequence[Atom] = self._by_predicate.get(pattern[0], ())
        for place, term in enumerate(pattern[1:]):
            name = binding.get(term) if term in variables else term
            if name is not None:
                some = self._by_place.get((pattern[0], place, name), ())
                if len(some) < len(best):
                    best = some
        return best


def _cases(axiom: Axiom) -> Iterator[_Case]:
    """The ways in which a rule applies: its condition as a disjunction of conjunctions."""
    names = iter(range(1_000_000))
    alternatives = _alternatives(axiom.body, names)
    head = tuple(parameter.name for parameter in axiom.parameters)
    if alternatives is None:
        yield _Case(axiom.predicate, head, axiom.parameters, (), (axiom.body,))
        return
    for variables, parts in alternatives:
        atoms = tuple(part.atom for part in parts if isinstance(part, Literal) and part.positive)
        tests = tuple(part for part in parts if not (isinstance(part, Literal) and part.positive))
        yield _Case(axiom.predicate, head, (*axiom.parameters, *variables), atoms, tests)


def _alternatives(
    formula: Formula, names: Iterator[int]
) -> list[tuple[tuple[Typed, ...], tuple[Formula, ...]]] | None:
    match formula:
        case And(parts):
            found: list[tuple[tuple[Typed, ...], tuple[Formula, ...]]] = [((), ())]
            for part in parts:
                inner = _alternatives(part, names)
                if inner is None or len(inner) * len(found) > _MOST_CASES:
                    return None
                found = [(a[0] + b[0], a[1] + b[1]) for a in found for b in inner]
            return found
        case Or(parts):
            found = []
            for part in parts:
                inner = _alternatives(part, names)
                if inner is None or len(inner) + len(found) > _MOST_CASES:
                    return None
                found.extend(inner)
            return found
        case Exists(variables, body):
            # No name of a variable in PDDL text has a blank, so these are new.
            fresh = tuple(Typed(f"{v.name} {next(names)}", v.type) for v in variables)
            renaming = {old.name: new.name for old, new in zip(variables, fresh, strict=True)}
            inner = _alternatives(substitute(body, renaming), names)
            return inner and [((*fresh, *more), parts) for more, parts in inner]
        case Not(part) if not isinstance(part, Equal):
            pushed = negate(part)
            if not isinstance(pushed, Not):
                return _alternatives(pushed, names)
    return [((), (formula,))]


def _free(formula: Formula) -> frozenset[str]:
    """The variables that nothing binds in a formula."""
    if isinstance(formula, (Literal, Equal)):
        return frozenset(term for term in terms_of(formula) if term[0] == "?")
    found = frozenset[str]().union(*map(_free, parts_of(formula)))
    bound = formula.variables if isinstance(formula, (Exists, Forall, Count)) else ()
    return found.difference(types_of(bound))
