"""Send thousands of goals over a real ROS to servers in every mood, and account for each.

Goals are rejected, aborted, accepted late, cancelled, and their servers are killed and started anew. The
server's own lines say what really was begun and how it ended. Counted as mistakes: a goal without an end, one
that was begun twice, one begun while another held the same hand, an end that the server contradicts.

Source a ROS 2 before, then: ``PYTHONPATH=.:tests/ros:$PYTHONPATH python benchmarks/goals_over_ros.py 10000``.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter

from moody_gripper import (
    ABORT,
    ACCEPT_LATE,
    DIE,
    DIE_UNANSWERED,
    DO,
    REFUSE_CANCEL,
    REJECT,
)
from server_process import ServerProcess

from foretree.clock import WallClock
from foretree.robots.ros.exchange import RosExchange
from foretree.robots.ros.link import Interface
from foretree.robots.ros.node import SpinningNode
from foretree.robots.ros.rclpy_link import RclpyLink
from foretree.robots.ros.robot import RosRobot
from foretree.robots.ros.robot_file import RobotFile
from foretree.robots.ros.steps import goal_id
from foretree.skills.executive.executive import Executive
from foretree.skills.robot import Order, Outcome

FILE = {
    "robot": "rob",
    "hands": ["left"],
    "skills": {
        "close": {
            "action": "$hand/gripper",
            "type": "control_msgs/action/GripperCommand",
            "send": {"command": {"position": "$parameters.mood", "max_effort": "$parameters.seconds"}},
            "accept_within": 0.1,
            "done_if": [{"reached_goal": True}],
        }
    },
}
GRIPPER = Interface("left/gripper", "control_msgs/action/GripperCommand")
#: How often each mood comes, in a thousand.
MOODS = {DO: 700, REJECT: 90, ABORT: 90, ACCEPT_LATE: 60, REFUSE_CANCEL: 50, DIE: 6, DIE_UNANSWERED: 4}
#: Which end each mood may have, if nothing was cancelled.
MAY_END = {
    DO: {Outcome.DONE},
    REJECT: {Outcome.FAILED},
    ABORT: {Outcome.FAILED},
    ACCEPT_LATE: {Outcome.DONE},
    REFUSE_CANCEL: {Outcome.DONE},
    DIE: {Outcome.LOST},
    DIE_UNANSWERED: {Outcome.LOST},
}
#: Seconds in which a goal must have an end: all limits together are far less.
DEADLOCK = 60.0
#: The end of each line that a server writes about a goal that has ended.
ENDS = {"succeeded": Outcome.DONE, "aborted": Outcome.FAILED, "canceled": Outcome.CANCELLED}


def main(count: int, seed: int) -> int:
    chance = random.Random(seed)
    server = ServerProcess("left/gripper")
    ends: dict[str, tuple[float, bool, Outcome, str]] = {}
    stuck: list[str] = []
    starts, cancels = [], []
    begun = time.monotonic()
    with SpinningNode("agent") as spinning:
        clock = WallClock()
        link = RclpyLink(spinning.node)
        robot = RosRobot(RobotFile.model_validate(FILE), RosExchange(link, clock))
        executive = Executive(robot, clock, grace=3.0, repeat=0.2, patience=1e9)
        wait_for_server(link, frozenset())
        for number in range(count):
            if server.process.poll() is not None:
                before = link.servers(GRIPPER)
                server.restart()
                wait_for_server(link, before)
                executive.confirm_lost("the benchmark")
            mood = chance.choices(list(MOODS), list(MOODS.values()))[0]
            seconds = chance.choice([0.15, 0.3]) if mood == ACCEPT_LATE else chance.uniform(0.0, 0.02)
            cancelled = mood in (DO, REFUSE_CANCEL, ACCEPT_LATE) and chance.random() < 0.2
            order = Order("close", hand="left", parameters={"mood": mood, "seconds": seconds})
            sent = time.monotonic()
            name = f"run/{number}"
            lease = executive.start(name, lambda o=order, n=name: robot.start(o, n), ["left"], 30.0)
            if cancelled:
                time.sleep(chance.uniform(0.0, 0.01))
                lease.cancel()
                asked = time.monotonic()
            while (end := lease.poll()) is None and time.monotonic() < sent + DEADLOCK:
                time.sleep(0.001)
            if end is None:
                stuck.append(name)
                break
            if cancelled and end.outcome is Outcome.CANCELLED:
                cancels.append(time.monotonic() - asked)
            ends[name] = mood, cancelled, end.outcome, end.reason
            if end.outcome is Outcome.LOST and server.process.poll() is None:
                known = str(goal_id(name, "left/gripper"))
                wait_until_over(server, known)
                executive.confirm_lost("the benchmark")
            starts.append((name, sent))
            if number % 500 == 499:
                print(f"{number + 1} goals, {time.monotonic() - begun:.0f} s", flush=True)
    server.kill()
    return report(ends, stuck, server.lines, starts, cancels, time.monotonic() - begun)


def wait_for_server(link: RclpyLink, before: frozenset[str]) -> None:
    """Wait for a server that is none of those before: a killed one is listed for some time."""
    end = time.monotonic() + 60
    while not link.servers(GRIPPER) - before:
        assert time.monotonic() < end, "the server did not come back"
        time.sleep(0.01)


def wait_until_over(server: ServerProcess, goal: str) -> None:
    """Wait until the server is dead, or says that the goal has ended, or it plainly has not begun with it."""
    end = time.monotonic() + 5
    while server.process.poll() is None and time.monotonic() < end:
        if any(line[0] in ENDS and line[1] == goal for line in list(server.lines)):
            return
        time.sleep(0.01)


def overlaps(lines) -> int:
    """How often a goal was begun while the same server was busy with another one."""
    count, busy = 0, False
    for what, *_ in lines:
        count += what == "begin" and busy
        busy = what == "begin"  # "ready": a server that was started anew is busy with nothing
    return count


def share(seconds: list[float], part: float) -> float:
    """The milliseconds below which *part* of them are."""
    return sorted(seconds)[int(len(seconds) * part)] * 1e3 if seconds else float("nan")


def report(ends, stuck, lines, starts, cancels, seconds) -> int:
    names = {str(goal_id(name, "left/gripper")): name for name in ends}
    begun = Counter(names.get(line[1], line[1]) for line in lines if line[0] == "begin")
    began_at = {names.get(line[1]): float(line[2]) for line in lines if line[0] == "begin"}
    said = {names[line[1]]: ENDS[line[0]] for line in lines if line[0] in ENDS and line[1] in names}
    twice = [name for name, times in begun.items() if times > 1]
    wrong = []
    for name, (mood, cancelled, outcome, reason) in ends.items():
        may = MAY_END[mood] | ({Outcome.CANCELLED} if cancelled and mood != REFUSE_CANCEL else set())
        contradicted = name in said and outcome is not said[name]
        if outcome not in may or contradicted:
            says = f"{outcome.value} ({reason}), server {said.get(name)}"
            wrong.append(f"{name}: mood {mood:g}, cancelled {cancelled}: {says}")
    print(f"{len(ends)} goals in {seconds:.0f} s:", dict(Counter(end[2].value for end in ends.values())))
    delays = [began_at[name] - sent for name, sent in starts if name in began_at and ends[name][0] == DO]
    print(f"order to begin: p50 {share(delays, 0.5):.1f} ms, p95 {share(delays, 0.95):.1f} ms")
    print(f"cancel to confirmed end: p95 {share(cancels, 0.95):.1f} ms of {len(cancels)}")
    at_once = overlaps(lines)
    print(f"without an end: {len(stuck)}, begun twice: {len(twice)}, begun at once: {at_once}")
    print(f"wrong end: {len(wrong)}")
    print(*wrong[:20], sep="\n")
    return 1 if stuck or twice or at_once or wrong else 0


if __name__ == "__main__":
    count, seed = [*map(int, sys.argv[1:]), *(1000, 1)[len(sys.argv) - 1 :]]
    sys.exit(main(count, seed))
