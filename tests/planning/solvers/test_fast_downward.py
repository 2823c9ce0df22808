"""Fast Downward through its worker: answers, limits, and that no process is ever left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import CancelledError
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from households import FLAT, flat, household, kitchen
from hypothesis import HealthCheck, given, settings
from in_process import foretree
from random_tasks import carrying, cheapest, problems
from waiting import until

from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import Problem
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.base import Limits, Mode, Solution, SolverError
from foretree.planning.solvers.fast_downward import _solve_request as solving
from foretree.planning.solvers.fast_downward import _worker_client
from foretree.planning.solvers.fast_downward import solver as fast_downward
from foretree.planning.solvers.fast_downward._task_preparation import Surroundings
from foretree.planning.solvers.fast_downward._worker_messages import SolveRequest
from foretree.planning.solvers.fast_downward.solver import FastDownward, find_binary, shared_planner
from foretree.planning.solvers.finite_domain.task import SearchResult

HERE = Path(__file__).parent.parent
NO_LIMITS = Limits()
#: Takes the optimal search minutes.
HARD = (
    "(and (on mug1 table1) (on plate1 table1) (on spoon1 table1) (on egg1 table2) (on bowl1 table2)"
    " (on mug2 table2) (on book1 desk1) (on apple1 desk1) (clean plate2) (clean mug2))"
)


@pytest.fixture(scope="module")
def planner():
    with FastDownward() as planner:
        yield planner


def descendants(pid: int) -> list[int]:
    """All living processes below *pid*, from /proc."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                after_name = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if after_name[0] != "Z":
                parents[int(entry.name)] = int(after_name[1])
    found, new = [], [pid]
    while new:
        new = [child for child, parent in parents.items() if parent in new]
        found += new
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def searches(pid: int) -> list[int]:
    """The search processes below *pid*."""
    found = []
    for child in descendants(pid):
        try:
            if Path(f"/proc/{child}/comm").read_text().strip() == "downward":
                found.append(child)
        except OSError:
            pass
    return found


def solve_here(problem: Problem, mode: Mode, limits: Limits = NO_LIMITS) -> Solution:
    """What a worker answers, worked out in this process."""
    reading, writing = os.pipe()
    try:
        around = Surroundings(lambda _: nullcontext(), reading, lambda: False, lambda _: None)
        return solving.solve(SolveRequest(1, problem, mode, limits, str(find_binary())), around)
    finally:
        os.close(reading)
        os.close(writing)


# -- answers -----------------------------------------------------------------------------------------------


def test_an_optimal_plan_with_its_price(planner) -> None:
    problem = kitchen("(and (clean mug1) (on mug1 table1))")
    solution = planner.solve(problem, "optimal")
    assert solution.status == "solved"
    assert solution.optimal
    validation = validate(problem, solution.steps)
    assert validation.ok
    assert validation.cost == solution.cost == 14
    assert set(solution.seconds) == {"translate", "search", "total"}
    assert solution.seconds["total"] >= solution.seconds["translate"] + solution.seconds["search"]


def test_a_satisficing_plan_does_not_claim_to_be_optimal(planner) -> None:
    problem = flat(HARD)
    solution = planner.solve(problem, "satisficing")
    assert validate(problem, solution.steps).ok
    assert not solution.optimal


def test_nothing_to_do_takes_no_steps(planner) -> None:
    solution = planner.solve(kitchen("(exists (?i - item) (sliceable ?i))"))
    assert (solution.status, solution.steps, solution.optimal) == ("solved", (), True)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(problem=problems())
def test_what_it_finds_is_what_exhaustive_search_finds(planner, problem: Problem) -> None:
    check(planner, problem)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(problem=carrying())
def test_the_same_where_things_are_carried(planner, problem: Problem) -> None:
    check(planner, problem)


