"""The map that is planned on, in step with what has been seen of the floor and what stands on it."""

from dataclasses import replace
from random import Random

import pytest
from small_home import INSIDE, WALLS, box, look_around, standing

from foretree.agent.discovery.topological_map import HERE, TopologicalMap
from foretree.planning.maps.navigation import MoveParameters
from foretree.planning.plan import Action
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import HOLDING, robot_at
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.observation import Detection, Observation
from foretree.world_model.occupancy.paths import ShortestPaths, make_costmap
from foretree.world_model.occupancy.standing_spots import cells_within_reach
from foretree.world_model.tracking.tracker import Tracker

assert WALLS, "the room is 4 m by 3 m, of 16 by 12 cells"


@pytest.fixture(scope="module")
def home():
    return load_catalogue("home")


class Robot:
    name, hands = "robot1", ("hand",)


class Busy:
    """An executive that is busy or not."""

    def __init__(self):
        self.resources = {}

    def held(self):
        return self.resources


class Uniform:
    def likelihood(self, thing, places):
        names = sorted(set(places))
        return {name: 1 / len(names) for name in names}


class Site:
    """A room that a robot charts, with furniture that it sees."""

    def __init__(self, home, boxes=(), cells=((4, 4), (11, 7)), at=(4, 4)):
        self.occupancy = look_around([extent for _, extent in boxes], cells)
        self.stance = standing(at)
        self.belief, self.places, self.now = Belief(home.vocabulary), PlaceGraph(), 0.0
        self.tracker = Tracker(self.belief, home.ontology, self.places, {"asset"})
        self.executive, self.costs = Busy(), {}
        self.topological_map = TopologicalMap(
            self.tracker,
            self.places,
            Robot(),
            self,
            self.executive,
            self.costs.update,
            lambda: self.now,
            {"move": MoveParameters(1, 2)},
            Uniform(),
        )
        if boxes:
            self.see(*boxes)
        self.topological_map.follow()

    def see(self, *boxes):
        self.now += 1.0
        detections = tuple(
            Detection(
                f"d{number}",
                {name: 0.95},
                ((e[0] + e[3]) / 2, (e[1] + e[4]) / 2, (e[2] + e[5]) / 2),
                extent=e,
            )
            for number, (name, e) in enumerate(boxes)
        )
        self.tracker.observe(Observation(self.now, "look", detections))

    def stand(self, cell):
        self.stance = standing(cell)
        self.now += 1.0
        return self.topological_map.follow()

    def at(self):
        return self.belief.snapshot().placement("body", "robot1")[-1]

    def cost(self, one, other):
        return self.places.passage(one, other).cost


TABLE, SHELF = ("table", box((12, 2), (14, 4), 0.75)), ("shelf", box((1, 10), (3, 11), 1.2))


def test_a_robot_that_knows_nothing_is_here(home):
    site = Site(home)
    assert site.at() == HERE
    assert site.places.place(HERE).pose[:2] == (site.stance.x, site.stance.y)
    assert site.belief.entity(HERE).best_class == "waypoint"


def test_furniture_becomes_nodes_that_are_connected_at_what_the_way_costs(home):
    site = Site(home, [TABLE, SHELF])
    assert {place.name for place in site.places.places()} == {"table1", "shelf1", HERE}
    for one, other in (("table1", "shelf1"), ("table1", HERE), (HERE, "shelf1")):
        assert site.belief.truth(("connected", one, other)).value == "true"
        assert site.belief.truth(("connected", other, one)).value == "true"
        assert (
            site.costs["travel_cost", one, other]
            == site.costs["travel_cost", other, one]
            == site.cost(one, other)
        )
    assert site.cost("table1", "shelf1") > site.cost(HERE, "shelf1")
    assert site.belief.truth(("obj_at_node", "table1", "table1")).value == "true"


def test_what_has_not_changed_is_not_surveyed_again(home):
    site = Site(home, [TABLE])
    revision, version = site.places.revision, site.belief.version
    assert site.topological_map.follow() == []
    assert (site.places.revision, site.belief.version) == (revision, version)


def test_here_goes_with_the_robot_until_it_stands_at_something(home):
    site = Site(home, [TABLE, SHELF])
    far = site.cost(HERE, "table1")
    site.stand((9, 6))
    assert site.at() == HERE
    assert site.cost(HERE, "table1") < far
    site.belief.tell(robot_at("robot1", "table1"), source="action")
    site.stand((11, 6))
    assert site.at() == "table1"
    assert site.places.neighbours(HERE) == (), "nobody is there"
    assert site.belief.truth(("connected", HERE, "table1")).value == "false"


def test_who_says_that_it_stands_where_it_does_not_is_not_believed(home):
    site = Site(home, [TABLE, SHELF])
    site.belief.tell(robot_at("robot1", "table1"), source="action")
    site.stand((2, 8))
    assert site.at() == HERE


