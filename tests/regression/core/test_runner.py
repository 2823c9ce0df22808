from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from waiting import until

from foretree.regression.core import runner
from foretree.regression.core.processor_time import processor_time
from foretree.regression.core.selection import Selection
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.sessions.episode import SessionTrials
from foretree.regression.sessions.report import run_session_suite
from foretree.regression.sessions.suite import read_suite


@pytest.fixture(scope="module")
def suite(write_suite):
    return read_suite(write_suite())


@pytest.fixture(scope="module")
def report(suite):
    return run_session_suite(suite, SuiteRun(Selection(jobs=2, seed=4)))


def test_a_suite_runs_in_all_variants_and_guards_beat_neither(suite, report):
    assert report.ok
    assert report.complete
    assert report.variants == ("guards", "failure-replanning", "neither")
    assert [episode.number for episode in report.episodes] == list(range(12))
    guards, _, neither = report.as_data()["variants"]
    assert guards["success"]["count"] == 4
    assert neither["success"]["count"] < guards["success"]["count"]
    assert guards["illegal"]["count"] < neither["illegal"]["count"]
    assert guards["in_view"]["count"] == 0
    assert neither["in_view"]["count"] > 0
    assert guards["revised"] > neither["revised"] == 0


def test_the_effort_is_measured_planners_included(report):
    assert report.processor > sum(episode.effort.processor for episode in report.episodes) * 0.9 > 0
    assert all(episode.effort.wall > 0 for episode in report.episodes)


def test_the_same_seed_gives_the_same_episodes_however_they_are_run(suite, report):
    busy = suite.only(["busy", "mango-moved"])
    alone = run_session_suite(busy, SuiteRun(Selection(jobs=1, seed=4)))
    for episode in alone.episodes:
        (other,) = report.of(variant=episode.variant, scenario=episode.scenario)
        assert {**vars(episode), "number": 0, "effort": 0} == {**vars(other), "number": 0, "effort": 0}


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_is_shown_on_a_terminal_and_nowhere_else(suite, terminal):
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=80)
    few = suite.only(["mango-moved"])
    report = run_session_suite(few, SuiteRun(Selection(jobs=1, seed=4), console))
    count = len(report.episodes)
    assert (f"{count}/{count}" in file.getvalue()) == terminal
    assert bool(file.getvalue()) == terminal


def test_an_episode_is_the_same_the_second_time(suite):
    trial, trials = suite.trials(seed=4)[9], SessionTrials(suite)
    assert trials.run(trial) == trials.run(trial)


def test_another_seed_gives_other_faults(suite):
    busy = suite.only(["busy"], ["guards"])
    seeds = {SessionTrials(busy).run(busy.trials(1, seed)[0]).seconds for seed in range(3)}
    assert len(seeds) > 1


@pytest.fixture
def agent(tmp_path):
    """An agent whose tree is a single node of :mod:`troublesome`."""

    def make(node: str) -> str:
        path = tmp_path / f"{node}.yaml"
        path.write_text(f"agent: {node}\ntree: {{use: 'troublesome:{node}'}}\n")
        return str(path)

    return make


@pytest.mark.parametrize(
    ("node", "says"), [("broken", "nobody has made this node"), ("raises", "went wrong")]
)
def test_a_crash_is_reported_with_its_traceback(write_suite, agent, node, says):
    suite = read_suite(write_suite(agent=agent(node)))
    episode = SessionTrials(suite).run(suite.trials(1)[0])
    assert episode.trouble == "crashed"
    assert not episode.success
    assert "Traceback" in episode.details
    assert "ZeroDivisionError" in episode.details
    assert says in episode.details
    assert not episode.running


def test_an_endless_episode_counts_as_hung(write_suite, agent):
    suite = read_suite(write_suite(agent=agent("waits")))
    episode = SessionTrials(suite).run(suite.trials(1)[0], limit=0.2)
    assert episode.trouble == "hung"
    assert "tick" in episode.details


def test_a_worker_that_dies_or_does_not_answer_is_replaced(write_suite, agent, monkeypatch):
    monkeypatch.setattr(runner, "EXIT_GRACE", 0.1)
    for node, trouble, limit, patience in (("vanishes", "crashed", 30.0, 30.0), ("sleeps", "hung", 1.0, 1.0)):
        monkeypatch.setattr(runner, "ANSWER_GRACE", patience)
        suite = read_suite(write_suite(agent=agent(node))).only(variants=["guards"])
        report = run_session_suite(suite, SuiteRun(Selection(episodes=2, jobs=2), limit=limit))
        assert [episode.trouble for episode in report.episodes] == [trouble] * 2
        assert not report.ok


