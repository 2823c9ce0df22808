"""The agent as a lifecycle node: the action ``carry``, services to steer it, its tree, ``/diagnostics``.

rclpy is imported here, so this module takes a sourced ROS. What the callbacks do is plain Python elsewhere.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, cast

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from foretree_interfaces.action import Carry
from foretree_interfaces.srv import Answer, Revise, Step
from rcl_interfaces.msg import ParameterDescriptor
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.clock import Clock as RclpyClock
from rclpy.clock import ClockType, JumpThreshold
from rclpy.duration import Duration
from rclpy.lifecycle import LifecycleState, TransitionCallbackReturn
from rclpy.task import Future
from std_srvs.srv import Trigger

from foretree.bringup.options import Wish
from foretree.bringup.ros.carrying.carrier import Carrier
from foretree.bringup.ros.carrying.carry_desk import CarryDesk, Job, JobEnd
from foretree.bringup.ros.carrying.progress import CarryProgress
from foretree.bringup.ros.carrying.steering import Steering, SteeringReply
from foretree.bringup.ros.carrying.workplace import RobotLink, Workplace, open_embedded, open_with_robot
from foretree.bringup.ros.clock import RosClock
from foretree.bringup.ros.diagnostics import Diagnostics
from foretree.bringup.ros.frames import FramesFile, read_frames
from foretree.bringup.ros.links.driven_robot import DrivenConnection
from foretree.bringup.ros.links.ros_robot import Companion, RosRobotConnection, await_frames
from foretree.bringup.ros.links.simulated_robot import SimulatedConnection
from foretree.bringup.ros.parameters import DESCRIPTIONS, AgentParameters, defaults
from foretree.bringup.ros.tree import TreeNode, WatchedTree
from foretree.errors import ForetreeError
from foretree.garbage import HeapFreeze
from foretree.robots.drivers import driver_of

#: Seconds that what runs has to end in, beyond what the robot is given to confirm that it has stopped.
_ENDING = 10.0

_SUCCESS, _FAILURE = TransitionCallbackReturn.SUCCESS, TransitionCallbackReturn.FAILURE


class AgentNode(TreeNode):
    """The agent's node. Another thread spins it; the main thread carries goals out with :attr:`carrier`.

    Args:
        name: its name, before remapping.
        arguments: the ROS arguments of the process.
        options: as of a node.

    Attributes:
        ended: set once the node is to go.
        failure: why it could not be configured the last time.
        tree: the tree that it shows.
        lifecycle: the state that it is in, or was before the transition that goes on.
    """

    def __init__(self, name: str, arguments: Sequence[str] = (), **options: Any) -> None:
        super().__init__(name, **options)
        self._arguments = tuple(arguments)
        for parameter, default in defaults().items():
            about = ParameterDescriptor(description=DESCRIPTIONS[parameter])
            self.declare_parameter(parameter, default, about)
        self.ended = threading.Event()
        self.failure: ForetreeError | None = None
        self.lifecycle = "unconfigured"
        self.clock = self._make_clock()
        self.desk = CarryDesk()
        self.steering = Steering(self.clock.wake)
        self.tree = WatchedTree(self)
        self.carrier = Carrier(self.desk, self.steering, make_tree=self.tree.take)
        self._diagnostics = Diagnostics(self.carrier, self.desk, self.steering)
        self._goals: dict[bytes, _Goal] = {}
        self._grace = _ENDING
        self._warned_of_namesake = False
        self._offer()

    def _make_clock(self) -> RosClock:
        if not self.get_parameter("use_sim_time").value:
            return RosClock()
        source = self.get_clock()
        clock = RosClock(lambda: cast(int, source.now().nanoseconds), simulated_time=True)
        threshold = JumpThreshold(
            min_forward=Duration(nanoseconds=1), min_backward=Duration(nanoseconds=-1), on_clock_change=True
        )
        self._jumps = source.create_jump_callback(threshold, post_callback=lambda jump: clock.changed())
        return clock

    def _offer(self) -> None:
        """Offer the action, the services and the diagnostics."""
        self._server = ActionServer(
            self,
            Carry,
            "~/carry",
            execute_callback=self._execute,
            goal_callback=self._judge,
            handle_accepted_callback=self._accept,
            cancel_callback=self._cancel,
        )
        steering = self.steering
        triggers: Mapping[str, Callable[[], SteeringReply]] = {
            "pause": steering.pause,
            "resume": steering.resume,
            "take_over": steering.take_over,
            "give_back": steering.give_back,
        }
        for name, do in triggers.items():
            self._serve(Trigger, name, partial(_without_request, do))
        self._serve(Step, "step", lambda request: steering.step(request.ticks))
        self._serve(Answer, "answer", lambda request: steering.answer(request.answer, request.by))
        self._serve(Revise, "revise", lambda request: steering.revise(request.instruction, request.by))
        self._reports = self.create_publisher(DiagnosticArray, "/diagnostics", 10)
        steady = RclpyClock(clock_type=ClockType.STEADY_TIME)
        self.create_timer(1.0, self._report, clock=steady)

    def _serve(self, kind: Any, name: str, do: Callable[[Any], SteeringReply]) -> None:
        def respond(request: Any, response: Any) -> Any:
            response.success, response.message = do(request)
            return response

        self.create_service(kind, f"~/{name}", respond)

    # -- lifecycle ---------------------------------------------------------------------------------------
    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Read all files, connect the robot, and check the frames."""
        self.failure = None
        try:
            self._configure(AgentParameters.read(lambda name: self.get_parameter(name).value))
        except ForetreeError as error:
            self.failure = error
            self.get_logger().error(str(error))
            self._clean_up()
            return _FAILURE
        self.lifecycle = "inactive"
        return _SUCCESS

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Accept goals from now on."""
        HeapFreeze.settle()
        self.desk.open()
        self.lifecycle = "active"
        self.get_logger().info(f"accepts goals: {self._server_name}")
        return _SUCCESS

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Stop the robot, end what is carried out, and accept no more."""
        stopped = self._break_off("The agent was deactivated.")
        self.lifecycle = "inactive" if stopped is _SUCCESS else self.lifecycle
        return stopped

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """End the connection to the robot; what was believed is forgotten."""
        self._clean_up()
        self.lifecycle = "unconfigured"
        return _SUCCESS

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Stop the robot, end what is carried out, and the connection; then the node goes."""
        stopped = self._break_off("The agent was shut down.")
        self._clean_up()
        self.lifecycle = "finalized"
        self.ended.set()
        return stopped

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Stop the robot and begin anew."""
        self._break_off("The agent has failed.")
        self._clean_up()
        self.lifecycle = "unconfigured"
        return _SUCCESS

    def end(self, reason: str) -> None:
        """Have everything end, in this order: robot, session, record, node. From any thread."""
        self.desk.close(reason)
        self.clock.close()
        self.ended.set()

    def _configure(self, parameters: AgentParameters) -> None:
        self.desk.set_second_goal(parameters.second_goal)
        options = parameters.options()
        frames = read_frames(parameters.frames) if parameters.frames else FramesFile()
        self.carrier.recorded, self.carrier.attended = parameters.record, parameters.attended
        self.steering.confirms = parameters.confirm
        if parameters.robot == "embedded":
            self._opened(open_embedded(parameters.scene, options, self.clock))
            if parameters.frames:
                companion = Companion(self, self._arguments, "frames")
                try:
                    await_frames(companion.node, frames, parameters.frames_within)
                finally:
                    companion.close()
            return
        companion = Companion(self, self._arguments, "robot")
        try:
            if parameters.frames:
                await_frames(companion.node, frames, parameters.frames_within)
            link = self._link(companion, parameters)
        except BaseException:
            companion.close()
            raise
        try:
            self._opened(open_with_robot(link, parameters.scene, options))
        except BaseException:
            link.close()  # an arm that is connected to must not stay so
            raise

    def _link(self, companion: Companion, parameters: AgentParameters) -> RobotLink:
        if parameters.robot == "simulated":
            return SimulatedConnection(companion, self.clock)
        if (driver := driver_of(parameters.robot)) != "ros":
            return DrivenConnection(companion, driver, parameters.robot, self.clock, parameters.supervisor)
        link = RosRobotConnection(
            companion,
            parameters.robot,
            self.clock,
            arguments=self._arguments,
            supervisor=parameters.supervisor,
            bagged=parameters.record and parameters.bag,
        )
        for missing in link.missing():
            self.get_logger().warning(f"nothing serves {missing} yet")
        return link

    def _opened(self, workplace: Workplace) -> None:
        self.carrier.workplace = workplace
        self._grace = workplace.context.settings.cancel_grace + _ENDING

    def _break_off(self, reason: str) -> TransitionCallbackReturn:
        self.desk.close(reason)
        self.clock.wake()
        if self.desk.wait_until_idle(self._grace):
            return _SUCCESS
        self.get_logger().error("What is carried out has not come to an end: the robot may still move.")
        return _FAILURE

    def _clean_up(self) -> None:
        workplace, self.carrier.workplace = self.carrier.workplace, None
        if workplace is not None:
            workplace.close()

    # -- goals -------------------------------------------------------------------------------------------
    @property
    def _server_name(self) -> str:
        return f"{self.get_fully_qualified_name()}/carry"

    def _judge(self, request: Carry.Goal) -> GoalResponse:
        refusal = self.desk.refusal(_wish(request))
        if refusal:
            self.get_logger().warning(f"a goal is rejected: {refusal}")
        return GoalResponse.REJECT if refusal else GoalResponse.ACCEPT

    def _accept(self, handle: Any) -> None:
        goal = _Goal(self, handle)
        self._goals[bytes(handle.goal_id.uuid)] = goal
        self.desk.put(goal.job)
        self.clock.wake()  # one that runs may have to end for it

    def _cancel(self, handle: Any) -> CancelResponse:
        goal = self._goals.get(bytes(handle.goal_id.uuid))
        if goal is None:
            return CancelResponse.REJECT
        # After this callback, or the goal would end before it counts as being cancelled.
        self.executor.create_task(self.desk.cancel, goal.job)
        self.executor.create_task(self.clock.wake)
        return CancelResponse.ACCEPT

    async def _execute(self, handle: Any) -> Carry.Result:
        key = bytes(handle.goal_id.uuid)
        end: JobEnd = await self._goals[key].end
        if end.outcome == "reached":
            handle.succeed()
        elif end.outcome == "cancelled" and handle.is_cancel_requested:
            handle.canceled()
        else:
            handle.abort()
        del self._goals[key]
        return Carry.Result(outcome=end.outcome, reason=end.reason, run=end.run)

    @property
    def busy(self) -> bool:
        """True while there are goals whose result was not handed over to ROS yet."""
        return bool(self._goals)

    # -- diagnostics -------------------------------------------------------------------------------------
    def _report(self) -> None:
        name = self.get_fully_qualified_name()
        alone = self.get_node_names_and_namespaces().count((self.get_name(), self.get_namespace())) < 2
        if not alone and not self._warned_of_namesake:
            self.get_logger().warning(
                f"another node is called {name}, or was until now. If it is an agent, both carry out every "
                "goal: give one of them another namespace or name."
            )
        self._warned_of_namesake = not alone
        message = DiagnosticArray()
        message.header.stamp = self.get_clock().now().to_msg()
        for report in self._diagnostics.reports(self.lifecycle):
            message.status.append(
                DiagnosticStatus(
                    level=bytes([report.level]),
                    name=f"{name.lstrip('/')}: {report.name}",
                    message=report.message,
                    hardware_id=name,
                    values=[KeyValue(key=key, value=value) for key, value in report.values.items()],
                )
            )
        self._reports.publish(message)


class _Goal:
    """A goal of the action, as the desk's client."""

    def __init__(self, node: AgentNode, handle: Any) -> None:
        self.job = Job(_wish(handle.request), self)
        self.end = Future(executor=node.executor)
        self._node = node
        self._handle = handle
        self._started = False
        self.progressed(CarryProgress())

    def started(self) -> None:
        """Have the goal count as executing. All that changes its state is done by the node's thread."""
        self._started = True
        self._node.executor.create_task(self._handle.execute)

    def progressed(self, progress: CarryProgress) -> None:
        """Publish feedback."""
        self._handle.publish_feedback(Carry.Feedback(**asdict(progress)))

    def ended(self, end: JobEnd) -> None:
        """Have the result sent."""
        if not self._started:
            self._node.executor.create_task(self._handle.execute)
        self._node.executor.create_task(self.end.set_result, end)


def _without_request(do: Callable[[], SteeringReply], request: object) -> SteeringReply:
    return do()


def _wish(goal: Carry.Goal) -> Wish:
    return Wish(goal.instruction, goal.goal)
