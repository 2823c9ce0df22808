"""Offline means offline: no process of Foretree looks up a name, opens a connection or listens, unless asked to."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from foretree.regression.language.scripted_model import MODEL, scripted_server

#: Runs at the start of every Python process, children included. Connections on the machine's file system
#: (AF_UNIX) are none to a network.
_GUARD = """
    import os, sys

    def refuse(event, arguments):
        if not event.startswith("socket."):
            return
        if event in ("socket.__new__", "socket.gethostname"):  # to make one, or to say one's own name, is no call
            return
        address = arguments[1] if len(arguments) > 1 else arguments
        if event != "socket.getaddrinfo" and isinstance(address, (str, bytes)):
            return
        with open(os.environ["NETWORK_CALLS"], "a") as file:
            file.write(f"{event} {arguments!r}\\n")
        raise OSError(f"the network is blocked: {event}")

    sys.addaudithook(refuse)
"""


@pytest.fixture
def blocked(tmp_path):
    """Runs a Python process without a network; the calls that it has tried to make."""
    (tmp_path / "guard").mkdir()
    (tmp_path / "guard" / "sitecustomize.py").write_text(textwrap.dedent(_GUARD))
    calls = tmp_path / "calls"

    def run(*words: str, **more: str) -> tuple[subprocess.CompletedProcess[str], str]:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("FORETREE_", "OPENAI_"))}
        environment = {
            **inherited,
            "PYTHONPATH": os.pathsep.join([str(tmp_path / "guard"), str(Path(__file__).parents[1])]),
            "NETWORK_CALLS": str(calls),
            "FORETREE_RUNS": str(tmp_path / "runs"),
            "HOME": str(tmp_path),
            **more,
        }
        done = subprocess.run(
            [sys.executable, *words],
            capture_output=True,
            text=True,
            timeout=100,
            env=environment,
            check=False,
        )
        return done, calls.read_text() if calls.exists() else ""

    return run


CLI = ("-m", "foretree")


def test_what_is_blocked_is_noticed(blocked):
    """In children, too, and where a model is asked: so that the tests below mean something."""
    inner = "import socket; socket.create_connection(('127.0.0.1', 9))"
    done, calls = blocked("-c", f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])")
    assert "socket." in calls
    assert "the network is blocked" in done.stderr


def test_a_model_is_asked_over_the_network(blocked):
    pytest.importorskip("openai")
    with scripted_server() as url:
        done, calls = blocked(
            *CLI, "run", "put the mango into the fridge", "--set", "agent.reasoner=openai",
            "--set", "agent.llm_retries=0", FORETREE_LLM_URL=url, FORETREE_LLM_MODEL=MODEL,
        )  # fmt: skip
    assert "socket." in calls
    assert done.returncode != 0


@pytest.mark.parametrize(
    "words",
    [
        (
            "run",
            "put the mango into the fridge",
            "--scene",
            "kitchen",
            "-f",
            "after 1: move mango1 on table2",
        ),
        ("plan", "put the mango into the fridge"),
        ("affordances", "show", "espresso cup"),
        ("doctor",),
        ("regress", "smoke", "-n", "1", "-j", "2", "--only", "mango-moved"),
    ],
    ids=lambda words: words[0],
)
def test_offline_no_command_calls_anywhere(blocked, words):
    done, calls = blocked(*CLI, *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert calls == ""


def test_offline_no_session_calls_anywhere(blocked):
    done, calls = blocked(
        "-c",
        "from foretree.bringup.embedded import open_household; from foretree.bringup.options import Wish;"
        "session, world = open_household('flat', Wish('put the mug into the dishwasher and open the fridge'));"
        "print(session.run())",
    )
    assert done.returncode == 0, done.stderr
    assert "outcome=" in done.stdout
    assert calls == ""
