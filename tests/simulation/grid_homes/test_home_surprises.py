from __future__ import annotations

import pytest

from foretree.simulation.faults.fault_script import FaultError
from foretree.simulation.grid_homes.surprises import HomeSurprises
from foretree.world_model.beliefs.facts import Entity, centre


@pytest.fixture
def seen(lab) -> dict[str, Entity]:
    """The robot's belief: a mug on the table, and the furniture."""
    lab.add("mug", "on", "table", "clean")
    names = {"mug1": "mug", "table1": "table", "fridge1": "fridge", "lamp1": "lamp", "plant1": "plant"}
    return {
        name: Entity(name, {kind: 1.0}, pose=centre(lab.the(kind).extent)) for name, kind in names.items()
    }


@pytest.fixture
def surprises(lab, seen) -> HomeSurprises:
    return HomeSurprises(lab.rules, lambda: seen)


def test_things_are_moved_opened_switched_and_made_dirty(lab, surprises) -> None:
    mug = lab.the("mug")
    surprises.strike("dirty mug1")
    assert "clean" not in mug.states
    surprises.strike("open fridge1")
    assert lab.the("fridge").is_open
    surprises.strike("close fridge1")
    assert not lab.the("fridge").is_open
    surprises.strike("switch on lamp1")
    assert "turned_on" in lab.the("lamp").states
    surprises.strike("move mug1 in fridge1")
    assert mug.rests == ("in", lab.the("fridge").id)
    assert "cold" in mug.states or not mug.can("food")
    told = [each.what for each in lab.rules.log.disturbances]
    assert told == ["dirty mug1", "open fridge1", "close fridge1", "switch on lamp1", "move mug1 in fridge1"]


def test_what_is_removed_is_gone_with_what_lies_in_it(lab, surprises) -> None:
    spoon = lab.add("spoon", "in", lab.the("mug"))
    mug = lab.the("mug")
    surprises.strike("remove mug1")
    assert not {mug.id, spoon.id} & set(lab.home.things)
    assert mug.id not in lab.the("table").load
    assert not {box.thing for box in lab.home.boxes()} & {mug.id, spoon.id}


def test_a_name_stands_for_what_is_nearest_to_where_the_robot_believes_it(lab, surprises) -> None:
    nearer, other = lab.the("mug"), lab.add("mug", "on", "sofa", "clean")
    surprises.strike("dirty mug1")
    assert "clean" not in nearer.states
    assert "clean" in other.states


@pytest.mark.parametrize(
    ("line", "because"),
    [
        ("paint mug1", "Valid: move X"),
        ("", "nothing that can happen"),
        ("dirty cup1", "knows of no 'cup1'"),
        ("open mug1", "cannot be done with a mug"),
        ("move table1 fridge1", "it stays where it is"),
        ("move mug1 mug1", "rests on it"),
        ("move mug1 under lamp1", "Nothing can be under a lamp"),
        ("remove fridge1", "furniture"),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(lab, surprises, line, because) -> None:
    before = lab.home.revision
    with pytest.raises(FaultError, match=because):
        surprises.strike(line)
    assert lab.home.revision == before
    assert not lab.rules.log.disturbances


def test_what_is_not_where_it_is_believed_to_be_is_said(lab, seen, surprises) -> None:
    surprises.strike("move mug1 in fridge1")
    with pytest.raises(FaultError, match="no mug where the robot believes mug1 to be"):
        surprises.strike("dirty mug1")
    seen["mug1"] = Entity("mug1", {"mug": 1.0})
    with pytest.raises(FaultError, match="does not know"):
        surprises.strike("dirty mug1")


def test_what_is_in_the_hand_stays_there(lab, surprises) -> None:
    lab.home.grasp(lab.the("mug"))
    with pytest.raises(FaultError, match="in the robot's hand"):
        surprises.strike("move mug1 fridge1")
