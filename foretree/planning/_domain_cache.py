"""Results that follow from a domain alone: found once, and kept as long as the domain is there.

Domains are large, few, and never change. To tell two apart by what is in them would take as long as the work
that is saved, so they are told apart by what they are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import ref

from foretree.planning.pddl.syntax import Domain

T = TypeVar("T")


def per_domain(work: Callable[[Domain], T]) -> Callable[[Domain], T]:
    """*work*, done once for each domain."""
    known: dict[int, tuple[ref[Domain], T]] = {}

    @wraps(work)
    def remembered(domain: Domain) -> T:
        number = id(domain)
        found = known.get(number)
        if found is None or found[0]() is not domain:
            found = known[number] = ref(domain, lambda _: known.pop(number, None)), work(domain)
        return found[1]

    return remembered
