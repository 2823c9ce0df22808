"""The commands that run something, driven as a user drives them."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from effort import process_times_as_much
from launcher import REPOSITORY, Launcher
from typer.main import get_command

from foretree.cli import app
from foretree.regression.language.scripted_model import MODEL, scripted_server
from foretree.runs.reader import events as read
from foretree.runs.store import RunStore

MANGO = "put the mango into the fridge"
SURPRISE = "after 1: move mango1 on table2"
PDDL = REPOSITORY / "tests" / "planning" / "pddl"


@pytest.fixture(scope="module")
def foretree(tmp_path_factory):
    launcher = Launcher(tmp_path_factory.mktemp("home"))
    yield launcher
    launcher.close()


@pytest.fixture(scope="module")
def store(foretree):
    return RunStore(foretree.home / "runs")


def events(store, run_id, *kinds):
    return list(read(store.open(run_id), kinds=kinds or None))


def going(store, run_id, kind="action.started"):
    """Whether that run has got as far as an event of *kind*."""
    return run_id in store.ids() and bool(events(store, run_id, kind))


# -- run -------------------------------------------------------------------------------------------------
def test_an_instruction_with_a_surprise(foretree, store):
    job = foretree.run("run", MANGO, "--fault", SURPRISE, "--id", "mango", "--compare", "--seed", "7")
    assert job.status == 0, job.err
    assert "\x1b" not in job.out
    for line in (
        "goal: (in mango1 fridge1)",
        "read as: put mango1 into fridge1",
        "agent: plan",
        "fault: after 1: move mango1 on table2",
        "discrepancy: ",
        "revised by rules: ",
        "ended: reached",
        "6 done",
        "The same run with replanning after failures only: reached, ",
        "The same run with neither guards nor replanning: ",
    ):
        assert line in job.out
    assert re.search(r"^run +mango\b", job.out, re.M)
    assert job.err == ""
    (started,) = events(store, "mango", "run.started")
    assert started.data["seed"] == 7
    assert started.data["faults"] == [SURPRISE]


def test_a_goal_in_pddl_is_repaired_and_that_is_said(foretree):
    job = foretree.run("run", "--goal", "(on mug1 table2")
    assert job.status == 0
    assert "goal: (on mug1 table2)" in job.out
    assert re.search(r"read as: .*parenthes", job.out)


def test_a_pddl_task_of_ones_own(foretree, store):
    task = (
        "--domain",
        str(PDDL / "gripper" / "domain.pddl"),
        "--problem",
        str(PDDL / "gripper" / "problem.pddl"),
    )
    job = foretree.run("run", *task, "--fault", "after 2: set (busy right)", "--id", "balls")
    assert job.status == 0, job.out + job.err
    assert "fault: after 2: set (busy right)" in job.out
    assert store.open("balls").info().scene == ""


def test_json_is_nothing_but_json(foretree):
    job = foretree.run("run", MANGO, "--fault", SURPRISE, "--json", "--compare")
    kinds = [json.loads(line)["kind"] for line in job.out.splitlines()]
    assert (kinds[0], kinds[-1]) == ("run.started", "run.ended")
    assert job.status == 0
    assert job.err == ""


def test_settings_of_agent_scene_and_skills_are_recorded(foretree, store):
    settings = (
        "agent.tick_hz=2",
        "scene.known=map",
        "scene.items.mango1={class: mango, in: cupboard1}",
        "skill.pick.time_out=12",
    )
    words = [word for setting in settings for word in ("--set", setting)]
    job = foretree.run("run", "put a mango on table2", *words, "--guards", "presence", "--id", "settings")
    assert job.status == 0, job.out + job.err
    (started,) = events(store, "settings", "run.started")
    assert started.data["config"]["tick_hz"] == 2.0
    assert started.data["config"]["guards"] == ["presence"]
    assert {f"{key}={value}" for key, value in started.data["changes"].items()} == set(settings[1:])
    assert "agent: explore" in job.out
    # A period of half a second: an action that takes 1.6 s ends at the fourth tick.
    assert {event.time % 0.5 for event in events(store, "settings")} == {0.0}


def test_without_guards_nothing_is_checked(foretree):
    job = foretree.run("run", MANGO, "--fault", SURPRISE, "--guards", "none")
    assert "check passed" not in job.out
    assert "failed: " in job.out


def test_a_dry_run_records_nothing(foretree, store):
    before = store.ids()
    job = foretree.run("run", MANGO, "--dry-run")
    assert job.status == 0
    assert re.search(r"^plan  \d actions", job.out, re.M)
    assert json.loads(foretree.run("run", MANGO, "--dry-run", "--json").out)["goal"] == "(in mango1 fridge1)"
    assert store.ids() == before


def test_the_same_seed_makes_the_same_run(foretree):
    for run_id in ("same1", "same2"):
        words = ("--seed", "5", "--set", "scene.noise.confusion=0.3", "--set", "scene.chance.move=0.3")
        foretree.run("run", MANGO, *words, "--id", run_id)
    job = foretree.run("compare", "same1", "same2")
    assert (job.out, job.status) == ("The runs are the same.\n", 0)


def test_given_up_exits_with_1_and_says_why(foretree):
    job = foretree.run("run", "bring me a laptop")
    assert job.status == 1
    assert "given-up: " in job.out
    assert "could not be found" in job.out
    assert "in place of" not in job.out


def test_the_result_says_what_was_brought_in_place_of_what_is_missing(foretree):
    job = foretree.run("run", "bring me a banana")
    assert job.status == 0
    assert re.search(r"^result +✓ reached, with \w+ in place of a banana\b", job.out, re.M)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("put the blorb into the fridge",), "blorb"),
        ((MANGO, "--scene", "kitchn"), "Did you mean kitchen?"),
        ((MANGO, "--scene", "nowhere.yaml"), "There is no file 'nowhere.yaml'"),
        ((MANGO, "--agent", "nobody"), "Valid: default"),
        ((MANGO, "--set", "agent.tick_hx=2"), "Did you mean tick_hz?"),
        ((MANGO, "--set", "agent.tick_hz=fast"), "expected a number"),
        ((MANGO, "--set", "tick_hz=20"), "agent.KEY=VALUE"),
        ((MANGO, "--set", "scene.noise.confusing=0.1"), "Did you mean confusion?"),
        ((MANGO, "--set", "scene.noise.confusion=2"), "--set scene.noise.confusion=2: "),
        ((MANGO, "--set", "scene.robot.at=frige1"), "Did you mean fridge1?"),
        ((MANGO, "--set", "scene.known={"), "not a valid YAML value"),
        ((MANGO, "--set", "scene.known.all=1"), "there is no 'all'"),
        ((MANGO, "--set", "skill.pikc.retries=1"), "Did you mean pick?"),
        ((MANGO, "--set", "skill.pick.retries=many"), "--set skill.pick.retries=many: "),
        ((MANGO, "--guards", "all"), "For no guards at all, write none."),
        ((MANGO, "--fault", "after 1: mive mango1 table2"), "Valid: move X"),
        ((MANGO, "--fault", "someday: open fridge1"), "Valid: after N"),
        ((MANGO, "--fault", "after 1: open table1"), "table1"),
        (("--goal", "(on mango1 tabel2)"), "column 12"),
        (("--goal", "(onn mango1 table2)"), "(on ?item - item ?place - asset)"),
        (("--domain", "x.pddl"), "go together"),
        (("--domain", "x.pddl", "--problem", "y.pddl"), "Cannot read the PDDL file x.pddl"),
        ((), "Say what is to be done"),
        ((MANGO, "--goal", "(on mug1 table2)"), "in one way"),
        ((MANGO, "--speed", "-1"), "--speed"),
    ],
    ids=lambda value: "-".join(value)[-40:] if isinstance(value, tuple) else "",
)
def test_a_mistake_is_said_once_and_leaves_nothing_behind(foretree, store, words, says):
    before = store.ids()
    job = foretree.run("run", *words)
    assert job.status == 2, job.out + job.err
    assert says in job.err
    if "-1" not in words:  # usage errors of the parser come with the usage
        assert len(job.err.splitlines()) == 1
        assert job.err.startswith("foretree: ")
    assert job.out == ""
    assert store.ids() == before


def test_a_name_that_is_taken(foretree):
    foretree.run("run", MANGO, "--id", "taken")
    job = foretree.run("run", MANGO, "--id", "taken")
    assert job.status == 3
    assert "There is a run 'taken' already" in job.err


def test_whoever_reads_it_may_stop_reading(foretree):
    words = [sys.executable, "-m", "foretree", "run", "put the mango on table2", "--id", "unread"]
    environment = {
        "FORETREE_HOME": str(foretree.home),
        "PYTHONPATH": str(REPOSITORY),
        "PATH": "/usr/bin:/bin",
    }
    command = f"{' '.join(repr(word) for word in words)} | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""
    assert RunStore(foretree.home / "runs").open("unread").info().outcome == "reached"


def test_without_any_output_it_runs_all_the_same(foretree, store):
    words = [sys.executable, "-m", "foretree", "run", "put the mango on table2", "--id", "closed"]
    environment = {
        "FORETREE_HOME": str(foretree.home),
        "PYTHONPATH": str(REPOSITORY),
        "PATH": "/usr/bin:/bin",
    }
    command = f"{' '.join(repr(word) for word in words)} >&- 2>&- <&-"
    done = subprocess.run(["bash", "-c", command], env=environment)
    assert done.returncode == 0
    assert store.open("closed").info().outcome == "reached"


def test_the_first_action_comes_soon(foretree):
    """A plan costs less than three times what importing the libraries beneath costs."""
    words = ["-m", "foretree", "run", MANGO, "--dry-run"]
    peer = ["-c", "import typer, rich.live, pydantic, networkx, py_trees, yaml"]
    home = {"FORETREE_HOME": str(foretree.home), "PYTHONPATH": str(REPOSITORY)}
    assert process_times_as_much(words, peer, rounds=2, **home) < 3


# -- somebody interferes ---------------------------------------------------------------------------------
def started(foretree, store, run_id, *words, **more):
    job = foretree.start("run", MANGO, "--id", run_id, "--speed", "4", *words, **more)
    job.until(lambda: going(store, run_id) or not job.alive())
    return job


def check_stopped(store, run_id, reason, acting=True):
    run = store.open(run_id)
    assert run.info().outcome == "cancelled"
    last = events(store, run_id)
    (ended,) = [event for event in last if event.kind == "run.ended"]
    assert ended.data["outcome"] == "cancelled"
    assert reason in ended.data["reason"]
    # The robot first, then the tree, then the record.
    stopped = [event.seq for event in last if event.kind == "tree.changed"][-1]
    assert stopped < ended.seq
    if acting:
        (action,) = [event for event in last if event.kind == "action.ended"]
        assert (action.data["outcome"], action.data["reason"]) == ("cancelled", "stopped")
        assert action.seq < stopped
    assert "RUNNING" not in str(last[-2].data)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_the_robot_first(foretree, store, number):
    run_id = f"signal{number.value}"
    job = started(foretree, store, run_id, "--plain")
    job.send(number)
    assert job.code() == 130
    assert "Traceback" not in job.err
    assert "cancelled: interrupted" in job.out
    check_stopped(store, run_id, "interrupted")
    assert re.search(rf"^{run_id}\tcancelled\t", foretree.run("runs").out, re.M)


def test_another_terminal_watches_pauses_steps_goes_on_and_stops(foretree, store):
    job = started(foretree, store, "asked", "--plain")
    watching = foretree.start("watch", "asked")
    watching.until(lambda: "start: 1. a1" in watching.out)
    assert foretree.run("pause", "asked").out.startswith("Run asked waits")
    time.sleep(0.15)
    seen = len(events(store, "asked"))
    time.sleep(0.3)
    assert len(events(store, "asked")) == seen
    step = foretree.run("step", "asked")
    assert step.status == 0, step.err
    job.until(lambda: len(events(store, "asked", "session.paused")) == 2)
    assert foretree.run("go", "asked").out == "Run asked goes on.\n"
    job.until(lambda: "goes on" in watching.out)
    stop = foretree.run("stop", "asked")
    assert (stop.status, stop.out) == (0, "Run asked has ended: cancelled.\n")
    assert job.code() == 130
    assert watching.code() == 130
    assert "cancelled: stopped from another terminal" in watching.out
    check_stopped(store, "asked", "another terminal", acting=False)  # it may be between two actions
    again = foretree.run("pause", "asked")
    assert (again.status, again.out) == (3, "")
    assert "has ended already" in again.err


def test_confirm(foretree, store):
    job = foretree.run("run", MANGO, "--confirm", "--id", "no", stdin="n\n")
    assert job.status == 130
    assert re.fullmatch(r"Do move\(robot1, kitchen, \w+\)\? \[y/N\] ", job.err)
    assert not events(store, "no", "action.intent")
    assert "was not allowed" in job.out
    job = foretree.run("run", MANGO, "--confirm", "--id", "once", stdin="y\n")
    assert job.status == 130
    assert len(events(store, "once", "action.intent")) == 1
    job = foretree.run("run", MANGO, "--confirm", "--id", "all", "--json", stdin="y\n" * 6)
    assert job.status == 0
    assert [json.loads(line)["seq"] for line in job.out.splitlines()] == [e.seq for e in events(store, "all")]


def test_step_goes_on_with_enter_and_stops_with_the_input(foretree, store):
    job = foretree.run("run", MANGO, "--step", "--id", "steps", stdin="\n\n\n")
    assert job.status == 130
    assert job.err.count("Enter goes on") == 4
    assert max(event.tick for event in events(store, "steps")) == 3


def test_step_on_a_terminal(foretree, store):
    job = foretree.start("run", MANGO, "--step", "--id", "stepped", terminal=True)
    for tick in (1, 2, 3):
        job.until(lambda tick=tick: f"tick {tick}: Enter goes on" in job.out)
        job.type("\n")
    job.until(lambda: "tick 4: Enter" in job.out)
    assert "make a plan" in job.out
    job.type("\x03")
    assert job.code() == 130
    assert store.open("stepped").info().outcome == "cancelled"


def test_on_a_terminal_it_draws_a_live_tree(foretree):
    job = foretree.start("run", MANGO, "--fault", SURPRISE, "--speed", "60", "--id", "drawn", terminal=True)
    assert job.code() == 0
    assert "\x1b[" in job.out
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", job.out)
    for words in (
        "discrepancy",
        "revised by rules",
        "reached",
        "place_in(robot1, left_hand, mango1, fridge1)",
    ):
        assert words in plain


# -- looking at what was run -----------------------------------------------------------------------------
def test_a_run_can_be_shown_replayed_and_explained(foretree, store):
    if "mango" not in store.ids():
        foretree.run("run", MANGO, "--fault", SURPRISE, "--id", "mango")
    assert "6 done" in foretree.run("show", "mango").out
    early = foretree.run("show", "mango", "--tick", "20").out
    assert "▶ move(robot1, kitchen, " in early
    assert "reached" not in early
    replayed = foretree.run("replay", "mango")
    assert "revised by rules" in replayed.out
    assert replayed.status == 0
    why = foretree.run("why", "mango", "3")
    assert why.status == 0
    assert "mango1 is on table2" in why.out
    assert foretree.run("why", "mango", "99").status == 3


def test_resume(foretree, store):
    job = started(foretree, store, "resumed", "--plain", "--fault", SURPRISE, "--set", "skill.pick.retries=1")
    job.kill()
    assert re.search(r"^resumed\tinterrupted\t", foretree.run("runs").out, re.M)
    resumed = foretree.run("resume", "resumed", "--json")
    assert resumed.status == 0, resumed.err
    kinds = [json.loads(line)["kind"] for line in resumed.out.splitlines()]
    assert (kinds[0], kinds[-1]) == ("session.resumed", "run.ended")
    again = foretree.run("resume", "resumed")
    assert (again.status, again.out) == (3, "")
    assert "has ended" in again.err


# -- the rest --------------------------------------------------------------------------------------------
def test_plan_in_every_form(foretree):
    task = ("plan", "wash the mug on table1")
    outline = foretree.run(*task).out
    assert outline.startswith("goal  (clean mug1)")
    assert re.search(r"^plan  \d+ actions, cost \d+", outline, re.M)
    assert "wash(robot1, left_hand, mug1, sink1)" in outline
    pddl = foretree.run(*task, "--pddl").out
    assert "(define (domain household)" in pddl
    assert "(:goal" in pddl
    assert foretree.run(*task, "--dot").out.startswith("digraph")
    assert foretree.run(*task, "--xml").out.startswith("<?xml")
    assert foretree.run(*task, "--ascii").out.isascii()
    assert json.loads(foretree.run(*task, "--json").out)["goal"] == "(clean mug1)"
    both = foretree.run(*task, "--dot", "--xml")
    assert (both.status, both.out) == (2, "")


def test_plan_without_a_plan(foretree):
    job = foretree.run("plan", "bring me a banana")
    assert (job.status, job.out) == (1, "")
    assert job.err == (
        "foretree: It is not known where to find a banana. A run would look for it first, and then plan.\n"
    )


def test_a_language_model_revises(foretree, store):
    with scripted_server() as url:
        server = {"FORETREE_LLM_URL": url, "FORETREE_LLM_MODEL": MODEL}
        asked = ("--reviser", "llm", "--reviser", "planner")
        priced = ("--set", "agent.llm_price_asked=10")
        job = foretree.run("run", MANGO, *asked, *priced, "--fault", SURPRISE, "--id", "llm", **server)
    assert job.status == 0, job.err
    assert "revised by llm" in job.out
    (ended,) = events(store, "llm", "run.ended")
    spent = ended.data["models"]
    assert (spent["questions"], spent["answered"]) == (1, 3)
    assert spent["cost"] > 0
    assert events(store, "llm", "run.started")[0].data["config"]["revisers"] == ["llm", "planner"]
    assert "1 question, " in foretree.run("show", "llm").out


def test_a_language_model_writes_the_goal(foretree, store, tmp_path):
    def wrong_first(system: str, user: str) -> str:
        goal = "(in mango1 fridge1)" if json.loads(user)["earlier"] else "(in mango1 table1)"
        return json.dumps({"goal": goal, "says": "the mango is in the fridge"})

    answers = str(tmp_path / "answers.jsonl")
    words = ("keep the mango fresh", "--set", "agent.reasoner=openai")
    with scripted_server(wrong_first) as url:
        server = {"FORETREE_LLM_URL": url, "FORETREE_LLM_MODEL": MODEL}
        job = foretree.run("run", *words, "--set", f"agent.llm_record={answers}", "--id", "goal", **server)
    assert job.status == 0, job.err
    assert [event.data["purpose"] for event in events(store, "goal", "model.answered")] == ["goal", "goal"]
    assert events(store, "goal", "goal.set")[0].data["goal"] == "(in mango1 fridge1)"
    assert events(store, "goal", "run.ended")[0].data["models"]["questions"] == 2
    replayed = foretree.run("plan", *words, "--set", f"agent.llm_replay={answers}")
    assert "place_in(robot1, left_hand, mango1, fridge1)" in replayed.out
    unknown = foretree.run(
        "run", "fetch the milk", "--set", "agent.reasoner=recorded", "--set", f"agent.llm_replay={answers}"
    )
    assert unknown.status != 0
    assert "fetch the milk" in unknown.err


def test_a_language_model_that_nobody_names(foretree):
    job = foretree.run("run", MANGO, "--reviser", "llm", FORETREE_LLM_URL="", OPENAI_BASE_URL="")
    assert (job.status, job.out) == (2, "")
    assert job.err.startswith("foretree: FORETREE_LLM_URL is not set")


def test_doctor_asks_the_model_server(foretree):
    with scripted_server() as url:
        job = foretree.run("doctor", FORETREE_LLM_URL=url, FORETREE_LLM_MODEL=MODEL)
        assert f"{url} answers as {MODEL}" in job.out
        job = foretree.run("doctor", FORETREE_LLM_URL=url, FORETREE_LLM_MODEL="by-rul")
        assert "has no by-rul. Did you mean by-rule?" in job.out
    job = foretree.run("doctor", FORETREE_LLM_URL=url, FORETREE_LLM_MODEL=MODEL)
    assert f"The model server at {url} gave no answer" in job.out


def test_doctor(foretree):
    job = foretree.run("doctor")
    assert job.status == 0
    for part in ("Fast Downward", "scikit-fmm", "pyarrow", "openai"):
        assert part in job.out
    assert "BROKEN" not in job.out


@pytest.mark.parametrize("kind", ["skill", "scene", "agent", "robot"])
def test_new(foretree, kind):
    job = foretree.run("new", kind, f"my_{kind}1")
    assert job.status == 0
    (made,) = foretree.home.glob(f"my_{kind}1.*")
    assert made.name in job.out
    again = foretree.run("new", kind, f"my_{kind}1")
    assert again.status == 2
    made.unlink()


def test_a_new_agent_and_a_new_scene_run(foretree, store):
    foretree.run("new", "scene", "my_place", "--in", "mine")
    foretree.run("new", "agent", "my_agent", "--in", "mine")
    (scene,) = Path(foretree.home / "mine").glob("my_place.*")
    (agent,) = Path(foretree.home / "mine").glob("my_agent.*")
    job = foretree.run("plan", "put the nothing on the void", "--scene", f"mine/{scene.name}")
    assert job.status == 2
    job = foretree.run("run", MANGO, "--agent", f"mine/{agent.name}", "--id", "own")
    assert job.status == 0, job.err
    (started,) = events(store, "own", "run.started")
    assert started.data["agent"] == str(agent)


def test_every_command_has_help_with_an_example():
    commands = get_command(app).commands
    assert {"run", "plan", "resume", "doctor", "new", "regress", "pause", "step", "go"} <= set(commands)
    inside = {
        f"{group} {name}": command
        for group, several in commands.items()
        for name, command in getattr(several, "commands", {}).items()
    }
    single = {name: command for name, command in commands.items() if not hasattr(command, "commands")}
    for name, command in {**single, **inside}.items():
        assert name == "doctor" or f"foretree {name} " in command.help, name


def test_examples_are_not_broken_in_the_middle(foretree):
    for command in ("run", "plan"):
        shown = [line.strip() for line in foretree.run(command, "--help", COLUMNS="80").out.splitlines()]
        examples = [
            line for line in get_command(app).commands[command].help.splitlines() if "foretree" in line
        ]
        assert len(examples) >= 2
        assert all(example.strip() in shown for example in examples), shown
