"""People in noun phrases: the owners of things, and what is told of them that cannot be checked.

"My husband's mug", "a book of mine" and "the mug I always use" say nothing that is believed of things, so
they are right where only one thing can be meant anyway.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.lexicon import after_any, phrases

_OWNING = frozenset({"my", "your", "our", "his", "her", "their", "the", "a", "some"})
#: People, and animals, of a home; with or without the sign of the possessive, and in the plural.
_KIN = frozenset(
    re.findall(
        r"\w+",
        """
        husband wife mum mom mummy mommy mother dad daddy father brother sister son daughter kid child
        baby toddler grandma grandpa granny nan grandmother grandfather grandad granddad grandson
        granddaughter aunt auntie uncle cousin nephew niece partner boyfriend girlfriend fiance fiancee
        spouse friend neighbour neighbor roommate flatmate housemate lodger guest visitor boss colleague
        teacher nanny babysitter carer nurse cleaner landlord landlady dog cat puppy kitten parent twin
        boy girl lady
        """,
    )
)
_PLURALS = {"child": "children", "wife": "wives", "baby": "babies", "lady": "ladies", "puppy": "puppies"}
_KIN_FORMS = frozenset(
    form for one in _KIN for form in (one, f"{one}'s", f"{one}s", _PLURALS.get(one, one), f"{one}s'")
) | {"children's", "in-laws", "mother-in-law", "mother-in-law's", "father-in-law", "father-in-law's"}
#: Possessive pronouns that stand alone.
MINE = frozenset({"mine", "yours", "ours", "hers", "his", "theirs"})
_SUBJECTS = frozenset(
    {"i", "you", "we", "he", "she", "they", "someone", "somebody", "everyone", "everybody", "people"}
)
_CONTRACTED = re.compile(r"(i|you|we|he|she|they)'(ve|d|m|re|s|ll)")
_AUXILIARIES = frozenset(
    re.findall(
        r"\w+",
        """
        have has had was were am are is do did does will would can could must should might may always
        usually often just normally mostly recently already only also really once sometimes almost first
        typically generally regularly actually accidentally apparently probably still ever been being
        """,
    )
)
_NEGATED = frozenset({"don't", "didn't", "haven't", "hadn't", "never", "not", "doesn't", "hasn't"})
#: What was done where it is still to be seen: the place that follows can be checked.
LEFT_THERE = frozenset(
    re.findall(
        r"\w+",
        """
        left leave leaving put place placed laid set forgot forgotten saw see seen dropped drop keep kept
        keeping stored store hid hide hidden hung hang threw tossed stashed have had got find found stuck
        stood rested parked
        """,
    )
)
_AFTER_VERB = phrases(
    """
    yet, anymore, any more, any longer, me, us, him, her, it, them, you, myself, to me, for me, to us, for us,
    up, down, out, off, away, back, over, around, about, together, again, from, with, in, on, for, of, at,
    into, onto, so much, most, best, the most, a lot, too, so, yesterday, earlier, before, just now, all the
    time, today, tonight, last night, last week, last month, last year, last time, last summer, last winter,
    last christmas, last weekend, this morning, this afternoon, this evening, this week, this year, this time,
    the other day, the other night, in the morning, in the evening, in the afternoon, in the mornings, at
    night, every day, every morning, every evening, every night, every week, for breakfast, for lunch, for
    dinner, for my birthday, for her birthday, for his birthday, for christmas, for work, at work, at
    breakfast, at lunch, at dinner, as a present, as a gift, somewhere, anywhere, lying about, lying around,
    sitting around, standing around, there, here, earlier today, a while ago, long ago, ages ago, a moment
    ago, the day before yesterday, when we met, the whole time, online, at the market, at the shop
    """
)
_UNITS = frozenset(
    f"{unit}{end}"
    for unit in ("second", "minute", "hour", "day", "week", "month", "year", "moment")
    for end in ("", "s")
)
_DAYS = frozenset({"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"})
_LIKING = frozenset(
    {
        "like",
        "love",
        "want",
        "need",
        "prefer",
        "used",
        "use",
        "had",
        "have",
        "going",
        "wanted",
        "meant",
        "got",
    }
)
#: No verb of a relative clause is one of these.
_NO_VERBS = frozenset(
    {
        *lexicon.CONNECTIVES,
        *lexicon.INDEFINITE,
        *lexicon.DEFINITE,
        *lexicon.NUMBERS,
        *(
            "in",
            "on",
            "into",
            "onto",
            "to",
            "from",
            "at",
            "under",
            "of",
            "with",
            "if",
            "or",
            "but",
            "off",
            "out",
        ),
    }
)
#: So many words may follow the verb of a relative clause.
_LONGEST_TAIL = 8


def owner_at(tokens: Sequence[str], at: int, known: Collection[str]) -> int | None:
    """The position after an owner in front of a noun, "my husband's", "Anna's"; None if there is none.

    Args:
        known: words that are no names of people.
    """
    start = at + (_word(tokens, at) in _OWNING)
    words = [*tokens[start : start + 2]]
    for number, word in enumerate(words, 1):
        is_kin = word in _KIN_FORMS
        is_name = number == 1 and word.endswith("'s") and word[:-2] not in known and word not in known
        if (is_kin or is_name) and start + number < len(tokens):
            return start + number
        if word not in ("little", "older", "younger", "old", "best", "big", "elder", "grand"):
            return None
    return None


def ownership_at(tokens: Sequence[str], at: int, known: Collection[str]) -> int | None:
    """The position after words behind a noun that tell its owner: "of mine", "that belongs to Anna"."""
    belongs = after_any(tokens, at, _BELONGING)
    start = belongs or (at + 1 if _word(tokens, at) == "of" else None)
    if start is None:
        return None
    if _word(tokens, start) in (*MINE, *(("me", "us", "you", "him", "her", "them") if belongs else ())):
        return start + 1
    person = start + (_word(tokens, start) in _OWNING)
    word = _word(tokens, person)
    possessive = word.endswith("'s") and word[:-2] not in known
    if word in _KIN_FORMS or possessive or (belongs and word.isalpha() and word not in known):
        return person + 1
    return None


def told_by_people(tokens: Sequence[str], at: int, known: Collection[str]) -> Iterator[tuple[int, bool]]:
    """Yield every end of a clause about what people do with a thing: "that I always drink from".

    With each end comes whether a place that follows is where people left the thing.
    """
    start = at + (_word(tokens, at) in ("that", "which", "who", "whom"))
    after = _subject(tokens, start, known)
    if after is None:
        return
    verb = _after_auxiliaries(tokens, after)
    word = _word(tokens, verb)
    be = _word(tokens, verb - 1) in ("am", "are", "is", "was", "were") or tokens[verb - 1][-2:] in (
        "'m",
        "'s",
    )
    if not word.isalpha() or word in _NO_VERBS or (be and not word.endswith("ing")):
        return
    # "Whatever you can find": the helping verb itself is one, too.
    left = word in LEFT_THERE
    ends = {verb + 1: left}
    for end in range(verb + 1, min(verb + _LONGEST_TAIL, len(tokens))):
        if end in ends:
            for stop in _further(tokens, end):
                ends.setdefault(stop, left)
    yield from sorted(ends.items(), reverse=True)


def _subject(tokens: Sequence[str], at: int, known: Collection[str]) -> int | None:
    """The position after the people that a clause is about; its helping verb may be joined to them."""
    word = _word(tokens, at)
    if word in _SUBJECTS or _CONTRACTED.fullmatch(word):
        return at + 1
    start = at + (word in _OWNING)
    if _word(tokens, start) in _KIN_FORMS:
        return start + 1
    relative = _word(tokens, at - 1) in ("that", "which", "who", "whom")
    following = _word(tokens, at + 1)
    if word.isalpha() and word not in known and (relative or following.endswith("ed") or following in _SAID):
        return at + 1
    return None


def _after_auxiliaries(tokens: Sequence[str], at: int) -> int:
    """The position of the verb: the last helping verb is one itself where none follows."""
    end = at
    while _word(tokens, end) in _AUXILIARIES or _word(tokens, end) in _NEGATED:
        end += 1
    following = _word(tokens, end)
    alone = end > at and (not following.isalpha() or following in _NO_VERBS)
    return end - 1 if alone and tokens[end - 1] in ("have", "had", "has", "do", "did") else end


def _further(tokens: Sequence[str], at: int) -> Iterator[int]:
    """Yield where what is said after a verb goes on to: an object, a time, "to drink from"."""
    for words in _AFTER_VERB.at(tokens, at):
        yield at + len(words)
    word, following = _word(tokens, at), _word(tokens, at + 1)
    if word == "to" and following.isalpha() and following not in _NO_VERBS and tokens[at - 1] in _LIKING:
        yield at + 2
    if word.endswith("ing") and tokens[at - 1] in _LIKING:
        yield at + 1
    if word in ("on", "last", "this", "next") and following.rstrip("s") in _DAYS:
        yield at + 2
    if word.isalpha() and following in _UNITS and _word(tokens, at + 2) == "ago":
        yield at + 3
    if word == "for" and following in _OWNING and _word(tokens, at + 2) in _KIN_FORMS:
        yield at + 3
    if (
        word in ("to", "for", "from", "with", "by")
        and _word(tokens, at + 1 + (following in _OWNING)) in _KIN_FORMS
    ):
        yield at + 2 + (following in _OWNING)


#: What people did with things, in forms that do not end in -ed.
_SAID = frozenset(
    {
        *(
            "gave",
            "bought",
            "left",
            "made",
            "brought",
            "got",
            "uses",
            "likes",
            "loves",
            "keeps",
            "wears",
            "wants",
        ),
        *(
            "put",
            "lent",
            "sent",
            "forgot",
            "wore",
            "drinks",
            "has",
            "had",
            "always",
            "usually",
            "found",
            "took",
        ),
        *(
            "needs",
            "reads",
            "sold",
            "broke",
            "chose",
            "hung",
            "was",
            "is",
            "just",
            "hid",
            "threw",
            "drew",
            "wrote",
        ),
    }
)
_BELONGING = phrases(
    "belonging to, that belongs to, which belongs to, that belong to, which belong to, owned by"
)


def _word(tokens: Sequence[str], at: int) -> str:
    return tokens[at] if 0 <= at < len(tokens) else ""
