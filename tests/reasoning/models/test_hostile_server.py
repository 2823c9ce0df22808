"""A model server with bad intentions, or one that somebody else has got hold of."""

import json
import stat
import threading
import time

import in_process
import pytest
from model_server import model_server, send, sends, tells
from waiting import until

from foretree.reasoning.models import _transport, endpoint
from foretree.reasoning.models.endpoint import MOST_TOKENS, Client, Endpoint, EndpointError, ServedModel
from foretree.reasoning.models.model import Prices, Question, Reply, Spending
from foretree.reasoning.models.record_replay import AnswerBook, RecordingModel
from foretree.runs.reader import events
from foretree.runs.store import RunStore

pytest.importorskip("openai")
HELLO = [{"role": "user", "content": "hello"}]
KEY = "sk-0123456789/abc+def"


@pytest.fixture
def server():
    with model_server() as state:
        yield state


def client(server, **more):
    return Client(Endpoint(server.url, "some-model", **{"time_out": 5.0, "retries": 0, **more}))


def refusal(client):
    with pytest.raises(EndpointError) as caught:
        client.chat(HELLO)
    assert "127.0.0.1" in str(caught.value)
    assert len(str(caught.value)) < 500
    return str(caught.value)


# -- counts ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "count", [10**400, MOST_TOKENS + 1, -1, float("nan"), float("inf"), True, "7", [7], {"n": 7}, 7.0, None]
)
def test_counts_that_are_none_are_estimated(server, count):
    server.answers = [tells("good day!", usage={"prompt_tokens": count, "completion_tokens": count})]
    answer = client(server).answer(HELLO)
    assert answer == Reply("good day!", "", 2, 3)


def test_whatever_is_counted_can_be_summed_and_recorded(server):
    usage = {"prompt_tokens": 10**400, "completion_tokens": MOST_TOKENS}
    server.answers = [tells("good day!", usage=usage)]
    endpoint = Endpoint(server.url, "m", time_out=5.0)
    reply = ServedModel(endpoint).ask(Question("a", "b"))
    spent = Spending.on(reply, Prices(1e9, 1e9))
    assert (
        json.loads(json.dumps(spent.with_(spent).as_json(), allow_nan=False))["answered"] == 2 * MOST_TOKENS
    )


def test_more_digits_than_python_reads_are_no_answer(server):
    server.answers = [sends(b'{"choices": ' + b"9" * 100_000 + b"}")]
    assert "not JSON" in refusal(client(server))


# -- the shape and size of answers -----------------------------------------------------------------------
def test_an_answer_that_is_nested_deeply(server):
    server.answers = [sends(b"[" * 1_000_000)]
    assert "nested too deeply" in refusal(client(server)) or "not JSON" in refusal(client(server))


def test_an_answer_that_is_too_long_to_keep(server):
    server.answers = ["x" * (endpoint.MOST_CHARACTERS + 1)]
    assert "is too long: 1,000,001 characters" in refusal(client(server))


def endless(status):
    """Pieces without an end; how many there were is counted."""

    def answer(handler):
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(b"x" * 10_000)
                answer.pieces += 1
        except OSError:
            answer.over.set()

    answer.pieces, answer.over = 0, threading.Event()
    return answer


@pytest.mark.parametrize("status", [200, 400, 503])
def test_what_has_no_end_is_cut_off(server, status, monkeypatch):
    monkeypatch.setattr(_transport, "MOST_BYTES", 2**20)
    answer = endless(status)
    server.answers = [answer]
    said = refusal(client(server, time_out=60.0))
    assert "longer than 1 MiB" in said if status == 200 else f"Error code: {status}" in said
    assert answer.over.wait(60)
    assert answer.pieces < 2_000  # what was under way when the connection ended


@pytest.mark.parametrize("status", [200, 500])
def test_a_thread_that_reads_drops_does_not_stay(server, status):
    def drips(handler):
        handler.send_response(status)
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(b" ")
                handler.wfile.flush()
                time.sleep(0.02)
        except OSError:
            pass

    def reading():
        return {thread for thread in threading.enumerate() if thread.name == "model request"}

    before = reading()
    server.answers = [drips]
    refusal(client(server, time_out=0.3))
    until(lambda: reading() <= before, "the end of the thread")


@pytest.mark.parametrize("number", ["1e400", "NaN", "true", '"1"', "1" + "0" * 400, "null", "[1]"])
def test_vectors_of_other_things_than_numbers(server, number):
    row = f'{{"index": 0, "embedding": [{number}, 1]}}'
    server.answers = [sends(f'{{"data": [{row}]}}'.encode())]
    with pytest.raises(EndpointError, match="no vector"):
        client(server).embed(["a"])


