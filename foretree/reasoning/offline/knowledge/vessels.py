"""Vessels that are called by what they hold: "the soup" is the bowl that is filled, "my coffee" the mug."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foretree.reasoning.offline.grammar.state_words import substances
from foretree.reasoning.offline.knowledge.kinds_file import load_kinds
from foretree.reasoning.offline.lexicon import DEFINITE, tokens_of, word_set
from foretree.world_model.ontology import Ontology

#: What has something in it is this; a domain may know no more of contents.
_FILLED, _FILLABLE = "filled", "fillable"
_LONGEST = 2
_WITH, _IN = ("of", "with"), ("in", "inside", "from")
_OWN = DEFINITE | word_set("my our your his her their this that")
_DESCRIBING = word_set("hot cold warm lukewarm leftover cooled old nice good lovely boiling steaming")
_PARTS = (",", ";", ".", ":", "?", "and", "then", "but", "because")
#: Deeds to what is in a vessel that would be others to the vessel: nobody throws the bowl away.
_OF_CONTENTS = word_set(
    """
    throw throws bin discard dispose trash rubbish garbage waste compost chuck dump toss ditch tip pour
    wipe mop clean cleaned wash rinse scrub sponge soak blot spill spilled spilt stain stains stained
    make cook brew prepare drink eat taste try stir season finish
    """
)


@dataclass(frozen=True, slots=True)
class Vessel:
    """A vessel by what is in it: the classes that it may be of, and where the words end."""

    classes: tuple[str, ...]
    end: int


def vessel_at(tokens: Sequence[str], at: int, ontology: Ontology) -> Vessel | None:
    """Return the vessel that the words at a position mean by what it holds; None if they mean none.

    The words must speak of one that is there, and ask for nothing that is done to the contents alone.
    """
    if _FILLED not in ontology.predicate_words or substances(ontology) or not _is_definite(tokens, at):
        return None  # where it is known what is in a vessel, that is said of it
    if not _OF_CONTENTS.isdisjoint(_clause(tokens, at)):
        return None
    return _with_content(tokens, at, ontology) or _by_content(tokens, at, ontology)


def with_vessel_named(text: str, ontology: Ontology) -> tuple[str, str]:
    """Return a text with the first vessel that is called by what it holds named as such, and what it holds.

    "Is my tea hot" is "is my filled mug hot". Where there is none, the text is the same, and nothing is held.
    """
    tokens = tokens_of(text)
    for at in range(len(tokens)):
        if (vessel := vessel_at(tokens, at, ontology)) is not None:
            put = (_FILLED, vessel.classes[0].replace("_", " "))
            plainer = " ".join((*tokens[:at], *put, *tokens[vessel.end :]))
            return plainer, " ".join(tokens[at : vessel.end])
    return text, ""


def _is_definite(tokens: Sequence[str], at: int) -> bool:
    """Return whether what stands at a position is one that is known to who hears of it."""
    while at > 0 and tokens[at - 1] in _DESCRIBING:
        at -= 1
    return at > 0 and tokens[at - 1] in _OWN


def _clause(tokens: Sequence[str], at: int) -> Sequence[str]:
    """Return the words around a position that belong together."""
    begin = max((i + 1 for i in range(at) if tokens[i] in _PARTS), default=0)
    stop = next((i for i in range(at, len(tokens)) if tokens[i] in _PARTS), len(tokens))
    return tokens[begin:stop]


def _with_content(tokens: Sequence[str], at: int, ontology: Ontology) -> Vessel | None:
    """The vessel that is named with what it holds: "the bowl of soup", "the mug with my tea in it"."""
    vessel = _named(tokens, at, ontology)
    if vessel is None or [*tokens[vessel.end : vessel.end + 1]] not in ([one] for one in _WITH):
        return None
    end = vessel.end + 1
    while end < len(tokens) and (tokens[end] in _OWN or tokens[end] in ("some", *_DESCRIBING)):
        end += 1
    content = _content(tokens, end, ontology)
    if content is None:
        return None
    end = content.end + 2 * (tokens[content.end : content.end + 2] in (["in", "it"], ("in", "it")))
    return Vessel(vessel.classes, end)


def _by_content(tokens: Sequence[str], at: int, ontology: Ontology) -> Vessel | None:
    """The vessel of which only what it holds is named: "the soup", "the tea in my mug"."""
    content = _content(tokens, at, ontology)
    if content is None:
        return None
    inside = content.end
    if tokens[inside : inside + 1] and tokens[inside] in _IN:
        inside += 1 + (tokens[inside + 1 : inside + 2] != [] and tokens[inside + 1] in _OWN)
        vessel = _named(tokens, inside, ontology)
        if vessel is not None:
            return vessel
    return content


def _named(tokens: Sequence[str], at: int, ontology: Ontology) -> Vessel | None:
    """The vessel that a noun at a position names as such."""
    for length in range(_LONGEST, 0, -1):
        naming = ontology.named(" ".join(tokens[at : at + length])) if at + length <= len(tokens) else None
        if naming is not None and not naming.plural:
            fits = ontology.affords(naming.class_name, _FILLABLE)
            return Vessel((naming.class_name,), at + length) if fits else None
    return None


def _content(tokens: Sequence[str], at: int, ontology: Ontology) -> Vessel | None:
    """The usual vessels of what a noun at a position names, if that is no thing of its own here."""
    contents = load_kinds().contents
    for length in range(_LONGEST, 0, -1):
        words = " ".join(tokens[at : at + length])
        if at + length > len(tokens):
            continue
        if ontology.named(words) is not None:
            return None
        own = tuple(name for name in contents.get(words, ()) if ontology.affords(name, _FILLABLE))
        if own:
            return Vessel(own, at + length)
    return None
