"""Inspection of a robot file: do its messages fit the real types, and is there a server for each?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from foretree.robots.ros.link import Fields, Interface, RosLink
from foretree.robots.ros.references import references, resolve
from foretree.robots.ros.robot_file import RobotFile, RobotStep
from foretree.skills.robot import Order, RobotError, Target


@dataclass(frozen=True, slots=True)
class InspectedInterface:
    """Findings about an interface of a robot file.

    Attributes:
        use: what the robot file has it for: a skill, ``look`` or ``stop``.
        interface: the interface.
        mismatch: why the message, or what its result has to say, does not fit its type; empty if it does.
        is_there: whether something serves it; always true of a topic.
    """

    use: str
    interface: Interface
    mismatch: str
    is_there: bool


def inspect_robot(file: RobotFile, link: RosLink, *, types: bool = True) -> Iterator[InspectedInterface]:
    """Look at each interface of a robot file.

    Args:
        file: the robot file.
        link: the link to ROS.
        types: whether messages are held against their types.
    """
    for use, interface, fields, answers in _messages(file):
        is_topic = "/msg/" in interface.type
        mismatch = link.check(interface, fields) if types else ""
        if types and not mismatch:
            mismatch = next(filter(None, (link.check(interface, each, answer=True) for each in answers)), "")
        yield InspectedInterface(use, interface, mismatch, is_topic or _is_served(link, interface))


def _is_served(link: RosLink, interface: Interface) -> bool:
    try:
        return bool(link.servers(interface))
    except RobotError:  # its type is not installed
        return False


def _messages(file: RobotFile) -> Iterator[tuple[str, Interface, Fields, list[Fields]]]:
    """Each message of the file, and the parts of its answer that the file reads."""
    context = file.order_context()
    for use, mapping in file.entries():
        order = _Anything(use, file.hands)
        for step in mapping.steps:
            for interface in file.interfaces(step):
                yield use, interface, resolve(step.send, order, "execution", context), _answers(step)
    for halt in file.stop:
        yield "stop", halt.interface, halt.send, []


def _answers(step: RobotStep) -> list[Fields]:
    alternatives = [*step.done_if, *(meaning.if_ for meaning in step.failures)]
    if step.reason:
        alternatives.append({step.reason: ""})
    return [_nested(each) for each in alternatives if not references(each)]


def _nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """*values* by paths such as ``status.code``, as a message has them."""
    message: dict[str, Any] = {}
    for path, value in values.items():
        *outer, name = path.split(".")
        inner = message
        for part in outer:
            inner = inner.setdefault(part, {})
        inner[name] = value
    return message


class _Anything(Order):
    """An order with every part that can be referred to.

    A parameter is "0", which makes a text as well as a number.
    """

    __slots__ = ()

    def __init__(self, use: str, hands: Iterable[str]) -> None:
        hand = next(iter(hands), "hand")
        anything = Target({"thing": 1.0}, (0.0, 0.0, 0.0), extent=(0.0, 0.0, 0.0, 0.1, 0.1, 0.1))
        super().__init__(use, _Always(anything), hand, _Always("0"), hand)


class _Always(Mapping[str, Any]):
    """A mapping that has the same value for every key but those of an order itself."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __getitem__(self, key: str) -> Any:
        if key in ("skill", "execution", "hand", "other_hand", "now", "parameters"):
            raise KeyError(key)
        return self._value

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0
