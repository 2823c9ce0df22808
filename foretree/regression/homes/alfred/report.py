"""The report on trials of ALFRED: as that on other tasks in homes, but intervals are by room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from shlex import quote
from typing import Any, ClassVar

from foretree.regression.core.statistics import Rate
from foretree.regression.homes._episode import HomeEpisode, HomesTrial, HomeTrials
from foretree.regression.homes.alfred._draw import DrawnTrial
from foretree.regression.homes.alfred._episode import AlfredResult, AlfredTrials
from foretree.regression.homes.alfred.suite import AlfredSuite
from foretree.regression.homes.report import HomesReport
from foretree.regression.reports.document import Section, Table
from foretree.simulation.grid_homes.alfred.classes import load_alfred_classes


@dataclass(frozen=True)
class AlfredReport(HomesReport):
    """The report on trials of ALFRED."""

    kind = "alfred"
    result = AlfredResult
    intervals_are: ClassVar[str] = (
        "Intervals hold 95 %; they are those of a bootstrap in which rooms are drawn, with all that was done "
        "there."
    )

    suite: AlfredSuite
    drawn: tuple[DrawnTrial, ...] = ()

    @property
    def refused(self) -> tuple[DrawnTrial, ...]:
        """The trials of which no home could be made in which the task can be done."""
        return tuple(one for one in self.drawn if one.refusal)

    @property
    def introduction(self) -> str:
        """Return what was run, and what the figures are."""
        rooms = len({one.errand.room for one in self.drawn})
        asked = "people's own descriptions" if self.suite.described else "the goals"
        made = Rate(sum(one.usable for one in self.drawn), len(self.drawn))
        return (
            f"{len(self.drawn)} trials of ALFRED in {rooms} rooms; of {made.count} of them "
            f"({100 * made.value:.1f} %) a home was made in which a planner with full knowledge "
            f"reaches the goal. The agent was given {asked}. {super().introduction}"
        )

    def kinds_of(self, episode: HomeEpisode) -> tuple[str, ...]:
        """The kind of the room."""
        number = int(episode.layout.removeprefix("FloorPlan"))
        return (load_alfred_classes().room_kind(number) or "",)

    def kinds(self) -> tuple[str, ...]:
        """The kinds of rooms."""
        found = {kind for episode in self.episodes for kind in self.kinds_of(episode)}
        return tuple(kind for kind in load_alfred_classes().rooms if kind in found)

    def command(self, episode: HomeEpisode) -> str:
        """Command that carries one episode out again, and keeps it to be replayed."""
        seed = f" --seed {self.selection.seed}" if self.selection.seed else ""
        reviser = f" --reviser {','.join(self.suite.revisers)}" if self.suite.revisers else ""
        words = " --descriptions" if self.suite.described else ""
        lasting = self.selection.persistence
        words += "" if lasting is None else f" --noise-persistence {lasting:g}"
        which = f"--only {episode.label} --variant {episode.variant} --noise {episode.noise:g}"
        return f"foretree regress alfred {quote(str(self.suite.folder))} {which}{seed}{reviser}{words} --keep"

    def extra_sections(self) -> Iterator[Section]:
        """The trials of which no home could be made, and why."""
        if self.refused:
            rows = [(one.label, one.layout, one.errand.family, one.refusal) for one in self.refused]
            yield Section("Trials that are no homes", (Table(("trial", "room", "family", "why"), rows),))
        elif self.suite.checked:
            yield Section("Trials", ("Of every trial a home was made in which the goal can be reached.",))

    def failures(self) -> Iterator[tuple[HomeEpisode, HomeTrials, HomesTrial]]:
        """The episodes that failed."""
        for episode, _, trial in super().failures():
            yield episode, AlfredTrials(self.suite), trial

    def aggregates(self) -> dict[str, Any]:
        """The summaries, and how many trials became homes."""
        count = Counter(one.usable for one in self.drawn)
        return {"homes": {"made": count[True], "refused": count[False]}, **super().aggregates()}
