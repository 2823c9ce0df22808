"""Robots with a body in a grid home, and what tests ask of the truth about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from foretree.clock import SimulatedClock
from foretree.config import find_config
from foretree.perception.eyes import open_eyes
from foretree.perception.frame import Frame
from foretree.perception.relations import AffordedBearing
from foretree.simulation.grid_homes._object_classes import Relation
from foretree.simulation.grid_homes.episode import open_episode
from foretree.simulation.grid_homes.home import Home, HomeObject, Placement
from foretree.simulation.grid_homes.layouts.geometry import Extent
from foretree.skills.embodied.body import STEP_TIME, Body, Control
from foretree.skills.embodied.body_robot import BodyRobot
from foretree.skills.robot import End, Execution, LookRequest, Order, Target
from foretree.world_model.observation import Observation
from foretree.world_model.ontology import Ontology
from foretree.world_model.ontology_file import load_ontology

#: Nothing takes a robot longer than this (seconds).
LONGEST = 120.0


@lru_cache
def ontology() -> Ontology:
    return load_ontology(find_config("domains", "home"))


class Nerves:
    """What is between a robot and its body: takes down what goes to and fro, and may spoil it.

    Attributes:
        controls: what the body was told.
        spoil: is asked before each control for the frame to answer with instead of carrying it out.
    """

    def __init__(self, body: Body) -> None:
        self.lens, self.reach = body.lens, body.reach
        self.controls: list[Control] = []
        self.spoil: Callable[[Control, Frame], Frame | None] = lambda control, last: None
        self._body = body
        self._last: Frame | None = None

    def step(self, control: Control) -> Frame:
        self.controls.append(control)
        spoilt = self.spoil(control, self._last) if self._last is not None else None
        self._last = self._body.step(control) if spoilt is None else spoilt
        return self._last

    def names(self) -> list[str]:
        """What the body was told, in a word each."""
        return [control.name for control in self.controls]


class AtHome:
    """A robot in a home, with the truth beside it.

    Attributes:
        body: its body.
        home: the truth.
        nerves: what is between the robot and its body.
        robot: the robot.
        clock: its time.
        seen: everything observed while it was told to do something.
    """

    def __init__(
        self,
        layout: str = "studio/0",
        seed: int = 1,
        things: int = 60,
        noise: float = 0.0,
        careful: bool = True,
        sides: bool = True,
    ) -> None:
        self.body = open_episode(layout, seed, things=things, noise=noise)
        self.home: Home = self.body.rules.home
        self.clock = SimulatedClock()
        self.nerves = Nerves(self.body)
        self.robot = robot_of(self.nerves, self.clock, careful, sides)
        self.seen: list[Observation] = []
        self._count = 0

    # -- telling the robot -------------------------------------------------------------------------
    def told(self, what: Order | LookRequest) -> End:
        """The end of something that the robot is told, however long it takes."""
        return self.end_of(self.tell(what))

    def tell(self, what: Order | LookRequest) -> Execution:
        """Tell the robot something."""
        self._count += 1
        name = f"e{self._count}"
        return self.robot.look(what, name) if isinstance(what, LookRequest) else self.robot.start(what, name)

    def end_of(self, execution: Execution) -> End:
        """How something ends, once it does."""
        limit = self.clock.now() + LONGEST
        while (end := execution.poll()) is None:
            assert self.clock.now() < limit, "it takes too long"
            self.pass_time(STEP_TIME / 2)
        self.seen += self.robot.observations()
        return end

    def pass_time(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.sleep_until(self.clock.now() + seconds)
        self.seen += self.robot.observations()

    # -- aiming ------------------------------------------------------------------------------------
    def target(self, thing: HomeObject) -> Target:
        """A thing as an agent would know it that knows the truth."""
        held = "hand" if self.home.held == thing.id else None
        extent = thing.extent if thing.is_furniture else None
        return Target({thing.class_name: 0.95}, middle(thing.extent), (), held, extent)

    def order(self, skill: str, **things: HomeObject) -> Order:
        """An order that is aimed at things."""
        return Order(skill, {role: self.target(thing) for role, thing in things.items()}, "hand")

    # -- setting the scene -------------------------------------------------------------------------
    def the(self, class_name: str) -> HomeObject:
        """The first thing of a class."""
        return self.home.of_class(class_name)[0]

    def lay(
        self, class_name: str, on: HomeObject, states: Iterable[str] = (), relation: Relation = "on"
    ) -> HomeObject:
        """Put a new thing somewhere."""
        body = self.home.classes.items[class_name]
        spot = self.home.spot(body.size, on, relation, middle(on.extent))
        assert spot is not None
        rests = Placement(relation, on.id)
        return self.home.add(class_name, set(states), body.colour, rests, spot)

    def hand_over(self, class_name: str, states: Iterable[str] = ()) -> HomeObject:
        """Put a new thing into the robot's hand, and let it see that."""
        thing = self.lay(class_name, self.the("table"), states)
        self.home.grasp(thing)
        stance = self.robot.stance
        self.told(LookRequest(at=(Target({}, (stance.x, stance.y, stance.eye)),)))
        return thing


def robot_of(body: Body, clock: SimulatedClock, careful: bool = True, sides: bool = True) -> BodyRobot:
    """A robot that is a body."""
    return BodyRobot(
        body,
        open_eyes(body.lens, AffordedBearing(ontology()), frozen=True),
        clock,
        careful=careful,
        sides=sides,
    )


def middle(extent: Extent) -> tuple[float, float, float]:
    """The middle of a box."""
    x0, y0, z0, x1, y1, z1 = extent
    return (x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2
