"""Lists of noun phrases: what is said once for all of them, and which one a place belongs to."""

from __future__ import annotations

from dataclasses import replace

from foretree.reasoning.offline.phrases.descriptions import NounPhrase


def is_there(phrase: NounPhrase) -> bool:
    """Return whether a phrase says at which place its things are."""
    return phrase.where is not None and phrase.where.place is not None and not phrase.where.source


def is_said_of_each(first: NounPhrase, phrase: NounPhrase) -> bool:
    """True for a list of which only the *first* has a place, right behind its noun, and another follows."""
    where = first.where
    if where is None or not phrase.also or phrase.also[-1].where is not None:
        return False
    return not where.source and f"{first.noun} {where.text}" in first.text


def choice(first: NounPhrase, more: NounPhrase) -> NounPhrase:
    """One phrase for what either of two stands for."""
    more = more.of_kind(first)
    second = replace(more, alternatives=(), exceptions=())
    if not second.determined:
        second = replace(second, picks=first.picks, number=first.number)
    return replace(first, alternatives=(second, *more.alternatives), exceptions=more.exceptions)


def sharing(first: NounPhrase, second: NounPhrase) -> tuple[NounPhrase, NounPhrase]:
    """Two phrases of a list with what is said once for both: "all dirty mugs and plates on the table"."""
    if second.determined or not (first.picks == "all" or (first.plural and second.plural)):
        return first, second
    picks = "all" if first.picks == "all" else second.picks
    second = replace(second, picks=picks, states=second.states or first.states)
    if first.where is None and second.where is not None:
        first = first.limited(second.where)
    return first, second


def apposition(whole: NounPhrase, more: NounPhrase) -> NounPhrase | None:
    """The things listed behind what names them all, where that is: "the clothes, a shirt and trousers".

    The socks are not among them, though they are clothes as well. None where things are listed with others.
    """
    kinds = {whole.class_name, *whole.others}
    told = (more, *more.also)
    if not (whole.others and whole.determined and more.determined) or whole.also or whole.states:
        return None
    if more.exceptions or more.alternatives or any(one.class_name not in kinds or one.others for one in told):
        return None
    where = whole.where
    if where is None:
        return more
    first, *also = (one if one.where else one.limited(where) for one in told)
    return replace(first, also=tuple(replace(one, also=()) for one in also))
