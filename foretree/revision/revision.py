"""Revisions: a new rest of the plan, and why; the requests for them, and those worked on in pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

from foretree.errors import ForetreeError
from foretree.planning.incremental import IncrementalTask, IncrementBudget, Increments
from foretree.planning.pddl.syntax import Formula
from foretree.planning.plan import Action
from foretree.revision._simulator import only_moves_robot
from foretree.revision.discrepancy import Discrepancy
from foretree.revision.plan_task import PlanTask
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Atom

#: What a revision does with an action that is being carried out.
InFlight: TypeAlias = Literal["keep", "cancel"]

T = TypeVar("T")
#: So many pieces of work fit into a tick: all, for most plans of a hundred actions.
PIECES = 120


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
        done: the actions of this plan that were done last, the latest at the end.
    """

    discrepancies: tuple[Discrepancy, ...]
    remaining: tuple[Action, ...]
    running: tuple[Action, ...]
    beliefs: Snapshot
    goal: Formula
    classes: Mapping[str, str]
    task: PlanTask
    origins: Mapping[str, Atom] = field(default_factory=dict)
    done: tuple[Action, ...] = ()


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

    def result(self) -> Revision:
        """The revision; only call it once :meth:`ready` said so."""

    def cancel(self) -> None:
        """Forget the revision: it is not needed any more."""


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


def explain(request: RevisionRequest, after: Sequence[Action]) -> str:
    """Return why the rest of a plan becomes *after*, and what that changes.

    For instance: "mango1 is now on table2; going there first. Instead of pick(robot1, left, mango1, table1):
    move(robot1, table1, table2), pick(robot1, left, mango1, table2)."
    """
    before = request.remaining
    kept, known = {action.id for action in after}, {action.id for action in before}
    dropped = [action for action in before if action.id not in kept]
    added = [action for action in after if action.id not in known]
    change = _change(request, dropped, added)
    if not request.discrepancies:
        return change
    reason = request.discrepancies[0].summary
    return f"{reason}; {_in_short(request, reason, dropped, added)}. {change}".strip()


def _change(request: RevisionRequest, dropped: Sequence[Action], added: Sequence[Action]) -> str:
    """List the actions that are left out and put in."""
    if added and dropped:
        return f"Instead of {_listed(dropped)}: {_listed(added)}."
    if added:
        return f"First {_listed(added)}."
    if dropped:
        return f"Skip {_listed(dropped)}."
    return "" if request.discrepancies else "The plan is good all the same."


def _in_short(
    request: RevisionRequest, reason: str, dropped: Sequence[Action], added: Sequence[Action]
) -> str:
    """Return the first change, in a few words."""
    if not added and not dropped:
        return "the plan is good all the same"
    if not added:
        return f"skipping {len(dropped)} action{'s' if len(dropped) > 1 else ''}"
    effects = request.task.ground(added[0]).effects
    place = next((effect.literal.atom[-1] for effect in effects if effect.literal.positive), None)
    if place is None or not only_moves_robot(effects, request.beliefs.vocabulary):
        return f"next comes {added[0]}"
    return "going there first" if place in reason.split() else f"going to {place} first"


def _listed(actions: Sequence[Action], limit: int = 4) -> str:
    more = f" and {len(actions) - limit} more" if len(actions) > limit else ""
    return ", ".join(map(str, actions[:limit])) + more


class IncrementalResult(Generic[T]):
    """A result that is worked on whenever it is asked for.

    Args:
        pieces: what is to be carried out.
        size: about how many actions it is about.

    Attributes:
        is_through: whether there is a result, or never will be.
        error: what it raised.
    """

    def __init__(self, pieces: Increments[T], size: int) -> None:
        self._work = IncrementalTask(pieces, size)
        self._allowance = IncrementBudget(PIECES)
        self.is_through = False
        self.error: Exception | None = None

    def go_on(self) -> bool:
        """Do as much as fits into a tick; whether it is through."""
        if not self.is_through:
            try:
                self.is_through = self._work.go_on(self._allowance)
            except Exception as error:  # it is raised where the result is asked for, as other revisers' are
                self.is_through, self.error = True, error
            self._allowance.renew()
        return self.is_through

    def result(self) -> T:
        """Return the result, once there is one; before, all that is left is done at once.

        Raises:
            Exception: what it raised.
        """
        if self.error is not None:
            raise self.error
        return self._work.finish()
