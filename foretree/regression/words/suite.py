"""Suites of planning tasks from words: the tasks, and the ways from words to plans that are compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import Field

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import error_at, errors_at
from foretree.regression.core.selection import SuiteError, chosen
from foretree.regression.planning.factory import task_vocabulary
from foretree.regression.planning.suite import PlanningSuite, Trial
from foretree.regression.planning.suite_file import read_planning_suite
from foretree.schema import Strict, validate

_Chance: TypeAlias = Annotated[float, Field(ge=0, le=1)]

#: The part that failed: nodes were missed; what is there was seen wrongly; the goal is of the right form, but
#: about other things; it is another goal, or none; or there was no plan to the right one.
Failure: TypeAlias = Literal["retrieval", "perception", "grounding", "misunderstanding", "planning"]
#: What stands for no failure among published shares, and between the parts of one that is for several.
SUCCESS = "success"
OR = " or "

#: What finds the nodes that an instruction needs.
RetrieverKind: TypeAlias = Literal["keyword", "embedding", "llm"]


class WordsVariant(Strict):
    """A way to go from words to a plan. The first of a suite is the reference.

    Attributes:
        says: what it is, in a few words.
        retriever: what finds the nodes that an instruction needs.
        overlooked: how likely a thing is not to be seen.
        mistaken: how likely it is to be taken for one that looks like it.
    """

    says: str = ""
    retriever: RetrieverKind = "keyword"
    overlooked: _Chance = 0.0
    mistaken: _Chance = 0.0


@dataclass(frozen=True, slots=True)
class WordsTrial:
    """One thing to understand and to plan: which wording of which task, in which variant, from which start.

    Attributes:
        start: the trial of the planning suite that decides how everything is at the start.
    """

    number: int
    wording: str
    variant: str
    start: Trial


@dataclass(frozen=True)
class WordsSuite:
    """Tasks of a planning suite that are run from words.

    Attributes:
        name: unique among suites.
        planning: where the tasks are from, in the settings that are run.
        variants: what is compared, by name.
        says: what it is, in a sentence.
        seeds: how often each wording is tried, every time with everything somewhere else.
        published: shares of failures that were published of such tasks, by cause, and of successes.
    """

    name: str
    planning: PlanningSuite
    variants: Mapping[str, WordsVariant]
    says: str = ""
    seeds: int = 1
    published: Mapping[str, float] | None = None

    def trials(self, seeds: int | None = None, seed: int = 0) -> tuple[WordsTrial, ...]:
        """The trials: every wording of every task in every setting and variant, one seed after the other.

        Args:
            seeds: how often each; by default as often as the suite says.
            seed: decides the seeds.
        """
        found: list[WordsTrial] = []
        for start in self.planning.trials(self.seeds if seeds is None else seeds, seed):
            for wording in self.planning.tasks[start.task].wordings:
                for variant in self.variants:
                    found.append(WordsTrial(len(found), wording, variant, start))
        return tuple(found)

    def only(
        self,
        tasks: Iterable[str] = (),
        settings: Iterable[str] = (),
        variants: Iterable[str] = (),
        levels: Iterable[str] = (),
    ) -> WordsSuite:
        """The suite with only these; an empty choice leaves all.

        Raises:
            SuiteError: there is none of that name, or none is left.
        """
        return replace(
            self,
            planning=self.planning.only(tasks, settings, (), levels),
            variants=chosen("variant", self.name, self.variants, variants),
        )


class _File(Strict):
    suite: str
    kind: Literal["words"]
    says: str = ""
    of: str
    settings: tuple[str, ...] = ()
    seeds: int = Field(default=1, ge=1, le=1_000_000)
    variants: dict[str, WordsVariant] = Field(min_length=1)
    published: dict[str, Annotated[float, Field(ge=0, le=100)]] = Field(default_factory=dict)


def read_words_suite(name_or_path: str) -> WordsSuite:
    """Read ``configs/suites/NAME.yaml``, or the file at that path.

    Raises:
        ConfigError: it cannot be read or says something that makes no sense: with the file, the line, the
            key, and what would have been valid there.
    """
    path = find_config("suites", name_or_path)
    file = validate(_File, read_yaml(path), path)
    with errors_at(path, ("of",)):
        planning = read_planning_suite(file.of, task_vocabulary)
    try:
        # Planning is not what is compared here: it is done with nothing left out.
        planning = planning.only(settings=file.settings, variants=[next(iter(planning.variants))])
    except SuiteError as error:
        raise error_at(path, ("settings",), str(error)) from error
    for share in file.published:
        for outcome in share.split(OR):
            if outcome not in (*get_args(Failure), SUCCESS):
                valid = suggest(outcome, (*get_args(Failure), SUCCESS))
                raise error_at(path, ("published", share), f"there is no outcome {outcome!r}. {valid}")
    return WordsSuite(file.suite, planning, file.variants, file.says, file.seeds, file.published or None)
