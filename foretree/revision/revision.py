"""Revisions: a new rest of the plan, and why; and the requests for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import Formula
from foretree.planning.plan import Action
from foretree.reasoning.models.model import Spending
from foretree.revision.discrepancy import Discrepancy
from foretree.revision.plan_task import PlanTask
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Atom

#: What a revision does with an action that is being carried out.
InFlight: TypeAlias = Literal["keep", "cancel"]


@dataclass(frozen=True)
class RevisionRequest:
    """Everything a reviser may look at.

    Attributes:
        discrepancies: what is wrong; all that was found in one tick.
        remaining: the actions not yet begun, in a valid order of the old plan.
        running: the actions being carried out.
        beliefs: the world as it is believed now.
        goal: what is to be reached.
        classes: the class of each entity the plan was made for.
        task: the domain, its objects and its costs.
        origins: of what this plan has taken from somewhere and not put anywhere yet, where it rested.
    """

    discrepancies: tuple[Discrepancy, ...]
    remaining: tuple[Action, ...]
    running: tuple[Action, ...]
    beliefs: Snapshot
    goal: Formula
    classes: Mapping[str, str]
    task: PlanTask
    origins: Mapping[str, Atom] = field(default_factory=dict)


@dataclass(frozen=True)
class Revision:
    """A new rest of the plan.

    Attributes:
        actions: what to do from now on, in a valid order. Actions that stay keep their id.
        why: one sentence for a person.
        by: the reviser's name.
        version: of the belief it was made for.
        in_flight: for each running action's id, whether it is kept or cancelled; kept if not named.
        lower_bound: no rest of the plan is cheaper than this; None if that is not known.
    """

    actions: tuple[Action, ...]
    why: str
    by: str
    version: int
    in_flight: Mapping[str, InFlight] = field(default_factory=dict)
    lower_bound: int | None = None

    def cancels(self, action: Action) -> bool:
        """Return whether it has a running action cancelled."""
        return self.in_flight.get(action.id) == "cancel"


class NoRevisionError(ForetreeError):
    """A reviser has nothing to offer; the message says why."""

    exit_code = 1


class PendingRevision(Protocol):
    """A revision that will be there later, as a :class:`~foretree.clock.Deferred` is."""

    def ready(self) -> bool:
        """Return whether :meth:`result` would return (or raise) now. Asked once a tick."""
        ...

    def result(self) -> Revision:
        """The revision; only call it once :meth:`ready` said so."""
        ...

    def cancel(self) -> None:
        """Forget the revision: it is not needed any more."""
        ...


class Reviser(Protocol):
    """Turns a discrepancy and the remaining plan into a revision.

    Revisers are asked in order, each with its time-out; the first valid revision wins. One of your own needs
    a name, a time-out and :meth:`propose`, and goes among the revisers of a
    :class:`~foretree.agent.context.AgentContext`. This one skips what turns out to be superfluous:

    >>> from foretree.revision.revision import NoRevisionError, Revision
    >>> class SkipFirst:
    ...     name = "skip-first"
    ...     time_out = 1.0
    ...
    ...     def propose(self, request):
    ...         first, *rest = request.remaining
    ...         after = request.task.state(request.beliefs)
    ...         why_not = request.task.reaches(after, map(request.task.ground, rest), request.goal)
    ...         if why_not is not None:
    ...             raise NoRevisionError(f"without {first}, {why_not}")
    ...         return Revision(tuple(rest), f"{first} is not needed.", self.name, request.beliefs.version)

    A revision is checked against the belief once more before it takes effect, so a mistaken reviser cannot
    break a plan.
    """

    name: str
    #: Seconds on the session's clock after which the next reviser is asked.
    time_out: float

    def propose(self, request: RevisionRequest) -> Revision | PendingRevision:
        """A revision, now or later.

        Never blocks for longer than a few milliseconds: what takes longer is done elsewhere, or a little
        at a time, and returns what will be ready later.

        Raises:
            NoRevisionError: there is none, at once or when the deferred result is asked for.
        """
        ...


@runtime_checkable
class TracksSpending(Protocol):
    """A reviser that asks models which have their price."""

    @property
    def spent(self) -> Spending:
        """Spending so far."""
        ...
