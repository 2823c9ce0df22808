"""SelectedThings among things: what a phrase leaves out, and what tells the one that it means from others."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from foretree.reasoning.instruction_errors import AmbiguousError, NoSuchThingError, NotUnderstoodError
from foretree.reasoning.offline.lexicon import COLOURS, ORDINALS
from foretree.reasoning.offline.phrases.descriptions import Comparison, NounPhrase
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.offline.phrases.known_things import KnownThings, conjoined
from foretree.reasoning.offline.phrases.positions import Positions
from foretree.reasoning.offline.phrases.pronouns import PronounResolver
from foretree.reasoning.offline.phrases.words.looks import PRAISE
from foretree.reasoning.reasoner import Situation

#: Qualities that do not tell some things from others.
_OF_ALL = PRAISE | {"fresh", "ripe", "remaining"}
#: The entities that a phrase may mean.
Meant = Callable[[NounPhrase], tuple[str, ...]]


class SelectedThings:
    """Narrows down the things that a phrase may stand for.

    Args:
        situation: where they are spoken of.
        things: the entities.
        positions: where they are.
        pronouns: what was spoken of.
        speaker: finds the person who speaks.
    """

    def __init__(
        self,
        situation: Situation,
        things: KnownThings,
        positions: Positions,
        pronouns: PronounResolver,
        speaker: Callable[[], str],
    ) -> None:
        self._situation = situation
        self._things = things
        self._positions = positions
        self._pronouns = pronouns
        self._speaker = speaker

    def told(self, phrase: NounPhrase, names: tuple[str, ...], meant: Meant) -> tuple[str, ...]:
        """The things of *names* without the exceptions of a phrase, and with what else it says of them.

        Raises:
            InstructionError: what it says does not tell one of several.
        """
        all_of_them = names
        for exception in phrase.exceptions:
            left_out = self._left_out(exception, names, meant)
            names = tuple(name for name in names if name not in left_out)
        if phrase.picks == "all" and all_of_them and not names:
            of = conjoined(all_of_them)
            raise NoSuchThingError(
                f'Nothing is left to do: "{phrase.text}" leaves out all that there is, {of}.'
            )
        if phrase.holds is not None:
            relations, content = phrase.holds
            names = self._holding(names, relations, meant(content))
        if phrase.load is not None and phrase.picks == "the":
            names = self.laden(phrase, names, meant) or names
        if phrase.comparison is not None and len(names) > 1:
            names = self._compared(phrase, phrase.comparison, names, meant)
        elif phrase.comparison is not None and phrase.comparison.adjoining and phrase.comparison.to:
            # "The spoon next to the plate" is none that is known to be elsewhere.
            to = meant(phrase.comparison.to)
            names = tuple(one for one in names if not self._positions.are_apart(one, to))
        if phrase.qualities and names:
            names = _called_so(phrase, names)
            numbers = {ORDINALS[word] for word in phrase.qualities if word in ORDINALS}
            if numbers and self._things.are_fixed(names):  # the map gives the numbers of furniture
                names = tuple(name for name in names if _number_of(name) in numbers)
        return names

    def check_qualities(self, phrase: NounPhrase, fitting: tuple[str, ...]) -> None:
        """Check that no more things may be meant than are asked for, by words that cannot be told of things.

        Raises:
            InstructionError: more may be meant, or none.
        """
        if phrase.qualities and len(fitting) > phrase.needed:
            raise NotUnderstoodError(self._things.untold(phrase, fitting))
        if phrase.qualities and not fitting:
            raise NoSuchThingError(f'I have seen nothing that may be "{phrase.text}".')

    def check_of_kinds(self, phrase: NounPhrase, fitting: tuple[str, ...]) -> None:
        """Check that what names all things of several kinds is not only said of some: "the green fruit".

        Raises:
            NotUnderstoodError: it may be.
        """
        if {*phrase.qualities} - _OF_ALL:
            self.check_qualities(phrase, fitting)

    def _left_out(self, exception: NounPhrase, of: tuple[str, ...], meant: Meant) -> tuple[str, ...]:
        """The things that an exception names, if it can those among what it is an exception *of*.

        Raises:
            InstructionError: it may be one thing or another.
        """
        found: list[str] = []
        for part in (exception, *exception.also, *exception.alternatives):
            one = replace(part, also=(), alternatives=())
            names = meant(one)
            among = tuple(name for name in names if name in of)
            if len(names) > 1 and not among and one.picks == "the":
                continue  # none of them is among these plates: which mug is left out makes no difference
            names = among or names
            if not names and meant(replace(one, where=None, states=())):
                raise NoSuchThingError(f'I know of nothing that is "{one.text}", which is to be left out.')
            if one.qualities and len(names) > 1:
                raise NotUnderstoodError(self._things.untold(one, names))
            vague = one.picks in ("a", "some") and len(names) != one.needed
            if vague or (one.picks == "the" and len(names) > 1):
                raise AmbiguousError(self._things.ambiguous(one, names, every=True))
            found += names
        return tuple(found)

    def laden(self, phrase: NounPhrase, names: tuple[str, ...], meant: Meant) -> tuple[str, ...]:
        """The things of *names* that have the load of a phrase in or on them now."""
        assert phrase.load is not None
        relation, content = phrase.load
        return self._holding(names, (relation,) if relation else (), meant(content))

    def _holding(
        self, names: tuple[str, ...], relations: tuple[str, ...], content: tuple[str, ...]
    ) -> tuple[str, ...]:
        return tuple(
            name for name in names if self._things.resting(content, relations or ("in", "on", "under"), name)
        )

    def _compared(
        self, phrase: NounPhrase, comparison: Comparison, names: tuple[str, ...], meant: Meant
    ) -> tuple[str, ...]:
        """The one of *names* that a comparison singles out.

        Raises:
            NotUnderstoodError: it cannot be told.
        """
        to = meant(comparison.to) if comparison.to is not None else ()
        apart = tuple(name for name in names if name not in to)
        if comparison.to is not None and len(to) != 1:
            found: tuple[str, ...] = ()
        elif comparison.adjoining:
            found = self._positions.beside(apart, to)
        else:
            found = self._positions.most(apart, comparison.rank, to)
        if not found:
            called = replace(phrase, qualities=(*phrase.qualities, comparison.text))
            raise AmbiguousError(self._things.untold(called, names), phrase.text, names)
        return found

    def check_enough(
        self, phrase: NounPhrase, class_name: str, known: tuple[str, ...], fitting: Collection[str]
    ) -> None:
        if not known and self._situation.discovered:
            raise NoSuchThingError(self._things.unseen(phrase, class_name))
        if known and len(fitting) < phrase.needed:
            message = self._things.none_fits(phrase, known, len(fitting))
            raise NoSuchThingError(message, (class_name,))

    def meant(self, phrase: NounPhrase, names: tuple[str, ...]) -> tuple[str, ...]:
        """The one of *names* that a phrase is known to stand for; all if that is not known."""
        meant = self._situation.meant.get(phrase.text)
        return names if meant not in names else (meant,)

    def asked_about(self, phrase: NounPhrase, fitting: tuple[str, ...]) -> tuple[NounPhrase, tuple[str, ...]]:
        """The phrase without what cannot be told of things, and the one of several things that is meant.

        Raises:
            AmbiguousError: several things may be so, and it is not known which is meant.
        """
        if phrase.class_name is None and phrase.picks == "a" and phrase.wishes and not fitting:
            # "Something warm" is none that is made warm.
            raise NoSuchThingError(f'I have seen nothing that may be "{phrase.text}".')
        if not phrase.qualities or phrase.picks not in ("the", "a"):
            return phrase, fitting
        told = self.meant(phrase, fitting)
        if len(told) > 1:
            raise AmbiguousError(self._things.untold(phrase, fitting), phrase.text, fitting)
        if len(fitting) > 1:
            return replace(phrase, qualities=(), picks="the"), told
        return phrase, fitting

    def others(
        self, phrase: NounPhrase, names: tuple[str, ...], kind: str, discourse: Discourse
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The things of *names* that were not spoken of, and the variables that they shall be none of.

        Raises:
            InstructionError: a phrase speaks of others, and it is not known of which.
        """
        if not phrase.other:
            return names, ()
        mentioned, variables = self._pronouns.mentioned(discourse, names, kind)
        if not mentioned and not variables:
            # "Put the apple on the other table": other than the one that it is on.
            spoken = (referent.term for group in discourse[-1:] for referent in group)
            around = {place for name in spoken for place in self._things.supports(name)}
            mentioned = [name for name in names if name in around]
        left = tuple(name for name in names if name not in mentioned)
        chosen = {n for group in discourse for one in group if one.term in variables for n in one.possible}
        if len(chosen) == len(variables) + 1 and chosen <= {*left}:
            left = tuple(name for name in left if name in chosen)  # "the mango or the apple … the other one"
        alone = not mentioned and not variables and not phrase.is_further
        if alone and len(names) > phrase.needed:
            raise NotUnderstoodError(
                f'Nothing was said before that "{phrase.text}" could be other ones than.'
            )
        if variables and phrase.picks == "the" and not left:
            raise NoSuchThingError(f'I know of nothing that is "{phrase.text}".')
        if variables and phrase.picks == "the" and len(left) != len(variables) + 1:
            raise AmbiguousError(self._things.ambiguous(phrase, left))
        return left, tuple(variables)

    def counted(self, phrase: NounPhrase, names: tuple[str, ...]) -> NounPhrase:
        """The phrase with the number that it takes of *names*, where it takes half of them, or all but some.

        Raises:
            NotUnderstoodError: half of them is no number, or it takes one from each of several places.
        """
        if phrase.is_one_of_each:
            raise NotUnderstoodError(f'"{phrase.text}" is several things. Say it one by one.')
        if not phrase.share:
            return phrase
        if phrase.without:
            left = len(names) - phrase.without
            if left < 1:
                raise NotUnderstoodError(f'"{phrase.text}" of {len(names)} is nothing. Say how many.')
            return replace(phrase, number=left, at_most=left)
        if len(names) % 2 or not names:
            raise NotUnderstoodError(f'"{phrase.text}" of {len(names)} is no number of things. Say how many.')
        half = len(names) // 2
        return replace(phrase, number=half, at_most=half)

    def pointed_at(self, phrase: NounPhrase, names: tuple[str, ...], discourse: Discourse) -> tuple[str, ...]:
        """The one of *names* that was spoken of last, or that the speaker points at."""
        plain = phrase.where is None and not phrase.states and phrase.comparison is None
        if phrase.other or phrase.qualities or not plain or phrase.class_name is None:
            return ()
        last = self._pronouns.last_named(names, discourse)
        return last or (self._positions.pointed_at(names) if phrase.here else ())


def _called_so(phrase: NounPhrase, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of *names* that may be as the adjectives of a phrase say: "the red book" is ``red_book1``.

    Nothing is left of what is called by another colour; where no name has the adjectives, all may be so.
    """
    said = {*phrase.qualities} - PRAISE
    colours = said & COLOURS
    may_be = tuple(name for name in names if not colours or not {*name.split("_")} & COLOURS - colours)
    return tuple(name for name in may_be if said and said.issubset(name.split("_"))) or may_be


def _number_of(name: str) -> int:
    """Return the number at the end of a name; 0 if there is none."""
    digits = name[len(name.rstrip("0123456789")) :]
    return int(digits or 0)
