from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from foretree.config import find_config
from foretree.perception.descriptors import PatchDescriber
from foretree.perception.eyes import load_eye_settings
from foretree.perception.frame import CROP
from foretree.perception.gallery import (
    Gallery,
    GalleryError,
    Pictures,
    load_pictures,
    own_gallery_path,
    save_pictures,
)

DESCRIBER, JUDGING = PatchDescriber(), load_eye_settings().judging


def crop(seed: int, grain: float = 0.0):
    picture = np.random.default_rng(seed).integers(30, 220, (4, 4, 3)).repeat(4, 0).repeat(4, 1).astype(float)
    picture += np.random.default_rng(seed + 1000).normal(0, 1, picture.shape) * grain
    return np.clip(picture, 0, 255).astype(np.uint8)


CLEAN, DIRTY = crop(1), crop(2)
KNOWN = Pictures.of(
    [(CLEAN, "mug", {"clean": True}), (DIRTY, "mug", {"clean": False}), (crop(3), "fridge", {"open": True})]
)


def judge(gallery: Gallery, picture, class_name: str) -> dict[str, float]:
    return gallery.judge(gallery.describer.describe(picture[None]), [class_name])[0]


def test_what_looks_like_a_picture_is_in_its_states():
    gallery = Gallery(KNOWN, DESCRIBER, JUDGING)
    assert judge(gallery, crop(1, grain=8), "mug")["clean"] > 0.95
    assert judge(gallery, crop(2, grain=8), "mug")["clean"] < 0.05
    assert judge(gallery, crop(3), "fridge") == {"open": pytest.approx(0.99, abs=0.01)}


def test_only_states_that_such_things_have_are_judged():
    assert set(judge(Gallery(KNOWN, DESCRIBER, JUDGING), CLEAN, "mug")) == {"clean"}


def test_what_looks_like_nothing_known_is_not_judged():
    assert judge(Gallery(KNOWN, DESCRIBER, JUDGING), crop(9), "mug") == {}


def test_a_class_without_pictures_is_compared_with_all():
    assert judge(Gallery(KNOWN, DESCRIBER, JUDGING), CLEAN, "goblet")["clean"] > 0.9


def test_between_two_pictures_nobody_is_sure():
    between = ((CLEAN.astype(float) + DIRTY) / 2).astype(np.uint8)
    gallery = Gallery(KNOWN, DESCRIBER, JUDGING.model_copy(update={"known": -1, "temperature": 0.05}))
    alike = gallery.describer.describe(between[None]) @ gallery.describer.describe(np.stack((CLEAN, DIRTY))).T
    assert abs(alike[0, 0] - alike[0, 1]) < 0.1
    assert 0.1 < judge(gallery, between, "mug")["clean"] < 0.9


def test_an_empty_gallery_judges_nothing():
    assert judge(Gallery(Pictures.of([]), DESCRIBER, JUDGING), CLEAN, "mug") == {}
    assert (
        Gallery(KNOWN, DESCRIBER, JUDGING).judge(
            DESCRIBER.describe(np.zeros((0, CROP, CROP, 3), np.uint8)), []
        )
        == []
    )


def test_it_learns_what_it_did_not_know():
    gallery = Gallery(KNOWN, DESCRIBER, JUDGING)
    new = crop(9)
    assert gallery.confirm(new, "mug", {"clean": False, "hot": True})
    assert len(gallery) == 4
    assert judge(gallery, crop(9, grain=5), "mug")["hot"] > 0.9
    assert judge(gallery, CLEAN, "mug")["clean"] > 0.9, "what it knew it knows still"


def test_it_learns_nothing_twice_and_nothing_from_no_word():
    gallery = Gallery(KNOWN, DESCRIBER, JUDGING)
    assert not gallery.confirm(CLEAN, "mug", {"clean": True})
    assert not gallery.confirm(crop(9), "mug", {})
    assert gallery.confirm(CLEAN, "mug", {"hot": True}), "that is news"


def test_a_frozen_gallery_stays_as_it_is(tmp_path: Path):
    gallery = Gallery(KNOWN, DESCRIBER, JUDGING, own=tmp_path / "own.npz", frozen=True)
    assert not gallery.confirm(crop(9), "mug", {"clean": False})
    gallery.save()
    assert len(gallery) == 3
    assert list(tmp_path.iterdir()) == []


def test_it_forgets_the_oldest_of_what_it_learned_and_nothing_else():
    gallery = Gallery(KNOWN, DESCRIBER, JUDGING, limit=3)
    for seed in range(20, 28):
        assert gallery.confirm(crop(seed), "mug", {"clean": bool(seed % 2)})
    assert len(gallery) == 6
    assert judge(gallery, crop(20), "mug") == {}
    for seed in (25, 26, 27):
        assert (judge(gallery, crop(seed), "mug")["clean"] > 0.5) is bool(seed % 2)
    assert judge(gallery, CLEAN, "mug")["clean"] > 0.9


