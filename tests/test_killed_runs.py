"""`kill -9` at any moment, then `foretree resume`."""

import time

import pytest
from launcher import Launcher

from foretree.runs.reader import events as read
from foretree.runs.store import RunStore

#: A run of a few seconds with a surprise on the way; and where it is killed.
RUN = (
    "run",
    "put the mango into the fridge",
    "--fault",
    "after 1: move mango1 on table2",
    "--set",
    "agent.guards=presence,appearance,attribute,relationship",
)
MOMENTS = [
    ("", 0, 0.0),
    ("", 0, 0.05),
    ("run.started", 1, 0.0),
    ("goal.set", 1, 0.0),
    ("agent.chose", 1, 0.02),
    ("action.intent", 1, 0.0),
    ("action.started", 1, 0.08),
    ("fault.injected", 1, 0.0),
    ("revision.asked", 1, 0.0),
    ("revision.made", 1, 0.0),
    ("action.started", 2, 0.04),
    ("action.started", 4, 0.03),
    ("action.ended", 4, 0.0),
    ("action.intent", 6, 0.0),
]
#: Times as fast as real time: slower and slower, until the moment to kill at is seen before the run is over.
SPEEDS = (40.0, 10.0, 2.5, 0.6)


@pytest.fixture(scope="module")
def foretree(tmp_path_factory):
    launcher = Launcher(tmp_path_factory.mktemp("killed"))
    yield launcher
    launcher.close()


def killed(foretree, words, run_id, speed, kind, number, delay):
    """Start a process, and kill it *delay* seconds after the *number*-th event of *kind* is on record.

    None if it has come to its end before that.
    """
    job = foretree.start(*words, "--plain", "--speed", str(speed))
    store = RunStore(foretree.home / "runs")
    seen = len(list(read(store.open(run_id)))) if run_id in store.ids() else 0
    if kind:

        def happened():
            if run_id not in store.ids():
                return False
            return sum(event.kind == kind for event in read(store.open(run_id), after=seen)) >= number

        job.until(lambda: happened() or not job.alive())
    time.sleep(delay)
    job.kill()
    ended = run_id in store.ids() and store.open(run_id).info().status == "ended"
    return None if ended else store


def finished(events):
    intents = {e.data["execution"]: e.data["action"] for e in events if e.kind == "action.intent"}
    return [
        (intents[e.data["execution"]]["skill"], *intents[e.data["execution"]]["arguments"])
        for e in events
        if e.kind == "action.ended" and e.data["outcome"] == "done"
    ]


def check(foretree, store, run_id):
    """Resume *run_id*; it reaches the goal, and the world refuses nothing."""
    job = foretree.run("resume", run_id, "--plain")
    assert job.status == 0, job.out + job.err
    run = store.open(run_id)
    assert run.info().outcome == "reached"
    events = list(read(run))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    ends = [event for event in events if event.kind == "action.ended"]
    assert not [end for end in ends if "refused" in end.data["reason"]], job.out
    # Nothing is put down twice, and each thing is taken only as often as it was put down and once more.
    done = finished(events)
    assert sum(skill == "place_in" for skill, *_ in done) <= 1
    assert events[-1].kind == "run.ended"


@pytest.mark.parametrize("moment", range(len(MOMENTS)), ids=lambda n: "-".join(map(str, MOMENTS[n])))
def test_killed_and_resumed(foretree, moment):
    for speed in SPEEDS:
        run_id = f"killed{moment}-at-{speed:g}"
        store = killed(foretree, (*RUN, "--id", run_id), run_id, speed, *MOMENTS[moment])
        if store is not None:
            break
    assert store is not None, "it was never killed in time"
    if run_id not in store.ids():
        return  # it was killed before there was a run
    if not list(read(store.open(run_id))):
        job = foretree.run("resume", run_id)
        assert job.status == 3
        assert "nothing has moved" in job.err
        return
    assert store.open(run_id).info().status == "interrupted"
    check(foretree, store, run_id)


def test_killed_resumed_killed_and_resumed(foretree):
    for speed in SPEEDS:
        run_id = f"twice-at-{speed:g}"
        store = killed(foretree, (*RUN, "--id", run_id), run_id, speed, "action.started", 3, 0.05)
        # Slower, so that much is still to be done at each kill.
        again, moments = (
            ("resume", run_id),
            (("action.started", 0.05), ("session.resumed", 0.0), ("look.started", 0.0)),
        )
        if store and all(
            killed(foretree, again, run_id, speed / 10, kind, 1, delay) for kind, delay in moments
        ):
            break
    else:
        pytest.fail("it was never killed in time")
    check(foretree, store, run_id)
    resumed = [event for event in read(store.open(run_id)) if event.kind == "session.resumed"]
    assert len(resumed) == 4
