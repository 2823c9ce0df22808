"""Nouns and descriptions of things by what they are or are for: "a drink", "something to cut bread with".

Each is put as one noun, which the ontology is given as another group of classes. So the grammar reads it like
any other, and what it says is never lost.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from foretree.reasoning.instruction_errors import NoSuchThingError
from foretree.reasoning.offline.knowledge.further_nouns import can_be_carried, with_classes
from foretree.reasoning.offline.knowledge.heads import HEADS, PLURAL_HEADS, PRONOUNS, ROLES_OF_HEADS
from foretree.reasoning.offline.knowledge.kinds_file import (
    KindOfThings,
    KindTable,
    load_kinds,
)
from foretree.reasoning.offline.knowledge.servings import with_drinks_poured
from foretree.reasoning.offline.knowledge.thing_descriptions import STATES, DescriptionReader, Meant
from foretree.reasoning.offline.knowledge.things_file import ROLES, load_things
from foretree.reasoning.offline.knowledge.usual_places import UsualPlaces
from foretree.reasoning.offline.knowledge.vessels import vessel_at
from foretree.reasoning.offline.lexicon import DEFINITE, QUALITIES, word_set
from foretree.reasoning.reasoner import Situation
from foretree.world_model.affordances.mapping import LIKELY
from foretree.world_model.affordances.shipped import common_placer
from foretree.world_model.ontology import ClassGroup, plain, plurals

_DETERMINERS = word_set(
    """
    the a an any some my our your his her their this that these those all every each no both two three four
    another dirty clean hot cold
    """
)
#: So many words before a noun describe it, and so many words are one.
_MOST_BEFORE, _LONGEST_NOUN = 3, 3
_STOPS = (".", ";", ",")
#: "A bit of the bread" is no thing that has bread.
_PARTS = ("bit", "bits", "piece", "pieces", "part", "parts")
_DATIVES = ("me", "us", "him", "her", "them", "need", "want", "like")
_BEFORE_WHERE = ("to", "the", "place", "spot", "piece", "of", "furniture", "in", "on", "at")
#: Said of a vessel that is meant by what it holds.
_FILLED = "filled"
_IS_NOT = re.compile(r"(?:that|which) (?:is not|isn't|are not|aren't)(?: (?:a|an|the|any))?(?= )")


@lru_cache(maxsize=4096)
def _probability(name: str, affordances: tuple[str, ...]) -> float:
    return common_placer().probability(name, *affordances)


@lru_cache(maxsize=1)
def _class_names() -> dict[str, tuple[str, bool]]:
    """The class of each name that the affordances know, and whether it is a plural."""
    classes = common_placer().mapping.classes
    single = {word: name for name, known in classes.items() for word in known.words}
    single.update((plain(name), name) for name in classes)
    many = {form: (name, True) for word, name in single.items() for form in plurals(word)}
    return many | {word: (name, False) for word, name in single.items()}


def class_named(words: str) -> str:
    """Return the class of the affordances that words name; empty if they name none."""
    return _class_names().get(plain(words), ("", False))[0]


@dataclass(frozen=True)
class PlainInstruction:
    """An instruction with its descriptions put as nouns.

    Attributes:
        text: the instruction.
        situation: the situation, whose ontology knows the nouns.
        words: what was said for each noun.
        notes: what was assumed.
        asks: whether it certainly asks for something, and is no need.
    """

    text: str
    situation: Situation
    words: dict[str, str]
    notes: tuple[str, ...] = ()
    asks: bool = False

    def as_said(self, text: str) -> str:
        """Return a text with what was said in place of the nouns."""
        for noun, words in self.words.items():
            for form in (noun, plain(noun), noun.rpartition(" ")[2]):
                text = text.replace(form, words)
        return text


@dataclass(frozen=True)
class _Noun:
    """A noun: its classes (None: any), where it ends, and how it is to be put.

    Of *typical* things, those of the first class that is here are meant. A *place* is said between it and
    what describes it: "the thing on the table that you slice".
    """

    classes: tuple[str, ...] | None
    end: int
    determiner: str = ""
    plural: bool = False
    lacking: tuple[str, ...] = ()
    typical: bool = False
    place: tuple[str, ...] = ()


class KindReader:
    """Puts descriptions as nouns, in one situation."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._ontology = situation.ontology
        self._table: KindTable = load_kinds()
        entities = situation.beliefs.entities().values()
        self._known = frozenset(entity.best_class for entity in entities)
        self._groups: list[ClassGroup] = []
        #: Classes that the domain lacks.
        self._added: list[str] = []
        #: The error where nothing makes sense of an instruction with furniture that is not here.
        self.absent: NoSuchThingError | None = None
        self._words: dict[str, str] = {}
        self._reader = DescriptionReader(tuple(self._places()))

    @cached_property
    def _furniture(self) -> frozenset[str]:
        """The names of furniture that common knowledge describes."""
        return frozenset(
            name
            for name in load_things().things
            if (naming := self._ontology.named(name)) is not None and self._is_furniture(naming.class_name)
        )

    def _places(self) -> Iterator[str]:
        """The names of what things can be at here."""
        for name, entity in self._situation.beliefs.entities().items():
            known = self._ontology.classes.get(entity.best_class)
            if known is not None and (
                self._is_furniture(known.name)
                or any(_probability(known.name, (one,)) >= LIKELY for one in ("contain", "support"))
            ):
                yield from (name, plain(known.name), *known.words)

    def _is_furniture(self, name: str) -> bool:
        return self._situation.domain.is_a(name, "asset")

    def put_plainly(self, tokens: Sequence[str]) -> PlainInstruction | None:
        """Return the instruction of some words with nouns for descriptions; None if it has none."""
        said, tokens = tokens, with_drinks_poured(tokens, self._ontology)
        found: list[str] = []
        at = 0
        while at < len(tokens):
            place = self._place(tokens, at) if tokens[at] == "where" else None
            if place is not None:
                while found and found[-1] in _BEFORE_WHERE:
                    found.pop()
                found.extend(self._put_at(tokens, at, place))
                at = place.end
                continue
            noun = self._noun(tokens, at)
            if noun is None or (noun.classes is None and not noun.lacking):
                found.append(tokens[at])
                at += 1
                continue
            if found and found[-1] in _DETERMINERS and noun.determiner != _FILLED:
                noun = replace(noun, determiner="")
            words = " ".join(tokens[at : noun.end]).replace(" ".join(("", *noun.place)), "")
            found.extend((self._named(words, noun), *noun.place))
            at = noun.end
        situation = self._widened() if self._words else self._situation
        places = UsualPlaces(situation)
        plainly = places.put_plainly(found)
        if not self._words and plainly == [*said]:
            return None
        asks = tokens != [*said]
        return PlainInstruction(" ".join(plainly), situation, self._words, tuple(places.notes), asks)

    def _place(self, tokens: Sequence[str], at: int) -> _Noun | None:
        """The furniture that a clause describes: "where people sleep"."""
        stop = next((i for i in range(at + 1, len(tokens)) if tokens[i] in _STOPS), len(tokens))
        stop = at if tokens[at + 1 : at + 2] in (["it"], ["they"]) else stop
        for end in self._reader.ends(tokens, at + 1, stop):
            meant = self._reader.meant((), tokens[at + 1 : end], self._furniture, ("at",))
            found = () if meant is None else self._of_kind(meant, None)[0]
            known = tuple(name for name in found if name in self._known)
            if known:
                return _Noun(known, end, determiner="the", typical=True)
        return None

    def _put_at(self, tokens: Sequence[str], at: int, place: _Noun) -> tuple[str, ...]:
        """The words for being at such furniture."""
        kind = (place.classes or ("",))[0]
        within = self._ontology.affords(kind, "container")
        return ("in" if within else "on", *self._named(" ".join(tokens[at : place.end]), place).split())

    def _widened(self) -> Situation:
        """The situation with the nouns."""
        wider = with_classes(self._situation, self._added) if self._added else self._situation
        groups = (*wider.ontology.groups, *self._groups)
        return replace(wider, ontology=replace(wider.ontology, groups=groups))

    def _named(self, words: str, noun: _Noun) -> str:
        """The noun that is put for some words."""
        classes = noun.classes or ()
        if not classes:
            self._added.append(noun.lacking[0])
            classes = (noun.lacking[0],)
        known = tuple(name for name in classes if name in self._known)
        known = known[:1] if noun.typical else known
        token = re.sub(r"\W+", "_", words) + "_"
        self._groups.append(ClassGroup((plain(token),), known or classes, collective=noun.plural))
        said = f"{noun.determiner} {token}".strip()
        self._words[said] = words
        return said

    # -- nouns -------------------------------------------------------------------------------------
    def _noun(self, tokens: Sequence[str], at: int) -> _Noun | None:
        """The longest noun with a description at a position, or a noun that the ontology does not know."""
        if (vessel := vessel_at(tokens, at, self._ontology)) is not None:
            return _Noun(vessel.classes, vessel.end, _FILLED, typical=True)
        described = (
            noun
            for first in range(at, min(at + _MOST_BEFORE, len(tokens) - 1) + 1)
            if first == at or (tokens[first] not in PRONOUNS and self._may_describe(tokens, at, first))
            for head in self._heads(tokens, first)
            if (noun := self._described(tokens, at, first, head)) is not None
        )
        longest = max(described, key=lambda noun: noun.end, default=None)
        plainly = max((head.end for head in self._heads(tokens, at) if head.classes), default=0)
        if longest is not None and longest.end > plainly:
            return longest
        before = tokens[at - 1] if at else ""
        for head in self._heads(tokens, at):
            words = " ".join(tokens[at : head.end])
            if self._ontology.named(words) is not None:
                break  # "The washing machine" is no washing.
            if head.classes is not None:
                # "Bring me reading material": a noun without an article is some of it.
                bare = not head.plural and (before in _DATIVES or not before)
                return replace(head, determiner="any") if bare else head
        return self._unknown(tokens, at) if before in _DETERMINERS else None

    def _may_describe(self, tokens: Sequence[str], at: int, first: int) -> bool:
        """Return whether the words up to *first* may describe a noun that begins there."""
        before = tokens[at - 1] if at else ""
        words = tokens[at:first]
        if at == 0 or before in (*_STOPS, "and", "then", "please") or _DETERMINERS & {*words}:
            return False
        return self._reader.describes(words)

    def _heads(self, tokens: Sequence[str], at: int) -> Iterator[_Noun]:
        for length in range(_LONGEST_NOUN, 0, -1):
            words = " ".join(tokens[at : at + length])
            if at + length > len(tokens):
                continue
            naming = self._ontology.named(words)
            if naming is not None:
                # "The fruit that grows on trees" is one, "the fruit" may be several.
                plural = naming.plural and words.endswith("s")
                yield _Noun((naming.class_name, *naming.others), at + length, plural=plural)
            elif (kind := self._kind_of(words)) is not None:
                classes, lacking = self._classes(kind[0])
                yield _Noun(classes, at + length, plural=kind[1], lacking=lacking)
        word = tokens[at]
        part = word in _PARTS and tokens[at + 1 : at + 2] == ["of"] and {*tokens[at + 2 : at + 3]} & DEFINITE
        if (word in HEADS or word in PLURAL_HEADS) and not part:
            yield _Noun(None, at + 1, HEADS.get(word, ""), plural=word in PLURAL_HEADS)

    def _kind_of(self, words: str) -> tuple[KindOfThings, bool] | None:
        """The kind that a noun names, and whether it means several things."""
        kind = self._table.nouns.get(words)
        if kind is not None:
            return kind, words in self._table.collective
        many = self._table.plurals.get(words)
        return None if many is None else (many, True)

    def _described(self, tokens: Sequence[str], at: int, first: int, head: _Noun) -> _Noun | None:
        """The noun with the longest description, before it or after it, or after a place."""
        if head.classes is None and self._is_state(tokens, head.end):
            # "Something cold to drink" is something to drink that is cold.
            between = (*tokens[: head.end], *tokens[head.end + 1 :])
            found = self._described_at_once(between, at, first, head)
            state = ("that", "is", tokens[head.end])
            return None if found is None else replace(found, end=found.end + 1, place=state)
        after = self._reader.after_place(tokens, head.end)
        if after is not None:
            between = (*tokens[: head.end], *tokens[after:])
            found = self._described_at_once(between, at, first, head)
            if found is not None and found.end > head.end:
                place = tuple(tokens[head.end : after])
                return replace(found, end=found.end + len(place), place=place)
        return self._described_at_once(tokens, at, first, head)

    def _is_state(self, tokens: Sequence[str], at: int) -> bool:
        """Return whether a state stands at a position, and a purpose behind it."""
        return tuple(tokens[at + 1 : at + 2]) in (("to",), ("for",)) and tokens[at] in STATES

    def _described_at_once(self, tokens: Sequence[str], at: int, first: int, head: _Noun) -> _Noun | None:
        before = tokens[at:first]
        stop = next((i for i in range(head.end, len(tokens)) if tokens[i] in _STOPS), len(tokens))
        stop = head.end if self._has_company(tokens, head) else stop
        if (other := self._other_than(tokens, head)) is not None:
            return other
        # "A large metal pan" is one of the pans, "a yellow fruit" may be any of a few.
        one_kind = head.classes is None or len((*head.classes, *head.lacking)) == 1
        tells_kind = bool(before) and not (one_kind and QUALITIES.issuperset(before))
        ends = [*self._reader.ends(tokens, head.end, stop), *([head.end] if tells_kind else ())]
        named = None if head.classes is None else (*head.classes, *head.lacking)
        roles = ROLES_OF_HEADS.get(tokens[head.end - 1].rstrip("s"), ROLES)
        for end in ends:
            after = tokens[head.end : end]
            if tokens[first] in ("what", "whatever") and after:
                after = ["that", *after]
            meant = self._reader.meant(before, after, roles=roles)
            if meant is None:
                continue
            of_kind, others, lacking = self._of_kind(meant, named)
            if not of_kind and (not lacking or head.classes is not None):
                continue
            definite = head.determiner == "the" or (at and tokens[at - 1] in ("the", "that", "my"))
            many = head.plural or head.determiner == "all"
            carried = tuple(name for name in of_kind if not self._is_furniture(name))
            if not definite and self._known & {*carried}:
                of_kind = carried
            noun = replace(
                head,
                classes=of_kind if many else (*of_kind, *others),
                end=end,
                lacking=lacking,
                typical=bool(definite and meant.of_use and not many),
            )
            return _with_determiner(noun, meant.of_use)
        return None

    def _has_company(self, tokens: Sequence[str], head: _Noun) -> bool:
        """Return whether a thing is named with another: "the shirt with the cloth" is no kind of shirt."""
        if head.classes is None or [*tokens[head.end : head.end + 1]] != ["with"]:
            return False
        begin = head.end + 1
        begin += tokens[begin : begin + 1] != [] and tokens[begin] in _DETERMINERS
        ends = range(begin + 1, min(begin + _LONGEST_NOUN, len(tokens)) + 1)
        names = (self._ontology.named(" ".join(tokens[begin:end])) for end in ends)
        return any(name is not None for name in names)

    def _other_than(self, tokens: Sequence[str], head: _Noun) -> _Noun | None:
        """The noun without the classes that it is said not to be: "the fruit that isn't an apple"."""
        said = " ".join(tokens[head.end : head.end + 6])
        found = _IS_NOT.match(said)
        if found is None or head.classes is None:
            return None
        at = head.end + len(found.group().split())
        for length in range(_LONGEST_NOUN, 0, -1):
            naming = self._ontology.named(" ".join(tokens[at : at + length]))
            if naming is not None and at + length <= len(tokens):
                left_out = {naming.class_name, *naming.others}
                classes = tuple(name for name in head.classes if name not in left_out)
                return replace(head, classes=classes, end=at + length) if classes else None
        return None

    def _of_kind(
        self, meant: Meant, named: Collection[str] | None
    ) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """The classes here that are meant, those that will do besides, and those that the domain lacks."""
        lacking: list[str] = []
        found: list[tuple[str, ...]] = []
        for names in (meant.classes, meant.others):
            own: dict[str, None] = {}
            for name in names:
                naming = self._ontology.named(name)
                if naming is None:
                    lacking.append(name)
                elif named is None or self._is_any(naming.class_name, named) or name in named:
                    own[naming.class_name] = None
            found.append(tuple(own))
        if not found[0]:
            found = [found[1], ()]
        return found[0], found[1], tuple(lacking)

    def _is_any(self, name: str, classes: Collection[str]) -> bool:
        return any(self._situation.domain.is_a(name, one) for one in classes)

    def classes(self, name: str) -> tuple[str, ...]:
        """The classes of a kind that the domain has."""
        return self._classes(self._table.by_name[name])[0]

    def _classes(self, kind: KindOfThings) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The classes of a kind that the domain has, and those that it lacks."""
        found: dict[str, None] = {}
        lacking: list[str] = []
        for name in kind.of:
            inner = self._table.by_name.get(name)
            inner = None if inner is kind else inner
            naming = self._ontology.named(name)
            if name in self._ontology or (naming is not None and inner is None):
                own = (name,) if naming is None else (naming.class_name, *naming.others)
                found.update(dict.fromkeys(own))
            elif inner is not None:
                classes, more = self._classes(inner)
                found.update(dict.fromkeys(classes))
                lacking.extend(more)
            else:
                lacking.append(name.replace(" ", "_"))
        if kind.affords:
            likely = (n for n in self._ontology.classes if _probability(n, kind.affords) >= LIKELY)
            found.update(dict.fromkeys(sorted(likely, key=lambda name: -_probability(name, kind.affords))))
            lacking.extend(common_placer().mapping.affording(kind.affords))
        without = {*kind.without}
        return tuple(name for name in found if name not in without), tuple(lacking)

    def _unknown(self, tokens: Sequence[str], at: int) -> _Noun | None:
        """A noun for a class of the affordances; take note of furniture that is not here."""
        for length in range(_LONGEST_NOUN, 0, -1):
            words = " ".join(tokens[at : at + length])
            if at + length > len(tokens):
                continue
            if self._ontology.named(words) is not None:
                return None
            known = _class_names().get(plain(words))
            if known is None:
                continue
            name, plural = known
            if name in self._ontology:
                return _Noun((name,), at + length, plural=plural)
            if not can_be_carried(name):
                self.absent = self.absent or NoSuchThingError(f"I know of no {words} here.")
                return None
            return _Noun((), at + length, plural=plural, lacking=(name,))
        return None


def _with_determiner(noun: _Noun, for_use: bool) -> _Noun:
    """The noun with the determiner that its head stands for: whatever is of use is any, else it is all."""
    if noun.determiner == "whatever":
        return replace(noun, determiner="any" if for_use else "all", plural=not for_use)
    return replace(noun, plural=noun.plural or noun.determiner == "all")
