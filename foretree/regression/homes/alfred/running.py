"""Running trials of ALFRED: first homes are made of them, then they are carried out in every variant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from foretree.regression.core.result_cache import digest
from foretree.regression.core.selection import Selection
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.homes.alfred._draw import TrialDrawing
from foretree.regression.homes.alfred._episode import AlfredResult, AlfredTrials
from foretree.regression.homes.alfred.report import AlfredReport
from foretree.regression.homes.alfred.suite import (
    VARIANTS_OF,
    AlfredSuite,
    TrialErrand,
    open_alfred_suite,
)
from foretree.regression.homes.running import all_trials, carry_out_trials, fingerprint
from foretree.simulation.grid_homes.alfred.trials import trial_files

__all__ = ["open_alfred_suite", "run_alfred_suite"]


def run_alfred_suite(suite: AlfredSuite, run: SuiteRun) -> AlfredReport:
    """Carry out trials of ALFRED, or only make homes of them.

    Ctrl-C ends it early, with a report on the episodes that were done by then.

    Raises:
        AlfredError: the trials cannot be read.
        ResultCacheError: results cannot be kept, or are there already but of something else.
    """
    selection = run.selection
    errands = cast("tuple[TrialErrand, ...]", suite.all_errands(selection.episodes, selection.seed))
    with run.with_cache(suite.name, lambda: _made_of(suite, selection)) as cached:
        # Which trials there are follows from all homes, so every shard makes all of them.
        drawn = cached.results(TrialDrawing(suite), errands, "homes", in_every_shard=True)
        carried_out = not drawn.missing and not suite.checked
        trials = all_trials(suite, drawn.results, selection.sweep) if carried_out else ()
        episodes = carry_out_trials(suite, cached, AlfredTrials(suite, selection.keep), trials)
    left = len(errands) * len(suite.variants) if not suite.checked else drawn.missing
    return AlfredReport(
        suite,
        cast("tuple[AlfredResult, ...]", episodes.results),
        selection,
        drawn.results,
        wall=drawn.wall + episodes.wall,
        processor=drawn.processor + episodes.processor,
        # Nothing was carried out where the making of homes was interrupted.
        missing=left if drawn.missing else episodes.missing,
        reused=episodes.reused,
    )


def _made_of(suite: AlfredSuite, selection: Selection) -> Mapping[str, str]:
    """Everything that results depend on, besides their names."""
    return {
        **fingerprint(suite, selection, VARIANTS_OF),
        "folder": digest(trial_files(suite.folder)),
        "words": str(suite.described),
    }
