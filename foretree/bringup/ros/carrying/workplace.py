"""The workplace: a robot and what is believed of its surroundings, in which one session follows the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from py_trees.behaviour import Behaviour
from py_trees.trees import BehaviourTree

from foretree.agent.context import AgentContext
from foretree.agent.mission import MOST_PAST, Mission
from foretree.behaviours.interruptions.manual_control import ManualControl, ManualSwitch
from foretree.behaviours.interruptions.safety_hold import SafetyHold
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
    from foretree.runs.store import Run
    from foretree.skills.robot import Robot

#: Makes what ticks a root.
MakeTree = Callable[[Behaviour], BehaviourTree]


class RobotLink:
    """A robot, and the connection to it. This one has no streams, no bags, and nothing that watches over it.

    Args:
        robot: the robot.
        clock: the clock of its sessions.
    """

    def __init__(self, robot: Robot, clock: Clock) -> None:
        self.robot = robot
        self.clock = clock

    def know(self, context: AgentContext) -> None:
        """Take note of the map and of what is believed. Called once, before the first session."""

    def hold_reason(self) -> str:
        """Return why the robot is held, for example by its supervisor; empty if it is not."""
        return ""

    def silent(self) -> list[str]:
        """Return what is the matter with streams of its senses, a sentence each. Called from any thread."""
        return []

    def beat(self) -> None:
        """Tell what watches over the robot that the agent ticks."""

    def begin(self, run: Run) -> None:
        """Take note that a run is recorded from now on."""

    def finish(self, run: Run) -> None:
        """Take note that the record of a run is complete."""

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
        link: the connection to a real robot; None in a simulated world.
    """

    def __init__(
        self,
        context: AgentContext,
        assembly: Assembly,
        relay: RecorderRelay,
        scene: str,
        floor: Mapping[str, Any],
        strike: Callable[[str], None] | None = None,
        link: RobotLink | None = None,
    ) -> None:
        self.context = context
        self.scene = scene
        self._link = link
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
            if self._link is not None:
                root = SafetyHold(root, context, mission, self._link.hold_reason)
            return make_tree(ManualControl(root, context, mission, switch))

        header = {"floor": self._floor, "attended": attended}
        if self._link is not None:
            header["own_robot"] = True
        session = self._assembly.session(
            context, mission, self.scene, self._reasoner, wish, header, with_manual_control
        )
        session.strike = self._strike
        self._before = mission
        return session

    def hold_reason(self) -> str:
        """Return why the robot is held; empty if it is not."""
        return self._link.hold_reason() if self._link is not None else ""

    def silent(self) -> list[str]:
        """Return what is the matter with streams of the robot's senses, a sentence each."""
        return self._link.silent() if self._link is not None else []

    def beat(self) -> None:
        """Tell what watches over the robot that the agent ticks."""
        if self._link is not None:
            self._link.beat()

    def begin(self, run: Run) -> None:
        """Take note that a run is recorded from now on."""
        if self._link is not None:
            self._link.begin(run)

    def finish(self, run: Run) -> None:
        """Take note that the record of a run is complete."""
        if self._link is not None:
            self._link.finish(run)

    def close(self) -> None:
        """End the connection to the robot."""
        if self._link is not None:
            self._link.close()

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


def open_with_robot(link: RobotLink, scene: str, options: Options) -> Workplace:
    """Return a workplace with a robot of your own, in surroundings that a scene file describes.

    Raises:
        ForetreeError: a file or a setting makes no sense.
    """
    relay = RecorderRelay()
    assembly = Assembly(options, relay, link.clock)
    context = robot_context(link.robot, scene, options, recorder=relay, clock=link.clock)
    link.know(context)
    return Workplace(context, assembly, relay, lasting_name(scene), {}, link=link)