def test_interrupting_leaves_no_process(write_suite):
    path = write_suite()
    script = (
        "import sys\n"
        "from foretree.regression.sessions.suite import read_suite\n"
        "from foretree.regression.core.selection import Selection\n"
        "from foretree.regression.core.suite_run import SuiteRun\n"
        "from foretree.regression.sessions.report import run_session_suite\n"
        "if __name__ == '__main__':\n"
        "    report = run_session_suite(read_suite(sys.argv[1]), SuiteRun(Selection(episodes=5000, jobs=2)))\n"
        "    print('complete', report.complete, len(report.episodes))\n"
    )
    file = Path(path).parent / "interrupted.py"
    file.write_text(script)
    root = Path(__file__).parents[3]
    process = subprocess.Popen(
        [sys.executable, str(file), path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    started = _wait_for_descendants(process.pid, 4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert "complete False" in out, err
    assert "Traceback" not in err
    # What notices only by itself that nobody is left gets a moment to do so.
    until(lambda: not any(map(_is_alive, started)), "all processes end")


def test_processor_time_counts_children_that_live_and_that_have_ended():
    busy = "import time\nwhile time.process_time() < 0.3: pass\n"
    before = processor_time()
    subprocess.run([sys.executable, "-c", busy], check=True)
    with subprocess.Popen([sys.executable, "-c", f"{busy}time.sleep(60)"]) as child:
        try:
            until(lambda: processor_time() - before >= 0.6, "the time of both children")
        finally:
            child.kill()


def _wait_for_descendants(pid: int, count: int) -> list[int]:
    def started() -> list[int]:
        found = _descendants(pid)
        return found if len(found) >= count else []

    return until(started, lambda: f"only {len(_descendants(pid))} of {count} processes were started")


def _descendants(pid: int) -> list[int]:
    found = []
    for listing in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(word) for word in listing.read_text().split()]
        except OSError:
            continue
        for child in children:
            found += [child, *_descendants(child)]
    return found


def _is_alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_no_worker_hears_ctrl_c_not_even_the_first(tmp_path):
    (tmp_path / "ears.py").write_text(
        "import signal\n"
        "from types import SimpleNamespace\n"
        "def listen(task, limit):\n"
        "    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())\n"
        "    return SimpleNamespace(number=0, deaf=signal.SIGINT in blocked)\n"
    )
    program = tmp_path / "program.py"
    program.write_text(
        "from ears import listen\n"
        "from foretree.regression.core.runner import Batch, carry_out\n"
        "if __name__ == '__main__':\n"
        "    [heard] = carry_out(Batch([1], listen, None, 600.0), jobs=1).results\n"
        "    assert heard.deaf\n"
    )
    subprocess.run([sys.executable, program], check=True, timeout=120)


def test_what_was_done_before_an_interruption_counts(tmp_path):
    (tmp_path / "turns.py").write_text(
        "import os, signal, time\n"
        "from types import SimpleNamespace\n"
        "def turn(task, limit):\n"
        "    if task == 3:\n"
        "        for _ in range(2):\n"
        "            os.kill(os.getppid(), signal.SIGINT)\n"
        "            time.sleep(0.2)\n"
        "        time.sleep(600)\n"
        "    return SimpleNamespace(number=task)\n"
    )
    program = tmp_path / "program.py"
    program.write_text(
        "from turns import turn\n"
        "from foretree.regression.core.runner import Batch, carry_out\n"
        "if __name__ == '__main__':\n"
        "    done = carry_out(Batch([1, 2, 3, 4], turn, None, 600.0), jobs=1)\n"
        "    assert [result.number for result in done.results] == [1, 2], done\n"
        "    assert done.missing == 2\n"
    )
    subprocess.run([sys.executable, program], check=True, timeout=120)


@pytest.mark.parametrize("threads", [0, 1])
def test_workers_are_copies_unless_there_is_another_thread(tmp_path, threads):
    (tmp_path / "marked.py").write_text(
        "from types import SimpleNamespace\n"
        "mark = 'fresh'\n"
        "def look(task, limit):\n"
        "    return SimpleNamespace(number=task, mark=mark)\n"
    )
    program = tmp_path / "program.py"
    program.write_text(
        "import marked, sys, threading\n"
        "from foretree.children import allow_forks\n"
        "from foretree.regression.core.runner import Batch, carry_out\n"
        "if __name__ == '__main__':\n"
        "    allow_forks()\n"
        "    end = threading.Event()\n"
        "    for _ in range(int(sys.argv[1])):\n"
        "        threading.Thread(target=end.wait).start()\n"
        "    marked.mark = 'copied'\n"
        "    print(*{result.mark for result in carry_out(Batch([1, 2], marked.look, None, 600.0), 2).results})\n"
        "    end.set()\n"
    )
    words = [sys.executable, program, str(threads)]
    out = subprocess.run(words, check=True, timeout=120, capture_output=True, text=True).stdout
    assert out.split() == ["fresh" if threads else "copied"]


def test_workers_end_with_who_handed_out_the_work_however_that_ends(tmp_path):
    (tmp_path / "slow.py").write_text(
        "import time\n"
        "from types import SimpleNamespace\n"
        "def nap(task, limit):\n"
        "    time.sleep(0.1)\n"
        "    return SimpleNamespace(number=task)\n"
    )
    program = tmp_path / "program.py"
    program.write_text(
        "from slow import nap\n"
        "from foretree.children import allow_forks\n"
        "from foretree.regression.core.runner import Batch, carry_out\n"
        "if __name__ == '__main__':\n"
        "    allow_forks()\n"
        "    carry_out(Batch(range(100_000), nap, None, 600.0), jobs=3)\n"
    )
    process = subprocess.Popen([sys.executable, str(program)])
    started = _wait_for_descendants(process.pid, 3)
    process.kill()
    process.wait()
    until(lambda: not any(map(_is_alive, started)), "all workers end")
