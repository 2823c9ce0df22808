"""Words for the looks of things, their worth and other qualities that are not believed of things.

They are right where only one thing can be meant anyway.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.lexicon import after_any, phrases

#: Said of any thing that is wanted: "a nice mug" is any mug.
PRAISE = frozenset(
    re.findall(
        r"[\w-]+",
        """
        nice lovely good great fine decent proper beautiful pretty delicious tasty yummy wonderful
        delightful suitable appropriate random little poor silly damn bloody stupid dear precious own
        whole entire actual
        """,
    )
)
_COMMON = frozenset(
    re.findall(
        r"[\w-]+",
        """
        old new favourite favorite usual normal ordinary regular special fancy cheap expensive heavy light
        soft empty fresh ripe stale broken cracked chipped torn worn sharp blunt modern antique vintage
        posh cute ugly best worst better newest oldest biggest smallest largest tallest shortest cleanest
        nicest prettiest heaviest lightest warmest coldest longest widest thickest thinnest fullest
        emptiest freshest ripest latest newer older bigger smaller larger taller shorter longer thicker
        thinner third fourth fifth sixth next previous final middle main spare extra additional similar
        different matching porcelain china silk cotton woollen wool velvet denim turquoise violet maroon
        crimson navy bronze copper brass steel iron linen fluffy tartan checked chequered spotted
        colourful colorful multicoloured transparent see-through unfinished unopened half-empty half-full
        half-eaten dry wet damp moist dampened moistened soaked soaking soggy dripping remaining missing
        other-coloured handmade homemade organic
        """,
    )
)
#: Said of what was just held under the tap: "a wet cloth" is to be rinsed.
WET = frozenset({"wet", "damp", "moist", "dampened", "moistened", "soaked", "soaking", "dripping"})
#: Nouns before nouns that say no more than an adjective does: when or where a thing is used, its wearer, its
#: pattern or its stuff.
BEFORE_NOUNS = frozenset(
    re.findall(
        r"[\w-]+",
        """
        winter summer autumn spring fall christmas xmas easter sunday monday tuesday wednesday thursday friday
        saturday weekend weekday holiday birthday wedding party picnic beach travel school college university
        work office business sports gym football hiking walking running gardening cooking baking reading
        writing breakfast lunch dinner supper tea coffee dessert cocktail evening morning night bedtime
        guest baby toddler children kiddie family company gift souvenir designer vintage charity army hospital
        hotel bargain duplicate leopard polka-dot floral flower stripe check patchwork pinstripe paisley tweed
        fleece satin polyester nylon corduroy lace mohair cashmere wickerwork rattan bamboo oak pine beech
        mahogany teak walnut marble granite glass metal crystal enamel stoneware earthenware pottery clay tin
        chrome cardboard rubber vinyl paper hardwood wood chipboard suede faux-leather sheepskin feather down
        jumbo mini giant king-size queen-size pocket travel-size emergency backup reserve replacement
        everyday household domestic home garden outdoor indoor utility rain snow weather
        """,
    )
)
#: Endings of adjectives, of words that are none else.
_ADJECTIVE = re.compile(
    r"\w{3,}(?:ish|less|ful|ous|est|ed|coloured|colored|like|shaped|sized|able|ible|ing)|\w{4,}y",
)
_HAVING = phrases("with, without")
_MADE = phrases(
    """
    made of, made out of, made from, called, named, titled, entitled, labelled, labeled, marked, painted, from
    """
)
#: Nothing of what a thing has or is made of is one of these.
_NO_PART = frozenset(
    {*lexicon.CONNECTIVES, *lexicon.IT, *lexicon.THEM, *lexicon.SPEAKER, *lexicon.THERE, *lexicon.RELATIVE}
    | {
        "in",
        "on",
        "into",
        "onto",
        "to",
        "from",
        "at",
        "under",
        "or",
        "if",
        "back",
        "away",
        "off",
        "out",
        "up",
        "down",
    }
)
_DETERMINING = frozenset({*lexicon.DEFINITE, *lexicon.INDEFINITE, *lexicon.NUMBERS, "no", "some"})
_ON_IT = phrases("on it, on them, on the side, on the front, on top, around it, all over it, all over, in it")
#: So many words name what a thing has or is made of.
_LONGEST = 4


def is_quality(word: str, known: Collection[str]) -> bool:
    """Return whether a word in front of a noun is an adjective that says nothing that is believed.

    Args:
        known: words that have another meaning.
    """
    if word in _COMMON or word in PRAISE:
        return True
    return word not in known and _ADJECTIVE.fullmatch(word) is not None


def looks_at(tokens: Sequence[str], at: int, known: Collection[str]) -> Iterator[int]:
    """Yield every end of what is said of the looks of a thing behind its noun: "with blue stripes".

    What names things that are known is no such thing.
    """
    having = after_any(tokens, at, _HAVING)
    start = having or after_any(tokens, at, _MADE)
    if start is None:
        return
    start += tokens[start : start + 1] != [] and tokens[start] in _DETERMINING
    for end in range(min(start + _LONGEST, len(tokens)), start, -1):
        said = tokens[start:end]
        if any(word in _NO_PART or word in _DETERMINING for word in said) or said[-1] in known:
            continue
        if said[-1] in ("hand", "hands"):
            continue  # what a deed is done with
        if having is not None and (longer := after_any(tokens, end, _ON_IT)) is not None:
            yield longer
        yield end
