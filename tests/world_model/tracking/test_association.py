"""Which detection is which entity."""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.config import find_config
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import WHEREABOUTS, Entity
from foretree.world_model.observation import Covered, Detection, Observation
from foretree.world_model.ontology_file import load_ontology
from foretree.world_model.tracking import _association
from foretree.world_model.tracking._association import _Association, associate
from foretree.world_model.tracking._match_costs import (
    NEAR,
    NOWHERE,
    SAME_SPOT,
    MatchCosts,
    gap,
    unlike,
    way_moved,
)

ONTOLOGY = load_ontology(find_config("domains", "household"))
TABLE = Entity("table1", {"table": 1.0}, (0.0, 0.0, 0.7), fixed=True)
SEEN_TABLE = Detection("t", {"table": 0.9}, (0.02, 0.0, 0.7))


def believe(*entities, placed=(), claimed=()):
    belief = Belief(ONTOLOGY.vocabulary)
    for entity in (TABLE, *entities):
        belief.put_entity(entity)
    for atom in placed:
        belief.tell(atom)
    for atom in claimed:
        belief.tell(atom, source="action")
    return belief.snapshot()


def match(belief, *detections, covered=(), held=None):
    observation = Observation(1.0, "look", (SEEN_TABLE, *detections), covered, held=held or {})
    return {d: (m.entity, m.how) for d, m in associate(observation, belief, ONTOLOGY).items() if d != "t"}


def seen(name, kind, pose, rests=None, features=()):
    return Detection(
        name, kind if isinstance(kind, dict) else {kind: 0.9}, pose, rests=rests, features=features
    )


def test_furniture_is_found_by_where_it_is():
    belief = believe(Entity("table2", {"table": 1.0}, (3.0, 0.0, 0.7), fixed=True))
    assert match(belief, seen("a", "table", (3.1, 0.1, 0.7))) == {"a": ("table2", "map")}


def test_furniture_misread_is_still_the_furniture_that_stands_there():
    belief = believe(Entity("fridge1", {"fridge": 1.0}, (3.0, 0.0, 1.0), fixed=True))
    assert match(belief, seen("a", "wardrobe", (3.0, 0.05, 1.0))) == {"a": ("fridge1", "map")}


def test_furniture_that_is_not_on_the_map_is_nothing():
    assert match(believe(), seen("a", "table", (9.0, 9.0, 0.7))) == {"a": (None, "nothing")}


def test_a_class_that_the_ontology_does_not_have_is_nothing():
    assert match(believe(), seen("a", "gryphon", (1.0, 0.0, 0.7))) == {"a": (None, "nothing")}


def test_a_thing_on_the_spot_of_a_table_is_not_the_table():
    assert match(believe(), seen("a", "mug", (0.0, 0.0, 0.7))) == {"a": (None, "new")}


def test_a_look_alike_at_the_same_pose_is_the_same_thing():
    belief = believe(Entity("mug1", {"mug": 0.9}, (0.1, 0.1, 0.7)))
    assert match(belief, seen("a", "cup", (0.11, 0.1, 0.7))) == {"a": ("mug1", "in place")}


def test_a_doubtful_class_at_the_same_pose_is_the_same_thing():
    belief = believe(Entity("mug1", {"mug": 0.9}, (0.1, 0.1, 0.7)))
    assert match(belief, seen("a", {"candle": 0.6}, (0.11, 0.1, 0.7))) == {"a": ("mug1", "in place")}


def test_something_plainly_different_at_the_same_pose_is_something_else():
    belief = believe(Entity("mug1", {"mug": 0.9}, (0.1, 0.1, 0.7)))
    assert match(belief, seen("a", {"pillow": 0.97}, (0.11, 0.1, 0.7))) == {"a": (None, "new")}


def test_an_item_misread_as_furniture_is_still_the_item():
    belief = believe(Entity("cereal1", {"cereal": 0.9}, (0.1, 0.1, 0.7)))
    assert match(belief, seen("a", "box", (0.1, 0.1, 0.7))) == {"a": ("cereal1", "in place")}


