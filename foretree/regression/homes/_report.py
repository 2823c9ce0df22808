"""What a suite of household tasks came to, whole: its episodes, and the forms in which they are told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from foretree.regression.homes._cases import cases
from foretree.regression.homes._document import document
from foretree.regression.homes._results import HomesResults
from foretree.regression.reports.document import Document
from foretree.regression.reports.junit import Case


@dataclass(frozen=True)
class HomesReport(HomesResults):
    """The results of a suite, and the forms in which they are told."""

    def document(self) -> Document:
        """All of it for people."""
        return document(self)

    def cases(self) -> Iterator[Case]:
        """A case for each family in each variant."""
        return cases(self)
