"""Requests to certain robots: the goal, with the constraints that only those robots do what it asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from foretree.planning.constraints.constraints import Constraint, InOrder, NeverUse
from foretree.planning.pddl.syntax import (
    TRUE,
    Domain,
    Exists,
    Formula,
    Operator,
    Typed,
    atoms_of,
    literals_of,
    rebuild,
    substitute,
    types_of,
    variables_in,
)
from foretree.planning.semantics.evaluation import conjunction
from foretree.planning.semantics.operator_index import index_of, unify
from foretree.reasoning.instruction_errors import AmbiguousError, NotUnderstoodError
from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.offline.grammar.said_order import one_before
from foretree.reasoning.offline.interpretation._progress import ResolvedClause
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.offline.phrases.known_things import known_things
from foretree.reasoning.offline.sentences.addressees import Addressed, addressed_parts, names_robots
from foretree.reasoning.offline.sentences.prohibitions import ANY_DEED
from foretree.reasoning.reasoner import Reading, Situation, Understanding
from foretree.world_model.beliefs.facts import HOLDING, WHEREABOUTS, Vocabulary

_ROBOT = "robot"


def read_addressed(
    instruction: str,
    situation: Situation,
    grammar: Callable[[Situation], Grammar],
    read: Callable[[str, Situation], Understanding],
) -> Understanding | None:
    """Return the understanding of an instruction that says which robot is to do what; None if it does not.

    Args:
        instruction: the instruction.
        situation: what is known.
        grammar: gives the grammar of the situation.
        read: reads a request, in a situation.

    Raises:
        InstructionError: it addresses a robot that is not here, or is not understood.
    """
    robots = known_things(situation).of_classes(_ROBOT)
    if not robots or not names_robots(instruction, robots):
        return None
    verbs = grammar(situation).verbs
    parts = addressed_parts(instruction, robots, lambda word: word in verbs)
    return None if parts is None else AddressedReader(situation, robots, read).understanding(parts)


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
            InstructionError: one of them is not understood, or leaves no robot to do it.
        """
        found: Understanding | None = None
        for part in parts:
            spoken = self._situation.spoken_of if found is None else found.spoken_of
            understood = self._part(part, spoken)
            found = (
                understood
                if found is None
                else _joined(found, understood, part.later, self._situation.beliefs.vocabulary)
            )
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
        rules = (*understood.constraints, *self._rules(part, understood.goal))
        return replace(
            understood,
            goal=self._own(understood.goal, part.robot),
            sentence=f"{part.robot}: {understood.sentence}",
            readings=readings,
            constraints=understood.constraints if readings else tuple(dict.fromkeys(rules)),
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
        wanted = goal if part.forbidden else self._own(goal, part.robot)
        rules: dict[Constraint, None] = {}
        for deed in _deeds(wanted, self._situation.domain, known_things(self._situation).classes):
            if part.robot in deed.robots:
                continue  # its own matter
            shared = self._takes_two(deed.operator)
            barred: Sequence[str]
            if deed.robots and not shared:  # what it is to give to another one, that one does not take itself
                barred = () if part.forbidden else deed.robots
            else:
                barred = [
                    one
                    for one in self._robots
                    if (one == part.robot) is part.forbidden and one not in deed.robots
                ]
            for robot in barred:
                with_whom = deed.robots if shared else ()
                rules[NeverUse(deed.operator, (robot, *deed.things, *with_whom))] = None
        return tuple(rules)

    def _takes_two(self, operator: str) -> bool:
        domain = self._situation.domain
        return sum(domain.is_a(one.type, _ROBOT) for one in domain.operators[operator].parameters) > 1


class _Deed(NamedTuple):
    """A way in which a robot brings about a part of a goal.

    Attributes:
        operator: the operator.
        things: what it is about.
        robots: the robots that the goal names there.
    """

    operator: str
    things: tuple[str | Typed, ...]
    robots: tuple[str, ...]


def _deeds(goal: Formula, domain: Domain, classes: Mapping[str, str]) -> Iterator[_Deed]:
    """Yield the ways in which robots bring about the parts of *goal*; things are of the *classes* by name."""
    types = types_of(variables_in(goal))
    known = {**classes, **types}
    for literal in dict.fromkeys(literals_of(goal)):
        for operator, effect in index_of(domain).achievers(literal.atom[0], literal.positive):
            robots = [one.name for one in operator.parameters if domain.is_a(one.type, _ROBOT)]
            binding = unify(effect.literal.atom, literal.atom)
            if binding is None or not robots or not _fits(operator, binding, known, domain):
                continue
            things = [term for name, term in binding.items() if name not in robots]
            about = [Typed(one, types[one]) if one in types else one for one in things]
            yield _Deed(
                operator.name,
                tuple(one for one in about if not isinstance(one, Typed) or one.type != "hand"),
                tuple(binding[one] for one in robots if one in binding and binding[one] not in types),
            )


def _fits(operator: Operator, binding: Mapping[str, str], known: Mapping[str, str], domain: Domain) -> bool:
    """Return whether the things may stand for the parameters, as far as their types are *known*."""
    return all(
        domain.is_a(known[binding[one.name]], one.type)
        for one in operator.parameters
        if binding.get(one.name) in known
    )


def handed_only(clause: ResolvedClause, goal: Formula, situation: Situation) -> Iterator[Constraint]:
    """Yield the constraints that what one robot is to hand to another is not taken by that one itself."""
    form = clause.clause.pattern.form
    domain = situation.domain
    takes = domain.operators[form.skill].parameters if form.skill in domain.operators else ()
    if form.wish or sum(domain.is_a(one.type, _ROBOT) for one in takes if _ROBOT in domain.types) < 2:
        return
    for deed in _deeds(goal, domain, known_things(situation).classes):
        if deed.operator not in (form.operators or (form.skill,)):
            yield from (NeverUse(deed.operator, (robot, *deed.things)) for robot in deed.robots)


def _goes_through(goal: Formula, other: Formula, vocabulary: Vocabulary) -> bool:
    """Return whether *goal* only says who holds what in between: *other* says where that is in the end."""
    places = [atom for atom in atoms_of(other) if vocabulary[atom[0]].group == WHEREABOUTS]
    named = {term for atom in places for term in atom[1:]}
    held = [*atoms_of(goal)]
    return bool(held) and all(atom[0] == HOLDING and not named.isdisjoint(atom[1:]) for atom in held)


def _joined(one: Understanding, other: Understanding, later: bool, vocabulary: Vocabulary) -> Understanding:
    """Return what two parts of an instruction mean together."""
    if one.answer or other.answer:
        raise NotUnderstoodError("A question and a request to a robot are understood one at a time.")
    if one.readings and other.readings:
        raise AmbiguousError("More than one thing in this may be meant in several ways. Say one at a time.")
    rules: tuple[Constraint, ...] = tuple(one_before(one.goal, other.goal)) if later else ()
    if _goes_through(one.goal, other.goal, vocabulary):
        one, rules = replace(one, goal=TRUE), (InOrder((one.goal,)),)
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
        constraints=tuple(dict.fromkeys((*one.constraints, *other.constraints, *rules))),
        spoken_of=other.spoken_of,
        remarks=(*one.remarks, *other.remarks),
    )
