"""What is said of a map: the few predicates, and the function, that the program itself has to know.

As with the robot's body (:mod:`~foretree.world_model.robot_predicates`), domains may say what they like of
the map, but somebody must know how moving about is called. It is written here and nowhere else.
"""

from __future__ import annotations

#: ``(obj_at_node ?thing ?node)``: where a thing is that rests on nothing else.
OBJECT_AT = "obj_at_node"
#: ``(connected ?from ?to)``: one can go from one node to the next, now.
CONNECTED = "connected"
#: ``(has_door ?door ?from ?to)``: a door, open or closed, is on the way.
HAS_DOOR = "has_door"
#: ``(travel_cost ?from ?to)``: what the way costs.
TRAVEL_COST = "travel_cost"
