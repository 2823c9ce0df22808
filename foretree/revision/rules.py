"""The rule-based reviser: skip, retarget, insert.

It walks through the rest of the plan from the world as it is believed, and mends what does not fit:

* *skip*: what an action would bring about is so already;
* *retarget*: a thing that an action needs rests elsewhere: go there instead; or, where the goal does not
  name the thing but only its class, take another one;
* *insert*: something small is missing (the fridge is shut, the way leads elsewhere): put in the few actions
  that make the next one possible.

Ways from one place to another are not mended but found anew, where the old ones do not fit any more. Then it
drops what the mended plan no longer needs. All of it is domain-independent, and the result is simulated
before it is offered. What it cannot mend it leaves to the next reviser.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from foretree.planning.plan import Action, cost_of
from foretree.planning.semantics import GroundAction
from foretree.planning.syntax import atoms_of, constants_of
from foretree.revision.bridging import Bridges, Simulator, missing_literals
from foretree.revision.discrepancy import Discrepancy
from foretree.revision.putting_back import put_back
from foretree.revision.revision import NoRevisionError, Revision, Situation
from foretree.revision.sketch import Facts, Sketch
from foretree.world_model.facts import Atom

#: Other instances of a class that are tried in a thing's place.
INSTANCES = 4


class Rules:
    """Mends the rest of the plan by rule; see the module's text."""

    name = "rules"
    time_out = 1.0

    def propose(self, situation: Situation) -> Revision:
        """A mended plan.

        Raises:
            NoRevisionError: the rules do not lead to the goal.
        """
        mender = _Mender(situation)
        best: list[Action] | None = None
        for number, actions in enumerate(_candidates(situation, mender.start)):
            # A thing that cannot be used as the plan would use it is no substitute.
            mended = mender.mend(actions, None if best is None else cost_of(best), strict=number > 0)
            if mended is not None:
                best = mended
        if best is None:
            raise NoRevisionError("no skipping, retargeting or inserting leads to the goal")
        best = put_back(best, situation)
        if [a.id for a in best] == [a.id for a in situation.remaining] and not any(
            # What a thing was taken for is no longer so, but it will do all the same.
            discrepancy.guard == "appearance"
            for discrepancy in situation.discrepancies
        ):
            raise NoRevisionError("the rules would leave the plan as it is")
        return Revision(
            tuple(best),
            explain(situation.discrepancies, situation.remaining, best),
            self.name,
            situation.beliefs.version,
        )


def cheaper_with(situation: Situation, thing: str, other: str) -> bool:
    """Whether the rest of the plan would cost less with *other* in the place of *thing*."""
    budget = cost_of(situation.remaining)
    mender = _Mender(situation)
    return (
        mender.mend([_renamed(action, {thing: other}) for action in situation.remaining], budget) is not None
    )


def explain(discrepancies: Sequence[Discrepancy], before: Sequence[Action], after: Sequence[Action]) -> str:
    """Why a revision was made and what it changes, in a sentence or two."""
    kept = {action.id for action in after}
    dropped = [str(action) for action in before if action.id not in kept]
    known = {action.id for action in before}
    added = [str(action) for action in after if action.id not in known]
    parts = [discrepancies[0].sentence if discrepancies else ""]
    if added and dropped:
        parts.append(f"Instead of {_listed(dropped)}: {_listed(added)}.")
    elif added:
        parts.append(f"First {_listed(added)}.")
    elif dropped:
        parts.append(f"Skip {_listed(dropped)}.")
    else:
        parts.append("The plan is good all the same.")
    return " ".join(part for part in parts if part)


def _listed(words: Sequence[str], limit: int = 4) -> str:
    more = f" and {len(words) - limit} more" if len(words) > limit else ""
    return ", ".join(words[:limit]) + more


def _candidates(situation: Situation, state: Sketch) -> Iterator[list[Action]]:
    """The rest of the plan as it is, and with other instances where the goal allows them."""
    yield list(situation.remaining)
    named = constants_of(situation.goal)
    used = {argument for action in situation.remaining for argument in action.arguments}
    for thing in _things(situation.discrepancies):
        class_name = situation.classes.get(thing)
        if class_name is None or thing in named:
            continue
        others = [
            name
            for name in situation.task.objects.of_type(class_name)
            if name not in used and state.mentions(name)
        ]
        for other in others[:INSTANCES]:
            yield [_renamed(action, {thing: other}) for action in situation.remaining]


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


