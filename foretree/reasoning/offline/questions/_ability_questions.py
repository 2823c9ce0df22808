"""Questions about what the agent is able to do: answered by planning, never by doing it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from foretree.planning.constraints.constraints import Constraint
from foretree.planning.pddl.syntax import Formula
from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.questions._words_of_question import QuestionWords
from foretree.reasoning.reasoner import Understanding

#: Words that make a request of what looks like a question: "are you able to bring me the mug?".
_REQUEST = re.compile(r"\b(?:please|for me|me|us)\b")
_ABLE = re.compile(
    r"(?:(?:are|is) (?:you|the robot) (?:even |at all )?able to|do you know how to|do you manage to"
    r"|(?:is it|would it be) (?:at all )?possible (?:for you )?to|are you capable of|you are able to|you can)"
    r" (?P<deed>.+)"
)
_REACH = re.compile(
    r"(?:(?:can|could) (?:you|the robot)|are you able to|you can)(?: even| still| actually| also)?"
    r" (?:reach|get at|get hold of|get to|access|make it to|go to) (?P<thing>.+)"
)
#: "Can the mug be washed?" asks for nothing, as "could the mug be washed?" does.
_DONE_TO = re.compile(r"can (?!you|i|we|it be that)[^,]+ be \w+(?: \w+){0,4}")

#: Of so many things it is found out at once.
_MOST = 4


class AbilityQuestions:
    """The readings of a question as one about what can be done.

    Args:
        question: the words.
        read: reads a request.
        polite: whether it is put so politely that it asks for the deed.
    """

    def __init__(self, question: QuestionWords, read: Callable[[str], Understanding], polite: bool) -> None:
        self._q = question
        self._polite = polite
        self._read = read

    def answers(self) -> Iterator[str]:
        """Yield the answers of all readings that make sense."""
        feasible = self._q.situation.feasible
        if feasible is None:
            return
        yield from self._reach(feasible)
        for request in self._requests():
            try:
                understood = self._read(request)
            except InstructionError:
                continue
            if understood.wanted:
                missing = " and ".join(name.replace("_", " ") for name in understood.wanted)
                yield f"I would have to find this first: {missing}. So I cannot tell."
            elif not understood.answer:
                yield feasible(understood.goal, understood.constraints)

    def _reach(self, feasible: Callable[[Formula, Sequence[Constraint]], str]) -> Iterator[str]:
        """Can you reach the shelf? Of several it is said which."""
        reach = _REACH.fullmatch(self._q.text)
        if reach is None:
            return
        entities = self._q.beliefs.entities()
        for phrase in self._q.whole(self._q.text[: reach.start("thing")].count(" ")):
            if phrase.picks == "speaker":
                continue
            names = () if phrase.is_room else self._q.meant(phrase)
            if not (names or phrase.is_room) and phrase.class_name is not None:
                yield self._q.none(phrase)
            going = phrase.is_room or any(entities[name].fixed for name in names)
            said = [
                (name, feasible(understood.goal, understood.constraints))
                for name in names[:_MOST] or (reach["thing"],)
                if (understood := self._understood(f"{'go to' if going else 'take'} {name}")) is not None
            ]
            if said:
                yield said[0][1] if len(said) == 1 else " ".join(f"{name}: {text}" for name, text in said)

    def _understood(self, request: str) -> Understanding | None:
        """Return the meaning of a request about what is known; None if it has none."""
        try:
            understood = self._read(request)
        except InstructionError:
            return None
        return None if understood.wanted or understood.answer else understood

    def _requests(self) -> Iterator[str]:
        """Yield the requests by which the deed would be asked for."""
        text = self._q.text
        reach = _REACH.fullmatch(text)
        if reach is not None and not _REQUEST.search(reach["thing"]):
            yield from (f"go to {reach['thing']}", f"take {reach['thing']}")
        if _DONE_TO.fullmatch(text) and not (self._polite or _REQUEST.search(text)):
            yield text
        able = _ABLE.fullmatch(text)
        if able is not None and reach is None and not _REQUEST.search(able["deed"]):
            yield able["deed"]
