"""Conditions, judged by what is believed: "if the fridge is open", "if there is a mug on the table"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from foretree.planning.pddl.syntax import Exists, Formula, Literal, Or, constants_of, substitute
from foretree.planning.semantics.evaluation import Oracle, evaluate
from foretree.reasoning.instruction_errors import AmbiguousError, InstructionError, NotUnderstoodError
from foretree.reasoning.offline.grammar.goal_assembly import assemble_goal
from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.offline.interpretation._progress import Progress, ResolvedClause
from foretree.reasoning.offline.interpretation.clause_reader import ClauseReader
from foretree.reasoning.offline.lexicon import BE, WANT, starts_with
from foretree.reasoning.offline.phrases.discourse import Discourse, Group
from foretree.reasoning.offline.phrases.known_things import known_things
from foretree.reasoning.offline.phrases.mentions import things_named
from foretree.reasoning.offline.phrases.noun_phrases import noun_phrases
from foretree.reasoning.offline.phrases.referents import ReferentResolver
from foretree.reasoning.offline.sentences.statements import Statement
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import Atom, Truth

_THERE_IS = tuple(
    tuple(phrase.split())
    for phrase in (
        "there is", "there are", "there's", "you see", "you find", "you can find", "you have", "we have",
        "we have got", "we've got", "you spot", "you come across", "there happens to be", "you can see",
    )
)  # fmt: skip
#: What may stand for what was spoken of before.
_ANY = (["any"], ["some"], ["enough"])
#: They say no more than that something is there.
_STILL_THERE = frozenset(
    {"left", "over", "there", "around", "about", "somewhere", "anywhere", "here", "available", "at", "home"}
)
_COPULAS = frozenset({"is", "are", "was", "were", "it's", "being"})
_NEGATED = {"isn't": "is", "aren't": "are", "wasn't": "was", "hasn't": "has", "haven't": "have"}
_SKIPPED = frozenset(
    {"still", "already", "currently", "really", "now", "at", "all", "yet", "happens", "just", "indeed"}
)


@dataclass(frozen=True, slots=True)
class JudgedCondition:
    """A condition, judged.

    Attributes:
        holds: whether it holds.
        discourse: the things that it speaks of.
        note: what it came to, in a sentence.
        goal: what must be so for it to hold; None where it is about whether something is there.
        doubt: that it is not known, and only assumed, in a sentence; empty if it is known.
    """

    holds: bool
    discourse: Discourse
    note: str
    goal: Formula | None = None
    doubt: str = ""

    def is_undone_by(self, goal: Formula) -> bool:
        """Return whether the contrary is asked for: to close what is open does no harm where it is closed."""
        return isinstance(self.goal, Literal) and goal == replace(self.goal, positive=not self.goal.positive)

    def check_settled(self, statement: Statement, goal: Formula) -> None:
        """Check that nothing is to be waited for where the condition does not hold.

        "Close it when it is open" is settled where it is closed; "put it away when it is clean" is not.

        Raises:
            NotUnderstoodError: it may have to be made so before *goal* is reached.
        """
        waits = statement.awaits and not statement.otherwise and self.goal is not None
        if waits and not self.is_undone_by(goal):
            raise NotUnderstoodError(
                f'{self.note[:1].upper()}{self.note[1:]}. Say "if" in place of "when" to have nothing done '
                'about it, or "once" to have it made so first.'
            )


class ConditionReader:
    """Reads conditions in one situation."""

    def __init__(self, situation: Situation, grammar: Grammar) -> None:
        self._situation = situation
        self._beliefs = situation.beliefs
        self._grammar = grammar

    def judge(self, words: Sequence[str], before: Progress) -> JudgedCondition:
        """Judge the condition that *words* state.

        Raises:
            InstructionError: they state none, or it is not known whether it holds.
        """
        plain = put_plainly(words)
        existing = self._existence(plain, before)
        if existing is not None:
            return existing
        reader = ClauseReader(plain, self._situation, self._grammar)
        for reading in reader.readings(Progress(discourse=before.discourse)):
            clauses = [one.clause for one in reading.commands if isinstance(one, ResolvedClause)]
            if not all(clause.pattern.states for clause in clauses):
                continue
            _check_certain(reading, before.discourse)
            demands = [command.demands() for command in reading.commands]
            try:
                goal = assemble_goal(demands, self._beliefs.vocabulary, reader.resolver.around)
            except InstructionError:
                continue
            return self._judged(goal, reading.discourse, " ".join(words), len(before.discourse))
        for _, error in reader.difficulties.failures:
            raise error
        raise NotUnderstoodError(
            f'I do not understand the condition "{" ".join(words)}". Say how a thing is or where, as in '
            '"if the fridge is open".'
        )

    def _judged(self, goal: Formula, discourse: Discourse, words: str, begun: int) -> JudgedCondition:
        assumed = False

        def oracle(atom: Atom) -> Truth:
            nonlocal assumed
            truth = self._beliefs.truth(atom)
            default = self._beliefs.vocabulary[atom[0]].default
            if truth is not Truth.UNKNOWN or default is None:
                return truth
            assumed = True
            return Truth.TRUE if default else Truth.FALSE

        truth = evaluate(goal, oracle, known_things(self._situation))
        if truth is Truth.UNKNOWN:
            raise AmbiguousError(
                f'I do not know whether it is so that "{words}". Have me look first, or say what to do '
                "in any case."
            )
        if truth is Truth.TRUE:
            new = (self._of_which_it_holds(group, goal, oracle) for group in discourse[begun:])
            discourse = (*discourse[:begun], *new)
        judged = _judgement(truth is Truth.TRUE, discourse, words, assumed)
        return replace(judged, goal=goal, doubt=f"it is not known whether {words}" if assumed else "")

    def _of_which_it_holds(self, group: Group, goal: Formula, oracle: Oracle) -> Group:
        """Return a group; for "a mug" in "if a mug is dirty" the mugs that are, as all of them are meant."""
        first = group[0]
        if len(group) > 1 or first.quantifier != "exists" or first.beside:
            return group
        known = known_things(self._situation)
        if isinstance(goal, Exists) and [one.name for one in goal.variables] == [first.term]:
            bodies = {
                name: substitute(goal.body, {first.term: name}) for name in known.of_classes(first.type)
            }
        elif isinstance(goal, Or):
            parts = {name: part for part in goal.parts for name in constants_of(part)}
            bodies = {name: parts[name] for name in first.possible if name in parts}
        else:
            return group
        names = [name for name, body in bodies.items() if evaluate(body, oracle, known) is Truth.TRUE]
        resolver = ReferentResolver(self._situation)
        return tuple(map(resolver.referent_of, names)) or group

    def _existence(self, words: list[str], before: Progress) -> JudgedCondition | None:
        """Judge "there is a mug on the table"; None if the words do not say that something is there."""
        start = max((len(phrase) for phrase in _THERE_IS if starts_with(words, 0, phrase)), default=0)
        if not start:
            return None
        if words[start : start + 1] in _ANY and _STILL_THERE.issuperset(words[start + 1 :]):
            words = [*words[:start], "one"]  # "bring me milk if there is any left"
        elif words[start : start + 1] == ["enough"]:
            words = [*words[:start], *words[start + 1 :]]
        denied = words[start : start + 1] in (["no"], ["not"])
        nouns = noun_phrases(words, self._situation)
        resolver = ReferentResolver(self._situation)
        for phrase, end in nouns.at(start + denied):
            if end == len(words) or _STILL_THERE.issuperset(words[end:]):
                names = resolver.entities_meant(phrase)
                if not (names or denied) and self._situation.unsearched:
                    said = words[start:end]
                    sought = things_named(said, self._situation) or things_named(
                        ["some", *said], self._situation
                    )
                    if sought:  # it may be where nobody has looked
                        return _judgement(True, (*before.discourse, *sought), " ".join(words), assumed=True)
                enough = len(names) >= phrase.needed
                discourse = before.discourse
                if enough and not denied and (len(names) == 1 or phrase.states):
                    discourse = (*discourse, tuple(map(resolver.referent_of, names)))
                return _judgement(enough is not denied, discourse, " ".join(words))
        return None


def _check_certain(reading: Progress, discourse: Discourse) -> None:
    """Check that a condition is not about any one thing: "bring me a mug, as long as it is empty".

    Raises:
        NotUnderstoodError: it is.
    """
    any_one = {
        one.term for group in discourse for one in group if one.quantifier == "exists" and not one.definite
    }
    for command in reading.commands:
        groups = command.groups.values() if isinstance(command, ResolvedClause) else ()
        for referent in (one for group in groups for one in group if one.term in any_one):
            raise NotUnderstoodError(
                f'Whether it holds depends on which one "{referent.says}" is. Say how the thing shall be.'
            )


def _judgement(holds: bool, discourse: Discourse, words: str, assumed: bool = False) -> JudgedCondition:
    how = "taking it that it is" if assumed else "it is"
    return JudgedCondition(holds, discourse, f"{how} {'so' if holds else 'not so'} that {words}")


def put_plainly(words: Sequence[str]) -> list[str]:
    """The words with "be" for each copula: "is the mug dirty" and "the mug isn't clean" as "the mug be …"."""
    found: list[str] = []
    for word in words:
        if word in _NEGATED:
            found += [_NEGATED[word], "not"]
        elif word == "it's":
            found += ["it", "is"]
        elif word not in _SKIPPED:
            found.append(word)
    if any(starts_with(found, 0, phrase) for phrase in _THERE_IS):
        return found
    if found and found[0] in ("is", "are") and found[1:2] == ["there"]:
        return ["there", found[0], *found[2:]]
    inverted = bool(found) and found[0] in ("is", "are")
    # "Is the mug dirty" has its copula in front: it is read as "want the mug dirty" is.
    return [WANT, *_merged(found[1:])] if inverted else [*_merged(found)]


def _merged(words: Sequence[str]) -> Iterator[str]:
    """The words with "be" for "is", "has been" and "have been"."""
    skip = False
    for word, following in zip(words, (*words[1:], ""), strict=True):
        if skip:
            skip = False
            yield BE
        elif word in ("has", "have") and following in ("been", "not"):
            skip = True
            if following == "not":
                yield BE
        elif word in _COPULAS:
            yield BE
        elif word != "been":
            yield word
