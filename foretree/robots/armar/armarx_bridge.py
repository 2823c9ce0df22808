"""The bridge to ArmarX: a program of its own, run by a Python that has the package ``armarx``.

It takes nothing of Foretree, and nothing takes it: ``armarx`` and ``zeroc-ice`` stay in its process. Messages
are JSON texts over standard input and output, each after its length as eight bytes, big end first.

=================  =====================================  ==================================================
message            its parts                              meaning
=================  =====================================  ==================================================
*to the bridge*
``start``          ``id executor provider skill params``  have a skill executed
``cancel``         ``id``                                 abort it, if it is this one that still runs
``find``           ``id executor provider skill``         look for one that was started earlier
``stop``           ``emergency``                          abort all; or set the soft emergency stop as well
*from the bridge*
``ready``          ``skills``                             connected; the skills that each provider offers
``failed``         ``why``                                not connected; the bridge ends
``beat``                                                  still here, twice a second
``ended``          ``id status why data``                 the end of an execution, as in :data:`STATUSES`
``objects``        ``objects``                            object instances of the memory
``trouble``        ``about why``                          something could not be asked; it will be again
=================  =====================================  ==================================================

An execution carries its id in the name of its executor, so that one which a bridge has started can be found
again by another. It is aborted only while the skill manager says that it is this one that runs.
"""

from __future__ import annotations

import json
import os
import select
import struct
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))
if __name__ == "__main__":  # the modules beside this one are not for the other Python
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder or ".") != _HERE]

#: How an execution can end: as ArmarX has it, and three of the bridge's own: the request was refused; the
#: manager has another execution of the skill on record, so that this one does not run; it has none at all.
STATUSES = ("Succeeded", "Failed", "Aborted", "Refused", "Replaced", "Unknown")

#: Seconds: between beats, between looks at what runs, and between looks into the memory.
_BEAT, _LOOK, _OBJECTS = 0.5, 0.2, 0.5
_LENGTH = struct.Struct(">Q")

#: What of the interfaces of ArmarX is used; anything else than this is refused.
INTERFACE = {
    "armarx.skills.manager.dto.SkillExecutionRequest": ("executorName", "skillId", "params"),
    "armarx.skills.provider.dto.SkillID": ("providerName", "skillName"),
    "armarx.skills.provider.dto.SkillStatusUpdateHeader": ("skillId", "executorName", "status"),
    "armarx.skills.provider.dto.SkillStatusUpdate": ("header", "data"),
}
#: What is called.
OPERATIONS = {
    "armarx.skills.manager.dti.SkillManagerInterfacePrx": (
        "executeSkill",
        "abortSkill",
        "getSkillDescriptions",
        "getSkillExecutionStatuses",
    ),
    "armarx.objpose.ObjectPoseStorageInterfacePrx": ("getObjectPoses",),
}
_TERMINAL = ("Succeeded", "Failed", "Aborted")


