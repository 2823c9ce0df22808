"""PDDL problems in a folder, each with its domain, found by the conventions of planning competitions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import groupby
from pathlib import Path

from foretree.config import is_folder
from foretree.regression.core.selection import SuiteError

#: What a file defines is said in its beginning, after comments.
_DEFINES = re.compile(r"\(\s*define\s*\(\s*(domain|problem)\s+([^\s()]+)", re.IGNORECASE)
_OF_DOMAIN = re.compile(r"\(\s*:domain\s+([^\s()]+)\s*\)", re.IGNORECASE)
_COMMENT = re.compile(r";[^\n]*")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class PddlTask:
    """A problem and its domain.

    Attributes:
        number: its place among all.
        name: its path in the folder, without the suffix.
        domain, problem: the files.
    """

    number: int
    name: str
    domain: Path
    problem: Path


def find_tasks(folder: Path, only: Iterable[str] = (), first: bool = False) -> tuple[PddlTask, ...]:
    """The problems below *folder*, in the order of their names, numbers in them counted as such.

    Args:
        folder: where to look, at any depth.
        only: names of problems or of folders, or patterns with ``*``, ``?`` and ``[a-m]``; all by default.
        first: whether to take only the first problem of each folder.

    Raises:
        SuiteError: there is no such folder, a problem has no domain, or there are no such problems.
    """
    if not is_folder(folder):
        raise SuiteError(f"There is no folder {folder}. Name one with PDDL domains and problems in it.")
    patterns = tuple(only)
    domains, problems = _sorted_out(folder)
    chosen = [path for path in problems if not patterns or _is_chosen(_name(folder, path), patterns)]
    if first:
        chosen = [next(group) for _, group in groupby(chosen, lambda path: path.parent)]
    if not chosen:
        which = f" called {' or '.join(patterns)}" if patterns else ""
        raise SuiteError(f"There are no PDDL problems{which} in {folder}.")
    return tuple(
        PddlTask(number, _name(folder, path), _domain_of(path, problems[path], domains, folder), path)
        for number, path in enumerate(chosen)
    )


def _name(folder: Path, path: Path) -> str:
    return path.relative_to(folder).with_suffix("").as_posix()


def _is_chosen(name: str, patterns: Iterable[str]) -> bool:
    """Return whether a pattern fits the name, or that of a folder that it is in."""
    parts = name.split("/")
    above = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    return any(fnmatchcase(part, pattern) for pattern in patterns for part in above)


def _sorted_out(folder: Path) -> tuple[dict[Path, str], dict[Path, str]]:
    """The domains below *folder*, by their names, and the problems, by the names of their domains."""
    domains: dict[Path, str] = {}
    problems: dict[Path, str] = {}
    for path in sorted(folder.rglob("*.pddl"), key=lambda path: (path.parent, _natural(path.name))):
        text = _COMMENT.sub("", path.read_text(encoding="utf-8", errors="replace"))
        defined = _DEFINES.search(text)
        if defined is None:
            continue
        if defined[1].lower() == "domain":
            domains[path] = defined[2].lower()
        else:
            named = _OF_DOMAIN.search(text)
            problems[path] = named[1].lower() if named else ""
    return domains, problems


def _natural(name: str) -> list[tuple[int, str]]:
    """A key by which ``p2`` comes before ``p10``."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def _domain_of(problem: Path, named: str, domains: Mapping[Path, str], top: Path) -> Path:
    """The file of the problem's domain.

    Raises:
        SuiteError: there is none.
    """
    here = problem.parent
    while True:
        for name in (*_own_names(problem.stem), "domain", named):
            path = here / f"{name}.pddl"
            if path in domains:
                return path
        if here == top:
            break
        here = here.parent
    alone = [path for path in domains if path.parent == problem.parent]
    if len(alone) == 1:
        return alone[0]
    raise SuiteError(
        f"{problem} has no domain. It may be called domain.pddl, {problem.stem}-domain.pddl, "
        f"domain-{problem.stem}.pddl or {named or 'NAME'}.pddl, beside it or in a folder above."
    )


def _own_names(stem: str) -> Iterator[str]:
    """Names that the domain of this problem alone may have."""
    for name in dict.fromkeys((stem, *re.split("[-_]", stem)[:1])):
        yield from (f"{name}-domain", f"{name}_domain", f"domain-{name}", f"domain_{name}")
    for number in _NUMBER.findall(stem):
        yield from (f"domain{number}", f"domain{int(number)}")
