"""Scenes on maps, in which planning suites plan, and plans in their words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from foretree.planning.maps.navigation import Navigation, NavigationError, find_navigation
from foretree.planning.pddl.syntax import PlanStep
from foretree.planning.task.object_selection import SupportRelations, find_support_relations
from foretree.simulation.household.plan_execution import WorldStep
from foretree.simulation.household.scene import Scene
from foretree.skills.catalogue import Catalogue
from foretree.world_model.maps.building_map import BuildingMap


@dataclass(frozen=True)
class MappedScene:
    """A scene on a map, and what can be done in it.

    Attributes:
        scene: as its file has it, before anything is scattered.
        floor: its map, with captions.
        catalogue: what can be done.
    """

    scene: Scene
    floor: BuildingMap
    catalogue: Catalogue

    @cached_property
    def navigation(self) -> Navigation:
        """Predicates and operators by which the domain moves robots.

        Raises:
            NavigationError: it does not.
        """
        found = find_navigation(self.catalogue.domain)
        if found is None:
            raise NavigationError(f"The domain {self.catalogue.domain.name} does not say how robots move.")
        return found

    @cached_property
    def resting(self) -> SupportRelations | None:
        """Predicates for things that rest on others; None if nothing carries anything."""
        return find_support_relations(self.catalogue.domain)

    def steps(self, plan: Iterable[PlanStep]) -> tuple[WorldStep, ...]:
        """A plan of the domain, with every way-point in it, as the robot carries it out."""
        return tuple(self._step(*step) for step in plan)

    def _step(self, operator: str, arguments: tuple[str, ...]) -> WorldStep:
        skill = self.catalogue[operator]
        given = dict(zip((p.name for p in skill.operator.parameters), arguments, strict=True))
        hands = tuple(given[p.name] for p in skill.operator.parameters if p.type == "hand")
        return WorldStep(
            skill.does, {role: given[f"?{parameter}"] for parameter, role in skill.roles.items()}, hands
        )
