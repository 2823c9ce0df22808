"""Putting text on a console as it is, whatever the console can show."""

from __future__ import annotations

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from foretree.printable import printable

#: How characters of ours look where the encoding has none of them.
_TO_ASCII = str.maketrans({"…": "~", "·": "-", "–": "-", "’": "'", "“": '"', "”": '"', "→": ">", "─": "-"})

_STATUS_GLYPH = {"SUCCESS": "✓", "FAILURE": "✗", "RUNNING": "▶", "INVALID": "·"}
_STATUS_ASCII = {"SUCCESS": "+", "FAILURE": "x", "RUNNING": ">", "INVALID": "."}


class Ink:
    """Texts in characters that *console* can show.

    Nothing in a text is taken for markup, and nothing reaches the terminal that it would obey: texts come
    from people, files and models.
    """

    def __init__(self, console: Console) -> None:
        self.console = console

    @property
    def ascii(self) -> bool:
        """True if the console is not known to have more than ASCII."""
        return not self.console.encoding.lower().replace("-", "").startswith("utf")

    def fit(self, text: str) -> str:
        """*text* on one line, in characters that the console's encoding has."""
        clean = printable(text)
        try:
            clean.encode(self.console.encoding)
        except (UnicodeEncodeError, LookupError):
            return clean.translate(_TO_ASCII).encode("ascii", "replace").decode("ascii")
        return clean

    def text(self, words: str, style: str = "") -> Text:
        """*words*, wrapped where they do not fit the width."""
        return Text(self.fit(words), style)

    def line(self, *parts: tuple[str, str]) -> Text:
        """Words with their styles, on one line, cut where they do not fit the width."""
        text = Text(no_wrap=True, overflow="crop" if self.ascii else "ellipsis")
        for words, style in parts:
            text.append(self.fit(words), style)
        return text

    def rule(self) -> Rule:
        """A faint line across."""
        return Rule(style="dim", characters="-" if self.ascii else "─")

    def glyph(self, status: str) -> str:
        """The sign for a node's status."""
        return (_STATUS_ASCII if self.ascii else _STATUS_GLYPH).get(status, "?")
