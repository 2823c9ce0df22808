"""The rules of a safety file, in the order in which they are judged."""

from __future__ import annotations

from collections.abc import Iterator

from foretree.robots.supervisor import rules
from foretree.robots.supervisor.safety_file import SafetyFile


def rules_of(file: SafetyFile) -> tuple[rules.SafetyRule, ...]:
    """Return the rules of a safety file: those that it names, and those that hold always."""
    return (*_named(file), *_always(file))


def _named(file: SafetyFile) -> Iterator[rules.SafetyRule]:
    named = file.rules
    yield from map(rules.EmergencyStop, named.emergency_stops)
    yield from map(rules.DeadMan, named.dead_man)
    for joints in named.joint_speeds:
        yield rules.JointSpeeds(joints.input, joints.limit, joints.joints)
    for force in named.forces:
        yield rules.Forces(force.input, force.newtons, force.newton_metres)
    for speed in named.speeds:
        yield rules.PointSpeeds(speed.points, speed.limit)
    for space in named.workspace:
        yield rules.Inside(space.points, space.box, space.says)
    for volume in named.no_go:
        yield rules.Outside(volume.points, volume.box, volume.says)
    for people in named.people:
        yield rules.Apart(people.input, people.points, people.nearest, people.stops_in, people.person_speed)


def _always(file: SafetyFile) -> Iterator[rules.SafetyRule]:
    """Silence, found by the last check before its limit is over, not the first after; and nonsense."""
    early = 1 / file.rate
    for name, each in file.inputs.items():
        if each.limit is not None:
            word = "watchdog" if name in file.rules.watchdog else "silence"
            yield rules.Silence(name, each.limit - early, word)
        yield rules.Sound(name)
    for name, point in file.points.items():
        limit = file.inputs[point.input].limit
        assert limit is not None, "only an emergency stop may be silent"
        yield rules.Silence(name, limit - early)
        yield rules.Sound(name)
