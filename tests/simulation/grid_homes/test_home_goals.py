from __future__ import annotations

import pytest

from foretree.simulation.grid_homes.goals import (
    At,
    AtLeast,
    Every,
    HomeTask,
    Load,
    Selector,
    Together,
    classes_of,
    goal_conditions,
    holds,
)

MUG = Selector(("mug",))
ON_TABLE = At(Selector(("table",)), ("on",))


def test_things_are_counted(lab) -> None:
    for expected in range(3):
        assert [holds(lab.home, AtLeast(n, MUG)) for n in (1, 2)] == [expected >= 1, expected >= 2]
        lab.add("mug", "on", "table")


def test_a_thing_of_one_of_some_classes_counts(lab) -> None:
    lab.add("cup", "on", "table")
    assert holds(lab.home, AtLeast(1, Selector(("mug", "cup"))))
    assert not holds(lab.home, AtLeast(1, MUG))


def test_states_have_to_be_those_of_one_thing(lab) -> None:
    lab.add("mug", "on", "table", "clean")
    lab.add("mug", "on", "table", "hot")
    assert not holds(lab.home, AtLeast(1, Selector(("mug",), ("clean", "hot"))))
    lab.add("mug", "on", "table", "clean", "hot")
    assert holds(lab.home, AtLeast(1, Selector(("mug",), ("clean", "hot"))))


def test_what_a_thing_must_not_be(lab) -> None:
    potato = lab.add("potato", "on", "table", "sliced")
    whole = AtLeast(1, Selector(("potato",), lacks=("sliced",)))
    assert not holds(lab.home, whole)
    lab.home.set_state(potato, "sliced", False)
    assert holds(lab.home, whole)


def test_what_is_broken_is_nothing_any_more(lab) -> None:
    mug = lab.add("mug", "on", "table")
    lab.home.set_state(mug, "broken")
    assert not holds(lab.home, AtLeast(1, MUG))


def test_how_a_thing_rests_matters(lab) -> None:
    lab.add("book", "under", "table")
    book = Selector(("book",), at=ON_TABLE)
    assert not holds(lab.home, AtLeast(1, book))
    assert holds(lab.home, AtLeast(1, Selector(("book",), at=At(Selector(("table",))))))


def test_what_is_in_the_hand_rests_nowhere(lab) -> None:
    lab.hold("mug")
    assert holds(lab.home, AtLeast(1, MUG))
    assert not holds(lab.home, AtLeast(1, Selector(("mug",), at=At(Selector(("sofa",))))))


def test_places_have_states_too(lab) -> None:
    lab.add("apple", "on", lab.add("plate", "on", "table"))
    clean = AtLeast(1, Selector(("apple",), at=At(Selector(("plate",), ("clean",)))))
    assert not holds(lab.home, clean)
    lab.home.set_state(lab.the("plate"), "clean")
    assert holds(lab.home, clean)


def test_loads_have_to_be_on_one_and_the_same_thing(lab) -> None:
    plates = [lab.add("plate", "on", "table") for _ in range(2)]
    served = AtLeast(1, Selector(("plate",), bears=(Load(2, Selector(("apple_slice",))),)))
    for plate in plates:
        lab.add("apple_slice", "on", plate)
    assert not holds(lab.home, served)
    lab.add("apple_slice", "on", plates[0])
    assert holds(lab.home, served)


def test_all_of_none_is_not_enough(lab) -> None:
    every = Every(MUG, Selector(("mug",), ("clean",)))
    together = Together(MUG, ON_TABLE)
    assert not holds(lab.home, every)
    assert not holds(lab.home, together)


def test_all_means_all(lab) -> None:
    every = Every(MUG, Selector(("mug",), ("clean",)))
    lab.add("mug", "on", "table", "clean")
    assert holds(lab.home, every)
    lab.add("mug", "in", "fridge")
    assert not holds(lab.home, every)


def test_together_means_in_the_same_place(lab) -> None:
    together = Together(MUG, At(Selector(("counter",)), ("on",)))
    one, other = lab.home.of_class("counter")
    lab.add("mug", "on", one)
    assert holds(lab.home, together)
    mug = lab.add("mug", "on", other)
    assert not holds(lab.home, together)
    assert holds(lab.home, Every(MUG, Selector(("mug",), at=At(Selector(("counter",)), ("on",)))))
    lab.carry(mug, one)
    assert holds(lab.home, together)


@pytest.mark.parametrize(
    ("mugs", "found"),
    [
        ([], [False, False, False, False, False, False]),
        ([("sofa", "clean")], [True, False, False, False, False, False]),
        ([("table", "clean")], [True, False, True, False, True, False]),
        ([("table", "hot"), ("sofa", "clean")], [True, False, True, False, False, False]),
        ([("table", "clean"), ("table", "hot")], [True, False, True, True, True, False]),
        ([("table", "clean"), ("table", "clean")], [True] * 6),
    ],
)
def test_a_goal_is_reached_part_by_part(lab, mugs, found) -> None:
    for place, state in mugs:
        lab.add("mug", "on", place, state)
    two_clean = HomeTask("", (AtLeast(2, Selector(("mug",), ("clean",), at=ON_TABLE)),))
    assert goal_conditions(lab.home, two_clean) == found


def test_what_a_place_has_to_be_is_a_part_of_its_own(lab) -> None:
    on_clean = HomeTask("", (AtLeast(1, Selector(("apple",), at=At(Selector(("plate",), ("clean",))))),))
    lab.add("plate", "on", "table", "clean")
    assert goal_conditions(lab.home, on_clean) == [True, False, False]
    lab.add("apple", "on", lab.add("plate", "on", "table"))
    assert goal_conditions(lab.home, on_clean) == [True, True, False]


def test_of_all_things_each_counts(lab) -> None:
    for state in ("clean", "hot", "clean"):
        lab.add("mug", "on", "table", state)
    clean = HomeTask("", (Every(MUG, Selector(("mug",), ("clean",))),))
    assert goal_conditions(lab.home, clean) == [True, False, True]


def test_of_things_that_belong_together_those_count_that_are_with_most(lab) -> None:
    one, other = lab.home.of_class("counter")
    for place in (one, other, other, "sofa"):
        lab.add("mug", "on", place)
    together = HomeTask("", (Together(MUG, At(Selector(("counter",)), ("on",))),))
    assert goal_conditions(lab.home, together) == [False, True, True, False]


def test_a_task_names_classes() -> None:
    plate = Selector(("plate",), at=ON_TABLE, bears=(Load(1, Selector(("apple_slice",))),))
    task = HomeTask(
        "", (AtLeast(1, plate), Every(MUG, Selector(("cup",))), Together(MUG, At(Selector(("bin",)))))
    )
    assert classes_of(task) == {"plate", "table", "apple_slice", "mug", "cup", "bin"}
