"""Suites of every kind: which there are, what can be selected of each, and how one is run.

A further kind is a folder beside the others, with a suite, its trials and a report, and an entry in
:data:`KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from foretree.config import find_config, read_yaml
from foretree.errors import takes_extra
from foretree.regression.core.selection import Selection, SuiteError
from foretree.regression.core.suite_run import SuiteRun

if TYPE_CHECKING:
    from rich.console import Console

    from foretree.regression.reports.suite_report import SuiteReport

#: The suites that are folders: of PDDL, of trials of ALFRED, and of scenarios of AutoGPT+P.
PDDL, ALFRED, AUTOGPTP = "pddl", "alfred", "autogptp"
_FOLDERS = (PDDL, ALFRED, AUTOGPTP)


@dataclass(frozen=True)
class SuiteKind:
    """A kind of suite.

    Attributes:
        says: what a suite of the kind is, for people.
        takes: what can be selected of it, apart from what can be of any suite.
        load: imports what reads and runs one, and the class of its report.
    """

    says: str
    takes: frozenset[str]
    load: Callable[
        [], tuple[Callable[[Selection], Any], Callable[[Any, SuiteRun], Any], type[SuiteReport[Any, Any]]]
    ]


def _sessions() -> tuple[Any, Any, type[SuiteReport[Any, Any]]]:
    from foretree.regression.sessions.report import SessionReport, open_session_suite, run_session_suite

    return open_session_suite, run_session_suite, SessionReport


def _planning() -> tuple[Any, Any, type[SuiteReport[Any, Any]]]:
    from foretree.regression.planning.report import PlanningReport, open_planning_suite, run_planning_suite

    return open_planning_suite, run_planning_suite, PlanningReport


def _homes() -> tuple[Any, Any, type[SuiteReport[Any, Any]]]:
    with takes_extra("homes", "Suites in grid homes"):
        from foretree.regression.homes.report import HomesReport
        from foretree.regression.homes.running import open_homes_suite, run_homes_suite

    return open_homes_suite, run_homes_suite, HomesReport


def _language() -> tuple[Any, Any, type[SuiteReport[Any, Any]]]:
    from foretree.regression.language.report import LanguageReport, open_language_suite, run_language_suite

    return open_language_suite, run_language_suite, LanguageReport


def _words() -> tuple[Any, Any, type[SuiteReport[Any, Any]]]:
    from foretree.regression.words.report import WordsReport, open_words_suite, run_words_suite

    return open_words_suite, run_words_suite, WordsReport


def _pddl() -> tuple[Any, Any, type[SuiteReport[Any, Any]]]:
    from foretree.regression.pddl.report import PddlReport
    from foretree.regression.pddl.running import open_pddl_suite, run_pddl_suite

    return open_pddl_suite, run_pddl_suite, PddlReport


def _alfred() -> tuple[Any, Any, type[SuiteReport[Any, Any]]]:
    with takes_extra("homes", "Trials of ALFRED"):
        from foretree.regression.homes.alfred.report import AlfredReport
        from foretree.regression.homes.alfred.running import open_alfred_suite, run_alfred_suite

    return open_alfred_suite, run_alfred_suite, AlfredReport


def _autogptp() -> tuple[Any, Any, type[SuiteReport[Any, Any]]]:
    from foretree.regression.language.autogptp.report import ScenarioReport, open_scenarios, run_scenarios

    return open_scenarios, run_scenarios, ScenarioReport


#: What can be selected of tasks in homes.
_IN_HOMES = frozenset({"episodes", "variants", "revisers", "ablate", "splits", "keep"}) | frozenset(
    {"noise", "persistence", "recovery", "sweep"}
)
#: What can be selected of any suite.
_ANY = frozenset({"suite", "jobs", "seed", "only", "output", "shard"})

#: The kinds of suites, by what their files say, and those that are folders.
KINDS = {
    "sessions": SuiteKind("sessions", frozenset({"episodes", "variants", "revisers", "optimise"}), _sessions),
    "planning": SuiteKind(
        "planning", frozenset({"episodes", "variants", "settings", "levels", "growth"}), _planning
    ),
    "homes": SuiteKind("grid homes", _IN_HOMES | {"modes"}, _homes),
    "language": SuiteKind("language", frozenset({"variants", "revisers", "ablate", "garbage"}), _language),
    "words": SuiteKind("tasks from words", frozenset({"episodes", "variants", "settings", "levels"}), _words),
    PDDL: SuiteKind("folders of PDDL", frozenset({"folder", "limit", "first"}), _pddl),
    ALFRED: SuiteKind("trials of ALFRED", _IN_HOMES | {"folder", "rooms", "descriptions", "check"}, _alfred),
    AUTOGPTP: SuiteKind("scenarios of AutoGPT+P", frozenset({"folder", "variants"}), _autogptp),
}

#: Options whose names are not those of the fields.
_OPTIONS = {"folder": "FOLDER", "variants": "--variant", "settings": "--setting", "levels": "--level"}
_OPTIONS |= {"modes": "--mode", "splits": "--split", "revisers": "--reviser"}


def kind_of(selection: Selection) -> str:
    """The kind of the suite that is asked for.

    Raises:
        ConfigError: there is no such suite.
        SuiteError: what is selected makes no sense for it.
    """
    name = selection.suite
    kind = name
    if name not in _FOLDERS:
        kind = str(read_yaml(find_config("suites", name)).get("kind", "sessions"))
        if kind in _FOLDERS or kind not in KINDS:  # no suite file is a folder
            kind = "sessions"  # whose reader says what is wrong with any other
    known = KINDS[kind]
    for field in fields(selection):
        wrong = field.name not in _ANY | known.takes
        if wrong and getattr(selection, field.name) != field.default:
            valid = _listed([other.says for other in KINDS.values() if field.name in other.takes])
            option = _OPTIONS.get(field.name, f"--{field.name}")
            raise SuiteError(
                f"The suite {name} is one of {known.says}: {option} is for suites of {valid} only."
            )
    return kind


def regress(
    selection: Selection, console: Console | None = None, merged: dict[str, Any] | None = None
) -> SuiteReport[Any, Any]:
    """Run a suite: sessions, planning, household tasks, language, tasks from words, or a folder.

    Args:
        selection: which suite, and what of it.
        console: where progress is shown, if it is a terminal.
        merged: results by name that stand for all that is to be run.

    Raises:
        ConfigError: the suite makes no sense.
        SuiteError: what was selected is not in it.
    """
    read, run, _ = KINDS[kind_of(selection)].load()
    report: SuiteReport[Any, Any] = run(read(selection), SuiteRun(selection, console, merged=merged))
    return report


def _listed(words: Sequence[str]) -> str:
    """*words* in a sentence: one, two and three."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
