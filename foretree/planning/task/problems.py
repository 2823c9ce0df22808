"""Problems from beliefs: what planning takes as true, and what it only assumes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod

from foretree.errors import ForetreeError, suggest
from foretree.planning._domain_cache import per_domain
from foretree.planning.incremental import Increments, run_to_end, weighted
from foretree.planning.pddl.syntax import (
    Count,
    Domain,
    Exists,
    Forall,
    Formula,
    Literal,
    Operator,
    Problem,
    Typed,
    atoms_of,
    constants_of,
    parts_of,
)
from foretree.planning.plan import Assumption
from foretree.planning.semantics.operator_index import OperatorParts, index_of
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Atom, Truth

#: Of one mention (a predicate with the objects that each place may take) at most this many atoms that would
#: be assumed false are listed; :func:`assumption_about` answers for each of the others.
MOST_LISTED = 10_000
#: So many objects or atoms are looked at as one piece of work.
_AT_A_TIME = 40


class ProblemError(ForetreeError):
    """A goal names something that the belief does not hold, or that the domain has no type for."""


@dataclass(frozen=True)
class BeliefProblem:
    """A problem made from a belief.

    Attributes:
        problem: what a solver gets.
        assumptions: every unknown fact that the problem takes as true or false and that an action's
            condition or the goal mentions, sorted by atom.
        left_out: the entities that are no objects of the problem, because their class is not a type of the
            domain; sorted.
    """

    problem: Problem
    assumptions: tuple[Assumption, ...] = ()
    left_out: tuple[str, ...] = ()


def make_problem(
    domain: Domain,
    beliefs: Snapshot,
    goal: Formula,
    functions: Mapping[Atom, int],
    name: str = "problem",
) -> BeliefProblem:
    """The problem of reaching *goal* from what is believed.

    What is believed true, however weakly, is true. What is unknown is what its predicate's default says,
    and false without an assumption where there is none: such a fact (where a thing is, say) must be found
    out, not supposed.

    Args:
        domain: its predicates are the facts that matter; the classes of entities are among its types.
        beliefs: what is believed.
        goal: ground or quantified, over the domain's predicates.
        functions: the values of the domain's functions; those about things left out are dropped.
        name: the problem's name.

    Raises:
        ProblemError: the goal names something that is not an object of the problem.
    """
    return run_to_end(make_problem_gradually(domain, beliefs, goal, functions, name))


def make_problem_gradually(
    domain: Domain,
    beliefs: Snapshot,
    goal: Formula,
    functions: Mapping[Atom, int],
    name: str = "problem",
) -> Increments[BeliefProblem]:
    """:func:`make_problem`, in pieces."""
    constants = {constant.name: constant.type for constant in domain.constants}
    objects, left_out = yield from _objects(domain, beliefs, constants)
    types = {**constants, **objects}
    _check_goal(goal, types, beliefs)
    kinds = yield from _TypeIndex.of(domain, types)
    derived = {axiom.predicate for axiom in domain.axioms}
    init: set[Atom] = set()
    for number, predicate in enumerate(domain.predicates):
        if number % _AT_A_TIME == 0:
            yield 1
        if predicate not in derived:
            admitted = kinds.admitted(beliefs.true_of(predicate))
            while more := list(islice(admitted, _AT_A_TIME)):
                yield 1
                init.update(more)
    assumptions = []
    for number, atom in enumerate((yield from _unknown_atoms(domain, beliefs, goal, kinds, init))):
        if number % _AT_A_TIME == 0:
            yield 1
        assumption = assumption_about(beliefs, atom)
        if assumption is not None:
            assumptions.append(assumption)
            if assumption.value:
                init.add(atom)
    yield from weighted(len(functions) // _AT_A_TIME)
    values = {
        term: value
        for term, value in functions.items()
        if term[0] in domain.functions and all(argument in types for argument in term[1:])
    }
    problem = Problem(name, domain, objects, frozenset(init), goal, values)
    return BeliefProblem(problem, tuple(assumptions), tuple(left_out))


def _objects(
    domain: Domain, beliefs: Snapshot, constants: Collection[str]
) -> Increments[tuple[dict[str, str], list[str]]]:
    """The believed entities with their types, without constants; and those whose class is not a type."""
    objects: dict[str, str] = {}
    left_out: list[str] = []
    entities = beliefs.entities()
    yield from weighted(len(entities) // _AT_A_TIME)
    for number, name in enumerate(sorted(entities)):
        if number % _AT_A_TIME == 0:
            yield 1
        best = entities[name].best_class if entities[name].classes else None
        if name in constants:
            continue
        if best is not None and (best in domain.types or best == "object"):
            objects[name] = best
        else:
            left_out.append(name)
    return objects, left_out


def assumption_about(beliefs: Snapshot, atom: Atom) -> Assumption | None:
    """Return the assumption about *atom*: None when it is known, or when it must not be assumed."""
    default = beliefs.vocabulary[atom[0]].default
    if default is None or beliefs.truth(atom) is not Truth.UNKNOWN:
        return None
    return Assumption(atom, default, "default", beliefs.evidence(atom).confidence)


def relevant_assumptions(
    assumptions: Iterable[Assumption], atoms: Collection[Atom]
) -> tuple[Assumption, ...]:
    """Those of *assumptions* that are about one of *atoms*: what a plan's conditions depend on."""
    wanted = frozenset(atoms)
    return tuple(assumption for assumption in assumptions if assumption.atom in wanted)


