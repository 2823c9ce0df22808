"""Child processes: started, spoken with, watched, limited, and ended with all that they have started.

A :class:`Child` carries out a function of ours in a process of its own, with which messages are exchanged
over a :class:`Channel`. It is a :class:`Fork` of this process where that is safe, so that nothing need be
loaded anew. To fork is safe only where no other thread holds a lock or is in the middle of something, and
where files that this process has open may be open in a child as well. So it is for the command line alone,
and for as long as there is one thread. Otherwise, and where the system does not tell how many there are, a
new interpreter is started.

A :class:`LimitedProgram` is another program, whose memory and processor time are limited.

No child outlives this process: its input ends with it, and the kernel kills a limited program.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from struct import Struct
from typing import IO, Any, NoReturn

#: Seconds between two looks whether a child has ended: at first, and at most.
_LOOK_SECONDS, _MOST_LOOK_SECONDS = 0.0005, 0.05
#: The length that goes before each message.
_LENGTH = Struct(">Q")
#: Bytes that are read at a time.
_CHUNK = 1 << 16
#: More memory no limited program gets: the process that asked for it should survive.
_MOST_MEMORY = 4 << 30

_allowed = False


def allow_forks() -> None:
    """Allow children that are forks, as a program may whose process is all its own."""
    global _allowed
    _allowed = True


def may_fork() -> bool:
    """Return whether a child may be a fork of this process just now."""
    try:
        return _allowed and len(os.listdir("/proc/self/task")) == 1
    except OSError:  # not on Linux
        return False


class Fork:
    """A child that is a fork of this process, with the part of ``subprocess.Popen`` that is needed here.

    It leads a session of its own, has default handlers of signals and no open files but a pipe each way, and
    ends with a traceback and exit code 1 if *serve* raises anything but SystemExit.

    Args:
        serve: what it does, with its standard input and output.
        errors: a file descriptor for its standard error, which goes nowhere by default.
    """

    def __init__(self, serve: Callable[[], object], errors: int | None = None) -> None:
        self._code: int | None = None
        self._lock = threading.Lock()
        theirs_in, ours_in = os.pipe()
        try:
            ours_out, theirs_out = os.pipe()
        except OSError:
            os.close(theirs_in)
            os.close(ours_in)
            raise
        # A handler of ours that raised in the child would have it go on with our work.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            self.pid = os.fork()
            if self.pid == 0:
                _become(serve, theirs_in, theirs_out, errors, before)
        except BaseException:
            os.close(ours_in)
            os.close(ours_out)
            raise
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self.stdin = os.fdopen(ours_in, "wb", buffering=0)
        self.stdout = os.fdopen(ours_out, "rb", buffering=0)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code, negative for a signal, once it has ended.

        Raises:
            subprocess.TimeoutExpired: it has not, after so many seconds.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        pause = _LOOK_SECONDS
        while (code := self.poll()) is None:
            if deadline is not None and time.monotonic() >= deadline:
                raise subprocess.TimeoutExpired("a fork", timeout or 0.0)
            time.sleep(pause)
            pause = min(2 * pause, _MOST_LOOK_SECONDS)
        return code

    def poll(self) -> int | None:
        """Return the exit code if it has ended."""
        with self._lock:
            if self._code is None:
                try:
                    pid, status = os.waitpid(self.pid, os.WNOHANG)
                except ChildProcessError:  # it has been waited for elsewhere
                    self._code = 0
                else:
                    self._code = os.waitstatus_to_exitcode(status) if pid else None
            return self._code


def _become(
    serve: Callable[[], object], stdin: int, stdout: int, errors: int | None, mask: Iterable[int]
) -> NoReturn:
    """Be the child."""
    code = 1
    try:
        gc.freeze()  # what is the parent's stays as it is, and its files are not closed once more
        os.setsid()
        for number in signal.valid_signals():
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY) if errors is None else errors, 2)
        for name in os.listdir("/proc/self/fd"):
            if int(name) > 2:
                with suppress(OSError):  # the one that the list was read from
                    os.close(int(name))
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        serve()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        import traceback

        # Not by way of sys.stderr, which is still the parent's.
        os.write(2, traceback.format_exc().encode(errors="backslashreplace"))
    finally:
        os._exit(code)


class Channel:
    """Messages each way between two processes, as bytes of any length.

    Args:
        incoming, outgoing: streams without buffers; one that is None is not used.
    """

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        self.incoming, self.outgoing = incoming, outgoing
        self._received = bytearray()
        self._news = select.poll()
        self._news.register(incoming, select.POLLIN)

    def fileno(self) -> int:
        """Return the file descriptor that can be read when something comes.

        Wait for that only after :meth:`take`: a message may have been read together with the last one.
        """
        return self.incoming.fileno()

    def send(self, message: bytes) -> None:
        """Send a message, however long the other side takes to take it in.

        Raises:
            BrokenPipeError: the other side is gone.
        """
        rest = memoryview(_LENGTH.pack(len(message)) + message)
        while rest:
            rest = rest[self.outgoing.write(rest) :]

    def receive(self, seconds: float | None = None) -> bytes | None:
        """Return the next message; None once there are no more, since the other side is gone.

        Raises:
            TimeoutError: none has come within so many *seconds*. What has come of one is not lost.
        """
        until = None if seconds is None else time.monotonic() + seconds
        while (message := self._message()) is None:
            left = None if until is None else 1000 * max(0.0, until - time.monotonic())
            if not self._news.poll(left):
                raise TimeoutError
            chunk = os.read(self.incoming.fileno(), _CHUNK)
            if not chunk:
                return None
            self._received += chunk
        return message

    def take(self) -> Iterator[bytes]:
        """Return the messages that are there already.

        Raises:
            EOFError: there are no more, since the other side is gone.
        """
        while self._news.poll(0):
            chunk = os.read(self.incoming.fileno(), _CHUNK)
            if not chunk:
                raise EOFError
            self._received += chunk
        while (message := self._message()) is not None:
            yield message

    def _message(self) -> bytes | None:
        """The next message, if all of it has come."""
        if len(self._received) < _LENGTH.size:
            return None
        end = _LENGTH.size + _LENGTH.unpack_from(self._received)[0]
        if len(self._received) < end:
            return None
        message = bytes(memoryview(self._received)[_LENGTH.size : end])
        del self._received[:end]
        return message

    def close(self) -> None:
        """Close both ways; a second time does nothing."""
        for stream in (self.outgoing, self.incoming):
            with suppress(OSError):
                stream.close()


class Child:
    """A process that carries out a function of ours, in a session and a process group of its own.

    An interrupt at the terminal does not reach it. It is expected to return when its channel ends.

    Args:
        serve: the function, as ``module:name``; it is called with the channel and *arguments*.
        arguments: what else it is called with; they are pickled where the child is no fork.
        errors: where its standard error goes, to nowhere by default.
        fork: whether it may be a fork of this process.

    Attributes:
        channel: the messages to it and from it.
    """

    def __init__(
        self, serve: str, *arguments: Any, errors: IO[bytes] | int | None = None, fork: bool = True
    ) -> None:
        self.process: Fork | subprocess.Popen[bytes]
        copied = fork and may_fork()
        message = b""
        if not copied:
            import pickle

            message = pickle.dumps(arguments)  # before anything is started that would be left behind
        # A process inherits what is blocked, and so never hears of Ctrl-C, not even at its first moment.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
        try:
            if copied:
                self.process = Fork(
                    lambda: _call(serve, _channel_to_parent(), arguments),
                    errors if errors is None or isinstance(errors, int) else errors.fileno(),
                )
            else:
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "foretree.children", serve],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL if errors is None else errors,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(_import_path())},
                    start_new_session=True,
                    bufsize=0,
                )
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.channel = Channel(self.process.stdout, self.process.stdin)
        if not copied:
            with suppress(BrokenPipeError):  # it has ended, which is noticed with the first answer
                self.channel.send(message)

    @classmethod
    def around(cls, program: subprocess.Popen[bytes]) -> Child:
        """Return a program of another kind as a child: without buffers, and in a session of its own."""
        child = cls.__new__(cls)
        child.process = program
        assert program.stdin is not None
        assert program.stdout is not None
        child.channel = Channel(program.stdout, program.stdin)
        return child

    @property
    def pid(self) -> int:
        """Its process id, which is that of its group."""
        return self.process.pid

    def exit_code(self) -> int | None:
        """Return its exit code, negative for a signal; None while it runs."""
        return self.process.poll()

    def terminate(self) -> None:
        """Ask it to end."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> int:
        """End it with all that it has started, and return its exit code."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        return self.process.wait()

    def has_ended_within(self, seconds: float) -> bool:
        """Wait for its end, for so long at most."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def end(self, grace: float) -> int:
        """Close its channel, and kill it if it does not end by itself within so many seconds."""
        self.channel.close()
        self.has_ended_within(grace)
        return self.kill()


