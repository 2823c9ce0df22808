"""Revisers asked one after the other, until one has a revision."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import CancelledError

from foretree.clock import Clock
from foretree.reasoning.models.model import UnrecordedQuestionError
from foretree.revision.revision import NoRevisionError, PendingRevision, Reviser, Revision, RevisionRequest
from foretree.runs.events import Recorder


class ReviserChain:
    """Asks one reviser after the other; never two at once, never blocking.

    Args:
        request: what is wrong, and everything a reviser may look at.
        revisers: in the order in which they are asked.
        clock: for their time-outs.
        recorder: notes who was asked and who had nothing to offer.
    """

    def __init__(
        self, request: RevisionRequest, revisers: Sequence[Reviser], clock: Clock, recorder: Recorder
    ) -> None:
        self.request = request
        self.asking: str | None = None
        self.refusals: list[tuple[str, str]] = []
        self._left = list(revisers)
        self._clock = clock
        self._recorder = recorder
        self._pending: PendingRevision | None = None
        self._deadline = 0.0
        self._asked_at = clock.now()

    @property
    def exhausted(self) -> bool:
        """Return whether all revisers were asked, and none has anything left to offer."""
        return self.asking is None and not self._left

    def poll(self) -> Revision | None:
        """Return the next revision on offer; None while a reviser thinks or none is left."""
        while True:
            if self.asking is None:
                if not self._left:
                    return None
                offer = self._ask(self._left.pop(0))
            elif self._pending is None:
                return None  # on offer already: it is up to the caller to take or to reject it
            elif self._pending.ready():
                offer = self._collect(self._pending)
            elif self._clock.now() >= self._deadline:
                self._pending.cancel()
                self.reject(f"no answer within {self._deadline - self._asked_at:g} s")
                continue
            else:
                return None
            if offer is not None:
                return offer
            if self._pending is not None:
                return None

    def reject(self, why: str) -> None:
        """The offer is no good; the next reviser is asked at the next :meth:`poll`."""
        assert self.asking is not None
        self.refusals.append((self.asking, why))
        self._recorder.record(
            "revision.rejected",
            discrepancy=self.request.discrepancies[0].id,
            reviser=self.asking,
            why=why,
        )
        self.asking = None
        self._pending = None

    def cancel(self) -> None:
        """Stop asking: a newer discrepancy supersedes this one, or it has resolved itself."""
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
        self._left.clear()
        self.asking = None

    def _ask(self, reviser: Reviser) -> Revision | None:
        self.asking = reviser.name
        self._asked_at = self._clock.now()
        self._deadline = self._asked_at + reviser.time_out
        self._recorder.record(
            "revision.asked", discrepancy=self.request.discrepancies[0].id, reviser=reviser.name
        )
        try:
            answer = reviser.propose(self.request)
            if isinstance(answer, Revision):
                return answer
            is_ready = answer.ready()
        except Exception as error:
            self.reject(_refusal(error))
            return None
        self._pending = answer
        return self._collect(answer) if is_ready else None

    def _collect(self, pending: PendingRevision) -> Revision | None:
        self._pending = None
        try:
            return pending.result()
        except UnrecordedQuestionError:
            # A replay that goes another way than what was recorded is worth nothing.
            raise
        except Exception as error:
            self.reject(_refusal(error))
        return None


def _refusal(error: Exception) -> str:
    """Say why a reviser has nothing to offer. One that breaks down must not take the plan down with it: the
    next one may still have an idea."""
    if isinstance(error, NoRevisionError):
        return str(error)
    if isinstance(error, CancelledError):
        return "cancelled"
    return f"it broke down: {type(error).__name__}: {error}"
