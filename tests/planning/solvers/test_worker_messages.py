"""Messages between a solver and its worker process."""

from __future__ import annotations

from tabletops import problem_of

from foretree.planning.solvers.base import Limits
from foretree.planning.solvers.fast_downward._worker_messages import CancelRequest, SolveRequest, pack, unpack


def requests(count: int) -> list[SolveRequest]:
    problem = problem_of({"mango1": ("on", "table1")}, "(in mango1 fridge1)")
    return [
        SolveRequest(number, problem, "optimal", Limits(seconds=1.0), "downward") for number in range(count)
    ]


def test_messages_arrive_as_they_were_sent():
    sent = [*requests(2), CancelRequest(7)]
    assert [unpack(pack(message)) for message in sent] == sent


def test_a_domain_is_made_only_once():
    one, other = (unpack(pack(request)) for request in requests(2))
    assert one.problem.domain is other.problem.domain
    assert one.problem.domain == requests(1)[0].problem.domain


def test_other_domains_are_not_mixed_up():
    problem = requests(1)[0].problem
    for number in range(9):
        domain = type(problem.domain)(f"domain{number}")
        request = SolveRequest(
            number, type(problem)("p", domain, {}, frozenset(), problem.goal), "good", Limits(), ""
        )
        assert unpack(pack(request)) == request