def _check_goal(goal: Formula, types: Mapping[str, str], beliefs: Snapshot) -> None:
    for term in sorted(constants_of(goal)):
        if term in types:
            continue
        entity = beliefs.entity(term)
        if entity is None:
            raise ProblemError(
                f'The goal names "{term}", which is not known to exist. {suggest(term, types)}'
            )
        kind = f'"{entity.best_class}"' if entity.classes else "unknown"
        raise ProblemError(
            f'The goal names "{term}", whose class is {kind}: that is not a type of the domain, so no action '
            "can be planned for it."
        )


class _TypeIndex:
    """The objects of each type."""

    def __init__(self, domain: Domain, of_type: Mapping[str, Sequence[str]]) -> None:
        self._of_type = of_type
        sets = {type_name: frozenset(names) for type_name, names in of_type.items()}
        self._columns = {
            predicate: [sets.get(parameter.type, frozenset()) for parameter in parameters]
            for predicate, parameters in domain.predicates.items()
        }

    @classmethod
    def of(cls, domain: Domain, types: Mapping[str, str]) -> Increments[_TypeIndex]:
        """The kinds of the objects of which *types* says the type, in pieces."""
        of_type: dict[str, list[str]] = defaultdict(list)
        lineages: dict[str, list[str]] = {}
        for number, (name, type_name) in enumerate(types.items()):
            if number % _AT_A_TIME == 0:
                yield 1
            lineage = lineages.get(type_name)
            if lineage is None:
                lineage = lineages[type_name] = [*domain.lineage(type_name), "object"]
            for ancestor in lineage:
                of_type[ancestor].append(name)
        yield from weighted(len(types) // _AT_A_TIME)
        return cls(domain, of_type)

    def candidates(self, variables: Iterable[Typed]) -> dict[str, Sequence[str]]:
        """The objects that each variable may stand for."""
        return {variable.name: tuple(self._of_type.get(variable.type, ())) for variable in variables}

    def admitted(self, atoms: Iterable[Atom]) -> Iterator[Atom]:
        """Those of *atoms*, which are all of one predicate, that :meth:`admit` admits."""
        columns: Sequence[frozenset[str]] | None = None
        for atom in atoms:
            if columns is None:
                columns = self._columns.get(atom[0], ())
            if len(columns) == 2 == len(atom) - 1:  # as most are; there may be thousands
                if atom[1] in columns[0] and atom[2] in columns[1]:
                    yield atom
            elif self.admit(atom):
                yield atom

    def admit(self, atom: Atom) -> bool:
        """Return whether *atom* is one of the domain's predicates over objects of the types that it takes."""
        columns = self._columns.get(atom[0])
        if columns is None or len(columns) != len(atom) - 1:
            return False
        return all(name in column for name, column in zip(atom[1:], columns, strict=True))


# -- the unknown atoms that could matter -----------------------------------------------------------
#: An atom as a condition mentions it, and the objects that each of its variables may stand for.
_Mention = tuple[Atom, Mapping[str, Sequence[str]]]


def _unknown_atoms(
    domain: Domain, beliefs: Snapshot, goal: Formula, kinds: _TypeIndex, true: Collection[Atom]
) -> Increments[list[Atom]]:
    """Every atom that a condition or the goal mentions, that is unknown and that may be assumed; sorted."""
    derived = {axiom.predicate for axiom in domain.axioms}
    assumable = {
        predicate
        for predicate in domain.predicates
        if predicate not in derived
        and (info := beliefs.vocabulary[predicate]).observable
        and info.default is not None
    }
    found: set[Atom] = set()
    for atom, candidates in _distinct(_mentions(domain, beliefs, goal, kinds, true, assumable)):
        variables = [term for term in dict.fromkeys(atom[1:]) if term in candidates]
        default = beliefs.vocabulary[atom[0]].default
        if not default and prod(len(candidates[variable]) for variable in variables) > MOST_LISTED:
            continue
        for number, names in enumerate(product(*(candidates[variable] for variable in variables))):
            if number % _AT_A_TIME == 0:
                yield 1
            binding = dict(zip(variables, names, strict=True))
            found.add((atom[0], *(binding.get(term, term) for term in atom[1:])))
    unknown = []
    for number, atom in enumerate(found):
        if number % _AT_A_TIME == 0:
            yield 1
        if kinds.admit(atom) and beliefs.truth(atom) is Truth.UNKNOWN:
            unknown.append(atom)
    return sorted(unknown)


def _distinct(mentions: Iterable[_Mention]) -> Iterator[_Mention]:
    """*mentions* without those that name the same atoms as one before."""
    done: set[tuple[object, ...]] = set()
    for atom, candidates in mentions:
        if len(set(atom[1:])) == len(atom) - 1:
            key = (atom[0], *(tuple(candidates[term]) if term in candidates else term for term in atom[1:]))
            if key in done:
                continue
            done.add(key)
        yield atom, candidates


def _mentions(
    domain: Domain,
    beliefs: Snapshot,
    goal: Formula,
    kinds: _TypeIndex,
    true: Collection[Atom],
    predicates: Collection[str],
) -> Iterator[_Mention]:
    if not predicates:
        return
    yield from _mentioned(goal, {}, kinds, predicates)
    index = index_of(domain)
    for operator, mentioned in _mentioned_by(domain):
        if mentioned.isdisjoint(predicates):
            continue
        scope = _arguments(index.parts(operator), beliefs, kinds, true)
        yield from _mentioned(operator.precondition, scope, kinds, predicates)
        for effect in operator.effects:
            inner = {**scope, **kinds.candidates(effect.variables)}
            yield from _mentioned(effect.condition, inner, kinds, predicates)
    for axiom in domain.axioms:
        yield from _mentioned(axiom.body, kinds.candidates(axiom.parameters), kinds, predicates)


@per_domain
def _mentioned_by(domain: Domain) -> tuple[tuple[Operator, frozenset[str]], ...]:
    """Each operator, and the predicates that its conditions mention."""
    return tuple(
        (
            operator,
            frozenset(
                atom[0]
                for condition in (operator.precondition, *(effect.condition for effect in operator.effects))
                for atom in atoms_of(condition)
            ),
        )
        for operator in domain.operators.values()
    )


def _arguments(
    parts: OperatorParts, beliefs: Snapshot, kinds: _TypeIndex, true: Collection[Atom]
) -> dict[str, Sequence[str]]:
    """The objects that each parameter may stand for: of its type, and with the static traits it needs.

    Without the traits, every table would be listed as assumed to be closed.
    """
    scope = kinds.candidates(parts.operator.parameters)
    for part in parts.static:
        if part.positive and len(part.atom) == 2:
            predicate, term = part.atom
            if term in scope and not beliefs.vocabulary[predicate].observable:
                scope[term] = tuple(name for name in scope[term] if (predicate, name) in true)
    return scope


def _mentioned(
    formula: Formula, scope: Mapping[str, Sequence[str]], kinds: _TypeIndex, predicates: Collection[str]
) -> Iterator[_Mention]:
    if isinstance(formula, Literal) and formula.atom[0] in predicates:
        yield formula.atom, scope
    if isinstance(formula, (Exists, Forall, Count)):
        scope = {**scope, **kinds.candidates(formula.variables)}
    for part in parts_of(formula):
        yield from _mentioned(part, scope, kinds, predicates)
