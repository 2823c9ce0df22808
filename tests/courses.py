"""Whole courses of states, and whether they keep constraints: an independent judge of what is compiled."""

from __future__ import annotations

from foretree.planning.constraints.constraints import Always, AtMostOnce, Before, InOrder, NeverUse
from foretree.planning.pddl.syntax import And, Literal, Not, Or, Problem, walk
from foretree.planning.semantics.actions import TypedObjects, fired
from foretree.planning.semantics.evaluation import evaluate, ground, negate, state_oracle
from foretree.world_model.beliefs.facts import Truth


class Course:
    """What a course of states has to say to constraints, one state after the other."""

    def __init__(self, problem: Problem, constraints) -> None:
        self.problem = problem
        self.constraints = constraints
        self.objects = TypedObjects(problem.domain, problem.objects)

    def holds(self, formula, state) -> bool:
        return evaluate(formula, state_oracle(state), self.objects) is Truth.TRUE

    def memory(self, old, state):
        """How far each constraint has come, *old* before *state*."""
        new = []
        for constraint, stage in zip(self.constraints, old, strict=True):
            if isinstance(constraint, InOrder):
                while stage < len(constraint.steps) and self.holds(constraint.steps[stage], state):
                    stage += 1
            elif isinstance(constraint, Before):
                stage = stage or int(self.holds(constraint.first, state))
            elif isinstance(constraint, AtMostOnce):
                stage = stage or int(self.holds(constraint.formula, state))
            new.append(stage)
        return tuple(new)

    def done(self, memory) -> bool:
        return all(
            stage == len(constraint.steps)
            for constraint, stage in zip(self.constraints, memory, strict=True)
            if isinstance(constraint, InOrder)
        )

    def allows(self, state, memory, action, after) -> bool:
        effects = fired(action, state_oracle(state), self.objects)
        for constraint, stage in zip(self.constraints, memory, strict=True):
            if isinstance(constraint, NeverUse):
                if constraint.action in (None, action.name) and all(
                    any(self.fits(term, name) for name in action.arguments) for term in constraint.objects
                ):
                    return False
            elif isinstance(constraint, Always):
                if self.breaks(constraint.formula, effects, after):
                    return False
            elif isinstance(constraint, Before):
                if not stage and self.breaks(Not(constraint.then), effects, after):
                    return False
            elif isinstance(constraint, AtMostOnce):
                comes = self.touches(normal(ground(constraint.formula, self.objects)), effects)
                again = self.holds(constraint.formula, after) and not self.holds(constraint.formula, state)
                if comes and again and stage:
                    return False
        return True

    def fits(self, term, name) -> bool:
        return name == term if isinstance(term, str) else name in self.objects.of_type(term.type)

    def breaks(self, formula, effects, after) -> bool:
        return any(
            self.touches(normal(negate(clause)), effects) and not self.holds(clause, after)
            for clause in clauses(normal(ground(formula, self.objects)))
        )

    def touches(self, formula, effects) -> bool:
        return any(isinstance(part, Literal) and part in effects for part in walk(formula))


def normal(formula):
    """A ground formula with negations at literals only."""
    if isinstance(formula, Not):
        pushed = negate(formula.part)
        return pushed if isinstance(pushed, Not) else normal(pushed)
    if isinstance(formula, (And, Or)):
        return type(formula)(tuple(map(normal, formula.parts)))
    return formula


def clauses(formula):
    return [c for part in formula.parts for c in clauses(part)] if isinstance(formula, And) else [formula]
