"""Things that are named beside a request: "my coffee on the desk went cold", "I can't find my keys"."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count

from foretree.reasoning.instruction_errors import InstructionError, NotUnderstoodError
from foretree.reasoning.offline.english.words import FINITE_BE
from foretree.reasoning.offline.grammar.clauses import Slot
from foretree.reasoning.offline.lexicon import WHATEVER, tokens_of
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.discourse import Discourse, Group
from foretree.reasoning.offline.phrases.known_things import known_things
from foretree.reasoning.offline.phrases.noun_phrases import NounPhraseParser, noun_phrases
from foretree.reasoning.offline.phrases.referents import ReferentResolver
from foretree.reasoning.reasoner import Situation

#: Kinds of phrases that name known things.
_NAMING = ("the", "name", "a", "all", "some")
#: What is told of things that can be carried.
_ITEM = Slot("item", "item")
#: Behind these follows where something is.
_RESTING = frozenset({"on", "in", "under", "at", "by", "near", "inside"})
#: What is looked for.
_ANYTHING = Slot("thing", "object")


def things_named(words: Sequence[str], situation: Situation) -> Discourse:
    """Return the things that a remark names, each where only one can be meant.

    What can be carried, and of which nothing is known yet, is any of its class.
    """
    nouns, resolver = noun_phrases(words, situation), ReferentResolver(situation)
    found: Discourse = ()
    at = 0
    while at < len(words):
        phrase, end = next(iter(nouns.at(at)), (None, at + 1))
        if words[end - 1] in _RESTING:  # "the hat lying on" ends too early
            phrase, end = next((found for found in nouns.at(at) if found[1] > end), (phrase, end))
        determined = phrase is not None and (phrase.determined or words[at] in WHATEVER)
        begin, at = at, at + 1
        says_what = (
            not determined and words[begin - 1 : begin] and words[begin - 1] in FINITE_BE
        )  # "is rubbish"
        if phrase is None or phrase.picks not in _NAMING or says_what:
            continue
        parts = (phrase, *phrase.also)
        try:
            groups = [_known(part, resolver) for part in parts]
            if not any(groups) and not phrase.also:
                groups = [_known(_as_told(words, begin, end, situation), resolver)]
            if determined:
                pairs = zip(groups, parts, strict=True)
                groups = [group or _unseen(part, situation, resolver) for group, part in pairs]
        except InstructionError:
            # Of what is not known yet, nothing that is told of it can be: "the towel I washed".
            unseen = _unseen_at(begin, nouns, situation, resolver) if determined else None
            if unseen is None:
                continue
            groups, end = [unseen[0]], unseen[1]
        group = tuple(dict.fromkeys(one for some in groups for one in some))
        # "Shirt and towel are on the couch": both are spoken of, or neither.
        listed = bool(phrase.also)
        if all(groups) and (determined or listed or len(group) == 1):
            places = resolver.beside(phrase, group, ()) if group[0].unseen else ()
            found = (*found, *places, group)
        elif not determined and not listed:
            continue
        at = end  # what tells where several things are is not what is spoken of
    return found


def classes_and_names(text: str, situation: Situation) -> frozenset[str]:
    """Return the names of all that a noun phrase may mean, and its class; empty if *text* is none."""
    tokens = tokens_of(text)
    nouns, resolver = noun_phrases(tokens, situation), ReferentResolver(situation)
    for phrase in (phrase for phrase, end in nouns.at(0) if end == len(tokens)):
        parts = (phrase, *phrase.also)
        names = {name for part in parts for name in resolver.entities_meant(replace(part, also=()))}
        return frozenset(names | {part.class_name for part in parts if part.class_name})
    return frozenset()


def named_in(text: str, situation: Situation) -> frozenset[str]:
    """Return all that the noun phrases of a sentence may mean."""
    tokens = tokens_of(text)
    nouns, resolver = noun_phrases(tokens, situation), ReferentResolver(situation)
    phrases = (phrase for at in range(len(tokens)) for phrase, _ in nouns.at(at) if phrase.picks in _NAMING)
    parts = (part for phrase in phrases for part in (phrase, *phrase.also) if part.name or part.class_name)
    return frozenset(name for part in parts for name in resolver.entities_meant(replace(part, also=())))


def things_sought(words: Sequence[str], situation: Situation, discourse: Discourse) -> Discourse:
    """Return the things that are to be looked for.

    Raises:
        InstructionError: it is not understood what they are.
    """
    text = " ".join(words)
    nouns, resolver = noun_phrases(words, situation), ReferentResolver(situation)
    difficulty: InstructionError = NotUnderstoodError(f'I do not understand what "{text}" is. Name a thing.')
    numbers = count()
    for phrase in (phrase for phrase, end in nouns.at(0) if end == len(words)):
        # Where to look is no more than a hint.
        anywhere = replace(phrase, where=None, further=())
        for one in (phrase,) if phrase == anywhere else (phrase, anywhere):
            try:
                group, wanted = resolver.resolve(
                    one, _ANYTHING, discourse, lambda: f"?sought{len(discourse)}_{next(numbers)}"
                )
            except InstructionError as error:
                difficulty = error
                continue
            group = tuple(replace(one, unseen=one.type in wanted) for one in group)
            return (*resolver.beside(one, group, discourse), group)
    raise difficulty


def _known(phrase: NounPhrase | None, resolver: ReferentResolver) -> Group:
    """Return the things that a phrase names; none if they cannot be told from others."""
    if phrase is None or phrase.picks not in _NAMING:
        return ()
    names = resolver.entities_meant(replace(phrase, also=()))
    if phrase.where is not None and not phrase.where.likely:
        # The only mug known need not be "a mug in the cupboard".
        names = resolver.located(names, phrase.where)
    told = phrase.picks == "all" or len(names) == (phrase.number if phrase.picks == "some" else 1)
    return tuple(map(resolver.referent_of, names)) if told else ()


def _unseen(phrase: NounPhrase, situation: Situation, resolver: ReferentResolver) -> Group:
    """Return what a phrase stands for that names things to be carried of which none is known."""
    kind = phrase.class_name or ""
    if (
        phrase.others
        or not situation.domain.is_a(kind, _ITEM.type)
        or known_things(situation).of_classes(kind)
    ):
        return ()
    bare = replace(phrase, also=(), where=None, further=())
    # One variable for each class: what is named twice is the same.
    group, _ = resolver.resolve(bare, _ITEM, (), lambda: f"?{kind}")
    return tuple(replace(one, unseen=True) for one in group)


def _unseen_at(
    at: int, nouns: NounPhraseParser, situation: Situation, resolver: ReferentResolver
) -> tuple[Group, int] | None:
    """Return what a phrase at a position stands for, none of which is known, and its end; None if it is."""
    for phrase, end in nouns.at(at):
        with suppress(InstructionError):
            if not phrase.also and (group := _unseen(phrase, situation, resolver)):
                return group, end
    return None


def _as_told(words: Sequence[str], begin: int, end: int, situation: Situation) -> NounPhrase | None:
    """Return the phrase with what is told of it: in "the mug is dirty" it is the mug *that* is dirty."""
    told = [*words[begin:end], "that", *words[end:]]
    phrase, stop = next(iter(noun_phrases(told, situation).at(0)), (None, 0))
    return phrase if stop > end - begin + 1 else None
