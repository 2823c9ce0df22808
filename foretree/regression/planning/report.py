"""What a planning suite came to, whole: its trials, and the forms in which they are told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from foretree.regression.planning._cases import cases
from foretree.regression.planning._document import document
from foretree.regression.planning._results import PlanningResults
from foretree.regression.reports.document import Document
from foretree.regression.reports.junit import Case


@dataclass(frozen=True)
class PlanningReport(PlanningResults):
    """The results of a suite, and the forms in which they are told."""

    def document(self) -> Document:
        """All of it for people."""
        return document(self)

    def cases(self) -> Iterator[Case]:
        """A case for each task in each setting and variant."""
        return cases(self)
