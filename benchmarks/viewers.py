"""A viewer in a process of its own, and Chromium to look at it with."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright


@dataclass(frozen=True)
class Viewer:
    """A viewer that listens on loopback.

    Attributes:
        address: the address of its page.
        pid: the number of its process.
    """

    address: str
    pid: int

    def resident(self) -> float:
        """Megabytes that its process has in memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def viewer(home: str, *options: str) -> Iterator[Viewer]:
    """Start ``foretree view`` for the runs below *home*; it ends with the body."""
    server = subprocess.Popen(
        [sys.executable, "-m", "foretree", "view", *options, "--no-browser", "--port", "0"],
        env={**os.environ, "FORETREE_HOME": home},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found is not None
        yield Viewer(found[0], server.pid)
    finally:
        server.terminate()
        server.wait()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium; it ends with the body."""
    with sync_playwright() as driver:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def open_page(browser: Browser) -> Page:
    """A page that a benchmark can look into."""
    return browser.new_page(viewport={"width": 1280, "height": 800}, bypass_csp=True)