def check(planner: FastDownward, problem: Problem) -> None:
    """Whether a small search answers, or another program does, the answers are right."""
    expected = cheapest(problem)
    modes: tuple[Mode, ...] = ("optimal", "fair", "satisficing")
    answers = [(mode, planner.solve(problem, mode)) for mode in modes]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solving, "search_small", lambda *_: None)
        answers += [(mode, solve_here(problem, mode)) for mode in modes[:2]]
    for mode, solution in answers:
        if expected is None:
            assert solution.status == "unsolvable"
            assert solution.why
        else:
            assert solution.status == "solved"
            assert validate(problem, solution.steps).ok
            if mode == "optimal":
                price = len(solution.steps) if not problem.minimise_cost else solution.cost
                assert price == expected


def test_for_what_is_small_no_other_program_is_started(monkeypatch) -> None:
    started: list[object] = []

    def search(*arguments: Any) -> SearchResult:
        started.append(arguments)
        return solving_search(*arguments)

    solving_search = solving.search
    monkeypatch.setattr(solving, "search", search)
    small = kitchen("(open fridge1)")
    for mode in ("optimal", "good", "fair"):
        solution = solve_here(small, mode)
        assert validate(small, solution.steps).ok
        assert solution.optimal
    assert not started
    assert solve_here(flat(HARD), "fair", Limits(expansions=20)).status == "out-of-limits"
    assert started


# -- limits ------------------------------------------------------------------------------------------------


def test_unsolvable_is_not_out_of_limits(planner) -> None:
    problem = kitchen("(clean mug1)")
    without = replace(problem, init=frozenset(a for a in problem.init if a[0] != "washes"))
    solution = planner.solve(without)
    assert solution.status == "unsolvable"
    assert "washes" in solution.why
    unexplained = planner.solve(without, limits=Limits(explain=False))
    assert (unexplained.status, unexplained.why) == ("unsolvable", "")
    assert planner.solve(problem, limits=Limits(expansions=3)).status == "out-of-limits"


