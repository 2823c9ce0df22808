"""Questions about the robot itself: its hands, its place, what it sees, what it can be asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from foretree.reasoning.offline.phrases.known_things import conjoined
from foretree.reasoning.offline.questions._words_of_question import QuestionWords
from foretree.world_model.beliefs.facts import BODY, HAND_FREE, HAS_HAND, HOLDING

_HANDS = (
    r"(?:your (?:left |right )?(?:hands?|grippers?|arms?)|(?:either|both) (?:of your )?hands?|either hand)"
)
_HOLDING = (
    rf"what (?:are|is) (?:you|the robot) (?:now |currently )?(?:holding|carrying|gripping)(?: (?:in|"
    rf"with) {_HANDS})?",
    rf"what (?:do|have) you (?:have |got |have got |hold )?(?:in {_HANDS})",
    rf"what (?:is|are|things are) (?:there )?(?:in|inside) {_HANDS}",
    r"what do you (?:hold|carry)",
    rf"what you (?:are holding|are carrying|hold|have in {_HANDS})",
)
_HOLDING_ANY = (
    rf"(?:are you|is the robot) (?:holding|carrying) (?:anything|something)(?: (?:in|with) {_HANDS})?",
    rf"(?:do you have|have you got|is there) (?:anything|something) in {_HANDS}",
    rf"(?:is|are) (?:{_HANDS}|any of your hands) (?:empty|free|full|occupied|busy|taken)",
    r"(?:do you have|have you got) (?:a|any|one|both) (?:free hands?|hands? free)",
    rf"{_HANDS} (?:is|are) (?:empty|free|full|occupied)",
)
_HOLDS = (
    (r"(?:are you|is the robot) (?:holding|carrying) ", rf"(?:(?:in|with) {_HANDS})?"),
    (r"(?:do you (?:have|hold|carry)|have you got) ", rf"in {_HANDS}"),
    (r"(?:is|are) ", rf"in {_HANDS}"),
    (r"you are (?:holding|carrying) ", ""),
)
_PLACE = (
    r"where(?:abouts)? (?:are|is) (?:you|the robot)(?: standing| going)?",
    r"where(?:abouts)? (?:you|the robot) (?:are|is)",
    r"(?:which|what) (?:room|place|part of the (?:house|room|kitchen)) (?:are you|is the robot|you are) "
    r"(?:in|at)",
    r"in (?:which|what) room (?:are you|is the robot|you are)",
    r"what is your (?:position|location|place)",
)
_SIGHT = (
    r"what (?:do|can|could) you (?:currently )?see(?: (?:here|there|from (?:here|there|where you are)|"
    r"around you|around))?",
    r"what is (?:around|near|in front of|beside|close to) you",
    r"what you (?:can )?see",
    r"what (?:things|objects)(?: do| can)? you (?:see|know(?: of| about)?)",
    r"what (?:things |objects |all )?do you know (?:of|about)",
    r"what (?:is|things are|is there|all is|kind of things are|objects are)(?: there)? (?:here|in here|"
    r"in this room)",
)
_ABLE = (
    r"what (?:can|could|do|are) you (?:all |actually )?(?:do|able to do|capable of|good at|good for|"
    r"know how to do|understand)(?: for (?:me|us))?",
    r"what (?:all )?you (?:can|could) (?:all )?do(?: for (?:me|us))?",
    r"how can you (?:help|assist)(?: (?:me|us))?",
    r"(?:what|which)(?: kinds? of| sorts? of)?(?: things| questions| commands| jobs| tasks)? (?:can|"
    r"could|may|should|might|shall) (?:i|we|one) "
    r"(?:say|ask|tell|give|order|request|use)(?: (?:to )?you)?(?: (?:for|about|to do|to help with))?",
    r"(?:what|which) (?:i|we) (?:can|could|may) (?:say|ask)(?: (?:to )?you)?(?: (?:for|about|to do))?",
    r"(?:what|which) (?:are|is) your (?:skills?|abilities|capabilities|functions?|commands?)",
    r"(?:what|which) (?:commands|skills|jobs|tasks) (?:are there|do you (?:know|have|understand))",
    r"(?:what are my|which) options(?: do i have)?",
    r"(?:help|help me|i need help|a little help|how (?:does|do) (?:this|it|you) work|what now|commands|"
    r"usage)",
    r"what (?:do|should|can) i do(?: (?:here|now))?",
)
_ASKABLE = (
    'You can ask: "where is the mug?", "what is in the fridge?", "is the door open?", "what are you doing?", '
    '"why did you do that?", "what is left to do?". '
    'You can say "stop", "wait", "and the plate too", "no, the other one".'
)


class RobotQuestions:
    """The readings of a question as one about the robot."""

    def __init__(self, question: QuestionWords) -> None:
        self._q = question
        entities = question.beliefs.entities()
        self._robots = tuple(name for name in question.things.of_classes("robot") if name in entities)

    def answers(self) -> Iterator[str]:
        """Yield the answers of all readings that make sense."""
        readings: tuple[tuple[tuple[str, ...], Callable[[], str]], ...] = (
            (_HOLDING, self._held),
            (_HOLDING_ANY, self._hands),
            (_PLACE, self._place),
            (_SIGHT, self._sight),
            (_ABLE, self._able),
        )
        for wordings, answer in readings:
            if any(re.fullmatch(wording, self._q.text) for wording in wordings):
                said = answer()
                if said:
                    yield said
        yield from self._holds()

    def _in_hand(self) -> dict[str, str]:
        """Return what is held, each with where, in words."""
        atoms = sorted(self._q.beliefs.true_of(HOLDING))
        return {atom[-1]: f" in {conjoined(atom[1:-1])}" if len(atom) > 2 else "" for atom in atoms}

    def _held(self) -> str:
        held = self._in_hand()
        said = (
            f"{name}{where if len(held) > 1 or len(self._robots) > 1 else ''}" for name, where in held.items()
        )
        return f"I hold {conjoined(said)}." if held else "I hold nothing."

    def _hands(self) -> str:
        held = self._in_hand()
        if not held:
            return "I hold nothing: my hands are free."
        free = [atom[-1] for atom in sorted(self._q.beliefs.true_of(HAND_FREE))]
        hands = len(self._q.beliefs.true_of(HAS_HAND))
        rest = f" {conjoined(free).capitalize()} {'are' if len(free) > 1 else 'is'} free." if free else ""
        none = " No hand is free." if hands and not free else ""
        return f"{self._held()}{rest}{none}"

    def _holds(self) -> Iterator[str]:
        """Are you holding the mug? Do you have the mug in your hand?"""
        q = self._q
        for before, after in _HOLDS:
            found = re.match(before, q.text)
            if found is None:
                continue
            for phrase, end in q.nouns.at(q.text[: found.end()].count(" ")):
                if re.fullmatch(after, " ".join(q.tokens[end:])):
                    names = q.meant(phrase)
                    held = [name for name in names if name in self._in_hand()]
                    yield f"Yes: {q.listed(held)}." if held else f"No. {self._held()}"

    def _place(self) -> str:
        alone = len(self._robots) == 1
        return " ".join(self._q.stand_of(robot, "I am" if alone else f"{robot} is") for robot in self._robots)

    def _sight(self) -> str:
        """Knowledge of the rooms that robots are in; of all, where there are no rooms."""
        q = self._q
        places = [at[-1] for robot in self._robots if (at := q.beliefs.placement(BODY, robot)) is not None]
        rooms = {room for place in places if (room := q.things.room_of(place)) is not None}
        entities = q.beliefs.entities()
        known = [name for name in q.things.classes if not entities[name].fixed and not q.is_unplaced(name)]
        here = [name for name in known if not rooms or q.things.room_of(name) in rooms]
        if not here:
            return "I know of nothing here."
        where = f"In the {conjoined(sorted(rooms)).replace('_', ' ')}" if rooms else "Here"
        return f"{where} I know of {q.listed(here)}."

    def _able(self) -> str:
        account = self._q.situation.account
        skills = account().skills if account is not None else ()
        said = f"I can {conjoined(skills)}. " if skills else ""
        return f"{said}{_ASKABLE}"