def main() -> None:
    """Carry out the function that the command line names, for the process that started this one."""
    import pickle

    channel = _channel_to_parent()
    arguments = channel.receive()
    if arguments is not None:
        _call(sys.argv[1], channel, pickle.loads(arguments))


def _call(serve: str, channel: Channel, arguments: Iterable[Any]) -> None:
    from importlib import import_module

    module, _, name = serve.partition(":")
    getattr(import_module(module), name)(channel, *arguments)


def _channel_to_parent() -> Channel:
    """The channel over standard input and output; what else is printed goes to standard error.

    In a fork, ``sys.stdin`` and the like are still the parent's.
    """
    outgoing = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return Channel(os.fdopen(0, "rb", buffering=0, closefd=False), outgoing)


def _import_path() -> list[str]:
    """The folders in which modules are found here, and the one that has this package."""
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return list(dict.fromkeys(filter(None, (str(Path(__file__).resolve().parent.parent), *given, *sys.path))))


class LimitedProgram(subprocess.Popen[bytes]):
    """A program with limits on memory and processor time, where the system is Linux, that is killed when this
    process is gone, however that ends.

    All of that is done from outside: to prepare a child before it becomes another program takes a copy of
    this process, which costs more than many a search.

    Args:
        command: what to run. Its output and errors are one stream.
        seconds: of the processor, as a safety net.
        stdin: a pipe, or nothing at all.
        folder: where it runs.
        environment: what it finds there.

    Raises:
        OSError: it cannot be run.
    """

    def __init__(
        self,
        command: Sequence[str],
        seconds: int | None,
        stdin: int = subprocess.PIPE,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        held, self._leash = os.pipe()
        try:
            super().__init__(
                command,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=environment,
                pass_fds=(held,),
            )
            if sys.platform == "linux":
                import resource

                _end_with_leash(self.pid, held)
                _lower(self.pid, resource.RLIMIT_AS, _MOST_MEMORY, _MOST_MEMORY)
                if seconds is not None:
                    _lower(self.pid, resource.RLIMIT_CPU, seconds, seconds + 1)
        except BaseException:
            os.close(self._leash)
            raise
        finally:
            os.close(held)

    def end(self) -> None:
        """Leave nothing behind."""
        if self.poll() is None:
            self.kill()
            self.wait()
        os.close(self._leash)
        for stream in (self.stdin, self.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()


def _end_with_leash(pid: int, held: int) -> None:
    """Have the kernel kill a process that holds an end of a pipe once the other end is closed."""
    import fcntl

    fcntl.fcntl(held, fcntl.F_SETOWN, pid)
    fcntl.fcntl(held, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(held, fcntl.F_SETFL, fcntl.fcntl(held, fcntl.F_GETFL) | os.O_ASYNC)


def _lower(pid: int, what: int, soft: int, hard: int) -> None:
    """Set a limit of a process, as far as it is below those that are set already, which may not be raised."""
    import resource

    new = zip((soft, hard), resource.getrlimit(what), strict=True)
    soft, hard = (
        most if set_before == resource.RLIM_INFINITY else min(most, set_before) for most, set_before in new
    )
    with suppress(ProcessLookupError):  # it has ended
        resource.prlimit(pid, what, (soft, hard))


if __name__ == "__main__":
    main()
