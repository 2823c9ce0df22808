"""Questions what things can be used for: "what can you cut with?", "what can be washed?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.english.lexicon.lexicon_file import english_words
from foretree.reasoning.offline.lexicon import word_set
from foretree.reasoning.offline.questions._deeds_meant import leading_verbs
from foretree.reasoning.offline.questions._words_of_question import QuestionWords
from foretree.reasoning.reasoner import Understanding

_THINGS = r"(?:what|which)(?: kinds? of| sorts? of)?(?: things?| objects?| items?| tools?| utensils?| stuff)?"
_ONE = r"(?:you|i|we|one|people|someone|somebody|a person|the robot)"
#: "Which things can I sit on?", "what could one use to cut bread?"
_WITH = re.compile(
    rf"{_THINGS} (?:can|could|may|might|would|do|does) {_ONE} (?:use to (?P<use>\w+.*)|(?P<deed>\w+(?: .+)?))"
    rf"|{_THINGS} (?:can|could|is|are) (?:be )?used (?:to|for) (?P<used>\w+.*)"
    rf"|{_THINGS} (?:is|are) (?:good|suitable|fit|made|meant) (?:to|for) (?P<good>\w+.*)"
)
#: "What can be washed?"
_DONE_TO = re.compile(rf"{_THINGS} (?:can|could|may) be (?P<done>[a-z]+)")
#: "Take any something_to_cut_with_" has so many words.
_ONE_NOUN = 3
#: They ask for what the agent does, sees or understands.
_OWN = word_set("do see say tell hear know mean want need ask help find understand be have")
_BRINGING = word_set("bring give get fetch offer hand serve")


class UseQuestions:
    """The readings of a question as one about what things afford.

    Args:
        question: the words.
        read: reads a plain request.
    """

    def __init__(self, question: QuestionWords, read: Callable[[str], Understanding]) -> None:
        self._q = question
        self._read = read

    def answers(self) -> Iterator[str]:
        """Yield the answers of all readings that make sense."""
        text = self._q.text
        done = _DONE_TO.fullmatch(text)
        if done is not None:
            yield from self._suffering(tuple(verb for verb, _ in english_words().verb_form(done["done"])))
            return
        asked = _WITH.fullmatch(text)
        deed = asked and (asked["deed"] or asked["use"] or asked["used"] or asked["good"])
        if not deed or deed.split()[0] in _OWN:
            return
        verb, *rest = deed.split()
        bases = [base for base, form in english_words().verb_form(verb) if form == "ing"]
        deed = " ".join([*bases[:1], *rest]) if bases else deed
        if deed.split()[0] in _BRINGING:
            yield from self._suffering(("take",))
            return
        if asked is not None and asked["deed"] == deed and not rest:
            yield from self._suffering((deed,))
        yield from self._of_use(deed if asked is not None and asked["deed"] else f"{deed} with")

    def _of_use(self, deed: str) -> Iterator[str]:
        """Yield the things that serve for a deed: "cut bread with"."""
        from foretree.reasoning.offline.knowledge.kinds import KindReader  # dear to load

        plain = KindReader(self._q.situation).put_plainly(["take", "something", "to", *deed.split()])
        if plain is None or len(plain.words) != 1 or len(plain.text.split()) > _ONE_NOUN:
            return  # some of the words are not known of anything
        groups = plain.situation.ontology.groups[len(self._q.situation.ontology.groups) :]
        classes = {name for group in groups for name in group.of}
        names = tuple(name for name, known in self._q.things.classes.items() if known in classes)
        yield self._q.listing(names, f"I know of nothing to {deed}.")

    def _suffering(self, verbs: tuple[str, ...]) -> Iterator[str]:
        """Yield the things to which one of *verbs* can be done."""
        known = {verb for form in self._q.situation.forms for verb in leading_verbs(form.say)}
        classes = self._q.things.classes
        for verb in known.intersection(verbs):
            kinds = {kind: name for name, kind in classes.items()}
            fit = {kind for kind, name in kinds.items() if self._can_be_done(f"{verb} {name}")}
            names = tuple(name for name, kind in classes.items() if kind in fit)
            yield self._q.listing(names, f"I know of nothing that I can {verb}.")

    def _can_be_done(self, request: str) -> bool:
        try:
            understood = self._read(request)
        except InstructionError:
            return False
        return not understood.wanted
