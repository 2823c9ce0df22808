"""Sentences that are no plain commands, such as questions and conditions, and words that are not known.

They are recognised by their words, so that the person hears what was not understood instead of a guess at
single words. None of them is carried out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.english.lexicon.lexicon_file import english_words
from foretree.reasoning.offline.lexicon import Phrase, skip_between, skip_fillers, starts_with
from foretree.reasoning.offline.sentences.manners import manner_asked, refusal
from foretree.world_model.ontology import plurals

#: Verbs that no form needs to have, each with words of the same meaning, the nearest first.
_MEANINGS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("bake", "boil", "cook", "fry", "microwave", "reheat", "roast", "toast"), ("heat",)),
    **dict.fromkeys(("freeze", "refrigerate"), ("cool", "chill")),
    **dict.fromkeys(("deposit", "insert", "stack", "stick", "stow", "stuff"), ("put",)),
    **dict.fromkeys(("discard", "toss", "trash", "dump"), ("throw", "put")),
    **dict.fromkeys(("catch", "clutch", "grip", "lift", "seize", "snatch"), ("pick up", "grab")),
    **dict.fromkeys(("collect", "gather", "obtain", "remove", "retrieve"), ("take", "bring")),
    **dict.fromkeys(("convey", "drag", "haul", "shift", "transfer", "transport"), ("carry", "move")),
    **dict.fromkeys(("offer", "present", "serve", "supply"), ("bring", "give")),
    **dict.fromkeys(("scour", "scrub", "wet"), ("wash",)),
    **dict.fromkeys(("dust", "mop", "polish", "sweep"), ("wipe",)),
    **dict.fromkeys(("activate", "enable", "launch"), ("turn on", "start")),
    **dict.fromkeys(("deactivate", "disable", "extinguish"), ("turn off",)),
    **dict.fromkeys(("carve", "dice", "halve", "mince", "peel"), ("slice", "cut")),
    **dict.fromkeys(
        ("advance", "approach", "enter", "fly", "head", "proceed", "run", "travel", "visit"), ("go",)
    ),
    **dict.fromkeys(("look", "see", "view", "watch"), ("look at",)),
    **dict.fromkeys(("seal", "lock"), ("close",)),
    **dict.fromkeys(("unlock", "unseal"), ("open",)),
}
#: Words that mean what they say, though they look like others.
_NO_SLIPS = frozenset(
    re.findall(
        r"\w+",
        """
    able ago air also are art ask away back bad ball bar base bean best big black blue body boy brown
    came can car card case cat chair cheap coat cold color come could dark date day dead deal dear deep
    did do does dog done door down dry each ear east easy eat else even ever eye face fact far fast fat
    feel few field fine fire fit five floor food foot for four free friend full fun game girl gone good
    gray green grey had hair half hall happy hard has have he head hear heart heat here high him his
    home hot hour house how if ill into is job kind know lady large last late left less let life like
    line lip list little live long look lost lot loud love low made main make man many may mean men mind
    mine more most mouse much must name near neck need nice night no none nor nose not now off old once
    only or our out over own pair part past pet pink play poor quite rain read real red rest rich right
    road room run sad safe said same sand saw say sea see seem self sell send she ship short should show
    shy sick side sing sit sky sleep slow small so soft son song soon sort stay still such sun tall tell
    test than that then there they thin think this tie time tiny to told tone too top town toy tree true
    try ugly until up us use very walk wall want war warm was way we weak wear well went were west wet
    what when where while white who whole why wide wife win wind wine wise wish with wood word work
    would yard yellow yes yet you young
    bee bus cap corn cow dad desk doll fan frog gift glue ham hen ice jam jar juice lid meat milk mom mum
    nut oil onion oven pea pear pen pie pig pill pizza pot rag rat rice rug salad salt sauce shoe soap soup
    spice steak stove tap tape tea tray tub vase
        """,
    )
)
#: Words of so many letters are long.
_LONG = 8
#: What may be meant is only said of so many words.
_MOST = 3


def similar_words(word: str, valid: Iterable[str], *, verb: bool = False) -> tuple[str, ...]:
    """The *valid* words that *word* may be a slip for, or that mean the same as the verb; nearest first."""
    names = set(valid)
    if verb and word in _MEANINGS:
        return tuple(other for other in _MEANINGS[word] if other.split()[0] in names)[:_MOST]
    # In a short word, one letter makes another word of it; slips hardly ever hit the first.
    most = 0 if len(word) < 3 or word in _NO_SLIPS else 1 if len(word) < 7 else 2
    alike = (name for name in names if name[0] == word[0] and abs(len(name) - len(word)) <= most)
    found = [(edit_distance(word, name), name) for name in alike]
    return tuple(name for far, name in sorted(found) if 0 < far <= most)[:_MOST]


def slip_for(word: str, valid: Iterable[str]) -> str | None:
    """The one of the *valid* words that *word* surely is a slip for.

    That is one with a letter doubled, or two swapped. Unless the word is another one of English, it is also
    one with a letter more, less or other; two where it is long. A "trowel" is no towel.
    """
    if len(word) < 4 or word in _NO_SLIPS:
        return None
    begun = {name for name in valid if name[0] in word[:2] and name != word}
    names = [name for name in begun if abs(len(name) - len(word)) < 3]
    meant = [name for name in names if _is_slip(word, name)]
    if not meant and not english_words().parts_of_speech(word):
        near = (name for name in names if name[0] == word[0])
        far = sorted((edit_distance(word, name), name) for name in near if len(name) > 2)
        most = min((far[0][0] if far else 0), 1 + (len(word) >= _LONG))
        meant = [name for distance, name in far if distance == most]
    return meant[0] if len(meant) == 1 else _form_of_noun(word, meant)


def _form_of_noun(word: str, meant: Sequence[str]) -> str | None:
    """The one of some words to which a slip comes nearest, if all are forms of one noun: "tomatoe"."""
    singular = min(meant, key=len, default="")
    if not meant or not {singular, *plurals(singular)}.issuperset(meant):
        return None
    return next((one for one in meant if (one == singular) != word.endswith("s")), None)


def _is_slip(word: str, name: str) -> bool:
    if len(word) == len(name):
        return sorted(word) == sorted(name) and edit_distance(word, name) == 1
    undoubled = [[a for a, b in zip(one, one[1:] + " ", strict=True) if a != b] for one in (word, name)]
    return abs(len(word) - len(name)) == 1 and undoubled[0] == undoubled[1]


def edit_distance(one: str, other: str) -> int:
    """Letters to be left out, added, changed or swapped with the next to make *other* of *one*."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]


