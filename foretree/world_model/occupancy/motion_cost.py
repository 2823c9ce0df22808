"""How a body walks a way: the cheapest steps and turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

#: What a body does to walk; named as the controls of a body are.
Pace: TypeAlias = Literal[
    "move_ahead", "move_back", "strafe_left", "strafe_right", "rotate_left", "rotate_right"
]

#: How a step is made, by where it goes as seen from the heading.
STEPS: dict[int, Pace] = {0: "move_ahead", 90: "strafe_left", 180: "move_back", 270: "strafe_right"}
_TURNS: tuple[tuple[Pace, int], ...] = (("rotate_left", 90), ("rotate_right", 270))


def paces(
    directions: Sequence[int], heading: int, facing: int | None = None, blindness: float = 0.0
) -> tuple[Pace, ...]:
    """The cheapest steps and turns that walk a way.

    Each costs 1. A body can step sideways and back, but does not see then what it steps on: of what costs the
    same, that is done with fewest steps to where it does not look, and with turns as early as possible.

    Args:
        directions: where each step goes, as a heading.
        heading: how the body stands.
        facing: how it is to stand in the end; None if that does not matter.
        blindness: what a step to where it does not look costs in addition.
    """
    # What it costs from each step on, by heading: before that step a body may turn.
    costs = [{h: _turns(h, facing) for h in STEPS}]
    for direction in reversed(directions):
        after = costs[-1]
        costs.append(
            {
                h: min(
                    _plus(_turns(h, turned), _step(turned, direction, blindness), after[turned])
                    for turned in STEPS
                )
                for h in STEPS
            }
        )
    costs.reverse()
    walked: list[Pace] = []
    for number, direction in enumerate(directions):
        best = min(
            STEPS,
            key=lambda turned: (
                _plus(
                    _turns(heading, turned),
                    _step(turned, direction, blindness),
                    costs[number + 1][turned],
                ),
                _step(turned, direction, blindness),
                turned,
            ),
        )
        walked += _turning(heading, best)
        walked.append(STEPS[(direction - best) % 360])
        heading = best
    return (*walked, *_turning(heading, facing))


#: What something costs, and on how many of its steps a body does not look where it goes.
_Cost: TypeAlias = tuple[float, int]


def _plus(*costs: _Cost) -> _Cost:
    return sum(cost for cost, _ in costs), sum(blind for _, blind in costs)


def _turns(heading: int, facing: int | None) -> _Cost:
    return float(len(_turning(heading, facing))), 0


def _step(heading: int, direction: int, blindness: float) -> _Cost:
    is_blind = heading != direction
    return 1 + blindness * is_blind, int(is_blind)


def _turning(heading: int, facing: int | None) -> tuple[Pace, ...]:
    """The turns from one heading to another; of two half turns the one to the left."""
    if facing is None or facing == heading:
        return ()
    for pace, degrees in _TURNS:
        if (heading + degrees) % 360 == facing:
            return (pace,)
    return ("rotate_left", "rotate_left")
