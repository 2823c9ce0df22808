"""What looking again is worth, with eyes that err as those of a body in a grid home do."""

from __future__ import annotations

import pytest

from foretree.simulation.grid_homes.camera.noise import Band, RecognitionErrors, load_noise
from foretree.world_model.beliefs.evidence import fuse_classes
from foretree.world_model.beliefs.facts import Entity
from foretree.world_model.tracking._viewpoint_evidence import ViewpointEvidence

NOISE = load_noise()
THINGS = 900


def looked_at(band: Band, places: int, looks: int, weighed: bool = True) -> tuple[float, float]:
    """Of many things, how many are taken for what they are, and how many surely for something else."""
    eyes, classes = RecognitionErrors(NOISE, 3), sorted(NOISE.look_alikes)
    right = deceived = known = 0
    for number in range(THINGS):
        truth, viewpoints, thing = classes[number % len(classes)], ViewpointEvidence(), None
        for place in map(str, range(places)):
            for _ in range(looks):
                seen = eyes.recognise(f"t{number}", truth, {}, place, band)
                if seen is None:
                    continue
                if thing is None:
                    thing = Entity("thing", dict(seen.scores))
                    viewpoints.created(thing, place)
                elif weighed:
                    thing = Entity("thing", viewpoints.classes(thing, place, seen.scores, lambda name: True))
                else:
                    thing = Entity("thing", fuse_classes(thing.classes, seen.scores, lambda name: True))
        if thing is not None:
            known += 1
            right += thing.best_class == truth
            deceived += thing.best_class != truth and thing.classes[thing.best_class] > 0.9
    return right / known, deceived / known


@pytest.mark.parametrize("band", [Band.FAR, Band.MIDDLE])
def test_staring_teaches_nothing_and_deceives_nobody(band: Band):
    assert looked_at(band, places=1, looks=20) == looked_at(band, places=1, looks=1)
    assert looked_at(band, places=1, looks=20)[1] < 0.05
    naive = looked_at(band, places=1, looks=20, weighed=False)[1]
    assert naive > 2 * looked_at(band, places=1, looks=20)[1], "this is what it is for"


@pytest.mark.parametrize(("band", "right"), [(Band.FAR, 0.79), (Band.MIDDLE, 0.935), (Band.NEAR, 0.98)])
def test_three_places_teach_a_lot(band: Band, right: float):
    once, around = looked_at(band, places=1, looks=1)[0], looked_at(band, places=3, looks=3)[0]
    assert around > once
    assert around > right
