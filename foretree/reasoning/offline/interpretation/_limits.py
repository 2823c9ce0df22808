"""Prohibitions: "without opening the drawer", "don't touch the vase", "don't leave the milk on the table"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from foretree.planning.constraints.constraints import Always, Constraint, NeverUse
from foretree.planning.pddl.syntax import Forall, Formula, Typed, substitute
from foretree.planning.semantics.evaluation import conjunction, evaluate, negate
from foretree.reasoning.instruction_errors import AmbiguousError, InstructionError, NotUnderstoodError
from foretree.reasoning.offline.grammar.goal_assembly import assemble_goal
from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.offline.interpretation._progress import Progress, ResolvedClause
from foretree.reasoning.offline.interpretation._whereabouts import Whereabouts
from foretree.reasoning.offline.interpretation.clause_reader import ClauseReader
from foretree.reasoning.offline.lexicon import WANT, opening
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.discourse import Discourse, Referent
from foretree.reasoning.offline.phrases.known_things import known_things
from foretree.reasoning.offline.phrases.noun_phrases import noun_phrases
from foretree.reasoning.offline.phrases.referents import ReferentResolver
from foretree.reasoning.offline.sentences.moments import moments_of
from foretree.reasoning.offline.sentences.prohibitions import (
    ANY_DEED,
    ENTERING,
    GOING_OUT,
    LEAVING,
    NEEDLESS,
    Words,
)
from foretree.reasoning.offline.sentences.rewording.wording import put_plainly
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import Truth

#: What is only passed on the way.
_BESIDE_THE_WAY = frozenset({"past", "by", "around", "across", "along"})


@dataclass(frozen=True, slots=True)
class Prohibition:
    """The meaning of a prohibition.

    Attributes:
        constraints: what the plan must keep to.
        goal: what must be so in the end.
        says: the prohibition in words.
    """

    says: str
    constraints: tuple[Constraint, ...] = ()
    goal: Formula | None = None


class LimitReader:
    """Reads prohibitions in one situation."""

    def __init__(self, situation: Situation, grammar: Grammar) -> None:
        self._situation = situation
        self._grammar = grammar
        self._whereabouts = Whereabouts(situation)

    def limits(self, words: Words, before: Progress) -> Prohibition:
        """Return what the prohibition of *words* means, which begin with a verb.

        Raises:
            InstructionError: they are no deed and no state that is known.
        """
        says = f"not to {' '.join(words)}"
        for moment in moments_of(words):
            raise NotUnderstoodError(
                f'What shall not be done "{moment.said}" cannot be kept to. Say what shall never be done.'
            )
        if length := opening(words, GOING_OUT):
            room = self._whereabouts.room_named(words[length:])
            if room is not None:
                return Prohibition(says, (Always(self._whereabouts.inside(room)),))
        if length := opening(words, ENTERING):
            room = self._whereabouts.room_named(words[length:])
            if room is not None:
                return Prohibition(says, (Always(negate(self._whereabouts.inside(room))),))
            words = ("go", "to", *words[length:])
        verb, *rest = words
        if verb == NEEDLESS:
            return Prohibition("")
        if verb in ANY_DEED:
            try:
                return Prohibition(says, tuple(self._deeds_with(rest, before.discourse)))
            except NotUnderstoodError:
                if not self._grammar.starting_with(verb):  # "never move the mango into the fridge"
                    raise
        plain = put_plainly(words, self._grammar.verbs, self._grammar.openings)
        if verb in LEAVING:
            rest = plain[1:] if plain[:1] == [verb] else rest
            return Prohibition(says, goal=negate(self._state(rest, before)))
        reader = ClauseReader(plain, self._situation, self._grammar)
        for reading in reader.readings(Progress(discourse=before.discourse)):
            clauses = [one for one in reading.commands if isinstance(one, ResolvedClause)]
            if any(one.number > 1 for clause in clauses for group in clause.groups.values() for one in group):
                # "Don't put more than two mugs there" does not forbid to put one there.
                raise self._not_understood(words)
            return Prohibition(says, tuple(c for clause in clauses for c in self._without(clause)))
        errors = [error for _, error in reader.difficulties.failures]
        asked = (error for error in errors if isinstance(error, AmbiguousError))
        if _BESIDE_THE_WAY & {*words}:
            raise NotUnderstoodError(
                f'What I pass on the way is not kept track of ("{" ".join(words)}"), so nothing is done. '
                'I can stay out of rooms: "without going into the hall".'
            )
        raise next(asked, errors[0] if errors else self._not_understood(words))

    def mentioned(self, prohibitions: Sequence[Words]) -> Discourse:
        """Return the things that prohibitions name, for pronouns of the request to refer to."""
        resolver = ReferentResolver(self._situation)
        found: list[tuple[Referent, ...]] = []
        for words in prohibitions:
            nouns = noun_phrases(words, self._situation)
            phrase = next((phrase for at in range(len(words)) for phrase, _ in nouns.at(at)), None)
            names = resolver.entities_meant(phrase) if phrase is not None else ()
            found += [(resolver.referent_of(name),) for name in names[:1] if len(names) == 1]
        return tuple(found)

    def _deeds_with(self, words: Sequence[str], discourse: Discourse) -> Iterator[Constraint]:
        """Yield the constraints that nothing is done with the things that *words* name."""
        nouns = noun_phrases(words, self._situation)
        resolver = ReferentResolver(self._situation)
        room = self._whereabouts.room_named(words)
        if room is not None:
            yield Always(negate(self._whereabouts.inside(room)))
            return
        for phrase, end in nouns.at(0):
            if end < len(words):
                continue
            for part in (self._of_known_kind(one, discourse) for one in (phrase, *phrase.also)):
                names = resolver.entities_meant(part)
                for kind in _kinds(part) if not names or part.picks in ("a", "all") else ():
                    if part.where is None and not part.states:
                        yield NeverUse(None, (Typed("?thing", kind),))
                yield from (NeverUse(None, (name,)) for name in names)
            return
        raise self._not_understood(words)

    def _of_known_kind(self, phrase: NounPhrase, discourse: Discourse) -> NounPhrase:
        """Return a phrase with the kind that "the dirty one" stands for.

        Raises:
            NotUnderstoodError: nothing was said before that it could stand for.
        """
        if not (phrase.same_kind or phrase.other or phrase.picks in ("it", "them")):
            return phrase
        type_of = self._situation.ontology.type_of
        items = [group for group in discourse if not group[0].beside and type_of(group[0].type) == "item"]
        spoken = items[-1] if items else None
        if spoken is None or phrase.other or phrase.picks in ("it", "them"):
            raise NotUnderstoodError(
                f'What "{phrase.text}" stands for is not clear. Name what shall not be touched.'
            )
        return replace(phrase, class_name=spoken[0].type)

    def _state(self, words: Sequence[str], before: Progress) -> Formula:
        """Return the formula of the state that *words* say of things: "the milk on the table"."""
        reader = ClauseReader([WANT, *words], self._situation, self._grammar)
        for reading in reader.readings(Progress(discourse=before.discourse)):
            if reading.clause is not None and reading.clause.pattern.states:
                demands = [command.demands() for command in reading.commands]
                return assemble_goal(demands, self._situation.beliefs.vocabulary, reader.resolver.around)
        raise self._not_understood(words)

    @staticmethod
    def _not_understood(words: Sequence[str]) -> InstructionError:
        return NotUnderstoodError(
            f'I do not understand what shall not be done: "{" ".join(words)}". Say it as in "do not open the '
            'drawer" or "without touching the vase".'
        )

    def contrasts(self, clause: ResolvedClause) -> Iterator[Constraint]:
        """Yield the constraints that the same is not done with what things are set against: "not the mug"."""
        resolver = ReferentResolver(self._situation)
        type_of = self._situation.ontology.type_of
        for name, phrase in clause.clause.things.items():
            names = resolver.entities_meant(phrase.contrast) if phrase.contrast is not None else ()
            other = tuple(map(resolver.referent_of, names))
            # In "put the mango on the table, not the apple" it is no place that the apple is set against.
            alike = [
                slot
                for slot in (name, *clause.groups)
                if other and type_of(clause.groups[slot][0].type) == type_of(other[0].type)
            ]
            if alike:
                yield from self._without(replace(clause, groups={**clause.groups, alike[0]: other}))

    def _without(self, clause: ResolvedClause) -> Iterator[Constraint]:
        """Yield the constraints that what a clause asks for is never done."""
        form = clause.clause.pattern.form
        if form.wish:
            for binding, variables in _bindings(clause):
                goal = negate(substitute(clause.clause.pattern.goal, binding))
                yield Always(Forall(variables, goal) if variables else goal)
            return
        if self._whereabouts.asks_to_be_somewhere(clause.clause.pattern.goal):
            for binding, variables in _bindings(clause):
                there = substitute(clause.clause.pattern.goal, binding)
                goal = negate(self._whereabouts.anywhere(there))
                yield Always(Forall(variables, goal) if variables else goal)
            return
        for operator in form.operators or (form.skill,):
            for objects in product(*(_objects(group) for group in clause.groups.values())):
                yield NeverUse(operator, objects)


def _kinds(phrase: NounPhrase) -> tuple[str, ...]:
    return (phrase.class_name or "object", *phrase.others)


def _objects(group: tuple[Referent, ...]) -> tuple[str | Typed, ...]:
    """Terms for the things of a group among the arguments of an action."""
    found: list[str | Typed] = []
    for referent in group:
        if referent.quantifier is None:
            found.append(referent.term)
        elif referent.among:
            found.extend(referent.among)
        else:
            found.append(Typed(referent.term, referent.type))
    return tuple(found)


def _bindings(clause: ResolvedClause) -> Iterator[tuple[dict[str, str], tuple[Typed, ...]]]:
    """Yield what stands in the slots of a clause, with the variables among it."""
    names = list(clause.groups)
    for chosen in product(*(_objects(group) for group in clause.groups.values())):
        binding = {
            f"_{name}_": term.name if isinstance(term, Typed) else term
            for name, term in zip(names, chosen, strict=True)
        }
        yield binding, tuple(term for term in chosen if isinstance(term, Typed))


def kept(clause: ResolvedClause, goal: Formula, situation: Situation) -> Iterator[Constraint]:
    """Yield the constraint that a state is kept, where a clause says so: "keep the window closed".

    What is not so yet must become so first: "keep the keys in the drawer".
    """
    words = (word for phrase in clause.clause.words for word in phrase)
    if {"keep", "kept", "stay", "remain"}.isdisjoint(words):
        return
    if evaluate(goal, situation.beliefs.truth, known_things(situation)) is not Truth.FALSE:
        yield Always(conjunction(goal))
