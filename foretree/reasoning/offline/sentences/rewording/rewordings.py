"""Plainer wordings of an instruction that is not understood as it is said.

Each rule puts one construction of long sentences plainly: "the apple in the fridge *but* the mango on the
table", "wash the plate and *do the same with* the bowl", "the mug, *which I left on the table*". A rule
applies only to its construction, and what it leaves out is said to be.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from foretree.reasoning.offline.lexicon import (
    DEFINITE,
    INDEFINITE,
    Phrases,
    after_any,
    opening,
    phrases,
    tokens_of,
    word_set,
)
from foretree.reasoning.offline.sentences.rewording.roundabout.errands import with_errands_told
from foretree.reasoning.offline.sentences.rewording.roundabout.states_told import with_states_told
from foretree.reasoning.offline.sentences.rewording.roundabout.things_asked_for import (
    with_welcome_thing_asked_for,
)

_STOPS = word_set(". ; : ?")
_DETERMINERS = DEFINITE | INDEFINITE | word_set("some both all each every")
_NOUN_BEGINS = DEFINITE | word_set("both all each every some a an")
_UNIVERSAL = word_set("all every everything each any anything everybody none no nothing")
_FINITE = word_set(
    """is are was were has have had do does did can could will would may might must shall should
    isn't aren't wasn't weren't hasn't haven't don't doesn't didn't can't won't it's that's i'm i"""
)
_RELATIVE = word_set("which who where whom whose")
#: In what is told by the way they may say what shall be done, or shall not.
_ASKING = word_set("you you're not never no nothing only please without")
_OBLIGING = phrases("should, must, shall, ought, needs, need, has to, have to, is to, are to, had better")
#: With one of these "must" and "should" tell what somebody takes to be so.
_BELIEVED = phrases("by now, already, surely, probably, presumably, certainly")
_SAME_WAY = phrases(
    """
    do the same with, do the same for, do the same to, do exactly the same with, the same with, the same for,
    the same to, the same goes for, the same applies to, the same is true of, the same is true for,
    same with, same for, same goes for, same thing with, the same thing with, likewise with, likewise for,
    likewise, ditto for, ditto with, ditto, similarly, so should, so must, so shall, so does, so do,
    as should, repeat that with, repeat that for, repeat this for, repeat this with
    """
)
#: The same behind what it is said of.
_ALIKE = phrases("likewise, ditto, in the same way, the same way, similarly")
_ROUND = phrases("vice versa, the other way round, the other way around, conversely")
_BEFORE_VERBS = word_set(", and then but please you to just also so")
_PLACING = word_set("in into on onto to under inside next beside")
_TAGS = phrases(
    ",".join(
        f"{verb}{denied} {person}"
        for verb, denied in (
            *((verb, "n't") for verb in ("have", "has", "do", "does", "did", "is", "are", "was", "were")),
            *((verb, "") for verb in ("have", "has", "do", "does", "did", "is", "are", "was", "were", "am")),
            *((verb, "n't") for verb in ("could", "would", "should", "must", "ca", "wo")),
        )
        for person in ("you", "it", "they", "there", "he", "she", "we", "i")
    )
)
_OTHERS = phrases(
    "the other one, the other, the others, the other ones, another, another one, any other, others"
)
_TOGETHER = phrases("together with, along with")
#: What is given along with a thing goes where it does.
_GIVING = word_set("bring give hand pass have fetch get serve")
_ALONG = phrases("with, along with, together with")
_CHECKING = phrases(
    """
    check whether, check if, see whether, see if, look whether, look if, have a look whether,
    have a look if, find out whether, find out if, go and see whether, go and see if
    """
)
_IF_SO = phrases("if so, if yes, if it is, if there is, if we do, if we have, if you do, in that case")
_LOOKING_WHERE = phrases(
    "have a look where, look where, check where, see where, find out where, work out where, look up where"
)
_OWN = word_set("own usual proper right normal respective rightful")
_ASKING_FOR = phrases(
    """
    may i trouble you for, might i trouble you for, could i trouble you for, can i trouble you for,
    may i bother you for, could i bother you for, any chance of getting, any chance of having,
    any chance of, is there any chance of getting, is there any chance of having, is there any chance of,
    i would not mind having, i wouldn't mind having, i would not mind, i wouldn't mind,
    i would not say no to, i wouldn't say no to, i am in need of, i'm in need of, i have need of, i am after,
    i'm after, would it be possible to get, would it be possible to have, how about getting me,
    what are the chances of getting
    """
)
#: So many relative clauses are looked at.
_MOST_CLAUSES = 3
_HAND_WORDS = {"left": "right", "right": "left"}
_WATERING = word_set(
    "wash rinse fill refill clean scrub sponge soap shampoo washing rinsing filling cleaning scrubbing"
)
_WATERED_AT = word_set("in at under over from with")
_BASINS = word_set("sink tap faucet basin washbasin")


@dataclass(frozen=True)
class Reworded:
    """An instruction in other words.

    Attributes:
        text: the words.
        left_out: what is told by the way, and left out.
    """

    text: str
    left_out: tuple[str, ...] = ()


_Change: TypeAlias = "tuple[list[str], tuple[str, ...]]"
_Rule: TypeAlias = "Callable[[Sequence[str], Collection[str]], _Change | None]"


def rewordings(instruction: str, verbs: Collection[str]) -> Iterator[Reworded]:
    """Yield plainer wordings of an instruction, one after each rule that applies.

    Args:
        instruction: what was said.
        verbs: the words that commands begin with.
    """
    tokens: Sequence[str] = tokens_of(instruction, marks=True)
    found = Reworded(instruction)
    for rule in _RULES:
        while (changed := rule(tokens, verbs)) is not None:
            tokens, left_out = changed
            found = Reworded(" ".join(tokens), (*found.left_out, *left_out))
            yield found
    for _ in range(_MOST_CLAUSES):
        span = _relative_clause(tokens, verbs)
        if span is None:
            return
        at, end = span
        said = tokens[at:end]
        if _has(said, _OBLIGING) and not _has(said, _BELIEVED):
            return  # "…, which must be closed afterwards" asks for something
        after = end + (tokens[end : end + 1] == [","])
        # What tells which thing is meant comes before what is only told besides.
        told = (*tokens[: at - 1], *said, *tokens[after:])
        yield replace(found, text=" ".join(told))
        if not _ASKING.isdisjoint(said):
            return
        joint = [","] if tokens[after : after + 1] in (["and"], ["but"], ["then"]) else []
        tokens = [*tokens[: at - 1], *joint, *tokens[after:]]
        found = Reworded(" ".join(tokens), (*found.left_out, " ".join(said)))
        yield found


def _has(words: Sequence[str], of: Phrases) -> bool:
    return any(opening(words, of, at) for at in range(len(words)))


def _relative_clause(tokens: Sequence[str], verbs: Collection[str]) -> tuple[int, int] | None:
    """Return where a relative clause behind a comma begins and ends: "…, *which I left on the table*"."""
    for at in range(2, len(tokens) - 2):
        if tokens[at - 1] == "," and tokens[at] in _RELATIVE and _DETERMINERS & {*tokens[:at]}:
            return at, _end(tokens, at, verbs)
    return None


def _begin(tokens: Sequence[str], at: int, verbs: Collection[str] = ()) -> int:
    """Return where the sentence begins that a position is in, or the request if *verbs* are given."""
    start = next((i + 1 for i in range(at - 1, -1, -1) if tokens[i] in _STOPS), 0)
    begun = (i for i in range(at - 1, start - 1, -1) if tokens[i] in verbs and _opens(tokens, i, start))
    return next(begun, start)


def _opens(tokens: Sequence[str], at: int, start: int) -> bool:
    return at == start or tokens[at - 1] in _BEFORE_VERBS


def _end(tokens: Sequence[str], at: int, verbs: Collection[str] = ()) -> int:
    """Return where the part of a sentence ends that a position is in: at a comma, or before a request."""
    for end in range(at, len(tokens)):
        joined = tokens[end] in ("and", "then", "but") and (tokens[end + 1 : end + 2] or [""])[0] in verbs
        if tokens[end] == "," or tokens[end] in _STOPS or joined:
            return end
    return len(tokens)


def _contrasted(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Put "and" for a "but" before a thing and its place: "…, *but* the mango on the counter"."""
    for at, word in enumerate(tokens):
        begins = word == "but" and at and tokens[at + 1 : at + 2] and tokens[at + 1] in _NOUN_BEGINS
        part = tokens[_begin(tokens, at) : at]
        if begins and _UNIVERSAL.isdisjoint(part) and _FINITE.isdisjoint(tokens[at : _end(tokens, at)]):
            return [*tokens[:at], "and", *tokens[at + 1 :]], ()
    return None


