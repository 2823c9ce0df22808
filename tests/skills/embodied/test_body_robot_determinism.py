"""A body as a robot knows nothing of its world but frames, and does the same whenever these are the same."""

from __future__ import annotations

from collections.abc import Sequence

from bodies_at_home import LONGEST, AtHome, robot_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foretree.clock import SimulatedClock
from foretree.simulation.grid_homes.body.remote_body import RemoteBody
from foretree.simulation.grid_homes.episode import open_episode
from foretree.skills.embodied._handling import HANDLING
from foretree.skills.embodied.body import STEP_TIME, Body
from foretree.skills.robot import End, LookRequest, Order, Outcome, Target
from foretree.world_model.observation import Detection, Observation

#: What is done, and to which of the things that are in view then.
Script = Sequence[tuple[str, int]]

SKILLS = ("look", *sorted(HANDLING))
SCRIPT = (
    ("look", 0),
    ("move", 3),
    ("pick", 9),
    ("look", 1),
    ("place_on", 0),
    ("open", 1),
    ("pick", 5),
    ("move", 2),
)


def play(body: Body, script: Script) -> tuple[list[End], list[Observation]]:
    """Have a robot do things with what it sees, whatever that may be."""
    clock = SimulatedClock()
    robot = robot_of(body, clock)
    seen = robot.observations()
    ends = []
    for number, (skill, which) in enumerate(script):
        name = f"e{number}"
        target = _target(seen[-1], which)
        if skill == "look":
            execution = robot.look(LookRequest(() if target is None or which == 0 else (target,)), name)
        else:
            roles = ("to", "item", "place", "target", "tool")
            execution = robot.start(Order(skill, dict.fromkeys(roles, target or Target({}, None))), name)
        limit = clock.now() + LONGEST
        while (end := execution.poll()) is None:
            assert clock.now() < limit
            clock.sleep_until(clock.now() + STEP_TIME)
            seen += robot.observations()
        ends.append(end)
    return ends, seen


def _target(seen: Observation, which: int) -> Target | None:
    things: list[Detection] = sorted(seen.detections, key=lambda one: (one.pose, one.id))
    if not things:
        return None
    thing = things[which % len(things)]
    held = "hand" if thing.id in seen.held else None
    return Target(thing.classes, thing.pose, thing.features, held, thing.extent)


def test_with_its_body_in_another_process_it_does_and_sees_the_same():
    arguments = {"layout": "studio/0", "seed": 3, "noise": 1.0}
    here = play(open_episode("studio/0", 3, noise=1.0), SCRIPT)
    with RemoteBody("foretree.simulation.grid_homes.episode:open_episode", arguments) as body:
        there = play(body, SCRIPT)
    assert there == here
    assert any(end.outcome is Outcome.DONE for end in here[0])


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.integers(0, 99),
    st.lists(st.tuples(st.sampled_from(SKILLS), st.integers(0, 9)), min_size=1, max_size=6),
)
def test_whatever_it_is_told_has_an_end_and_the_same_one_each_time(seed, script):
    ends, seen = play(open_episode("hall_flat/0", seed, noise=2.0), script)
    assert {end.outcome for end in ends} <= {Outcome.DONE, Outcome.FAILED}
    assert all(end.reason for end in ends if end.outcome is Outcome.FAILED)
    assert (ends, seen) == play(open_episode("hall_flat/0", seed, noise=2.0), script)


def test_it_is_not_told_what_is_true():
    at_home = AtHome()
    at_home.told(LookRequest())
    names = set(at_home.home.things)
    told = {one.id for seen in at_home.seen for one in seen.detections}
    assert told
    assert not told & names
