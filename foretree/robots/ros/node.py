"""A ROS node whose callbacks run in a thread of its own, beside the thread that ticks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from foretree.errors import ForetreeError

if TYPE_CHECKING:
    from rclpy.node import Node

#: Seconds that the spinning thread has to end in.
_JOIN = 5.0


class NoRosError(ForetreeError):
    """ROS 2 is wanted where none is sourced."""


class SpinningNode:
    """A node with a ROS context of its own, spun by a thread until :meth:`close`.

    Signals stay with the program: ROS's own handlers are not installed, so that a robot can be stopped
    before its node goes.

    Args:
        name: the node's name, before remapping.
        arguments: ROS arguments, as they stand on a command line (``["--ros-args", "-r", "__ns:=/left"]``).
        namespace: the node's namespace, before remapping.
        simulated_time: whether the node's time is that of ``/clock``; else it is as the arguments say.
        make: makes the node, by default a plain one.

    Attributes:
        node: the node; create publishers, clients and servers on it from any thread.

    Raises:
        NoRosError: no ROS 2 is sourced.
    """

    def __init__(
        self,
        name: str,
        arguments: Sequence[str] = (),
        namespace: str = "",
        simulated_time: bool = False,
        make: Callable[..., Node] | None = None,
    ) -> None:
        try:
            import rclpy
            from rclpy.context import Context
            from rclpy.executors import SingleThreadedExecutor
            from rclpy.parameter import Parameter
        except ImportError as error:
            raise NoRosError(
                f"ROS 2 was not found ({error}). Source it before the start, for example: "
                ". /opt/ros/jazzy/setup.bash (docs/ros.md says what else it takes)."
            ) from error
        self._context = Context()
        rclpy.init(args=list(arguments), context=self._context)
        overrides = [Parameter("use_sim_time", value=True)] if simulated_time else []
        self.node: Node = (make or rclpy.create_node)(
            name, context=self._context, namespace=namespace or None, parameter_overrides=overrides
        )
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._spin, name=f"{name} (ROS)", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread, the node and the context, in this order. Calling it again does nothing."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._executor.wake()
        self._thread.join(_JOIN)
        self._executor.shutdown(timeout_sec=_JOIN)
        self.node.destroy_node()
        self._context.try_shutdown()

    def __enter__(self) -> SpinningNode:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _spin(self) -> None:
        while not self._closed.is_set():
            try:
                self._executor.spin_once(timeout_sec=0.1)
            except Exception as error:  # of one callback: the others go on
                if not self._closed.is_set():
                    self.node.get_logger().error(f"A callback has failed: {type(error).__name__}: {error}")
