"""Noun phrases: the parts of a sentence that stand for things, not resolved yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from foretree.planning.semantics.operator_index import index_of
from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.grammar.state_words import state_words
from foretree.reasoning.offline.lexicon import Phrase, Phrases, opening, starts_with
from foretree.reasoning.offline.phrases.rooms import RoomPart, RoomPhrases
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import WHEREABOUTS
from foretree.world_model.ontology import Naming

#: How a noun phrase picks its things: *the* one, *a*ny one, *all*, *some* number, by *name*, the one that was
#: spoken of before (*it*, *them*), or the *speaker*.
ReferenceKind = Literal["the", "a", "all", "some", "name", "it", "them", "speaker"]


@dataclass(frozen=True, slots=True)
class LocationPhrase:
    """A limit on where things are: in one of *relations* to *place*, or in a *room*; *text* has the words.

    A *source* is where they are to be taken from.
    """

    relations: tuple[str, ...]
    place: NounPhrase | None = None
    room: RoomPart | None = None
    text: str = ""
    source: bool = False


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """Words for one or several things.

    Attributes:
        text: the words.
        picks: how it picks its things.
        class_name: their class (or a type of the domain); None when any will do.
        number: how many, when it picks *some*.
        plural: whether it speaks of several.
        name: the entity's name, when it picks by name.
        states: what must be so of them: predicate, and whether it holds.
        where: where they must be.
        also: further noun phrases that were listed with this one.
        others: further classes that the noun names: dishes are plates, and mugs, and bowls.
        exact: whether it says that there are no more than the number: "both mugs", "the two mugs".
        noun: the words of the noun alone.
        determined: whether a word says how it picks: "all mugs", not "mugs".
        qualities: words for what cannot be told of things, such as their colours.
        load: what shall be in or on it: "a mug with a spoon in it"; with the relation, empty if not said.
        is_room: whether it names a room, which is right for where something shall be: what is there will do.
    """

    text: str
    picks: ReferenceKind
    class_name: str | None = None
    number: int = 1
    plural: bool = False
    name: str | None = None
    states: tuple[tuple[str, bool], ...] = ()
    where: LocationPhrase | None = None
    also: tuple[NounPhrase, ...] = ()
    others: tuple[str, ...] = ()
    exact: bool = False
    noun: str = ""
    determined: bool = True
    qualities: tuple[str, ...] = ()
    load: tuple[str, NounPhrase] | None = None
    is_room: bool = False

    @property
    def needed(self) -> int:
        """The least number of things that it takes."""
        return self.number if self.picks == "some" else 1


class NounPhraseParser:
    """Finds noun phrases in the words of one instruction."""

    def __init__(self, tokens: list[str], situation: Situation) -> None:
        self._tokens = tokens
        self._ontology = situation.ontology
        self._types = frozenset(situation.domain.types)
        entities = sorted(situation.beliefs.entities())
        self._named = {name.replace("_", "").lower(): name for name in entities} | {n: n for n in entities}
        self._rooms = RoomPhrases(situation)
        self._domain = situation.domain
        self._states: dict[Phrase, list[tuple[str, bool]]] = {}
        for words, state in _state_words(situation):
            self._states.setdefault(words, []).append(state)
        self._relations = dict(_relation_words(situation))
        self._longest_state = max((len(words) for words in self._states), default=0)

    @property
    def words(self) -> frozenset[str]:
        """Every word that may be part of a noun phrase, apart from those of the lexicon."""
        names = (tuple(name.split()) for name in self._ontology.all_names())
        phrases = (*self._states, *self._relations, *self._rooms, *names)
        return frozenset(word for phrase in phrases for word in phrase)

    def at(self, start: int) -> Iterator[tuple[NounPhrase, int]]:
        """Every noun phrase that begins at *start*, with where it ends; longer ones first.

        In "a mug on table1 and a plate on table2" the mug is hardly ever one that is there: that comes last.
        """
        unlikely = []
        for first, end in self._singles(start, 2):
            for phrase, stop in self._lists(first, end):
                if phrase.also and first.where is not None and self._is_relation(stop):
                    unlikely.append((phrase, stop))
                else:
                    yield phrase, stop
        yield from unlikely

    def _is_relation(self, at: int) -> bool:
        return any(starts_with(self._tokens, at, words) for words in self._relations)

    def _lists(self, first: NounPhrase, end: int) -> Iterator[tuple[NounPhrase, int]]:
        after = self._after_list_separator(end)
        if after is not None:
            for more, stop in self.at(after):
                one, rest = _sharing(first, replace(more, also=()))
                yield replace(one, also=(*one.also, rest, *more.also)), stop
        yield first, end

    def goes_on(self, end: int, start: int) -> bool:
        """True if the words from *start* on continue a list that ends at *end*."""
        return self._after_list_separator(end) == start

    def _after_list_separator(self, at: int) -> int | None:
        separators = ((",", "and"), ("as", "well", "as"), (",",), ("and",))
        return next((at + len(words) for words in separators if starts_with(self._tokens, at, words)), None)

    def _singles(self, start: int, nesting: int) -> Iterator[tuple[NounPhrase, int]]:
        for bare, end in self._bare(start):
            if nesting and bare.picks in ("the", "a", "all", "some", "it", "them"):
                yield from self._laden(bare, end, nesting)
                for where, stop in self._where(end, nesting):
                    limited = _limited(bare, replace(where, text=self._text(end, stop)))
                    yield from self._laden(limited, stop, nesting)
                    yield limited, stop
                yield from self._beside(bare, end, nesting)
            yield bare, end

    def locations(self, start: int) -> Iterator[tuple[LocationPhrase, int]]:
        """Every place that the words from *start* on name, with where the words end."""
        for where, end in self._where(start, 2):
            yield replace(where, text=self._text(start, end)), end

    def state(self, start: int) -> tuple[tuple[str, bool], int] | None:
        """The state that the words from *start* on name, with where the words end."""
        found = self._meanings(start)
        return None if found is None else (found[0][0], found[1])

    def _meanings(self, start: int) -> tuple[Sequence[tuple[str, bool]], int] | None:
        """The states that the words from *start* on may mean, with where the words end."""
        for length in range(self._longest_state, 0, -1):
            words = tuple(self._tokens[start : start + length])
            if words in self._states:
                return self._states[words], start + len(words)
        return None

    def _laden(self, phrase: NounPhrase, at: int, nesting: int) -> Iterator[tuple[NounPhrase, int]]:
        """The phrase with what shall be in or on it: "with a spoon in it"."""
        start = self._after_any(at, lexicon.WITH)
        if start is None or phrase.picks in ("it", "them") or nesting < 2:
            return
        for load, end in self._listed(start):
            for words, relation in lexicon.WITHIN:
                if starts_with(self._tokens, end, words):
                    stop = end + len(words)
                    yield replace(phrase, load=(relation, load), text=self._text_to(phrase, at, stop)), stop
            yield replace(phrase, load=("", load), text=self._text_to(phrase, at, end)), end

    def _listed(self, start: int) -> Iterator[tuple[NounPhrase, int]]:
        """One thing or two, without places: "a knife and a slice of bread"."""
        for one, end in self._singles(start, 0):
            after = self._after_list_separator(end)
            if after is not None:
                for other, stop in self._singles(after, 0):
                    yield replace(one, also=(other,)), stop
            yield one, end

    def _beside(self, phrase: NounPhrase, at: int, nesting: int) -> Iterator[tuple[NounPhrase, int]]:
        """The phrase with the furniture that it is beside, or the part of the room where it is."""

        def with_words(end: int) -> tuple[NounPhrase, int]:
            words = self._text(at, end)
            text = f"{phrase.text} {words}"
            return replace(phrase, text=text, qualities=(*phrase.qualities, words)), end

        if phrase.picks not in ("the", "a"):
            return
        start = self._after_any(at, lexicon.BESIDE)
        if start is not None:
            for other, end in self._singles(start, nesting - 1):
                if other.class_name and self._ontology.type_of(other.class_name) != "item":
                    yield with_words(end)
        after = None if self._rooms else self._after_any(at, lexicon.REGIONS)
        if after is not None:
            yield with_words(after)

    def _after_any(self, at: int, phrases: Phrases) -> int | None:
        length = opening(self._tokens, phrases, at)
        return at + length if length else None

    def _text_to(self, phrase: NounPhrase, at: int, end: int) -> str:
        return f"{phrase.text} {self._text(at, end)}"

    # -- without a place ---------------------------------------------------------------------------
    def _bare(self, start: int) -> Iterator[tuple[NounPhrase, int]]:
        if start >= len(self._tokens):
            return
        word = self._tokens[start]
        if word in lexicon.SPEAKER:
            yield NounPhrase(word, "speaker"), start + 1
        if word in lexicon.ANYTHING:
            picks: ReferenceKind = "all" if lexicon.ANYTHING[word] == "all" else "a"
            yield NounPhrase(word, picks, plural=picks == "all"), start + 1
        yield from self._described(start)
        for where, end in self._room(start):
            text = self._text(start, end)
            yield NounPhrase(text, "the", where=replace(where, text=text), noun=text, is_room=True), end
        # After the nouns: "that mug" is a mug before it is "that".
        if word in lexicon.IT:
            yield NounPhrase(word, "it"), start + 1
        if word in lexicon.THEM:
            yield NounPhrase(word, "them", plural=True), start + 1

    def _described(self, start: int) -> Iterator[tuple[NounPhrase, int]]:
        for picks, number, after_determiner in self._determiners(start):
            if picks in (None, "the"):
                for name, end in self._entity_names(after_determiner):
                    yield NounPhrase(self._text(start, end), "name", name=name), end
            states, qualities, at = self._adjectives(after_determiner)
            word = self._tokens[start]
            exact = picks == "some" and (word == lexicon.BOTH or word in lexicon.DEFINITE)
            for naming, end in self._nouns(at):
                actual: ReferenceKind = picks or ("all" if naming.plural else "the")
                if actual == "the" and naming.plural:
                    actual = "all"
                if word in lexicon.SOME and not naming.plural:
                    actual = "a"  # "some milk"
                yield (
                    NounPhrase(
                        self._text(start, end),
                        actual,
                        naming.class_name or None,
                        number,
                        naming.plural,
                        states=tuple(self._state_of(naming.class_name, meanings) for meanings in states),
                        others=naming.others,
                        exact=exact,
                        noun=self._text(at, end),
                        determined=picks is not None,
                        qualities=qualities,
                    ),
                    end,
                )

    def _determiners(self, start: int) -> Iterator[tuple[ReferenceKind | None, int, int]]:
        """The kind of reference (None if no word says it), the number, and the start of the description."""
        word, after = self._tokens[start], start + 1
        number = self._number(start)
        if word in lexicon.UNIVERSAL:
            yield "all", 2, self._after_of_the(after)
        elif word == lexicon.BOTH:
            yield "some", 2, self._after_of_the(after)
        elif number:
            yield ("some" if number > 1 else "a"), number, self._after_of_the(after)
        elif starts_with(self._tokens, start, ("a", "couple", "of")):
            yield "some", 2, start + 3
        elif word in lexicon.DEFINITE:
            number = self._number(after)
            yield ("some" if number > 1 else "the"), max(number, 1), after + (number > 0)
        elif word in lexicon.INDEFINITE:
            yield "a", 1, after
        elif word in lexicon.SOME:
            yield "some", 2, after
        else:
            yield None, 1, start

    def _after_of_the(self, at: int) -> int:
        at += self._word(at) == "of"
        return at + (self._word(at) in lexicon.DEFINITE)

    def _word(self, at: int) -> str:
        """The word at a position; empty after the last."""
        return self._tokens[at] if at < len(self._tokens) else ""

    def _number(self, at: int) -> int:
        """The number at a position; 0 if there is none."""
        word = self._word(at)
        return int(word) if word.isdigit() and len(word) < 4 else lexicon.NUMBERS.get(word, 0)

    def _entity_names(self, at: int) -> Iterator[tuple[str, int]]:
        """Names of entities, longer ones first: ``mug1`` or ``mug 1``, ``my_door`` or ``my door``."""
        for length in (4, 3, 2, 1):
            words = self._tokens[at : at + length]
            if len(words) == length and (name := self._named.get("".join(words))) is not None:
                yield name, at + length

    def _state_of(self, class_name: str, meanings: Sequence[tuple[str, bool]]) -> tuple[str, bool]:
        """The state that a word means of things of a class: of what is not cooked, "cooked" is hot."""
        able = (state for state in meanings if self._can_become(class_name, state[0]))
        return meanings[0] if len(meanings) == 1 else next(able, meanings[0])

    def _can_become(self, class_name: str, predicate: str) -> bool:
        """True if an action brings about the state, of things that afford what those of the class do."""
        for operator in self._domain.operators.values():
            static = index_of(self._domain).parts(operator).static
            for effect in operator.effects:
                predicate_of, *terms = effect.literal.atom
                if predicate_of == predicate and effect.literal.positive:
                    needs = (
                        part.atom[0] for part in static if part.positive and part.atom[1:] == (terms[0],)
                    )
                    if all(self._ontology.affords(class_name, need) for need in needs):
                        return True
        return False

    def _adjectives(self, at: int) -> tuple[tuple[Sequence[tuple[str, bool]], ...], tuple[str, ...], int]:
        states: list[Sequence[tuple[str, bool]]] = []
        qualities: list[str] = []
        while True:
            found = self._meanings(at)
            if found is not None:
                states.append(found[0])
                at = found[1]
            elif self._word(at) in lexicon.QUALITIES and not self._is_noun(at):
                qualities.append(self._word(at))
                at += 1
                continue
            else:
                return tuple(states), tuple(qualities), at
            if self._word(at) == "and" and self._word(at + 1) in {words[0] for words in self._states}:
                at += 1

    def _nouns(self, at: int) -> Iterator[tuple[Naming, int]]:
        """Nouns at a position; of things of whatever kind the class is empty."""
        for length in range(self._ontology.longest_name, 0, -1):
            if at + length > len(self._tokens):
                continue
            naming = self._ontology.named(" ".join(self._tokens[at : at + length]))
            if naming is not None:
                yield naming, at + length
        word = self._word(at)
        if word in lexicon.THING or word in lexicon.THINGS:
            singular = word.removesuffix("s")
            yield Naming(singular if singular in self._types else "", word in lexicon.THINGS), at + 1

    def _is_noun(self, at: int) -> bool:
        """True if a noun begins there, so that "orange" is a fruit unless a noun follows it."""
        return any(not any(self._nouns(end)) for _, end in self._nouns(at))

    # -- where -------------------------------------------------------------------------------------
    def _where(self, at: int, nesting: int) -> Iterator[tuple[LocationPhrase, int]]:
        at += next((len(words) for words in lexicon.RELATIVE if starts_with(self._tokens, at, words)), 0)
        for words in sorted(self._relations, key=lambda w: (-len(w), w)):
            if not starts_with(self._tokens, at, words):
                continue
            after = at + len(words)
            for place, end in self._singles(after, nesting - 1):
                if not place.is_room:
                    is_source = words[0] in lexicon.SOURCES
                    yield LocationPhrase(self._relations[words], place, source=is_source), end
            yield from self._room(after)

    def _room(self, at: int) -> Iterator[tuple[LocationPhrase, int]]:
        for room, end in self._rooms.at(self._tokens, at):
            yield LocationPhrase((), room=room), end

    def _text(self, start: int, end: int) -> str:
        return " ".join(self._tokens[start:end])


def _sharing(first: NounPhrase, second: NounPhrase) -> tuple[NounPhrase, NounPhrase]:
    """Two phrases of a list with what is said once for both: "all dirty mugs and plates on the table"."""
    if second.determined or not (first.picks == "all" or (first.plural and second.plural)):
        return first, second
    picks = "all" if first.picks == "all" else second.picks
    second = replace(second, picks=picks, states=second.states or first.states)
    if first.where is None and second.where is not None:
        first = _limited(first, second.where)
    return first, second


def _limited(phrase: NounPhrase, where: LocationPhrase) -> NounPhrase:
    return replace(phrase, where=where, text=f"{phrase.text} {where.text}")


def _state_words(situation: Situation) -> Iterator[tuple[Phrase, tuple[str, bool]]]:
    """The phrases for the states of things that actions change and that can be seen.

    Where several states have the same word, that comes first which is called so.
    """
    vocabulary = situation.beliefs.vocabulary
    changing = index_of(situation.domain).fluents
    found: list[tuple[Phrase, tuple[str, bool]]] = []
    for predicate, parameters in situation.domain.predicates.items():
        if len(parameters) == 1 and predicate in changing and vocabulary[predicate].kind != "robot":
            words, opposites = state_words(predicate, situation.ontology)
            found += ((tuple(said.split()), (predicate, True)) for said in words)
            found += ((tuple(said.split()), (predicate, False)) for said in opposites)
    # "The lamp is on", but not "the on lamp".
    found = [one for one in found if one[0] not in (("on",), ("off",), ("out",))]
    return iter(sorted(found, key=lambda one: one[0] != (one[1][0],)))


def _relation_words(situation: Situation) -> Iterator[tuple[Phrase, tuple[str, ...]]]:
    """The phrases for how a thing rests somewhere, each with the predicates that it may mean."""
    vocabulary = situation.beliefs.vocabulary
    meanings: dict[Phrase, list[str]] = {}
    for predicate, parameters in situation.domain.predicates.items():
        info = vocabulary[predicate]
        if len(parameters) == 2 and info.group == WHEREABOUTS and info.subject == 1:
            for said in situation.ontology.predicate_words.get(predicate, (predicate.replace("_", " "),)):
                meanings.setdefault(tuple(said.split()), []).append(predicate)
    return ((words, tuple(predicates)) for words, predicates in meanings.items())
