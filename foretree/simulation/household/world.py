"""The embedded household, or building: a world with its own truth and its own rules.

It is deterministic: the same scene, seed and calls at the same times give the same world. It refuses what its
rules do not allow, and keeps a list of what it refused, with whether the agent could have known better.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from foretree.clock import Clock
from foretree.errors import suggest
from foretree.planning.pddl.syntax import Formula
from foretree.simulation._simulated_robot import SimulatedRobot
from foretree.simulation.action_timing import Illegal, Injected, Stage, Work
from foretree.simulation.faults.fault_script import parse_faults
from foretree.simulation.household import _disturbances as deeds
from foretree.simulation.household._camera import Camera, View, see
from foretree.simulation.household.goal_oracle import holds
from foretree.simulation.household.household_state import House, Key
from foretree.simulation.household.rules import ABILITIES, Ability, Attempt, understand
from foretree.simulation.household.scene import Scene
from foretree.skills.robot import LookRequest, Order, RobotError
from foretree.world_model.beliefs.entities import Pose
from foretree.world_model.observation import Observation

#: How long it takes to look around (seconds).
LOOK_TIME = 0.5


class HouseholdWorld:
    """A household with a robot in it.

    Args:
        scene: what there is.
        clock: what time it is.
        faults: a fault script that replaces the scene's own.
        seed: decides the noise and whatever the scene leaves to chance.
        on_fault: told of every fault that strikes.
        abilities: what the robot can do, and by which rules; by default those of the scene's domain.

    Raises:
        FaultError: a line of the fault script makes no sense.

    Attributes:
        robot: the robot, for the agent.
        house: the truth, for judges and tests.
        illegal: every order that was refused.
    """

    def __init__(
        self,
        scene: Scene,
        clock: Clock,
        faults: Sequence[str] | None = None,
        seed: int = 0,
        on_fault: Callable[[Injected], None] | None = None,
        abilities: Mapping[str, Ability] | None = None,
    ) -> None:
        script = scene.faults if faults is None else faults
        self.scene = scene
        self.house = House(scene)
        self.illegal: list[Illegal] = []
        self._abilities = ABILITIES[scene.domain] if abilities is None else abilities
        self._at_work: list[_Doing] = []
        self._camera = Camera(self.house, scene.noise, scene.ontology, random.Random(f"noise/{seed}"))
        self._view = see(self.house)
        self._view_revision = self.house.revision
        self._reported: View | None = None
        self._delivered: View | None = None
        self._looked: list[tuple[Observation, View]] = []
        self._stage: Stage[deeds.Deed] = Stage(
            self,
            clock,
            parse_faults(script, lambda words: deeds.parse_deed(words, scene), sorted(self._abilities)),
            scene.chance,
            seed,
            on_fault,
        )
        self.robot = SimulatedRobot(scene.robot.name, scene.robot.hands, self._stage, self)

    # -- for whoever runs it -------------------------------------------------------------------------
    def advance(self) -> None:
        """Let everything happen that is due by now. Asking the robot anything does so too."""
        self._stage.advance()

    def holds(self, goal: Formula, names: Mapping[str, Pose] | None = None) -> bool:
        """Whether a goal is true in this world now, whatever anybody believes.

        Args:
            goal: its constants are names of the scene, or names in *names*.
            names: what the agent calls items of which it was not told, and where it believes them to be;
                such a name stands for the nearest item.
        """
        self.advance()
        return holds(self.house, goal, names or {})

    @property
    def injected(self) -> tuple[Injected, ...]:
        """Every fault that struck."""
        return tuple(self._stage.injected)

    @property
    def busy(self) -> bool:
        """Whether any action is under way."""
        return bool(self._at_work)

    # -- for the stage -----------------------------------------------------------------------------
    def begin(self, order: Order) -> Work:
        """Begin what an order says, or refuse it."""
        ability = self._abilities.get(order.skill)
        if ability is None:
            raise RobotError(
                f"{self.scene.robot.name} has no skill {order.skill!r}. "
                f"{suggest(order.skill, self._abilities)}"
            )
        attempt = understand(self.house, ability, order)
        hands = self._hands_for(ability, attempt)
        if any(doing.hands & hands for doing in self._at_work):
            return self._refuse(order, "robot-free", "the robot has to be done with what it does", ())
        broken = ability.broken(self.house, attempt)
        if broken is not None:
            return self._refuse(order, broken.name, broken.says, broken.shows(self.house, attempt))
        return _Doing(self.house, ability, attempt, hands, self._at_work)

    def _hands_for(self, ability: Ability, attempt: Attempt) -> frozenset[str]:
        """The hands that are busy meanwhile: all of them when the whole robot is."""
        if not ability.uses_hand:
            return frozenset(self.house.hands)
        held = attempt.things.get(ability.held) if ability.held is not None else None
        return frozenset((*attempt.hands, *(self.house.hands_with(held) if held is not None else ())))

    def do(self, deed: deeds.Deed) -> None:
        """Let somebody else do something."""
        deeds.do(deed, self.house)

    def chance_deed(self, kind: str, rng: random.Random) -> deeds.Deed | None:
        """Something of a kind that somebody might do."""
        return deeds.random_deed(kind, self.scene, rng)

    def show_deed(self, deed: deeds.Deed) -> str:
        """A deed in the language of fault scripts."""
        return deeds.show_deed(deed)

    def _refuse(self, order: Order, rule: str, says: str, shows: tuple[Key, ...]) -> Work:
        now = round(self._stage.now, 6)
        self.illegal.append(Illegal(now, order.skill, rule, self._could_know(shows), says))
        return _Refused(f"refused: {says} ({rule})")

    def _could_know(self, shows: tuple[Key, ...]) -> bool:
        """Whether the truth of all keys is in view now, and was so in the last view that was delivered."""
        delivered = self._delivered
        if delivered is None:
            return False
        now = self.view().facts
        return all(
            key in now and key in delivered.facts and delivered.facts[key] == now[key] for key in shows
        )

    # -- for the robot's eyes ----------------------------------------------------------------------
    def view(self) -> View:
        """What is in view now, in truth."""
        if self._view_revision != self.house.revision:
            self._view_revision = self.house.revision
            self._view = see(self.house)
        return self._view

    def look(self, request: LookRequest) -> Work:
        """Begin a look around; it reports all that is in view when it ends."""
        return _Looking(self)

    def observations(self) -> list[Observation]:
        """Looks that have ended, and the view if it differs from what was last reported."""
        observations = [observation for observation, _ in self._looked]
        if self._looked:
            self._reported = self._delivered = self._looked[-1][1]
            self._looked.clear()
        view = self.view()
        if view is not self._reported:
            if view != self._reported:
                observations.append(self._camera.observe(view, self._stage.now, "view"))
            self._reported = self._delivered = view
        return observations

    def forget_view(self) -> None:
        """Drop what was not reported, and report the view afresh next time."""
        self._looked.clear()
        self._reported = None

    def told_of(self, work: Work) -> None:
        """Report the view afresh after an action: a robot that says "done" may be wrong."""
        if not isinstance(work, _Looking):
            self._reported = None

    def finish_look(self) -> str:
        """Take down what a look sees. Returns why it failed; empty if it did not."""
        view = self.view()
        if view.node is None:
            return "nothing can be seen on the way"
        self._looked.append((self._camera.observe(view, self._stage.now, "look"), view))
        return ""


class _Doing:
    """An action of the household robot that is under way."""

    refusal = ""

    def __init__(
        self,
        house: House,
        ability: Ability,
        attempt: Attempt,
        hands: frozenset[str],
        at_work: list[_Doing],
    ) -> None:
        self.hands = hands
        self.duration = ability.seconds(house, attempt)
        self._house = house
        self._ability = ability
        self._attempt = attempt
        self._at_work = at_work
        at_work.append(self)
        if ability.begin is not None:
            ability.begin(house, attempt)

    def finish(self, half: bool = False) -> str:
        """Have the effect, unless somebody has made it impossible in the meantime."""
        broken = self._ability.broken(self._house, self._attempt, at_end=True)
        if broken is not None:
            self.abandon(0.0)
            return f"interrupted: {broken.says} ({broken.name})"
        self._at_work.remove(self)
        effect = self._ability.half if half else self._ability.effect
        if effect is not None:
            effect(self._house, self._attempt)
        return ""

    def abandon(self, progress: float) -> None:
        """Break it off."""
        self._at_work.remove(self)
        if self._ability.abandon is not None:
            self._ability.abandon(self._house, self._attempt, progress)


@dataclass(frozen=True, slots=True)
class _Refused:
    refusal: str
    duration: float = 0.0

    def finish(self, half: bool = False) -> str:
        return self.refusal

    def abandon(self, progress: float) -> None:
        return None


class _Looking:
    duration = LOOK_TIME
    refusal = ""

    def __init__(self, world: HouseholdWorld) -> None:
        self._world = world

    def finish(self, half: bool = False) -> str:
        return self._world.finish_look()

    def abandon(self, progress: float) -> None:
        return None
