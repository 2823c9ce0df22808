"""Derived predicates: the rules that say what they are true of, and domains that do without them.

A rule that does not depend on itself is only a name for a condition: :func:`without_axioms` puts the
condition in its place. What is left are predicates that depend on themselves (a line is fed if one that is
fed leads to it), which :mod:`foretree.planning.semantics.derivation` evaluates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count

from foretree.planning._closure import closure
from foretree.planning.pddl.errors import ArityError, PddlSyntaxError, UnknownNameError
from foretree.planning.pddl.formula_reader import RESERVED, FormulaReader, negated
from foretree.planning.pddl.sexpr import Group
from foretree.planning.pddl.source import Source
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
    Operator,
    OriginalTask,
    Problem,
    Typed,
    atoms_of,
    conditions_of,
    literals_of,
    rebuild,
    substitute,
    types_of,
    variables_in,
)
from foretree.planning.semantics.evaluation import disjunction
from foretree.world_model.beliefs.facts import Atom


def read_axiom(source: Source, group: Group, formulas: FormulaReader, domain: Domain) -> Axiom:
    """The rule that a ``(:derived (predicate ?x - type …) (condition …))`` states.

    Raises:
        PddlError: it does not say what it should; see its subclasses.
    """
    head = group.items[1] if len(group.items) == 3 else None
    if not isinstance(head, Group) or head.head is None or head.head in RESERVED:
        source.fail(PddlSyntaxError, group.at, "Write (:derived (predicate ?x - type …) (condition …)).")
    name = head.head
    declared = domain.predicates.get(name)
    if declared is None:
        source.fail(
            UnknownNameError, head.at, f'"{name}" is derived here, and not among the (:predicates …).'
        )
    terms = Group(head.at)
    terms.items, terms.places = head.items[1:], head.places[1:]
    parameters = formulas.variables(terms, head.at)
    if len(parameters) != len(declared):
        source.fail(
            ArityError,
            head.at,
            f'"{name}" is derived for {len(parameters)} arguments here, and declared with {len(declared)}.',
        )
    if not any(isinstance(item, str) and item == "-" for item in terms.items):
        parameters = tuple(Typed(p.name, d.type) for p, d in zip(parameters, declared, strict=True))
    scope = types_of(parameters)
    return Axiom(name, parameters, formulas.formula(group.items[2], group.places[2], scope))


def check_axioms(
    source: Source, domain: Domain, places: Sequence[int], effects_at: Mapping[str, int]
) -> None:
    """Check that the rules of a domain can be evaluated.

    Args:
        source: the text that they come from.
        domain: has them.
        places: where each of them stands.
        effects_at: where each operator stands.

    Raises:
        PddlSyntaxError: a predicate depends on its own negation, or an action changes one that is derived.
    """
    derived = {axiom.predicate for axiom in domain.axioms}
    level = {name: number for number, names in enumerate(strata(domain.axioms)) for name in names}
    for axiom, at in zip(domain.axioms, places, strict=True):
        for literal in literals_of(axiom.body):
            if not literal.positive and level.get(literal.atom[0]) == level[axiom.predicate]:
                source.fail(
                    PddlSyntaxError,
                    at,
                    f'"{axiom.predicate}" depends on its own negation, by way of '
                    f"(not ({literal.atom[0]} …)): nothing says which of the two comes first.",
                )
    for operator in domain.operators.values():
        for effect in operator.effects:
            if effect.literal.atom[0] in derived:
                source.fail(
                    PddlSyntaxError,
                    effects_at[operator.name],
                    f'The action "{operator.name}" changes "{effect.literal.atom[0]}", which is derived: its '
                    "rules alone say what it is true of. Change what they depend on.",
                )


def strata(axioms: Iterable[Axiom]) -> tuple[tuple[str, ...], ...]:
    """The derived predicates in the order of evaluation; those that depend on each other stand together."""
    after = uses(axioms)
    return _components({name: [used for used in found if used in after] for name, found in after.items()})


def uses(axioms: Iterable[Axiom]) -> dict[str, dict[str, None]]:
    """The predicates that the rules for each derived predicate ask about."""
    found: dict[str, dict[str, None]] = {}
    for axiom in axioms:
        found.setdefault(axiom.predicate, {}).update(dict.fromkeys(atom[0] for atom in atoms_of(axiom.body)))
    return found


def recursive_predicates(axioms: Iterable[Axiom]) -> frozenset[str]:
    """The derived predicates that depend on themselves, be it by way of others."""
    axioms = tuple(axioms)
    alone = {name for name, used in uses(axioms).items() if name in used}
    return frozenset(name for names in strata(axioms) for name in names if len(names) > 1 or name in alone)


def without_axioms(problem: Problem) -> Problem:
    """*problem* with the condition in the place of every derived predicate that does not depend on itself.

    Rules that nothing asks for are left out.
    """
    domain = problem.domain
    if not domain.axioms:
        return problem
    unfolding = _Unfolding(domain, {**types_of(domain.constants), **problem.objects})
    goal, plain = unfolding.formula(problem.goal, {}), unfolding.domain()
    conditions = [goal, *(c for operator in plain.operators.values() for c in operator.conditions)]
    asked = {atom[0] for condition in conditions for atom in atoms_of(condition)}
    needed = closure(asked, uses(plain.axioms))
    axioms = tuple(axiom for axiom in plain.axioms if axiom.predicate in needed)
    stated = domain.stated or OriginalTask(domain, problem.goal, goal)
    return replace(problem, domain=replace(plain, axioms=axioms, stated=stated), goal=goal)


def domain_without_axioms(domain: Domain) -> Domain:
    """*domain* with the condition in the place of every derived predicate that does not depend on itself."""
    if not domain.axioms:
        return domain
    return _Unfolding(domain, types_of(domain.constants)).domain()


class _Unfolding:
    """Puts the conditions of derived predicates into their places, the deepest first."""

    def __init__(self, domain: Domain, types: Mapping[str, str]) -> None:
        self._domain = domain
        self._types = types
        self._numbers = count()
        self._taken = _variables(domain)
        self._rules: dict[str, list[Axiom]] = {}
        recursive = recursive_predicates(domain.axioms)
        self._left: list[Axiom] = []
        for names in strata(domain.axioms):
            for name in names:
                rules = [self._rule(axiom) for axiom in domain.axioms if axiom.predicate == name]
                if name in recursive:
                    self._left.extend(rules)
                else:
                    self._rules[name] = rules

    def domain(self) -> Domain:
        predicates = {n: p for n, p in self._domain.predicates.items() if n not in self._rules}
        operators = {name: self._operator(operator) for name, operator in self._domain.operators.items()}
        return replace(self._domain, predicates=predicates, operators=operators, axioms=tuple(self._left))

    def _rule(self, axiom: Axiom) -> Axiom:
        return replace(axiom, body=self.formula(axiom.body, types_of(axiom.parameters)))

    def _operator(self, operator: Operator) -> Operator:
        scope = types_of(operator.parameters)
        conditions = [self.formula(e.condition, {**scope, **types_of(e.variables)}) for e in operator.effects]
        effects = tuple(replace(e, condition=c) for e, c in zip(operator.effects, conditions, strict=True))
        return replace(operator, precondition=self.formula(operator.precondition, scope), effects=effects)

    def formula(self, formula: Formula, scope: Mapping[str, str]) -> Formula:
        if isinstance(formula, Literal) and formula.atom[0] in self._rules:
            rules = self._rules[formula.atom[0]]
            condition = disjunction(self._instance(rule, formula.atom, scope) for rule in rules)
            return condition if formula.positive else negated(condition)
        if isinstance(formula, (Exists, Forall, Count)):
            scope = {**scope, **types_of(formula.variables)}
        return rebuild(formula, lambda part: self.formula(part, scope))

    def _instance(self, axiom: Axiom, atom: Atom, scope: Mapping[str, str]) -> Formula:
        guards: list[Formula] = []
        for parameter, term in zip(axiom.parameters, atom[1:], strict=True):
            found = scope.get(term) or self._types.get(term, "object")
            if not self._domain.is_a(found, parameter.type):
                name = self._fresh(parameter.name)
                guards.append(Exists((Typed(name, parameter.type),), Equal(name, term)))
        binding = {p.name: term for p, term in zip(axiom.parameters, atom[1:], strict=True)}
        body = substitute(self._apart(axiom.body), binding)
        return And((*guards, body)) if guards else body

    def _apart(self, formula: Formula) -> Formula:
        """The formula with variables of its own in all quantifiers, so that none catches an argument."""
        if isinstance(formula, (Exists, Forall)):
            fresh = tuple(Typed(self._fresh(v.name), v.type) for v in formula.variables)
            names = {old.name: new.name for old, new in zip(formula.variables, fresh, strict=True)}
            formula = type(formula)(fresh, substitute(formula.body, names))
        return rebuild(formula, self._apart)

    def _fresh(self, name: str) -> str:
        return next(new for number in self._numbers if (new := f"{name}-{number}") not in self._taken)


def _variables(domain: Domain) -> frozenset[str]:
    """Every variable that the domain names anywhere."""
    found = [variable for condition in conditions_of(domain) for variable in variables_in(condition)]
    found += [parameter for axiom in domain.axioms for parameter in axiom.parameters]
    for operator in domain.operators.values():
        found += operator.parameters
        found += [variable for effect in operator.effects for variable in effect.variables]
    return frozenset(types_of(found))


def _components(uses: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """The strongly connected components of a graph, each after those that it leads to."""
    reach = {name: closure(uses[name], uses) for name in uses}
    done: set[str] = set()
    result: list[tuple[str, ...]] = []
    # A component reaches no less than those below it do, and these are smaller or come first.
    for name in sorted(uses, key=lambda n: len(reach[n] | {n})):
        if name not in done:
            together = tuple(n for n in uses if n == name or (n in reach[name] and name in reach[n]))
            done.update(together)
            result.append(together)
    return tuple(result)
