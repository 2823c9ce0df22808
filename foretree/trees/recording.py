"""Watch any py_trees tree: one line records it, and its run opens like every other.

::

    from foretree.trees.recording import record

    record(tree, "my patrol")

The tree goes on ticking by its own driver, whichever that is. Whatever is wrong with the record (a full disk,
say), the tree is none the worse for it.
"""

from __future__ import annotations

import atexit
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.clock import Clock, WallClock
from foretree.errors import ForetreeError
from foretree.printable import quote
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import Run, RunError, RunStore
from foretree.trees._blackboard_record import BlackboardRecord
from foretree.trees._tree_record import TreeRecord
from foretree.trees.fast_tick import tick_without_walk, ticks_as_usual, walks

if TYPE_CHECKING:
    from foretree.trees._plan_record import PlanRecord

#: How a recorded tree can end.
TreeOutcome: TypeAlias = Literal["reached", "failed", "cancelled", "error"]

_LOG = logging.getLogger(__name__)

#: What a tree must have, and its methods that edit it, which it may have.
_NEEDED = ("root", "visitors", "tick", "shutdown")
_EDITS = ("insert_subtree", "prune_subtree", "replace_subtree")


class TreeRecordingError(ForetreeError):
    """A tree cannot be recorded: it is none, or it is being recorded already."""


def record(
    tree: Any,
    name: str = "",
    *,
    store: RunStore | None = None,
    run_id: str | None = None,
    clock: Clock | None = None,
    blackboard: bool = True,
) -> Recording:
    """Record a tree from now on, until it is shut down, a tick raises, or the program ends.

    Args:
        tree: a ``BehaviourTree`` of py_trees or py_trees_ros, or what has ``root``, ``visitors``, ``tick``
            and ``shutdown`` as that has. It may have been ticked before.
        name: what the run is called in lists; the root's name if not given.
        store: where runs are kept; where the command line looks for them if not given.
        run_id: the id of the run; made of the name and the time if not given.
        clock: the time of events; that of a plan node in the tree if there is one, else seconds from now on.
        blackboard: whether to record the blackboard, too. All trees of a process share it.

    Returns:
        The recording. It need not be kept.

    Raises:
        TreeRecordingError: *tree* is no tree, or it is recorded already.
        RunError: a run cannot be written there.
    """
    _check(tree)
    name = name or str(tree.root.name)
    recorder = RunRecorder((store or RunStore()).create(name, run_id=run_id))
    with ExitStack() as opened:
        opened.callback(recorder.close, "error")  # no run is left open, after Ctrl-C neither
        recording = Recording(tree, name, recorder, clock or _clock_of(tree.root) or WallClock(), blackboard)
        opened.pop_all()
    return recording