def test_the_right_class_wins_over_the_nearer_one():
    belief = believe(
        Entity("fork1", {"fork": 0.9}, (0.1, 0.0, 0.7)), Entity("knife1", {"knife": 0.9}, (0.2, 0.0, 0.7))
    )
    matched = match(belief, seen("a", "knife", (0.14, 0.0, 0.7)), seen("b", "fork", (0.16, 0.0, 0.7)))
    assert matched == {"a": ("knife1", "in place"), "b": ("fork1", "in place")}


def test_features_tell_twins_apart():
    belief = believe(
        Entity("mug1", {"mug": 0.9}, (0.1, 0.0, 0.7), features=(1.0, 0.0)),
        Entity("mug2", {"mug": 0.9}, (0.2, 0.0, 0.7), features=(0.0, 1.0)),
    )
    matched = match(
        belief,
        seen("a", "mug", (0.13, 0.0, 0.7), features=(0.0, 1.0)),
        seen("b", "mug", (0.17, 0.0, 0.7), features=(1.0, 0.1)),
    )
    assert matched == {"a": ("mug2", "in place"), "b": ("mug1", "in place")}


def test_of_twins_the_one_that_rests_the_same_way_is_meant():
    belief = believe(
        Entity("mug1", {"mug": 0.9}, (0.3, 0.0, 0.6)),
        Entity("mug2", {"mug": 0.9}, (0.3, 0.0, 0.5)),
        placed=[("on", "mug1", "table1"), ("under", "mug2", "table1")],
    )
    matched = match(belief, seen("a", "mug", (0.3, 0.0, 0.57), ("under", "t")))
    assert matched == {"a": ("mug2", "in place")}


def test_a_thing_may_slide_across_its_table():
    belief = believe(Entity("mug1", {"mug": 0.9}, (-0.8, 0.0, 0.7)), placed=[("on", "mug1", "table1")])
    assert match(belief, seen("a", "mug", (0.8, 0.0, 0.7), ("on", "t"))) == {"a": ("mug1", "in place")}


def test_what_a_hand_holds_is_what_it_is_believed_to_hold():
    belief = believe(Entity("mug1", {"mug": 0.9}), placed=[("holding", "robot1", "left", "mug1")])
    assert match(belief, seen("a", "cup", (7.0, 0.0, 1.0)), held={"a": (("robot1", "left"),)}) == {
        "a": ("mug1", "held")
    }


def test_what_a_hand_plainly_does_not_hold_is_something_else():
    belief = believe(Entity("mug1", {"mug": 0.9}), placed=[("holding", "robot1", "left", "mug1")])
    matched = match(belief, seen("a", {"pillow": 0.97}, (7.0, 0.0, 1.0)), held={"a": (("robot1", "left"),)})
    assert matched == {"a": (None, "new")}


def test_what_turns_up_in_the_hand_was_known_before():
    belief = believe(
        Entity("mug1", {"mug": 0.9}, (5.0, 0.0, 0.7)),
        Entity("mug2", {"mug": 0.9}, (0.5, 0.0, 0.7)),
        placed=[("on", "mug1", "table9"), ("on", "mug2", "table1")],
    )
    matched = match(belief, seen("a", "mug", (0.5, 0.5, 1.0)), held={"a": (("robot1", "left"),)})
    assert matched == {"a": ("mug2", "moved")}


def test_unknown_whereabouts_are_resolved():
    belief = believe(Entity("mug1", {"mug": 0.9}))
    assert match(belief, seen("a", "mug", (0.3, 0.0, 0.7), ("on", "t"))) == {"a": ("mug1", "moved")}


