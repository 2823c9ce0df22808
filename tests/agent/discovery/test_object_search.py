"""Where to look for what is missing, in a home that nobody told of."""

from types import SimpleNamespace

import pytest
from py_trees.common import Status

from foretree.agent.discovery.missing_objects import Missing
from foretree.agent.discovery.object_search import ObjectSearch, SearchTarget
from foretree.agent.discovery.topological_map import FloorEnd
from foretree.agent.mission import Mission
from foretree.behaviours.explore import ChooseSearchTarget, LookAround, UntilSeen
from foretree.clock import SimulatedClock
from foretree.planning.pddl.syntax import Literal
from foretree.planning.task.goals import parse_goal
from foretree.runs.events import Silent
from foretree.skills.catalogue_file import load_catalogue
from foretree.skills.robot import End, Outcome
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity, hand_free, has_hand, robot_at
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.tracking.tracker import Tracker


@pytest.fixture(scope="module")
def home():
    return load_catalogue("home")


class Survey:
    """Knows the ends of the floor, and where things usually are, as it is told."""

    def __init__(self, home):
        self.home, self.corners, self.likely, self.seen_through = home, {}, {}, set()
        self.pieces = []

    def ends(self):
        return self.corners

    def is_seen_through(self, end):
        return end in self.seen_through

    def chances(self, class_name):
        is_furniture = self.home.ontology.type_of(class_name) == "asset"
        beyond = {name: 0.3 * min(1.0, end.beyond) for name, end in self.corners.items()}
        at = {} if is_furniture else dict.fromkeys(self.pieces, 0.1)
        told = {node: chance for (kind, node), chance in self.likely.items() if kind == class_name}
        return beyond | at | told


class Flat:
    """What a robot knows of a flat, with furniture in a row, a metre apart."""

    def __init__(self, home, goal, *furniture):
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


CLEAN_MUG = "(exists (?x - mug) (clean ?x))"


