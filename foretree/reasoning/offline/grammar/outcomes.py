"""Outcomes of operators, as far as the words for them tell: what they undo, and what they need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from foretree.planning.pddl.syntax import TRUE, Formula, Literal, Operator, substitute_atom
from foretree.planning.semantics.evaluation import all_literals, literals_of


def is_destination(term: str, goal: Formula) -> bool:
    """True if a goal speaks of a thing only as the place where another one shall be."""
    about = [part for part in all_literals(goal) if term in part.atom]
    return bool(about) and all(part.positive and term in part.atom[2:] for part in about)


def undone(operators: Sequence[Operator], named: Mapping[str, str]) -> Iterator[Literal]:
    """The facts about the things named that the operators delete; states only if each of them does."""
    found: list[dict[Literal, None]] = [{} for _ in operators]
    for operator, deleted in zip(operators, found, strict=True):
        for effect in operator.effects:
            literal = effect.literal
            plain = not effect.variables and effect.condition == TRUE
            if plain and not literal.positive and set(literal.atom[1:]) <= set(named):
                deleted[Literal(substitute_atom(literal.atom, named), literal.positive)] = None
    for literal in dict.fromkeys(literal for deleted in found for literal in deleted):
        if len(literal.atom) > 2 or all(literal in deleted for deleted in found):
            yield literal


def needed(operators: Sequence[Operator], named: Mapping[str, str]) -> tuple[Literal, ...]:
    """The preconditions that all the operators share; ``?`` stands for things not named."""
    needs: list[dict[Literal, None]] = []
    for operator in operators:
        terms = {p.name: named.get(p.name, "?") for p in operator.parameters}
        parts = literals_of(operator.precondition)
        needs.append({Literal(substitute_atom(part.atom, terms), part.positive): None for part in parts})
    return tuple(need for need in needs[0] if all(need in others for others in needs))
