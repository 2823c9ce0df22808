"""Running a suite of household tasks: first all errands are drawn, then carried out in every variant."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from foretree._version import __version__
from foretree.config import config_roots, find_config
from foretree.perception.gallery import own_gallery_path
from foretree.regression.core.cached_run import Shelf, code_files, digest
from foretree.regression.core.result_cache import ResultCache
from foretree.regression.core.runner import Batch
from foretree.regression.homes._draw import DrawnErrand, draw_errand, troubled_drawing
from foretree.regression.homes._episode import HomeEpisode, HomesTrial, run_trial_in_home, troubled_in_home
from foretree.regression.homes._report import HomesReport
from foretree.regression.homes._suite import Errand, HomesSuite
from foretree.world_model.likely_places import own_places_path

if TYPE_CHECKING:
    from rich.console import Console

#: Seconds on the wall after which a trial, or drawing for one, counts as hung.
TRIAL_LIMIT = 600.0

#: The configs that episodes depend on, besides the suite's own file.
_KINDS = ("agents", "domains", "homes", "skills")


@dataclass(frozen=True)
class RunOptions:
    """How a suite is run.

    Attributes:
        errands: how many errands there are; by default as many as the suite says.
        jobs: how many processes; by default as many as there are processors.
        seed: decides all seeds.
        sweep: whether to find out, too, how success depends on noise.
        keep: whether every episode is kept as a run that can be replayed.
        folder: where results are kept as they come in, and taken from if they are there already.
        limit: seconds on the wall after which something counts as hung.
    """

    errands: int | None = None
    jobs: int | None = None
    seed: int = 0
    sweep: bool = False
    keep: bool = False
    folder: Path | None = None
    limit: float = TRIAL_LIMIT


def run_homes_suite(
    suite: HomesSuite, source: str, manner: RunOptions, console: Console | None = None
) -> HomesReport:
    """Run a suite of household tasks.

    Ctrl-C ends it early, with a report on the episodes that were done by then.

    Args:
        suite: what to run.
        source: the name or file by which it was asked for.
        manner: how to run it.
        console: where progress is shown, if it is a terminal.

    Raises:
        KeptError: results cannot be kept, or are there already but of something else.
    """
    errands = suite.all_errands(manner.errands, manner.seed)
    kept = None
    if manner.folder is not None:
        kept = ResultCache(manner.folder / f"{suite.name}.jsonl", _fingerprint(suite, source, manner.seed))
    try:
        drawing = Batch(errands, partial(draw_errand, suite), troubled_drawing, manner.limit)
        drawn = Shelf(kept, DrawnErrand, _key_of_errand, _key_of_drawn).fill(
            drawing, manner.jobs, console, "errands"
        )
        trials = _trials(suite, drawn.results, manner) if not drawn.missing else ()
        carrying = Batch(
            trials,
            partial(run_trial_in_home, suite, manner.keep),
            partial(troubled_in_home, suite),
            manner.limit,
        )
        shelf = Shelf(kept, HomeEpisode, _key_of_trial, _key_of_episode)
        episodes = shelf.fill(carrying, manner.jobs, console, "episodes")
    finally:
        if kept is not None:
            kept.close()
    # Nothing was carried out where somebody interrupted the drawing.
    missing = len(errands) * len(suite.variants) if drawn.missing else episodes.missing
    return HomesReport(
        suite,
        source,
        manner.seed,
        drawn.results,
        episodes.results,
        drawn.wall + episodes.wall,
        drawn.processor + episodes.processor,
        missing,
        shelf.taken,
    )


def _trials(suite: HomesSuite, drawn: Sequence[DrawnErrand], manner: RunOptions) -> tuple[HomesTrial, ...]:
    """Every errand that could be drawn in every variant, and then some of them with other noise."""
    usable = [one for one in drawn if not one.trouble]
    wanted = [(one, variant, suite.noise) for one in usable for variant in suite.variants]
    if manner.sweep:
        chosen = [name for name in suite.sweep.variants if name in suite.variants]
        wanted += [
            (one, variant, noise)
            for noise in suite.sweep.noise
            if noise != suite.noise
            for one in usable[: suite.sweep.errands]
            for variant in chosen
        ]
    return tuple(HomesTrial(number, *trial) for number, trial in enumerate(wanted))


def _key_of_errand(errand: Errand) -> str:
    return errand.label


def _key_of_drawn(drawn: DrawnErrand) -> str:
    return drawn.errand.label


def _key_of_trial(trial: HomesTrial) -> str:
    return f"{trial.drawn.errand.label} {trial.variant} {trial.noise:g}"


def _key_of_episode(episode: HomeEpisode) -> str:
    return f"{episode.label} {episode.variant} {episode.noise:g}"


def _fingerprint(suite: HomesSuite, source: str, seed: int) -> Mapping[str, str]:
    """What results depend on, besides what they are called."""
    configured = [
        path for root in config_roots() for kind in _KINDS for path in sorted((root / kind).rglob("*.*"))
    ]
    learned = [own_gallery_path(), own_places_path()]
    asks = any("llm" in str(variant.settings.get("revisers", "")) for variant in suite.variants.values())
    return {
        "suite": suite.name,
        "version": __version__,
        "seed": str(seed),
        "reviser": ",".join(suite.revisers),
        "language model": os.environ.get("FORETREE_LLM_MODEL", "") if asks else "",
        "configuration": digest([find_config("suites", source), *configured, *learned]),
        "code": digest(code_files()),
    }
