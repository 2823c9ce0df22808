"""The reviser and the reasoner that ask the language model that the settings describe."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from foretree.agent.settings import Settings
from foretree.clock import Clock
from foretree.config import find_config
from foretree.reasoning.model_reasoner import ModelReasoner
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
from foretree.runs.events import Recorder
from foretree.skills.catalogue import Catalogue

#: Real seconds that a simulation waits for a server beyond what its time-outs come to.
_MARGIN = 10.0


def make_llm_reviser(
    settings: Settings,
    clock: Clock,
    catalogue: Catalogue | None = None,
    recorder: Recorder | None = None,
    replies: Iterable[tuple[str, Reply]] = (),
) -> LlmReviser:
    """The reviser that asks a language model.

    Args:
        settings: which one, and how.
        clock: all time comes from it.
        catalogue: what the operators of the domain are to the robot.
        recorder: takes down what is asked.
        replies: what was answered already, by the questions' digests.

    Raises:
        EndpointError: there is no model server to ask.
        AnswerBookError: the answers that are to be replayed, or added to, cannot be read.
    """
    model, replies = model_of(settings), tuple(replies)
    # What a question takes at most, with all its repetitions.
    longest = Endpoint("", "", "", settings.llm_time_out, settings.llm_retries, settings.llm_time_out).longest
    options = LlmOptions(
        notation=settings.llm_format,
        feedback=settings.llm_feedback,
        latency=settings.llm_latency,
        time_out=settings.llm_patience,
        patience=2 * longest + _MARGIN,
        most_tokens=settings.llm_tokens,
        prices=Prices(settings.llm_price_asked, settings.llm_price_answered),
    )
    return LlmReviser(
        RememberingModel(replies, model) if replies else model,
        clock,
        None if catalogue is None else catalogue.skills,
        recorder,
        options,
    )


def make_model_reasoner(settings: Settings, recorder: Recorder) -> ModelReasoner:
    """The reasoner that asks a language model for the goal.

    Raises:
        EndpointError: there is no model server to ask.
        AnswerBookError: the answers that are to be replayed, or added to, cannot be read.
    """
    prices = Prices(settings.llm_price_asked, settings.llm_price_answered)
    return ModelReasoner(model_of(settings), settings.goal_corrections, recorder, prices)


def model_of(settings: Settings) -> Model:
    """Return the model to ask: a server, a server and a record of its answers, or the record alone.

    Raises:
        EndpointError: there is no model server to ask.
        AnswerBookError: the record cannot be read.
        ConfigError: there is no such record.
    """
    replayed = settings.llm_replay or os.environ.get("FORETREE_LLM_REPLAY", "")
    recorded = settings.llm_record or os.environ.get("FORETREE_LLM_RECORD", "")
    if replayed:
        if recorded:
            raise AnswerBookError(
                "llm_record and llm_replay exclude each other: answers are either asked for and written "
                "down, or read."
            )
        book = AnswerBook(find_config("answers", replayed, ".jsonl"))
        name = settings.llm_model or os.environ.get("FORETREE_LLM_MODEL", "") or book.model()
        return ReplayedModel(name, book)
    served = ServedModel(
        Endpoint.from_environment(
            url=settings.llm_url,
            model=settings.llm_model,
            key=settings.llm_key,
            time_out=settings.llm_time_out,
            retries=settings.llm_retries,
            patience=settings.llm_time_out,
            temperature=None if settings.llm_temperature == "none" else settings.llm_temperature,
            tokens_as=settings.llm_tokens_as,
        )
    )
    return RecordingModel(served, AnswerBook(Path(recorded))) if recorded else served
