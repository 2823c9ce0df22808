"""A kitchen in which nothing lies about, and putting things into it."""

from __future__ import annotations

from foretree.simulation.grid_homes.episode import EpisodeSpec
from foretree.simulation.grid_homes.home import Placement

#: A kitchen in which nothing lies about: furniture alone.
EMPTY = EpisodeSpec("l_kitchen/1", 1, things=1, mode="fixed", noise=0.0)
#: Of its furniture: a counter in one corner, another across the room from it, and what is between them.
COUNTER, FAR_COUNTER, CABINET, FRIDGE, TABLE = "t4", "t7", "t6", "t8", "t13"


def spot(home, class_name, place, relation):
    support = home[place]
    x0, y0, z0, x1, y1, z1 = support.extent
    middle = (x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2
    found = home.spot(home.classes.items[class_name].size, support, relation, middle)
    assert found is not None
    return Placement(relation, place), found


def lay(home, class_name, place, relation="on"):
    """Put a new thing somewhere."""
    colour = home.classes.items[class_name].colour
    return home.add(class_name, set(), colour, *spot(home, class_name, place, relation))


def carry(home, thing, place, relation="on"):
    """Bring a thing elsewhere."""
    home.put(thing, *spot(home, thing.class_name, place, relation))
