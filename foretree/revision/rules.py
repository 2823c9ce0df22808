"""The rule-based reviser: skip, retarget, insert.

It walks through the rest of the plan from the world as it is believed, and mends what does not fit:

* *skip*: what an action would bring about is so already;
* *retarget*: a thing that an action needs rests elsewhere: go there instead; or, where the goal does not
  name the thing but only its class, take another one;
* *insert*: something small is missing (the fridge is shut, the way leads elsewhere): put in the few actions
  that make the next one possible.

Then it drops what the mended plan no longer needs. All of it is domain-independent, and the result is
simulated before it is offered. What it cannot mend it leaves to the next reviser.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush

from foretree.planning.plan import Action
from foretree.planning.semantics import GroundAction, conjuncts, evaluate, state_oracle
from foretree.planning.syntax import TRUE, And, Formula, Literal, Operator, Or, Typed, constants_of
from foretree.revision.discrepancy import Discrepancy
from foretree.revision.revision import NoRevisionError, Revision, Situation
from foretree.revision.task import Task
from foretree.world_model.facts import Atom, Truth
from foretree.world_model.vocabulary import Vocabulary

State = frozenset[Atom]

#: States looked at to find the few actions that make the next one possible.
BRIDGE_STATES = 48
#: Actions in a row that are left out together, to see whether the goal is reached without them.
TRIMMED_TOGETHER = 2
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
        task = situation.task
        vocabulary = situation.beliefs.vocabulary
        state = task.state(situation.beliefs)
        for action in situation.running:
            state = task.advance(state, task.ground(action))
        mender = _Mender(task, vocabulary, situation.goal)
        best: list[Action] | None = None
        for actions in _candidates(situation, state):
            mended = mender.mend(state, actions)
            if mended is not None and (best is None or _cost(mended) < _cost(best)):
                best = mended
        if best is None:
            raise NoRevisionError("no skipping, retargeting or inserting leads to the goal")
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
    task = situation.task
    state = task.state(situation.beliefs)
    for action in situation.running:
        state = task.advance(state, task.ground(action))
    mender = _Mender(task, situation.beliefs.vocabulary, situation.goal)
    mended = mender.mend(state, [_renamed(action, {thing: other}) for action in situation.remaining])
    return mended is not None and _cost(mended) < _cost(situation.remaining)


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


def _cost(actions: Iterable[Action]) -> int:
    return sum(action.cost for action in actions)


def _candidates(situation: Situation, state: State) -> Iterator[list[Action]]:
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
            if name not in used and any(name in atom[1:2] for atom in state)
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


def _renamed(action: Action, names: Mapping[str, str]) -> Action:
    """*action* with other arguments; it is another action then, and loses its id."""
    arguments = tuple(names.get(argument, argument) for argument in action.arguments)
    return action if arguments == action.arguments else replace(action, id="", arguments=arguments)


class _Mender:
    """Walks a plan through simulated states and mends it on the way."""

    def __init__(self, task: Task, vocabulary: Vocabulary, goal: Formula) -> None:
        self._task = task
        self._vocabulary = vocabulary
        self._goal = goal

    def mend(self, state: State, actions: list[Action]) -> list[Action] | None:
        """*actions*, mended and trimmed so that they lead from *state* to the goal; None if they do not."""
        mended = self._walk(state, actions)
        return None if mended is None else self._trim(state, mended)

    def _reached(self, state: State) -> bool:
        return evaluate(self._goal, state_oracle(state), self._task.objects) is Truth.TRUE

    def _walk(self, state: State, actions: Sequence[Action]) -> list[Action] | None:
        task = self._task
        walked: list[Action] = []
        for action in actions:
            if self._reached(state):
                break
            ground = task.ground(action)
            if _is_done(ground, state):
                continue
            if not task.possible(state, ground):
                action = self._retargeted(action, state)
                ground = task.ground(action)
                steps = bridge(task, state, ground)
                if steps is None:
                    continue
                for step in steps:
                    state = task.advance(state, step)
                    walked.append(Action("", step.name, step.arguments, step.cost))
            action = replace(action, cost=ground.cost)
            walked.append(action)
            state = task.advance(state, ground)
        return walked if self._reached(state) else None

    def _trim(self, state: State, actions: list[Action]) -> list[Action]:
        """Leave out what the goal can be reached without at less cost: one action, or a few in a row.

        A few in a row, because of detours: either half of *there and back* alone is needed by the other.
        """
        index = 0
        while index < len(actions):
            for width in range(1, TRIMMED_TOGETHER + 1):
                shorter = self._walk(state, actions[:index] + actions[index + width :])
                if shorter is not None and _cost(shorter) < _cost(actions):
                    actions = shorter
                    index = -1
                    break
            index += 1
        return actions

    def _retargeted(self, action: Action, state: State) -> Action:
        """*action* aimed at where the things it needs rest now."""
        names: dict[str, str] = {}
        ground = self._task.ground(action)
        for literal in _missing(ground, state):
            key = self._vocabulary.group_key(literal.atom)
            if key is None or not literal.positive or len(literal.atom) != 3:
                continue
            elsewhere = [
                atom[2]
                for atom in state
                if len(atom) == 3
                and self._vocabulary.group_key(atom) == key
                and atom[2] != literal.atom[2]
                # Only where a thing rests: the robot's own place takes a move, not a new aim.
                and self._vocabulary[atom[0]].kind == "place"
            ]
            if elsewhere:
                names[literal.atom[2]] = min(elsewhere)
        renamed = _renamed(action, names)
        operator = self._task.domain.operators[action.skill]
        for parameter, argument in zip(operator.parameters, renamed.arguments, strict=True):
            if argument not in self._task.objects.of_type(parameter.type):
                return action
        return renamed


def _is_done(action: GroundAction, state: State) -> bool:
    """Whether everything that *action* does is so already."""
    return all(
        (effect.literal.atom in state) == effect.literal.positive
        for effect in action.effects
        if effect.condition == TRUE
    ) and any(effect.condition == TRUE for effect in action.effects)


def _missing(action: GroundAction, state: State) -> list[Literal]:
    """Literals that *action* needs and *state* lacks; of a disjunction, those of all its parts."""
    found: list[Literal] = []

    def collect(formula: Formula) -> None:
        if isinstance(formula, Literal):
            if (formula.atom in state) != formula.positive:
                found.append(formula)
        elif isinstance(formula, (And, Or)):
            for part in formula.parts:
                collect(part)

    oracle = state_oracle(state)
    for part in conjuncts(action.precondition):
        if isinstance(part, Literal) or evaluate(part, oracle, _NO_OBJECTS) is not Truth.TRUE:
            collect(part)
    return found


class _Nothing:
    def of_type(self, type_name: str) -> Sequence[str]:
        return ()


_NO_OBJECTS = _Nothing()


# -- inserting ---------------------------------------------------------------------------------------------


def bridge(task: Task, state: State, action: GroundAction) -> list[GroundAction] | None:
    """The cheapest few actions that make *action* possible in *state*, if a small search finds them.

    Only operators that can bring about what is missing are considered.
    """
    if task.possible(state, action):
        return []
    wanted = {(literal.atom[0], literal.positive) for literal in _missing(action, state)}
    operators = [
        operator
        for operator in task.domain.operators.values()
        if any((e.literal.atom[0], e.literal.positive) in wanted for e in operator.effects)
    ]
    if not operators:
        return None
    queue: list[tuple[int, int, State, tuple[GroundAction, ...]]] = [(0, 0, state, ())]
    seen = {state}
    count = 0
    for _ in range(BRIDGE_STATES):
        if not queue:
            return None
        cost, _, current, steps = heappop(queue)
        if task.possible(current, action):
            return list(steps)
        index = _Index(current)
        for operator in operators:
            for arguments in instances(operator, index, task):
                step = task.ground(Action("", operator.name, arguments))
                if not task.possible(current, step):
                    continue
                following = task.advance(current, step)
                if following not in seen:
                    seen.add(following)
                    count += 1
                    heappush(queue, (cost + max(step.cost, 1), count, following, (*steps, step)))
    return None


class _Index:
    """A state's atoms by predicate, found when first asked for."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._by_predicate: dict[str, list[Atom]] | None = None

    def __getitem__(self, predicate: str) -> list[Atom]:
        if self._by_predicate is None:
            self._by_predicate = {}
            for atom in self._state:
                self._by_predicate.setdefault(atom[0], []).append(atom)
            for atoms in self._by_predicate.values():
                atoms.sort()
        return self._by_predicate.get(predicate, [])


