"""Questions about what the agent does, has done, is going to do, and why; answered from its record."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from foretree.reasoning.account import Account, Deed, SessionAccount
from foretree.reasoning.offline.interpretation.clause_reader import quoted
from foretree.reasoning.offline.phrases.known_things import conjoined
from foretree.reasoning.offline.phrases.mentions import classes_and_names, named_in
from foretree.reasoning.offline.questions import _record_wordings as wordings
from foretree.reasoning.offline.questions._deeds_meant import deeds_meant
from foretree.reasoning.offline.questions._sightings import duration
from foretree.reasoning.offline.questions._words_of_question import QuestionWords

#: So many steps are named.
_MOST_NAMED = 8
#: "Have you got any milk?" asks for a thing, not for a deed.
_OWNING = re.compile(r"have you (?:not )?(?:got|had)\b(?! (?:rid|to)\b)")
_IDLE = "I am doing nothing just now."


class RecordQuestions:
    """The readings of a question as one about the agent's doing."""

    def __init__(self, question: QuestionWords) -> None:
        self._q = question
        self._told = question.situation.account

    def answers(self) -> Iterator[str]:
        """Yield the answers of all readings that make sense."""
        if self._told is None:
            return
        text = self._q.text
        readings: tuple[tuple[tuple[str, ...], Callable[[Account], str]], ...] = (
            (wordings.DOING, _doing),
            (wordings.NEXT, _next),
            (wordings.LEFT, _left),
            (wordings.DONE, _done),
            (wordings.LONG, _how_long),
            (wordings.WHY_THAT, _why_that),
            (wordings.WRONG, _wrong),
            (wordings.CHANGED, _changed),
            (wordings.DID, _did),
            (wordings.ASSUMED, _assumed),
            (wordings.ASKED, _asked),
            (wordings.KEPT, _kept),
        )
        for asked, answer in readings:
            if any(re.fullmatch(wording, text) for wording in asked):
                yield answer(self._told())
        yield from self._about_what_was_said()
        yield from self._about_a_deed()

    def _about_what_was_said(self) -> Iterator[str]:
        """What did I tell you about the knife?"""
        assert self._told is not None
        asked = re.fullmatch(wordings.TOLD_ABOUT, self._q.text)
        if asked is None:
            return
        situation = self._q.situation
        names = classes_and_names(asked["thing"], situation) & {*situation.beliefs.entities()}
        if not names:
            return
        said = [
            words for words in self._told().said if _is_told(words) and names & named_in(words, situation)
        ]
        about = conjoined(sorted(names))
        yield f"You said: {conjoined(map(quoted, said))}." if said else f"You told me nothing about {about}."

    # -- one deed ----------------------------------------------------------------------------------
    def _about_a_deed(self) -> Iterator[str]:
        """Why did you go to the sink? Why did you not wash the mug? Have you washed the mug?"""
        assert self._told is not None
        text = self._q.text
        asked = re.match(
            r"(?P<why>why|how come|what for) (?:(?:did|do|are|have|were|will|would) (?:you|the robot)|"
            r"you|you are|you have)"
            r" (?P<denied>not )?|why (?:did|are|have|were|will|would) (?P<not>not )you |(?:did|have) "
            r"you (?:not )?(?P<yet>already |just )?",
            text,
        )
        if asked is None or _OWNING.match(text):
            return
        denied = asked["denied"] or asked["not"] or text.startswith(("why did not", "why have not"))
        at = text[: asked.end()].count(" ")
        deeds, said = deeds_meant(self._q, at, self._told())
        if not said:
            return
        if not text.startswith(("why", "how come", "what for")):
            yield _have_done(deeds, said)
        elif denied:
            yield _why_not(self._told(), deeds, said)
        elif deeds:
            yield why_done(deeds[-1], self._told())
        else:
            yield f"I have no record of that: {said}."


def _is_told(words: str) -> bool:
    """Return whether words are told, and ask for no answer."""
    return not words.rstrip().endswith("?") and not re.match(
        r"(?:what|where|which|who|why|how)\b", words, re.I
    )


def _named(deeds: tuple[Deed, ...] | list[Deed]) -> str:
    more = len(deeds) - _MOST_NAMED
    words = [_by(deed) for deed in deeds[:_MOST_NAMED]]
    return conjoined([*words, *([f"{more} more"] if more > 0 else [])])


def _by(deed: Deed) -> str:
    return f"{deed.words} ({deed.robot})" if deed.robot else deed.words


def _doing(account: Account) -> str:
    if not account.busy:
        return _IDLE
    session = account.latest
    if session.running:
        return f"Just now: {_named(session.running)}. It is for: {session.how or session.instruction}."
    return f"I am at this: {session.how or session.instruction}. No action is running just now."


def _next(account: Account) -> str:
    session = account.latest
    if not account.busy:
        return f"Nothing. {_IDLE}"
    if not session.coming:
        return "Nothing is planned after what I am doing." if session.running else "There is no plan yet."
    return f"Next: {_named(session.coming)}."


def _left(account: Account) -> str:
    if not account.busy:
        undone = account.latest.outcome not in ("", "reached")
        return f"Nothing is under way. {_end(account.latest)}" if undone else f"Nothing. {_IDLE}"
    session = account.latest
    still = [*session.running, *session.coming]
    return f"Still to do: {_named(still)}." if still else "There is no plan yet."


