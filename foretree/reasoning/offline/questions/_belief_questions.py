"""Questions about what is believed: "where is the milk?", "what is on the table?", "is the fridge open?".

An answer says what the belief says, no more: what is not known is said to be unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from foretree.reasoning.offline.lexicon import starts_with
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase
from foretree.reasoning.offline.questions._sightings import last_seen
from foretree.reasoning.offline.questions._verdicts import verdict
from foretree.reasoning.offline.questions._words_of_question import BE, QuestionWords
from foretree.world_model.beliefs.facts import WHEREABOUTS, Truth, hand_of

#: Said between a thing and what is asked of it, and meaning nothing for the answer.
_BETWEEN = frozenset(
    re.findall(
        r"\w+", "still already now currently yet really actually completely fully quite very even just there"
    )
)
_SOMEONE = "(?:you|i|we|they|he|she|someone|somebody|anyone|anybody|people|one)"
_HAVE = (
    rf"(?:(?:do|does|did) {_SOMEONE} (?:still )?have|(?:have|has) {_SOMEONE} (?:still )?(?:got )?|got|any)"
)
_GONE = (
    "(?:got to|gone|gotten to|gone to|disappeared to|ended up|been put|been left|vanished to|got itself to)"
)
#: What stands before and after a thing where its place is asked for.
_WHERE = (
    (
        r"where(?:abouts)? (?:is|are|was|were) ",
        rf"(?:at|kept|{_GONE}|lying|standing|hiding|stored|located|placed)?",
    ),
    (r"where(?:abouts)? (?:has|have|did) ", rf"(?:{_GONE}|get to|go|end up|disappear to|vanish to)"),
    (
        r"where(?:abouts)? ",
        rf"(?:is|are|was|were|might be|could be|would be|may be|(?:has|have|had) {_GONE}|went|got to)",
    ),
    (
        rf"where(?:abouts)? (?:did|have|has|had) {_SOMEONE} (?:last )?(?:put|place|placed|leave|left|"
        rf"set|see|seen|hide"
        r"|hidden|store|stored|keep|kept|lay|laid|drop|dropped|find|found|stow|stowed) (?:down )?",
        "(?:down|away|last|the last time)?",
    ),
    (
        rf"where(?:abouts)? {_SOMEONE} (?:have |had |last )?(?:put|placed|left|set|saw|seen|hid|stored|"
        rf"keep|kept|laid"
        r"|dropped|found) (?:down )?",
        "(?:down|away|last)?",
    ),
    (
        rf"where(?:abouts)? (?:can|could|might|would|will|do|does|may) {_SOMEONE} (?:find|look for|see|"
        rf"keep|store) ",
        "(?:kept)?",
    ),
    (rf"where(?:abouts)? {_SOMEONE} (?:can|could|might|would|may) find ", ""),
    (r"where(?:abouts)? (?:might|could|would|can|may|will) ", "(?:be|have gone|have got to)"),
)
_SEEN = (
    rf"(?:have|has|did) {_SOMEONE} (?:by any chance |happened to |happen to |recently |ever )?"
    r"(?:seen|see|noticed|notice|spotted|spot|found|find|come across) ",
    r"(?:do|can|could) you (?:still |also )?(?:see|spot) ",
)
_LAST_SEEN = (
    (
        r"when (?:did|have|had) you (?:last |lastly |most recently )?(?:see|seen|notice|spot|look at) ",
        "(?:last|the last time)?",
    ),
    (r"when (?:was|were) ", "(?:last )?seen(?: last)?"),
    (r"when you (?:last )?saw ", "(?:last|the last time)?"),
    (r"how long ago (?:did|have) you (?:last )?(?:see|seen) ", "(?:last)?"),
    (r"how long is it since you (?:last )?saw ", ""),
)
_WHO = (
    r"(?:who|which person|which robot|which of them) (?:has|have|holds|had|took|is holding|is "
    r"carrying|has got|is got|has taken) "
)
_LIQUID = (
    r"(?:is|are|was) there (?:still )?(?:any |some |enough )?"
    r"(?:water|liquid|tea|coffee|drink|anything to drink|fluid) (?:left )?(?:in|inside) "
)
_LEFT = (
    rf"(?:did|have|has|do) {_SOMEONE} (?:really |actually |already )?(?:leave|left|put|forget|forgotten|"
    rf"keep|kept|store"
    r"|stored|place|placed|lay|laid|set) "
)
_THERE_ARE = (
    rf"(?:(?:do|does) {_SOMEONE} have|(?:have|has) {_SOMEONE}(?: got)?|(?:are|is|were) there|"
    rf"there (?:are|is)|{_SOMEONE} have|{_SOMEONE} have got|exist|can you see|do you (?:see|know of)|of "
    rf"them are)"
)
_CONTENT = (
    rf"(?:(?:do|does) {_SOMEONE} (?:have|keep|store)|(?:have|has) {_SOMEONE} (?:got|put|left)?|"
    rf"can (?:i|we|one|you) (?:find|see)|lies|stands|sits|rests|is kept|is stored|is left|is lying|is "
    rf"standing|is|are|there is)"
)


class BeliefQuestions:
    """The readings of a question as one about things: where they are, how they are, and how many."""

    def __init__(self, question: QuestionWords) -> None:
        self._q = question

    def answers(self) -> Iterator[str]:
        """Yield the answers of all readings that make sense."""
        readings: tuple[Callable[[], Iterator[str]], ...] = (
            self._where_is,
            self._seen,
            self._who_has,
            self._how_many,
            self._which_are,
            self._what_is,
            self._liquid,
            self._have,
            self._is_so,
            self._was_left,
        )
        for reading in readings:
            yield from reading()

    def _between(self, before: str, after: str) -> Iterator[NounPhrase]:
        """Yield the things that stand between words."""
        q = self._q
        found = re.match(before, q.text)
        if found is None:
            return
        at = q.text[: found.end()].count(" ")
        for phrase, end in q.nouns.at(at):
            if re.fullmatch(after, " ".join(q.tokens[end:])):
                yield phrase

    # -- whereabouts -------------------------------------------------------------------------------
    def _where_is(self) -> Iterator[str]:
        """Answer "Where is the milk?", "Where did you put the mugs? Do you know where the mugs are?"""
        q = self._q
        for before, after in _WHERE:
            for phrase in self._between(before, after):
                names = q.meant(phrase)
                yield " ".join(map(q.place, names)) if names else q.none(phrase)

    def _seen(self) -> Iterator[str]:
        """Have you seen my mug? When did you last see it?"""
        q = self._q
        after = "(?:anywhere|around|around here|lately|recently|somewhere|from (?:here|there|where you are))?"
        asked = [(before, after) for before in _SEEN]
        for before, after in (*_LAST_SEEN, *asked):
            for phrase in self._between(before, after):
                names = q.meant(phrase)
                yield " ".join(last_seen(q, name) for name in names) if names else q.none(phrase)

    def _who_has(self) -> Iterator[str]:
        """Who has the mug?"""
        q = self._q
        for phrase in self._between(_WHO, ""):
            names = q.meant(phrase)
            yield " ".join(map(self._holder, names)) if names else q.none(phrase)

    def _holder(self, name: str) -> str:
        placement = self._q.beliefs.placement(WHEREABOUTS, name)
        hand = hand_of(placement)
        if hand is not None:
            return f"{hand[0]} has {name}, in {hand[1]}."
        if placement is not None and placement[0] == "given":
            return f"{placement[2]} has {name}."
        return f"No one that I know of: {self._q.place(name)}"

    # -- what there is -----------------------------------------------------------------------------
    def _what_is(self) -> Iterator[str]:
        """What is on the table? What is there in the fridge? What is dirty?"""
        q = self._q
        found = re.match(
            rf"(?:what(?: all| else| things| stuff)?|anything|which things) {_CONTENT} ?(?:there )?",
            f"{q.text} ",
        )
        if found is None:
            return
        at = q.text[: found.end()].rstrip().count(" ") + 1
        at += q.word(at) in _BETWEEN
        places = list(q.locations(at))
        # A room may have the name of a spot in it, at which nothing rests.
        for where in sorted(places, key=lambda where: not self._located(where)):
            yield self._content(where)
        state = q.nouns.state(at)
        if state is not None and q.ends(state[1]):
            predicate, positive = state[0]
            atoms = ((name, (predicate, name)) for name in q.things.classes)
            names = tuple(name for name, atom in atoms if q.truth(atom, positive) is Truth.TRUE)
            yield q.listing(names, f"I know of nothing that is {' '.join(q.tokens[at : state[1]])}.")

    def _located(self, where: LocationPhrase) -> tuple[str, ...]:
        return self._q.resolver.located(tuple(self._q.things.classes), where)

    def _content(self, where: LocationPhrase) -> str:
        """Things that are there, place by place where several are meant."""
        q = self._q
        places = q.resolver.entities_meant(where.place) if where.place is not None else ()
        there = self._located(where)
        q.spoken_of = there if len(there) == 1 else ()
        if len(places) < 2:
            return q.listing(there, f"I know of nothing {where.text}.")
        things = tuple(q.things.classes)
        found = {place: q.things.resting(things, where.relations, place) for place in places}
        said = [f"{place}: {q.listed(names)}." for place, names in found.items() if names]
        return " ".join(said) or f"I know of nothing {where.text}."

    def _how_many(self) -> Iterator[str]:
        """How many mugs are there? How many mugs are on the table, how many are dirty?"""
        q = self._q
        if not starts_with(q.tokens, 0, ("how", "many")):
            return
        for phrase, end in q.nouns.at(2):
            for names, said in self._narrowed(phrase, end):
                known = f": {q.listed(names)}" if names else ""
                yield f"I know of {len(names) or 'no'} {q.noun(phrase, len(names))}{said}{known}."

    def _which_are(self) -> Iterator[str]:
        """Which mugs are dirty? Which things are in the fridge? Which of the mugs are clean?"""
        q = self._q
        if q.word(0) not in ("which", "what"):
            return
        at = 1 + (q.word(1) == "of") + (q.word(1) == "ones")
        for phrase, end in q.nouns.at(at):
            if q.ends(end):
                continue  # "which mug" leaves out what is asked
            for names, said in self._narrowed(phrase, end):
                yield q.listing(names, f"I know of no {q.noun(phrase, 0)}{said}.")

    def _narrowed(self, phrase: NounPhrase, end: int) -> Iterator[tuple[tuple[str, ...], str]]:
        """Meaning of a phrase, narrowed down by what follows it, with those words."""
        q = self._q
        names = q.meant(phrase)
        there = re.match(_THERE_ARE, " ".join(q.tokens[end:]))
        at = end + (0 if there is None else there[0].count(" ") + 1)
        at += there is None and q.word(at) in BE
        while q.word(at) in _BETWEEN or q.word(at) == "left":
            at += 1
        words = " ".join(q.tokens[at:])
        if q.ends(at):
            yield names, ""
        for where in q.locations(at):
            yield q.resolver.located(names, where), f" {words}"
        state = q.state(at)
        if state is not None and q.ends(state[1]):
            predicate, positive = state[0]
            yield (
                tuple(n for n in names if q.truth((predicate, n), positive) is Truth.TRUE),
                f" that {'are' if phrase.plural else 'is'} {words}",
            )

    def _liquid(self) -> Iterator[str]:
        """Is there water in the kettle? Liquids are no things here: what has some is filled."""
        q = self._q
        found = re.match(_LIQUID, q.text)
        if found is None or "filled" not in q.beliefs.vocabulary.predicates:
            return
        for phrase in q.whole(q.text[: found.end()].count(" ")):
            truths = {name: q.truth(("filled", name), True) for name in q.meant(phrase)}
            yield verdict(replace(phrase, picks="the"), truths, "filled") if truths else q.none(phrase)

    def _have(self) -> Iterator[str]:
        """Is there a banana? Are there any mugs in the cupboard? Do we have milk?"""
        stated = (r"there (?:is|are) ", rf"{_SOMEONE} have (?:got )?") if self._q.declared else ()
        for before in (r"(?:is|are) there (?:still )?", rf"{_HAVE} ?", *stated):
            for phrase in self._between(
                before, "(?:left|around|here|at home|in the house|available|anywhere)*"
            ):
                yield self._existing(phrase)

    def _existing(self, phrase: NounPhrase) -> str:
        q = self._q
        names = q.meant(phrase)
        if names and phrase.picks in ("the", "name", "it", "them"):
            return " ".join(map(q.place, names))
        if phrase.picks == "some" and 0 < len(names) < phrase.number:
            return f"I know of {len(names)} only: {q.listed(names)}."
        return f"Yes: {q.listed(names)}." if names else q.none(phrase)

    # -- yes or no ---------------------------------------------------------------------------------
    def _is_so(self) -> Iterator[str]:
        """Is the fridge open? Is the milk in the fridge? Is the mug clean or dirty?"""
        q = self._q
        stated = q.word(0) not in BE
        if stated and not q.declared:
            return
        for phrase, end in q.nouns.at(0 if stated else 1 + (q.word(1) == "not")):
            at = end + (q.word(end) in ("door", "lid", "doors"))
            if stated:
                if q.word(at) not in BE:
                    continue
                at += 1
            denied = False
            while q.word(at) in _BETWEEN or q.word(at) == "not":
                denied, at = denied or q.word(at) == "not", at + 1
            yield from self._as_said(phrase, at)

    def _was_left(self) -> Iterator[str]:
        """Did I leave the mug on the table? Did I leave the fridge open?"""
        q = self._q
        found = re.match(_LEFT, q.text)
        if found is not None:
            for phrase, end in q.nouns.at(q.text[: found.end()].count(" ")):
                yield from self._as_said(phrase, end)

    def _as_said(self, phrase: NounPhrase, at: int) -> Iterator[str]:
        """Return whether the things of a phrase are as the words from *at* on say."""
        q = self._q
        if phrase.picks == "speaker":
            return
        names = q.meant(phrase)
        if "or" in q.tokens[at:]:
            yield from self._one_of(names, at)
        state = q.state(at)
        if state is not None and q.ends(state[1]):
            predicate, positive = state[0]
            truths = {name: q.truth((predicate, name), positive) for name in names}
            words = " ".join(q.tokens[at : state[1]])
            yield verdict(phrase, truths, words) if names else q.none(phrase)
        for where in q.locations(at):
            there = q.resolver.located(names, where)
            if phrase.picks in ("all", "a", "some") and names:
                placed = {name: self._is_there(name, name in there) for name in names}
                yield verdict(phrase, placed, where.text)
            else:
                yield " ".join(self._there(name, name in there) for name in names) or q.none(phrase)

    def _one_of(self, names: tuple[str, ...], at: int) -> Iterator[str]:
        """Answer for one of two states that holds: "clean or dirty", "on the table or in the sink"."""
        q = self._q
        choice = q.tokens.index("or", at)
        places = [where for where, end in q.nouns.locations(at) if end == choice]
        state = q.state(at)
        other = q.state(choice + 1)
        if names and places and any(True for _ in q.locations(choice + 1)):
            yield " ".join(map(q.place, names))
        elif names and state is not None and state[1] == choice and other is not None and q.ends(other[1]):
            yield " ".join(self._how(name, (state[0], other[0]), at, choice) for name in names)

    def _how(self, name: str, states: tuple[tuple[str, bool], ...], at: int, choice: int) -> str:
        q = self._q
        words = (" ".join(q.tokens[at:choice]), " ".join(q.tokens[choice + 1 :]))
        truths = [q.truth((predicate, name), positive) for predicate, positive in states]
        if Truth.TRUE in truths:
            said = [word for word, truth in zip(words, truths, strict=True) if truth is Truth.TRUE]
            return f"{name} is {' and '.join(said)}."
        if Truth.UNKNOWN in truths:
            return f"I do not know whether {name} is {' or '.join(words)}."
        return f"{name} is neither {' nor '.join(words)}."

    def _is_there(self, name: str, there: bool) -> Truth:
        if there:
            return Truth.TRUE
        return Truth.UNKNOWN if self._q.is_unplaced(name) else Truth.FALSE

    def _there(self, name: str, there: bool) -> str:
        if not there and self._q.is_unplaced(name):
            return self._q.place(name)
        return f"{'Yes' if there else 'No'}, {name} is {self._q.things.describe_place(name)}."
