"""A little language suite for tests."""

from __future__ import annotations

from pathlib import Path

SUITE = """\
suite: little
kind: language
says: A few of each kind.
frozen_at: 0123abc
cases:
  apple:
    scene: kitchen
    family: plain
    half: frozen
    say: Bring me the apple.
    goal: (given apple1 person1)
  fork:
    scene: kitchen
    family: plain
    say: Put the fork on table2.
    unexplored: [drawer1, bin1]
    goal: (on fork1 table2)
    calls: {explore: 2, plan: 1}
  mug:
    scene: kitchen
    half: frozen
    say: Wash the mug.
    outcome: asks
    readings: [(clean mug1), (clean mug2)]
  nonsense:
    scene: kitchen
    say: Wobble the flummox!
    outcome: refuses
    because: unclear
  cut-without-knife:
    things: [spoon, scissors, plate]
    say: Cut the string with the knife.
    missing: knife
    alternatives: [scissors]
"""


def write_suite(folder: Path, text: str = SUITE) -> str:
    """The path of a suite file that says *text*."""
    path = folder / "little.yaml"
    path.write_text(text)
    return str(path)
