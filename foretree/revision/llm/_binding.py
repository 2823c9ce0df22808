"""Binding: which actions a step may stand for, once it is known which things there are.

A step names classes. Of the operators of its type, those are tried whose conditions can be matched with what
is believed: the hand that is free, the place where the mug rests. Where the robot stands does not matter,
because ways are put in later.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice, product

from foretree.planning.pddl.syntax import And, Formula, Literal, Or, Typed, substitute_atom
from foretree.planning.plan import Action
from foretree.planning.semantics.evaluation import all_literals
from foretree.planning.semantics.operator_index import index_of, unify
from foretree.revision._simulator import Simulator
from foretree.revision._state_delta import StateDelta
from foretree.revision.llm._action_space import ActionShape, ActionSpace
from foretree.revision.llm._notation import ModelStep
from foretree.revision.llm.choices import Notation
from foretree.world_model.beliefs.facts import Atom

#: Ways of fulfilling a condition with disjunctions that are tried.
_ALTERNATIVES = 16
#: Actions of one operator that are looked at for one step.
MOST_CANDIDATES = 400


class Binder:
    """Finds the actions that steps may stand for.

    Args:
        space: the action space.
        simulator: carries out what is tried.
        notation: the format: a step of a tuple must be possible as it is, but for the way there; before a
            triplet, other things may be done to make it possible.
    """

    def __init__(self, space: ActionSpace, simulator: Simulator, notation: Notation) -> None:
        domain = simulator.task.domain
        self._space = space
        self._simulator = simulator
        self._notation = notation
        #: What moves change: it holds wherever it has to, once a way is put in.
        self.moving = {
            effect.literal.atom[0]
            for operator in domain.operators.values()
            if space.shape_of(operator.name) is None
            for effect in operator.effects
        }
        self._changed = index_of(domain).fluents
        self._later: Container[str] = self.moving if notation == "tuples" else self._changed

    def candidates(self, step: ModelStep, state: StateDelta) -> list[Action]:
        """The actions that *step* may stand for in a state; those that lack least come first."""
        found = self._found(step, state)
        # Before a tuple nothing is done but going there, so what lacks anything else is out of the question.
        fitting = found if self._notation == "triplets" else [one for one in found if not found[one]]
        return sorted(fitting, key=lambda action: (found[action], _sort_key(action)))

    def closest(self, step: ModelStep, state: StateDelta) -> Action | None:
        """The action that lacks least, whether or not that can be helped; None if there is none at all."""
        found = self._found(step, state)
        return min(found, key=lambda action: (found[action], _sort_key(action)), default=None)

    def _found(self, step: ModelStep, state: StateDelta) -> dict[Action, int]:
        """The actions that *step* could mean, and how much each of them lacks, but for the way there."""
        task = self._simulator.task
        found: dict[Action, int] = {}
        for shape in self._space.shapes[step.action]:
            for arguments in islice(self._bound(shape, step, state), MOST_CANDIDATES):
                action = Action("", shape.operator.name, arguments)
                if action not in found:
                    lacking = self._simulator.lacks(state, task.ground(action))
                    found[action] = sum(not self.comes_by_moving(part) for part in lacking)
        return found

    def ways(self, state: StateDelta) -> frozenset[Atom]:
        """Return the facts that would hold if all that can be opened for moves were open."""
        found: set[Atom] = set()
        domain = self._simulator.task.domain
        for name in sorted(self._space.openers):
            operator = domain.operators[name]
            # Who opens it, and with which hand, is found out where it has to be opened.
            lasting = [
                literal
                for literal in all_literals(operator.precondition)
                if literal.positive and literal.atom[0] not in self._changed
            ]
            values = {parameter.name: self._values(parameter, {}) for parameter in operator.parameters}
            for binding in self._joined(lasting, {}, values, state):
                for effect in operator.effects:
                    atom = substitute_atom(effect.literal.atom, binding)
                    if effect.literal.positive and not any(term.startswith("?") for term in atom):
                        found.add(atom)
        return frozenset(found)

    def comes_by_moving(self, formula: Formula) -> bool:
        """Return whether going elsewhere alone may make *formula* true."""
        return isinstance(formula, Literal) and formula.atom[0] in self.moving

    def _bound(self, shape: ActionShape, step: ModelStep, state: StateDelta) -> Iterator[tuple[str, ...]]:
        operator = shape.operator
        meant = [(shape.target, step.target)]
        if self._notation == "triplets":
            meant = [(shape.subject, step.target), (shape.parent, step.parent)]
        classes: dict[str, str] = {}
        for index, class_name in meant:
            if (index is None) != (class_name is None):
                # The parent of a thing need not be said; that of nothing cannot be.
                if index is None or index != shape.parent:
                    return
            elif index is not None and class_name is not None:
                classes[operator.parameters[index].name] = class_name
        values = {parameter.name: self._values(parameter, classes) for parameter in operator.parameters}
        for literals in islice(_alternatives(operator.precondition), _ALTERNATIVES):
            for binding in self._joined(literals, {}, values, state):
                free = [name for name in values if name not in binding]
                for rest in islice(product(*(values[name] for name in free)), MOST_CANDIDATES):
                    whole = {**binding, **dict(zip(free, rest, strict=True))}
                    yield tuple(whole[parameter.name] for parameter in operator.parameters)

    def _values(self, parameter: Typed, classes: Mapping[str, str]) -> Sequence[str]:
        """Return the objects that may stand for a parameter."""
        objects = self._simulator.task.objects
        fitting = objects.of_type(parameter.type)
        if parameter.name not in classes:
            return fitting
        of_class = set(objects.of_type(classes[parameter.name]))
        return [name for name in fitting if name in of_class]

    def _joined(
        self,
        literals: Sequence[Literal],
        binding: dict[str, str],
        values: Mapping[str, Sequence[str]],
        state: StateDelta,
    ) -> Iterator[dict[str, str]]:
        """The bindings with which *literals* hold, apart from those that can be made to hold later."""
        if not literals:
            yield binding
            return
        chosen = min(literals, key=lambda literal: self._difficulty(literal, binding))
        rest = [literal for literal in literals if literal is not chosen]
        later = chosen.atom[0] in self._later
        matched = False
        for atom in _matching(chosen.atom, binding, state):
            extended = unify(chosen.atom, atom, binding, values)
            if extended is not None:
                matched = True
                yield from self._joined(rest, extended, values, state)
        if later and not matched:
            yield from self._joined(rest, binding, values, state)

    def _difficulty(self, literal: Literal, binding: dict[str, str]) -> tuple[bool, bool, int]:
        """Order literals: static ones first, the place of the robot last; else by what they leave open."""
        predicate = literal.atom[0]
        open_ = sum(term.startswith("?") and term not in binding for term in literal.atom[1:])
        return predicate in self.moving, predicate in self._later, open_


def _sort_key(action: Action) -> tuple[str, tuple[str, ...]]:
    return action.skill, action.arguments


def _alternatives(formula: Formula) -> Iterator[tuple[Literal, ...]]:
    """The ways of fulfilling *formula*, as far as positive literals say."""
    if isinstance(formula, And):
        for parts in product(*(tuple(_alternatives(part)) for part in formula.parts)):
            yield tuple(literal for part in parts for literal in part)
    elif isinstance(formula, Or):
        for part in formula.parts:
            yield from _alternatives(part)
    else:
        yield (formula,) if isinstance(formula, Literal) and formula.positive else ()


def _matching(pattern: Atom, binding: dict[str, str], state: StateDelta) -> list[Atom]:
    for position, term in enumerate(pattern[1:], 1):
        value = binding.get(term) if term.startswith("?") else term
        if value is not None:
            return state.matching(pattern[0], (position, value))
    return state.matching(pattern[0])
