"""Words cut down to what their forms have in common: "drinks", "drinking" and "drunk" are all "drink"."""

from __future__ import annotations

import re
from functools import lru_cache

_IRREGULAR = {
    form: base
    for base, forms in {
        "drink": "drank drunk", "eat": "ate eaten", "wear": "wore worn", "keep": "kept", "sleep": "slept",
        "sit": "sat", "make": "made", "grow": "grew grown", "bite": "bit bitten", "tooth": "teeth",
        "foot": "feet", "mouse": "mice", "knife": "knives", "leaf": "leaves", "loaf": "loaves",
        "child": "children", "write": "wrote written", "tell": "told", "wake": "woke woken", "hang": "hung",
        "lay": "laid", "lie": "lying lain", "sweep": "swept", "take": "took taken", "hold": "held",
        "break": "broke broken", "tie": "tying", "dig": "dug", "freeze": "froze frozen", "sing": "sang sung",
        "catch": "caught", "throw": "threw thrown", "blow": "blew blown", "draw": "drew drawn",
        "give": "gave given", "get": "got gotten", "put": "putting", "bake": "bakes", "shave": "shaven",
        "beat": "beaten", "buy": "bought", "find": "found", "fight": "fought", "stick": "stuck",
        "see": "saw seen", "hear": "heard", "know": "knew known", "say": "said", "think": "thought",
        "wrap": "wrapped", "come": "came", "go": "went gone goes", "do": "did done does", "have": "had has",
        "run": "ran", "stand": "stood", "spread": "spreads", "shut": "shuts", "build": "built",
        "sew": "sewn", "ring": "rang rung", "feed": "fed", "bleed": "bled", "dry": "dries drier dryer",
        "cereal": "cereals", "spill": "spilt", "bend": "bent", "steal": "stole stolen", "pay": "paid",
    }.items()
    for form in forms.split()
}  # fmt: skip
_PLURALS = (
    ("sses", "ss"),
    ("shes", "sh"),
    ("ches", "ch"),
    ("xes", "x"),
    ("oes", "o"),
    ("ies", "y"),
    ("ss", "ss"),
)
_VOWEL = re.compile(r"[aeiouy]")


@lru_cache(maxsize=8192)
def lemma(word: str) -> str:
    """Return what the forms of a word have in common; it need not be a word."""
    word = _IRREGULAR.get(word, word)
    for ending, instead in _PLURALS:
        if word.endswith(ending) and len(word) > 4:
            word = word.removesuffix(ending) + instead
            break
    else:
        if word.endswith("s") and len(word) > 3 and not word.endswith(("us", "is")):
            word = word[:-1]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and _VOWEL.search(rest):
            word = rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
            break
    if len(word) > 3 and word[-1] in "ey":
        return word[:-1]
    return word
