from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from foretree.config import ConfigError, find_config
from foretree.simulation.grid_homes.camera.noise import Band, NoiseError, load_noise


def test_the_default_noise_is_what_the_documentation_says():
    noise = load_noise()
    assert [noise.confused.of(band) for band in Band] == [0.25, 0.10, 0.03]
    assert [noise.missed.of(band) for band in Band] == [0.20, 0.08, 0.02]
    assert [noise.misread.of(band) for band in Band] == [0.20, 0.10, 0.04]
    assert noise.depth == 0.02


def test_look_alikes_are_those_one_would_think_of():
    look_alikes = load_noise().look_alikes
    for one, other in [("mug", "cup"), ("pan", "pot"), ("apple", "tomato"), ("remote", "phone")]:
        assert other in look_alikes[one]
        assert one in look_alikes[other]


@pytest.mark.parametrize(
    ("distance", "visible", "band"),
    [
        (3.01, 1.0, Band.FAR),
        (3.0, 1.0, Band.MIDDLE),
        (1.0, 1.0, Band.MIDDLE),
        (0.99, 1.0, Band.NEAR),
        (0.5, 0.33, Band.FAR),
        (0.5, 0.34, Band.NEAR),
    ],
)
def test_bands_go_by_distance_and_by_how_much_is_hidden(distance: float, visible: float, band: Band):
    assert load_noise().band(distance, visible) == band


def test_noise_times_a_factor():
    noise = load_noise()
    assert noise.times(0).confused.far == 0
    assert noise.times(0).depth == 0
    assert noise.times(0.5).missed.far == pytest.approx(0.1)
    assert noise.times(3).misread.far == pytest.approx(0.6)
    assert noise.times(30).misread.far == 1
    with pytest.raises(NoiseError, match="0 or more times the default, not -1 times"):
        noise.times(-1)


def noise_file(tmp_path: Path, **changes: object) -> str:
    data = yaml.safe_load(find_config("homes", "noise").read_text())
    data.update(changes)
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(data, sort_keys=False))
    return str(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"missed": {"far": 1.2, "middle": 0, "near": 0}},
            r"mine\.yaml:\d+: missed\.far: .*up to 1",
        ),
        ({"missd": 1}, r"missd: there is no such key\. Did you mean missed or misread\?"),
        ({"near": 4.0}, r"near: 4\.0 is farther than `far`, 3\.0"),
        (
            {"look_alikes": {"mug": {"cup": 0.5}, "cup": {"mug": 1}}},
            r"look_alikes\.mug: .* add up to 1, not to 0\.5",
        ),
        ({"look_alikes": {"mug": {"cup": 1}}}, r"mug is taken for cup, so cup must be taken for mug"),
        ({"look_alikes": {"mug": {"mug": 1}}}, r"mug cannot be mistaken for what it is"),
        (
            {"look_alikes": {"mug": {"cpu": 1}, "cpu": {"mug": 1}}},
            r"there is no class 'cpu'\. Did you mean cup\?",
        ),
        (
            {"look_alikes": {"mgu": {"cup": 1}, "cup": {"mgu": 1}}},
            r"there is no class 'mgu'\. Did you mean mug\?",
        ),
    ],
)
def test_a_mistake_in_the_file_is_explained(tmp_path: Path, changes: dict[str, object], message: str):
    with pytest.raises(ConfigError, match=message):
        load_noise(noise_file(tmp_path, **changes), classes=("mug", "cup"))


def test_how_long_errors_last_is_set_apart_from_how_often_they_are():
    lasting = load_noise().lasting(1.5)
    assert load_noise().persistence == 0
    assert lasting.persistence == lasting.times(2).persistence == 1.5
    assert lasting.confused == load_noise().confused
    with pytest.raises(NoiseError, match="over 0 or more metres, not over -1"):
        lasting.lasting(-1)
