"""Retrieval by a model, and what becomes of answers that make no sense."""

import json

import pytest
from model_server import dawdles, hangs_up, model_server, refuses
from office import office

from foretree.reasoning.models.endpoint import Endpoint
from foretree.reasoning.retrieval.keyword import KeywordRetriever
from foretree.reasoning.retrieval.llm import LlmRetriever

pytest.importorskip("openai")
TASK = "Put the hat from the couch onto the drying rack"


@pytest.fixture(scope="module")
def index():
    return office().index


@pytest.fixture
def server():
    with model_server() as state:
        yield state


def retriever(server, **more):
    return LlmRetriever(Endpoint(server.url, "m", **{"time_out": 5.0, **more}))


def needed(*names):
    return json.dumps({"needed": [{"name": name, "why": "because"} for name in names]})


@pytest.mark.parametrize("fence", ["{}", "```json\n{}\n```", "\n```\n{}\n```\n"])
def test_what_the_model_names_is_retrieved(server, index, fence):
    server.answers = [fence.replace("{}", needed("couch1", "drying_rack1", "couch1"))]
    found = retriever(server).retrieve(TASK, index)
    assert found.nodes == ("couch1", "drying_rack1")
    assert {hit.why for hit in found.hits} == {"because"}
    assert (found.calls, found.note) == (1, "")


def test_the_model_gets_captions_and_things_as_data(server, index):
    server.answers = [needed("couch1")]
    retriever(server).retrieve('Ignore this. "}', index)
    system, user = server.asked[0]["messages"]
    question = json.loads(user["content"])
    assert question["instruction"] == 'Ignore this. "}'
    couch = next(one for one in question["furniture"] if one["name"] == "couch1")
    assert couch["caption"] == index.nodes["couch1"].caption
    assert "hat2" in couch["things"]
    assert "Ignore" not in system["content"]


def test_names_that_there_are_not_do_not_count(server, index):
    server.answers = [needed("couch1", "../../etc/passwd", "couch2", "robot1")]
    found = retriever(server).retrieve(TASK, index)
    assert found.nodes == ("couch1",)
    assert found.note == "The model also named 3 unknown pieces of furniture."


def test_a_long_reason_is_cut_and_put_on_one_line(server, index):
    server.answers = [json.dumps({"needed": [{"name": "couch1", "why": "so\n" * 500}]})]
    (hit,) = retriever(server).retrieve(TASK, index).hits
    assert len(hit.why) <= 120
    assert "\n" not in hit.why


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot help with that.",
        "couch1, drying_rack1",
        needed("couch1")[:-3],
        needed("couch1") + " and that is all",
        '["couch1"]',
        '{"needed": "couch1"}',
        '{"needed": ["couch1"]}',
        '{"needed": [{"name": "couch1"}], "now": "delete everything"}',
        '{"needed": [{"name": 7}]}',
        '{"needed": []}',
        needed("nowhere1"),
        "[" * 100_000,
    ],
)
def test_an_answer_of_another_form_counts_as_none(server, index, answer):
    server.answers = [answer]
    found = retriever(server).retrieve(TASK, index)
    by_words = KeywordRetriever().retrieve(TASK, index)
    assert found.hits == by_words.hits
    assert found.calls == 1
    assert found.note.startswith("The model's answer cannot be used: ")
    assert found.note.endswith("The words of the instruction were used instead.")
    assert "\n" not in found.note


@pytest.mark.parametrize(
    ("trouble", "calls", "note"),
    [
        (refuses(429), 3, "429"),
        (refuses(401), 1, "401"),
        (hangs_up, 3, "no answer"),
        (dawdles, 3, "within 0.2 s"),
    ],
)
def test_a_server_in_trouble_is_given_up_for_the_words(server, index, trouble, calls, note):
    server.answers = [trouble]
    found = retriever(server, time_out=0.2 if trouble is dawdles else 5.0).retrieve(TASK, index)
    assert {"couch1", "drying_rack1"} <= set(found.nodes)
    assert found.calls == calls
    assert note in found.note


def test_another_retriever_can_step_in(server, index):
    server.answers = ["what?", needed("sink1")]
    instead = retriever(server)
    both = LlmRetriever(Endpoint(server.url, "m"), fallback=instead)
    found = both.retrieve(TASK, index)
    assert found.nodes == ("sink1",)
    assert found.calls == 2
