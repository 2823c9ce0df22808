from __future__ import annotations

import io
import re
from html.parser import HTMLParser
from xml.etree.ElementTree import Element

from rich.console import Console

from foretree.regression.reports.document import (
    Bullets,
    Document,
    Plot,
    Section,
    Table,
    as_markdown,
    as_page,
    print_document,
)

DOCUMENT = Document(
    "smoke & mirrors",
    "What it is.",
    (
        Section(
            "Figures",
            (
                "As <measured>.",
                Table(("variant", "success"), [("full|half", "100.0 % (20.7 to 100.0)")], "a table"),
                Bullets(["one", "two"]),
                Plot("a plot", Element("svg")),
            ),
        ),
        Section("Long", (Table(("task",), [("fold",)]),), long=True),
    ),
)


class Balance(HTMLParser):
    """Checks that what is opened is closed, and that nothing is fetched from anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        assert not {"src", "href"} & {name for name, _ in attrs}
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_page_is_well_formed_and_needs_nothing_else():
    page = as_page(DOCUMENT)
    assert page.startswith("<!DOCTYPE html>\n<html")
    balance = Balance()
    balance.feed(page)
    assert balance.open == []
    assert {"table", "svg", "figure", "details", "summary", "ul", "style"} <= set(balance.seen)
    assert "script" not in balance.seen
    assert "smoke &amp; mirrors" in page
    assert "As &lt;measured&gt;." in page
    assert "prefers-color-scheme: dark" in page
    # A style sheet is not text: its quotes and signs stay as they are.
    assert '"Segoe UI"' in page


def test_markdown_has_the_text_and_the_tables():
    text = as_markdown(DOCUMENT)
    assert text.startswith("# smoke & mirrors\n\nWhat it is.\n\n## Figures\n")
    assert "| variant | success |\n| --- | --- |\n| full/half | 100.0 % (20.7 to 100.0) |\n" in text
    assert "- one\n- two\n" in text
    assert "a plot" not in text
    assert "| fold |" in text


def test_a_terminal_gets_neither_plots_nor_long_sections():
    console = Console(file=io.StringIO(), width=80)
    print_document(DOCUMENT, console)
    text = console.file.getvalue()
    assert "As <measured>." in text
    assert "(20.7 to 100.0)" in text
    assert "a plot" not in text
    assert "fold" not in text


def test_names_are_broken_after_hyphens_where_there_is_no_room():
    rows = [("full over without-incremental-map", "1.0", "2.0")]
    document = Document(
        "t",
        "l",
        (Section("s", (Table(("compared", "without-expansion", "without-incremental-map"), rows),)),),
    )

    def printed(width):
        console = Console(file=io.StringIO(), width=width)
        print_document(document, console)
        return console.file.getvalue()

    assert "without-incremental-map" in printed(120)
    narrow = printed(50)
    assert "without-incremental" not in narrow
    for part in ("without-", "incremental-", "map", "expansion"):
        assert re.search(rf"[ │┃]{part}[ │┃]", narrow), part


def test_on_a_narrow_terminal_headings_are_broken_before_the_names_of_rows():
    names = ("mango-moved-twice", "tomato-swapped-for-apple")
    table = Table(
        ("scenario", "guards", "failure-replanning", "neither"), [(n, "1/1", "1/1", "0/1") for n in names]
    )
    document = Document("report", "What it is.", (Section("", (table,)),))
    for width in (55, 60, 80, 120):
        console = Console(file=io.StringIO(), width=width)
        print_document(document, console)
        said = console.file.getvalue()
        assert all(name in said for name in names), said
        assert all(len(line.rstrip()) <= width for line in said.splitlines())
