"""Short episodes in grid homes: how long so many take on two cores, drawing and planning included.

    python benchmarks/short_episodes.py
    python benchmarks/short_episodes.py 100

They are of the seven families that are about one thing or two, with all guards and the default noise.
"""

from __future__ import annotations

import argparse
import sys

from foretree.regression.core.selection import Selection
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.homes.running import run_homes_suite
from foretree.regression.homes.suite import read_homes_suite

SHORT = (
    "pick_and_place",
    "stack_and_place",
    "pick_two_and_place",
    "clean_and_place",
    "heat_and_place",
    "cool_and_place",
    "examine_in_light",
)
#: Seconds that one may take, with two processes.
LIMIT = 600 / 500


def main() -> None:
    """Read the command line, run, and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=500)
    given = parser.parse_args()
    suite = read_homes_suite("household").only(SHORT, ["all-guards"])
    report = run_homes_suite(suite, SuiteRun(Selection("household", episodes=given.count, jobs=2)))
    done = len(report.episodes)
    print(f"{done} episodes, {sum(episode.success for episode in report.episodes)} of them successful")
    print(f"{report.wall:.0f} s on the wall, {report.processor / done:.2f} s of processor each")
    sys.exit(0 if done == given.count and report.wall <= LIMIT * done else 1)


if __name__ == "__main__":
    main()
