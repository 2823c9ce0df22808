"""Results as JUnit XML, which every continuous-integration service can show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal, TypeAlias
from xml.etree.ElementTree import Element, SubElement, indent, tostring

#: How a case went. An error is trouble with the machinery, a failure is a result that must not be.
Verdict: TypeAlias = Literal["passed", "failure", "error"]


@dataclass(frozen=True)
class Case:
    """One line of a list of tests.

    Attributes:
        suite: what it is listed below; cases of the same suite follow each other.
        group: what it belongs to.
        name: unique in its group.
        seconds: how long it took.
        verdict: how it went.
        message: why it did not pass, in one line.
        details: the same at length.
        output: what there is to say of it however it went.
        properties: what else was measured.
    """

    suite: str
    group: str
    name: str
    seconds: float
    verdict: Verdict = "passed"
    message: str = ""
    details: str = ""
    output: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)


def as_junit(name: str, cases: Iterable[Case], interruption: str = "") -> str:
    """The cases as an XML document.

    Args:
        name: what all of them are.
        cases: cases of the same suite follow each other.
        interruption: how many of them were run, if not all: a property of every suite.
    """
    listed = [(suite, tuple(group)) for suite, group in groupby(cases, lambda case: case.suite)]
    root = Element("testsuites", {"name": name, **_counts([c for _, group in listed for c in group])})
    for suite, group in listed:
        element = SubElement(root, "testsuite", {"name": suite, **_counts(group)})
        _properties(element, {"interruption": interruption} if interruption else {})
        for case in group:
            _case(element, case)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _counts(cases: Sequence[Case]) -> dict[str, str]:
    def count(verdict: Verdict) -> str:
        return str(sum(case.verdict == verdict for case in cases))

    return {
        "tests": str(len(cases)),
        "failures": count("failure"),
        "errors": count("error"),
        # Whatever is listed was run; some services want to be told.
        "skipped": "0",
        "time": f"{sum(case.seconds for case in cases):.3f}",
    }


def _case(suite: Element, case: Case) -> None:
    attributes = {"classname": case.group, "name": case.name, "time": f"{case.seconds:.3f}"}
    element = SubElement(suite, "testcase", attributes)
    _properties(element, case.properties)
    if case.verdict != "passed":
        verdict = SubElement(element, case.verdict, {"message": _clean(case.message)})
        verdict.text = _clean(case.details) or None
    if case.output:
        SubElement(element, "system-out").text = _clean(case.output)


def _properties(element: Element, given: Mapping[str, str]) -> None:
    if given:
        listed = SubElement(element, "properties")
        for name, value in given.items():
            SubElement(listed, "property", {"name": name, "value": value})


def _clean(text: str) -> str:
    """*text* without the control characters that XML has no way to write."""
    return "".join(char for char in text if char >= " " or char in "\n\t")
