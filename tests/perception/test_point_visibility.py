from __future__ import annotations

import pytest
from home_frames import LENS, block, scene, seen_in_homes, table

from foretree.perception.eyes import load_eye_settings, would_show
from foretree.world_model.camera_model import Stance

SURE = load_eye_settings().reliability


@pytest.mark.parametrize(("heading", "dx", "dy"), [(0, 1, 0), (90, 0, 1), (180, -1, 0), (270, 0, -1)])
def test_a_spot_in_view_would_show_and_one_behind_the_body_would_not(heading: int, dx: int, dy: int):
    frame = scene(Stance(0, 0, heading, -30), table(3.0 * dx, 3.0 * dy))
    assert would_show(frame, LENS, (2 * dx, 2 * dy, 0.5), SURE) == pytest.approx(0.92)
    assert would_show(frame, LENS, (-2 * dx, -2 * dy, 0.5), SURE) == 0
    assert would_show(frame, LENS, (5 * dx + 9 * dy, 5 * dy + 9 * dx, 0.5), SURE) == 0, "beside the picture"


def test_what_stands_before_a_spot_hides_it():
    stance = Stance(0, 0, 0)
    assert would_show(scene(stance, table(3.0, 0)), LENS, (2.5, 0, 1.2), SURE) > 0.9
    screen = ("wardrobe", [block(1.0, 0, 0, 0.3, 1.0, 2.0)])
    assert would_show(scene(stance, screen), LENS, (2.5, 0, 1.2), SURE) == 0


def test_farther_away_it_would_show_less_surely():
    frame = scene(Stance(0, 0, 0), table(7.0, 0))
    assert would_show(frame, LENS, (4.0, 0, 1.2), SURE) == pytest.approx(0.80)
    assert would_show(frame, LENS, (0.9, 0, 1.4), SURE) == pytest.approx(0.98)


def test_of_a_small_thing_too_little_shows_from_afar():
    frame = scene(Stance(0, 0, 0), table(7.0, 0))
    near, far = ((away, 0, 1.0) for away in (1.0, 2.5))
    crumb, mug = (0.05, 0.02), (0.09, 0.1)
    assert would_show(frame, LENS, near, SURE, crumb) == would_show(frame, LENS, near, SURE)
    assert would_show(frame, LENS, far, SURE, crumb) < 0.3
    assert would_show(frame, LENS, far, SURE, mug) == would_show(frame, LENS, far, SURE)


def test_in_homes_it_is_calibrated():
    claimed = found = spots = 0.0
    for seen in seen_in_homes(homes=5, looks=16):
        detected = set(seen.picture.things.values())
        for thing in seen.home.items():
            middle = tuple((a + b) / 2 for a, b in zip(thing.extent[:3], thing.extent[3:], strict=True))
            if seen.home.lid_above(thing) is not None:
                continue
            likely = would_show(seen.frame, LENS, middle, SURE)
            if likely > 0.5:
                spots += 1
                claimed += likely
                found += thing.id in detected
    assert spots > 200
    assert abs(found - claimed) / spots < 0.1
