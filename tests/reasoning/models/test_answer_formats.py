"""Servers that understand schemas, JSON mode or neither, and the odd answers that they give."""

import json

import pytest
from model_server import model_server, says, send, sends

from foretree.reasoning.models.endpoint import Endpoint, ServedModel
from foretree.reasoning.models.model import AnswerForm, Question

pytest.importorskip("openai")
FORM = AnswerForm("goal", {"type": "object", "properties": {}, "required": [], "additionalProperties": False})
ASKED = Question("do this", "about that", 20, FORM)


@pytest.fixture
def server():
    with model_server() as state:
        yield state


def model(server, **more):
    return ServedModel(Endpoint(server.url, "m", **{"time_out": 5.0, "retries": 0, **more}))


def understands(*kinds, status=400, of="response_format"):
    """A server that refuses each way to tell the form of an answer but these."""

    def answer(handler):
        asked = handler.server.state.asked[-1].get(of, {})
        kind = asked.get("type", "") if isinstance(asked, dict) else asked
        if not asked or kind in kinds:
            says(handler, "{}")
        else:
            message = f"'{of}' of type '{kind}' is not supported by this model"
            send(handler, status, json.dumps({"error": {"message": message}}).encode())

    return answer


@pytest.mark.parametrize("status", [400, 415, 422, 501])
@pytest.mark.parametrize(
    ("kinds", "found", "calls"),
    [(("json_schema", "json_object"), "schema", 1), (("json_object",), "json", 2), ((), "text", 3)],
)
def test_the_best_format_is_found_by_trying_once(server, kinds, found, calls, status):
    server.answers = [understands(*kinds, status=status)]
    first, second = model(server).ask(ASKED), model(server).ask(ASKED)
    assert (first.text, first.problem, first.format, first.calls) == ("{}", "", found, calls)
    assert (second.format, second.calls) == (found, 1)


def test_a_schema_is_sent_as_the_protocol_has_it(server):
    server.answers = ["{}"]
    model(server).ask(ASKED)
    asked = server.asked[0]["response_format"]
    assert asked["type"] == "json_schema"
    assert asked["json_schema"] == {"name": "goal", "strict": True, "schema": dict(FORM.schema)}


def test_a_question_without_a_form_asks_for_text(server):
    server.answers = ["hello"]
    assert model(server).ask(Question("a", "b")).format == ""
    assert "response_format" not in server.asked[0]


def test_a_server_that_refuses_every_format_is_not_judged_by_it(server):
    refusal = {"error": {"message": "the model is not loaded"}}
    server.answers = [lambda handler: send(handler, 400, json.dumps(refusal).encode())]
    reply = model(server).ask(ASKED)
    assert "not loaded" in reply.problem
    server.answers = ["{}"]
    assert model(server).ask(ASKED).format == "schema"


@pytest.mark.parametrize("status", [401, 403, 429, 500])
def test_other_refusals_are_not_due_to_the_format(server, status):
    server.answers = [lambda handler: send(handler, status, b"{}")]
    assert model(server).ask(ASKED).calls == 1


@pytest.mark.parametrize(
    ("parameter", "hint", "mended"),
    [
        ("temperature", "llm_temperature", {"temperature": None}),
        ("max_tokens", "llm_tokens_as", {"tokens_as": "max_completion_tokens"}),
        ("max_tokens", "llm_tokens_as", {"tokens_as": "none"}),
    ],
)
def test_what_reasoning_models_refuse_can_be_left_out(server, parameter, hint, mended):
    def particular(handler):
        if parameter in handler.server.state.asked[-1]:
            message = f"Unsupported parameter: '{parameter}' is not supported with this model."
            send(handler, 400, json.dumps({"error": {"message": message}}).encode())
        else:
            says(handler, "{}")

    server.answers = [particular]
    reply = model(server).ask(ASKED)
    assert hint in reply.problem
    assert reply.calls == 1
    assert model(server, **mended).ask(ASKED).text == "{}"


def message(**parts):
    return sends(json.dumps({"choices": [{"finish_reason": "stop", "message": parts}]}).encode())


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (message(content="<think>hm { } </think>\n{}"), "{}"),
        (message(content="{}", reasoning_content="hm"), "{}"),
        (message(content=[{"type": "text", "text": "{"}, {"type": "text", "text": "}"}]), "{}"),
        (sends(b'data: {"choices": [{"delta": {"content": "{"}}]}\n\ndata: {"choices": [{"delta": '
               b'{"content": "}"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n', "text/event-stream"), "{}"),
        (sends(b': ping\n\ndata: {"choices": [{"delta": {"content": "{}"}}]}\n\ndata: {"choices": []}\n'), "{}"),
    ],
)  # fmt: skip
def test_oddities_that_can_be_read(server, answer, said):
    server.answers = [answer]
    reply = model(server).ask(ASKED)
    assert (reply.text, reply.problem) == (said, "")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (message(content=None, tool_calls=[{"function": {"name": "open_door"}}]), "called a tool"),
        (message(content=None, function_call={"name": "open_door"}), "called a tool"),
        (message(content="", reasoning_content="hm"), "allow more"),
        (message(content="<think>and on and on"), ""),
        (message(content=None, refusal="I will\nnot."), "The model refuses: I will not."),
        (sends(b'{"choices": []}'), "no answer at all"),
        (sends(b'{"error": {"message": "out of memory"}}'), "has no text in it"),
        (sends(b"data: [DONE]\n"), ""),
        (sends(b"data: 7\n"), "no JSON object"),
        (sends(b"data: {nonsense\n"), "not JSON"),
        (message(), "has no text in it"),
        (message(content=7), "has no text in it"),
    ],
)
def test_oddities_that_have_no_answer_in_them(server, answer, told):
    server.answers = [answer]
    reply = model(server).ask(ASKED)
    assert reply.text == ""
    assert told in reply.problem
    assert "\n" not in reply.problem


def test_a_connection_that_is_refused():
    reply = ServedModel(Endpoint("http://127.0.0.1:9/v1", "m", retries=0)).ask(ASKED)
    assert "127.0.0.1:9" in reply.problem
    assert reply.calls == 1
