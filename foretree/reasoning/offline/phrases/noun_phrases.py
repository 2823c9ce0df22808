"""Noun phrases: the parts of a sentence that stand for things, not resolved yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.lexicon import Phrases, after_any
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase, ReferenceKind
from foretree.reasoning.offline.phrases.known_things import scene_of
from foretree.reasoning.offline.phrases.latest import Latest
from foretree.reasoning.offline.phrases.words import lists
from foretree.reasoning.offline.phrases.words.additions import AdditionReader
from foretree.reasoning.offline.phrases.words.determiners import (
    Determiner,
    after_number_left_out,
    determiners,
    of_one,
    of_several,
)
from foretree.reasoning.offline.phrases.words.looks import PRAISE, WET
from foretree.reasoning.offline.phrases.words.modifiers import Modified, ModifierReader
from foretree.reasoning.offline.phrases.words.nouns import NounReader
from foretree.reasoning.offline.phrases.words.numbered import NumberReader
from foretree.reasoning.offline.phrases.words.people import owner_at
from foretree.reasoning.offline.phrases.words.rooms import door_of
from foretree.reasoning.offline.phrases.words.scene_words import scene_words
from foretree.reasoning.offline.phrases.words.spots import SpotReader
from foretree.reasoning.reasoner import Situation
from foretree.world_model.ontology import Naming

_POSSESSIVE = frozenset({"my", "your", "our", "his", "her", "their"})
_DOORS = frozenset({"door", "doors"})
_OF_A_ROOM = lexicon.phrases(
    "to, of, into, leading to, leading into, on, that leads to, that leads into, for"
)
#: Place relations within place relations are read so deep.
_NESTING = 2
_LIST_SEPARATORS = Phrases((*lexicon.AND, ("as", "well", "as"), ("and", "also")))
_CHOICE_SEPARATORS = Phrases(((",", "or"), ("or", "else"), ("or",)))


#: Of so many word sequences in a scene the noun phrases are kept.
_MOST_KEPT = 64
_latest = Latest[dict[tuple[str, ...], "NounPhraseParser"]]()


def noun_phrases(tokens: Sequence[str], situation: Situation) -> NounPhraseParser:
    """Return the noun phrases in some words; an instruction is read in many ways, with the same phrases."""
    kept = _latest.of(scene_of(situation), dict)
    words = tuple(tokens)
    found = kept.get(words)
    if found is None:
        if len(kept) >= _MOST_KEPT:
            kept.clear()
        found = kept[words] = NounPhraseParser(list(words), situation)
    return found


class NounPhraseParser:
    """Finds noun phrases in the words of one instruction."""

    def __init__(self, tokens: list[str], situation: Situation) -> None:
        self._tokens = tokens
        self._has_parts = situation.ontology.parts is not None
        self._scene = scene_words(situation)
        self._nouns = NounReader(tokens, situation, self._scene)
        self._numbers = NumberReader(tokens, situation, self._scene, self._nouns.named)
        self._modifiers = ModifierReader(tokens, situation, self._scene, self._singles)
        self._additions = AdditionReader(tokens, self._scene, self._modifiers, self._singles)
        self._spots = SpotReader(tokens, self._scene, self._singles)
        self._tells_doors = not _DOORS.isdisjoint(tokens)
        self._found: dict[int, tuple[Modified, ...]] = {}
        self._found_singles: dict[tuple[int, int], tuple[Modified, ...]] = {}

    @property
    def words(self) -> frozenset[str]:
        """Every word that may be part of a noun phrase, apart from those of the lexicon."""
        return self._scene.words | self._scene.nouns

    @property
    def nouns(self) -> frozenset[str]:
        """The words that name things here."""
        return self._scene.nouns

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
        if self._word(start) == lexicon.BOTH:
            yield from ((phrase, end) for phrase, end in self.at(start + 1) if len(phrase.also) == 1)
        for first, end in self._with_additions(start):
            for phrase, stop in self._lists(first, end):
                listed = bool(phrase.also) and first.where is not None
                beside = after_any(self._tokens, stop, lexicon.BESIDE) is not None and lists.is_there(phrase)
                if beside or ((listed or self._at_any(phrase)) and self._is_relation(stop)):
                    # "The mug on the table and the plate in the sink" says where each is, or shall be.
                    if not lists.is_said_of_each(first, phrase):
                        unlikely.append((phrase, stop))
                    continue
                yield from self._with_exceptions(phrase, stop)
                yield phrase, stop
        yield from unlikely

    def _with_additions(self, start: int) -> Iterator[Modified]:
        """The single phrases at a position, with what is added to them first."""
        for single, end in self._singles(start, _NESTING):
            for more, stop in self._additions.told_more(single, end, _NESTING):
                yield from self._additions.contrasted(more, stop, _NESTING)
                yield more, stop
            yield from self._additions.contrasted(single, end, _NESTING)
            yield single, end

    def additions(
        self, things: Mapping[str, NounPhrase], at: int
    ) -> Iterator[tuple[dict[str, NounPhrase], int]]:
        """The things of a command with what the words behind it add: ", the one on the desk"."""
        return self._additions.to_a_command(things, at, _NESTING)

    def _at_any(self, phrase: NounPhrase) -> bool:
        """True for "the phones in a drawer", which hardly says where they are if "in the dresser" follows."""
        place = None if phrase.where is None or phrase.where.source else phrase.where.place
        return place is not None and place.picks == "a" and self._modifiers.is_furniture(place)

    def spots(self, start: int, verb: str) -> Iterator[Modified]:
        """Every place at a position that is told by what is there, for a verb: "next to the lamp"."""
        return self._spots.at(start, verb)

    def _is_relation(self, at: int) -> bool:
        return lexicon.opening(self._tokens, self._scene.relation_words, at) > 0

    # -- lists, choices, exceptions ----------------------------------------------------------------
    def _lists(self, first: NounPhrase, end: int) -> Iterator[Modified]:
        after = after_any(self._tokens, end, _CHOICE_SEPARATORS)
        for more, stop in self.at(after) if after is not None else ():
            if not more.also:
                yield lists.choice(first, more), stop
        after = after_any(self._tokens, end, _LIST_SEPARATORS)
        comma = after == end + 1 and self._word(end) == ","
        for more, stop in self.at(after) if after is not None else ():
            if comma and more.same_kind and more.picks == "the" and not more.also:
                continue  # "The mug, the one on the desk" is no list.
            more = more.of_kind(first)
            if comma and (told := lists.apposition(first, more)) is not None:
                yield told, stop + (self._word(stop) == ",")
                continue
            if self._word(after - 1 if after is not None else 0) == "," and more.alternatives:
                yield lists.choice(first, more), stop
                continue
            one, rest = lists.sharing(first, replace(more, also=(), exceptions=()))
            yield replace(one, also=(*one.also, rest, *more.also), exceptions=more.exceptions), stop
        yield first, end

    def _with_exceptions(self, phrase: NounPhrase, end: int) -> Iterator[Modified]:
        all_of_a_kind = phrase.picks == "all" and phrase.class_name is not None
        if all_of_a_kind and (stop := after_number_left_out(self._tokens, end)) is not None:
            number = lexicon.NUMBERS[self._tokens[stop - 1]]
            share = replace(phrase, picks="some", number=0, share=True, without=number)
            yield replace(share, text=self._text_to(phrase, end, stop)), stop
        everything = phrase.class_name is None and (phrase.same_kind or phrase.text == "everything")
        for exception, stop in self.exception(end, phrase):
            # "All but the apple on the table" is all that is there.
            where = phrase.where or (exception.where if everything else None)
            left = replace(phrase, where=where).leaving_out(exception)
            yield replace(left, text=self._text_to(phrase, end, stop)), stop

    def exception(self, at: int, phrase: NounPhrase) -> Iterator[Modified]:
        """Exceptions from *phrase* by the words from *at* on: "except the bread"."""
        at += self._word(at) == ","
        after = after_any(self._tokens, at, lexicon.EXCEPT)
        if after is None and phrase.picks == "all":
            after = after_any(self._tokens, at, lexicon.EXCEPT_OF_ALL)
        if after is not None:
            for one, stop in self.at(after):
                kind = self._scene.kinds.get(one.name or "", one.class_name)
                same = kind is not None and kind in (phrase.class_name, *phrase.others)
                alike = same or (one.same_kind and not phrase.is_room)
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
        if word in lexicon.THERE:
            yield NounPhrase(word, "there", here=word == "here"), start + 1
        yield from self._all_that(start)
        if word in lexicon.ANYTHING:
            picks: ReferenceKind = "all" if lexicon.ANYTHING[word] == "all" else "a"
            end = start + 1 + (self._word(start + 1) == "else")
            other = end > start + 1
            anything = NounPhrase(self._text(start, end), picks, plural=picks == "all", other=other)
            yield from self._with_adjectives(anything, end)
            yield anything, end
        yield from self._of_them(start)
        yield from self._numbers.at(start)
        yield from self._described(start)
        yield from self._doors(start)
        for where, end in self._modifiers.room(start):
            text = self._text(start, end)
            yield NounPhrase(text, "the", where=where, noun=text, is_room=True), end
            if where.room is not None and not where.room.number and where.room.room in self._scene.kinds:
                yield NounPhrase(text, "name", name=where.room.room), end  # somewhere to go to
        # After the nouns: "that mug" is a mug before it is "that".
        if word in lexicon.IT:
            yield NounPhrase(word, "it"), start + 1
        if word in lexicon.THEM:
            if self._word(start + 1) in ("all", "both", "each"):
                yield NounPhrase(self._text(start, start + 2), "them", plural=True), start + 2
            yield NounPhrase(word, "them", plural=True), start + 1
        if word == "the" and self._word(start + 1) in lexicon.OF_TWO:
            end = start + 2 + (self._word(start + 2) in lexicon.ONE)
            yield NounPhrase(self._text(start, end), "it", nth=lexicon.OF_TWO[self._word(start + 1)]), end
        if word in ("the", "that", "this") and self._word(start + 1) == "same":
            end = start + 2 + (self._word(start + 2) in (*lexicon.ONE, *lexicon.THING))
            yield NounPhrase(self._text(start, end), "it"), end

    def _doors(self, start: int) -> Iterator[Modified]:
        """The doors of rooms and of furniture: "the door to the study", "the fridge door"."""
        if not self._tells_doors:
            return
        at = start + (self._word(start) in lexicon.DEFINITE)
        if self._word(at) in _DOORS:
            after = after_any(self._tokens, at + 1, _OF_A_ROOM)
            if after is None:
                return
            for room, end in self._scene.rooms.at(self._tokens, after):
                if (name := door_of(room, self._scene.named)) is not None:
                    yield NounPhrase(self._text(start, end), "name", name=name), end
            for thing, end in self._singles(after, 1):
                if thing.picks in ("the", "name", "it"):
                    yield replace(thing, text=self._text(start, end), is_door=True), end
            return
        for room, end in self._scene.rooms.at(self._tokens, start):
            if self._word(end) == "door" and (name := door_of(room, self._scene.named)) is not None:
                yield NounPhrase(self._text(start, end + 1), "name", name=name), end + 1
        for found in determiners(self._tokens, start):
            if found.picks in (None, "the"):
                for noun in self._nouns.at(found, start, found.end):
                    if self._word(noun.end) in _DOORS and noun.naming.class_name:
                        end = noun.end + 1
                        text = self._text(start, end)
                        phrase = self._phrase(found, noun.naming, text, self._text(found.end, noun.end))
                        yield replace(phrase, is_door=True, where=noun.where), end

    def _with_adjectives(self, phrase: NounPhrase, end: int) -> Iterator[Modified]:
        """The phrase with adjectives behind it: "something clean", "everything dirty"."""
        adjectives = self._nouns.adjectives(end)
        if adjectives.end > end:
            states = tuple(self._scene.state_of("", said) for said in adjectives.states)
            qualities = tuple(word for word in adjectives.qualities if word not in PRAISE)
            text = self._text_to(phrase, end, adjectives.end)
            yield replace(phrase, states=states, qualities=qualities, text=text), adjectives.end

    def _all_that(self, start: int) -> Iterator[Modified]:
        """Phrases for all that something is said of: "what is on the table", "all but the plate"."""
        word, following = self._word(start), self._word(start + 1)
        everything = NounPhrase("", "all", plural=True)
        if word in lexicon.WHATEVER:
            # The relative clause, without which this is nothing, begins with the word itself or after it.
            yield from self._modifiers.relative_clause(everything, start, start, _NESTING)
        elif word == "all" and following in ("but", "except"):
            yield replace(everything, text=word, same_kind=True), start + 1
        elif word == "all":
            for more, end in self._modifiers.modified(everything, start + 1, _NESTING):
                told = following in lexicon.RELATIVE or more.qualities or following == "there"
                if told and (more.where is not None or more.states or more.qualities):
                    yield replace(more, text=self._text(start, end)), end
        elif word == "anything":
            for more, end in self._modifiers.relative_clause(everything, start + 1, start + 1, _NESTING):
                if more.where is not None and not more.states:
                    yield replace(more, text=self._text(start, end)), end
        contents = start + (word in lexicon.DEFINITE)
        if self._word(contents) in ("contents", "content") and self._word(contents + 1) == "of":
            for place, end in self._singles(contents + 2, _NESTING - 1):
                text = self._text(start, end)
                where = LocationPhrase(("in",), place, text=f"in {place.text}")
                yield replace(everything, text=text, where=where), end
        if word in ("those", "these", "all") and following in lexicon.RELATIVE:
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
                    plain = replace(phrase, of_them=True, plural=found.number > 1)
                    yield replace(plain, share=found.share, without=found.without), of + 2
            return

    def _described(self, start: int) -> Iterator[Modified]:
        if self._scene.rooms.is_numbered(self._tokens, start):
            return
        for found in determiners(self._tokens, start):
            if found.picks in (None, "the"):
                for name, end in self._entity_names(found.end):
                    yield NounPhrase(self._text(start, end), "name", name=name), end
            yield from self._with_noun(found, start, found.end)
            owned = owner_at(self._tokens, found.end, self._scene.known)
            if owned is not None:
                of = (self._text(found.end, owned),)
                whose = found if found.picks is not None else replace(found, picks="the")
                yield from self._with_noun(whose, start, owned, of)
            yield from self._portion(found, start, self._nouns.adjectives(found.end).end)

    def _with_noun(
        self, found: Determiner, start: int, at: int, owners: tuple[str, ...] = ()
    ) -> Iterator[Modified]:
        """The phrases with adjectives and a noun at a position."""
        adjectives = self._nouns.adjectives(at)
        at = adjectives.end
        qualities = adjectives.qualities
        if found.picks in ("a", "some", "all"):
            qualities = tuple(word for word in qualities if word not in PRAISE)
        for noun in self._nouns.at(found, start, at):
            naming = noun.naming
            if of_several(found, self._tokens[start : found.end]) and not (naming.plural or noun.single):
                continue  # "Both the mug and the plate" are no two mugs.
            text, called = self._text(start, noun.end), self._text(at, noun.end)
            phrase = self._phrase(of_one(found) if noun.single else found, naming, text, called)
            meanings = tuple(self._scene.state_of(naming.class_name, said) for said in adjectives.states)
            other = phrase.other or self._word(at) in lexicon.OTHERS
            if self._word(at) in lexicon.THINGS and self._word(start) in _POSSESSIVE:
                owners = (*owners, self._word(start))  # Not all things are "my things".
            said, wet = self._without_wet(phrase, qualities)
            if wet:
                text = f"{text} (meaning rinsed)"
            states = (*meanings, *noun.states, *wet)
            phrase = replace(
                phrase, text=text, states=states, same_kind=noun.same_kind, other=other, where=noun.where
            )
            yield self._modifiers.compared(phrase, (*owners, *said)), noun.end

    def _without_wet(
        self, phrase: NounPhrase, qualities: tuple[str, ...]
    ) -> tuple[tuple[str, ...], tuple[tuple[str, bool], ...]]:
        """The qualities of a phrase without those of what is rinsed, and the state that these stand for.

        Nothing is believed to be wet: what "a wet cloth" is to be comes of rinsing. "The wet cloth" is one
        that the speaker sees.
        """
        rinsed = self._scene.states_at(("rinsed",), 0) if WET & {*qualities} else None
        wished = phrase.picks in ("a", "some") or not (phrase.determined or phrase.plural)
        if rinsed is None or not wished or not self._modifiers.is_item(phrase):
            return qualities, ()
        state = self._scene.state_of(phrase.class_name or "", rinsed[0])
        return tuple(word for word in qualities if word not in WET), (state,)

    def _portion(self, found: Determiner, start: int, at: int) -> Iterator[Modified]:
        """Part of what was spoken of before: "a slice", "two pieces of it"."""
        plural = lexicon.PORTIONS.get(self._word(at))
        of_it = self._word(at + 1) == "of" and self._word(at + 2) in ("it", "them")
        if plural is None or not self._has_parts or (self._word(at + 1) == "of" and not of_it):
            return
        end = at + (3 if of_it else 1)
        phrase = self._phrase(found, Naming("", plural), self._text(start, end), self._text(at, at + 1))
        yield replace(phrase, portion=True), end

    def _phrase(self, found: Determiner, naming: Naming, text: str, noun: str) -> NounPhrase:
        actual: ReferenceKind = found.picks or ("all" if naming.plural else "the")
        if actual == "a" and naming.plural and text.startswith("any ") and not text.startswith("any of"):
            actual = "all"  # "any dirty mugs"
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
            without=found.without,
            here=found.here,
        )

    def _word(self, at: int) -> str:
        """The word at a position; empty after the last."""
        return self._tokens[at] if at < len(self._tokens) else ""

    def _entity_names(self, at: int) -> Iterator[tuple[str, int]]:
        """Names of entities, longer ones first: ``mug1`` or ``mug 1``, ``my_door`` or ``my door``."""
        for length in (4, 3, 2, 1):
            words = self._tokens[at : at + length]
            if len(words) == length and (name := self._scene.named.get("".join(words))) is not None:
                yield name, at + length

    def _text(self, start: int, end: int) -> str:
        return " ".join(self._tokens[start:end])

    def _text_to(self, phrase: NounPhrase, at: int, end: int) -> str:
        return f"{phrase.text} {self._text(at, end)}"
