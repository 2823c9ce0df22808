"""Things that are named beside a request: "my coffee on the desk went cold"."""

from __future__ import annotations

from collections.abc import Sequence

from foretree.reasoning.instruction_errors import InstructionError
from foretree.reasoning.offline.lexicon import WHATEVER
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.offline.phrases.noun_phrases import NounPhraseParser
from foretree.reasoning.offline.phrases.referents import ReferentResolver
from foretree.reasoning.reasoner import Situation


def things_named(words: Sequence[str], situation: Situation) -> Discourse:
    """Return the things that a remark names, each where only one can be meant."""
    nouns, resolver = NounPhraseParser(list(words), situation), ReferentResolver(situation)
    found: Discourse = ()
    at = 0
    while at < len(words):
        phrase, end = next(iter(nouns.at(at)), (None, at + 1))
        determined = phrase is not None and (phrase.determined or words[at] in WHATEVER)
        at += 1
        if phrase is None or phrase.picks not in ("the", "name", "a", "all"):
            continue
        try:
            names = resolver.entities_meant(phrase)
        except InstructionError:
            continue
        if len(names) == 1 or (names and phrase.picks == "all" and determined):
            found = (*found, tuple(map(resolver.referent_of, names)))
        elif not names or not determined:
            continue
        at = end  # what tells where several things are is not what is spoken of
    return found
