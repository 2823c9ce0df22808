"""A model server that answers by rule: regressions of the language-model reviser need no model.

It speaks as much of the OpenAI protocol as the reviser uses, and gives the same answer to the same question.
Its rules are simple: open what should be open, pick up what should be in the hand, leave out what is not
needed, else do the first step again, with the things as they are now.

``python -m foretree.regression.language.scripted_model --port 8000`` starts one.
"""

from __future__ import annotations

import argparse
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

#: What the scripted model is called.
MODEL = "by-rule"


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """An answer of the server that is no text of a model.

    Attributes:
        body: the JSON that it sends.
        status: of HTTP.
        after: seconds until it sends anything.
    """

    body: Any
    status: int = 200
    after: float = 0.0


#: What is said to a question: to what it is to do, and what it is about.
Script: TypeAlias = Callable[[str, str], "str | ServerAnswer"]

#: What makes a state so, and what makes it not so.
_MAKERS = {"open": ("open", "close"), "turned on": ("turn_on", "turn_off")}
_EXPECTED_STATE = re.compile(r"expects (\w+) is (not )?(open|turned on)\b")
_EXPECTED_HELD = re.compile(r"expects \w+ is holding (\w+)\b")


def answer_by_rule(system: str, user: str) -> str:
    """Answer of the scripted model about a situation that the reviser asks about."""
    try:
        about = json.loads(user)
        plan, feedback, things = about["plan"], about["feedback"], about["things"]
    except (ValueError, KeyError, TypeError):
        return "There is nothing to be said about that."
    first = plan[0] if plan else ""
    triplets = first.count(",") == 2
    if not first or "is not needed" in feedback:
        return "Pass"
    dropped = _EXPECTED_HELD.search(feedback)
    if dropped and dropped.group(1) in things and not triplets:
        return f"({things[dropped.group(1)]}, pick)"
    missing = _EXPECTED_STATE.search(feedback)
    if missing and missing.group(1) in things:
        action = _MAKERS[missing.group(3)][bool(missing.group(2))]
        thing = things[missing.group(1)]
        return f"({action}, {thing}, none), {first}" if triplets else f"({thing}, {action})"
    return first if triplets else f"{first}, Pass"


@contextmanager
def scripted_server(script: Script = answer_by_rule, port: int = 0) -> Iterator[str]:
    """A server on this machine, for as long as the body runs; its URL, up to and including ``/v1``.

    Args:
        script: what is said.
        port: where it listens; by default wherever there is room.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send({"object": "list", "data": [{"id": MODEL, "object": "model"}]})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                said = {message["role"]: message["content"] for message in json.loads(body)["messages"]}
                text = script(said.get("system", ""), said["user"])
            except (ValueError, KeyError, TypeError):
                self._send({"error": {"message": "that is no question"}}, 400)
                return
            if isinstance(text, ServerAnswer):
                ended.wait(text.after)
                self._send(text.body, text.status)
                return
            message = {"role": "assistant", "content": text}
            asked, answered = len("".join(said.values()).split()), len(text.split())
            self._send(
                {
                    "id": "scripted",
                    "object": "chat.completion",
                    "created": 0,
                    "model": MODEL,
                    "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                    "usage": {
                        "prompt_tokens": asked,
                        "completion_tokens": answered,
                        "total_tokens": asked + answered,
                    },
                }
            )

        def _send(self, answer: Any, status: int = 200) -> None:
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            with suppress(OSError):  # of those that no longer wait for it
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Write no log: the run has all questions."""

    ended = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


def main(arguments: list[str] | None = None) -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m foretree.regression.language.scripted_model", description=__doc__
    )
    parser.add_argument("--port", type=int, default=8000, help="where to listen")
    wanted = parser.parse_args(arguments)
    with scripted_server(port=wanted.port) as url:
        print(f"export FORETREE_LLM_URL={url} FORETREE_LLM_MODEL={MODEL}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
