"""What holds of a plan node whatever happens: random plans, leaves, robots, faults, revisers, interrupts.

The invariants themselves are in :mod:`chaos`; every run checks all of them after every tick.
"""

from __future__ import annotations

import pytest
from chaos import Knobs, Lab, RobotLab
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foretree.revision.expectation import GUARD_NAMES


def knobs(**fixed):
    drawn = {
        "seed": st.integers(0, 2**32),
        "typed": st.booleans(),
        "facts": st.integers(2, 6),
        "actions": st.integers(1, 8),
        "steps": st.integers(1, 8),
        "fault_ticks": st.sampled_from((0, 5, 30)),
        "fault_rate": st.sampled_from((0.0, 0.2, 0.6)),
        "failures": st.sampled_from((0.0, 0.15, 0.5, 1.0)),
        "interrupts": st.sampled_from((0.0, 0.1)),
        "guards": st.sampled_from((GUARD_NAMES, GUARD_NAMES, (), ("attribute", "presence"))),
    }
    return st.builds(Knobs, **{**drawn, **fixed})


def watched(lab: Lab) -> None:
    lab.run()
    assert not lab.breaches, "\n".join([*lab.breaches, f"reason: {lab.node.reason}"])


SETUPS = {
    "leaves of one's own": (Lab, {}),
    "leaves that raise": (Lab, {"wild": st.just(True)}),
    "leaves that say they did what they did not": (Lab, {"lies": st.sampled_from((0.5, 1.0))}),
    "guarded actions and a robot": (RobotLab, {}),
}


def check(setup: str, examples: int) -> None:
    kind, fixed = SETUPS[setup]

    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(knobs(**fixed))
    def holds(chosen):
        watched(kind(chosen))

    holds()


@pytest.mark.parametrize("setup", SETUPS)
def test_what_always_holds(setup):
    check(setup, 120)


@pytest.mark.parametrize("setup", SETUPS)
def test_what_always_holds_where_little_is_done_in_a_tick(setup, monkeypatch):
    """Revisions of these plans are checked and taken over in many ticks, as those of long plans are."""
    monkeypatch.setattr("foretree.trees.plan_node._repair.INCREMENTS_PER_TICK", 3)
    check(setup, 40)


@pytest.mark.slow
@pytest.mark.parametrize("setup", SETUPS)
def test_what_always_holds_at_length(setup):
    check(setup, 3_000)


@pytest.mark.parametrize("setup", SETUPS)
def test_without_trouble_every_plan_reaches_its_goal(setup):
    """No faults, failures or interrupts: the plan is carried out as it is, and nobody needs to revise it."""
    kind, fixed = SETUPS[setup]
    if fixed:
        pytest.skip("trouble is the point of it")
    for seed in range(60):
        typed = seed % 2 == 0
        calm = Knobs(seed, typed, fault_ticks=0, failures=0.0, interrupts=0.0, unknown=0.0, irreversible=0.0)
        lab = kind(calm)
        lab.context.revisers = ()
        watched(lab)
        assert lab.node.status.value == "SUCCESS", (seed, lab.node.reason)


def test_the_same_seed_gives_the_same_run():
    def run():
        lab = RobotLab(Knobs(seed=7, typed=True, steps=6, failures=0.5))
        lab.run()
        return lab.ticks, [(e.kind, dict(e.data)) for e in lab.context.recorder.events]

    assert run() == run()