def test_a_thing_gone_from_a_region_in_view_has_moved():
    bed = Entity("bed1", {"bed": 1.0}, (2.0, 0.0, 0.5), fixed=True)
    belief = believe(bed, Entity("mug1", {"mug": 0.9}, (2.1, 0.0, 0.7)), placed=[("on", "mug1", "bed1")])
    on_table = seen("a", "mug", (0.3, 0.0, 0.7), ("on", "t"))
    seen_bed = seen("b", "bed", (2.0, 0.0, 0.5))
    there = match(belief, on_table, seen_bed, covered=(Covered("on", "b"),))
    assert there["a"] == ("mug1", "moved")
    unseen = match(belief, on_table, seen_bed)
    assert unseen["a"] == (None, "new"), "nobody looked whether it is still on the bed"


def test_a_look_alike_somewhere_else_is_another_thing():
    belief = believe(Entity("mug1", {"mug": 0.9}))
    assert match(belief, seen("a", "cup", (0.3, 0.0, 0.7), ("on", "t"))) == {"a": (None, "new")}
    doubtful = seen("a", {"cup": 0.5, "mug": 0.45}, (0.3, 0.0, 0.7), ("on", "t"))
    assert match(belief, doubtful) == {"a": ("mug1", "moved")}


classes = st.sampled_from(["mug", "cup", "glass", "apple", "mango", "table"])
spots = st.tuples(st.integers(-3, 3), st.integers(-3, 3)).map(lambda p: (p[0] / 8, p[1] / 8, 0.7))
entities = st.lists(
    st.tuples(classes.filter(lambda c: c != "table"), st.none() | spots, st.booleans()), max_size=8
)
detections = st.lists(st.tuples(classes, spots, st.booleans(), st.floats(0.3, 1.0)), max_size=8)


@settings(max_examples=150, deadline=None)
@given(entities, detections, st.booleans(), st.randoms())
def test_matching_is_one_to_one_and_does_not_depend_on_order(things, saw, covered, random):
    known = [Entity(f"e{n}", {kind: 0.9}, pose) for n, (kind, pose, _) in enumerate(things)]
    placed = [("on", f"e{n}", "table1") for n, (_, _, resting) in enumerate(things) if resting]
    looks = [
        seen(f"d{n}", {kind: score}, pose, ("on", "t") if resting else None)
        for n, (kind, pose, resting, score) in enumerate(saw)
    ]
    regions = (Covered("on", "t"),) if covered else ()
    matched = match(believe(*known, placed=placed), *looks, covered=regions)
    assert matched.keys() == {d.id for d in looks}
    taken = [entity for entity, _ in matched.values() if entity is not None]
    assert len(taken) == len(set(taken))
    random.shuffle(known)
    random.shuffle(looks)
    assert match(believe(*known, placed=placed), *looks, covered=regions) == matched


def test_look_alikes_that_changed_places_are_told_apart():
    belief = believe(
        Entity("apple1", {"apple": 0.95}, (0.0, 0.3, 0.75)),
        Entity("tomato1", {"tomato": 0.95}, (0.3, 0.0, 0.75)),
        placed=[("on", "apple1", "table1"), ("on", "tomato1", "table1")],
    )
    found = match(
        belief,
        seen("a", "tomato", (0.0, 0.3, 0.75), rests=("on", "t")),
        seen("b", "apple", (0.3, 0.0, 0.75), rests=("on", "t")),
    )
    assert found == {"a": ("tomato1", "moved"), "b": ("apple1", "moved")}


def test_one_look_alike_misread_has_not_changed_places():
    belief = believe(
        Entity("apple1", {"apple": 0.95}, (0.0, 0.3, 0.75)),
        Entity("tomato1", {"tomato": 0.95}, (0.3, 0.0, 0.75)),
        placed=[("on", "apple1", "table1"), ("on", "tomato1", "table1")],
    )
    found = match(
        belief,
        seen("a", "apple", (0.0, 0.3, 0.75), rests=("on", "t")),
        seen("b", "apple", (0.3, 0.0, 0.75), rests=("on", "t")),
    )
    assert found == {"a": ("apple1", "in place"), "b": ("tomato1", "in place")}


# -- things on things --------------------------------------------------------------------------------

