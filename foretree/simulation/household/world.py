"""The embedded household, or building: a world with its own truth and its own rules.

It is deterministic: the same scene, seed and calls at the same times give the same world. It refuses what its
rules do not allow, and keeps a list of what it refused, with whether the agent could have known better.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from foretree.clock import Clock
from foretree.errors import suggest
from foretree.planning.pddl.syntax import Formula
from foretree.simulation._simulated_world import SimulatedWorld
from foretree.simulation.action_timing import Illegal, InjectedFault, SimulatedAction
from foretree.simulation.faults.fault_script import ActionMode, Fault, parse_faults
from foretree.simulation.household._camera import NoisyDetector, TrueView, true_view
from foretree.simulation.household._disturbances import (
    HouseholdDisturbance,
    parse_disturbance,
    random_disturbance,
)
from foretree.simulation.household.goal_oracle import holds
from foretree.simulation.household.household_state import House, Key
from foretree.simulation.household.rules import ABILITIES, Ability, ResolvedOrder, resolve_order
from foretree.simulation.household.rules.helpful_people import ASKING, NoAnswer, PersonActs, PersonRefuses
from foretree.simulation.household.scene import Scene, UnreliableAction
from foretree.skills.robot import Order, Robot, RobotError
from foretree.world_model.beliefs.facts import Pose
from foretree.world_model.observation import Observation

#: How far the seeds of teammates are apart.
_SEEDS_APART = 1_000_003


class HouseholdWorld(SimulatedWorld[HouseholdDisturbance]):
    """A household with a robot in it; its teammates are worlds of their own, with the same things in them.

    Args:
        scene: the start state.
        clock: the time.
        faults: a fault script that replaces the scene's own.
        seed: of the noise and of faults that strike by chance.
        on_fault: called with every fault that strikes.
        abilities: skills of the robots, by name; by default those of the scene's domain.
        house: the house as a teammate sees it; by default a new one, seen by the scene's first robot.

    Raises:
        FaultError: a line of the fault script makes no sense.

    Attributes:
        house: the truth.
        teammates: what the other robots of the scene act in.
    """

    def __init__(
        self,
        scene: Scene,
        clock: Clock,
        faults: Sequence[str] | None = None,
        seed: int = 0,
        on_fault: Callable[[InjectedFault], None] | None = None,
        abilities: Mapping[str, Ability] | None = None,
        house: House | None = None,
    ) -> None:
        self.scene = scene
        self.house = house or House(scene)
        known = ABILITIES[scene.domain] if abilities is None else abilities
        mine = self.house.robot.skills
        self._abilities = {
            name: one for name, one in known.items() if mine is None or (one.side_of or name) in mine
        }
        self._known_abilities = known
        self._running: list[_AbilityAction] = []
        self._detector = NoisyDetector(self.house, random.Random(f"noise/{seed}"))
        self._view = true_view(self.house)
        self._view_revision = self.house.revision
        self._reported: TrueView | None = None
        self._delivered: TrueView | None = None
        self._looked: list[tuple[Observation, TrueView]] = []
        script = self.read_faults(scene.faults if faults is None else faults)
        body = self.house.robot
        super().__init__(body.name, body.hands, clock, script, scene.chance, seed, on_fault)
        self.teammates: tuple[HouseholdWorld, ...] = ()
        if house is None:
            self.teammates = tuple(
                self._teammate(mate.name, seed + number * _SEEDS_APART, clock, on_fault)
                for number, mate in enumerate(scene.teammates, 1)
            )

    def _teammate(
        self, name: str, seed: int, clock: Clock, on_fault: Callable[[InjectedFault], None] | None
    ) -> HouseholdWorld:
        """World for another robot. What it is refused and what goes wrong counts here; the fault script is
        about the first robot."""
        mate = HouseholdWorld(
            self.scene, clock, (), seed, on_fault, self._known_abilities, self.house.seen_by(name)
        )
        mate.illegal, mate.injected = self.illegal, self.injected
        return mate

    def read_faults(self, lines: Sequence[str]) -> tuple[Fault[HouseholdDisturbance], ...]:
        """Read a fault script."""
        return parse_faults(
            lines, lambda words: parse_disturbance(words, self.scene), sorted(self._known_abilities)
        )

    @property
    def robots(self) -> tuple[Robot, ...]:
        """All robots, the first of the scene first."""
        return (self.robot, *(mate.robot for mate in self.teammates))

    @property
    def skills(self) -> tuple[str, ...]:
        """The skills that the robot can be told."""
        return (*self._abilities, *(("ask",) if self.scene.helpers else ()))

    def holds(self, goal: Formula, names: Mapping[str, Pose] | None = None) -> bool:
        """Return whether a goal is true in this world now, independent of any belief.

        Args:
            goal: its constants are names of the scene, or names in *names*.
            names: the agent's own names of items, and where it believes them to be; such a name stands for
                the nearest item.
        """
        for world in (self, *self.teammates):
            world.advance()
        return holds(self.house, goal, names or {})

    @property
    def busy(self) -> bool:
        """Return whether any action is under way."""
        return bool(self._running) or any(mate.busy for mate in self.teammates)

    # -- actions -----------------------------------------------------------------------------------
    def begin(self, order: Order) -> SimulatedAction:
        """Begin an order, or refuse it."""
        if order.skill == "ask":
            return self._ask(order)
        ability = self._abilities.get(order.skill)
        if ability is None:
            raise RobotError(
                f"{self.house.robot.name} has no skill {order.skill!r}. "
                f"{suggest(order.skill, self._abilities)}"
            )
        resolved = resolve_order(self.house, ability, order)
        hands = self._busy_hands(ability, resolved)
        if any(action.hands & hands for action in self._running):
            return self._refuse(order, "robot-free", "the robot has to be done with what it does", ())
        broken = ability.broken(self.house, resolved)
        if broken is not None:
            return self._refuse(order, broken.name, broken.says, broken.shows(self.house, resolved))
        return _AbilityAction(self.house, ability, resolved, hands, self._running)

    def _ask(self, order: Order) -> SimulatedAction:
        """Ask a person to do something."""
        resolved = resolve_order(self.house, ASKING, order)
        broken = ASKING.broken(self.house, resolved)
        if broken is not None:
            return self._refuse(order, broken.name, broken.says, broken.shows(self.house, resolved))
        person = self.scene.helpers.get(self.house.name_of(resolved.thing("person")))
        wanted = str(order.parameters.get("action", ""))
        ability = self._known_abilities.get(wanted)
        willing = person is not None and person.answers == "done" and wanted in person.helps
        if person is not None and person.answers == "silent":
            return NoAnswer()
        if ability is None or not willing:
            return PersonRefuses()
        return PersonActs(self.house, ability, order, person.seconds if person is not None else 0.0)

    def _busy_hands(self, ability: Ability, resolved: ResolvedOrder) -> frozenset[str]:
        """The hands that are busy meanwhile: all of them when the whole robot is."""
        if not ability.uses_hand:
            return frozenset(self.house.hands)
        held = resolved.things.get(ability.held) if ability.held is not None else None
        return frozenset((*resolved.hands, *(self.house.hands_with(held) if held is not None else ())))

    def _refuse(self, order: Order, rule: str, says: str, evidence: tuple[Key, ...]) -> SimulatedAction:
        in_view = self._was_in_view(evidence)
        self.illegal.append(Illegal(round(self.now, 6), order.skill, rule, in_view, says))
        refused = SimulatedAction()
        refused.refusal = f"refused: {says} ({rule})"
        return refused

    def _was_in_view(self, evidence: tuple[Key, ...]) -> bool:
        """Return whether all evidence is in view now, with the same values as in the last delivered view."""
        if self._delivered is None:
            return False
        now, delivered = self.view().facts, self._delivered.facts
        return all(key in now and key in delivered and delivered[key] == now[key] for key in evidence)

    def apply(self, disturbance: HouseholdDisturbance) -> None:
        """Change the house as a disturbance says."""
        disturbance.apply(self.house)

    def random_disturbance(self, kind: str, rng: random.Random) -> HouseholdDisturbance | None:
        """Draw a disturbance of a kind; None if the scene has nothing that it could be done to."""
        return random_disturbance(kind, self.scene, rng)

    def weakness(self, action: SimulatedAction, rng: random.Random) -> ActionMode | None:
        """Draw whether an action fails that the scene calls unreliable."""
        for entry in self.scene.unreliable:
            if isinstance(action, _AbilityAction) and action.is_of(entry) and rng.random() < entry.fails:
                return entry.how
        return None

    # -- observations ------------------------------------------------------------------------------
    def view(self) -> TrueView:
        """Return what is in view now, in truth."""
        if self._view_revision != self.house.revision:
            self._view_revision = self.house.revision
            self._view = true_view(self.house)
        return self._view

    def finish_look(self) -> str:
        """Observe all that is in view. Returns why it failed; empty if it did not."""
        view = self.view()
        if view.node is None:
            return "nothing can be seen on the way"
        self._looked.append((self._detector.observe(view, self.now, "look"), view))
        return ""

    def observations(self) -> list[Observation]:
        """Looks that have ended, and the view if it differs from what was last reported."""
        observations = [observation for observation, _ in self._looked]
        if self._looked:
            self._reported = self._delivered = self._looked[-1][1]
            self._looked.clear()
        view = self.view()
        if view is not self._reported:
            if view != self._reported:
                observations.append(self._detector.observe(view, self.now, "view"))
            self._reported = self._delivered = view
        return observations

    def forget_view(self) -> None:
        """Drop what was not reported, and report the view afresh next time."""
        self._looked.clear()
        self._reported = None

    def report_afresh(self, action: SimulatedAction) -> None:
        """Report the view again after an action, since its reported end may be wrong."""
        self._reported = None


class _AbilityAction(SimulatedAction):
    """An action of the household robot that is under way."""

    def __init__(
        self,
        house: House,
        ability: Ability,
        resolved: ResolvedOrder,
        hands: frozenset[str],
        running: list[_AbilityAction],
    ) -> None:
        self.hands = hands
        self.duration = ability.seconds(house, resolved)
        self._house = house
        self._ability = ability
        self._resolved = resolved
        self._running = running
        running.append(self)
        if ability.begin is not None:
            ability.begin(house, resolved)

    def is_of(self, entry: UnreliableAction) -> bool:
        """Return whether it is one of those that an entry of the scene means."""
        named = entry.object and self._house.names[entry.object]
        things = (thing.id for thing in self._resolved.things.values() if thing is not None)
        return self._resolved.order.skill == entry.action and (not named or named in things)

    def finish(self, half: bool = False) -> str:
        """Apply the effect, unless a rule has been broken in the meantime."""
        broken = self._ability.broken(self._house, self._resolved, at_end=True)
        if broken is not None:
            self.abandon(0.0)
            return f"interrupted: {broken.says} ({broken.name})"
        self._running.remove(self)
        effect = self._ability.half if half else self._ability.effect
        if effect is not None:
            effect(self._house, self._resolved)
        return ""

    def abandon(self, progress: float) -> None:
        """Break it off."""
        self._running.remove(self)
        if self._ability.abandon is not None:
            self._ability.abandon(self._house, self._resolved, progress)
