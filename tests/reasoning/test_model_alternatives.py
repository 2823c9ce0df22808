"""Advice of a model, over HTTP: one of the classes that are there, or nothing."""

from __future__ import annotations

import json
from concurrent.futures import wait

import pytest
from model_server import model_server, refuses

from foretree.clock import SimulatedClock
from foretree.reasoning.model_alternatives import AlternativeAdviser
from foretree.reasoning.models.consultant import Consultant, ConsultantOptions
from foretree.reasoning.models.consultation import NoAnswerError, Prompt
from foretree.reasoning.models.endpoint import Endpoint, ServedModel
from foretree.runs.events import Silent

pytest.importorskip("openai")


@pytest.fixture
def server():
    with model_server() as state:
        yield state


def advised(server) -> str:
    model = ServedModel(Endpoint(server.url, "m", time_out=5, retries=0))
    prompt, options = Prompt.load("alternatives"), ConsultantOptions(corrections=1)
    adviser = AlternativeAdviser(Consultant(model, prompt, SimulatedClock(), Silent(), options))
    pending = adviser.begin("umbrella", "Keep me dry with the umbrella.", ["mug", "raincoat", "mug"])
    wait([pending.future])
    return pending.result()


@pytest.mark.parametrize("says", ["raincoat", ""])
def test_it_is_one_of_those_that_are_there_or_none(server, says) -> None:
    server.answers = [json.dumps({"alternative": says, "why": "so"})]
    assert advised(server) == says
    told = json.loads(server.asked[0]["messages"][1]["content"])
    assert (told["missing"], told["there"]) == ("umbrella", ["mug", "raincoat"])


def test_what_is_not_there_goes_back(server) -> None:
    server.answers = [json.dumps({"alternative": "tent"}), json.dumps({"alternative": "raincoat"})]
    assert advised(server) == "raincoat"
    (earlier,) = json.loads(server.asked[1]["messages"][1]["content"])["earlier"]
    assert "Choose of: mug, raincoat." in earlier["wrong"]


@pytest.mark.parametrize("trouble", [refuses(500), json.dumps({"alternative": "tent"}), "a raincoat"])
def test_it_ends_without_advice(server, trouble) -> None:
    server.answers = [trouble]
    with pytest.raises(NoAnswerError):
        advised(server)
    assert len(server.asked) <= 2
