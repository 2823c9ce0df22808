"""The topological map of an unmapped home: kept in step with what the robot has seen of the floor.

The occupancy map says which floor is free, the tracker which furniture there is. From both follow the nodes
that a plan speaks of, and what it costs to get from one to another:

* each piece of furniture is a node, from which a robot reaches it;
* so is the middle of each frontier, a limit of what was seen of the floor (``corner1``): going there shows
  what is beyond;
* where the robot stands is one (``here``) as long as it stands at none of the others.

A plan needs them when it is made, not at every step on the way. So the map is updated while the robot does
nothing, and while it acts only when new furniture was seen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from math import ceil, dist, hypot
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from foretree.agent.discovery._line_of_sight import is_in_sight
from foretree.agent.discovery._location_chances import location_chances
from foretree.planning.maps.navigation import MoveParameters
from foretree.planning.plan import Action
from foretree.skills.embodied.senses import Senses
from foretree.skills.executive.executive import Executive
from foretree.skills.robot import Robot
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import CONNECTED, OBJECT_AT, Atom, Entity, Pose, Truth, robot_at
from foretree.world_model.likely_places import LikelyPlaces
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.occupancy.distances import Indices, closed, step_costs
from foretree.world_model.occupancy.frontiers import Frontier, frontiers
from foretree.world_model.occupancy.occupancy_grid import Cell, CellState, OccupancyGrid, beside
from foretree.world_model.occupancy.paths import Costmap, ShortestPaths, make_costmap
from foretree.world_model.occupancy.standing_spots import cells_within_reach
from foretree.world_model.tracking.tracker import Tracker

if TYPE_CHECKING:
    from foretree.reasoning.dialogs.place_hints import PlaceHint

#: What the nodes are called that are no furniture, what they are, and which room all of it is.
HERE, CORNER, WAYPOINT, ROOM = "here", "corner", "waypoint", "home"
#: A robot handles what is so far from the cell that it stands on (metres along the grid).
_REACH = 1.25
#: It is still at a piece of furniture when it is so far from it (metres): it shifts about to handle things.
_STILL_AT = 1.75
#: A frontier that has moved by no more than this is the same (metres).
_SAME_FRONTIER = 1.0
#: No more of them are nodes, the most worthwhile ones.
_MAX_FRONTIERS = 6
#: Setting out and looking around on arrival cost as much as so many metres.
_DEPARTURE_COST = 1
#: While the robot does something, new furniture is taken note of at most so often (seconds).
_UPDATE_PERIOD = 2.0
#: What was tried so often without getting there cannot be reached, as long as it has no other surroundings.
_MAX_ATTEMPTS = 2
#: Revisions of the furniture and of the floor, where the robot stands, and how often it has failed.
_Sources: TypeAlias = "tuple[int, int, Cell, str | None, int]"
#: A frontier is one as long as this share of its cells has something unknown beside it.
_OPEN_SHARE = 0.25


class FloorEnd(NamedTuple):
    """An end of what is known of the floor.

    Attributes:
        middle: the cell in the middle of it.
        beyond: how many square metres there may be to see beyond it.
    """

    middle: tuple[int, int]
    beyond: float


class TopologicalMap:
    """Keeps the nodes of furniture, ``connected``, the costs of ways, and the robot's place in step with an
    occupancy grid.

    Args:
        tracker: knows the furniture, and what is believed.
        places: the map.
        robot: whose place it is.
        senses: what the robot knows of the floor.
        executive: knows whether the robot is doing anything.
        price: is told the costs of ways whenever they change.
        now: the time.
        moves: the operators that move a robot, with the places of their arguments.
        likely: knows where things usually are.

    Attributes:
        corners: the frontiers that are nodes, by name.
    """

    def __init__(
        self,
        tracker: Tracker,
        places: PlaceGraph,
        robot: Robot,
        senses: Senses,
        executive: Executive,
        price: Callable[[Mapping[Atom, int]], None],
        now: Callable[[], float],
        moves: Mapping[str, MoveParameters],
        likely: LikelyPlaces,
    ) -> None:
        self.corners: dict[str, Frontier] = {}
        self._belief, self._tracker, self._places = tracker.belief, tracker, places
        self._robot, self._senses, self._executive = robot, senses, executive
        self._price, self._now = price, now
        self._moves = moves
        self._likely = likely
        #: What the map was last updated from, and when; the same again would change nothing.
        self._updated_from: _Sources | None = None
        self._updated_at = float("-inf")
        self._pieces: dict[str, Entity] = {}
        self._areas: dict[str, frozenset[Cell]] = {}
        self._failed: dict[str, tuple[int, frozenset[Cell]]] = {}
        self._failures = 0
        self._vanished: dict[str, float] = {}

    # -- keeping in step ---------------------------------------------------------------------------
    def follow(self) -> list[str]:
        """Bring the map in step, if anything has changed; says which entities are new or have moved."""
        occupancy, stance = self._senses.occupancy, self._senses.stance
        busy = bool(self._executive.held())
        if self._updated_from is not None and busy and not self._is_urgent(self._updated_from):
            return []
        cell = occupancy.grid.cell_at(stance.x, stance.y)
        if self._sources(cell) == self._updated_from:
            return []
        changed = self._update(occupancy, cell, busy)
        self._updated_at = self._now()
        self._updated_from = self._sources(cell)
        return changed

    def _sources(self, cell: Cell) -> _Sources:
        """All that the map follows from; *cell* is where the robot stands."""
        revisions = self._tracker.furniture_revision, self._senses.occupancy.revision
        return (*revisions, cell, self._at(), self._failures)

    def failed(self, action: Action) -> None:
        """Take note that an action came to nothing: what cannot be got to in several attempts is out of
        reach."""
        move = self._moves.get(action.skill)
        node = action.arguments[move.goal] if move is not None else ""
        if node not in self._places:
            return
        around = self._areas.get(node, frozenset())
        tries, before = self._failed.get(node, (0, around))
        self._failed[node] = (tries + 1 if before == around else 1, around)
        self._failures += 1

    def try_again(self) -> None:
        """Forget what could not be got to, and where the body could not step: it may be otherwise by now."""
        self._senses.occupancy.doubt_obstacles()
        if self._failed:
            self._failed.clear()
            self._failures += 1

    def only_leads_to(self, way: Action, then: Action) -> bool:
        """Return whether *way* only leads to where another way, *then*, sets out from."""
        one, other = self._moves.get(way.skill), self._moves.get(then.skill)
        return (
            one is not None and other is not None and way.arguments[one.goal] == then.arguments[other.start]
        )

    def from_here(self, way: Action) -> Action:
        """*way* from where the robot stands."""
        start, at = self._moves[way.skill].start, self._at()
        if at is None or way.arguments[start] == at:
            return way
        arguments = (*way.arguments[:start], at, *way.arguments[start + 1 :])
        return replace(way, id="", arguments=arguments)

    def _is_urgent(self, updated_from: _Sources) -> bool:
        """Return whether new furniture is no node yet, and the last update was some time ago."""
        return (
            self._tracker.furniture_revision != updated_from[0]
            and self._now() >= self._updated_at + _UPDATE_PERIOD
            and any(piece.name not in self._places for piece in self._tracker.pieces())
        )

    def _update(self, occupancy: OccupancyGrid, cell: Cell, busy: bool) -> list[str]:
        """Bring the map in step. While the robot is *busy*, only what is new is told: where it set out from,
        and what led from there, is of no interest until it has arrived."""
        costmap = _standing_at(make_costmap(occupancy), cell)
        pieces = {piece.name: piece for piece in self._tracker.pieces() if piece.extent is not None}
        extents = [piece.extent for piece in pieces.values() if piece.extent is not None]
        areas = dict(zip(pieces, cells_within_reach(occupancy, costmap, extents, _REACH), strict=True))
        changed = self._update_furniture(pieces)
        if not busy:
            changed += self._update_frontiers(occupancy, costmap, cell)
        for name, corner in self.corners.items():
            areas[name] = _flat(costmap, corner.spot)
        if not busy:
            changed += self._update_robot(occupancy, cell)
        at = self._at()
        if at is not None and at not in pieces:
            areas[at] = _flat(costmap, cell)
        self._areas = {name: _cells(costmap, area) for name, area in areas.items()}
        if at in pieces and self._is_still_at(at, occupancy, cell):
            # It has shifted about to handle things, maybe to where a robot would not go to do so.
            areas[at] = np.union1d(areas[at], _flat(costmap, cell))
        self._connect(areas, costmap, at, separating=not busy)
        return changed

    def ends(self) -> Mapping[str, FloorEnd]:
        """Each frontier, by the name of the node from which one looks beyond it."""
        square = self._senses.occupancy.grid.cell**2
        return {
            name: FloorEnd(frontier.centre, frontier.beyond * square)
            for name, frontier in self.corners.items()
        }

    def is_seen_through(self, end: str) -> bool:
        """Return whether most of the cells at a frontier have nothing unknown beside them any more."""
        frontier = self.corners.get(end)
        if frontier is None:
            return True
        occupancy = self._senses.occupancy
        open_still = sum(
            any(occupancy.state(other) is CellState.UNKNOWN for other in beside(cell))
            for cell in frontier.cells
        )
        return open_still < _OPEN_SHARE * len(frontier.cells)

    def chances(self, class_name: str) -> Mapping[str, float]:
        """Return how likely another object of a class is at each piece of furniture or beyond a frontier."""
        ends = {name: end.beyond for name, end in self.ends().items()}
        return location_chances(class_name, self._tracker, self._likely, ends)

    def expect(self, hints: Iterable[PlaceHint]) -> None:
        """Look first where a person has said that things are."""
        for hint in hints:
            self._likely.hint(hint.thing, hint.place, hint.alike)

    # -- the nodes ---------------------------------------------------------------------------------
    def _update_furniture(self, pieces: Mapping[str, Entity]) -> list[str]:
        """Make a node of every piece of furniture, and of nothing that is none any more."""
        for name in [name for name in self._pieces if name not in pieces]:
            self._drop(name)
        self._pieces = dict(pieces)
        added = []
        for name, piece in pieces.items():
            assert piece.pose is not None
            if name in self._places:
                self._places.move(name, piece.pose)
                continue
            self._places.add(name, piece.pose, ROOM, kind="asset")
            if OBJECT_AT in self._belief.vocabulary.predicates:
                self._tell((OBJECT_AT, name, name))
            added.append(name)
        return added

    def _update_frontiers(self, occupancy: OccupancyGrid, costmap: Costmap, cell: Cell) -> list[str]:
        """Make nodes of the most worthwhile frontiers; one that has only moved a little keeps its name."""
        found = frontiers(occupancy, ShortestPaths(costmap, cell))[:_MAX_FRONTIERS]
        before, self.corners = self.corners, {}
        changed = []
        for frontier in found:
            spot = occupancy.grid.centre(frontier.spot)
            near = [
                (dist(spot, occupancy.grid.centre(old.spot)), name)
                for name, old in before.items()
                if name not in self.corners
            ]
            away, name = min(near, default=(float("inf"), ""))
            if away > _SAME_FRONTIER:
                name = self._tracker.new_name(CORNER)
            self.corners[name] = frontier
            if self._put(name, (*spot, 0.0)):
                changed.append(name)
        self._forget_vanished({name for name in before if name not in self.corners})
        return changed

    def _forget_vanished(self, vanished: Collection[str]) -> None:
        """Make no nodes any more of frontiers that have vanished; not at once, for the robot may be on the
        way."""
        now = self._now()
        at = self._at()
        gone = (name for name, time in self._vanished.items() if now - time > _UPDATE_PERIOD and name != at)
        for name in list(gone):
            del self._vanished[name]
            self._drop(name)
            self._belief.remove_entity(name)
        for name in sorted(vanished):
            self._vanished[name] = now

    def _update_robot(self, occupancy: OccupancyGrid, cell: Cell) -> list[str]:
        """Say at which node the robot stands."""
        at = self._at()
        if at is not None and at != HERE and at in self._places and self._is_still_at(at, occupancy, cell):
            return []
        x, y = occupancy.grid.centre(cell)
        moved = self._put(HERE, (x, y, 0.0))
        atom = robot_at(self._robot.name, HERE)
        if self._belief.truth(atom) is not Truth.TRUE:
            self._belief.tell(atom, time=self._now(), source="body")
        return [HERE] if moved else []

    def _is_still_at(self, node: str, occupancy: OccupancyGrid, cell: Cell) -> bool:
        x, y = occupancy.grid.centre(cell)
        piece = self._pieces.get(node)
        if piece is not None and piece.extent is not None:
            x0, y0, _, x1, y1, _ = piece.extent
            return hypot(max(x0 - x, x - x1, 0.0), max(y0 - y, y - y1, 0.0)) <= _STILL_AT
        return dist(self._places.place(node).pose[:2], (x, y)) <= _STILL_AT

    def _put(self, name: str, pose: Pose) -> bool:
        """Have a node somewhere that is no furniture; whether that is news."""
        pose = (round(pose[0], 3), round(pose[1], 3), pose[2])
        if name in self._places and self._places.place(name).pose == pose:
            return False
        entity = Entity(name, {WAYPOINT: 1.0}, pose, self._now(), fixed=True)
        if name in self._places:
            self._places.move(name, pose)
            self._belief.put_entity(entity)
        else:
            self._places.add(name, pose, ROOM)
            add_entity(self._belief, self._tracker.ontology, entity, time=self._now(), source="map")
        return True

    def _drop(self, name: str) -> None:
        if name not in self._places:
            return
        for other in self._places.neighbours(name):
            self._belief.retract([(CONNECTED, name, other), (CONNECTED, other, name)])
        self._places.remove(name)
        self._failed.pop(name, None)

    # -- the ways ----------------------------------------------------------------------------------
    def _connect(
        self, areas: Mapping[str, Indices], costmap: Costmap, at: str | None, *, separating: bool
    ) -> None:
        names = [
            name for name in areas if name in self._places and (name == at or not self._is_out_of_reach(name))
        ]
        revision = self._places.revision
        steps = closed(step_costs(costmap.costs, [areas[name] for name in names]))
        costs = np.ceil(steps * costmap.grid.cell).tolist()
        lone = [place.name for place in self._places.places() if place.name not in {*names}]
        for name in lone if separating else ():
            for other in self._places.neighbours(name):
                self._separate(name, other)
        for row, one in enumerate(names):
            for column in range(row + 1, len(names)):
                metres = min(costs[row][column], costs[column][row])
                if separating or metres < float("inf"):
                    self._join(one, names[column], metres)
        if self._places.revision != revision:
            self._price(self._places.travel_costs())

    def _join(self, one: str, other: str, metres: float) -> None:
        passage = self._places.passage(one, other)
        if metres == float("inf"):
            if passage is not None:
                self._separate(one, other)
            return
        cost = _DEPARTURE_COST + ceil(metres)
        if passage is not None:
            if passage.cost == cost:
                return
            self._places.disconnect(one, other)
        self._places.connect(one, other, cost)
        if passage is None:
            self._tell((CONNECTED, one, other))
            self._tell((CONNECTED, other, one))

    def _separate(self, one: str, other: str) -> None:
        self._places.disconnect(one, other)
        self._belief.retract([(CONNECTED, one, other), (CONNECTED, other, one)])

    def _is_out_of_reach(self, name: str) -> bool:
        tries, around = self._failed.get(name, (0, frozenset()))
        return tries >= _MAX_ATTEMPTS and around == self._areas.get(name)

    def _at(self) -> str | None:
        at = self._belief.snapshot().placement("body", self._robot.name)
        return at[-1] if at is not None else None

    def _tell(self, atom: Atom) -> None:
        self._belief.tell(atom, time=self._now(), source="map")

    def in_sight(self, atom: Atom) -> bool:
        """Return whether a look from here could tell about *atom*: it is about what is near, not hidden."""
        return is_in_sight(atom, self._belief.snapshot(), self._robot, self._senses)


def _standing_at(costmap: Costmap, cell: Cell) -> Costmap:
    """The costmap, with room for the body on the cell where it stands."""
    at = costmap.index(cell)
    if at is not None and not np.isfinite(costmap.costs[at]):
        prices = costmap.costs.copy()
        prices[at] = 1.0
        return Costmap(costmap.grid, costmap.origin, prices)
    return costmap


def _flat(costmap: Costmap, cell: Cell) -> Indices:
    at = costmap.index(cell)
    flat = [] if at is None else [at[0] * costmap.costs.shape[1] + at[1]]
    return np.array(flat, dtype=np.intp)


def _cells(costmap: Costmap, area: Indices) -> frozenset[Cell]:
    width = costmap.costs.shape[1]
    i0, j0 = costmap.origin
    return frozenset((i0 + at // width, j0 + at % width) for at in area.tolist())
