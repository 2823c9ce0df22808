"""The process that writes a run, and whether it is still there.

A pid alone is not enough: it is given to another process after its owner died, and it means nothing on
another machine.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Writer:
    """The process that writes a run.

    Attributes:
        pid: its number on its machine.
        host: that machine's name.
        birth: when it was started, in the kernel's words; empty where the kernel does not tell.
    """

    pid: int
    host: str
    birth: str = ""

    @classmethod
    def here(cls) -> Writer:
        """This process."""
        pid = os.getpid()
        return cls(pid, socket.gethostname(), _birth(pid) or "")

    def alive(self) -> bool:
        """Return whether the process is still there. One on another machine counts as alive."""
        if self.host != socket.gethostname():
            return True
        if self.birth:
            return _birth(self.pid) == self.birth
        if os.name != "posix":
            return True
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


def _birth(pid: int) -> str | None:
    """Start of process *pid* (boot, and clock ticks since), None if it is gone or cannot be told."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()[:8]
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    # The command's name may hold spaces and parentheses, so count from behind it.
    fields = stat.rpartition(")")[2].split()
    if fields[0] in "ZX":
        return None
    return f"{boot}-{fields[19]}"
