"""Prohibitions in a sentence: "don't open the drawer", "without touching it", "leave the milk alone"."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.grammar.verb_forms import base_form
from foretree.reasoning.offline.lexicon import (
    DEFINITE,
    INDEFINITE,
    UNIVERSAL,
    opening,
    phrases,
    trimmed,
    word_set,
)

#: The words of a statement or of a part of it.
Words: TypeAlias = tuple[str, ...]

#: Verbs that stand for whatever can be done with a thing.
ANY_DEED = frozenset({"touch", "use", "disturb", "handle", "bother", "approach", "move", "shift", "budge"})
#: Verbs of not changing how things are.
LEAVING = frozenset({"leave", "let", "allow", "have"})
WITHOUT = phrases("without, while not, whilst not, not")
NEVER = phrases(
    """
    don't ever, do not ever, don't, dont, do not, never, you must not, you mustn't, you should not,
    you shouldn't, you may not, you can't, you cannot, must not, mustn't, you are not to, avoid, refrain from,
    be careful not to, take care not to, make sure not to, make sure you don't, try not to,
    please don't, under no circumstances, mind you don't, mind you do not, mind that you don't,
    mind that you do not, mind not to, see that you don't, see that you do not, be sure not to,
    be sure you don't, watch you don't, ensure you don't, ensure you do not, make sure you do not,
    making sure not to, making sure you don't, being careful not to, taking care not to, remember not to
    """
)
#: Other words for not touching what follows.
_HANDS_OFF = phrases(
    "hands off, stay away from, keep away from, keep off, steer clear of, keep your hands off"
)
#: Words for being in a room, behind what forbids it.
ENTERING = phrases(
    """
    enter, set foot in, set foot inside, set foot into, step foot in, step into, step inside, go through,
    pass through, walk through, drive through, move through, come through, cut through, cross, venture into,
    wander into, go in, go inside, visit, go to, go into, walk into, drive into, move into, come into,
    walk to, drive to, move to, come to
    """
)
#: Words for not staying in a room, behind what forbids it.
GOING_OUT = phrases("leave, exit, go out of, get out of, come out of, walk out of, step out of, move out of")
_STAY_OUT = phrases(
    """
    stay out of, keep out of, remain out of, stay outside of, stay outside, remain outside, keep outside,
    stay well out of, keep well out of
    """
)
_STAY_IN = phrases("stay in, stay inside, remain in, remain inside, stay within, keep within")
_DETERMINERS = DEFINITE | INDEFINITE
_HAND_SIDES = {"left": "right", "right": "left"}
#: They end what begins with "leave", and say that what is between is not to be touched.
_ALONE = phrases("alone, as it is, as they are, as is, where it is, where they are, untouched, in peace")
#: Reminders, which say no more than the request that follows.
_REMINDERS = phrases(
    "don't forget to, do not forget to, never forget to, remember to, be sure to, make sure to"
)
#: What need not be done is as if it had not been said, but it can be referred to.
NEEDLESS = "needless"
_NEEDLESS = phrases(
    """
    don't have to, do not have to, don't need to, do not need to, needn't, need not,
    there is no need to, there's no need to, no need to, don't bother to, don't bother, it is not necessary to
    """
)
_ALLOWING = frozenset({"may", "must", "should", "can", "shall", "will"})
#: "Nobody touches the cake" forbids it.
_TOUCHES = frozenset(f"{deed}s" for deed in ANY_DEED) | {"touches", "approaches", "enters", "opens"}
_FORBIDDING = frozenset({"forbidden", "prohibited", "banned", "taboo", "off-limits"})
#: In a heading they say that what is listed is not to be dealt with, or in another order.
_LEAVING_OUT = word_set("leave ignore skip avoid not never except exclude excluded reverse")
_PASSING = frozenset(phrase[0] for phrase in (*ENTERING, *GOING_OUT)) | {"walk", "pass"}
_JOINTS = frozenset({"and", "but", ",", "while", "then", "please"})
_ENDS = frozenset({",", "but", "just", "only", "instead", "while", "whilst"})


def without_prohibitions(words: Words, verbs: Collection[str]) -> tuple[Words, tuple[Words, ...]]:
    """Return the request that *words* make, and what they forbid, each beginning with the plain verb.

    What they call needless comes with what they forbid, behind a mark of its own.

    Args:
        words: of a sentence.
        verbs: the words that commands begin with.
    """
    words, found = _without_neither(words, verbs)
    words, hand = _without_one_hand(words)
    found += [hand] if hand else []
    at = 0
    while at < len(words):
        begins = at == 0 or words[at - 1] in _JOINTS
        if begins and (length := opening(words, _REMINDERS, at)):
            words = (*words[:at], *words[at + length :])
            continue
        read = _needless(words, at, verbs) if begins else None
        read = read or _prohibition(words, at, begins, verbs)
        if read is None:
            at += 1
            continue
        forbidden, stop = read
        found.append(forbidden)
        joint = (",",) if at and stop < len(words) else ()
        words = (*trimmed(words[:at]), *joint, *trimmed(words[stop:]))
        at = 0
    return trimmed(words[2:] if words[:2] == ("while", "you") else words), tuple(found)


def _needless(words: Words, at: int, verbs: Collection[str]) -> tuple[Words, int] | None:
    """Return what need not be done, and its end."""
    if not (length := opening(words, _NEEDLESS, at)):
        return None
    stop = _end(words, at + length, verbs)
    return (NEEDLESS, *words[at + length : stop]), stop


def _prohibition(words: Words, at: int, begins: bool, verbs: Collection[str]) -> tuple[Words, int] | None:
    """Return what is forbidden from the word at *at* on, and where that ends; None if nothing is."""
    if begins and (length := opening(words, _HANDS_OFF, at)):
        stop = _end(words, at + length, verbs)
        return ("touch", *words[at + length : stop]), stop
    if begins and (staying := as_staying(words, at)):
        stop = _end(words, at + 1, verbs)
        return as_staying(words[at:stop]) or staying, stop
    if begins and words[at] == "leave":
        stop = _end(words, at, verbs)
        alone = next((i for i in range(at, stop) if opening(words, _ALONE, i)), None)
        return None if alone is None else (("touch", *words[at + 1 : alone]), stop)
    if begins and words[at] == "avoid" and _DETERMINERS & {*words[at + 1 : at + 2]}:
        stop = _end(words, at + 1, verbs)
        return ("touch", *words[at + 1 : stop]), stop
    for markers, anywhere in ((WITHOUT, True), (NEVER, False)):
        length = opening(words, markers, at)
        after = at + length
        if not length or after == len(words) or not (anywhere or begins):
            continue
        verb = base_form(words[after], (*verbs, *ANY_DEED, *LEAVING, *_PASSING))
        if verb and not (anywhere and verb == words[after]):  # "not open" is a state
            stop = _end(words, after + 1, verbs)
            return (verb, *words[after + 1 : stop]), stop
    return None


def as_staying(words: Words, at: int = 0) -> Words:
    """Return "stay out of the hall" as the going there that it forbids, "stay in it" as leaving it."""
    if length := opening(words, _STAY_OUT, at):
        return ("go", "to", *words[at + length :])
    if length := opening(words, _STAY_IN, at):
        return ("leave", *words[at + length :])
    return ()


def _without_one_hand(words: Words) -> tuple[Words, Words]:
    """Return the words without "with your left hand only", and that as not to use the other hand."""
    for at in range(len(words) - 2):
        if words[at] != "your" or words[at + 1] not in _HAND_SIDES or words[at + 2] != "hand":
            continue
        begin, end = at, at + 3
        only = words[end : end + 1] in (("only",), ("alone",))
        end += only
        while begin and words[begin - 1] in ("with", "only", "just", "use", "using", "by"):
            begin -= 1
            only = only or words[begin] in ("only", "just")
        if not only:
            continue
        end += words[begin : begin + 1] != ("with",) and words[end : end + 1] == ("to",)
        rest = (*words[:begin], *words[end:])
        return trimmed(rest), ("use", "your", _HAND_SIDES[words[at + 1]], "hand")
    return words, ()


def _without_neither(words: Words, verbs: Collection[str]) -> tuple[Words, list[Words]]:
    """Return the words without what "neither … nor …" forbids, and that: "put neither of … nor … there"."""
    if "neither" not in words or "nor" not in words:
        return words, []
    at, joint = words.index("neither"), words.index("nor")
    stop = _end(words, joint, verbs)
    one, other = trimmed(words[at + 1 : joint]), words[joint + 1 : stop]
    if not one or not other or joint < at:
        return words, []
    if one[0] in verbs and other[0] in verbs:
        found, begin = [one, other], at
    elif at and words[at - 1] in verbs:
        found, begin = [(words[at - 1], *one, "and", *other)], at - 1
    else:
        return words, []
    return trimmed((*words[:begin], *words[stop:])), found


def _end(words: Words, start: int, verbs: Collection[str]) -> int:
    """The end of a prohibition: "don't open the drawer and bring me a spoon" ends before "bring"."""
    return next(_ends(words, start, verbs), len(words))


def _ends(words: Words, start: int, verbs: Collection[str]) -> Iterator[int]:
    for at in range(start, len(words)):
        following = words[at + 1] if at + 1 < len(words) else ""
        if words[at] in _ENDS or (words[at] == "and" and following in verbs):
            yield at


def check_free(words: Words, heading: bool = False) -> None:
    """Check that what is told besides forbids nothing, and turns nothing round: "items to leave:".

    Raises:
        NotUnderstoodError: it does.
    """
    pairs = {*pairwise(words)}
    told = "you" in words and any((modal, "not") in pairs for modal in _ALLOWING)
    nobody = words[0] in ("nobody", "nothing") and (_ALLOWING | _TOUCHES) & {*words[1:3]}
    if told or nobody or _FORBIDDING & {*words} or ("off", "limits") in pairs or ("not", "allowed") in pairs:
        raise NotUnderstoodError(f'What shall not be done is not understood: "{" ".join(words)}".')
    if heading and words[0] == "not":  # "not the mug on the table, the other one: bring it"
        raise NotUnderstoodError(f'Which one is meant is not understood: "{" ".join(words)}".')
    plain = {part for word in words for part in word.split("_")}
    if heading and _LEAVING_OUT & plain:
        raise NotUnderstoodError(f'What is listed under "{" ".join(words)}" is not understood.')


def check_of_all(words: Words, requests: Iterable[Sequence[str]]) -> None:
    """Check that what is told after "but" takes nothing from what is asked of all of some things.

    Raises:
        NotUnderstoodError: it may: "put all the books in the box, but my wife is reading the novel".
    """
    if not UNIVERSAL.isdisjoint(word for request in requests for word in request) and DEFINITE & {*words[1:]}:
        raise NotUnderstoodError(
            f'Whether "{" ".join(words)}" is an exception is not clear. Name what is left with "except".'
        )
