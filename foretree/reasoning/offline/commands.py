"""The offline reasoner for direct commands: "take the mug and put it in the sink".

It reads an instruction with a grammar made of the skills' forms, finds out which things the words stand for,
and states the goal. It needs no model and no network, and always understands the same words the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count, product

from foretree.planning.pddl.syntax import TRUE, Domain, Literal, substitute, substitute_atom
from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    InstructionError,
    NoSuchThingError,
    NotPossibleError,
    NotUnderstoodError,
)
from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.grammar.goal_assembly import PartialGoal, assemble_goal
from foretree.reasoning.offline.grammar.patterns import Clause, Grammar, Slot
from foretree.reasoning.offline.lexicon import Phrase, skip_between, tokens_of
from foretree.reasoning.offline.phrases.known_things import conjoined, either
from foretree.reasoning.offline.phrases.noun_phrases import LocationPhrase, NounPhrase, NounPhraseParser
from foretree.reasoning.offline.phrases.referents import Discourse, Group, Referent, ReferentResolver
from foretree.reasoning.offline.questions import answer_question
from foretree.reasoning.offline.sentences.unsupported import explain_unsupported, is_foreign, similar_words
from foretree.reasoning.offline.sentences.wording import put_plainly
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.reasoning.reasoner import Situation, Understanding

#: Longer instructions are refused: the number of ways to read one grows with its length.
MOST_WORDS = 80
#: So many readings are tried before giving up on a sentence that has none.
MOST_READINGS = 3000
#: What means something that no word says: less than nothing, a part, an amount of money.
_SIGN = re.compile(r"(?:^|\s)[-−+]\s?\d+|\d+\s?[%‰]|[%$€£<>=^~|{}*\\]")


@dataclass(frozen=True)
class _Command:
    """One command, resolved."""

    clause: Clause
    groups: dict[str, Group]
    wanted: tuple[str, ...]
    discourse: Discourse
    besides: tuple[PartialGoal, ...] = ()

    def demands(self) -> tuple[PartialGoal, ...]:
        names = list(self.groups)
        demands = []
        for chosen in product(*(self.groups[name] for name in names)):
            binding = {f"_{name}_": r.term for name, r in zip(names, chosen, strict=True)}
            pattern = self.clause.pattern
            undoes, needs = (
                tuple(Literal(substitute_atom(e.atom, binding), e.positive) for e in literals)
                for literals in (pattern.undoes, pattern.needs)
            )
            goal = substitute(pattern.goal, binding)
            demands.append(PartialGoal(goal, chosen, undoes, needs, self.sentence()))
        return (*demands, *self.besides)

    def sentence(self) -> str:
        return self.clause.say(
            {
                name: conjoined(dict.fromkeys(referent.says for referent in group))
                for name, group in self.groups.items()
            }
        )


class CommandReasoner:
    """Understands direct commands, without a model."""

    def __init__(self) -> None:
        self._compiled: tuple[tuple[PhraseTemplate, ...], Domain, Grammar] | None = None

    def understand(self, instruction: str, situation: Situation) -> Understanding:
        """The goal of *instruction*.

        Raises:
            InstructionError: it cannot be understood, is ambiguous, or asks for what cannot be done; the
                message says what could be said instead.
        """
        answer = answer_question(instruction, situation)
        if answer is not None:
            return Understanding(TRUE, answer, answer=answer)
        return _Reading(instruction, situation, self._grammar(situation)).understanding()

    def _grammar(self, situation: Situation) -> Grammar:
        forms, domain = situation.forms, situation.domain
        if self._compiled is None or self._compiled[0] is not forms or self._compiled[1] is not domain:
            self._compiled = (forms, domain, Grammar(forms, domain))
        return self._compiled[2]


class _Reading:
    """The work of one :meth:`CommandReasoner.understand`."""

    def __init__(self, instruction: str, situation: Situation, grammar: Grammar) -> None:
        self.instruction = instruction
        self.situation = situation
        self.grammar = grammar
        self.tokens = put_plainly(tokens_of(instruction), grammar.verbs)
        self.nouns = NounPhraseParser(self.tokens, situation)
        self.resolver = ReferentResolver(situation)
        self.tried = 0
        self.failures: list[tuple[int, int, int, InstructionError]] = []
        #: Where clauses begin that make sense: other readings of these are not to blame.
        self.sensible: set[int] = set()
        self.furthest = 0

    def understanding(self) -> Understanding:
        if (sign := _SIGN.search(self.instruction)) is not None:
            raise NotUnderstoodError(f"I do not understand {_quoted(sign.group().strip())}. Say it in words.")
        words = [token for token in self.tokens if token not in (",", ";", ".")]
        if not words:
            raise NotUnderstoodError('Nothing was said. Say for example "put the mug on the table".')
        if len(words) > MOST_WORDS:
            raise NotUnderstoodError(
                f"The instruction has {len(words)} words; I read at most {MOST_WORDS}. Say less at once."
            )
        for commands in self._sentences(0, (), ()):
            try:
                demands = [command.demands() for command in commands]
                goal = assemble_goal(demands, self.situation.beliefs.vocabulary, self.resolver.around)
            except InstructionError as error:
                self._fail(commands[-1].clause.start, error)
                continue
            wanted = tuple(dict.fromkeys(name for command in commands for name in command.wanted))
            sentence = ", then ".join(command.sentence() for command in commands)
            return Understanding(goal, sentence, wanted)
        raise self._why_not()

    # -- reading -----------------------------------------------------------------------------------
    def _sentences(
        self, at: int, before: tuple[_Command, ...], discourse: Discourse
    ) -> Iterator[tuple[_Command, ...]]:
        """Every way to read the rest of the instruction as commands whose things can all be found."""
        at = skip_between(self.tokens, at)
        if at == len(self.tokens):
            if before:
                yield before
            return
        previous = before[-1].clause if before else None
        done: set[tuple[object, ...]] = set()
        began = False
        for clause in self.grammar.clauses(self.tokens, at, self.nouns, previous):
            self.tried += 1
            if self.tried > MOST_READINGS:
                return
            self.furthest = max(self.furthest, clause.end)
            began = True
            try:
                command = self._resolve(clause, discourse, len(before))
            except InstructionError as error:
                self._fail(at, error)
                continue
            if clause.end < len(self.tokens):
                self.sensible.add(at)
            same = (clause.end, command.demands())
            if same not in done:
                done.add(same)
                yield from self._sentences(clause.end, (*before, command), command.discourse)
        if before and not began and self.grammar.starting_with(self.tokens[at]):
            # What came before makes sense; it is here that the sentence goes wrong.
            self._fail(at, self._no_form(at))

    def _resolve(self, clause: Clause, discourse: Discourse, index: int) -> _Command:
        groups: dict[str, Group] = {}
        wanted: list[str] = []
        numbers = count()

        def fresh() -> str:
            number = 3 * index + next(numbers)
            return f"?{'xyz'[number]}" if number < 3 else f"?x{number}"

        misfits: list[NotPossibleError] = []
        besides: list[PartialGoal] = []
        for slot in clause.pattern.slots:
            phrase = clause.things[slot.name]
            try:
                phrase, place = self.resolver.final_place(phrase, slot, discourse)
                group, missing = self.resolver.resolve(phrase, slot, discourse, fresh)
                if phrase.load is not None or place is not None:
                    more, lacking = self._resolve_besides(group, phrase, place, slot, discourse, fresh)
                    besides.extend(more)
                    missing = (*missing, *lacking)
            except NotPossibleError as error:
                misfits.append(error)
                continue
            groups[slot.name] = group
            wanted.extend(missing)
            beside = self.resolver.beside(phrase, group, discourse)
            discourse = (*discourse, *beside, group)
        if misfits:
            raise self._not_possible(clause, misfits)
        named = {r.term for group in groups.values() for r in group if r.quantifier is None}
        groups = {name: tuple(_others(r, named) for r in group) for name, group in groups.items()}
        return _Command(clause, groups, tuple(wanted), discourse, tuple(besides))

    def _resolve_besides(
        self,
        group: Group,
        phrase: NounPhrase,
        place: LocationPhrase | None,
        slot: Slot,
        discourse: Discourse,
        fresh: Callable[[], str],
    ) -> tuple[list[PartialGoal], tuple[str, ...]]:
        """What shall rest in or on a thing, and where that shall be, with the classes to be found first."""
        if len(group) != 1 or group[0].several or (phrase.load is not None and slot.destination):
            raise NotUnderstoodError(f'"{phrase.text}" is not understood yet. Say one thing after the other.')
        goals: list[PartialGoal] = []
        wanted: tuple[str, ...] = ()
        ontology = self.situation.ontology
        for relation, other, is_load in (
            *(() if phrase.load is None else ((phrase.load[0] or "in", phrase.load[1], True),)),
            *(() if place is None or place.place is None else ((place.relations[0], place.place, False),)),
        ):
            there = Slot("item", "item") if is_load else Slot("place", "asset", destination=True)
            found, missing = self.resolver.resolve(other, there, discourse, fresh)
            wanted = (*wanted, *missing)
            for one in found:
                thing, support = (one, group[0]) if is_load else (group[0], one)
                way = ontology.way_to_rest(relation, support.type)
                goals.append(PartialGoal(Literal((way, thing.term, support.term)), (thing, support)))
        return goals, wanted

    # -- when it cannot be read --------------------------------------------------------------------
    def _fail(self, at: int, error: InstructionError) -> None:
        rank = (AmbiguousError, NoSuchThingError, NotPossibleError, NotUnderstoodError)
        kind = next(i for i, k in enumerate(rank) if isinstance(error, k))
        misfits = error.misfits if isinstance(error, NotPossibleError) else 0
        self.failures.append((-at, misfits, kind, error))

    def _not_possible(self, clause: Clause, misfits: list[NotPossibleError]) -> NotPossibleError:
        names = {name: phrase.text for name, phrase in clause.things.items()}
        why = "; ".join(dict.fromkeys(str(error) for error in misfits))
        says = f"{_quoted(clause.say(names))} cannot be done: {why}."
        return NotPossibleError(says + self._instead(clause, names), sum(e.misfits for e in misfits))

    def _instead(self, clause: Clause, names: dict[str, str]) -> str:
        """A hint at other commands for the same things, or at other things for the command."""
        ways = [
            _quoted(pattern.say(names, clause.verb))
            for pattern in self.grammar.starting_with(clause.verb[0])
            if pattern is not clause.pattern
            and {slot.name for slot in pattern.slots} == set(names)
            and all(self._fits(clause, slot) for slot in pattern.slots)
        ]
        if ways:
            return f" Say {' or '.join(dict.fromkeys(ways))}."
        for slot in clause.pattern.slots:
            if not self._fits(clause, slot) and (others := self.resolver.fitting(slot)):
                return f" {_valid(f'What will do in place of {names[slot.name]}', others)}"
        return ""

    def _fits(self, clause: Clause, slot: Slot) -> bool:
        try:
            self.resolver.resolve(clause.things[slot.name], slot, (), lambda: "?x")
        except InstructionError:
            return False
        return True

    def _why_not(self) -> InstructionError:
        asked = self.instruction.rstrip().endswith("?")
        instead = explain_unsupported(self.tokens, asked, self.grammar.words, self.grammar.verbs)
        if instead is not None:
            return NotUnderstoodError(instead)
        unknown = self._unknown_words()
        if unknown:
            return self._unknown(unknown)
        if self.failures:
            at, misfits, _, error = min(self.failures, key=lambda failure: failure[:3])
            if not misfits or -at not in self.sensible:
                return error
        return self._no_form()

    def _known_words(self) -> frozenset[str]:
        return frozenset({*self.grammar.words, *lexicon.FUNCTION_WORDS, *self.nouns.words})

    def _unknown_words(self) -> list[int]:
        known = self._known_words()
        return [
            at
            for at, token in enumerate(self.tokens)
            if token not in known and not token.isdigit() and token not in self.situation.beliefs.entities()
        ]

    def _unknown(self, unknown: list[int]) -> NotUnderstoodError:
        words = tuple(dict.fromkeys(_quoted(self.tokens[at]) for at in unknown))
        said = conjoined(words if len(words) < 6 else (*words[:5], "more"))
        meant = {self.tokens[at]: meant for at in unknown if (meant := self._meant(at))}
        if len(unknown) == 1 and meant:
            hint = f"Did you mean {either(next(iter(meant.values())))}?"
        elif meant and (2 * len(meant) >= len(unknown) or not is_foreign(self.tokens, unknown)):
            hint = " ".join(f"{_quoted(word)}: did you mean {either(few)}?" for word, few in meant.items())
        elif is_foreign(self.tokens, unknown):
            hint = f"I know English commands only. They begin with: {', '.join(self.grammar.verbs)}."
        elif self._is_verb(unknown[0]):
            hint = f"Commands begin with: {', '.join(self.grammar.verbs)}."
        elif self.situation.discovered:
            names = self.situation.ontology.names()
            hint = _valid("Things there may be", tuple(names))
        else:
            hint = _valid("Things here", self.situation.beliefs.entities())
        return NotUnderstoodError(f"I do not understand {said}. {hint}")

    def _meant(self, at: int) -> tuple[str, ...]:
        """The words that an unknown one may have been meant for: commands where one begins, else any."""
        word = self.tokens[at]
        if self._is_verb(at):
            return similar_words(word, self.grammar.verbs, verb=True)
        return similar_words(word, {*self._known_words(), *self.situation.beliefs.entities()})

    def _is_verb(self, at: int) -> bool:
        """True if a command should begin with the word at a position, or its sentence begins with none."""
        connectives = (i for i, token in enumerate(self.tokens[:-1]) if token in lexicon.CONNECTIVES)
        starts = {skip_between(self.tokens, i) for i in (0, *(i + 1 for i in connectives))}
        start = max((i for i in starts if i <= at), default=0)
        return at == start or not (
            self.grammar.starting_with(self.tokens[start]) or start in self._unknown_words()
        )

    def _no_form(self, at: int | None = None) -> NotUnderstoodError:
        if at is None:
            at = skip_between(self.tokens, min(self.furthest, len(self.tokens) - 1))
            at = min(at, len(self.tokens) - 1)
        rest = " ".join(self.tokens[at:])
        patterns = self.grammar.starting_with(self.tokens[at])
        if not patterns:
            verbs = ", ".join(self.grammar.verbs)
            return NotUnderstoodError(
                f"I know the words of {_quoted(rest)}, but it is no command. Commands begin with: {verbs}."
            )
        ways = list(dict.fromkeys(p.say({}, _opening(p.parts[0], self.tokens[at])) for p in patterns))
        shown = "; ".join(_quoted(way) for way in ways[:6])
        return NotUnderstoodError(
            f"I know the words of {_quoted(rest)}, but not what they ask for. "
            f"{self._note_on_people(self.tokens[at:])}One can say: {shown}."
        )

    def _note_on_people(self, said: list[str]) -> str:
        """A note that no skill serves people, if the speaker asks for that."""
        for_people = any(slot.type == "person" for pattern in self.grammar.patterns for slot in pattern.slots)
        me = next((token for token in said if token in lexicon.SPEAKER), None)
        if me is None or for_people:
            return ""
        return f"I cannot hand anything to {_quoted(me)} or anybody else; name a place instead. "


def _others(referent: Referent, named: set[str]) -> Referent:
    """*referent* without what the same command names: everything on the table goes into the box on it."""
    among = tuple(name for name in referent.among if name not in named)
    if referent.quantifier != "forall" or not among:
        return referent
    return replace(referent, among=among, fitting=among)


def _opening(part: Slot | tuple[Phrase, ...], word: str) -> Phrase | None:
    if isinstance(part, Slot):
        return None
    return next((phrase for phrase in part if phrase[0] == word), None)


def _valid(what: str, names: Iterable[str], most: int = 20) -> str:
    """A sentence with the valid names."""
    listed = sorted(names)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return f"{what}: {', '.join(listed[:most]) or 'nothing'}{more}."


def _quoted(words: str) -> str:
    return f'"{words}"'
