"""What must be so whenever a condition holds: what is held, what rests where."""

from __future__ import annotations

from collections.abc import Iterator

from foretree.planning.syntax import And, Exists, Formula, Literal, Not, Or
from foretree.world_model.facts import Atom


def guaranteed(formula: Formula) -> frozenset[Literal]:
    """Literals that are true whenever *formula* is; of a disjunction those that are in each of its parts."""
    match formula:
        case Literal():
            return frozenset({formula})
        case And(parts):
            return frozenset().union(*map(guaranteed, parts))
        case Or(parts):
            sure = [guaranteed(part) for part in parts]
            return frozenset.intersection(*sure) if sure else frozenset()
        case Not(part):
            return frozenset(_refuted(part))
        case Exists(variables, body):
            bound = {variable.name for variable in variables}
            return frozenset(literal for literal in guaranteed(body) if bound.isdisjoint(literal.atom[1:]))
    return frozenset()


def true_atoms(formula: Formula) -> frozenset[Atom]:
    """The atoms among what *formula* guarantees."""
    return frozenset(literal.atom for literal in guaranteed(formula) if literal.positive)


def _refuted(formula: Formula) -> Iterator[Literal]:
    """Literals that are true whenever *formula* is false."""
    match formula:
        case Literal():
            yield ~formula
        case Or(parts):
            for part in parts:
                yield from _refuted(part)
        case Not(part):
            yield from guaranteed(part)


def flat(*parts: Formula) -> Formula:
    """All of *parts*, without nested conjunctions and without repeats."""
    found: dict[Formula, None] = {}
    for part in parts:
        inner = flat(*part.parts) if isinstance(part, And) else part
        found.update(dict.fromkeys(inner.parts if isinstance(inner, And) else (inner,)))
    return next(iter(found)) if len(found) == 1 else And(tuple(found))
