"""A world that does exactly what a PDDL domain says, for any domain a user brings.

Everything can be seen at all times and there is no geometry: orders carry the names of their arguments, and
observations carry the atoms that changed. What can go wrong is the robot's own trouble, and atoms that
somebody else sets or clears.
"""

from __future__ import annotations

import random
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
    fired,
    fits,
    instantiate,
)
from foretree.planning.semantics.evaluation import conjuncts, evaluate, state_oracle
from foretree.simulation._simulated_robot import SimulatedRobot
from foretree.simulation.action_timing import Illegal, Injected, Stage, Work
from foretree.simulation.faults.fault_script import MANNERS, FaultError, parse_faults
from foretree.simulation.household.scene import Chance
from foretree.skills.robot import LookRequest, Order, RobotError
from foretree.world_model.beliefs.facts import Atom, Truth, show_atom
from foretree.world_model.observation import Observation

#: How long every action takes (seconds).
ACTION_TIME = 1.0
#: How long it takes to look around (seconds).
LOOK_TIME = 0.5


@dataclass(frozen=True, slots=True)
class SetAtom:
    """Somebody makes an atom true, or false."""

    atom: Atom
    value: bool


State: TypeAlias = frozenset[Atom]


class PddlWorld:
    """A fully observable world with the semantics of a PDDL domain.

    Args:
        problem: the domain, the objects and the initial state.
        clock: what time it is.
        faults: a fault script. Besides the robot's trouble it knows ``after 2: set (on a b)`` and
            ``after 2: clear (on a b)``.
        chance: how often the robot is in trouble of its own accord.
        seed: decides what *chance* leaves open.
        on_fault: told of every fault that strikes.
        robot: what to call the robot.

    Raises:
        FaultError: a line of the fault script makes no sense.

    Attributes:
        robot: the robot, for the agent.
        state: the truth.
        illegal: every action that was refused.
    """

    def __init__(
        self,
        problem: Problem,
        clock: Clock,
        faults: Sequence[str] = (),
        seed: int = 0,
        chance: Chance | None = None,
        on_fault: Callable[[Injected], None] | None = None,
        robot: str = "robot",
    ) -> None:
        self.problem = problem
        self.illegal: list[Illegal] = []
        self._domain = problem.domain
        self._objects = TypedObjects(problem.domain, problem.objects)
        self.state: State = self._objects.close(problem.init)
        self._types = {**{c.name: c.type for c in problem.domain.constants}, **problem.objects}
        self._reported: State = frozenset()
        self._doubtful: set[Atom] = set()
        self._mentioned: set[Atom] = set()
        self._looks: list[Observation] = []
        self._stage: Stage[SetAtom] = Stage(
            self,
            clock,
            parse_faults(faults, self._parse_deed, sorted(problem.domain.operators)),
            chance,
            seed,
            on_fault,
        )
        self.robot = SimulatedRobot(robot, (), self._stage, self)

    # -- for whoever runs it -------------------------------------------------------------------------
    def advance(self) -> None:
        """Let everything happen that is due by now. Asking the robot anything does so too."""
        self._stage.advance()

    def holds(self, goal: Formula) -> bool:
        """Whether a goal is true in this world now."""
        self.advance()
        return evaluate(goal, state_oracle(self.state), self._objects) is Truth.TRUE

    @property
    def injected(self) -> tuple[Injected, ...]:
        """Every fault that struck."""
        return tuple(self._stage.injected)

    # -- for the stage -----------------------------------------------------------------------------
    def begin(self, order: Order) -> Work:
        """Begin an action, or refuse it because its precondition is false."""
        operator = self._domain.operators.get(order.skill)
        if operator is None:
            raise RobotError(
                f"The domain {self._domain.name} has no action {order.skill!r}. "
                f"{suggest(order.skill, self._domain.operators)}"
            )
        named = order.parameters.get("arguments", ())
        arguments = [str(name) for name in named] if isinstance(named, (list, tuple)) else []
        misfit = fits(self._domain, operator, arguments, self._types)
        if misfit is not None:
            raise RobotError(f"The order {order.skill} makes no sense: {misfit}.")
        action = instantiate(operator, arguments, self._objects, self.problem.functions)
        oracle = state_oracle(self.state)
        for part in conjuncts(action.precondition):
            if evaluate(part, oracle, self._objects) is not Truth.TRUE:
                says = f"{action} needs {show(part)}"
                known = self._reported == self.state
                self.illegal.append(Illegal(round(self._stage.now, 6), order.skill, show(part), known, says))
                return _Step(self, action, f"refused: {says}")
        return _Step(self, action)

    def do(self, deed: SetAtom) -> None:
        """Let somebody else change an atom."""
        state = self.state | {deed.atom} if deed.value else self.state - {deed.atom}
        self.state = self._objects.close(state)

    def chance_deed(self, kind: str, rng: random.Random) -> SetAtom | None:
        """Nothing happens by chance here: nobody knows what would make sense."""
        return None

    def show_deed(self, deed: SetAtom) -> str:
        """A deed in the language of fault scripts."""
        return f"{'set' if deed.value else 'clear'} {show_atom(deed.atom)}"

    def take_step(self, action: GroundAction, half: bool) -> str:
        """Apply an action, or the first half of its effects. Returns why it failed; empty if it did not."""
        if not applicable(action, self.state, self._objects):
            return "interrupted: its precondition is not true any more"
        if not half:
            self.state = self._objects.close(apply(action, self.state, self._objects))
            return ""
        effects = fired(action, state_oracle(self.state), self._objects)
        for literal in effects[: len(effects) // 2]:
            self.do(SetAtom(literal.atom, literal.positive))
        return ""

    def _parse_deed(self, words: list[str]) -> SetAtom:
        text = " ".join(words[1:])
        if words[0] not in ("set", "clear") or not (text.startswith("(") and text.endswith(")")):
            valid = "; ".join(
                ("set (ATOM)", "clear (ATOM)", *(f"{m} next ACTION" for m in MANNERS), "disconnect for S")
            )
            near = near_miss(words[0], ("set", "clear", *MANNERS, "disconnect"))
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
            raise FaultError(f"{predicate} takes {len(parameters)} arguments, not {len(terms)}.")
        for term, parameter in zip(terms, parameters, strict=True):
            if term not in self._objects.of_type(parameter.type):
                raise FaultError(
                    f"there is no {parameter.type} {term!r}. "
                    f"{suggest(term, self._objects.of_type(parameter.type))}"
                )
        return SetAtom((predicate, *terms), words[0] == "set")

    # -- for the robot's eyes ----------------------------------------------------------------------
    def look(self, request: LookRequest) -> Work:
        """Begin a look; it reports the whole state when it ends."""
        return _Look(self)

    def finish_look(self) -> str:
        """Take down what a look sees: every atom that is true, or that somebody may take for true."""
        self._mentioned |= self.state
        body = {atom: atom in self.state for atom in sorted(self._mentioned)}
        self._looks.append(Observation(self._stage.now, "look", body=body))
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
            observations.append(Observation(self._stage.now, "view", body=body))
        return observations

    def told_of(self, work: Work) -> None:
        """Report the atoms of an action afresh: a robot that says "done" may be wrong."""
        if isinstance(work, _Step):
            self._doubtful.update(effect.literal.atom for effect in work.action.effects)

    def forget_view(self) -> None:
        """Drop what was not reported; changes are reported relative to what was."""
        self._looks.clear()


class _Step:
    duration = ACTION_TIME

    def __init__(self, world: PddlWorld, action: GroundAction, refusal: str = "") -> None:
        self.refusal = refusal
        self._world = world
        self.action = action

    def finish(self, half: bool = False) -> str:
        return self._world.take_step(self.action, half)

    def abandon(self, progress: float) -> None:
        return None


class _Look:
    duration = LOOK_TIME
    refusal = ""

    def __init__(self, world: PddlWorld) -> None:
        self._world = world

    def finish(self, half: bool = False) -> str:
        return self._world.finish_look()

    def abandon(self, progress: float) -> None:
        return None
