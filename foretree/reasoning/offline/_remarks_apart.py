"""Instructions read without the remarks in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from foretree.reasoning.instruction_errors import AmbiguousError, InstructionError
from foretree.reasoning.offline.lexicon import tokens_of
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.offline.sentences.courtesies import load_courtesies
from foretree.reasoning.offline.sentences.prohibitions import check_free, check_of_all
from foretree.reasoning.reasoner import Situation, Understanding


def beside_remarks(
    instruction: str,
    situation: Situation,
    verbs: Collection[str],
    read: Callable[[str, Situation], Understanding | None],
) -> Understanding | None:
    """Return the understanding of what is said beside remarks; None if there are none.

    Args:
        instruction: the words.
        situation: what is known.
        verbs: the words that commands begin with.
        read: understands the rest; the things that remarks name are spoken of.

    Raises:
        NotUnderstoodError: a remark forbids something.
        AmbiguousError: the rest may be about several things.
    """
    # Dear to load: plain requests do without.
    from foretree.reasoning.offline.english.remarks.finder import RemarkFinder
    from foretree.reasoning.offline.phrases.mentions import things_named

    finder = RemarkFinder(verbs, situation.ontology.words_of_names)
    tokens = load_courtesies().without_asides(tokens_of(instruction, marks=True))
    apart = finder.apart(tokens)
    if apart is None:
        return None
    for remark in apart.remarks:
        check_free(remark)
        if f" but {' '.join(remark)}" in " ".join(tokens):
            check_of_all(remark, (tokens_of(apart.rest),))
    named: Discourse = ()
    for told in apart.told:
        things = things_named(told, situation)
        if apart.goes_back and not things and finder.names_unknown(told):
            return None  # "I bought a kite, put it on the table"
        named = (*named, *things)
    try:
        found = read(apart.rest, replace(situation, spoken_of=(*situation.spoken_of, *named)))
    except AmbiguousError:
        raise
    except InstructionError:
        return None
    return None if found is None or found.answer else beside(found, apart.remarks)


def beside(found: Understanding, remarks: Sequence[Sequence[str]]) -> Understanding:
    """Return the understanding with what was told besides."""
    if not remarks:
        return found
    said = ", ".join(f'"{" ".join(remark)}"' for remark in remarks)
    return replace(found, sentence=f"{found.sentence}; nothing else is done about {said}")
