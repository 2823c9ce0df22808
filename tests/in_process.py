"""The command line within the process of the test: quicker than a process of its own by what importing costs."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stderr, redirect_stdout
from subprocess import CompletedProcess
from unittest.mock import patch

from foretree.cli import main


def foretree(*words: str, stdin: str = "", **environment: str) -> CompletedProcess[str]:
    """`foretree WORDS` off a terminal, 80 columns wide."""
    out, err = io.StringIO(), io.StringIO()
    plain = {"COLUMNS": "80", "NO_COLOR": "1", **environment}
    with (
        patch.dict(os.environ, plain),
        patch("sys.stdin", io.StringIO(stdin)),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main(list(words))
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(bool(end.code))
    return CompletedProcess(words, code, out.getvalue(), err.getvalue())
