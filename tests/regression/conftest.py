import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

#: Short tasks, three of them with a surprise that a robot without guards runs into.
LITTLE = """\
suite: little
agent: AGENT
variants:
  guards: {}
  failure-replanning: {settings: {guards: none, revisers: planner}}
  neither: {settings: {guards: none, revisers: none}}
scenarios:
  mango-moved:
    scene: kitchen
    goal: (in mango1 bin1)
    faults: ["after 1: move mango1 table2"]
  apple-moved:
    scene: kitchen
    goal: (on apple1 counter1)
    faults: ["after 1: move apple1 sink1"]
  pick-fails-silently:
    scene: kitchen
    goal: (on plate1 counter1)
    faults: ["after 0: silent next pick"]
  busy:
    scene: kitchen
    goal: (on bread1 table1)
    chance: {move: 0.5}
"""


@pytest.fixture(scope="module")
def write_suite(tmp_path_factory):
    """Writes a suite file; returns its path."""

    def write(text: str = LITTLE, agent: str = "default") -> str:
        path = tmp_path_factory.mktemp("suites") / "little.yaml"
        path.write_text(text.replace("AGENT", agent))
        return str(path)

    return write
