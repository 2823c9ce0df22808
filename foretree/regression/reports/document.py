"""Reports as documents: text, tables and plots, put down as Markdown, as one HTML page, or on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, tostring

from foretree.pictures.palette import PAGE_COLOURS

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable


@dataclass(frozen=True)
class Table:
    """Rows of text below headings. The first column is words, the others are figures."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""


@dataclass(frozen=True)
class Bullets:
    """Remarks, one after the other."""

    lines: Sequence[str]


@dataclass(frozen=True)
class Commands:
    """Lines to be typed, or copied, as they are."""

    lines: Sequence[str]


@dataclass(frozen=True)
class Links:
    """Names of files beside the document, each with its path from there."""

    files: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Plot:
    """A picture, for pages that can show one."""

    title: str
    svg: Element


Block: TypeAlias = "str | Table | Bullets | Commands | Links | Plot"


@dataclass(frozen=True)
class Section:
    """A part of a document. *long* parts are left out on a terminal and folded on a page."""

    title: str
    blocks: Sequence[Block]
    long: bool = False


@dataclass(frozen=True)
class Document:
    """A title, what it is about, and sections."""

    title: str
    lead: str
    sections: Sequence[Section]


def as_markdown(document: Document) -> str:
    """A document as Markdown, without its plots."""
    lines = [f"# {document.title}", "", document.lead, ""]
    for section in document.sections:
        if section.title:
            lines += [f"## {section.title}", ""]
        for block in section.blocks:
            lines += _markdown(block)
    return "\n".join(lines).rstrip() + "\n"


def _markdown(block: Block) -> Iterator[str]:
    if isinstance(block, Plot):
        return
    if isinstance(block, str):
        yield block
    elif isinstance(block, Bullets):
        yield from (f"- {line}" for line in block.lines)
    elif isinstance(block, Commands):
        yield from ("```", *block.lines, "```")
    elif isinstance(block, Links):
        yield from (f"- [{name}]({quote(path)})" for name, path in block.files)
    else:
        yield from markdown_table(block)
    yield ""


def markdown_table(table: Table) -> Iterator[str]:
    """The lines of a table in Markdown."""
    yield f"| {' | '.join(table.headings)} |"
    yield f"|{' --- |' * len(table.headings)}"
    for row in table.rows:
        yield f"| {' | '.join(cell.replace('|', '/') for cell in row)} |"


def print_document(document: Document, console: Console) -> None:
    """Print a document on a terminal, without its plots and its long sections."""
    console.print(f"{document.title}: {document.lead}", markup=False, highlight=False)
    for section in document.sections:
        if section.long:
            continue
        title = section.title
        for block in section.blocks:
            if isinstance(block, Table):
                console.print(_fitting(block, block.title or title, console))
                title = ""
            elif isinstance(block, Links):
                for name, path in block.files:
                    console.print(f"{name}: {path}", markup=False, highlight=False, soft_wrap=True)
            elif not isinstance(block, Plot):
                # Commands are copied: only the terminal itself may break them.
                soft = isinstance(block, Commands)
                for line in (block,) if isinstance(block, str) else block.lines:
                    console.print(line, markup=False, highlight=False, soft_wrap=soft)


def _fitting(table: Table, title: str, console: Console) -> RichTable:
    """*table* for a terminal. Where that is narrow, it is dense, and names are broken after hyphens only.

    Headings are broken before the names of rows, which people copy.
    """
    from rich.measure import Measurement
    from rich.table import Table as RichTable

    def shown(padding: int, in_heading: str, in_name: str) -> RichTable:
        made = RichTable(title=title or None, title_justify="left", padding=(0, padding))
        for index, heading in enumerate(table.headings):
            heading = heading.replace("-", in_heading)
            made.add_column(heading, justify="left" if index == 0 else "right", overflow="fold")
        for name, *cells in table.rows:
            made.add_row(name.replace("-", in_name), *(cell.replace(" (", "\n(") for cell in cells))
        return made

    unlimited = console.options.update(max_width=10_000)
    for form in ((1, "-", "-"), (0, "-", "-"), (0, "-\n", "-")):
        made = shown(*form)
        if Measurement.get(console, unlimited, made).maximum <= console.width:
            return made
    return shown(0, "-\n", "-\n")


