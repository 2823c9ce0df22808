"""The report on the evaluation files of AutoGPT+P: that of a language suite, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from foretree.regression.core.selection import Selection, SuiteError
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.core.variants import AgentVariant
from foretree.regression.language.autogptp.scenario_file import UnreadableCase, read_scenarios
from foretree.regression.language.autogptp.trial import ScenarioTrials, scenario_domain
from foretree.regression.language.report import LanguageReport
from foretree.regression.language.suite import LanguageSuite
from foretree.regression.language.trial import LanguageEpisode
from foretree.regression.reports.suite_report import run_fields

#: The name of the suite, and of its only variant.
AUTOGPTP, _VARIANT = "autogptp", "default"


@dataclass(frozen=True)
class ScenarioReport(LanguageReport):
    """Results of scenarios of AutoGPT+P."""

    kind = AUTOGPTP
    what = "scenarios"

    def by_half(self, **wanted: object) -> Mapping[str, tuple[LanguageEpisode, ...]]:
        """All scenarios: their files say nothing of when they were written."""
        return {"all": tuple(self.of(**wanted))}

    def extra_faults(self) -> Iterator[str]:
        """The scenarios that could not be read."""
        run = {episode.case for episode in self.episodes}
        for name, case in self.suite.cases.items():
            if isinstance(case, UnreadableCase) and name in run:
                yield case.problem


def open_scenarios(selection: Selection) -> LanguageSuite:
    """The scenarios that are selected.

    Raises:
        SuiteError: there are no such scenarios.
    """
    if selection.folder is None:
        raise SuiteError("Say where the scenarios are: foretree regress --autogptp FOLDER runs those in it.")
    cases = read_scenarios(selection.folder, scenario_domain())
    says = f"Scenarios of AutoGPT+P in {selection.folder}."
    suite = LanguageSuite(AUTOGPTP, cases, {_VARIANT: AgentVariant(_VARIANT)}, says)
    return suite.only(selection.only, selection.variants)


def run_scenarios(suite: LanguageSuite, run: SuiteRun) -> ScenarioReport:
    """Run scenarios.

    Ctrl-C ends it early, with a report on those that were done by then.
    """
    done = run.results(ScenarioTrials(suite), suite.trials(), ScenarioReport.what)
    return ScenarioReport(suite, done.results, run.selection, **run_fields(done))
