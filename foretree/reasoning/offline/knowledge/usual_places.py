"""Places where things usually are kept: "put the mug where it belongs", "clear the table", "tidy up".

Such requests are put as plain ones, with the place that is usual for things of the class and is here. Which
place was taken is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from foretree.reasoning.instruction_errors import AmbiguousError, NoSuchThingError, NotUnderstoodError
from foretree.reasoning.offline.grammar.clauses import Slot
from foretree.reasoning.offline.knowledge.things_file import KnownThing, load_things
from foretree.reasoning.offline.phrases.noun_phrases import noun_phrases
from foretree.reasoning.offline.phrases.referents import ReferentResolver
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import WHEREABOUTS

_PUT = r"(?:put|place|return|bring|take|move|tidy|clear|stow|store|set|get|sort|leave|stash|pack|carry|file)"
_IS_KEPT = (
    r"(?:usually |normally |always |really |actually |all )*(?:belongs?|goes|go|lives?|stays?|sits?"
    r"|should (?:go|be)|ought to (?:go|be)|(?:is|are) (?:supposed|meant) to (?:go|be|stay|live)"
    r"|(?:is|are) (?:usually |normally |always )?(?:kept|stored|put|found|at home|stowed))"
)
_WHERE = (
    r"(?:back )?(?:to |in |at )?(?:the (?:place|spot) )?where(?:ver)? (?:it|they|these|those|that|this|each"
    r"|everything|such things|things like that|one of them"
    rf"|(?:the |such )?(?!the |dirty |used |unwashed |clean )(?:\w+ ){{1,2}}?)\s?{_IS_KEPT}"
)
_OWN = (
    r"(?:back )?(?:in|on|to|into|at) (?:its|their|the) (?:own |right |proper |usual |rightful |normal "
    r"|correct |accustomed |original |designated |respective )*(?:places?|spots?|homes?|positions?)"
)
#: Said behind a request for the usual place, and meaning no more.
_BESIDE = (
    r"(?: (?:again|for now|for later|for the time being|for the (?:night|weekend|day|moment)|for tonight"
    r"|for good|tonight|today|now|please|properly|neatly|tidily|safely|nicely|for me|for us|after you"
    r"|right away))*"
)
_END = rf"{_BESIDE}(?= (?:and|then|,|\.|;)(?: |$)|\s*$)"
_EVERYTHING = (
    r"(?:everything|all (?:of )?(?:the )?(?:things|stuff)|(?:all )?(?:my |our |the |your )?(?:things|stuff)"
    r"|the mess|whatever is lying (?:around|about))"
    r"(?: (?:around|about|lying (?:around|about)|here|in here|up))*"
)
_AROUND = r"(?: (?:the|this|my|our) (?P<room>[\w ]+?)| here| in here| up| around here| a bit| a little| now)*"
#: An object, and that it shall be where it belongs.
_OBJECT = (
    re.compile(rf"{_PUT} (?:back )?(?P<object>.+?) (?:{_WHERE}|{_OWN}|away){_END}"),
    re.compile(rf"(?:put|tidy|pack|stow|clear|take) (?:away|up) (?P<object>.+?){_END}"),
    re.compile(
        r"(?P<object>.+?) (?:should|must|needs? to|has to|have to|ought to|can|may|could) "
        rf"(?:go|be|be put|be placed|go back|be moved|return) (?:{_WHERE}|{_OWN}|away){_END}"
    ),
)
_CLEAR = (
    re.compile(
        r"(?:clear|tidy|clear off|clear up|tidy up|clean off) (?P<place>.+?)"
        rf"(?: (?:up|off|please))?{_END}"
    ),
    re.compile(
        rf"(?:clear|take|tidy|put|remove|get) {_EVERYTHING} (?:off|from|away from|on|off of)(?: of)?"
        rf" (?P<place>.+?)(?: (?:away|{_WHERE}|{_OWN}))?{_END}"
    ),
)
_TIDY = (
    re.compile(rf"(?:tidy|tidy up|clear up|straighten up|do some tidying|do the tidying){_AROUND}{_END}"),
    re.compile(rf"{_PUT} (?:away |back )?{_EVERYTHING}(?: (?:{_WHERE}|{_OWN}|away))?{_END}"),
)
_PRONOUNS = ("it", "them", "they", "that", "this")


@dataclass(frozen=True)
class _Place:
    """Place where a thing is to be put: the relation, the furniture, and the words for that."""

    relation: str
    name: str
    words: str


class UsualPlaces:
    """Puts requests for usual places plainly, in one situation."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._ontology = situation.ontology
        self._things = load_things().things
        entities = situation.beliefs.entities()
        self._classes = {name: entity.best_class for name, entity in entities.items()}
        #: What was assumed.
        self.notes: dict[str, None] = {}

    def put_plainly(self, tokens: Sequence[str]) -> list[str]:
        """Return the words with places in place of "where it belongs" and the like.

        Raises:
            InstructionError: what is meant, or where it belongs, cannot be told.
        """
        text = " ".join(tokens)
        for begin in _beginnings(text):
            for patterns, moves in ((_TIDY, self._tidied), (_CLEAR, self._cleared), (_OBJECT, self._placed)):
                for pattern in patterns:
                    found = pattern.match(text, begin)
                    said = None if found is None else moves(found, text[:begin])
                    if found is not None and said is not None:
                        rest = text[found.end() :].split()
                        return self.put_plainly([*text[:begin].split(), *said.split(), *rest])
        return list(tokens)

    # -- requests ----------------------------------------------------------------------------------
    def _placed(self, found: re.Match[str], before: str) -> str | None:
        """The request for the things of a noun phrase, each at its place; None if it names none."""
        words = found["object"].split()
        names = self._antecedent(before) if words in ([one] for one in _PRONOUNS) else self._named(words)
        if not names:
            return None
        places = {name: self._place(name) for name in names}
        if len({(one.relation, one.name) for one in places.values()}) == 1:
            thing = found["object"] if words[0] not in _PRONOUNS else " and ".join(names)
            return _said(thing, next(iter(places.values())))
        return " and ".join(_said(name, place) for name, place in places.items())

    def _cleared(self, found: re.Match[str], before: str) -> str | None:
        """The request for all that is on a piece of furniture; None if none is named."""
        del before
        names = self._named(found["place"].split(), "asset")
        if len(names) != 1:
            return None
        return self._all_to_their_places([name for name in self._items() if self._rests(name)[1:] == names])

    def _tidied(self, found: re.Match[str], before: str) -> str | None:
        """The request for all that is not where it belongs."""
        del before
        room = (found.groupdict().get("room") or "").strip()
        names = self._items()
        if room and room not in ("room", "place", "house", "flat", "apartment", "home"):
            there = self._situation.rooms
            kept = {name for name in there if plain_room(there[name]) == room}
            if not kept:
                return None
            names = [name for name in names if self._rests(name)[1:2] and self._rests(name)[1] in kept]
        return self._all_to_their_places([name for name in names if self._may_be_tidied(name)])

    def _all_to_their_places(self, names: Sequence[str]) -> str:
        places = {name: self._place(name) for name in names}
        moved = {name: one for name, one in places.items() if self._rests(name) != (one.relation, one.name)}
        if not moved:
            raise NotUnderstoodError(
                "Everything is where it belongs, as far as I know. Say what shall be put away."
            )
        return " and ".join(_said(name, place) for name, place in moved.items())

    # -- things ------------------------------------------------------------------------------------
    def _named(self, words: list[str], kind: str = "item") -> tuple[str, ...]:
        """The things that all of some words mean.

        Raises:
            InstructionError: they could be several, or there is none.
        """
        for phrase, end in noun_phrases(words, self._situation).at(0):
            if end != len(words):
                continue
            resolver, names = ReferentResolver(self._situation), map("?kept{}".format, count())
            spoken_of = self._situation.spoken_of
            group, _ = resolver.resolve(phrase, Slot(kind, kind), spoken_of, names.__next__)
            if any(one.quantifier not in (None, "forall") for one in group):
                return ()
            return tuple(dict.fromkeys(name for one in group for name in one.possible))
        return ()

    def _antecedent(self, before: str) -> tuple[str, ...]:
        """The things that a pronoun after some words stands for."""
        words = before.split()
        nouns = noun_phrases(words, self._situation)
        for at in range(len(words)):
            for phrase, end in nouns.at(at):
                if phrase.picks in ("the", "all", "name"):
                    names = self._named(words[at:end])
                    if names and all(self._is_item(name) for name in names):
                        return names
        last = self._situation.spoken_of[-1:]
        return tuple(name for group in last for one in group for name in one.possible)

    def _items(self) -> list[str]:
        return [name for name in self._classes if self._is_item(name) and self._rests(name)]

    def _is_item(self, name: str) -> bool:
        return self._ontology.type_of(self._classes.get(name, "")) == "item"

    def _rests(self, name: str) -> tuple[str, ...]:
        """The relation and the thing in which a thing rests; empty if that is not known."""
        atom = self._situation.beliefs.placement(WHEREABOUTS, name)
        return () if atom is None or len(atom) != 3 else (atom[0], atom[2])

    def _may_be_tidied(self, name: str) -> bool:
        """Return whether something usual is known of a thing, and it is at none of its usual places."""
        kept = self._kept(name)
        rests = self._rests(name)[1:]
        return bool(kept) and self._classes.get(rests[0] if rests else "") not in {
            one for same in kept for one in same
        }

    # -- places ------------------------------------------------------------------------------------
    def _kept(self, name: str) -> list[tuple[str, ...]]:
        """The classes of furniture here at which things like one belong, the most usual first."""
        known = self._things.get(self._classes[name]) or self._by_word(self._classes[name])
        here = {self._classes[one] for one in self._classes if not self._is_item(one)}
        found = []
        for same in known.kept if known is not None else ():
            named = (self._ontology.named(one) for one in same)
            own = tuple(one.class_name for one in named if one is not None and one.class_name in here)
            if own:
                found.append(own)
        return found

    def _nearest(self, name: str, places: list[str]) -> list[str]:
        """Return those of some places that are in the room of a thing; all if none is."""
        rooms = self._situation.rooms
        room = next((rooms[one] for one in self._rests(name)[1:] if one in rooms), None)
        return [one for one in places if rooms.get(one) == room] or places

    def _by_word(self, name: str) -> KnownThing | None:
        """Knowledge of things under another name of a class."""
        known = self._ontology.classes.get(name)
        words = () if known is None else known.words
        return next(
            (self._things[one.replace(" ", "_")] for one in words if one.replace(" ", "_") in self._things),
            None,
        )

    def _place(self, name: str) -> _Place:
        """Return the places where a thing belongs.

        Raises:
            InstructionError: that is not known, or is not certain.
        """
        kept = self._kept(name)
        if not kept:
            raise NoSuchThingError(f"I do not know where {name} belongs here. Say the place.")
        best = kept[0]
        places = self._nearest(name, [one for one, kind in self._classes.items() if kind in best])
        rests = self._rests(name)
        if rests[1:] and rests[1] in places:
            places = [rests[1]]
        if len(places) > 1:
            choice = " or ".join(places)
            raise AmbiguousError(f"{name} could belong at {choice}. Say the place.")
        place = places[0]
        kind = self._classes[place]
        for relation, affordance, words in (
            ("in", "container", "in"),
            ("on", "surface", "on"),
            ("hung_on", "hanger", "on"),
        ):
            both = self._ontology.affords(kind, "container") and self._ontology.affords(kind, "surface")
            if self._ontology.affords(kind, affordance) and not (both and relation == "in"):
                self.notes[f"{self._classes[name].replace('_', ' ')}: usually {words} {place}"] = None
                return _Place(relation, place, words)
        raise NoSuchThingError(f"I do not know how {name} is kept at {place}. Say the place.")


def plain_room(name: str) -> str:
    """The words for a room."""
    return name.replace("_", " ").rstrip("0123456789")


def _said(thing: str, place: _Place) -> str:
    verb = "hang" if place.relation == "hung_on" else "put"
    return f"{verb} {thing} {place.words} {place.name}"


def _beginnings(text: str) -> Iterator[int]:
    """Yield where requests may begin: at first, and after what parts requests."""
    yield 0
    yield from (found.end() for found in re.finditer(r"(?<!\S)(?:and|then|,|\.|;|please|you|to) ", text))
