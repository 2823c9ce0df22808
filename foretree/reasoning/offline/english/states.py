"""Wishes for a state, put plainly: "the mug should be on the table" is "want the mug be on the table"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from foretree.reasoning.offline.english._clause import EnglishClause
from foretree.reasoning.offline.english._clause_words import KEPT, OBLIGING, STAYING, Words
from foretree.reasoning.offline.english.groups import noun_groups
from foretree.reasoning.offline.english.words import Sentence
from foretree.reasoning.offline.lexicon import BE, NUMBERS, WANT, word_set

#: Subjects of which nothing shall be so, with what stands for all of them.
_NONE: dict[str, Words] = {
    "no": ("every",),
    "nothing": ("everything",),
    "none": ("all",),
    "neither": ("all",),
}
_BETTER = frozenset({"better", "nicer", "best", "nice"})
#: Verbs of which the passive says no more than where something is.
_PLACING = frozenset({"leave", "keep", "find", "locate"})
_WITHIN = (("in", "it"), ("inside",), ("inside", "it"), ("in", "them"), ("on", "it"))
_POSTURES = frozenset(
    {"standing", "lying", "sitting", "waiting", "hanging", "resting", "leaning", "laying", "perched"}
)
_POSED = frozenset((word,) for word in _POSTURES)
_RESTING = frozenset({"stand", "lie", "sit", "hang", "rest"})
#: Participles that say no more than where something is, or how, where that follows: "left on the table".
_PUT = word_set(
    """
    brought dropped hung kept laid left moved parked placed popped put returned set spread standing
    stashed stood stored stowed stuck taken
    """
)
#: Words between these and the place.
_BESIDES = word_set(
    """
    again all also away back down exactly just neatly out over ready right safely somewhere still then
    there up
    """
)
#: Verbs that say no more than where something is in the end: "be washed and *end up* in the cupboard".
_BECOMING = word_set("end go land finish wind stand lie sit rest hang be")
#: How a part of a thing is, which stands for the thing.
_LIDS = frozenset({"door", "doors", "lid", "flap", "top", "cover"})
_FINITE = frozenset({"is", "are", "should", "must", "shall"})
_NEEDED = frozenset({"has", "have", "needs", "need"})
_EASED = frozenset({"all", "good", "lovely", "nice"})
#: A thing told by these is the same when it is spoken of again.
_SOME = frozenset({"a", "an", "some", "any", "one", "another", "either"})


def is_wish(clause: EnglishClause) -> bool:
    """Return whether a clause says that something shall be so: "should be", "goes on", "looks better on"."""
    group = clause.group
    assert group is not None
    if not clause.rest and not group.passive:
        return False
    if clause.subject[:1] and clause.subject[0] in _NONE and _NEEDED & {*clause.words}:
        return False  # "nothing has to be washed" forbids nothing
    if group.modal in OBLIGING:
        return not group.perfect
    if group.modal == "can":
        return (group.verb in ("go", "come") or group.passive) and not group.denied
    if group.modal in ("would", "might", "could"):
        return group.verb in ("be", "look", "go", "fit") and not _BETTER.isdisjoint(clause.rest)
    return not group.modal and group.verb in ("go", "belong", *KEPT) and group.form in ("s", "base")


def state_words(clause: EnglishClause, sentence: Sentence) -> Words:
    """Return the plain words of the wish that a clause be so.

    Args:
        clause: the clause.
        sentence: the words after its verb.
    """
    group = clause.group
    assert group is not None
    subject, rest = clause.subject, clause.rest
    denied = ("not",) if group.denied else ()
    if subject == ("there",):
        return _existence(sentence, denied)
    if subject[:1] and subject[0] in _NONE and not denied:
        subject, denied, rest = (*_NONE[subject[0]], *subject[1:]), ("not",), _of_any(rest)
    if group.passive and group.verb in _PLACING:
        return (WANT, *subject, BE, *denied, *rest)
    if group.passive:
        participle = clause.words[len(clause.words) - len(rest) - 1]
        return (WANT, *subject, BE, *denied, participle, *rest)
    if group.verb == "have" and (held := _held(rest)):
        return (WANT, *subject, BE, *denied, "full", "of", *held)
    if group.verb in ("go", "come") and not denied and {"from", "out"} & {*rest}:
        return ("move", *subject, *rest)
    if group.verb in STAYING:
        kept = ("kept",) if group.verb in KEPT and not denied else ()
        eased = len(rest) > 1 and rest[1] == "and"  # "nice and cold"
        rest = rest if eased else tuple(word for word in rest if word not in _BETTER | {"up", "back"})
        return (WANT, *subject, BE, *denied, *kept, *rest)
    return (WANT, *clause.words)


def condition_words(clause: EnglishClause) -> Words:
    """Return the plain words of a condition: "it has water in it" is "it is full of water"."""
    group = clause.group
    if group is not None and group.verb in ("have", "contain", "hold") and not group.modal:
        held = _held(clause.rest) or (clause.rest if group.verb == "contain" else ())
        if held:
            denied = ("not",) if group.denied else ()
            return (*clause.subject, "is", *denied, "full", "of", *held)
    resting = group is not None and group.form == "ing" and group.verb in _RESTING
    if group is not None and (resting or clause.rest[:1] in _POSED):
        denied = ("not",) if group.denied else ()
        return (*clause.subject, "is", *denied, *clause.rest[clause.rest[:1] in _POSED :])
    return clause.words


def with_inverted_conditions(clauses: Sequence[EnglishClause]) -> Iterator[EnglishClause]:
    """Yield clauses with "if" for what stands in front: "should the towel be dry, fold it"."""
    for clause, following in zip(clauses, (*clauses, None)[1:], strict=True):
        group = clause.group
        asks = following is not None and following.mood == "imperative" and following.joint != "and"
        if not asks or clause.mood != "question" or group is None or clause.words[:1] != ("should",):
            yield clause
            continue
        at = len(clause.words) - len(clause.rest)
        said = (group.verb,) if group.verb != "be" and not group.passive else ()
        told = clause.words[at - 1 : at] if group.passive or group.form == "ing" else said
        denied = ("not",) if group.denied else ()
        copula = ("is",) if told != said or not said else ()
        words = (*clause.subject, *copula, *denied, *told, *clause.rest)
        yield replace(clause, mood="declarative", marker="if", words=words)


def with_copula(sentence: Sentence) -> Words:
    """Return the words of "a mug to be clean" as "a mug be clean"."""
    words = sentence.words
    for at in range(1, len(words)):
        if words[at] in _POSTURES:
            return (*words[:at], BE, *words[at + 1 :])
        if words[at] == "to" and sentence.word(at + 1) in STAYING:
            return (*words[:at], BE, *words[at + 2 + (words[at + 1 : at + 3] == ("end", "up")) :])
    return words


def plain_states(sentence: Sentence) -> list[Words]:
    """Return the wishes for the states in a row that words wish for, each put plainly.

    "Want the mug be washed and left standing on the table" is "want the mug be washed", "want the mug be on
    the table".
    """
    words = sentence.words
    end = _subject_end(sentence)
    if end is None:
        return [words]
    subject = words[1:end]
    parts = _in_a_row(sentence, end + (sentence.word(end) == BE))
    found: list[Words] = []
    for part in parts:
        state, besides = _without_absolute(sentence, part)
        begin, after = _plain_state(sentence, *state)
        place = sentence.has(begin, "prep")
        contrast = sentence.word(state[0]) == "not" or words[state[0] : state[0] + 2] == ("no", "longer")
        if contrast and found and any(sentence.has(at, "prep") for at in range(*state)):
            continue  # "on the rack and not on a chair"
        if begin < after:
            told = subject if not found else _again(subject)
            found.append((WANT, *told, BE, *words[begin:after]))
        if besides is not None:
            thing = words[begin + 1 : after] if place else subject
            told = thing if words[besides[0] + 2] in _LIDS else words[besides[0] + 1 : besides[1] - 1]
            found.append((WANT, *told, BE, words[besides[1] - 1]))
    changed = len(found) > 1 or BE in words or (found and len(found[0]) < len(words))
    return found if changed and found else [words]


def _again(subject: Words) -> Words:
    """Return the words for things that were spoken of just before."""
    if subject[0] in _SOME:
        return ("it",)
    return ("them",) if subject[0] in NUMBERS else subject


def _subject_end(sentence: Sentence) -> int | None:
    """Return the end of what is wished to be somehow; None if that is not told apart."""
    words = sentence.words
    if BE in words[2:]:
        return words.index(BE, 2)
    for end in noun_groups(sentence, 1):
        after = end + 1
        while sentence.word(after) in (",", "and"):
            after += 1
        if sentence.has(end, "adj") and after > end + 1 and _is_state(sentence, after):
            return end  # "the plate clean and in the cupboard"
        if sentence.has(end, "participle") or sentence.word(end) in _POSTURES | {"back"}:
            return end
        if sentence.has(end, "prep"):
            for after in noun_groups(sentence, end + 1):
                if sentence.has(after, "participle", "adj") or sentence.word(after) in _POSTURES:
                    return after
    return None


def _in_a_row(sentence: Sentence, start: int) -> list[tuple[int, int]]:
    """Return where each of several states in a row begins and ends."""
    words = sentence.words
    found = []
    begin, at = start, start
    while at < len(words):
        after = at
        while sentence.word(after) in (",", "and", "but", "then"):
            after += 1
        eased = words[begin:at] and {*words[begin:at]} <= _EASED
        if after > at > begin and not eased and _is_state(sentence, after):
            found.append((begin, at))
            begin = after
        at = max(after, at + 1)
    return [*found, (begin, len(words))]


def _is_state(sentence: Sentence, at: int) -> bool:
    """Return whether words at a position say how or where something is."""
    while sentence.word(at) in _BESIDES | _BECOMING | {"not"} and sentence.word(at + 1):
        at += 1
    longer = sentence.word(at) == "no" and sentence.word(at + 1) == "longer"
    plain = sentence.has(at, "participle", "prep") and not sentence.has(at, "det")
    adjective = sentence.has(at, "adj") and not sentence.has(at + 1, "noun")
    return longer or plain or adjective or sentence.word(at) in _POSTURES | {"back"}


def _plain_state(sentence: Sentence, begin: int, end: int) -> tuple[int, int]:
    """Return where the words of a state begin and end that tell more than that something is put somewhere."""
    at = begin
    while at < end and sentence.word(at) in _PUT | _POSTURES | _BESIDES | _BECOMING:
        at += 1
    told = sentence.has(at, "prep", "adj", "participle") or sentence.word(at) in ("on", "off")
    if at in (begin, end) or not told:
        return begin, end
    return at, end


def _without_absolute(
    sentence: Sentence, part: tuple[int, int]
) -> tuple[tuple[int, int], tuple[int, int] | None]:
    """Return a state without what is so besides, and that: "with the door shut"."""
    begin, end = part
    for at in range(begin, end - 3):
        thing = sentence.word(at) == "with" and sentence.word(at + 1) in ("the", "its", "their")
        state = sentence.has(end - 1, "adj", "participle") or sentence.word(end - 1) in ("on", "off")
        if thing and state and end in (at + 4, at + 5) and sentence.has(end - 2, "noun"):
            return (begin, at), (at, end)
    return part, None


def _held(rest: Words) -> Words:
    """Return what is in a thing: "water in it"."""
    within = next((one for one in _WITHIN if rest[-len(one) :] == one), None)
    return () if within is None else tuple(w for w in rest[: -len(within)] if w not in ("some", "any"))


def _existence(sentence: Sentence, denied: Words) -> Words:
    """Return the wish that something be there: "there should be a mug on the table"."""
    rest = sentence.words
    if rest[:1] == ("no",):
        rest, denied = ("every", *_of_any(rest[1:])), ("not",)
    end = next((end for end in noun_groups(sentence, 0) if end < len(rest)), len(rest))
    waiting = 1 if end < len(rest) and sentence.has(end, "ing") else 0
    return (WANT, *rest[:end], BE, *denied, *rest[end + waiting :])


def _of_any(words: Words) -> Words:
    """Return the words of what shall not be so, which is so of none: "no mug should be on *a* table"."""
    return tuple("any" if word in ("a", "an") else word for word in words)


def without_neither(words: Words) -> Words:
    """Return the words with one denial for all: "neither the fridge nor the drawer should be open"."""
    if "neither" not in words or "nor" not in words[words.index("neither") :]:
        return words
    first, then = words.index("neither"), words.index("nor")
    verb = next((at for at in range(then, len(words)) if words[at] in _FINITE), None)
    if verb is None:
        return words
    things = (*words[first + 1 : then], "and", *words[then + 1 : verb])
    return (*words[:first], *things, "are" if words[verb] == "is" else words[verb], "not", *words[verb + 1 :])
