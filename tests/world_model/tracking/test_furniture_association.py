"""Which box that was seen belongs to which piece of furniture that is known."""

from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.config import find_config
from foretree.simulation.grid_homes.camera.noise import load_noise
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Entity, centre
from foretree.world_model.likely_places import LikelyPlaces
from foretree.world_model.maps.places import PlaceGraph
from foretree.world_model.observation import Detection, Observation
from foretree.world_model.ontology_file import load_ontology
from foretree.world_model.tracking._furniture_association import (
    SLACK,
    extent_of,
    grown,
    is_part,
    match_furniture,
)
from foretree.world_model.tracking.tracker import Tracker

ONTOLOGY = load_ontology(find_config("domains", "home"))
#: A row of counters side by side, with an appliance on the first, and a cabinet beyond a gap.
ROW = {
    "counter": [
        (0.0, 0.0, 0.0, 1.0, 0.75, 0.9),
        (1.0, 0.0, 0.0, 2.0, 0.75, 0.9),
        (2.0, 0.0, 0.0, 2.75, 0.75, 0.9),
    ],
    "microwave": [(0.25, 0.0, 0.9, 0.75, 0.5, 1.2)],
    "cabinet": [(4.0, 0.0, 0.0, 4.75, 0.5, 1.0)],
}


def look_alike(one, other):
    return {one, other} == {"cabinet", "shelf"}


def seen(class_name, extent, name="d"):
    return Detection(name, {class_name: 0.9}, centre(extent), extent=extent)


def known(class_name, extent, name="one"):
    return Entity(name, {class_name: 1.0}, centre(extent), fixed=True, extent=extent)


def matched(detection, *pieces):
    found = sorted((cost, piece.name) for cost, _, piece in match_furniture([detection], pieces, look_alike))
    return [name for _, name in found]


def test_a_part_of_a_piece_is_that_piece():
    whole = known("counter", ROW["counter"][0])
    assert matched(seen("counter", (0.1, 0.7, 0.4, 0.5, 0.75, 0.9)), whole) == ["one"]
    part = known("counter", (0.1, 0.7, 0.4, 0.5, 0.75, 0.9))
    assert matched(seen("counter", ROW["counter"][0]), part) == ["one"]


def test_what_stands_beside_a_piece_is_another():
    first = known("counter", ROW["counter"][0])
    assert matched(seen("counter", (0.95, -0.03, 0.0, 2.02, 0.75, 0.92)), first) == []


def test_what_stands_on_a_piece_is_another():
    first = known("counter", ROW["counter"][0])
    assert matched(seen("microwave", ROW["microwave"][0]), first) == []


def test_a_look_alike_in_the_same_place_is_the_piece_and_costs_more():
    cabinet = known("cabinet", ROW["cabinet"][0])
    assert matched(seen("shelf", ROW["cabinet"][0]), cabinet) == ["one"]
    costs = [
        next(match_furniture([seen(name, ROW["cabinet"][0])], [cabinet], look_alike))[0]
        for name in ("cabinet", "shelf", "toilet")
    ]
    assert costs == sorted(costs)
    assert costs[0] < costs[1] < costs[2]


def test_something_else_is_only_the_piece_if_it_takes_the_same_room():
    cabinet = known("cabinet", ROW["cabinet"][0])
    assert matched(seen("toilet", (4.0, 0.0, 0.0, 4.3, 0.5, 0.4)), cabinet) == []


