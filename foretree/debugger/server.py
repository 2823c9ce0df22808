"""Server of the debugger: the front-end, the list of runs, and a feed for each viewer of a run.

It reads runs and nothing else; what a viewer asks of a session is a request in the run's file, as those of
the command line are, and only where control is allowed.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from foretree.debugger._attendance import Attendance
from foretree.debugger.bundle import bundle
from foretree.debugger.feed import Feed
from foretree.debugger.page import page
from foretree.errors import ForetreeError, takes_extra
from foretree.runs.attachments import IMAGE_TYPES, read_attachment
from foretree.runs.store import Run, RunError, RunStore

with takes_extra("view", "The pages of the debugger"):
    from starlette.applications import Starlette
    from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
    from starlette.requests import HTTPConnection, Request
    from starlette.responses import JSONResponse, PlainTextResponse, Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

#: Seconds between two looks at a run that goes on.
PERIOD = 0.25
#: The most characters in a value of a request.
LONGEST = 2000

COOKIE = "foretree-token"

#: Requests, and the values that go with each.
_REQUESTS: dict[str, tuple[str, ...]] = {
    "pause": (),
    "resume": (),
    "step": (),
    "stop": (),
    "say": ("words",),
    "break": ("at", "value"),
    "unbreak": ("at", "value"),
    "surprise": ("line",),
}

_TYPES = {"index.html": "text/html", "app.js": "text/javascript", "app.css": "text/css"}

#: Nothing but what the page brings along is loaded or run.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'"
)


@dataclass(frozen=True)
class Access:
    """Rights of viewers.

    Attributes:
        hosts: the names by which the server may be addressed; a page of another site cannot use them.
        token: what a viewer has to know; empty if nothing.
        control: whether viewers may steer sessions.
    """

    hosts: frozenset[str]
    token: str = ""
    control: bool = False


class _Guarded:
    """Refuses what does not come from this server's own pages, or lacks the token."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        refusal = self._refusal(connection)
        if not refusal:
            await self._app(scope, receive, self._with_cookie(connection, send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refusal[:120]})
        else:
            await PlainTextResponse(f"{refusal}\n", 403)(scope, receive, send)

    def _refusal(self, connection: HTTPConnection) -> str:
        hosts = self._access.hosts
        host = connection.headers.get("host", "")
        if hosts and _name_of(f"//{host}") not in hosts:
            return f"This server is not {host!r}."
        origin = connection.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return f"Pages of {origin!r} may not use this server."
        if self._access.token and not secrets.compare_digest(_token_of(connection), self._access.token):
            return "The token is missing or wrong. Open the address that `foretree view` printed."
        return ""

    def _with_cookie(self, connection: HTTPConnection, send: Send) -> Send:
        token = self._access.token
        if not token or connection.query_params.get("token") != token:
            return send

        async def sending(message: Any) -> None:
            if message["type"] == "http.response.start":
                cookie = f"{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/"
                message["headers"] = [*message["headers"], (b"set-cookie", cookie.encode())]
            await send(message)

        return sending


def _name_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _token_of(connection: HTTPConnection) -> str:
    given = connection.query_params.get("token") or connection.cookies.get(COOKIE) or ""
    return given.encode("ascii", "replace").decode()


def application(
    store: RunStore, access: Access, scene_picture: Callable[[str], bytes] | None = None
) -> ASGIApp:
    """The server as an ASGI application.

    Args:
        store: the runs.
        access: who may do what.
        scene_picture: draws a scene as PNG.
    """
    server = _Server(store, access, scene_picture)
    routes = [
        Route("/", server.page),
        Route("/{name:str}.{kind:str}", server.page),
        Route("/runs", server.runs),
        Route("/scenes/{name:path}.png", server.scene),
        Route("/runs/{run}/images/{digest}", server.image),
        Route("/runs/{run}/page", server.run_page),
        WebSocketRoute("/runs/{run}/feed", server.feed),
    ]
    return _Guarded(Starlette(routes=routes), access)


