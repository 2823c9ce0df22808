"""What the robot of a planning suite knows of where things are, and what of that a task needs."""

from __future__ import annotations

from foretree.planning.pddl.syntax import Formula, constants_of
from foretree.reasoning.retrieval.node_index import NodeIndex, SeenThing, index_assets
from foretree.reasoning.retrieval.retriever import Retrieved, Retriever
from foretree.regression.planning._mapped_scene import MappedScene
from foretree.regression.planning.suite import PlanningTask
from foretree.simulation.household.household_state import House


def known_things(site: MappedScene, house: House) -> NodeIndex:
    """The furniture of a building with what the robot knows to be at each piece: in this case, everything."""
    things: dict[str, list[SeenThing]] = {}
    names = {thing_id: name for name, thing_id in house.names.items()}
    for thing in house.items():
        if not house.in_hand(thing):
            seen = SeenThing(names[thing.id], thing.class_name)
            things.setdefault(house.node_of(thing) or "", []).append(seen)
    ways = site.scene.places.distances(house.last_node)
    return index_assets(site.floor, things, site.catalogue.ontology, ways)


def needed(task: PlanningTask, retriever: Retriever, index: NodeIndex) -> tuple[Retrieved, set[str]]:
    """What is retrieved for a task, and the nodes of that and of what its goal names."""
    found = retriever.retrieve(task.instruction, index)
    return found, {*found.nodes, *_named_nodes(task.goal, index)}


def _named_nodes(goal: Formula, index: NodeIndex) -> set[str]:
    """The nodes that *goal* names, and those of the things that it names."""
    named = constants_of(goal)
    return {
        node.name
        for node in index.nodes.values()
        if node.name in named or any(thing.name in named for thing in node.things)
    }
