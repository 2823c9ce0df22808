"""Requests about where things are now: "swap the apple and the plate", "wash the mug and put it back".

They are put as plain ones, with the places by their names.
"""

from __future__ import annotations

from collections.abc import Iterator

from foretree.reasoning.instruction_errors import InstructionError, NoSuchThingError, NotUnderstoodError
from foretree.reasoning.offline.grammar.clauses import Slot
from foretree.reasoning.offline.interpretation.clause_reader import fresh_variables
from foretree.reasoning.offline.lexicon import CONNECTIVES, opening, phrases, skip_fillers, word_set
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.offline.phrases.noun_phrases import noun_phrases
from foretree.reasoning.offline.phrases.referents import ReferentResolver
from foretree.reasoning.offline.sentences.prohibitions import Words
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import WHEREABOUTS, Atom, hand_of

_EXCHANGING = frozenset({"swap", "exchange", "interchange", "switch"})
_BETWEEN = phrases("around, round, the places of, the positions of, places of, positions of")
_AROUND = phrases("around, round, over, places, positions")
_PUTTING = word_set("put place set lay move return pop stick stand leave store stow slip")
#: What says where things are, for what says where they go.
_WITHIN = {"into": "in", "onto": "on"}
_BACK = phrases(
    """
    back, back where it was, back where it was before, back where it came from, back where they were,
    back where they were before, back where they came from, back to where it was, back to where it came from,
    back to where they were, back where you found it, back where you found them, back where you got it from,
    back where you got them from, back in its place, back to its place, back in their places, where it was,
    where it was before, where it came from, where they were, where they were before, where they came from,
    to where it was, to where it came from, to where they were, back afterwards, back again, back there,
    back in there, back on there, back there again, back there afterwards, back over there, in where it was,
    in where they were
    """
)


