"""Write a grounded problem in the format that Fast Downward's search reads.

Every atom is a variable with two values. The operators are named by their number, so that the plan that comes
back needs no parsing of names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from foretree.planning.grounding import Grounding, GroundOperator, Signed
from foretree.world_model.facts import Atom

_HEADER = ["begin_version", "3", "end_version", "begin_metric", "1", "end_metric"]


def write_sas(grounding: Grounding) -> str:
    """*grounding*, simplified, as a task in Fast Downward's format (version 3)."""
    numbers = _number_atoms(grounding)
    lines = [*_HEADER, str(len(numbers))]
    for atom, number in numbers.items():
        name = f"{atom[0]}({', '.join(atom[1:])})"
        lines += [
            "begin_variable",
            f"var{number}",
            "-1",
            "2",
            f"Atom {name}",
            f"NegatedAtom {name}",
            "end_variable",
        ]
    lines += ["0", "begin_state", *(_value(atom in grounding.init) for atom in numbers), "end_state"]
    goal = _values(grounding.goal, numbers)
    lines += ["begin_goal", str(len(goal)), *(f"{var} {value}" for var, value in goal.items()), "end_goal"]
    operators = [_operator_lines(number, op, numbers) for number, op in enumerate(grounding.operators)]
    lines.append(str(sum(bool(operator) for operator in operators)))
    for operator in operators:
        lines += operator
    lines += ["0", ""]
    return "\n".join(lines)


def _value(holds: bool) -> str:
    return "0" if holds else "1"


def _number_atoms(grounding: Grounding) -> dict[Atom, int]:
    found = {atom: None for atom, _ in grounding.goal}
    for operator in grounding.operators:
        found.update((atom, None) for atom, _ in operator.precondition)
        for effect in operator.effects:
            found[effect.literal[0]] = None
            found.update((atom, None) for atom, _ in effect.condition)
    return {atom: number for number, atom in enumerate(found)}


def _values(literals: Sequence[Signed], numbers: dict[Atom, int]) -> dict[int, str]:
    return {numbers[atom]: _value(positive) for atom, positive in literals}


def _operator_lines(number: int, operator: GroundOperator, numbers: dict[Atom, int]) -> list[str]:
    before = _values(operator.precondition, numbers)
    changed: set[int] = set()
    effects: list[str] = []
    for (atom, positive), condition in _without_conflicts(operator):
        variable = numbers[atom]
        if not condition and before.get(variable) == _value(positive):
            continue
        changed.add(variable)
        tests = [f"{var} {value}" for var, value in _values(condition, numbers).items()]
        change = f"{variable} {before.get(variable, -1)} {_value(positive)}"
        effects.append(" ".join([str(len(tests)), *tests, change]))
    if not effects:
        return []
    prevail = [f"{var} {value}" for var, value in before.items() if var not in changed]
    return [
        "begin_operator",
        str(number),
        str(len(prevail)),
        *prevail,
        str(len(effects)),
        *effects,
        str(operator.cost),
        "end_operator",
    ]


def _without_conflicts(operator: GroundOperator) -> Iterator[tuple[Signed, tuple[Signed, ...]]]:
    """The effects, none of which deletes an atom that another one adds at the same time.

    In PDDL the addition wins; the format leaves it open. So an atom is deleted only where every addition's
    condition fails, for each of them through one of its literals.
    """
    additions: dict[Atom, list[tuple[Signed, ...]]] = {}
    for effect in operator.effects:
        if effect.literal[1]:
            additions.setdefault(effect.literal[0], []).append(effect.condition)
    for effect in operator.effects:
        atom, positive = effect.literal
        if positive or atom not in additions:
            yield effect.literal, effect.condition
            continue
        for failing in product(*additions[atom]):
            condition = dict(effect.condition)
            if all(condition.setdefault(tested, not value) != value for tested, value in failing):
                yield effect.literal, tuple(condition.items())
