"""Programs beside this process that are kept within bounds and do not outlive it."""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

#: More memory than this none of them gets: the process that asked for it should survive.
_MOST_MEMORY = 4 << 30


class Confined(subprocess.Popen[bytes]):
    """A program whose memory and seconds of the processor are limited, where the system is Linux, and which
    is killed when this process is gone, however that ends.

    All of that is done from outside. What is done in a child before it becomes another program takes a copy
    of this process, and to make that costs more than many a search.

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
    """Have the kernel kill a process that holds an end of a pipe once nobody holds the other end."""
    fcntl.fcntl(held, fcntl.F_SETOWN, pid)
    fcntl.fcntl(held, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(held, fcntl.F_SETFL, fcntl.fcntl(held, fcntl.F_GETFL) | os.O_ASYNC)


def _lower(pid: int, what: int, soft: int, hard: int) -> None:
    """Set a limit of a process, as far as it is below those that are set already: nobody may raise them."""
    new = zip((soft, hard), resource.getrlimit(what), strict=True)
    soft, hard = (
        most if set_before == resource.RLIM_INFINITY else min(most, set_before) for most, set_before in new
    )
    with suppress(ProcessLookupError):  # it has ended
        resource.prlimit(pid, what, (soft, hard))
