"""Needs of slots: what a thing must be, and afford, to take the place of a slot."""

from __future__ import annotations

from collections.abc import Iterable

from foretree.reasoning.instruction_errors import NotPossibleError
from foretree.reasoning.offline.grammar.clauses import Slot
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.discourse import Group, Referent
from foretree.reasoning.offline.phrases.known_things import KnownThings, conjoined, describe_misfit
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import BY_WORD, Atom, Truth


class SlotNeeds:
    """The judgement whether things can take the place of a slot, in one situation."""

    def __init__(self, situation: Situation, things: KnownThings) -> None:
        self._beliefs = situation.beliefs
        self._domain = situation.domain
        self._ontology = situation.ontology
        self._things = things

    def misfits(self, referent: Referent, slot: Slot) -> tuple[str, ...]:
        """The needs of the slot that the referent does not meet."""
        if not self._domain.is_a(referent.type, slot.type):
            # A type as general as "item" may still hold what is needed.
            general = referent.quantifier is not None and self._domain.is_a(slot.type, referent.type)
            return () if general else (slot.type,)
        return tuple(need for need in slot.must_afford if not self._affords(referent, need))

    def misfits_of(self, group: Group, slot: Slot) -> tuple[str, ...]:
        """The needs of the slot that the first misfit of the group does not meet."""
        return next((misfits for referent in group if (misfits := self.misfits(referent, slot))), ())

    def able(self, names: Iterable[str], slot: Slot) -> tuple[str, ...]:
        """The things of *names* that may take the place of a slot."""
        return tuple(n for n in names if not self.misfits(Referent(n, self._things.classes[n]), slot))

    def check(self, referent: Referent, phrase: NounPhrase, slot: Slot) -> None:
        """Check that the referent of a phrase can take the place of a slot.

        Raises:
            NotPossibleError: it cannot.
        """
        if misfits := self.misfits(referent, slot):
            is_said = referent.quantifier is not None or referent.term in phrase.text.split()
            called = phrase.text if is_said else f"{phrase.text} ({referent.term})"
            error = not_possible(called, misfits, slot)
            if any(self._was_told((need, referent.term)) for need in misfits):
                raise NotPossibleError(f"{error}, as I was told", error.misfits)
            raise error

    @staticmethod
    def wants_whatever_fits(phrase: NounPhrase, slot: Slot) -> bool:
        """True for "open everything", which means all that can be opened."""
        return phrase.class_name is None and phrase.picks == "all" and bool(slot.must_afford)

    def _was_told(self, atom: Atom) -> bool:
        """Return whether it is so because a person has said so."""
        fact = self._beliefs.fact(atom)
        return fact is not None and fact.source == BY_WORD

    def _affords(self, referent: Referent, predicate: str) -> bool:
        if referent.quantifier is None:
            return self._beliefs.truth((predicate, referent.term)) is Truth.TRUE
        return referent.type not in self._ontology or self._ontology.affords(referent.type, predicate)


def not_possible(called: str, misfits: tuple[str, ...], slot: Slot) -> NotPossibleError:
    """The error that a thing, as it was *called*, cannot take the place of a slot."""
    if misfits == (slot.type,):
        return NotPossibleError(f"{called} will not do", misfits=3)
    return NotPossibleError(f"{called} {conjoined(map(describe_misfit, misfits))}", misfits=len(misfits))