def test_while_the_robot_moves_the_map_stays_unless_furniture_turns_up(home):
    site = Site(home, [TABLE])
    site.executive.resources = {"base": "x-1"}
    site.stand((6, 6))
    assert site.places.place(HERE).pose[:2] == dist_free(standing((4, 4)))
    site.see(SHELF)
    site.now += 5.0
    site.topological_map.follow()
    assert "shelf1" in site.places
    assert site.places.passage("shelf1", "table1") is not None


def dist_free(stance):
    return (stance.x, stance.y)


def test_the_ends_of_the_known_are_nodes_as_long_as_they_are_ends(home):
    wall = ("shelf", box((8, 0), (8, 7), 2.5))
    site = Site(home, [wall], cells=[(3, 4)], at=(3, 4))
    ends = site.topological_map.ends()
    assert ends
    assert set(ends) <= {place.name for place in site.places.places()}
    assert all(site.belief.entity(name).best_class == "waypoint" for name in ends)
    assert any(site.places.passage(HERE, name) is not None for name in ends)
    site.occupancy = look_around([wall[1]], [(3, 4), (11, 4), (12, 10), (5, 10)], occupancy=site.occupancy)
    site.stand((3, 5))
    assert set(site.topological_map.ends()) < set(ends) or not site.topological_map.ends()
    gone = set(ends) - set(site.topological_map.ends())
    assert all(site.places.neighbours(name) == () for name in gone), "nobody plans to go there any more"
    assert all(site.belief.entity(name) is not None for name in gone), "but somebody may be on the way"
    site.now += 5.0
    site.stand((3, 6))
    assert all(site.belief.entity(name) is None and name not in site.places for name in gone)


def test_what_cannot_be_got_to_is_not_tried_for_ever(home):
    site = Site(home, [TABLE, SHELF])
    move = Action("a1", "move", ("robot1", HERE, "shelf1"), 3)
    for _ in range(2):
        assert site.places.passage(HERE, "shelf1") is not None
        site.topological_map.failed(move)
        site.topological_map.follow()
    assert site.places.neighbours("shelf1") == ()
    assert site.places.passage(HERE, "table1") is not None
    site.topological_map.failed(Action("a2", "pick", ("robot1", "hand", "mug1", "table1"), 1))
    assert site.places.passage(HERE, "table1") is not None


def test_furniture_that_was_part_of_other_furniture_is_no_node_any_more(home):
    sofa = box((12, 2), (15, 4), 0.8)
    site = Site(home, [("sofa", box((12, 2), (12, 4), 0.8)), ("sofa", box((15, 2), (15, 4), 0.8))])
    assert {"sofa1", "sofa2"} <= {place.name for place in site.places.places()}
    site.see(("sofa", sofa))
    site.topological_map.follow()
    assert "sofa1" in site.places
    assert "sofa2" not in site.places


def test_a_look_tells_of_what_is_near_and_not_hidden_nor_shut_in(home):
    wall = ("wardrobe", box((8, 3), (8, 11), 2.0))
    site = Site(home, [TABLE, wall], at=(11, 7))
    site.tracker.observe(
        Observation(
            9.0,
            "look",
            (
                Detection("t", {"table": 0.95}, (3.375, 0.875, 0.4), extent=TABLE[1]),
                Detection("m", {"mug": 0.9}, (3.3, 0.9, 0.8), rests=("on", "t")),
            ),
        )
    )
    on_table = ("on", "mug1", "table1")
    assert site.topological_map.in_sight(on_table)
    site.stand((3, 7))
    assert not site.topological_map.in_sight(("clean", "mug1")), "the wardrobe is before it"
    site.stand((11, 7))
    site.belief.tell(("in", "mug1", "wardrobe1"), source="look")
    site.belief.tell(("open", "wardrobe1"), False, source="look")
    assert not site.topological_map.in_sight(("clean", "mug1")), "it is shut in"
    site.belief.tell((HOLDING, "robot1", "hand", "mug1"), source="body")
    assert site.topological_map.in_sight(("clean", "mug1")), "it is in the hand"
    assert not site.topological_map.in_sight(("clean", "mug7"))


def test_things_are_as_likely_at_each_piece_of_a_class(home):
    site = Site(home, [TABLE, SHELF, ("shelf", box((1, 0), (3, 1), 1.2))])
    assert not site.topological_map.ends()
    chances = site.topological_map.chances("mug")
    assert chances == pytest.approx({"table1": 0.5, "shelf1": 0.25, "shelf2": 0.25}, abs=0.02)


