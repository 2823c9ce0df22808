"""The robot says what its arm would run into, or that it does not get there: the plan is revised for that."""

from __future__ import annotations

from math import dist

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.runs.events import Tape
from foretree.skills.robot import End, Outcome, Target


class Ended:
    """An execution that was over before it began."""

    def __init__(self, execution_id, end):
        self.id = execution_id
        self._end = end

    def poll(self):
        return self._end

    def cancel(self):
        pass


class Cramped:
    """A simulated robot that cannot pick up a thing as long as another one is where it was.

    Without such an obstacle the thing is out of reach of one hand, or of both. Like every robot, this one
    knows things by where they are.
    """

    def __init__(self, robot, world, thing, obstacle, hand=None):
        self._robot = robot
        self._world = world
        self._thing, self._obstacle, self._hand = thing, obstacle, hand
        self._at = self._pose(obstacle) if obstacle else None
        self.refused = 0

    def __getattr__(self, name):
        return getattr(self._robot, name)

    def _pose(self, name):
        return self._world.house.pose_of(self._world.house.named(name))

    def start(self, order, execution_id):
        item = order.targets.get("item")
        end = self._end(order) if order.skill == "pick" and item is not None and item.pose else None
        if end is None:
            return self._robot.start(order, execution_id)
        self.refused += 1
        return Ended(execution_id, end)

    def _end(self, order):
        if dist(order.targets["item"].pose, self._pose(self._thing)) > 0.05:
            return None
        if self._obstacle is None:
            out = self._hand in (None, order.hand)
            return (
                End(Outcome.FAILED, "it is out of reach", out_of_reach=True, without_effect=True)
                if out
                else None
            )
        if dist(self._pose(self._obstacle), self._at) > 0.05:
            return None
        met = Target({"mug": 1.0}, tuple(x + 0.03 for x in self._at))
        return End(Outcome.FAILED, "something is in the way", obstacle=met, without_effect=True)


def carried_out(wish, *cramped, faults=()):
    tape = Tape()
    session, world = open_household("kitchen", wish, Options(faults=faults), recorder=tape)
    executive = session.context.team.first.executive
    executive.robot = robot = Cramped(executive.robot, world, *cramped)
    result = session.run()
    intents = [event.data["action"] for event in tape.of("action.intent")]
    picks = [tuple(one["arguments"][1:3]) for one in intents if one["skill"] == "pick"]
    return result, world.holds(session.mission.goal), robot.refused, picks, tape


def learned(tape):
    return [e.data["text"] for e in tape.of("log") if e.data["text"].startswith("From now on")]


def test_what_is_in_the_way_is_moved_first():
    result, holds, refused, picks, tape = carried_out(Wish(goal="(on apple1 table2)"), "apple1", "mug1")
    assert result.reached, result.reason
    assert holds
    assert refused == 1  # it is not tried in vain again
    assert [item for _, item in picks] == ["apple1", "mug1", "apple1"]
    assert learned(tape) == [
        "From now on, (not (on mug1 table1)) comes before (exists (?hand) (holding robot1 ?hand apple1))."
    ]
    assert result.counts["revised"] == 1


def test_another_instance_is_taken_where_the_goal_allows_it():
    wish = Wish(goal="(exists (?m - mug) (on ?m table2))")
    result, holds, refused, picks, _ = carried_out(wish, "mug1", None, None)
    assert result.reached, result.reason
    assert holds
    assert refused == 1
    assert [item for _, item in picks] == ["mug1", "mug2"]
    assert result.counts["revised"] == 1


def test_another_hand_is_used_for_what_is_out_of_reach():
    wish = Wish(goal="(on apple1 table2)")
    result, holds, refused, picks, tape = carried_out(wish, "apple1", None, "left_hand")
    assert result.reached, result.reason
    assert holds
    assert refused == 1
    assert picks == [("left_hand", "apple1"), ("right_hand", "apple1")]
    assert learned(tape) == ["From now on, no pick with robot1 and left_hand and apple1 and table1."]


def test_what_no_hand_reaches_is_given_up_with_the_reason():
    wish = Wish(goal="(on apple1 table2)")
    result, holds, refused, picks, _ = carried_out(wish, "apple1", None, None)
    assert not result.reached
    assert not holds
    assert "apple1" in result.reason
    # Each hand is tried, and once more after everything that was learned is doubted; not for ever.
    assert {hand for hand, _ in picks} == {"left_hand", "right_hand"}
    assert refused <= 12


def test_once_it_has_been_moved_by_others_nothing_is_in_the_way():
    wish = Wish(goal="(on apple1 table2)")
    fault = "after 3: move mug1 table2"
    result, holds, refused, picks, tape = carried_out(wish, "apple1", "mug1", faults=(fault,))
    assert result.reached, result.reason
    assert holds
    assert refused == 1
    assert ("right_hand", "mug1") not in picks[2:]
