"""A client of agents, as a program: commands come in as lines, and what happens goes out as lines of JSON.

goal ID NODE {"instruction": "..."}     cancel ID     call NODE/SERVICE TYPE {...}     lifecycle NODE TRANSITION
streams NODE                            diagnostics   clock SPEED
"""

import json
import sys
import threading
import time

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from foretree_interfaces.action import Carry
from lifecycle_msgs.srv import ChangeState
from rclpy.action import ActionClient
from rosgraph_msgs.msg import Clock
from rosidl_runtime_py import message_to_ordereddict, set_message_fields
from rosidl_runtime_py.utilities import get_service


class Client:
    def __init__(self):
        rclpy.init()
        self.node = rclpy.create_node("client")
        self.handles = {}

    def say(self, **words):
        print(json.dumps(words), flush=True)

    def goal(self, name, agent, fields):
        client = ActionClient(self.node, Carry, f"{agent}/carry")
        assert client.wait_for_server(60.0)
        goal = Carry.Goal(**json.loads(fields))

        def progressed(message):
            self.say(goal=name, feedback=message_to_ordereddict(message.feedback))

        def answered(future):
            handle = self.handles[name] = future.result()
            self.say(goal=name, accepted=handle.accepted)
            if handle.accepted:
                handle.get_result_async().add_done_callback(ended)

        def ended(future):
            result = message_to_ordereddict(future.result().result)
            self.say(goal=name, status=future.result().status, result=result)

        client.send_goal_async(goal, feedback_callback=progressed).add_done_callback(answered)

    def cancel(self, name):
        done = self.handles[name].cancel_goal_async()
        done.add_done_callback(
            lambda future: self.say(goal=name, cancels=len(future.result().goals_canceling))
        )

    def call(self, service, kind, fields="{}"):
        client = self.node.create_client(get_service(kind), service)
        assert client.wait_for_service(60.0)
        request = client.srv_type.Request()
        set_message_fields(request, json.loads(fields))
        done = client.call_async(request)
        done.add_done_callback(
            lambda future: self.say(called=service, **message_to_ordereddict(future.result()))
        )

    def lifecycle(self, agent, transition):
        client = self.node.create_client(ChangeState, f"{agent}/change_state")
        assert client.wait_for_service(60.0)
        request = ChangeState.Request()
        request.transition.label = transition
        done = client.call_async(request)
        done.add_done_callback(
            lambda future: self.say(transition=transition, success=future.result().success)
        )

    def streams(self, agent):
        from py_trees_ros_interfaces.msg import BehaviourTree
        from py_trees_ros_interfaces.srv import OpenSnapshotStream

        client = self.node.create_client(OpenSnapshotStream, f"{agent}/snapshot_streams/open")
        assert client.wait_for_service(60.0)
        request = OpenSnapshotStream.Request()
        request.parameters.snapshot_period = float("inf")

        def shown(message):
            nodes = [
                (node.name, int(node.status), bytes(node.own_id.uuid).hex()) for node in message.behaviours
            ]
            children = sum(len(node.child_ids) for node in message.behaviours)
            self.say(tree=nodes, changed=message.changed, children=children)

        def opened(future):
            topic = future.result().topic_name
            latched = rclpy.qos.QoSProfile(depth=1, durability=rclpy.qos.DurabilityPolicy.TRANSIENT_LOCAL)
            self.node.create_subscription(BehaviourTree, topic, shown, latched)
            self.say(stream=topic)

        client.call_async(request).add_done_callback(opened)

    def diagnostics(self):
        def heard(message):
            for status in message.status:
                values = {each.key: each.value for each in status.values}
                self.say(report=status.name, level=status.level[0], message=status.message, values=values)

        self.node.create_subscription(DiagnosticArray, "/diagnostics", heard, 10)

    def clock(self, speed):
        publisher = self.node.create_publisher(Clock, "/clock", 10)
        begun, speed = time.monotonic(), float(speed)

        def publish():
            message = Clock()
            elapsed = 1000.0 + (time.monotonic() - begun) * speed
            message.clock.sec, message.clock.nanosec = int(elapsed), int(elapsed % 1 * 1e9)
            publisher.publish(message)

        self.node.create_timer(0.005, publish)


def main():
    client = Client()
    threading.Thread(target=rclpy.spin, args=[client.node], daemon=True).start()
    for line in sys.stdin:
        command, *words = line.strip().split(" ")
        takes = {"goal": 3, "call": 3}.get(command, len(words))
        words = [*words[: takes - 1], " ".join(words[takes - 1 :])] if len(words) >= takes > 0 else words
        getattr(client, command)(*words)


main()
