"""Exceptions in nodes: which node it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from traceback import walk_tb
from types import TracebackType

from py_trees.behaviour import Behaviour

from foretree.errors import ForetreeError
from foretree.skills.robot import RobotError


class NodeError(ForetreeError):
    """A node of the tree raised an exception that it should not have.

    Attributes:
        path: where the node is in the tree.
        cause: what it raised.
    """

    exit_code = 70

    def __init__(self, path: str, cause: BaseException) -> None:
        super().__init__(f"The node {path} raised {type(cause).__name__}: {cause}")
        if isinstance(cause, RobotError):
            # A robot out of reach is no mistake in the node.
            self.exit_code = cause.exit_code
        self.path = path
        # So that a traceback shows where in the node it happened, even if this error is never raised.
        self.cause = self.__cause__ = cause


def path_of(node: Behaviour) -> str:
    """The names from the root down to *node*."""
    above = f"{path_of(node.parent)}/" if node.parent is not None else ""
    return f"{above}{node.name}"


def culprit(traceback: TracebackType | None) -> Behaviour | None:
    """The innermost node whose code an exception came out of."""
    selves = [frame.f_locals.get("self") for frame, _ in walk_tb(traceback)]
    return next((node for node in reversed(selves) if isinstance(node, Behaviour)), None)


def attributed(error: BaseException, fallback: Behaviour) -> NodeError:
    """*error* as a :class:`NodeError` that names the node it came from."""
    if isinstance(error, NodeError):
        return error
    return NodeError(path_of(culprit(error.__traceback__) or fallback), error)


def call_each(ends: Iterable[tuple[Callable[[], object], Behaviour]]) -> None:
    """Call all of them, whatever one raises; then raise the first error, with the node that it belongs to."""
    trouble: NodeError | None = None
    for end, node in ends:
        try:
            end()
        except Exception as error:
            trouble = trouble or attributed(error, node)
    if trouble is not None:
        raise trouble


def where_raised(error: Exception) -> str:
    """Return where *error* was raised: the function, and the place in its file."""
    frames = list(walk_tb(error.__traceback__))
    if not frames:
        return ""
    frame, line = frames[-1]
    return f", in {frame.f_code.co_name} ({Path(frame.f_code.co_filename).name}, line {line})"