# -- the page ----------------------------------------------------------------------------------------

_STYLE = (
    PAGE_COLOURS
    + """\
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 40px 0 8px; }
h3 { font-size: 15px; margin: 24px 0 4px; } p { margin: 8px 0; max-width: 75ch; }
.lead { color: var(--soft); }
pre { margin: 4px 0 16px; padding: 8px 12px; overflow-x: auto; background: var(--row); font-size: 12.5px; }
.wide { overflow-x: auto; margin: 12px 0; }
table { border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 12px 4px 0; text-align: right; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
td { white-space: pre-line; } th:first-child, td:first-child { text-align: left; }
tbody tr:nth-child(even) { background: var(--row); }
summary { cursor: pointer; margin: 40px 0 8px; font-size: 19px; font-weight: 700; }
figure { margin: 16px 0; } figcaption { font-weight: 600; margin-bottom: 4px; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--ink); font-size: 12px; }
svg text.small { fill: var(--soft); font-size: 11px; }
svg .grid { stroke: var(--line); } svg .between { stroke: var(--soft); stroke-width: 1.5; opacity: .6; }
svg .line { fill: none; stroke-width: 2; }
.s0 { fill: var(--c0); } .s1 { fill: var(--c1); } .s2 { fill: var(--c2); } .s3 { fill: var(--c3); }
.s4 { fill: var(--c4); }
.l0 { stroke: var(--c0); } .l1 { stroke: var(--c1); } .l2 { stroke: var(--c2); } .l3 { stroke: var(--c3); }
.l4 { stroke: var(--c4); }
"""
)


def as_page(document: Document) -> str:
    """A document as one HTML page that needs nothing else: no script, no file, no connection."""
    html = Element("html", {"lang": "en"})
    head = SubElement(html, "head")
    SubElement(head, "meta", {"charset": "utf-8"})
    SubElement(head, "meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"})
    SubElement(head, "title").text = document.title
    SubElement(head, "style").text = _STYLE
    main = SubElement(SubElement(html, "body"), "main")
    SubElement(main, "h1").text = document.title
    SubElement(main, "p", {"class": "lead"}).text = document.lead
    for section in document.sections:
        part = SubElement(main, "details" if section.long else "section")
        if section.title:
            SubElement(part, "summary" if section.long else "h2").text = section.title
        for block in section.blocks:
            _put(part, block)
    return "<!DOCTYPE html>\n" + tostring(html, encoding="unicode", method="html") + "\n"


def _put(part: Element, block: Block) -> None:
    if isinstance(block, str):
        SubElement(part, "p").text = block
    elif isinstance(block, Bullets):
        items = SubElement(part, "ul")
        for line in block.lines:
            SubElement(items, "li").text = line
    elif isinstance(block, Commands):
        SubElement(part, "pre").text = "\n".join(block.lines)
    elif isinstance(block, Links):
        items = SubElement(part, "ul")
        for name, path in block.files:
            SubElement(SubElement(items, "li"), "a", {"href": quote(path)}).text = name
    elif isinstance(block, Plot):
        figure = SubElement(part, "figure")
        SubElement(figure, "figcaption").text = block.title
        figure.append(block.svg)
    else:
        if block.title:
            SubElement(part, "h3").text = block.title
        table = SubElement(SubElement(part, "div", {"class": "wide"}), "table")
        row = SubElement(SubElement(table, "thead"), "tr")
        for heading in block.headings:
            SubElement(row, "th").text = heading
        body = SubElement(table, "tbody")
        for cells in block.rows:
            row = SubElement(body, "tr")
            for cell in cells:
                SubElement(row, "td").text = _in_lines(cell)


def _in_lines(cell: str) -> str:
    """A cell of a page: a figure and its interval in a line each, and neither of them broken."""
    if not cell[:1].isdigit() and cell[:1] not in ("+", "-"):
        return cell
    figure, bracket, interval = cell.partition(" (")
    return "\n".join(
        part.replace(" ", "\N{NO-BREAK SPACE}") for part in (figure, bracket[1:] + interval) if part
    )