class Armarx:
    """ArmarX, by its package ``armarx``: the only part that takes it."""

    def __init__(self, manager: str, memory: str) -> None:
        import armarx  # noqa: F401 - makes the interfaces importable
        from armarx_core import ice_manager, slice_loader

        slices = (
            "skills/SkillProviderInterface.ice",
            "skills/SkillManagerInterface.ice",
            *(("objectpose/ObjectPoseStorageInterface.ice",) if memory else ()),
        )
        for each in slices:
            slice_loader.load_armarx_slice("RobotAPI", each)
        _check_interface(bool(memory))
        from armarx_memory.aron.conversion import from_aron, to_aron

        self._from_aron, self._to_aron = from_aron, to_aron
        self._manager = _proxy(ice_manager, "armarx.skills.manager.dti.SkillManagerInterfacePrx", manager)
        self._memory = (
            _proxy(ice_manager, "armarx.objpose.ObjectPoseStorageInterfacePrx", memory) if memory else None
        )
        self._ice_manager = ice_manager

    def skills(self) -> dict[str, list[str]]:
        """Return the skills that each provider offers."""
        descriptions = self._manager.getSkillDescriptions()
        return {provider: sorted(skills) for provider, skills in descriptions.items()}

    def execute(self, executor: str, provider: str, skill: str, params: dict[str, Any]) -> Any:
        """Have a skill executed; return a future of its last status."""
        request = _named("armarx.skills.manager.dto.SkillExecutionRequest")(
            executorName=executor,
            skillId=_named("armarx.skills.provider.dto.SkillID")(providerName=provider, skillName=skill),
            params=self._to_aron(_with_arrays(params)),
        )
        return self._manager.executeSkillAsync(request)

    def abort(self, provider: str, skill: str) -> Any:
        """Abort what runs of a skill; return a future."""
        return self._manager.abortSkillAsync(provider, skill)

    def statuses(self) -> Any:
        """Return a future of the last status of each skill."""
        return self._manager.getSkillExecutionStatusesAsync()

    def objects(self) -> Any:
        """Return a future of the object poses of the memory; None if there is no memory."""
        return self._memory.getObjectPosesAsync() if self._memory is not None else None

    def status_of(self, update: Any) -> tuple[str, str, dict[str, Any]]:
        """Return the executor, the status and the data of a status update."""
        status = update.header.status
        try:
            data = self._from_aron(update.data) if update.data is not None else {}
        except Exception as error:  # whatever type it has: the status counts all the same
            data = {"unreadable": _words(error)}
        return update.header.executorName, getattr(status, "name", str(status)), data or {}

    def emergency_stop(self) -> None:
        """Set the soft emergency stop, as ``armarx_robots.basic_robot`` does."""
        self._load_emergency_stop()
        master = _proxy(self._ice_manager, "armarx.EmergencyStopMasterInterfacePrx", "EmergencyStopMaster")
        master.setEmergencyStopState(_named("armarx.EmergencyStopState").eEmergencyStopActive)

    @staticmethod
    def _load_emergency_stop() -> None:
        from armarx_core import slice_loader

        slice_loader.load_armarx_slice("ArmarXCore", "components/EmergencyStopInterface.ice")


def _named(path: str) -> Any:
    """The class of that name in the interfaces that were loaded."""
    import importlib

    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def _proxy(ice_manager: Any, type_name: str, name: str) -> Any:
    proxy = ice_manager.get_proxy(_named(type_name), name)
    if proxy is None:
        raise RuntimeError(f"ArmarX has no {name} of the type {type_name}; is it started?")
    return proxy


def _check_interface(with_memory: bool) -> None:
    """See that the interfaces of this ArmarX are those that this bridge knows.

    Raises:
        RuntimeError: they are others: calling them would do something else than is meant.
    """
    for path, fields in INTERFACE.items():
        made = _named(path)()
        if missing := [each for each in fields if not hasattr(made, each)]:
            raise RuntimeError(
                f"{path} of this ArmarX has no {', '.join(missing)}: it has another interface of skills "
                "than that of armarx 0.23, which is the one that this bridge speaks."
            )
    for path, operations in OPERATIONS.items():
        if "objpose" in path and not with_memory:
            continue
        if missing := [each for each in operations if not hasattr(_named(path), each)]:
            raise RuntimeError(f"{path} of this ArmarX has no {', '.join(missing)}.")


