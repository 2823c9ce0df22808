"""Things told by what they are not: "all that is not *a mug*", "everything here that isn't *the knife*"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.phrases.descriptions import NounPhrase


def after_denial(tokens: Sequence[str], at: int) -> int | None:
    """Return where a clause such as "that is not" ends; None if none begins at a position."""
    said = [*tokens[at : at + 3], "", "", ""]
    if said[0].endswith("'s") and said[1] == "not" and said[0][:-2] in lexicon.RELATIVE:
        return at + 2
    if said[0] not in lexicon.RELATIVE:
        return None
    if said[1] in ("isn't", "aren't"):
        return at + 2
    return at + 3 if said[1] in ("is", "are") and said[2] == "not" else None


def without_kinds(
    phrase: NounPhrase, kinds: Iterable[tuple[NounPhrase, int]], classes: Mapping[str, str]
) -> Iterator[tuple[NounPhrase, int]]:
    """Yield a phrase without each of some kinds of things, with where the words for the kind end.

    Args:
        phrase: the phrase that a clause is said of.
        kinds: what the clause says that the things are not.
        classes: the classes of things by their names.
    """
    for kind, end in kinds:
        class_name = classes.get(kind.name or "", kind.class_name)
        # "All on the counter that is not a mug": no counter is one.
        among = phrase.class_name is None or class_name in (phrase.class_name, *phrase.others)
        if class_name and among and kind.picks in ("a", "all", "the", "name"):
            one = kind if kind.picks == "name" or kind.determined else replace(kind, picks="all", plural=True)
            every = replace(one, picks="all", plural=True) if one.picks == "a" else one
            yield phrase.leaving_out(every), end
