"""Trees as XML of BehaviorTree.CPP 4, which Groot2 opens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from foretree.runs.export.tree_items import TreeItem, tree_items, waits_for

if TYPE_CHECKING:  # to write the tree of a plan takes neither a run's file nor, as DOT, XML
    from xml.etree.ElementTree import Element

    from foretree.runs.export.run_source import RunSource
    from foretree.runs.views.run_state import RunState

#: The types that BehaviorTree.CPP brings along, as far as py_trees has the like.
_BUILT_IN = {
    "Sequence": "Control",
    "ReactiveSequence": "Control",
    "Fallback": "Control",
    "ReactiveFallback": "Control",
    "Inverter": "Decorator",
}

#: Further types that it brings along, and tags with a meaning in its XML: other things must not be called so.
_TAKEN = frozenset(
    """
    Action AlwaysFailure AlwaysSuccess AsyncFallback AsyncSequence BehaviorTree Condition Control
    Decorator Delay ForceFailure ForceSuccess IfThenElse KeepRunningUntilFailure LoopBool LoopDouble
    LoopInt LoopString Parallel ParallelAll Precondition Repeat RetryUntilSuccessful Root RunOnce Script
    ScriptCondition SequenceStar SequenceWithMemory SetBlackboard SkipUnlessUpdated Sleep SubTree Switch
    Switch2 Switch3 Switch4 Switch5 Switch6 Timeout TryCatch UnsetBlackboard WaitValueUpdate
    WasEntryUpdated WhileDoElse root
    """.split()  # noqa: SIM905
)

#: Attributes with a meaning of their own: no port is called so.
_TAKEN_PORTS = frozenset({"ID", "name"})

#: The levels of XML that BehaviorTree.CPP reads.
DEEPEST = 256

#: What some readers of XML do not take in names, as they know the letters of Unicode 2.0 only. Those that are
#: kept are Latin, Greek, Cyrillic, Japanese, Chinese and Korean.
_NO_NAME = re.compile(
    "[^A-Za-z0-9_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0391-\u03a1"
    "\u03a3-\u03ce\u0410-\u044f\u3041-\u3094\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3-]"
)
_NO_XML = re.compile("[^\t\n\r\x20-\x7e\x80-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class XmlNode(NamedTuple):
    """A node as BehaviorTree.CPP has it.

    Attributes:
        tag: its type.
        kind: Action, Condition, Control or Decorator; empty for a type that BehaviorTree.CPP brings along.
        ports: what it is given, by port.
        description: a note for people.
    """

    tag: str
    kind: str
    name: str
    ports: Mapping[str, str] = {}
    description: str = ""


def document(nodes: Iterable[tuple[int, XmlNode]], tree: str, *, log: bool = False) -> str:
    """The XML of a tree.

    Args:
        nodes: the nodes with their depths, each before its children.
        tree: the name of the tree.
        log: write it as FileLogger2 does: with the number of each node, and models of all types.

    Raises:
        RunError: it is too deep for BehaviorTree.CPP.
    """
    from xml.etree import ElementTree

    root = ElementTree.Element("root", BTCPP_format="4")
    top = ElementTree.SubElement(root, "BehaviorTree")
    path, written = [top], []
    for number, (depth, node) in enumerate(nodes, 1):
        if depth >= DEEPEST:
            from foretree.runs.store import RunError

            raise RunError(f"The tree is deeper than the {DEEPEST} levels that BehaviorTree.CPP reads.")
        del path[depth + 1 :]
        element = ElementTree.SubElement(path[-1], _tag(node), name=_text(node.name))
        if log:
            element.set("_uid", str(number))
        if node.description:
            element.set("_description", _text(node.description))
        for port, value in node.ports.items():
            element.set(_port(port), _text(value))
        path.append(element)
        written.append((element, node.kind, [_port(port) for port in node.ports]))
    models = _models(written, log)
    name = _named(tree)
    while name in models or name in _TAKEN or name in _BUILT_IN:
        name += "Tree"  # no tree may be called as a type is
    top.set("ID", name)
    if log:
        top.set("_fullpath", "")
    else:
        root.set("main_tree_to_execute", name)
    model = ElementTree.SubElement(root, "TreeNodesModel")
    for tag, (kind, ports) in sorted(models.items()):
        entry = ElementTree.SubElement(model, kind, ID=tag)
        for port in ports:
            ElementTree.SubElement(entry, "input_port", name=port, type="std::string")
    ElementTree.indent(root)
    head = "" if log else '<?xml version="1.0" encoding="UTF-8"?>\n'
    return head + ElementTree.tostring(root, encoding="unicode")


def _models(
    written: list[tuple[Element, str, list[str]]], all_types: bool
) -> dict[str, tuple[str, dict[str, None]]]:
    """The kind and the ports of each type.

    A control node or a decorator without children is none to BehaviorTree.CPP: it gets a type of its own.
    """
    models: dict[str, tuple[str, dict[str, None]]] = {}
    for element, kind, ports in written:
        built_in = not kind
        kind = kind or _BUILT_IN[element.tag]
        if kind in ("Control", "Decorator") and not len(element):
            element.tag, kind, built_in = f"Empty{element.tag}", "Action", False
        if models.get(element.tag, (kind,))[0] != kind:
            element.tag = f"{element.tag}{kind}"  # to py_trees, what has no children may still be a composite
        if all_types or not built_in:
            models.setdefault(element.tag, (kind, {}))[1].update(dict.fromkeys(ports))
    return models


def tree_as_btcpp(source: RunSource) -> Iterator[str]:
    """The tree at a moment, with the status and the message of each node as its description."""
    state = source.tree()
    yield document(xml_nodes(state, described=True), tree_name(state)) + "\n"


def tree_name(state: RunState) -> str:
    """The name of the tree."""
    return state.nodes[state.root or ""].name


def xml_nodes(state: RunState, *, described: bool = False) -> Iterator[tuple[int, XmlNode]]:
    """The nodes of the tree at a moment, for :func:`document`."""
    for item in tree_items(state):
        node = item.node
        status = "" if node.status == "INVALID" else node.status
        description = ": ".join(filter(None, (status, node.message))) if described else ""
        yield item.depth, _xml_node(state, item)._replace(description=description)


def _xml_node(state: RunState, item: TreeItem) -> XmlNode:
    node = item.node
    if item.acts and item.action is not None:
        action = item.action
        ports = {
            "arguments": " ".join(map(str, action.arguments)),
            "action": action.id,
            "after": ";".join(waits_for(state, item)),
        }
        return XmlNode(action.skill, "Action", node.name, ports)
    match item.role:
        case "sequence":
            return XmlNode("Sequence", "", node.name)
        case "selector":
            return XmlNode("Fallback", "", node.name)
        case "decorator" if node.type == "Inverter":
            return XmlNode("Inverter", "", node.name)
        case "guard" | "decorator":
            return XmlNode(node.type, "Decorator", node.name)
        case "leaf":
            return XmlNode(node.type, "Action", node.name)
    return XmlNode(node.type, "Control", node.name)


def _tag(node: XmlNode) -> str:
    """The type of a node; what is called as another thing of BehaviorTree.CPP gets a prefix."""
    name = _named(node.tag)
    return f"PyTrees{name}" if name in _TAKEN or (node.kind and name in _BUILT_IN) else name


def _port(name: str) -> str:
    name = _named(name)
    return f"{name}_" if name in _TAKEN_PORTS else name


def _named(text: str) -> str:
    """*text* as a name in XML, as near to it as is allowed."""
    name = _NO_NAME.sub("_", text)
    return name if name[:1].isalpha() else f"x{name}"


def _text(text: str) -> str:
    """*text* without the characters that XML has no way to write."""
    return _NO_XML.sub("\ufffd", text)
