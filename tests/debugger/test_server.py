"""The server: who may read what, who may steer, and what it says to bad requests."""

import json

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from foretree.debugger.server import COOKIE, Access, application
from foretree.debugger.serving import ServingError, is_loopback, listen
from foretree.pictures.scene_picture import scene_png

#: The last is what the client for tests calls itself on a WebSocket.
LOOPBACK = frozenset({"localhost", "127.0.0.1", "testserver"})


def client(store, access=None, base="http://127.0.0.1"):
    return TestClient(application(store, access or Access(LOOPBACK)), base_url=base)


def messages(socket):
    """What a feed says until it is through with the record and with its words."""
    said = {}
    while "lines" not in said:
        said = socket.receive_json()
        yield said


def reply(socket):
    """What a feed says to the last request."""
    while "reply" not in (said := socket.receive_json()):
        pass
    return said["reply"]


def test_the_page_loads_nothing_from_elsewhere(store):
    answer = client(store).get("/")
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "http" not in answer.text.replace('charset="utf-8"', "")


def test_it_lists_runs(store, mango):
    [run] = client(store).get("/runs").json()["runs"]
    assert (run["id"], run["outcome"], run["scene"]) == ("mango", "reached", "kitchen")


def test_a_feed_tells_the_whole_record(store, mango):
    with client(store).websocket_connect("/runs/mango/feed") as socket:
        said = list(messages(socket))
    events = [event for message in said for event in message.get("events", [])]
    assert [event[0] for event in events] == list(range(1, mango.info().events + 1))
    assert any(message.get("info", {}).get("status") == "ended" for message in said)
    lines = [line for message in said for line in message.get("lines", [])]
    assert any(level == "warning" and "discrepancy" in line for _, level, line in lines)


def test_a_feed_goes_on_where_the_viewer_was(store, mango):
    with client(store).websocket_connect("/runs/mango/feed?after=70") as socket:
        events = [event for message in messages(socket) for event in message.get("events", [])]
    assert events[0][0] == 71


@pytest.mark.parametrize(
    "name", ["nothing", "..%2Fmango", "%2Fetc%2Fpasswd", "..%2F..%2Fruns%2Fmango", "mango.sqlite"]
)
def test_no_path_leaves_the_runs(store, mango, name):
    try:
        with client(store).websocket_connect(f"/runs/{name}/feed") as socket:
            said = socket.receive_json()
    except WebSocketDisconnect:
        return  # no route leads there
    assert "There is no run" in said["trouble"]
    assert "events" not in said


@pytest.mark.parametrize(
    "path", ["/../pyproject.toml", "/server.py", "/%2e%2e/server.py", "/app.js.map", "/scenes/x.png"]
)
def test_only_the_pages_are_served(store, path):
    assert client(store).get(path).status_code == 404


def test_another_host_is_refused(store):
    """A page that resolves its own name to 127.0.0.1 must not read runs."""
    answer = client(store, base="http://evil.example").get("/runs")
    assert answer.status_code == 403


def test_a_page_of_another_site_is_refused(store, mango):
    served = client(store, Access(LOOPBACK, control=True))
    assert served.get("/runs", headers={"origin": "https://evil.example"}).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect),
        served.websocket_connect("/runs/mango/feed", headers={"origin": "https://evil.example"}),
    ):
        pass


def test_a_token_is_asked_for_and_kept(store, mango):
    served = client(store, Access(frozenset(), token="s3cret"))
    assert served.get("/runs").status_code == 403
    assert served.get("/runs?token=wrong").status_code == 403
    answer = served.get("/?token=s3cret")
    assert answer.status_code == 200
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert served.get("/runs").status_code == 200  # by the cookie
    with served.websocket_connect("/runs/mango/feed", headers={"cookie": f"{COOKIE}=s3cret"}) as socket:
        assert "control" in socket.receive_json()
    with pytest.raises(WebSocketDisconnect), served.websocket_connect("/runs/mango/feed"):
        pass


