"""The rule-based reviser: skip, retarget, insert.

It walks through the rest of the plan from the world as it is believed, and repairs what does not fit:

* *skip*: what an action would bring about is so already;
* *retarget*: a thing that an action needs rests elsewhere: go there instead; or, where the goal does not
  name the thing but only its class, take another one;
* *insert*: something small is missing (the fridge is shut, the way leads elsewhere): put in the few actions
  that make the next one possible.

Ways from one place to another are not repaired but found anew, where the old ones do not fit any more. Then
it drops what the repaired plan no longer needs. All of it is domain-independent, and the result is simulated
before it is offered. What it cannot repair it leaves to the next reviser.

All this grows with the plan's length, not with its square, and in a long plan it is spread over ticks. How
much may be done for one revision is counted: a plan that takes more to be repaired is left to the next
reviser, and one that is repaired, but takes more to be trimmed, is offered as it is.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from foretree.planning.incremental import IncrementalTask, IncrementBudget, Increments, weighted
from foretree.planning.pddl.syntax import Formula, Literal, atoms_of, constants_of
from foretree.planning.plan import Action, cost_of
from foretree.planning.semantics.actions import GroundAction
from foretree.planning.semantics.atom_index import AtomIndex
from foretree.planning.semantics.evaluation import conjuncts
from foretree.planning.work_limit import WorkLimit
from foretree.revision._simulator import Simulator, StateDelta, UndoableState
from foretree.revision.discrepancy import Discrepancy
from foretree.revision.put_back import put_back_gradually
from foretree.revision.revision import (
    PIECES,
    IncrementalResult,
    NoRevisionError,
    PendingRevision,
    Revision,
    RevisionRequest,
    explain,
)
from foretree.revision.rules._trimming import Timeline, find_dispensable
from foretree.revision.rules.precondition_repair import PreconditionRepair, missing_literals
from foretree.world_model.beliefs.facts import Atom

#: Other instances of a class that are tried in a thing's place.
INSTANCES = 4

#: Looks at an action that one revision may take, and how many more for each action of the plan.
WORK, WORK_PER_ACTION = 200_000, 10
#: So many looks at an action are one piece of work.
_AT_A_TIME = 4
#: A search for a repair counts as so many pieces, and one more for so many differences of the state.
_REPAIR, _DIFFERENCES = 8, 250


class RuleReviser:
    """Mends the rest of the plan by rule; see the module's text."""

    name = "rules"
    time_out = 10.0

    def propose(self, request: RevisionRequest) -> Revision | PendingRevision:
        """A repaired plan: at once, or in a few ticks if the plan is long.

        Raises:
            NoRevisionError: the rules do not lead to the goal.
        """
        repaired = _PendingRepair(_repaired(request), len(request.remaining))
        return repaired.result() if repaired.go_on() else repaired


class _PendingRepair(IncrementalResult[Revision]):
    """A repaired plan that is worked on whenever it is asked for."""

    def ready(self) -> bool:
        """Return whether there was a result before; if not, do as much as fits into a tick."""
        was_through = self.is_through
        self.go_on()
        return was_through

    def cancel(self) -> None:
        """Nothing is done unless it is asked for."""


