"""Reading of clauses: the commands that the words of one statement may be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from foretree.planning.pddl.syntax import Formula, Literal
from foretree.planning.semantics.evaluation import evaluate
from foretree.reasoning.instruction_errors import InstructionError, NotPossibleError, NotUnderstoodError
from foretree.reasoning.offline.grammar.clauses import Clause, Slot
from foretree.reasoning.offline.grammar.goal_assembly import PartialGoal
from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.offline.interpretation._clause_checks import (
    check_apart,
    check_made,
    check_moved,
    check_named,
    check_number,
    check_places,
    without_done,
)
from foretree.reasoning.offline.interpretation._on_the_way import WayFinder
from foretree.reasoning.offline.interpretation._progress import Progress, ResolvedClause
from foretree.reasoning.offline.lexicon import skip_between
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase
from foretree.reasoning.offline.phrases.discourse import Discourse, Group, Referent
from foretree.reasoning.offline.phrases.known_things import known_things
from foretree.reasoning.offline.phrases.noun_phrases import noun_phrases
from foretree.reasoning.offline.phrases.referents import ReferentResolver, Resolved
from foretree.reasoning.offline.sentences.moments import moments_of
from foretree.reasoning.offline.sentences.sequence import step_of
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import Truth

#: So many readings are tried before giving up on words that have none.
MOST_READINGS = 3000


@dataclass
class Difficulties:
    """Reasons for which readings were given up.

    Attributes:
        failures: each with the position of the clause.
        sensible: positions of clauses that make sense: other readings of these are not to blame.
        furthest: the end of the longest clause.
        stuck: positions up to which a sentence makes sense, and where no command follows.
    """

    failures: list[tuple[int, InstructionError]] = field(default_factory=list)
    sensible: set[int] = field(default_factory=set)
    furthest: int = 0
    stuck: list[int] = field(default_factory=list)


class ClauseReader:
    """Reads the words of one statement as commands whose things can all be found.

    Args:
        tokens: the words.
        situation: where they are said.
        grammar: knows the commands.
        asks: whether they ask for something, and state no condition or prohibition.
    """

    def __init__(
        self, tokens: Sequence[str], situation: Situation, grammar: Grammar, asks: bool = False
    ) -> None:
        self.tokens = list(tokens)
        self.nouns = noun_phrases(self.tokens, situation)
        self.resolver = ReferentResolver(situation)
        self.difficulties = Difficulties()
        self.grammar = grammar
        self._situation = situation
        self._ways = WayFinder(situation)
        self._asks = asks
        self._tried = 0
        self._misfitting: dict[InstructionError, Clause] = {}

    def readings(self, before: Progress, at: int = 0) -> Iterator[Progress]:
        """Yield every way to read the words from *at* on."""
        begin = skip_between(self.tokens, at)
        if begin == len(self.tokens):
            if begin and len(before.commands):
                yield before
            return
        troubles = self.difficulties
        done: set[tuple[object, ...]] = set()
        began = False
        for clause in self.grammar.clauses(self.tokens, begin, self.nouns, before.clause):
            self._tried += 1
            if self._tried > MOST_READINGS:
                return
            troubles.furthest = max(troubles.furthest, clause.end)
            began = True
            try:
                command = self._resolve(clause, before)
                words = self.tokens[begin : clause.end]
                command = replace(command, step=step_of(words), moments=tuple(moments_of(words)))
            except InstructionError as error:
                troubles.failures.append((begin, error))
                continue
            if clause.end < len(self.tokens):
                troubles.sensible.add(begin)
            same = (clause.end, command.demands())
            if same not in done:
                done.add(same)
                yield from self.readings(before.with_(command), clause.end)
        if begin and not began and self.grammar.starting_with(self.tokens[begin]):
            # What came before makes sense; it is here that the sentence goes wrong.
            troubles.stuck.append(begin)

    def names_things(self) -> bool:
        """Return whether the words name things, and say nothing of these: "coat and umbrella"."""
        ends = (phrase for phrase, end in self.nouns.at(0) if end == len(self.tokens))
        phrase = next(ends, None)
        things = () if phrase is None else (phrase, *phrase.also)
        return bool(things) and all(
            thing.class_name
            and (thing.picks in ("the", "a", "some") or thing.determined or _is_mass(thing))
            and thing.picks not in ("it", "them", "speaker")
            and not thing.is_room
            and (thing.where is None or thing.where.source)
            for thing in things
        )

    def _resolve(self, clause: Clause, before: Progress) -> ResolvedClause:
        discourse = before.discourse
        groups: dict[str, Group] = {}
        wanted: list[str] = []
        fresh = fresh_variables(len(before.commands))
        source = self._ways.source(clause.pattern, [one.demands() for one in before.commands])
        misfits: list[NotPossibleError] = []
        besides: list[PartialGoal] = []
        taken_from: Discourse = ()
        for slot in sorted(clause.pattern.slots, key=lambda slot: slot.destination):
            phrase = _helped_to(clause.things[slot.name], clause)
            phrase = self._ways.meaning_all(phrase, slot, clause.pattern) if self._asks else phrase
            check_made(phrase, slot, clause)
            check_named(phrase, before)
            try:
                phrase, place = self.resolver.final_place(phrase, slot, discourse)
                if phrase.where is not None and not self._names_its_place(clause):
                    phrase = self.resolver.without_workplace(phrase, clause.pattern.needs, slot, discourse)
                sought = phrase if source is None or slot.destination else phrase.likely_at(source)
                # "Put the milk from the fridge in it": that is not the fridge.
                spoken_of = tuple(one for one in discourse if one not in taken_from)
                group, missing = self._referents(sought, slot, clause, spoken_of, fresh)
                if self.resolver.is_laden(phrase, group, slot, discourse):
                    phrase = replace(phrase, load=None)
                check_number(phrase, clause)
                if phrase.load is not None or place is not None:
                    more, lacking = self._resolve_besides(group, phrase, place, slot, discourse, fresh)
                    besides.extend(more)
                    missing = (*missing, *lacking)
            except NotPossibleError as error:
                misfits.append(error)
                continue
            bearers = clause.pattern.bearers
            passed_by = (
                slot.beside or slot.name in clause.pattern.means or (bearers and slot.name not in bearers)
            )
            if passed_by and (bearers or phrase.picks != "it"):
                # "Cut the paper with the scissors and throw it away": that is the paper. "Scoop from the bowl
                # with the ladle and give me that": that is the ladle, with what is on it.
                group = tuple(replace(referent, beside=True) for referent in group)
            check_apart(group, groups, phrase)
            groups[slot.name] = group
            wanted.extend(missing)
            beside = self.resolver.beside(phrase, group, discourse)
            if phrase.where is not None and phrase.where.source:
                taken_from = (*taken_from, *beside)
            # What is put next to a thing goes where that goes: see Spots.
            spoken = tuple(replace(one, destination=True) for one in group) if slot.destination else group
            discourse = (*discourse, *beside, spoken, *self._exceptions(phrase))
        check_moved(clause, groups, self.resolver.located)
        discourse = (*self._sources(clause, discourse, fresh), *discourse)
        if misfits:
            raise self._not_possible(clause, misfits)
        check_places(clause, groups)
        further = without_done(clause, groups, before.discourse, self._is_so)
        changed = {groups[name]: further[name] for name in groups}
        groups, discourse = further, tuple(changed.get(group, group) for group in discourse)
        named = {r.term for group in groups.values() for r in group if r.quantifier is None}
        groups = {name: tuple(_others(r, named) for r in group) for name, group in groups.items()}
        return ResolvedClause(clause, groups, tuple(wanted), discourse, tuple(besides))

    def _is_so(self, formula: Formula) -> bool:
        things = known_things(self._situation)
        return evaluate(formula, self._situation.beliefs.truth, things) is Truth.TRUE

    def _exceptions(self, phrase: NounPhrase) -> Iterator[Group]:
        """Yield what a phrase leaves out, where it is one thing: "all but the mug; wash *it*"."""
        meant = self.resolver.entities_meant
        for exception in (one for left in phrase.exceptions for one in (left, *left.also)):
            names = meant(replace(exception, also=(), alternatives=()))
            if len(names) > 1:
                of = meant(replace(phrase, exceptions=()))
                names = tuple(name for name in names if name in of)
            if len(names) == 1:
                yield (self.resolver.referent_of(names[0]),)

    def _referents(
        self, phrase: NounPhrase, slot: Slot, clause: Clause, discourse: Discourse, fresh: Callable[[], str]
    ) -> Resolved:
        """The referents of a phrase; of "turn off the appliance that is on" all that may be on, if none is.

        It does no harm to see to it that they are off.
        """
        try:
            return self.resolver.resolve(phrase, slot, discourse, fresh)
        except InstructionError:
            goal = clause.pattern.goal
            undone = (
                isinstance(goal, Literal)
                and goal.atom[1:] == (slot.stand_in,)
                and phrase.states == ((goal.atom[0], not goal.positive),)
            )
            if not undone or phrase.where is not None or phrase.picks not in ("the", "all"):
                raise
            meant = self.resolver.entities_meant(replace(phrase, states=()))
            able = (name for name in self.resolver.fitting(slot) if name in meant)
            may_be = known_things(self._situation).may_have_states
            unsure = [name for name in able if may_be(name, phrase.states)]
            if not unsure:
                raise
            return tuple(map(self.resolver.referent_of, unsure)), ()

    def _sources(self, clause: Clause, discourse: Discourse, fresh: Callable[[], str]) -> Iterator[Group]:
        """Yield what the substances of a clause come from.

        Raises:
            InstructionError: there is no such thing, or there is nothing of the kind in it.
        """
        for phrase, has in clause.sources:
            of_it = Slot("source", "item", (has,))
            called = (replace(phrase, class_name=name) for name in self._called(phrase, has))
            readings = ((phrase, of_it), *((one, of_it) for one in called), (phrase, Slot("source", "asset")))
            difficulty: InstructionError | None = None
            for one, slot in readings:
                try:
                    group, _ = self.resolver.resolve(one, slot, discourse, fresh)
                    break
                except InstructionError as error:
                    difficulty = difficulty or error
            else:
                assert difficulty is not None
                raise difficulty
            yield tuple(replace(referent, beside=True) for referent in group)

    def _called(self, phrase: NounPhrase, has: str) -> Iterator[str]:
        """Yield the classes of what has a substance and may be called so: "the bag" is a bag of soil."""
        ontology = self._situation.ontology
        for name, known in ontology.classes.items():
            words = {word for said in (name.replace("_", " "), *known.words) for word in said.split()}
            if has in known.affords and phrase.noun in words:
                yield name

    def _names_its_place(self, clause: Clause) -> bool:
        """True if there is a fuller form for the same: "heat the bread in the microwave"."""
        mine = clause.pattern
        return any(
            pattern.form.skill == mine.form.skill and len(pattern.slots) > len(mine.slots)
            for pattern in self.grammar.starting_with(clause.verb[0])
        )

    def _resolve_besides(
        self,
        group: Group,
        phrase: NounPhrase,
        place: LocationPhrase | None,
        slot: Slot,
        discourse: Discourse,
        fresh: Callable[[], str],
    ) -> tuple[list[PartialGoal], tuple[str, ...]]:
        """Goals for what shall rest in or on a thing and its place, and the classes to be found first."""
        # "Wipe the counter with the sponge" says what it is wiped with, not what shall be on it.
        fixed = phrase.load is not None and (slot.destination or slot.type == "asset")
        if len(group) != 1 or group[0].several or fixed:
            raise NotUnderstoodError(f'"{phrase.text}" is not understood yet. Say one thing after the other.')
        goals: list[PartialGoal] = []
        wanted: tuple[str, ...] = ()
        ontology = self._situation.ontology
        for relation, other, is_load in (
            *(() if phrase.load is None else ((phrase.load[0] or "in", phrase.load[1], True),)),
            *(() if place is None or place.place is None else ((place.relations[0], place.place, False),)),
        ):
            there = Slot("item", "item") if is_load else Slot("place", "asset", destination=True)
            found, missing = self.resolver.resolve(other, there, discourse, fresh)
            wanted = (*wanted, *missing)
            for one in found:
                thing, support = (one, group[0]) if is_load else (group[0], one)
                if is_load and ontology.bears_nothing(support.type):
                    raise NotUnderstoodError(f'Nothing can be in or on "{phrase.text}".')
                way = ontology.way_to_rest(relation, support.type)
                goals.append(PartialGoal(Literal((way, thing.term, support.term)), (thing, support)))
        return goals, wanted

    # -- when it cannot be done --------------------------------------------------------------------
    def _not_possible(self, clause: Clause, misfits: list[NotPossibleError]) -> NotPossibleError:
        names = {name: phrase.text for name, phrase in clause.things.items()}
        why = "; ".join(dict.fromkeys(str(error) for error in misfits))
        says = f"{quoted(clause.say(names))} cannot be done: {why}."
        error = NotPossibleError(says, sum(e.misfits for e in misfits))
        self._misfitting[error] = clause
        return error

    def with_hint(self, error: InstructionError) -> InstructionError:
        """Return an error of a reading with what could be said instead, which is dear to find."""
        clause = self._misfitting.get(error)
        if clause is not None:
            names = {name: phrase.text for name, phrase in clause.things.items()}
            error.args = (f"{error}{self._instead(clause, names)}",)
        return error

    def _instead(self, clause: Clause, names: dict[str, str]) -> str:
        """A hint at other commands for the same things, or at other things for the command."""
        ways = [
            quoted(pattern.say(names, clause.verb))
            for pattern in self.grammar.starting_with(clause.verb[0])
            if pattern is not clause.pattern
            and {slot.name for slot in pattern.slots} == set(names)
            and all(self._fits(clause, slot) for slot in pattern.slots)
        ]
        if ways:
            return f" Say {' or '.join(dict.fromkeys(ways))}."
        for slot in clause.pattern.slots:
            if not self._fits(clause, slot) and (others := self.resolver.fitting(slot)):
                return f" {valid(f'What will do in place of {names[slot.name]}', others)}"
        return ""

    def _fits(self, clause: Clause, slot: Slot) -> bool:
        try:
            self.resolver.resolve(clause.things[slot.name], slot, (), lambda: "?x")
        except InstructionError:
            return False
        return True


def _helped_to(phrase: NounPhrase, clause: Clause) -> NounPhrase:
    """Return one thing of which a person is to have some: "bring me fruit", but not "bring me apples"."""
    some = phrase.picks == "some" and phrase.text.startswith("some ")
    for_person = any(slot.type == "person" for slot in clause.pattern.slots)
    is_some = (some or (for_person and not phrase.determined)) and _is_mass(phrase)
    return replace(phrase, picks="a", number=1, plural=False) if is_some else phrase


def _is_mass(phrase: NounPhrase) -> bool:
    """Return whether a noun means several things without being a plural: "fruit"."""
    return phrase.plural and bool(phrase.others) and not phrase.noun.endswith("s")


def _others(referent: Referent, named: set[str]) -> Referent:
    """*referent* without what the same command names: everything on the table goes into the box on it."""
    among = tuple(name for name in referent.among if name not in named)
    if referent.quantifier != "forall" or not among:
        return referent
    return replace(referent, among=among, fitting=among)


def fresh_variables(index: int) -> Callable[[], str]:
    """Return a maker of variables that no command but that of an *index* has."""
    numbers = count()

    def fresh() -> str:
        number = 3 * index + next(numbers)
        return f"?{'xyz'[number]}" if number < 3 else f"?x{number}"

    return fresh


def valid(what: str, names: Iterable[str], most: int = 20) -> str:
    """A sentence with the valid names."""
    listed = sorted(names)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return f"{what}: {', '.join(listed[:most]) or 'nothing'}{more}."


def quoted(words: str) -> str:
    """*words* in quotation marks."""
    return f'"{words}"'
