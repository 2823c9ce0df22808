"""Realising: from steps that name classes to a plan that reaches the goal in simulation, or why none does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import Formula
from foretree.planning.plan import Action
from foretree.planning.semantics.actions import GroundAction
from foretree.revision._simulator import Simulator
from foretree.revision._state_delta import StateDelta
from foretree.revision.expectation import say
from foretree.revision.llm._action_space import ActionSpace
from foretree.revision.llm._binding import Binder
from foretree.revision.llm._edit import ListedStep
from foretree.revision.llm.choices import Notation
from foretree.revision.rules.precondition_repair import PreconditionRepair
from foretree.world_model.beliefs.facts import HAND_FREE, HOLDING, Atom

#: Actions that are tried for a step: for one that the model put in, and for one that was in the plan, whose
#: action is tried first.
TRIED_NEW, TRIED_OLD = 6, 4
#: Actions that are tried altogether.
MOST_TRIED = 240
#: States that are looked at to find a way: buildings are large.
WAY_STATES = 3000


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
        self._simulator = simulator
        self._repair = repair
        self._notation = notation
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
        if step.action is not None:
            others = [action for action in candidates if not _alike(action, step.action)]
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
        ground = self.ground(action)
        steps = self._repair.find(state, ground, ways_only=self._notation == "tuples")
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
            state = self.after([*opening, step], state)
        return tuple(steps) if self._simulator.possible(state, ground) else None

    def after(self, actions: Iterable[GroundAction], state: StateDelta) -> StateDelta:
        """The state after *actions*."""
        for ground in actions:
            state = self._simulator.advance(state, ground)
        return state

    def ground(self, action: Action) -> GroundAction:
        """The ground action behind *action*."""
        return self._simulator.task.ground(action)

    def reached(self, goal: Formula, state: StateDelta) -> bool:
        """Return whether the goal is reached in a state."""
        return self._simulator.holds(state, goal)

    def explain_impossible(self, step: ListedStep, state: StateDelta) -> str:
        """Say why *step* is not possible in a state."""
        written = step.step.written(self._notation)
        action = step.action or self._binder.closest(step.step, state)
        if action is None:
            return f"{written} is not possible when its turn comes: there is nothing it could be done with"
        lacking = self._simulator.lacks(state, self.ground(action))
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

    def written(self, step: ListedStep) -> str:
        """A step in the format of the model."""
        return step.step.written(self._notation)


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
            if realiser.reached(self._goal, state):
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
            following = realiser.after([*before, realiser.ground(action)], state)
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
        last = realiser.written(self._steps[index])
        if realiser.signature(states[index]) == now:
            return f"it repeats itself: {last} changes nothing any more when its turn comes"
        for first in range(index - 1, -1, -1):
            if all(step.action is not None for step in self._steps[first : index + 1]):
                continue
            if realiser.signature(states[first]) == now:
                begin = realiser.written(self._steps[first])
                return f"it repeats itself: after {last} all is as it was before {begin}"
        return ""

    def _note(self, index: int, explain_impossible: str) -> None:
        if index > self._furthest:
            self._furthest, self._excuse = index, explain_impossible


def _alike(one: Action, other: Action) -> bool:
    return (one.skill, one.arguments) == (other.skill, other.arguments)