def _done(account: Account) -> str:
    if account.busy:
        session = account.latest
        left = len(session.coming) + len(session.running)
        return (
            f"No, I am still at it: {left or 'no'} steps are left."
            if left != 1
            else "Not yet: one step is left."
        )
    return _end(account.latest) if account.sessions else "Nothing was asked for yet."


def _end(session: SessionAccount) -> str:
    if session.outcome == "reached":
        return f"Yes: {session.how or session.instruction} is done."
    said = session.how or session.instruction
    if session.outcome == "cancelled":
        return f"No, I was stopped before it was done: {said}. {_sentence(session.reason)}".strip()
    return f"No, it is not done: {said}. {_sentence(session.reason)}".strip()


def _how_long(account: Account) -> str:
    if not account.busy:
        return _IDLE
    session = account.latest
    steps = len(session.coming) + len(session.running)
    if not steps:
        return "I do not know yet: there is no plan."
    said = f"{steps} step{'s' if steps > 1 else ''} {'are' if steps > 1 else 'is'} left"
    if session.seconds_left is None:
        return f"I cannot tell in seconds yet. {said}."
    return f"At the pace so far, {duration(session.seconds_left)} more: {said}."


def _why_that(account: Account) -> str:
    deeds = [
        deed
        for session in account.sessions
        for deed in session.deeds
        if deed.status in ("running", "done", "failed")
    ]
    return why_done(deeds[-1], account) if deeds else "I have done nothing yet."


def why_done(deed: Deed, account: Account) -> str:
    """Return what an action was for."""
    session = next(
        (one for one in reversed(account.sessions) if deed in chain(one.deeds, one.coming)), SessionAccount()
    )
    needed = "; ".join(one for one in deed.needed_for if one != "the goal")
    goal = session.how or session.instruction
    because = f", since {needed}" if needed else ""
    if deed.status in ("skipped", "dropped"):
        return f"I did not: {deed.words} was left out. {_sentence(deed.reason)}"
    return (
        f"I {'do' if deed.status in ('running', 'planned') else 'did'} it ({_by(deed)}) for: {goal}{because}."
    )


def _have_done(deeds: tuple[Deed, ...], said: str) -> str:
    done = [deed for deed in deeds if deed.status == "done"]
    if done:
        return f"Yes: {_named(done)}."
    if not deeds:
        return f"No, I have not done that: {said}."
    last = deeds[-1]
    if last.status == "running":
        return f"I am doing it just now: {_by(last)}."
    if last.status == "planned":
        return f"Not yet: {_by(last)} is still to come."
    return f"No: {_by(last)}, {last.status}. {_sentence(last.reason)}".strip()


def _why_not(account: Account, deeds: tuple[Deed, ...], said: str) -> str:
    session = account.latest
    if any(deed.status == "done" for deed in deeds):
        return f"I did: {_named([deed for deed in deeds if deed.status == 'done'])}."
    if deeds:
        last = deeds[-1]
        if last.status in ("planned", "running"):
            when = "It is still to come" if last.status == "planned" else "I am doing it just now"
            return f"{when}: {_by(last)}."
        return f"{_sentence(f'{_by(last)}: {last.status}')} {_sentence(last.reason)}".strip()
    if session.left_out:
        return " ".join(f'"{words}" is left out: {_sentence(why)}' for words, why in session.left_out)
    if session.outcome not in ("", "reached"):
        return _end(session)
    return f"Nothing that I was asked for needed that: {said}."


def _wrong(account: Account) -> str:
    session = account.latest
    said = [*session.troubles]
    if session.outcome not in ("", "reached") and session.reason:
        said.append(_end(session))
    return " ".join(said) if said else "Nothing that I know of."


def _changed(account: Account) -> str:
    session = account.latest
    if not session.changes:
        return "I have not changed the plan."
    return "I changed the plan: " + " ".join(map(_sentence, session.changes))


def _did(account: Account) -> str:
    done = [deed for one in account.sessions for deed in one.deeds if deed.status == "done"]
    if not done:
        return "I have done nothing yet."
    more = len(done) - _MOST_NAMED
    before = f"{more} actions before that; then " if more > 0 else ""
    return f"So far: {before}{conjoined(map(_by, done[-_MOST_NAMED:]))}."


def _assumed(account: Account) -> str:
    said = account.latest.assumptions
    return f"I took for granted: {'; '.join(said[:_MOST_NAMED])}." if said else "I took nothing for granted."


def _asked(account: Account) -> str:
    if not account.sessions:
        return "Nothing was asked for yet."
    session = account.latest
    how = f" I understood: {session.how}." if session.how else ""
    return f'"{session.instruction}".{how}'


def _kept(account: Account) -> str:
    keeps = account.latest.keeps or account.keeps
    return f"I keep to {conjoined(keeps)}." if keeps else "Nothing is forbidden."


def _sentence(text: str) -> str:
    if not text:
        return ""
    # The name of a thing is written as it is.
    said = text if any(letter.isdigit() for letter in text.split()[0]) else text[0].upper() + text[1:]
    return said if said.endswith((".", "!", "?")) else f"{said}."
