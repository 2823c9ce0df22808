"""Serving the debugger: an address to listen on, a token where that is needed, a browser that opens."""

from __future__ import annotations

import ipaddress
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from foretree.debugger.server import Access, application
from foretree.errors import ForetreeError, takes_extra
from foretree.runs.store import RunStore

with takes_extra("view", "The pages of the debugger"):
    import uvicorn

#: The port that is tried first, and how many after it.
PORT, TRIES = 8765, 50

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class ServingError(ForetreeError):
    """The debugger cannot be served as asked."""


@dataclass(frozen=True)
class Served:
    """A socket that listens, and who may use it."""

    listening: socket.socket
    access: Access
    host: str

    @property
    def port(self) -> int:
        """The port that it listens on."""
        port: int = self.listening.getsockname()[1]
        return port

    def address(self, page: str = "") -> str:
        """The address of a page, with the token if one is needed."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        query = f"?{urlencode({'token': self.access.token})}" if self.access.token else ""
        return f"http://{name}:{self.port}/{query}{page}"


def listen(host: str, port: int | None, token: str, control: bool) -> Served:
    """Listen on *host*.

    Args:
        host: a name or an address; anything but loopback needs a token.
        port: the port; if it is in use, the next free one. None for the default one, 0 for any.
        token: what viewers have to know.
        control: whether they may steer sessions.

    Raises:
        ServingError: there is no such address, no free port, or a token is missing.
    """
    if not is_loopback(host) and not token:
        raise ServingError(
            f"On {host}, others can reach the viewer, so it needs a token: --token SECRET. "
            "Without --host it listens on 127.0.0.1 alone."
        )
    first = PORT if port is None else port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(first, min(first + TRIES, 65536)):
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, candidate))
            listening.listen(64)
        except OSError as error:
            listening.close()
            if error.errno in (98, 48, 13) and candidate + 1 < min(first + TRIES, 65536):
                continue
            reason = error.strerror or str(error)
            raise ServingError(f"Cannot listen on {host}, port {candidate}: {reason}.") from error
        # A name that stands for all addresses is none by which a page is reached.
        hosts = _LOOPBACK | {host} if is_loopback(host) else frozenset[str]()
        return Served(listening, Access(hosts, token, control), host)
    raise ServingError(f"There is no port {first}. Valid: 0 to 65535.")


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach *host*."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def serve(
    served: Served,
    store: RunStore,
    scene_picture: Callable[[str], bytes] | None = None,
    opened: Callable[[], object] = lambda: None,
) -> None:
    """Serve until Ctrl-C.

    Args:
        served: where.
        store: the runs.
        scene_picture: draws a scene as PNG.
        opened: called once the server answers.
    """
    app = application(store, served.access, scene_picture)
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        ws_max_size=65536,
        ws_per_message_deflate=False,
        lifespan="off",
    )
    server = _Server(config, opened)
    with served.listening:
        server.run(sockets=[served.listening])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, opened: Callable[[], object]) -> None:
        super().__init__(config)
        self._opened = opened

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._opened()


def show_in_browser(address: str) -> bool:
    """Open *address* in the browser of the person; return whether there is one."""
    with suppress(webbrowser.Error):
        return webbrowser.open(address)
    return False


def run_page(run: str, at: float | None = None) -> str:
    """The part of an address that names a run, at a moment if one is given."""
    moment = "" if at is None else f"?at={at:g}"
    return f"#/run/{quote(run, safe='')}{moment}"
