"""The grammar of commands, compiled from the skills' phrase templates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from foretree.planning.pddl.syntax import (
    Domain,
    Formula,
    Literal,
    constants_of,
)
from foretree.planning.semantics.operator_index import index_of
from foretree.planning.task.goals import parse_goal
from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.grammar.adjuncts import are_placed, leaving_out, source_at
from foretree.reasoning.offline.grammar.clauses import Clause, Pattern, Slot, Source, is_place
from foretree.reasoning.offline.grammar.continuations import going_along, in_turn
from foretree.reasoning.offline.grammar.outcomes import is_destination, needed, undone
from foretree.reasoning.offline.grammar.state_patterns import state_templates
from foretree.reasoning.offline.grammar.state_words import substances
from foretree.reasoning.offline.grammar.verb_synonyms import (
    given,
    left_out,
    separated,
    turned_round,
    with_synonyms,
)
from foretree.reasoning.offline.grammar.word_index import WordIndex
from foretree.reasoning.offline.lexicon import WANT, Phrase, Phrases, skip_fillers
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.noun_phrases import NounPhraseParser
from foretree.reasoning.offline.phrases.words.spots import COMPANY
from foretree.reasoning.offline.word_lists import word_lists
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.world_model.ontology import Ontology

#: Whom something is done for, between a verb and what it is done to.
_FOR_SPEAKER = (["me"], ["us"])
_PART = re.compile(r"\((?P<choice>[^()]*)\)|\{(?P<slot>\w+)(?::(?P<how>\w+))?\}|(?P<word>[^\s(){}]+)")


class Grammar:
    """The forms of all skills over one domain.

    Raises:
        GoalError: a form's goal is not one of the domain.
    """

    def __init__(self, forms: tuple[PhraseTemplate, ...], domain: Domain, ontology: Ontology) -> None:
        synonyms = word_lists("verbs")
        #: The verbs of the skills' own phrases, sorted.
        self.own_verbs = tuple(sorted({word for form in forms for word in _first_words(form)}))
        short = tuple(left_out(forms, synonyms))
        forms = tuple(with_synonyms(forms, synonyms))
        nouns = given(forms, word_lists("verb_nouns"))
        # What says more comes first: "put cereal into the bowl" is not about the box that the cereal is in.
        self.commands = _compiled(
            (*forms, *separated((*forms, *short)), *nouns, *turned_round(forms), *short), domain
        )
        states = _compiled(state_templates(forms, domain, ontology), domain)
        self.patterns = (*self.commands, *(replace(pattern, states=True) for pattern in states))
        self._substances = substances(ontology)
        self.words = frozenset(
            word
            for pattern in self.patterns
            for part in pattern.parts
            if not isinstance(part, Slot)
            for phrase in part
            for word in phrase
        )

    @cached_property
    def _by_words(self) -> WordIndex[Pattern]:
        return WordIndex((pattern, pattern.needed) for pattern in self.patterns)

    @cached_property
    def _by_opening(self) -> Mapping[Phrase, Sequence[Pattern]]:
        found: dict[Phrase, list[Pattern]] = {}
        for pattern in self.patterns:
            for phrase in dict.fromkeys(_openings(pattern)):
                found.setdefault(phrase, []).append(pattern)
        return found

    @cached_property
    def _by_first(self) -> Mapping[str, Sequence[Pattern]]:
        found: dict[str, list[Pattern]] = {}
        for pattern in self.commands:
            for word in _openings(pattern).by_first:
                found.setdefault(word, []).append(pattern)
        return found

    @cached_property
    def _fetching(self) -> frozenset[Phrase]:
        """The verbs with which "for me" says to whom a thing goes: "get the mug for me"."""
        somebody = (pattern for pattern in self.commands if pattern.is_for_somebody)
        return frozenset(phrase for pattern in somebody for phrase in _openings(pattern))

    def _loses_somebody(self, clause: Clause, tokens: Sequence[str]) -> bool:
        """Return whether a reading leaves out for whom a thing is fetched, which is no mere courtesy."""
        if clause.pattern.is_for_somebody or clause.verb not in self._fetching:
            return False
        said = range(clause.start, clause.end)
        return any(tokens[at] == "for" and tokens[at + 1 : at + 2] in _FOR_SPEAKER for at in said)

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The words that commands begin with."""
        return frozenset(phrase[0] for phrase in self.openings)

    @cached_property
    def openings(self) -> frozenset[Phrase]:
        """The phrases that commands begin with."""
        return frozenset(phrase for pattern in self.commands for phrase in _openings(pattern))

    def starting_with(self, word: str) -> Sequence[Pattern]:
        """The patterns of commands that can begin with a word."""
        return self._by_first.get(word, ())

    def clauses(
        self, tokens: list[str], start: int, nouns: NounPhraseParser, before: Clause | None
    ) -> Iterator[Clause]:
        """Every command that may begin at *start* and ends at a connective or with the sentence.

        Args:
            before: the command before this one: "and the apple on the table" goes on with its verb.
        """
        if before is not None:
            along = (*going_along(before, tokens, start, nouns), *in_turn(before, tokens, start, nouns))
            if along:  # nothing else is said of what goes where another thing does
                yield from along
                return
        follows = before is not None and nouns.goes_on(before.end, start)
        word = tokens[start] if start < len(tokens) else ""
        for pattern in self._by_words.among(tokens[start:]):
            first = pattern.parts[0]
            if isinstance(first, Phrases) and word not in lexicon.THERE and not first.longest(tokens, start):
                continue
            # "Take a plate and a spoon to the table" does not go on with "a spoon to the table".
            if not (follows and before is not None and pattern.is_short and not before.pattern.states):
                found = _match(pattern, tokens, start, nouns, self._substances)
                yield from (clause for clause in found if not self._loses_somebody(clause, tokens))
        if before is not None:
            # "Wash the mug and the plate" is one command about two things; what is said once is for both. But
            # "close the window and the fridge" is two, as no form is for both.
            listed = follows and len(before.pattern.parts) == 2
            for pattern in self._by_opening.get(before.verb, ()):
                if pattern.is_to_speaker:
                    continue
                if listed and (len(pattern.parts) != 2 or pattern.slots == before.pattern.slots):
                    continue
                # "Take the coat to the rack and the umbrella" is not about holding the umbrella.
                if pattern.leads_nowhere and not before.pattern.leads_nowhere:
                    continue
                yield from _match(pattern, tokens, start, nouns, self._substances, before.verb)


