"""Scenario files: CSV of tasks in scenes, with or without tools, or of missing objects alone.

What cannot be read of one scenario is kept as its problem, so that the others can be run.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import StringIO
from pathlib import Path

from foretree.config import ConfigError, read_text
from foretree.errors import suggest
from foretree.planning.pddl.syntax import Formula
from foretree.printable import quote
from foretree.regression.core.selection import SuiteError
from foretree.regression.language.autogptp.goal_text import GoalTextError, read_goal
from foretree.regression.language.autogptp.scene_file import AGENTS, AffordanceScene, object_name, read_scene
from foretree.regression.language.autogptp.scene_problem import SceneProblem
from foretree.regression.language.suite import SpokenCase, SubstitutionCase
from foretree.skills.affordance_catalogue import AffordanceDomain

#: The columns of the kinds of scenario files, and of the files that these name.
SIMPLE = ("task", "scene_file", "desired_goal", "min_costs")
WITH_TOOLS = (
    "task",
    "scene_file",
    "explored",
    "substitutions_file",
    "desired_goal",
    "min_tool_calls",
    "min_costs",
)
OF_MISSING = ("task", "scene_file", "missing_object", "alternatives")
SUBSTITUTIONS = ("missing", "substitution")

#: In the place of the explored location: all of them.
_ALL = "all"
#: So many folders above a scenario file, files that it names are looked for.
_HIGHEST = 4
#: In the place of the name of a file: there is none.
_NO_FILE = ("", "none", "-")


@dataclass(frozen=True, kw_only=True)
class ScenarioCase(SpokenCase):
    """A task in a scene.

    Attributes:
        scene: everything there is.
        goal: what has to hold in the end.
        goal_text: the same as text, with all its parentheses.
        explored: the locations of which it is known what is there.
        accepted: what would do in place of each missing class.
        least: the cost of the cheapest plan; None if the file does not say it.
        least_calls: the least number of calls of tools; None where they are not counted.
    """

    scene: AffordanceScene
    goal: Formula
    goal_text: str
    explored: tuple[str, ...]
    accepted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    least: int | None = None
    least_calls: int | None = None

    @property
    def wanted(self) -> str:
        """Outcome that it should come to."""
        return "reaches"


@dataclass(frozen=True, kw_only=True)
class UnreadableCase(SpokenCase):
    """A scenario that cannot be run.

    Attributes:
        problem: why not, with file and line.
    """

    problem: str

    @property
    def wanted(self) -> str:
        """Outcome that it should come to."""
        return "reaches"


def read_scenarios(where: Path, domain: AffordanceDomain) -> dict[str, SpokenCase]:
    """The scenarios in a folder and the folders below it, or in one file, by name.

    Raises:
        SuiteError: there are none.
    """
    if not where.exists():
        raise SuiteError(
            f"There is no file or folder {where}. Name a folder with scenarios as CSV, or one such file."
        )
    files = sorted(where.rglob("*.csv")) if where.is_dir() else [where]
    root = where if where.is_dir() else where.parent
    cases: dict[str, SpokenCase] = {}
    for file in files:
        for case in _ScenarioReader(file, root, domain, alone=file == where).read():
            cases[case.name] = case
    if not cases:
        raise SuiteError(
            f"{where} has no scenarios. A scenario file is CSV with the columns {', '.join(SIMPLE)}."
        )
    return cases


class _ScenarioReader:
    """Reads one scenario file.

    Args:
        path: the file.
        root: scenes are looked for beside the file, then there and below.
        domain: has the predicates of goals.
        alone: whether it is the only file, which has to be one of scenarios.
    """

    def __init__(self, path: Path, root: Path, domain: AffordanceDomain, alone: bool) -> None:
        self._path = path
        self._root = root
        self._domain = domain
        self._alone = alone
        self._family = path.relative_to(root).with_suffix("").as_posix()
        self._scene = cache(self._read_scene)

    def read(self) -> Iterator[SpokenCase]:
        try:
            rows = list(_rows(self._path))
        except ConfigError as error:
            yield self._unreadable(0, "", str(error))
            return
        columns = tuple(cell.lower() for cell in rows[0][1]) if rows else ()
        if columns == SUBSTITUTIONS and not self._alone:
            return
        if not any({*columns}.issuperset(known) for known in (SIMPLE, WITH_TOOLS, OF_MISSING)):
            known = "; ".join(",".join(one) for one in (SIMPLE, WITH_TOOLS, OF_MISSING))
            problem = (
                f"expected the columns of a scenario file, not {quote(','.join(columns))}. Valid: {known}."
            )
            yield self._unreadable(1, "", f"{self._path}:1: {problem}")
            return
        for line, row in rows[1:]:
            said = row[0] if row else ""
            try:
                if len(row) != len(columns):
                    shown = ", ".join(columns)
                    raise ConfigError(
                        f"expected {len(columns)} columns ({shown}), found {len(row)}; a cell with a comma "
                        "in it is quoted."
                    )
                yield self._case(line, dict(zip(columns, row, strict=True)))
            except (ConfigError, GoalTextError) as error:
                yield self._unreadable(line, said, f"{self._path}:{line}: {error}")

    def _unreadable(self, line: int, said: str, problem: str) -> UnreadableCase:
        return UnreadableCase(name=f"{self._family}:{line}", say=said, family=self._family, problem=problem)

    def _case(self, line: int, row: Mapping[str, str]) -> SpokenCase:
        name, say = f"{self._family}:{line}", row["task"]
        if not say:
            raise ConfigError("the task is empty: write what is asked for in words.")
        problem = self._scene(row["scene_file"])
        scene = problem.scene
        if "missing_object" in row:
            missing = _class_of(row["missing_object"])
            kinds = (kind for kind in scene.objects.values() if kind not in AGENTS and kind != missing)
            accepted = tuple(dict.fromkeys(map(_class_of, _listed(row["alternatives"]))))
            return SubstitutionCase(
                name=name,
                say=say,
                family=self._family,
                things=tuple(dict.fromkeys(kinds)),
                missing=missing,
                alternatives=accepted,
            )
        goal = read_goal(row["desired_goal"], problem.catalogue.domain, problem.objects)
        return ScenarioCase(
            name=name,
            say=say,
            family=self._family,
            scene=scene,
            goal=goal.formula,
            goal_text=goal.text,
            explored=_explored(row.get("explored", _ALL), scene),
            accepted=self._substitutions(row.get("substitutions_file", "")),
            least=_number("min_costs", row["min_costs"]),
            least_calls=_number("min_tool_calls", row.get("min_tool_calls", "")),
        )

    def _read_scene(self, name: str) -> SceneProblem:
        return SceneProblem(
            read_scene(self._find(name, "scene_file"), self._domain.base.domain.predicates), self._domain
        )

    def _find(self, name: str, column: str) -> Path:
        """The file of that name: at the root or beside the scenario file, else below the root, else above."""
        wanted = Path(name.replace("\\", "/"))
        ending = ".txt" if column == "scene_file" else ".csv"
        below = sorted(self._root.rglob(f"*{ending}"))
        found = [path for path in below if path.stem == wanted.stem]
        found = [path for path in found if path.match(str(wanted.with_suffix(ending)))] or found
        above = list(self._path.resolve().parents)[1:_HIGHEST]
        path = _in_folders((self._root, self._path.parent), wanted) or (
            found[0] if len(found) == 1 else None if found else _in_folders(above, wanted)
        )
        if path is not None:
            return path
        names = [str(path.relative_to(self._root)) for path in found or below]
        what = f"{len(found)} files are called so" if found else f"there is no file {quote(name)}"
        raise ConfigError(f"{column}: {what} in {self._root}. {suggest(name, names)}")

    def _substitutions(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """Substitutes for each missing class; nothing where no file says it."""
        if name.lower() in _NO_FILE:
            return {}
        path = self._find(name, "substitutions_file")
        found: dict[str, tuple[str, ...]] = {}
        for line, row in _rows(path):
            if tuple(cell.lower() for cell in row) == SUBSTITUTIONS:
                continue
            if len(row) != len(SUBSTITUTIONS):
                raise ConfigError(
                    f"{path}:{line}: expected missing,substitution, not {quote(','.join(row))}."
                )
            missing, other = map(_class_of, row)
            found[missing] = (*found.get(missing, ()), other)
        return found


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file that are not empty, each with the line where it ends."""
    text = read_text(path).removeprefix("\ufeff")
    header = text.lstrip().partition("\n")[0]
    delimiter = next((mark for mark in (",", ";", "\t") if mark in header), ",")
    read = csv.reader(StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    try:
        for row in read:
            if any(cell.strip() for cell in row):
                yield read.line_num, [cell.strip() for cell in row]
    except csv.Error as error:
        raise ConfigError(f"{path}:{read.line_num}: not valid CSV: {error}.") from error


def _class_of(text: str) -> str:
    """The class in the name of an object: apple of ``apple:0`` and ``apple0``; a class is one itself."""
    return text.lower().replace(":", "").rstrip("0123456789")


def _listed(text: str) -> list[str]:
    """The names in a cell, whatever stands between them."""
    return re.split(r"[\s,;|\[\]'\"]+", text.strip(" \t,;|[]'\""))


def _in_folders(folders: Iterable[Path], wanted: Path) -> Path | None:
    """The first file of a name, with or without its ending, in some folders."""
    paths = (path for folder in folders for path in (folder / wanted, folder / f"{wanted}.txt"))
    return next((path for path in paths if path.is_file()), None)


def _explored(text: str, scene: AffordanceScene) -> tuple[str, ...]:
    if text.lower() in (_ALL, ""):
        return tuple(scene.locations)
    known = {**scene.locations, **scene.objects}
    named = [object_name(name, known) for name in _listed(text)]
    # What is no place itself stands for the one where it is.
    found: Sequence[str | None] = [
        one if one is None or one in scene.locations else scene.place_of(one) for one in named
    ]
    if None in named:
        valid = suggest(text, scene.locations)
        raise ConfigError(f"explored: there is no location {quote(text)} in {scene.path.name}. {valid}")
    return tuple(name for name in found if name is not None)


def _number(column: str, text: str) -> int | None:
    if not text:
        return None
    try:
        number = float(text)
        return int(number) if number >= 0 and number == int(number) else _not_a_number(column, text)
    except (ValueError, OverflowError):
        return _not_a_number(column, text)


def _not_a_number(column: str, text: str) -> int:
    raise ConfigError(f"{column}: write a whole number from 0 on, not {quote(text)}.")
