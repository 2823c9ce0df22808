"""The choice of tools by a model, over HTTP: only what can help counts."""

from __future__ import annotations

import json
from concurrent.futures import wait

import pytest
from model_server import model_server, refuses

from foretree.agent.tools.chooser import ToolSituation
from foretree.agent.tools.model_chooser import ModelChooser
from foretree.clock import SimulatedClock
from foretree.reasoning.models.consultant import Consultant, ConsultantOptions
from foretree.reasoning.models.consultation import NoAnswerError, Prompt
from foretree.reasoning.models.endpoint import Endpoint, ServedModel
from foretree.runs.events import Tape

pytest.importorskip("openai")

SITUATION = ToolSituation(
    "bring me a whisk",
    "(exists (?x - whisk) (given ?x anna))",
    ("explore", "alternative", "stop"),
    ("a whisk",),
    0.1,
    {"plan": "it is not known where to find a whisk", "partial": "no part of it is left to be done"},
)


@pytest.fixture
def server():
    with model_server() as state:
        yield state


def chooser(server, tape=None) -> ModelChooser:
    model = ServedModel(Endpoint(server.url, "m", time_out=5, retries=0))
    options = ConsultantOptions(corrections=2, latency=2.0)
    return ModelChooser(Consultant(model, Prompt.load("tools"), SimulatedClock(), tape or Tape(), options))


def chosen(choosing: ModelChooser, situation: ToolSituation = SITUATION) -> str:
    pending = choosing.choose(situation)
    assert not isinstance(pending, str)
    assert not pending.ready()  # the simulated latency
    wait([pending.future])
    return pending.result()


def test_a_tool_is_chosen_among_those_that_can_help(server) -> None:
    server.answers = [json.dumps({"tool": "alternative", "why": "a fork will do"})]
    tape = Tape()
    assert chosen(chooser(server, tape)) == "alternative"
    told = json.loads(server.asked[0]["messages"][1]["content"])
    assert list(told["tools"]) == ["explore", "alternative", "stop"]
    assert told["cannot help"]["plan"] == "it is not known where to find a whisk"
    assert [event.data["purpose"] for event in tape.of("model.answered")] == ["tools"]


@pytest.mark.parametrize(
    ("says", "wrong"),
    [
        ("plan", "not known where to find a whisk"),
        ("partial", "no part of it is left"),
        ("fly", "no such tool"),
        ("", "no such tool"),
        ("Explore", "no such tool"),
    ],
)
def test_a_tool_that_cannot_help_goes_back(server, says, wrong) -> None:
    server.answers = [json.dumps({"tool": says}), json.dumps({"tool": "stop"})]
    assert chosen(chooser(server)) == "stop"
    (earlier,) = json.loads(server.asked[1]["messages"][1]["content"])["earlier"]
    assert wrong in earlier["wrong"]
    assert "explore, alternative, stop" in earlier["wrong"]


@pytest.mark.parametrize(
    "trouble", [refuses(500), "explore", json.dumps({"tool": "plan"}), json.dumps({"tool": ["explore"]})]
)
def test_without_a_choice_that_can_be_used_it_ends(server, trouble) -> None:
    server.answers = [trouble]
    choosing = chooser(server)
    with pytest.raises(NoAnswerError):
        chosen(choosing)
    assert len(server.asked) <= 3
    assert choosing.spent.questions == len(server.asked)


@pytest.mark.parametrize(("can_help", "tool"), [(("explore", "stop"), "explore"), (("stop",), "stop")])
def test_where_there_is_nothing_to_choose_no_model_is_asked(server, can_help, tool) -> None:
    situation = ToolSituation("bring me a whisk", "(exists)", can_help)
    assert chooser(server).choose(situation) == tool
    assert not server.asked
