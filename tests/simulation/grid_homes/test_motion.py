from __future__ import annotations

import pytest

from foretree.simulation.grid_homes._physics import faces, move
from foretree.skills.embodied.body import MOTIONS, Control


@pytest.mark.parametrize(
    ("heading", "name", "by"),
    [
        (0, "move_ahead", (1, 0)),
        (90, "move_ahead", (0, 1)),
        (180, "move_back", (1, 0)),
        (0, "strafe_left", (0, 1)),
        (90, "strafe_left", (-1, 0)),
        (90, "strafe_right", (1, 0)),
    ],
)
def test_a_step_goes_one_cell(lab, heading: int, name: str, by: tuple[int, int]) -> None:
    lab.home.posture.cell, lab.home.posture.heading = (20, 7), heading
    assert move(lab.home, name) == ""
    assert lab.home.posture.cell == (20 + by[0], 7 + by[1])
    assert lab.home.posture.heading == heading


def test_nobody_goes_through_walls_or_furniture(lab) -> None:
    lab.stand_before(lab.the("table"))
    before = lab.home.posture.cell
    answer = lab.rules.do(Control("move_ahead"))
    assert answer == (False, "something is in the way")
    assert lab.home.posture.cell == before
    assert lab.rules.log.refused[-1].rule == "way-free"


@pytest.mark.parametrize(("name", "heading"), [("rotate_left", 90), ("rotate_right", 270)])
def test_a_turn_is_a_quarter(lab, name: str, heading: int) -> None:
    assert move(lab.home, name) == ""
    assert lab.home.posture.heading == heading


def test_the_camera_nods_within_limits(lab) -> None:
    assert [move(lab.home, "look_up") for _ in range(2)] == ["", "the camera does not look farther up"]
    assert lab.home.posture.pitch == 30
    assert [move(lab.home, "look_down") == "" for _ in range(4)] == [True, True, True, False]
    assert lab.home.posture.pitch == -60


@pytest.mark.parametrize("name", ["lift_held", "lower_held", "turn_held"])
def test_an_empty_hand_shows_nothing(lab, name: str) -> None:
    assert lab.rules.do(Control(name)) == (False, "there is nothing in the hand")


def test_what_is_held_is_lifted_and_turned(lab) -> None:
    lab.hold("mug")
    assert [move(lab.home, "lift_held"), move(lab.home, "lift_held")] == [
        "",
        "the arm does not go farther up",
    ]
    assert [move(lab.home, "turn_held") for _ in range(5)] == [""] * 5
    assert (lab.home.posture.lift, lab.home.posture.turn) == (1, 1)


def test_what_is_picked_up_next_is_held_as_usual(lab) -> None:
    lab.hold("mug")
    move(lab.home, "lower_held")
    move(lab.home, "turn_held")
    lab.must("put", "table")
    lab.must("pick_up", lab.add("cup", "on", "table"))
    assert (lab.home.posture.lift, lab.home.posture.turn) == (0, 0)


def test_motions_never_touch_things(lab) -> None:
    lab.add("mug", "on", "table")
    before = lab.home.revision
    for name in MOTIONS:
        lab.rules.do(Control(name))
    assert lab.home.revision == before
    assert lab.rules.step == len(MOTIONS)


def test_one_faces_what_is_ahead_and_not_behind_a_wall(flat) -> None:
    home = flat.home
    for piece in home.furniture():
        flat.stand_before(piece)
        assert faces(home, piece), piece.class_name
        home.posture.heading = (home.posture.heading + 180) % 360
        assert not faces(home, piece)
    kitchen, other = home.layout.rooms[:2]
    wall = kitchen.x1
    through = next(
        j
        for j in range(other.y0, other.y1)
        if (wall, j) in home.layout.walls and (wall + 2, j) in home.layout.reachable
    )
    beyond = next(thing for thing in home.furniture() if home.room_of(thing) == kitchen)
    home.posture.cell, home.posture.heading = (wall + 2, through), 180
    x, y = (wall - 2) * 0.25, (through + 0.5) * 0.25
    beyond.extent = (x - 0.1, y - 0.1, 0.0, x + 0.1, y + 0.1, 1.0)
    assert not faces(home, beyond)
