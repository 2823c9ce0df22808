"""Constraints read from text, as PDDL 3 writes them in ``(:constraints …)``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NoReturn

from foretree.errors import suggest
from foretree.planning.constraints.constraints import (
    Always,
    AtMostOnce,
    Before,
    Constraint,
    ConstraintError,
    InOrder,
    NeverUse,
    check_constraint,
)
from foretree.planning.pddl.errors import PddlError, PddlSyntaxError
from foretree.planning.pddl.formula_reader import FormulaReader, Scope
from foretree.planning.pddl.sexpr import Group, Node, read
from foretree.planning.pddl.source import Source
from foretree.planning.pddl.syntax import Domain, Forall, Formula, Typed, types_of
from foretree.planning.pddl.typed_lists import Hierarchy, TypeNames

#: The valid forms, for messages.
FORMS = (
    "(always F)",
    "(sometime F)",
    "(sequence F G …)",
    "(sometime-before THEN FIRST)",
    "(at-most-once F)",
    "(never-use ACTION OBJECT …)",
    "(forall (?x - type) (always …))",
    "(and …)",
)
_ANY = "*"


def parse_constraints(
    texts: Iterable[str], domain: Domain, objects: Mapping[str, str]
) -> tuple[Constraint, ...]:
    """The constraints that *texts* state; see :func:`parse_constraint`."""
    return tuple(one for text in texts for one in parse_constraint(text, domain, objects))


def parse_constraint(text: str, domain: Domain, objects: Mapping[str, str]) -> tuple[Constraint, ...]:
    """The constraints that *text* states; several, where it is a conjunction.

    Args:
        text: ``(always (not (open drawer1)))``, say; :data:`FORMS` lists the forms.
        domain: its predicates, types and operators are the valid ones.
        objects: what constraints may name, with types; the domain's constants come on top.

    Raises:
        ConstraintError: it states none; the message names the column and says what would have been valid.
    """
    source = Source("constraint", text)
    try:
        top = read(source)
        if not top.items:
            source.fail(PddlSyntaxError, 0, f"It is empty. Valid are {', '.join(FORMS)}.")
        reader = _Reader(source, domain, objects)
        found = tuple(
            constraint
            for item, at in zip(top.items, top.places, strict=True)
            for constraint in reader.constraints(item, at, {})
        )
    except PddlError as error:
        raise ConstraintError(f"In the constraint {text}, column {error.column}: {error.problem}") from error
    for constraint in found:
        check_constraint(constraint, domain)
    return found


class _Reader:
    def __init__(self, source: Source, domain: Domain, objects: Mapping[str, str]) -> None:
        self._source = source
        self._domain = domain
        self._names = {**types_of(domain.constants), **objects}
        types = TypeNames(source, Hierarchy.of(domain))
        self._formulas = FormulaReader(source, domain, objects, types, counting=True)

    def constraints(self, node: Node, at: int, scope: Scope) -> Iterator[Constraint]:
        """Yield the constraints that *node* stands for."""
        head = None if isinstance(node, str) else node.head
        if isinstance(node, str) or head is None:
            self._unknown(f'"{node}" is no constraint.', at)
        match head:
            case "and":
                for item, place in node.entries:
                    yield from self.constraints(item, place, scope)
            case "forall":
                self._formulas.expect(node, 2, "(forall (?x - type) (always …))")
                variables = self._formulas.variables(node.items[1], node.places[1])
                inner = {**scope, **types_of(variables)}
                for constraint in self.constraints(node.items[2], node.places[2], inner):
                    yield self._for_all(variables, constraint, at)
            case "never-use":
                yield self._never_use(node, at, scope)
            case "sometime-before":
                self._formulas.expect(node, 2, "(sometime-before THEN FIRST)")
                then, first = self._parts(node, scope)
                yield Before(first, then)
            case "sequence":
                yield InOrder(tuple(self._parts(node, scope)))
            case "always" | "sometime" | "at-most-once":
                self._formulas.expect(node, 1, f"({head} (predicate …))")
                (formula,) = self._parts(node, scope)
                if head == "sometime":
                    yield InOrder((formula,))
                else:
                    yield Always(formula) if head == "always" else AtMostOnce(formula)
            case _:
                self._unknown(f'"{head}" is no kind of constraint.', at)

    def _unknown(self, problem: str, at: int) -> NoReturn:
        self._source.fail(PddlSyntaxError, at, f"{problem} Valid are {', '.join(FORMS)}.")

    def _parts(self, node: Group, scope: Scope) -> list[Formula]:
        return [self._formulas.formula(item, at, scope) for item, at in node.entries]

    def _never_use(self, node: Group, at: int, scope: Scope) -> NeverUse:
        words = [str(item) for item, _ in node.entries]
        if not words or words == [_ANY] or any(not isinstance(item, str) for item, _ in node.entries):
            problem = 'Write (never-use ACTION OBJECT …), with "*" for any action, and then an object.'
            self._source.fail(PddlSyntaxError, at, problem)
        action, *terms = words
        found: list[str | Typed] = []
        for term in terms:
            if term not in (scope if term.startswith("?") else self._names):
                self._source.fail(PddlSyntaxError, at, f'"{term}" is not known. {suggest(term, self._names)}')
            found.append(Typed(term, scope[term]) if term.startswith("?") else term)
        return NeverUse(None if action == _ANY else action, tuple(found))

    def _for_all(self, variables: tuple[Typed, ...], constraint: Constraint, at: int) -> Constraint:
        """*constraint*, in which variables may be free, of all objects."""
        if isinstance(constraint, Always):
            return replace(constraint, formula=Forall(variables, constraint.formula))
        if not isinstance(constraint, NeverUse):
            problem = "Only always and never-use may stand within forall. Write the others for each object."
            self._source.fail(PddlSyntaxError, at, problem)
        return constraint
