"""Text that a terminal may be shown."""

import io
import json

import pytest

from foretree.errors import ForetreeError, near_miss
from foretree.printable import LONGEST_MESSAGE, PrintableStream, clean, cut, printable, quote


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("\x9b31m", r"\x9b31m"),
        ("a\x07\x08\x00b", r"a\x07\x08\x00b"),
        ("\u202egnp", r"\u202egnp"),
        ("a\u2066b\u200bc\ufeffd", r"a\u2066b\u200bc\ufeffd"),
        ("\udc9b", r"\udc9b"),
        ("one\u2028two\x85three\x0bfour", r"one\u2028two\x85three\x0bfour"),
        ("100 %\r  0 %", r"100 %\r  0 %"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_what_a_terminal_would_obey_is_spelt_out(text, cleaned):
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    "text",
    ["▤ ◇ ● ├─ “ä” 漢字 ✓ …", "two\nlines\tand a tab", "a,b\r\nc,d\r\n", "1\u00a0000\u202fm", "e\u0301"],
)
def test_what_can_be_printed_stays(text):
    assert clean(text) == text


def test_json_stays_json():
    told = {"name": "a\x7f\x1b\u202eb"}
    assert json.loads(clean(json.dumps(told))) == told


def test_one_line():
    assert printable("a\tb\r\nc\rd\x1b") == r"a b c d\x1b"


def test_a_stream_cleans_what_is_written_and_offers_no_way_round():
    under = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    stream = PrintableStream(under)
    assert stream.write("a\x1b[2J\n") == 6
    stream.writelines(["\x9b", "b"])
    stream.flush()
    assert under.buffer.getvalue() == b"a\\x1b[2J\n\\x9bb"
    assert not hasattr(stream, "buffer")
    assert stream.encoding == "utf-8"


def test_a_message_is_cut_and_keeps_its_end():
    told = str(ForetreeError("x" * 1_000_000 + " Say something else."))
    assert len(told) < LONGEST_MESSAGE + 100
    assert told.startswith("xxx")
    assert told.endswith(" Say something else.")
    assert "characters left out" in told
    assert cut("short") == "short"


def test_a_message_is_printable():
    assert str(ForetreeError("no \x1b[2J\u202e here")) == r"no \x1b[2J\u202e here"


def test_a_value_is_quoted_in_short():
    assert len(quote("x" * 10_000)) < 100
    assert len(quote([["y" * 10_000] * 50] * 50)) < 100
    assert quote("\x1b\u202e") == r"'\x1b\u202e'"
    assert quote(12) == "12"


def test_long_words_have_no_near_misses():
    assert near_miss("a" * 100_000, ["a" * 99_999]) == ""
