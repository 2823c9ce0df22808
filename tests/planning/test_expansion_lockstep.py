"""With one node, one hand and no doors, plans are those of the base domain."""

from __future__ import annotations

import pytest
from expansions import NAMES, base_problem, check_lockstep, told

from foretree.planning.expansion import Expansion


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hands", [None, 1])
def test_plans_are_those_of_the_base_domain(name, hands):
    assert (
        check_lockstep(base_problem(name), told(name) | Expansion(navigation=True, hands=hands, costs=True))
        > 5
    )
