"""Replays of episodes that failed in a suite: each is carried out once more, recorded, as one page."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from foretree.debugger.page import write_page
from foretree.regression.core.agent_episode import SessionTrialKind
from foretree.regression.reports.suite_report import SuiteReport
from foretree.runs.recorder import RunRecorder
from foretree.runs.store import RunStore

#: So many episodes at most: a suite that fails altogether is not written down a thousand times.
MOST = 20

#: The folder beside the report.
FOLDER = "replays"


def with_replays(
    report: SuiteReport[Any, Any], folder: Path, progress: Callable[[str], object] = lambda line: None
) -> SuiteReport[Any, Any]:
    """Write a page for each of the first failed episodes of a suite, and link the report to them.

    An episode always runs in the same way, so it need not have been recorded at first.

    Args:
        report: what came of the suite.
        folder: where the report goes.
        progress: is told what is being done.
    """
    failed = list(islice(report.failures(), MOST))
    if not failed:
        return report
    progress(f"recording {len(failed)} failed {report.what} for their replays")
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    written = []
    for number, (episode, kind, trial) in enumerate(failed, 1):
        progress(f"replay {number} of {len(failed)}: {episode.title}")
        written.append((episode.title, _write(episode.title, kind, trial, folder)))
    return replace(report, replays=tuple(written))


def _write(title: str, kind: SessionTrialKind[Any, Any], trial: Any, folder: Path) -> str:
    """Write the page of one episode; return its path from the folder of the report."""
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    with TemporaryDirectory() as place:
        run = RunStore(place).create(title, run_id=name)
        recorder = RunRecorder(run)
        outcome = kind.carry_out_recorded(trial, kind.limit, recorder)["outcome"]
        recorder.close(outcome)
        page = Path(FOLDER) / f"{name}.html"
        write_page([run], folder / page)
    return page.as_posix()
