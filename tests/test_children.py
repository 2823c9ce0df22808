"""Children that are forks: what they have of their parent, and what not."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks are made on Linux only")


def said(script: str) -> list[str]:
    """What a process says that has no threads but its own."""
    head = "import os, signal, subprocess, sys, threading\nfrom foretree.children import *\n"
    done = subprocess.run(
        [sys.executable, "-c", head + textwrap.dedent(script)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_it_is_spoken_with_and_ends() -> None:
    assert said(
        """
        child = Fork(lambda: os.write(1, os.read(0, 100).upper()))
        child.stdin.write(b"words")
        child.stdin.close()
        print(child.stdout.read().decode(), child.wait(), child.wait(1))
        """
    ) == ["WORDS 0 0"]


def test_only_a_program_of_its_own_without_threads_forks() -> None:
    assert said(
        """
        print(may_fork())
        allow_forks()
        print(may_fork())
        reading, writing = os.pipe()
        threading.Thread(target=os.read, args=(reading, 1)).start()
        print(may_fork())
        os.write(writing, b"1")
        """
    ) == ["False", "True", "False"]


def test_it_has_neither_the_files_nor_the_handlers_nor_the_session_of_its_parent() -> None:
    *said_of_it, mask = said(
        """
        file = open("/etc/hostname")
        other = Fork(lambda: os.read(0, 1))
        signal.signal(signal.SIGTERM, lambda *_: print("the parent's"))
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

        def serve():
            open_ = [int(name) for name in os.listdir("/proc/self/fd")]
            handlers = [signal.getsignal(n) for n in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)]
            expected = [signal.SIG_DFL, signal.SIG_IGN, signal.SIG_DFL]
            leads = os.getsid(0) == os.getpid() == os.getpgrp()
            os.write(1, f"{max(open_[:-1])} {handlers == expected} {leads}\\n".encode())
            os.write(1, str(sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ()))).encode())

        child = Fork(serve)
        print(child.stdout.read().decode())
        child.wait()
        other.stdin.close()
        assert other.wait() == 0  # nobody else had its end of the pipe
        """
    )
    assert said_of_it == ["2 True True"]
    assert mask == "[]"


@pytest.mark.parametrize(
    ("deed", "code"),
    [
        ("None", 0),
        ("1 / 0", 1),
        ("sys.exit()", 0),
        ("sys.exit(7)", 7),
        ("sys.exit('why')", 1),
        ("os.kill(os.getpid(), signal.SIGKILL)", -9),
        ("os.kill(os.getpid(), signal.SIGTERM)", -15),
    ],
)
def test_it_ends_with_a_code_and_nothing_of_the_parents_work_is_done_again(deed: str, code: int) -> None:
    assert said(
        f"""
        import atexit
        atexit.register(print, "at the end")
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(99))
        print("before", end=" ")  # still in the buffer
        try:
            child = Fork(lambda: {deed})
        finally:
            print(child.wait())
        """
    ) == [f"before {code}", "at the end"]


def test_to_wait_for_it_can_take_too_long() -> None:
    assert said(
        """
        child = Fork(lambda: os.read(0, 1))
        try:
            child.wait(0.01)
        except subprocess.TimeoutExpired:
            print("late")
        os.kill(child.pid, signal.SIGKILL)
        print(child.wait())
        """
    ) == ["late", "-9"]