TRAY = Entity("tray1", {"tray": 0.9}, (0.1, 0.0, 0.7))
ON_TRAY = [("on", "tray1", "table1"), ("on", "mug1", "tray1"), ("on", "mug2", "tray1")]
MUGS = (Entity("mug1", {"mug": 0.9}, (0.0, 0.0, 0.9)), Entity("mug2", {"mug": 0.9}, (0.2, 0.0, 0.9)))


def test_what_rests_on_a_known_thing_is_known_by_that():
    belief = believe(TRAY, MUGS[0], placed=ON_TRAY[:2])
    matched = match(
        belief, seen("a", "tray", TRAY.pose, ("on", "t")), seen("b", "mug", (0.9, 0.0, 0.9), ("on", "a"))
    )
    assert matched == {"a": ("tray1", "in place"), "b": ("mug1", "in place")}


def test_what_is_carried_about_keeps_its_place_on_what_carries_it():
    belief = believe(
        Entity("tray1", {"tray": 0.9}), *MUGS, placed=[("holding", "robot1", "left", "tray1"), *ON_TRAY[1:]]
    )
    matched = match(
        belief,
        seen("a", "tray", (0.3, 0.0, 1.3)),
        seen("c", "mug", (0.2, 0.0, 1.5), ("on", "a")),
        seen("b", "mug", (0.4, 0.0, 1.5), ("on", "a")),
        held={"a": (("robot1", "left"),)},
    )
    assert matched == {"a": ("tray1", "held"), "b": ("mug2", "in place"), "c": ("mug1", "in place")}


def test_what_rests_on_what_has_moved_has_moved_with_it():
    belief = believe(TRAY, *MUGS, placed=ON_TRAY)
    matched = match(
        belief,
        seen("m", "mug", (2.0, 0.0, 0.7), ("on", "t")),
        seen("a", "tray", (3.0, 0.0, 0.7), ("under", "t")),
        seen("b", "mug", (3.1, 0.0, 0.9), ("on", "a")),
        seen("c", "mug", (2.9, 0.0, 0.9), ("on", "a")),
        covered=[Covered("on", "t"), Covered("under", "t")],
    )
    assert matched == {
        "a": ("tray1", "moved"),
        "b": ("mug2", "in place"),
        "c": ("mug1", "in place"),
        "m": (None, "new"),
    }


def test_what_an_action_has_put_on_a_thing_is_found_on_it():
    mug2 = Entity("mug2", {"mug": 0.9}, TRAY.pose)
    belief = believe(TRAY, MUGS[0], mug2, placed=ON_TRAY[:2], claimed=ON_TRAY[2:])
    matched = match(
        belief,
        seen("a", "tray", TRAY.pose, ("on", "t")),
        seen("b", "mug", MUGS[0].pose, ("on", "a")),
        seen("c", "mug", (0.9, 0.0, 0.9), ("on", "a")),
    )
    assert matched == {"a": ("tray1", "in place"), "b": ("mug1", "in place"), "c": ("mug2", "in place")}


def test_what_was_put_on_a_thing_is_not_its_like_that_lies_beside_that():
    mug2 = Entity("mug2", {"mug": 0.9})
    beside = replace(MUGS[0], pose=(TRAY.pose[0] + 0.25, TRAY.pose[1], TRAY.pose[2]))
    belief = believe(TRAY, beside, mug2, placed=[ON_TRAY[0], ("on", "mug1", "table1")], claimed=ON_TRAY[2:])
    on_tray = seen("b", "mug", TRAY.pose, ("on", "a"))
    matched = match(belief, seen("a", "tray", TRAY.pose, ("on", "t")), on_tray)
    assert matched == {"a": ("tray1", "in place"), "b": ("mug2", "in place")}


def test_a_look_that_says_of_things_that_they_are_in_each_other_comes_to_an_end():
    one = seen("d1", "plate", (2.0, 0.0, 0.8), rests=("on", "d2"))
    other = seen("d2", "plate", (2.1, 0.0, 0.8), rests=("on", "d1"))
    assert set(match(believe(), one, other)) == {"d1", "d2"}


