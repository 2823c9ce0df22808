"""Modifiers: what follows a noun and says which thing is meant, "the mug that is on the table"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.lexicon import Phrases, after_any, listed, starts_with
from foretree.reasoning.offline.phrases.descriptions import Comparison, LocationPhrase, NounPhrase, Rank
from foretree.reasoning.offline.phrases.words.looks import is_quality, looks_at
from foretree.reasoning.offline.phrases.words.other_kinds import after_denial, without_kinds
from foretree.reasoning.offline.phrases.words.people import MINE, ownership_at, told_by_people
from foretree.reasoning.offline.phrases.words.scene_words import SceneWords
from foretree.reasoning.reasoner import Situation

#: A noun phrase, and the position after it.
Modified: TypeAlias = "tuple[NounPhrase, int]"
#: Words for a rank, in front of a noun.
_RANKS: dict[str, Rank] = {
    "nearest": "nearest",
    "closest": "nearest",
    "farthest": "farthest",
    "furthest": "farthest",
    "leftmost": "leftmost",
    "rightmost": "rightmost",
    "highest": "highest",
    "topmost": "highest",
    "lowest": "lowest",
    "bottommost": "lowest",
}
#: The same before what it is measured from.
_RANKS_TO: tuple[tuple[Phrases, Rank], ...] = (
    (lexicon.phrases("closest to, nearest to, nearest"), "nearest"),
    (lexicon.phrases("farthest from, furthest from, farthest away from, furthest away from"), "farthest"),
)
_AWAY = lexicon.phrases(
    "from, out from, away from, off from, down from, up from, over from, back from, out of, off of, down off"
)
_AT_LANDMARKS = Phrases(
    (
        *lexicon.BESIDE,
        *lexicon.phrases(
            "on, at, in, against, up against, facing, opposite, along, hanging on, lying on, standing on"
        ),
        *lexicon.phrases(
            "under, underneath, beneath, below, off, off of, from, up from, over by, right by, sitting on"
        ),
    )
)
_OF_THE_ROOM = lexicon.phrases("of the room, of the kitchen, of the bedroom, of the bathroom, in the room")
_NEEDING = frozenset({"need", "needs", "wants", "requires", "require"})
#: They leave nothing out: what is spoken of is at home anyway.
_AT_HOME = listed(
    f"{where} {which} {home}"
    for where in ("in", "around", "about", "throughout", "anywhere in", "of", "all over")
    for which in ("the", "this", "our", "my", "the whole", "the entire", "this whole")
    for home in ("flat", "house", "apartment", "home", "place", "studio")
)


class ModifierReader:
    """Reads what follows the nouns of one sentence.

    Args:
        tokens: the words.
        situation: where they are said.
        scene: the words for what is there.
        singles: reads the noun phrases at a position, with modifiers so many deep.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        situation: Situation,
        scene: SceneWords,
        singles: Callable[[int, int], Sequence[Modified]],
    ) -> None:
        self._tokens = tokens
        self._ontology = situation.ontology
        self._scene = scene
        self._singles = singles
        self._rooms = frozenset(situation.rooms.values())  # some are the names of spots in them, too
        robots = [name for name, kind in scene.kinds.items() if kind == "robot"]
        self._robot = robots[0] if len(robots) == 1 else None

    def modified(self, phrase: NounPhrase, at: int, nesting: int) -> Iterator[Modified]:
        """The phrase with all that its modifiers say, longer ones first.

        Args:
            nesting: how many places within places are read.
        """
        if phrase.picks not in ("the", "a", "all", "some", "it", "them"):
            return
        if (everywhere := after_any(self._tokens, at, _AT_HOME)) is not None:
            told = replace(phrase, text=self._text_to(phrase, at, everywhere))
            yield from self.modified(told, everywhere, nesting)
            yield told, everywhere
        for laden, end in self.laden(phrase, at, nesting):
            # "The box with a pen in it from the desk"
            yield from ((laden.limited(where), stop) for where, stop in self.where(end, 1) if where.source)
            yield laden, end
        for where, end in (*self.where(at, nesting), *self._part_of(phrase, at, nesting)):
            limited = phrase.limited(where)
            yield from self.laden(limited, end, nesting)
            if phrase.picks not in ("it", "them"):
                yield from self._second_clause(limited, end, nesting)
                yield from self._untold(limited, end, nesting)
            yield limited, end
        if phrase.picks in ("it", "them"):
            return
        yield from self.relative_clause(phrase, at, at, nesting)
        yield from self._told_by_content(phrase, at)
        yield from self._untold(phrase, at, nesting)
        yield from self.beside(phrase, at, nesting)

    def _second_clause(self, phrase: NounPhrase, at: int, nesting: int) -> Iterator[Modified]:
        """The phrase with a state after its place: "the mug on the table that is dirty"."""
        if self._word(at) in lexicon.RELATIVE:
            for more, end in self.relative_clause(phrase, at, at, nesting):
                if more.where == phrase.where:
                    yield more, end

    # -- relative clauses --------------------------------------------------------------------------
    def relative_clause(self, phrase: NounPhrase, start: int, at: int, nesting: int) -> Iterator[Modified]:
        """The phrase with the states and the place of a relative clause that begins at *at*.

        Args:
            start: the first word that its text lacks.
        """
        word = self._word(at)
        if word in lexicon.STAYING:
            yield from self._clause_ends(phrase, start, self._after_staying(at), nesting)
        after = at + (word in lexicon.RELATIVE or word in lexicon.WHATEVER)
        if self._word(after) == "there" and self._word(after + 1) in lexicon.COPULA:
            yield from self._clause_ends(phrase, start, self._after_staying(after + 2), nesting)
        if word in lexicon.WHATEVER:
            yield from self._untold(phrase, after, nesting)
        if word not in lexicon.RELATIVE and word not in lexicon.WHATEVER:
            return
        after = at + 1
        if not word.endswith("'s"):
            verb = self._word(after)
            if verb in _NEEDING:
                yield from self._needing(phrase, start, after + 1, nesting)
                return
            if verb in lexicon.STAYS:
                yield from self._clause_ends(phrase, start, after + 1, nesting)
                return
            denied = verb in ("isn't", "aren't", "haven't", "hasn't")
            perfect = verb in ("have", "has", "haven't", "hasn't")
            if verb not in lexicon.COPULA and not denied and not perfect:
                return
            after += 1
            if denied or self._word(after) == "not":
                after += not denied
                after += perfect and self._word(after) in ("been", "be")
                yield from self._states(phrase, start, after, nesting, positive=False)
                yield from self._of_other_kind(phrase, start, after, nesting)
                return
            # "That's been washed" may be written out as "is been".
            after += self._word(after) in ("been", "be")
        elif self._word(after) == "not":
            yield from self._states(phrase, start, after + 1, nesting, positive=False)
            yield from self._of_other_kind(phrase, start, after + 1, nesting)
            return
        yield from self._clause_ends(phrase, start, self._after_staying(after), nesting)

    def _of_other_kind(self, phrase: NounPhrase, start: int, at: int, nesting: int) -> Iterator[Modified]:
        for more, end in without_kinds(phrase, self._singles(at, 0), self._scene.kinds):
            more = replace(more, text=self._text_to(phrase, start, end))
            yield from ((more.limited(where), stop) for where, stop in self.where(end, nesting))
            yield more, end

    def _clause_ends(self, phrase: NounPhrase, start: int, at: int, nesting: int) -> Iterator[Modified]:
        yield from self._states(phrase, start, at, nesting)
        if self._word(at) == "there" and phrase.where is None:
            there = LocationPhrase(("on", "in"), NounPhrase("there", "there"), text="there")
            yield replace(phrase, where=there, text=self._text_to(phrase, start, at + 1)), at + 1
        for where, end in self.where(at, nesting):
            located = replace(phrase, where=where, text=self._text_to(phrase, start, end))
            if self._word(end) == "and":
                yield from self._states(located, end, end + 1, nesting)
            yield located, end
        for more, end in self.beside(phrase, at, nesting):
            yield replace(more, text=self._text_to(phrase, start, end)), end

    def _states(
        self, phrase: NounPhrase, start: int, at: int, nesting: int, *, positive: bool = True
    ) -> Iterator[Modified]:
        """The phrase with the states that the words at a position name: "dirty and on the table"."""
        while self._word(at) in lexicon.DEGREES:
            at += 1
        found = self._scene.states_at(self._tokens, at, after_copula=True)
        if found is None:
            if positive and self._is_said_of_looks(at):
                yield self._with_quality(phrase, start, at + 1)
            return
        meanings, end = found
        predicate, holds = self._scene.state_of(phrase.class_name or "", meanings)
        state = (predicate, holds is positive)
        more = replace(phrase, states=(*phrase.states, state), text=self._text_to(phrase, start, end))
        if self._word(end) == "and" and positive:
            yield from self._states(more, end, end + 1, nesting)
            if more.where is None:
                for where, stop in self.where(self._after_staying(end + 1), nesting):
                    yield replace(more, where=where, text=self._text_to(more, end, stop)), stop
        elif more.where is None:
            for where, stop in self.where(end, nesting):
                yield more.limited(where), stop
        yield more, end

    def _needing(self, phrase: NounPhrase, start: int, at: int, nesting: int) -> Iterator[Modified]:
        """The phrase for what is not as it should be: "that needs washing", "to be washed", "a wash"."""
        for words in (("to", "be"), ("be",), ("a", "good"), ("a",), ("some",), ()):
            if starts_with(self._tokens, at, words):
                break
        verb = self._word(at := at + len(words))
        stem = verb.removesuffix("ing")
        for said in (verb, f"{stem}ed", f"{stem}d", f"{stem}{stem[-1:]}ed"):
            found = self._scene.states_at((said,), 0, after_copula=True)
            if found is not None:
                predicate, holds = self._scene.state_of(phrase.class_name or "", found[0])
                states = (*phrase.states, (predicate, not holds))
                more = replace(phrase, states=states, text=self._text_to(phrase, start, at + 1))
                if more.where is None:
                    yield from ((more.limited(where), end) for where, end in self.where(at + 1, nesting))
                yield more, at + 1
                return

    def _is_said_of_looks(self, at: int) -> bool:
        word = self._word(at)
        return word in lexicon.QUALITIES or word in MINE or is_quality(word, self._scene.known)

    def _after_staying(self, at: int) -> int:
        while self._word(at) in lexicon.STAYING or self._word(at) in lexicon.DEGREES:
            at += 1
        return at

    def _untold(self, phrase: NounPhrase, at: int, nesting: int) -> Iterator[Modified]:
        """The phrase with what is not believed of things: its owner, its looks, what people did with it."""
        denied = after_denial(self._tokens, at)
        if denied is not None and self._singles(denied, 0):
            return  # what things are not is told of them
        known = self._scene.known
        for end, left in told_by_people(self._tokens, at, known):
            for where, stop in self.where(end, nesting) if left and phrase.where is None else ():
                yield replace(phrase, where=where, text=self._text_to(phrase, at, stop)), stop
            yield self._with_quality(phrase, at, end)
        for end in looks_at(self._tokens, at, known):
            yield self._with_quality(phrase, at, end)
        if (after := ownership_at(self._tokens, at, known)) is not None:
            more, end = self._with_quality(phrase, at, after)
            yield from self.relative_clause(more, end, end, nesting)
            for where, stop in self.where(end, nesting):
                yield more.limited(where), stop
            yield more, end

    def _with_quality(self, phrase: NounPhrase, at: int, end: int) -> Modified:
        said = self._text(at, end)
        text = f"{phrase.text} {said}".lstrip()
        return replace(phrase, qualities=(*phrase.qualities, said), text=text), end

    # -- content -----------------------------------------------------------------------------------
    def laden(self, phrase: NounPhrase, at: int, nesting: int) -> Iterator[Modified]:
        """The phrase with what is or shall be in or on it: "with a spoon in it"."""
        start = after_any(self._tokens, at, lexicon.WITH)
        if start is None or phrase.picks in ("it", "them"):
            return
        if nesting < 2:
            yield from self._told_by_load(phrase, at, start) if nesting else ()
            return
        for load, end in self._listed(start):
            if self._word(end - 1) in ("hand", "hands"):
                continue  # "take the mug with your left hand" says what it is taken with
            for words, relation in lexicon.WITHIN:
                if starts_with(self._tokens, end, words):
                    stop = end + len(words)
                    yield replace(phrase, load=(relation, load), text=self._text_to(phrase, at, stop)), stop
            yield replace(phrase, load=("", load), text=self._text_to(phrase, at, end)), end

    def _told_by_load(self, phrase: NounPhrase, at: int, start: int) -> Iterator[Modified]:
        """Furniture told by what else is there: "the mug from the table *with the apple*"."""
        if phrase.picks != "the" or not self.is_furniture(phrase):
            return
        for load, end in self._singles(start, 0):
            within = any(starts_with(self._tokens, end, words) for words, _ in lexicon.WITHIN)
            if load.picks in ("the", "name", "all") and not within:
                yield replace(phrase, holds=((), load), text=self._text_to(phrase, at, end)), end

    def _listed(self, start: int) -> Iterator[Modified]:
        """One thing or two, without places: "a knife and a slice of bread"."""
        for one, end in self._singles(start, 0):
            after = after_any(self._tokens, end, lexicon.AND)
            for other, stop in self._singles(after, 0) if after is not None else ():
                yield replace(one, also=(other,)), stop
            yield one, end

    def _told_by_content(self, phrase: NounPhrase, at: int) -> Iterator[Modified]:
        """The phrase with what is on it or in it: "the table (where) the apple is (on)"."""
        if phrase.picks != "the" or not phrase.class_name:
            return
        start = at + (self._word(at) in lexicon.RELATIVE_PLACE)
        for load, end in self._singles(start, 0):
            if load.picks not in ("the", "name", "all") or self._word(end) not in lexicon.COPULA:
                continue
            stop = self._after_staying(end + 1)
            stands = self._relation(stop)
            if stands or self._word(at) == "where":
                end = stop + len(stands)
                relations = self._scene.relations.get(stands, ())
                yield replace(phrase, holds=(relations, load), text=self._text_to(phrase, at, end)), end

    def _relation(self, at: int) -> tuple[str, ...]:
        """The words for how a thing rests somewhere that stand at a position; none if there are none."""
        return next(self._scene.relation_words.at(self._tokens, at), ())

    # -- where -------------------------------------------------------------------------------------
    def where(self, at: int, nesting: int) -> Iterator[tuple[LocationPhrase, int]]:
        """Every place that the words from *at* on name, with where the words end."""
        yield from self._away(at, nesting)
        for words in self._scene.relation_words.at(self._tokens, at):
            relations = self._scene.relations[words]
            after = at + len(words)
            source = words[0] in lexicon.SOURCES
            for place, end in self._singles(after, nesting - 1):
                if not (place.is_room or place.name in self._rooms):
                    yield LocationPhrase(relations, place, text=self._text(at, end), source=source), end
                    for both, stop in self._two_places(place, end):
                        text = self._text(at, stop)
                        yield LocationPhrase(relations, both, text=text, source=source), stop
            yield from self._in_rooms(at, after, source)
        if self._word(at) == "of":  # "the desk of 605"
            yield from self._in_rooms(at, at + 1)

    def _in_rooms(self, at: int, start: int, source: bool = False) -> Iterator[tuple[LocationPhrase, int]]:
        for room, end in self._scene.rooms.listed_at(self._tokens, start):
            yield LocationPhrase((), room=room, text=self._text(at, end), source=source), end

    def _two_places(self, place: NounPhrase, at: int) -> Iterator[Modified]:
        """A piece of furniture with another one: what is "on the sofa or the armchair" is on either."""
        if self._word(at) not in ("and", "or") or not self.is_furniture(place):
            return
        for other, end in self._singles(at + 1, 0):
            if self.is_furniture(other):
                yield replace(place, also=(other,), text=self._text_to(place, at, end)), end

    def _part_of(self, phrase: NounPhrase, at: int, nesting: int) -> Iterator[tuple[LocationPhrase, int]]:
        """The furniture that furniture is part of: "the drawer *of the desk*"."""
        if self._word(at) != "of" or not self.is_furniture(phrase):
            return
        for whole, end in self._singles(at + 1, nesting - 1):
            if self.is_furniture(whole):
                yield LocationPhrase(("in", "on"), whole, text=self._text(at, end)), end

    def is_furniture(self, phrase: NounPhrase) -> bool:
        """True if a phrase is about furniture."""
        return self._type_of(phrase) == "asset"

    def is_item(self, phrase: NounPhrase) -> bool:
        """True if a phrase is about what can be carried."""
        return self._type_of(phrase) == "item"

    def _type_of(self, phrase: NounPhrase) -> str:
        kind = phrase.class_name or self._scene.kinds.get(phrase.name or "", "")
        return self._ontology.type_of(kind) if kind in self._ontology else ""

    def _away(self, at: int, nesting: int) -> Iterator[tuple[LocationPhrase, int]]:
        """Every place that something is to be taken away from: "out from under the table"."""
        start = after_any(self._tokens, at, _AWAY)
        if start is None:
            return
        anyhow = self._scene.relations.get(("from",), ())
        compound = start > at + 1
        for words, relations in (((), anyhow), *self._scene.relations.items()):
            if (words and words[0] in lexicon.SOURCES) or not (words or compound):
                continue
            if starts_with(self._tokens, start, words):
                for place, end in self._singles(start + len(words), nesting - 1):
                    if not (place.is_room or place.name in self._rooms):
                        text = self._text(at, end)
                        yield LocationPhrase(relations, place, text=text, source=True), end

    def room(self, at: int) -> Iterator[tuple[LocationPhrase, int]]:
        """Every room that the words from *at* on name, with where the words end."""
        for room, end in self._scene.rooms.at(self._tokens, at):
            yield LocationPhrase((), room=room, text=self._text(at, end)), end

    # -- position ----------------------------------------------------------------------------------
    def compared(self, phrase: NounPhrase, qualities: tuple[str, ...]) -> NounPhrase:
        """The phrase with its adjectives that are no states: "the leftmost", or what cannot be told."""
        ranks = [word for word in qualities if word in _RANKS]
        if len(ranks) == 1 and phrase.picks == "the":
            qualities = tuple(word for word in qualities if word not in _RANKS)
            phrase = replace(phrase, comparison=Comparison(_RANKS[ranks[0]], text=ranks[0]))
        return replace(phrase, qualities=qualities)

    def beside(self, phrase: NounPhrase, at: int, nesting: int) -> Iterator[Modified]:
        """The phrase with what it is beside, or the part of the room where it is."""
        if phrase.picks not in ("the", "a"):
            return
        for said, rank in _RANKS_TO:
            if (start := after_any(self._tokens, at, said)) is not None:
                yield from self._near(phrase, at, start, rank, nesting)
        start = after_any(self._tokens, at, lexicon.BESIDE)
        if start is not None:
            yield from self._near(phrase, at, start, None, nesting)
        after = None if self._scene.rooms else after_any(self._tokens, at, lexicon.REGIONS)
        for end in (self._landmark(at), after):
            if end is not None:
                yield self._with_quality(phrase, at, end)

    def _landmark(self, at: int) -> int | None:
        """The end of words for being at a part of the room of which nothing is known: "by the window"."""
        start = after_any(self._tokens, at, _AT_LANDMARKS)
        if start is None or self._word(start) not in lexicon.DEFINITE:
            return None
        end = start + 1
        while self._word(end) in lexicon.QUALITIES:
            end += 1
        if self._word(end) not in lexicon.LANDMARKS or self._ontology.named(self._word(end)) is not None:
            return None
        stop = after_any(self._tokens, end + 1, _OF_THE_ROOM) or end + 1
        # "On the floor by the bed" says where a thing shall be.
        return stop if after_any(self._tokens, stop, lexicon.BESIDE) is None else None

    def _near(
        self, phrase: NounPhrase, at: int, start: int, rank: Rank | None, nesting: int
    ) -> Iterator[Modified]:
        """The phrase for what is nearest to another thing, or next to it if there is no *rank*."""
        if self._word(start) in ("you", "yourself") and self._robot is not None:
            others: Sequence[Modified] = ((NounPhrase("you", "name", name=self._robot), start + 1),)
        else:
            others = self._singles(start, nesting - 1)
        for other, end in others:
            text = self._text(at, end)
            near = Comparison(rank or "nearest", other, text, adjoining=rank is None)
            yield replace(phrase, comparison=near, text=f"{phrase.text} {text}"), end

    # -- words -------------------------------------------------------------------------------------
    def _word(self, at: int) -> str:
        return self._tokens[at] if at < len(self._tokens) else ""

    def _text(self, start: int, end: int) -> str:
        return " ".join(self._tokens[start:end])

    def _text_to(self, phrase: NounPhrase, at: int, end: int) -> str:
        return f"{phrase.text} {self._text(at, end)}".lstrip()
