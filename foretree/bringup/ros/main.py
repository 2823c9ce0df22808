"""The program of the agent's node: ``ros2 run foretree agent``."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from foretree.errors import ForetreeError
from foretree.robots.ros.node import SpinningNode

if TYPE_CHECKING:
    from foretree.bringup.ros.node import AgentNode

#: Seconds that results have to be handed over in, once all goals have ended.
_HANDING_OVER = 2.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the node until a signal or a lifecycle transition ends it; return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(given)
    except ForetreeError as error:
        print(error, file=sys.stderr)
        return error.exit_code


def _run(arguments: Sequence[str]) -> int:
    stopping: list[str] = []
    nodes: list[AgentNode] = []

    def stop(number: int, frame: object) -> None:
        stopping.append(signal.Signals(number).name)
        for node in nodes:  # locks may be held here, so that nothing can be waited for
            threading.Thread(target=node.end, args=[f"{stopping[0]} was received."]).start()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    with SpinningNode("agent", arguments, make=_maker(arguments)) as spinning:
        node: Any = spinning.node
        nodes.append(node)
        if stopping:  # before there was a node
            node.end(f"{stopping[0]} was received.")
        elif node.get_parameter("autostart").value:
            _autostart(node)
        node.carrier.serve(node.ended, node.tree.show)
        _until(lambda: not node.busy)
        _in_turn(node, partial(_shut_down, node))
    return 0


def _maker(arguments: Sequence[str]) -> Callable[..., AgentNode]:
    try:
        from foretree.bringup.ros.node import AgentNode
    except ImportError as error:
        from foretree.robots.ros.node import NoRosError

        raise NoRosError(
            f"The agent's node cannot be made ({error}). It takes a sourced ROS 2 with py_trees_ros, and the "
            "package foretree_interfaces, built with colcon and sourced: docs/ros.md says how."
        ) from error
    return partial(AgentNode, arguments=arguments)


def _autostart(node: AgentNode) -> None:
    """Configure and activate the node.

    Raises:
        ForetreeError: it cannot be configured.
    """
    _in_turn(node, node.trigger_configure)
    if node.failure is not None:
        raise node.failure
    _in_turn(node, node.trigger_activate)


def _shut_down(node: AgentNode) -> None:
    """Have the node count as finalised, unless it does already; all that it had to stop has ended."""
    if node.lifecycle != "finalized":
        node.trigger_shutdown()


def _in_turn(node: AgentNode, do: Callable[[], object]) -> None:
    """Have the thread that spins the node do something between its callbacks, and wait for it."""
    done = threading.Event()

    def doing() -> None:
        try:
            do()
        finally:
            done.set()

    node.executor.create_task(doing)
    while not done.wait(0.5) and not node.ended.is_set():
        pass
    done.wait(_HANDING_OVER)


def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + _HANDING_OVER
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
