"""Whole episodes in grid homes: how many controls for a second of the processor, everything counted.

    python benchmarks/home_episodes.py 20
    python benchmarks/home_episodes.py 20 --against ../foretree-before

All of an episode is there: the home and its body, eyes, occupancy grids, beliefs, the tree, every planning
request, the processes that plan and search, and the start of all that. Errands of the suite ``household`` are
drawn in homes of layouts that may be looked at, the same for both sides. With ``--against`` another checkout
carries them out at the same time, in a process of its own, so that whatever else the machine does slows down
both; what counts is the ratio, and whether both came to the same.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import pickle
import resource
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from foretree.regression.homes._draw import ErrandDrawing
from foretree.regression.homes._episode import HomesTrial, HomeTrials
from foretree.regression.homes.suite import read_homes_suite

HERE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Side:
    """What one checkout made of all errands.

    Attributes:
        outcomes: of each episode what it came to.
        controls: what the bodies were told to do.
        processor: seconds of the processor, of all processes, their start included.
    """

    outcomes: tuple[tuple[object, ...], ...]
    controls: int
    processor: float

    @property
    def rate(self) -> float:
        """Controls per second of the processor."""
        return self.controls / self.processor


def draw(count: int, mode: str, seed: int, path: Path) -> None:
    """In a process of its own: draw errands in homes with seen layouts, and write them to a file."""
    suite = read_homes_suite("household").only(modes=[mode], splits=["seen"])
    drawing = ErrandDrawing(suite)
    drawn = [drawing.run(errand) for errand in suite.all_errands(count, seed)]
    path.write_bytes(pickle.dumps([one for one in drawn if not one.trouble]))


def carry_out(drawn: Path, variant: str) -> None:
    """In a process of its own: carry out the errands in a file, and print what came of each, and the cost."""
    gc.set_threshold(20_000)  # as the workers of a suite do
    suite = read_homes_suite("household")
    for number, errand in enumerate(pickle.loads(drawn.read_bytes())):
        episode = HomeTrials(suite).run(HomesTrial(number, errand, variant, suite.noise))
        came_to = (episode.label, episode.outcome, episode.success, episode.controls, episode.actions)
        print(json.dumps([*came_to, episode.trouble]), flush=True)


def run(checkout: Path, folder: Path, errands: Sequence[str], variant: str) -> Side:
    """Have a checkout draw errands, which does not count, and carry them out."""
    folder.mkdir()
    drawn = folder / "errands"
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    script = str(checkout / "benchmarks" / "home_episodes.py")  # its own: modules may have other names there
    drawing = [sys.executable, script, *errands, "--draw", str(drawn)]
    subprocess.run(drawing, check=True, env=environment, cwd=folder)
    command = [sys.executable, script, "--carry-out", str(drawn), "--variant", variant]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, cwd=drawn.parent
    ) as process:
        assert process.stdout is not None
        lines = process.stdout.read().splitlines()
        # It has ended its planners, and they their searches, so this counts them all.
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"The episodes of {checkout} ended with {process.returncode}.")
    outcomes = tuple(tuple(json.loads(line)) for line in lines)
    return Side(outcomes, sum(int(str(one[3])) for one in outcomes), _seconds(used))


def _seconds(used: resource.struct_rusage) -> float:
    return used.ru_utime + used.ru_stime


def compare(checkouts: Sequence[Path], count: int, mode: str, seed: int, variant: str) -> list[Side]:
    """What each checkout makes of the same errands, all at the same time."""
    errands = [str(count), "--mode", mode, "--seed", str(seed)]
    with TemporaryDirectory() as made, ThreadPoolExecutor(len(checkouts)) as pool:
        folders = [Path(made) / str(number) for number in range(len(checkouts))]
        return list(pool.map(lambda one: run(*one, errands, variant), zip(checkouts, folders, strict=True)))


def main() -> None:
    """Read the command line, run, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=10, help="errands")
    parser.add_argument("--against", type=Path, help="another checkout, to compare with")
    parser.add_argument("--mode", choices=("fixed", "diverse"), default="diverse")
    parser.add_argument("--variant", default="all-guards")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--draw", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--carry-out", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.draw is not None:
        draw(options.count, options.mode, options.seed, options.draw)
        return
    if options.carry_out is not None:
        carry_out(options.carry_out, options.variant)
        return
    checkouts = [HERE, *([options.against.resolve()] if options.against is not None else [])]
    sides = compare(checkouts, options.count, options.mode, options.seed, options.variant)
    for checkout, side in zip(checkouts, sides, strict=True):
        reached = sum(bool(one[2]) for one in side.outcomes)
        print(
            f"{side.rate:8.1f} controls per second of the processor: {side.controls} in "
            f"{side.processor:.1f} s, {reached} of {len(side.outcomes)} reached, {checkout}"
        )
    if len(sides) > 1:
        same = sum(one == other for one, other in zip(sides[0].outcomes, sides[1].outcomes, strict=True))
        print(f"{sides[0].rate / sides[1].rate:8.2f} times as many; {same} came to exactly the same")


if __name__ == "__main__":
    main()
