"""Words by which the complements of verbs are told apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from foretree.reasoning.offline.english.words import Sentence
from foretree.reasoning.offline.lexicon import word_set
from foretree.reasoning.offline.word_lists import word_lists

#: Adverbs of direction, which say no more where a place follows: "*back up* on the rack".
DIRECTIONS = word_set(
    """
    back over up down out along away across through round around off right straight together
    somewhere anywhere someplace
    """
)
#: They say no more only where one of these follows.
BEFORE_PATHS = word_set("to towards toward into onto over from")
#: Prepositions before places.
AT_PLACES = word_set(
    """
    to towards toward into onto in on inside at by under underneath beneath below beside next near close
    alongside against from behind
    """
)
#: Prepositions before where something comes to be.
TO_PLACES = word_set("to into onto in on under underneath beneath below beside inside next by")
#: Prepositions of places where one goes to, and those of being beside.
INTO_ROOMS = word_set("to into in inside towards toward onto through for")
NEARBY = word_set("by next beside at near close alongside over around round")
#: Verbs that go with "on" and "off".
SWITCHING = word_set(
    """
    turn switch flick flip click power put pop stick snap knock leave keep have get shut whack
    """
)
#: Participles of lying or standing somewhere.
POSTURES = word_set("standing sitting lying laying resting waiting hanging perched parked placed propped")
#: Verbs after which things are somewhere or somehow.
RESULTING = word_set("leave have keep want get put let set place find make")
#: Verbs of making something be somehow.
MAKING = word_set("make get have render")
#: Words of degree before a state.
DEGREES = word_set("nice and all really good properly fully completely thoroughly quite very freshly lovely")
#: Verbs of putting what can be poured.
POURING = word_set(
    """
    pour put add pop get run splash tip slosh drizzle dribble trickle draw squirt stick bung chuck slop
    """
)
#: Measures of what can be poured.
PORTIONS = word_set(
    """
    drop drops splash dash bit drizzle glug sip touch spot little smidgen tad measure cup cupful glass
    glassful mugful mug swig squirt shot helping dollop amount jugful trickle portion serving lick
    dribble
    """
)
#: Parts of a body that a deed is done with.
BODY = word_set(
    """
    hand hands arm arms elbow foot feet hip knee shoulder gripper grippers fingers fingertips
    """
)
SIDES = word_set("left right")
#: Verbs of going somewhere.
TRAVELLING = word_set(
    """
    go come walk drive move head travel proceed run roll return hurry step wander navigate pop nip hop
    trundle scoot zoom trot shuffle dash rush race toddle potter stroll march saunter amble glide whizz
    zip speed wheel advance journey steer swing stop drop call pass cross saunter waddle creep sneak
    tiptoe jog sprint bolt hasten pootle mosey traipse tramp plod slip slide get climb ride cruise
    withdraw retreat retire relocate repair bounce sail skip skate scurry scuttle scamper bustle whisk
    buzz pedal crawl drift back
    """
)
#: Verbs of being somewhere, for whoever goes there.
STAYING = word_set(
    """
    wait stay stand stop remain hover sit park linger loiter rest halt pause settle position station
    plant hang hold idle
    """
)
#: Verbs of going to what follows them.
VISITING = word_set("approach enter visit reach revisit")
#: Verbs with what somebody is to have after them.
DATIVE = word_set("pass hand slide chuck toss throw bring send shove reach fetch get lob sling carry roll")
#: Adverbs after these, for "to me".
HITHER = word_set("over across along here round")
#: Where the speaker has a thing, behind a preposition: "put it in *my hand*".
AT_SPEAKER = frozenset(
    tuple(words.split())
    for words in re.split(
        r",\s+",
        """my hand, my hands, my palm, my reach, my arms, my lap, my side, my place, my outstretched hand,
        my left hand, my right hand, our hands, arm's reach, reach, where i am, where i sit,
        where i am sitting, where i stand""",
    )
)
#: Verbs of coming back with something.
COMING_WITH = word_set("come return hurry rush run go be get head pop nip dash")
#: Verbs of laying something over something.
COVERING = word_set(
    """
    drape throw spread sling lay hang fling toss put place fold stretch chuck drop pop stick set leave
    rest stand
    """
)
#: Verbs of taking something away from where it is, which may say where it comes to be as well.
DISPLACING = word_set(
    """
    get take tip shake clear sweep brush scoop pull lift bring move carry grab pick fish dig haul heave
    hoist yank drag draw whip pluck slide ease remove fetch transfer shift pop rescue unload empty dump
    swing fling
    """
)
#: What such a verb takes things from.
SOURCES = word_set("off from out")
FLOORS = word_set("floor ground carpet rug deck")
#: Verbs of moving something that say besides how it is done.
MOVING = word_set(
    """
    kick hurl scooch shunt swap steer rescue bump hoof nudge rocket zip zoom herd guide manoeuvre maneuver
    wrestle wiggle smuggle elbow shimmy usher escort consign sneak squirrel spirit hustle yeet huck hoick lug
    relegate banish exile evacuate divert reroute transpose rehome rehouse thrust tumble feed introduce commit
    dispatch deploy install embed dock house insert bundle scoot tuck bestow deposit entrust bung lob flop
    """
)
#: Parts of a thing, for the whole.
OF_PARTS = word_set(
    """
    arm armrest seat foot head corner front rim side edge end middle centre center back top surface left
    right cushion cushions burner corners
    """
)
#: Which of several parts it is.
_WHICH = word_set(
    """
    top middle bottom upper lower first second third left right front back rear far near other
    very leftmost rightmost outer inner left-hand right-hand hand
    """
)
#: What stands at a side of these stands beside them.
BESIDE_ONLY = word_set(
    """
    sink basin stove oven cooker fridge refrigerator microwave toaster coffee tv television lamp toilet tub
    bathtub
    """
)
_SHELVES = word_set("shelf rack tray compartment section part")
_RANKS = word_set("top middle bottom upper lower first second third")
#: What things do by themselves where they are put.
_BY_ITSELF = word_set("soak dry drain drip rest air")
#: Verbs of closing with "to".
DRAWING = word_set("pull push draw swing shove")
#: Ways to be open.
_OPEN = word_set("open ajar")
_A_BIT = word_set("a crack bit little slightly halfway wide touch tad fraction inch")


@cache
def states() -> frozenset[str]:
    """Return the single words for states of things."""
    lists = word_lists("adjectives").items()
    return frozenset(word for said, more in lists for word in (said, *more) if " " not in word)


@cache
def deeds() -> frozenset[str]:
    """Return the nouns for the deeds of skills: "a rinse"."""
    return frozenset(noun for verb, nouns in word_lists("verb_nouns").items() for noun in (verb, *nouns))


def skipped(sentence: Sentence, at: int) -> int:
    """Return the position after the directions from *at* on that say no more than the place after them."""
    end = at
    while sentence.word(end) in DIRECTIONS or (
        sentence.word(end) in ("on", "in") and sentence.word(end + 1) in BEFORE_PATHS | DIRECTIONS
    ):
        end += 1
    source = sentence.word(end - 1)
    if (
        end > at
        and source in ("off", "out")
        and (sentence.word(end) == "of" or sentence.has(end, "det", "pron"))
    ):
        return end - 1
    return end


def part_end(sentence: Sentence, at: int) -> tuple[int, bool] | None:
    """Return the end of "the arm of", and whether it is a part inside; None if no part is named."""
    begin = at
    at += sentence.word(at) in ("the", "a", "one", "either")
    inside = sentence.word(at) in _RANKS
    at = _part_at(sentence, at)
    word, of = sentence.word(at), sentence.word(at + 1)
    if at > begin and word in OF_PARTS and of == "of":
        return at + 2, False
    return (at + 2, True) if inside and word in _SHELVES and of in ("of", "in", "inside") else None


def owned_part_end(sentence: Sentence, at: int) -> tuple[int, bool] | None:
    """Return the end of "left side" in "the sofa's left side", and whether it is a part inside, or None."""
    inside = sentence.word(at) in _RANKS
    at = _part_at(sentence, at)
    word = sentence.word(at)
    if (word in OF_PARTS and word not in ("left", "right")) or (inside and word in _SHELVES):
        return at + 1, word in _SHELVES
    return None


def _part_at(sentence: Sentence, at: int) -> int:
    """Return the position of the part behind what says which it is: "the *far left* corner"."""
    while sentence.word(at + 1) not in ("of", "in", "inside", ""):
        word, following = sentence.word(at), sentence.word(at + 1)
        told = word in _WHICH and (following in OF_PARTS or following in _SHELVES or following in _WHICH)
        if not told and not (
            sentence.has(at, "adj") and word not in OF_PARTS and sentence.has(at + 1, "noun")
        ):
            break
        at += 1
    return at


def purpose_end(sentence: Sentence, at: int) -> int | None:
    """Return the end of what a thing does by itself where it is put: "to soak"."""
    return at + 2 if sentence.word(at) == "to" and sentence.word(at + 1) in _BY_ITSELF else None


def opening_end(sentence: Sentence, at: int) -> int | None:
    """Return the end of how far something is open: "open *a crack*"."""
    end = at
    while sentence.word(end) in _A_BIT:
        end += 1
    return end if end > at and sentence.word(at - 1) in _OPEN else None


def positions(sentence: Sentence, *words: str) -> Iterator[int]:
    """Yield the positions of some words after the first."""
    return (at for at in range(1, len(sentence.words)) if sentence.words[at] in words)
