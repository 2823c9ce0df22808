"""Pronouns: what was spoken of before and is meant by "it", "them", "there", "the other one"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import filterfalse, islice

from foretree.reasoning.instruction_errors import NotUnderstoodError
from foretree.reasoning.offline.grammar.clauses import Slot
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase
from foretree.reasoning.offline.phrases.discourse import Discourse, Group, Referent
from foretree.reasoning.offline.phrases.known_things import KnownThings, conjoined
from foretree.reasoning.offline.phrases.positions import Positions
from foretree.reasoning.offline.phrases.slot_needs import SlotNeeds, not_possible
from foretree.world_model.ontology import Ontology

#: Tells whether all of a group are known to be at a place.
AreThere = Callable[[Group, LocationPhrase, Discourse], bool]


class PronounResolver:
    """Finds out what pronouns stand for, in one situation."""

    def __init__(
        self, ontology: Ontology, things: KnownThings, needs: SlotNeeds, positions: Positions
    ) -> None:
        self._ontology = ontology
        self._things = things
        self._needs = needs
        self._positions = positions

    def resolve(self, phrase: NounPhrase, slot: Slot, discourse: Discourse, are_there: AreThere) -> Group:
        """The group that "it" or "them" stands for.

        Raises:
            InstructionError: nothing was said that it could stand for.
        """
        several = phrase.picks == "them"
        spoken = _spoken(discourse)
        if phrase.nth is not None:
            return self._of_two(phrase, phrase.nth, spoken, slot)
        fitting = [group for group in spoken if not self._needs.misfits_of(group, slot)]
        if phrase.where is not None:
            fitting = [group for group in fitting if are_there(group, phrase.where, discourse)]
        if fitting:
            return _together(fitting) if several else _alike(fitting, several)
        if phrase.where is not None or not spoken:
            raise _nothing_before(phrase)
        # "Take the milk out of the fridge and close it": that can only be the fridge.
        beside = {g[0].term: g[0] for g in discourse if g[0].beside and not self._needs.misfits(g[0], slot)}
        if len(beside) == 1 and not several:
            [referent] = beside.values()
            return (replace(referent, beside=False),)
        group = _alike(spoken, several)
        called = f"{phrase.text} ({conjoined(dict.fromkeys(r.says for r in group))})"
        raise not_possible(called, self._needs.misfits_of(group, slot), slot)

    def _of_two(self, phrase: NounPhrase, nth: int, spoken: Sequence[Group], slot: Slot) -> Group:
        """The first or the second of the two things that were spoken of: "the former", "the latter"."""
        two = next((group for group in spoken if len(group) > 1), ())
        if len(two) != 2 or any(referent.several for referent in two):
            raise _nothing_before(phrase)
        if misfits := self._needs.misfits_of((two[nth],), slot):
            raise not_possible(f"{phrase.text} ({two[nth].says})", misfits, slot)
        return (two[nth],)

    def place(self, phrase: NounPhrase, slot: Slot, discourse: Discourse, speaker: str | None) -> Group:
        """The place that "there" or "here" stands for.

        Raises:
            NotUnderstoodError: no place was spoken of, or the speaker is at none.
        """
        if phrase.here:
            if speaker is not None and self._ontology.type_of(self._things.classes[speaker]) == slot.type:
                return (self._referent(speaker),)
            fixed = [name for name in self._things.classes if not self._is_item(self._things.classes[name])]
            near = self._positions.pointed_at(self._needs.able(fixed, slot))
            if near:
                return (self._referent(near[0]),)
            raise NotUnderstoodError('I cannot tell where "here" is. Name the place.')
        # What was spoken of itself comes before what only says where another thing is.
        latest = list(reversed(discourse))
        for group in sorted(latest, key=lambda group: group[0].beside):
            first = group[0]
            is_place = first.beside or first.destination or not self._is_item(first.type)
            if is_place and len(group) == 1 and not self._needs.misfits(first, slot):
                return (replace(first, beside=False),)
        raise _nothing_before(phrase)

    def of_them(self, phrase: NounPhrase, slot: Slot, discourse: Discourse) -> tuple[str, tuple[str, ...]]:
        """The class and the entities of which "one of them" picks.

        Raises:
            NotUnderstoodError: several things that are known were not spoken of before.
        """
        several = self._of_several(slot, discourse)
        if several is None:
            raise _nothing_before(phrase)
        return several

    def _of_several(self, slot: Slot, discourse: Discourse) -> tuple[str, tuple[str, ...]] | None:
        """The class and the entities of several known things that were spoken of last."""
        for group in _spoken(discourse):
            all_meant = all(
                one.quantifier in (None, "forall")
                or (one.quantifier == "count" and one.number == len(one.possible))
                for one in group
            )
            names = tuple(dict.fromkeys(name for referent in group for name in referent.possible))
            if all_meant and (len(names) > 1 or len(group) > 1) and self._needs.able(names, slot):
                return group[0].type, names
        return None

    @property
    def kinds_of_portions(self) -> tuple[str, ...]:
        """The classes of what things are cut into."""
        return () if self._ontology.parts is None else tuple(self._ontology.parts.of.values())

    def portions(self, phrase: NounPhrase, discourse: Discourse) -> tuple[str, tuple[str, ...]]:
        """The class of the parts that "a slice" is one of, and those of what was spoken of last.

        Raises:
            NotUnderstoodError: nothing that has parts was spoken of before.
        """
        parts = self._ontology.parts
        for group in _spoken(discourse):
            first = group[0]
            if first.type in self.kinds_of_portions:
                return first.type, self._things.of_classes(first.type)
            if parts is not None and first.type in parts.of:
                known = self._things.of_classes(kind := parts.of[first.type])
                wholes = {referent.term for referent in group if referent.quantifier is None}
                of_these = {part for whole in wholes for part in parts.names(whole)}
                return kind, tuple(name for name in known if name in of_these or not wholes)
        raise _nothing_before(phrase)

    def of_kind_before(self, phrase: NounPhrase, slot: Slot, discourse: Discourse) -> NounPhrase:
        """The phrase with the class that "one" stands for, if it does for any."""
        if not phrase.same_kind or phrase.class_name is not None:
            return phrase
        fitting = (group for group in _spoken(discourse) if not self._needs.misfits_of(group, slot))
        last = tuple(islice(filterfalse(_is_chosen, fitting), 1))
        if phrase.picks in ("a", "some") and phrase.counts_only and self._of_several(slot, last):
            return replace(phrase, of_them=True)  # "take the two mugs, put one here and one there"
        kind = self.kind_before(discourse, slot)
        told = phrase.where or phrase.states or phrase.load or phrase.comparison or phrase.exceptions
        if kind is None and not told:
            raise NotUnderstoodError(f'Nothing was said before that "{phrase.text}" could be one of.')
        others = self.kinds_to_choose_from(discourse, kind) if phrase.other and kind else ()
        noun = (kind or "thing").replace("_", " ")
        return replace(phrase, class_name=kind, others=others, noun=noun)

    def kind_before(self, discourse: Discourse, slot: Slot) -> str | None:
        """The class of what was spoken of last and could be in a slot: what "one" stands for.

        A place that only said where another thing is counts last: "off this table and onto the other one".
        """
        said = (*_spoken(discourse), *_beside(discourse))
        fitting = (group for group in said if not self._needs.misfits_of(group, slot))
        return next((group[0].type for group in fitting), None)

    def kinds_to_choose_from(self, discourse: Discourse, kind: str) -> tuple[str, ...]:
        """The further classes of what one was chosen from before: "the mango or the apple, … the other"."""
        of_kind = (g[0] for g in _spoken(discourse) if g[0].type == kind and g[0].quantifier == "exists")
        chosen = next(of_kind, None)
        names = () if chosen is None else chosen.possible
        classes = dict.fromkeys(self._things.classes[name] for name in names)
        return tuple(name for name in classes if name != kind)

    def of_kind_told(self, phrase: NounPhrase, discourse: Discourse) -> NounPhrase:
        """The phrase with the class of what was spoken of last and can be carried: "the dirty one"."""
        if not phrase.same_kind or phrase.class_name is not None or phrase.picks != "the":
            return phrase
        kinds = (group[0].type for group in _spoken(discourse))
        return replace(phrase, class_name=next(filter(self._is_item, kinds), None))

    def mentioned(self, discourse: Discourse, known: Sequence[str], kind: str) -> tuple[list[str], list[str]]:
        """The things, and the variables over things, of some kind that were spoken of: "the other" is none.

        Raises:
            NotUnderstoodError: they cannot be told, as of two of several mugs.
        """
        names: list[str] = []
        variables: list[str] = []
        for referent in (one for group in discourse for one in group if not one.beside):
            if referent.quantifier is None:
                names += [referent.term] if referent.term in known else []
            elif referent.type == kind or set(referent.possible) & set(known):
                if referent.quantifier == "forall" and referent.possible:
                    names += referent.possible
                elif referent.quantifier == "exists":
                    variables.append(referent.term)
                else:
                    raise NotUnderstoodError(
                        f'Which of them are other ones than "{referent.says}" is not understood. '
                        "Call them by their names."
                    )
        if not names and not variables:
            names = [group[0].term for group in _beside(discourse) if group[0].term in known]
        return names, list(dict.fromkeys(variables))

    def last_named(self, names: Sequence[str], discourse: Discourse) -> tuple[str, ...]:
        """The one of *names* that was spoken of last: after "go to table1", "the table" is that."""
        for group in _spoken(discourse):
            terms = tuple(one.term for one in group if one.term in names)
            if terms:
                return terms if len(terms) == 1 else ()
        return ()

    def _is_item(self, class_name: str) -> bool:
        return self._ontology.type_of(class_name) == "item"

    def _referent(self, name: str) -> Referent:
        return Referent(name, self._things.classes[name], says=name)


def _is_chosen(group: Group) -> bool:
    """Return whether a group is one of several things that are known: "one of them"."""
    return len(group) == 1 and group[0].quantifier == "exists" and bool(group[0].among)


def _nothing_before(phrase: NounPhrase) -> NotUnderstoodError:
    return NotUnderstoodError(f'Nothing was said before that "{phrase.text}" could stand for here.')


def _spoken(discourse: Discourse) -> list[Group]:
    """The groups that were spoken of themselves, the last one first."""
    return [group for group in reversed(discourse) if not group[0].beside]


def _beside(discourse: Discourse) -> list[Group]:
    """The groups that were named only to say where others are, the last one first."""
    return [group for group in reversed(discourse) if group[0].beside]


def _together(groups: Sequence[Group]) -> Group:
    """The first of several things, or else all that is spoken of one by one: a mug, and a plate."""
    several = next((group for group in groups if len(group) > 1 or group[0].several), None)
    return several or tuple(dict.fromkeys(one for group in reversed(groups) for one in group))


def _alike(groups: Sequence[Group], several: bool) -> Group:
    """The first of several things, or of one; the first of all if there is none such."""
    return next((group for group in groups if (len(group) > 1 or group[0].several) is several), groups[0])
