"""Secrets: the key of a model server is hidden in every spelling, also where a server repeats it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit, urlunsplit

#: A key that is shorter is none: servers of one's own are given words like `none`, and answers have those.
SHORTEST = 5

_HIDDEN = "…"


@dataclass(frozen=True, slots=True)
class Secrets:
    """Texts that are to be hidden, the longest first."""

    texts: tuple[str, ...]

    @classmethod
    def of(cls, url: str, key: str) -> Secrets:
        """The secrets of a server at *url* with an API *key*."""
        told = {text for text in (key, *_in_address(url)) if len(text) >= SHORTEST}
        told |= {quote(text, safe="") for text in told}
        return cls(tuple(sorted(told, key=lambda text: (-len(text), text))))

    def hide(self, text: str) -> str:
        """*text* without them, and as valid Unicode: half a character can be neither stored nor sent."""
        text = text.encode("utf-8", "replace").decode()
        for secret in self.texts:
            text = text.replace(secret, _HIDDEN)
        return text


def address(url: str) -> str:
    """*url* as it may be told: without names, passwords and a query."""
    parts = _split(url)
    if parts is None:
        return url.rpartition("@")[2]
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def origin(url: str) -> tuple[str, str, int]:
    """The server of *url*: scheme, host and port.

    Raises:
        ValueError: its port is none.
    """
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    return scheme, (parts.hostname or "").lower(), parts.port or {"http": 80, "https": 443}.get(scheme, 0)


def _in_address(url: str) -> Iterator[str]:
    """The secret parts of a URL."""
    parts = _split(url)
    if parts is None:
        return
    given = parts.netloc.rpartition("@")[0]
    name, colon, password = given.partition(":")
    if colon:
        yield from (password, unquote(password))
        yield b64encode(f"{unquote(name)}:{unquote(password)}".encode()).decode()
    else:
        yield from (name, unquote(name))
    for _, value in parse_qsl(parts.query):
        yield value


def _split(url: str) -> SplitResult | None:
    """The parts of *url*, which may lack its scheme; None if it is no URL at all."""
    try:
        return urlsplit(url if "://" in url or not url else f"//{url}")
    except ValueError:
        return None
