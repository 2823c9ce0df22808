"""Putting back: what only has to get out of the hand goes where it was taken from, if that costs no more.

To revisers all places are alike that a thing may be put down at, so what turned out to be the wrong thing
would be carried along to wherever the way leads next. People expect to find it where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from foretree.planning.plan import Action, cost_of
from foretree.planning.semantics import GroundAction
from foretree.revision.revision import Situation
from foretree.world_model.facts import Atom
from foretree.world_model.vocabulary import Vocabulary


def put_back(actions: Sequence[Action], situation: Situation) -> list[Action]:
    """*actions*, with what was taken from somewhere put back there, where the rest is as good with that."""
    found = list(actions)
    for thing, origin in situation.origins.items():
        found = _with(found, thing, origin, situation) or found
    return found


def moved_by(action: GroundAction, vocabulary: Vocabulary) -> Iterator[tuple[str, Atom, bool]]:
    """The things that *action* takes or brings: each with where from or to, and whether it is brought."""
    for effect in action.effects:
        atom = effect.literal.atom
        key = vocabulary.group_key(atom) if vocabulary[atom[0]].kind == "place" else None
        if key is not None:
            yield key[1], atom, effect.literal.positive


def _with(actions: list[Action], thing: str, origin: Atom, situation: Situation) -> list[Action] | None:
    """*actions*, with *thing* put back to its *origin* as soon as possible; None if that will not do."""
    task, vocabulary = situation.task, situation.beliefs.vocabulary
    grounds = [task.ground(action) for action in actions]
    state = start = _start(situation)
    put = next(
        (
            (index, atom)
            for index, ground in enumerate(grounds)
            for name, atom, rests in moved_by(ground, vocabulary)
            if rests and name == thing
        ),
        None,
    )
    if put is None or put[1] == origin:
        return None
    index, there = put
    ways = list(_ways(actions[index], there, origin, situation))
    for earlier in range(index + 1):
        for way in ways:
            if task.possible(state, task.ground(way)):
                changed = [*actions[:earlier], way, *actions[earlier:index], *actions[index + 1 :]]
                leads = task.reaches(start, map(task.ground, changed), situation.goal) is None
                if leads and cost_of(changed) <= cost_of(actions):
                    return changed
        state = task.advance(state, grounds[earlier])
    return None


def _start(situation: Situation) -> frozenset[Atom]:
    """The state that the revised plan begins in: what runs is taken as done."""
    task = situation.task
    state = task.state(situation.beliefs)
    for action in situation.running:
        state = task.advance(state, task.ground(action))
    return state


def _ways(action: Action, there: Atom, origin: Atom, situation: Situation) -> Iterator[Action]:
    """The ways of bringing a thing to *origin* that are like *action*, which brings it *there*."""
    task = situation.task
    names = dict(zip(there[1:], origin[1:], strict=False))
    like = task.domain.operators[action.skill]
    known: Mapping[str, str] = {
        parameter.name: names.get(argument, argument)
        for parameter, argument in zip(like.parameters, action.arguments, strict=True)
    }
    for operator in task.domain.operators.values():
        if all(
            known.get(parameter.name) in task.objects.of_type(parameter.type)
            for parameter in operator.parameters
        ):
            way = Action("", operator.name, tuple(known[parameter.name] for parameter in operator.parameters))
            ground = task.ground(way)
            if any(
                rests and atom == origin for _, atom, rests in moved_by(ground, situation.beliefs.vocabulary)
            ):
                yield Action("", way.skill, way.arguments, ground.cost)
