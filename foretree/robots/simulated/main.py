"""A simulation as a ROS node: ``python -m foretree.robots.simulated --scene kitchen``."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Sequence
from functools import partial

from foretree.errors import ForetreeError
from foretree.robots.ros.node import SpinningNode
from foretree.robots.simulated.body_node import BodyNode
from foretree.robots.simulated.node import SimulationNode, on_its_thread
from foretree.robots.simulated.worlds import home_body, host_scene


def main(arguments: Sequence[str] | None = None) -> int:
    """Offer a simulation until a signal ends it; return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    cut = given.index("--ros-args") if "--ros-args" in given else len(given)
    options = _parser().parse_args(given[:cut])
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    try:
        with SpinningNode("simulation", given[cut:]) as spinning:
            print(_offer(spinning, options), flush=True)
            ended.wait()
    except ForetreeError as error:
        print(f"simulation: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _offer(spinning: SpinningNode, options: argparse.Namespace) -> str:
    """Begin to offer what the options say, and return a sentence about it."""
    if options.home:
        body = home_body(options.home, options.seed)
        bodies = BodyNode(spinning.node, 0.0 if options.lock_step else options.speed)
        on_its_thread(spinning.node, partial(bodies.load, body))
        return f"A body in the home {options.home} is there."
    host = host_scene(options.scene, options.fault, options.seed)
    simulation = SimulationNode(spinning.node, options.lock_step, options.speed)
    on_its_thread(spinning.node, partial(simulation.load, host))
    time = "in lock-step" if options.lock_step else f"at {options.speed:g} times real time"
    return f"The scene {options.scene} is there, {time}: {', '.join(host.worlds)}."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m foretree.robots.simulated", description=__doc__)
    world = parser.add_mutually_exclusive_group()
    world.add_argument("--scene", default="kitchen", help="the scene's name, or the path of its file")
    world.add_argument("--home", default="", help="a layout of grid homes, l_kitchen/3, in place of a scene")
    parser.add_argument(
        "--fault",
        action="append",
        help='line of a fault script in place of the scene\'s own: "after 1: move mango1 table2"; repeatable',
    )
    parser.add_argument("--seed", type=int, default=0, help="of what is left to chance")
    parser.add_argument("--speed", type=_positive, default=1.0, help="how many times as fast as real time")
    parser.add_argument(
        "--lock-step", action="store_true", help="let time move only when the agent asks for it"
    )
    return parser


def _positive(text: str) -> float:
    value = float(text)
    if not 0.0 < value <= 1000.0:
        raise argparse.ArgumentTypeError("from above 0 to 1000")
    return value