def _phrases(text: str) -> tuple[Phrase, ...]:
    return tuple(tuple(phrase.split()) for phrase in text.split(","))


_STOP = _phrases(
    """stop, halt, abort, cancel, quit, freeze, pause, wait, never mind, nevermind, forget it, enough"""
)
#: Said alone they are such, else commands: "hold on to the mug".
_STOP_ALONE = _phrases("hold on, hang on")
#: What a request begins with that is put as a question: "could you", "would you please".
_POLITE = _phrases("can you, could you, will you, would you")
_QUESTION = _phrases(
    """what, what's, where, where's, which, who, who's, whose, whom, why, how, is, isn't, are, aren't, am,
    was, were, can, could, may, might, shall, should, will, would"""
)
_DO = frozenset({"do", "does", "did", "has", "have", "had"})
_SUBJECTS = frozenset(
    {"i", "you", "we", "they", "he", "she", "there", "anybody", "anyone", "somebody", "someone"}
)
#: Words of unsupported sentences, each group with a message; the first with a word in the sentence counts.
_UNSUPPORTED = (
    (
        _phrases(
            """no, not, don't, dont, doesn't, didn't, never, without, neither, nor, nothing, nowhere, none,
            nobody, can't, cannot, couldn't, won't, wouldn't, shouldn't, mustn't, isn't, aren't, avoid,
            refrain, instead of, rather than"""
        ),
        'What shall not be done or be so ("{}") is not understood yet, so nothing is done. '
        "Say only what shall be done.",
    ),
    (
        _phrases("except, excluding, but, besides, other than, apart from, aside from, all but"),
        'Exceptions ("{}") are not understood yet. Name the things that are meant, one by one.',
    ),
    (
        _phrases(
            """if, unless, until, till, when, whenever, while, once, before, after, else, otherwise, in case,
            as soon as, as long as, provided, because, since"""
        ),
        'Conditions, reasons and moments ("{}") are not understood yet. Say what shall be done now, '
        'in any case; what follows on it is said with "then".',
    ),
    (
        # Questions wherever they stand: "tell me where the milk is", "wash what is on the table".
        _phrases(
            """what, what's, whatever, where, where's, wherever, who, whoever, whose, whom, why, how,
            whether"""
        ),
        'What is to be found out ("{}") is not understood yet. Name the things that are meant, '
        "and say what shall be done with them.",
    ),
    (
        _phrases(
            """on your left, on your right, to your left, to your right, on my left, on my right, to my left,
            to my right, on the left of you, on the right of you, left of you, right of you, left of me,
            right of me, behind you, behind me, in front of me, at your feet, at my feet, above you,
            above me"""
        ),
        'Where a thing is as seen by one of us ("{}") is not understood. Say on, in or under what it is, or '
        '"the leftmost", "the nearest".',
    ),
    (
        _phrases(
            "as many, as much, as few, twice as many, more than half, a third of, two thirds of, a quarter of"
        ),
        'How many are meant by "{}" is not understood. Say a number.',
    ),
    (
        _phrases("or, either"),
        'A choice ("{}") is not understood yet. Name one, or say "any" if any will do.',
    ),
    (
        _phrases(
            """again, twice, thrice, times, time, repeatedly, always, forever, keep, continuously, constantly,
            often"""
        ),
        'How often or how long something is done ("{}") is not understood yet. Say what to do once.',
    ),
)
_TIME = re.compile(
    r"seconds|(minute|hour|day|week|month)s?|o'clock|tomorrow|tonight|today|yesterday|later|soon|daily|weekly|noon|"
    r"midday|midnight|weekend|hourly|\d+[ap]m|morning|afternoon|evening|night|(mon|tues|wednes|thurs|fri|satur|sun)day"
)


