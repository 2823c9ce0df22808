"""The watch: what the world does to a plan, put as discrepancies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from foretree.agent.context import AgentContext
from foretree.behaviours.act import Act
from foretree.planning.causal_links import Link
from foretree.planning.pddl.syntax import Formula, Literal, constants_of, show
from foretree.planning.plan import Action, Plan
from foretree.planning.semantics.evaluation import conjuncts, evaluate
from foretree.revision.derivation import guard_of, guard_of_goal
from foretree.revision.discrepancy import Discrepancy, describe_seen
from foretree.revision.expectation import Expectation, GuardName, assess, say_atom
from foretree.revision.revision import RevisionRequest
from foretree.revision.rules.reviser import is_cheaper_with
from foretree.trees.plan_node._goal_check import goal_reasons
from foretree.trees.plan_node._in_hand_check import is_held
from foretree.trees.plan_node._plan_state import OF_ONE_FACT, PlanState
from foretree.trees.plan_node._scheduled_step import ScheduledStep
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Atom, Entity, Truth

#: So sure one must be that a thing is something else, to change a plan before one gets at it.
MISTAKEN_CONFIDENCE = 0.8
#: What the journal of a belief calls a change of class.
_OF_CLASS = ("class", "group:class")


class PlanMonitor:
    """Compares what a plan needs with what is believed. It changes neither."""

    def __init__(self, context: AgentContext) -> None:
        self._context = context

    def contradiction(self, action: Action | None, needed: Formula, beliefs: Snapshot) -> Discrepancy:
        """Return the discrepancy that what *action*, or without one the goal, needs is believed false."""
        context = self._context
        guard = guard_of(needed, beliefs.vocabulary)
        expectation = Expectation(guard, action.id if action else "goal", needed)
        facts = assess(expectation, beliefs, context.task.objects, context.clock.now(), 0.0).facts
        return Discrepancy(
            id=context.discrepancy_id(),
            action=action,
            guard=guard if action else "goal",
            expected=str(expectation),
            seen=describe_seen(facts, beliefs),
            version=beliefs.version,
            facts=facts,
            expectation=expectation,
        )

    def changed_wish(self, goal: Formula, why: str) -> Discrepancy:
        """The person wants something else."""
        context = self._context
        return Discrepancy(
            id=context.discrepancy_id(),
            action=None,
            guard="wish",
            expected=show(goal),
            seen=why,
            version=context.belief.version,
        )

    def missed(self, goal: Formula, planned: Iterable[Literal], beliefs: Snapshot) -> Discrepancy:
        """The plan is through, but the goal does not hold: of what it was to hold by, something is missed."""
        missed = [
            literal
            for literal in sorted(planned, key=lambda one: (one.atom, one.positive))
            if beliefs.truth(literal.atom) is not (Truth.TRUE if literal.positive else Truth.FALSE)
        ]
        discrepancy = self.contradiction(None, goal, beliefs)
        if not missed:
            return discrepancy
        guards = (guard_of_goal(literal.atom, beliefs.vocabulary) for literal in missed)
        facts = tuple(beliefs.evidence(literal.atom) for literal in missed)
        return replace(
            discrepancy,
            seen=describe_seen(facts, beliefs),
            facts=facts,
            part=next((guard for guard in guards if guard in self._context.settings.guards), ""),
        )

    def found_needless(self, atoms: Iterable[Atom]) -> tuple[GuardName, ...] | None:
        """Whose business it is that what some steps were to bring about is so already, as *atoms* say.

        None if that is not sure enough to leave them out, or if one of these guards was not compiled in: then
        nothing notices it.
        """
        beliefs, settings = self._context.belief.snapshot(), self._context.settings
        found = set()
        for atom in atoms:
            found.add(guard_of_goal(atom, beliefs.vocabulary))
            seen = self._context.seen_of(atom, beliefs)
            if any(fact.confidence < settings.sure_needless for fact in seen):
                return None
        return tuple(sorted(found)) if found <= set(settings.guards) else None

    def reached_by(self, goal: Formula) -> tuple[GuardName, ...] | None:
        """Return the guards that find that *goal* is reached, so that nothing is left to do.

        None if it does not count as reached before the plan is through.
        """
        context = self._context
        if evaluate(goal, context.belief.snapshot().truth, context.task.objects) is not Truth.TRUE:
            return None
        return self.found_needless(goal_reasons(context, goal))

    def failure(self, step: ScheduledStep) -> Discrepancy:
        """A step that has failed, and has no further attempts of its own."""
        assert step.nodes is not None
        leaf = step.nodes.leaf
        # That a thing looks like another one, the robot may be the first to see.
        unlike = isinstance(leaf, Act) and leaf.end is not None and leaf.end.unlike
        guarded = "appearance" in self._context.settings.guards
        return Discrepancy(
            id=self._context.discrepancy_id(),
            action=step.action,
            guard="failure",
            expected="that it succeeds",
            seen=step.nodes.leaf.feedback_message or "it says no more",
            version=self._context.belief.version,
            part="appearance" if unlike and guarded else "",
        )

    def obstacle(self, step: ScheduledStep) -> Discrepancy | None:
        """Return what a step needs and is believed false, if no guard of its own would notice."""
        assert step.nodes is not None
        context = self._context
        if step.nodes.guards or not context.settings.guards:
            return None
        beliefs = context.belief.snapshot()
        for part in conjuncts(context.task.ground(step.action).precondition):
            if evaluate(part, beliefs.truth, context.task.objects) is Truth.FALSE and self._guarded(part):
                return self.contradiction(step.action, part, beliefs)
        return None

    def lost_hold(self, step: ScheduledStep, state: PlanState, beliefs: Snapshot) -> Discrepancy | None:
        """Return what a running step relies on and has ceased to be so."""
        skill = self._context.catalogue.skills.get(step.action.skill)
        if skill is not None and not skill.watch:
            return None
        lost = [
            literal
            for literal in state.broken_holds(step, beliefs)
            if self._guarded(literal) and self._is_sure(literal, beliefs)
        ]
        return self.contradiction(step.action, lost[0], beliefs) if lost else None

    def broken(self, links: Iterable[Link], state: PlanState, beliefs: Snapshot) -> list[Discrepancy]:
        """Return what later steps, or the goal, need of the world and is not so any more."""
        steps = state.steps
        found: list[Discrepancy] = []
        said: Counter[Literal] = Counter()
        for link in links:
            said[link.literal] += 1
            if said[link.literal] > OF_ONE_FACT:
                continue  # it is said already what is wrong
            if self._guarded(link.literal) and self._is_sure(link.literal, beliefs):
                action = steps[link.consumer].action if link.consumer < len(steps) else None
                found.append(self.contradiction(action, link.literal, beliefs))
        return found

    def _is_sure(self, literal: Literal, beliefs: Snapshot) -> bool:
        """Return whether it is sure enough that *literal* does not hold. Else its own guard looks later."""
        settings = self._context.settings
        sure = settings.sure_otherwise
        if any(is_held(name, beliefs) for name in literal.atom[1:]):
            # It is looked at until one is as sure as that, or has seen all sides.
            sure = max(sure, settings.sure_in_hand)
        return all(fact.confidence >= sure for fact in self._context.seen_of(literal.atom, beliefs))

    def mistaken(
        self, changes: Iterable[Atom] | None, plan: Plan, steps: Iterable[ScheduledStep], beliefs: Snapshot
    ) -> list[Discrepancy]:
        """Things that turn out to be something else than the plan takes them for.

        Args:
            changes: what has changed; None if that may be anything.
            plan: what takes them for something.
            steps: its steps.
            beliefs: what is believed now.
        """
        if "appearance" not in self._context.settings.guards:
            return []
        known = plan.classes
        names = (
            set(known) if changes is None else {a[1] for a in changes if a[0] in _OF_CLASS and a[1] in known}
        )
        found = []
        for name in sorted(names):
            is_it = Literal(("class", name, known[name]))
            fact = beliefs.evidence(is_it.atom)
            if fact.truth is Truth.FALSE and fact.confidence >= MISTAKEN_CONFIDENCE:
                action = next((s.action for s in steps if s.open and name in s.action.arguments), None)
                if action is not None:
                    found.append(self.contradiction(action, is_it, beliefs))
        return found

    def cheaper_objects(
        self,
        changes: Iterable[Atom],
        plan: Plan,
        request: Callable[[], RevisionRequest],
        beliefs: Snapshot,
    ) -> list[Discrepancy]:
        """Return an object that has come into view and serves, at less cost, a goal that names no objects.

        If it is already where the plan would put another one, that is for the guard of relationships.
        """
        if not {"presence", "relationship"}.intersection(self._context.settings.guards):
            return []
        named = constants_of(plan.goal) if plan.classes else ()
        chosen = {thing: class_name for thing, class_name in plan.classes.items() if thing not in named}
        for atom in changes if chosen else ():
            entity = self._located_by(atom, beliefs)
            if entity is None or entity.name in plan.classes:
                continue
            # Only now, since it costs as much as the plan is long.
            now = request()
            for thing, class_name in chosen.items():
                if entity.best_class == class_name:
                    cheaper = self._in_place_of(thing, entity.name, atom, now)
                    if cheaper is not None:
                        return [cheaper]
        return []

    def _located_by(self, atom: Atom, beliefs: Snapshot) -> Entity | None:
        """Return the object whose place *atom* says, if it is believed."""
        if beliefs.vocabulary[atom[0]].kind != "place":
            return None
        key = beliefs.vocabulary.group_key(atom)
        entity = beliefs.entity(key[1]) if key is not None else None
        return entity if beliefs.truth(atom) is Truth.TRUE else None

    def _in_place_of(self, thing: str, other: str, atom: Atom, now: RevisionRequest) -> Discrepancy | None:
        """Return the discrepancy that *other*, placed as *atom* says, serves at less cost than *thing*."""
        action = next((action for action in now.remaining if thing in action.arguments), None)
        if action is None:
            return None
        meant = Literal(tuple(thing if name == other else name for name in atom))
        planned = (effect for step in now.remaining for effect in now.task.ground(step).effects)
        already = any(meant == effect.literal for effect in planned)
        guard: GuardName = "relationship" if already else "presence"
        if guard not in self._context.settings.guards or not is_cheaper_with(now, thing, other):
            return None
        return Discrepancy(
            id=self._context.discrepancy_id(),
            action=action,
            guard=guard,
            expected=thing,
            seen=say_atom(atom),
            version=now.beliefs.version,
            facts=(now.beliefs.evidence((atom[0], thing, *atom[2:])),),
            optional=True,
        )

    def _guarded(self, formula: Formula | Literal) -> bool:
        return guard_of(formula, self._context.belief.vocabulary) in self._context.settings.guards
