"""The workplace: a robot and what is believed of its surroundings, in which one session follows the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from py_trees.behaviour import Behaviour
from py_trees.trees import BehaviourTree

from foretree.agent.context import AgentContext
from foretree.agent.mission import MOST_PAST, Mission
from foretree.behaviours.manual_control import ManualControl, ManualSwitch
from foretree.bringup._assembly import Assembly, lasting_name
from foretree.bringup._recorders import RecorderRelay
from foretree.bringup.embedded import embedded_context, floor_of, robot_context
from foretree.bringup.options import Options, Wish
from foretree.clock import Clock
from foretree.reasoning.reasoner import Reasoner
from foretree.runs.events import Recorder, Silent
from foretree.trees.fast_tick import FastTree
from foretree.trees.session import Session

if TYPE_CHECKING:
    from foretree.skills.robot import Robot

#: Makes what ticks a root.
MakeTree = Callable[[Behaviour], BehaviourTree]


class RobotLink(Protocol):
    """A robot, and the connection to it."""

    @property
    def robot(self) -> Robot:
        """The robot."""
        ...

    def beat(self) -> None:
        """Tell what watches over the robot that the agent ticks."""

    def close(self) -> None:
        """End the connection."""


class Workplace:
    """Opens sessions with one robot. What is believed, and what was spoken of, goes on from one to the next.

    Args:
        context: the robot, and what is believed.
        assembly: puts sessions together.
        relay: takes down what the context records, and passes it on to the record of each session.
        scene: the name of the scene, for the record.
        floor: the scene's floor, for viewers of the record.
        strike: makes something happen in a simulated world; None where nothing can be.
        close: ends the connection to the robot.
        beat: tells what watches over the robot that the agent ticks.
    """

    def __init__(
        self,
        context: AgentContext,
        assembly: Assembly,
        relay: RecorderRelay,
        scene: str,
        floor: Mapping[str, Any],
        strike: Callable[[str], None] | None = None,
        close: Callable[[], None] = lambda: None,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        self.context = context
        self.scene = scene
        self.close = close
        self.beat = beat
        self._assembly = assembly
        self._relay = relay
        self._floor = floor
        self._strike = strike
        self._reasoner: Reasoner = assembly.reasoner()
        self._before: Mission | None = None

    def session(
        self, wish: Wish, switch: ManualSwitch, *, attended: bool = True, make_tree: MakeTree = FastTree
    ) -> Session:
        """Return a session that is ready to run.

        Args:
            wish: what is asked for.
            switch: says whether a person has the robot.
            attended: whether a person is there to answer questions.
            make_tree: makes what ticks the agent's tree.

        Raises:
            ForetreeError: the goal makes no sense.
        """
        context, before = self.context, self._before
        mission = self._assembly.mission(context, wish)
        if before is not None:
            mission.spoken_of, mission.voices = before.spoken_of, before.voices
            mission.past = (*before.past, context.belief.snapshot())[-MOST_PAST:]
        mission.conversation.attended = attended

        def with_manual_control(root: Behaviour) -> BehaviourTree:
            return make_tree(ManualControl(root, context, mission, switch))

        header = {"floor": self._floor, "attended": attended}
        session = self._assembly.session(
            context, mission, self.scene, self._reasoner, wish, header, with_manual_control
        )
        session.strike = self._strike
        self._before = mission
        return session

    def record_to(self, recorder: Recorder | None) -> None:
        """Have all that happens recorded there from now on; nowhere if that is None."""
        self._relay.to = recorder or Silent()


def open_embedded(scene: str, options: Options, clock: Clock) -> Workplace:
    """Return a workplace in an embedded household scene, with the robot of that scene.

    Raises:
        ForetreeError: a file, a setting or a fault makes no sense.
    """
    relay = RecorderRelay()
    assembly = Assembly(options, relay, clock)
    context, world = embedded_context(scene, options, recorder=relay, clock=clock)
    return Workplace(context, assembly, relay, lasting_name(scene), floor_of(world.scene), world.strike)


def open_with_robot(link: RobotLink, scene: str, options: Options, clock: Clock) -> Workplace:
    """Return a workplace with a robot of your own, in surroundings that a scene file describes.

    Raises:
        ForetreeError: a file or a setting makes no sense.
    """
    relay = RecorderRelay()
    assembly = Assembly(options, relay, clock)
    context = robot_context(link.robot, scene, options, recorder=relay, clock=clock)
    return Workplace(context, assembly, relay, lasting_name(scene), {}, None, link.close, link.beat)
