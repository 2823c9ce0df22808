"""The model of an agent's file."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from foretree.agent.settings import Settings
from foretree.schema import Strict


class AgentFile(Strict):
    """The content of ``configs/agents/NAME.yaml``."""

    agent: str = ""
    says: str = ""
    settings: Settings = Field(default_factory=Settings)
    tree: Any
