"""Things that are named beside a request: "my coffee on the desk went cold"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.lexicon import WHATEVER
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.offline.phrases.noun_phrases import NounPhraseParser
from foretree.reasoning.offline.phrases.referents import ReferentResolver
from foretree.reasoning.reasoner import Situation

#: Kinds of phrases that name known things.
_NAMING = ("the", "name", "a", "all", "some")


def things_named(words: Sequence[str], situation: Situation) -> Discourse:
    """Return the things that a remark names, each where only one can be meant."""
    nouns, resolver = NounPhraseParser(list(words), situation), ReferentResolver(situation)
    found: Discourse = ()
    at = 0
    while at < len(words):
        phrase, end = next(iter(nouns.at(at)), (None, at + 1))
        determined = phrase is not None and (phrase.determined or words[at] in WHATEVER)
        begin, at = at, at + 1
        if phrase is None or phrase.picks not in _NAMING:
            continue
        try:
            parts = [_names(part, resolver) for part in (phrase, *phrase.also)]
            if not all(parts) and not phrase.also:
                parts = [_names(_as_told(words, begin, end, situation), resolver)]
        except InstructionError:
            continue
        names = tuple(dict.fromkeys(name for part in parts for name in part))
        if names and all(parts) and (determined or len(names) == 1):
            found = (*found, tuple(map(resolver.referent_of, names)))
        elif not determined:
            continue
        at = end  # what tells where several things are is not what is spoken of
    return found


def _names(phrase: NounPhrase | None, resolver: ReferentResolver) -> tuple[str, ...]:
    """Return the things that a phrase names; none if they cannot be told from others."""
    if phrase is None or phrase.picks not in _NAMING:
        return ()
    names = resolver.entities_meant(replace(phrase, also=()))
    if phrase.where is not None and not phrase.where.likely:
        names = resolver.located(
            names, phrase.where
        )  # the only mug known need not be "a mug in the cupboard"
    if phrase.picks == "all":
        return names
    return names if len(names) == (phrase.number if phrase.picks == "some" else 1) else ()


def _as_told(words: Sequence[str], begin: int, end: int, situation: Situation) -> NounPhrase | None:
    """Return the phrase with what is told of it: in "the mug is dirty" it is the mug *that* is dirty."""
    told = [*words[begin:end], "that", *words[end:]]
    phrase, stop = next(iter(NounPhraseParser(told, situation).at(0)), (None, 0))
    return phrase if stop > end - begin + 1 else None