class _Server:
    def __init__(self, store: RunStore, access: Access, scene_picture: Callable[[str], bytes] | None) -> None:
        self._store = store
        self._access = access
        self._scene_picture = scene_picture
        self._attendance = Attendance()

    async def page(self, request: Request) -> Response:
        """A file of the front-end."""
        name = request.url.path.lstrip("/") or "index.html"
        if name not in _TYPES:
            return PlainTextResponse("There is no such page.\n", 404)
        headers = {"content-security-policy": _POLICY, "cache-control": "no-cache"}
        return Response(bundle(name), media_type=_TYPES[name], headers=headers)

    async def runs(self, request: Request) -> Response:
        """All runs, oldest first."""
        try:
            listing = await run_in_threadpool(self._store.list)
        except (ForetreeError, OSError) as error:
            return JSONResponse({"error": str(error)}, 500)
        runs = [info.as_data() for info in listing.runs]
        return JSONResponse({"runs": runs, "notes": list(listing.notes)})

    async def scene(self, request: Request) -> Response:
        """A picture of a scene."""
        if self._scene_picture is None:
            return PlainTextResponse("There are no pictures of scenes.\n", 404)
        try:
            picture = await run_in_threadpool(self._scene_picture, request.path_params["name"])
        except ForetreeError as error:
            return PlainTextResponse(f"{error}\n", 404)
        return Response(picture, media_type="image/png")

    async def run_page(self, request: Request) -> Response:
        """A run as one page that needs no server, to keep or to send."""
        try:
            run = await run_in_threadpool(open_listed, self._store, request.path_params["run"])
            text = await run_in_threadpool(page, [run])
        except RunError as error:
            return PlainTextResponse(f"{error}\n", 404)
        # It is for a file: opened here it could use this server as the pages of this server can.
        headers = {
            "content-disposition": f'attachment; filename="{run.id}.html"',
            "content-security-policy": "sandbox",
            "x-content-type-options": "nosniff",
        }
        return Response(text, media_type="text/html", headers=headers)

    async def image(self, request: Request) -> Response:
        """An image of a run. It never changes, so that a browser asks for it once."""
        try:
            run = await run_in_threadpool(open_listed, self._store, request.path_params["run"])
            found = await run_in_threadpool(read_attachment, run, request.path_params["digest"])
        except RunError as error:
            return PlainTextResponse(f"{error}\n", 404)
        # Whatever else a record may hold, it is not for a browser to open.
        if found is None or found.type not in IMAGE_TYPES:
            return PlainTextResponse("The run does not keep this image.\n", 404)
        headers = {
            "cache-control": "private, max-age=31536000, immutable",
            "content-security-policy": "default-src 'none'",
            "x-content-type-options": "nosniff",
        }
        return Response(found.content, media_type=found.type, headers=headers)

    async def feed(self, socket: WebSocket) -> None:
        """The events of a run, and the requests of one viewer."""
        await socket.accept()
        try:
            run = await run_in_threadpool(open_listed, self._store, socket.path_params["run"])
        except RunError as error:
            await socket.send_text(json.dumps({"trouble": str(error), "loaded": True}))
            await socket.close()
            return
        await socket.send_text(json.dumps({"control": self._access.control}))
        async with self._attendance.of_viewer(run):
            await self._attend(socket, run)

    async def _attend(self, socket: WebSocket, run: Run) -> None:
        """Tell a viewer about *run* and pass its requests on until one of both ends."""
        after = socket.query_params.get("after", "0")
        listening = asyncio.create_task(self._listen(socket, run))
        telling = asyncio.create_task(_tell(socket, Feed(run, int(after) if after.isdecimal() else 0)))
        done, pending = await asyncio.wait((listening, telling), return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        for task in done:
            # A viewer that has gone away is none of the run's business.
            with suppress(WebSocketDisconnect, RuntimeError, OSError):
                task.result()
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            await socket.close()

    async def _listen(self, socket: WebSocket, run: Run) -> None:
        while True:
            said = await socket.receive_text()
            reply = await run_in_threadpool(self._request, run, said, _name(socket))
            if reply:
                await socket.send_text(json.dumps({"reply": reply}))

    def _request(self, run: Run, said: str, sender: str) -> str:
        """Pass a request on to the run; return what is to be said about it."""
        if not self._access.control:
            return "This viewer only watches. Start it with --control to steer runs."
        try:
            message = json.loads(said)
        except ValueError:
            message = None
        kind = message.get("do") if isinstance(message, dict) else None
        names = _REQUESTS.get(kind) if isinstance(kind, str) else None
        if names is None:
            return f"There is no such request. Valid: {', '.join(_REQUESTS)}."
        values = {name: message.get(name) for name in names}
        if not all(isinstance(value, str) and 0 < len(value) <= LONGEST for value in values.values()):
            return f"A request {message['do']} needs {' and '.join(names)}, as text."
        try:
            run.request(message["do"], sender, **values)
        except RunError as error:
            return str(error)
        self._attendance.steered(run, sender)
        return ""


def _name(socket: WebSocket) -> str:
    """Return what a run calls the people at this server: by its address, which a terminal has shown."""
    host, port = socket.scope["server"]
    return f"the viewer at {host}:{port}"


async def _tell(socket: WebSocket, feed: Feed) -> None:
    """Send what is on record, then what comes, until the run has ended."""
    known = ""
    while True:
        async for message in iterate_in_threadpool(feed.messages()):
            if message != known:
                await socket.send_text(message)
            known = message
        if feed.over:
            # Said once more when the socket closes, so that the viewer does not try again.
            return
        await asyncio.sleep(PERIOD)


def open_listed(store: RunStore, name: str) -> Run:
    """The run of that id in *store*. A path is no id: a viewer sees the runs' folder and nothing else.

    Raises:
        RunError: there is none.
    """
    if "/" in name or "\\" in name or name not in (*store.ids(), "last"):
        raise RunError(f"There is no run {name!r} in {store.directory}.")
    return store.open(name)
