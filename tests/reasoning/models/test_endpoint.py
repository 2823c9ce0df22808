"""Asking a server that speaks the OpenAI protocol."""

import builtins
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from types import SimpleNamespace

import pytest
from model_server import breaks_off, dawdles, hangs_up, model_server, refuses, send, sends, tells

from foretree.reasoning.models import _transport, endpoint
from foretree.reasoning.models.endpoint import Client, Endpoint, EndpointError
from foretree.reasoning.models.model import Reply

pytest.importorskip("openai")
HELLO = [{"role": "user", "content": "hello"}]


@pytest.fixture
def server():
    with model_server() as state:
        yield state


@pytest.fixture
def pauses(monkeypatch):
    """The pauses between requests, in seconds; no time is spent on them."""
    made = []
    monkeypatch.setattr(endpoint, "time", SimpleNamespace(sleep=made.append))
    return made


def client(server, **more):
    return Client(Endpoint(server.url, "some-model", **{"time_out": 5.0, **more}))


def test_what_is_asked_and_what_is_answered(server):
    server.answers = ["good day"]
    asking = client(server, key="secret")
    assert asking.chat(HELLO) == "good day"
    assert (server.asked[0]["model"], server.asked[0]["messages"]) == ("some-model", HELLO)
    assert server.headers[0]["authorization"] == "Bearer secret"
    assert asking.calls == 1


@pytest.mark.parametrize("trouble", [refuses(429), refuses(503), hangs_up])
def test_what_may_pass_is_tried_again_and_counted(server, pauses, trouble):
    server.answers = [trouble, trouble, "at last"]
    asking = client(server)
    assert asking.chat(HELLO) == "at last"
    assert asking.calls == 3
    assert pauses == [endpoint.FIRST_PAUSE, 2 * endpoint.FIRST_PAUSE]


def test_after_some_tries_it_is_given_up(server):
    server.answers = [refuses(429)]
    asking = client(server, retries=1)
    with pytest.raises(EndpointError, match=r"127\.0\.0\.1.* gave no answer: .*429"):
        asking.chat(HELLO)
    assert asking.calls == 2


def test_what_will_not_pass_is_not_tried_again(server):
    server.answers = [refuses(401)]
    asking = client(server)
    with pytest.raises(EndpointError, match="401"):
        asking.chat(HELLO)
    assert asking.calls == 1


def test_the_whole_answer_has_to_come_in_time(server):
    server.answers = [dawdles]
    # An answer that was waited for to its end would be no JSON.
    with pytest.raises(EndpointError, match=r"no complete answer within 0\.3 s"):
        client(server, time_out=0.3, retries=0).chat(HELLO)


@pytest.mark.parametrize(
    "nonsense",
    [
        sends(b"<html>not here</html>", "text/html"),
        sends(b"{"),
        sends(b"[]"),
        sends(b"null"),
        sends(b'"text"'),
        sends(b'{"choices": []}'),
        sends(b'{"choices": 5}'),
        sends(b'{"choices": [null]}'),
        sends(b'{"choices": [{"message": {"content": null}}]}'),
        sends(b'{"choices": [{"message": {"content": {"a": 1}}}]}'),
        sends(b'\xff\xfe{"choices": []}'),
        breaks_off,
    ],
)
def test_nonsense_is_an_error_in_one_paragraph(server, nonsense):
    server.answers = [nonsense]
    with pytest.raises(EndpointError) as caught:
        client(server, retries=0).chat(HELLO)
    assert "127.0.0.1" in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(EndpointError):
        client(server, retries=0).embed(["a"])


def test_what_cannot_be_read_is_not_asked_for_again(server):
    server.answers = [sends(b"{")]
    asking = client(server)
    with pytest.raises(EndpointError, match="not JSON"):
        asking.chat(HELLO)
    assert asking.calls == 1


def test_a_flood_is_cut_off(server, monkeypatch):
    monkeypatch.setattr(_transport, "MOST_BYTES", 2**20)
    server.answers = ["x" * 2**21]
    with pytest.raises(EndpointError, match="longer than 1 MiB"):
        client(server).chat(HELLO)


@pytest.mark.parametrize("wanted", ["0.6", "date"])
def test_a_server_says_how_long_to_wait(server, pauses, wanted):
    if wanted == "date":  # whole seconds, so not exactly as many
        wanted = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=600), usegmt=True)
    server.answers = [refuses(429, Retry_After=wanted), "at last"]
    assert client(server, patience=900).chat(HELLO) == "at last"
    (pause,) = pauses
    assert pause == 0.6 if wanted == "0.6" else 0 < pause <= 600


