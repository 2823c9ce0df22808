"""The carrier: takes goals from the desk, and runs a session for each."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack, suppress
from threading import Event
from uuid import uuid4

from foretree.bringup.ros.carrying.carry_desk import CarryDesk, Job, JobEnd
from foretree.bringup.ros.carrying.progress import CarryProgress, NotingRecorder, progress_of
from foretree.bringup.ros.carrying.steering import Steering
from foretree.bringup.ros.carrying.workplace import MakeTree, Workplace
from foretree.errors import ForetreeError
from foretree.runs.events import Recorder, Silent
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore
from foretree.trees.fast_tick import FastTree
from foretree.trees.session import Session

_LOG = logging.getLogger(__name__)

#: Seconds between two beats while there are no goals; it is also looked then whether the carrier is to end.
_IDLE_WAIT = 0.1


class Carrier:
    """Carries out the goals of a desk, one after the other, in the thread that calls :meth:`serve`.

    Args:
        desk: has the goals.
        steering: has what is asked for meanwhile.
        recorded: whether each goal leaves the record of a run.
        attended: whether a person is there to answer questions.
        make_tree: makes what ticks the agent's tree.

    Attributes:
        workplace: where sessions are opened; None before there is one. It changes only while nothing runs.
        session: the session that goes on, or the last one.
        noted: what it has recorded.
        overruns: ticks of all sessions that took longer than they may.
    """

    def __init__(
        self,
        desk: CarryDesk,
        steering: Steering,
        *,
        recorded: bool = True,
        attended: bool = True,
        make_tree: MakeTree = FastTree,
    ) -> None:
        self.workplace: Workplace | None = None
        self.session: Session | None = None
        self.noted = NotingRecorder(Silent())
        self.overruns = 0
        self.recorded = recorded
        self.attended = attended
        self._desk = desk
        self._steering = steering
        self._make_tree = make_tree

    def serve(self, ended: Event, after: Callable[[], None] = lambda: None) -> None:
        """Carry out goals until *ended* is set and the desk is idle; *after* is called after each of them."""
        while True:
            self._beat()
            job = self._desk.take(_IDLE_WAIT)
            if job is not None:
                self.carry_out(job)
                after()
            elif ended.is_set():
                return

    def carry_out(self, job: Job) -> None:
        """Carry out one goal, and tell its client of the end, whatever happens."""
        end = JobEnd("error", "The agent has failed.")
        try:
            end = self._carried_out(job)
        except ForetreeError as error:
            end = JobEnd("error", str(error))
        except Exception as error:
            _LOG.exception("a goal could not be carried out")
            end = JobEnd("error", f"{type(error).__name__}: {error}")
        finally:
            self._desk.done(job)
            job.client.ended(end)

    def _carried_out(self, job: Job) -> JobEnd:
        if job.broken_off:
            return JobEnd("cancelled", job.broken_off)
        workplace = self.workplace
        if workplace is None:
            return JobEnd("error", "The agent has no robot: it is not configured.")
        job.client.started()
        with ExitStack() as last:
            # Opened before there is a record: what makes no sense leaves none behind.
            session = workplace.session(
                job.wish, self._steering, attended=self.attended, make_tree=self._make_tree
            )
            recorder: Recorder = Silent()
            run = ""
            if self.recorded:
                title = job.wish.instruction or job.wish.goal
                recorder = kept = RunRecorder(RunStore().create(title, workplace.scene))
                last.callback(kept.abandon)
                run = kept.run.id
                workplace.begin(kept.run)
            self.session, self.noted = session, NotingRecorder(recorder)
            # What an execution is called must differ from all that the robot was ever told to do.
            workplace.context.name = run or f"x{uuid4().hex[:12]}"
            workplace.record_to(self.noted)
            self._steering.begin(session)
            try:
                self._tick(session, job)
            finally:
                self._steering.end()
                workplace.record_to(None)
                self.overruns += self.noted.overruns
                if isinstance(recorder, RunRecorder):
                    recorder.close(session.result.outcome if session.result is not None else "error")
                    workplace.finish(recorder.run)
        assert session.result is not None
        return JobEnd(session.result.outcome, session.result.reason, run)

    def _tick(self, session: Session, job: Job) -> None:
        told = CarryProgress()

        def tell() -> None:
            nonlocal told
            progress = progress_of(session, self.noted, self._handed_over(session))
            if progress != told:
                job.client.progressed(progress)
                told = progress

        try:
            session.start()
            while session.result is None:
                if job.broken_off:
                    session.cancel(job.broken_off)
                    break
                self._beat()
                self._steering.attend()
                tell()
                session.step()
            tell()
        finally:
            if session.result is None:  # a mistake in what is not a node: the robot must not go on
                with suppress(Exception):
                    session.cancel("the agent has failed")

    def _beat(self) -> None:
        if self.workplace is not None:
            self.workplace.beat()

    def _handed_over(self, session: Session) -> bool:
        return bool(getattr(session.tree.root, "handed_over", False))
