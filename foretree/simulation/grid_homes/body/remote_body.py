"""A body in a process of its own, of which the agent's process gets nothing but frames."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pkgutil import resolve_name
from types import TracebackType
from typing import IO, Any
from weakref import finalize

from foretree.children import Channel, Child
from foretree.errors import ForetreeError
from foretree.perception.frame import Frame, Lens
from foretree.skills.embodied.body import Body, Control

#: Seconds that a body has to answer; the first time it has to import everything.
PATIENCE = 30.0
#: Seconds that its process has to end by itself.
FAREWELL = 2.0
#: The newest one in which arrays that were read-only can be written to when they arrive.
_PROTOCOL = 4


class RemoteBodyError(ForetreeError):
    """A body in another process that could not be made, does not answer, or has ended."""


def serve(channel: Channel, maker: str, arguments: Mapping[str, Any]) -> None:
    """Serve the body that *maker* makes of *arguments*, until the channel ends.

    What goes wrong is sent as the error to be raised on the other side.
    """

    def send(answer: object) -> None:
        channel.send(pickle.dumps(answer, _PROTOCOL))

    # There may be no parent any more to tell.
    with suppress(BrokenPipeError):
        try:
            body: Body = resolve_name(maker)(**arguments)
        except ForetreeError as error:
            send(RemoteBodyError(str(error)))
            return
        send((body.lens, body.reach))
        while (request := channel.receive()) is not None:
            try:
                frame = body.step(pickle.loads(request))
            except ForetreeError as error:
                send(RemoteBodyError(str(error)))
            else:
                send(frame)


class RemoteBody:
    """A body that lives in another process; see :class:`~foretree.skills.embodied.body.Body`.

    It ends with :meth:`close`, at the end of a ``with``, or with this process, however that ends: its process
    ends when its input is closed. An interrupt at the terminal does not reach it; one that
    breaks off a step closes it, since half an answer cannot be taken up again.

    Attributes:
        lens: its camera.
        reach: in metres.
    """

    lens: Lens
    reach: float

    def __init__(self, maker: str, arguments: Mapping[str, Any], patience: float = PATIENCE) -> None:
        """Make a body in a new process.

        Args:
            maker: what makes it, as ``module:function``.
            arguments: what to call that with; plain data.
            patience: seconds that it has for every answer.

        Raises:
            RemoteBodyError: it could not be made; the message says why.
        """
        self._patience = patience
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        server = f"{serve.__module__}:{serve.__name__}"
        self._child = Child(server, maker, dict(arguments), errors=self._errors, fork=False)
        self._end = finalize(self, _end, self._child, self._errors)
        with self._or_close():
            self.lens, self.reach = self._receive()

    def step(self, control: Control) -> Frame:
        """Carry out *control* over there, or have it refused, and get the frame that follows.

        Raises:
            RemoteBodyError: there is no answer in time, or the process has ended.
        """
        if not self._end.alive:
            raise RemoteBodyError("This body has been closed.")
        with self._or_close():
            try:
                self._child.channel.send(pickle.dumps(control))
            except BrokenPipeError as error:
                raise self._gone() from error
            frame: Frame = self._receive()
            return frame

    def close(self) -> None:
        """End its process; a second time does nothing."""
        self._end()

    def __enter__(self) -> RemoteBody:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _or_close(self) -> Iterator[None]:
        """Close the body when an exchange is broken off: half an answer cannot be resumed."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def _receive(self) -> Any:
        """Return the next answer.

        Raises:
            RemoteBodyError: it says what went wrong over there, or does not come.
        """
        try:
            message = self._child.channel.receive(self._patience)
        except TimeoutError:
            raise RemoteBodyError(f"The body has not answered for {self._patience:g} seconds.") from None
        if message is None:
            raise self._gone()
        answer = pickle.loads(message)
        if isinstance(answer, RemoteBodyError):
            raise answer
        return answer

    def _gone(self) -> RemoteBodyError:
        """The error to raise when the process has ended: its exit code, and the last line of its errors."""
        self._child.has_ended_within(FAREWELL)
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        last = f": {lines[-1]}" if lines else "."
        return RemoteBodyError(f"The process of the body has ended (status {self._child.exit_code()}){last}")


def _end(child: Child, errors: IO[bytes]) -> None:
    child.end(FAREWELL)
    errors.close()