class FormerPlaceReader:
    """Puts plainly what the present places of things are needed for, in one situation."""

    def __init__(self, words: Words, situation: Situation) -> None:
        self._words = words
        self._situation = situation
        self._nouns = noun_phrases(words, situation)

    def found(self) -> Iterator[int]:
        """Yield the positions at which such a request may begin."""
        for at, word in enumerate(self._words):
            before = self._words[at - 1] if at else ","
            begins = before in CONNECTIVES or skip_fillers(self._words, 0) == at
            if begins and (word in _PUTTING or word in _EXCHANGING):
                yield at

    def may_be(self, at: int) -> bool:
        """Return whether the words from a position on have one that such a request needs."""
        return self._words[at] in _EXCHANGING or bool({"back", "where"} & {*self._words[at:]})

    def put_plainly(self, at: int, discourse: Discourse, moved: bool) -> Words | None:
        """Return the words with the request at a position put plainly; None if it is none.

        Args:
            at: where the request begins.
            discourse: the things spoken of before it.
            moved: whether something is to be done before it.

        Raises:
            InstructionError: the things, or where they are, cannot be told.
        """
        if self._words[at] in _EXCHANGING:
            return self._exchange(at, discourse)
        return self._returned_to(at, discourse) or self._return(at, discourse, moved)

    def _return(self, at: int, discourse: Discourse, moved: bool) -> Words | None:
        first = at + 1 + (self._words[at + 1 : at + 2] == ("back",))
        for phrase, end in self._nouns.at(first):
            stop = end + (opening(self._words, _BACK, end) if first == at + 1 else 0)
            if (stop == end and first == at + 1) or not self._ends(stop):
                continue
            unknown = NotUnderstoodError(
                f'Where "{phrase.text}" shall be put back is not known. Say the place.'
            )
            if not moved:
                return self._with(at, stop, self._before(phrase, discourse, unknown))
            names = self._names(phrase, discourse)
            spoken_of = {name for group in discourse for one in group for name in one.possible}
            other = self._last_item(discourse)
            if len(names) == 1 and not spoken_of & {*names} and other and "it" in self._words[end:stop]:
                # "Take the milk out, and put the mango where it was": where the milk was.
                return self._with(at, stop, [(names[0], self._place(other))])
            if not names or not spoken_of >= {*names}:
                raise unknown
            return self._with(at, stop, [(name, self._place(name)) for name in names])
        return None

    def _before(
        self, phrase: NounPhrase, discourse: Discourse, unknown: InstructionError
    ) -> list[tuple[str, Words]]:
        """The things that a phrase means, each with where it was before the robot has moved it.

        Raises:
            InstructionError: that is *unknown*.
        """
        former = self._situation.former
        if former is None:
            raise unknown
        found = [(name, former.placement(name)) for name in self._names(phrase, discourse)]
        if not found or not all(place for _, place in found):
            raise unknown
        return [(name, self._in_words(place)) for name, place in found if place]

    def _returned_to(self, at: int, discourse: Discourse) -> Words | None:
        """The words with what comes from a place for "it": "pour the milk …, put it back in the fridge"."""
        if self._words[at + 1 : at + 3] != ("it", "back"):
            return None
        plain = tuple(_WITHIN.get(word, word) for word in self._words)
        for where, end in noun_phrases(plain, self._situation).locations(at + 3):
            if where.place is None or where.source or not self._ends(end):
                continue
            spoken_of = dict.fromkeys(one.term for group in discourse for one in group if one.possible)
            items = tuple(name for name in spoken_of if self._is_item(name))
            from_there = ReferentResolver(self._situation).located(items, where)
            if len(from_there) == 1:
                return (*self._words[: at + 1], *from_there, *self._words[at + 3 :])
        return None

    def _last_item(self, discourse: Discourse) -> str | None:
        """Return the thing that was spoken of last; None if that is none that is known."""
        spoken = (group for group in reversed(discourse) if not group[0].beside)
        last = next((group for group in spoken if not group[0].destination), ())
        known = len(last) == 1 and last[0].quantifier is None and self._is_item(last[0].term)
        return last[0].term if known else None

    def _is_item(self, name: str) -> bool:
        entity = self._situation.beliefs.entities().get(name)
        return entity is not None and self._situation.ontology.type_of(entity.best_class) == "item"

    def _exchange(self, at: int, discourse: Discourse) -> Words | None:
        first = at + 1 + opening(self._words, _BETWEEN, at + 1)
        for phrase, end in self._nouns.at(first):
            names, stop = self._names(phrase, discourse) if self._ends(self._after(end)) else (), end
            if self._words[end : end + 1] in (("with",), ("and",)):
                for other, stop in self._nouns.at(end + 1):
                    if self._ends(self._after(stop)):
                        names = (*self._names(phrase, discourse), *self._names(other, discourse))
                        break
            told = self._words[at] != "switch" or "with" in self._words[end:stop] or first > at + 1
            if len(names) != 2 or not (told or self._after(stop) > stop):
                continue
            one, other_one = names
            places = [self._place(name) for name in names]
            if places[0] == places[1] or {one, other_one} & {place[-1] for place in places}:
                raise NotUnderstoodError(
                    f"{one} is {' '.join(places[0])}, and {other_one} {' '.join(places[1])}: "
                    "they have no places to be exchanged. Say where each shall be."
                )
            return self._with(at, self._after(stop), [(one, places[1]), (other_one, places[0])])
        return None

    def _after(self, end: int) -> int:
        return end + opening(self._words, _AROUND, end)

    def _ends(self, at: int) -> bool:
        at = skip_fillers(self._words, at)
        return at == len(self._words) or self._words[at] in CONNECTIVES

    def _with(self, at: int, end: int, moves: list[tuple[str, Words]]) -> Words:
        """The words with things put to places between two positions."""
        said = [word for name, place in moves for word in ("and", "put", name, *place)][1:]
        return (*self._words[:at], *said, *self._words[end:])

    def _names(self, phrase: NounPhrase, discourse: Discourse) -> tuple[str, ...]:
        """The things that a phrase means, where they are known."""
        resolver = ReferentResolver(self._situation)
        group, _ = resolver.resolve(phrase, Slot("item", "item"), discourse, fresh_variables(0))
        if any(one.quantifier not in (None, "forall") for one in group):
            raise NotUnderstoodError(f'Which "{phrase.text}" is meant is not said, so no place is known.')
        return tuple(dict.fromkeys(name for one in group for name in one.possible))

    def _place(self, name: str) -> Words:
        """The words for where a thing is now.

        Raises:
            NoSuchThingError: it is not known, or a hand.
        """
        placement = self._situation.beliefs.placement(WHEREABOUTS, name)
        if placement is None or len(placement) < 3 or hand_of(placement):
            raise NoSuchThingError(f"I do not know of a place where {name} was. Say the place.")
        return self._in_words(placement)

    def _in_words(self, placement: Atom) -> Words:
        """The words for a place: *on table1*."""
        relation, support = placement[0], placement[-1]
        words = self._situation.ontology.predicate_words.get(relation, (relation.replace("_", " "),))
        return (*words[0].split(), support)
