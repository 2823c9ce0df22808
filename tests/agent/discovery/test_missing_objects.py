"""What a goal takes that nobody knows of yet."""

import pytest

from foretree.agent.discovery.missing_objects import Missing, all_wanted, is_somewhere, what_is_missing
from foretree.planning.pddl.syntax import Literal
from foretree.planning.task.goals import parse_goal
from foretree.planning.task.problems import ProblemError
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity, hand_free, has_hand, robot_at
from foretree.world_model.maps.places import PlaceGraph


@pytest.fixture(scope="module")
def home():
    return load_catalogue("home")


class Known:
    """What a robot knows that stands in a kitchen: furniture in a row, and things there."""

    def __init__(self, home):
        self.home = home
        self.belief, self.places = Belief(home.vocabulary), PlaceGraph()
        for name, kind in (("robot1", "robot"), ("hand", "hand")):
            self._meet(name, kind)
        for atom in (has_hand(("robot1", "hand")), hand_free(("robot1", "hand"))):
            self.belief.tell(atom, source="map")

    def _meet(self, name, kind, fixed=True):
        entity = Entity(name, {kind: 1.0}, (0.0, 0.0, 0.0), fixed=fixed)
        add_entity(self.belief, self.home.ontology, entity, time=0.0, source="map")

    def furniture(self, *names):
        for name in names:
            self._meet(name, name.rstrip("0123456789"))
            self.places.add(name, (float(len(self.places)), 0.0, 0.0), "home", kind="asset")
            for other in list(self.places.places())[:-1]:
                self.places.connect(name, other.name, 1 + len(self.places))
                for atom in self.places.passage(name, other.name).connections():
                    self.belief.tell(atom, source="map")
        self.belief.tell(robot_at("robot1", names[0]), source="body")
        return self

    def thing(self, name, relation="", place="", *states):
        self._meet(name, name.rstrip("0123456789"), fixed=False)
        if relation:
            self.belief.tell((relation, name, place), source="look")
        for state in states:
            self.belief.tell((state, name), source="look")
        return self

    def missing(self, goal):
        types = {name: entity.best_class for name, entity in self.belief.entities().items()}
        formula = parse_goal(goal, self.home.domain, types).formula
        found = what_is_missing(
            formula, self.belief.snapshot(), self.home.domain, self.home.ontology, self.places, "counter1"
        )
        return sorted(map(str, found))


ON_A_TABLE = "(exists (?x - mug ?y - table) (on ?x ?y))"


def test_nothing_is_missing_where_everything_is_known(home):
    assert (
        Known(home).furniture("counter1", "table1").thing("mug1", "on", "counter1").missing(ON_A_TABLE) == []
    )


def test_things_are_missing_and_so_is_furniture(home):
    assert Known(home).furniture("counter1").missing(ON_A_TABLE) == ["a mug", "a table"]
    assert Known(home).furniture("counter1", "table1").missing(ON_A_TABLE) == ["a mug"]


def test_a_thing_that_is_nowhere_is_missing_by_its_name(home):
    lost = Known(home).furniture("counter1", "table1").thing("mug1")
    assert lost.missing("(on mug1 table1)") == ["mug1"]


def test_what_a_state_takes_is_missing_as_well(home):
    known = Known(home).furniture("counter1", "table1").thing("apple1", "on", "counter1")
    assert known.missing("(hot apple1)") == ["a microwave"]
    assert known.missing("(clean apple1)") == ["a sink"]
    assert known.missing("(cold apple1)") == ["a fridge"]
    assert known.missing("(sliced apple1)") == ["a knife"]


def test_what_is_known_is_preferred_however_far_away_it_is(home):
    known = (
        Known(home)
        .furniture("counter1", "bin1", "shelf1", "sofa1", "microwave1")
        .thing("mug1", "on", "counter1")
    )
    assert known.missing("(hot mug1)") == []


def test_of_what_is_counted_the_others_are_missing(home):
    known = Known(home).furniture("counter1", "table1").thing("pen1", "on", "counter1")
    assert known.missing("(exists (?y - table) (at-least 2 (?x - pen) (on ?x ?y)))") == ["another pen"]


def test_slices_are_cut_off_what_is_missing(home):
    known = Known(home).furniture("counter1", "table1").thing("plate1", "on", "table1")
    assert known.missing("(exists (?x - bread_slice) (on ?x plate1))") == ["a bread", "a knife"]


def test_the_name_of_nothing_is_a_mistake(home):
    known = Known(home).furniture("counter1")
    snapshot = known.belief.snapshot()
    with pytest.raises(ProblemError):
        what_is_missing(
            Literal(("clean", "mug9")), snapshot, home.domain, home.ontology, known.places, "counter1"
        )


def test_what_was_missing_is_found_when_another_turns_up(home):
    known = Known(home).furniture("counter1").thing("mug1", "on", "counter1")
    another = Missing("mug", known=frozenset({"mug1"}))
    assert not another.is_found(known.belief.snapshot(), home.domain)
    known.thing("mug2")
    assert not another.is_found(known.belief.snapshot(), home.domain), "nobody knows where it is"
    known.belief.tell(("on", "mug2", "counter1"), source="look")
    assert another.is_found(known.belief.snapshot(), home.domain)


def test_a_certain_thing_is_found_when_it_is_somewhere_or_was_another(home):
    known = Known(home).furniture("counter1").thing("mug1")
    certain = Missing("mug", "mug1")
    assert not certain.is_found(known.belief.snapshot(), home.domain)
    known.belief.tell(("on", "mug1", "counter1"), source="look")
    assert certain.is_found(known.belief.snapshot(), home.domain)
    known.belief.remove_entity("mug1")
    assert certain.is_found(known.belief.snapshot(), home.domain)


def test_what_rests_on_something_lost_is_missing_until_that_is_found(home):
    known = Known(home).furniture("counter1", "sink1").thing("pan1").thing("potato1", "in", "pan1")
    assert known.missing("(in potato1 sink1)") == ["potato1"]
    lost = Missing("potato", "potato1")
    assert not lost.is_found(known.belief.snapshot(), home.domain)
    known.belief.tell(("on", "pan1", "counter1"), source="look")
    assert lost.is_found(known.belief.snapshot(), home.domain)


def test_furniture_stands_where_it_stands(home):
    known = Known(home).furniture("counter1").thing("mug1")
    assert is_somewhere("counter1", known.belief.snapshot())
    assert not is_somewhere("mug1", known.belief.snapshot())
    assert not is_somewhere("mug7", known.belief.snapshot())


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("(forall (?x - mug) (clean ?x))", ("mug",)),
        ("(exists (?y - table) (forall (?x - mug) (on ?x ?y)))", ("mug",)),
        (
            "(and (forall (?x - pen) (exists (?y - desk) (on ?x ?y))) (forall (?x - mug) (clean ?x)))",
            ("pen", "mug"),
        ),
        ("(not (exists (?x - mug) (on ?x table1)))", ("mug",)),
        ("(exists (?x - mug) (clean ?x))", ()),
    ],
)
def test_whoever_wants_all_wants_to_know_all(home, goal, expected):
    known = Known(home).furniture("counter1", "table1")
    types = {name: entity.best_class for name, entity in known.belief.entities().items()}
    assert all_wanted(parse_goal(goal, home.domain, types).formula) == expected


def test_missing_things_are_called_by_their_class():
    assert str(Missing("coffee_table")) == "a coffee table"
    assert str(Missing("apple")) == "an apple"