def _match(
    pattern: Pattern,
    tokens: list[str],
    start: int,
    nouns: NounPhraseParser,
    substances: Mapping[str, str],
    implied: Phrase | None = None,
) -> Iterator[Clause]:
    def rest(
        at: int, things: dict[str, NounPhrase], words: tuple[Phrase, ...], sources: tuple[Source, ...] = ()
    ) -> Iterator[Clause]:
        index = len(things) + len(words)
        if index == len(pattern.parts):
            for left_out, stop in leaving_out(things, nouns, skip_fillers(tokens, at)):
                yield from rest(stop, left_out, words, sources)
            for added, stop in nouns.additions(things, at):
                yield from rest(stop, added, words, sources)
            end = skip_fillers(tokens, at)
            if end == len(tokens) or tokens[end] in lexicon.CONNECTIVES:
                yield Clause(pattern, things, words, start, end, sources)
            return
        part = pattern.parts[index]
        if isinstance(part, Slot) and part.how == "me":
            yield from rest(at, {**things, part.name: NounPhrase("me", "speaker")}, words)
            return
        if isinstance(part, Slot):
            if serves and len(words) == 1 and not things and tokens[at : at + 1] in _FOR_SPEAKER:
                yield from rest(at + 1, things, words)  # "make me a coffee"
            for phrase, end in nouns.at(at):
                if part.how == "from" and not (phrase.where and phrase.where.source):
                    continue
                if phrase.is_room and not part.destination:
                    continue  # "Clean the kitchen" does not mean the one thing there that can be cleaned.
                if phrase.is_room and words[-1:] == (("in",),) and are_placed(things, tokens[start:at]):
                    continue  # "The book on the shelf in the study" is there, or the shelf is.
                yield from rest(end, {**things, part.name: phrase}, words, sources)
            return
        if tokens[at : at + 1] and tokens[at] in lexicon.THERE and is_place(pattern, index + 1):
            yield from rest(at, things, (*words, part[0]), sources)  # "put it there"
        slot = pattern.parts[index + 1] if index + 1 < len(pattern.parts) else None
        if index and isinstance(slot, Slot) and slot.destination:
            shall_be = lexicon.BE in part.by_first
            said_so = not shall_be or tokens[at : at + 1] == [lexicon.BE]
            for spot, end in nouns.spots(at + shall_be, (*words, ("",))[0][0]) if said_so else ():
                company = tokens[at + shall_be] in COMPANY
                if (spot.is_room or company) and are_placed(things, tokens[start:at]):
                    continue  # "The plate on the table with a mug" shall be there, or is.
                said = tuple(tokens[at : at + 1 + shall_be])
                said = said if spot.is_room else min(part, key=lambda one: (len(one), one))
                yield from rest(end, {**things, slot.name: spot}, (*words, said), sources)  # "beside the mug"
        for phrase_words in part.at(tokens, at):
            after = at + len(phrase_words)
            yield from rest(after, things, (*words, phrase_words), sources)
            has = substances.get(phrase_words[-1], "")
            for phrase, end in source_at(tokens, after, nouns) if has else ():
                yield from rest(end, things, (*words, phrase_words), (*sources, (phrase, has)))
        directed = at < len(tokens) and tokens[at] in lexicon.DIRECTIONS
        if index and directed and is_place(pattern, index + 1):
            for phrase_words in part.at(tokens, at + 1):
                yield from rest(at + 1 + len(phrase_words), things, (*words, phrase_words), sources)

    # "Bring me the cup to the table", but "bring me the cup" is to hand it over.
    serves = any(slot.destination and slot.type != "person" for slot in pattern.slots)
    serves = serves or tokens[start : start + 1] == ["make"]
    wishes = implied is None and not _openings(pattern) and tokens[start] == WANT
    yield from rest(start + wishes, {}, () if implied is None else (implied,))


