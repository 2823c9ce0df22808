"""Referents: the things that the noun phrases of an instruction stand for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    NoSuchThingError,
    NotPossibleError,
    NotUnderstoodError,
)
from foretree.reasoning.offline.grammar.patterns import Slot
from foretree.reasoning.offline.phrases.known_things import (
    KnownThings,
    conjoined,
    describe_misfit,
    either,
)
from foretree.reasoning.offline.phrases.noun_phrases import LocationPhrase, NounPhrase
from foretree.reasoning.offline.phrases.unexplored_homes import UnexploredHome
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import Truth

Quantifier: TypeAlias = Literal["exists", "forall", "count"]
_QUANTIFIERS: dict[str, Quantifier] = {"all": "forall", "some": "count"}


@dataclass(frozen=True, slots=True)
class Referent:
    """The referent of a noun phrase: an entity, or a variable over some.

    Attributes:
        term: the entity's name, or the variable.
        type: its class, or the type of a variable.
        quantifier: what binds the variable; None for an entity.
        number: how many, for *count*.
        among: the only entities that are meant, where the words picked them by how or where they are now.
        states: what must be so of it in the end, because the words say so.
        fitting: the entities of which *states* is known to hold now.
        all_known: whether those are all that there are.
        says: the words that name it in a sentence.
        beside: whether it was named only to say where another one is: the fridge of "the milk in the fridge".
        definite: whether it is one and the same for all others: "all mugs on the table".
        destination: whether it is where others shall be.
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
    definite: bool = False
    destination: bool = False

    @property
    def several(self) -> bool:
        """True if it stands for more than one thing."""
        return self.quantifier in ("forall", "count")


#: The things that one noun phrase stands for.
Group: TypeAlias = tuple[Referent, ...]
#: The groups mentioned so far, latest last; each place named beside one comes before it as a group.
Discourse: TypeAlias = tuple[Group, ...]


