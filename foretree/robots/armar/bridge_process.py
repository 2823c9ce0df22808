"""Our end of the bridge to ArmarX: a process that is started, spoken with, watched, and started anew.

==============================================  =========================================================
what the bridge does                            what comes of it
==============================================  =========================================================
says that it cannot connect; ends               out of contact with that reason; started anew after a while
says nothing for *silence* seconds              killed, then as above
sends what is no message                        killed, then as above
is not there yet, or is out of contact          orders are refused
is there again                                  what was under way is looked for by its id
==============================================  =========================================================
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from foretree.children import Child
from foretree.clock import Clock
from foretree.robots.armar.armar_file import ArmarFile
from foretree.skills.robot import RobotError

#: Variables that lead the Python of ArmarX to the packages of this one.
_OURS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
#: Seconds after which a bridge that has ended is started anew, for the first time and at most.
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0
#: Seconds that a bridge has to end when it is closed, and characters of what it printed that are shown.
_GRACE, _SHOWN = 2.0, 300

PROGRAM = Path(__file__).with_name("armarx_bridge.py")


class BridgeProcess:
    """The process of the bridge. Nothing here waits.

    Args:
        file: the robot file: which Python runs it, and how long it may say nothing.
        clock: the session's clock.
        command: what is run instead, for tests.

    Attributes:
        trouble: why the robot cannot be reached; empty if it can.
        lives: how often a bridge has connected.
        skills: the skills that each provider offers, as the bridge that is there has found them.
    """

    def __init__(self, file: ArmarFile, clock: Clock, command: Sequence[str] | None = None) -> None:
        bridge = file.bridge
        python = Path(bridge.python).expanduser()
        self._command = command or [
            str(python.absolute() if len(python.parts) > 1 else python),
            str(PROGRAM),
            bridge.skill_manager,
            bridge.object_memory,
        ]
        self._bridge, self._clock = bridge, clock
        self._child: Child | None = None
        self._printed: IO[bytes] | None = None
        self._heard_at = 0.0
        self._start_at = clock.now()
        self._pause = _FIRST_PAUSE
        self._said = ""
        self._closed = False
        self.trouble = "The bridge to ArmarX is not connected yet."
        self.lives = 0
        self.skills: Mapping[str, Sequence[str]] = {}

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message.

        Raises:
            RobotError: there is no connection. Nothing was sent.
        """
        if self._child is None or self.trouble:
            raise RobotError(self.trouble)
        try:
            self._child.channel.send(json.dumps(message).encode())
        except (OSError, ValueError) as error:
            self._end("The bridge to ArmarX has ended.")
            raise RobotError(self.trouble) from error

    def messages(self) -> Iterator[Mapping[str, Any]]:
        """Return what has arrived; see to it that there is a bridge."""
        if self._child is None:
            if not self._closed and self._clock.now() >= self._start_at:
                self._start()
            return
        try:
            for text in self._child.channel.take():
                message = json.loads(text)
                self._heard_at = self._clock.now()
                if self._is_for_us(message["say"], message):
                    yield message
                if self._child is None:
                    return
        except EOFError:
            self._end("The bridge to ArmarX has ended.")
        except (ValueError, KeyError, TypeError):
            self._end("The bridge to ArmarX has sent something that is no message.")
        else:
            limit = self._bridge.silence if not self.trouble else self._bridge.connect_within
            if self._clock.now() - self._heard_at > limit:
                self._end(f"The bridge to ArmarX has said nothing for {limit:g} s.")

    def close(self) -> None:
        """End the bridge."""
        self._closed = True
        self.trouble = "The bridge to ArmarX is closed."
        if self._child is not None:
            self._child.end(_GRACE)
            self._child = None

    def _is_for_us(self, kind: str, message: Mapping[str, Any]) -> bool:
        """Take notice of what concerns the connection; return whether there is more to a message."""
        if kind == "ready":
            self.skills = message["skills"]
            self.trouble, self._pause = "", _FIRST_PAUSE
            self.lives += 1
        elif kind == "failed":
            self._said = str(message["why"])
        return kind in ("ready", "ended", "objects", "trouble")

    def _start(self) -> None:
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it ends
        environment = {name: value for name, value in os.environ.items() if name not in _OURS}
        environment.update({name: os.path.expanduser(v) for name, v in self._bridge.environment.items()})
        self._said = ""
        self._heard_at = self._clock.now()
        try:
            program = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._printed,
                env=environment,
                cwd=tempfile.gettempdir(),  # armarx runs cmake, which leaves files where it runs
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            self._put_off(f"The bridge to ArmarX cannot be started: {error}.")
            return
        self._child = Child.around(program)

    def _end(self, why: str) -> None:
        """Have done with a bridge, and start another one after a while."""
        assert self._child is not None
        code = self._child.exit_code()
        self._child.channel.close()
        self._child.kill()
        self._child = None
        said = self._said or self._last_printed()
        how = f" (exit code {code})" if code is not None else ""
        self._put_off(f"{why.rstrip('.')}{how}." + (f" It said: {said}" if said else ""))

    def _put_off(self, trouble: str) -> None:
        self.trouble = trouble
        self._start_at = self._clock.now() + self._pause
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def _last_printed(self) -> str:
        with suppress(OSError, ValueError):
            if self._printed is not None:
                self._printed.seek(0, os.SEEK_END)
                self._printed.seek(max(0, self._printed.tell() - 4 * _SHOWN))
                text = self._printed.read().decode(errors="replace")
                self._printed.close()
                return " ".join(text.split())[-_SHOWN:]
        return ""
