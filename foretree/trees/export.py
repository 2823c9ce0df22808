"""Trees for other eyes: an outline, DOT for Graphviz, XML for Groot2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from py_trees.behaviour import Behaviour
from py_trees.composites import Composite, Parallel, Selector
from py_trees.composites import Sequence as SequenceNode
from py_trees.decorators import Decorator, Inverter

from foretree.behaviours.act import Act
from foretree.behaviours.guards import Guard
from foretree.trees.plan_node import PlanNode

if TYPE_CHECKING:  # loaded for DOT and XML only
    from foretree.runs.export.btcpp import XmlNode
    from foretree.runs.export.tree_items import Role

#: Signs of nodes in an outline: that which may use any character, and that in plain ASCII.
_SIGNS: Mapping[Role, tuple[str, str]] = {
    "plan": ("▤", "[p]"),
    "leaf": ("●", "-->"),
    "guard": ("◇", "<?>"),
    "selector": ("?", "[?]"),
}
#: The sign of all others.
_SIGN = ("→", "[-]")


def outline(root: Behaviour, *, ascii_only: bool = False) -> str:
    """The tree as indented lines, with what each guard expects and what each action waits for."""
    lines = []
    for depth, node in downwards(root):
        sign = _SIGNS.get(_role(node), _SIGN)[1 if ascii_only else 0]
        detail = _detail(node)
        lines.append(f"{'    ' * depth}{sign} {node.name}" + (f"  {detail}" if detail else ""))
    return "\n".join(lines)


def dot(root: Behaviour) -> str:
    """The tree in Graphviz's language; dashed arrows are the plan's partial order."""
    from foretree.runs.export.dot import DotNode
    from foretree.runs.export.dot import dot as write_dot

    nodes = list(downwards(root))
    numbers = {node.id: number for number, (_, node) in enumerate(nodes)}
    order = [
        (numbers[one.id], numbers[other.id])
        for _, node in nodes
        if isinstance(node, PlanNode)
        for one, other in node.precedence()
    ]
    drawn = ((depth, DotNode(_dot_label(node), _role(node))) for depth, node in nodes)
    return "".join(write_dot(drawn, order)).rstrip("\n")


def _dot_label(node: Behaviour) -> str:
    return str(node.name) + (f"\n{_detail(node)}" if isinstance(node, Guard) else "")


def xml(root: Behaviour) -> str:
    """The tree in the format of BehaviorTree.CPP 4, which Groot2 opens.

    Guards are decorators, actions are actions with their arguments as ports, and a plan node is a control
    node of its own kind: BehaviorTree.CPP has none that ticks a partial order. Its order is in the ``after``
    port of each action.
    """
    from foretree.runs.export.btcpp import document

    after: dict[UUID, list[str]] = {}
    for _, node in downwards(root):
        if isinstance(node, PlanNode):
            for one, other in node.precedence():
                after.setdefault(_bearer(other).id, []).append(_label(one))
    nodes = ((depth, _xml_node(node, sorted(after.get(node.id, ())))) for depth, node in downwards(root))
    return document(nodes, str(root.name))


def _xml_node(node: Behaviour, after: Sequence[str]) -> XmlNode:
    from foretree.runs.export.btcpp import XmlNode

    kind, ports = "", {}
    match node:
        case Act():
            kind, tag = "Action", node.action.skill
            parameters = node.skill.operator.parameters
            ports = {p.name[1:]: a for p, a in zip(parameters, node.action.arguments, strict=True)}
            ports |= {"action": node.action.id, "after": ""}
        case Guard():
            kind, tag, ports = "Decorator", type(node).__name__, {"expects": _detail(node)}
        case PlanNode():
            kind, tag = "Control", "PlanNode"
        case SequenceNode():
            # Their SequenceWithMemory remembers beyond a failure; that is another thing.
            tag = "Sequence" if node.memory else "ReactiveSequence"
        case Selector():
            tag = "Fallback" if node.memory else "ReactiveFallback"
        case Inverter():
            tag = "Inverter"
        case _:
            kind = "Decorator" if isinstance(node, Decorator) else "Action"
            kind = "Control" if isinstance(node, Composite) else kind
            tag = type(node).__name__
    if after:
        ports["after"] = ";".join(after)
    return XmlNode(tag, kind, str(node.name), ports)


def downwards(node: Behaviour, depth: int = 0) -> Iterator[tuple[int, Behaviour]]:
    """Iterate over *node* and all below it, each before its children, with how deep it is."""
    yield depth, node
    for child in node.children:
        yield from downwards(child, depth + 1)


def _role(node: Behaviour) -> Role:
    match node:
        case PlanNode():
            return "plan"
        case Guard():
            return "guard"
        case Selector():
            return "selector"
        case SequenceNode():
            return "sequence"
        case Parallel():
            return "parallel"
        case Composite():
            return "composite"
    return "decorator" if node.children else "leaf"


def _detail(node: Behaviour) -> str:
    if isinstance(node, Guard):
        return "; ".join(str(expectation) for expectation in node.expectations)
    return ""


def _bearer(top: Behaviour) -> Behaviour:
    """The node below a plan's child that says when its turn comes: the action, if it is one of ours."""
    return next((node for node in top.iterate() if isinstance(node, Act)), top)


def _label(top: Behaviour) -> str:
    bearer = _bearer(top)
    return bearer.action.id if isinstance(bearer, Act) else str(bearer.name)
