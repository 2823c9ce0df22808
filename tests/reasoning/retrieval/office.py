"""The office floor and what lies on it, for the tests of retrieval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from foretree.clock import SimulatedClock
from foretree.config import find_config
from foretree.planning.pddl.syntax import Formula, Problem
from foretree.planning.task.problems import make_problem
from foretree.reasoning.retrieval.node_index import NodeIndex, index_building, where_things_are
from foretree.simulation.household.initial_belief import initial_belief
from foretree.simulation.household.scene import Item, Scene
from foretree.simulation.household.scene_file import load_scene
from foretree.skills.catalogue import Catalogue
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.maps.building_map import BuildingMap
from foretree.world_model.maps.map_file import load_map


@cache
def catalogue() -> Catalogue:
    return load_catalogue("tabletop")


@cache
def building() -> BuildingMap:
    return load_map(find_config("maps", "office"))


@cache
def scene() -> Scene:
    return load_scene(find_config("scenes", "office"), catalogue().ontology)


@dataclass(frozen=True)
class Office:
    """What an agent believes of the office floor."""

    beliefs: Snapshot
    index: NodeIndex
    costs: Mapping[str, int]

    @property
    def where(self) -> dict[str, str]:
        return where_things_are(self.beliefs, building().assets)

    def problem(self, goal: Formula) -> Problem:
        return make_problem(catalogue().domain, self.beliefs, goal, {}).problem


def office(items: Mapping[str, Item] = MappingProxyType({})) -> Office:
    """The floor as the scene has it, with other *items*."""
    return believed(replace(scene(), items={**scene().items, **items}))


def believed(there: Scene) -> Office:
    """What an agent that knows everything believes of a scene on the floor."""
    beliefs = initial_belief(there, SimulatedClock()).snapshot()
    costs = there.places.distances(there.robot.start)
    return Office(beliefs, index_building(building(), beliefs, catalogue().ontology, costs), costs)