def test_models_are_names(server):
    server.models = [{"id": {"a": 1}}]
    with pytest.raises(EndpointError, match="does not say which models"):
        client(server).models()


# -- elsewhere -------------------------------------------------------------------------------------------
def redirects(to, status=307):
    return lambda handler: send(handler, status, b"{}", Location=to)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nothing_is_sent_to_another_server(server, status):
    with model_server() as other:
        other.answers = ["come in"]
        server.answers = [redirects(f"{other.url}/chat/completions", status)]
        asking = client(server, key=KEY, retries=2)
        said = refusal(asking)
        assert "another server" in said
        assert other.url in said
        assert asking.calls == 1
    assert not other.asked


def test_another_scheme_is_another_server(server):
    server.answers = [redirects(server.url.replace("http", "https"))]
    assert "another server" in refusal(client(server))


def test_within_a_server_a_redirect_is_followed(server):
    server.answers = [redirects("/v1/elsewhere"), "here I am"]
    assert client(server).chat(HELLO) == "here I am"
    assert len(server.asked) == 2


def test_a_redirect_with_a_text_without_end(server):
    def answer(handler):
        handler.send_response(307)
        handler.send_header("Location", "/v1/elsewhere")
        handler.end_headers()

    server.answers = [answer]
    assert "may have no end" in refusal(client(server))


# -- keys ------------------------------------------------------------------------------------------------
def with_key(url):
    return url.replace("http://", f"http://user:{KEY.replace('/', '%2F')}@")


@pytest.mark.parametrize("where", ["key", "url"])
@pytest.mark.parametrize("status", [200, 401])
def test_a_key_that_is_repeated_is_not_told(server, where, status):
    said = json.dumps({"error": {"message": f"bad key {KEY}"}}).replace("sk", "\\u0073k")
    server.answers = [
        f"the key is {KEY}!" if status == 200 else lambda handler: send(handler, 401, said.encode())
    ]
    asking = Endpoint(
        with_key(server.url) if where == "url" else server.url, "m", KEY if where == "key" else ""
    )
    reply = ServedModel(asking).ask(Question("a", "b"))
    assert KEY not in str(reply)
    assert KEY.replace("/", "%2F") not in str(reply)
    assert (reply.text == "the key is …!") if status == 200 else "bad key …" in reply.problem


def test_a_key_in_a_url_is_not_told_by_errors():
    asking = Client(Endpoint(with_key("http://127.0.0.1:9/v1"), "m", retries=0))
    said = refusal(asking)
    assert "http://127.0.0.1:9/v1" in said
    assert KEY not in said
    assert "user" not in said


def test_half_characters_are_no_trouble(server, tmp_path):
    server.answers = [sends(b'{"choices": [{"message": {"content": "a\\ud800b"}}]}')]
    path = tmp_path / "book.jsonl"
    question = Question("system", "user \udc80")
    reply = RecordingModel(ServedModel(Endpoint(server.url, "m", retries=0)), AnswerBook(path)).ask(question)
    assert AnswerBook(path).find(question.digest("m")) == reply


def test_a_run_ends_well_and_nothing_of_it_has_the_key(server, tmp_path):
    usage = {"prompt_tokens": 10**400, "completion_tokens": float("nan")}
    server.answers = [tells(f"(mango, pick), {KEY}", usage=usage)]
    settings = {
        "llm_url": with_key(server.url),
        "llm_model": "m",
        "llm_record": str(tmp_path / "new" / "book.jsonl"),
        "llm_retries": "0",
    }
    done = in_process.foretree(
        *("run", "put the mango into the fridge", "--fault", "after 1: move mango1 on table2"),
        *("--reviser", "llm,planner", "--plain", "--id", "key"),
        *(word for name, value in settings.items() for word in ("--set", f"agent.{name}={value}")),
        FORETREE_HOME=str(tmp_path / "home"),
        FORETREE_LLM_KEY=KEY,
    )
    assert done.returncode == 0, done.stderr
    run = RunStore(tmp_path / "home" / "runs").open("key")
    assert list(events(run, kinds=("model.answered",)))
    (ended,) = events(run, kinds=("run.ended",))
    assert ended.data["outcome"] == "reached"
    assert 0 < ended.data["models"]["asked"] < MOST_TOKENS
    assert server.headers[0]["authorization"]
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.name for path in written} >= {"book.jsonl", "key.sqlite"}
    for told in (done.stdout, done.stderr, *(path.read_bytes().decode("latin-1") for path in written)):
        assert KEY not in told
        assert KEY.replace("/", "%2F") not in told
    for path in (tmp_path / "new" / "book.jsonl", run.path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for folder in (tmp_path / "new", tmp_path / "home", tmp_path / "home" / "runs"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