def _with_arrays(value: Any) -> Any:
    """*value* with ``{"float32": rows}`` made an array."""
    if isinstance(value, dict):
        if set(value) == {"float32"}:
            import numpy

            return numpy.array(value["float32"], dtype=numpy.float32)
        return {key: _with_arrays(each) for key, each in value.items()}
    return [_with_arrays(each) for each in value] if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    """*value* as JSON has it."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, (str, int, float, bool)) or value is None:
        return value
    return _plain(value.tolist()) if hasattr(value, "tolist") else str(value)


def object_of(pose: Any, now: float) -> dict[str, Any]:
    """Return an object pose of the memory as JSON has it; lengths in millimetres, as there."""

    def placed(position: Any, orientation: Any) -> dict[str, list[float]]:
        return {
            "position": [position.x, position.y, position.z],
            "orientation": [orientation.qw, orientation.qx, orientation.qy, orientation.qz],
        }

    box = pose.localOOBB
    has_box = box is not None and all((box.position, box.orientation, box.extents))
    return {
        "dataset": pose.objectID.dataset,
        "class": pose.objectID.className,
        "instance": pose.objectID.instanceName,
        "provider": pose.providerName,
        "confidence": pose.confidence,
        "age": now - pose.timestamp.timeSinceEpoch.microSeconds / 1e6,
        "time": pose.timestamp.timeSinceEpoch.microSeconds,
        **placed(pose.objectPoseGlobal.position, pose.objectPoseGlobal.orientation),
        "box": {
            **placed(box.position, box.orientation),
            "extents": [box.extents.x, box.extents.y, box.extents.z],
        }
        if has_box
        else None,
    }


class _Execution:
    """A skill that was started, here or by an earlier bridge."""

    def __init__(self, message: dict[str, Any], future: Any) -> None:
        self.id = message["id"]
        self.executor = message["executor"]
        self.provider, self.skill = message["provider"], message["skill"]
        self.future = future
        self.wants_abort = False
        self.aborting: Any = None


class Bridge:
    """Carries out what messages ask, and tells what becomes of it. Nothing that it does waits for ArmarX.

    Args:
        robot: ArmarX.
        say: sends a message.
    """

    def __init__(self, robot: Any, say: Callable[[dict[str, Any]], None]) -> None:
        self._robot, self._say = robot, say
        self._open: dict[str, _Execution] = {}
        self._statuses: Any = None
        self._objects: Any = None
        self._next_look = self._next_objects = self._next_beat = 0.0

    @property
    def pause(self) -> float:
        """Seconds until the next turn, unless a message comes before: few while an end is waited for."""
        return 0.005 if self._open else 0.05

    def hear(self, message: dict[str, Any]) -> None:
        """Do what a message asks."""
        getattr(self, "_do_" + str(message.get("do")))(message)

    def turn(self, now: float) -> None:
        """Go on with what was begun."""
        for execution in list(self._open.values()):
            if execution.future is not None and execution.future.done():
                self._answered(execution)
        if self._statuses is not None and self._statuses.done():
            self._look_through()
        wanted = any(each.future is None or each.wants_abort for each in self._open.values())
        if self._statuses is None and wanted and now >= self._next_look:
            self._statuses, self._next_look = self._robot.statuses(), now + _LOOK
        if self._objects is not None and self._objects.done():
            self._report_objects()
        elif self._objects is None and now >= self._next_objects:
            self._objects, self._next_objects = self._robot.objects(), now + _OBJECTS
        if now >= self._next_beat:
            self._next_beat = now + _BEAT
            self._say({"say": "beat"})

    # -- what messages ask -------------------------------------------------------------------------------
    def _do_start(self, message: dict[str, Any]) -> None:
        try:
            future = self._robot.execute(
                message["executor"], message["provider"], message["skill"], message["params"]
            )
        except Exception as error:  # nothing was sent: these parameters make no request
            self._end(message["id"], "Refused", _words(error))
        else:
            self._open[message["id"]] = _Execution(message, future)

    def _do_find(self, message: dict[str, Any]) -> None:
        self._open.setdefault(message["id"], _Execution(message, None))
        self._next_look = 0.0

    def _do_cancel(self, message: dict[str, Any]) -> None:
        if message["id"] in self._open:
            self._open[message["id"]].wants_abort = True
            self._next_look = 0.0

    def _do_stop(self, message: dict[str, Any]) -> None:
        for execution in self._open.values():
            execution.wants_abort = True
        self._next_look = 0.0
        if message["emergency"]:
            try:
                self._robot.emergency_stop()
            except Exception as error:
                self._trouble("stop", error)

    # -- what ArmarX answers -----------------------------------------------------------------------------
    def _answered(self, execution: _Execution) -> None:
        """The request of an execution was answered: with its end, or with an error."""
        future, execution.future = execution.future, None
        error = future.exception()
        if error is None:
            executor, status, data = self._robot.status_of(future.result())
            if executor == execution.executor and status in _TERMINAL:
                self._end(execution.id, status, "", data)
            return  # an answer that is no end: the statuses will tell
        if _is_user_exception(error):
            self._end(execution.id, "Refused", _words(error))
        else:  # the connection, or the manager: what it has on record will tell
            self._trouble("executions", error)

    def _look_through(self) -> None:
        """Look through the statuses for what is open."""
        future, self._statuses = self._statuses, None
        if (error := future.exception()) is not None:
            self._trouble("executions", error)
            return
        statuses = future.result()
        for execution in list(self._open.values()):
            update = statuses.get(execution.provider, {}).get(execution.skill)
            if update is None:
                if execution.future is None:
                    self._end(execution.id, "Unknown", "the skill manager has no record of it")
                continue
            executor, status, data = self._robot.status_of(update)
            if executor != execution.executor:
                if execution.future is None:
                    self._end(execution.id, "Replaced", f"the last execution on record is {executor!r}")
            elif status not in _TERMINAL:
                self._abort_if_wanted(execution)
            elif execution.future is None:
                self._end(execution.id, status, "", data)

    def _abort_if_wanted(self, execution: _Execution) -> None:
        if execution.wants_abort and (execution.aborting is None or execution.aborting.done()):
            execution.aborting = self._robot.abort(execution.provider, execution.skill)

    def _report_objects(self) -> None:
        future, self._objects = self._objects, None
        if (error := future.exception()) is not None:
            self._trouble("objects", error)
            return
        now, objects = time.time(), []
        for each in future.result():
            try:
                objects.append(object_of(each, now))
            except AttributeError:  # it has no pose: the memory knows of it, and not where it is
                continue
        self._say({"say": "objects", "objects": objects})

    def _trouble(self, about: str, error: BaseException) -> None:
        self._say({"say": "trouble", "about": about, "why": _words(error)})

    def _end(self, execution_id: str, status: str, why: str, data: dict[str, Any] | None = None) -> None:
        self._open.pop(execution_id, None)
        self._say(
            {"say": "ended", "id": execution_id, "status": status, "why": why, "data": _plain(data or {})}
        )


def _is_user_exception(error: BaseException) -> bool:
    """Return whether the other side has refused, and says so by an exception of its interface."""
    return any(each.__name__ == "UserException" for each in type(error).__mro__)


def _words(error: BaseException) -> str:
    lines = (str(error).strip() or type(error).__name__).splitlines()
    return f"{type(error).__name__}: {' '.join(line.strip() for line in lines)[:500]}"


# -- messages ------------------------------------------------------------------------------------------------
class _Pipe:
    """Messages over standard input and output; what else is printed goes to standard error."""

    def __init__(self) -> None:
        self._out = os.dup(1)
        os.dup2(2, 1)
        self._received = b""

    def say(self, message: dict[str, Any]) -> None:
        """Send a message."""
        text = json.dumps(message).encode()
        rest = _LENGTH.pack(len(text)) + text
        while rest:
            rest = rest[os.write(self._out, rest) :]

    def messages(self, seconds: float) -> Iterator[dict[str, Any]]:
        """Return what comes within so many seconds. Raises EOFError once the other side is gone."""
        if select.select([0], [], [], seconds)[0]:
            chunk = os.read(0, 1 << 16)
            if not chunk:
                raise EOFError
            self._received += chunk
        while len(self._received) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._received)[0]
            if len(self._received) < end:
                return
            text, self._received = self._received[_LENGTH.size : end], self._received[end:]
            yield json.loads(text)


def main() -> None:
    """Connect to ArmarX, and serve until the other side is gone."""
    pipe = _Pipe()
    manager, memory = sys.argv[1:3]
    try:
        robot = Armarx(manager, memory)
        skills = robot.skills()
    except BaseException as error:
        pipe.say({"say": "failed", "why": _words(error)})
        raise
    pipe.say({"say": "ready", "skills": skills})
    bridge = Bridge(robot, pipe.say)
    try:
        while True:
            for message in pipe.messages(bridge.pause):
                bridge.hear(message)
            bridge.turn(time.monotonic())
    except (EOFError, BrokenPipeError):
        os._exit(0)  # threads of Ice are not waited for


if __name__ == "__main__":
    main()
