"""The bridge with the real package ``armarx`` and real Ice, against a stub of ArmarX on loopback.

Runs where the variable FORETREE_ARMARX_PYTHON names a Python that has ``armarx``, and ``cmake`` is there
(docs/armar.md says how to install it).
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from waiting import until

from foretree.clock import WallClock
from foretree.robots.armar.armar_file import ArmarFile
from foretree.robots.armar.bridge_process import BridgeProcess
from foretree.robots.armar.robot import ArmarRobot
from foretree.skills.robot import End, LookRequest, Order, Outcome, RobotError, Target

PYTHON = os.environ.get("FORETREE_ARMARX_PYTHON", "")
HERE = Path(__file__).parent
pytestmark = pytest.mark.skipif(
    not PYTHON or shutil.which("cmake") is None,
    reason="FORETREE_ARMARX_PYTHON names no Python with armarx, or there is no cmake",
)
MUG = Target({"mug": 0.9}, (1.0, 2.0, 0.5))
ORDER = {"item": MUG}
SKILLS = {
    "tell": {
        "provider": "arm",
        "skill": "Succeed",
        "params": {
            "word": "$item.class",
            "yes": True,
            "count": 3,
            "at": {"millimetres": "$item.position"},
            "parts": [1.5, "two"],
            "pose": {"matrix": "$item.pose"},
        },
        "done_if": [
            {"params.word": "mug", "params.yes": True, "params.count": 3, "params.at.x": 1000.0,
             "params.parts": [1.5, "two"],
             "params.pose": [[1, 0, 0, 1000], [0, 1, 0, 2000], [0, 0, 1, 500], [0, 0, 0, 1]]}
        ],
    },
    "open": {"provider": "arm", "skill": "Fail", "reason": "reason"},
    "wait": {"provider": "arm", "skill": "Wait"},
    "dance": {"provider": "arm", "skill": "Dance"},
}  # fmt: skip


def config_folder(folder, port):
    """What ``armarx`` reads of an installation of ArmarX, as far as a client needs it."""
    core = folder / "core" / "ArmarXCore/core/system/cmake"
    core.mkdir(parents=True)
    (folder / "ArmarXCoreConfig.cmake").write_text(f'set(ArmarXCore_INCLUDE_DIRS "{folder / "core"}")\n')
    (core / "FindPackageX.cmake").write_text(
        f'message(STATUS "DATA_DIR:{folder}")\nmessage(STATUS "INTERFACE_DIRS:{HERE / "slice"}")\n'
        'message(STATUS "SOURCE_PACKAGE_DEPENDENCIES:")\n'
    )
    (folder / "armarx.ini").write_text("[AutoCompletion]\npackages=RobotAPI\n")
    (folder / "default.generated.cfg").write_text("")
    locator = f"Ice.Default.Locator=IceGrid/Locator:tcp -h 127.0.0.1 -p {port}\n"
    (folder / "default.cfg").write_text(locator)
    return {"ARMARX_USER_CONFIG_DIR": str(folder), "ArmarXCore_DIR": str(folder)}


@pytest.fixture
def armarx(tmp_path):
    stub = subprocess.Popen(
        [PYTHON, str(HERE / "stub_armarx.py"), str(HERE / "slice")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    )

    def said():
        """What the stub says next."""
        until(lambda: select.select([stub.stdout], [], [], 0.1)[0], "the stub to say something")
        return stub.stdout.readline().decode().strip()

    environment = config_folder(tmp_path, int(said()))
    robots = []

    def robot(stop="abort", **bridge):
        file = ArmarFile.model_validate(
            {
                "robot": "armar",
                "stop": stop,
                "bridge": {"python": PYTHON, "environment": environment, **bridge},
                "objects": {"classes": {"Kitchen/cup": "mug"}, "localised_within": 3600},
                "skills": SKILLS,
            }
        )
        process = BridgeProcess(file, WallClock())
        robots.append(SimpleNamespace(robot=ArmarRobot(file, process, WallClock()), bridge=process))
        return robots[-1]

    yield SimpleNamespace(robot=robot, said=said)
    for each in robots:
        each.bridge.close()
    stub.kill()
    stub.wait()


def connected(given):
    until(given.robot.is_connected, lambda: f"the bridge to connect: {given.bridge.trouble}")
    return given.robot


def end_of(execution):
    def ended():
        try:
            return execution.poll()
        except RobotError:
            return None

    return until(ended, "the end of an execution")


def test_skills_are_executed_with_their_parameters_and_end_as_the_manager_says(armarx):
    robot = connected(armarx.robot())
    assert robot.missing() == ["arm/Dance"]
    assert end_of(robot.start(Order("tell", ORDER), "run/1")) == End(Outcome.DONE)
    assert end_of(robot.start(Order("open", ORDER), "run/2")) == End(Outcome.FAILED, "the door is locked")
    refused = end_of(robot.start(Order("dance", ORDER), "run/3"))
    assert (refused.outcome, "There is no such skill." in refused.reason) == (Outcome.FAILED, True)


def test_a_cancel_aborts(armarx):
    robot = connected(armarx.robot())
    execution = robot.start(Order("wait"), "run/1")
    assert execution.poll() is None
    execution.cancel()
    assert end_of(execution) == End(Outcome.CANCELLED)


def test_stop_aborts_and_sets_the_soft_emergency_stop_where_the_file_says_so(armarx):
    robot = connected(armarx.robot(stop="emergency_stop"))
    execution = robot.start(Order("wait"), "run/1")
    assert armarx.said() == "executing Wait"
    robot.stop()
    assert armarx.said() == "emergency stop: eEmergencyStopActive"
    assert end_of(execution) == End(Outcome.CANCELLED)


def test_a_second_process_finds_what_the_first_one_began(armarx):
    first, second = armarx.robot(), armarx.robot()
    connected(first).start(Order("wait"), "run/1")
    assert armarx.said() == "executing Wait"
    connected(second)
    execution = second.robot.attach("run/1")
    assert execution.poll() is None
    first.bridge.close()
    execution.cancel()
    assert end_of(execution) == End(Outcome.CANCELLED)


def test_a_bridge_that_is_killed_is_replaced_and_finds_its_execution(armarx):
    given = armarx.robot()
    execution = connected(given).start(Order("wait"), "run/1")
    assert armarx.said() == "executing Wait"
    given.bridge._child.kill()
    execution.cancel()
    assert end_of(execution) == End(Outcome.CANCELLED)
    assert given.bridge.lives == 2


def test_objects_of_the_memory_are_seen(armarx):
    robot = connected(armarx.robot())
    (seen,) = until(robot.observations, "an observation")
    (cup,) = seen.detections
    assert (cup.classes, cup.pose) == ({"mug": 0.75}, (1.0, 2.0, 0.5))
    assert cup.extent == pytest.approx((0.97, 1.96, 0.5, 1.03, 2.04, 0.6))
    assert end_of(robot.look(LookRequest(), "run/1")) == End(Outcome.DONE)


def test_without_armarx_the_reason_is_said(armarx):
    given = armarx.robot(skill_manager="Nobody")
    until(lambda: given.robot.is_connected() or "Nobody" in given.bridge.trouble, "the reason")
    with pytest.raises(RobotError, match="ArmarX has no Nobody"):
        given.robot.start(Order("wait"), "run/1")
