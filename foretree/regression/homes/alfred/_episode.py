"""Results of trials, which come in rooms."""

from __future__ import annotations

from dataclasses import dataclass

from foretree.regression.homes._episode import HomeEpisode, HomeTrials


@dataclass(frozen=True)
class AlfredResult(HomeEpisode):
    """Result of one trial in one variant."""

    @property
    def cluster(self) -> str:
        """The room: what holds of one trial there holds of others there, too."""
        return self.layout


@dataclass(frozen=True)
class AlfredTrials(HomeTrials):
    """The trials of ALFRED, each in a variant."""

    result = AlfredResult
