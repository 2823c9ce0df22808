"""Needs in wordings that no file knows, by embeddings: "my throat is parched" is like "I am thirsty".

Only what tells of the speaker, or of how it is, without denying anything may put a need; and only needs that
are about no certain thing are found so, as likeness says nothing of which thing is meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from foretree.reasoning.offline.knowledge.needs.needs_file import PersonalNeed, load_needs
from foretree.world_model.affordances.embedding import Embed, cosine

#: What is so like a need, and so much liker than any other, is taken for it; what is less like it, down to
#: the last number, is asked about.
SURE, AHEAD, LIKE = 0.75, 0.05, 0.55
#: A longer sentence tells of more than a need.
_MOST_WORDS = 14

_TELLS = re.compile(r"(?:i|i'm|i've|my|we|we're|our|it|it's|there|there's|the)\b", re.IGNORECASE)
_DENIES = re.compile(
    r"\b(?:not|no|never|nobody|nothing|none|without|unless|if|until|hardly|cannot|stop|wait|was|were|had|when|"
    r"where|what|who|how|why|\w+n't)\b|\?",
    re.IGNORECASE,
)
_FIRST_PERSON = (("you are", "I am"), ("you have", "I have"), ("your", "my"), ("you", "I"))


@dataclass(frozen=True, slots=True)
class SimilarNeed:
    """A need that words are like.

    Attributes:
        need: the need.
        put: a plain way to put it: "I am thirsty".
        likeness: the cosine of the two.
        sure: whether it may be taken for what is meant.
    """

    need: PersonalNeed
    put: str
    likeness: float
    sure: bool


def similar_need(words: str, embed: Embed) -> SimilarNeed | None:
    """Return the need that *words* are most like; None if they are like none.

    Raises:
        ForetreeError: the embedder does not work.
    """
    if not _TELLS.match(words.strip()) or _DENIES.search(words) or len(words.split()) > _MOST_WORDS:
        return None
    needs = _plain_needs()
    own, *others = embed([words.strip(" .!"), *(put for _, put in needs)])
    alike = [cosine(own, other) for other in others]
    ranked = sorted(zip(alike, needs, strict=True), key=_by_likeness)
    (best, (need, put)), *rest = ranked
    if best < LIKE:
        return None
    ahead = not rest or best - rest[0][0] >= AHEAD
    return SimilarNeed(need, put, best, best >= SURE and ahead)


def _by_likeness(ranked: tuple[float, tuple[PersonalNeed, str]]) -> float:
    return -ranked[0]


def _plain_needs() -> Sequence[tuple[PersonalNeed, str]]:
    """The needs that are about no certain thing, each as a person would put it."""
    found = []
    for need in load_needs().needs:
        if need.asks or "{" in need.means or any("{" in request for request in need.then):
            continue
        put = need.means
        for theirs, own in _FIRST_PERSON:
            put = re.sub(rf"\b{theirs}\b", own, put)
        found.append((need, put))
    return found
