"""Check of a goal's meaning: whether what it asks for can hold together, whatever the plan.

The syntax of a goal is checked when it is read. A goal may be well-formed and still make no sense: a mug on
the table and in the fridge at once, something in a table, a door that is open and not open. Each conjunction
of the disjunctive normal form is checked. If all of them violate a condition, the one that violates fewest
counts: its most general violation is reported, with a hint at the mend.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, count, product

from foretree.planning.pddl.syntax import (
    And,
    Count,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Operator,
    Or,
    Typed,
    show,
    substitute,
    substitute_atom,
)
from foretree.planning.semantics.evaluation import conjuncts, negate
from foretree.planning.semantics.operator_index import index_of, unify
from foretree.reasoning.instruction_errors import NotPossibleError
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import Atom, Truth
from foretree.world_model.ontology import GoalCondition, plain

#: In a condition: ``(class ?place fridge)``.
CLASS = "class"
#: A goal of more alternatives is not checked.
MOST_ALTERNATIVES = 256
#: As many things that would do are named.
_MOST_NAMED = 8


class GoalMeaningError(NotPossibleError):
    """A goal asks for what can never hold."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A condition that a conjunction of a goal violates.

    Attributes:
        generality: 0 for what contradicts itself, up to 3 for what a user's condition excludes.
        sentence: the violation.
        hint: how to mend it.
    """

    generality: int
    sentence: str
    hint: str


@dataclass(frozen=True, slots=True)
class _Alternative:
    """A conjunction of literals. Variables, each with its own name, stand for some object of their type.

    Those that are *universal* stand for any object of it.
    """

    literals: tuple[Literal, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    universal: frozenset[str] = frozenset()

    def with_(self, other: _Alternative) -> _Alternative:
        literals = tuple(dict.fromkeys((*self.literals, *other.literals)))
        return _Alternative(literals, {**self.types, **other.types}, self.universal | other.universal)


class _TooManyError(Exception):
    """The goal has too many alternatives."""


def check_meaning(goal: Formula, situation: Situation) -> None:
    """Check that some conjunction of *goal* violates no condition.

    Raises:
        GoalMeaningError: each does; the message hints at the mend.
    """
    _refuse_contradiction(goal)
    _refuse_violations(goal, _Check(situation).violations)


def refuse_excluded(goal: Formula, situation: Situation) -> None:
    """Check *goal* against the conditions that are stated for the domain, and no others.

    Raises:
        GoalMeaningError: each conjunction of it asks for what a condition excludes.
    """
    if situation.ontology.never:
        _refuse_violations(goal, _Check(situation).exclusions_stated)


def _refuse_violations(goal: Formula, find: Callable[[_Alternative], Iterator[Violation]]) -> None:
    """Refuse a goal each conjunction of which has violations; the one with fewest is told of."""
    try:
        alternatives = _alternatives(goal, set())
    except _TooManyError:
        return
    violations = [list(find(alternative)) for alternative in alternatives]
    if not violations or not all(violations):
        return
    best: Sequence[Violation] = min(violations, key=len)
    worst = min(best, key=lambda violation: violation.generality)
    raise GoalMeaningError(f"The goal can never hold: {worst.sentence} {worst.hint}")


def _refuse_contradiction(goal: Formula) -> None:
    """Refuse a formula beside its negation, whatever it says: all mugs clean, and not all mugs clean.

    Raises:
        GoalMeaningError: they stand side by side.
    """
    parts = dict.fromkeys(conjuncts(goal))
    for part in parts:
        if parts.keys() >= set(conjuncts(negate(part))):
            said = part.part if isinstance(part, Not) else part
            sentence = f"{show(said)} is to hold and not to hold."
            raise GoalMeaningError(f"The goal can never hold: {sentence} Leave one of them out.")


def _alternatives(formula: Formula, names: set[str]) -> list[_Alternative]:
    """The conjunctions of the disjunctive normal form of *formula*."""
    found: list[_Alternative] = [_Alternative()]
    match formula:
        case Literal():
            found = [_Alternative((formula,))]
        case Not(part) if not isinstance(pushed := negate(part), Not):
            found = _alternatives(pushed, names)
        case Or(parts):
            found = [one for part in parts for one in _alternatives(part, names)]
        case And(parts):
            for part in parts:
                pairs = product(found, _limited(_alternatives(part, names)))
                found = _limited([one.with_(other) for one, other in pairs])
        case Exists(variables, body):
            found = _of_instance(variables, body, names)
        case Forall(variables, body):
            found = [
                replace(one, universal=frozenset(one.types)) for one in _of_instance(variables, body, names)
            ]
        case Count(variable, body, at_least) if at_least:
            found = _of_instance((variable,), body, names)
    return _limited(found)


def _limited(found: list[_Alternative]) -> list[_Alternative]:
    if len(found) > MOST_ALTERNATIVES:
        raise _TooManyError
    return found


def _of_instance(variables: Sequence[Typed], body: Formula, names: set[str]) -> list[_Alternative]:
    """The alternatives of *body* for one instance of its *variables*, which get names of their own."""
    fresh = {variable.name: _fresh(variable.name, names) for variable in variables}
    types = {fresh[variable.name]: variable.type for variable in variables}
    return [one.with_(_Alternative((), types)) for one in _alternatives(substitute(body, fresh), names)]


def _fresh(name: str, names: set[str]) -> str:
    """Return *name*, with a number where it is among the *names* that are taken; it is one of them then."""
    numbered = (f"{name}{number}" for number in count(2))
    fresh = next(one for one in chain([name], numbered) if one not in names)
    names.add(fresh)
    return fresh


def _is_variable(term: str) -> bool:
    return term.startswith("?")


class _Check:
    """Finds the conditions that a conjunction violates."""

    def __init__(self, situation: Situation) -> None:
        self._beliefs = situation.beliefs
        self._domain = situation.domain
        self._ontology = situation.ontology
        self._index = index_of(situation.domain)
        self._classes = {name: entity.best_class for name, entity in situation.beliefs.entities().items()}

    def violations(self, alternative: _Alternative) -> Iterator[Violation]:
        """Yield the violations of *alternative*, the most general first."""
        literals = alternative.literals
        yield from self._contradictions(literals)
        yield from self._exclusions(literals)
        for literal in literals:
            if not any(map(_is_variable, literal.atom)) and not self._holds(literal):
                yield from self._without_achiever(literal)
        yield from self.exclusions_stated(alternative)

    def exclusions_stated(self, alternative: _Alternative) -> Iterator[Violation]:
        """Yield the violations of the conditions that are stated for the domain."""
        for condition in self._ontology.never:
            yield from self._excluded_by(condition, alternative)

    def _holds(self, literal: Literal) -> bool:
        return self._beliefs.truth(literal.atom) is (Truth.TRUE if literal.positive else Truth.FALSE)

    def _contradictions(self, literals: Sequence[Literal]) -> Iterator[Violation]:
        for literal in literals:
            if literal.positive and ~literal in literals:
                yield Violation(0, f"{show(literal)} is to hold and not to hold.", "Leave one of them out.")

    def _exclusions(self, literals: Sequence[Literal]) -> Iterator[Violation]:
        """Yield pairs of facts of one exclusive group about the same thing."""
        vocabulary = self._beliefs.vocabulary
        wanted = [literal.atom for literal in literals if literal.positive]
        for one, other in combinations(wanted, 2):
            key = vocabulary.group_key(one)
            if key is None or key != vocabulary.group_key(other) or self._may_both(one, other):
                continue
            pair = f"{show(Literal(one))} and {show(Literal(other))}"
            either = f"(or {show(Literal(one))} {show(Literal(other))})"
            hint = f"Keep one of them, or write {either} if either will do."
            yield Violation(1, f"{pair} exclude each other; {key[1]} can be in one place only.", hint)

    def _may_both(self, one: Atom, other: Atom) -> bool:
        """Return whether two atoms of a group may be the same, or hold side by side."""
        if one[0] != other[0]:
            return False
        pairs = zip(one, other, strict=True)
        return self._beliefs.vocabulary[one[0]].several or all(
            left == right or _is_variable(left) or _is_variable(right) for left, right in pairs
        )

    def _without_achiever(self, literal: Literal) -> Iterator[Violation]:
        """Yield a violation if no action can make *literal* so, because of what its things are."""
        achievers = self._index.achievers(literal.atom[0], literal.positive)
        if not achievers:
            so = "true" if literal.positive else "false"
            sentence = f"no action makes {show(Literal(literal.atom))} {so}, and it is not so."
            yield Violation(2, sentence, "Leave it out, or ask for something that an action can do.")
            return
        lacking: list[Literal] = []
        for operator, effect in achievers:
            binding = unify(effect.literal.atom, literal.atom)
            if binding is None or not self._fits(operator, binding):
                continue
            lack = self._lack(operator, binding)
            if lack is None:
                return
            lacking.append(lack)
        if not lacking:
            names = ", ".join(f"{term} ({self._classes.get(term, '?')})" for term in literal.atom[1:])
            sentence = f"no action brings about {show(literal)} with {names}."
            yield Violation(2, sentence, "Name things of other kinds.")
        else:
            sentence = f"{show(literal)} needs {show(lacking[0])}, which is not so."
            yield Violation(2, sentence, self._instead(lacking[0]))

    def _fits(self, operator: Operator, binding: Mapping[str, str]) -> bool:
        """Return whether the bound parameters of *operator* are of the right types, as far as is known."""
        return all(
            self._domain.is_a(self._classes[binding[p.name]], p.type)
            for p in operator.parameters
            if binding.get(p.name) in self._classes
        )

    def _lack(self, operator: Operator, binding: Mapping[str, str]) -> Literal | None:
        """Return what the things lack that *operator* needs of them and that no action changes."""
        for part in self._index.parts(operator).static:
            atom = substitute_atom(part.atom, binding)
            known = not any(map(_is_variable, atom))
            if known and self._beliefs.truth(atom) is (Truth.FALSE if part.positive else Truth.TRUE):
                return Literal(atom, part.positive)
        return None

    def _instead(self, lacking: Literal) -> str:
        """A hint at things that have what one lacks."""
        predicate, *terms = lacking.atom
        if len(terms) != 1 or not lacking.positive:
            return "Name other things."
        will_do = sorted(n for n in self._classes if self._beliefs.truth((predicate, n)) is Truth.TRUE)
        if not will_do:
            return f"Nothing here is {predicate.replace('_', ' ')}."
        more = f" and {len(will_do) - _MOST_NAMED} more" if len(will_do) > _MOST_NAMED else ""
        return f"What would do in place of {terms[0]}: {', '.join(will_do[:_MOST_NAMED])}{more}."

    def _excluded_by(self, condition: GoalCondition, alternative: _Alternative) -> Iterator[Violation]:
        """Yield the first way in which *alternative* asks for all that *condition* forbids together."""
        patterns = [Literal(atom, positive) for atom, positive in condition.together]
        binding = next(self._matches(patterns, alternative, {}), None)
        if binding is not None:
            types = alternative.types
            names = {name[1:]: plain(types.get(term, term)) for name, term in binding.items()}
            says = condition.because.format_map(names).rstrip(".")
            yield Violation(3, f"{says}.", "Leave a part of that out.")

    def _matches(
        self, patterns: Sequence[Literal], alternative: _Alternative, binding: dict[str, str]
    ) -> Iterator[dict[str, str]]:
        """Yield the ways to bind the variables of *patterns* so that the goal asks for all of them."""
        if not patterns:
            yield binding
            return
        pattern, *rest = patterns
        if pattern.atom[0] not in self._index.fluents:
            known = Literal(substitute_atom(pattern.atom, binding), pattern.positive)
            if self._is_so(known, alternative):
                yield from self._matches(rest, alternative, binding)
            return
        for literal in alternative.literals:
            same = (literal.atom[0], len(literal.atom), literal.positive) == (
                pattern.atom[0],
                len(pattern.atom),
                pattern.positive,
            )
            bound = unify(pattern.atom, literal.atom, binding) if same else None
            if bound is not None:
                yield from self._matches(rest, alternative, bound)

    def _is_so(self, static: Literal, alternative: _Alternative) -> bool:
        """Return whether what no action changes is so; that something is of a class, also of a subclass."""
        if static.atom[0] != CLASS or len(static.atom) != 3:
            return self._holds(static)
        _, term, kind = static.atom
        own = alternative.types.get(term) or self._classes.get(term, "")
        kinds = {own}
        if term in alternative.universal:
            kinds.update(one for one in self._classes.values() if self._domain.is_a(one, own))
        return any(self._domain.is_a(one, kind) is static.positive for one in kinds)
