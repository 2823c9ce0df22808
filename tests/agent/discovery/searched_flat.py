"""A flat that is searched, as far as a robot knows it: without a body, an occupancy grid or a session."""

from types import SimpleNamespace

from py_trees.common import Status

from foretree.agent.discovery.object_search import ObjectSearch
from foretree.agent.discovery.topological_map import FloorEnd
from foretree.agent.mission import Mission
from foretree.agent.settings import Settings
from foretree.behaviours.explore import ChooseSearchTarget, LookAround
from foretree.clock import SimulatedClock
from foretree.planning.task.goals import parse_goal
from foretree.runs.events import Silent
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity, hand_free, has_hand, robot_at
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.tracking.tracker import Tracker


class Survey:
    """Knows the ends of the floor, and where things usually are, as it is told."""

    def __init__(self, home):
        self.home, self.corners, self.likely, self.seen_through = home, {}, {}, set()
        self.pieces = []
        self.tried_again = 0

    def ends(self):
        return self.corners

    def is_seen_through(self, end):
        return end in self.seen_through

    def try_again(self):
        self.tried_again += 1

    def chances(self, class_name):
        is_furniture = self.home.ontology.type_of(class_name) == "asset"
        beyond = {name: 0.3 * min(1.0, end.beyond) for name, end in self.corners.items()}
        at = {} if is_furniture else dict.fromkeys(self.pieces, 0.1)
        told = {node: chance for (kind, node), chance in self.likely.items() if kind == class_name}
        return beyond | at | told


class Flat:
    """What a robot knows of a flat, with furniture in a row, a metre apart."""

    def __init__(self, home, goal, *furniture, **settings):
        self.survey, self.looks, self.noted = Survey(home), [], []
        self.busy = {}
        self.belief, self.places = Belief(home.vocabulary), PlaceGraph()
        self.tracker = Tracker(self.belief, home.ontology, self.places, {"asset"})
        for name, kind in (("robot1", "robot"), ("hand", "hand")):
            self._meet(Entity(name, {kind: 1.0}, fixed=True))
        for atom in (has_hand(("robot1", "hand")), hand_free(("robot1", "hand"))):
            self.belief.tell(atom, source="map")
        self._node("here", "waypoint", 0.0)
        for number, name in enumerate(furniture, 1):
            self._node(name, name.rstrip("0123456789"), float(number))
            self.survey.pieces.append(name)
        self.belief.tell(robot_at("robot1", "here"), source="body")
        types = {name: entity.best_class for name, entity in self.belief.entities().items()}
        self.mission = Mission(goal=parse_goal(goal, home.domain, types).formula)
        self.context = SimpleNamespace(
            belief=self.belief,
            tracker=self.tracker,
            places=self.places,
            catalogue=home,
            recorder=Silent(),
            robot=SimpleNamespace(name="robot1"),
            node=lambda: "here",
            look=self._look,
            note_look=lambda atoms, since: self.noted.append(atoms),
            clock=SimulatedClock(),
            team=SimpleNamespace(coming_free=lambda: self.busy or None),
            settings=Settings(**{"look_round": False, **settings}),
            task=SimpleNamespace(functions={}),
        )
        self.search = ObjectSearch(self.context, self.mission, self.survey)

    def _meet(self, entity):
        add_entity(self.belief, self.tracker.ontology, entity, time=0.0, source="map")

    def _node(self, name, kind, x):
        extent = (x, 0.0, 0.0, x + 0.5, 0.5, 0.9) if kind != "waypoint" else None
        self._meet(Entity(name, {kind: 1.0}, (x, 0.0, 0.0), fixed=True, extent=extent))
        self.places.add(name, (x, 0.0, 0.0), "home", kind="asset" if extent else "pose")
        for other in list(self.places.places())[:-1]:
            self.places.connect(name, other.name, max(1, round(abs(x - other.pose[0]))))

    def furniture(self, name, x, classes):
        """A piece that looks like several classes."""
        extent = (x, 0.0, 0.0, x + 0.5, 0.5, 0.9)
        self._meet(Entity(name, classes, (x, 0.0, 0.0), fixed=True, extent=extent))
        self.places.add(name, (x, 0.0, 0.0), "home", kind="asset")
        self.places.connect(name, "here", max(1, round(x)))

    def corner(self, name, x, cell, beyond=4.0):
        self._node(name, "waypoint", x)
        self.survey.corners[name] = FloorEnd(cell, beyond)

    def seen(self, *regions):
        """Regions that were seen as a whole, from near by and from everywhere."""
        for region in regions:
            for number in range(10):
                self.tracker.viewpoints.covered(region, f"viewpoint {number}", 0.999)

    def thing(self, name, atom=None, classes=None):
        self._meet(Entity(name, classes or {name.rstrip("0123456789"): 1.0}, (0.0, 0.0, 0.0)))
        if atom:
            self.belief.tell(atom, source="look")

    def _look(self, atoms, why, widely=False, robot=""):
        lease = SimpleNamespace(id="x-1", end=None, poll=lambda: lease.end, cancel=lambda: None)
        self.looks.append((lease, why))
        return lease

    def choose(self, everywhere=False):
        leaf = ChooseSearchTarget(self.search, everywhere=everywhere)
        leaf.tick_once()
        return self.mission.looked_at[-1] if leaf.status is Status.SUCCESS else None

    def look_beyond(self):
        """What one looks at when one has got where the search leads; None if one does not look."""
        leaf = LookAround(self.context, self.search)
        leaf.tick_once()
        return self.looks[-1][1] if leaf.status is Status.RUNNING else None
