"""Resolution of noun phrases: the things that they stand for in one situation."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from foretree.planning.pddl.syntax import Literal
from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    InstructionError,
    NoSuchThingError,
    NotPossibleError,
    NotUnderstoodError,
)
from foretree.reasoning.offline.grammar.clauses import Slot
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase, called, counted
from foretree.reasoning.offline.phrases.discourse import Discourse, Group, Quantifier, Referent, with_unseen
from foretree.reasoning.offline.phrases.kinds_told import KindsTold
from foretree.reasoning.offline.phrases.known_things import either, known_things
from foretree.reasoning.offline.phrases.positions import Positions
from foretree.reasoning.offline.phrases.pronouns import PronounResolver
from foretree.reasoning.offline.phrases.selection import SelectedThings
from foretree.reasoning.offline.phrases.slot_needs import SlotNeeds
from foretree.reasoning.offline.phrases.spots import Spots
from foretree.reasoning.offline.phrases.unexplored_homes import UnexploredHome
from foretree.reasoning.reasoner import Situation

_QUANTIFIERS: dict[str, Quantifier] = {"all": "forall", "some": "count"}
Fresh = Callable[[], str]
Resolved = tuple[Group, tuple[str, ...]]  # the referents of a phrase, and the classes to be found first


class ReferentResolver:
    """Finds the referents of noun phrases, in one situation."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._things = known_things(situation)
        self._kinds = KindsTold(situation.ontology, self._things)
        self._home = UnexploredHome(situation, self._things)
        self._needs = SlotNeeds(situation, self._things)
        self._positions = positions = Positions(situation, self._things)
        self._pronouns = PronounResolver(situation.ontology, self._things, self._needs, positions)
        self._selection = SelectedThings(situation, self._things, positions, self._pronouns, self._speaker)
        self._spots = Spots(situation, self._things)
        self.around = self._things.around

    def resolve(self, phrase: NounPhrase, slot: Slot, discourse: Discourse, fresh: Fresh) -> Resolved:
        """The referents of *phrase* in a slot, and the classes that must be found first.

        Args:
            fresh: makes a variable that nothing uses.

        Raises:
            InstructionError: there is no such thing, there are several, or it cannot be what the slot needs.
        """
        group: list[Referent] = []
        wanted: list[str] = []
        parts = counted((phrase, *phrase.also))
        self._one_place_each(parts, discourse)
        for index, part in enumerate(parts):
            if index:
                part = part.leaving_out(*phrase.exceptions)
            place = None if part.where is None else part.where.place
            before = (*discourse, tuple(group)) if group and part.goes_back else discourse
            if place is not None and place.goes_back:  # "… and the plate from the other one"
                places = (self.beside(said, tuple(group), discourse) for said in parts[:index])
                before = (*before, *chain.from_iterable(places))
            found, missing = self._one(part, slot, before, fresh)
            group.extend(found)
            wanted.extend(missing)
        return tuple(dict.fromkeys(group)), tuple(wanted)

    def _one(self, phrase: NounPhrase, slot: Slot, discourse: Discourse, fresh: Fresh) -> Resolved:
        if phrase.alternatives:
            return self._choice(phrase, slot, discourse, fresh)
        if phrase.picks in ("it", "them"):
            return with_unseen(self._pronouns.resolve(phrase, slot, discourse, self._are_there))
        if phrase.is_thing and discourse:
            pronoun = replace(phrase, picks="them" if phrase.plural else "it")
            with suppress(InstructionError):
                return with_unseen(self._pronouns.resolve(pronoun, slot, discourse, self._are_there))
        if phrase.nearby is not None:
            meant = self._meant_by(discourse)
            there = self._spots.place(
                phrase, slot, discourse, lambda one: self._selection.meant(one, meant(one))
            )
            self._needs.check(there, phrase, slot)
            return (replace(there, destination=True, says=f"{there.says}, {phrase.text}"),), ()
        if phrase.picks == "there":
            speaker = self._speaker() if phrase.here and slot.type == "person" else None
            return with_unseen(self._pronouns.place(phrase, slot, discourse, speaker))
        if phrase.picks == "speaker":
            return (self._entity(self._speaker(), phrase, slot),), ()
        if phrase.is_door and "openable" not in slot.must_afford:
            raise NotPossibleError(f"{phrase.text} is part of a thing that will not do", misfits=1)
        if phrase.picks == "name":
            return (self._entity(phrase.name or "", phrase, slot),), ()
        return self._resolve_description(phrase, slot, discourse, fresh)

    def final_place(
        self, phrase: NounPhrase, slot: Slot, discourse: Discourse
    ) -> tuple[NounPhrase, LocationPhrase | None]:
        """The phrase without its place, and that place, where it says where the thing shall be in the end."""
        known = self._things.of_classes(phrase.class_name or slot.type, *phrase.others)
        where = self._home.final_place(phrase, slot, lambda one: self._as_described(one, known, discourse))
        return (phrase, None) if where is None else (replace(phrase, where=None), where)

    def without_workplace(
        self, phrase: NounPhrase, needs: Collection[Literal], slot: Slot, discourse: Discourse
    ) -> NounPhrase:
        """The phrase without its place, where that only says where a thing shall be: "wash it in the sink".

        Args:
            needs: what must hold to do what is asked for.
        """
        where = phrase.where
        if where is None or where.source or where.place is None or phrase.picks in ("it", "them"):
            return phrase
        known = self._things.of_classes(phrase.class_name or slot.type, *phrase.others)
        if self._as_described(phrase, known, discourse):
            return phrase
        named = self._candidates(where.place, discourse)
        return replace(phrase, where=None) if self._spots.are_all_workplaces(named, needs) else phrase

    def is_laden(self, phrase: NounPhrase, group: Group, slot: Slot, discourse: Discourse) -> bool:
        """Return whether the load of a phrase only says which thing is meant: it has it now."""
        if phrase.load is None or len(group) != 1 or group[0].quantifier is not None:
            return False
        told = slot.destination or self._situation.ontology.type_of(group[0].type) != "item"
        return told and bool(self._selection.laden(phrase, (group[0].term,), self._meant_by(discourse)))

    # -- what was spoken of ------------------------------------------------------------------------
    def beside(self, phrase: NounPhrase, group: Group, discourse: Discourse) -> Discourse:
        """The things that *phrase* names only to say where the *group* is that it stands for.

        A place is left out where it could be several things.
        """
        found: list[Group] = []
        for part in (phrase, *phrase.also):
            if part.where is None or part.where.place is None:
                continue
            names = self._candidates(part.where.place, (*discourse, *found))
            if len(names) > 1:
                things = {name for referent in group for name in (referent.term, *referent.fitting)}
                around = {place for name in things for place in self.around(name)}
                names = tuple(name for name in names if name in around)
            if len(names) == 1 and names[0] in self._things.classes:
                found.append((replace(self.referent_of(names[0]), beside=True),))
        return tuple(found)

    def _are_there(self, group: Group, where: LocationPhrase, discourse: Discourse) -> bool:
        """True if all of a group are known to be there, as "it on the plate" takes for granted."""
        names = tuple(referent.term for referent in group)
        return all(r.quantifier is None for r in group) and self._where(names, where, discourse) == names

    def _just_introduced(self, phrase: NounPhrase, slot: Slot, discourse: Discourse) -> Group:
        """The group that "the mug" stands for after "a mug", "everything" after "everything on the table"."""
        if phrase.is_everything:
            return next((group for group in reversed(discourse) if group[0].is_all_there), ())
        if not phrase.is_bare or (phrase.class_name is None and not phrase.portion):
            return ()
        kinds = self._pronouns.kinds_of_portions if phrase.portion else (phrase.class_name,)
        for group in reversed(discourse):
            first = group[0]
            if len(group) == 1 and first.quantifier == "exists" and first.type in kinds:
                return () if self._needs.misfits(first, slot) else group
        return ()

    def _speaker(self) -> str:
        if self._situation.speaker is not None or self._situation.stranger:
            return self._situation.known_speaker()
        people = self._things.of_classes("person")
        if not people:
            raise NoSuchThingError('I know of no person here that "me" could stand for.')
        if len(people) > 1:
            raise AmbiguousError(
                f'"me" could be {either(people)}: say which, for example "{people[0]}" instead of "me".'
            )
        return people[0]

    # -- choices -----------------------------------------------------------------------------------
    def _choice(self, phrase: NounPhrase, slot: Slot, discourse: Discourse, fresh: Fresh) -> Resolved:
        """One of several things: "the mug or the glass". What is not there is not chosen."""
        options: list[tuple[NounPhrase, Referent]] = []
        wanted: tuple[str, ...] = ()
        difficulty: InstructionError | None = None
        for one in (replace(phrase, alternatives=(), exceptions=()), *phrase.alternatives):
            try:
                group, missing = self._one(one.leaving_out(*phrase.exceptions), slot, discourse, fresh)
            except NoSuchThingError as error:
                difficulty = difficulty or error
                continue
            if len(group) != 1 or group[0].several:
                raise NotUnderstoodError(
                    f'The choice "{phrase.text}" is between several things each. Say it in two sentences.'
                )
            if group[0].possible:
                options.append((one, group[0]))
            elif not wanted:
                wanted = missing
                to_find = group
        if not options:
            if wanted:
                return to_find, wanted
            raise difficulty or NoSuchThingError(f'I know of nothing that is "{phrase.text}".')
        among = tuple(dict.fromkeys(name for _, referent in options for name in referent.possible))
        if len(among) == 1:
            return (self.referent_of(among[0]),), ()
        says = either(dict.fromkeys(referent.says for _, referent in options))
        kind = options[0][1].type
        chosen = Referent(fresh(), kind, "exists", among=among, fitting=among, says=says)
        return (replace(chosen, destination=slot.destination, definite=True),), ()

    # -- descriptions ------------------------------------------------------------------------------
    def _resolve_description(
        self, phrase: NounPhrase, slot: Slot, discourse: Discourse, fresh: Fresh
    ) -> Resolved:
        phrase = self._kinds.spoken_of(self._kinds.sibling(phrase, discourse), discourse)
        phrase = self._of_kind_told(self._pronouns.of_kind_before(phrase, slot, discourse), discourse)
        if phrase.is_room and slot.destination:
            there = self._as_described(phrase, self._things.of_classes(slot.type), ())
            phrase = self._spots.somewhere(phrase, slot, there)
        if phrase.others and phrase.picks == "all" and not phrase.other:
            return self._each_class(phrase, slot, discourse, fresh)
        if introduced := self._just_introduced(phrase, slot, discourse):
            return with_unseen(introduced)
        phrase = self._home.covering(phrase, slot)
        class_name = phrase.class_name or slot.type
        known = self._things.of_classes(class_name, *phrase.others)
        if phrase.picks in ("the", "a") and len(meant := self._selection.meant(phrase, known)) == 1 < len(
            known
        ):
            return (self._entity(meant[0], phrase, slot),), ()
        if phrase.of_them:
            class_name, known = self._pronouns.of_them(phrase, slot, discourse)
        elif phrase.portion:
            class_name, known = self._pronouns.portions(phrase, discourse)
            phrase = replace(
                phrase, class_name=class_name, picks="a" if phrase.picks == "the" else phrase.picks
            )
        elif self._needs.wants_whatever_fits(phrase, slot):
            known = self._needs.able(known, slot)
        missing = len(known) < phrase.needed
        if missing and self._things.all_on_the_map(class_name):
            raise NoSuchThingError(self._things.too_few(phrase, class_name, len(known)))
        phrase = self._home.unfound(
            phrase, slot, known, lambda one: self._as_described(one, known, discourse)
        )
        fitting = self._as_described(phrase, known, discourse)
        if phrase.is_room and phrase.picks == "a":
            fitting = self._needs.able(fitting, slot)
        fitting, apart = self._selection.others(phrase, fitting, class_name, discourse)
        phrase = self._selection.counted(phrase, fitting)
        phrase, fitting = self._selection.asked_about(phrase, fitting)
        stateless = self._as_described(replace(phrase, states=(), exceptions=()), known, discourse)
        self._selection.check_qualities(phrase, stateless)
        # Of "all dirty mugs" there may be more than were seen: the goal says whether it matters.
        more = bool(self._situation.discovered) and phrase.picks == "all" and phrase.where is None
        limited = self._is_limited(phrase, slot, known, more) or (len(fitting) < len(known) and phrase.other)
        wished = limited and phrase.picks in ("a", "some") and len(fitting) < phrase.needed and phrase.wishes
        if wished:
            fitting = self._as_described(replace(phrase, states=()), known, discourse)
        if limited:
            self._selection.check_enough(phrase, class_name, known, fitting)
        if phrase.exact and len(fitting) > phrase.number and not self._home.any_of_them(phrase):
            raise AmbiguousError(self._things.ambiguous(phrase, fitting, phrase.number > 1))
        any_will_do = self._home.any_will_do(phrase, slot, self._needs.able(fitting, slot))
        if phrase.picks == "the" and known and not any_will_do and not apart:
            return (self._the_one(phrase, slot, fitting, discourse),), ()
        if phrase.picks == "a" and phrase.is_likely_there and len(fitting) == 1 and not phrase.other:
            return (self._entity(fitting[0], phrase, slot),), ()  # so that "the glass" is the same later
        referent = Referent(
            fresh(),
            class_name,
            _QUANTIFIERS.get(phrase.picks, "exists"),
            phrase.number,
            phrase.at_most,
            among=fitting if limited else (),
            states=() if limited and not wished else phrase.states,
            fitting=fitting,
            all_known=not more,
            says=called(phrase, class_name, known),
            definite=phrase.picks == "the",
            destination=slot.destination,
            apart=apart,
        )
        self._needs.check(referent, phrase, slot)
        return (referent,), (class_name,) if missing else ()

    def _of_kind_told(self, phrase: NounPhrase, discourse: Discourse) -> NounPhrase:
        return self._kinds.there(phrase, lambda names, where: self._where(names, where, discourse))

    def _as_described(
        self, phrase: NounPhrase, known: tuple[str, ...], discourse: Discourse
    ) -> tuple[str, ...]:
        """The *known* things with the place, the states and the position that a phrase speaks of."""
        all_known = known
        if phrase.where is not None:
            # "The mug on the table" is asked about itself if there are several.
            for where in (phrase.where, *phrase.further):
                known = self._where(known, where, discourse, one_place=phrase.picks != "the")
        fitting = tuple(name for name in known if self._things.have_states(name, phrase.states))
        if not fitting and phrase.where is not None and phrase.where.likely:
            return self._as_described(replace(phrase, where=None), all_known, discourse)
        return self._selection.told(phrase, fitting, self._meant_by(discourse))

    def _meant_by(self, discourse: Discourse) -> Callable[[NounPhrase], tuple[str, ...]]:
        return lambda phrase: tuple(
            name for one in (phrase, *phrase.also) for name in self._candidates(one, discourse)
        )

    def _is_limited(self, phrase: NounPhrase, slot: Slot, known: Collection[str], more: bool) -> bool:
        """True if a phrase picks its things by how or where they are now."""
        by_state = bool(phrase.states) and (phrase.picks == "the" or (phrase.picks == "all" and not more))
        by_need = bool(known) and (bool(phrase.others) or self._needs.wants_whatever_fits(phrase, slot))
        told = phrase.where or phrase.exceptions or phrase.of_them or phrase.comparison or phrase.holds
        some = phrase.portion and len(known) < len(self._things.of_classes(phrase.class_name or ""))
        return bool(told) or some or by_need or by_state

    def _the_one(self, phrase: NounPhrase, slot: Slot, fitting: tuple[str, ...], said: Discourse) -> Referent:
        able = self._needs.able(fitting, slot)
        if len(able) > 1:
            able = self._selection.pointed_at(phrase, able, said) or able
        able = self._selection.meant(phrase, able)
        if len(able) > 1:
            raise AmbiguousError(self._things.ambiguous(phrase, able), phrase.text, able)
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

    def _each_class(self, phrase: NounPhrase, slot: Slot, discourse: Discourse, fresh: Fresh) -> Resolved:
        """The referents of a word for several classes when all are meant: all of each."""
        classes = (phrase.class_name or "", *phrase.others)
        known = self._as_described(phrase, self._things.of_classes(*classes), discourse)
        self._selection.check_of_kinds(phrase, known)
        if phrase.where is not None and phrase.where.likely and self._where(known, phrase.where, discourse):
            phrase = replace(phrase, where=replace(phrase.where, likely=False))
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
        if where.place.picks == "there":
            spot = self._pronouns.place(where.place, Slot("place", "asset"), discourse, None)
            return self._things.resting(names, where.relations, *(one.term for one in spot))
        places = self._meant_by(discourse)(self._kinds.place(where.place, discourse))
        if one_place and where.place.picks == "the" and not where.place.also:
            some = tuple(place for place in places if self._things.resting(names, where.relations, place))
            some = self._selection.meant(where.place, some)
            if len(some) > 1:
                message = self._things.ambiguous(where.place, some, every=True)
                raise AmbiguousError(message, where.place.text, some)
            places = some or places
        there = self._things.resting(names, where.relations, *places)
        if there or not self._things.are_fixed(names):
            return there
        return self._positions.at_furniture(names, where.relations, places)

    def entities_meant(self, phrase: NounPhrase) -> tuple[str, ...]:
        """The entities that a phrase may mean, with nothing said before."""
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
        if phrase.picks == "speaker":
            return (self._speaker(),)
        if phrase.picks in ("it", "them"):
            return tuple(r.term for group in discourse[-1:] for r in group)
        for group in reversed(discourse):
            # After "go to table1", "the table" is that.
            if (
                phrase.is_bare
                and not group[0].beside
                and len(group) == 1
                and group[0].quantifier is None
                and group[0].type == phrase.class_name
            ):
                return (group[0].term,)
        phrase = self._of_kind_told(self._pronouns.of_kind_told(phrase, discourse), discourse)
        names = self._things.of_classes(phrase.class_name or "object", *phrase.others)
        if len(meant := self._selection.meant(phrase, names)) == 1 < len(names):
            return meant
        fitting = self._as_described(replace(phrase, picks="the"), names, discourse)
        named, _ = self._selection.others(phrase, fitting, phrase.class_name or "", discourse)
        if phrase.here and len(named) > 1:
            return self._selection.pointed_at(phrase, named, discourse) or named
        return named

    def _entity(self, name: str, phrase: NounPhrase, slot: Slot) -> Referent:
        referent = self.referent_of(name)
        self._needs.check(referent, phrase, slot)
        return referent

    def fitting(self, slot: Slot) -> tuple[str, ...]:
        """The known things that may take the place of a slot."""
        return self._needs.able(self._things.classes, slot)
