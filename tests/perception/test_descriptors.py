from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from foretree.perception.descriptors import (
    CLIP_MODELS,
    ClipDescriber,
    DescriberError,
    PatchDescriber,
    normalised,
    open_describer,
)
from foretree.perception.eyes import load_eye_settings
from foretree.perception.frame import CROP
from foretree.perception.gallery import Gallery, Pictures


def crops(count: int, seed: int = 0):
    return np.random.default_rng(seed).integers(0, 256, (count, CROP, CROP, 3), dtype=np.uint8)


def test_descriptors_have_length_one_and_know_their_like():
    pictures = crops(20)
    found = PatchDescriber().describe(pictures)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    noisy = np.clip(pictures + np.random.default_rng(1).normal(0, 8, pictures.shape), 0, 255).astype(np.uint8)
    assert ((PatchDescriber().describe(noisy) @ found.T).argmax(axis=1) == np.arange(20)).all()


def test_texture_counts_where_colours_are_the_same():
    flat = np.full((CROP, CROP, 3), 128, dtype=np.uint8)
    striped = flat.copy()
    striped[::2] -= 60
    striped[1::2] += 60
    other = flat.copy()
    other[:, ::2, 0] -= 60
    other[:, 1::2, 0] += 60
    found = PatchDescriber().describe(np.stack((striped, other)))
    assert found[0] @ found[1] < 0.97


def test_nothing_is_described_as_nothing():
    assert PatchDescriber().describe(crops(0)).shape[0] == 0
    assert (normalised(np.zeros((2, 3), dtype=np.float32)) == 0).all()


def test_a_describer_by_name():
    assert open_describer("patches").name == "patches"
    with pytest.raises(DescriberError, match=r"There is no describer 'clop'. Did you mean clip"):
        open_describer("clop")
    with pytest.raises(DescriberError, match="needs a file of weights"):
        open_describer("clip")


@pytest.mark.skipif(find_spec("open_clip") is not None, reason="the library is there")
def test_without_the_library_one_line_says_what_to_install(tmp_path: Path):
    with pytest.raises(DescriberError, match="pip install open_clip_torch") as caught:
        ClipDescriber(tmp_path / "weights.pt")
    assert "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def clip():
    return pytest.importorskip("open_clip")


@pytest.mark.parametrize("suffix", ["pt", "bin", "safetensors", "npz"])
def test_a_file_that_holds_no_weights_for_clip_is_refused_in_one_line(clip, tmp_path: Path, suffix: str):
    path = tmp_path / f"bad.{suffix}"
    with pytest.raises(DescriberError, match="There are no weights for CLIP at"):
        ClipDescriber(path)
    for content in (b"", b"no weights"):
        path.write_bytes(content)
        with pytest.raises(DescriberError, match="does not hold weights for CLIP ViT-B-32") as caught:
            ClipDescriber(path)
        assert "\n" not in str(caught.value)


def test_a_model_of_another_kind_is_refused(tmp_path: Path):
    with pytest.raises(DescriberError, match="Valid: ViT-B-32, ViT-B-32-quickgelu"):
        open_describer("clip", tmp_path / "weights.pt", "RN50")


def test_clip_with_random_weights_says_the_same_again_and_its_models_differ(clip, tmp_path: Path):
    import torch

    torch.manual_seed(0)
    weights = tmp_path / "random.pt"
    torch.save(clip.create_model("ViT-B-32").state_dict(), weights)
    pictures = crops(70)  # more than one batch
    found = {model: open_describer("clip", weights, model).describe(pictures) for model in CLIP_MODELS}
    first, quick = found.values()
    assert first.shape == (70, 512)
    np.testing.assert_allclose(np.linalg.norm(first, axis=1), 1, atol=1e-4)
    again = ClipDescriber(weights).describe(pictures[:3])
    np.testing.assert_allclose(again, first[:3], atol=1e-4)
    assert np.abs(first - quick).max() > 1e-3

    rows = [(crop, "mug", {"clean": bool(number % 2)}) for number, crop in enumerate(pictures[:4])]
    gallery = Gallery(
        Pictures.of(rows),
        ClipDescriber(weights),
        load_eye_settings().judging.model_copy(update={"neighbours": 1}),
    )
    judged = gallery.judge(gallery.describer.describe(pictures[:4]), ["mug"] * 4)
    assert [said["clean"] > 0.5 for said in judged] == [False, True, False, True]