@pytest.mark.parametrize("request_", ['{"do": "stop"}', '{"do": "surprise", "line": "remove mango1"}'])
def test_who_only_watches_cannot_steer(store, mango, request_):
    with client(store).websocket_connect("/runs/mango/feed") as socket:
        said = list(messages(socket))
        socket.send_text(request_)
        with pytest.raises(WebSocketDisconnect):
            said += iter(socket.receive_json, None)
    # The run has ended, so that the feed may close before it can answer.
    assert all("only watches" in message["reply"] for message in said if "reply" in message)
    with mango.reading() as connection:
        assert connection.execute("SELECT count(*) FROM requests").fetchone() == (0,)


@pytest.fixture
def going_on(store):
    """A run whose process, this one, goes on."""
    from foretree.runs.recorder import RunRecorder

    run = store.create("wait", "kitchen", "waiting")
    recorder = RunRecorder(run)
    recorder.record("run.started", instruction="wait")
    yield run
    recorder.close("cancelled")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("nonsense", "There is no such request. Valid: pause"),
        ("[]", "There is no such request"),
        ('{"do": "explode"}', "There is no such request"),
        ('{"do": ["stop"]}', "There is no such request"),
        ('{"do": "say"}', "needs words"),
        ('{"do": "say", "words": 3}', "needs words"),
        (json.dumps({"do": "say", "words": "x" * 5000}), "needs words"),
        ('{"do": "break", "at": "node"}', "needs at and value"),
    ],
)
def test_a_bad_request_is_refused_in_words(store, going_on, said, words):
    with client(store, Access(LOOPBACK, control=True)).websocket_connect("/runs/waiting/feed") as socket:
        list(messages(socket))
        socket.send_text(said)
        assert words in reply(socket)


def test_what_is_asked_reaches_the_run(store, going_on):
    with client(store, Access(LOOPBACK, control=True)).websocket_connect("/runs/waiting/feed") as socket:
        list(messages(socket))
        socket.send_text('{"do": "break", "at": "discrepancy", "value": "any"}')
        socket.send_text('{"do": "explode"}')
        assert "no such request" in reply(socket)  # so the one before is through
    with going_on.reading() as connection:
        asked = connection.execute("SELECT kind, data FROM requests ORDER BY rowid").fetchall()
    (kind, data), (then, _) = asked
    assert (kind, json.loads(data)) == ("break", {"at": "discrepancy", "value": "any"})
    assert then == "leave"  # the server has ended, and the viewer's connection with it


def test_other_addresses_need_a_token():
    with pytest.raises(ServingError, match="--token"):
        listen("0.0.0.0", 0, "", False)
    served = listen("127.0.0.1", 0, "", False)
    with served.listening:
        assert served.address("#/run/x") == f"http://127.0.0.1:{served.port}/#/run/x"


def test_a_port_in_use_is_passed_over():
    first = listen("127.0.0.1", 0, "", False)
    with first.listening, listen("127.0.0.1", first.port, "", False).listening as second:
        assert second.getsockname()[1] > first.port


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("10.0.0.3", False),
        ("robot", False),
    ],
)
def test_what_counts_as_loopback(host, loopback):
    assert is_loopback(host) is loopback


@pytest.mark.parametrize("name", ["kitchen", "office", "l_kitchen/3", "l_kitchen%2F3"])
def test_a_picture_of_a_scene(store, name):
    app = application(store, Access(LOOPBACK), scene_png)
    answer = TestClient(app, base_url="http://127.0.0.1").get(f"/scenes/{name}.png")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["nope", "..%2Fmaps%2Foffice", "kitchen.yaml", "%2Fetc%2Fpasswd"])
def test_there_is_no_picture_of_what_is_no_scene(store, name):
    app = application(store, Access(LOOPBACK), scene_png)
    answer = TestClient(app, base_url="http://127.0.0.1").get(f"/scenes/{name}.png")
    assert answer.status_code == 404
    assert "There is no scene, map or home called" in answer.text
