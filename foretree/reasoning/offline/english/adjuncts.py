"""Adjuncts of a request, which may be left out: "for our guest", "before lunch", "carefully".

What says where, how often or how many is never left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from foretree.reasoning.offline.english.groups import noun_groups
from foretree.reasoning.offline.english.words import Sentence
from foretree.reasoning.offline.lexicon import WANT, word_set

#: The most ways to shorten one request.
_MOST = 5
#: Adverbs that change what shall be done.
_TELLING = word_set(
    """not never only again twice thrice back away up down off on out over together apart first last here
    there instead except else too as both almost nearly half partly otherwise more less inside outside
    before since until once second third another other half"""
)
#: What a purpose says of these is all that is said of them.
_VAGUE = word_set("something anything nothing everything thing things stuff one ones")
#: What shall not be, or shall be only so, is never left out.
_LIMITING = word_set("not no never only nothing none nobody except but instead without unless")
_BRINGING = word_set("bring get fetch give hand pass want take grab find need")
_COUNTING = word_set("each every both")
_UNITS = word_set("second seconds minute minutes min mins hour hours day days night nights week weeks")
_UNTIL = word_set("by before until till")
_MOMENTS = word_set("before after during until till by")
_SOON = word_set("go trip minute moment second sec bit hurry flash jiffy tick")
_IDIOMS = tuple(
    tuple(idiom.split())
    for idiom in re.split(
        r",\s+",
        """as usual, as always, like always, as ever, on your way, on the way, with your free hand,
        with both hands, with both your hands, with your hands, in one go, at the moment, at your leisure,
        if possible, by the way, all right, a bit, a little, a moment, once more, with care, at last,
        of course, for good, for now, for later, for once, for me, for us, over there, right there,
        behind you, after you, behind yourself, after yourself, as you go,
        a while, some time, ages, the time being, the night, the moment,
        in the end, on your way back, on your way out, in there, instead, by then, in time, just to be safe,
        to be on the safe side, just to be on the safe side""",
    )
)
#: What opens a reason or an occasion that is no clause, before a noun group.
_CAUSES = tuple(
    tuple(words.split())
    for words in re.split(
        r",\s+",
        """because of, due to, thanks to, owing to, on account of, for the sake of, in honour of, in honor of,
        in memory of, in celebration of, in view of, in light of, on behalf of, in preparation for,
        in anticipation of, in time for, ahead of, given""",
    )
)
#: After "as a" and "out of" they say in which spirit something is done.
_GESTURES = word_set("surprise favour favor treat courtesy gesture present gift precaution token thank-you")
_SPIRITS = word_set("courtesy kindness politeness habit principle spite love boredom necessity respect")
#: Deeds to a person by which a thing is handled, too: "to make my wife happy".
_PLEASING = word_set("make keep help get")

#: Deeds at what is passed: "close it behind you".
_PASSED = word_set("close shut lock open go come clean tidy wipe")

#: How several things are handled, said apart; in the end all is the same.
HANDLING = frozenset(
    tuple(words.split())
    for words in re.split(
        r",\s+",
        """one in each hand, one in each of your hands, one in each of your two hands, one in either hand,
        one per hand, one each hand, one for each hand, all at once, both at once, at once,
        all at the same time, both at the same time, at the same time, all together, both together, together,
        simultaneously, in one go, all in one go, in one trip, one by one, one at a time,
        one after the other, one after another, separately""",
    )
)


def shortened(sentence: Sentence) -> Iterator[tuple[str, ...]]:
    """Yield the words of a request without some of its adjuncts, the fewest left out first."""
    words = sentence.words
    seen = {words}
    for _ in range(_MOST):
        shorter = _without_one(sentence)
        if shorter is None or shorter in seen or not shorter:
            break
        seen.add(shorter)
        yield shorter
        sentence = Sentence(shorter, sentence.lexicon, sentence.verbs, sentence.nouns)
    bare = tuple(word for at, word in enumerate(words) if not _is_manner(sentence, word))
    if bare not in seen and bare:
        yield bare


def is_timed(words: Sequence[str]) -> bool:
    """Return whether words say how long something shall be so: "take it out for ten minutes"."""
    return any(word == "for" and _UNITS & {*words[at + 2 : at + 5]} for at, word in enumerate(words))


def is_moment(sentence: Sentence) -> bool:
    """Return whether words only say when something is wanted: "before lunch", "after the meeting"."""
    return sentence.word(0) in _MOMENTS and _phrase_end(sentence, 0) == len(sentence.words)


def _is_manner(sentence: Sentence, word: str) -> bool:
    groups = sentence.lexicon.adverb_groups(word)
    said = "manner" in groups or "sentence" in groups or "time_now" in groups
    plain = word.endswith("ly") and "adverb" in sentence.lexicon.parts_of_speech(word) and not groups
    return (said or plain) and word not in _TELLING


def _without_one(sentence: Sentence) -> tuple[str, ...] | None:
    """Return the words without the last adjunct; None if there is none."""
    words = sentence.words
    for at in range(len(words) - 1, 0, -1):
        end = _adjunct_end(sentence, at)
        if end is not None:
            begin = at - (words[at - 1] in {*_UNTIL, "for"} and at > 1)  # "by tonight", "for a bit"
            return _joined(words[:begin], words[end:])
    for at in range(len(words) - 1, -1, -1):
        if _is_manner(sentence, words[at]):
            return _joined(words[:at], words[at + 1 :])
    return None


def _joined(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    while before and before[-1] == ",":
        before = before[:-1]
    return (*before, *after)


def _adjunct_end(sentence: Sentence, at: int) -> int | None:
    """Return the end of an adjunct that begins at a position, where nothing follows; None if none does."""
    words = sentence.words
    if words[at] == "for" and words.count("for") > 1 and ("for", "me") in pairwise(words):
        return None  # "a mug for me and a glass for my wife"
    idiom = max((len(one) for one in _IDIOMS if words[at : at + len(one)] == one), default=0)
    if words[at] in ("behind", "after") and words[0] not in _PASSED:
        idiom = 0  # "the mug behind you" says which
    if idiom and words[at + idiom : at + idiom + 1] != ("of",):
        return at + idiom
    end = _phrase_end(sentence, at)
    if end is None:
        return None
    return end if end == len(words) or words[end] in (",", "and") else None


def _cause_end(sentence: Sentence, at: int) -> int | None:
    """Return the end of a reason that is no clause: "due to the heat", "to cheer my mum up"."""
    words = sentence.words
    if words[at : at + 2] in (("as", "a"), ("out", "of")):
        spirits = _GESTURES if words[at] == "as" else _SPIRITS
        return at + 3 if sentence.word(at + 2) in spirits else None
    cause = next((one for one in _CAUSES if words[at : at + len(one)] == one), ())
    begin = at + len(cause)
    if words[at] == "to" and (verb := sentence.base(at + 1, "base")):
        if (verb in sentence.verbs and verb not in _PLEASING) or _LIMITING & {*words[at:]}:
            return None
        begin = at + 2 + sentence.has(at + 2, "part")
    end = next(noun_groups(sentence, begin), None) if begin > at else None
    if end is None or any(word in sentence.nouns for word in words[begin:end]):
        return None
    if cause:
        return end
    pleased = sentence.has(end, "adj") and end + 1 == len(words)  # "to make my wife *happy*"
    person = "person" in sentence.lexicon.parts_of_speech(words[end - 1])
    return end + pleased if person and (end == len(words) or pleased) else None


def _phrase_end(sentence: Sentence, at: int) -> int | None:
    word, following = sentence.word(at), sentence.word(at + 1)
    lexicon = sentence.lexicon
    later = "time_later" in lexicon.adverb_groups(word)
    if later and (sentence.words[0] == WANT or word in ("afterwards", "later", "soon")):
        return at + 1 + ("time" in lexicon.parts_of_speech(following))  # what shall be so then may be so now
    if word == "after" and at + 1 == len(sentence.words):
        return at + 1
    if word == "for" and sentence.base(at + 1, "ing"):
        return len(sentence.words)
    if word in ("for", "before", "after", "until", "till", "by", "during"):
        end = next(noun_groups(sentence, at + 1), None)
        if end is None:
            return None
        head = sentence.word(end - 1)
        parts = lexicon.parts_of_speech(head)
        about = {"time", "person"} & parts or following in ("him", "her", "them", "us")
        unknown = word == "for" and head not in sentence.nouns
        if word == "for" and _COUNTING & {*sentence.words[at:end]}:
            return None  # "for each of my guests" says how many
        return end if about or unknown else None
    if (end := _cause_end(sentence, at)) is not None:
        return end
    if word == "by" and (sentence.has(at + 1, "num") or "time_later" in lexicon.adverb_groups(following)):
        return at + 2
    if word == "in" and following in ("a", "one") and sentence.word(at + 2) in _SOON:
        return at + 3
    if word == "to" and sentence.base(at + 1, "base") and sentence.words[0] in _BRINGING:
        # "Something to drink that is not juice" says what is wanted, not what it is for.
        telling = sentence.word(at - 1) in _VAGUE or _LIMITING & {*sentence.words[at:]}
        return None if telling else len(sentence.words)
    if word in ("this", "today", "tonight") and (
        word != "this" or "time" in lexicon.parts_of_speech(following)
    ):
        return at + 1 + (word == "this")
    return None


#: Conjunctions of what says why, or when in the world at large, something shall be done.
_REASONS = frozenset({"because", "since", "as", "when", "while"})


def with_reasons_last(sentence: Sentence) -> tuple[str, ...]:
    """Return the words of a sentence with a reason behind what goes on after it without a verb.

    "Put the apple in the fridge *because it is soft*, and the mango on the table": the mango is put, too.
    Left where it is, the reason would take the rest of the sentence with it.
    """
    words = sentence.words
    for at in range(1, len(words)):
        reason = words[at] in _REASONS or words[at : at + 2] == ("in", "case")
        if not reason or words[at - 1] in ("just", "as"):
            continue
        for joint in range(at + 2, len(words) - 2):
            apart = words[joint - 1] == "," and words[at - 1] == ","
            if words[joint] in ("and", "but") and _goes_on(sentence, joint + 1, apart):
                begin = joint - (words[joint - 1] == ",")
                if apart:  # "the cloth, since it is wet here, and the sponge" names two things
                    return (*words[: at - 1], *words[joint:], ",", *words[at:begin])
                return (*words[:at], *words[begin:], ",", *words[at:begin])
    return words


def _goes_on(sentence: Sentence, at: int, apart: bool) -> bool:
    """Return whether a thing and a place stand at a position, with no verb: "the mango on the table".

    Args:
        sentence: the words.
        at: the position.
        apart: whether the reason stands between commas: then a thing alone goes on with what is before them.
    """
    if not sentence.has(at, "det"):
        return False
    alone = len(sentence.words) in noun_groups(sentence, at) and sentence.words[-1] in sentence.nouns
    return (apart and alone) or is_placed_thing(sentence, at)


def is_placed_thing(sentence: Sentence, at: int) -> bool:
    """Return whether a thing and a place stand at a position, with no verb: "keys on the table"."""
    for end in noun_groups(sentence, at):
        places = noun_groups(sentence, end + 1) if sentence.word(end) in _PLACING else ()
        ends = any(sentence.word(after) in _AFTER_PLACE for after in places)  # no verb follows
        if ends and sentence.word(end - 1) in sentence.nouns:
            return True
    return False


#: What a place may be followed by, with no verb between.
_AFTER_PLACE = frozenset({"", ",", "and", "where", "which", "that"})
#: Prepositions of where a thing is to be.
_PLACING = frozenset({"in", "into", "on", "onto", "to", "under", "inside", "beside"})
