"""A talk: instructions, questions and corrections, one after the other, in one world and with one belief."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from signal import SIGINT
from typing import Protocol

from foretree.agent.dialogue.claims import Claim, called, claim_of
from foretree.agent.dialogue.conversation import (
    Utterance,
    any_will_do,
    chosen,
    follows,
    intent_of,
    is_yes,
    names_a_thing,
    numbered,
)
from foretree.agent.dialogue.instruction_reader import InstructionReader, situation
from foretree.agent.mission import MOST_PAST, Mission
from foretree.bringup._assembly import Assembly
from foretree.bringup._recorders import RecorderRelay
from foretree.bringup.options import Wish
from foretree.bringup.request import Request
from foretree.clock import PacedClock
from foretree.planning.constraints.constraints import show_constraint
from foretree.planning.pddl.syntax import TRUE
from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    InstructionError,
    NoSuchThingError,
    NotPossibleError,
    NotUnderstoodError,
)
from foretree.reasoning.offline.phrases.known_things import KnownThings
from foretree.reasoning.reasoner import DeferringReasoner, Understanding
from foretree.runs.events import Event, Silent
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore
from foretree.runs.views.narration import Narrator
from foretree.trees.session import Session, SessionError

#: A line of a certain person.
_NAMED = re.compile(r"([^\W\d_][\w'-]*) *: *(\S.*)")
#: Words before a colon that are no names.
_OPENINGS = frozenset(
    re.findall(
        r"\w+",
        "note please listen ok okay well so first second then next also now quick question request task "
        "remember attention sorry hey hello hi instruction important warning reminder update correction "
        "robot again that this it and but yes no stop wait therefore",
    )
)
_LEAVING = re.compile(r"(?:quit|exit|leave|(?:good)?bye(?: ?bye)?)[ .!]*", re.I)

#: Words that tell no thing from another.
_FUNCTION = frozenset(
    re.findall(r"\w+", "the a an one that this which is of in on at under inside near beside")
)
#: A sentence has one of these, an answer that names a thing has none, unless it is "the one that is dirty".
_FINITE = re.compile(
    r"^(?!.*\b(?:that|which|who)\b).*\b(?:is|are|was|were|has|have|does|do|did|will|would|can|could|should|must"
    r"|needs?|leaks?|(?:is|are|was|were|does|do|did|wo|ca|could|should)n['’]t|cannot)\b",
    re.I,
)
_WHERE = re.compile(r"(?:in|on|at|under|inside|near|beside)\b", re.I)

#: How a line can come out that leads to no run, beside the outcomes of runs.
REFUSED = "refused"


def _content(words: str) -> set[str]:
    """Return the words that tell things apart; "table1" is also the table."""
    said = re.findall(r"[a-z]+[0-9]*", words.lower())
    return {word for one in said for word in (one, one.rstrip("0123456789"))} - _FUNCTION


class Interruptions(Protocol):
    """The signals that may end a run: which has struck, if any, and when they may."""

    @property
    def number(self) -> int: ...

    def let_in(self) -> AbstractContextManager[None]:
        """Have the first of them interrupt the body."""
        ...


class TalkPartner(Protocol):
    """The person, or the script, at the other end.

    Attributes:
        interrupts: whether what is said counts while a run goes on; otherwise each line waits for its turn.
    """

    interrupts: bool

    def hear(self, wait: bool) -> str | None:
        """Return the next line; None if there is none yet and it is not to be waited for.

        Raises:
            EOFError: there are no more.
        """
        ...

    def tell(self, text: str) -> None:
        """Say *text*. May be called from any thread."""
        ...


class Talk:
    """Has the agent do what a partner says, line by line, until that one leaves.

    An instruction that moves the robot is a run of its own in the store. The world, the belief, what is
    forbidden and what was spoken of go on from one to the next.

    Args:
        request: the world, and the options; what it wishes for is no more than constraints.
        clock: the time.
        partner: whom to talk with.
        signals: hears the signals that may end a run.

    Attributes:
        warnings: what was odd about the files.
        outcomes: how each line came out that did not only talk: as a run ends, or *refused*.

    Raises:
        ForetreeError: a file, a setting or a fault makes no sense.
    """

    def __init__(
        self,
        request: Request,
        clock: PacedClock,
        partner: TalkPartner,
        signals: Callable[[], AbstractContextManager[Interruptions]],
    ) -> None:
        self._request = request
        self._partner = partner
        self._signals = signals
        self._relay = RecorderRelay()
        self._world, _ = request.open(self._relay, clock)
        self._assembly = Assembly(request.agent_options(), self._relay, clock)
        self._reasoner = self._assembly.reasoner()
        self._mission = self._world.mission
        self._after = ""
        #: Who has said the line that is taken.
        self._by = ""
        self._left = False
        #: What was asked back, and the instruction that it was about.
        self._asked: tuple[AmbiguousError, str] | None = None
        self.warnings = self._world.warnings
        self.outcomes: list[str] = []

    def go_on(self) -> None:
        """Hear line after line, and do what they say, until the partner leaves.

        Raises:
            ForetreeError: a run has ended with an error, or cannot be recorded.
        """
        while not self._left:
            try:
                words = self._partner.hear(wait=True)
            except EOFError:
                return
            if words is not None and words.strip():
                self._take_line(words.strip())

    def _take_line(self, line: str) -> None:
        """Do what a line says, and what was said meanwhile and not heard."""
        words: str | None = line
        while words is not None and not self._left:
            said = self._spoken(words)
            self._by = said.by or self._by
            self._mission.speaks(said.by)
            self._world.context.journal.said.append(said.words)
            self._take(said.words)
            unheard = self._mission.conversation.hear()
            words = None
            if unheard is not None:
                words = f"{called(unheard.by)}: {unheard.words}" if unheard.by else unheard.words

    def _spoken(self, line: str) -> Utterance:
        """Return the words of a line, and who says them: "Anna: put the mug on the table"."""
        named = _NAMED.fullmatch(line)
        if named is None:
            return Utterance(line)
        name, words = named.groups()
        places = self._world.context.places.places()
        people = {one.name.lower(): one.name for one in places if one.kind == "person"}
        if name.lower() in people:
            return Utterance(words, people[name.lower()])
        if name.lower() in _OPENINGS or not name[0].isupper():
            return Utterance(line)
        return Utterance(words, name.lower())

    def _tell(self, text: str) -> None:
        """Say *text* to the one who has said the line."""
        self._partner.tell(f"To {called(self._by)}: {text}" if self._by else text)

    def _take(self, words: str) -> None:
        """Do what a line says while no run goes on."""
        intent, said = intent_of(words)
        if _LEAVING.fullmatch(words):
            self._left = True
        elif intent in ("stop", "wait", "proceed"):
            self._tell("I am doing nothing just now.")
        elif len(said.split()) <= 1 and is_yes(said) is not None:
            self._tell("Nothing was asked.")
        else:
            try:
                reader = InstructionReader(self._world.context, self._mission, self._reasoner)
                if lifted := reader.lift_rules(words):
                    self._tell(lifted)
                    return
                words = self._answered(words)
                session = self._understood(words)
            except InstructionError as error:
                if isinstance(error, AmbiguousError) and error.among:
                    self._asked = self._asked or (error, words)
                self._refuse(words, error)
                self.outcomes.append(REFUSED)
                self._tell(str(error))
                return
            if session is not None:
                self._carry_out(session)

    def _refuse(self, words: str, error: InstructionError) -> None:
        """Go on from nothing that was refused, nor from what was before it; but let it be corrected."""
        if not follows(words):
            corrigible = isinstance(error, AmbiguousError | NotPossibleError | NoSuchThingError)
            self._mission.how, self._mission.spoken_of = (words if corrigible else ""), ()

    def _answered(self, words: str) -> str:
        """Return the instruction that *words* complete, if they answer what was asked back.

        Raises:
            AmbiguousError: they name a thing, but none of those that may be meant.
        """
        asked, self._asked = self._asked, None
        said = intent_of(words)[1]
        number = numbered(said, len(asked[0].among)) if asked is not None else None
        if asked is not None and any_will_do(said):
            number = 0
        if asked is None or not (number is not None or names_a_thing(said) or _WHERE.match(said)):
            return words
        if number is None and _FINITE.search(said):
            return words  # "this knife is broken" is a remark, and names no choice
        error, instruction = asked
        self.outcomes.remove(REFUSED)
        things = KnownThings(situation(self._world.context))
        choices = [_content(f"{name} {things.describe_place(name)}") for name in error.among]
        choice = number
        if choice is None:
            choice = chosen(" ".join(_content(said)), [" ".join(words) for words in choices])
        known = choice is not None and _content(said) <= choices[choice] | _content(error.words)
        if choice is None or not (number is not None or known):
            self._asked = asked
            raise error
        name = error.among[choice]
        return re.sub(rf"\b{re.escape(error.words)}\b", name, instruction, count=1, flags=re.I)

    def _understood(self, words: str) -> Session | None:
        """Return the session that *words* ask for; None if they are answered, or noted.

        A model that understands them is asked once there is a run, since that costs.

        Raises:
            InstructionError: they are not understood, and nothing that may be found will change that.
        """
        context, before = self._world.context, self._mission
        reader = InstructionReader(context, before, self._reasoner)
        instruction = reader.in_full(words)
        if follows(words) and names_a_thing(instruction):
            raise NotUnderstoodError(f'What shall be done with "{instruction}"? Say it in a whole sentence.')
        if not isinstance(self._reasoner, DeferringReasoner):
            try:
                understood = reader.begin(instruction).result()
            except NoSuchThingError as error:
                if not error.wanted:
                    raise
            else:
                if understood.answer:
                    reader.keep_in_mind(understood)
                    self._tell(understood.answer)
                    return None
                if understood.keeps_only:
                    self._keep_to(instruction, understood)
                    if understood.goal == TRUE:
                        return None
        return self._session(instruction)

    def _keep_to(self, words: str, understood: Understanding) -> None:
        """Keep to what was said without a request, for all that follows."""
        mission, constraints = self._mission, understood.constraints
        mission.given_constraints = tuple(dict.fromkeys((*mission.given_constraints, *constraints)))
        mission.standing = (*mission.standing, claim_of(self._by, words, understood))
        self._tell(f"From now on I keep to {' and '.join(map(show_constraint, constraints))}.")

    def _session(self, instruction: str) -> Session:
        """Return a session in the same world, with the same belief, and what was said before in mind."""
        before = self._mission
        wish = Wish(instruction, constraints=tuple(map(show_constraint, before.given_constraints)))
        mission = Mission(
            instruction,
            given_constraints=before.given_constraints,
            spoken_of=before.spoken_of,
            by=self._by,
            standing=self._standing(),
            voices=before.voices,
            past=(*before.past, self._world.context.belief.snapshot())[-MOST_PAST:],
        )
        mission.conversation.attended = True
        header = {
            **self._world.header,
            "instruction": instruction,
            "attended": True,
            **({"constraints": list(wish.constraints)} if wish.constraints else {}),
            **({"after": self._after} if self._after else {}),
        }
        session = self._assembly.session(
            self._world.context, mission, str(header["scene"]), self._reasoner, wish, header
        )
        session.before_tick.append(self._attend)
        return session

    def _standing(self) -> tuple[Claim, ...]:
        """Return what was asked for up to now: what is done, and what is to be kept to."""
        before = self._mission
        done = tuple(
            claim if claim.goal == TRUE else replace(claim, constraints=())
            for claim in (*before.standing, *before.claims)
        )
        return tuple(dict.fromkeys(done))

    def _attend(self, session: Session) -> None:
        """Hand on what is said while a run goes on; for an answer to a question the world stands still."""
        conversation = session.mission.conversation
        while session.result is None:
            asked = conversation.question is not None and not conversation.waiting
            if not (asked or self._partner.interrupts):
                return
            try:
                words = self._partner.hear(wait=asked)
            except EOFError:
                if self._partner.interrupts:
                    words = "bye"
                else:
                    conversation.attended = False
                    return
            if words is None:
                return
            if _LEAVING.fullmatch(words.strip()):
                self._left = True
                session.cancel("the person has left")
            elif words.strip():
                self._say(session, words.strip())

    def _say(self, session: Session, words: str) -> None:
        try:
            said = self._spoken(words)
            session.say(said.words, said.by)
        except SessionError as error:  # a tree of the user's may not listen
            self._tell(str(error))

    def _carry_out(self, session: Session) -> None:
        """Run a session, tell what happens, and leave a record of it."""
        narrator = Narrator()

        def tell(event: Event) -> None:
            sentence = narrator.tell(event)
            if sentence:
                self._partner.tell(sentence)

        with self._signals() as signals, ExitStack() as last:
            run = RunStore().create(session.mission.instruction, self._request.home or self._request.scene)
            recorder = RunRecorder(run)
            last.callback(recorder.abandon)
            recorder.listen(tell)
            self._relay.to = recorder
            try:
                with signals.let_in():
                    session.run()
            finally:
                self._relay.to = Silent()
                outcome = session.result.outcome if session.result is not None else "cancelled"
                recorder.close(outcome)
            self._left = self._left or signals.number not in (0, SIGINT)
        self._after = run.id
        self._mission = session.mission
        self.outcomes.append(REFUSED if session.mission.refusal is not None else outcome)
        if outcome == "error" and session.result is not None and session.result.error is not None:
            raise session.result.error
