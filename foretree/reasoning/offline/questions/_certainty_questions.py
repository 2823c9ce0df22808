"""Questions about how sure the agent is: "how sure are you that the mug is on the table?"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foretree.reasoning.offline.questions._words_of_question import BE, QuestionWords
from foretree.world_model.beliefs.facts import BY_ACTION, BY_CLASS, BY_EYE, WHEREABOUTS, Atom, Truth

_SURE = re.compile(
    r"(?:how (?:sure|certain|confident)|are|is) (?:are |is )?(?:you|the robot)(?: really| quite| "
    r"absolutely| completely)?"
    r" ?(?:sure|certain|confident|positive)?(?: (?P<that>that|of|about|where|whether|if))? ?(?P<rest>.*)"
)
_SOURCES = {BY_ACTION: "by what I did", BY_CLASS: "by the kind of thing it is"}


class CertaintyQuestions:
    """The readings of a question as one about how sure a belief is."""

    def __init__(self, question: QuestionWords) -> None:
        self._q = question

    def answers(self) -> Iterator[str]:
        """Yield the answers of all readings that make sense."""
        found = _SURE.fullmatch(self._q.text)
        if found is None or not re.search(r"\b(?:sure|certain|confident|positive)\b", self._q.text):
            return
        rest = found["rest"].removeprefix("that ")
        if not rest:
            yield self._in_general()
            return
        at = len(self._q.tokens) - len(rest.split())
        for phrase, end in self._q.nouns.at(at):
            names = self._q.meant(phrase)
            if self._q.ends(end):
                yield " ".join(map(self._of_place, names))
            if names and self._q.word(end) in BE:
                yield from self._of_statement(names, end + 1)

    def _of_statement(self, names: tuple[str, ...], at: int) -> Iterator[str]:
        q = self._q
        denied = q.word(at) == "not"
        state = q.nouns.state(at + denied)
        if state is not None and q.ends(state[1]):
            words = " ".join(q.tokens[at + denied : state[1]])
            yield " ".join(self._of((state[0][0], name), words, state[0][1]) for name in names)
        if q.ends(at) or any(True for _ in q.locations(at + denied)):
            yield " ".join(map(self._of_place, names))

    def _of_place(self, name: str) -> str:
        q = self._q
        placement = q.beliefs.placement(WHEREABOUTS, name)
        return q.place(name) if placement is None else self._of(placement, q.things.describe_place(name))

    def _of(self, atom: Atom, words: str, positive: bool = True) -> str:
        """Return how sure it is that a thing is as *words* say; they say that the atom is *positive*."""
        name = next(term for term in atom[1:] if term in self._q.things.classes and term not in words)
        truth = self._q.truth(atom, positive)
        if truth is Truth.UNKNOWN:
            return f"I do not know whether {name} is {words}."
        fact = self._q.beliefs.evidence(atom)
        by = "by what I saw" if fact.source in BY_EYE else _SOURCES.get(fact.source, "by what I was told")
        denied = "" if truth is Truth.TRUE else "not "
        return f"I am {fact.confidence:.0%} sure that {name} is {denied}{words}, {by}."

    def _in_general(self) -> str:
        account = self._q.situation.account
        assumed = account().latest.assumptions if account is not None else ()
        if assumed:
            return f"I took for granted: {'; '.join(assumed[:8])}. The rest is what I was told, did or saw."
        return 'I took nothing for granted. Ask of a certain thing: "how sure are you that the mug is clean?"'
