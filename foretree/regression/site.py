"""Where planning suites plan: a scene on a map, what can be done in it, and plans in its words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from foretree.planning.compression import Step as PlanStep
from foretree.planning.navigation import Navigation, NavigationError, find_navigation
from foretree.planning.selection import Resting, find_resting
from foretree.regression.planning_episode import Step
from foretree.simulation.scene import Scene
from foretree.skills.catalogue import Catalogue
from foretree.world_model.building_map import BuildingMap


@dataclass(frozen=True)
class Site:
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
        """How the domain speaks of moving about.

        Raises:
            NavigationError: it does not.
        """
        found = find_navigation(self.catalogue.domain)
        if found is None:
            raise NavigationError(f"The domain {self.catalogue.domain.name} does not say how robots move.")
        return found

    @cached_property
    def resting(self) -> Resting | None:
        """How the domain speaks of things that rest on others; None if nothing carries anything."""
        return find_resting(self.catalogue.domain)

    def steps(self, plan: Iterable[PlanStep], start: str) -> tuple[Step, ...]:
        """A plan of the domain as the robot carries it out.

        Args:
            plan: operators with their arguments, every way-point among them.
            start: the node where the robot stands before it.
        """
        found: list[Step] = []
        at = start
        for operator, arguments in plan:
            skill = self.catalogue[operator]
            given = dict(zip((p.name for p in skill.operator.parameters), arguments, strict=True))
            hands = tuple(given[p.name] for p in skill.operator.parameters if p.type == "hand")
            roles = {role: given[f"?{parameter}"] for parameter, role in skill.roles.items()}
            move = self.navigation.moves.get(operator)
            if move is not None:
                at = arguments[move.goal]
            found.append(Step(skill.does, at, roles, hands))
        return tuple(found)
