"""The budget of a run: no question is asked that could exceed it."""

from __future__ import annotations

import pytest

from foretree.reasoning.models.budget import Budget, BudgetedModel
from foretree.reasoning.models.model import Prices, Question, Reply

ASKED = Question("x" * 40, "y" * 40, most_tokens=30)  # 20 tokens, and an answer of 30


class Steady:
    """A model that takes the same for each answer."""

    name = "m"

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, question: Question) -> Reply:
        self.asked += 1
        return Reply("yes", "", 20, 10, 1)


@pytest.mark.parametrize(
    ("budget", "answers"),
    [
        (Budget(), 9),
        (Budget(tokens=50), 1),
        (Budget(tokens=49), 0),
        (Budget(tokens=79), 1),
        (Budget(tokens=80), 2),
        (Budget(cost=0.5, prices=Prices(0, 10_000)), 3),  # 0.1 each, and 0.3 for another
        (Budget(cost=0.5), 9),  # free
        (Budget(tokens=1000, cost=0.3, prices=Prices(0, 10_000)), 1),
    ],
)
def test_nothing_is_asked_that_could_exceed_it(budget, answers) -> None:
    model = Steady()
    asking = BudgetedModel(model, budget)
    replies = [asking.ask(ASKED) for _ in range(9)]
    assert model.asked == answers
    assert [reply.problem == "" for reply in replies] == [True] * answers + [False] * (9 - answers)
    assert all(reply.calls == 0 for reply in replies[answers:])


@pytest.mark.parametrize(
    ("budget", "limit"),
    [
        (Budget(tokens=50), "llm_budget_tokens is 50"),
        (Budget(cost=0.3, prices=Prices(0, 1e4)), "cost is 0.3"),
    ],
)
def test_the_end_of_it_is_told_with_the_setting(budget, limit) -> None:
    asking = BudgetedModel(Steady(), budget)
    asking.ask(ASKED)
    assert limit in asking.ask(ASKED).problem


def test_models_share_a_budget() -> None:
    budget, models = Budget(tokens=80), (Steady(), Steady())
    for _ in range(3):
        for model in models:
            BudgetedModel(model, budget).ask(ASKED)
    assert [model.asked for model in models] == [1, 1]
