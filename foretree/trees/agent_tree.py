"""The agent's tree, from its configuration file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.composites import Selector, Sequence

from foretree.agent.context import AgentContext
from foretree.agent.mission import Mission
from foretree.agent.object_search import ObjectSearch
from foretree.agent.planning_service import PlanningService, shared_answers
from foretree.agent.settings import Settings
from foretree.behaviours.explore import ChoosePlace, ChooseSearchTarget, LookAround, UntilFound, UntilSeen
from foretree.behaviours.make_plan import MakePlan
from foretree.behaviours.retry import GiveUp, RetryUntilReached
from foretree.behaviours.understand import Understand
from foretree.config import ConfigError, find_config, read_yaml, stamp
from foretree.config_cache import cached
from foretree.errors import near_miss, suggest
from foretree.file_errors import error_at
from foretree.printable import quote
from foretree.reasoning.reasoner import Reasoner
from foretree.revision.expectation import GUARD_NAMES
from foretree.revision.llm.choices import FEEDBACK_SOURCES, NOTATIONS
from foretree.trees.plan_node import PlanNode

#: Kinds of plans that the settings can ask for.
PLANS = ("first", "good", "fair", "optimal")
#: Revisers that the settings can name.
REVISERS = ("rules", "llm", "planner")

#: Settings that have an option of their own.
_OPTIONS = {"guards": "--guards", "revisers": "--reviser"}
#: No setting is a larger number.
MOST = 10**9
#: What an agent's file says.
_KEYS = ("agent", "says", "settings", "tree")
#: The least and the most that settings may be, where not every number makes sense.
_RANGES: Mapping[str, tuple[float, float]] = {"tick_hz": (0.01, 10_000.0)}
#: The settings that are one of a few words, and the words.
_WORDS: Mapping[str, tuple[str, ...]] = {
    "plans": PLANS,
    "llm_format": NOTATIONS,
    "llm_feedback": FEEDBACK_SOURCES,
}


@dataclass(frozen=True)
class AgentConfig:
    """An agent's file, read: its settings and its tree, still as data."""

    name: str
    settings: Settings
    tree: Any
    source: Path


def read_agent(name: str = "default", overrides: Mapping[str, str] | None = None) -> AgentConfig:
    """Read ``configs/agents/NAME.yaml``.

    Args:
        name: its name, or the path of such a file.
        overrides: values for settings, as text: ``{"tick_hz": "20"}``.

    Raises:
        ConfigError: the file or a value makes no sense; the message says what would.
    """
    return _read_agent(stamp(find_config("agents", name)), tuple((overrides or {}).items()))


@lru_cache(maxsize=32)
def _read_agent(stamped: tuple[Path, int, int], overrides: tuple[tuple[str, str], ...]) -> AgentConfig:
    path, *_ = stamped
    data = cached(f"agent {path}", lambda: read_yaml(path))
    unknown = next((key for key in data if key not in _KEYS), None)
    if unknown is not None:
        raise ConfigError(f"{path}: unknown key {quote(unknown)}. {suggest(str(unknown), _KEYS)}")
    if "tree" not in data:
        raise ConfigError(f"{path}: tree: is missing.")
    settings = Settings()
    given = data.get("settings") or {}
    if not isinstance(given, dict):
        raise error_at(path, ("settings",), f"expected a mapping of settings to values, not {quote(given)}.")
    for key, value in given.items():
        settings = with_setting(settings, key, value, str(path))
    for key, text in overrides:
        settings = with_setting(settings, key, text, _OPTIONS.get(key, f"--set agent.{key}"))
    return AgentConfig(str(data.get("agent", path.stem)), settings, data["tree"], path)


