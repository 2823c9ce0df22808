"""The extent and the results of a survey in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from foretree.reasoning.survey.mapping_writer import SurveyedClasses
from foretree.reasoning.survey.runner import SurveyExtent, SurveyResult

#: So many problems of a kind are told one by one.
_MOST_TOLD = 5
#: So much of what was asked is shown with a problem.
_MOST_SHOWN = 60


def describe_extent(extent: SurveyExtent, classes: int, model: str) -> str:
    """Return the extent of a survey in a line."""
    known = f", {extent.known:,} of which are answered already" if extent.known else ""
    asked = f"about {extent.asked:,} tokens asked and {extent.answered:,} answered"
    by = f" by {model}" if model else ""
    return f"Classes: {classes:,}. Questions: at most {extent.questions:,}{known}; {asked}{by}."


def describe_spending(result: SurveyResult) -> str:
    """Return what a survey has taken, in a line."""
    spent = result.spent
    cost = f", at a cost of {spent.cost:g}" if spent.cost else ""
    return f"{spent.questions:,} questions, {spent.asked:,} tokens asked, {spent.answered:,} answered{cost}."


def describe_problems(surveyed: SurveyedClasses, result: SurveyResult) -> Iterator[str]:
    """Iterate over what went wrong, a line for each; many of a kind are counted."""
    yield from _first(
        [
            f"No answer for {thing} ({about.partition(':')[0][:_MOST_SHOWN]}): {problem}"
            for (thing, about), problem in result.problems.items()
        ],
        "more questions without an answer that can be used.",
    )
    yield from _first(
        [
            f"{name}: {stronger} was dropped, as it implies {weaker}, which was denied."
            for name, stronger, weaker in surveyed.contradictions
        ],
        "more contradictions, in which the stronger claim was dropped.",
    )
    if surveyed.unanswered:
        yield f"Left out, for want of an answer: {', '.join(surveyed.unanswered)}."
    if surveyed.open:
        yield f"{len(surveyed.open):,} pairs without an answer count as not afforded."


def _first(lines: Sequence[str], more: str) -> Iterator[str]:
    yield from lines[:_MOST_TOLD]
    if len(lines) > _MOST_TOLD:
        yield f"And {len(lines) - _MOST_TOLD:,} {more}"
