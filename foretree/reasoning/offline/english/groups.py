"""Groups of words that clauses are made of: noun groups ("the two dirty mugs"), verb groups ("has to be")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from foretree.reasoning.offline.english.words import (
    BE,
    DETERMINERS,
    EXACTLY,
    FINITE_BE,
    HAVE,
    OBJECT_PRONOUNS,
    SUBJECT_PRONOUNS,
    Sentence,
)

#: They make a noun group of what follows "of": "one of the mugs".
_PARTS = frozenset(
    {"one", "two", "three", "all", "both", "each", "some", "any", "none", "half", "most", "either", "rest"}
)
_PLURAL_SUBJECTS = frozenset({"i", "you", "we", "they", "these", "those", "who", "that", "which", "people"})
#: Verbs behind a noun, though they may be nouns: "my needs".
_LACKING = frozenset({"needs", "wants"})
#: They may stand between a subject and its verb, whatever else they are.
_HEDGES = frozenset({"just", "only", "simply"})
#: Verbs of having to or of being about to, with what they mean: the longest first.
_PHRASAL: tuple[tuple[tuple[str, ...], str], ...] = (
    (("supposed", "to"), "should"),
    (("meant", "to"), "should"),
    (("expected", "to"), "should"),
    (("required", "to"), "must"),
    (("going", "to"), "will"),
    (("about", "to"), "will"),
    (("able", "to"), "can"),
    (("allowed", "to"), "may"),
    (("to",), "should"),
)


@dataclass(frozen=True)
class VerbGroup:
    """The verb of a clause with what goes with it: "shouldn't have been left" is "leave", in the passive.

    Attributes:
        start: its first word.
        end: the word after its last.
        verb: the base form of the main verb; "be" where a state is told.
        modal: the modal verb or one of the same meaning; empty if there is none.
        denied: whether it is negated.
        form: the form of the main verb: base, s, past, participle or ing.
        passive: whether it is a passive.
        perfect: whether it is of something done already.
    """

    start: int
    end: int
    verb: str = ""
    modal: str = ""
    denied: bool = False
    form: str = "base"
    passive: bool = False
    perfect: bool = False


def noun_groups(sentence: Sentence, at: int) -> Iterator[int]:
    """Yield the ends of the noun groups that begin at a position, the longest first."""
    at = _counted(sentence, at)
    word = sentence.word(at)
    if word in _PARTS and sentence.word(at + 1) == "of":
        found = list(noun_groups(sentence, at + 2))
        yield from found
        if found:
            return
    ends: list[int] = []
    after = _modified(sentence, at)
    end = after
    while _is_noun(sentence, end) or (end > after and sentence.has(end, "num")):
        end += 1
        ends.append(end)
        if sentence.word(end) == "of" and end > after:
            inner = next(noun_groups(sentence, end + 1), None)
            if inner is not None:
                ends.append(inner)
    if not ends and after > at and (sentence.word(at) in DETERMINERS or sentence.has(at, "num")):
        ends.append(after)
    pronoun = word in SUBJECT_PRONOUNS or word in OBJECT_PRONOUNS
    if pronoun and at + 1 not in ends:
        ends.insert(0, at + 1)
    yield from sorted(set(ends), reverse=True)


def told_groups(sentence: Sentence, at: int) -> Iterator[int]:
    """Yield the ends of noun groups from a position on, with where each is, and what is listed with it.

    "The fan in 612 and the radio" ends after "fan", after "612", and after "radio".
    """
    ends, found = [*noun_groups(sentence, at)], set[int]()
    while ends:
        end = ends.pop(0)
        if end not in found:
            found.add(end)
            yield end
            if sentence.has(end, "prep", "and"):
                ends.extend(noun_groups(sentence, end + 1))


def _is_noun(sentence: Sentence, at: int) -> bool:
    """Return whether a noun may stand at a position: in "the bowl needs milk", "needs" is none."""
    lacks = sentence.word(at) in _LACKING and sentence.has(at - 1, "noun", "num")
    return sentence.has(at, "noun") and not lacks


def _counted(sentence: Sentence, at: int) -> int:
    """Return the position after what says how exactly a number is meant: "at least", "exactly"."""
    if sentence.word(at) == "at" and sentence.word(at + 1) in ("least", "most"):
        return at + 2
    return at + 1 if _is_exact(sentence, at) else at


def _is_exact(sentence: Sentence, at: int) -> bool:
    """Return whether a word at a position tells that a number is meant exactly."""
    return sentence.word(at) in EXACTLY and sentence.has(at + 1, "num", "det")


def _modified(sentence: Sentence, at: int) -> int:
    """Return the position after the determiners and adjectives from *at* on."""
    begin = at
    while sentence.word(at) in DETERMINERS:
        at += 1
    while at < len(sentence.words):
        word = sentence.word(at)
        last = not sentence.has(at + 1, "noun", "adj", "num", "participle", "ing")
        if sentence.has(at, "num") or word.endswith(("'s", "s'")) or _describes(sentence, at, begin, last):
            at += 1
        else:
            break
    return at


def _describes(sentence: Sentence, at: int, begin: int, last: bool) -> bool:
    """Return whether a word describes the noun that follows: "dirty", "washed", "very"."""
    if sentence.has(at, "adj") and not (last and sentence.has(at, "noun")):
        return True
    if at == begin:
        return False
    if sentence.has(at, "participle", "ing"):
        return not last
    if sentence.word(at) == "and":
        return sentence.has(at - 1, "adj") and sentence.has(at + 1, "adj")
    return sentence.has(at, "adv") and sentence.has(at + 1, "adj", "participle")


def _skip(sentence: Sentence, at: int) -> tuple[int, bool]:
    """Return the position after adverbs and a negation, and whether there was one."""
    denied = False
    while sentence.has(at, "not") or (
        (sentence.has(at, "adv") or sentence.word(at) in _HEDGES)
        and not _is_exact(sentence, at)
        and (
            sentence.word(at) in _HEDGES
            or not sentence.has(at, "prep", "verb", "noun", "participle", "adj", "ing")
        )
    ):
        denied = denied or sentence.has(at, "not")
        at += 1
    return at, denied


def verb_group(sentence: Sentence, at: int, subject: int | None = None) -> VerbGroup | None:
    """Return the finite verb group at a position; None if there is none.

    Args:
        sentence: the words.
        at: the position.
        subject: the first word of its subject; None if that is left out.
    """
    start = at
    at, denied = _skip(sentence, at)
    group = _finite(sentence, at, subject)
    return None if group is None else replace(group, start=start, denied=denied or group.denied)


def _finite(sentence: Sentence, at: int, subject: int | None) -> VerbGroup | None:
    word = sentence.word(at)
    if sentence.has(at, "modal"):
        return _after_modal(sentence, at + 1, word)
    if word in ("ought", "used") and sentence.word(at + 1) == "to":
        return _after_modal(sentence, at + 2, "should" if word == "ought" else "used to")
    if word == "had" and sentence.word(at + 1) == "better":
        return _after_modal(sentence, at + 2, "should")
    if word == "better" and sentence.base(at + 1, "base") and subject is not None:
        return _after_modal(sentence, at + 1, "should")
    speaks = sentence.word(subject or 0) in ("i", "we")
    needs = word in ("need", "needs") or (word in ("want", "wants") and not speaks)
    if needs and sentence.word(at + 1) == "to":
        return _after_modal(sentence, at + 2, "must")
    if word in FINITE_BE:
        return _after_be(sentence, at + 1)
    if word in HAVE and word != "having":
        return _after_have(sentence, at + 1, word)
    if word in ("do", "does", "did"):
        after, denied = _skip(sentence, at + 1)
        if verb := sentence.base(after, "base"):
            return VerbGroup(at, after + 1, verb, denied=denied, form="past" if word == "did" else "s")
        main = subject is not None and sentence.has(after, "det", "pron", "num")
        return VerbGroup(at, after, "do", denied=denied) if denied or main or word != "do" else None
    return _simple(sentence, at, subject)


def _simple(sentence: Sentence, at: int, subject: int | None) -> VerbGroup | None:
    """Return the group of a single verb that agrees with its subject."""
    plural = subject is not None and _is_plural(sentence, subject, at)
    kinds = ("s", "past", "base") if plural else ("s", "past")
    for kind in kinds:
        if verb := sentence.base(at, kind):
            return VerbGroup(at, at + 1, verb, form=kind)
    return None


def _is_plural(sentence: Sentence, subject: int, at: int) -> bool:
    words = sentence.words[subject:at]
    if "and" in words:
        return True
    if words and words[0] in _PLURAL_SUBJECTS:
        between = (at for at in range(subject + 1, at) if sentence.words[at] not in _HEDGES)
        adverbs = all(sentence.has(at, "not", "adv") and not sentence.has(at, "noun") for at in between)
        return adverbs or words[0] in ("these", "those")
    head = words[-1] if words else ""
    return head.endswith("s") and not head.endswith("ss")


def _after_modal(sentence: Sentence, at: int, modal: str) -> VerbGroup | None:
    at, denied = _skip(sentence, at)
    word = sentence.word(at)
    group: VerbGroup | None
    if word == "be":
        group = _after_be(sentence, at + 1)
    elif word == "have" and sentence.word(at + 1) == "to":
        group = _after_modal(sentence, at + 2, "must")
    elif word == "have":
        group = _after_have(sentence, at + 1, word)
    elif verb := sentence.base(at, "base"):
        group = VerbGroup(at, at + 1, verb)
    else:
        group = VerbGroup(at, at, "")
    return None if group is None else replace(group, modal=modal, denied=denied or group.denied)


def _after_have(sentence: Sentence, at: int, word: str) -> VerbGroup:
    after, denied = _skip(sentence, at)
    if sentence.word(after) == "got" and sentence.word(after + 1) == "to":
        found = _after_modal(sentence, after + 2, "must")
        if found is not None:
            return replace(found, denied=denied or found.denied)
    if sentence.word(after) == "to" and sentence.has(after + 1, "verb", "be", "have", "do"):
        found = _after_modal(sentence, after + 1, "must")
        if found is not None:
            return replace(found, denied=denied or found.denied)
    if sentence.word(after) == "got" and not sentence.base(after + 1, "participle"):
        return VerbGroup(at, after + 1, "have", denied=denied)
    if sentence.word(after) == "been":
        return replace(_after_be(sentence, after + 1), denied=denied, perfect=True)
    noun_follows = sentence.has(after, "noun", "adj") and sentence.has(after + 1, "noun")
    if not noun_follows and (verb := sentence.base(after, "participle")):
        return VerbGroup(at, after + 1, verb, denied=denied, form="participle", perfect=True)
    return VerbGroup(at, after, "have", denied=denied, form="s")


def _after_be(sentence: Sentence, at: int) -> VerbGroup:
    after, denied = _skip(sentence, at)
    for words, modal in _PHRASAL:
        if sentence.words[after : after + len(words)] == words:
            following = after + len(words)
            if words == ("to",) and not sentence.has(following, "verb", "be", "have", "do"):
                continue
            group = _after_modal(sentence, following, modal)
            if group is not None and group.verb:
                return replace(group, denied=denied or group.denied)
    if sentence.word(after) in BE and sentence.word(after) == "being":
        return replace(_after_be(sentence, after + 1), denied=denied)
    if verb := sentence.base(after, "ing"):
        return VerbGroup(at, after + 1, verb, denied=denied, form="ing")
    if (verb := sentence.base(after, "participle")) and not sentence.has(after + 1, "noun"):
        return VerbGroup(at, after + 1, verb, denied=denied, form="participle", passive=True)
    return VerbGroup(at, after, "be", denied=denied)
