"""The deeds of the agent that words mean: "go to the sink", "washed it"."""

from __future__ import annotations

import re
from itertools import chain

from foretree.reasoning.account import Account, Deed
from foretree.reasoning.offline.english.lexicon.lexicon_file import english_words
from foretree.reasoning.offline.questions._words_of_question import QuestionWords

_GROUP = re.compile(r"\(([^)]*)\)")
#: Words after a verb that name no thing.
_POINTING = frozenset({"it", "that", "this", "them", "these", "yet", "already", "now", "there", "up", "away"})
#: Verbs for what the agent does that the wordings of its skills do not have.
_MORE_VERBS = {"clean": "wash", "head": "go", "drive": "go", "pick": "take", "grab": "take", "fetch": "bring"}


def deeds_meant(question: QuestionWords, at: int, account: Account) -> tuple[tuple[Deed, ...], str]:
    """Return the deeds that the words from *at* on mean, in order, and those words; none if they name none.

    A deed is meant where its skill can be asked for with the verb, and it is about a thing that is named.
    With no thing named ("why did you wash it", with nothing spoken of), the verb alone counts.
    """
    verbs = {verb for verb, _ in english_words().verb_form(question.word(at))} | {question.word(at)}
    verbs |= {_MORE_VERBS[verb] for verb in verbs if verb in _MORE_VERBS}
    skills = {
        form.skill for form in question.situation.forms if not verbs.isdisjoint(leading_verbs(form.say))
    }
    if not skills:
        return (), ""
    named = _things_named(question, at + 1)
    if named is None and not _POINTING.issuperset(question.tokens[at + 1 :]):
        return (), ""
    deeds = chain.from_iterable((*session.deeds, *session.coming) for session in account.sessions)
    found = tuple(
        deed
        for deed in deeds
        if deed.skill in skills and (named is None or not named.isdisjoint(deed.arguments))
    )
    return found, " ".join(question.tokens[at:])


def leading_verbs(say: str) -> set[str]:
    """Return the verbs with which a wording begins."""
    group = _GROUP.match(say)
    choices = group[1].split("|") if group is not None else [say]
    return {choice.split()[0] for choice in choices if choice.split()}


def _things_named(question: QuestionWords, at: int) -> set[str] | None:
    """Return the things that the words from *at* on name; None where they name none."""
    names: set[str] = set()
    named = False
    while at < len(question.tokens):
        for phrase, end in question.nouns.at(at):
            found = question.meant(phrase)
            if phrase.picks not in ("speaker", "there") and (found or phrase.class_name):
                names.update(found)
                named, at = True, end - 1
                break
        at += 1
    return names if named else None