class Recording:
    """A tree that is being recorded; made by :func:`record`.

    As a context manager, it ends with the block, as an error if the block raises.

    Attributes:
        run: the run.
        ticks: how many ticks it has recorded.
        failure: why the record broke off before the tree ended, if so.
    """

    def __init__(self, tree: Any, name: str, recorder: RunRecorder, clock: Clock, blackboard: bool) -> None:
        self.run: Run = recorder.run
        self.ticks = 0
        self.failure: Exception | None = None
        self._tree = tree
        self._clock = clock
        self._begun = clock.now()
        self._over = False
        self._recorder = recorder
        self._to = _Unobtrusive(recorder)
        self._plans: list[PlanRecord] = []
        self._methods = _Methods(tree)
        #: Whether a tick can be watched from within, and whether all of the tree is to be looked at after it.
        self._from_within = ticks_as_usual(tree) and "tick" not in vars(tree)
        self._edited = False
        self._to.mark(0, self._begun)
        self._to.record("run.started", instruction=name, own_tree=True)
        self._record = TreeRecord(tree.root, self._to, self._plan_came)
        self._blackboard = BlackboardRecord(self._to) if blackboard else None
        self._plain_tick = self._methods.replace("tick", self._tick)
        self._plain_shutdown = self._methods.replace("shutdown", self._shutdown)
        for method in _EDITS:
            if hasattr(tree, method):
                self._methods.replace(method, partial(self._edit, getattr(tree, method)))
        atexit.register(self.end)
        self._look()

    def __repr__(self) -> str:
        return f"Recording({self.run.id!r})"

    def note(self, text: str) -> None:
        """Write a note for a person into the record."""
        self._to.record("log", text=str(text))

    def end(self, outcome: TreeOutcome | None = None, reason: str = "") -> None:
        """End the run. What happens to the tree afterwards is not recorded.

        Args:
            outcome: how it ended; if not given, as the root's status says: *reached*, *failed*, or
                *cancelled* if it was still running.
            reason: why, in a sentence.
        """
        if self._over:
            return
        if outcome is None:
            outcome, reason = _outcome_of(self._tree.root, self.ticks)
        self._look()
        if not self._over:  # the last look may have ended it
            self._close(outcome, reason)

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            self.end()
        else:
            self._end_by(error)

    # -- in the place of the tree's methods --------------------------------------------------------------
    def _tick(self, *handlers: Any, **named: Any) -> None:
        """Tick the tree, and record what that has changed."""
        if self._over:
            self._plain_tick(*handlers, **named)
            return
        self.ticks += 1
        self._to.mark(self.ticks, self._clock.now())
        visited: list[Behaviour] | None = None
        try:
            if self._from_within and not walks(self._tree):
                visited = []
                tick_without_walk(self._tree, visited.extend, *handlers, **named)
            else:
                self._plain_tick(*handlers, **named)
        except BaseException as error:  # Ctrl-C ends a run as well; it goes on to who ticks
            self._end_by(error)
            raise
        if not self._over:
            self._look(None if self._edited else visited)

    def _shutdown(self, *arguments: Any, **named: Any) -> Any:
        """Shut the tree down, and end the run with what it was like before."""
        ending = _outcome_of(self._tree.root, self.ticks)
        try:
            return self._plain_shutdown(*arguments, **named)
        except BaseException as error:  # Ctrl-C ends a run as well; it goes on to who shuts down
            self._end_by(error)
            raise
        finally:
            self.end(*ending)

    def _edit(self, plain: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Edit the tree, and have all of it looked at after the next tick."""
        self._edited = True
        return plain(*arguments, **named)

    # -- recording ---------------------------------------------------------------------------------------
    def _look(self, visited: Sequence[Behaviour] | None = None) -> None:
        """Record what differs from the last look; *visited* are the nodes that a tick has visited since."""
        try:
            self._edited = False
            self._record.look(self._tree.root, visited)
            if self._blackboard is not None:
                self._blackboard.look()
            for request in self._recorder.requests():
                if request.kind == "leave":
                    continue  # a viewer has gone, which asks for nothing here
                self._to.record("request.refused", request=request.kind, why=_REFUSAL)
            problem: Exception | None = self._to.failure
        except Exception as error:  # a recording must not stop the robot: it is logged, and kept as failure
            problem = error
        if problem is not None and not self._over:
            self.failure = problem
            _LOG.warning("Run %s is recorded no further; the tree goes on. %s", self.run.id, problem)
            self._close("error", f"The record broke off: {problem}")

    def _plan_came(self, plan: Any) -> None:
        from foretree.trees._plan_record import PlanRecord

        self._plans.append(PlanRecord(plan, self._to))

    def _end_by(self, error: BaseException) -> None:
        if self._over:
            return
        if not isinstance(error, Exception):  # Ctrl-C, or the program has had itself ended
            interrupted = isinstance(error, KeyboardInterrupt)
            self.end("cancelled", "interrupted" if interrupted else "the program ended")
            return
        from foretree.trees._node_error import NodeError, attributed, culprit

        problem: Exception = error
        if isinstance(error, NodeError) or culprit(error.__traceback__) is not None:
            problem = attributed(error, self._tree.root)
        words = str(problem) if isinstance(problem, ForetreeError) else f"{type(error).__name__}: {error}"
        self.note(words)
        self.end("error", words)

    def _close(self, outcome: TreeOutcome, reason: str) -> None:
        self._over = True
        atexit.unregister(self.end)
        self._release()
        seconds = round(self._clock.now() - self._begun, 6)
        timed = {"seconds": seconds} if self._clock.simulated else {"wall": {"seconds": seconds}}
        self._to.record("run.ended", outcome=outcome, reason=reason, **timed)
        try:
            self._recorder.close(outcome)
        except RunError as error:
            if self.failure is None:
                self.failure = error
                _LOG.warning("The end of run %s is not on record. %s", self.run.id, error)

    def _release(self) -> None:
        """Leave the tree as it was found."""
        self._record.close()
        for plan in self._plans:
            plan.close()
        self._methods.restore()


class _Methods:
    """Other functions in the place of methods of a tree."""

    def __init__(self, tree: Any) -> None:
        self._tree = tree
        #: The name of each, what is in its place, and what the tree itself had there: nothing, as a rule.
        self._replaced: list[tuple[str, Callable[..., Any], Any]] = []

    def replace(self, name: str, other: Callable[..., Any]) -> Callable[..., Any]:
        """Put *other* in the place of a method, which is returned."""
        method: Callable[..., Any] = getattr(self._tree, name)
        self._replaced.append((name, other, vars(self._tree).get(name)))
        setattr(self._tree, name, other)
        return method

    def restore(self) -> None:
        """Put the methods back, except where something else has been put around them meanwhile."""
        for name, other, former in self._replaced:
            if vars(self._tree).get(name) != other:
                continue
            if former is None:
                delattr(self._tree, name)
            else:
                setattr(self._tree, name, former)


class _Unobtrusive:
    """Passes on to the recorder of a run, and raises nothing.

    Nothing is waited for either: what an intent on disk is good for, resuming, there is not for trees of
    people's own.

    Attributes:
        failure: why nothing more is recorded, if so.
    """

    def __init__(self, to: RunRecorder) -> None:
        self.failure: RunError | None = None
        self.mark = to.mark
        self._to = to

    def record(self, kind: str, /, **data: Any) -> None:
        """Note an event."""
        if self.failure is None:
            try:
                self._to.record(kind, **data)
            except RunError as error:
                self.failure = error

    commit = record


_REFUSAL = "The tree is ticked by a program of its own: only that can pause, stop or steer it."


def _check(tree: Any) -> None:
    """Raise TreeRecordingError unless *tree* can be recorded."""
    if isinstance(tree, Behaviour):
        raise TreeRecordingError(
            f"{quote(tree.name)} is a node, not a tree. Make it one, py_trees.trees.BehaviourTree(node), and "
            "record and tick that."
        )
    missing = [name for name in _NEEDED if not hasattr(tree, name)]
    if missing or not isinstance(tree.root, Behaviour) or not hasattr(tree, "__dict__"):
        lacks = f"it lacks {', '.join(missing)}" if missing else "its root is no node of py_trees"
        raise TreeRecordingError(
            f"{quote(tree)} is not a tree that can be recorded: {lacks}. Valid: a BehaviourTree of py_trees "
            "or py_trees_ros."
        )
    before = getattr(tree.tick, "__self__", None)
    if isinstance(before, Recording):
        raise TreeRecordingError(
            f"The tree is being recorded already, as run {before.run.id}. Call end() of that recording first."
        )


def _clock_of(root: Behaviour) -> Clock | None:
    """The clock of the first plan node, if there is any."""
    nodes: Iterator[Any] = root.iterate()
    return next((node.context.clock for node in nodes if hasattr(node, "on_splice")), None)


def _outcome_of(root: Behaviour, ticks: int) -> tuple[TreeOutcome, str]:
    """Outcome of a tree, and the reason."""
    if root.status is Status.SUCCESS:
        return "reached", ""
    if root.status is Status.FAILURE:
        tip = root.tip() or root
        message = f": {tip.feedback_message}" if tip.feedback_message else ""
        return "failed", f"{tip.name} has failed{message}"
    if root.status is Status.RUNNING:
        return "cancelled", "it ended while the tree was still running"
    return "cancelled", "the tree was stopped" if ticks else "the tree was not ticked"
