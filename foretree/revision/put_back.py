"""Putting back: what only has to get out of the hand goes where it was taken from, if that costs no more.

To revisers all places are alike that a thing may be put down at, so what turned out to be the wrong thing
would be carried along to wherever the way leads next. People expect to find it where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from foretree.planning.incremental import Increments
from foretree.planning.plan import Action
from foretree.planning.semantics.actions import GroundAction
from foretree.revision.revision import RevisionRequest
from foretree.world_model.beliefs.facts import Atom, Vocabulary

#: So many actions are simulated as one piece of work.
_AT_A_TIME = 4
#: So many actions are simulated, all in all, to find where a thing may be put back.
_MOST = 20_000


def put_back_gradually(actions: Sequence[Action], request: RevisionRequest) -> Increments[list[Action]]:
    """*actions*, with what was taken from somewhere put back there, where the rest is as good with that."""
    found = list(actions)
    for thing, origin in request.origins.items():
        found = (yield from _with_put_back(found, thing, origin, request)) or found
    return found


def moved_by(action: GroundAction, vocabulary: Vocabulary) -> Iterator[tuple[str, Atom, bool]]:
    """The things that *action* takes or brings: each with where from or to, and whether it is brought."""
    for effect in action.effects:
        atom = effect.literal.atom
        key = vocabulary.group_key(atom) if vocabulary[atom[0]].kind == "place" else None
        if key is not None:
            yield key[1], atom, effect.literal.positive


def _with_put_back(
    actions: list[Action], thing: str, origin: Atom, request: RevisionRequest
) -> Increments[list[Action] | None]:
    """*actions*, with *thing* put back to its *origin* as soon as possible; None if that will not do."""
    task = request.task
    put = yield from _placement_of(actions, thing, request)
    if put is None or put[1] == origin:
        return None
    index, there = put
    ways = [way for way in _ways(actions[index], there, origin, request) if way.cost <= actions[index].cost]
    state = set((yield from task.state_gradually(request.beliefs)))
    for action in request.running:
        task.carry_out(state, task.ground(action))
    left = _MOST
    for earlier in range(index + 1):
        if earlier % _AT_A_TIME == 0:
            yield 1
        for way in ways:
            if task.possible(state, task.ground(way)):
                left -= len(actions) - earlier
                if left < 0:
                    return None
                rest = [way, *actions[earlier:index], *actions[index + 1 :]]
                reaching = task.reaches_gradually(set(state), map(task.ground, rest), request.goal)
                if (yield from reaching) is None:
                    return [*actions[:earlier], *rest]
        ground = task.ground(actions[earlier])
        if not task.possible(state, ground):
            return None
        task.carry_out(state, ground)
    return None


def _placement_of(
    actions: Sequence[Action], thing: str, request: RevisionRequest
) -> Increments[tuple[int, Atom] | None]:
    """Return where in *actions* the *thing* is put down, and what is true then; None if it is not."""
    for index, action in enumerate(actions):
        if index % _AT_A_TIME == 0:
            yield 1
        for name, atom, rests in moved_by(request.task.ground(action), request.beliefs.vocabulary):
            if rests and name == thing:
                return index, atom
    return None


def _ways(action: Action, there: Atom, origin: Atom, request: RevisionRequest) -> Iterator[Action]:
    """The ways of bringing a thing to *origin* that are like *action*, which brings it *there*."""
    task = request.task
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
                rests and atom == origin for _, atom, rests in moved_by(ground, request.beliefs.vocabulary)
            ):
                yield Action("", way.skill, way.arguments, ground.cost)