def test_a_piece_grows_by_more_than_noise_only_and_never_shrinks():
    extent = (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
    assert grown(extent, (0.2, 0.2, 0.2, 0.5, 0.5, 0.5)) is extent
    assert grown(extent, (-SLACK / 2, 0.0, 0.0, 1.0 + SLACK / 2, 1.0, 1.0)) is extent
    assert grown(extent, (0.0, 0.0, 0.0, 1.5, 0.5, 0.5)) == (0.0, 0.0, 0.0, 1.5, 1.0, 1.0)


def test_what_was_taken_for_two_is_one_when_one_is_within_the_other():
    whole, part = (
        known("sofa", (0.0, 0.0, 0.0, 2.0, 1.0, 0.8)),
        known("sofa", (1.5, 0.0, 0.0, 2.05, 1.0, 0.8), "two"),
    )
    assert is_part(part, whole, look_alike)
    assert not is_part(whole, part, look_alike)
    beside = known("sofa", (1.95, 0.0, 0.0, 3.0, 1.0, 0.8), "two")
    assert not is_part(beside, whole, look_alike)
    other = known("lamp", (1.5, 0.0, 0.0, 2.05, 1.0, 0.8), "two")
    assert not is_part(other, whole, look_alike)


def test_an_edge_at_the_end_of_a_piece_is_that_of_the_piece():
    sofa = known("sofa", (0.0, 0.0, 0.0, 0.8, 1.5, 0.9))
    edge = (0.0, 1.45, 0.1, 0.35, 1.55, 0.5)
    assert is_part(known("sofa", edge, "two"), sofa, look_alike)
    assert not is_part(known("lamp", edge, "two"), sofa, look_alike)
    assert not is_part(known("sofa", (0.0, 1.45, 0.1, 0.35, 1.8, 0.5), "two"), sofa, look_alike)


def test_what_has_no_box_is_around_its_point():
    x0, y0, z0, x1, y1, z1 = extent_of(Detection("d", {"lamp": 0.9}, (1.0, 2.0, 0.5)))
    assert (x0 + x1, y0 + y1, z0 + z1) == (2.0, 4.0, 1.0)
    assert x0 < x1


# -- in the tracker ------------------------------------------------------------------------------------
class Room:
    """A belief that nobody has told of any furniture, and looks at it."""

    def __init__(self):
        self.belief = Belief(ONTOLOGY.vocabulary)
        self.tracker = Tracker(self.belief, ONTOLOGY, PlaceGraph(), {"asset"})
        self.now = 0.0

    def look(self, *detections):
        self.now += 1.0
        return self.tracker.observe(Observation(self.now, "look", detections))

    def look_from(self, viewpoint, *detections):
        self.now += 1.0
        return self.tracker.observe(Observation(self.now, "look", detections, viewpoint=viewpoint))

    @property
    def names(self):
        return [piece.name for piece in self.tracker.pieces()]


def test_furniture_that_is_seen_becomes_part_of_the_map():
    room = Room()
    room.look(seen("cabinet", ROW["cabinet"][0]))
    (piece,) = room.tracker.pieces()
    assert (piece.name, piece.fixed, piece.extent) == ("cabinet1", True, ROW["cabinet"][0])
    assert room.belief.truth(("container", "cabinet1")).value == "true"
    assert room.belief.truth(("openable", "cabinet1")).value == "true"


def test_things_on_new_furniture_rest_there_at_once():
    room = Room()
    apple = Detection("a", {"apple": 0.9}, (0.5, 0.4, 0.95), rests=("on", "c"))
    room.look(seen("counter", ROW["counter"][0], "c"), apple)
    assert room.belief.truth(("on", "apple1", "counter1")).value == "true"


def test_an_item_where_furniture_is_known_is_no_furniture():
    room = Room()
    room.look(seen("counter", ROW["counter"][0]))
    room.look(Detection("a", {"tray": 0.9}, centre(ROW["counter"][0])))
    assert room.names == ["counter1"]
    assert room.belief.entity("tray1") is not None


def test_the_two_ends_of_a_piece_become_one_when_all_of_it_is_seen():
    room = Room()
    room.look(
        seen("sofa", (0.0, 0.0, 0.0, 0.5, 0.9, 0.8), "a"), seen("sofa", (1.6, 0.0, 0.0, 2.0, 0.9, 0.8), "b")
    )
    assert room.names == ["sofa1", "sofa2"]
    pillow = Detection("p", {"pillow": 0.9}, (1.8, 0.4, 0.5), rests=("on", "b"))
    room.look(seen("sofa", (1.6, 0.0, 0.0, 2.0, 0.9, 0.8), "b"), pillow)
    assert room.belief.truth(("on", "pillow1", "sofa2")).value == "true"
    changes = room.look(seen("sofa", (0.0, 0.0, 0.0, 2.0, 0.9, 0.8)))
    assert room.names == ["sofa1"]
    assert changes.removed == ("sofa2",)
    assert room.belief.truth(("on", "pillow1", "sofa1")).value == "true"
    assert room.belief.entity("sofa2") is None


def test_furniture_taken_for_a_look_alike_is_set_right_by_other_looks():
    room = Room()
    room.look(seen("shelf", ROW["cabinet"][0]))
    assert room.names == ["shelf1"]
    for _ in range(3):
        room.look(seen("cabinet", ROW["cabinet"][0]))
    (piece,) = room.tracker.pieces()
    assert piece.best_class == "cabinet"
    assert room.belief.truth(("openable", "shelf1")).value == "true"


def noisy(extent, draw, part):
    """What a look sees of a piece: a part of it, with noise on every side."""
    noise = st.floats(-0.05, 0.05)
    low, high = list(extent[:3]), list(extent[3:])
    if part is not None:
        axis, start = part
        size = high[axis] - low[axis]
        low[axis] += size * start * 0.5
        high[axis] -= size * (1 - start) * 0.4
    return tuple(side + draw(noise) for side in (*low, *high))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_noisy_and_partial_looks_never_double_furniture(data):
    """However often, in whatever part and with whatever noise it is seen: every piece is there once.

    Two parts that hardly overlap may be of two pieces, until a look shows what is between: the last one does.
    """
    room = Room()
    pieces = [(name, extent) for name, extents in ROW.items() for extent in extents]
    looks = data.draw(st.integers(2, 6))
    for look in range(looks):
        detections = []
        for number, (name, extent) in enumerate(pieces):
            part = data.draw(st.none() | st.tuples(st.integers(0, 1), st.floats(0, 1)))
            part = part if look < looks - 1 else None
            box = noisy(extent, data.draw, part)
            detections.append(Detection(f"d{number}", {name: 0.9}, centre(box), extent=box))
        room.look(*data.draw(st.permutations(detections)))
    counted = {name: len(extents) for name, extents in ROW.items()}
    found = [piece.best_class for piece in room.tracker.pieces()]
    assert {name: found.count(name) for name in set(found)} == counted
    for piece in room.tracker.pieces():
        best = min(
            (extent for name, extent in pieces if name == piece.best_class),
            key=lambda extent: sum(abs(a - b) for a, b in zip(extent, piece.extent, strict=True)),
        )
        assert all(abs(a - b) <= 0.45 for a, b in zip(best, piece.extent, strict=True))


def test_two_pieces_in_the_same_place_are_one_whatever_they_look_like():
    """No two pieces share a place: one of them was taken for what it is not."""
    toaster = known("toaster", (1.0, 0.0, 0.9, 1.3, 0.25, 1.1))
    lamp = known("lamp", (1.02, 0.0, 0.9, 1.3, 0.25, 1.12), "two")
    assert is_part(lamp, toaster, look_alike)


def test_pieces_that_turn_out_to_be_one_are_what_all_looks_at_both_say():
    room = Room()
    first, second = (0.0, 0.0, 0.0, 0.4, 0.5, 0.9), (0.8, 0.0, 0.0, 1.2, 0.5, 0.9)
    room.look_from("a", seen("counter", first))
    for viewpoint in "bcd":
        room.look_from(viewpoint, seen("stove", second))
    assert room.names == ["counter1", "stove1"]
    room.look_from("e", seen("stove", (0.0, 0.0, 0.0, 1.2, 0.5, 0.9)))
    (piece,) = room.tracker.pieces()
    assert (piece.name, piece.best_class) == ("counter1", "stove")
    assert room.belief.truth(("burner", "counter1")).value == "true"


def test_the_end_of_what_stands_beside_a_misread_piece_is_not_taken_for_it():
    """A sink was taken for a counter. When it looks like a sink, the end of the counter beside it is not it."""
    room = Room()
    sink = (1.0, 0.0, 0.0, 1.8, 0.6, 0.9)
    room.look_from("a", seen("counter", sink))
    looks = {"sink": 0.85, "counter": 0.15}
    beside = seen("counter", (0.84, 0.0, 0.0, 1.02, 0.6, 0.9), "end")
    room.look_from("b", beside, Detection("d", looks, centre(sink), extent=sink))
    assert room.names == ["counter1", "counter2"]
    assert "sink" in room.belief.entity("counter1").classes


def test_what_was_of_no_use_turns_out_to_be_what_it_looks_like():
    room = Room()
    looks = {"stove": 0.7, "counter": 0.3}
    room.look_from("a", Detection("d", looks, centre(ROW["counter"][0]), extent=ROW["counter"][0]))
    assert room.tracker.refute("stove1", ["stove"], room.now, "action")
    assert room.belief.entity("stove1").best_class == "counter"
    assert room.belief.truth(("switchable", "stove1")).value != "true"
    room.look_from("b", Detection("d", looks, centre(ROW["counter"][0]), extent=ROW["counter"][0]))
    assert room.belief.entity("stove1").best_class == "counter", "it is forgotten at the next look"


def test_what_fails_again_and_again_is_thought_to_be_what_looks_like_it_after_a_while():
    room = Room()
    room.look_from("a", seen("cabinet", ROW["cabinet"][0]))
    for number in range(3):
        assert room.belief.entity("cabinet1").best_class == "cabinet" or number
        room.tracker.refute("cabinet1", ONTOLOGY.with_all(["openable"]), room.now + number, "action", 0.1)
    assert room.belief.entity("cabinet1").best_class == "shelf"


def test_where_all_that_it_may_be_would_do_nothing_changes():
    room = Room()
    room.look_from("a", seen("desk", ROW["cabinet"][0]))
    assert not room.tracker.refute("desk1", ONTOLOGY.with_all(["surface"]), room.now, "action")


def test_where_nothing_else_comes_into_question_nothing_is_learned():
    room = Room()
    room.look_from("a", seen("lamp", ROW["cabinet"][0]))
    assert not room.tracker.refute("lamp1", ["lamp"], room.now, "action")
    assert not room.tracker.refute("nothing1", ["lamp"], room.now, "action")


def test_what_eyes_confuse_is_known_to_look_alike():
    """Otherwise one thing that is misread becomes two that are believed to be in the same place."""
    confused = load_noise().look_alikes
    unknown = {(one, other) for one, others in confused.items() for other in others}
    assert not sorted(pair for pair in unknown if not ONTOLOGY.look_alike(*pair))


# -- where things are likely -----------------------------------------------------------------------------


def test_what_is_hardly_ever_at_such_furniture_needs_more_evidence():
    likely = LikelyPlaces({"soap": {"sink": 45.0, "counter": 5.2, "shelf": 0.7}}, otherwise=0.3)
    tracker = Tracker(Belief(ONTOLOGY.vocabulary), ONTOLOGY, PlaceGraph(), {"asset"})
    for name, kind, fixed in (
        ("soap1", "soap", False),
        ("box1", "box", False),
        *((f"{kind}1", kind, True) for kind in ("sink", "counter", "shelf", "toaster")),
    ):
        tracker.belief.put_entity(Entity(name, {kind: 1.0}, fixed=fixed))
    against = {place: tracker.implausibility("soap1", ("on", place)) for place in ("sink1", "toaster1")}
    assert against == {"sink1": 0.0, "toaster1": 0.0}, "nothing is expected"
    tracker.likely = likely
    sink, counter, shelf, toaster = (
        tracker.implausibility("soap1", ("in", f"{kind}1"))
        for kind in ("sink", "counter", "shelf", "toaster")
    )
    assert sink == counter == 0.0
    assert 0 < shelf < toaster <= 1.5
    assert tracker.implausibility("soap1", ("in", "box1")) == 0.0, "things are carried in anything"
    assert tracker.implausibility("box1", ("in", "toaster1")) == 0.0, "nothing is expected of boxes"