class _Mender:
    """Walks a plan through imagined states and mends it on the way.

    Attributes:
        start: the state that the rest of the plan begins in: as believed, with what runs taken as done.
    """

    def __init__(self, situation: Situation) -> None:
        self._task = situation.task
        self._vocabulary = situation.beliefs.vocabulary
        self._goal = situation.goal
        self._goal_predicates = {atom[0] for atom in atoms_of(situation.goal)}
        self._simulator = Simulator(situation.task)
        self._bridges = Bridges(self._simulator, self._vocabulary)
        self.start = Sketch(Facts(situation.task.state(situation.beliefs)))
        for action in situation.running:
            self.start = self._simulator.advance(self.start, self._task.ground(action))

    def mend(
        self, actions: Sequence[Action], budget: int | None = None, *, strict: bool = False
    ) -> list[Action] | None:
        """*actions*, mended and trimmed so that they lead to the goal; None if they do not.

        Args:
            actions: the rest of the plan.
            budget: what they have to stay below.
            strict: whether each that has something to do must be possible, with a little help.
        """
        mended = self._walk(actions, budget, strict=strict)
        return None if mended is None else self._trim(mended)

    def _walk(
        self, actions: Sequence[Action], budget: int | None, *, bare: bool = False, strict: bool = False
    ) -> list[Action] | None:
        walk = _Walk(self.start, self._reached(self.start), bare)
        for action in actions:
            if walk.reached:
                break
            ground = self._task.ground(action)
            if self._bridges.carries(action.skill):
                walk.pending.append(_priced(action, ground))
            elif self._simulator.done(walk.state, ground):
                walk.interrupted = True
            elif not self._take(walk, action):
                if strict:
                    return None
                walk.interrupted = True
            if budget is not None and walk.cost >= budget:
                return None
        if not walk.reached and walk.pending:
            self._take(walk, walk.pending.pop())
        if not walk.reached or (budget is not None and walk.cost >= budget):
            return None
        return walk.actions

    def _take(self, walk: _Walk, action: Action) -> bool:
        """Take *action*, and before it whatever makes it possible; False if nothing simple does."""
        ground = self._task.ground(action)
        if not self._simulator.possible(walk.state, ground) and (
            walk.interrupted or not self._way_leads_to(walk, ground)
        ):
            action = self._retargeted(action, walk.state)
            ground = self._task.ground(action)
            if not self._bridged(walk, ground) and not self._way_mended(walk, ground):
                return False
        walk.pending.clear()
        walk.interrupted = False
        self._append(walk, _priced(action, ground))
        return True

    def _way_leads_to(self, walk: _Walk, ground: GroundAction) -> bool:
        """Go the way that the plan had in mind, if it can be gone and *ground* is possible at its end."""
        state = walk.state
        for step in walk.pending:
            known = self._task.ground(step)
            if not self._simulator.possible(state, known):
                return False
            state = self._simulator.advance(state, known)
        if not walk.pending or not self._simulator.possible(state, ground):
            return False
        for step in walk.pending:
            self._append(walk, step)
        return True

    def _way_mended(self, walk: _Walk, ground: GroundAction) -> bool:
        """Go the way that the plan had in mind, with whatever is missing on it: a door is shut, say."""
        before = walk.state, walk.reached, list(walk.actions), walk.cost
        for step in walk.pending:
            if self._bridged(walk, self._task.ground(step)):
                self._append(walk, step)
        if walk.pending and self._bridged(walk, ground):
            return True
        walk.state, walk.reached, walk.actions, walk.cost = before
        return False

    def _bridged(self, walk: _Walk, ground: GroundAction) -> bool:
        """Take the few actions that make *ground* possible, if there are any."""
        steps = self._bridges.find(walk.state, ground, ways_only=walk.bare)
        if steps is None:
            return False
        known = {(step.skill, step.arguments): step for step in walk.pending}
        for step in steps:
            new = Action("", step.name, step.arguments, step.cost)
            self._append(walk, known.get((step.name, step.arguments), new))
        return True

    def _append(self, walk: _Walk, action: Action) -> None:
        ground = self._task.ground(action)
        walk.state = self._simulator.advance(walk.state, ground)
        walk.actions.append(action)
        walk.cost += action.cost
        if any(effect.literal.atom[0] in self._goal_predicates for effect in ground.effects):
            walk.reached = self._reached(walk.state)

    def _reached(self, state: Sketch) -> bool:
        return self._simulator.holds(state, self._goal)

    def _trim(self, actions: list[Action]) -> list[Action]:
        """Leave out what the goal can be reached without at less cost.

        Ways are no matter: without what was done at its end, a way is not taken.
        """
        while True:
            for group in self._dispensable(actions):
                left = [action for index, action in enumerate(actions) if index not in group]
                shorter = self._walk(left, cost_of(actions), bare=True)
                if shorter is not None:
                    actions = shorter
                    break
            else:
                return actions

    def _dispensable(self, actions: Sequence[Action]) -> Iterator[frozenset[int]]:
        """Each action with all that would not be possible without it, where the goal may do without them."""
        states = [self.start]
        mentioned: list[frozenset[Atom]] = []
        for action in actions:
            ground = self._task.ground(action)
            mentioned.append(self._simulator.mentions(ground))
            states.append(self._simulator.advance(states[-1], ground))
        deeds = [index for index, action in enumerate(actions) if not self._bridges.carries(action.skill)]
        for index in deeds:
            before = states[index]
            group = {index}
            changed = before.differing(states[index + 1])
            for later in range(index + 1, len(actions)):
                if any((a in before) != (a in states[later]) for a in mentioned[later] & changed):
                    group.add(later)
                    changed |= states[later].differing(states[later + 1])
            kept = {atom for atom in changed if atom in before}
            if self._reached(states[-1].after(kept, changed - kept)):
                yield frozenset(group)

    def _retargeted(self, action: Action, state: Sketch) -> Action:
        """*action* aimed at where the things it needs rest now."""
        names: dict[str, str] = {}
        ground = self._task.ground(action)
        for literal in missing_literals([ground.precondition], state):
            key = self._vocabulary.group_key(literal.atom)
            if key is None or not literal.positive or len(literal.atom) != 3:
                continue
            elsewhere = [
                atom[2] for atom in self._placed(key, state) if len(atom) == 3 and atom[2] != literal.atom[2]
            ]
            if elsewhere:
                names[literal.atom[2]] = min(elsewhere)
        renamed = _renamed(action, names)
        operator = self._task.domain.operators[action.skill]
        for parameter, argument in zip(operator.parameters, renamed.arguments, strict=True):
            if argument not in self._task.objects.of_type(parameter.type):
                return action
        return renamed

    def _placed(self, key: tuple[str, str], state: Sketch) -> Iterator[Atom]:
        """Where the thing of a group's *key* rests.

        Not where the robot is: its own place takes a way, not a new aim.
        """
        for predicate, info in self._vocabulary.predicates.items():
            if info.group == key[0] and info.kind == "place":
                yield from state.matching(predicate, (info.subject, key[1]))


class _Walk:
    """How far a walk has come.

    Attributes:
        state: the state by now.
        reached: whether the goal is reached.
        actions: what was done so far.
        cost: what that costs.
        pending: the way that the plan takes from here; it is gone once something is done at its end.
        interrupted: whether something at whose place the way leads by was left out, so that there may be a
            shorter one.
        bare: whether nothing but ways is put in: what was just left out needs no substitute.
    """

    __slots__ = ("actions", "bare", "cost", "interrupted", "pending", "reached", "state")

    def __init__(self, state: Sketch, reached: bool, bare: bool) -> None:
        self.bare = bare
        self.state = state
        self.reached = reached
        self.actions: list[Action] = []
        self.cost = 0
        self.pending: list[Action] = []
        self.interrupted = False
