"""Descriptions of things read by their words: "what you need to eat soup", "that keeps the rain off".

Every word of a description that tells something must be known of a class for its things to be meant: of what
they are like, or of one thing that is done with them. Order, tense and wording do not count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from foretree.reasoning.offline.knowledge.heads import HEADS
from foretree.reasoning.offline.knowledge.things_file import (
    PLACES,
    ROLES,
    KnownThing,
    ThingTable,
    load_things,
)
from foretree.reasoning.offline.lexicon import word_set

#: Words that deny or compare: a description with one of them is not read.
_DENYING = word_set(
    """
    not no never nobody nothing none neither nor without unless hardly cannot except instead than whether
    don't doesn't isn't aren't can't won't more less most least same how why who's
    """
)
#: Words that tell nothing of a thing: people, auxiliaries, degrees, politeness.
_LIGHT = word_set(
    """
    a an the this that these those which who whom what whatever my your his her its our their one's some any
    all each every another
    is are be been being was were am do does did done can could may might must shall should will would has
    have had having
    to and or by as so too also very quite really just only even always often usually normally typically
    generally commonly mostly sometimes frequently ever especially particularly specially rather pretty
    used use uses using utilise utilize useful need needs needed require required requires want wants wanted
    like likes liked love loves loved loving fond adore prefer enjoy enjoys supposed said say says known know
    knows famous rumoured believed tend tends typical associated associate allegedly reputed reputedly
    meant made good suitable intended designed fit handy right built proper best ideal perfect great
    able let lets help helps allow allows enable enables
    thing things stuff something anything else item object kind sort type way
    if when whenever where while because there here then such own perhaps maybe please
    """
)
_PEOPLE = word_set(
    """
    i you he she it we they me him us them one ones someone somebody anyone anybody everyone everybody people
    person persons folks man woman human humans guest guests wife husband mother father mum mom dad parent
    parents grandma grandpa grandmother grandfather friend friends visitor visitors
    """
)
#: Words that tell something only beside others: they choose among what these mean.
_SOFT = word_set(
    """
    find finds found finding
    keep keeps kept keeping make makes making give gives giving get gets getting got put puts putting take
    takes taking go goes going come comes coming hold holds holding contain contains containing stay stays
    staying myself yourself oneself themselves himself herself ourselves itself
    full rich lot lots plenty bit little piece pieces small big large
    morning evening night day days daily today everyday week weekend year winter summer autumn spring
    noon afternoon home house outside outdoors indoors inside room kitchen bathroom bedroom street
    breakfast lunch dinner supper party child children kid kids baby family main favourite
    before after during once twice quickly easily quick easy long first main
    """
)
_PREPOSITIONS = word_set(
    """
    with of from out in on at under into onto inside off through for up down over around round against about
    away behind
    """
)
_PLACING = word_set("in on at under near behind beside by next inside into onto between above below")
_DETERMINERS = word_set("the my our your his her their this that these those a an")
_REQUESTING = word_set("put take get give bring keep make hold go then hand wash place let leave set turn")
#: Verbs of what people and animals do, after whom is named: "that monkeys like".
_DOING = word_set(
    "like love eat enjoy give make lay adore are want need drink use have play read wear can usually often"
)
#: With these, no description goes on: another request, or its verb, does.
_GOING_ON = word_set(
    """
    and or but if where why how should must can could may might will would shall is are was were has have had
    goes belongs needs ought
    only just even except once when whenever after before until till while since because unless twice again
    instead
    """
)
_MODAL = word_set("can could may might must should shall will would")
_JOINING = word_set("and or")
_AFTER_REQUEST = word_set(", . ; and then please")
_LIKING = word_set("like likes liked love loves adore fond enjoy enjoys prefer crazy")
STATES = word_set(
    "open closed shut dirty clean hot cold warm full empty on off filled sliced folded wet broken"
)
#: What introduces a use that needs a tool: "what you *need* to eat soup", "*used* for cutting".
_NEEDING = word_set("use uses used using need needs needed require requires required take takes")
_MADE_FOR = word_set("meant made good suitable intended designed fit handy useful used right built")
_THAT = word_set("that which who what")
_RELATIVE = word_set("that which you people i we")
_ROOMS = word_set(
    "room flat house home apartment place kitchen bathroom bedroom hall hallway study office lounge"
)
_VERBLESS = word_set("for with from of like about")
#: Stands for the adjective in "the clean clothes"; to clean them is something else.
_UNSOILED = "unsoiled"
_LONGEST = 14


@dataclass(frozen=True)
class Meant:
    """Meaning of a description.

    Attributes:
        classes: the classes, the most typical first.
        others: classes that will do besides.
        of_use: whether it says what they are for: of those, any one will do.
    """

    classes: tuple[str, ...]
    others: tuple[str, ...] = ()
    of_use: bool = False


@dataclass(frozen=True)
class _Clause:
    """Evidence in the words of a description.

    Attributes:
        words: what tells something, as lemmas.
        soft: what tells something only beside that.
        orders: the roles to look among, one set after the other.
        place: the preposition said of being at the thing, if one is.
        verbless: whether no verb is said: "for my cereal".
        traits_only: whether only the thing itself is spoken of: "with prongs".
    """

    words: frozenset[str]
    soft: frozenset[str]
    orders: tuple[tuple[str, ...], ...]
    place: str = ""
    verbless: bool = False
    traits_only: bool = False


class DescriptionReader:
    """Reads descriptions by what is commonly known of things.

    Args:
        named: the names of the furniture in the scene, and of its classes.
    """

    def __init__(self, named: Collection[str] = ()) -> None:
        self._table: ThingTable = load_things()
        names = tuple(named)
        self._places = frozenset(tuple(name.split()) for name in names)
        self._named = frozenset(self._table.meaning(name) for name in names)

    def describes(self, words: Sequence[str]) -> bool:
        """Return whether each of some words before a noun may describe it."""
        return not any(_tells_nothing(word) or word in STATES for word in words) and all(
            word in _SOFT or self._table.meaning(word) in self._table.by_word for word in words
        )

    def ends(self, tokens: Sequence[str], start: int, stop: int) -> Iterator[int]:
        """Yield where a description that begins at *start* may end, the longest first."""
        for end in range(self._stop(tokens, start, min(stop, start + _LONGEST)), start, -1):
            last = tokens[end - 1]
            if last in _PREPOSITIONS:
                if not _is_stranded(tokens, end):
                    continue
            elif last in _LIGHT and last not in _LIKING:
                continue
            yield end

    def _stop(self, tokens: Sequence[str], start: int, stop: int) -> int:
        """Position of a place in the scene, or another request, after the words from *start* on."""
        for at in range(start + 1, stop - 1):
            if tokens[at] == "where" or (tokens[at] == "and" and tokens[at + 1] in _REQUESTING):
                return at
            if _tells_for_whom(tokens, at):
                return at  # "get the thing one washes up with for me"
            if tokens[at] in _JOINING and (tokens[at + 1] in HEADS or tokens[at + 1] in ("a", "an")):
                return at  # "something to read and something to drink"
            is_state = tokens[at + 1] in ("is", "are") and {*tokens[at + 2 : at + 3]} & STATES
            if tokens[at] in _THAT and is_state:
                return at  # "something to drink that is cold"
            noun = at + 2 if tokens[at + 1] in _DETERMINERS else at + 1
            if tokens[at] in _PLACING and any(
                tuple(tokens[noun : noun + length]) in self._places for length in (1, 2, 3)
            ):
                return at
        return stop

    def after_place(self, tokens: Sequence[str], at: int) -> int | None:
        """Position of a relative clause behind a place that begins at *at*; None if there is none."""
        start = at + 1 if tokens[at : at + 1] != ["next"] else at + 2
        if at >= len(tokens) or tokens[at] not in (*_PLACING, "next"):
            return None
        noun = start + (start < len(tokens) and tokens[start] in _DETERMINERS)
        for length in (3, 2, 1):
            end = noun + length
            words = tuple(tokens[noun:end])
            is_place = words in self._places or (length == 1 and {*words} <= _ROOMS)
            if end < len(tokens) and is_place and tokens[end] in _RELATIVE:
                return end
        return None

    def meant(
        self,
        before: Sequence[str],
        after: Sequence[str],
        of: Collection[str] | None = None,
        roles: Collection[str] = ROLES,
    ) -> Meant | None:
        """Return what is meant by the words before and after a noun; None if that is not known.

        Args:
            before: the words before the noun: "bent yellow".
            after: the words after it: "that you drink from".
            of: the classes that the noun names; any if None.
            roles: what the noun says of its things: a tool is something that things are done with.
        """
        clause = self._clause(after)
        if clause is None:
            return None
        told = [self._table.meaning(word) for word in before]
        said = clause.words.union(
            word for word, plain in zip(told, before, strict=False) if plain not in _SOFT
        )
        soft = clause.soft.union(word for word, plain in zip(told, before, strict=False) if plain in _SOFT)
        if not said:
            return None
        names = [name for name in self._known_of(said) if of is None or name in of]
        for order in clause.orders:
            allowed = [role for role in order if role in roles]
            if order and not allowed:
                continue
            found = [
                (found[0] + len(soft & found[1]), found[2], name)
                for name in names
                if (found := self._fits(self._table.things[name], said, soft, allowed, clause)) is not None
            ]
            if found:
                most = max(score for score, _, _ in found)
                kept = [(second, name) for score, second, name in found if score == most]
                first = tuple(name for second, name in kept if not second)
                rest = tuple(name for second, name in kept if second)
                return Meant(first or rest, rest if first else (), bool(order) and not clause.traits_only)
        return None

    def _known_of(self, words: Collection[str]) -> list[str]:
        """The classes of which all of the words may be said, in order."""
        sets = [self._table.by_word.get(word, frozenset()) for word in words]
        common = frozenset.intersection(*sets) if sets else frozenset()
        return [name for name in self._table.things if name in common]

    def _fits(
        self,
        thing: KnownThing,
        said: frozenset[str],
        soft: frozenset[str],
        roles: Collection[str],
        clause: _Clause,
    ) -> tuple[int, frozenset[str], bool] | None:
        """Score of a class: a bonus, the words known of it, and whether others are meant first."""
        rest = said - thing.traits
        best: tuple[int, frozenset[str], bool] | None = None
        if not rest and (not roles or clause.traits_only or clause.verbless):
            best = (0, thing.traits, False)
        for use in thing.uses:
            if clause.traits_only or use.role not in roles:
                continue
            if use.role == "at" and use.places and clause.place and clause.place not in use.places:
                continue
            known = use.verbs | use.words
            if not rest <= known or not (clause.verbless or (said | soft) & use.verbs):
                continue
            fit = (0, known | thing.traits, use.second)
            if best is None or (not use.second, len(soft & known)) > (not best[2], len(soft & best[1])):
                best = fit
        return best

    def _clause(self, words: Sequence[str]) -> _Clause | None:
        """Evidence in the words after a noun; None if they cannot be read."""
        if not words:
            return _Clause(frozenset(), frozenset(), ((), ("with", "at"), ("done",)), verbless=True)
        plain = [word.partition("'")[0] or word for word in words]
        plain = [_UNSOILED if _is_state(plain, at) else word for at, word in enumerate(plain)]
        if _DENYING & {*words} or words[0] in _PLACING or words[0] in _GOING_ON:
            return None
        if _wishes_state(words):
            return None
        if words[0] == "to" and words[1:2] and words[1] in _DETERMINERS:
            return None  # "the one to the study"
        if words[0] == "for" and words[1:2] and words[1] in ("me", "us") and words[2:3] != ["to"]:
            return None  # "get the remote for me and change the channel"
        told = [word for word in plain if not _tells_nothing(word)]
        hard = [word for word in told if word not in _SOFT]
        if not hard or all(word in STATES for word in hard):
            return None
        meaning = self._table.meaning
        said = frozenset(map(meaning, hard))
        soft = frozenset(meaning(word) for word in told if word in _SOFT)
        if _LIKING & {*plain}:
            soft |= {meaning("eat")}
        verbless = _is_verbless(plain)
        if verbless and words[0] != "for" and said & self._named:
            return None
        preposition = _preposition(plain)
        place = preposition if preposition in PLACES else ""
        has = words[0] == "with" and not preposition
        orders = _orders(plain, preposition, verbless)
        if words[0] in ("to", "for") and len(said) > 1 and orders[0] == ("done",):
            # What is cut is not what cuts vegetables.
            orders = (("with",), ("done",), (), ("at",))
        return _Clause(said, soft, orders, place, verbless, has or _is_adjective(plain))


def _tells_for_whom(tokens: Sequence[str], at: int) -> bool:
    """Return whether the words from *at* on say who is to have what a request is about."""
    said = tokens[at] in ("for", "to") and tokens[at + 1] in ("me", "us")
    return said and (at + 2 == len(tokens) or tokens[at + 2] in _AFTER_REQUEST)


def _is_state(words: Sequence[str], at: int) -> bool:
    """Return whether "clean" says how a thing is: "where the clean clothes go"."""
    return words[at] in ("clean", "washed") and (not at or words[at - 1] in _DETERMINERS)


def _wishes_state(words: Sequence[str]) -> bool:
    """Return whether words say how something shall be: "the towel *I washed be dry*"."""
    at = words.index("be") if "be" in words else 0
    before = [*words[max(0, at - 2) : at]]
    return bool(at) and before[-1:] != ["to"] and not (before[0] in _THAT and before[-1] in _MODAL)


def _tells_nothing(word: str) -> bool:
    return word in _LIGHT or word in _PEOPLE or word in _PREPOSITIONS


def _preposition(words: Sequence[str]) -> str:
    """The preposition that has the described thing for an object, if there is one."""
    fronted = len(words) > 1 and words[1] in ("which", "what", "whom")
    found = words[-1] if words[-1] in _PREPOSITIONS else words[0] if fronted else ""
    return "from" if found == "of" else found


def _orders(words: Sequence[str], preposition: str, verbless: bool) -> tuple[tuple[str, ...], ...]:
    """The roles that things may have in a clause, one set after the other."""
    if preposition in ("with", "for"):
        return ("with",), (), ("done",)
    if preposition in PLACES:
        return ("at",), (), ("done",), ("with",)
    if verbless:
        return (("at", "with"), (), ("done",)) if "for" in words else ((), ("done",))
    if any(word in _NEEDING for word in words) or (words[0] in _MADE_FOR):
        return ("with",), ("at",), (), ("done",)
    second = words[1] if len(words) > 1 and words[0] in _THAT else ""
    if second.endswith("s") and (len(words) == 2 or words[2] not in _DOING):
        return ("with",), (), ("at",), ("done",)
    return ("done",), (), ("with",), ("at",)


def _is_verbless(words: Sequence[str]) -> bool:
    """Return whether a description has no verb: "for my cereal", "from a cow"."""
    at = words.index("for") if "for" in words[1:3] and words[0] not in ("to", *_THAT) else 0
    if words[at] not in _VERBLESS or (len(words) > 1 and words[1] in _THAT):
        return False
    rest = [word for word in words[at + 1 :] if not _tells_nothing(word)]
    return not (words[at] == "for" and bool(rest) and rest[0].endswith("ing"))


def _is_adjective(words: Sequence[str]) -> bool:
    """Return whether a description is only an adjective or two: "something soft"."""
    return len(words) <= 2 and not _tells_nothing(words[0])


def _is_stranded(tokens: Sequence[str], end: int) -> bool:
    """Return whether nothing follows the preposition before *end* that it could belong to."""
    if tokens[end - 2] in _PREPOSITIONS and tokens[end - 2] not in ("out", "up", "down", "away"):
        return False
    if end == len(tokens):
        return True
    after = tokens[end]
    return after in _PREPOSITIONS or after in _FOLLOWING


_FOLLOWING = word_set(
    """
    , . ; and then but please is are should shall must goes go belongs belong has needs can could may might
    will would to here there next
    """
)
