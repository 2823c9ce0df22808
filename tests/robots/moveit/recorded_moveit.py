"""A ``MoveItPy`` that has the recorded methods, arguments and properties, and no others."""

from __future__ import annotations

import json
import threading
from inspect import Parameter, Signature
from pathlib import Path

from foretree.robots.moveit.moveit_py_worker import MoveItWorker

API = json.loads((Path(__file__).parent / "moveit_py_api.json").read_text())


def signature_of(arguments):
    either = Parameter.POSITIONAL_OR_KEYWORD
    return Signature(
        [
            Parameter(name.rstrip("="), either, default=None if name.endswith("=") else Parameter.empty)
            for name in arguments
        ]
    )


class Recorded:
    """An object of a recorded class: *does* says what its methods return, and what its properties are."""

    def __init__(self, kind, **does):
        object.__setattr__(self, "_kind", kind)
        object.__setattr__(self, "_does", does)
        object.__setattr__(self, "calls", [])

    def __getattr__(self, name):
        known = API[self._kind]
        if name in known.get("properties", ()):
            return self._does[name]
        if name not in known:
            raise AttributeError(f"{self._kind} of moveit_py has no {name}")

        def method(*args, **kwargs):
            bound = signature_of(known[name]).bind(*args, **kwargs)
            self.calls.append((name, dict(bound.arguments)))
            does = self._does.get(name)
            return does(**bound.arguments) if callable(does) else does

        return method

    def __setattr__(self, name, value):
        if name not in API[self._kind].get("properties", ()):
            raise AttributeError(f"{self._kind} of moveit_py has no {name}")
        self._does[name] = value


class Code:
    def __init__(self, val):
        self.val = val


class Locked:
    def __init__(self, scene):
        self.scene = scene

    def __enter__(self):
        return self.scene

    def __exit__(self, *error):
        return None


class PlayedMoveIt:
    """MoveIt, as a test wants it."""

    def __init__(self, code=1, status="SUCCEEDED", reachable=True, shown=True, slow=False):
        self.stopped = threading.Event()
        self.slow = slow
        self.status = status
        self.parameters = []
        state = Recorded("RobotState", set_from_ik=reachable)
        state._does["__copy__"] = state
        self.state = state
        scene = Recorded("PlanningScene", planning_frame="map", current_state=state)
        self.monitor = Recorded(
            "PlanningSceneMonitor", read_only=Locked(scene), new_planning_scene_message=shown
        )
        response = Recorded("MotionPlanResponse", error_code=Code(code), trajectory="trajectory")
        self.component = Recorded("PlanningComponent", plan=response)
        manager = Recorded(
            "TrajectoryExecutionManager", stop_execution=lambda auto_clear=True: self.stopped.set()
        )
        self.moveit = Recorded(
            "MoveItPy",
            get_planning_component=self.component,
            get_planning_scene_monitor=self.monitor,
            get_trajectory_execution_manager=manager,
            execute=self.execute,
        )

    def execute(self, robot_trajectory, controllers):
        assert robot_trajectory == "trajectory"
        if self.slow:
            self.stopped.wait(30)
        return Recorded("ExecutionStatus", status="PREEMPTED" if self.stopped.is_set() else self.status)

    def request_parameters(self, *args):
        signature_of(API["PlanRequestParameters"]["__init__"]).bind(*args)
        self.parameters.append(Recorded("PlanRequestParameters"))
        return self.parameters[-1]

    def worker(self, groups=("arm",)):
        return MoveItWorker(
            self.moveit, self.request_parameters, lambda type_name, fields: (type_name, fields), list(groups)
        )


def make(**played):
    """Make a worker in another process."""
    if played.pop("broken", False):
        raise RuntimeError("robot_description is not set")
    return PlayedMoveIt(**played).worker()
