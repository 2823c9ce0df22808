"""Questions why things are as they are: "why is the fridge closed?", "why is the mug on the table?".

The record tells what the agent has done itself; more is not known. Complaints, "why is it *still* open?", are
needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from foretree.reasoning.account import Account, Deed
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.questions._record_questions import why_done
from foretree.reasoning.offline.questions._words_of_question import BE, QuestionWords
from foretree.reasoning.reasoner import Understanding
from foretree.world_model.beliefs.facts import WHEREABOUTS, Truth

_WHY = re.compile(r"(?:why|how come|for what reason)(?: is it that)? ")
#: What is asked about with these words is complained of.
_COMPLAINTS = frozenset({"still", "always", "all", "again", "yet", "so", "already", "lying", "left"})


class ReasonQuestions:
    """The readings of a question as one why a thing is as it is.

    Args:
        question: the words.
        read: reads a request, to find out what could be said to have it changed.
    """

    def __init__(self, question: QuestionWords, read: Callable[[str], Understanding]) -> None:
        self._q = question
        self._read = read

    def answers(self) -> Iterator[str]:
        """Yield the answers of all readings that make sense."""
        q = self._q
        asked = _WHY.match(q.text)
        if asked is None or not _COMPLAINTS.isdisjoint(q.tokens):
            return
        first = q.text[: asked.end()].count(" ")
        turned = q.word(first) in BE  # "why is the fridge closed", or "how come the fridge is closed"
        denied_first = turned and q.word(first + 1) == "not"
        for phrase, end in q.nouns.at(first + turned + denied_first):
            at = end + (q.word(end) in ("door", "lid", "doors"))
            if not turned and q.word(at) not in BE:
                continue
            at += not turned
            denied = denied_first or q.word(at) == "not"
            at += denied and not denied_first
            if phrase.picks == "speaker" or at >= len(q.tokens):
                continue
            if names := q.meant(phrase):
                yield from self._reasons(names, at, denied)
            elif phrase.class_name is not None and q.state(at) is not None:
                yield q.none(phrase)

    def _reasons(self, names: tuple[str, ...], at: int, denied: bool) -> Iterator[str]:
        """Yield why things are as the words from *at* on say, or are not where that is *denied*."""
        q = self._q
        words = " ".join(q.tokens[at:])
        says = f"{'not ' if denied else ''}{words}"
        state = q.state(at)
        if state is not None and state[1] == len(q.tokens):
            predicate, positive = state[0][0], state[0][1] is not denied
            so = tuple(name for name in names if q.truth((predicate, name), positive) is Truth.TRUE)
            changed = f"should {'' if denied else 'not '}be {words}"
            yield " ".join(self._of_state(name, predicate, positive, says, changed) for name in so or names)
        for where in q.locations(at):
            there = q.resolver.located(names, where)
            so = tuple(name for name in names if (name in there) is not denied)
            yield " ".join(self._of_place(name, name in so, says) for name in so or names)

    def _of_state(self, name: str, predicate: str, positive: bool, says: str, changed: str) -> str:
        truth = self._q.truth((predicate, name), positive)
        if truth is Truth.UNKNOWN:
            return f"I do not know whether {name} is {says}."
        if truth is Truth.FALSE:
            return f"As far as I know, {name} is not {says}."
        wish = f"{name} {changed}"
        offer = f' If you want it otherwise, say "{wish}".' if self._is_understood(wish) else ""
        return f"{self._told(name, (predicate, positive), says)}{offer}"

    def _of_place(self, name: str, so: bool, says: str) -> str:
        q = self._q
        placement = q.beliefs.placement(WHEREABOUTS, name)
        if placement is None or not so:
            return q.place(name)
        offer = " If it should be elsewhere, say where."
        return f"{self._told(name, (placement[0], True), says, placement[-1])}{offer}"

    def _told(self, name: str, effect: tuple[str, bool], says: str, *places: str) -> str:
        """Return what the record says of how a thing became so."""
        told = self._q.situation.account
        account = told() if told is not None else Account()
        deed = self._deed(account, {name, *places}, effect)
        if deed is not None:
            return why_done(deed, account)
        return f"I do not know why {name} is {says}: I have not done that."

    def _deed(self, account: Account, things: set[str], effect: tuple[str, bool]) -> Deed | None:
        """Return the last deed with *things* by which a fact became so; None if there was none."""
        operators = self._q.situation.domain.operators
        deeds = chain.from_iterable(session.deeds for session in account.sessions)
        made = [
            deed
            for deed in deeds
            if deed.status == "done" and things <= {*deed.arguments} and deed.skill in operators
            if any(
                (one.literal.atom[0], one.literal.positive) == effect for one in operators[deed.skill].effects
            )
        ]
        return made[-1] if made else None

    def _is_understood(self, wish: str) -> bool:
        try:
            self._read(wish)
        except InstructionError:
            return False
        return True