# -- many things at once ---------------------------------------------------------------------------------


class EachWithEach(_Association):
    """The same rules by trying everything that is left with everything that is known."""

    def _put_down(self):
        pairs = []
        for entity in self.loose:
            region = self.regions_of[entity.name]
            if entity.name in self.taken or region is None or not self._is_claim(entity):
                continue
            for detection in self._left():
                if self.regions.get(detection.id) == region and not self._spot_of_another(detection, entity):
                    cost = self.costs.class_cost(detection, entity, NEAR)
                    if cost is not None:
                        pairs.append((cost + unlike(detection, entity), detection, entity))
        self._take(pairs, "in place")

    def _spot_of_another(self, detection, entity):
        seen = self.seen_as[detection.id]
        gate = SAME_SPOT if seen == self.best[entity.name] else NEAR
        return any(
            other.pose is not None
            and self.best[other.name] == seen
            and not self._is_claim(other)
            and gap(detection, other) <= gate
            for other in self.loose
        )

    def _exchange(self):
        best = self.best
        misread = {
            name: detection
            for detection, (name, _) in self.found.items()
            if name in self.regions_of and self.seen_as[detection] != best[name]
        }
        for one, other in combinations(sorted(misread), 2):
            if one in misread and other in misread:
                its, others = misread[one], misread[other]
                if self.seen_as[its] == best[other] and self.seen_as[others] == best[one]:
                    self.found[its], self.found[others] = (other, "moved"), (one, "moved")
                    del misread[one], misread[other]

    def _within_region(self):
        pairs = []
        for region, detections in self._by_region(self._left()).items():
            there = [e for e in self.loose if e.name not in self.taken and self.regions_of[e.name] == region]
            way = way_moved(detections, there) if region[1] in self.regions_of else NOWHERE
            pairs += (pair for d in detections for e in there for pair in self.costs.pairs(d, e, way))
        self._take(pairs, "in place")

    def _moved(self, level):
        left = [detection for detection in level if detection.id not in self.found]
        named = {d: name for d, (name, _) in self.found.items()}
        covered = {(c.relation, named.get(c.support)) for c in self.observation.covered}
        pairs = []
        for entity in self.loose:
            if entity.name in self.taken:
                continue
            lost = self.belief.placement(WHEREABOUTS, entity.name) is None
            for detection in left:
                if lost or self.regions_of[entity.name] in covered:
                    pairs.extend(self.costs.pairs(detection, entity))
                elif detection.id in self.observation.held:
                    pairs.extend((c + 0.2, d, e) for c, d, e in self.costs.pairs(detection, entity))
        self._take(pairs, "moved")


KINDS = ("mug", "cup", "glass", "apple", "mango", "plate", "bowl", "pillow", "candle")


