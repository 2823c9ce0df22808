"""Noun phrases: the parts of a sentence that stand for things, not resolved yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.lexicon import Phrases, after_any, starts_with
from foretree.reasoning.offline.phrases._determiners import Determiner, determiners
from foretree.reasoning.offline.phrases._modifiers import Modified, ModifierReader
from foretree.reasoning.offline.phrases._scene_words import scene_words
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase, ReferenceKind
from foretree.reasoning.reasoner import Situation
from foretree.world_model.ontology import Naming

#: Place relations within place relations are read so deep.
_NESTING = 2
_LIST_SEPARATORS = Phrases((*lexicon.AND, ("as", "well", "as"), ("and", "also")))
_CHOICE_SEPARATORS = Phrases(((",", "or"), ("or", "else"), ("or",)))


class NounPhraseParser:
    """Finds noun phrases in the words of one instruction."""

    def __init__(self, tokens: list[str], situation: Situation) -> None:
        self._tokens = tokens
        self._ontology = situation.ontology
        self._types = frozenset(situation.domain.types)
        self._scene = scene_words(situation)
        self._modifiers = ModifierReader(tokens, situation, self._scene, self._singles)
        self._found: dict[int, tuple[Modified, ...]] = {}
        self._found_singles: dict[tuple[int, int], tuple[Modified, ...]] = {}

    @property
    def words(self) -> frozenset[str]:
        """Every word that may be part of a noun phrase, apart from those of the lexicon."""
        return self._scene.words | self._scene.nouns

    def at(self, start: int) -> Sequence[Modified]:
        """Every noun phrase that begins at *start*, with where it ends; longer ones first.

        In "a mug on table1 and a plate on table2" the mug is hardly ever one that is there: that comes last.
        """
        if start not in self._found:
            self._found[start] = tuple(dict.fromkeys(self._at(start)))
        return self._found[start]

    def _at(self, start: int) -> Iterator[Modified]:
        unlikely: list[Modified] = []
        if self._word(start) == "either":
            yield from ((phrase, end) for phrase, end in self.at(start + 1) if phrase.alternatives)
        for first, end in self._singles(start, _NESTING):
            for phrase, stop in self._lists(first, end):
                if phrase.also and first.where is not None and self._is_relation(stop):
                    unlikely.append((phrase, stop))
                    continue
                yield from self._with_exceptions(phrase, stop)
                yield phrase, stop
        yield from unlikely

    def _is_relation(self, at: int) -> bool:
        return any(starts_with(self._tokens, at, words) for words in self._scene.relations)

    # -- lists, choices, exceptions ----------------------------------------------------------------
    def _lists(self, first: NounPhrase, end: int) -> Iterator[Modified]:
        after = after_any(self._tokens, end, _CHOICE_SEPARATORS)
        for more, stop in self.at(after) if after is not None else ():
            if not more.also:
                yield _choice(first, more), stop
        after = after_any(self._tokens, end, _LIST_SEPARATORS)
        for more, stop in self.at(after) if after is not None else ():
            more = more.of_kind(first)
            if self._word(after - 1 if after is not None else 0) == "," and more.alternatives:
                yield _choice(first, more), stop
                continue
            one, rest = _sharing(first, replace(more, also=(), exceptions=()))
            yield replace(one, also=(*one.also, rest, *more.also), exceptions=more.exceptions), stop
        yield first, end

    def _with_exceptions(self, phrase: NounPhrase, end: int) -> Iterator[Modified]:
        for exception, stop in self.exception(end, phrase):
            yield replace(phrase.leaving_out(exception), text=self._text_to(phrase, end, stop)), stop

    def exception(self, at: int, phrase: NounPhrase) -> Iterator[Modified]:
        """What is left out of *phrase* by the words from *at* on: "except the bread"."""
        at += self._word(at) == ","
        after = after_any(self._tokens, at, lexicon.EXCEPT)
        if after is None and phrase.picks == "all":
            after = after_any(self._tokens, at, lexicon.EXCEPT_OF_ALL)
        if after is not None:
            for one, stop in self.at(after):
                kind = self._scene.kinds.get(one.name or "", one.class_name)
                alike = one.same_kind or kind in (phrase.class_name, *phrase.others)
                if not one.exceptions and (phrase.picks in ("all", "some") or alike):
                    yield one, stop

    def goes_on(self, end: int, start: int) -> bool:
        """True if the words from *start* on continue a list that ends at *end*."""
        return after_any(self._tokens, end, _LIST_SEPARATORS) == start

    # -- single phrases ----------------------------------------------------------------------------
    def _singles(self, start: int, nesting: int) -> Sequence[Modified]:
        key = (start, nesting)
        if key not in self._found_singles:
            found = (one for bare in self._bare(start) for one in self._modified(*bare, nesting))
            self._found_singles[key] = tuple(found)
        return self._found_singles[key]

    def _modified(self, bare: NounPhrase, end: int, nesting: int) -> Iterator[Modified]:
        if nesting:
            yield from self._modifiers.modified(bare, end, nesting)
        yield bare, end

    def locations(self, start: int) -> Iterator[tuple[LocationPhrase, int]]:
        """Every place that the words from *start* on name, with where the words end."""
        return self._modifiers.where(start, _NESTING)

    def state(self, start: int) -> tuple[tuple[str, bool], int] | None:
        """The state that the words from *start* on name, with where the words end."""
        found = self._scene.states_at(self._tokens, start)
        return None if found is None else (found[0][0], found[1])

    # -- without a place ---------------------------------------------------------------------------
    def _bare(self, start: int) -> Iterator[Modified]:
        word = self._word(start)
        if not word:
            return
        if word in lexicon.SPEAKER:
            yield NounPhrase(word, "speaker"), start + 1
        if word in lexicon.ANYTHING:
            picks: ReferenceKind = "all" if lexicon.ANYTHING[word] == "all" else "a"
            end = start + 1 + (self._word(start + 1) == "else")
            other = end > start + 1
            yield NounPhrase(self._text(start, end), picks, plural=picks == "all", other=other), end
        if word in lexicon.THERE:
            yield NounPhrase(word, "there", here=word == "here"), start + 1
        yield from self._all_that(start)
        yield from self._of_them(start)
        yield from self._described(start)
        for where, end in self._modifiers.room(start):
            text = self._text(start, end)
            yield NounPhrase(text, "the", where=where, noun=text, is_room=True), end
        # After the nouns: "that mug" is a mug before it is "that".
        if word in lexicon.IT:
            yield NounPhrase(word, "it"), start + 1
        if word in lexicon.THEM:
            yield NounPhrase(word, "them", plural=True), start + 1

    def _all_that(self, start: int) -> Iterator[Modified]:
        """What stands for all that something is said of: "what is on the table", "all but the plate"."""
        word = self._word(start)
        if word in lexicon.WHATEVER or (word == "all" and self._word(start + 1) in ("that", "but", "except")):
            # The relative clause, without which this is nothing, begins with the word itself or after it.
            everything = NounPhrase("", "all", plural=True)
            if word != "all":
                yield from self._modifiers.relative_clause(everything, start, start, _NESTING)
            elif self._word(start + 1) == "that":
                yield from self._modifiers.relative_clause(everything, start + 1, start + 1, _NESTING)
            else:
                yield replace(everything, text=word, same_kind=True), start + 1
        if word in ("those", "these", "all") and self._word(start + 1) in lexicon.RELATIVE:
            ones = NounPhrase(word, "all", plural=True, same_kind=True)
            yield from self._modifiers.relative_clause(ones, start + 1, start + 1, _NESTING)

    def _of_them(self, start: int) -> Iterator[Modified]:
        """One of them, both of them, all three of them."""
        for of in range(start + 1, start + 5):
            if self._word(of) != "of":
                continue
            if self._word(of + 1) not in ("them", "those", "these"):
                return
            for found in determiners(self._tokens, start):
                if found.picks is None or found.end not in (of, of + 1, of + 2):
                    continue
                text = self._text(start, of + 2)
                if found.picks == "all" or (found.exact and not found.other):
                    yield NounPhrase(text, "them", plural=True, number=found.number), of + 2
                elif found.picks in ("a", "some"):
                    phrase = NounPhrase(text, found.picks, number=found.number, at_most=found.at_most)
                    yield replace(phrase, of_them=True, share=found.share, plural=found.number > 1), of + 2
            return

    def _described(self, start: int) -> Iterator[Modified]:
        for found in determiners(self._tokens, start):
            if found.picks in (None, "the"):
                for name, end in self._entity_names(found.end):
                    yield NounPhrase(self._text(start, end), "name", name=name), end
            states, qualities, at = self._adjectives(found.end)
            nouns = [(naming, end, False) for naming, end in self._nouns(at)]
            ones = [(Naming("", plural), end, True) for plural, end in self._ones(found, start, at)]
            for naming, end, same_kind in nouns + ones:
                phrase = self._phrase(found, naming, self._text(start, end), self._text(at, end))
                meanings = tuple(self._scene.state_of(naming.class_name, said) for said in states)
                other = phrase.other or (same_kind and self._word(at) in lexicon.OTHERS)
                phrase = replace(phrase, states=meanings, same_kind=same_kind, other=other)
                yield self._modifiers.compared(phrase, qualities), end
            yield from self._portion(found, start, at)

    def _portion(self, found: Determiner, start: int, at: int) -> Iterator[Modified]:
        """Part of what was spoken of before: "a slice", "two pieces of it"."""
        plural = lexicon.PORTIONS.get(self._word(at))
        of_it = self._word(at + 1) == "of" and self._word(at + 2) in ("it", "them")
        if plural is None or self._ontology.parts is None or (self._word(at + 1) == "of" and not of_it):
            return
        end = at + (3 if of_it else 1)
        phrase = self._phrase(found, Naming("", plural), self._text(start, end), self._text(at, at + 1))
        yield replace(phrase, portion=True), end

    def _phrase(self, found: Determiner, naming: Naming, text: str, noun: str) -> NounPhrase:
        actual: ReferenceKind = found.picks or ("all" if naming.plural else "the")
        if actual == "the" and naming.plural:
            actual = "all"
        if text.split()[0] in lexicon.SOME and not naming.plural:
            actual = "a"  # "some milk"
        return NounPhrase(
            text,
            actual,
            naming.class_name or None,
            found.number,
            naming.plural,
            others=naming.others,
            exact=found.exact,
            noun=noun,
            determined=found.picks is not None,
            at_most=found.at_most,
            other=found.other,
            share=found.share,
            here=found.here,
        )

    def _ones(self, found: Determiner, start: int, at: int) -> Iterator[tuple[bool, int]]:
        """Whether what stands for a noun said before is plural, and where it ends."""
        word = self._word(at)
        if word in lexicon.ONES or (word in lexicon.OTHERS and found.picks in ("the", "all")):
            yield True, at + 1
        elif word in lexicon.ONE and (found.picks is not None or at > start):
            yield False, at + 1
        elif found.counts and at == found.end:
            yield found.picks == "some", at  # "put two on the table"

    def _word(self, at: int) -> str:
        """The word at a position; empty after the last."""
        return self._tokens[at] if at < len(self._tokens) else ""

    def _entity_names(self, at: int) -> Iterator[tuple[str, int]]:
        """Names of entities, longer ones first: ``mug1`` or ``mug 1``, ``my_door`` or ``my door``."""
        for length in (4, 3, 2, 1):
            words = self._tokens[at : at + length]
            if len(words) == length and (name := self._scene.named.get("".join(words))) is not None:
                yield name, at + length

    def _adjectives(self, at: int) -> tuple[tuple[Sequence[tuple[str, bool]], ...], tuple[str, ...], int]:
        states: list[Sequence[tuple[str, bool]]] = []
        qualities: list[str] = []
        while True:
            found = self._scene.states_at(self._tokens, at)
            if found is not None:
                states.append(found[0])
                at = found[1]
            elif self._word(at) in lexicon.QUALITIES and not self._is_noun(at):
                qualities.append(self._word(at))
                at += 1
                continue
            else:
                return tuple(states), tuple(qualities), at
            if self._word(at) in ("and", ",") and self._word(at + 1) in self._scene.first_of_states:
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

    def _text(self, start: int, end: int) -> str:
        return " ".join(self._tokens[start:end])

    def _text_to(self, phrase: NounPhrase, at: int, end: int) -> str:
        return f"{phrase.text} {self._text(at, end)}"


def _choice(first: NounPhrase, more: NounPhrase) -> NounPhrase:
    """One phrase for what either of two stands for."""
    more = more.of_kind(first)
    second = replace(more, alternatives=(), exceptions=())
    if not second.determined:
        second = replace(second, picks=first.picks, number=first.number)
    return replace(first, alternatives=(second, *more.alternatives), exceptions=more.exceptions)


def _sharing(first: NounPhrase, second: NounPhrase) -> tuple[NounPhrase, NounPhrase]:
    """Two phrases of a list with what is said once for both: "all dirty mugs and plates on the table"."""
    if second.determined or not (first.picks == "all" or (first.plural and second.plural)):
        return first, second
    picks = "all" if first.picks == "all" else second.picks
    second = replace(second, picks=picks, states=second.states or first.states)
    if first.where is None and second.where is not None:
        first = first.limited(second.where)
    return first, second
