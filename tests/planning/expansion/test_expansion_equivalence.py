"""With one node, one hand and no doors, plans are those of the base domain plus zero moves."""

from __future__ import annotations

import pytest
from expansions import NAMES, base_problem, check_lockstep, told
from hypothesis import HealthCheck, given, settings
from random_bases import tasks

from foretree.planning.expansion.options import Expansion


@pytest.mark.parametrize("hands", [None, 1])
@pytest.mark.parametrize("name", NAMES)
def test_the_corpus(name, hands):
    options = told(name) | Expansion(navigation=True, hands=hands, costs=True)
    assert check_lockstep(base_problem(name), options) > 5


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tasks())
def test_random_domains(task):
    problem, options, exact = task
    check_lockstep(problem, options, 60, exact)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tasks())
def test_many_random_domains(task):
    problem, options, exact = task
    check_lockstep(problem, options, 200, exact)
