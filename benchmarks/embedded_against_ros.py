"""The same scenarios with the world in the agent's process, and over ROS: do they come to the same?

In lock-step everything that is recorded has to be equal: each action with its arguments, each end, each
revision with its reason, at the same times. Running free, the outcome has to be.

    PYTHONPATH=.:$PYTHONPATH python benchmarks/embedded_against_ros.py household 100
    PYTHONPATH=.:$PYTHONPATH python benchmarks/embedded_against_ros.py building 100 --free 10

Source a ROS 2 and the workspace with foretree_interfaces before. Worlds: household (rooms in which things are
moved, actions fail, and the connection is lost: the suites smoke and noisy), building (the suite
building-surprises), homes (errands of the suite household). Every scenario that differs is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import zip_longest
from typing import Any

from foretree.bringup.embedded import open_household, open_robots
from foretree.bringup.homes import open_home
from foretree.bringup.options import Options, Wish
from foretree.bringup.ros.clock import RosClock
from foretree.clock import Clock, SimulatedClock
from foretree.regression.homes._draw import DrawnErrand, ErrandDrawing, home_catalogue
from foretree.regression.homes.suite import read_homes_suite
from foretree.regression.sessions.suite import ScenarioTrial, Suite, read_suite
from foretree.robots.ros.node import SpinningNode
from foretree.robots.ros.rclpy_link import RclpyLink
from foretree.robots.simulated.body_node import BodyNode
from foretree.robots.simulated.host import SimulationHost
from foretree.robots.simulated.node import SimulationNode, on_its_thread
from foretree.robots.simulated.ros_body import RosBody
from foretree.robots.simulated.simulation import RosSimulation
from foretree.runs.events import Tape
from foretree.simulation.household.world import HouseholdWorld
from foretree.skills.catalogue_file import load_catalogue
from foretree.trees.session import Session

WORLDS = ("household", "building", "homes")
#: Suites of each world of rooms, the variant of the agent, and how many seeds are taken at most.
SUITES = {"household": ("smoke", "noisy"), "building": ("building-surprises",)}
VARIANT = "guards"
#: What a session did: what it meant to do, how that ended, why it revised, how it came out.
DEEDS = ("action.intent", "action.ended", "action.skipped", "revision.made", "run.ended")
#: What only the process that has the world can record.
UNKNOWN_TO_THE_AGENT = ("run.started", "fault.injected")
_catalogue = cache(load_catalogue)


@dataclass(frozen=True)
class Came:
    """What a session came to: its outcome, what it did, all that it recorded, and seconds of real time."""

    outcome: str
    deeds: list[Any]
    record: list[Any]
    seconds: float


# -- scenarios -------------------------------------------------------------------------------------------
@cache
def suite(name: str) -> Suite:
    return read_suite(name).only(variants=[VARIANT])


def rooms_trials(world: str, count: int) -> list[tuple[str, ScenarioTrial]]:
    """Trials of the world's suites in turn."""
    names = SUITES[world]
    trials = [suite(name).trials(-(-count // len(names))) for name in names]
    turns = [
        (name, trial) for row in zip(*trials, strict=True) for name, trial in zip(names, row, strict=True)
    ]
    return turns[:count]


@cache
def errands(count: int) -> list[DrawnErrand]:
    chosen = read_homes_suite("household").only(splits=["seen"])
    drawing = ErrandDrawing(chosen)
    drawn = (drawing.run(errand) for errand in chosen.all_errands(count + 20, 0))
    return [one for one in drawn if not one.trouble][:count]


@dataclass(frozen=True)
class RoomsScenario:
    """A scenario in rooms or in a building."""

    suite: str
    trial: ScenarioTrial

    @property
    def label(self) -> str:
        return f"{self.suite} {self.trial.scenario} seed {self.trial.seed}"

    def __post_init__(self) -> None:
        scenario = suite(self.suite).scenarios[self.trial.scenario]
        object.__setattr__(self, "scene", scenario.scene_of(self.trial.seed))
        object.__setattr__(self, "scenario", scenario)

    def options(self) -> Options:
        own = suite(self.suite)
        return Options(own.agent, own.variants[VARIANT].settings, self.scenario.faults, self.trial.seed)

    def embedded(self, tape: Tape) -> Session:
        catalogue = _catalogue(self.scene.domain)
        return open_household(
            self.scene, self.scenario.wish, self.options(), recorder=tape, catalogue=catalogue
        )[0]

    def over_ros(self, link: RclpyLink, tape: Tape, clock: Clock | None) -> Session:
        simulation = RosSimulation(link, clock)
        catalogue = _catalogue(self.scene.domain)
        wish, options = self.scenario.wish, self.options()
        return open_robots(
            simulation.robots,
            self.scene,
            wish,
            options,
            recorder=tape,
            clock=simulation.clock,
            catalogue=catalogue,
        )

    def serve(self, node: SimulationNode) -> None:
        clock = SimulatedClock()
        world = HouseholdWorld(self.scene, clock, self.scenario.faults, self.trial.seed)
        node.load(SimulationHost([world, *world.teammates], clock))


@dataclass(frozen=True)
class HomesScenario:
    """An errand in a grid home."""

    drawn: DrawnErrand

    @property
    def label(self) -> str:
        return self.drawn.errand.label

    def _open(self, tape: Tape, **given: Any) -> Session:
        chosen = read_homes_suite("household")
        options = Options(chosen.agent, chosen.variants["all-guards"].settings)
        wish = Wish(self.drawn.instruction, self.drawn.goal)
        episode = self.drawn.episode(chosen.things, chosen.noise)
        return open_home(episode, wish, options, recorder=tape, catalogue=home_catalogue(), **given)[0]

    def embedded(self, tape: Tape) -> Session:
        return self._open(tape)

    def over_ros(self, link: RclpyLink, tape: Tape, clock: Clock | None) -> Session:
        return self._open(tape, body=RosBody(link), clock=clock)

    def serve(self, node: BodyNode) -> None:
        chosen = read_homes_suite("household")
        node.load(self.drawn.episode(chosen.things, chosen.noise).open())


def scenarios(world: str, count: int) -> Sequence[Any]:
    if world == "homes":
        return [HomesScenario(one) for one in errands(count)]
    return [RoomsScenario(*one) for one in rooms_trials(world, count)]


# -- the simulation, in a process of its own -------------------------------------------------------------
def serve(world: str, count: int, free: float) -> None:
    """Offer the scenarios whose numbers come in on standard input, one after the other."""
    chosen = scenarios(world, count)
    with SpinningNode("simulation") as spinning:
        homes = world == "homes"
        node: Any = (
            BodyNode(spinning.node, free) if homes else SimulationNode(spinning.node, not free, free or 1.0)
        )
        for line in sys.stdin:
            on_its_thread(spinning.node, partial(chosen[int(line)].serve, node))
            print("loaded", flush=True)


class Server:
    """The process of the simulation."""

    def __init__(self, world: str, count: int, free: float) -> None:
        command = [sys.executable, __file__, world, str(count), "--serve", "--free", str(free)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ
        )

    def load(self, number: int) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(number, file=self._process.stdin, flush=True)
        if self._process.stdout.readline().strip() != "loaded":
            raise SystemExit("The process of the simulation has ended.")

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()


# -- the agent ---------------------------------------------------------------------------------------
def carry_out(session: Session, tape: Tape, name: str) -> Came:
    session.context.name = name
    begun = time.perf_counter()
    result = session.run()
    record = [
        [event.tick, round(event.time, 6), event.kind, plain(event.data)]
        for event in tape.events
        if event.kind not in UNKNOWN_TO_THE_AGENT
    ]
    deeds = [deed(*entry[2:]) for entry in record if entry[2] in DEEDS]
    return Came(result.outcome, deeds, record, time.perf_counter() - begun)


def deed(kind: str, data: Any) -> Any:
    """What was done, without where things were measured to be, and how often beliefs had changed by then."""
    return kind, {
        name: value for name, value in data.items() if name not in ("version", "targets", "seconds")
    }


def following_clock(node: Any) -> RosClock:
    """The agent's clock where the simulation says what time it is."""
    from rclpy.clock import JumpThreshold
    from rclpy.duration import Duration

    source = node.get_clock()
    clock = RosClock(lambda: int(source.now().nanoseconds), simulated_time=True)
    threshold = JumpThreshold(
        min_forward=Duration(nanoseconds=1), min_backward=Duration(nanoseconds=-1), on_clock_change=True
    )
    # To be kept, and unregistered before it goes: rclpy holds no reference of its own.
    clock.jumps = source.create_jump_callback(threshold, post_callback=lambda jump: clock.changed())
    return clock


def plain(data: Any) -> Any:
    """*data* as JSON has it, without what was measured on the wall."""
    return json.loads(json.dumps({key: value for key, value in data.items() if key != "wall"}, default=str))


def differences(one: list[Any], other: list[Any], most: int = 3) -> Iterator[str]:
    for first, second in zip_longest(one, other):
        if first != second and most:
            most -= 1
            yield f"    embedded {json.dumps(first)[:300]}\n    over ROS {json.dumps(second)[:300]}"


def main() -> int:
    """Read the command line, run, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("world", choices=WORLDS)
    parser.add_argument("count", type=int, nargs="?", default=5)
    parser.add_argument("--begin", type=int, default=0, help="the number of the first scenario")
    parser.add_argument(
        "--free", type=float, default=0.0, help="run free, so many times as fast as real time"
    )
    parser.add_argument("--budget", type=float, default=1e9, help="seconds after which no scenario is begun")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.world, given.count, given.free)
        return 0
    tally: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    seconds = [0.0, 0.0]
    begun = time.perf_counter()
    server = Server(given.world, given.count, given.free)
    chosen = scenarios(given.world, given.count)
    with SpinningNode("agent", simulated_time=bool(given.free)) as spinning:
        link = RclpyLink(spinning.node)
        for number in range(given.begin, len(chosen)):
            if time.perf_counter() > begun + given.budget:
                break
            scenario = chosen[number]
            tape, ros_tape = Tape(), Tape()
            name = f"scenario{number}"  # what executions are called: a server takes an id but once
            embedded = carry_out(scenario.embedded(tape), tape, name)
            server.load(number)
            clock: Any = None
            if given.free:
                clock = following_clock(spinning.node)
            over_ros = carry_out(scenario.over_ros(link, ros_tape, clock), ros_tape, name)
            if clock is not None:
                clock.jumps.unregister()
            same = {
                "outcome": embedded.outcome == over_ros.outcome != "error",
                "deeds": embedded.deeds == over_ros.deeds,
                "record": embedded.record == over_ros.record,
            }
            tally.update(same)
            tally["scenarios"] += 1
            ends[embedded.outcome] += 1
            seconds[0] += embedded.seconds
            seconds[1] += over_ros.seconds
            if not (same["outcome"] if given.free else same["record"]):
                what = ", ".join(name for name, is_same in same.items() if not is_same)
                print(f"{number} {scenario.label}: {what} differ: {embedded.outcome} / {over_ros.outcome}")
                if given.free:
                    print(*differences(embedded.deeds, over_ros.deeds, 9), sep="\n", flush=True)
                else:
                    print(*differences(embedded.record, over_ros.record), sep="\n", flush=True)
            print(
                f"  {tally['scenarios']} done, {number} {scenario.label}: {embedded.seconds:.1f} s, "
                f"{over_ros.seconds:.1f} s over ROS",
                file=sys.stderr,
                flush=True,
            )
    server.close()
    count = tally["scenarios"]
    how = f"free at {given.free:g} times real time" if given.free else "in lock-step"
    outcomes = ", ".join(f"{end} {times}" for end, times in ends.most_common())
    print(
        f"{given.world}, {how}: {count} scenarios ({outcomes}); the same outcome "
        f"{tally['outcome']}, the same actions and revisions {tally['deeds']}, the same record "
        f"{tally['record']}; {seconds[0]:.0f} s embedded, {seconds[1]:.0f} s over ROS"
    )
    return 0 if tally["outcome" if given.free else "record"] == count else 1


if __name__ == "__main__":
    sys.exit(main())
