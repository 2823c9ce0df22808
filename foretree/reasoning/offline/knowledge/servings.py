"""Drinks in a vessel: "a glass of milk" is asked for as milk that is poured into a glass."""

from __future__ import annotations

from collections.abc import Sequence

from foretree.reasoning.offline.grammar.state_words import substances
from foretree.reasoning.offline.lexicon import DEFINITE, after_any, opening, phrases, word_set
from foretree.reasoning.offline.phrases.words.looks import PRAISE
from foretree.world_model.ontology import Ontology

_ARTICLES = word_set("a an another one")
_STOPS = word_set(", . ; : ? and then but because")
_TO_SPEAKER = word_set("me us myself")
_GIVING = word_set("bring give get fetch hand pass serve pour make prepare fix take grab deliver")
_SERVING = word_set("get serve pour make prepare fix")
_PLACING = word_set("put place set leave stand lay have")
_POLITE = word_set(
    "please kindly just could can would will you go and now robot quickly be so kind as to i want need like"
)
#: One of these, of what somebody says that is no command, makes it a wish.
_WISHING = word_set(
    "like want wants love fancy murder kill need needs longing dying craving thirsty use give mind please"
)
_ASKING = phrases(
    """
    can i have, could i have, may i have, can i get, could i get, could we have, can we have, let me have,
    i'll have, i will have, wouldn't give, would not give, wouldn't mind, would not mind
    """
)
_DENYING = word_set("not no never don't didn't haven't hasn't had spilled spilt dropped knocked")
#: Said of what would be liked: "a glass of water would be nice".
_WELCOME = word_set("lovely nice good great perfect brilliant wonderful heaven heavenly fine welcome do")
#: Said behind a wish, and meaning no more.
_BESIDE = word_set(
    "please right now to drink today first thanks and cheers for me us here over though at the moment"
)
_ADJECTIVES = PRAISE | word_set(
    "cold cool fresh chilled big large tall small full clean whole refreshing quick ice-cold"
)
_MOST_ADJECTIVES = 3
_AMOUNTS = phrases(
    """
    some, a bit of, a little, a little bit of, a drop of, a sip of, a splash of, a drink of, some more,
    a bit more, a little more, more, any
    """
)
#: Behind what is named they say where it shall be: "a glass of milk *next to* the plate, please".
_PLACES = phrases("on, in, onto, next to, beside, by, near")
#: What is poured for somebody who names no vessel goes into this.
_VESSEL = ["a", "clean", "drinking", "vessel"]


def with_drinks_poured(tokens: Sequence[str], ontology: Ontology) -> list[str]:
    """Return a request with a drink in a vessel put as what is to be done: "pour milk into a glass …"."""
    if "filled" not in ontology.predicate_words or substances(ontology):
        return list(tokens)  # where it is known what is in a vessel, that is said of it
    tokens = _with_one_named(tokens, ontology)
    at = 0
    while at < len(tokens):
        found = _drink(tokens, at, ontology) or _amount(tokens, at, ontology)
        if found is not None:
            put = _request(tokens, at, found[2], found[0], found[1])
            if put is not None:
                return put
        at += 1
    return list(tokens)


def asks_to_pour(tokens: Sequence[str], ontology: Ontology) -> bool:
    """Return whether a drink is to be poured: "some lemonade in a mug" is in no mug yet."""
    return with_drinks_poured(tokens, ontology) != [*tokens]


def _with_one_named(tokens: Sequence[str], ontology: Ontology) -> list[str]:
    """Return the words with a drink that is wished for in place of "one": "…, bring me *one*"."""
    words = list(tokens)
    for at in range(len(words)):
        found = _drink(words, at, ontology)
        if found is None:
            continue
        end = found[2]
        begin = max((i + 1 for i in range(at) if words[i] in _STOPS), default=0)
        stop = next((i for i in range(end, len(words)) if words[i] in _STOPS), len(words))
        wished = {*words[begin:at], *words[end:stop]} & (_WISHING | _WELCOME)
        one = next((i for i in range(stop, len(words)) if words[i] == "one"), None)
        given = one is not None and words[one - 1] in _GIVING | _TO_SPEAKER
        if wished and given and one is not None:
            return [*words[:begin], *words[stop + 1 : one], *words[at:end], *words[one + 1 :]]
    return words


def _drink(tokens: Sequence[str], at: int, ontology: Ontology) -> tuple[list[str], str, int] | None:
    """Return how a vessel is filled, the vessel, and the end of "a glass of milk"; None if there is none."""
    if tokens[at] not in _ARTICLES:
        return None
    noun = _after_adjectives(tokens, at + 1)
    vessel = ontology.named(tokens[noun]) if noun < len(tokens) else None
    if vessel is None or vessel.plural or not ontology.affords(vessel.class_name, "fillable"):
        return None
    after = noun + 1
    for link in (("full", "of"), ("filled", "with"), ("of",), ("with",)):
        if tuple(tokens[after : after + len(link)]) == link:
            break
    else:
        return None
    what = _after_adjectives(tokens, after + len(link) + (tokens[after + len(link) :][:1] == ["some"]))
    word = tokens[what] if what < len(tokens) else ""
    into = " ".join((tokens[at], tokens[noun]))
    if word == "water":
        return ["fill", *into.split(), "with", "water"], tokens[noun], what + 1
    drink = ontology.named(word)
    if drink is None or not ontology.affords(drink.class_name, "dispenser"):
        return None
    return ["pour", word, "into", *into.split()], tokens[noun], what + 1


