"""The belief against a naive model that recomputes everything, and what its journal promises."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.world_model.beliefs.belief import JOURNAL_LENGTH, Belief, placement_key
from foretree.world_model.beliefs.facts import Entity, Fact, PredicateInfo, Truth, Vocabulary

VOCABULARY = Vocabulary(
    {
        "on": PredicateInfo(observable=True, group="rests"),
        "in": PredicateInfo(observable=True, group="rests"),
        "holding": PredicateInfo(group="rests", subject=3),
        "clean": PredicateInfo(observable=True),
    }
)
ATOMS = [
    *((p, i, a) for p in ("on", "in") for i in ("mug", "cup") for a in ("table", "shelf")),
    *(("holding", "robot1", h, i) for h in ("left", "right") for i in ("mug", "cup")),
    ("clean", "mug"),
    ("clean", "cup"),
    ("connected", "hall", "kitchen"),
    ("raining",),
]


def key(atom):
    if atom[0] in ("on", "in"):
        return atom[1]
    return atom[3] if atom[0] == "holding" else None


class Naive:
    """The same rules, written down without any cleverness."""

    def __init__(self):
        self.told = {}

    def tell(self, atom, truth):
        if truth is Truth.TRUE and key(atom) is not None:
            for other in list(self.told):
                if key(other) == key(atom) and other != atom and self.told[other] is Truth.TRUE:
                    del self.told[other]
        self.told[atom] = truth

    def retract(self, atom):
        self.told.pop(atom, None)

    def truth(self, atom):
        told = self.told.get(atom)
        if told in (Truth.TRUE, Truth.FALSE):
            return told
        excluded = any(
            t is Truth.TRUE and key(other) == key(atom) and key(atom) is not None
            for other, t in self.told.items()
        )
        if excluded:
            return Truth.FALSE
        return Truth.UNKNOWN if told is not None or atom[0] in ("on", "in", "clean") else Truth.FALSE


steps = st.lists(
    st.one_of(
        st.tuples(st.just("tell"), st.sampled_from(ATOMS), st.sampled_from(list(Truth))),
        st.tuples(st.just("retract"), st.sampled_from(ATOMS), st.just(Truth.FALSE)),
    ),
    max_size=30,
)


@settings(max_examples=300, deadline=None)
@given(steps)
def test_it_agrees_with_the_naive_model_at_every_version(history):
    belief, naive = Belief(VOCABULARY), Naive()
    kept = [(belief.snapshot(), {a: naive.truth(a) for a in ATOMS})]
    for what, atom, truth in history:
        if what == "tell":
            belief.tell(atom, truth)
            naive.tell(atom, truth)
        else:
            belief.retract([atom])
            naive.retract(atom)
        kept.append((belief.snapshot(), {a: naive.truth(a) for a in ATOMS}))
    for snapshot, truths in kept:
        assert {a: snapshot.truth(a) for a in ATOMS} == truths, "a snapshot never changes"
        for atom in ATOMS:
            assert snapshot.evidence(atom).truth is truths[atom]
            assert snapshot.evidence(atom).atom == atom
        placed = [a for a in ATOMS if truths[a] is Truth.TRUE and key(a) == "mug"]
        assert placed == [a for a in [snapshot.placement("rests", "mug")] if a is not None]
        assert set(snapshot.true_atoms()) == {a for a in ATOMS if truths[a] is Truth.TRUE}


@settings(max_examples=300, deadline=None)
@given(steps, st.integers(0, 30))
def test_the_journal_tells_every_change_to_who_watches_the_keys(history, at):
    belief = Belief(VOCABULARY)
    versions = [(belief.version, belief.snapshot())]
    for what, atom, truth in history:
        if what == "tell":
            belief.tell(atom, truth)
        else:
            belief.retract([atom])
        versions.append((belief.version, belief.snapshot()))
    version, earlier = versions[min(at, len(versions) - 1)]
    changed = set(belief.changes_since(version))
    now = belief.snapshot()
    for atom in ATOMS:
        if earlier.truth(atom) is not now.truth(atom):
            assert changed & set(now.watch_keys(atom)), f"{atom} changed and nobody heard"
    assert belief.changes_since(belief.version) == []


@given(steps)
def test_versions_only_grow_and_equal_versions_are_equal_beliefs(history):
    belief = Belief(VOCABULARY)
    for what, atom, truth in history:
        before, version = belief.snapshot(), belief.version
        if what == "tell":
            belief.tell(atom, truth)
            assert belief.version > version
        else:
            belief.retract([atom])
            assert belief.version > version or belief.snapshot() is before


def test_a_thing_rests_in_one_place():
    belief = Belief(VOCABULARY)
    belief.tell(("on", "mug", "table"))
    belief.tell(("in", "mug", "shelf"))
    assert belief.truth(("on", "mug", "table")) is Truth.FALSE
    assert belief.fact(("on", "mug", "table")) is None
    assert belief.snapshot().evidence(("on", "mug", "table")).source == "told"
    assert belief.truth(("on", "cup", "table")) is Truth.UNKNOWN


def test_what_is_in_a_hand_rests_nowhere():
    belief = Belief(VOCABULARY)
    belief.tell(("on", "mug", "table"))
    belief.tell(("holding", "robot1", "left", "mug"))
    assert belief.truth(("on", "mug", "table")) is Truth.FALSE
    assert belief.truth(("in", "mug", "shelf")) is Truth.FALSE
    belief.tell(("in", "mug", "shelf"))
    assert belief.truth(("holding", "robot1", "left", "mug")) is Truth.FALSE


def test_being_elsewhere_settles_what_was_told_to_be_unknown():
    belief = Belief(VOCABULARY)
    belief.tell(("on", "mug", "table"), Truth.UNKNOWN, confidence=0.0)
    belief.tell(("on", "mug", "shelf"))
    assert belief.truth(("on", "mug", "table")) is Truth.FALSE
    belief.tell(("on", "mug", "shelf"), False)
    assert belief.truth(("on", "mug", "table")) is Truth.UNKNOWN


def test_unknown_until_told_false_when_the_predicate_is_fully_known():
    belief = Belief(VOCABULARY)
    assert belief.truth(("clean", "mug")) is Truth.UNKNOWN
    assert belief.truth(("connected", "hall", "kitchen")) is Truth.FALSE


def test_the_group_key_is_in_the_journal():
    belief = Belief(VOCABULARY)
    belief.tell(("on", "mug", "table"))
    assert belief.changes_since(0) == [placement_key("rests", "mug"), ("on", "mug", "table")]
    version = belief.version
    belief.tell(("on", "mug", "shelf"))
    changed = belief.changes_since(version)
    assert ("on", "mug", "table") in changed
    assert placement_key("rests", "mug") in changed


def test_telling_what_is_believed_already_is_no_change():
    belief = Belief(VOCABULARY)
    belief.tell(("on", "mug", "table"), time=1.0)
    version = belief.version
    belief.tell(("on", "mug", "table"), time=2.0)
    assert belief.changes_since(version) == []
    assert belief.fact(("on", "mug", "table")).time == 2.0


def test_refreshing_renews_evidence_without_a_trace_in_the_journal():
    belief = Belief(VOCABULARY)
    belief.tell(("clean", "mug"), time=1.0)
    belief.tell(("on", "mug", "table"), time=1.0)
    version, earlier = belief.version, belief.snapshot()
    belief.refresh(
        [
            Fact(("clean", "mug"), Truth.TRUE, 0.8, 5.0, "look"),
            Fact(("on", "mug", "table"), Truth.TRUE, 0.9, 5.0, "look"),
        ],
        [Entity("mug", {"mug": 1.0})],
    )
    assert belief.version == version + 1
    assert belief.changes_since(version) == []
    assert belief.fact(("clean", "mug")) == Fact(("clean", "mug"), Truth.TRUE, 0.8, 5.0, "look")
    assert earlier.fact(("clean", "mug")).time == 1.0
    assert earlier.entity("mug") is None


def test_refreshing_cannot_change_a_truth():
    belief = Belief(VOCABULARY)
    belief.tell(("clean", "mug"))
    for atom, truth in [(("clean", "mug"), Truth.FALSE), (("clean", "cup"), Truth.TRUE)]:
        with pytest.raises(ValueError, match="would change the truth"):
            belief.refresh([Fact(atom, truth, 1.0, 0.0, "look")])


def test_changes_too_long_ago_are_not_made_up():
    belief = Belief(VOCABULARY)
    for n in range(JOURNAL_LENGTH):
        belief.tell(("clean", f"mug{n}"))
    assert belief.changes_since(belief.version - 1) == [("clean", f"mug{JOURNAL_LENGTH - 1}")]
    belief.tell(("clean", "cup"))
    assert belief.changes_since(0) is None


def test_an_entity_that_is_removed_takes_its_facts_along():
    belief = Belief(VOCABULARY)
    belief.put_entity(Entity("mug", {"mug": 1.0}))
    belief.tell(("on", "mug", "table"))
    belief.tell(("clean", "cup"))
    version, earlier = belief.version, belief.snapshot()
    belief.remove_entity("mug")
    assert belief.entity("mug") is None
    assert belief.truth(("on", "mug", "table")) is Truth.UNKNOWN
    assert belief.truth(("clean", "cup")) is Truth.TRUE
    assert ("on", "mug", "table") in belief.changes_since(version)
    assert earlier.entity("mug") is not None


def test_the_best_class_is_the_likeliest_then_the_first():
    assert Entity("x", {"mug": 0.6, "cup": 0.4}).best_class == "mug"
    assert Entity("x", {"mug": 0.5, "cup": 0.5}).best_class == "cup"


# -- true in several ways ----------------------------------------------------------------------------

HANDS = Vocabulary(
    {
        "on": PredicateInfo(group="rests"),
        "holding": PredicateInfo(group="rests", subject=2, several=True),
    }
)
LEFT, RIGHT, TABLE = ("holding", "left", "tray"), ("holding", "right", "tray"), ("on", "tray", "table")


def in_two_hands():
    belief = Belief(HANDS)
    for atom in (TABLE, LEFT, RIGHT):
        belief.tell(atom)
    return belief


def test_two_hands_can_hold_one_thing():
    belief = in_two_hands()
    assert [belief.truth(atom) for atom in (LEFT, RIGHT, TABLE)] == [Truth.TRUE, Truth.TRUE, Truth.FALSE]
    assert belief.snapshot().placement("rests", "tray") == LEFT


@pytest.mark.parametrize(("gone", "left"), [(LEFT, RIGHT), (RIGHT, LEFT)])
@pytest.mark.parametrize("how", ["told", "retracted"])
def test_what_has_left_one_hand_is_in_the_other(gone, left, how):
    belief = in_two_hands()
    if how == "told":
        belief.tell(gone, False)
    else:
        belief.retract([gone])
    assert belief.snapshot().placement("rests", "tray") == left
    assert [belief.truth(atom) for atom in (gone, left)] == [Truth.FALSE, Truth.TRUE]


def test_what_rests_somewhere_else_is_in_neither_hand():
    belief = in_two_hands()
    version = belief.version
    belief.tell(TABLE)
    assert [belief.truth(atom) for atom in (LEFT, RIGHT, TABLE)] == [Truth.FALSE, Truth.FALSE, Truth.TRUE]
    assert belief.snapshot().placement("rests", "tray") == TABLE
    assert {LEFT, RIGHT, TABLE} <= set(belief.changes_since(version))


def test_another_thing_in_the_other_hand_changes_nothing():
    belief = in_two_hands()
    belief.tell(("holding", "right", "cup"))
    belief.tell(("on", "cup", "table"))
    assert belief.truth(RIGHT) is Truth.TRUE


WAYS = [LEFT, RIGHT, ("holding", "middle", "tray"), TABLE, ("on", "tray", "shelf")]


@given(st.lists(st.tuples(st.sampled_from(WAYS), st.sampled_from(["true", "false", "forget"])), max_size=12))
def test_what_is_in_place_is_always_one_of_what_is_true_together(steps):
    belief, true = Belief(HANDS), set()
    for atom, how in steps:
        if how == "forget":
            belief.retract([atom])
            true.discard(atom)
        else:
            belief.tell(atom, how == "true")
            if how == "true":
                true = {other for other in true if other[0] == atom[0] == "holding"} | {atom}
            else:
                true.discard(atom)
        assert set(belief.snapshot().true_atoms()) == true
        placed = belief.snapshot().placement("rests", "tray")
        assert placed in true if true else placed is None
        assert all((belief.truth(way) is Truth.TRUE) is (way in true) for way in WAYS)
