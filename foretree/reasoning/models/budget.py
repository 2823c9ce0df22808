"""The budget of a run for models, in tokens and in money."""

from __future__ import annotations

from threading import Lock

from foretree.reasoning.models.model import Model, Prices, Question, Reply, tokens_of


class Budget:
    """The tokens and the money that all questions of a run may take together; 0 is no limit.

    Args:
        tokens: asked and answered.
        cost: in the currency of the prices.
        prices: of the model.
    """

    def __init__(self, tokens: int = 0, cost: float = 0.0, prices: Prices | None = None) -> None:
        self._tokens = tokens
        self._cost = cost
        self._prices = prices or Prices()
        self._used = Reply()
        self._lock = Lock()

    def refusal(self, question: Question) -> str:
        """The reason not to ask *question*, which might exceed the budget; empty if it cannot."""
        asked = tokens_of(question.system) + tokens_of(question.user)
        with self._lock:
            used = self._used
        after = Reply(asked=used.asked + asked, answered=used.answered + question.most_tokens)
        tokens, cost = after.asked + after.answered, self._prices.of(after)
        if self._tokens and tokens > self._tokens:
            spent, limit = f"{used.asked + used.answered:,} tokens", f"llm_budget_tokens is {self._tokens:,}"
            need = f"{tokens:,}"
        elif self._cost and cost > self._cost:
            spent, limit = f"{self._prices.of(used):g}", f"llm_budget_cost is {self._cost:g}"
            need = f"{cost:g}"
        else:
            return ""
        return (
            f"The budget of this run for models is spent: it has taken {spent}, another question could make "
            f"it {need}, and {limit}."
        )

    def add(self, reply: Reply) -> None:
        """Count a reply."""
        with self._lock:
            used = self._used
            self._used = Reply(asked=used.asked + reply.asked, answered=used.answered + reply.answered)


class BudgetedModel:
    """Asks a model as long as the budget lasts; what it does not ask has the reason as its reply."""

    def __init__(self, model: Model, budget: Budget) -> None:
        self.name = model.name
        self._model = model
        self._budget = budget

    def ask(self, question: Question) -> Reply:
        """See :class:`~foretree.reasoning.models.model.Model`."""
        refusal = self._budget.refusal(question)
        if refusal:
            return Reply(problem=refusal)
        reply = self._model.ask(question)
        self._budget.add(reply)
        return reply
