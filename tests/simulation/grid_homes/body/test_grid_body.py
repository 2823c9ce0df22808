from __future__ import annotations

from random import Random

import numpy as np
import pytest
from home_makers import furnished

from foretree.errors import ForetreeError
from foretree.perception.frame import Frame
from foretree.simulation.grid_homes.body.body import GridBody
from foretree.simulation.grid_homes.camera.frame_picture import draw_frame
from foretree.simulation.grid_homes.episode import open_episode
from foretree.skills.embodied.body import MOTIONS, Control


def what(mask) -> str:
    return max(mask.scores, key=lambda name: mask.scores[name])


def within_reach(body: GridBody, frame: Frame):
    """The masks of the items that can be picked up, nearest first."""
    assert body.seen is not None
    home = body.rules.home
    things = [(home[body.seen.things[mask.label]], mask) for mask in frame.masks]
    return [mask for thing, mask in things if not thing.is_furniture and home.distance(thing) <= 1.2]


def test_a_manipulation_is_aimed_at_a_mask_of_the_last_frame():
    body = furnished(4, noise=0)
    frame = body.step(Control("wait"))
    mask = within_reach(body, frame)[0]
    assert body.seen is not None
    thing = body.seen.things[mask.label]
    after = body.step(Control("pick_up", mask.label))
    assert after.ok, after.message
    assert body.rules.home.held == thing
    assert after.held is not None
    assert what(after.held) == what(mask)
    assert after.held.label not in {other.label for other in after.masks}
    assert (after.step, frame.step) == (2, 1)


@pytest.mark.parametrize("label", [None, 0, 99])
def test_a_label_that_is_not_in_the_last_frame_means_nothing(label: int | None):
    body = furnished(4, noise=0)
    body.step(Control("wait"))
    frame = body.step(Control("pick_up", label))
    assert not frame.ok
    assert frame.message == "there is nothing there"


def test_before_the_first_frame_nothing_can_be_aimed_at():
    frame = furnished(4, noise=0).step(Control("pick_up", 1))
    assert not frame.ok


def test_the_log_knows_what_had_been_in_view():
    body = furnished(4, noise=0)
    frame = body.step(Control("wait"))
    table = max(frame.masks, key=lambda mask: (frame.labels == mask.label).sum())
    body.step(Control("pick_up", table.label))
    assert body.rules.log.refused[-1].in_view
    far = open_episode("l_kitchen/0", 4, noise=0)
    far.step(Control("pick_up", 1))
    assert far.rules.log.refused[-1].step == 0


def frames(body: GridBody, count: int = 40) -> list[bytes]:
    rng = Random(0)
    seen = []
    for _ in range(count):
        frame = body.step(Control(rng.choice(MOTIONS)))
        crops = b"".join(mask.crop.tobytes() for mask in frame.masks)
        seen.append(frame.labels.tobytes() + frame.depth.tobytes() + crops + repr(frame.stance).encode())
    return seen


def test_the_same_seed_gives_the_same_frames_and_another_one_others():
    assert frames(open_episode("studio/0", 3)) == frames(open_episode("studio/0", 3))
    assert frames(open_episode("studio/0", 3)) != frames(open_episode("studio/0", 4))


def test_walking_shows_in_the_stance_and_in_the_depth():
    body = open_episode("studio/0", 3, noise=0)
    first = body.step(Control("wait"))
    ways = ("move_ahead", "move_back", "strafe_left", "strafe_right")
    after = next(frame for frame in map(body.step, map(Control, ways)) if frame.ok)
    assert abs(after.stance.x - first.stance.x) + abs(after.stance.y - first.stance.y) == pytest.approx(0.25)
    assert (after.depth != first.depth).any()


@pytest.mark.parametrize("noise", [-1, float("nan")])
def test_there_is_no_negative_noise(noise: float):
    with pytest.raises(ForetreeError, match="Noise can be 0 or more times the default"):
        open_episode("studio/0", 3, noise=noise)


def test_a_layout_that_is_not_there():
    with pytest.raises(ForetreeError, match="studio"):
        open_episode("stodio/0", 3)


def test_a_frame_is_drawn_for_people(tmp_path):
    from PIL import Image

    body = furnished(4, noise=0)
    frame = body.step(Control("pick_up", within_reach(body, body.step(Control("wait")))[0].label))
    draw_frame(frame, tmp_path / "frame.png")
    picture = np.asarray(Image.open(tmp_path / "frame.png"))
    assert picture.shape[1] == 2 * 8 * 96
    assert picture.shape[0] > 8 * 72, "the crops come below"
    assert len(np.unique(picture[: 8 * 72, : 8 * 96].reshape(-1, 3), axis=0)) > len(frame.masks)