def explain_unsupported(
    tokens: Sequence[str],
    asked: bool,
    known: Collection[str],
    openings: Collection[str],
    read: bool = False,
) -> str | None:
    """The reason why an instruction is no plain command, with what to say instead; None if it may be one.

    Args:
        tokens: its words.
        asked: whether it ends with a question mark.
        known: the words of the skills' phrases, which are no sign of anything.
        openings: the words that commands begin with.
        read: whether all words make a command, of which only the things cannot be told.
    """
    start = skip_between(tokens, 0)
    if start >= len(tokens):
        return None
    if any(starts_with(tokens, at, ("wait", "for")) for at in range(start, len(tokens))):
        return "I do not notice what is to be waited for. Say what is to be done when it is time for it."
    if (stop := _stop(tokens, start, known)) is not None:
        return (
            f'"{stop}" is no task, so nothing was begun. A run that goes on is ended with '
            "Ctrl-C, or with `foretree stop last` from another terminal."
        )
    may_ask = tokens[start] not in openings or tokens[start] in _DO
    if may_ask and _is_question(tokens, start, asked and tokens[start] not in openings):
        return (
            "That is a question that I cannot answer. I know where and how things are, what I can do, what I "
            'do and have done, and why: "where is the mug?", "is the door open?", "what can you do?".'
        )
    if not read and (manner := manner_asked(tokens)) is not None:
        return refusal(manner)
    for phrases, problem in () if read else _UNSUPPORTED:
        if (sign := _first_of(phrases, tokens, known)) is not None:
            return problem.format(sign)
    if not read and (moment := _moment(tokens, known)):
        return f'When something is done ("{moment}") is not understood yet. What is said is done at once.'
    return None


def _stop(tokens: Sequence[str], start: int, known: Collection[str]) -> str | None:
    """The words by which a sentence asks to stop."""
    for at in _begins(tokens, start):
        found = [phrase for phrase in _STOP if starts_with(tokens, at, phrase)]
        found += [phrase for phrase in _STOP_ALONE if _is_all(tokens, at, phrase)]
        if found and (len(found[0]) > 1 or found[0][0] not in known or _is_all(tokens, at, found[0])):
            return " ".join(found[0])
        following = tuple(tokens[at + 1 : at + 2])
        if found and lexicon.IT.issuperset(following) and _is_all(tokens, at + 1, following):
            return " ".join(tokens[at : at + 2])  # "stop that"
    return None


def _is_question(tokens: Sequence[str], start: int, asked: bool) -> bool:
    if any(starts_with(tokens, at, phrase) for at in range(start + 1) for phrase in _POLITE):
        return False
    first = tokens[start]
    subject = tokens[start + 1] if start + 1 < len(tokens) else ""
    follows_a_subject = start > 0 and tokens[start - 1] in _SUBJECTS
    return (
        asked or ((first,) in _QUESTION and not follows_a_subject) or (first in _DO and subject in _SUBJECTS)
    )


def _first_of(phrases: Iterable[Phrase], tokens: Sequence[str], known: Collection[str]) -> str | None:
    """The first of some phrases in the words, where it is not one of the skills' own."""
    for at in range(len(tokens)):
        for phrase in phrases:
            own = len(phrase) == 1 and phrase[0] in known
            if phrase[0] == tokens[at] and starts_with(tokens, at, phrase) and not own:
                return " ".join(phrase)
    return None


def _moment(tokens: Sequence[str], known: Collection[str]) -> str:
    """The first word that says when something is done; empty if there is none."""
    for before, token in zip(("", *tokens), tokens, strict=False):
        of_a_clock = token in ("am", "pm") and before[:1].isdecimal()  # "I am" is no time
        if token not in known and (of_a_clock or _TIME.fullmatch(token)):
            return token
    return ""


def is_foreign(tokens: Sequence[str], unknown: Collection[int]) -> bool:
    """True if so little of a sentence is known that it is probably in another language."""
    words = [token for token in tokens if token not in lexicon.CONNECTIVES]
    strange = any(not token.isascii() for token in tokens)
    return len(words) >= 3 and len(unknown) >= (0.4 if strange else 0.7) * len(words)


def _begins(tokens: Sequence[str], start: int) -> Iterator[int]:
    """The positions at which commands may begin: the first word, and after each connective."""
    yield start
    for at in range(start + 1, len(tokens)):
        if tokens[at - 1] in lexicon.CONNECTIVES and tokens[at] not in lexicon.CONNECTIVES:
            yield skip_between(tokens, at)


def _is_all(tokens: Sequence[str], at: int, phrase: Phrase) -> bool:
    """True if a phrase at a position is all that is said until the next connective."""
    end = skip_fillers(tokens, at + len(phrase))
    return starts_with(tokens, at, phrase) and (end == len(tokens) or tokens[end] in lexicon.CONNECTIVES)
