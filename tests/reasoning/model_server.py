"""A server on this machine that speaks the OpenAI protocol, as well or as badly as a test wants."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class ModelServer:
    """What is answered next, and what was asked.

    ``answers`` are given in order, the last one again and again. An answer is a text that the model says, or a
    function that does with the connection what it likes.
    """

    url: str = ""
    answers: list[str | Callable[[BaseHTTPRequestHandler], None]] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    models: Any = field(default_factory=lambda: [{"id": "m", "object": "model"}])

    def next_answer(self) -> str | Callable[[BaseHTTPRequestHandler], None]:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def send(
    handler: BaseHTTPRequestHandler,
    status: int,
    body: bytes,
    kind: str = "application/json",
    **headers: str,
) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def says(handler: BaseHTTPRequestHandler, text: str, ending: str = "stop", **more: Any) -> None:
    """A chat answer, or vectors that are the JSON list in *text*; *more* goes into the answer."""
    if handler.path.endswith("/embeddings"):
        data = [{"object": "embedding", "index": i, "embedding": v} for i, v in enumerate(json.loads(text))]
        answer: dict[str, Any] = {"object": "list", "model": "m", "data": data[::-1]}
    else:
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "finish_reason": ending, "message": message}
        answer = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        answer.update(more)
    send(handler, 200, json.dumps(answer).encode())


def refuses(status: int, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    return lambda handler: send(handler, status, b'{"error": {"message": "go away"}}', **headers)


def tells(text: str, ending: str = "stop", **more: Any) -> Callable[[BaseHTTPRequestHandler], None]:
    """A chat answer with what a server says besides, or that breaks off."""
    return lambda handler: says(handler, text, ending, **more)


def delays(seconds: float, text: str) -> Callable[[BaseHTTPRequestHandler], None]:
    """A chat answer that takes its time."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(seconds)
        says(handler, text)

    return answer


def held(
    text: str, asked: threading.Event, release: threading.Event
) -> Callable[[BaseHTTPRequestHandler], None]:
    """A chat answer that says when it is asked for, and is given once it is released."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        asked.set()
        release.wait(120)
        says(handler, text)

    return answer


def sends(body: bytes, kind: str = "application/json") -> Callable[[BaseHTTPRequestHandler], None]:
    return lambda handler: send(handler, 200, body, kind)


def hangs_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.close()


def breaks_off(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [{"mess')


def dawdles(handler: BaseHTTPRequestHandler) -> None:
    """A byte now and then, so that no time-out between bytes ever strikes."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    try:
        for _ in range(100):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)
    except OSError:
        pass  # whoever asked has had enough


@contextmanager
def model_server() -> Iterator[ModelServer]:
    state = ModelServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            state.asked.append(json.loads(self.rfile.read(length)))
            state.headers.append({name.lower(): value for name, value in self.headers.items()})
            answer = state.next_answer()
            if isinstance(answer, str):
                says(self, answer)
            else:
                answer(self)

        def do_GET(self) -> None:
            send(self, 200, json.dumps({"object": "list", "data": state.models}).encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.state = state
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
