"""What language models took in a suite, added up and told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from foretree.reasoning.models.model import Spending
from foretree.regression.reports.document import Block, Table


def together(spent: Iterable[Spending]) -> Spending:
    """All of it."""
    return reduce(Spending.with_, spent, Spending())


def told(spent: Sequence[tuple[str, Spending, int]]) -> Iterator[Block]:
    """What each variant has spent in so many episodes; nothing if no model was asked at all."""
    if not any(one.questions for _, one, _ in spent):
        return
    yield "What was spent on language models in all episodes. Costs are in the currency of the prices."
    headings = (
        "variant",
        "questions",
        "requests",
        "tokens asked",
        "tokens answered",
        "cost",
        "cost per episode",
    )
    rows = [
        (
            name,
            *map(str, (one.questions, one.calls, one.asked, one.answered)),
            f"{one.cost:.4f}",
            f"{one.cost / max(1, episodes):.6f}",
        )
        for name, one, episodes in spent
    ]
    yield Table(headings, rows)
