"""Referents: which things the noun phrases of an instruction stand for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from foretree.errors import suggest
from foretree.reasoning.offline._grammar import Slot
from foretree.reasoning.offline._instruction_errors import (
    AmbiguousError,
    NoSuchThingError,
    NotPossibleError,
    NotUnderstoodError,
)
from foretree.reasoning.offline._noun_phrases import LocationPhrase, NounPhrase
from foretree.reasoning.offline._wording import (
    conjoined,
    describe_misfit,
    describe_placement,
    either,
    with_article,
)
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import Truth
from foretree.world_model.beliefs.vocabulary import WHEREABOUTS

Quantifier: TypeAlias = Literal["exists", "forall", "count"]


@dataclass(frozen=True, slots=True)
class Referent:
    """What a noun phrase stands for: an entity, or a variable over some.

    Attributes:
        term: the entity's name, or the variable.
        type: its class, or the type of a variable.
        quantifier: what binds the variable; None for an entity.
        number: how many, for *count*.
        among: the only entities that are meant, where the words picked them by how or where they are now.
        states: what must be so of it in the end, because the words say so.
        fitting: the entities of which *states* holds now, as far as anybody knows.
        all_known: whether those are all that there are.
        says: the words that name it in a sentence.
        beside: whether it was named only to say where another one is: the fridge of "the milk in the fridge".
    """

    term: str
    type: str
    quantifier: Quantifier | None = None
    number: int = 1
    among: tuple[str, ...] = ()
    states: tuple[tuple[str, bool], ...] = ()
    fitting: tuple[str, ...] = ()
    all_known: bool = True
    says: str = ""
    beside: bool = False

    @property
    def several(self) -> bool:
        """Whether it stands for more than one thing."""
        return self.quantifier in ("forall", "count")


#: The things that one noun phrase stands for.
Group: TypeAlias = tuple[Referent, ...]
#: The groups spoken of so far, latest last; what was named beside one comes before it, each for itself.
Discourse: TypeAlias = tuple[Group, ...]


class ReferentResolver:
    """Finds what noun phrases stand for, in one situation."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._beliefs = situation.beliefs
        self._domain = situation.domain
        self._ontology = situation.ontology
        self._classes = {name: e.best_class for name, e in sorted(self._beliefs.entities().items())}
        self._map_types = frozenset(
            self._ontology.type_of(entity.best_class)
            for entity in self._beliefs.entities().values()
            if entity.fixed
        ) - frozenset(situation.discovered)

    def resolve(
        self, phrase: NounPhrase, slot: Slot, discourse: Discourse, fresh: Callable[[], str]
    ) -> tuple[Group, tuple[str, ...]]:
        """What *phrase* stands for in a slot, and the classes that must be found first.

        Args:
            fresh: makes a variable that nothing uses.

        Raises:
            InstructionError: there is no such thing, there are several, or it cannot be what the slot needs.
        """
        group: list[Referent] = []
        wanted: list[str] = []
        parts = _counted((phrase, *phrase.also))
        self._one_place_each(parts, discourse)
        for part in parts:
            found, missing = self._one(part, slot, discourse, fresh)
            group.extend(found)
            wanted.extend(missing)
        return tuple(dict.fromkeys(group)), tuple(wanted)

    def _one(
        self, phrase: NounPhrase, slot: Slot, discourse: Discourse, fresh: Callable[[], str]
    ) -> tuple[Group, tuple[str, ...]]:
        if phrase.picks in ("it", "them"):
            return self._spoken_of(phrase, slot, discourse), ()
        if phrase.picks == "speaker":
            return (self._entity(self._speaker(), phrase, slot),), ()
        if phrase.picks == "name":
            assert phrase.name is not None
            return (self._entity(phrase.name, phrase, slot),), ()
        return self._described(phrase, slot, discourse, fresh)

    # -- by what was said before -------------------------------------------------------------------
    def _spoken_of(self, phrase: NounPhrase, slot: Slot, discourse: Discourse) -> Group:
        several = phrase.picks == "them"
        spoken = [group for group in reversed(discourse) if not group[0].beside]
        fitting = [group for group in spoken if all(not self._misfits(r, slot) for r in group)]
        if phrase.where is not None:
            fitting = [group for group in fitting if self._are_there(group, phrase.where, discourse)]
        for group in fitting:
            if (len(group) > 1 or group[0].several) == several:
                return group
        if fitting:
            return fitting[0]
        if phrase.where is None and spoken:
            # "Take the milk out of the fridge and close it": that can only be the fridge.
            beside = {g[0].term: g for g in discourse if g[0].beside and not self._misfits(g[0], slot)}
            if len(beside) == 1 and not several:
                return (replace(*beside.popitem()[1], beside=False),)
            alike = (group for group in spoken if (len(group) > 1 or group[0].several) == several)
            group = next(alike, spoken[0])
            misfits = next(misfits for r in group if (misfits := self._misfits(r, slot)))
            called = f"{phrase.text} ({conjoined(dict.fromkeys(r.says for r in group))})"
            raise _not_possible(called, misfits, slot)
        raise NotUnderstoodError(f'Nothing was said before that "{phrase.text}" could stand for here.')

    def beside(self, phrase: NounPhrase, group: Group, discourse: Discourse) -> Discourse:
        """What *phrase* names only to say where the *group* is that it stands for.

        That is left out where it could be several things.
        """
        found: list[Group] = []
        for part in (phrase, *phrase.also):
            if part.where is None or part.where.place is None:
                continue
            names = self._candidates(part.where.place, discourse)
            if len(names) > 1:
                things = {name for referent in group for name in (referent.term, *referent.fitting)}
                around = {place for name in things for place in self.around(name)}
                names = tuple(name for name in names if name in around)
            if len(names) == 1 and names[0] in self._classes:
                found.append((Referent(names[0], self._classes[names[0]], says=names[0], beside=True),))
        return tuple(found)

    def _are_there(self, group: Group, where: LocationPhrase, discourse: Discourse) -> bool:
        """Whether all of a group are known to be there: only then anybody would say "it on the plate"."""
        names = tuple(referent.term for referent in group)
        return all(r.quantifier is None for r in group) and self._where(names, where, discourse) == names

    def _just_introduced(self, phrase: NounPhrase, discourse: Discourse) -> Group:
        """Whom "the mug" stands for after "a mug"."""
        if phrase.picks != "the" or phrase.class_name is None or phrase.where is not None or phrase.states:
            return ()
        for group in reversed(discourse):
            if len(group) == 1 and group[0].quantifier == "exists" and group[0].type == phrase.class_name:
                return group
        return ()

    def _speaker(self) -> str:
        if self._situation.speaker is not None:
            return self._situation.speaker
        people = self._of_class("person")
        if len(people) == 1:
            return people[0]
        if not people:
            raise NoSuchThingError('Nobody is known to be there, so "me" stands for nobody.')
        raise AmbiguousError(
            f'"me" could be {either(people)}: say which, for example "{people[0]}" instead of "me".'
        )

    # -- by description ----------------------------------------------------------------------------
    def _described(
        self, phrase: NounPhrase, slot: Slot, discourse: Discourse, fresh: Callable[[], str]
    ) -> tuple[Group, tuple[str, ...]]:
        if phrase.text.startswith("another ") and any(
            r.type == phrase.class_name and not r.beside for g in discourse for r in g
        ):
            raise NotUnderstoodError(
                f'Which one "{phrase.text}" is, is not understood yet: call it by its name.'
            )
        if phrase.others and phrase.picks == "all":
            return self._each_class(phrase, slot, discourse, fresh)
        spoken_of = self._just_introduced(phrase, discourse)
        if spoken_of and not self._misfits(spoken_of[0], slot):
            return spoken_of, ()
        class_name = phrase.class_name or slot.type
        known = self._of_classes(class_name, *phrase.others)
        able_only = phrase.class_name is None and phrase.picks == "all" and bool(slot.must_afford)
        if able_only:
            # "Open everything": what can be opened.
            known = tuple(n for n in known if not self._misfits(Referent(n, self._classes[n]), slot))
        needed = phrase.number if phrase.picks == "some" else 1
        if len(known) < needed and self._ontology.type_of(class_name) in self._map_types:
            raise NoSuchThingError(self._not_on_the_map(phrase, class_name, len(known)))
        # "The mug on the table" is asked about itself if there are several.
        asks = phrase.picks != "the"
        there = known if phrase.where is None else self._where(known, phrase.where, discourse, one_place=asks)
        fitting = tuple(name for name in there if self._has_states(name, phrase.states))
        # Of "all dirty mugs" there may be more than were seen: what becomes of them says whether it matters.
        more = bool(self._situation.discovered) and phrase.picks == "all" and phrase.where is None
        picked = ("the",) if more else ("the", "all")
        limited = (
            phrase.where is not None
            or (bool(phrase.others or able_only) and bool(known))
            or (bool(phrase.states) and phrase.picks in picked)
        )
        if limited and not known and self._situation.discovered:
            raise NoSuchThingError(self._not_seen_yet(phrase, class_name))
        if known and limited and len(fitting) < needed:
            raise NoSuchThingError(self._none_like_that(phrase, known, len(fitting)))
        if phrase.exact and len(fitting) > phrase.number:
            raise AmbiguousError(self._which(phrase, fitting, len(fitting) > phrase.number > 1))
        if phrase.picks == "the" and known:
            able = [n for n in fitting if not self._misfits(Referent(n, self._classes[n]), slot)]
            if len(able) > 1:
                raise AmbiguousError(self._which(phrase, tuple(able)))
            return (self._entity((able or fitting)[0], phrase, slot),), ()
        wanted = (class_name,) if len(known) < needed else ()
        referent = Referent(
            fresh(),
            class_name,
            {"all": "forall", "some": "count"}.get(phrase.picks, "exists"),  # type: ignore[arg-type]
            phrase.number,
            fitting if limited else (),
            () if limited else phrase.states,
            fitting,
            not more,
            self._says(phrase, class_name),
        )
        self._check(referent, phrase, slot)
        return (referent,), wanted

    def _one_place_each(self, phrases: list[NounPhrase], discourse: Discourse) -> None:
        """Raise if what several words narrow down by one place is in several: "all dishes on the table"."""
        for where in dict.fromkeys(phrase.where for phrase in phrases):
            if where is None or where.place is None:
                continue
            alike = [phrase for phrase in phrases if phrase.where == where]
            if len(alike) > 1 or (alike[0].others and alike[0].picks == "all"):
                classes = (
                    kind for phrase in alike for kind in (phrase.class_name or "object", *phrase.others)
                )
                self._where(self._of_classes(*classes), where, discourse, one_place=True)

    def _each_class(
        self, phrase: NounPhrase, slot: Slot, discourse: Discourse, fresh: Callable[[], str]
    ) -> tuple[Group, tuple[str, ...]]:
        """What a word for several classes stands for when all are meant: all of each."""
        assert phrase.class_name is not None
        classes = (phrase.class_name, *phrase.others)
        seen = [name for name in classes if self._of_class(name)]
        group: list[Referent] = []
        wanted: list[str] = []
        for class_name in classes if self._situation.discovered or not seen else seen:
            one = replace(phrase, class_name=class_name, others=())
            try:
                found, missing = self._described(one, slot, discourse, fresh)
            except NoSuchThingError:
                continue
            group.extend(found)
            wanted.extend(missing)
        if not group:
            raise NoSuchThingError(self._none_like_that(phrase, self._of_classes(*classes), 0))
        # Of what was seen there may be more; of what was not, any kind is as good as another to look for.
        return tuple(group), tuple(wanted[:1] if not seen else ())

    def _of_classes(self, *class_names: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for kind in class_names for name in self._of_class(kind)))

    def _of_class(self, class_name: str) -> tuple[str, ...]:
        return tuple(name for name, kind in self._classes.items() if self._domain.is_a(kind, class_name))

    def _where(
        self, names: tuple[str, ...], where: LocationPhrase, discourse: Discourse, one_place: bool = False
    ) -> tuple[str, ...]:
        """Those of *names* that are there: what is there itself, else what rests on something that is.

        The bread on the chopping board on the table is "the bread on the table", unless other bread lies on
        the table itself.

        Args:
            one_place: "the table" is to be one: several tables with such things on them are too many.

        Raises:
            AmbiguousError: there are.
        """
        if where.room is not None:
            return tuple(name for name in names if where.room == self._room_of(name))
        assert where.place is not None
        places = self._candidates(where.place, discourse)

        def rests(name: str, at: Collection[str]) -> bool:
            placement = self._beliefs.placement(WHEREABOUTS, name)
            return placement is not None and placement[0] in where.relations and placement[2] in at

        def there(*at: str) -> tuple[str, ...]:
            direct = tuple(name for name in names if rests(name, at))
            return direct or tuple(
                name for name in names if any(rests(below, at) for below in self._supports(name))
            )

        if one_place and where.place.picks == "the":
            some = tuple(place for place in places if there(place))
            if len(some) > 1:
                raise AmbiguousError(self._which(where.place, some, every=True))
        return there(*places)

    def _room_of(self, name: str) -> str | None:
        """The room of a thing: that of what it rests on, in the end."""
        rooms = self._situation.rooms
        return next((rooms[spot] for spot in (name, *self._supports(name)) if spot in rooms), None)

    def around(self, name: str) -> tuple[str, ...]:
        """What a thing is on, in or under, and its room, as far as anybody knows."""
        room = self._room_of(name)
        return (*self._supports(name), *(() if room is None else (room,)))

    def _supports(self, name: str) -> Iterator[str]:
        """What a thing rests on, what that rests on, and so on."""
        passed = {name}
        while True:
            placement = self._beliefs.placement(WHEREABOUTS, name)
            if placement is None or len(placement) < 3 or placement[2] in passed:
                return
            name = placement[2]
            passed.add(name)
            yield name

    def _candidates(self, phrase: NounPhrase, discourse: Discourse) -> tuple[str, ...]:
        """The entities that a phrase may mean when it only narrows down another one."""
        if phrase.picks == "name":
            return (phrase.name or "",)
        if phrase.picks in ("it", "them"):
            return tuple(r.term for group in discourse[-1:] for r in group)
        for group in reversed(discourse):
            # After "go to table1", "the table" is that.
            plain = phrase.picks == "the" and phrase.where is None and not phrase.states
            if (
                plain
                and not group[0].beside
                and len(group) == 1
                and group[0].quantifier is None
                and group[0].type == phrase.class_name
            ):
                return (group[0].term,)
        names = self._of_classes(phrase.class_name or "object", *phrase.others)
        if phrase.where is not None:
            names = self._where(names, phrase.where, discourse)
        return tuple(n for n in names if self._has_states(n, phrase.states))

    def _has_states(self, name: str, states: Iterable[tuple[str, bool]]) -> bool:
        """Whether states hold; what is unknown is taken as planning takes it."""
        for predicate, positive in states:
            truth = self._beliefs.truth((predicate, name))
            if truth is Truth.UNKNOWN:
                holds = bool(self._beliefs.vocabulary[predicate].default)
            else:
                holds = truth is Truth.TRUE
            if holds is not positive:
                return False
        return True

    # -- what a slot needs -------------------------------------------------------------------------
    def _entity(self, name: str, phrase: NounPhrase, slot: Slot) -> Referent:
        referent = Referent(name, self._classes[name], says=name)
        self._check(referent, phrase, slot)
        return referent

    def _check(self, referent: Referent, phrase: NounPhrase, slot: Slot) -> None:
        misfits = self._misfits(referent, slot)
        if not misfits:
            return
        called = phrase.text
        if referent.quantifier is None and referent.term not in phrase.text.split():
            called = f"{phrase.text} ({referent.term})"
        raise _not_possible(called, misfits, slot)

    def fitting(self, slot: Slot) -> tuple[str, ...]:
        """The known things that may take the place of a slot."""
        return tuple(n for n, kind in self._classes.items() if not self._misfits(Referent(n, kind), slot))

    def _misfits(self, referent: Referent, slot: Slot) -> tuple[str, ...]:
        """What the slot needs and the referent is not."""
        if not self._domain.is_a(referent.type, slot.type):
            # A type as general as "item" may still hold what is needed.
            general = referent.quantifier is not None and self._domain.is_a(slot.type, referent.type)
            return () if general else (slot.type,)
        return tuple(need for need in slot.must_afford if not self._affords(referent, need))

    def _affords(self, referent: Referent, predicate: str) -> bool:
        if referent.quantifier is None:
            return self._beliefs.truth((predicate, referent.term)) is Truth.TRUE
        if referent.type not in self._ontology:
            return True
        return self._ontology.affords(referent.type, predicate)

    # -- what to say -------------------------------------------------------------------------------
    def _says(self, phrase: NounPhrase, class_name: str) -> str:
        if phrase.picks == "the":
            noun = class_name.replace("_", " ")
            return f"the {noun} (still to be found)"
        return phrase.text

    def place_of(self, name: str) -> str:
        """Where a thing is, in a few words."""
        placement = self._beliefs.placement(WHEREABOUTS, name)
        room = self._situation.rooms.get(name)
        if room is not None:
            return f"in {room}" if room[-1].isdigit() else f"in the {room.replace('_', ' ')}"
        if placement is None:
            return "nobody knows where"
        return describe_placement(placement)

    def _listed(self, names: Iterable[str]) -> str:
        entities = self._beliefs.entities()
        said = []
        for name in names:
            unplaced = entities[name].fixed and name not in self._situation.rooms
            said.append(name if unplaced else f"{name} ({self.place_of(name)})")
        return conjoined(said)

    def _which(self, phrase: NounPhrase, names: tuple[str, ...], every: bool = False) -> str:
        noun = (phrase.class_name or "thing").replace("_", " ")
        if phrase.others:
            noun = phrase.noun
        places = [self.place_of(name) for name in names]
        telling = [
            f"the {self._classes[name].replace('_', ' ')} {place}"
            for name, place in zip(names, places, strict=True)
            if places.count(place) == 1
        ]
        hints = (*telling[:1], names[0])
        said = " or ".join(f'"{hint}"' for hint in hints)
        otherwise = f'"every {noun}" if all are meant' if every else f'"{with_article(noun)}" if any will do'
        several = f"any of {len(names)}: {self._listed(names)}"
        return f'"{phrase.text}" could be {several}. Say {said}, or {otherwise}.'

    def _not_on_the_map(self, phrase: NounPhrase, class_name: str, known: int) -> str:
        kind = self._ontology.type_of(class_name)
        there = self._of_class(kind)
        what = class_name.replace("_", " ")
        count = f"no {what}" if not known else f"only {known} {what}"
        return f'"{phrase.text}": there is {count} here. {suggest(class_name, there, limit=20)}'

    def _not_seen_yet(self, phrase: NounPhrase, class_name: str) -> str:
        noun = class_name.replace("_", " ")
        one = with_article(noun)
        instead = f'"every {noun}" if all are meant' if phrase.picks == "all" else f'"{one}" if any will do'
        return f'I have not seen {one} yet, so I cannot tell what is "{phrase.text}". Say {instead}.'

    def _none_like_that(self, phrase: NounPhrase, known: tuple[str, ...], found: int) -> str:
        what = "nothing" if not found else f"only {found}"
        be = "are" if found > 1 else "is"
        return f'I know of {what} that {be} "{phrase.text}". There is {self._listed(known)}.'


def _not_possible(called: str, misfits: tuple[str, ...], slot: Slot) -> NotPossibleError:
    """That what is *called* so cannot take the place of a slot."""
    if misfits == (slot.type,):
        return NotPossibleError(f"{called} will not do", misfits=3)
    return NotPossibleError(f"{called} {conjoined(map(describe_misfit, misfits))}", misfits=len(misfits))


def _counted(phrases: tuple[NounPhrase, ...]) -> list[NounPhrase]:
    """*phrases*, where a mug and another mug are two mugs."""
    counted: dict[object, NounPhrase] = {}
    for phrase in phrases:
        key = (phrase.class_name, phrase.states, phrase.where) if phrase.picks == "a" else len(counted)
        same = counted.get(key)
        if same is not None:
            text = f"{same.text} and {phrase.text}"
            phrase = replace(same, picks="some", number=max(same.number, 1) + 1, text=text)
        counted[key] = replace(phrase, also=())
    return list(counted.values())
