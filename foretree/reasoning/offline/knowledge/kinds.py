"""Nouns and descriptions of things by what they are or are for: "a drink", "something to cut bread with".

Each is put as one noun, which the ontology is given as another group of classes. So the grammar reads it like
any other, and what it says is never lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from foretree.reasoning.instruction_errors import NoSuchThingError
from foretree.reasoning.offline.knowledge.kinds_file import (
    KindOfThings,
    KindTable,
    ThingDescription,
    load_kinds,
)
from foretree.reasoning.offline.knowledge.wordings import plain_words
from foretree.reasoning.reasoner import Situation
from foretree.world_model.affordances.mapping import LIKELY
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.affordances.shipped import shipped_placer
from foretree.world_model.ontology import ClassGroup, ObjectClass, plain, plurals


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Heads of phrases that name no kind, each with the determiner that it stands for, if it stands for one.
_HEADS = {
    **dict.fromkeys(("something", "anything", "sth"), "any"),
    "what": "the",
    "whatever": "whatever",
    "everything": "all",
    **dict.fromkeys(
        _words("thing one object item stuff tool device gadget implement bit thingy article piece"), ""
    ),
}
_PLURAL_HEADS = _words("things ones objects items tools devices gadgets implements bits pieces")
_DETERMINERS = _words(
    """
    the a an any some my our your his her their this that these those all every each no both two three four
    another dirty clean hot cold
    """
)
_LONGEST_NOUN, _LONGEST_DESCRIPTION = 3, 14
_STOPS = (".", ";", ",")


@lru_cache(maxsize=1)
def _placer() -> Placer:
    return shipped_placer()


@lru_cache(maxsize=4096)
def _probability(name: str, affordances: tuple[str, ...]) -> float:
    return _placer().probability(name, *affordances)


@lru_cache(maxsize=1)
def _class_names() -> dict[str, tuple[str, bool]]:
    """The class of each name that the affordances know, and whether it is a plural."""
    classes = _placer().mapping.classes
    single = {word: name for name, known in classes.items() for word in known.words}
    single.update((plain(name), name) for name in classes)
    many = {form: (name, True) for word, name in single.items() for form in plurals(word)}
    return many | {word: (name, False) for word, name in single.items()}


@dataclass(frozen=True)
class PlainInstruction:
    """An instruction with its descriptions put as nouns.

    Attributes:
        text: the instruction.
        situation: the situation, whose ontology knows the nouns.
        words: what was said for each noun.
    """

    text: str
    situation: Situation
    words: dict[str, str]

    def as_said(self, text: str) -> str:
        """Return a text with what was said in place of the nouns."""
        for noun, words in self.words.items():
            for form in (noun, plain(noun), noun.rpartition(" ")[2]):
                text = text.replace(form, words)
        return text


@dataclass(frozen=True)
class _Noun:
    """A noun: its classes (None: any), where it ends, and how it is to be put.

    Of *typical* things, those of the first class that is here are meant.
    """

    classes: tuple[str, ...] | None
    end: int
    determiner: str = ""
    plural: bool = False
    lacking: tuple[str, ...] = ()
    typical: bool = False


class KindReader:
    """Puts descriptions as nouns, in one situation."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._ontology = situation.ontology
        self._table: KindTable = load_kinds()
        entities = situation.beliefs.entities().values()
        self._known = frozenset(entity.best_class for entity in entities)
        self._groups: list[ClassGroup] = []
        self._added: dict[str, ObjectClass] = {}
        self._words: dict[str, str] = {}
        self._likely_here: Sequence[ThingDescription] | None = None

    def put_plainly(self, tokens: Sequence[str]) -> PlainInstruction | None:
        """Return the instruction of some words with nouns for descriptions; None if it has none.

        Raises:
            NoSuchThingError: it speaks of furniture that is not here.
        """
        found: list[str] = []
        at = 0
        while at < len(tokens):
            noun = self._noun(tokens, at)
            if noun is None or (noun.classes is None and not noun.lacking):
                found.append(tokens[at])
                at += 1
                continue
            if found and found[-1] in _DETERMINERS:
                noun = replace(noun, determiner="")
            found.append(self._named(" ".join(tokens[at : noun.end]), noun))
            at = noun.end
        if not self._words:
            return None
        return PlainInstruction(" ".join(found), self._widened(), self._words)

    def _widened(self) -> Situation:
        """The situation with the nouns."""
        ontology = replace(
            self._ontology,
            groups=(*self._ontology.groups, *self._groups),
            classes={**self._ontology.classes, **self._added},
        )
        domain = self._situation.domain
        types = {**domain.types, **{name: known.parent for name, known in self._added.items()}}
        return replace(
            self._situation,
            ontology=ontology,
            domain=replace(domain, types=types) if self._added else domain,
        )

    def _named(self, words: str, noun: _Noun) -> str:
        """The noun that is put for some words."""
        classes = noun.classes or ()
        if not classes:
            self._add(noun.lacking[0])
            classes = (noun.lacking[0],)
        known = tuple(name for name in classes if name in self._known)
        known = known[:1] if noun.typical else known
        token = re.sub(r"\W+", "_", words) + "_"
        self._groups.append(ClassGroup((plain(token),), known or classes, collective=noun.plural))
        said = f"{noun.determiner} {token}".strip()
        self._words[said] = words
        return said

    def _add(self, name: str) -> None:
        """Let the ontology know a class that the domain has not."""
        mapping = _placer().mapping
        affords = [
            predicate
            for known in mapping.affordances.values()
            if _placer().probability(name, known.name) >= LIKELY
            for predicate in known.predicates
        ]
        held = [one for one in affords if one in self._situation.domain.predicates]
        self._added[name] = ObjectClass(name, "item", tuple(held))

    # -- nouns -------------------------------------------------------------------------------------
    def _noun(self, tokens: Sequence[str], at: int) -> _Noun | None:
        """The longest noun with a description at a position, or a noun that the ontology does not know."""
        heads = list(self._heads(tokens, at))
        for head in heads:
            described = self._described(tokens, at, head)
            if described is not None:
                return described
        for head in heads:
            words = " ".join(tokens[at : head.end])
            if head.classes is not None and self._ontology.named(words) is None:
                return head
        before = tokens[at - 1] if at else ""
        return self._unknown(tokens, at) if before in _DETERMINERS else None

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
        if word in _HEADS or word in _PLURAL_HEADS:
            yield _Noun(None, at + 1, _HEADS.get(word, ""), plural=word in _PLURAL_HEADS)

    def _kind_of(self, words: str) -> tuple[KindOfThings, bool] | None:
        """The kind that a noun names, and whether it means several things."""
        kind = self._table.nouns.get(words)
        if kind is not None:
            return kind, words in self._table.collective
        many = self._table.plurals.get(words)
        return None if many is None else (many, True)

    def _described(self, tokens: Sequence[str], at: int, head: _Noun) -> _Noun | None:
        """The noun with the longest description that follows it."""
        stop = next((i for i in range(head.end, len(tokens)) if tokens[i] in _STOPS), len(tokens))
        for end in range(min(stop, head.end + _LONGEST_DESCRIPTION), head.end, -1):
            said = plain_words(tokens[head.end : end])
            for description in self._likely(tokens):
                if not any(any(True for _ in description.wording.matches(way)) for way in said):
                    continue
                classes, lacking = self._classes(description.kind, preferred=description.for_use)
                if head.classes is not None:
                    classes = tuple(name for name in classes if self._is_any(name, head.classes))
                if classes or (head.classes is None and lacking):
                    noun = replace(head, classes=classes, end=end, lacking=lacking)
                    definite = noun.determiner == "the" or (at and tokens[at - 1] in ("the", "that", "my"))
                    noun = replace(noun, typical=bool(definite and description.for_use))
                    return _with_determiner(noun, description.for_use)
        return None

    def _likely(self, tokens: Sequence[str]) -> Sequence[ThingDescription]:
        """The descriptions whose words are among those said."""
        if self._likely_here is None:
            said = frozenset(word for way in plain_words(tokens) for word in way.split())
            self._likely_here = self._table.descriptions.among(said)
        return self._likely_here

    def _is_any(self, name: str, classes: Sequence[str]) -> bool:
        return any(self._situation.domain.is_a(name, one) for one in classes)

    def classes(self, name: str) -> tuple[str, ...]:
        """The classes of a kind that the domain has."""
        return self._classes(self._table.by_name[name])[0]

    def _classes(
        self, kind: KindOfThings, preferred: bool = False
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The classes of a kind that the domain has, and those that it lacks.

        If *preferred*, only those of the first kinds of which something is known.
        """
        found: dict[str, None] = {}
        lacking: list[str] = []
        for name in kind.of:
            inner = self._table.by_name.get(name)
            inner = None if inner is kind else inner
            naming = self._ontology.named(name)
            if name in self._ontology or (naming is not None and inner is None):
                own = (name,) if naming is None else (naming.class_name, *naming.others)
                found.update(dict.fromkeys(own))
            elif inner is not None and preferred and self._known & found.keys():
                break
            elif inner is not None:
                classes, more = self._classes(inner)
                found.update(dict.fromkeys(classes))
                lacking.extend(more)
            else:
                lacking.append(name.replace(" ", "_"))
        if kind.affords:
            likely = (n for n in self._ontology.classes if _probability(n, kind.affords) >= LIKELY)
            found.update(dict.fromkeys(sorted(likely, key=lambda name: -_probability(name, kind.affords))))
            lacking.extend(_placer().mapping.affording(kind.affords))
        without = {*kind.without}
        return tuple(name for name in found if name not in without), tuple(lacking)

    def _unknown(self, tokens: Sequence[str], at: int) -> _Noun | None:
        """A noun that only the affordances know.

        Raises:
            NoSuchThingError: it is furniture, of which there is none.
        """
        for length in range(_LONGEST_NOUN, 0, -1):
            words = " ".join(tokens[at : at + length])
            if at + length > len(tokens):
                continue
            if self._ontology.named(words) is not None:
                return None
            known = _class_names().get(words)
            if known is None:
                continue
            name, plural = known
            if name in self._ontology:
                return _Noun((name,), at + length, plural=plural)
            if _placer().probability(name, "carry") < LIKELY:
                raise NoSuchThingError(f"I know of no {words} here.")
            return _Noun((), at + length, plural=plural, lacking=(name,))
        return None


def _with_determiner(noun: _Noun, for_use: bool) -> _Noun:
    """The noun with the determiner that its head stands for: whatever is of use is any, else it is all."""
    if noun.determiner == "whatever":
        return replace(noun, determiner="any" if for_use else "all", plural=not for_use)
    return replace(noun, plural=noun.plural or noun.determiner == "all")
