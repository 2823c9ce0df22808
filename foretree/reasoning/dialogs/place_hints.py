"""Hints at where things are, in what people say: "the mug is in the cupboard", "go to the desk, take it".

A hint is no fact: people describe what they saw, or remember. It says where to look first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from foretree.reasoning.offline.lexicon import phrases, sentences_of, tokens_of, word_set
from foretree.world_model.ontology import Ontology

#: Beginnings of what takes a thing from where it is, and of what brings it somewhere.
_TAKES = word_set("pick grab take get retrieve collect lift fetch remove find slice cut grasp hold")
_PUTS = word_set("put place set drop leave lay stow insert deposit")
#: What says that a thing is at a place, and what says that it is only near it.
_AT = phrases("on top of,out of,off of,inside of,on,in,from,off,inside,under,at,onto,within,upon")
_NEAR = phrases(
    "next to,to the left of,to the right of,left of,right of,beside,behind,in front of,in the front of,"
    "near,by,close to,closest to,above,below,across from,opposite,between,facing,to the left side of,"
    "to the right side of"
)
#: Words that make a sentence no hint.
_DENIES = word_set("not isn't aren't no never don't wasn't won't n't if unless")
#: Between a thing and the word that says where it is, so many words may stand.
_MOST_BETWEEN = 8
#: A thing is taken where the last place was that was gone to; so many sentences back.
_MOST_BACK = 3


@dataclass(frozen=True, slots=True)
class PlaceHint:
    """A hint at where things of a class are.

    Attributes:
        thing: the class.
        place: the class of the furniture.
        words: the sentence that says so.
        alike: further classes that people call so.
    """

    thing: str
    place: str
    words: str = ""
    alike: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Named:
    """A class that is named in a sentence: from which word on, and up to which."""

    names: tuple[str, ...]
    begin: int
    end: int
    is_place: bool


def place_hints(
    texts: Iterable[str], ontology: Ontology, is_place: Iterable[str] | None = None
) -> tuple[PlaceHint, ...]:
    """Return what texts hint at, each pair of thing and place once.

    Args:
        texts: sentences in the order in which they were said: steps, or turns of a dialog.
        ontology: the words for classes.
        is_place: the classes of furniture; by default those on, in or under which something can rest and that
            are no items.
    """
    places = frozenset(is_place) if is_place is not None else _furniture(ontology)
    found: dict[tuple[str, str], PlaceHint] = {}
    #: Where a thing of a class was put on the way: one that is taken from there is no further one.
    put: dict[str, set[str]] = {}
    gone_to: list[tuple[int, _Named]] = []
    last_thing: _Named | None = None
    number = 0
    for text in texts:
        for sentence, _ in sentences_of(tokens_of(text)):
            number += 1
            named = list(_named(sentence, ontology, places))
            things = [one for one in named if not one.is_place]
            recent = [place for said, place in gone_to if number - said <= _MOST_BACK]
            for thing, place in _pairs(sentence, named, recent, last_thing):
                for name in thing.names:
                    at, *others = place.names
                    if at not in put.get(name, ()):
                        alike = tuple(dict.fromkeys([*others, *_called_so(at, ontology)]))
                        found.setdefault((name, at), PlaceHint(name, at, " ".join(sentence), alike))
            gone_to += [(number, one) for one in named if one.is_place]
            last_thing = things[-1] if things else last_thing
            if _PUTS & set(sentence) and gone_to and last_thing is not None:
                for name in (name for thing in things or [last_thing] for name in thing.names):
                    put.setdefault(name, set()).update(gone_to[-1][1].names)
    return tuple(found.values())


def _pairs(
    sentence: Sequence[str], named: Sequence[_Named], gone_to: Sequence[_Named], last: _Named | None
) -> Iterator[tuple[_Named, _Named]]:
    """The things of a sentence, each with the place that it says it is at."""
    words = set(sentence)
    if words & _DENIES or (words & _PUTS and not words & _TAKES):
        return
    takes = next((at for at, word in enumerate(sentence) if word in _TAKES), None)
    puts = next((at for at, word in enumerate(sentence) if word in _PUTS), len(sentence))
    things = [one for one in named if not one.is_place and one.begin < puts]
    places = [one for one in named if one.is_place and one.begin < puts]
    if not things and last is not None and "it" in sentence[:1] and places:
        things = [_Named(last.names, 0, 1, False)]
    for thing in things:
        at = [place for place in places if _says_at(sentence, thing.end, place.begin)]
        if at:
            yield thing, at[0]
        elif takes is not None and takes < thing.begin:
            before = [place for place in places if place.end <= thing.begin]
            nearest = before or list(gone_to)
            if nearest:
                yield thing, nearest[-1]


def _says_at(sentence: Sequence[str], begin: int, end: int) -> bool:
    """Return whether the words between a thing and a place say that the one is at the other."""
    if not 0 < end - begin <= _MOST_BETWEEN:
        return False
    near = max((at for at in range(begin, end) if _NEAR.longest(sentence, at)), default=-1)
    here = [at for at in range(begin, end) if _AT.longest(sentence, at) and not _NEAR.longest(sentence, at)]
    return bool(here) and here[-1] > near


def _named(sentence: Sequence[str], ontology: Ontology, places: frozenset[str]) -> Iterator[_Named]:
    """The classes that a sentence names, the longest names first at each word."""
    at = 0
    while at < len(sentence):
        for length in range(min(ontology.longest_name, len(sentence) - at), 0, -1):
            naming = ontology.named(" ".join(sentence[at : at + length]))
            if naming is not None:
                names = (naming.class_name, *naming.others)
                yield _Named(names, at, at + length, naming.class_name in places)
                at += length
                break
        else:
            at += 1


def _called_so(place: str, ontology: Ontology) -> tuple[str, ...]:
    """The classes that the words for a class of furniture may mean, too."""
    if place not in ontology:
        return ()
    known = ontology[place]
    return tuple(dict.fromkeys((*known.covers, *known.instead, *known.like)))


def _furniture(ontology: Ontology) -> frozenset[str]:
    """The classes that things are at and that are not carried about."""
    return frozenset(
        name
        for name in ontology.classes
        if ontology.type_of(name) != "item" and not ontology.bears_nothing(name)
    )
