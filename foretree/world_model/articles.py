"""Indefinite articles of the names of classes: a mug, an egg, scissors."""

from __future__ import annotations

import re

from foretree.world_model.ontology import plain

#: Nouns that have no singular: scissors, not "a scissors".
_PAIRS = re.compile(
    "binoculars|braces|chopsticks|clippers|clothes|cutlery|glasses|goggles|headphones|jeans|keys|leggings|pants|"
    "pliers|pyjamas|pajamas|scissors|shears|shorts|slippers|sunglasses|suspenders|tights|tongs|trousers|tweezers"
)
#: Letters before which "an" is said although they are no vowels, and the other way round.
_AN, _A = ("hour", "honest", "heir"), ("uni", "use", "usb", "uten", "one", "euro", "ukulele")


def with_article(noun: str) -> str:
    """Return *noun* as any one of its kind: a mug, an egg, scissors."""
    words = plain(noun)
    if _PAIRS.fullmatch(words.rpartition(" ")[2]):
        return words
    vowel = words.startswith(("a", "e", "i", "o", "u", *_AN)) and not words.startswith(_A)
    return f"{'an' if vowel else 'a'} {words}"
