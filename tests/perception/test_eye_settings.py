from __future__ import annotations

from pathlib import Path

import pytest
from home_frames import LENS, BodiesBearing

from foretree.config import ConfigError, find_config
from foretree.perception.descriptors import DescriberError
from foretree.perception.eyes import load_eye_settings, open_eyes

GIVEN = find_config("homes", "eyes").read_text(encoding="utf-8")


def changed(tmp_path: Path, old: str, new: str) -> str:
    assert old in GIVEN
    path = tmp_path / "mine.yaml"
    path.write_text(GIVEN.replace(old, new), encoding="utf-8")
    return str(path)


def test_the_settings_that_come_with_foretree():
    settings = load_eye_settings()
    assert settings.describer == "patches"
    assert settings.reliability.grade(0.5, 1.0) == 0
    assert settings.reliability.grade(2.0, 1.0) == 1
    assert settings.reliability.grade(4.0, 1.0) == settings.reliability.grade(0.5, 0.2) == 2


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("describer: patches", "describe: patches", "describe"),
        ("neighbours: 8", "neighbours: 0", "neighbours"),
        ("near: 1.0", "near: 5.0", "near"),
        ("badly: 0.80}\n", "badly: 0.3}\n", "badly"),
        ("temperature: 0.004", "temperature: .inf", "temperature"),
    ],
)
def test_mistakes_in_settings_are_named(tmp_path: Path, old: str, new: str, key: str):
    path = changed(tmp_path, old, new)
    with pytest.raises(ConfigError, match=key) as caught:
        load_eye_settings(path)
    assert path in str(caught.value)


def test_a_describer_that_is_not_there_is_said_in_one_line(tmp_path: Path):
    settings = load_eye_settings(changed(tmp_path, "describer: patches", "describer: klip"))
    with pytest.raises(DescriberError, match="klip"):
        open_eyes(LENS, BodiesBearing(), settings)


def test_opened_eyes_know_pictures_and_learn_if_they_may(tmp_path: Path):
    eyes = open_eyes(LENS, BodiesBearing(), own=tmp_path / "own.npz")
    assert len(eyes.gallery) > 200
    assert not eyes.gallery.frozen
    assert open_eyes(LENS, BodiesBearing(), frozen=True).gallery.frozen
