"""A survey of what classes of objects afford, by the language model that an agent's settings describe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from foretree.agent.agent_file import read_agent
from foretree.bringup._language_model import model_of
from foretree.reasoning.models.budget import Budget, BudgetedModel
from foretree.reasoning.models.consultation import Prompt
from foretree.reasoning.models.embedders import make_embedder
from foretree.reasoning.models.endpoint import Endpoint, EndpointError
from foretree.reasoning.models.model import Model, Prices, Question, Reply
from foretree.reasoning.survey.logic import load_logic
from foretree.reasoning.survey.runner import AnswerStore, Survey, SurveyOptions
from foretree.reasoning.survey.strategies import (
    ListStrategy,
    LogicStrategy,
    Strategy,
    StrategyName,
    YesNoStrategy,
)
from foretree.world_model.affordances.embedding import Embed
from foretree.world_model.affordances.mapping import AffordanceMapping


class _NotAsked:
    """Stands for a model where only the extent of a survey is wanted."""

    def __init__(self, name: str) -> None:
        self.name = name

    def ask(self, question: Question) -> Reply:
        """See :class:`~foretree.reasoning.models.model.Model`."""
        return Reply(problem="no model is asked")


def named_embedder(named: str) -> Embed | None:
    """Return the embedder of that name; a server is the one that the environment names.

    Raises:
        ForetreeError: there is no such embedder.
    """
    return make_embedder(named, lambda model: Endpoint.from_environment(model=model))


def make_strategy(name: StrategyName, mapping: AffordanceMapping, affordances: Sequence[str]) -> Strategy:
    """Return a way of asking about some affordances.

    Raises:
        ConfigError: a prompt, or the file of questions, cannot be read.
    """
    asked = tuple(affordances)
    if name == "list":
        return ListStrategy(mapping, asked, Prompt.load("affordances_list"))
    direct = Prompt.load("affordances_yes_no")
    if name == "yes-no":
        return YesNoStrategy(mapping, asked, direct)
    logic = load_logic(mapping.affordances)
    return LogicStrategy(mapping, asked, logic, Prompt.load("affordances_question"), direct)


def make_survey(
    strategy: Strategy,
    store: Path,
    agent: str = "default",
    overrides: Mapping[str, str] | None = None,
    parallel: int = 4,
    dry: bool = False,
) -> Survey:
    """Return a survey that asks the model of an agent's settings ``llm_…``.

    Args:
        strategy: how it is asked.
        store: the file that answers are kept in.
        agent: the agent's file.
        overrides: settings that differ from it, as text.
        parallel: how many classes are asked about at once.
        dry: whether only its extent is wanted; the settings need not name a server then.

    Raises:
        ForetreeError: there is no model to ask, or the settings or the answers cannot be read.
    """
    settings = read_agent(agent, overrides).settings
    prices = Prices(settings.llm_price_asked, settings.llm_price_answered)
    model: Model
    try:
        model = model_of(settings)
    except EndpointError:
        if not dry:
            raise
        model = _NotAsked(settings.llm_model)
    model = BudgetedModel(model, Budget(settings.llm_budget_tokens, settings.llm_budget_cost, prices))
    options = SurveyOptions(settings.goal_corrections, settings.llm_tokens, parallel, prices)
    return Survey(model, strategy, AnswerStore(store), options)
