"""Calls of services that the caller waits for."""

from __future__ import annotations

import time
from collections.abc import Callable
from uuid import uuid4

from foretree.robots.ros.link import Fields, Interface, Responded, RosLink
from foretree.skills.robot import RobotError

#: Seconds between two looks at what has arrived, and at whether a service that was called is still there.
_POLL = 0.0002
_ALIVE = 0.25


def call_and_wait(link: RosLink, service: Interface, request: Fields, patience: float) -> Fields:
    """Wait for a service to be there, call it, and return its response. What else arrives is dropped.

    Raises:
        RobotError: it is not there in time, goes, or does not respond in time.
    """
    wait_until(lambda: bool(link.servers(service)), lambda: f"{service}: there is no such service.", patience)
    served_by = link.servers(service)
    call = uuid4()
    link.call(service, call, request)
    begun = looked = time.monotonic()
    while True:
        for arrival in link.arrivals():
            if isinstance(arrival, Responded) and arrival.id == call:
                if arrival.error:
                    raise RobotError(f"{service}: {arrival.error}")
                return arrival.response
        now = time.monotonic()
        if now > begun + patience:
            raise RobotError(f"{service}: there was no response for {patience:g} s.")
        if now > looked + _ALIVE:
            looked = now
            if not link.servers(service) & served_by:
                raise RobotError(f"{service}: the service is gone, and the call with it.")
        time.sleep(_POLL)


def wait_until(condition: Callable[[], bool], trouble: Callable[[], str], patience: float) -> None:
    """Wait until a condition holds.

    Raises:
        RobotError: it does not in time; *trouble* says what is wrong.
    """
    limit = time.monotonic() + patience
    while not condition():
        if time.monotonic() > limit:
            raise RobotError(trouble())
        time.sleep(0.02)