def test_what_was_learned_is_there_the_next_time(tmp_path: Path):
    own = tmp_path / "below" / "own.npz"
    gallery = Gallery(KNOWN, DESCRIBER, JUDGING, own=own)
    gallery.confirm(crop(9), "mug", {"hot": True})
    gallery.save()
    again = Gallery(KNOWN, DESCRIBER, JUDGING, own=own)
    assert judge(again, crop(9), "mug") == judge(gallery, crop(9), "mug") != {}
    assert sorted(path.name for path in own.parent.iterdir()) == [".own.npz.lock", "own.npz"]


def test_what_several_runs_have_learned_is_all_kept(tmp_path: Path):
    one, other = (Gallery(KNOWN, DESCRIBER, JUDGING, own=tmp_path / "own.npz", limit=3) for _ in range(2))
    for gallery, seeds in ((one, (31, 32)), (other, (33, 34))):
        for seed in seeds:
            gallery.confirm(crop(seed), "mug", {"hot": True})
        gallery.save()
        gallery.save()
    kept = load_pictures(tmp_path / "own.npz")
    np.testing.assert_array_equal(kept.crops, [crop(seed) for seed in (32, 33, 34)])


def test_what_cannot_be_written_is_not_forgotten(tmp_path: Path):
    folder = tmp_path / "folder"
    gallery = Gallery(KNOWN, DESCRIBER, JUDGING, own=folder / "own.npz")
    gallery.confirm(crop(9), "mug", {"hot": True})
    folder.write_text("This is no folder.")
    with pytest.raises(GalleryError, match="Cannot write"):
        gallery.save()
    folder.unlink()
    gallery.save()
    assert load_pictures(folder / "own.npz").states == ("hot",)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04 cut off"])
def test_a_broken_file_of_its_own_is_left_aside(tmp_path: Path, content: bytes, caplog):
    own = tmp_path / "own.npz"
    own.write_bytes(content)
    with caplog.at_level(logging.WARNING):
        gallery = Gallery(KNOWN, DESCRIBER, JUDGING, own=own)
    assert "is not a gallery" in caplog.text
    assert len(gallery) == 3
    assert (tmp_path / "own.broken").read_bytes() == content
    gallery.confirm(crop(9), "mug", {"hot": True})
    gallery.save()
    assert len(Gallery(KNOWN, DESCRIBER, JUDGING, own=own)) == 4


def test_pictures_survive_a_file(tmp_path: Path):
    save_pictures(tmp_path / "g.npz", KNOWN)
    back = load_pictures(tmp_path / "g.npz")
    assert back.class_names == KNOWN.class_names
    assert back.states == KNOWN.states
    np.testing.assert_array_equal(back.crops, KNOWN.crops)
    np.testing.assert_array_equal(back.shown, KNOWN.shown)


def test_files_that_are_no_gallery_are_refused(tmp_path: Path):
    with pytest.raises(GalleryError, match="There is no gallery at"):
        load_pictures(tmp_path / "absent.npz")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(GalleryError, match="is not a gallery of pictures"):
        load_pictures(tmp_path / "other.npz")
    np.savez(
        tmp_path / "odd.npz",
        crops=KNOWN.crops[:1],
        classes=["mug", "cup"],
        states=["clean"],
        shown=KNOWN.shown,
    )
    with pytest.raises(GalleryError, match="do not fit together"):
        load_pictures(tmp_path / "odd.npz")


def test_the_gallery_that_comes_with_foretree_is_small_and_knows_its_own():
    path = find_config("homes", "gallery", ".npz")
    assert path.stat().st_size < 300_000
    pictures = load_pictures(path)
    gallery = Gallery(pictures, DESCRIBER, JUDGING)
    judged = gallery.judge(gallery.describer.describe(pictures.crops), pictures.class_names)
    for said, (_, name, states) in zip(judged, pictures.rows(), strict=True):
        for state, so in states.items():
            assert (said[state] > 0.5) is so, (name, states, said)


def test_an_agent_keeps_its_pictures_in_the_home_folder(monkeypatch, tmp_path: Path):
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path))
    assert own_gallery_path() == tmp_path / "gallery.npz"


def test_galleries_that_are_saved_at_the_same_moment_lose_nothing(tmp_path: Path):
    own = tmp_path / "own.npz"
    galleries = [Gallery(KNOWN, DESCRIBER, JUDGING, own=own) for _ in range(6)]
    for seed, gallery in enumerate(galleries):
        gallery.confirm(crop(100 + seed), "mug", {"hot": True})
    with ThreadPoolExecutor() as threads:
        list(threads.map(Gallery.save, galleries))
    assert len(load_pictures(own).crops) == len(galleries)
