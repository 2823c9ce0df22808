"""Foretree: a behaviour-tree agent runtime that checks the world before it acts.

The names listed in ``__all__`` can be imported from here. Each is fetched from its room when it is first
asked for, so that ``import foretree`` costs nothing.
"""

from __future__ import annotations

from foretree._version import __version__

TYPE_CHECKING = False  # so that typing need not be loaded
if TYPE_CHECKING:
    from typing import Any

    from foretree.agent.context import AgentContext
    from foretree.bringup.embedded import (
        embedded_context,
        open_household,
        open_pddl,
        open_robot,
        robot_context,
        run,
    )
    from foretree.bringup.options import Options, Wish
    from foretree.bringup.understanding import make_plan, understand
    from foretree.errors import ForetreeError
    from foretree.planning.plan import Action, Plan
    from foretree.skills.catalogue_file import load_catalogue
    from foretree.trees.fast_tick import FastTree
    from foretree.trees.plan_node import PlanNode
    from foretree.trees.session import Result, Session

__all__ = [
    "Action",
    "AgentContext",
    "FastTree",
    "ForetreeError",
    "Options",
    "Plan",
    "PlanNode",
    "Result",
    "Session",
    "Wish",
    "__version__",
    "embedded_context",
    "load_catalogue",
    "make_plan",
    "open_household",
    "open_pddl",
    "open_robot",
    "robot_context",
    "run",
    "understand",
]

_HOMES = {
    "Action": "foretree.planning.plan",
    "AgentContext": "foretree.agent.context",
    "FastTree": "foretree.trees.fast_tick",
    "ForetreeError": "foretree.errors",
    "Options": "foretree.bringup.options",
    "Plan": "foretree.planning.plan",
    "PlanNode": "foretree.trees.plan_node",
    "Result": "foretree.trees.session",
    "Session": "foretree.trees.session",
    "Wish": "foretree.bringup.options",
    "embedded_context": "foretree.bringup.embedded",
    "load_catalogue": "foretree.skills.catalogue_file",
    "make_plan": "foretree.bringup.understanding",
    "open_household": "foretree.bringup.embedded",
    "open_pddl": "foretree.bringup.embedded",
    "open_robot": "foretree.bringup.embedded",
    "robot_context": "foretree.bringup.embedded",
    "run": "foretree.bringup.embedded",
    "understand": "foretree.bringup.understanding",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
