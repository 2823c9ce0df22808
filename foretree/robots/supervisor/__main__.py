"""``python -m foretree.robots.supervisor --file FILE``: run a safety supervisor as a ROS node."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from foretree.errors import ForetreeError
from foretree.robots.supervisor.ros_node import DISCOVERY, PRIORITY, run
from foretree.robots.supervisor.safety_file import load_safety_file


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m foretree.robots.supervisor",
        description="Stop the robot when a rule is broken. What comes after --ros-args is for ROS.",
    )
    parser.add_argument(
        "--file", required=True, help="the safety file, or the name of one in configs/supervisors/"
    )
    parser.add_argument(
        "--check", action="store_true", help="read the file, say whether it is valid, and end"
    )
    parser.add_argument(
        "--priority", type=int, default=PRIORITY, choices=range(100), metavar="0-99",
        help=f"real-time priority (SCHED_FIFO), {PRIORITY} if left out; 0 for none",
    )  # fmt: skip
    parser.add_argument(
        "--discovery", type=float, default=DISCOVERY,
        help="seconds for which topics are waited for before their types are compared",
    )  # fmt: skip
    words = list(sys.argv[1:] if arguments is None else arguments)
    own = words.index("--ros-args") if "--ros-args" in words else len(words)
    given = parser.parse_args(words[:own])
    try:
        file = load_safety_file(given.file)
        if given.check:
            print(f"{given.file} is valid.")
            return 0
        run(file, words[own:], given.priority, given.discovery)
    except ForetreeError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
