"""Child processes: what forks have of their parent, and messages that are exchanged with children."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from pickle import PicklingError

import pytest
from waiting import until

from foretree.children import Channel, Child, LimitedProgram

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
        signal.pthread_sigmask(signal.SIG_SETMASK, (signal.SIGUSR1,))
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
    assert mask == str([signal.SIGUSR1])  # as before the fork, during which all are blocked


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


def test_it_says_what_it_died_of() -> None:
    assert said(
        """
        reading, writing = os.pipe()
        child = Fork(lambda: {}["what it lacks"], writing)
        os.close(writing)
        text = os.fdopen(reading).read().splitlines()
        print(child.wait(), text[0], text[-1], sep="\\n")
        """
    ) == ["1", "Traceback (most recent call last):", "KeyError: 'what it lacks'"]


def test_nothing_is_started_for_arguments_that_cannot_be_pickled(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    monkeypatch.setattr(subprocess, "Popen", lambda *args, **_: started.append(args))
    with pytest.raises((AttributeError, TypeError, PicklingError)):
        Child("os:getpid", lambda: None)
    assert not started


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


def ends() -> tuple[Channel, Channel]:
    """Both ends of a channel."""
    first, second = os.pipe(), os.pipe()
    return (
        Channel(open(first[0], "rb", 0), open(second[1], "wb", 0)),
        Channel(open(second[0], "rb", 0), open(first[1], "wb", 0)),
    )


def test_messages_of_any_length_arrive_in_order_and_whole() -> None:
    here, there = ends()
    for message in (b"", b"one", bytes(60_000)):
        there.send(message)
    assert [here.receive(), here.receive(1), here.receive()] == [b"", b"one", bytes(60_000)]
    there.close()
    assert here.receive() is None
    with pytest.raises(EOFError):
        list(here.take())


def test_the_beginning_of_a_message_waits_for_its_end() -> None:
    here, there = ends()
    there.send(b"one")
    there.outgoing.write((3).to_bytes(8, "big") + b"tw")
    assert list(here.take()) == [b"one"]
    with pytest.raises(TimeoutError):
        here.receive(0.01)
    assert list(here.take()) == []
    there.outgoing.write(b"o")
    assert here.receive() == b"two"


@pytest.mark.parametrize("forks", [False, True])
def test_a_child_is_called_with_its_arguments_and_ends_with_its_channel(forks: bool, tmp_path: Path) -> None:
    (tmp_path / "echo.py").write_text(
        "import os\n"
        "def serve(channel, before, after):\n"
        "    print('not a message')\n"
        "    while (message := channel.receive()) is not None:\n"
        "        channel.send(before + message + after)\n"
        "def stuck(channel):\n"
        "    import time; time.sleep(600)\n"
    )
    assert said(
        f"""
        sys.path.insert(0, {str(tmp_path)!r})
        if {forks}:
            allow_forks()
        child = Child("echo:serve", b"<", b">")
        for message in (b"one", b"x" * 200_000):
            child.channel.send(message)
            print(child.channel.receive(60) == b"<" + message + b">")
        print(isinstance(child.process, Fork), os.getsid(child.pid) == child.pid, child.end(60))
        stuck = Child("echo:stuck")
        print(stuck.exit_code(), stuck.end(0.1), stuck.exit_code())
        """
    ) == ["True", "True", f"{forks} True 0", "None -9 -9"]


_TELLS = (
    "import resource, sys; sys.stdin.readline()\n"
    "print(*resource.getrlimit(resource.RLIMIT_AS), *resource.getrlimit(resource.RLIMIT_CPU))"
)


def _told(seconds: int | None) -> list[int]:
    program = LimitedProgram([sys.executable, "-c", _TELLS], seconds)
    out, _ = program.communicate(b"\n")
    program.end()
    return [int(word) for word in out.split()]


def _alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_memory_and_processor_are_limited() -> None:
    assert _told(7) == [4 << 30, 4 << 30, 7, 8]


def test_limits_that_are_narrower_already_stay() -> None:
    code = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 3 << 30))\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "import test_children\n"
        "print(*test_children._told(None)[:2])"
    )
    words = [sys.executable, "-c", code, str(Path(__file__).parent)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    out = subprocess.run(
        words, check=True, capture_output=True, text=True, env=environment, timeout=120
    ).stdout
    assert out.split() == [str(2 << 30), str(3 << 30)]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_it_does_not_outlive_who_started_it(how: signal.Signals) -> None:
    code = (
        "import sys, time\n"
        "from foretree.children import LimitedProgram\n"
        "program = LimitedProgram([sys.executable, '-c', 'import time; time.sleep(600)'], None)\n"
        "print(program.pid, flush=True)\n"
        "time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        pid = int(starter.stdout.readline())
        assert _alive(pid)
        starter.send_signal(how)
        until(lambda: not _alive(pid), "the program ends")


def test_ending_it_leaves_nothing_open() -> None:
    before = os.listdir("/proc/self/fd")
    LimitedProgram([sys.executable, "-c", "import time; time.sleep(600)"], None).end()
    with pytest.raises(OSError, match="No such file"):
        LimitedProgram(["/no/such/program"], None)
    assert os.listdir("/proc/self/fd") == before