def strewn(rng, count, *, spread, features=False, lost=0.2, kinds=KINDS):
    """A belief in so many things, a look at all of them somewhere else, and where lost ones were seen last."""

    def spot():
        return (
            round(rng.uniform(0, spread), 2),
            round(rng.uniform(0, spread), 2),
            rng.choice((0.7, 0.75, 1.2)),
        )

    def classes():
        one, other = rng.choice(kinds), rng.choice(kinds)
        share = rng.choice((0.95, 0.9, 0.7, 0.6))
        return {one: share} if one == other else {one: share, other: round(0.97 - share, 2)}

    def looks():
        return tuple(round(rng.uniform(-1, 1), 2) for _ in range(4)) if features else ()

    supports = [Entity(f"table{n}", {"table": 1.0}, (5.0 * n, -9.0, 0.7), fixed=True) for n in range(1, 4)]
    seen_supports = tuple(Detection(f"t{n}", {"table": 0.9}, (5.0 * n, -9.0, 0.7)) for n in range(1, 4))
    belief, left_at = Belief(ONTOLOGY.vocabulary), {}
    for entity in supports:
        belief.put_entity(entity)
    names = []
    for number in range(count):
        name, is_lost = f"thing{number}", rng.random() < lost
        pose = spot()
        if is_lost and rng.random() < 0.7:
            left_at[name] = pose
        belief.put_entity(Entity(name, classes(), None if is_lost else pose, features=looks()))
        rest = rng.choice(("table1", "table2", "table3", *names[-3:]))
        if not is_lost and rng.random() < 0.9:
            source = "action" if rng.random() < 0.2 else "look"
            belief.tell((rng.choice(("on", "in")), name, rest), source=source)
        names.append(name)
    detections = []
    for number in range(count):
        rests = rng.choice((None, ("on", f"t{rng.randrange(1, 4)}"), ("on", f"d{rng.randrange(count)}")))
        detections.append(Detection(f"d{number}", classes(), spot(), rests=rests, features=looks()))
    held = {"d0": (("robot1", "hand"),)} if rng.random() < 0.3 else {}
    covered = tuple(Covered("on", f"t{n}", 0.9) for n in range(1, 4) if rng.random() < 0.8)
    look = Observation(1.0, "look", (*seen_supports, *detections), covered, held=held)
    return look, belief.snapshot(), left_at


@pytest.mark.parametrize("seed", range(60))
def test_what_is_not_tried_would_not_have_been_taken(seed):
    rng = Random(seed)
    look, belief, left_at = strewn(
        rng, rng.choice((3, 8, 25)), spread=rng.choice((0.5, 3.0, 25.0)), features=seed % 3 == 0
    )
    found = associate(look, belief, ONTOLOGY, left_at=left_at)
    assert found == EachWithEach(look, belief, ONTOLOGY, frozenset(), left_at).run()


def cleared(rng, count, kinds=KINDS):
    """A belief in so many things on a table, and a look at that table, bare, and at all of them on another."""
    table = Entity("table2", {"table": 1.0}, (40.0, 0.0, 0.7), fixed=True)
    entities = [
        Entity(f"thing{n}", {rng.choice(kinds): 0.9}, (rng.uniform(-10, 10), rng.uniform(-10, 10), 0.7))
        for n in range(count)
    ]
    belief = believe(table, *entities, placed=[("on", entity.name, "table1") for entity in entities])
    moved = [
        seen(
            f"d{n}",
            entity.best_class,
            (1.0 + entity.pose[0] + rng.uniform(-1, 1), entity.pose[1] + rng.uniform(-1, 1), 0.7),
            ("on", "t2"),
        )
        for n, entity in enumerate(entities)
    ]
    look = (SEEN_TABLE, Detection("t2", {"table": 0.9}, (40.0, 0.0, 0.7)), *moved)
    return Observation(1.0, "look", look, (Covered("on", "t", 0.95),)), belief


def test_things_that_all_moved_are_told_apart_without_trying_each_with_each(monkeypatch):
    look, belief = cleared(Random(1), 300)
    tried = 0

    class Counting(MatchCosts):
        def pairs(self, *pair):
            nonlocal tried
            tried += 1
            return super().pairs(*pair)

    with monkeypatch.context() as counted:
        counted.setattr(_association, "MatchCosts", Counting)
        found = associate(look, belief, ONTOLOGY)
    assert sum(match.how == "moved" for match in found.values()) > 250
    assert found == EachWithEach(look, belief, ONTOLOGY, frozenset(), {}).run()
    assert 250 < tried < 300 * 300 / 8


def test_detections_that_rest_on_each_other_in_a_ring_are_new():
    home = load_catalogue("home")
    ring = [
        Detection("d1", {"plate": 0.9}, (1.0, 1.0, 0.8), rests=("on", "d2")),
        Detection("d2", {"bowl": 0.9}, (1.1, 1.0, 0.8), rests=("on", "d1")),
    ]
    found = associate(
        Observation(1.0, "look", tuple(ring)), Belief(home.vocabulary).snapshot(), home.ontology
    )
    assert {match.how for match in found.values()} == {"new"}
