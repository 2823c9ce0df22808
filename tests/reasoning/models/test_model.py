"""Questions to models, replies, and what they cost."""

import pytest
from model_server import model_server, refuses, tells

from foretree.reasoning.models.endpoint import Endpoint, ServedModel
from foretree.reasoning.models.model import Prices, Question, Reply, Spending

pytest.importorskip("openai")


@pytest.fixture
def server():
    with model_server() as state:
        yield state


def model(server, **more):
    return ServedModel(Endpoint(server.url, "m", **{"time_out": 5.0, "retries": 0, **more}))


def test_a_question_and_its_reply(server):
    server.answers = [tells("yes", usage={"prompt_tokens": 9, "completion_tokens": 1})]
    assert model(server).ask(Question("do this", "about that", 20)) == Reply("yes", "", 9, 1, 1)
    assert server.asked[0]["messages"] == [
        {"role": "system", "content": "do this"},
        {"role": "user", "content": "about that"},
    ]
    assert server.asked[0]["max_tokens"] == 20


def test_trouble_is_a_reply_too(server):
    server.answers = [refuses(500)]
    reply = model(server, retries=1).ask(Question("a", "b"))
    assert "500" in reply.problem
    assert (reply.text, reply.calls) == ("", 2)


def test_half_an_answer_is_trouble_that_costs(server):
    server.answers = [tells("ye", "length", usage={"prompt_tokens": 9, "completion_tokens": 1})]
    reply = model(server).ask(Question("a", "b"))
    assert reply.problem == "The answer was cut off after 1 tokens."
    assert (reply.asked, reply.answered) == (9, 1)


def test_questions_are_told_apart_by_all_that_matters():
    question = Question("a", "b", 5)
    others = [Question("a", "c", 5), Question("c", "b", 5), Question("a", "b", 6), Question("ab", "", 5)]
    assert len({q.digest("m") for q in [question, *others]} | {question.digest("n")}) == 6
    assert question.digest("m") == Question("a", "b", 5).digest("m")


def test_what_it_costs():
    prices = Prices(asked=2.0, answered=8.0)
    one = Spending.on(Reply(asked=1000, answered=100, calls=1), prices)
    other = Spending.on(Reply(problem="no", calls=3), prices)
    assert one.cost == pytest.approx(0.0028)
    assert one.with_(other) == Spending(2, 4, 1000, 100, one.cost)
