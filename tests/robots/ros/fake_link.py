"""A link to action servers and services that a test plays."""

from __future__ import annotations

from foretree.robots.ros.link import (
    Answered,
    CancelAnswer,
    CancelAnswered,
    GoalStatus,
    Heard,
    Interface,
    Responded,
    Resulted,
)


class PlayedLink:
    """Notes what is sent; the test says what arrives."""

    def __init__(self, *there: str) -> None:
        self.there = {name: {f"{name} 1"} for name in there}
        self.goals: list[tuple[str, object, dict]] = []
        self.asked: list[object] = []
        self.cancelled: list[object] = []
        self.all_cancelled: list[str] = []
        self.calls: list[tuple[str, object, dict]] = []
        self.published: list[tuple[str, dict]] = []
        self.listened: list[Interface] = []
        self._arrived: list = []

    # -- what every link offers --------------------------------------------------------------------------
    def check(self, interface, fields, answer=False):
        return ""

    def servers(self, interface):
        return frozenset(self.there.get(interface.name, ()))

    def send_goal(self, action, goal_id, goal):
        self.goals.append((action.name, goal_id, goal))

    def ask_result(self, action, goal_id):
        self.asked.append(goal_id)

    def cancel_goal(self, action, goal_id):
        self.cancelled.append(goal_id)

    def cancel_all(self, action):
        self.all_cancelled.append(action.name)

    def call(self, service, call_id, request):
        self.calls.append((service.name, call_id, request))

    def publish(self, topic, message):
        self.published.append((topic.name, message))

    def listen(self, topic):
        self.listened.append(topic)

    def arrivals(self):
        arrived, self._arrived = self._arrived, []
        return arrived

    # -- what the test plays -----------------------------------------------------------------------------
    @property
    def last_goal(self):
        return self.goals[-1][1]

    def accept(self, goal_id=None, accepted=True):
        self._arrived.append(Answered(goal_id or self.last_goal, accepted))

    def result(self, status, goal_id=None, **fields):
        self._arrived.append(Resulted(goal_id or self.last_goal, GoalStatus[status], fields))

    def answer_cancel(self, answer, goal_id=None):
        self._arrived.append(CancelAnswered(goal_id or self.last_goal, CancelAnswer[answer]))

    def respond(self, error="", **fields):
        self._arrived.append(Responded(self.calls[-1][1], fields, error))

    def say(self, topic, **message):
        interface = next(each for each in self.listened if each.name == topic)
        self._arrived.append(Heard(interface, message))

    def restart(self, name):
        """Put another server in the place of the one of that name."""
        self.there[name] = {f"{one}'" for one in self.there[name]}