def with_setting(settings: Settings, key: str, value: Any, where: str) -> Settings:
    """*settings* with one value changed; text is read as what the setting is.

    Raises:
        ConfigError: there is no such setting, or the value is not of its kind.
    """
    known = {field.name: field for field in fields(Settings)}
    if key not in known:
        raise ConfigError(f"{where}: there is no setting {quote(key)}. {suggest(str(key), known)}")
    current = getattr(settings, key)
    try:
        converted = _convert(value, current)
    except (TypeError, ValueError):
        kind = {bool: "true or false", int: "a whole number", float: "a number", tuple: "a list of names"}
        expected = kind.get(type(current), "a name")
        raise ConfigError(f"{where}: {key} must be {expected}, not {quote(value)}.") from None
    if key in _RANGES and not _RANGES[key][0] <= converted <= _RANGES[key][1]:
        least, most = _RANGES[key]
        raise ConfigError(f"{where}: {key} must be from {least:g} to {most:g}, but is {quote(value)}.")
    if isinstance(converted, (int, float)) and not isinstance(converted, bool) and not 0 <= converted <= MOST:
        few = "be negative" if converted < 0 else f"exceed {MOST:,}"
        raise ConfigError(f"{where}: {key} must not {few}, but is {quote(value)}.")
    if key in _WORDS and converted not in _WORDS[key]:
        near = near_miss(str(converted), _WORDS[key])
        said = f"{quote(value)}.{near and ' ' + near}"
        raise ConfigError(f"{where}: {key} must be one of {', '.join(_WORDS[key])}, not {said}")
    for name, valid in (("guards", GUARD_NAMES), ("revisers", REVISERS)):
        wrong = [item for item in converted if item not in valid] if key == name else []
        if key == name and isinstance(value, str) and not value.strip():
            raise ConfigError(f"{where}: names no {name[:-1]}. Valid: {', '.join((*valid, 'none'))}.")
        if wrong:
            if wrong[0] == "none":
                raise ConfigError(f"{where}: none stands alone, not with others.")
            hint = suggest(wrong[0], (*valid, "none"))
            raise ConfigError(f"{where}: there is no {name[:-1]} {quote(wrong[0])}. {hint}")
    return replace(settings, **{key: converted})


def setting_as_text(value: Any) -> str:
    """A setting as the text that :func:`with_setting` reads it from."""
    return ",".join(value) or "none" if isinstance(value, (list, tuple)) else str(value)


def _convert(value: Any, like: Any) -> Any:
    if isinstance(like, tuple):
        items = value.split(",") if isinstance(value, str) else ([] if value is None else list(value))
        names = [str(item).strip() for item in items]
        return () if names in ([], [""], ["none"]) else tuple(names)
    if isinstance(like, bool):
        text = str(value).lower()
        if text not in ("true", "false", "yes", "no", "1", "0"):
            raise ValueError
        return text in ("true", "yes", "1")
    if isinstance(like, int):
        return int(str(value))
    if isinstance(value, (dict, list)):
        raise TypeError
    if isinstance(like, float):
        number = float(value)
        if number != number or number in (float("inf"), float("-inf")):
            raise ValueError
        return number
    return str(value)


def build_agent(
    config: AgentConfig, context: AgentContext, mission: Mission, reasoner: Reasoner
) -> Behaviour:
    """The agent's tree.

    Raises:
        ConfigError: the tree names a node that does not exist.
    """
    return _TreeBuilder(config, context, mission, reasoner).build(config.tree)


