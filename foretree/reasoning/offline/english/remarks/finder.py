"""Remarks beside a request, told by their form: what is told of people, and why something is to be done.

Unknown words do no harm in a remark: "my flight's been postponed, so put the kettle on". What may
order, wish, forbid or limit something, and what may pick a thing, is no remark, whatever its words are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from foretree.reasoning.offline.english._clause import EnglishClause
from foretree.reasoning.offline.english._clause_words import Words
from foretree.reasoning.offline.english.groups import noun_groups
from foretree.reasoning.offline.english.lexicon.lexicon_file import english_words
from foretree.reasoning.offline.english.remarks._forms import REASONS, RemarkForms
from foretree.reasoning.offline.english.words import written_out
from foretree.reasoning.offline.lexicon import opening, phrases, sentences_of, word_set

#: By these a request may go back to what is told.
_BACK = word_set("it them they there one ones that those this these")
#: What is to come of what is listed behind it begins so: "*let's clear the table*: the mug in the sink".
_SUMMING_UP = phrases(
    """
    make me, make us, make it, make this place, let us, clear, clear up, tidy, tidy up, clean up, sort out,
    set up, prepare, get ready, get everything ready, help me, here is what, here is how, two things,
    three things
    """
)
#: With one of these it may limit what is listed.
_LIMITS = word_set(
    "not no never nothing none without except but only if unless when before after until or instead rather"
)
_MOST_SUMMED_UP = 8


@dataclass(frozen=True)
class RemarksApart:
    """An instruction without its remarks.

    Attributes:
        rest: what is left of it, in words.
        remarks: what was left out, in order.
        told: of these, those that are told before anything is asked for; the request may go back to them.
        goes_back: whether what is left begins with something that pronouns go back to.
    """

    rest: str
    remarks: tuple[Words, ...]
    told: tuple[Words, ...]
    goes_back: bool


class RemarkFinder:
    """Finds the clauses of an instruction that ask for nothing."""

    def __init__(self, verbs: Collection[str], nouns: Collection[str]) -> None:
        self._nouns = nouns
        self._lexicon = english_words()
        self._forms = RemarkForms(verbs, nouns)

    def apart(self, tokens: Sequence[str]) -> RemarksApart | None:
        """Return an instruction without its remarks; None if it has none, or nothing else.

        Args:
            tokens: its words, with the marks between sentences.
        """
        kept: list[str] = []
        remarks: list[Words] = []
        told: list[Words] = []
        asks = between = False  # a remark in between may name what a later pronoun stands for
        for words, stop in sentences_of([*written_out(tokens, self._lexicon)]):
            if stop == ":" and _sums_up(words):
                remarks.append(words)
                told.append(words)
                continue
            sentence, asides = self._without_asides(words)
            remarks.extend(asides)
            part: list[str] = []
            clauses = self._forms.clauses(sentence)
            gone = self._remarks_among(clauses, sentence, bool(kept))
            for at, clause in enumerate(clauses):
                said = sentence[clause.begin : clause.end]
                if at in gone:
                    remarks.append(clause.words)
                    between = between or (asks and self._forms.names(said))
                    if not asks:
                        told.append(said)
                elif between and _BACK & {*said}:
                    return None
                else:
                    part.extend(said if part else _without_joint(said))
                    asks = asks or not self._forms.is_name(clause)
            kept.extend((*part, stop) if part else ())
        if not remarks or not asks:
            return None
        return RemarksApart(" ".join(kept), tuple(remarks), tuple(told), bool(_BACK & {*kept}))

    def _remarks_among(self, clauses: Sequence[EnglishClause], sentence: Words, asked: bool) -> set[int]:
        """Return the positions of the clauses of a sentence that are remarks, or belong to one.

        Args:
            clauses: of the sentence.
            sentence: its words.
            asked: whether something is asked for before it.
        """
        found: set[int] = set()
        for at, clause in enumerate(clauses):
            said = sentence[clause.begin : clause.end]
            asks = asked or len(found) < at
            if (at - 1 in found and _goes_with_it(clause)) or self._forms.is_remark(
                clause, said, clauses[:at], asks
            ):
                found.add(at)
        for at in sorted(found):
            if clauses[at].joint == "," and at - 1 >= 0 and self._forms.leads_in(clauses[at - 1]):
                found.add(at - 1)  # "with my bad back, I can't bend down"
        return found

    def names_unknown(self, words: Words) -> bool:
        """Return whether words name a thing, not a person or a time, by a noun that no thing here has."""
        sentence = self._forms.sentence(words)
        for at in range(len(words)):
            if sentence.has(at, "det"):
                end = next(noun_groups(sentence, at), None)
                head = words[end - 1] if end is not None and end > at + 1 else ""
                if head and head not in self._nouns and not self._forms.of_people_or_time(head):
                    return True
        return False

    def _without_asides(self, words: Words) -> tuple[Words, list[Words]]:
        """Return the words of a sentence without what is added to it, and that: ", which would be kind"."""
        pieces: list[list[str]] = [[]]
        for word in words:
            if word == ",":
                pieces.append([])
            pieces[-1].append(word)
        kept: list[str] = []
        asides: list[Words] = []
        for piece in pieces:
            said = (*piece[piece[:1] == [","] :],)
            if kept and len(said) > 2 and self._forms.adds(said):
                asides.append(said)
            else:
                kept.extend(piece)
        return tuple(kept), asides


def _sums_up(words: Words) -> bool:
    """Return whether words before a colon only say what the requests behind it come to."""
    return len(words) <= _MOST_SUMMED_UP and bool(opening(words, _SUMMING_UP)) and _LIMITS.isdisjoint(words)


def _goes_with_it(clause: EnglishClause) -> bool:
    """Return whether a clause belongs to the one before: "I want it to look nice *when she comes*"."""
    return clause.marker in REASONS | {"when", "before", "after", "until", "till"} and not clause.joint


def _without_joint(words: Words) -> Words:
    """Return the words of what comes first now without what joined them to the remark before."""
    at = 0
    while at < len(words) and words[at] in (",", "and", "but", "so", "then"):
        at += 1
    return words[at:]