def _amount(tokens: Sequence[str], at: int, ontology: Ontology) -> tuple[list[str], str, int] | None:
    """Return the same of "some milk", as far as it is to be poured: for a person, or into a vessel."""
    amount = after_any(tokens, at, _AMOUNTS)
    before = tokens[at - 1] if at else ""
    if amount is None and at and before not in _TO_SPEAKER and before not in _GIVING:
        return None
    what = _after_adjectives(tokens, at if amount is None else amount)
    end = what + 1
    word = tokens[what] if what < len(tokens) else ""
    known = ontology.named(word)
    if word == "water" and known is None and amount is not None:
        return ["fill", *_VESSEL], "vessel", end
    if known is None or not ontology.affords(known.class_name, "dispenser"):
        return None
    into = _vessel_end(tokens, end, ontology)
    if into is not None:
        return ["pour", word, "into", *tokens[end + 1 : into]], tokens[into - 1], into
    poured = before == "pour" or tuple(tokens[max(0, at - 2) : at]) in (("pour", "me"), ("pour", "us"))
    for_speaker = before in _TO_SPEAKER or tokens[end : end + 2] in (["for", "me"], ["for", "us"])
    return (["pour", word, "into", *_VESSEL], "vessel", end) if poured and for_speaker else None


def _vessel_end(tokens: Sequence[str], at: int, ontology: Ontology) -> int | None:
    """Return the end of the vessel that something shall be in: "in a clean mug"; None if none is named."""
    if tokens[at : at + 1] not in (["in"], ["into"]) or tokens[at + 1 : at + 2] == []:
        return None
    noun = _after_adjectives(tokens, at + 1 + (tokens[at + 1] in (*_ARTICLES, *DEFINITE)))
    vessel = ontology.named(tokens[noun]) if noun < len(tokens) else None
    fits = vessel is not None and not vessel.plural and ontology.affords(vessel.class_name, "fillable")
    return noun + 1 if fits else None


def _after_adjectives(tokens: Sequence[str], at: int) -> int:
    end = at
    while end < len(tokens) and end < at + _MOST_ADJECTIVES and tokens[end] in _ADJECTIVES:
        end += 1
    return end


def _request(
    tokens: Sequence[str], at: int, end: int, filling: Sequence[str], vessel: str
) -> list[str] | None:
    """Return a request with the drink between two positions poured first; None if nothing is asked for."""
    begin = max((i + 1 for i in range(at) if tokens[i] in _STOPS), default=0)
    stop = next((i for i in range(end, len(tokens)) if tokens[i] in _STOPS), len(tokens))
    said, rest = list(tokens[begin:at]), list(tokens[end:stop])
    deeds = (index for index, word in enumerate(said) if word in _GIVING or word in _PLACING)
    first = next(deeds, len(said))
    plain = said[first:] if {*said[:first]} <= _POLITE else []
    verb = plain[0] if plain else ""
    if verb in _SERVING and len(plain) == 1 and not rest and tokens[stop : stop + 1] == ["and"]:
        asked = []
    elif verb in _GIVING and {*plain[1:]} <= _TO_SPEAKER:
        told_where = rest[:1] in (["on"], ["in"], ["to"])
        to = ["to", "me"] if plain[1:] or (verb in _SERVING and not told_where) else []
        asked = ["bring" if verb in _SERVING else verb, "it", *to, *rest]
    elif verb in _PLACING and len(plain) == 1 and rest:
        asked = [verb, "it", *rest]
    elif verb in _GIVING and {*plain[1:2]} <= DEFINITE:
        return None  # "give the fern a drop of water": it is for another
    elif {*rest} <= _BESIDE and (_is_wish(said) or _is_all(tokens, at, end)):
        asked = ["bring", "it", "to", "me"]
    elif (_is_wish(said) or {*said} <= _POLITE) and opening(rest, _PLACES):
        asked = ["put", "it", *rest]
    else:
        return None
    return [*tokens[:begin], *filling, *(["and", *asked] if asked else []), *tokens[stop:]]


def _is_all(tokens: Sequence[str], at: int, end: int) -> bool:
    """Return whether nothing is said but what is named, and courtesies: "a glass of milk, please"."""
    return {*tokens[:at], *tokens[end:]} <= _BESIDE | {",", "."}


def _is_wish(said: Sequence[str]) -> bool:
    """Return whether the words before what is named wish to have it."""
    if any(after_any(said, at, _ASKING) is not None for at in range(len(said))):
        return True
    return bool(_WISHING & {*said}) and not _DENYING & {*said}