def _repaired(request: RevisionRequest) -> Increments[Revision]:
    remaining = request.remaining
    yield from weighted(len(remaining) // 50)
    yield from request.task.state_gradually(request.beliefs)
    repair = _PlanRepair(request)
    yield from weighted(len(remaining) // 100)
    request.task.objects.of_type("object")  # sorts them, if they have not been asked for before
    yield from repair.start.facts.indexing()
    best: list[Action] | None = None
    for number, actions in enumerate(_candidates(request, repair.start)):
        yield from weighted(len(remaining) // 100)
        # A thing that cannot be used as the plan would use it is no substitute.
        budget = None if best is None else cost_of(best)
        repaired = yield from repair.repair(actions, budget, strict=number > 0)
        if repaired is not None:
            best = repaired
    if best is None:
        raise NoRevisionError(
            "to repair the plan by skipping, retargeting and inserting takes too much work"
            if repair.work.is_spent
            else "no skipping, retargeting or inserting leads to the goal"
        )
    yield from weighted(len(best) // 100)
    del repair, repaired  # by itself: there is much to be forgotten
    yield from weighted(len(best) // 100)
    best = yield from put_back_gradually(best, request)
    yield from weighted(len(best) // 100)
    if [a.id for a in best] == [a.id for a in remaining] and not any(
        # What a thing was taken for is no longer so, but it will do all the same.
        discrepancy.guard == "appearance"
        for discrepancy in request.discrepancies
    ):
        raise NoRevisionError("the rules would leave the plan as it is")
    return Revision(tuple(best), explain(request, best), RuleReviser.name, request.beliefs.version)


def is_cheaper_with(request: RevisionRequest, thing: str, other: str) -> bool:
    """Return whether the rest of the plan would cost less with *other* in the place of *thing*.

    No more is done than fits into a tick: what takes longer to be found out is taken for dearer.
    """

    def is_cheaper() -> Increments[bool]:
        actions = [_renamed(action, {thing: other}) for action in request.remaining]
        leads = yield from _PlanRepair(request).walk(actions, cost_of(request.remaining))
        return leads is not None

    work = IncrementalTask(is_cheaper())
    return work.go_on(IncrementBudget(PIECES)) and work.result


def _candidates(request: RevisionRequest, state: StateDelta) -> Iterator[list[Action]]:
    """The rest of the plan as it is, and with other instances where the goal allows them."""
    yield list(request.remaining)
    named = constants_of(request.goal)
    used = {argument for action in request.remaining for argument in action.arguments}
    for thing in _things(request.discrepancies):
        class_name = request.classes.get(thing)
        if class_name is None or thing in named:
            continue
        others = [
            name
            for name in request.task.objects.of_type(class_name)
            if name not in used and state.mentions(name)
        ]
        for other in others[:INSTANCES]:
            yield [_renamed(action, {thing: other}) for action in request.remaining]


def _things(discrepancies: Iterable[Discrepancy]) -> list[str]:
    """The things that the discrepancies are about, in order and without repeats."""
    found: dict[str, None] = {}
    for discrepancy in discrepancies:
        for fact in discrepancy.facts:
            if len(fact.atom) > 1:
                found[fact.atom[1]] = None
        if discrepancy.action is not None and not discrepancy.facts:
            found.update(dict.fromkeys(discrepancy.action.arguments))
    return list(found)


def _priced(action: Action, ground: GroundAction) -> Action:
    """*action* at its price of today."""
    return action if action.cost == ground.cost else replace(action, cost=ground.cost)


def _renamed(action: Action, names: Mapping[str, str]) -> Action:
    """*action* with other arguments; it is another action then, and loses its id."""
    arguments = tuple(names.get(argument, argument) for argument in action.arguments)
    return action if arguments == action.arguments else replace(action, id="", arguments=arguments)


def _wanted(goal: Formula) -> tuple[dict[Atom, bool], list[Formula]]:
    """The values that *goal* wants of single atoms, and all else that it wants."""
    values: dict[Atom, bool] = {}
    others: list[Formula] = []
    for part in conjuncts(goal):
        if isinstance(part, Literal) and values.get(part.atom, part.positive) == part.positive:
            values[part.atom] = part.positive
        else:
            others.append(part)
    return values, others


class _PlanRepair:
    """Walks a plan through imagined states and repairs it on the way.

    Attributes:
        start: the state that the rest of the plan begins in: as believed, with what runs taken as done.
        work: how much may still be done.
    """

    def __init__(self, request: RevisionRequest) -> None:
        self._task = request.task
        self._vocabulary = request.beliefs.vocabulary
        self._goal_predicates = {atom[0] for atom in atoms_of(request.goal)}
        self._wanted, self._other_goals = _wanted(request.goal)
        self._simulator = Simulator(request.task)
        self._repair = PreconditionRepair(self._simulator, self._vocabulary)
        self.work = WorkLimit(WORK + WORK_PER_ACTION * len(request.remaining))
        self.start = StateDelta(AtomIndex(request.task.state(request.beliefs)))
        for action in request.running:
            self.start = self._simulator.advance(self.start, self._task.ground(action))

    def repair(
        self, actions: Sequence[Action], budget: int | None = None, *, strict: bool = False
    ) -> Increments[list[Action] | None]:
        """*actions*, repaired and trimmed so that they lead to the goal; None if they do not.

        Args:
            actions: the rest of the plan.
            budget: what they have to stay below.
            strict: whether each that has something to do must be possible, with a little help.
        """
        repaired = yield from self.walk(actions, budget, strict=strict)
        return None if repaired is None else (yield from self._trim(repaired))

    def walk(
        self, actions: Sequence[Action], budget: int | None, *, bare: bool = False, strict: bool = False
    ) -> Increments[list[Action] | None]:
        """*actions*, repaired so that they lead to the goal; None if they do not."""
        walk = _Walk(UndoableState(self.start, self._wanted), bare)
        walk.reached = self._reached(walk.course)
        for number, action in enumerate(actions):
            if number % _AT_A_TIME == 0:
                yield 1
            if walk.reached:
                break
            self.work.use()
            if self.work.is_spent:
                return None
            ground = self._task.ground(action)
            if self._repair.moves_robot(action.skill):
                walk.pending.append(_priced(action, ground))
            elif self._simulator.done(walk.course, ground):
                walk.interrupted = True
            elif not (yield from self._take(walk, action)):
                if strict:
                    return None
                walk.interrupted = True
            if budget is not None and walk.cost >= budget:
                return None
        if not walk.reached and walk.pending:
            yield from self._take(walk, walk.pending.pop())
        if not walk.reached or (budget is not None and walk.cost >= budget):
            return None
        return walk.actions

    def _take(self, walk: _Walk, action: Action) -> Increments[bool]:
        """Take *action*, and before it whatever makes it possible; False if nothing simple does."""
        ground = self._task.ground(action)
        if not self._simulator.possible(walk.course, ground) and (
            walk.interrupted or not self._way_leads_to(walk, ground)
        ):
            action = self._retargeted(action, walk.course)
            ground = self._task.ground(action)
            if not (yield from self._made_possible(walk, ground)) and not (
                yield from self._way_repaired(walk, ground)
            ):
                return False
        walk.pending.clear()
        walk.interrupted = False
        self._append(walk, _priced(action, ground))
        return True

    def _way_leads_to(self, walk: _Walk, ground: GroundAction) -> bool:
        """Go the way that the plan had in mind, if it can be gone and *ground* is possible at its end."""
        course, so_far = walk.course, len(walk.course.changes)
        for step in walk.pending:
            known = self._task.ground(step)
            if not self._simulator.possible(course, known):
                break
            course.change(*self._simulator.changes(course, known))
        else:
            leads = bool(walk.pending) and self._simulator.possible(course, ground)
            course.back_to(so_far)
            if leads:
                for step in walk.pending:
                    self._append(walk, step)
            return leads
        course.back_to(so_far)
        return False

    def _way_repaired(self, walk: _Walk, ground: GroundAction) -> Increments[bool]:
        """Go the way that the plan had in mind, with whatever is missing on it: a door is shut, say."""
        before = len(walk.course.changes), walk.reached, len(walk.actions), walk.cost
        for step in walk.pending:
            if (yield from self._made_possible(walk, self._task.ground(step))):
                self._append(walk, step)
        if walk.pending and (yield from self._made_possible(walk, ground)):
            return True
        changes, walk.reached, actions, walk.cost = before
        walk.course.back_to(changes)
        del walk.actions[actions:]
        return False

    def _made_possible(self, walk: _Walk, ground: GroundAction) -> Increments[bool]:
        """Take the few actions that make *ground* possible, if there are any."""
        if self._simulator.possible(walk.course, ground):
            return True
        pieces = _REPAIR + walk.course.differences // _DIFFERENCES
        self.work.use(pieces * _AT_A_TIME)
        yield from weighted(pieces)
        if self.work.is_spent:
            return False
        steps = self._repair.find(walk.course.delta(), ground, ways_only=walk.bare)
        if steps is None:
            return False
        known = {(step.skill, step.arguments): step for step in walk.pending}
        for step in steps:
            new = Action("", step.name, step.arguments, step.cost)
            self._append(walk, known.get((step.name, step.arguments), new))
        return True

    def _append(self, walk: _Walk, action: Action) -> None:
        ground = self._task.ground(action)
        walk.course.change(*self._simulator.changes(walk.course, ground))
        walk.actions.append(action)
        walk.cost += action.cost
        if any(effect.literal.atom[0] in self._goal_predicates for effect in ground.effects):
            walk.reached = self._reached(walk.course)

    def _reached(self, course: UndoableState) -> bool:
        return not course.lacking and self._other_goals_hold(course)

    def _other_goals_hold(self, state: Container[Atom]) -> bool:
        """Return whether all that the goal wants holds, apart from the values of single atoms."""
        return all(self._simulator.holds(state, part) for part in self._other_goals)

    def _trim(self, actions: list[Action]) -> Increments[list[Action]]:
        """Leave out what the goal can be reached without at less cost.

        Ways are no matter: without what was done at its end, a way is not taken.
        """
        while True:
            candidates = {
                index for index, action in enumerate(actions) if not self._repair.moves_robot(action.skill)
            }
            timeline = Timeline(self.start)
            yield from timeline.follow([self._task.ground(a) for a in actions], self._simulator, self.work)
            for group in (
                yield from find_dispensable(
                    timeline, candidates, self._wanted, self._other_goals_hold, self.work
                )
            ):
                yield from weighted(len(actions) // 100)
                left = [action for index, action in enumerate(actions) if index not in group]
                shorter = yield from self.walk(left, cost_of(actions), bare=True)
                if shorter is not None:
                    actions = shorter
                    break
            else:
                return actions

    def _retargeted(self, action: Action, course: UndoableState) -> Action:
        """*action* aimed at where the things it needs rest now."""
        names: dict[str, str] = {}
        ground = self._task.ground(action)
        for literal in missing_literals([ground.precondition], course):
            key = self._vocabulary.group_key(literal.atom)
            if key is None or not literal.positive or len(literal.atom) != 3:
                continue
            elsewhere = [
                atom[2]
                for atom in self._placed(key, course.delta())
                if len(atom) == 3 and atom[2] != literal.atom[2]
            ]
            if elsewhere:
                names[literal.atom[2]] = min(elsewhere)
        if not names:
            return action
        renamed = _renamed(action, names)
        operator = self._task.domain.operators[action.skill]
        for parameter, argument in zip(operator.parameters, renamed.arguments, strict=True):
            if argument not in self._task.objects.of_type(parameter.type):
                return action
        return renamed

    def _placed(self, key: tuple[str, str], state: StateDelta) -> Iterator[Atom]:
        """Yield where the thing of a group's *key* rests.

        Not where the robot is: its own place takes a way, not a new aim.
        """
        for predicate, info in self._vocabulary.predicates.items():
            if info.group == key[0] and info.kind == "place":
                yield from state.matching(predicate, (info.subject, key[1]))


@dataclass(slots=True)
class _Walk:
    """The progress of a walk along a plan.

    Attributes:
        course: the state by now.
        reached: whether the goal is reached.
        actions: what was done so far.
        cost: what that costs.
        pending: the way that the plan takes from here; it is gone once something is done at its end.
        interrupted: whether something at whose place the way leads by was left out, so that there may be a
            shorter one.
        bare: whether nothing but ways is put in: what was just left out needs no substitute.
    """

    course: UndoableState
    bare: bool
    reached: bool = False
    actions: list[Action] = field(default_factory=list)
    cost: int = 0
    pending: list[Action] = field(default_factory=list)
    interrupted: bool = False
