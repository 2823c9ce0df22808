"""Parameters of the agent's node: names, defaults, and what each is for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from foretree.bringup.options import Options
from foretree.config import ConfigError

#: What each parameter is for. The launch files describe their arguments by it.
DESCRIPTIONS: Mapping[str, str] = {
    "robot": "embedded (simulated in the node), simulated (over ROS, by another node), or a robot file",
    "scene": "the scene: a name of configs/scenes, or the path of a file",
    "agent": "the agent's file: a name of configs/agents, or the path of a file",
    "tick_hz": "ticks per second; 0: as the agent's file says",
    "settings": "settings of the agent that differ from its file, each as NAME=VALUE",
    "second_goal": "what a goal does that comes while another one is carried out: reject, queue, preempt",
    "record": "whether each goal leaves the record of a run",
    "bag": "whether each recorded goal leaves a bag (MCAP) beside its record, with a robot file",
    "attended": "whether a person is there to answer questions of the agent",
    "confirm": "whether each action waits until the service answer has said yes",
    "supervisor": "name of the node of the robot's supervisor; empty: the robot has none",
    "frames": "what frames and calibrations are checked at the start: a name of configs/frames, or a file",
    "frames_within": "seconds in which these frames have to come",
    "faults": "lines of a fault script, for the embedded robot",
    "seed": "decides what is left to chance, for the embedded robot",
    "autostart": "whether the node configures and activates itself",
}


@dataclass(frozen=True, slots=True)
class AgentParameters:
    """Parameters of the agent's node, as :data:`DESCRIPTIONS` has them."""

    robot: str = "embedded"
    scene: str = "kitchen"
    agent: str = "default"
    tick_hz: float = 0.0
    settings: tuple[str, ...] = ()
    second_goal: str = "reject"
    record: bool = True
    bag: bool = True
    attended: bool = True
    confirm: bool = False
    supervisor: str = ""
    frames: str = ""
    frames_within: float = 10.0
    faults: tuple[str, ...] = ()
    seed: int = 0
    autostart: bool = True

    @classmethod
    def read(cls, get: Callable[[str], Any]) -> AgentParameters:
        """Return the parameters that *get* returns by their names. Empty texts in lists do not count."""
        values: dict[str, Any] = {}
        for field in fields(cls):
            value = get(field.name)
            values[field.name] = tuple(filter(None, value)) if isinstance(value, list | tuple) else value
        return cls(**values)

    def options(self) -> Options:
        """Return the options of sessions.

        Raises:
            ConfigError: a setting is not written as NAME=VALUE.
        """
        overrides = {}
        for setting in self.settings:
            name, equals, value = setting.partition("=")
            if not equals or not name.strip():
                raise ConfigError(f"settings: {setting!r} is not written as NAME=VALUE.")
            overrides[name.strip().removeprefix("agent.")] = value.strip()
        if self.tick_hz:
            overrides["tick_hz"] = f"{self.tick_hz:g}"
        return Options(self.agent, overrides, self.faults or None, self.seed)


def defaults() -> Mapping[str, Any]:
    """Return the default of each parameter. ROS takes no empty list: one of an empty text stands for it."""
    made = AgentParameters()
    values = {field.name: getattr(made, field.name) for field in fields(made)}
    return {
        name: list(value) or [""] if isinstance(value, tuple) else value for name, value in values.items()
    }