class ReferentResolver:
    """Finds the referents of noun phrases, in one situation."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._beliefs = situation.beliefs
        self._domain = situation.domain
        self._ontology = situation.ontology
        self._things = KnownThings(situation)
        self._home = UnexploredHome(situation, self._things)
        self.around = self._things.around

    def resolve(
        self, phrase: NounPhrase, slot: Slot, discourse: Discourse, fresh: Callable[[], str]
    ) -> tuple[Group, tuple[str, ...]]:
        """The referents of *phrase* in a slot, and the classes that must be found first.

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
            return self._resolve_pronoun(phrase, slot, discourse), ()
        if phrase.picks == "speaker":
            return (self._entity(self._speaker(), phrase, slot),), ()
        if phrase.picks == "name":
            assert phrase.name is not None
            return (self._entity(phrase.name, phrase, slot),), ()
        return self._resolve_description(phrase, slot, discourse, fresh)

    def final_place(
        self, phrase: NounPhrase, slot: Slot, discourse: Discourse
    ) -> tuple[NounPhrase, LocationPhrase | None]:
        """The phrase without its place, and that place, where it says where the thing shall be in the end."""
        known = self._things.of_classes(phrase.class_name or slot.type, *phrase.others)
        where = self._home.final_place(phrase, slot, lambda one: self._as_described(one, known, discourse))
        return (phrase, None) if where is None else (replace(phrase, where=None), where)

    # -- pronouns ----------------------------------------------------------------------------------
    def _resolve_pronoun(self, phrase: NounPhrase, slot: Slot, discourse: Discourse) -> Group:
        several = phrase.picks == "them"
        spoken = [group for group in reversed(discourse) if not group[0].beside]
        fitting = [group for group in spoken if not self._misfits_of(group, slot)]
        if phrase.where is not None:
            fitting = [group for group in fitting if self._are_there(group, phrase.where, discourse)]
        if fitting:
            return _alike(fitting, several)
        if phrase.where is not None or not spoken:
            raise NotUnderstoodError(f'Nothing was said before that "{phrase.text}" could stand for here.')
        # "Take the milk out of the fridge and close it": that can only be the fridge.
        beside = {g[0].term: g[0] for g in discourse if g[0].beside and not self._misfits(g[0], slot)}
        if len(beside) == 1 and not several:
            [referent] = beside.values()
            return (replace(referent, beside=False),)
        group = _alike(spoken, several)
        called = f"{phrase.text} ({conjoined(dict.fromkeys(r.says for r in group))})"
        raise _not_possible(called, self._misfits_of(group, slot), slot)

    def _misfits_of(self, group: Group, slot: Slot) -> tuple[str, ...]:
        """The needs of the slot that the first misfit of the group does not meet."""
        return next((misfits for referent in group if (misfits := self._misfits(referent, slot))), ())

    def beside(self, phrase: NounPhrase, group: Group, discourse: Discourse) -> Discourse:
        """The things that *phrase* names only to say where the *group* is that it stands for.

        A place is left out where it could be several things.
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
            if len(names) == 1 and names[0] in self._things.classes:
                name = names[0]
                found.append((Referent(name, self._things.classes[name], says=name, beside=True),))
        return tuple(found)

    def _are_there(self, group: Group, where: LocationPhrase, discourse: Discourse) -> bool:
        """True if all of a group are known to be there, as "it on the plate" takes for granted."""
        names = tuple(referent.term for referent in group)
        return all(r.quantifier is None for r in group) and self._where(names, where, discourse) == names

    def _just_introduced(self, phrase: NounPhrase, slot: Slot, discourse: Discourse) -> Group:
        """The group that "the mug" stands for after "a mug"."""
        if phrase.picks != "the" or phrase.class_name is None or phrase.where is not None or phrase.states:
            return ()
        for group in reversed(discourse):
            first = group[0]
            if len(group) == 1 and first.quantifier == "exists" and first.type == phrase.class_name:
                return () if self._misfits(first, slot) else group
        return ()

    def _speaker(self) -> str:
        if self._situation.speaker is not None:
            return self._situation.speaker
        people = self._things.of_classes("person")
        if not people:
            raise NoSuchThingError('I know of no person here that "me" could stand for.')
        if len(people) > 1:
            raise AmbiguousError(
                f'"me" could be {either(people)}: say which, for example "{people[0]}" instead of "me".'
            )
        return people[0]

    # -- descriptions ------------------------------------------------------------------------------
    def _resolve_description(
        self, phrase: NounPhrase, slot: Slot, discourse: Discourse, fresh: Callable[[], str]
    ) -> tuple[Group, tuple[str, ...]]:
        _refuse_another(phrase, discourse)
        if phrase.others and phrase.picks == "all":
            return self._each_class(phrase, slot, discourse, fresh)
        if introduced := self._just_introduced(phrase, slot, discourse):
            return introduced, ()
        phrase = self._home.covering(phrase)
        class_name = phrase.class_name or slot.type
        known = self._things.of_classes(class_name, *phrase.others)
        if _wants_whatever_fits(phrase, slot):
            known = self._able(known, slot)
        missing = len(known) < phrase.needed
        if missing and self._things.all_on_the_map(class_name):
            raise NoSuchThingError(self._things.too_few(phrase, class_name, len(known)))
        phrase = self._home.unfound(
            phrase, slot, known, lambda one: self._as_described(one, known, discourse)
        )
        fitting = self._as_described(phrase, known, discourse)
        self._check_qualities(phrase, self._as_described(replace(phrase, states=()), known, discourse))
        # Of "all dirty mugs" there may be more than were seen: the goal says whether it matters.
        more = bool(self._situation.discovered) and phrase.picks == "all" and phrase.where is None
        limited = self._is_limited(phrase, slot, known, more)
        if limited:
            self._check_enough(phrase, class_name, known, fitting)
        if phrase.exact and len(fitting) > phrase.number:
            raise AmbiguousError(self._things.ambiguous(phrase, fitting, phrase.number > 1))
        any_will_do = self._home.any_will_do(phrase, slot, self._able(fitting, slot))
        if phrase.picks == "the" and known and not any_will_do:
            return (self._the_one(phrase, slot, fitting),), ()
        referent = Referent(
            fresh(),
            class_name,
            _QUANTIFIERS.get(phrase.picks, "exists"),
            phrase.number,
            among=fitting if limited else (),
            states=() if limited else phrase.states,
            fitting=fitting,
            all_known=not more,
            says=_called(phrase, class_name, known),
            definite=phrase.picks == "the",
            destination=slot.destination,
        )
        self._check(referent, phrase, slot)
        return (referent,), (class_name,) if missing else ()

    def _check_qualities(self, phrase: NounPhrase, fitting: tuple[str, ...]) -> None:
        """Raise if more things may be meant than are asked for, by words that cannot be told of things."""
        if phrase.qualities and len(fitting) > phrase.needed:
            raise NotUnderstoodError(self._things.untold(phrase, fitting))
        if phrase.qualities and not fitting:
            raise NoSuchThingError(f'I have seen nothing that may be "{phrase.text}".')

    def _check_enough(
        self, phrase: NounPhrase, class_name: str, known: tuple[str, ...], fitting: Collection[str]
    ) -> None:
        if not known and self._situation.discovered:
            raise NoSuchThingError(self._things.unseen(phrase, class_name))
        if known and len(fitting) < phrase.needed:
            message = self._things.none_fits(phrase, known, len(fitting))
            raise NoSuchThingError(message, (class_name,))

    def _able(self, names: Iterable[str], slot: Slot) -> tuple[str, ...]:
        """The things of *names* that may take the place of a slot."""
        return tuple(n for n in names if not self._misfits(Referent(n, self._things.classes[n]), slot))

    def _as_described(
        self, phrase: NounPhrase, known: tuple[str, ...], discourse: Discourse
    ) -> tuple[str, ...]:
        """The *known* things with the place and the states that a phrase speaks of."""
        if phrase.where is not None:
            # "The mug on the table" is asked about itself if there are several.
            known = self._where(known, phrase.where, discourse, one_place=phrase.picks != "the")
        return tuple(name for name in known if self._things.have_states(name, phrase.states))

    def _is_limited(self, phrase: NounPhrase, slot: Slot, known: Collection[str], more: bool) -> bool:
        """True if a phrase picks its things by how or where they are now."""
        by_state = bool(phrase.states) and (phrase.picks == "the" or (phrase.picks == "all" and not more))
        by_need = bool(known) and (bool(phrase.others) or _wants_whatever_fits(phrase, slot))
        return phrase.where is not None or by_need or by_state

    def _the_one(self, phrase: NounPhrase, slot: Slot, fitting: tuple[str, ...]) -> Referent:
        able = self._able(fitting, slot)
        if len(able) > 1:
            raise AmbiguousError(self._things.ambiguous(phrase, able))
        return self._entity((able or fitting)[0], phrase, slot)

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
                self._where(self._things.of_classes(*classes), where, discourse, one_place=True)

    def _each_class(
        self, phrase: NounPhrase, slot: Slot, discourse: Discourse, fresh: Callable[[], str]
    ) -> tuple[Group, tuple[str, ...]]:
        """The referents of a word for several classes when all are meant: all of each."""
        assert phrase.class_name is not None
        classes = (phrase.class_name, *phrase.others)
        seen = [name for name in classes if self._things.of_classes(name)]
        group: list[Referent] = []
        wanted: list[str] = []
        for class_name in classes if self._situation.discovered or not seen else seen:
            one = replace(phrase, class_name=class_name, others=())
            try:
                found, missing = self._resolve_description(one, slot, discourse, fresh)
            except NoSuchThingError:
                continue
            group.extend(found)
            wanted.extend(missing)
        if not group:
            raise NoSuchThingError(self._things.none_fits(phrase, self._things.of_classes(*classes), 0))
        # There may be more of the classes seen; of the others, any is as good as another to look for.
        return tuple(group), tuple(wanted[:1] if not seen else ())

    # -- places ------------------------------------------------------------------------------------
    def _where(
        self, names: tuple[str, ...], where: LocationPhrase, discourse: Discourse, one_place: bool = False
    ) -> tuple[str, ...]:
        """The things of *names* that are there.

        The bread on the chopping board on the table is "the bread on the table", unless other bread lies on
        the table itself.

        Args:
            one_place: "the table" is to be one: several tables with such things on them are too many.

        Raises:
            AmbiguousError: there are.
        """
        if where.room is not None:
            return tuple(name for name in names if self._things.is_in(name, where.room))
        assert where.place is not None
        places = self._candidates(where.place, discourse)
        if one_place and where.place.picks == "the":
            some = tuple(place for place in places if self._things.resting(names, where.relations, place))
            if len(some) > 1:
                raise AmbiguousError(self._things.ambiguous(where.place, some, every=True))
        return self._things.resting(names, where.relations, *places)

    def entities_meant(self, phrase: NounPhrase) -> tuple[str, ...]:
        """The entities that a phrase may mean, with nothing said before."""
        if phrase.picks == "speaker":
            return (self._speaker(),)
        return self._candidates(phrase, ())

    def referent_of(self, name: str) -> Referent:
        """The entity of a name as a referent."""
        return Referent(name, self._things.classes[name], says=name)

    def located(self, names: tuple[str, ...], where: LocationPhrase) -> tuple[str, ...]:
        """The things of *names* that are there, with nothing said before."""
        return self._where(names, where, ())

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
        names = self._things.of_classes(phrase.class_name or "object", *phrase.others)
        if phrase.where is not None:
            names = self._where(names, phrase.where, discourse)
        return tuple(n for n in names if self._things.have_states(n, phrase.states))

    # -- needs of a slot ---------------------------------------------------------------------------
    def _entity(self, name: str, phrase: NounPhrase, slot: Slot) -> Referent:
        referent = self.referent_of(name)
        self._check(referent, phrase, slot)
        return referent

    def _check(self, referent: Referent, phrase: NounPhrase, slot: Slot) -> None:
        if misfits := self._misfits(referent, slot):
            is_said = referent.quantifier is not None or referent.term in phrase.text.split()
            called = phrase.text if is_said else f"{phrase.text} ({referent.term})"
            raise _not_possible(called, misfits, slot)

    def fitting(self, slot: Slot) -> tuple[str, ...]:
        """The known things that may take the place of a slot."""
        return self._able(self._things.classes, slot)

    def _misfits(self, referent: Referent, slot: Slot) -> tuple[str, ...]:
        """The needs of the slot that the referent does not meet."""
        if not self._domain.is_a(referent.type, slot.type):
            # A type as general as "item" may still hold what is needed.
            general = referent.quantifier is not None and self._domain.is_a(slot.type, referent.type)
            return () if general else (slot.type,)
        return tuple(need for need in slot.must_afford if not self._affords(referent, need))

    def _affords(self, referent: Referent, predicate: str) -> bool:
        if referent.quantifier is None:
            return self._beliefs.truth((predicate, referent.term)) is Truth.TRUE
        return referent.type not in self._ontology or self._ontology.affords(referent.type, predicate)


def _not_possible(called: str, misfits: tuple[str, ...], slot: Slot) -> NotPossibleError:
    """The error that a thing, as it was *called*, cannot take the place of a slot."""
    if misfits == (slot.type,):
        return NotPossibleError(f"{called} will not do", misfits=3)
    return NotPossibleError(f"{called} {conjoined(map(describe_misfit, misfits))}", misfits=len(misfits))


def _called(phrase: NounPhrase, class_name: str, known: Collection[str]) -> str:
    """The words for what is not one known thing."""
    if phrase.picks != "the":
        return phrase.text
    return f"any {phrase.noun}" if known else f"the {class_name.replace('_', ' ')} (still to be found)"


def _alike(groups: Sequence[Group], several: bool) -> Group:
    """The first of several things, or of one; the first of all if there is none such."""
    return next((group for group in groups if (len(group) > 1 or group[0].several) is several), groups[0])


def _refuse_another(phrase: NounPhrase, discourse: Discourse) -> None:
    spoken = (r for group in discourse for r in group if not r.beside)
    if phrase.text.startswith("another ") and any(r.type == phrase.class_name for r in spoken):
        raise NotUnderstoodError(f'Which one "{phrase.text}" is, is not understood yet: call it by its name.')


def _wants_whatever_fits(phrase: NounPhrase, slot: Slot) -> bool:
    """True for "open everything", which means all that can be opened."""
    return phrase.class_name is None and phrase.picks == "all" and bool(slot.must_afford)


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
