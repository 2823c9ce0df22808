"""Everyday English words with their parts of speech: ``configs/language/english.yaml``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from foretree.config import find_config
from foretree.config_cache import cached
from foretree.reasoning.offline.english.lexicon._inflection import (
    adjectives_of,
    adjectives_of_adverb,
    singulars,
    verbs_of_ending,
    verbs_of_third_person,
)

#: Forms that neither a rule nor a past and a participle give.
_OWN_FORMS = {
    "am": ("be", "base"),
    "are": ("be", "base"),
    "is": ("be", "s"),
    "has": ("have", "s"),
    "being": ("be", "ing"),
}


@dataclass(frozen=True)
class EnglishWords:
    """Words by their parts of speech; a word may be of several.

    Attributes:
        verbs: base forms.
        irregular: the pasts and the participles of verbs for which no rule gives them.
        forms: the verbs of irregular forms, each with ``past`` or ``participle``.
        adverbs: adverbs by group: ``manner``, ``degree``, ``frequency``, ``sentence``, ``place``,
            ``time_now``, ``time_later``.
    """

    verbs: frozenset[str]
    irregular: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    forms: Mapping[str, tuple[tuple[str, str], ...]]
    adjectives: frozenset[str]
    adverbs: Mapping[str, frozenset[str]]
    interjections: frozenset[str]
    vocatives: frozenset[str]
    nouns_of_time: frozenset[str]
    persons: frozenset[str]
    nouns: frozenset[str]

    def parts_of_speech(self, word: str) -> frozenset[str]:
        """Return what a word, or a phrase of the file, may be; empty if it is not known.

        ``verb``, ``noun``, ``adjective``, ``adverb``, ``interjection``, ``vocative``; besides ``noun``,
        ``time`` for a noun of time and ``person`` for a person. Inflected forms are what their words are.
        """
        return frozenset(self._parts(word))

    def verb_form(self, word: str) -> tuple[tuple[str, str], ...]:
        """Return the verbs of which a word may be a form, each with its kind.

        Kinds are ``base``, ``s``, ``past``, ``participle`` and ``ing``: "put" is the first, the third and the
        fourth of *put*.
        """
        return tuple(dict.fromkeys(self._verb_forms(word)))

    def adverb_groups(self, word: str) -> frozenset[str]:
        """Return the groups of adverbs to which a word or phrase belongs."""
        return frozenset(group for group, words in self.adverbs.items() if word in words)

    def _parts(self, word: str) -> Iterator[str]:
        spellings = {word, word.replace("-", " ")}
        for part, words in (
            ("adjective", self.adjectives),
            ("interjection", self.interjections),
            ("vocative", self.vocatives),
            *(("adverb", words) for words in self.adverbs.values()),
        ):
            if spellings & words:
                yield part
        nouns = spellings.union(*map(singulars, spellings))
        for part, words in (("noun", self.nouns), ("time", self.nouns_of_time), ("person", self.persons)):
            if nouns & words:
                yield from (part, "noun")
        if not self.adjectives.isdisjoint(adjectives_of(word)):
            yield "adjective"
        if not self.adjectives.isdisjoint(adjectives_of_adverb(word)):
            yield "adverb"
        if any(self._verb_forms(word)):
            yield "verb"

    def _verb_forms(self, word: str) -> Iterator[tuple[str, str]]:
        if word in self.verbs:
            yield word, "base"
        if word in _OWN_FORMS:
            yield _OWN_FORMS[word]
        yield from self.forms.get(word, ())
        yield from ((verb, "s") for verb in verbs_of_third_person(word) if verb in self.verbs)
        for verb in verbs_of_ending(word, "ed"):
            if verb in self.verbs and verb not in self.irregular:
                yield from ((verb, "past"), (verb, "participle"))
        yield from ((verb, "ing") for verb in verbs_of_ending(word, "ing") if verb in self.verbs)


@cache
def english_words() -> EnglishWords:
    """Return the words of ``configs/language/english.yaml``.

    Raises:
        ConfigError: it cannot be read, or says something that makes no sense.
    """
    return cached("English words", _read)


def _read() -> EnglishWords:
    # Only here: what reads and checks files is dear to load.
    from foretree.reasoning.offline.english.lexicon._english_file import read_english_file

    file = read_english_file(find_config("language", "english"))
    irregular = {verb: _past_and_participle(forms) for verb, forms in file.irregular.items()}
    forms: dict[str, tuple[tuple[str, str], ...]] = {}
    for verb, both in irregular.items():
        for kind, those in zip(("past", "participle"), both, strict=True):
            for form in those:
                forms[form] = (*forms.get(form, ()), (verb, kind))
    return EnglishWords(
        verbs=_words(file.verbs) | irregular.keys(),
        irregular=irregular,
        forms=forms,
        adjectives=_words(file.adjectives),
        adverbs={group: _words(words) for group, words in file.adverbs.items()},
        interjections=_words(file.interjections),
        vocatives=_words(file.vocatives),
        nouns_of_time=_words(file.nouns_of_time),
        persons=_words(file.persons),
        nouns=_words(file.nouns),
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(word.strip() for word in text.split(","))


def _past_and_participle(forms: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    past, participle = (tuple(form.strip().split("/")) for form in forms.split(","))
    return past, participle
