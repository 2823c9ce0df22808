"""Requests to certain robots: the goal, with the constraints that only those robots do what it asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from foretree.planning.constraints.constraints import Constraint, NeverUse
from foretree.planning.pddl.syntax import (
    TRUE,
    Domain,
    Exists,
    Formula,
    Typed,
    literals_of,
    rebuild,
    substitute,
    types_of,
    variables_in,
)
from foretree.planning.semantics.evaluation import conjunction
from foretree.planning.semantics.operator_index import index_of, unify
from foretree.reasoning.instruction_errors import AmbiguousError, NotUnderstoodError
from foretree.reasoning.offline.grammar.said_order import one_before
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.offline.phrases.known_things import known_things
from foretree.reasoning.offline.sentences.addressees import Addressed
from foretree.reasoning.offline.sentences.prohibitions import ANY_DEED
from foretree.reasoning.reasoner import Reading, Situation, Understanding

_ROBOT = "robot"


def robots_of(situation: Situation) -> tuple[str, ...]:
    """Return the names of the robots that are known."""
    return known_things(situation).of_classes(_ROBOT)


class AddressedReader:
    """Reads the parts of an instruction that say which robot is to do what.

    Args:
        situation: what is known.
        robots: the robots.
        read: reads a request, in a situation.
    """

    def __init__(
        self, situation: Situation, robots: Sequence[str], read: Callable[[str, Situation], Understanding]
    ) -> None:
        self._situation = situation
        self._robots = robots
        self._read = read

    def understanding(self, parts: Sequence[Addressed]) -> Understanding:
        """Return what *parts* mean together.

        Raises:
            InstructionError: one of them is not understood, or leaves nobody to do it.
        """
        found: Understanding | None = None
        for part in parts:
            spoken = self._situation.spoken_of if found is None else found.spoken_of
            understood = self._part(part, spoken)
            found = understood if found is None else _joined(found, understood, part.later)
        assert found is not None
        return found

    def _part(self, part: Addressed, spoken_of: Discourse) -> Understanding:
        if part.spared and len(self._robots) == 1:
            raise NotUnderstoodError(
                f"{part.spared} is the only robot here, so nothing can be done without it."
            )
        rules: tuple[Constraint, ...] = (NeverUse(None, (part.spared,)),) if part.spared else ()
        if not part.words:
            return Understanding(TRUE, f"do nothing; not to use {part.spared}", constraints=rules)
        situation = replace(self._situation, spoken_of=spoken_of)
        if part.robot and situation.feasible is not None:
            situation = replace(situation, feasible=partial(self._feasible, part))
        if part.forbidden and part.words.split()[0].lower() in ANY_DEED:
            return self._untouched(part, self._read(f"do not {part.words}", situation))
        understood = self._read(part.words, situation)
        if understood.answer:
            return understood
        if part.forbidden or part.reserved:
            return self._rule(part, understood)
        if part.robot:
            understood = self._assigned(part, understood)
        elif part.spared:
            understood = replace(understood, sentence=f"{understood.sentence}; not to use {part.spared}")
        return replace(understood, constraints=(*understood.constraints, *rules))

    def _rule(self, part: Addressed, understood: Understanding) -> Understanding:
        """Return the rule that a robot does not do what is understood, or no other robot does.

        Raises:
            AmbiguousError: it is open what that is about.
        """
        if understood.readings:
            raise AmbiguousError(f'It is not clear what "{part.words}" is about. Say which thing is meant.')
        who = f"{part.robot} is not to" if part.forbidden else f"nobody but {part.robot} is to"
        rules = self._rules(part, understood.goal)
        sentence = f"do nothing; {who} {understood.sentence}"
        return replace(understood, goal=TRUE, sentence=sentence, wanted=(), constraints=rules)

    def _untouched(self, part: Addressed, understood: Understanding) -> Understanding:
        """Return the rule that a robot does nothing with what none was to touch."""
        rules = tuple(
            NeverUse(rule.action, (part.robot, *rule.objects))
            for rule in understood.constraints
            if isinstance(rule, NeverUse)
        )
        sentence = understood.sentence.replace("not to", f"{part.robot} is not to", 1)
        return replace(understood, sentence=sentence, constraints=rules)

    def _assigned(self, part: Addressed, understood: Understanding) -> Understanding:
        """Return a request with a robot that is to do it."""
        if len(self._robots) == 1:
            return understood
        readings = tuple(
            replace(
                reading,
                goal=self._own(reading.goal, part.robot),
                constraints=(*reading.constraints, *self._rules(part, reading.goal)),
            )
            for reading in understood.readings
        )
        return replace(
            understood,
            goal=self._own(understood.goal, part.robot),
            sentence=f"{part.robot}: {understood.sentence}",
            readings=readings,
            constraints=(*understood.constraints, *(() if readings else self._rules(part, understood.goal))),
        )

    def _feasible(self, part: Addressed, goal: Formula, rules: Sequence[Constraint] = ()) -> str:
        assert self._situation.feasible is not None
        own = self._own(goal, part.robot)
        return self._situation.feasible(own, (*rules, *self._rules(part, goal)))

    def _own(self, goal: Formula, robot: str) -> Formula:
        """*goal* with a certain robot wherever it asks for some robot."""
        if isinstance(goal, Exists):
            kept = tuple(one for one in goal.variables if one.type != _ROBOT)
            binding = {one.name: robot for one in goal.variables if one.type == _ROBOT}
            body = self._own(substitute(goal.body, binding), robot)
            return Exists(kept, body) if kept else body
        return rebuild(goal, lambda inner: self._own(inner, robot))

    def _rules(self, part: Addressed, goal: Formula) -> tuple[Constraint, ...]:
        """Constraints on who does what brings *goal* about: the robot alone, or any but that robot."""
        if len(self._robots) == 1 and not part.forbidden:
            return ()
        barred = [one for one in self._robots if (one == part.robot) is part.forbidden]
        wanted = goal if part.forbidden else self._own(goal, part.robot)
        deeds = [*deeds_for(wanted, self._situation.domain, known_things(self._situation).classes)]
        return tuple(
            dict.fromkeys(NeverUse(name, (robot, *things)) for robot in barred for name, things in deeds)
        )


def deeds_for(
    goal: Formula, domain: Domain, classes: Mapping[str, str]
) -> Iterator[tuple[str, tuple[str | Typed, ...]]]:
    """Yield the operators by which a robot brings about a part of *goal*, each with the things it is about.

    Things are of the *classes* by their names.

    What a goal says of a certain robot is only brought about by that one, or with its help.
    """
    types = types_of(variables_in(goal))
    for literal in dict.fromkeys(literals_of(goal)):
        parameters = domain.predicates[literal.atom[0]]
        if any(
            term not in types and domain.is_a(parameter.type, _ROBOT)
            for term, parameter in zip(literal.atom[1:], parameters, strict=True)
        ):
            continue
        for operator, effect in index_of(domain).achievers(literal.atom[0], literal.positive):
            binding = unify(effect.literal.atom, literal.atom)
            robots = [one.name for one in operator.parameters if domain.is_a(one.type, _ROBOT)]
            known = {**classes, **types}
            if (
                binding is not None
                and robots
                and all(
                    domain.is_a(known[binding[one.name]], one.type)
                    for one in operator.parameters
                    if binding.get(one.name) in known
                )
            ):
                things = [term for name, term in binding.items() if name not in robots]
                about = [Typed(one, types[one]) if one in types else one for one in things]
                yield operator.name, tuple(one for one in about if not _is_hand(one))


def _is_hand(term: str | Typed) -> bool:
    return isinstance(term, Typed) and term.type == "hand"


def _joined(one: Understanding, other: Understanding, later: bool) -> Understanding:
    """What two parts of an instruction mean together."""
    if one.answer or other.answer:
        raise NotUnderstoodError("A question and a request to a robot are understood one at a time.")
    if one.readings and other.readings:
        raise AmbiguousError("More than one thing in this may be meant in several ways. Say one at a time.")
    order = tuple(one_before(one.goal, other.goal)) if later else ()
    readings = tuple(
        Reading(conjunction(one.goal, reading.goal), reading.words, reading.constraints)
        for reading in other.readings
    ) or tuple(
        Reading(conjunction(reading.goal, other.goal), reading.words, reading.constraints)
        for reading in one.readings
    )
    return Understanding(
        readings[0].goal if readings else conjunction(one.goal, other.goal),
        f"{one.sentence}, {'then' if later else 'and'} {other.sentence}",
        (*one.wanted, *other.wanted),
        readings=readings,
        left_out=(*one.left_out, *other.left_out),
        constraints=tuple(dict.fromkeys((*one.constraints, *other.constraints, *order))),
        spoken_of=other.spoken_of,
        remarks=(*one.remarks, *other.remarks),
    )
