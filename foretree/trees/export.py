"""Trees for other eyes: an outline, DOT for Graphviz, XML for Groot2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

from py_trees.behaviour import Behaviour
from py_trees.composites import Composite, Selector, Sequence
from py_trees.decorators import Decorator, Inverter

from foretree.behaviours.act import Act
from foretree.behaviours.guards import Guard
from foretree.trees.plan_node import PlanNode

if TYPE_CHECKING:  # loaded for XML only
    from xml.etree import ElementTree

#: Kinds of nodes: the sign in an outline that may use any character, that in plain ASCII, and the shape.
_KINDS = {
    "plan": ("▤", "[p]", "folder"),
    "act": ("●", "-->", "ellipse"),
    "guard": ("◇", "<?>", "diamond"),
    "->": ("→", "[-]", "box"),
    "?": ("?", "[?]", "octagon"),
}
#: Names of BehaviorTree.CPP for something else than what py_trees calls so.
_TAKEN = frozenset({"Delay", "Parallel", "Repeat", "Script", "Sleep", "Switch", "Timeout"})


def outline(root: Behaviour, *, ascii_only: bool = False) -> str:
    """The tree as indented lines, with what each guard expects and what each action waits for."""
    lines = []
    for depth, node in downwards(root):
        sign = _KINDS[_kind(node)][1 if ascii_only else 0]
        detail = _detail(node)
        lines.append(f"{'    ' * depth}{sign} {node.name}" + (f"  {detail}" if detail else ""))
    return "\n".join(lines)


def dot(root: Behaviour) -> str:
    """The tree in Graphviz's language; dashed arrows are the plan's partial order."""
    names = {node.id: f"n{number}" for number, (_, node) in enumerate(downwards(root))}
    lines = ["digraph foretree {", '  node [fontname="Helvetica" fontsize=10];', "  ordering=out;"]
    for _, node in downwards(root):
        label = _quoted(node.name + (f"\n{_detail(node)}" if isinstance(node, Guard) else ""))
        lines.append(f"  {names[node.id]} [label={label} shape={_KINDS[_kind(node)][2]}];")
        lines.extend(f"  {names[node.id]} -> {names[child.id]};" for child in node.children)
        if isinstance(node, PlanNode):
            lines.extend(
                f"  {names[one.id]} -> {names[other.id]} [style=dashed constraint=false];"
                for one, other in node.precedence()
            )
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def xml(root: Behaviour) -> str:
    """The tree in the format of BehaviorTree.CPP 4, which Groot2 opens.

    Guards are decorators, actions are actions with their arguments as ports, and a plan node is a control
    node of its own kind: BehaviorTree.CPP has none that ticks a partial order. Its order is in the ``after``
    port of each action.
    """
    from xml.etree import ElementTree

    document = ElementTree.Element("root", BTCPP_format="4", main_tree_to_execute=root.name)
    tree = ElementTree.SubElement(document, "BehaviorTree", ID=root.name)
    kinds: dict[str, tuple[str, dict[str, None]]] = {}
    after: dict[UUID, list[str]] = {}
    for _, node in downwards(root):
        if isinstance(node, PlanNode):
            for one, other in node.precedence():
                after.setdefault(_bearer(other).id, []).append(_label(one))
    _add_xml(tree, root, kinds, after)
    model = ElementTree.SubElement(document, "TreeNodesModel")
    for name, (kind, ports) in sorted(kinds.items()):
        entry = ElementTree.SubElement(model, kind, ID=name)
        for port in ports:
            ElementTree.SubElement(entry, "input_port", name=port, type="std::string")
    ElementTree.indent(document)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(document, encoding="unicode")


def _add_xml(
    above: ElementTree.Element,
    node: Behaviour,
    kinds: dict[str, tuple[str, dict[str, None]]],
    after: dict[UUID, list[str]],
) -> None:
    from xml.etree import ElementTree

    ports: dict[str, Any] = {}
    kind = ""
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
        case Sequence():
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
            tag = f"PyTrees{tag}" if tag in _TAKEN else tag
    if node.id in after:
        ports["after"] = ";".join(sorted(after[node.id]))
    if kind:
        kinds.setdefault(tag, (kind, {}))[1].update(dict.fromkeys(ports))
    element = ElementTree.SubElement(above, tag, name=node.name, **ports)
    for child in node.children:
        _add_xml(element, child, kinds, after)


def downwards(node: Behaviour, depth: int = 0) -> Iterator[tuple[int, Behaviour]]:
    """Iterate over *node* and all below it, each before its children, with how deep it is."""
    yield depth, node
    for child in node.children:
        yield from downwards(child, depth + 1)


def _kind(node: Behaviour) -> str:
    match node:
        case PlanNode():
            return "plan"
        case Guard():
            return "guard"
        case Selector():
            return "?"
    return "->" if isinstance(node, Composite) or node.children else "act"


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
