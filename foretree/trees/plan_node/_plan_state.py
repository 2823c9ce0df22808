"""The state of a plan node: which steps are left, what each waits for, what the rest needs of the world."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from foretree.planning.causal_links import (
    WORLD,
    BrokenPlanError,
    Causality,
    Link,
    analyse_gradually,
    links_by_id,
)
from foretree.planning.incremental import BATCH, Increments, map_gradually, weighted
from foretree.planning.pddl.syntax import And, Formula, Literal, atoms_of
from foretree.planning.plan import Action, Plan
from foretree.planning.semantics.evaluation import evaluate
from foretree.revision.plan_task import PlanTask
from foretree.trees._suffixes import Suffixes
from foretree.trees.plan_node._scheduled_step import ScheduledStep, StepStatus
from foretree.world_model.beliefs.belief import Belief, Snapshot
from foretree.world_model.beliefs.facts import Atom, Truth

#: What little is done for each step, link or atom of a state counts as one piece of work for so many of them.
_AT_A_TIME, _LINKS_AT_A_TIME, _ATOMS_AT_A_TIME = 4, 8, 100

#: Looking up the classes of so many objects counts as one increment.
_NAMES_AT_A_TIME = 8

#: Of all the steps that rely on one and the same fact, which is no longer so, these are put in question.
OF_ONE_FACT = 16


class PlanState:
    """The steps that are running or still to come, in one valid order, and the causal links between them.

    :meth:`prepare` it before use. The steps that run belong to it from :meth:`take_effect` on.

    Args:
        task: grounds actions and knows the objects.
        goal: what the steps reach.
        running: steps that the robot is carrying out; their effects are taken as given.
        upcoming: steps still to come, in a valid order.

    Attributes:
        causality: why the steps hold together; None if they do not, and nothing is known.
        surprised: whether something has happened that may make further steps needless.
    """

    def __init__(
        self,
        task: PlanTask,
        goal: Formula,
        running: Sequence[ScheduledStep],
        upcoming: Sequence[ScheduledStep],
    ) -> None:
        self.goal = goal
        self.steps = [*running, *upcoming]
        self.links: tuple[Link, ...] = ()
        self.causality: Causality | None = None
        self.surprised = True
        self._overtaken = False
        self._task = task
        self._running = len(running)
        self._ready: list[int] = []
        self._open = len(self.steps)
        self._first = 0
        self._made: list[bool] = [False] * len(self.steps)
        self._goal_predicates = {atom[0] for atom in atoms_of(goal)}
        #: The version of the belief that it holds together from; None if it does not.
        self._holds_from: int | None = None
        #: What each step relies on, and what it makes true.
        self._needs: Sequence[frozenset[Literal]] = ()
        self._makes: Sequence[Collection[Literal]] = ()

    def prepare(
        self,
        beliefs: Snapshot,
        order: Mapping[str, Collection[str]] | None = None,
        known: Causality | None = None,
    ) -> Increments[None]:
        """Find the links and the order of the steps, from what is believed.

        Args:
            beliefs: the world that the steps start from.
            order: ids that must be finished before each id; found from the links when not given.
            known: why the same steps held together earlier; counts where they do not from here, for instance
                because some of them have been carried out already.
        """
        task = self._task
        ground = yield from map_gradually(lambda step: task.ground(step.action), self.steps, _AT_A_TIME)
        state = yield from task.state_gradually(beliefs)
        yield from weighted(len(state) // _ATOMS_AT_A_TIME)
        if self._running:
            reached = set(state)
            for index, step in enumerate(self.steps[: self._running]):
                ground[index] = replace(ground[index], precondition=And(_held(step, reached)))
                task.carry_out(reached, ground[index])
        self.causality = known
        with suppress(BrokenPlanError):
            self.causality = yield from analyse_gradually(
                ground, state, self.goal, task.objects, task.objects.derivation
            )
            self._holds_from = beliefs.version
        before: Sequence[Collection[int]]
        if self.causality is None:
            # The guards will find what is wrong; until then the listed order is as good as any.
            before = [(index - 1,) if index else () for index in range(len(self.steps))]
            self._needs = [frozenset()] * len(self.steps)
            self._makes = [[effect.literal for effect in action.effects] for action in ground]
        else:
            self.links = self.causality.links
            self._needs, self._makes = self.causality.needs, self.causality.makes
            before = self.causality.order
        if order is not None:
            position = {step.action.id: index for index, step in enumerate(self.steps)}
            before = [
                {position[i] for i in order.get(step.action.id, ()) if i in position} for step in self.steps
            ]
        yield from self._arrange(before)
        yield from self._index_links(beliefs)

    def _arrange(self, before: Sequence[Collection[int]]) -> Increments[None]:
        """Find out whom each step waits for, and who waits for it."""
        self._blockers: list[int] = []
        self._successors: list[list[ScheduledStep]] = [[] for _ in self.steps]
        for index, step in enumerate(self.steps):
            if (index + 1) % (BATCH * _AT_A_TIME) == 0:
                yield BATCH
            blockers = before[index]
            self._blockers.append(len(blockers))
            for blocker in blockers:
                self._successors[blocker].append(step)
            if index >= self._running:
                self._place(index, step)
                if step.status is StepStatus.WAITING and not blockers:
                    heappush(self._ready, index)

    def _place(self, index: int, step: ScheduledStep) -> None:
        step.index = index
        step.successors = self._successors[index]
        step.blockers = self._blockers[index]

    def take_effect(self) -> None:
        """Tell the running steps where they stand: this state takes the place of the one they were on."""
        for index, step in enumerate(self.steps[: self._running]):
            self._place(index, step)
            step.makes = frozenset(self._makes[index])
            if step.status is StepStatus.WAITING and not step.blockers:
                heappush(self._ready, index)

    def _index_links(self, beliefs: Snapshot) -> Increments[None]:
        watched: dict[Atom, list[int]] = {}
        self._watched, watch_keys = watched, beliefs.watch_keys
        for number, link in enumerate(self.links):
            if (number + 1) % (BATCH * _LINKS_AT_A_TIME) == 0:
                yield BATCH
            for key in watch_keys(link.literal.atom):
                numbers = watched.get(key)
                if numbers is None:
                    watched[key] = [number]
                else:
                    numbers.append(number)
        self._suffixes = Suffixes(len(self.steps), self.links, self._watched)
        yield from self._suffixes.look_at_all(beliefs)

    def aim(self, goal: Formula) -> None:
        """Take on another goal. Why the steps hold together says nothing of it until they are revised."""
        self.goal = goal
        self._goal_predicates = {atom[0] for atom in atoms_of(goal)}
        self.surprise()

    def still_reaches_goal(self, changes: Iterable[Atom] | None, beliefs: Snapshot) -> bool:
        """Return whether the steps still lead to the goal after some *changes* of the belief.

        None stands for any changes. What the steps need of the world is all that they can depend on.
        """
        if self.causality is None:
            return False
        links: Iterable[Link] = self.links
        if changes is not None:
            links = (self.links[number] for atom in changes for number in self._watched.get(atom, ()))
        for link in links:
            literal = link.literal
            if link.producer == WORLD and self._task.assumes(literal.atom, beliefs) != literal.positive:
                return False
        return True

    def plan(self, classes: Mapping[str, str]) -> Increments[Plan]:
        """The plan that the state carries out, in pieces; its links are those that come from a step.

        Args:
            classes: the class that it takes each thing for.
        """
        actions = tuple(step.action for step in self.steps)
        before: dict[str, set[str]] = {}
        for number, step in enumerate(self.steps):
            if (number + 1) % (BATCH * _AT_A_TIME) == 0:
                yield BATCH
            for successor in step.successors:
                before.setdefault(successor.action.id, set()).add(step.action.id)
        order = {key: frozenset(ids) for key, ids in before.items()}
        yield from weighted(len(self.steps) // 40)
        between = [link for link in self.links if link.producer != WORLD]  # no record keeps the others
        links = yield from links_by_id(between, [action.id for action in actions])
        return Plan(self.goal, actions, order, (), classes, links)

    # -- what comes next -----------------------------------------------------------------------------------
    @property
    def finished(self) -> bool:
        """True if no step is left."""
        return self._open == 0

    def next_ready(self, but: Collection[ScheduledStep] = ()) -> ScheduledStep | None:
        """The first step that nothing on the state holds back, *but* for some; each is given once."""
        passed_over: list[int] = []
        found: ScheduledStep | None = None
        while self._ready and found is None:
            step = self.steps[heappop(self._ready)]
            if step.status is StepStatus.WAITING:
                if step in but:
                    passed_over.append(step.index)
                else:
                    found = step
        for index in passed_over:
            heappush(self._ready, index)
        if found is not None:
            # Not needed before: most steps of a plan that is revised have never come to their turn.
            made = self._makes[found.index]
            undone = {literal.atom for literal in made}
            found.makes = frozenset(made)
            found.needs = frozenset(need for need in self._needs[found.index] if need.atom not in undone)
        return found

    def give_back(self, step: ScheduledStep) -> None:
        """*step* did not begin after all, or has to begin again.

        A step that was running when the plan was revised may have to wait now for others that were.
        """
        step.status = StepStatus.WAITING
        if step.blockers == 0:
            heappush(self._ready, step.index)

    def finish(self, step: ScheduledStep, status: StepStatus) -> None:
        """*step* has come to its end."""
        if not step.open:
            return
        step.status = status
        self._open -= 1
        self._made[step.index] = True
        self._suffixes.end(step.index)
        # What was ahead of the plan at a surprise may be of use only from here on.
        self.surprised = self.surprised or self._overtaken
        for successor in step.successors:
            successor.blockers -= 1
            if successor.blockers == 0 and successor.status is StepStatus.WAITING:
                heappush(self._ready, successor.index)

    def upcoming(self) -> list[ScheduledStep]:
        """The steps that have not been finished, in the order of the plan."""
        return [step for step in self.steps if step.open]

    def purposes(self, skipped: Collection[ScheduledStep], latest: int) -> list[Atom]:
        """Return what some steps were to bring about for those from *latest* on, or for the goal."""
        among = {step.index for step in skipped}
        links = (link for link in self.links if link.producer in among and link.consumer >= latest)
        return [link.literal.atom for link in links]

    def for_goal(self) -> list[Literal]:
        """Return what the goal holds by in the end: what steps make true, what is so or is assumed to be."""
        return [link.literal for link in self.links if link.consumer == len(self.steps)]

    def still_for_goal(self) -> set[Literal]:
        """Return what steps that have not ended make true for the goal."""
        end = len(self.steps)
        return {
            link.literal
            for link in self.links
            if link.consumer == end and link.producer != WORLD and self.steps[link.producer].open
        }

    def products(self) -> Increments[list[frozenset[Literal]]]:
        """Return what later steps or the goal need from each step."""
        found: list[list[Literal]] = [[] for _ in self.steps]
        for number, link in enumerate(self.links):
            if (number + 1) % (BATCH * _LINKS_AT_A_TIME) == 0:
                yield BATCH
            if link.producer != WORLD:
                found[link.producer].append(link.literal)
        return (yield from map_gradually(frozenset, found, _LINKS_AT_A_TIME))

    # -- what the world does to it -------------------------------------------------------------------------
    def note(self, changes: Iterable[Atom], beliefs: Snapshot, acting: Collection[ScheduledStep]) -> None:
        """Take notice of changed atoms: is any of them a surprise?"""
        if self.surprised and self._overtaken:
            return
        for atom in changes:
            if atom not in self._watched and atom[0] not in self._goal_predicates:
                continue
            if atom[0].startswith("group:"):
                continue
            now = Literal(atom, beliefs.truth(atom) is Truth.TRUE)
            if not any(now in step.makes for step in acting):
                self.surprise()
                return

    def surprise(self) -> None:
        """Something has changed that no action of the plan was to change."""
        self.surprised = self._overtaken = True

    def contradicted(self, changes: Iterable[Atom], beliefs: Snapshot) -> list[Link]:
        """The links that should hold now, and that *changes* have made false: of one fact, the first few."""
        broken: dict[int, Link] = {}
        for atom in changes:
            left = OF_ONE_FACT
            for number in self._watched.get(atom, ()):
                link = self.links[number]
                if self._holds_now(link) and _is_false(link.literal, beliefs):
                    broken[number] = link
                    left -= link.literal.atom == atom
                    if not left:
                        break
        return [broken[number] for number in sorted(broken)]

    def all_contradicted(self, belief: Belief) -> list[Link]:
        """The links that should hold now and are believed not to."""
        beliefs = belief.snapshot()
        changes = None if self._holds_from is None else belief.changes_since(self._holds_from)
        if changes is not None:
            return self.contradicted(changes, beliefs)
        return [link for link in self.links if self._holds_now(link) and _is_false(link.literal, beliefs)]

    def needs_of_world(self) -> list[Literal]:
        """Return what later steps or the goal need of the world, and no step before them brings about."""
        return list(dict.fromkeys(link.literal for link in self.links if self._holds_now(link)))

    def _holds_now(self, link: Link) -> bool:
        """Return whether the link's producer has done its part and its consumer still waits for it."""
        if link.producer != WORLD and not self._made[link.producer]:
            return False
        return link.consumer == len(self.steps) or self.steps[link.consumer].status is StepStatus.WAITING

    def furthest(self, belief: Belief) -> int:
        """The index of the latest step from which on everything that is still needed is believed already.

        The goal itself may hold for a reason other than the plan's; then nothing is left to do.
        """
        end = len(self.steps)
        if evaluate(self.goal, belief.truth, self._task.objects) is Truth.TRUE:
            return end
        first = self.first()
        # Without reasons there is no telling what the rest needs.
        latest = None if self.causality is None else self._suffixes.last(belief)
        return first if latest is None else latest

    def first(self) -> int:
        """The index of the first step that is still to be brought to its end."""
        while self._first < len(self.steps) and not self.steps[self._first].open:
            self._first += 1
        return self._first

    def before(self, index: int) -> list[ScheduledStep]:
        """The steps before that index which are still to be brought to their end."""
        return [step for step in self.steps[self.first() : index] if step.open]

    def broken_holds(self, step: ScheduledStep, beliefs: Snapshot) -> list[Literal]:
        """Return what a running step relies on and is believed not to hold any more."""
        return sorted((need for need in step.needs if _is_false(need, beliefs)), key=lambda need: need.atom)


