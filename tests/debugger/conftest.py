"""Servers and browsers for the tests of the debugger. They listen on loopback only."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import until

pytest.importorskip("starlette", reason="the extra `view` is not installed")
pytest.importorskip("uvicorn", reason="the extra `view` is not installed")

from foretree.debugger.page import write_page
from foretree.runs.store import Run, RunStore

sys.path.insert(0, str(Path(__file__).parent))  # for what the tests of this folder share

from viewers import Viewer, recorded, start_viewer

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture
def store(tmp_path) -> RunStore:
    return RunStore(tmp_path / "home" / "runs")


@pytest.fixture
def mango(store) -> Run:
    """A run with a surprise, and a revision because of it."""
    return recorded(
        store, "put the mango into the fridge", "kitchen", "after 1: move mango1 table2", run_id="mango"
    )


@pytest.fixture
def view(store) -> Iterator:
    """Start viewers of the store's runs; they end with the test."""
    started: list[Viewer] = []

    def start(*options: str) -> Viewer:
        started.append(start_viewer(store, *options))
        return started[-1]

    yield start
    for viewer in started:
        viewer.process.terminate()
        viewer.process.communicate(timeout=20)


@pytest.fixture(scope="session")
def browser():
    """A real Chromium. One for all tests of a worker: it takes a second to start."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    playwright.expect.set_options(timeout=20_000)  # as of the tab: a busy machine draws late
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield chromium
        chromium.close()


@pytest.fixture
def tab(browser):
    """A tab in which every error of a script is an error of the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, bypass_csp=True)  # tests look in
    tab = context.new_page()
    tab.set_default_timeout(20_000)
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield tab
    context.close()
    assert errors == []


@pytest.fixture
def page(mango, tmp_path, tab):
    """The page of a run, opened from its file with the network off."""
    write_page([mango], tmp_path / "mango.html")
    tab.context.set_offline(True)
    requests = []
    tab.on("request", lambda request: requests.append(request.url))
    tab.goto((tmp_path / "mango.html").as_uri())
    tab.wait_for_function("foretree.views[0].loaded")
    yield tab
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []


@pytest.fixture
def live(store, tmp_path) -> Iterator:
    """Start sessions that go on while the test watches them; they end with the test.

    What they print is in the file ``terminal.txt``.
    """
    started: list[subprocess.Popen[str]] = []

    def start(*command: str) -> Run:
        environment = {**os.environ, "FORETREE_HOME": str(store.directory.parent), "BROWSER": "true"}
        said = (tmp_path / "terminal.txt").open("w")
        process = subprocess.Popen(
            [sys.executable, "-m", "foretree", "run", *command, "--id", "live"],
            env=environment,
            stdout=said,
            stderr=subprocess.PIPE,
            text=True,
        )
        said.close()
        started.append(process)
        path = store.directory / "live.sqlite"
        until(lambda: path.exists() or process.poll() is not None, "the run begins")
        assert path.exists(), process.communicate()[1]
        return Run(path)

    yield start
    for process in started:
        process.terminate()
        process.communicate(timeout=20)
