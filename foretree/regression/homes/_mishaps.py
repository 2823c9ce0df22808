"""Mishaps in homes: counted for each variant, and compared pair by pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from foretree.regression.core.figures import summarise
from foretree.regression.homes._episode import HomeEpisode
from foretree.regression.homes._summary import FIGURES, PairedDifference, in_a_thousand, more, points
from foretree.regression.reports.document import Block, Table


def unwanted_table(reference: str, differences: Sequence[tuple[str, PairedDifference]]) -> Table:
    """Table of how much more of what is unwanted the reference does than each variant, pair by pair."""
    rows = [
        (name, more(found.wrong_picks), more(found.illegal), points(found.believed), more(found.mistakes))
        for name, found in differences
    ]
    headings = (
        "more unwanted than",
        "wrong pick-ups",
        "illegal controls",
        "believed reached, but not (points)",
        "mistakes that cannot be undone",
    )
    return Table(headings, rows, f"How much more {reference} does of what is unwanted, per episode")


def mishap_blocks(groups: Mapping[str, Sequence[HomeEpisode]]) -> Iterator[Block]:
    """Rates of mistakes and refusals of each variant."""
    yield (
        "Mistakes are what was done that cannot be undone and was not asked for. The upper end of an "
        "interval is what may be true at most: none in a few episodes is not yet never. Illegal controls are "
        "those that the home refused. In view: all that mattered was in the frame before."
    )
    found = {name: summarise(FIGURES, group) for name, group in groups.items()}
    yield Table(
        (
            "variant",
            "mistakes",
            "of them in view",
            "episodes with a mistake",
            "illegal controls, in a thousand",
            "of them in view",
            "episodes with one",
        ),
        [
            (
                name,
                f"{one['mistakes'].count} of {one['mistakes'].of}",
                str(one["visible"].count),
                str(one["mistaken"]),
                in_a_thousand(one["illegal"]),
                str(one["in_view"].count),
                str(one["refused"]),
            )
            for name, one in found.items()
        ],
    )