def _not_only(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Put "the fork and the knife" for "not only the fork but also the knife"."""
    for at in range(len(tokens) - 3):
        but = next((i for i in range(at, len(tokens)) if tokens[i] == "but"), None)
        if tuple(tokens[at : at + 2]) == ("not", "only") and but is not None:
            after = but + 1 + (tokens[but + 1 : but + 2] == ["also"])
            things = [*tokens[at + 2 : but - (tokens[but - 1] == ",")], "and", *tokens[after:]]
            return [*tokens[:at], *things], ()
    return None


def _alike(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Put "the bowl too" for "do the same with the bowl", "the bowl likewise"."""
    for at in range(1, len(tokens)):
        end = after_any(tokens, at, _SAME_WAY)
        starts = tokens[at - 1] in (",", "and", "then", *_STOPS)
        if starts and end is not None and tokens[end : end + 1] and tokens[end] in _NOUN_BEGINS:
            stop = _end(tokens, end, verbs)
            while tokens[at - 1] in (",", "and", "then", *_STOPS):
                at -= 1
            return [*tokens[:at], ",", "and", *tokens[end:stop], "too", *tokens[stop:]], ()
        end = after_any(tokens, at, _ALIKE)
        if end is not None and (end == len(tokens) or tokens[end] in (",", *_STOPS)):
            begin = at - 1 if tokens[at - 1] == "," else at
            return [*tokens[:begin], "too", *tokens[end:]], ()
    return None


def _swapped(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Put "swap" for "put the cup where the bowl is and vice versa"."""
    for at in range(1, len(tokens)):
        end = after_any(tokens, at, _ROUND)
        begin = _begin(tokens, at, verbs)
        said = [*tokens[begin:at]]
        if end is None or "where" not in said or said[0] not in verbs:
            continue
        where = said.index("where")
        copula = next((i for i in range(where, len(said)) if said[i] in ("is", "are", "was", "were")), None)
        if copula is not None and {*said[copula + 1 :]} <= {"and", ",", "now", "the"}:
            things = (*said[1:where], "and", *said[where + 1 : copula])
            return [*tokens[:begin], "swap", *things, *tokens[end:]], ()
    return None


def _in_hands(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Name the hand of "the apple in your left hand and the mango in *the right one*", "in the other"."""
    first = next((at for at, word in enumerate(tokens) if word == "hand" and at), None)
    side = tokens[first - 1] if first is not None else ""
    for at in range(first or len(tokens), len(tokens) - 2):
        if tokens[at] not in ("in", "with") or tokens[at + 1] not in DEFINITE or side not in _HAND_WORDS:
            continue
        end = at + 3 + (tokens[at + 3 : at + 4] in (["one"], ["hand"]))
        named = {**{one: one for one in _HAND_WORDS}, "other": _HAND_WORDS[side]}.get(tokens[at + 2])
        if named and (tokens[end - 1] != "hand" or tokens[at + 2] == "other"):
            return [*tokens[: at + 2], named, "hand", *tokens[end:]], ()
    return None


def _at_the_tap(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Leave out where something is washed or filled, which is no place that it shall be in."""
    for at in range(2, len(tokens) - 2):
        clause = tokens[_begin(tokens, at, verbs) : at]
        noun = next((i for i in range(at + 2, min(at + 4, len(tokens))) if tokens[i] in _BASINS), None)
        begins = clause and tokens[at] in _WATERED_AT and tokens[at + 1] in DEFINITE and noun is not None
        if begins and noun is not None and clause[0] in _WATERING:
            return [*tokens[:at], *tokens[noun + 1 :]], (" ".join(tokens[at : noun + 1]),)
    return None


def _by_hand(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Leave out that something is washed *by hand*: it is not washed otherwise."""
    for at in range(2, len(tokens) - 1):
        said = tokens[at] == "by" and tokens[at + 1] in ("hand", "hands")
        if said and tokens[_begin(tokens, at, verbs)] in _WATERING:
            return [*tokens[:at], *tokens[at + 2 :]], ("by hand",)
    return None


def _hyphenated(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Take apart words with hyphens: "the living-room shelf"."""
    plain = [part for token in tokens for part in ([token] if token in verbs else token.split("-"))]
    return (plain, ()) if len(plain) > len(tokens) else None


def _tagged(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Leave out a question behind what is told: "you have got a free hand, *haven't you*, so …"."""
    for at in range(1, len(tokens) - 2):
        end = after_any(tokens, at + 1, _TAGS) if tokens[at] == "," else None
        if end is not None and end < len(tokens) and tokens[end] in (",", *_STOPS):
            return [*tokens[:at], *tokens[end:]], ()
    return None


def _not_others(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Leave out that another thing is not meant; of "not *one of* the dirty ones" none is."""
    for at in range(2, len(tokens) - 2):
        if tokens[at] != "not" or tokens[at - 1] not in (",", "and", "but"):
            continue
        end = after_any(tokens, at + 1, _OTHERS)
        if end is not None and (end == len(tokens) or tokens[end] in (",", *_STOPS)):
            return [*tokens[: at - 1], *tokens[end:]], ()
        if tuple(tokens[at + 1 : at + 3]) in (("one", "of"), ("any", "of")):
            return [*tokens[: at + 1], *tokens[at + 3 :]], ()
    return None


def _accompanied(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Put "and" for "with" before what goes along: "put it, *together with the glass*, on the table"."""
    for at in range(2, len(tokens) - 3):
        given = after_any(tokens, at, _TOGETHER)
        clause = tokens[_begin(tokens, at, verbs) : at] if given is not None else ()
        if given is not None and not _GIVING.isdisjoint(clause) and _PLACING.isdisjoint(clause):
            return [*tokens[:at], "and", *tokens[given:]], ()
        end = after_any(tokens, at + 1, _ALONG) if tokens[at] == "," else None
        if (
            end is not None
            and tokens[end] in _DETERMINERS
            and not _GIVING.isdisjoint(tokens[_begin(tokens, at, verbs) : at])
        ):
            return [*tokens[:at], "and", *tokens[end:]], ()  # "bring me the soup, *with a spoon*"
        stop = _end(tokens, end) if end is not None else len(tokens)
        places = tokens[stop : stop + 1] == [","] and tokens[stop + 1 : stop + 2]
        if end is not None and places and tokens[stop + 1] in _PLACING:
            return [*tokens[:at], "and", *tokens[end:stop], *tokens[stop + 1 :]], ()
    return None


def _left_alone(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Put what is told of a thing beside it: "leave those *alone* that are shut"."""
    for at in range(len(tokens) - 3):
        alone = next((i for i in range(at, min(at + 4, len(tokens))) if tokens[i] == "alone"), None)
        if tokens[at] == "leave" and alone and tokens[alone + 1 : alone + 2] in (["that"], ["which"]):
            stop = _end(tokens, alone)
            return [*tokens[:alone], *tokens[alone + 1 : stop], "alone", *tokens[stop:]], ()
    return None


def _checked(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Put a condition for what is checked first: "see *whether* there is milk, and *if so*, bring it"."""
    for at in range(len(tokens) - 3):
        begin = after_any(tokens, at, _CHECKING)
        begins = at == _begin(tokens, at) or tokens[at - 1] in _BEFORE_VERBS
        if begin is None or not begins:
            continue
        so = next((i for i in range(begin, len(tokens)) if opening(tokens, _IF_SO, i)), None)
        if so is None:
            return None
        after = so + opening(tokens, _IF_SO, so)
        stop = _end(tokens, begin, (*verbs, "if", "then"))
        between = [word for word in tokens[stop:so] if word not in (",", "and", "then", ".", ";")]
        asked = (
            [word for word in tokens[after:] if word != ","] if not between else [*between, *tokens[after:]]
        )
        condition = [*tokens[begin:stop]]
        return [*tokens[:at], "if", *condition, ",", *asked], ()
    return None


def _looked_for(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Put "find the sponge" for "have a look where the sponge is"."""
    for at in range(len(tokens) - 4):
        begin = after_any(tokens, at, _LOOKING_WHERE)
        stop = _end(tokens, begin, verbs) if begin is not None else 0
        if begin is not None and tokens[stop - 1] in ("is", "are", "be") and tokens[stop : stop + 1]:
            return [*tokens[:at], "find", *tokens[begin : stop - 1], *tokens[stop:]], ()
    return None


def _in_own_place(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Put "where they belong" for "each in its own place"."""
    for at in range(2, len(tokens) - 2):
        word = tokens[at]
        end = at + 3 + (tokens[at + 2] in _OWN)
        said = word in ("in", "into", "to") and tokens[at + 1] in ("its", "their") and tokens[end - 1 : end]
        if said and tokens[end - 1] in ("place", "places", "spot", "spots"):
            begin = at - (tokens[at - 1] in ("each", "all", "both"))
            begin -= tokens[begin - 1] == ","
            belong = ["it", "belongs"] if tokens[at + 1] == "its" and begin == at else ["they", "belong"]
            return [*tokens[:begin], "where", *belong, *tokens[end:]], ()
    return None


def _wished(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Put "I want" for other ways of asking for a thing: "may I trouble you for the newspaper?"."""
    for at in range(len(tokens) - 1):
        end = (
            after_any(tokens, at, _ASKING_FOR) if at == _begin(tokens, at) or tokens[at - 1] == "," else None
        )
        if end is not None and tokens[end : end + 1]:
            return [*tokens[:at], "i", "want", *tokens[end:]], ()
    return None


def _states(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Put states plainly that another construction tells: "the plate's home is the cupboard"."""
    found = with_states_told(" ".join(tokens))
    return None if found is None else (tokens_of(found.text, marks=True), found.left_out)


def _welcome(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Put "bring me a blanket" for "a blanket would be nice"."""
    for at in range(2, len(tokens) - 1):
        if tokens[at] == "would":
            stop = next((i for i in range(at, len(tokens)) if tokens[i] in _STOPS), len(tokens))
            found = with_welcome_thing_asked_for(tokens, _begin(tokens, at), stop)
            if found is not None:
                return found, ()
    return None


def _errands(tokens: Sequence[str], verbs: Collection[str]) -> _Change | None:
    """Put errands plainly by what they are for: "walk over to the keys and bring them to me"."""
    plain = with_errands_told(" ".join(tokens))
    return None if plain is None else (tokens_of(plain, marks=True), ())


#: In the order in which they apply.
_RULES: tuple[_Rule, ...] = (
    _hyphenated,
    _states,
    _errands,
    _tagged,
    _wished,
    _welcome,
    _checked,
    _looked_for,
    _not_others,
    _left_alone,
    _in_own_place,
    _accompanied,
    _not_only,
    _contrasted,
    _alike,
    _swapped,
    _in_hands,
    _at_the_tap,
    _by_hand,
)
