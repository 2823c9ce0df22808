"""A few requests that can be said in place of one that is not understood, about the things that it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from foretree.reasoning.instruction_errors import AmbiguousError, InstructionError
from foretree.reasoning.offline.grammar.clauses import Pattern, Slot
from foretree.reasoning.offline.interpretation.clause_reader import ClauseReader, fresh_variables, quoted
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.known_things import conjoined, either
from foretree.reasoning.reasoner import Situation

#: So many requests are named.
_MOST = 3
_ASK = 'What I can do is told to "what can you do?".'
#: Verbs of requests that can be named, the best known first.
_BEST_KNOWN = ("bring", "put", "open", "wash", "turn", "pick", "take", "go", "move", "push")


class Suggestions:
    """Requests near to one that is not understood.

    Args:
        reader: has the words, and knows the requests.
        situation: what is known.
    """

    def __init__(self, reader: ClauseReader, situation: Situation) -> None:
        self._reader = reader
        self._situation = situation

    def hint(self) -> str:
        """Return a short paragraph: which things are understood, and what can be said of them."""
        things = self._things()
        for at, thing in enumerate(things):
            said = self._about(thing)
            if said:
                named = conjoined(quoted(each.text) for each in (thing, *things[:at], *things[at + 1 :]))
                return f"I do understand {named}; one can say {either(said)}."
        said = self._anything()
        return f"One can say, for example, {either(said)}." if said else _ASK

    def _things(self) -> list[NounPhrase]:
        """Return the noun phrases that mean something known, each the longest at its place."""
        found: list[NounPhrase] = []
        at, words = 0, self._reader.tokens
        while at < len(words):
            here = [(end, phrase) for phrase, end in self._reader.nouns.at(at) if self._means(phrase)]
            if here:
                at, phrase = max(here, key=lambda one: one[0])
                found.append(phrase)
            else:
                at += 1
        return found

    def _means(self, phrase: NounPhrase) -> bool:
        told = phrase.name or (phrase.class_name and phrase.picks not in ("it", "them", "speaker"))
        return bool(told) and bool(self._reader.resolver.entities_meant(phrase))

    def _about(self, phrase: NounPhrase) -> list[str]:
        """Return requests about a thing."""
        patterns = (one for one in self._reader.grammar.patterns if one.slots and self._fits(one, phrase))
        return self._said((pattern, phrase.text) for pattern in patterns)

    def _fits(self, pattern: Pattern, phrase: NounPhrase) -> bool:
        slot = pattern.slots[0]
        if phrase.name is not None and phrase.name not in self._reader.resolver.fitting(slot):
            return False
        try:
            self._reader.resolver.resolve(phrase, slot, (), fresh_variables(0))
        except AmbiguousError:
            return True
        except InstructionError:
            return False
        return True

    def _anything(self) -> list[str]:
        """Return requests about things that are here."""

        def cases() -> Iterator[tuple[Pattern, str]]:
            for pattern in self._reader.grammar.patterns:
                if pattern.slots and (names := self._reader.resolver.fitting(pattern.slots[0])):
                    yield pattern, min(names)

        return self._said(cases())

    def _said(self, cases: Iterable[tuple[Pattern, str]]) -> list[str]:
        """Return the best known of some requests, each with its first thing, one for each verb."""
        ranked: list[tuple[int, int, int, str]] = []
        for pattern, thing in cases:
            first, *others = pattern.slots
            others = [slot for slot in others if slot.how != "me"]
            unplaced = any(not slot.destination for slot in others)
            if pattern.states or first.destination or first.how or unplaced:
                continue
            opening = pattern.parts[0]
            verb = next(
                ((word,) for word in _BEST_KNOWN if not isinstance(opening, Slot) and (word,) in opening),
                None,
            )
            words = pattern.say({first.name: thing}, verb)
            begin = words.partition(f" {thing}")[0].split()
            if begin[0] in _BEST_KNOWN and len(begin) < 3:
                rank = _BEST_KNOWN.index(begin[0])
                ranked.append((rank, len(others), len(words), words))
        found: dict[str, str] = {}
        for *_, words in sorted(ranked):
            found.setdefault(words.split()[0], words)
        return list(map(quoted, list(found.values())[:_MOST]))
