"""A node that spins in a thread of its own."""

import threading

from foretree.robots.ros.node import SpinningNode


def test_callbacks_come_on_its_own_thread_and_it_can_be_closed_twice():
    from std_msgs.msg import String

    heard, threads = threading.Event(), []

    def hear(message):
        threads.append((threading.get_ident(), message.data))
        heard.set()

    with SpinningNode("one") as one, SpinningNode("two", namespace="left") as two:
        assert two.node.get_fully_qualified_name() == "/left/two"
        one.node.create_subscription(String, "/words", hear, 10)
        publisher = two.node.create_publisher(String, "/words", 10)
        for _ in range(200):
            publisher.publish(String(data="hello"))
            if heard.wait(0.1):
                break
        assert threads[0][1] == "hello"
        assert threads[0][0] != threading.get_ident()
    one.close()
