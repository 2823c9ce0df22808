"""Write a grounded problem in the format that Fast Downward's search reads.

Facts of which at most one holds at a time share a variable (see :mod:`foretree.planning.solvers.mutexes`),
every other fact has one of its own. Operators are named by their number, so that the plan that comes back
needs no parsing of names.
"""

from __future__ import annotations

from collections.abc import Sequence

from foretree.planning.grounding import GroundOperator, Grounding, Signed
from foretree.world_model.facts import Atom

_TRUE, _FALSE = 0, 1


def write_sas(grounding: Grounding, groups: Sequence[Sequence[Atom]] = ()) -> str:
    """*grounding*, simplified, as a task in Fast Downward's format (version 3).

    Args:
        groups: disjoint mutex groups, of atoms that are nowhere needed to be false.
    """
    place: dict[Atom, tuple[int, int]] = {}
    variables: list[list[Atom]] = []
    for group in groups:
        for value, atom in enumerate(group):
            place[atom] = (len(variables), value)
        variables.append(list(group))
    for atom in _mentioned(grounding):
        if atom not in place:
            place[atom] = (len(variables), _TRUE)
            variables.append([atom])
    lines = ["begin_version", "3", "end_version", "begin_metric", "1", "end_metric", str(len(variables))]
    for number, atoms in enumerate(variables):
        lines += ["begin_variable", f"var{number}", "-1", str(len(atoms) + 1)]
        lines += [f"Atom {_name(atom)}" for atom in atoms]
        lines += [f"NegatedAtom {_name(atoms[0])}" if len(atoms) == 1 else "<none of those>", "end_variable"]
    lines += ["0", "begin_state"]
    for atoms in variables:
        lines.append(str(next((v for v, atom in enumerate(atoms) if atom in grounding.init), len(atoms))))
    encoder = _Encoder(place, [len(atoms) for atoms in variables])
    goal = encoder.condition(grounding.goal)
    lines += ["end_state", "begin_goal", str(len(goal)), *(f"{var} {val}" for var, val in goal.items())]
    operators = [
        text for number, op in enumerate(grounding.operators) if (text := encoder.operator(number, op)) is not None
    ]
    lines += ["end_goal", str(len(operators)), *operators, "0", ""]
    return "\n".join(lines)


def _name(atom: Atom) -> str:
    return f"{atom[0]}({', '.join(atom[1:])})"


def _mentioned(grounding: Grounding) -> dict[Atom, None]:
    found = {atom: None for atom, _ in grounding.goal}
    for operator in grounding.operators:
        for atom, _ in operator.precondition:
            found[atom] = None
        for effect in operator.effects:
            found[effect.literal[0]] = None
            for atom, _ in effect.condition:
                found[atom] = None
    return found


class _Encoder:
    def __init__(self, place: dict[Atom, tuple[int, int]], none: list[int]) -> None:
        self._place = place
        self._none = none  # the value of each variable when none of its atoms holds

    def condition(self, literals: Sequence[Signed]) -> dict[int, int]:
        found: dict[int, int] = {}
        for atom, positive in literals:
            variable, value = self._place[atom]
            found[variable] = value if positive else self._none[variable]
        return found

    def operator(self, number: int, operator: GroundOperator) -> str | None:
        """The operator's lines; None if it changes nothing."""
        before = self.condition(operator.precondition)
        effects: list[tuple[dict[int, int], int, int]] = []
        added = {e.literal[0] for e in operator.effects if e.literal[1] and not e.condition}
        for effect in operator.effects:
            atom, positive = effect.literal
            variable, value = self._place[atom]
            if not positive:
                if atom in added or (value != before.get(variable, value)):
                    continue
                value = self._none[variable]
            if before.get(variable) != value or effect.condition:
                effects.append((self.condition(effect.condition), variable, value))
        if not effects:
            return None
        changed = {variable for _, variable, _ in effects}
        prevail = [f"{var} {val}" for var, val in before.items() if var not in changed]
        lines = ["begin_operator", str(number), str(len(prevail)), *prevail, str(len(effects))]
        for condition, variable, value in effects:
            tests = "".join(f"{var} {val} " for var, val in condition.items())
            lines.append(f"{len(condition)} {tests}{variable} {before.get(variable, -1)} {value}")
        lines += [str(operator.cost), "end_operator"]
        return "\n".join(lines)
