"""Reaction of the safety supervisor over a real ROS 2: to a message, and to silence, with all cores busy.

Starts a supervisor and one busy process per core. Then, again and again: a joint speed beyond its limit is
published, and the time is taken until the supervisor's stop arrives back here, through DDS both ways; the
supervisor is reset. Afterwards messages cease, and the time from the last one to the stop is taken.

    . /opt/ros/jazzy/setup.bash
    python benchmarks/supervisor_reaction.py --messages 10000 --priority 50
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Empty
from std_srvs.srv import Trigger

from foretree.robots.supervisor.direct_wait import DirectWait

FILE = """
supervisor: measured
rate: {rate}
inputs:
  joints: {{topic: joint_states, type: sensor_msgs/msg/JointState, period: {period}}}
  agent: {{topic: heartbeat, type: std_msgs/msg/Empty, silent_after: 5}}
rules:
  joint_speeds: [{{input: joints, limit: 1.0}}]
  watchdog: [agent]
stop:
  topics: [{{topic: cmd_vel}}]
"""
LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class Tester:
    def __init__(self, period: float) -> None:
        rclpy.init()
        self.node = rclpy.create_node("tester", start_parameter_services=False)
        self.period = period
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.node)
        self.joints = self.node.create_publisher(JointState, "joint_states", 1)
        self.beats = self.node.create_publisher(Empty, "heartbeat", 1)
        self.resets = self.node.create_client(Trigger, "supervisor/reset")
        self.node.create_subscription(Bool, "supervisor/stop", self.hear, LATCHED)
        self.direct = DirectWait(self.node)
        self.good = JointState(name=[f"joint{n}" for n in range(7)], velocity=[0.1] * 7)
        self.bad = JointState(name=self.good.name, velocity=[0.1] * 6 + [2.0])
        self.stopped: float | None = None
        self.free = False
        self.last = self.beat = 0.0

    def hear(self, message: Bool) -> None:
        if message.data and self.stopped is None:
            self.stopped = time.monotonic()
        self.free = not message.data

    def is_free(self, answer) -> bool:
        return answer.done() and self.free

    def say(self, message: JointState) -> float:
        self.last = time.monotonic()
        self.joints.publish(message)
        if self.last - self.beat > 0.5:
            self.beat = self.last
            self.beats.publish(Empty())
        return self.last

    def wait(self, condition, seconds: float, alive: bool = True) -> bool:
        until = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > until:
                return False
            if alive and time.monotonic() - self.last > self.period / 4:
                self.say(self.good)
            if self.direct.wait(self.period / 8):
                self.executor.spin_once(timeout_sec=0.0)
        return True

    def release(self) -> None:
        for _ in range(50):
            self.say(self.good)
            self.wait(lambda: False, 0.002)
            answer = self.resets.call_async(Trigger.Request())
            if self.wait(partial(self.is_free, answer), 5) and answer.result().success:
                self.stopped = None
                return
        raise SystemExit("the supervisor cannot be reset")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--silences", type=int, default=200)
    parser.add_argument("--period", type=float, default=0.1, help="seconds between messages of the input")
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument(
        "--priority", type=int, default=0, help="real-time priority of the supervisor; 1 less here"
    )
    parser.add_argument("--nice", type=int, default=0, help="niceness of both processes")
    parser.add_argument("--burners", type=int, default=os.cpu_count())
    given = parser.parse_args()
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(given.burners)]
    if given.nice:
        os.nice(given.nice)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        Path(file.name).write_text(FILE.format(period=given.period, rate=given.rate))
        supervisor = subprocess.Popen(
            [sys.executable, "-m", "foretree.robots.supervisor", "--file", file.name,
             "--priority", str(given.priority)],
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            measure(given)
        finally:
            supervisor.terminate()
            supervisor.wait(30)
            for burner in burners:
                burner.kill()


def measure(given: argparse.Namespace) -> None:
    if given.priority:  # below the supervisor, so that it is not in its way
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(max(1, given.priority - 1)))
    tester = Tester(given.period)
    if not tester.wait(lambda: tester.resets.service_is_ready(), 60):
        raise SystemExit("the supervisor does not start")
    tester.wait(lambda: False, 2)
    gc.collect()
    gc.freeze()
    rng = random.Random(1)
    times = []
    for _ in range(given.messages):
        tester.release()
        tester.wait(lambda: False, rng.uniform(0, 0.003))
        began = tester.say(tester.bad)
        if not tester.wait(lambda: tester.stopped is not None, 5, alive=False):
            raise SystemExit("no stop came")
        times.append(tester.stopped - began)
        gc.collect(0)
    report("message to stop", times)
    silences = []
    for _ in range(given.silences):
        tester.release()
        last = tester.say(tester.good)
        if not tester.wait(lambda: tester.stopped is not None, 5, alive=False):
            raise SystemExit("no stop came")
        silences.append(tester.stopped - last)
    report(f"last message to stop (period {given.period:g} s)", silences)


def report(what: str, times: list[float]) -> None:
    if not times:
        return
    ordered = sorted(1000 * each for each in times)
    at = {p: ordered[min(len(ordered) - 1, int(p / 100 * len(ordered)))] for p in (50, 95, 99, 99.9)}
    late = sum(each > 20 for each in ordered)
    shown = ", ".join(f"p{p} {each:.2f}" for p, each in at.items())
    print(
        f"{what}: {len(ordered)} times: {shown}, longest {ordered[-1]:.2f} ms; {late} over 20 ms", flush=True
    )


if __name__ == "__main__":
    main()