def test_where_nobody_has_looked_there_may_be_what_is_at_furniture_that_nobody_has_seen(home):
    site = Site(home, [TABLE], cells=((4, 4),))
    ends = site.topological_map.ends()
    chances = site.topological_map.chances("mug")
    assert set(chances) == {"table1", *ends}
    assert sum(chances.values()) == pytest.approx(1.0)
    assert sum(chances[end] for end in ends) > 0.8, "a table is one of many classes"
    widest = max(ends, key=lambda end: ends[end].beyond)
    assert chances[widest] == max(chances[end] for end in ends)


def test_missing_furniture_may_be_what_was_taken_for_other_furniture(home):
    site = Site(home, [TABLE, SHELF])
    shelf = site.belief.entity("shelf1")
    site.belief.put_entity(replace(shelf, classes={"shelf": 0.6, "cabinet": 0.4}))
    chances = site.topological_map.chances("cabinet")
    assert chances["shelf1"] == 0.4
    assert chances["table1"] == 0.0


def test_an_end_of_the_floor_is_seen_through_once_nothing_beside_it_is_unknown(home):
    site = Site(home, cells=((4, 4),))
    ends = list(site.topological_map.ends())
    assert ends
    assert not any(site.topological_map.is_seen_through(end) for end in ends)
    site.occupancy = look_around([], ((4, 4), (11, 7)))
    assert all(site.topological_map.is_seen_through(end) for end in ends)
    assert site.topological_map.is_seen_through("corner99")


# -- a robot is always on a node -------------------------------------------------------------------------


def left_on_no_node(site):
    """What one gets to from the robot's cell, but not from the node at which it is believed to be."""
    chart, cell = site.occupancy, site.occupancy.grid.cell_at(site.stance.x, site.stance.y)
    footing, at = make_costmap(chart), site.at()
    assert at in site.places, f"the robot is at {at}, which is no node"
    ways = ShortestPaths(footing, cell)
    pieces = [piece for piece in site.tracker.pieces() if piece.name != at]
    width, (i0, j0) = footing.costs.shape[1], footing.origin
    areas = cells_within_reach(chart, footing, [piece.extent for piece in pieces], 1.25)
    return [
        piece.name
        for piece, area in zip(pieces, areas, strict=True)
        if any(ways.reaches((i0 + flat // width, j0 + flat % width)) for flat in area.tolist())
        and site.places.passage(at, piece.name) is None
    ]


def test_a_robot_gets_away_from_furniture_that_nobody_could_get_to_any_more(home):
    cluttered = [box((7, 0), (11, 6)), box((7, 5), (15, 10))]
    site = Site(home, [TABLE, SHELF])
    site.belief.tell(robot_at("robot1", "table1"), source="action")
    site.stand((6, 3))
    assert site.at() == "table1"
    site.occupancy = look_around([TABLE[1], SHELF[1], *cluttered], ((4, 4), (6, 3)))
    site.stand((6, 3))
    assert site.at() == "table1", "it is as near as before"
    assert site.places.passage("table1", "shelf1") is not None
    assert site.belief.truth(("connected", "table1", "shelf1")).value == "true"
    assert left_on_no_node(site) == []


def test_a_robot_gets_away_from_where_it_could_not_get_to_before(home):
    site = Site(home, [TABLE, SHELF])
    move = Action("a1", "move", ("robot1", HERE, "table1"), 3)
    for _ in range(2):
        site.topological_map.failed(move)
        site.topological_map.follow()
    assert site.places.neighbours("table1") == ()
    site.belief.tell(robot_at("robot1", "table1"), source="action")
    site.stand((11, 6))
    assert site.at() == "table1"
    assert site.places.passage("table1", "shelf1") is not None
    site.stand((4, 4))
    assert site.places.neighbours("table1") == (), "that it once was there does not mean that it gets there"


@pytest.mark.parametrize("seed", range(40))
def test_wherever_a_robot_stands_its_node_leads_to_what_it_can_get_to(home, seed):
    rng = Random(seed)

    def somewhere(wide, height):
        i, j = rng.randrange(16), rng.randrange(12)
        return box((i, j), (min(15, i + rng.randrange(wide)), min(11, j + rng.randrange(wide))), height)

    furniture = [(rng.choice(("table", "shelf", "sofa")), somewhere(4, 0.8)) for _ in range(3)]
    clutter = [somewhere(5, 0.9) for _ in range(rng.randrange(4))]
    boxes = [extent for _, extent in furniture] + clutter
    free = sorted(
        (i, j) for i, j in INSIDE if not any(e[0] <= i / 4 < e[3] and e[1] <= j / 4 < e[4] for e in boxes)
    )
    cells = rng.sample(free, min(3, len(free)))
    site = Site(home, furniture, cells[:1], at=cells[0])
    site.occupancy = look_around(boxes, cells[:1])
    for cell in cells:
        for piece in site.tracker.pieces():
            site.belief.tell(robot_at("robot1", piece.name), source="action")
            site.stand(cell)
            assert left_on_no_node(site) == [], (cell, site.at())
