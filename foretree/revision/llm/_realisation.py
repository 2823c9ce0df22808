"""Realising: from steps that name classes to a plan that reaches the goal in simulation, or why none does.

Of the operators of a step's type, those are tried whose conditions can be matched with what is believed: the
hand that is free, the place where the mug rests. Where the robot stands does not matter, because ways are put
in later.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice, product

from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import And, Formula, Literal, Or, Typed, substitute_atom
from foretree.planning.plan import Action
from foretree.planning.semantics.actions import GroundAction
from foretree.planning.semantics.evaluation import all_literals
from foretree.planning.semantics.operator_index import index_of, unify
from foretree.revision._simulator import Simulator, StateDelta
from foretree.revision.expectation import say
from foretree.revision.llm._action_space import ActionShape, ActionSpace
from foretree.revision.llm._notation import ModelStep
from foretree.revision.llm._prompt import ListedStep
from foretree.revision.llm.choices import Notation
from foretree.revision.rules.precondition_repair import PreconditionRepair
from foretree.world_model.beliefs.facts import HAND_FREE, HOLDING, Atom

#: Ways of fulfilling a condition with disjunctions that are tried.
_ALTERNATIVES = 16
#: Actions of one operator that are looked at for one step.
MOST_CANDIDATES = 400

#: Actions that are tried for a step: for one that the model put in, and for one that was in the plan, whose
#: action is tried first.
TRIED_NEW, TRIED_OLD = 6, 4
#: Actions that are tried altogether.
MOST_TRIED = 240
#: States that are looked at to find a way: buildings are large.
WAY_STATES = 3000


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
        if self._notation == "triplets" or step.parent is not None:
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


class UnrealisableError(ForetreeError):
    """Steps that lead nowhere: they are not possible, not to the purpose, or go round in circles."""

    exit_code = 1


class StepRealiser:
    """Turns steps into plans.

    Args:
        simulator: carries out what is tried.
        repair: finds ways, and what else makes a step possible.
        space: the action space.
        notation: the format. Before a tuple only moves are put in; before a triplet whatever makes it
            possible.
    """

    def __init__(
        self, simulator: Simulator, repair: PreconditionRepair, space: ActionSpace, notation: Notation
    ) -> None:
        self.simulator = simulator
        self._repair = repair
        self.notation = notation
        self._binder = Binder(space, simulator, notation)
        #: What would be so if all doors were open; they stay where they are.
        self._opened: frozenset[Atom] | None = None

    def realise(self, start: StateDelta, steps: Sequence[ListedStep], goal: Formula) -> tuple[Action, ...]:
        """The actions that *steps* come to, with what has to be put in between.

        Raises:
            UnrealisableError: no choice of things leads to the goal; the message says how far the best of
                them gets.
        """
        return _Attempt(self, steps, goal).from_(start)

    def leads_to(self, start: StateDelta, steps: Sequence[ListedStep], goal: Formula) -> bool:
        """Return whether *steps* lead to the goal, by whatever detours."""
        try:
            _Attempt(self, steps, goal, detours=True).from_(start)
        except UnrealisableError:
            return False
        return True

    def options(
        self, step: ListedStep, state: StateDelta
    ) -> Iterable[tuple[Action, tuple[GroundAction, ...]]]:
        """The actions that a step may stand for in a state, nearest first, with what comes before each."""
        candidates = self._binder.candidates(step.step, state)
        if step.not_with:
            candidates = [action for action in candidates if step.not_with not in action.arguments]
        if step.action is not None:
            old = step.action.skill, step.action.arguments
            others = [action for action in candidates if (action.skill, action.arguments) != old]
            before = self.before(step.action, state)
            if before is not None:
                yield step.action, before
            yield from self._nearest(others, state)[: TRIED_OLD - 1]
        else:
            yield from self._nearest(candidates, state)[:TRIED_NEW]

    def _nearest(
        self, candidates: Sequence[Action], state: StateDelta
    ) -> list[tuple[Action, tuple[GroundAction, ...]]]:
        found = []
        for action in candidates[: 4 * TRIED_NEW]:
            before = self.before(action, state)
            if before is not None:
                found.append((action, before))
        # The order of the candidates decides between those that are equally near.
        return sorted(found, key=lambda option: sum(ground.cost for ground in option[1]))

    def before(self, action: Action, state: StateDelta) -> tuple[GroundAction, ...] | None:
        """Return the actions that make *action* possible in a state; None if nothing does."""
        ground = self.simulator.task.ground(action)
        steps = self._repair.find(state, ground, ways_only=self.notation == "tuples")
        return self._through_doors(ground, state) if steps is None else steps

    def _through_doors(self, ground: GroundAction, state: StateDelta) -> tuple[GroundAction, ...] | None:
        """The way to where *ground* is possible, with what is shut on it opened."""
        if self._opened is None:
            self._opened = self._binder.ways(state)
        if not self._opened:
            return None
        way = self._repair.find(state.after(self._opened, ()), ground, ways_only=True)
        steps: list[GroundAction] = []
        for step in way or ():
            opening = self._repair.find(state, step)
            if opening is None:
                return None
            steps += [*opening, step]
            state = reduce(self.simulator.advance, (*opening, step), state)
        return tuple(steps) if self.simulator.possible(state, ground) else None

    def explain_impossible(self, step: ListedStep, state: StateDelta) -> str:
        """Say why *step* is not possible in a state."""
        written = step.step.written(self.notation)
        if step.not_with:
            return f"{written} is not possible with anything but {step.not_with}"
        action = step.action or self._binder.closest(step.step, state)
        if action is None:
            return f"{written} is not possible when its turn comes: there is nothing it could be done with"
        lacking = self.simulator.lacks(state, self.simulator.task.ground(action))
        missing = [part for part in lacking if not self._binder.comes_by_moving(part)] or lacking
        return f"{written} is not possible when its turn comes: it takes {' and '.join(map(say, missing))}"

    def signature(self, state: StateDelta) -> tuple[frozenset[Atom], frozenset[Atom]]:
        """Return what tells states apart, wherever the robot stands and whichever hand it holds things in."""
        plus, minus = state.key
        return self._lasting(plus), self._lasting(minus)

    def _lasting(self, atoms: Iterable[Atom]) -> frozenset[Atom]:
        beside_the_point = {*self._binder.moving, HAND_FREE}
        return frozenset(
            (atom[0], atom[-1]) if atom[0] == HOLDING else atom
            for atom in atoms
            if atom[0] not in beside_the_point
        )


class _Attempt:
    """One search for the actions that a list of steps may stand for, depth first."""

    def __init__(
        self, realiser: StepRealiser, steps: Sequence[ListedStep], goal: Formula, *, detours: bool = False
    ) -> None:
        self._realiser = realiser
        self._detours = detours
        self._steps = steps
        self._goal = goal
        self._tried = 0
        self._furthest = -1
        self._excuse = ""

    def from_(self, start: StateDelta) -> tuple[Action, ...]:
        """The first that leads to the goal."""
        found = self._go_on(0, [start])
        if found is None:
            raise UnrealisableError(self._excuse)
        return tuple(found)

    def _go_on(self, index: int, states: list[StateDelta]) -> list[Action] | None:
        """The actions from step *index* on; None if there are none. *states* holds that before each step."""
        realiser, state = self._realiser, states[-1]
        if index == len(self._steps):
            if realiser.simulator.holds(state, self._goal):
                return []
            self._note(index, "it does not reach the goal")
            return None
        step = self._steps[index]
        possible = False
        for action, before in realiser.options(step, state):
            possible = True
            if self._tried == MOST_TRIED:
                break
            self._tried += 1
            ground = realiser.simulator.task.ground(action)
            following = reduce(realiser.simulator.advance, (*before, ground), state)
            circle = "" if self._detours else self._circle(index, [*states, following])
            if circle:
                self._note(index, circle)
                continue
            rest = self._go_on(index + 1, [*states, following])
            if rest is not None:
                put_in = [Action("", ground.name, ground.arguments, ground.cost) for ground in before]
                return [*put_in, action, *rest]
        if not possible:
            self._note(index, realiser.explain_impossible(step, state))
        return None

    def _circle(self, index: int, states: Sequence[StateDelta]) -> str:
        """Say that a step changes nothing, or that the model's lead back to where they began."""
        realiser = self._realiser
        now = realiser.signature(states[-1])
        last = self._steps[index].step.written(realiser.notation)
        if realiser.signature(states[index]) == now:
            return f"it repeats itself: {last} changes nothing any more when its turn comes"
        for first in range(index - 1, -1, -1):
            if all(step.action is not None for step in self._steps[first : index + 1]):
                continue
            if realiser.signature(states[first]) == now:
                begin = self._steps[first].step.written(realiser.notation)
                return f"it repeats itself: after {last} all is as it was before {begin}"
        return ""

    def _note(self, index: int, explain_impossible: str) -> None:
        if index > self._furthest:
            self._furthest, self._excuse = index, explain_impossible
