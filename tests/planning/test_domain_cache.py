"""What follows from a domain alone is worked out once."""

from __future__ import annotations

import gc

from foretree.planning._domain_cache import per_domain
from foretree.planning.pddl.syntax import Domain


def test_it_is_worked_out_once_for_each_domain_and_forgotten_with_it() -> None:
    asked: list[str] = []

    @per_domain
    def name_of(domain: Domain) -> str:
        asked.append(domain.name)
        return domain.name

    one, other = Domain("one"), Domain("one")
    assert [name_of(domain) for domain in (one, other, one, other)] == ["one"] * 4
    assert asked == ["one", "one"], "once each, however equal they are"
    for number in range(100):
        assert name_of(Domain(str(number))) == str(number), "one takes the place of another in memory"
    gc.collect()
    assert len(asked) == 102
