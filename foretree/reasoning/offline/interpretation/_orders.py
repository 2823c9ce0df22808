"""Constraints from what an instruction says of when its requests are carried out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from foretree.planning.constraints.constraints import Before, Constraint, InOrder, NeverUse
from foretree.planning.pddl.syntax import TRUE, Formula, atoms_of
from foretree.planning.semantics.evaluation import evaluate
from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.grammar.goal_assembly import PartialGoal, UndoneError
from foretree.reasoning.offline.grammar.said_order import Assemble, Lasting, one_before, said_order, uncounted
from foretree.reasoning.offline.interpretation._progress import ReadCommand, ResolvedClause
from foretree.reasoning.offline.interpretation._whereabouts import Whereabouts
from foretree.reasoning.offline.lexicon import opening, phrases
from foretree.reasoning.offline.phrases.known_things import known_things
from foretree.reasoning.offline.sentences.moments import MomentOfWay, moments_of
from foretree.reasoning.offline.sentences.sequence import step_of
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import HOLDING, Truth, hand_free, has_hand

#: How many things are moved at once.
_ONE_BY_ONE = phrases(
    "one at a time, one by one, one after the other, one after another, separately, individually, singly"
)
#: They say that something is to be as it was.
_RETURNING = frozenset({"again", "back"})

#: Commands, each with what shall be so of it in the end.
Commands = Sequence[tuple[ReadCommand, Sequence[PartialGoal]]]


class OrderReader:
    """Reads the order of requests in one situation.

    Args:
        situation: where they are said.
        assemble: makes a goal of the parts of several requests.
    """

    def __init__(self, situation: Situation, assemble: Assemble) -> None:
        self._situation = situation
        self._assemble = assemble
        self._whereabouts = Whereabouts(situation)

    def of_two(self, first: Formula, then: Formula) -> Iterator[Before]:
        """Yield the constraints that one goal is reached before any part of another."""
        return one_before(*map(self._whereabouts.anywhere, (first, then)))

    def goal(self, commands: Commands, words: Sequence[str]) -> tuple[Formula, list[Constraint], list[str]]:
        """Return the goal of commands, the constraints of when each is reached, and what there is to say.

        Args:
            commands: they.
            words: all of the instruction.

        Raises:
            InstructionError: they have none, or what is said of their order cannot be kept to.
        """
        moments, notes = self._moments(commands, words)
        moments += self._one_at_a_time(words)
        turns = self._in_turn([command for command, _ in commands], words)
        lasting = [parts for _, parts in commands]
        try:
            goal = self._assemble(lasting)
        except UndoneError:
            if turns is None:
                raise
            return self._at_the_end(lasting), [*moments, turns], notes
        order: list[Constraint] = [*self._in_order(commands, words, goal)]
        if turns is not None and self._returns(commands, words):
            order.append(turns)
        return goal, [*order, *moments], notes

    def _one_at_a_time(self, words: Sequence[str]) -> Iterator[Constraint]:
        """Yield the constraints that no robot holds things in a second hand, where that is said.

        The other hand can still open what is closed.
        """
        if not any(opening(words, _ONE_BY_ONE, at) for at in range(len(words))):
            return
        truth, things = self._situation.beliefs.truth, known_things(self._situation)
        for robot in things.of_classes("robot"):
            hands = [
                hand for hand in things.of_classes("hand") if truth(has_hand((robot, hand))) is Truth.TRUE
            ]
            free = [hand for hand in hands if truth(hand_free((robot, hand))) is Truth.TRUE]
            takes = [
                name
                for name, operator in self._situation.domain.operators.items()
                if any(one.literal.positive and one.literal.atom[0] == HOLDING for one in operator.effects)
            ]
            for hand in free[len(free) == len(hands) :]:
                yield from (NeverUse(name, (robot, hand)) for name in takes)

    def _returns(self, commands: Commands, words: Sequence[str]) -> bool:
        """Return whether the last command asks for what is so already: it is to be so *again*."""
        parts = [part.formula for part in commands[-1][0].demands()]
        return not _RETURNING.isdisjoint(words) and bool(parts) and all(map(self._is_so, parts))

    def _at_the_end(self, commands: Sequence[Sequence[PartialGoal]]) -> Formula:
        """Return what is so when all is done, of commands that undo what others have brought about."""
        kept: list[Sequence[PartialGoal]] = []
        for parts in reversed(commands):
            kept.insert(0, [part for part in parts if not self._is_undone(part, kept)])
        return self._assemble(kept)

    def _is_undone(self, part: PartialGoal, later: Sequence[Sequence[PartialGoal]]) -> bool:
        """Return whether what comes later undoes a part of a goal."""
        try:
            self._assemble([[part], *later])
        except UndoneError:
            return True
        return False

    def _in_turn(self, commands: Sequence[ReadCommand], words: Sequence[str]) -> InOrder | None:
        """Return the constraint that what each command asks for is so in turn: "and close it *again*".

        There is none where nothing says that one comes after the other, or where a later command goes back to
        something that an earlier one leaves open.
        """
        # What is said to be so, and not to be done, may be no wish at all: "that's cold, heat it and …".
        deeds = all(isinstance(one, ResolvedClause) and not one.clause.pattern.states for one in commands)
        asked = [demands for command in commands if (demands := command.demands())]
        told = step_of(words) is not None or not _RETURNING.isdisjoint(words)
        open_ones = (one for demands in asked for part in demands for one in part.about)
        if not (told and deeds) or len(asked) < 2 or any(one.quantifier is not None for one in open_ones):
            return None
        steps = [uncounted(self._assemble([demands])) for demands in asked]
        return InOrder(tuple(step for step, _ in groupby(steps)))

    def _is_so(self, goal: Formula) -> bool:
        """Return whether a goal is known to be reached already."""
        return evaluate(goal, self._situation.beliefs.truth, known_things(self._situation)) is Truth.TRUE

    def _in_order(self, commands: Commands, words: Sequence[str], goal: Formula) -> Iterator[Constraint]:
        """Yield the constraints that words of order make, by what *goal* asks for.

        Raises:
            NotUnderstoodError: what they say cannot be kept to.
        """
        if step_of(words) is not None:
            lasting = [
                Lasting(command.step, command.sentence(), parts)
                for command, parts in commands
                if not command.stays
            ]
            yield from said_order(lasting, self._assemble, self._situation.domain, {*atoms_of(goal)})

    def _moments(self, commands: Commands, words: Sequence[str]) -> tuple[list[Constraint], list[str]]:
        """Return the constraints that moments make, and what there is to say of them."""
        constraints: list[Constraint] = []
        notes: list[str] = []
        for moment in moments_of(words):
            constraint, note = self._at(moment, commands)
            constraints += [] if constraint is None else [constraint]
            notes += [note] if note else []
        return constraints, notes

    def _at(self, moment: MomentOfWay, commands: Commands) -> tuple[Constraint | None, str]:
        meant = [(command, parts) for command, parts in commands if moment in command.moments]
        if not meant and any(_asks(command) for command, _ in commands):
            raise NotUnderstoodError(
                f'What "{moment.said}" is said for is not understood. Say it with what shall be done then: '
                '"before you leave the kitchen, close the fridge".'
            )
        return self._whereabouts.ordered(moment, self._assemble([parts for _, parts in meant]))


def _asks(command: ReadCommand) -> bool:
    return any(part.formula != TRUE for part in command.demands())
