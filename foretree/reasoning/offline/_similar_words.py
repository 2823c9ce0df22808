"""Words that may have been meant by unknown ones: near in spelling, or in meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

#: Verbs that no form needs to have, each with words of the same meaning, the nearest first.
_MEANINGS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("bake", "boil", "cook", "fry", "microwave", "reheat", "roast", "toast"), ("heat",)),
    **dict.fromkeys(("freeze", "refrigerate"), ("cool", "chill")),
    **dict.fromkeys(("deposit", "insert", "stack", "stick", "stow", "stuff"), ("put",)),
    **dict.fromkeys(("discard", "toss", "trash", "dump"), ("throw", "put")),
    **dict.fromkeys(("catch", "clutch", "grip", "lift", "seize", "snatch"), ("pick up", "grab")),
    **dict.fromkeys(("collect", "gather", "obtain", "remove", "retrieve"), ("take", "bring")),
    **dict.fromkeys(("convey", "drag", "haul", "shift", "transfer", "transport"), ("carry", "move")),
    **dict.fromkeys(("offer", "present", "serve", "supply"), ("bring", "give")),
    **dict.fromkeys(("scour", "scrub", "wet"), ("wash",)),
    **dict.fromkeys(("dust", "mop", "polish", "sweep"), ("wipe",)),
    **dict.fromkeys(("activate", "enable", "launch"), ("turn on", "start")),
    **dict.fromkeys(("deactivate", "disable", "extinguish"), ("turn off",)),
    **dict.fromkeys(("carve", "dice", "halve", "mince", "peel"), ("slice", "cut")),
    **dict.fromkeys(
        ("advance", "approach", "enter", "fly", "head", "proceed", "run", "travel", "visit"), ("go",)
    ),
    **dict.fromkeys(("look", "see", "view", "watch"), ("look at",)),
    **dict.fromkeys(("seal", "lock"), ("close",)),
    **dict.fromkeys(("unlock", "unseal"), ("open",)),
}
#: Words that mean what they say, though they look like others.
_NO_SLIPS = frozenset(
    re.findall(
        r"\w+",
        """
    able ago air also are art ask away back bad ball bar base bean best big black blue body boy brown
    came can car card case cat chair cheap coat cold color come could dark date day dead deal dear deep
    did do does dog done door down dry each ear east easy eat else even ever eye face fact far fast fat
    feel few field fine fire fit five floor food foot for four free friend full fun game girl gone good
    gray green grey had hair half hall happy hard has have he head hear heart heat here high him his
    home hot hour house how if ill into is job kind know lady large last late left less let life like
    line lip list little live long look lost lot loud love low made main make man many may mean men mind
    mine more most mouse much must name near neck need nice night no none nor nose not now off old once
    only or our out over own pair part past pet pink play poor quite rain read real red rest rich right
    road room run sad safe said same sand saw say sea see seem self sell send she ship short should show
    shy sick side sing sit sky sleep slow small so soft son song soon sort stay still such sun tall tell
    test than that then there they thin think this tie time tiny to told tone too top town toy tree true
    try ugly until up us use very walk wall want war warm was way we weak wear well went were west wet
    what when where while white who whole why wide wife win wind wine wise wish with wood word work
    would yard yellow yes yet you young
    bee bus cap corn cow dad desk doll fan frog gift glue ham hen ice jam jar juice lid meat milk mom mum
    nut oil onion oven pea pear pen pie pig pill pizza pot rag rat rice rug salad salt sauce shoe soap soup
    spice steak stove tap tape tea tray tub vase
        """,
    )
)
#: What may be meant is only said of so many words.
_MOST = 3


def similar_words(word: str, valid: Iterable[str], *, verb: bool = False) -> tuple[str, ...]:
    """The *valid* words that *word* may be a slip for, or that mean the same as the verb; nearest first."""
    names = sorted(set(valid))
    if verb and word in _MEANINGS:
        return tuple(other for other in _MEANINGS[word] if other.split()[0] in names)[:_MOST]
    # In a short word, one letter makes another word of it; slips hardly ever hit the first.
    most = 0 if len(word) < 3 or word in _NO_SLIPS else 1 if len(word) < 7 else 2
    found = [(edit_distance(word, name), name) for name in names if name[0] == word[0]]
    return tuple(name for far, name in sorted(found) if 0 < far <= most)[:_MOST]


def edit_distance(one: str, other: str) -> int:
    """Letters to be left out, added, changed or swapped with the next to make *other* of *one*."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]
