"""The language model that the settings describe, and the parts of a session that ask it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from foretree.agent.settings import Settings
from foretree.agent.tools.model_chooser import ModelChooser
from foretree.clock import Clock
from foretree.config import find_config
from foretree.reasoning.model_alternatives import AlternativeAdviser
from foretree.reasoning.model_reasoner import ModelReasoner
from foretree.reasoning.models.budget import Budget, BudgetedModel
from foretree.reasoning.models.consultant import Consultant, ConsultantOptions
from foretree.reasoning.models.consultation import Prompt
from foretree.reasoning.models.embedders import make_embedder
from foretree.reasoning.models.endpoint import Endpoint, ServedModel
from foretree.reasoning.models.model import Model, Prices, Reply
from foretree.reasoning.models.record_replay import (
    AnswerBook,
    AnswerBookError,
    RecordingModel,
    RememberingModel,
    ReplayedModel,
)
from foretree.revision.llm.reviser import LlmOptions, LlmReviser
from foretree.runs.events import Recorder, Silent
from foretree.skills.catalogue import Catalogue
from foretree.world_model.affordances.embedding import Embed

#: Real seconds that a simulation waits for a server beyond what its time-outs come to.
_MARGIN = 10.0
#: A goal may take so many tokens, or more where the settings allow it.
_MOST_GOAL_TOKENS = 1_000


class LanguageModels:
    """The language model that the settings describe, and the parts of a session that ask it.

    They share one budget. Nothing is read and no server is named before a part is made.

    Args:
        settings: which model, and how it is asked.
        clock: all time comes from it.
        recorder: takes down what is asked.
        replies: what was answered already, by the questions' digests.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        recorder: Recorder | None = None,
        replies: Iterable[tuple[str, Reply]] = (),
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._recorder: Recorder = recorder or Silent()
        self._replies = tuple(replies)
        self._prices = Prices(settings.llm_price_asked, settings.llm_price_answered)
        # What a question takes at most, with all its repetitions.
        limit = settings.llm_time_out
        self._longest = Endpoint("", "", "", limit, settings.llm_retries, limit).longest

    @cached_property
    def model(self) -> Model:
        """The model to ask.

        Raises:
            EndpointError: there is no model server to ask.
            AnswerBookError: the answers that are to be replayed, or added to, cannot be read.
            ConfigError: there is no such record.
        """
        settings = self._settings
        model = model_of(settings)
        if self._replies:
            model = RememberingModel(self._replies, model)
        budget = Budget(settings.llm_budget_tokens, settings.llm_budget_cost, self._prices)
        return BudgetedModel(model, budget)

    def reviser(self, catalogue: Catalogue | None = None) -> LlmReviser:
        """Return the reviser that asks it.

        Args:
            catalogue: what the operators of the domain are to the robot.

        Raises:
            ForetreeError: there is no such model.
        """
        settings = self._settings
        options = LlmOptions(
            notation=settings.llm_format,
            feedback=settings.llm_feedback,
            latency=settings.llm_latency,
            time_out=settings.llm_patience,
            patience=(2 + settings.llm_corrections) * self._longest + _MARGIN,
            most_tokens=settings.llm_tokens,
            prices=self._prices,
            corrections=settings.llm_corrections,
        )
        skills = None if catalogue is None else catalogue.skills
        ontology = None if catalogue is None else catalogue.ontology
        return LlmReviser(self.model, self._clock, skills, self._recorder, options, ontology)

    def reasoner(self) -> ModelReasoner:
        """Return the reasoner that asks it for the goal.

        Raises:
            ForetreeError: there is no such model, or no prompt.
        """
        return ModelReasoner(self._consultant("goal", most_tokens=_MOST_GOAL_TOKENS))

    def chooser(self) -> ModelChooser:
        """Return the part that asks it which tool comes next.

        Raises:
            ForetreeError: there is no such model, or no prompt.
        """
        return ModelChooser(self._consultant("tools"))

    def adviser(self) -> AlternativeAdviser:
        """Return the part that asks it what would do in place of a missing thing.

        Raises:
            ForetreeError: there is no such model, or no prompt.
        """
        return AlternativeAdviser(self._consultant("alternatives"))

    def _consultant(self, purpose: str, most_tokens: int = 0) -> Consultant:
        settings = self._settings
        options = ConsultantOptions(
            corrections=settings.goal_corrections,
            most_tokens=max(settings.llm_tokens, most_tokens),
            prices=self._prices,
            latency=settings.llm_latency,
            patience=(1 + settings.goal_corrections) * self._longest + _MARGIN,
        )
        return Consultant(self.model, Prompt.load(purpose), self._clock, self._recorder, options)


def model_of(settings: Settings) -> Model:
    """Return the model to ask: a server, a server and a record of its answers, or the record alone.

    Raises:
        EndpointError: there is no model server to ask.
        AnswerBookError: the answers that are to be replayed, or added to, cannot be read.
        ConfigError: there is no such record.
    """
    replayed = settings.llm_replay or os.environ.get("FORETREE_LLM_REPLAY", "")
    recorded = settings.llm_record or os.environ.get("FORETREE_LLM_RECORD", "")
    if settings.reasoner == "recorded" and not replayed:
        raise AnswerBookError(
            "The reasoner recorded takes its answers from a file: name it with the setting llm_replay, or in "
            "FORETREE_LLM_REPLAY. The reasoner openai writes one with the setting llm_record."
        )
    if replayed:
        if recorded:
            raise AnswerBookError(
                "llm_record and llm_replay exclude each other: answers are either asked for and written "
                "down, or read."
            )
        book = AnswerBook(find_config("answers", replayed, ".jsonl"))
        name = settings.llm_model or os.environ.get("FORETREE_LLM_MODEL", "") or book.model()
        return ReplayedModel(name, book)
    served = ServedModel(_endpoint(settings, settings.llm_model))
    return RecordingModel(served, AnswerBook(Path(recorded))) if recorded else served


def embedder_of(settings: Settings) -> Embed | None:
    """Return the embedder that the settings name; None if they name none.

    Raises:
        ForetreeError: there is no such embedder.
    """
    return make_embedder(settings.embedder, lambda model: _endpoint(settings, model))


def _endpoint(settings: Settings, model: str) -> Endpoint:
    return Endpoint.from_environment(
        url=settings.llm_url,
        model=model,
        key=settings.llm_key,
        time_out=settings.llm_time_out,
        retries=settings.llm_retries,
        patience=settings.llm_time_out,
        temperature=None if settings.llm_temperature == "none" else settings.llm_temperature,
        tokens_as=settings.llm_tokens_as,
    )
