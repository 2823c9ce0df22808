"""Compounds: nouns before nouns that name a thing of their own, such as "apple pie"."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from foretree.reasoning.offline.word_lists import word_lists
from foretree.reasoning.reasoner import Situation

_WORD = re.compile(r"[^\W]+(?:['’\-][^\W]+)*|[^\w\s]")
#: Behind these a noun phrase has ended where a verb follows: "let the tea stand".
_CAUSES = frozenset({"let", "make", "have", "help", "watch", "see", "hear"})
_BEHIND = "behind things"


@dataclass(frozen=True, slots=True)
class Joined:
    """An instruction in which each compound is one word.

    Attributes:
        text: the instruction.
        words: what was said for each compound.
    """

    text: str
    words: Mapping[str, str]

    def as_said(self, text: str) -> str:
        """Return a text with compounds as they were said."""
        for compound, said in self.words.items():
            text = text.replace(compound, said)
        return text


def with_joined_compounds(instruction: str, situation: Situation) -> Joined:
    """Return an instruction with one word for each compound that nothing here is called by.

    So no part of it is taken for the whole: "apple pie" for an apple, "cat food" for any food.
    """
    found = list(_WORD.finditer(instruction))
    words = [match.group().lower().replace("’", "'") for match in found]
    here = {entity.best_class for entity in situation.beliefs.entities().values()}
    named: dict[str, str] = {}
    parts, last, at = [], 0, 0
    while at < len(words):
        end = _compound_at(words, at, situation, here)
        if end is not None:
            joined = "_".join(words[at:end])
            named[joined] = " ".join(words[at:end])
            parts += [instruction[last : found[at].start()], joined]
            last = found[end - 1].end()
        at = end or at + 1
    return Joined("".join((*parts, instruction[last:])), named)


def _compound_at(words: Sequence[str], at: int, situation: Situation, here: Collection[str]) -> int | None:
    """Return the end of a compound at a position; None if there is none."""
    lists, ontology = word_lists("compounds"), situation.ontology
    for length in (3, 2, 1):
        end = at + length
        if end >= len(words) or ontology.named(" ".join(words[at : end + 1])) is not None:
            continue
        head = words[end].removesuffix("s")
        whole = ontology.named(words[end])
        if whole is not None and whole.class_name in here and head not in lists:
            continue  # "the towel rack" may be the drying rack
        if length == 1 and words[at] in lists.get(head, ()):
            return end + 1
        makes_another = words[end] in lists[_BEHIND] or head in lists[_BEHIND]
        if (
            makes_another
            and ontology.named(" ".join(words[at:end])) is not None
            and not _follows_cause(words, at)
        ):
            return end + 1
    return None


def _follows_cause(words: Sequence[str], at: int) -> bool:
    return bool(_CAUSES & {*words[max(at - 2, 0) : at]})