def instances(operator: Operator, index: _Index, task: Task) -> Iterator[tuple[str, ...]]:
    """Arguments for which the operator's positive preconditions hold; the others are left to the caller."""
    literals = [p for p in conjuncts(operator.precondition) if isinstance(p, Literal) and p.positive]
    parameters = operator.parameters

    def match(depth: int, binding: dict[str, str]) -> Iterator[dict[str, str]]:
        if depth == len(literals):
            yield from _complete(parameters, binding, task)
            return
        pattern = literals[depth].atom
        for atom in index[pattern[0]]:
            extended = _unified(pattern, atom, binding)
            if extended is not None:
                yield from match(depth + 1, extended)

    for binding in match(0, {}):
        arguments = tuple(binding[parameter.name] for parameter in parameters)
        if all(
            argument in task.objects.of_type(parameter.type)
            for parameter, argument in zip(parameters, arguments, strict=True)
        ):
            yield arguments


def _unified(pattern: Atom, atom: Atom, binding: dict[str, str]) -> dict[str, str] | None:
    extended = dict(binding)
    for term, value in zip(pattern[1:], atom[1:], strict=True):
        if not term.startswith("?"):
            if term != value:
                return None
        elif extended.setdefault(term, value) != value:
            return None
    return extended


def _complete(parameters: Sequence[Typed], binding: dict[str, str], task: Task) -> Iterator[dict[str, str]]:
    """*binding* extended to parameters that no positive precondition mentions, in every possible way."""
    free = next((p for p in parameters if p.name not in binding), None)
    if free is None:
        yield binding
        return
    for value in task.objects.of_type(free.type):
        yield from _complete(parameters, {**binding, free.name: value}, task)
