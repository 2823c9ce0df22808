"""Results of suites of household tasks as a list of tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from foretree.regression.homes._episode import HomeEpisode
from foretree.regression.homes._summary import cause_of, success_of
from foretree.regression.reports.junit import Case, Verdict
from foretree.regression.reports.remarks import in_short

if TYPE_CHECKING:
    from foretree.regression.homes._results import HomesResults


def cases(report: HomesResults) -> Iterator[Case]:
    """A case for each family in each variant."""
    for variant in report.variants:
        for family in report.suite.families:
            given = [e for e in report.episodes if e.variant == variant.name and e.family == family]
            if given:
                yield _case(report.name, given)


def fault(episode: HomeEpisode) -> str:
    """In what an episode did not end as it must."""
    if episode.trouble:
        return in_short(episode.trouble, episode.details)
    if episode.running:
        return f"left running: {', '.join(episode.running)}"
    if episode.alive:
        return f"left alive: {', '.join(episode.alive)}"
    return f"did what cannot be undone, and could see that: {', '.join(episode.visible)}"


def _case(suite: str, episodes: Sequence[HomeEpisode]) -> Case:
    first, bad = episodes[0], [episode for episode in episodes if not episode.sound]
    verdict: Verdict = "passed"
    if bad:
        verdict = "error" if any(episode.trouble for episode in bad) else "failure"
    missed = [e for e in episodes if e.sound and not e.success]
    success = success_of(episodes)
    return Case(
        f"{suite}.{first.variant}",
        suite,
        first.family,
        sum(episode.effort.wall for episode in episodes),
        verdict,
        f"{len(bad)} of {len(episodes)} episodes: {fault(bad[0])}" if bad else "",
        "\n".join(f"{episode.label}: {episode.details or fault(episode)}" for episode in bad),
        "\n".join(f"{episode.label}: {cause_of(episode)}" for episode in missed),
        {"success": f"{success.count}/{success.of}"},
    )