class _TreeBuilder:
    """Turns the ``tree:`` of an agent's file into nodes."""

    def __init__(
        self, config: AgentConfig, context: AgentContext, mission: Mission, reasoner: Reasoner
    ) -> None:
        self._where = str(config.source)
        self._context = context
        service = PlanningService(config.settings, shared_answers(config.settings))
        # In a tree that never gives up, nothing else would say why there is no plan.
        explain = not _mentions(config.tree, "give_up")
        self._reach = PlanNode(context, name="plan")
        self._search = PlanNode(context, name="search")
        self._leaves: dict[str, Callable[[], Behaviour]] = {
            "understand": lambda: Understand(context, mission, reasoner),
            "make_plan": lambda: MakePlan(context, mission, service, self._reach.load, explain=explain),
            "plan": lambda: self._reach,
            "choose_place": lambda: ChoosePlace(context, mission),
            "plan_search": lambda: MakePlan(
                context, mission, service, self._search.load, subgoal=True, explain=explain
            ),
            "search": lambda: self._search,
            "give_up": lambda: GiveUp(context, mission, lambda: self._reach.reason),
            "look_around": lambda: LookAround(context),
            "choose_outlook": lambda: ChooseSearchTarget(self._object_search("choose_outlook")),
            "choose_outlook_for_all": lambda: ChooseSearchTarget(
                self._object_search("choose_outlook_for_all"), everywhere=True
            ),
            "look_beyond": lambda: LookAround(context, self._object_search("look_beyond")),
        }
        self._decorators: dict[str, Callable[[Behaviour], Behaviour]] = {
            "persevere": lambda child: RetryUntilReached(child, context, mission),
            "until_found": lambda child: UntilFound(child, context, mission),
            "until_seen": lambda child: UntilSeen(child, self._object_search("until_seen")),
        }
        self._mission = mission
        self._shared_search: ObjectSearch | None = None

    def build(self, data: Any) -> Behaviour:
        if isinstance(data, str):
            if data not in self._leaves:
                raise ConfigError(f"{self._where}: there is no node {quote(data)}. {self._valid(data)}")
            return self._leaves[data]()
        if not isinstance(data, dict) or not data:
            raise ConfigError(f"{self._where}: a node is a name or a mapping, not {quote(data)}.")
        if "use" in data:
            return self._foreign(str(data["use"]))
        for kind in ("sequence", "selector"):
            if kind in data:
                return self._composite(kind, data)
        if len(data) == 1:
            ((kind, below),) = data.items()
            if kind in self._decorators:
                return self._decorators[kind](self.build(below))
        key = next(iter(data))
        raise ConfigError(f"{self._where}: there is no node {quote(key)}. {self._valid(str(key))}")

    def _object_search(self, node: str) -> ObjectSearch:
        """Return the search that the leaves of a home's tree share.

        Raises:
            ConfigError: the map is given, so that there is nothing to search for.
        """
        topological_map = self._context.topological_map
        if topological_map is None:
            raise ConfigError(
                f"{self._where}: the node {node!r} is for homes that a robot finds its way about by itself. "
                "Where it is told the map, use choose_place and until_found."
            )
        if self._shared_search is None:
            self._shared_search = ObjectSearch(self._context, self._mission, topological_map)
        return self._shared_search

    def _composite(self, kind: str, data: dict[str, Any]) -> Behaviour:
        extra = [key for key in data if key not in (kind, "children", "memory")]
        if extra:
            raise ConfigError(f"{self._where}: {kind} takes children and memory, not {quote(extra[0])}.")
        make = Sequence if kind == "sequence" else Selector
        below = data.get("children") or []
        if not isinstance(below, list):
            raise ConfigError(f"{self._where}: children are a list of nodes, not {quote(below)}.")
        children = [self.build(child) for child in below]
        if not children:
            raise ConfigError(f"{self._where}: the {kind} {quote(data[kind])} has no children.")
        for place, child in enumerate(children):
            if child.parent is not None or child in children[:place]:  # py_trees would not take it
                problem = f"there is one node {quote(below[place])}, but it stands in the tree twice."
                raise ConfigError(f"{self._where}: {problem}")
        return make(name=str(data[kind]), memory=bool(data.get("memory", True)), children=children)

    def _foreign(self, path: str) -> Behaviour:
        module, _, attribute = path.partition(":")
        try:
            factory = getattr(import_module(module), attribute)
        except (ImportError, AttributeError, ValueError, TypeError, OSError) as error:
            problem = f"cannot use {quote(path)}: {error}. Python looks for it where PYTHONPATH says."
            raise ConfigError(f"{self._where}: {problem}") from error
        node = factory(self._context, self._mission)
        if not isinstance(node, Behaviour):
            raise ConfigError(f"{self._where}: {path} returned a {type(node).__name__}, not a behaviour.")
        return node

    def _valid(self, word: str) -> str:
        return suggest(word, [*self._leaves, *self._decorators, "sequence", "selector", "use"])


def _mentions(tree: Any, node: str) -> bool:
    """Return whether a node of that name is anywhere in an agent's ``tree:``."""
    if isinstance(tree, dict):
        return any(_mentions(below, node) for below in tree.values())
    return any(_mentions(below, node) for below in tree) if isinstance(tree, list) else tree == node
