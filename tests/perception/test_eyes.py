from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from home_frames import LENS, BodiesBearing, block, scene, seen_in_homes, table

from foretree.perception.eyes import open_eyes, viewpoint_of
from foretree.perception.frame import Mask, Stance
from foretree.simulation.grid_homes.camera._appearance import clean_crop
from foretree.simulation.grid_homes.camera.camera import visible_states
from foretree.world_model.beliefs.facts import hand_free

EYES = open_eyes(LENS, BodiesBearing())
MUG = clean_crop("mug", (196, 72, 60), ("clean", "hot"))


@pytest.fixture(scope="module")
def looks():
    return list(seen_in_homes(homes=6, looks=16))


HERE = Stance(0, 0, 0, -30)


def laid_table(stance: Stance = HERE):
    frame = scene(stance, table(2.0, 0.0), ("mug", [block(1.8, 0.1, 0.75, 0.15, 0.15, 0.2)]))
    return replace(frame, masks=(frame.masks[0], replace(frame.masks[1], crop=MUG)), step=12)


def test_a_frame_becomes_an_observation():
    observation = EYES.see(laid_table(), 3.0, "look")
    assert (observation.time, observation.source) == (3.0, "look")
    board, mug = observation.detections
    assert mug.classes == {"mug": 0.97}
    assert mug.pose == pytest.approx((1.8, 0.1, 0.85), abs=0.08)
    assert mug.rests == ("on", board.id)
    assert mug.states["clean"] > 0.85
    assert mug.states["hot"] > 0.8
    assert mug.states["has_coffee"] < 0.15
    assert board.extent == pytest.approx((1.6, -0.7, 0.0, 2.4, 0.7, 0.75), abs=0.1)
    assert len(mug.features) == 12
    assert [(one.relation, one.support) for one in observation.covered] == [("on", board.id)]
    assert 0.6 < observation.covered[0].certainty < 0.95
    assert observation.body == {hand_free(("robot", "hand")): True}
    assert observation.viewpoint == "0 0 0"


def test_ids_are_fresh_in_each_look():
    frame = laid_table()
    one, other = EYES.see(frame, 0.0), EYES.see(replace(frame, step=13), 0.5)
    assert not {d.id for d in one.detections} & {d.id for d in other.detections}


def test_the_same_frame_gives_the_same_observation():
    assert EYES.see(laid_table(), 0.0) == EYES.see(laid_table(), 0.0)


def test_nodding_leaves_the_viewpoint_and_turning_and_going_do_not():
    here = viewpoint_of(Stance(1.1, 2.3, 90, 0))
    assert viewpoint_of(Stance(1.12, 2.26, 90, -30)) == here
    assert len({here, viewpoint_of(Stance(1.1, 2.3, 180)), viewpoint_of(Stance(1.3, 2.3, 90))}) == 3


def test_what_is_held_is_seen_from_a_viewpoint_of_its_own():
    held = Mask(9, {"cup": 0.9}, MUG)
    observation = EYES.see(replace(laid_table(), held=held), 0.0, grip="1 2")
    thing = observation.detections[-1]
    assert observation.held == {thing.id: (("robot", "hand"),)}
    assert observation.body == {hand_free(("robot", "hand")): False}
    assert observation.viewpoint_of(thing) == "hand 1 2"
    assert observation.viewpoint_of(observation.detections[0]) == "0 0 0"
    assert thing.rests is None
    assert thing.pose == pytest.approx((0.4, 0, 1.0))


def test_tiny_masks_are_doubted_and_not_dropped():
    frame = laid_table()
    rows, columns = np.nonzero(frame.labels == 2)
    labels = frame.labels.copy()
    labels[rows[1:], columns[1:]] = 0
    _, mug = EYES.see(replace(frame, labels=labels), 0.0).detections
    assert 0.5 < mug.classes["mug"] < 0.7
    labels[rows, columns] = 0
    assert len(EYES.see(replace(frame, labels=labels), 0.0).detections) == 1


def test_states_are_the_less_sure_the_farther_away():
    near = EYES.see(laid_table(Stance(0.9, 0, 0, -30)), 0.0).detections[1].states["clean"]
    middle = EYES.see(laid_table(Stance(0, 0, 0, -30)), 0.0).detections[1].states["clean"]
    far = EYES.see(laid_table(Stance(-2, 0, 0, 0)), 0.0).detections[1].states["clean"]
    assert near > middle > far > 0.7


def test_an_empty_frame_is_an_empty_observation():
    frame = laid_table()
    observation = EYES.see(replace(frame, masks=(), labels=np.zeros_like(frame.labels)), 0.0)
    assert observation.detections == observation.covered == ()


def test_states_are_read_nearly_as_well_as_they_show(looks):
    """Of all states, 4, 10 and 20 % are misread before eyes come in; what they make of the rest is theirs."""
    right, said = defaultdict(list), defaultdict(list)
    for seen in looks:
        observation = EYES.see(seen.frame, 0.0)
        for detection in observation.detections:
            label = int(detection.id.partition("m")[2])
            thing, mask = seen.thing(label), next(m for m in seen.frame.masks if m.label == label)
            box = np.array(detection.extent)
            eye = (seen.frame.stance.x, seen.frame.stance.y, seen.frame.stance.eye)
            away = np.linalg.norm(np.maximum(np.maximum(box[:3] - eye, eye - box[3:]), 0))
            grade = EYES.reliability.grade(float(away), mask.visible)
            for state in visible_states(thing):
                share = detection.states.get(state)
                if share is not None:
                    right[grade].append((share > 0.5) is (state in thing.states))
                    said[grade].append(max(share, 1 - share))
    for grade, ceiling in enumerate((0.96, 0.90, 0.80)):
        assert len(right[grade]) > 50
        assert np.mean(right[grade]) > ceiling - 0.03
        assert abs(np.mean(said[grade]) - np.mean(right[grade])) < 0.12, "calibrated"


def test_things_are_found_where_they_are(looks):
    off = defaultdict(list)
    for seen in looks:
        for detection in EYES.see(seen.frame, 0.0).detections:
            thing = seen.thing(int(detection.id.partition("m")[2]))
            if thing.piece is None:
                middle = (np.array(thing.extent[:3]) + thing.extent[3:]) / 2
                away = np.hypot(seen.frame.stance.x - middle[0], seen.frame.stance.y - middle[1])
                off[away > 3].append(np.linalg.norm(np.array(detection.pose[:2]) - middle[:2]))
    assert np.median(off[False]) < 0.05
    assert np.percentile(off[False], 95) < 0.2
    assert np.median(off[True]) < 0.12
