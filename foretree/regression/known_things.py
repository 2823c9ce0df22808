"""What the robot of a planning suite knows before it is asked for anything: where things are."""

from __future__ import annotations

from foretree.planning.syntax import Formula, constants_of
from foretree.reasoning.retrieval.node_index import NodeIndex, SeenThing, index_assets
from foretree.regression.site import Site
from foretree.simulation.things import House


def known_things(site: Site, house: House) -> NodeIndex:
    """The furniture of a building with what the robot knows to be at each piece: in this case, everything."""
    things: dict[str, list[SeenThing]] = {}
    names = {thing_id: name for name, thing_id in house.names.items()}
    for thing in house.items():
        if not house.in_hand(thing):
            seen = SeenThing(names[thing.id], thing.class_name)
            things.setdefault(house.node_of(thing) or "", []).append(seen)
    ways = site.scene.places.distances(house.node or house.last_node)
    return index_assets(site.floor, things, site.catalogue.ontology, ways)


def named_nodes(goal: Formula, index: NodeIndex) -> set[str]:
    """The nodes that *goal* names, and those of the things that it names."""
    named = constants_of(goal)
    return {
        node.name
        for node in index.nodes.values()
        if node.name in named or any(thing.name in named for thing in node.things)
    }