def test_the_nearest_of_places_that_are_as_likely_is_looked_at_first(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1", "counter2")
    assert flat.choose() == "counter1"
    assert flat.mission.subgoal == Literal(("inspected", "counter1"))


def test_where_there_is_more_hope_one_looks_first_though_it_is_farther(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1", "counter2", "cabinet1")
    flat.survey.likely["mug", "cabinet1"] = 0.9
    assert flat.choose() == "cabinet1"


def test_what_was_seen_all_of_is_not_looked_at(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1")
    flat.seen(("on", "counter1"))
    assert flat.choose() == "sink1"
    flat.seen(("in", "sink1"))
    assert flat.choose() is None
    assert flat.mission.reason == "a mug could not be found. Searched: sink1."


def test_a_place_that_does_not_show_all_of_itself_is_looked_at_a_few_times(home):
    flat = Flat(home, CLEAN_MUG, "sink1")
    looks = [flat.choose() for _ in range(10)]
    assert looks[:3] == ["sink1"] * 3
    assert looks[-1] is None


def test_missing_furniture_is_looked_for_beyond_the_known_only(home):
    flat = Flat(home, CLEAN_MUG, "counter1")
    flat.thing("mug1", ("on", "mug1", "counter1"))
    flat.corner("corner1", 8.0, (1, 1))
    assert flat.choose() == "corner1"
    assert flat.search.missing == (Missing("sink"),)
    assert flat.mission.subgoal == Literal(robot_at("robot1", "corner1"))
    assert flat.choose() is None, "it was gone to already"


def test_a_corner_that_leads_on_is_another(home):
    flat = Flat(home, "(exists (?x - sink ?y - mug) (in ?y ?x))")
    flat.corner("corner1", 1.0, (1, 1))
    assert flat.choose() == "corner1"
    flat.survey.corners["corner1"] = FloorEnd((5, 1), 4.0)
    assert flat.choose() == "corner1"


def test_a_certain_thing_may_be_wherever_it_was_not_missed(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1")
    flat.thing("mug1")
    flat.mission.goal = Literal(("clean", "mug1"))
    flat.belief.tell(("on", "mug1", "counter1"), False, confidence=0.99, source="look")
    assert flat.choose() == "sink1"


def test_of_what_all_are_wanted_is_looked_for_until_nothing_is_left(home):
    flat = Flat(home, "(forall (?x - mug) (clean ?x))", "sink1", "counter1")
    flat.thing("mug1", ("in", "mug1", "sink1"))
    flat.seen(("in", "sink1"), ("on", "counter1"))
    flat.corner("corner1", 2.0, (1, 1))
    assert flat.choose(everywhere=True) == "corner1"
    assert flat.mission.unsearched
    assert not flat.search.found()
    assert flat.choose(everywhere=True) is None
    assert not flat.mission.unsearched


def test_who_wants_one_does_not_look_for_all(home):
    flat = Flat(home, CLEAN_MUG, "sink1", "counter1")
    assert flat.choose(everywhere=True) is None
    assert not flat.mission.unsearched


def test_a_search_ends_when_what_is_missing_is_seen(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1")
    flat.choose()

    class Searching(LookAround):
        def update(self):
            return Status.RUNNING

    until = UntilSeen(Searching(flat.context), flat.search)
    until.tick_once()
    assert until.status is Status.RUNNING
    flat.thing("mug1", ("on", "mug1", "counter1"))
    until.tick_once()
    assert until.status is Status.SUCCESS
    assert until.feedback_message == "found a mug"


def test_one_looks_around_once_and_goes_on_whatever_comes_of_it(home):
    flat = Flat(home, CLEAN_MUG)
    leaf = LookAround(flat.context)
    leaf.tick_once()
    leaf.tick_once()
    assert leaf.status is Status.RUNNING
    ((lease, _),) = flat.looks
    lease.end = End(Outcome.FAILED, "it is dark")
    leaf.tick_once()
    assert leaf.status is Status.SUCCESS


def test_a_look_at_what_may_be_something_else_does_not_tell_that_no_look_will(home):
    flat = Flat(home, CLEAN_MUG)
    flat.search.target = SearchTarget("here", thing="cup1")
    leaf = LookAround(flat.context, flat.search)
    leaf.tick_once()
    ((lease, _),) = flat.looks
    lease.end = End(Outcome.DONE, "")
    leaf.tick_once()
    assert leaf.status is Status.SUCCESS
    assert flat.noted == []


def test_from_where_one_has_just_looked_nobody_looks_at_what_has_drawn_back(home):
    flat = Flat(home, CLEAN_MUG, "sink1")
    flat.seen(("in", "sink1"))
    flat.corner("corner1", 2.0, (1, 1))
    assert flat.choose() == "corner1"
    flat.survey.corners["corner1"] = FloorEnd((2, 1), 4.0)
    flat.context.node = lambda: "corner1"
    looked = list(flat.mission.looked_at)
    flat.choose()
    assert flat.mission.looked_at == looked
    flat.context.node = lambda: "here"
    assert flat.choose() == "corner1"


def test_where_it_may_have_been_overlooked_one_looks_again_before_giving_up(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1")
    flat.seen(("in", "sink1"))
    flat.tracker.viewpoints.covered(("on", "counter1"), "from the door", 0.75)
    assert flat.choose() == "counter1"


def test_what_may_be_what_is_missing_is_looked_at_from_near_by(home):
    flat = Flat(home, CLEAN_MUG, "sink1", "counter1")
    flat.seen(("in", "sink1"), ("on", "counter1"))
    flat.thing("cup1", ("on", "cup1", "counter1"), {"cup": 0.7, "mug": 0.3})
    flat.thing("cup2", ("on", "cup2", "counter1"), {"cup": 0.99, "mug": 0.01})
    assert flat.choose() == "cup1"
    assert flat.mission.subgoal == Literal(robot_at("robot1", "counter1"))
    assert flat.look_beyond() == "looks whether it is cup1 at counter1"


def test_what_has_gone_missing_is_looked_for_first_where_it_rested(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1", "counter2")
    flat.mission.goal = Literal(("clean", "mug1"))
    flat.thing("mug1")
    there = ("on", "counter2")
    flat.tracker.viewpoints.rests("mug1", (3.0, 0.0, 0.9), None, "here", there, 0.9, lambda region: region)
    flat.belief.tell(("on", "mug1", "counter2"), False, confidence=0.95, source="look")
    assert flat.choose() == "counter2"


def test_nobody_goes_to_an_end_of_the_floor_that_was_seen_through_on_the_way(home):
    flat = Flat(home, CLEAN_MUG)
    flat.corner("corner1", 2.0, (1, 1))
    assert flat.choose() == "corner1"

    class Going(LookAround):
        def update(self):
            return Status.RUNNING

    until = UntilSeen(Going(flat.context), flat.search)
    until.tick_once()
    assert until.status is Status.RUNNING
    flat.survey.seen_through.add("corner1")
    flat.busy = {"base": "x-1"}
    flat.thing("fork1")
    for _ in range(2):
        until.tick_once()
        assert until.status is Status.RUNNING, "it has not stopped yet"
        assert until.feedback_message.startswith("all that there is to see at corner1 has been seen")
    assert until.decorated.status is Status.INVALID
    flat.busy = {}
    until.tick_once()
    assert until.status is Status.SUCCESS
    assert flat.look_beyond() is None


def test_where_it_is_hardly_ever_nobody_looks_for_more_of_it(home):
    flat = Flat(home, "(forall (?x - mug) (clean ?x))", "fridge1")
    flat.survey.likely["mug", "fridge1"] = 0.01
    assert flat.choose(everywhere=True) is None
    needed = Flat(home, CLEAN_MUG, "fridge1", "sink1")
    needed.seen(("in", "sink1"))
    needed.survey.likely["mug", "fridge1"] = 0.01
    assert needed.choose() == "fridge1"


def test_one_of_all_that_is_found_nowhere_is_believed_never_to_have_been(home):
    flat = Flat(home, "(forall (?x - mug) (clean ?x))", "sink1", "table1")
    flat.seen(("in", "sink1"))
    flat.thing("mug1", ("in", "mug1", "sink1"))
    flat.thing("mug2")
    looked = []
    while flat.belief.entity("mug2") is not None:
        flat.choose()
        looked.append(flat.mission.looked_at[-1])
        assert len(looked) < 20
    assert "table1" in looked
    assert flat.mission.subgoal == Literal(robot_at("robot1", "here"))
    assert flat.belief.entity("mug1") is not None


def test_a_thing_that_the_goal_names_is_never_thought_a_mistake(home):
    flat = Flat(home, "(forall (?x - mug) (clean ?x))", "sink1")
    flat.seen(("in", "sink1"))
    flat.thing("mug1")
    types = {"mug1": "mug"}
    flat.mission.goal = parse_goal("(clean mug1)", home.domain, types).formula
    for _ in range(20):
        flat.choose()
    assert flat.belief.entity("mug1") is not None


def test_one_looks_beyond_a_corner_unless_it_was_found_on_the_way(home):
    flat = Flat(home, CLEAN_MUG, "sink1")
    flat.seen(("in", "sink1"))
    flat.corner("corner1", 2.0, (1, 1))
    flat.choose()
    beyond = LookAround(flat.context, flat.search)
    beyond.tick_once()
    assert beyond.status is Status.RUNNING
    flat.thing("mug1", ("in", "mug1", "sink1"))
    again = LookAround(flat.context, flat.search)
    again.tick_once()
    assert again.status is Status.SUCCESS
