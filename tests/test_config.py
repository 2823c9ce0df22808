"""Configuration files: how they are found and read."""

from __future__ import annotations

import pytest

from foretree._yaml import load
from foretree.config import ConfigError, config_roots, find_config, read_yaml


def written(tmp_path, text):
    path = tmp_path / "some.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("items:\n  mug1: {}\n  mug1: {}\n", r"some\.yaml:3:3: .*'mug1' stands here for the second time"),
        ("", r"it is empty"),
        ("- a\n", r"expected a mapping"),
        ("a: [\n", r"some\.yaml:\d+:\d+: not valid YAML"),
        (b"\x00\xff", r"not a text file in UTF-8"),
    ],
)
def test_what_is_no_configuration_is_refused_with_the_reason(tmp_path, text, message):
    with pytest.raises(ConfigError, match=message):
        read_yaml(written(tmp_path, text))


def test_on_is_a_word(tmp_path):
    assert read_yaml(written(tmp_path, "on: off\nyes: true\n")) == {"on": "off", "yes": True}


def test_merged_keys_may_be_overruled(tmp_path):
    text = "base: &base {a: 1, b: 2}\nmore: {<<: *base, a: 3}\n"
    assert read_yaml(written(tmp_path, text))["more"] == {"a": 3, "b": 2}


def test_a_folder_that_is_not_there_is_no_place_for_configs(tmp_path, monkeypatch):
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path / "nowhere"))
    with pytest.raises(ConfigError, match=r"FORETREE_CONFIGS names .*nowhere, which is not a folder"):
        config_roots()


def test_a_file_beside_is_pointed_out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").touch()
    with pytest.raises(ConfigError, match=r"no scene called 'mine', but a file: say mine\.yaml"):
        find_config("scenes", "mine")


@pytest.mark.parametrize("text", ["12:30", "1:30:00", "-1:30", "190:20:30.15"])
def test_a_time_is_text_and_no_number_of_base_60(text):
    assert load(f"a: {text}\nb: 12\nc: 1.5") == {"a": text, "b": 12, "c": 1.5}
