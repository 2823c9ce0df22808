"""A world with the exact semantics of a PDDL domain, for any domain a user brings.

Everything can be seen at all times and there is no geometry: orders carry the names of their arguments, and
observations carry the atoms that changed. What can go wrong are failures of the robot, and disturbances that
set or clear atoms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from foretree.clock import Clock
from foretree.errors import near_miss, suggest
from foretree.planning.pddl.syntax import Formula, Problem, show
from foretree.planning.semantics.actions import (
    GroundAction,
    TypedObjects,
    applicable,
    apply,
    explain_misfit,
    fired,
    instantiate,
)
from foretree.planning.semantics.evaluation import conjuncts, evaluate, state_oracle
from foretree.printable import counted
from foretree.simulation._simulated_world import SimulatedWorld
from foretree.simulation.action_timing import Illegal, InjectedFault, SimulatedAction
from foretree.simulation.faults.fault_script import FAILURE_MODES, Fault, FaultError, FaultRates, parse_faults
from foretree.skills.robot import Order, RobotError
from foretree.world_model.beliefs.facts import Atom, Truth, show_atom
from foretree.world_model.observation import Observation

#: Seconds that every action takes.
ACTION_TIME = 1.0


@dataclass(frozen=True, slots=True)
class SetAtom:
    """A disturbance that makes an atom true or false. ``str()`` is its line in a fault script."""

    atom: Atom
    value: bool

    def __str__(self) -> str:
        return f"{'set' if self.value else 'clear'} {show_atom(self.atom)}"


State: TypeAlias = frozenset[Atom]


class PddlWorld(SimulatedWorld[SetAtom]):
    """A fully observable world with the semantics of a PDDL domain.

    Args:
        problem: the domain, the objects and the initial state.
        clock: the time.
        faults: a fault script. Besides the robot's failures it knows ``after 2: set (on a b)`` and
            ``after 2: clear (on a b)``.
        seed: of the faults that strike by chance.
        rates: how often each failure of the robot strikes by chance.
        on_fault: called with every fault that strikes.
        robot: name of the robot.

    Raises:
        FaultError: a line of the fault script makes no sense.

    Attributes:
        state: the truth.
    """

    def __init__(
        self,
        problem: Problem,
        clock: Clock,
        faults: Sequence[str] = (),
        seed: int = 0,
        rates: FaultRates | None = None,
        on_fault: Callable[[InjectedFault], None] | None = None,
        robot: str = "robot",
    ) -> None:
        self.problem = problem
        self._domain = problem.domain
        self._objects = TypedObjects(problem.domain, problem.objects)
        self.state: State = self._objects.close(problem.init)
        self._types = {**{c.name: c.type for c in problem.domain.constants}, **problem.objects}
        self._reported: State = frozenset()
        self._doubtful: set[Atom] = set()
        self._mentioned: set[Atom] = set()
        self._looks: list[Observation] = []
        script = self.read_faults(faults)
        super().__init__(robot, (), clock, script, rates, seed, on_fault)

    def read_faults(self, lines: Sequence[str]) -> tuple[Fault[SetAtom], ...]:
        """Read a fault script."""
        return parse_faults(lines, self._parse_disturbance, sorted(self._domain.operators))

    def holds(self, goal: Formula) -> bool:
        """Return whether a goal is true in this world now."""
        self.advance()
        return evaluate(goal, state_oracle(self.state), self._objects) is Truth.TRUE

    def begin(self, order: Order) -> SimulatedAction:
        """Begin an action, or refuse it because its precondition is false."""
        operator = self._domain.operators.get(order.skill)
        if operator is None:
            raise RobotError(
                f"The domain {self._domain.name} has no action {order.skill!r}. "
                f"{suggest(order.skill, self._domain.operators)}"
            )
        named = order.parameters.get("arguments", ())
        arguments = [str(name) for name in named] if isinstance(named, (list, tuple)) else []
        misfit = explain_misfit(self._domain, operator, arguments, self._types)
        if misfit is not None:
            raise RobotError(f"The order {order.skill} makes no sense: {misfit}.")
        action = instantiate(operator, arguments, self._objects, self.problem.functions)
        oracle = state_oracle(self.state)
        for part in conjuncts(action.precondition):
            if evaluate(part, oracle, self._objects) is not Truth.TRUE:
                says = f"{action} needs {show(part)}"
                known = self._reported == self.state
                self.illegal.append(Illegal(round(self.now, 6), order.skill, show(part), known, says))
                return _Step(self, action, f"refused: {says}")
        return _Step(self, action)

    def apply(self, disturbance: SetAtom) -> None:
        """Set or clear an atom."""
        atom = {disturbance.atom}
        self.state = self._objects.close(self.state | atom if disturbance.value else self.state - atom)

    def take_step(self, action: GroundAction, half: bool) -> str:
        """Apply an action, or the first half of its effects. Returns why it failed; empty if it did not."""
        if not applicable(action, self.state, self._objects):
            return "interrupted: its precondition is not true any more"
        if not half:
            self.state = self._objects.close(apply(action, self.state, self._objects))
            return ""
        effects = fired(action, state_oracle(self.state), self._objects)
        for literal in effects[: len(effects) // 2]:
            self.apply(SetAtom(literal.atom, literal.positive))
        return ""

    def _parse_disturbance(self, words: list[str]) -> SetAtom:
        text = " ".join(words[1:])
        if words[0] not in ("set", "clear") or not (text.startswith("(") and text.endswith(")")):
            valid = "; ".join(
                (
                    "set (ATOM)",
                    "clear (ATOM)",
                    *(f"{m} next ACTION" for m in FAILURE_MODES),
                    "disconnect for S",
                )
            )
            near = near_miss(words[0], ("set", "clear", *FAILURE_MODES, "disconnect"))
            raise FaultError(
                f"{' '.join(words)!r} is nothing that can happen. {near and near + ' '}Valid: {valid}."
            )
        predicate, *terms = text[1:-1].split() or [""]
        parameters = self._domain.predicates.get(predicate)
        if parameters is None:
            raise FaultError(
                f"there is no predicate {predicate!r}. {suggest(predicate, self._domain.predicates)}"
            )
        if len(terms) != len(parameters):
            raise FaultError(f"{predicate} takes {counted(len(parameters), 'argument')}, not {len(terms)}.")
        for term, parameter in zip(terms, parameters, strict=True):
            if term not in self._objects.of_type(parameter.type):
                raise FaultError(
                    f"there is no {parameter.type} {term!r}. "
                    f"{suggest(term, self._objects.of_type(parameter.type))}"
                )
        return SetAtom((predicate, *terms), words[0] == "set")

    def finish_look(self) -> str:
        """Observe every atom that is true, or that was reported before."""
        self._mentioned |= self.state
        body = {atom: atom in self.state for atom in sorted(self._mentioned)}
        self._looks.append(Observation(self.now, "look", body=body))
        return ""

    def observations(self) -> list[Observation]:
        """Looks that have ended, and the atoms that changed since the last call or may be doubted."""
        observations = list(self._looks)
        self._looks.clear()
        if self.state != self._reported or self._doubtful:
            atoms = (self.state ^ self._reported) | self._doubtful
            self._mentioned |= atoms
            self._reported = self.state
            self._doubtful.clear()
            body = {atom: atom in self.state for atom in sorted(atoms)}
            observations.append(Observation(self.now, "view", body=body))
        return observations

    def report_afresh(self, action: SimulatedAction) -> None:
        """Report the atoms of an action again, since its reported end may be wrong."""
        assert isinstance(action, _Step)
        self._doubtful.update(effect.literal.atom for effect in action.action.effects)

    def forget_view(self) -> None:
        """Drop what was not reported; changes are reported relative to what was."""
        self._looks.clear()


class _Step(SimulatedAction):
    duration = ACTION_TIME

    def __init__(self, world: PddlWorld, action: GroundAction, refusal: str = "") -> None:
        self.refusal = refusal
        self.action = action
        self._world = world

    def finish(self, half: bool = False) -> str:
        return self._world.take_step(self.action, half)
