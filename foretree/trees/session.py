"""A session: one instruction being carried out, from the first tick to a defined end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from time import sleep
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.trees import BehaviourTree

from foretree.agent.context import AgentContext
from foretree.agent.mission import Mission
from foretree.behaviours.listen import Listen
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import Formula
from foretree.reasoning.models.model import Spending, TracksSpending
from foretree.trees._node_error import NodeError, attributed, culprit, where_raised
from foretree.trees._tree_record import TreeRecord
from foretree.trees.breakpoints import Breakpoint, Breakpoints
from foretree.trees.fast_tick import FastTree
from foretree.trees.plan_node import PlanNode

#: How a session can end.
Outcome: TypeAlias = Literal["reached", "given-up", "failed", "cancelled", "error"]

#: Seconds of real time between two looks at the requests of a paused session.
PAUSE_POLL = 0.05


class SessionError(ForetreeError):
    """Something outside every node raised what it should not have: a handler, or the robot between ticks."""

    exit_code = 70


@runtime_checkable
class TakesRequests(Protocol):
    """A recorder through which other terminals can ask for something, and that can fail."""

    @property
    def failure(self) -> ForetreeError | None:
        """The reason that nothing more is recorded, if so."""
        ...

    def requests(self) -> list[Any]:
        """Return what was asked for since the last call: :class:`~foretree.runs.store.ControlRequest`."""
        ...


@dataclass(frozen=True)
class Result:
    """The end of a session.

    Attributes:
        outcome: *reached*, *given-up* (honestly, with a reason), *failed*, *cancelled* or *error*.
        reason: why, when it was not reached.
        goal: what was to be reached; None if the instruction was not understood.
        seconds: on the session's clock.
        ticks: how many.
        counts: actions ``done``, ``failed`` and ``skipped``, and how often the plan was ``revised``.
        error: the error behind it, if there is one.
        spent: what was spent on language models.
    """

    outcome: Outcome
    reason: str = ""
    goal: Formula | None = None
    seconds: float = 0.0
    ticks: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    error: ForetreeError | None = None
    spent: Spending = field(default_factory=Spending)

    @property
    def reached(self) -> bool:
        """True if the goal is believed reached."""
        return self.outcome == "reached"


class Session:
    """Ticks a tree until its root succeeds or fails, it is stopped, or something goes wrong.

    Whatever happens, the robot is stopped first, then the tree, then the record is closed.

    Args:
        context: what the tree's nodes share.
        root: the tree.
        mission: what it is about.
        header: what the record says about the run at its start.
        resumed: what it says instead when the session takes up an interrupted run.
        make_tree: makes what ticks the root, by default a tree of py_trees.
    """

    def __init__(
        self,
        context: AgentContext,
        root: Behaviour,
        mission: Mission,
        header: Mapping[str, Any] | None = None,
        resumed: Mapping[str, Any] | None = None,
        make_tree: Callable[[Behaviour], BehaviourTree] = FastTree,
    ) -> None:
        self.context = context
        self.mission = mission
        self.tree = make_tree(root)
        self.result: Result | None = None
        self.ticks = 0
        #: What was odd about the files that it was opened from, and how they were read all the same.
        self.warnings: tuple[str, ...] = ()
        self.breakpoints = Breakpoints()
        #: Makes something happen in the simulated world; None where nothing can be.
        self.strike: Callable[[str], None] | None = None
        #: Called before every tick, with the session.
        self.before_tick: list[Callable[[Session], None]] = []
        recorder = context.journal.to
        # Whether something fits a protocol takes longer to find out than a tick does, so it is asked once.
        self._terminals = recorder if isinstance(recorder, TakesRequests) else None
        #: Whether its tree has a node that hears what is said.
        self.listens = any(isinstance(node, Listen) for node in root.iterate())
        self.header = dict(header or {})
        self._resumed = resumed
        self._record: TreeRecord | None = None
        #: Whether it does not tick unless it is told to.
        self.paused = False
        #: Who has paused it, or has set the breakpoint at which it halts.
        self._pauser = ""
        self._steps = 0
        self._next = context.clock.now()
        self._period = 1.0 / context.settings.tick_hz
        #: Seconds for which a person had it wait.
        self._held = 0.0
        context.on_hold = False
        context.self_syncing = False
        context.stop_reason = ""
        #: When the run has begun: in a conversation, the clock has gone on since the world was made.
        self._begun = 0.0 if resumed is not None else self._next

    # -- running -----------------------------------------------------------------------------------------
    def run(self) -> Result:
        """Tick until there is a result. Ctrl-C ends it as cancelled."""
        try:
            self.start()
            while self.result is None:
                self.step()
        except KeyboardInterrupt:
            self.cancel("interrupted")
        assert self.result is not None
        return self.result

    def start(self) -> None:
        """Set up the tree and open the record. :meth:`run` does it."""
        if self._record is not None:
            return
        recorder = self.context.recorder
        recorder.mark(self.ticks, self.context.clock.now())
        if self._resumed is None:
            recorder.record("run.started", **self.header)
        else:
            recorder.record("session.resumed", **self._resumed)
        self.context.record_belief()
        try:
            self.tree.setup()
        except Exception as error:
            self._crash(error)
            return
        self._record = TreeRecord(self.tree.root, recorder)

    def step(self) -> None:
        """One tick, and the wait for the next one to be due."""
        if self._record is None:
            self.start()
        if self.result is not None or not self._attend_to_requests():
            return
        context = self.context
        stepping = self.paused
        begun = context.clock.now()
        try:
            for listener in self.before_tick:
                listener(self)
            if self.result is not None:
                return  # a listener has ended it
            begun = context.clock.now()
            self.ticks += 1
            context.recorder.mark(self.ticks, begun)
            context.sync()
            self.tree.tick()
            assert self._record is not None
            changed = self._record.tick()
        except Exception as error:
            self._crash(error)
            return
        self._check_end()
        if self.result is None:
            if self.breakpoints:
                self._halt_if_hit(changed)
            if stepping and not self._steps:
                self._note("session.paused", by="the end of a step")
            self._wait(begun)

    def _halt_if_hit(self, changed: Collection[str]) -> None:
        self.breakpoints.ticked(changed)
        if self.breakpoints.hit:
            self._steps = 0
            self.pause(f"a breakpoint: {self.breakpoints.hit}")
            self._pauser = self.breakpoints.hit_by

    def _wait(self, begun: float) -> None:
        clock = self.context.clock
        now = clock.now()
        if not clock.simulated and now - begun > self._period:
            wall = {"seconds": round(now - begun, 4), "period": self._period}
            self._note("session.overrun", wall=wall)
        # After a long tick or a pause the rhythm begins anew: ticks that were missed are not made up for.
        self._next = max(self._next + self._period, now)
        clock.sleep_until(self._next)

    def _check_end(self) -> None:
        status = self.tree.root.status
        context = self.context
        if context.on_hold:
            self._held += self._period
        if context.stop_reason:
            self.cancel(context.stop_reason)
        elif status is Status.SUCCESS:
            self._end("reached", "")
        elif status is Status.FAILURE:
            self._end("given-up", self.mission.reason, self.mission.refusal)
        elif context.clock.now() - self._begun - self._held >= context.settings.time_limit:
            self._halt()
            self._end("failed", f"not reached within {context.settings.time_limit:g} s")

    # -- being told --------------------------------------------------------------------------------------
    def pause(self, by: str = "") -> None:
        """Stop ticking after this tick. What the robot is doing goes on to its end."""
        if not self.paused:
            self.paused, self._pauser = True, by
            self._note("session.paused", by=by)

    def proceed(self, steps: int = 0) -> None:
        """Go on ticking; with *steps*, for so many ticks only."""
        if self.paused and not steps:
            self._note("session.continued")
        self.paused = steps > 0
        self._steps = steps
        self.breakpoints.go_on()

    def leave(self, by: str, run: str = "") -> None:
        """A person at a viewer has gone: breakpoints of theirs are lifted, and a pause of theirs is told.

        The pause stays: a robot that stands still is safe, and one that moves unwatched is not.

        Args:
            by: the name under which they have paused it or set breakpoints.
            run: what commands call this run.
        """
        if self.breakpoints.lift(by):
            self._breakpoints_changed()
        if self.paused and self._pauser == by:
            halted = "a breakpoint of " if self.breakpoints.hit else ""
            go = f"`foretree go {run or 'last'}` continues"
            self._note("session.paused", by=f"{halted}{by}, which has gone; {go}")

    def say(self, words: str, by: str = "") -> None:
        """Say something to the agent while it is at work; from any thread.

        Without a name, it is said by the one who spoke last.

        "Stop" ends the session, "and …" adds to what is wanted, any other instruction takes its place, and an
        answer answers what was asked. What another person wants is done too, unless the two contradict each
        other: then they are told so, and asked. It is heard at the next tick, by the tree's node ``listen``.

        Raises:
            SessionError: the session is over, or its tree does not listen.
        """
        if not self.listens:
            raise SessionError("The agent's tree has no node listen, so that it hears nothing.")
        if self.result is not None:
            raise SessionError(f"The session is over ({self.result.outcome}): nothing more is heard.")
        self.mission.conversation.say(words, by)

    def cancel(self, reason: str = "cancelled") -> None:
        """End it: the robot is stopped first, then the tree."""
        if self.result is None:
            self._halt()
            self._end("cancelled", reason)

    def halt_at(self, breakpoint_: Breakpoint, on: bool = True, by: str = "") -> None:
        """Set a breakpoint at which the session pauses, or take it away; *by* is who wants it."""
        if on:
            self.breakpoints.add(breakpoint_, by)
        else:
            self.breakpoints.remove(breakpoint_)
        self._breakpoints_changed()

    def _breakpoints_changed(self) -> None:
        # Asked only while there are any: a session that nobody debugs pays nothing.
        self.context.halts = self.breakpoints.halts if self.breakpoints else None
        self.context.journal.listeners[:] = [self.breakpoints.happened] if self.breakpoints else []
        self._note("breakpoints.changed", breakpoints=[each._asdict() for each in self.breakpoints])

    def surprise(self, line: str) -> None:
        """Let something happen in the simulated world, such as ``move mango1 table2``; the agent is not told.

        Raises:
            FaultError: it makes no sense in this world.
            SessionError: the world is not simulated, or takes no surprises.
        """
        if self.strike is None:
            raise SessionError("This world takes no surprises: it is not simulated here.")
        self.strike(line)

    def _attend_to_requests(self) -> bool:
        """Do what other terminals ask for; whether the next tick may come."""
        if self._terminals is not None:
            for request in self._terminals.requests():
                from foretree.trees._requests import attend  # most sessions are asked for nothing

                attend(self, request, self.context.recorder)
            if self.result is not None:
                return False
        if self.paused and self._steps == 0:
            # Real time, whatever the session's clock: a person at another terminal is thinking.
            sleep(PAUSE_POLL)
            return False
        self._steps = max(0, self._steps - 1)
        return True

    # -- ending ------------------------------------------------------------------------------------------
    def _crash(self, error: Exception) -> None:
        problem = self._problem(error)
        self._halt()
        self._note("log", text=str(problem))
        self._end("error", str(problem), problem)

    def _problem(self, error: Exception) -> ForetreeError:
        """*error* as what ends the session: with the node's path if a node raised it."""
        if self._terminals is not None and self._terminals.failure is not None:
            return self._terminals.failure
        if isinstance(error, NodeError) or culprit(error.__traceback__) is not None:
            return attributed(error, self.tree.root)
        if isinstance(error, ForetreeError):
            return error
        problem = SessionError(
            f"In tick {self.ticks}, outside every node{where_raised(error)}, "
            f"{type(error).__name__} was raised: {error}"
        )
        # So that a traceback shows where, even if this error is never raised.
        problem.__cause__ = error
        return problem

    def _halt(self) -> None:
        """The robot first, then the tree; nothing that goes wrong meanwhile is in the way."""
        context = self.context
        with suppress(Exception):
            context.team.stop()
        with suppress(Exception):
            # Whatever ran has its end now: as the robot says, not as the tree will wish.
            context.settle()
        for node in reversed(list(self.tree.root.iterate())):
            while node.status is Status.RUNNING:
                self._stop_node(node)
        if self._record is not None:
            with suppress(Exception):
                self._record.tick()

    def _stop_node(self, node: Behaviour) -> None:
        """Stop *node* and what runs below it; the first that raises is invalid all the same."""
        try:
            node.stop(Status.INVALID)
        except Exception as error:
            self._note("log", text=str(attributed(error, node)))
            blamed = culprit(error.__traceback__) or node
            (blamed if blamed.status is Status.RUNNING else node).status = Status.INVALID

    def _note(self, kind: str, **data: Any) -> None:
        """Record something where an error would not help: the session ends anyway, or goes on."""
        with suppress(Exception):
            self.context.recorder.record(kind, **data)

    def _end(self, outcome: Outcome, reason: str, error: ForetreeError | None = None) -> None:
        if self.context.team.alive():
            with suppress(Exception):
                self.context.team.stop()
        self._shut_down()
        self._keep()
        counts: Counter[str] = Counter()
        for plan in self.plans():
            counts.update(plan.tally)
        seconds = round(self.context.clock.now() - self._begun, 3)
        spent = self._spent()
        self.result = Result(
            outcome, reason, self.mission.goal, seconds, self.ticks, dict(counts), error, spent
        )
        clock = self.context.clock
        timed = {"seconds": seconds} if clock.simulated else {"wall": {"seconds": seconds}}
        self._note(
            "run.ended",
            outcome=outcome,
            reason=reason,
            actions=counts["done"],
            failed=counts["failed"],
            skipped=counts["skipped"],
            revisions=counts["revised"],
            **({"models": spent.as_json()} if spent.questions else {}),
            **timed,
        )

    def _spent(self) -> Spending:
        """Return what was spent on models."""
        total = Spending()
        for part in (*self.context.revisers, *self.tree.root.iterate()):
            if isinstance(part, TracksSpending):
                total = total.with_(part.spent)
        return total

    def _shut_down(self) -> None:
        for node in self.tree.root.iterate():
            try:
                node.shutdown()
            except Exception as error:
                self._note("log", text=str(attributed(error, node)))

    def _keep(self) -> None:
        """Keep what the run has taught, however it has ended.

        That the disk is full, say, the learner notes itself. A mistake in it is no reason to lose the end of
        the run's record: it is on that record instead, with its kind and where it was made.
        """
        try:
            if self.context.learner is not None:
                self.context.learner.keep()
            if self.context.success is not None:
                self.context.success.experience.keep(self.context.recorder)
        except Exception as error:
            self._note("log", text=f"What was learned is not kept. {self._problem(error)}")

    def plans(self) -> Iterator[PlanNode]:
        """The plan nodes of the tree."""
        return (node for node in self.tree.root.iterate() if isinstance(node, PlanNode))