def _first_words(form: PhraseTemplate) -> set[str]:
    """The words that a template may begin with."""
    part = _PART.match(form.say.lower())
    words = (part["choice"] or part["word"] or "") if part is not None else ""
    return {choice.split()[0] for choice in words.split("|") if choice}


def _openings(pattern: Pattern) -> Phrases:
    first = pattern.parts[0]
    return Phrases() if isinstance(first, Slot) else first


def _compiled(forms: Iterable[PhraseTemplate], domain: Domain) -> tuple[Pattern, ...]:
    compiler = _Compiler(domain)

    def can_be_said(pattern: Pattern) -> bool:  # nobody is a bowl to pour into
        return all(domain.is_a("person", slot.type) for slot in pattern.slots if slot.how == "me")

    return tuple(sorted(filter(can_be_said, map(compiler.pattern, forms)), key=lambda one: len(one.slots)))


@dataclass(frozen=True)
class _Meaning:
    """Meaning of a template, however it is worded."""

    slots: Mapping[str, Slot]
    goal: Formula
    undoes: tuple[Literal, ...]
    needs: tuple[Literal, ...]


class _Compiler:
    """Compiles templates; many are wordings of the same goal."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._meanings: dict[tuple[str, str, tuple[str, ...], frozenset[str]], _Meaning] = {}

    def pattern(self, form: PhraseTemplate) -> Pattern:
        said = [*_PART.finditer(form.say.lower())]
        names = frozenset(match["slot"] for match in said if match["slot"])
        key = (form.skill, form.goal, form.operators, names)
        meaning = self._meanings.get(key)
        if meaning is None:
            meaning = self._meanings[key] = self._meaning(form, names)
        parts: list[Slot | Phrases] = []
        for match in said:
            if match["slot"]:
                parts.append(replace(meaning.slots[match["slot"]], how=match["how"] or ""))
            else:
                choices = (match["choice"] or match["word"]).split("|")
                parts.append(Phrases(tuple(choice.split()) for choice in choices))
        return Pattern(form, _joined(parts), meaning.goal, meaning.undoes, meaning.needs)

    def _meaning(self, form: PhraseTemplate, names: Iterable[str]) -> _Meaning:
        domain = self._domain
        operator = domain.operators[form.skill]
        static = index_of(domain).parts(operator).static
        types = {parameter.name[1:]: parameter.type for parameter in operator.parameters}
        slots = {}
        for name in names:
            needs = (part.atom[0] for part in static if part.positive and part.atom[1:] == (f"?{name}",))
            slots[name] = Slot(name, types[name], tuple(needs))
        text = re.sub(r"\{(\w+)\}", r"_\1_", form.goal)
        goal = parse_goal(text, domain, {slot.stand_in: slot.type for slot in slots.values()}).formula
        about = constants_of(goal)
        slots = {
            name: replace(
                slot,
                destination=is_destination(slot.stand_in, goal),
                beside=slot.stand_in not in about,
            )
            for name, slot in slots.items()
        }
        named = {f"?{name}": slot.stand_in for name, slot in slots.items()}
        operators = [domain.operators[name] for name in form.operators or (form.skill,)]
        return _Meaning(slots, goal, tuple(undone(operators, named)), needed(operators, named))


def _joined(parts: list[Slot | Phrases]) -> tuple[Slot | Phrases, ...]:
    """*parts* with words that follow each other made one choice, so that "turn on" is one opening."""
    joined: list[Slot | Phrases] = []
    for part in parts:
        before = joined[-1] if joined else None
        if isinstance(part, Slot) or before is None or isinstance(before, Slot):
            joined.append(part)
        else:
            joined[-1] = Phrases((*one, *other) for one, other in product(before, part))
    return tuple(joined)
