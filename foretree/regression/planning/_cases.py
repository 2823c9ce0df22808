"""What a planning suite came to as a list of tests, for continuous integration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from foretree.regression.planning._summary import summarise_trials
from foretree.regression.planning.trial import PlanningEpisode
from foretree.regression.reports.junit import Case, Verdict

if TYPE_CHECKING:
    from foretree.regression.planning._results import PlanningResults


def cases(report: PlanningResults) -> Iterator[Case]:
    """A case for each task in each setting and variant."""
    for variant in report.suite.variants:
        for task in report.suite.tasks:
            for setting in report.suite.settings:
                found = report.of(variant=variant, task=task, setting=setting)
                if found:
                    yield _case(f"{report.name}.{variant}", found)


def _case(suite: str, episodes: Sequence[PlanningEpisode]) -> Case:
    """It fails where the whole report is not ok. What else did not succeed is told, not held against it."""
    first = episodes[0]
    failed = [e for e in episodes if not e.success]
    unsound = [e for e in failed if not e.sound]
    verdict: Verdict = "passed"
    if unsound:
        verdict = "error" if any(e.trouble for e in unsound) else "failure"
    summary = summarise_trials("", episodes)
    return Case(
        suite,
        f"{first.level}.{first.task}",
        first.setting,
        sum(e.effort.wall for e in episodes),
        verdict,
        f"{_count(unsound, episodes)} did not end as they must: {unsound[0].fault}" if unsound else "",
        "\n".join(f"seed {e.seed}: {e.details or e.fault}" for e in unsound),
        _told(failed, episodes),
        {
            "comparison": "false" if first.must else "true",
            "success": f"{summary.success.count}/{summary.success.of}",
            "proved": f"{summary.proved.count}/{summary.proved.of}",
            "cost": f"{summary.cost:.1f}",
            "actions": f"{summary.actions:.1f}",
            "first_plan_median": f"{summary.first_median:.3f}",
            "proof_median": f"{summary.proof_median:.3f}",
        },
    )


def _told(failed: Sequence[PlanningEpisode], episodes: Sequence[PlanningEpisode]) -> str:
    """Which seeds did not succeed, whether they had to or not."""
    if not failed:
        return ""
    lines = [f"{_count(failed, episodes)} did not succeed."]
    if not episodes[0].must:
        lines.append("This variant is there for comparison: its plans need not be possible.")
    return "\n".join([*lines, *(f"seed {e.seed}: {e.fault}" for e in failed)])


def _count(some: Sequence[PlanningEpisode], episodes: Sequence[PlanningEpisode]) -> str:
    return f"{len(some)} of {len(episodes)} seeds"
