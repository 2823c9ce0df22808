"""What is believed once an action is said to be done."""

from foretree.planning.syntax import Literal
from foretree.world_model.effects import apply_effects
from foretree.world_model.facts import Truth


def test_effects_are_believed_with_the_skills_confidence(kitchen):
    kitchen.know("mug1", "mug", ("on", "mug1", "table1"), (0.1, 0.1, 0.7))
    apply_effects(kitchen.belief, [Literal(("clean", "mug1"))], 0.9, 7.0)
    fact = kitchen.belief.fact(("clean", "mug1"))
    assert (fact.truth, fact.confidence, fact.time, fact.source) == (Truth.TRUE, 0.9, 7.0, "action")


def test_what_is_deleted_and_added_is_added(kitchen):
    atom = ("clean", "mug1")
    apply_effects(kitchen.belief, [Literal(atom), Literal(atom, False)], 0.9, 7.0)
    assert kitchen.belief.truth(atom) is Truth.TRUE


def test_a_picked_thing_has_no_pose_of_its_own(kitchen):
    kitchen.know("mug1", "mug", ("on", "mug1", "table1"), (0.1, 0.1, 0.7))
    effects = [
        Literal(("holding", "robot1", "left", "mug1")),
        Literal(("hand_free", "robot1", "left"), False),
        Literal(("on", "mug1", "table1"), False),
    ]
    apply_effects(kitchen.belief, effects, 0.9, 7.0)
    assert kitchen.belief.entity("mug1").pose is None
    assert kitchen.belief.snapshot().placement("rests", "mug1") == ("holding", "robot1", "left", "mug1")


def test_a_placed_thing_is_where_its_support_is(kitchen):
    kitchen.know("mug1", "mug")
    kitchen.belief.tell(("holding", "robot1", "left", "mug1"))
    effects = [Literal(("on", "mug1", "table2")), Literal(("holding", "robot1", "left", "mug1"), False)]
    apply_effects(kitchen.belief, effects, 0.9, 7.0)
    assert kitchen.belief.entity("mug1").pose == kitchen.belief.entity("table2").pose
    assert kitchen.belief.truth(("holding", "robot1", "left", "mug1")) is Truth.FALSE
    assert kitchen.belief.truth(("on", "mug1", "table2")) is Truth.TRUE
