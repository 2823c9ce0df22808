"""Plain wording of requests, whatever the complements of their verbs.

"Get it up off the floor and onto the shelf" is "put it onto the shelf", "leave it standing on the counter" is
"leave it on the counter". Each rule keeps what is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from foretree.reasoning.offline.english._clause_words import Words
from foretree.reasoning.offline.english.complements.being import (
    emptied_in,
    emptied_on,
    in_a_state,
    lacking,
    with_speaker,
)
from foretree.reasoning.offline.english.complements.doing import (
    by_doing,
    by_hand,
    given,
    in_each_hand,
    intensive,
    let,
    made,
    opened,
    poured,
    pulled_to,
    switched,
    taking_tool,
    with_tool,
)
from foretree.reasoning.offline.english.complements.going import coming_with, going
from foretree.reasoning.offline.english.complements.placing import (
    covering,
    directed,
    displaced,
    for_itself,
    from_floor,
    moved,
    of_parts,
    postured,
    sourced,
    to_speaker,
)
from foretree.reasoning.offline.english.words import Sentence

_Rule = Callable[[Sentence], "Words | None"]
#: In the order in which they are tried.
_RULES: tuple[_Rule, ...] = (
    intensive,
    let,
    by_doing,
    with_tool,
    from_floor,
    coming_with,
    to_speaker,
    in_each_hand,
    by_hand,
    given,
    opened,
    pulled_to,
    displaced,
    postured,
    made,
    poured,
    of_parts,
    for_itself,
    switched,
    directed,
    moved,
    with_speaker,
    in_a_state,
    lacking,
)
#: Rules that say something else; the words before count first.
_LAST: tuple[_Rule, ...] = (going, covering, sourced, emptied_in, emptied_on)
#: So often rules are applied to one request.
_MOST = 8


def plainer(sentence: Sentence) -> Iterator[Words]:
    """Yield plainer wordings of a request, the nearest first."""
    if not sentence.words:
        return
    if (taking := taking_tool(sentence)) is not None:
        yield taking  # so that "it" goes on with the tool
    found = {sentence.words: None}
    sentence = _through(sentence, _RULES, found)
    for rule in _LAST:
        _through(sentence, (rule, directed), found)
    yield from (words for words in found if words != next(iter(found)))


def _through(sentence: Sentence, rules: Sequence[_Rule], found: dict[Words, None]) -> Sentence:
    """Return the sentence after all rules that apply, with each wording on the way added to *found*."""
    for _ in range(_MOST):
        words = next(filter(None, (rule(sentence) for rule in rules)), None)
        if words is None or words in found:
            break
        found[words] = None
        sentence = replace(sentence, words=words)
    return sentence