def test_who_wants_too_long_a_pause_is_not_asked_again(server):
    server.answers = [refuses(429, Retry_After="3600"), "too late"]
    asking = client(server)
    with pytest.raises(EndpointError, match="429"):
        asking.chat(HELLO)
    assert asking.calls == 1


@pytest.mark.parametrize("wanted", ["soon", "-5", "nan", ""])
def test_what_says_no_time_is_no_reason_to_wait(server, pauses, wanted):
    server.answers = [refuses(429, Retry_After=wanted), "at last"]
    assert client(server).chat(HELLO) == "at last"
    assert pauses in ([0.0], [endpoint.FIRST_PAUSE])


def test_tokens_are_counted_by_the_server(server):
    server.answers = [tells("good day", usage={"prompt_tokens": 7, "completion_tokens": 3})]
    assert client(server).answer(HELLO) == Reply("good day", "", 7, 3)


@pytest.mark.parametrize("usage", [None, [], {"prompt_tokens": "7", "completion_tokens": -1}, {}])
def test_tokens_that_nobody_counts_are_estimated(server, usage):
    server.answers = [tells("good day!", usage=usage)]
    assert client(server).answer(HELLO) == Reply("good day!", "", 2, 3)


def test_an_answer_that_was_cut_off_is_told_apart(server):
    server.answers = [tells("good d", "length")]
    assert client(server).answer(HELLO).problem


def test_a_key_that_a_server_repeats_is_not_told(server):
    server.answers = [lambda handler: send(handler, 401, b'{"error": {"message": "bad key sk-secret"}}')]
    with pytest.raises(EndpointError) as caught:
        client(server, key="sk-secret").chat(HELLO)
    assert "401" in str(caught.value)
    assert "sk-secret" not in str(caught.value)


def test_which_models_there_are(server):
    assert client(server).models() == ("m",)
    server.models = [7]
    with pytest.raises(EndpointError, match="does not say which models it has"):
        client(server).models()


def test_how_long_a_question_takes_at_most():
    assert Endpoint("u", "m", time_out=10, retries=2, patience=5).longest == 40


def test_nobody_there():
    asking = Client(Endpoint("http://127.0.0.1:9/v1", "m", retries=0))
    with pytest.raises(EndpointError, match=r"127\.0\.0\.1:9"):
        asking.chat(HELLO)


def test_vectors_come_in_the_order_of_their_texts(server):
    server.answers = ["[[1, 2], [3, 4]]"]
    assert client(server).embed(["a", "b"]) == [[1.0, 2.0], [3.0, 4.0]]
    assert server.asked[0]["input"] == ["a", "b"]


@pytest.mark.parametrize(
    "vectors", ["[[1, 2]]", "[[1, 2], [3]]", "[[1, 2], [3, 4], [5, 6]]", '[[1, 2], ["x", 4]]']
)
def test_vectors_that_do_not_fit_the_texts(server, vectors):
    server.answers = [vectors]
    with pytest.raises(EndpointError, match="no vector for each of the 2 texts"):
        client(server).embed(["a", "b"])


def test_the_environment_names_a_server():
    names = {"FORETREE_LLM_URL": "http://here/v1", "FORETREE_LLM_MODEL": "m", "OPENAI_API_KEY": "k"}
    assert Endpoint.from_environment(names) == Endpoint("http://here/v1", "m", "k")


def test_what_is_known_already_the_environment_does_not_change():
    names = {"FORETREE_LLM_URL": "http://here/v1", "FORETREE_LLM_MODEL": "m", "FORETREE_LLM_KEY": "k"}
    found = Endpoint.from_environment(names, url="http://there/v1", key="", retries=0)
    assert found == Endpoint("http://there/v1", "m", "k", retries=0)


@pytest.mark.parametrize(
    ("missing", "meaning"),
    [("FORETREE_LLM_URL", "the URL of the model server"), ("FORETREE_LLM_MODEL", "the name of a model")],
)
def test_the_environment_names_none(missing, meaning):
    names = {"FORETREE_LLM_URL": "http://here/v1", "FORETREE_LLM_MODEL": "m"}
    del names[missing]
    with pytest.raises(EndpointError, match=f"{missing} is not set. Its value is {meaning}"):
        Endpoint.from_environment(names)


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch):
    real = builtins.__import__

    def without(name, *arguments, **more):
        if name == "openai":
            raise ImportError(name)
        return real(name, *arguments, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(EndpointError, match=r"pip install 'foretree\[llm\]'"):
        Client(Endpoint("http://127.0.0.1:9/v1", "m")).chat(HELLO)