def test_the_number_of_expansions_decides(planner) -> None:
    problem = flat("(and (clean mug1) (on mug1 table1))")
    needed = planner.solve(problem).expanded
    assert needed > 10
    assert planner.solve(problem, limits=Limits(expansions=needed)).status == "solved"
    for less in (needed - 1, needed // 2, 1):
        answer = planner.solve(problem, limits=Limits(expansions=less))
        assert answer.status == "out-of-limits"
        assert str(less) in answer.why


def test_a_search_that_says_nothing_is_over_its_limit_all_the_same(tmp_path: Path) -> None:
    """A binary that reads its task and is busy from then on."""
    binary = tmp_path / "downward"
    binary.write_text("#!/bin/bash\ncat >/dev/null\nwhile :; do :; done\n")
    binary.chmod(0o755)
    silent = FastDownward(binary=binary)
    answer = silent.solve(kitchen("(clean mug1)"), limits=Limits(expansions=3))
    assert answer.status == "out-of-limits"
    assert "3" in answer.why
    assert answer.timed


def test_states_are_counted_where_the_search_says_nothing_of_them(planner) -> None:
    """It is ended at the very state after the last one it may expand, whenever else it reports anything."""
    answer = planner.solve(flat(HARD), "fair", Limits(expansions=41))
    assert (answer.status, answer.expanded, answer.timed) == ("out-of-limits", 42, False)


def test_where_it_takes_little_a_good_plan_is_proved_to_be_the_best_or_replaced_by_it(planner) -> None:
    for goal in ("(clean mug1)", "(and (on plate1 table1) (in egg1 fridge1))"):
        problem = kitchen(goal)
        good, best = planner.solve(problem, "good", Limits(expansions=20_000)), planner.solve(problem)
        assert (good.cost, good.optimal, good.lower_bound) == (best.cost, True, best.cost)
        assert validate(problem, good.steps).ok


def test_where_it_would_take_long_a_good_plan_stays_as_it_is_with_a_bound(planner) -> None:
    problem = flat("(and (clean mug1) (on mug1 table1) (on mug2 shelf1) (in plate1 sink1))")
    once, again = (planner.solve(problem, "good", Limits(expansions=20_000)) for _ in range(2))
    assert replace(once, seconds={}) == replace(again, seconds={})
    assert not once.optimal
    assert 0 < once.lower_bound <= planner.solve(problem).cost <= once.cost


def test_a_search_for_the_best_plan_ends_where_none_is_cheap_enough(planner) -> None:
    problem = flat("(and (clean mug1) (on mug1 table1))")
    best = planner.solve(problem)
    answer = planner.solve(problem, limits=Limits(enough=best.cost - 1))
    assert (answer.status, answer.timed) == ("out-of-limits", False)
    assert best.cost - 1 <= answer.lower_bound <= best.cost
    assert answer.expanded < best.expanded
    assert f"cheaper than {best.cost - 1}" in answer.why


def test_the_clock_is_only_a_safety_net_and_says_so(planner) -> None:
    answer = planner.solve(flat(HARD), limits=Limits(seconds=0.3))
    assert answer.status == "out-of-limits"
    assert "0.3 s" in answer.why
    assert answer.seconds["total"] < 2
    assert planner.solve(kitchen("(clean mug1)")).status == "solved"


def test_a_proof_that_is_out_of_reach_leaves_a_bound(planner) -> None:
    problem = flat("(and (clean mug1) (on mug1 table1))")
    best = planner.solve(problem)
    assert best.lower_bound == best.cost
    answer = planner.solve(problem, limits=Limits(expansions=best.expanded // 2))
    assert answer.status == "out-of-limits"
    assert 0 < answer.lower_bound <= best.cost


# -- better and better -------------------------------------------------------------------------------------


def test_the_first_plan_comes_first_and_the_best_one_last(planner) -> None:
    problem = flat("(and (clean mug1) (on mug1 table1) (on mug2 shelf1) (in plate1 sink1))")
    plans: list[Solution] = []
    answer = planner.improve(problem, on_better=plans.append).result(timeout=120)
    assert answer.optimal
    assert answer.lower_bound == answer.cost == planner.solve(problem).cost
    assert plans
    assert not plans[0].optimal
    for plan in [*plans, answer]:
        assert validate(problem, plan.steps).ok
    assert [plan.cost for plan in plans] == sorted((plan.cost for plan in plans), reverse=True)
    assert plans[0].seconds["total"] <= answer.seconds["total"]


def test_without_a_proof_the_best_plan_comes_with_a_bound(planner) -> None:
    problem = flat(HARD)
    answer = planner.improve(problem, Limits(seconds=1.5)).result(timeout=120)
    assert answer.status == "solved"
    assert validate(problem, answer.steps).ok
    assert not answer.optimal
    assert answer.lower_bound < answer.cost
    assert "1.5 s" in answer.why


def test_the_same_limits_on_expansions_bring_the_same_answer(planner) -> None:
    problem = flat("(and (clean mug1) (on mug1 table1))")
    first, second = (planner.improve(problem, Limits(expansions=60)).result(timeout=120) for _ in range(2))
    assert replace(first, seconds={}) == replace(second, seconds={})


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(problem=carrying())
def test_what_is_improved_ends_as_exhaustive_search_does(planner, problem: Problem) -> None:
    expected = cheapest(problem)
    answer = planner.improve(problem).result(timeout=120)
    assert (answer.status == "solved") == (expected is not None)
    if expected is not None:
        assert answer.optimal
        assert answer.cost == expected


def test_an_improvement_that_is_cancelled_reports_no_more(planner) -> None:
    plans: list[Solution] = []
    future = planner.improve(flat(HARD), on_better=plans.append)
    until(lambda: plans, "a first plan")
    assert future.cancel()
    found = len(plans)
    assert planner.solve(kitchen("(clean mug1)")).status == "solved"
    assert len(plans) == found


# -- mistakes ----------------------------------------------------------------------------------------------


def test_a_binary_that_is_not_there() -> None:
    with pytest.raises(SolverError, match="not an executable file"):
        find_binary("/nowhere/downward")


def test_a_binary_that_is_something_else() -> None:
    with FastDownward("/bin/false") as planner, pytest.raises(SolverError, match=r"/bin/false|false failed"):
        planner.solve(kitchen("(clean mug1)"), "satisficing")


def test_an_older_build_is_spoken_to_in_its_own_words(tmp_path) -> None:
    old = tmp_path / "downward"
    old.write_text(
        "#!/bin/sh\n"
        'case "$2" in *eval_modify_costs*) echo "No feature defined"; cat >/dev/null; exit 33;; esac\n'
        f'exec {find_binary()} --search "lazy_greedy([ff()])" "$3" "$4"\n'
    )
    old.chmod(0o755)
    with FastDownward(old) as planner:
        problem = kitchen("(clean mug1)")
        assert validate(problem, planner.solve(problem, "satisficing").steps).ok


def test_the_worker_is_replaced_when_it_dies(planner) -> None:
    future = planner.submit(flat(HARD))
    until(lambda: searches(os.getpid()), "the search begins")
    worker = planner._worker._child.pid
    children = [worker, *descendants(worker)]  # other planners of this process have workers of their own
    os.kill(worker, signal.SIGKILL)
    until(lambda: not any(alive(child) for child in children), "all processes end")
    until(lambda: searches(planner._worker._child.pid), "the search begins again, in another worker")
    assert future.cancel()
    assert planner.solve(kitchen("(clean mug1)")).status == "solved"


def kill_each(planner: FastDownward, times: int) -> None:
    """Kill the next *times* workers, each before it can answer."""
    killed: set[int] = set()
    for _ in range(times):
        until(lambda: planner._worker._child.pid not in killed, "another worker begins")
        worker = planner._worker._child.pid
        killed.add(worker)
        os.kill(worker, signal.SIGKILL)


def test_what_two_workers_were_killed_over_is_answered_by_the_third_and_nothing_else_is_lost(
    monkeypatch,
) -> None:
    monkeypatch.setattr(_worker_client, "_BACK_OFF_SECONDS", 0.01)
    with FastDownward() as planner:
        os.kill(planner._worker._child.pid, signal.SIGSTOP)
        first, second = (planner.submit(kitchen(goal)) for goal in ("(clean mug1)", "(on mug1 table1)"))
        kill_each(planner, 2)
        assert first.result(timeout=120).status == "solved"
        assert second.result(timeout=120).status == "solved"


def test_a_planner_that_is_killed_again_and_again_says_so_and_the_next_problem_is_solved(monkeypatch) -> None:
    monkeypatch.setattr(_worker_client, "_BACK_OFF_SECONDS", 0.01)
    with FastDownward() as planner:
        os.kill(planner._worker._child.pid, signal.SIGSTOP)
        killed, other = planner.submit(flat(HARD)), planner.submit(kitchen("(clean mug1)"))
        kill_each(planner, 5)
        answer = killed.result(timeout=120)
        assert (answer.status, answer.timed) == ("out-of-memory", True)
        assert "killed 5 times" in answer.why
        assert "SIGKILL, as the system does when memory runs out" in answer.why
        assert other.result(timeout=120).status == "solved", "it was not what cost the workers their lives"


def test_a_planner_that_hangs_is_ended_and_the_next_problem_is_solved(monkeypatch) -> None:
    for name, seconds in (("_LOOK_SECONDS", 0.01), ("_OVERDUE", 1.0), ("_OVERDUE_SECONDS", 0.0)):
        monkeypatch.setattr(_worker_client, name, seconds)
    with FastDownward() as planner:
        worker = planner._worker._child.pid
        os.kill(worker, signal.SIGSTOP)
        hung = planner.submit(kitchen("(clean mug1)"), "good", Limits(seconds=0.2))
        other = planner.submit(kitchen("(clean mug1)"), "good", Limits(seconds=100))
        answer = hung.result(timeout=120)
        assert (answer.status, answer.timed) == ("out-of-limits", True)
        assert answer.why.startswith("The planner did not answer within 0.2 s, long after")
        assert other.result(timeout=120).status == "solved"
        assert not alive(worker)


def test_closing_while_a_worker_is_begun_anew_ends_everything(monkeypatch) -> None:
    monkeypatch.setattr(_worker_client, "_BACK_OFF_SECONDS", 0.3)
    planner = FastDownward()
    future = planner.submit(flat(HARD))
    worker = planner._worker
    os.kill(worker._child.pid, signal.SIGKILL)
    until(lambda: not worker.alive, "its end is noticed")
    planner.close()
    with pytest.raises(CancelledError):
        future.result(timeout=120)


def test_a_worker_that_cannot_work_is_not_begun_again_and_again(monkeypatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with FastDownward() as planner, pytest.raises(SolverError, match="with exit code 1"):
        planner.solve(kitchen("(clean mug1)"))


def test_a_fork_that_is_killed_is_followed_by_a_worker_that_is_started_anew() -> None:
    """By then, this process has threads of its own."""
    script = """
    import os, signal, sys
    sys.path.insert(0, {here!r})
    from households import kitchen
    from foretree.children import Fork, allow_forks
    from foretree.planning.solvers.fast_downward.solver import FastDownward
    allow_forks()
    with FastDownward() as planner:
        worker = planner._worker._child.process
        print(isinstance(worker, Fork), planner.solve(kitchen("(clean mug1)")).status)
        os.kill(worker.pid, signal.SIGKILL)
        print(planner.solve(kitchen("(clean mug1)")).status, worker.wait())
        print(isinstance(planner._worker._child.process, Fork))
    """
    code = textwrap.dedent(script.format(here=str(HERE)))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["True", "solved", "solved", "-9", "False"], done.stderr


def test_a_search_that_is_killed_has_run_out_of_memory_and_is_no_fault(planner) -> None:
    future = planner.submit(flat(HARD))
    until(lambda: searches(planner._worker._child.pid), "the search begins")
    os.kill(searches(planner._worker._child.pid)[0], signal.SIGKILL)
    answer = future.result(timeout=120)
    assert (answer.status, answer.timed) == ("out-of-memory", True)
    assert answer.why == "The search was killed, as the system does when memory runs out."


@pytest.mark.parametrize("forks", [False, True], ids=["started anew", "a fork"])
def test_it_plans_under_a_limit_on_memory_that_is_set_outside(forks: bool) -> None:
    """A limit of the search's own may be lower than that, not higher."""
    script = """
    import sys
    sys.path.insert(0, {here!r})
    from households import kitchen
    from foretree.children import allow_forks
    from foretree.planning.solvers.fast_downward.solver import FastDownward
    if {forks}:
        allow_forks()
    with FastDownward() as planner:
        print(planner.solve(kitchen("(clean mug1)"), "good").status)
    """
    code = textwrap.dedent(script.format(here=str(HERE), forks=forks))
    limited = ["sh", "-c", f'ulimit -v {3 << 20}; exec "$0" -c "$1"', sys.executable, code]
    done = subprocess.run(limited, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "solved", done.stderr


def test_closed_is_closed() -> None:
    planner = FastDownward()
    planner.close()
    planner.close()
    with pytest.raises(SolverError, match="closed"):
        planner.submit(kitchen("(clean mug1)"))


def test_everybody_shares_one(monkeypatch) -> None:
    monkeypatch.setattr(fast_downward, "_shared", None)  # others in this process go on with theirs
    assert shared_planner() is shared_planner()
    shared_planner().close()
    assert shared_planner().solve(kitchen("(clean mug1)")).status == "solved"
    shared_planner().close()


# -- no process is left behind -----------------------------------------------------------------------------


def test_cancelling_ends_the_search_and_the_next_problem_is_solved(planner) -> None:
    planner.solve(kitchen("(clean mug1)"))
    worker = planner._worker._child.pid
    future = planner.submit(flat(HARD))
    waiting = planner.submit(flat(HARD))
    until(lambda: searches(worker), "the search begins")
    (search,) = searches(worker)
    assert waiting.cancel()
    assert future.cancel()
    until(lambda: not alive(search), "the search ends")
    with pytest.raises(CancelledError):
        future.result(timeout=1)
    assert planner.solve(kitchen("(clean mug1)")).status == "solved"
    assert planner._worker._child.pid == worker


def test_cancelling_while_it_still_grounds(planner) -> None:
    future = planner.submit(flat("(forall (?i - item) (given ?i anna))"))
    time.sleep(0.02)
    assert future.cancel()
    assert planner.submit(kitchen("(clean mug1)")).result(timeout=120).status == "solved"


def test_closing_ends_everything() -> None:
    planner = FastDownward()
    future = planner.submit(flat(HARD))
    worker = planner._worker._child.pid
    until(lambda: searches(worker), "the search begins")
    (search,) = searches(worker)
    planner.close()
    assert not alive(worker)
    until(lambda: not alive(search), "the search ends")
    assert future.cancelled()


SCRIPT = """
import signal, sys, time
sys.path.insert(0, {here!r})
from households import flat
from foretree.children import allow_forks
from foretree.planning.solvers.fast_downward.solver import FastDownward
if {forks}:
    allow_forks()
planner = FastDownward()
future = planner.submit(flat({hard!r}))
print("started", flush=True)
{then}
"""


@pytest.mark.parametrize("forks", [False, True], ids=["started anew", "a fork"])
@pytest.mark.parametrize(
    ("then", "how"),
    [
        ("time.sleep(60)", signal.SIGKILL),
        ("future.result()", signal.SIGINT),
        ("input(); raise RuntimeError('a bug')", None),
        ("input(); sys.exit(3)", None),
        ("time.sleep(60)", signal.SIGTERM),
    ],
    ids=["kill -9", "Ctrl-C", "exception", "exit", "kill"],
)
def test_however_the_parent_ends_nothing_stays(then: str, how: signal.Signals | None, forks: bool) -> None:
    script = textwrap.dedent(SCRIPT).format(here=str(HERE), hard=HARD, then=then, forks=forks)
    parent = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=HERE.parents[1],
    )
    try:
        assert parent.stdout.readline() == b"started\n"
        until(lambda: searches(parent.pid), "the search begins")
        children = descendants(parent.pid)
        if how is not None:
            parent.send_signal(how)
        else:
            parent.stdin.write(b"\n")
            parent.stdin.flush()
        parent.wait(timeout=120)
        until(lambda: not any(alive(child) for child in children), "all processes end")
    finally:
        parent.kill()
        parent.stdin.close()
        parent.stdout.close()


def test_a_problem_with_too_many_actions_is_not_searched(planner) -> None:
    answer = planner.solve(flat("(in mango1 fridge1)"), limits=Limits(actions=20))
    assert (answer.status, answer.expanded) == ("out-of-limits", 0)
    assert "more than the 20 actions" in answer.why
    assert planner.solve(flat("(in mango1 fridge1)"), limits=Limits(actions=100_000)).status == "solved"


def test_a_search_does_not_outlive_its_worker(planner) -> None:
    future = planner.submit(flat(HARD))
    worker = planner._worker._child.pid
    until(lambda: searches(worker), "the search begins")
    (search,) = searches(worker)
    os.kill(worker, signal.SIGKILL)
    until(lambda: not alive(search), "the search ends")
    assert future.cancel()


def test_nothing_is_written_where_it_runs(planner, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with FastDownward() as fresh:
        fresh.solve(kitchen("(clean mug1)"))
    assert list(tmp_path.iterdir()) == []


# -- the first plan, then a cheaper one --------------------------------------------------------------------


def test_a_good_plan_is_not_searched_for_without_end_where_there_is_a_first_one(planner) -> None:
    """The whole search for a good plan expands thousands of states here; the first plan comes at once."""
    problem = flat(HARD)
    good = planner.solve(problem, "good", Limits(expansions=200_000))
    first = planner.solve(problem, "satisficing", Limits(expansions=200_000))
    assert (good.status, first.status) == ("solved", "solved")
    assert validate(problem, good.steps).ok
    assert good.cost <= first.cost
    assert good.expanded <= 4 * first.expanded + 2000


def test_all_mugs_of_a_flat_are_carried_without_detours() -> None:
    """A quick search that trusts its estimates too much puts two mugs into the sink on the way: 320."""
    told = foretree("plan", "put all mugs into the dishwasher", "--scene", "flat", "--json")
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["cost"] <= 300


@pytest.mark.parametrize(
    ("goal", "soon", "again"),
    [
        ("(and (in mug1 dishwasher1) (in mug2 dishwasher1) (in mug3 dishwasher1))", 20_000, True),
        ("(and (in mug1 dishwasher1) (in mug2 dishwasher1) (in mug3 dishwasher1))", 0, False),
        ("(in mango1 fridge1)", 20_000, False),
    ],
)
def test_after_a_good_plan_of_several_parts_a_thriftier_one_is_sought(monkeypatch, goal, soon, again) -> None:
    """With little more work, and not for what others wrote, which should take no longer than elsewhere."""
    runs: list[tuple[int, SearchResult]] = []

    def search(*arguments: Any) -> SearchResult:
        found = solving_search(*arguments)
        runs.append((arguments[3], found))
        return found

    solving_search = solving.search
    monkeypatch.setattr(solving, "search", search)
    monkeypatch.setattr(solving, "search_small", lambda task, expansions: None)
    problem = flat(goal)
    solution = solve_here(problem, "good", Limits(expansions=200_000, soon=soon))
    assert validate(problem, solution.steps).ok
    (_, good), *rest = runs
    assert solution.cost <= good.cost
    if not again:
        assert not rest
        assert solution.cost == good.cost
        return
    ((most, thrifty),) = rest
    assert thrifty.expanded <= most <= 2 * good.expanded
    assert solution.cost == thrifty.cost < good.cost
    assert solution.lower_bound == good.lower_bound > 0


LAMPS = """(define (domain lamps) (:requirements :typing :action-costs) (:types lamp)
  (:predicates (ready ?l - lamp) (lit ?l - lamp)) (:functions (total-cost))
  (:action prepare :parameters (?l - lamp) :effect (and (ready ?l) (increase (total-cost) 100)))
  (:action light :parameters (?l - lamp) :precondition (ready ?l)
    :effect (and (lit ?l) (increase (total-cost) 1))))"""


@pytest.mark.parametrize(
    ("word", "metric", "cost"), [("lit", "", 0), ("ready", "(:metric minimize (total-cost))", 3)]
)
def test_of_many_things_the_first_plan_takes_those_that_cost_little(planner, word, metric, cost) -> None:
    """Where each thing that is passed over counts like an action, the first three are prepared."""
    names = " ".join(f"l{number:02}" for number in range(60))
    init = " ".join(f"({word} l{number})" for number in (57, 58, 59))
    goal = "(at-least 3 (?l - lamp) (lit ?l))"
    text = f"(define (problem p) (:domain lamps) (:objects {names} - lamp) (:init {init}) (:goal {goal}) {metric})"
    problem = parse_problem(text, parse_domain(LAMPS))
    for mode in ("satisficing", "good"):
        solution = planner.solve(problem, mode, Limits(expansions=1000))
        assert (solution.status, solution.cost) == ("solved", cost)


def test_many_things_to_choose_from_are_not_gone_through_for_a_cheaper_plan(monkeypatch) -> None:
    """Each state takes the longer, the more there are, so that as many states would take half a minute."""
    allowed: list[int] = []

    def search(*arguments: Any) -> SearchResult:
        allowed.append(arguments[3])
        return solving_search(*arguments)

    solving_search = solving.search
    monkeypatch.setattr(solving, "search", search)
    monkeypatch.setattr(solving, "find_instance_choice", lambda problem: None)
    mugs = [f"mug{number}" for number in range(54)]
    goal = "(at-least 6 (?i - item) (and (fillable ?i) (in ?i dishwasher1)))"
    problem = household(FLAT, mugs, goal, rooms=6)
    limits = Limits(expansions=200_000, soon=20_000)
    solution = solve_here(problem, "good", limits)
    assert validate(problem, solution.steps).ok
    first, *again = allowed
    assert first == 200_000
    assert again
    assert sum(again) < 20_000 // 10
