"""Agents' files: settings are checked as every other file is, and so are those that are given as text."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import pytest

from foretree.agent.agent_file import read_agent, setting_as_text
from foretree.agent.settings import Settings
from foretree.config import ConfigError


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("tick_hz", "20", 20.0),
        ("looks", "3", 3),
        ("careful", "yes", True),
        ("guards", "presence, attribute", ("presence", "attribute")),
        ("guards", "none", ()),
        ("revisers", "planner", ("planner",)),
        ("plans", "optimal", "optimal"),
        ("llm_model", "7", "7"),
    ],
)
def test_a_setting_is_read_from_text(key, text, value):
    read = getattr(read_agent("default", {key: text}).settings, key)
    assert (read, type(read)) == (value, type(value))


def test_every_setting_survives_being_text():
    settings = read_agent("homes").settings
    fields = [field.name for field in dataclasses.fields(Settings) if field.name != "llm_key"]
    texts = {name: setting_as_text(getattr(settings, name)) for name in fields}
    assert read_agent("default", texts).settings == settings


@pytest.mark.parametrize(
    ("key", "text", "says"),
    [
        ("tick_hz", "nan", r"^--set agent\.tick_hz: expected a finite number, not 'nan'\.$"),
        ("rounds", "-1", r"^--set agent\.rounds: expected a number from 0 on, not '-1'\.$"),
        ("guards", "presnce", r"^--guards: .* not 'presnce'\. Did you mean presence\? For no guards at all"),
        ("tick_hx", "1", r"^--set agent\.tick_hx: there is no such key\. Did you mean tick_hz\?$"),
    ],
)
def test_a_mistake_names_the_option(key, text, says):
    with pytest.raises(ConfigError, match=says):
        read_agent("default", {key: text})


def test_a_mistake_in_a_file_has_its_line(tmp_path):
    file = tmp_path / "hasty.yaml"
    file.write_text("agent: hasty\nsettings:\n  tick_hz: 0\ntree: plan\n")
    with pytest.raises(
        ConfigError, match=r"hasty\.yaml:3: settings\.tick_hz: expected a number from 0\.01 on"
    ):
        read_agent(str(file))


def test_a_key_is_not_written_to_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert read_agent("default", {"llm_key": "swordfish", "looks": "3"}).settings.llm_key == "swordfish"
    assert not any(b"swordfish" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_settings_load_no_pydantic():
    code = "import sys, foretree.agent.agent_file; sys.exit('pydantic' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("expansions", "true", "a whole number, not True"),
        ("expansions", "5.0", "a whole number, not 5.0"),
        ("looks", "'2.0'", "a whole number, not '2.0'"),
        ("careful", "'on'", "true or false, not 'on'"),
        ("careful", "1.0", "true or false, not 1.0"),
    ],
)
def test_nothing_else_is_taken_for_a_whole_number_or_for_true(tmp_path, key, text, expected):
    file = tmp_path / "lax.yaml"
    file.write_text(f"agent: lax\nsettings:\n  {key}: {text}\ntree: plan\n")
    with pytest.raises(ConfigError, match=rf"lax\.yaml:3: settings\.{key}: expected {expected}"):
        read_agent(str(file))


@pytest.mark.parametrize(("key", "text"), [("careful", "on"), ("looks", "3.0")])
def test_nor_is_it_on_the_command_line(key, text):
    with pytest.raises(ConfigError, match=rf"^--set agent\.{key}: expected .*, not '{text}'"):
        read_agent("default", {key: text})


def test_names_may_be_numbers_and_have_blanks_around_them(tmp_path):
    file = tmp_path / "seven.yaml"
    file.write_text('agent: 7\nsays:\nsettings:\n  guards: ["presence "]\ntree: plan\n')
    read = read_agent(str(file))
    assert (read.name, read.settings.guards) == ("7", ("presence",))
