"""MoveIt in a process of its own, by ``moveit_py``.

``PlanningComponent.plan`` keeps Python's global lock while it plans (as of jazzy), so in a thread of the
agent's process it would halt every tick for seconds. Here it halts nothing but this process. ``execute``
and ``stop_execution`` give the lock free, so that an execution can be stopped.

Requests are mappings with a number, what to ``do``, and what that takes; each gets one answer.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pkgutil import resolve_name
from queue import SimpleQueue
from typing import Any, TypeAlias

from foretree.children import Channel
from foretree.robots.moveit.error_codes import SUCCESS, MotionProblem
from foretree.robots.ros.link import Fields

#: Makes a message of a type from its fields.
Fill: TypeAlias = Callable[[str, Fields], Any]

#: What ``ExecutionStatus.status`` says of motions that were stopped.
_STOPPED = "PREEMPTED"


def serve(channel: Channel, maker: str, arguments: Mapping[str, Any]) -> None:
    """Serve MoveIt until the channel ends.

    Args:
        channel: requests and answers.
        maker: what makes the :class:`MoveItWorker`, as ``module:function``.
        arguments: what that is called with.
    """
    requests: SimpleQueue[Mapping[str, Any] | None] = SimpleQueue()
    with suppress(BrokenPipeError):
        try:
            worker: MoveItWorker = resolve_name(maker)(**arguments)
        except Exception as error:  # whatever a configuration of MoveIt makes it raise
            channel.send(pickle.dumps({"number": 0, "error": f"{type(error).__name__}: {error}"}))
            return
        channel.send(pickle.dumps({"number": 0}))
        listening = threading.Thread(target=_listen, args=(channel, worker, requests), daemon=True)
        listening.start()
        while (request := requests.get()) is not None:
            channel.send(pickle.dumps({"number": request["number"], **worker.answer(request)}))


def _listen(channel: Channel, worker: MoveItWorker, requests: SimpleQueue[Any]) -> None:
    """Pass on requests; a stop goes past the others."""
    while (message := channel.receive()) is not None:
        request = pickle.loads(message)
        if request["do"] == "stop":
            worker.stop()
        else:
            requests.put(request)
    worker.stop()
    requests.put(None)


def make_worker(
    node_name: str, namespace: str, parameter_files: list[str], groups: list[str]
) -> MoveItWorker:
    """Start MoveIt with the parameters of a MoveIt configuration."""
    from moveit.planning import MoveItPy, PlanRequestParameters

    from foretree.robots.ros.rclpy_link import filled_message

    moveit = MoveItPy(node_name=node_name, name_space=namespace, launch_params_filepaths=parameter_files)
    return MoveItWorker(moveit, PlanRequestParameters, filled_message, groups)


class MoveItWorker:
    """Plans and executes by a ``MoveItPy``.

    Args:
        moveit: the ``MoveItPy``.
        parameters: the class ``PlanRequestParameters``.
        fill: makes messages.
        groups: planning groups that are asked for.
    """

    def __init__(self, moveit: Any, parameters: Any, fill: Fill, groups: list[str]) -> None:
        self._moveit = moveit
        self._parameters = parameters
        self._fill = fill
        self._components = {
            group: moveit.get_planning_component(planning_component_name=group) for group in groups
        }
        self._trajectory: Any = None
        self._stopped = threading.Event()

    def answer(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do what a request asks for."""
        try:
            match request["do"]:
                case "plan":
                    return self._plan(request)
                case "execute":
                    return self._execute()
                case "show":
                    return self._show(request)
                case _:
                    return {"error": f"no such request: {request['do']}"}
        except Exception as error:  # of MoveIt: the agent has to hear of it
            return {"error": f"{type(error).__name__}: {error}"}

    def stop(self) -> None:
        """Stop the motion under way, and have a trajectory that was planned not executed."""
        self._stopped.set()
        self._moveit.get_trajectory_execution_manager().stop_execution()

    def _plan(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        self._stopped.clear()
        self._trajectory = None
        component = self._components[request["group"]]
        component.set_start_state_to_current_state()
        goal = self._fill("moveit_msgs/msg/Constraints", request["goal"])
        component.set_goal_state(motion_plan_constraints=[goal])
        parameters = self._parameters(self._moveit, "")
        for name, value in request["parameters"].items():
            setattr(parameters, name, value)
        planned = component.plan(single_plan_parameters=parameters)
        code = int(planned.error_code.val)
        if code == SUCCESS:
            self._trajectory = planned.trajectory
            return {"code": code}
        reachable = self._is_reachable(request) if request.get("pose") else True
        problem = None if reachable else MotionProblem.OUT_OF_REACH.value
        return {"code": code, "problem": problem}

    def _is_reachable(self, request: Mapping[str, Any]) -> bool:
        """Return whether some posture of the arm gets to the pose, whatever it touches."""
        pose = self._fill("geometry_msgs/msg/Pose", request["pose"])
        with self._moveit.get_planning_scene_monitor().read_only() as scene:
            frame = scene.planning_frame
            state = scene.current_state.__copy__()
        if request["frame"] != frame:
            return True  # the pose is told in another frame: nothing can be said
        return bool(
            state.set_from_ik(
                joint_model_group_name=request["group"],
                geometry_pose=pose,
                tip_name=request["tool"],
                timeout=0.2,
            )
        )

    def _execute(self) -> Mapping[str, Any]:
        if self._stopped.is_set() or self._trajectory is None:
            return {"status": _STOPPED, "moved": False}
        trajectory, self._trajectory = self._trajectory, None
        status = self._moveit.execute(robot_trajectory=trajectory, controllers=[])
        return {"status": str(status.status), "moved": True}

    def _show(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        scene = self._fill("moveit_msgs/msg/PlanningScene", request["scene"])
        monitor = self._moveit.get_planning_scene_monitor()
        shown = monitor.new_planning_scene_message(scene=scene)
        if request["clear_octomap"]:
            monitor.clear_octomap()
        return {"shown": bool(shown)}
