"""Parameters of the agent's node."""

from dataclasses import fields

import pytest

from foretree.bringup.ros.parameters import DESCRIPTIONS, AgentParameters, defaults
from foretree.config import ConfigError


def read(**values):
    return AgentParameters.read(lambda name: {**defaults(), **values}[name])


def test_each_has_a_description_and_a_default():
    assert list(DESCRIPTIONS) == [field.name for field in fields(AgentParameters)] == list(defaults())
    assert read() == AgentParameters()


def test_ros_takes_no_empty_lists():
    assert defaults()["settings"] == [""]
    assert read(settings=["", "plans=first"]).settings == ("plans=first",)


def test_options_are_made_of_them():
    made = read(agent="sharp", settings=["looks=1", "agent.plans = first"], tick_hz=25.0, seed=7).options()
    assert (made.agent, made.seed, made.faults) == ("sharp", 7, None)
    assert made.overrides == {"looks": "1", "plans": "first", "tick_hz": "25"}
    assert "tick_hz" not in read().options().overrides
    assert read(faults=["after 1: move mango1 table2"]).options().faults == ("after 1: move mango1 table2",)


@pytest.mark.parametrize("setting", ["looks", "=1"])
def test_a_setting_has_a_name_and_a_value(setting):
    with pytest.raises(ConfigError, match="NAME=VALUE"):
        read(settings=[setting]).options()
