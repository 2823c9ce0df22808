"""Leave out operators that cannot make a plan cheaper, since what they lead to is never better.

Where a spoon takes soil from a bag, it could take cereal as well, and tip it out again; a pot can stand under
a table where it could stand on it. Relevance (:mod:`foretree.planning.grounding._operator_relevance`) sees
that all this makes something true that matters. Here the values of each variable are compared: one is *at
least as good* as another if whatever can be done from the other can be answered. This is label-dominance
simulation (Torralba and Hoffmann, "Simulation-based admissible dominance pruning", 2015) with fewer answers,
so that they are found by looking them up.

**The relations.** For each variable ``v``, a relation on its values such that, whenever ``t`` is at least as
good as ``s``:

A. if the goal asks for ``s``, then ``t`` is ``s``;
B. each operator ``m`` that needs ``v = s`` and leads to ``s'`` there has an *answer* that costs no more:
   doing nothing, or an operator that needs of the other variables exactly what ``m`` needs, and of ``v``
   nothing or ``t``. From ``t``, the answer leads to something at least as good as ``s'``, and for every other
   variable it leads, from each value from which ``m`` can be made, to something at least as good as ``m``
   does.

The relations found are the largest of this kind: begin with all pairs, and remove those that fail.

**Claim.** If ``t`` is at least as good as ``s`` in every variable, and there is a plan from ``s``, then there
is one from ``t`` with no more operators and at no more cost. *Proof* by induction over the number ``n`` of
operators. It suffices to look at states that differ in one variable ``v``: otherwise go from ``s`` to ``t``
variable by variable. With ``n = 0`` it is A. Let ``m`` be the first operator. If it does not need ``v`` to be
anything, it can be made from ``t`` too, and the results differ at most in ``v``, as before. Otherwise its
answer can be made from ``t``, and leads by B to something at least as good as ``m`` does in every variable,
from where there is a plan with ``n - 1`` operators at most.

**What is left out.** An operator is left out if what it leads to is, in every variable, no better than what
it began from, or than what another operator leads to that is kept, needs nothing more, and costs no more.
*Proof* that the cheapest plan costs the same: among the cheapest plans from a state, take a shortest one. By
the claim, it does not begin with an operator of the first kind; if it begins with one of the second, the
other operator begins a plan that is as cheap and as short. What is left to do from there is cheaper, or as
cheap and shorter, so by induction there is a plan without operators that were left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from foretree.planning.solvers.finite_domain.task import FiniteDomainTask, SasOperator

#: What operators need, and nothing else.
_Needs: TypeAlias = "frozenset[tuple[int, int]]"


def without_dominated(task: FiniteDomainTask) -> FiniteDomainTask:
    """*task*, without conditional effects, less the operators that others, or doing nothing, dominate."""
    return replace(task, operators=tuple(_Dominance(task).kept()))


@dataclass(frozen=True, slots=True)
class _Act:
    """An operator, prepared for comparing."""

    operator: SasOperator
    before: Mapping[int, int]
    after: Mapping[int, int]
    needs: _Needs
    cost: int


class _Dominance:
    def __init__(self, task: FiniteDomainTask) -> None:
        self._acts = [
            _Act(operator, operator.before, operator.after, frozenset(operator.before.items()), operator.cost)
            for operator in task.operators
        ]
        self._full = [(1 << len(names)) - 1 for names in task.values]
        #: For each variable and value, those that are at least as good, as bits.
        self._better = [[full] * len(names) for full, names in zip(self._full, task.values, strict=True)]
        for variable, value in task.goal.items():
            self._better[variable][value] = 1 << value
        self._by_needs: dict[_Needs, list[_Act]] = {}
        #: By what they need of all other variables than one.
        self._by_others: dict[tuple[int, _Needs], list[_Act]] = {}
        for act in self._acts:
            self._by_needs.setdefault(act.needs, []).append(act)
            for pair in act.before.items():
                self._by_others.setdefault((pair[0], act.needs - {pair}), []).append(act)
        self._compare()

    def kept(self) -> Iterator[SasOperator]:
        """The operators that nothing dominates that is kept; of those that are as good, the first."""
        gone: set[int] = set()
        for act in reversed(self._acts):
            if self._is_idle(act) or any(
                id(other) not in gone and self._is_matched(act, other) for other in self._rivals(act)
            ):
                gone.add(id(act))
        return (act.operator for act in self._acts if id(act) not in gone)

    def _rivals(self, act: _Act) -> Iterator[_Act]:
        """Other operators that cost no more and need nothing that *act* does not need, nor much less."""
        for needs in (act.needs, *(act.needs - {pair} for pair in sorted(act.needs))):
            for other in self._by_needs.get(needs, ()):
                if other is not act and other.cost <= act.cost:
                    yield other

    # -- comparing values ----------------------------------------------------------------------------------

    def _compare(self) -> None:
        """Remove the pairs that fail, until none does."""
        questions = list(self._questions())
        changed = -1  # all bits: every variable
        while changed:
            now = 0
            for act, variable, answers, touched in questions:
                if touched & changed:
                    value = act.before[variable]
                    good = self._better[variable][value]
                    if left := good & ~(1 << value):
                        answered = self._answered(act, variable, answers, left)
                        if left != answered:
                            self._better[variable][value] = answered | 1 << value
                            now |= 1 << variable
            changed = now

    def _questions(self) -> Iterator[tuple[_Act, int, Sequence[_Act], int]]:
        """Each operator with a variable that it needs, its possible answers, and what all that depends on."""
        for act in self._acts:
            for pair in act.before.items():
                variable = pair[0]
                others = act.needs - {pair}
                answers = [
                    other
                    for other in (
                        *self._by_others[variable, others],
                        *self._by_needs.get(others, ()),
                    )
                    if other is not act and other.cost <= act.cost
                ]
                touched = 0
                for one in (act, *answers):
                    for number in one.after:
                        touched |= 1 << number
                yield act, variable, answers, touched | 1 << variable

    def _answered(self, act: _Act, variable: int, answers: Sequence[_Act], asked: int) -> int:
        """Of the values *asked*, as bits, those from which *act* has an answer."""
        good = self._better[variable][act.after.get(variable, act.before[variable])]
        found = good if good & asked and self._is_idle(act, variable) else 0
        for other in answers:
            if not asked & ~found:
                break
            start, end = other.before.get(variable), other.after.get(variable)
            if start is not None:
                reply = 1 << start if good >> (start if end is None else end) & 1 else 0
            elif end is None:
                reply = good
            else:
                reply = self._full[variable] if good >> end & 1 else 0
            if reply & asked & ~found and self._is_matched(act, other, variable):
                found |= reply
        return found & asked

    def _is_idle(self, act: _Act, but: int = -1) -> bool:
        """Tell whether doing nothing is at least as good in every variable, one left out."""
        for variable, value in act.after.items():
            if variable != but:
                start = act.before.get(variable)
                good = self._better[variable][value]
                if good != self._full[variable] if start is None else not good >> start & 1:
                    return False
        return True

    def _is_matched(self, act: _Act, other: _Act, but: int = -1) -> bool:
        """Tell whether *other* is at least as good in every variable, one left out."""
        for variable in (*act.after, *(number for number in other.after if number not in act.after)):
            if variable == but:
                continue
            start = act.before.get(variable)
            end, match = act.after.get(variable, start), other.after.get(variable, start)
            better = self._better[variable]
            if end is not None and match is not None:
                if not better[end] >> match & 1:
                    return False
            elif end is not None:
                if better[end] != self._full[variable]:
                    return False
            elif match is not None and not all(good >> match & 1 for good in better):
                return False
        return True