def _held(step: ScheduledStep, state: Collection[Atom]) -> tuple[Literal, ...]:
    """Return what a running step still relies on and is so: nothing new may destroy it meanwhile."""
    return tuple(
        need
        for need in sorted(step.needs, key=lambda need: (need.atom, need.positive))
        if (need.atom in state) == need.positive
    )


def _is_false(literal: Literal, beliefs: Snapshot) -> bool:
    return beliefs.truth(literal.atom) is (Truth.FALSE if literal.positive else Truth.TRUE)


@dataclass(frozen=True, slots=True)
class RemainingPlan:
    """The rest of a plan as it stands in the middle of being carried out."""

    plan: Plan
    state: PlanState
    acting: tuple[ScheduledStep, ...]

    @property
    def running(self) -> tuple[Action, ...]:
        """The actions that are being carried out."""
        return tuple(step.action for step in self.acting)

    @property
    def remaining(self) -> tuple[Action, ...]:
        """The actions that have not begun, in the order of the plan."""
        return tuple(step.action for step in self.state.upcoming() if step not in self.acting)

    def classes_with(self, actions: Iterable[Action], beliefs: Snapshot) -> Increments[dict[str, str]]:
        """Return the classes that the plan takes its objects for, once *actions* are the rest of it.

        A plan that was checked against the belief holds whatever its things are now taken for; and the things
        that a revision brings in have to keep their class like any other.
        """
        yield from weighted(len(self.state.steps) // 20)
        classes = dict(self.plan.classes)
        used = {name for step in self.state.steps for name in step.action.arguments}
        names = dict.fromkeys(name for action in actions for name in action.arguments)
        for number, name in enumerate(names):
            if number % _NAMES_AT_A_TIME == 0:
                yield 1
            if name not in classes and name in used:
                continue
            entity = beliefs.entity(name)
            if entity is not None and not entity.told:
                classes[name] = entity.best_class
        return classes


def same_actions(one: Sequence[Action], other: Sequence[Action]) -> bool:
    """Return whether the same is done, whatever the actions' ids."""
    return len(one) == len(other) and all(map(same_action, one, other))


def same_action(one: Action, other: Action) -> bool:
    """Return whether two actions do the same, whatever their ids."""
    return one.skill == other.skill and one.arguments == other.arguments
