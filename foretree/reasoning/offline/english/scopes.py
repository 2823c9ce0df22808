"""Scopes that "and" leaves open: "the mug must not be washed and put away", "I washed it and put it away".

What is denied or told of the first of two deeds holds for the second one as well where both share their
subject. To read the second one as an order would do what was forbidden, or what was done long ago.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.english.lexicon.lexicon_file import english_words
from foretree.reasoning.offline.lexicon import tokens_of, word_set

_NOT = r"(?:n't| not| never)"
_MODAL = r"(?:must|should|may|shall|can|could|ought|is|are|was|were|need)"
#: "Must not be washed", "is not to be washed", "doesn't have to be washed".
_DENIED_STATE = re.compile(
    rf"\b(?:{_MODAL}{_NOT}|can't|cannot|never|not|do(?:es)?{_NOT} (?:have|need|want)) (?:to )?(?:ever )?"
    r"(?:be|get) (?P<done>[\w-]+)"
)
#: "Don't wash", "needn't wash", "I don't want you to wash".
_DENIED_DEED = re.compile(
    r"\b(?:(?:do not|don't|dont)(?: (?:have|need|want you) to)?|never|not to|needn't|need not"
    r"|(?:must|should|may|shall)(?: not|n't)) (?:ever )?(?P<deed>[\w-]+)"
)
#: What is denied of these asks for something, or stands in contrast to what follows.
_CONTRASTING = word_set(
    """
    be bother delay dither dawdle fail fear forget have hesitate just keep leave let mind need only stop wait
    want worry
    """
)
#: A person at the beginning of a sentence, behind a word for when; what they are going to do, or always do.
_PERSON = re.compile(
    r"(?:(?:yesterday|today|earlier|usually|often|sometimes|normally|this morning|last night) ,? ?)?"
    r"(?:(?P<person>i|we|he|she|they|somebody|someone|everybody|everyone)"
    r"|(?:my|our|his|her|their|your) (?P<relative>\w+))(?P<will>'ll)? "
    r"(?:already |just |also |once |finally )?"
    r"(?P<telling>(?:used to|will|won't|would|wouldn't|could|couldn't|might|may|(?:am|are|is) going to|always"
    r"|never|usually|often|sometimes|normally) (?:not |never |always )?)?(?P<verb>[\w-]+)"
)
#: With these a person asks for something, or tells how they are.
_ASKING = word_set(
    """
    appreciate ask be care expect feel have hope insist intend like love mean mind need prefer propose rather
    request require say see suggest suppose tell think want wish wonder
    """
)
#: Verbs of which the past and the participle are what a command begins with.
_SAME_IN_PAST = frozenset({"put", "set", "cut", "shut", "spread", "split"})
_PRONOUNS = word_set("it them this that these those")
_THINGS = _PRONOUNS | word_set("the a an my our your his her their some all both one")
#: What comes before one of these shares nothing with what follows.
_ENDS = re.compile(r" (?:[,.;:?]|but|so|because|since|if|when|please|(?<!want )you) ")
#: "Wash it, but don't dry it if it is new": what is asked for does not depend on the condition.
_DENIED_CASE = re.compile(
    r"(?P<asked>[^.;]+?) but (?:please )?(?:do not|don't|dont|never) "
    r"(?P<denied>[^.;]*?) (?:if|unless|in case)\b"
)
_SECOND = re.compile(r" (?:[,.;:?](?: |$)|(?:and|but) )")
_AND = re.compile(r" and (?:then )?(?=(\S+) (\S+))")


def check_scopes(text: str, verbs: Collection[str]) -> None:
    """Check that no deed is read as an order that shares its subject with what is denied or told before it.

    Args:
        text: an instruction.
        verbs: the words that commands begin with.

    Raises:
        NotUnderstoodError: there may be one.
    """
    if " and " not in text and " but " not in text:
        return
    said = " ".join(tokens_of(text, marks=True))
    if (case := _DENIED_CASE.search(said)) is not None:
        raise NotUnderstoodError(
            f'Whether "{case["asked"].strip(" ,")}" depends on what is said behind "{case["denied"]}" is not '
            "clear. Say the case in a sentence of its own."
        )
    for joint in _AND.finditer(said):
        verb, following = joint[1], joint[2]
        if verb not in verbs and verb not in _SAME_IN_PAST:
            continue
        before = _ENDS.split(said[: joint.start()])[-1]
        if _is_denied(before, verb, following) or _is_told(before, verb, following):
            second = _SECOND.split(said[joint.end() :])[0]
            raise NotUnderstoodError(
                f'Whether "{second}" is asked for, or belongs to "{before}", is not clear. '
                "Say it in a sentence of its own."
            )


def _is_denied(before: str, verb: str, following: str) -> bool:
    """Return whether what is denied may be denied of the deed behind "and", too."""
    state = _DENIED_STATE.search(before)
    if state is not None and verb in _SAME_IN_PAST and following not in _THINGS:
        return "participle" in _forms(state["done"])
    deed = _DENIED_DEED.search(before)
    return deed is not None and following in _PRONOUNS and deed["deed"] not in _CONTRASTING


def _is_told(before: str, verb: str, following: str) -> bool:
    """Return whether a deed of a person is told, and the one behind "and" may go on telling it."""
    told = _PERSON.match(before)
    if told is None or following not in _THINGS:
        return False
    forms = english_words().verb_form(told["verb"])
    is_person = told["person"] or "person" in english_words().parts_of_speech(told["relative"])
    if not is_person or not forms or any(base in _ASKING for base, _ in forms):
        return False
    general = bool(told["telling"] or told["will"]) or before.startswith(("usually", "often", "sometimes"))
    return (general and following in _PRONOUNS) or (verb in _SAME_IN_PAST and "past" in _forms(told["verb"]))


def _forms(verb: str) -> set[str]:
    return {form for _, form in english_words().verb_form(verb)}
