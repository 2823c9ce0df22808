"""Many episodes in one process: how many per second and core, and whether memory stays flat.

    python benchmarks/episodes.py 10000
    python benchmarks/episodes.py 500 --suite stress --profile

Episodes run one after the other, with one warm planner whose processes are counted, and no plan is kept. The
growth of memory is measured from the first tenth on, when everything has been loaded once.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import pstats
import sys
import time
from pathlib import Path

from foretree.regression.core.processor_time import processor_time
from foretree.regression.sessions.episode import SessionTrials
from foretree.regression.sessions.suite import Suite, read_suite

_PAGE = 4096


def resident() -> float:
    """MiB of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE / 2**20


def run(suite: Suite, count: int, parts: int = 10) -> bool:
    """Run *count* episodes and print how it goes; whether memory stayed flat within 5 %."""
    tasks = suite.trials(count)
    wall, processor = time.perf_counter(), processor_time()
    first = grown = 0.0
    print(f"{'episodes':>9} {'per second and core':>20} {'RSS MiB':>9} {'growth':>8}")
    for number, task in enumerate(tasks, 1):
        episode = SessionTrials(suite).run(task)
        if not episode.sound:
            print(
                f"{episode.scenario}, seed {episode.seed}: {episode.trouble} {episode.details}",
                file=sys.stderr,
            )
        if number % max(1, count // parts) == 0:
            gc.collect()
            now = resident()
            first = first or now
            grown = now / first - 1
            pace = number / (processor_time() - processor)
            print(f"{number:>9} {pace:>20.2f} {now:>9.1f} {100 * grown:>7.1f}%", flush=True)
    print(f"{time.perf_counter() - wall:.1f} s on the wall")
    return grown <= 0.05


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--suite", default="smoke")
    parser.add_argument("--variant", default="guards")
    parser.add_argument("--profile", action="store_true", help="print where this process spends its time")
    given = parser.parse_args()
    suite = read_suite(given.suite).only(variants=[given.variant])
    profile = cProfile.Profile()
    if given.profile:
        profile.enable()
    flat = run(suite, given.count)
    profile.disable()
    if given.profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(35)
    sys.exit(0 if flat else 1)


if __name__ == "__main__":
    main()
