"""A house as planning suites see it: it carries plans out, and tells whether a goal is true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from foretree.planning.pddl.syntax import Formula
from foretree.simulation.household.goal_oracle import holds
from foretree.simulation.household.household_state import House, HouseholdObject
from foretree.simulation.household.plan_execution import WorldStep, execute


@dataclass(frozen=True)
class TrueWorld:
    """The truth, and what can be done to it."""

    house: House

    def carry_out(self, steps: Sequence[WorldStep]) -> str:
        """Do *steps*, one after the other; what is wrong with the first that cannot be done, or nothing."""
        refusal = execute(self.house, steps).refusal
        return str(refusal) if refusal is not None else ""

    def disturb(self, rng: Random, doors: bool) -> None:
        """Push the robot to another node, and if there are *doors*, shut or open one of them.

        It stays within reach of something to put things down on: shut in with its hands full, it could do
        nothing at all.
        """
        house = self.house
        house.arrive(rng.choice(sorted(self._within_reach())))
        if doors:
            for name in rng.sample(sorted(house.scene.doors), len(house.scene.doors)):
                door = house.named(name)
                house.set_state(door, "open", not door.is_open)
                if any(thing.affords("surface") for thing in self._furniture_within_reach()):
                    return
                house.set_state(door, "open", not door.is_open)

    def holds(self, goal: Formula) -> bool:
        """Return whether a goal is true."""
        return holds(self.house, goal, {})

    def _within_reach(self) -> Iterable[str]:
        house = self.house
        return house.scene.places.distances(house.last_node, lambda door: house.named(door).is_open)

    def _furniture_within_reach(self) -> Iterator[HouseholdObject]:
        reached = set(self._within_reach())
        return (thing for thing in self.house.furniture() if self.house.node_of(thing) in reached)
