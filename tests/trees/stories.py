"""Runs in the empty kitchen in which somebody interferes behind the robot's back."""

from __future__ import annotations

from itertools import takewhile

from empty_kitchen import COUNTER, EMPTY, FAR_COUNTER, FRIDGE, TABLE, carry, lay

from foretree.bringup.homes import open_home
from foretree.bringup.options import Options, Wish
from foretree.revision.expectation import GUARD_NAMES
from foretree.runs.events import Tape

#: Where the robot begins, and where it looks: in the corner that is farthest from both.
CORNER = (17, 18), 270
#: Likewise; from here both counters are seen at once.
OVERVIEW = (15, 6), 90
#: Likewise; on the way from here to the far counter the table comes into view.
ASIDE = (13, 19), 0
#: Likewise; from here the table and the fridge are seen at once.
BEFORE_TABLE = (13, 15), 180

ALL = ",".join(GUARD_NAMES)
PLATE_ON_SHELF = "(exists (?item - plate ?place - shelf) (on ?item ?place))"
PLATE_IN_FRIDGE = "(exists (?item - plate ?place - fridge) (in ?item ?place))"


def but(*guards):
    return ",".join(name for name in GUARD_NAMES if name not in guards)


class Story:
    """A run in the empty kitchen in which somebody interferes.

    Args:
        goal: what the robot is to reach.
        laid: the things that lie there at first: of which class, and where.
        surprise: what somebody does, as soon as the robot walks to the first place of a plan that moves things.
        start: where the robot begins, and where it looks.
        guards: the guards that are compiled in.
        arrange: what else is to be so at first.
        settings: further settings of the agent.

    Attributes:
        home: the truth.
        things: what was laid.
        tape: what happened.
        outcome: how the run ended.
        acted_for: how long it took until the last action ended, in seconds.
    """

    def __init__(self, goal, laid, surprise, start=CORNER, guards=ALL, arrange=lambda home: None, **settings):
        self.tape = Tape()
        options = Options("homes", {"guards": guards, **settings})
        session, self.world = open_home(EMPTY, Wish(goal=goal), options, recorder=self.tape)
        self.home = self.world.body.rules.home
        self.home.posture.cell, self.home.posture.heading = start
        self.things = [lay(self.home, *what) for what in laid]
        arrange(self.home)
        while session.result is None and not self._sets_out():
            session.step()
        self.struck = len(self.tape.events)
        surprise(self.home, *self.things)
        session.run()
        self.outcome = session.result.outcome
        self.acted_for = self.tape.of("action.ended")[-1].time

    def _sets_out(self):
        plans = self.tape.of("plan.made")
        actions = plans[-1].data["actions"] if plans else []
        begun = {event.data["action"] for event in self.tape.of("action.started")}
        return any(one["skill"].startswith("pick") for one in actions) and actions[0]["id"] in begun

    def told(self):
        """What the robot was told to do since somebody interfered, walks aside: skill, things and place."""
        actions = {one["id"]: one for event in self.tape.of("plan.made") for one in event.data["actions"]}
        begun = [actions[event.data["action"]] for event in self._since("action.started")]
        return [
            " ".join([one["skill"], *one["arguments"][2:-1]])
            for one in begun
            if not one["skill"].startswith("move")
        ]

    def first_walk(self):
        """The action during which somebody interfered, and the events in which it began and ended."""
        began = [event for event in self.tape.events[: self.struck] if event.kind == "action.started"][-1]
        walk = began.data["action"]
        ended = next(event for event in self._since("action.ended") if event.data["action"] == walk)
        actions = {one["id"]: one for event in self.tape.of("plan.made") for one in event.data["actions"]}
        return actions[walk], began, ended

    def failed(self):
        """How actions have failed, or what the robot was refused."""
        ended = [event.data for event in self.tape.of("action.ended")]
        return [data["reason"] for data in ended if data["outcome"] == "failed"] + list(self.world.illegal)

    def found(self):
        """The guard and what it has found, for each discrepancy."""
        return [
            (event.data["guard"], event.data["sentence"].split(", but ")[-1])
            for event in self.tape.of("discrepancy.found")
        ]

    def before(self, kind, skill):
        """How often something happened before the robot was told to do something, by the beginning of its name."""
        actions = {
            one["id"]: one["skill"] for event in self.tape.of("plan.made") for one in event.data["actions"]
        }
        events = takewhile(
            lambda e: not (e.kind == "action.started" and actions[e.data["action"]].startswith(skill)),
            self.tape.events,
        )
        return sum(event.kind == kind for event in events)

    def skipped(self):
        """The guards for which actions were left out."""
        return [guard for event in self.tape.of("action.skipped") for guard in event.data["guards"]]

    def moved(self):
        """Which of the things that were laid the robot has picked up, by their number."""
        ids = [thing.id for thing in self.things]
        return [
            ids.index(one.thing) if one.thing in ids else None for one in self.world.body.rules.log.pickups
        ]

    def _since(self, kind):
        return [event for event in self.tape.events[self.struck :] if event.kind == kind]


def moved_to(place, relation="on", **settings):
    """The plate is carried elsewhere while the robot is on its way to it."""
    return Story(
        PLATE_ON_SHELF,
        [("plate", COUNTER)],
        lambda home, plate: carry(home, plate, place, relation),
        **settings,
    )


def moved_and_shut(**settings):
    """The plate is carried elsewhere, and the fridge is shut, which stood open for it."""

    def surprise(home, plate):
        carry(home, plate, TABLE)
        home.set_state(home[FRIDGE], "open", False)

    return Story(
        PLATE_IN_FRIDGE,
        [("plate", FAR_COUNTER)],
        surprise,
        BEFORE_TABLE,
        arrange=lambda home: home.set_state(home[FRIDGE], "open"),
        **settings,
    )


def seen_on_the_way(guards=ALL):
    """The robot sets out for the far counter; the table, where the plate is by now, comes into view on the way."""
    return Story(
        PLATE_ON_SHELF,
        [("plate", FAR_COUNTER)],
        lambda home, plate: carry(home, plate, TABLE),
        ASIDE,
        guards,
    )
