"""Asking a server that speaks the OpenAI protocol."""

import builtins
import time

import pytest
from model_server import breaks_off, dawdles, hangs_up, model_server, refuses, sends

from foretree.reasoning.endpoint import Client, Endpoint, EndpointError

pytest.importorskip("openai")
HELLO = [{"role": "user", "content": "hello"}]


@pytest.fixture
def server():
    with model_server() as state:
        yield state


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
def test_what_may_pass_is_tried_again_and_counted(server, trouble):
    server.answers = [trouble, trouble, "at last"]
    asking = client(server)
    assert asking.chat(HELLO) == "at last"
    assert asking.calls == 3


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
    before = time.monotonic()
    with pytest.raises(EndpointError, match=r"no complete answer within 0\.3 s"):
        client(server, time_out=0.3, retries=0).chat(HELLO)
    assert time.monotonic() - before < 3.0


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


@pytest.mark.parametrize("missing", ["FORETREE_LLM_URL", "FORETREE_LLM_MODEL"])
def test_the_environment_names_none(missing):
    names = {"FORETREE_LLM_URL": "http://here/v1", "FORETREE_LLM_MODEL": "m"}
    del names[missing]
    with pytest.raises(EndpointError, match=f"{missing} is not set"):
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
