"""The agent's tree, from its configuration file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, get_args

from py_trees.behaviour import Behaviour
from py_trees.composites import Selector, Sequence

from foretree.agent.agent_file import AgentConfig
from foretree.agent.context import AgentContext
from foretree.agent.dialogue.instruction_reader import InstructionReader
from foretree.agent.discovery.object_search import ObjectSearch
from foretree.agent.discovery.place_search import PlaceSearch
from foretree.agent.mission import Mission
from foretree.agent.planning_service import PlanningService, shared_answers
from foretree.agent.tools.chooser import ToolChooser, ToolName
from foretree.agent.tools.survey import ToolSurvey
from foretree.behaviours.ask import Ask
from foretree.behaviours.choose_tool import ChooseTool
from foretree.behaviours.explore import ChoosePlace, ChooseSearchTarget, LookAround, UntilFound, UntilSeen
from foretree.behaviours.go_without import ChoosePart, SuggestAlternative
from foretree.behaviours.listen import Listen
from foretree.behaviours.make_plan import MakePlan
from foretree.behaviours.retry import GiveUp, RetryUntilReached
from foretree.behaviours.understand import Understand
from foretree.config import ConfigError
from foretree.errors import suggest
from foretree.printable import quote
from foretree.reasoning.reasoner import Reasoner
from foretree.trees.plan_node import PlanNode


def build_agent(
    config: AgentConfig,
    context: AgentContext,
    mission: Mission,
    reasoner: Reasoner,
    chooser: ToolChooser | None = None,
) -> Behaviour:
    """The agent's tree.

    Args:
        config: describes it.
        context: what its nodes share.
        mission: what it is about.
        reasoner: understands instructions.
        chooser: chooses tools, where the tree has a choice of them; by default rules do.

    Raises:
        ConfigError: the tree names a node that does not exist.
    """
    return _TreeBuilder(config, context, mission, reasoner, chooser).tree(config.tree)


class _TreeBuilder:
    """Turns the ``tree:`` of an agent's file into nodes."""

    def __init__(
        self,
        config: AgentConfig,
        context: AgentContext,
        mission: Mission,
        reasoner: Reasoner,
        chooser: ToolChooser | None = None,
    ) -> None:
        self._where = str(config.source)
        self._context = context
        self._reader = InstructionReader(context, mission, reasoner)
        self._chooser = chooser
        places = PlaceSearch(context, mission)
        self._survey = survey = ToolSurvey(context, mission, places)
        searching = _mentions(config.tree, "choose_tool")
        service = self._service = PlanningService(config.settings, shared_answers(config.settings))
        # In a tree that never gives up, nothing else would say why there is no plan.
        explain = not _mentions(config.tree, "give_up")
        self._reach = PlanNode(context, name="plan")
        #: What the first, the second, … ``plan_search`` of the tree plans for, and ``search`` carries out.
        self._searches: list[PlanNode] = []
        self._mentioned: Counter[str] = Counter()
        self._part = PlanNode(context, name="part")
        self._leaves: dict[str, Callable[[], Behaviour]] = {
            "understand": lambda: Understand(context, mission, reasoner, searching=searching),
            "make_plan": lambda: MakePlan(context, mission, service, self._reach.load, explain=explain),
            "plan": lambda: self._reach,
            "choose_place": lambda: ChoosePlace(context, mission, places),
            "plan_search": lambda: MakePlan(
                context,
                mission,
                service,
                self._next_search("plan_search").load,
                subgoal=True,
                explain=explain,
            ),
            "search": lambda: self._next_search("search"),
            "suggest_alternative": lambda: SuggestAlternative(context, mission, survey.substitution),
            "ask": lambda: Ask(context, mission, service),
            "choose_part": lambda: ChoosePart(context, mission, survey.parts),
            "plan_part": lambda: MakePlan(
                context, mission, service, self._part.load, subgoal=True, part=True, explain=explain
            ),
            "part": lambda: self._part,
            "give_up": lambda: GiveUp(context, mission, lambda: self._reach.reason),
            "look_around": lambda: LookAround(context),
            "choose_outlook": lambda: ChooseSearchTarget(self._object_search("choose_outlook")),
            "choose_outlook_for_all": lambda: ChooseSearchTarget(
                self._object_search("choose_outlook_for_all"), everywhere=True
            ),
            "look_beyond": lambda: LookAround(context, self._object_search("look_beyond")),
        }
        self._decorators: dict[str, Callable[[Behaviour], Behaviour]] = {
            "listen": lambda child: Listen(child, context, mission, self._reader),
            "persevere": lambda child: RetryUntilReached(child, context, mission),
            "until_found": lambda child: UntilFound(child, context, mission),
            "until_seen": lambda child: UntilSeen(child, self._object_search("until_seen")),
        }
        self._mission = mission
        self._shared_search: ObjectSearch | None = None

    def tree(self, data: Any) -> Behaviour:
        """Build the whole tree.

        Raises:
            ConfigError: it makes no sense.
        """
        root = self.build(data)
        searches, planned = self._mentioned["search"], self._mentioned["plan_search"]
        if searches > max(1, planned):
            problem = f"there are {searches} nodes 'search', but {planned} 'plan_search' to plan them."
            raise ConfigError(f"{self._where}: {problem}")
        return root

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
            if kind == "choose_tool":
                return self._choice(below)
            if kind in self._decorators:
                child = self.build(below)
                self._check_single(child, below)
                return self._decorators[kind](child)
        key = next(iter(data))
        raise ConfigError(f"{self._where}: there is no node {quote(key)}. {self._valid(str(key))}")

    def _choice(self, below: Any) -> Behaviour:
        """Return the choice among tools, each with its node."""
        tools = get_args(ToolName)
        if not isinstance(below, dict) or "stop" not in below:
            problem = f"choose_tool takes a node for each tool, and one for stop, not {quote(below)}."
            raise ConfigError(f"{self._where}: {problem}")
        for tool in below:
            if tool not in tools:
                raise ConfigError(
                    f"{self._where}: there is no tool {quote(tool)}. {suggest(str(tool), tools)}"
                )
        nodes = {tool: self.build(node) for tool, node in below.items()}
        return ChooseTool(
            self._context,
            self._mission,
            self._survey,
            nodes,
            self._reader,
            self._service,
            self._reach.pursue,
            self._chooser,
        )

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
            self._check_single(child, below[place], children[:place])
        return make(name=str(data[kind]), memory=bool(data.get("memory", True)), children=children)

    def _check_single(self, child: Behaviour, data: Any, siblings: Iterable[Behaviour] = ()) -> None:
        """Raise ConfigError if *child* has its place in the tree already, which decorators do not notice."""
        if child.parent is not None or child in siblings:
            problem = f"there is one node {quote(data)}, but it stands in the tree twice."
            raise ConfigError(f"{self._where}: {problem}")

    def _next_search(self, mentioned: str) -> PlanNode:
        """Return the plan node for the next mention of ``plan_search``, or of ``search``.

        Each search has one of its own: one that hung at two places would be counted and recorded twice.
        """
        place = self._mentioned[mentioned]
        self._mentioned[mentioned] += 1
        if place == len(self._searches):
            self._searches.append(PlanNode(self._context, name="search"))
        return self._searches[place]

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
        return suggest(word, [*self._leaves, *self._decorators, "choose_tool", "sequence", "selector", "use"])


def _mentions(tree: Any, node: str) -> bool:
    """Return whether a node of that name is anywhere in an agent's ``tree:``."""
    if isinstance(tree, dict):
        return node in tree or any(_mentions(below, node) for below in tree.values())
    return any(_mentions(below, node) for below in tree) if isinstance(tree, list) else tree == node
