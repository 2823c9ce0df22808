"""Answers to questions. Nothing is looked for, and nothing moves."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.lexicon import tokens_of
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.offline.phrases.mentions import things_named
from foretree.reasoning.offline.phrases.referents import ReferentResolver
from foretree.reasoning.offline.questions._ability_questions import AbilityQuestions
from foretree.reasoning.offline.questions._belief_questions import BeliefQuestions
from foretree.reasoning.offline.questions._certainty_questions import CertaintyQuestions
from foretree.reasoning.offline.questions._framing import framed
from foretree.reasoning.offline.questions._reason_questions import ReasonQuestions
from foretree.reasoning.offline.questions._record_questions import RecordQuestions
from foretree.reasoning.offline.questions._robot_questions import RobotQuestions
from foretree.reasoning.offline.questions._use_questions import UseQuestions
from foretree.reasoning.offline.questions._words_of_question import QuestionWords, first
from foretree.reasoning.reasoner import Situation, Understanding

#: Begins a request that depends on the answer: it is a condition, not a question.
_IF = re.compile(r"(?:if|otherwise|or else|unless|in that case|then)\b", re.I)
#: "Can you tell me where the mug is and bring it to me?"
_AND = re.compile(r",? and (?:then )?", re.I)
_ASKS = re.compile(r"(?:\w+ ){0,6}(?:where|what|which|whether)\b", re.I)
_SENTENCE = re.compile(r"(?P<question>[^?]*\?)\s*(?P<request>[^\s?].*)", re.S)
#: "Where are my keys? Grab them!" is to have them.
_OWN = re.compile(r"\b(?:my|our|i|we)\b", re.I)
_FETCHES = re.compile(r"(?:please )?(?:get|grab|fetch|find|collect|retrieve) (?:it|them)", re.I)
_PICKS = re.compile(r"\s*(?:which|what)\b", re.I)
_BACK = re.compile(r"\b(?:it|them|that|those|one)\b", re.I)

#: Reads a request.
ReadRequest: TypeAlias = Callable[[str], Understanding]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question.

    Attributes:
        text: the answer.
        spoken_of: the things that the question speaks of, for "it" in what follows.
    """

    text: str
    spoken_of: Discourse = ()


@dataclass(frozen=True, slots=True)
class QuestionedRequest:
    """A request with a question before it: "where has my umbrella got to? Bring it."

    Attributes:
        request: the request.
        answer: the answer to the question.
        spoken_of: what was spoken of before, and in the question.
    """

    request: str
    answer: str
    spoken_of: Discourse


def answered(
    question: str,
    situation: Situation,
    read: ReadRequest | None = None,
    read_plain: ReadRequest | None = None,
) -> Answer | None:
    """Return the answer to a question; None if it is none that can be answered.

    Args:
        question: the words.
        situation: what is known.
        read: reads a request, for questions about what can be done; without it they are not answered.
        read_plain: reads a request that is put plainly, which is quick; for questions why things are as they
            are, and what they are good for.
    """
    frame = framed(question)
    if not frame.tokens:
        return None
    polite = "please" in tokens_of(question)
    words = QuestionWords(frame.tokens, frame.declared, situation)
    readings = [
        RobotQuestions(words).answers(),
        ReasonQuestions(words, read_plain).answers() if read_plain is not None else iter(()),
        RecordQuestions(words).answers(),
        CertaintyQuestions(words).answers(),
        AbilityQuestions(words, read, polite).answers() if read is not None else iter(()),
        BeliefQuestions(words).answers(),
        UseQuestions(words, read_plain).answers() if read_plain is not None else iter(()),
    ]
    text = first(chain.from_iterable(readings))
    if text is None:
        return _answered_of_vessels(question, situation) if question.rstrip().endswith("?") else None
    resolver = ReferentResolver(situation)
    one = words.spoken_of if len(words.spoken_of) == 1 else ()  # of several, none is "it"
    return Answer(text, tuple((resolver.referent_of(name),) for name in one))


def _answered_of_vessels(question: str, situation: Situation) -> Answer | None:
    """Return the answer to a question about things that are called by what they hold: "where is my tea?"."""
    from foretree.reasoning.offline.knowledge.vessels import with_vessel_named  # dear to load

    plainer, held = with_vessel_named(question, situation.ontology)
    found = answered(f"{plainer}?", situation) if held else None
    none = found is not None and found.text.startswith("I know of no")
    return Answer(f"I know of no {held} here.") if none else found


def answer_question(instruction: str, situation: Situation, read: ReadRequest | None = None) -> str | None:
    """Return the answer to a question as text; None if it is none that can be answered."""
    answer = answered(instruction, situation, read)
    return answer.text if answer is not None else None


def question_before_request(instruction: str, situation: Situation) -> QuestionedRequest | None:
    """Return the request that comes after a question; None if there is no such question or no request."""
    said = instruction.strip()
    parts = _SENTENCE.fullmatch(said)
    splits = [(parts["question"], parts["request"])] if parts is not None else []
    if parts is not None and _IF.match(parts["request"]):
        return None
    if _ASKS.match(said):
        splits += [(said[: part.start()], said[part.end() :]) for part in _AND.finditer(said)]
    for question, wish in splits:
        answer = answered(question, situation)
        if answer is not None:
            plain = wish.strip(" .!")
            wish = f"{plain} for me" if _OWN.search(question) and _FETCHES.fullmatch(plain) else wish
            # "Where is my mug? Bring it" has one looked for, but "which mug is clean? Bring that" has not.
            if answer.text.startswith("I know of no") and _PICKS.match(question) and _BACK.search(wish):
                raise NotUnderstoodError(f'"{wish.strip()}" is about nothing: {answer.text}')
            asked = answer.spoken_of or things_named(tokens_of(question), situation)
            return QuestionedRequest(wish, answer.text, (*situation.spoken_of, *asked))
    return None
