"""Being in a room: which formula says it, and what comes before or after the robot's going there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from foretree.planning.constraints.constraints import Before, Constraint
from foretree.planning.pddl.syntax import TRUE, Formula, Literal, atoms_of, constants_of, rebuild
from foretree.planning.semantics.evaluation import disjunction, evaluate, negate
from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.grammar.said_order import any_part, uncounted
from foretree.reasoning.offline.phrases.known_things import known_things
from foretree.reasoning.offline.phrases.words.rooms import RoomPart
from foretree.reasoning.offline.phrases.words.scene_words import scene_words
from foretree.reasoning.offline.sentences.moments import MomentOfWay
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import BODY, Truth


class Whereabouts:
    """Tells where in the rooms of one situation a robot is.

    A map has a node for a room, and others in it, beside its furniture and its doors: in the room is who is
    at any of them.
    """

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._things = known_things(situation)

    def anywhere(self, formula: Formula) -> Formula:
        """Return a formula with "anywhere in the room" for "at the node of the room"."""
        if isinstance(formula, Literal):
            if not self._is_presence(formula.atom[0]):
                return formula
            robot, node = formula.atom[1:]
            if self._situation.rooms.get(node) != node:
                return formula
            at = disjunction(
                Literal((formula.atom[0], robot, one)) for one in self._nodes(RoomPart(node), formula.atom[0])
            )
            return at if formula.positive else negate(at)
        return rebuild(formula, self.anywhere)

    def asks_to_be_somewhere(self, formula: Formula) -> bool:
        """Return whether a formula says nothing but where robots are."""
        predicates = [atom[0] for atom in atoms_of(formula)]
        return bool(predicates) and all(map(self._is_presence, predicates))

    def room_named(self, words: Sequence[str]) -> RoomPart | None:
        """Return the room that words name, and nothing else."""
        found = scene_words(self._situation).rooms.at(tuple(words), 0) if words else ()
        return next((room for room, end in found if end == len(words)), None)

    def ordered(self, moment: MomentOfWay, goal: Formula) -> tuple[Constraint | None, str]:
        """Return what keeps to a moment at which a *goal* is to be brought about, and what there is to say.

        Raises:
            NotUnderstoodError: it cannot be kept to.
        """
        if goal == TRUE:
            return None, ""
        if moment.passing == "comes back":
            raise NotUnderstoodError(
                f'I do not keep track of coming back ("{moment.said}"). Say where I shall be: '
                '"once you are in the kitchen, close the fridge".'
            )
        room = moment.room if moment.room is not None else self._room_left(moment, goal)
        if room is None:
            return None, f'I do not leave the home, so "{moment.said}" says no more than to do it'
        inside = self.inside(room)
        if moment.passing == "leaves":
            return Before(uncounted(goal), negate(inside)), ""
        if moment.passing == "has come":
            return Before(inside, any_part(goal)), ""
        if evaluate(inside, self._situation.beliefs.truth, self._things) is not Truth.TRUE:
            raise NotUnderstoodError(
                f'I am not known to be where I would be "{moment.said}". Say where I shall be first: '
                '"once you are in the hall, close the fridge".'
            )
        return Before(negate(inside), any_part(goal)), ""

    def _room_left(self, moment: MomentOfWay, goal: Formula) -> RoomPart | None:
        """Return the room where the robot is, if what is to be done is there; None if that is elsewhere."""
        rooms = {room for name in self._things.of_classes("robot") if (room := self._room_of(name))}
        at = {room for name in constants_of(goal) for room in [self._room_of(name)] if room}
        return RoomPart(rooms.pop()) if not moment.home and len(rooms) == 1 and rooms & at else None

    def _room_of(self, name: str) -> str:
        """Return the room of a thing, or of what it is at; empty if that is not known."""
        body = self._situation.beliefs.placement(BODY, name)
        return self._things.room_of(name if body is None else body[-1]) or ""

    def inside(self, room: RoomPart) -> Formula:
        """Return the formula that a robot is in a room.

        Raises:
            NotUnderstoodError: that cannot be told.
        """
        # Said of each robot by name: what quantifies over robots keeps maps from being compressed.
        robots = self._things.of_classes("robot")
        for name in self._presences:
            nodes = [*self._nodes(room, name)]
            if nodes and robots:
                return disjunction(Literal((name, robot, node)) for robot in robots for node in nodes)
        raise NotUnderstoodError(f"I cannot tell when I am in {room.room}, so nothing is done.")

    def _nodes(self, room: RoomPart, predicate: str) -> Iterator[str]:
        """Yield the nodes of a room."""
        kind = self._situation.domain.predicates[predicate][1].type
        classes, domain = self._things.classes, self._situation.domain
        for name, its in self._situation.rooms.items():
            if its == room.room and room.has(name) and domain.is_a(classes.get(name, ""), kind):
                yield name

    def _is_presence(self, predicate: str) -> bool:
        return predicate in self._presences

    @cached_property
    def _presences(self) -> tuple[str, ...]:
        """The predicates of where a robot is."""
        vocabulary = self._situation.beliefs.vocabulary
        of_two = (name for name, of in self._situation.domain.predicates.items() if len(of) == 2)
        return tuple(name for name in of_two if vocabulary[name].group == BODY)
