"""Replays of episodes that failed in a suite: each is carried out once more, recorded, as one page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from foretree.debugger.page import write_page
from foretree.regression.reports.suite_report import SuiteReport
from foretree.regression.sessions.episode import SessionEpisode, SessionTrials
from foretree.regression.sessions.report import SessionReport
from foretree.regression.sessions.suite import ScenarioTrial
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore

#: So many episodes at most: a suite that fails altogether is not written down a thousand times.
MOST = 20
#: Ticks after which an episode that hung is cut off.
_MOST_TICKS = 20_000

#: The folder beside the report.
FOLDER = "replays"


def with_replays(
    report: SuiteReport[Any, Any], folder: Path, progress: Callable[[str], object] = lambda line: None
) -> SuiteReport[Any, Any]:
    """Write a page for each of the first failed episodes of a suite of sessions, and link the report to them.

    An episode with the same seed always runs in the same way, so it need not have been recorded at first.

    Args:
        report: what came of the suite.
        folder: where the report goes.
        progress: is told what is being done.
    """
    if not isinstance(report, SessionReport):
        return report
    failed = [episode for episode in report.episodes if not (episode.success and episode.sound)][:MOST]
    if not failed:
        return report
    progress(f"recording {len(failed)} failed episodes for their replays")
    kind = SessionTrials(report.suite)
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    written = [(episode.title, _write(kind, episode, folder)) for episode in failed]
    return replace(report, replays=tuple(written))


def _write(kind: SessionTrials, episode: SessionEpisode, folder: Path) -> str:
    """Write the page of one episode; return its path from the folder of the report."""
    name = f"{episode.scenario}-{episode.variant}-{episode.seed}"
    with TemporaryDirectory() as place:
        run = RunStore(place).create(episode.title, run_id=name)
        recorder = RunRecorder(run)
        trial = ScenarioTrial(episode.number, episode.scenario, episode.variant, episode.seed)
        session, _ = kind.open(trial, recorder)
        while session.result is None and session.ticks < _MOST_TICKS:
            session.step()
        if session.result is None:
            session.cancel(f"cut off after {_MOST_TICKS} ticks")
        assert session.result is not None
        recorder.close(session.result.outcome)
        page = Path(FOLDER) / f"{name}.html"
        write_page([run], folder / page)
    return page.as_posix()
