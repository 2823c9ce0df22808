"""Undoing: "undo that", "put everything back as it was". It is put as the requests for what was so before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from foretree.planning.pddl.syntax import TRUE, Literal
from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.reasoner import Situation, Understanding
from foretree.world_model.beliefs.facts import WHEREABOUTS, Atom

_THING = r"(?:thing|step|action|command|request|instruction|order|change|move|task)"
_WHAT = (
    r"(?:it|that|this|everything|all|all (?:of )?(?:it|that|this)"
    r"|what you (?:just |have just )?(?:did|have done|'ve done)"
    rf"|(?:the|your|my|that) (?:last |latest )?{_THING})"
)
_AS_IT_WAS = (
    r"(?:back )?(?:to )?(?:how|as|the way|where|what) "
    r"(?:it|they|that|things|everything|all) (?:was|were|had been)(?: before)?"
)
_UNDO = re.compile(
    r"(?:please |can you |could you |would you |ok |no |sorry )*(?:"
    rf"(?:undo|reverse|revert|take back|roll back|unmake)(?: {_WHAT})?"
    rf"|(?:take|roll) {_WHAT} back"
    r"|(?:put|make|leave|set|get|bring|return|restore) "
    rf"(?:it all|things|everything|all|that all|the room|the place) (?:{_AS_IT_WAS}|back)"
    rf"|restore {_WHAT}(?: {_AS_IT_WAS})?"
    r")(?: again| please| now| right away| for me)*"
)


def asks_to_undo(words: str) -> bool:
    """Return whether *words* ask for nothing but that what was done is undone."""
    plain = re.sub(r"[^\w\s']", " ", words.lower().replace("’", "'"))
    return _UNDO.fullmatch(" ".join(plain.split())) is not None


def undone(
    situation: Situation,
    grammar: Grammar,
    read: Callable[[str, Situation, Discourse], Understanding],
) -> Understanding:
    """Return the understanding of what undoes the last request that has changed anything; what stays is said.

    Args:
        situation: what is known, and what was so before.
        grammar: knows the requests.
        read: reads a plain request.
    """
    said: list[str] = []
    lasting: list[str] = []
    for atom, was in situation.former.changed() if situation.former is not None else ():
        words = next(_asking_for(atom, was, situation, grammar), "")
        if words:
            said.append(words)
        else:
            lasting.append(_state(atom, not was, situation))
    note = f"what cannot be undone: {', '.join(lasting)}" if lasting else ""
    if not said:
        answer = f"I cannot: {note}." if note else "There is nothing to undo."
        return Understanding(TRUE, answer, answer=answer, spoken_of=situation.spoken_of)
    understood = read(" and ".join(said), situation, situation.spoken_of)
    return replace(understood, sentence="; ".join(filter(None, (understood.sentence, note))))


def _asking_for(atom: Atom, was: bool, situation: Situation, grammar: Grammar) -> Iterator[str]:
    """Yield requests for a fact in words."""
    if situation.beliefs.vocabulary[atom[0]].group == WHEREABOUTS:
        relation, thing, place = atom[0], atom[1], atom[-1]
        words = situation.ontology.predicate_words.get(relation, (relation.replace("_", " "),))
        yield f"put {thing} {words[0]} {place}"
        return
    for pattern in grammar.patterns:
        asked = pattern.goal
        if pattern.states or not isinstance(asked, Literal) or len(pattern.slots) != 1:
            continue
        slot = pattern.slots[0]
        if asked.atom == (atom[0], slot.stand_in) and asked.positive is was and not slot.how:
            yield pattern.say({slot.name: atom[1]})


def _state(atom: Sequence[str], holds: bool, situation: Situation) -> str:
    words = situation.ontology.predicate_words.get(atom[0], (atom[0].replace("_", " "),))
    return f"{atom[1]} is {words[0] if holds else f'not {words[0]}'}"
