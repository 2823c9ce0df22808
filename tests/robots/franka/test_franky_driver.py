"""The driver over franky: against the package where it is installed, and against its interface as recorded.

What is recorded here was read from franky-control 2.0.0. ``test_the_interface_is_as_recorded`` compares that
with the installed package; all other tests run with both. No test reaches an arm.
"""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import pytest

from foretree.errors import MissingPackageError
from foretree.robots.franka import franky_driver
from foretree.robots.franka.driver import (
    ArmState,
    ContactLostError,
    MotionFailedError,
    MotionUnknownError,
)
from foretree.robots.franka.franka_file import FrankaFile
from foretree.robots.franka.franky_driver import FrankyDriver

FILE = FrankaFile.model_validate(
    {
        "robot": "franka",
        "ip": "127.0.0.1",
        "base": {"at": [0.0, 0.0, 0.0]},
        "workspace": {"low": [0.2, -0.4, 0.0], "high": [0.7, 0.4, 0.6]},
        "travel_height": 0.4,
        "skills": {"pick": "pick"},
    }
)

#: Functions that the driver calls, and the parameters by which it does, or that it gives in this order.
FUNCTIONS = {
    "Robot.__init__": (
        "fci_hostname",
        "relative_dynamics_factor",
        "default_torque_threshold",
        "default_force_threshold",
        "realtime_config",
    ),
    "Robot.move": ("motion", "asynchronous"),
    "Robot.poll_motion": (),
    "Robot.recover_from_errors": (),
    "Robot.stop": (),
    "Gripper.__init__": ("fci_hostname",),
    "Gripper.move_async": ("width", "speed"),
    "Gripper.grasp_async": ("width", "speed", "force", "epsilon_inner", "epsilon_outer"),
    "Gripper.homing_async": (),
    "Gripper.stop": (),
    "BoolFuture.wait": ("timeout",),
    "BoolFuture.get": (),
    "JointState.__init__": ("position",),
    "JointMotion.__init__": ("target",),
    "CartesianMotion.__init__": ("target",),
    "Affine.__init__": ("translation", "quaternion"),
}
#: Attributes that the driver reads.
ATTRIBUTES = (
    "Robot.state",
    "RobotState.O_T_EE",
    "RobotState.robot_mode",
    "RobotState.current_errors",
    "Affine.translation",
    "Affine.quaternion",
    "Gripper.state",
    "GripperState.width",
    "GripperState.is_grasped",
    "RealtimeConfig.Enforce",
    "RealtimeConfig.Ignore",
    "Errors.cartesian_reflex",
    "Errors.joint_reflex",
    "Errors.communication_constraints_violation",
)
MODES = {"Other", "Idle", "Move", "Guiding", "Reflex", "UserStopped", "AutomaticErrorRecovery"}
#: Exceptions of franky that are not translated: mistakes of a program, which the driver cannot make.
LEFT = {"Exception", "ReactionRecursionException", "TorqueSignalTimeoutException"}


def recorded_franky():
    """What stands in for the package: its exceptions, and motions that are their arguments."""
    base = type("Exception", (Exception,), {})
    names = (*franky_driver.REFUSED, *franky_driver.UNREACHABLE)
    return SimpleNamespace(
        **{name: type(name, (base,), {}) for name in names},
        Exception=base,
        RealtimeConfig=SimpleNamespace(Enforce="enforce", Ignore="ignore"),
        JointState=lambda position: ("state", position),
        JointMotion=lambda target: ("joints", target),
        Affine=lambda translation, quaternion: (translation, quaternion),
        CartesianMotion=lambda target: ("straight", target),
    )


def installed_franky():
    try:
        return franky_driver._imported()
    except MissingPackageError:
        pytest.skip("franky-control is not installed")


@pytest.fixture(params=[recorded_franky, installed_franky], ids=["recorded", "installed"])
def package(request):
    return request.param()


class _Played:
    """A robot or gripper of which every method notes its call, and raises if it is told to."""

    def __init__(self, *arguments, **named):
        self.made_of = arguments, named
        self.calls: list[tuple] = []
        self.raises: Exception | None = None
        self.answers: dict[str, object] = {}

    def __getattr__(self, name):
        if name == "state" and "state" in self.answers:
            if self.raises is not None:
                raise self.raises
            return self.answers["state"]

        def call(*arguments, **named):
            self.calls.append((name, arguments, named))
            if self.raises is not None:
                raise self.raises
            return self.answers.get(name)

        return call


class _WithPlayedArm:
    """The package, with a robot and a gripper that are played."""

    def __init__(self, package):
        self._package = package

    def __getattr__(self, name):
        return getattr(self._package, name)

    def Robot(self, *arguments, **named):
        self.robot = _Played(*arguments, **named)
        return self.robot

    def Gripper(self, *arguments, **named):
        self.gripper = _Played(*arguments, **named)
        return self.gripper


@pytest.fixture
def given(package):
    franky = _WithPlayedArm(package)
    driver = FrankyDriver(FILE, franky)
    driver.connect()
    return SimpleNamespace(franky=franky, driver=driver)


# -- the package itself ----------------------------------------------------------------------------------
def test_to_load_it_changes_nothing_for_children():
    """In a process of its own: here it may be loaded already."""
    pytest.importorskip("franky", reason="franky-control is not installed")
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import signal\nfrom foretree.robots.franka.franky_driver import _imported\n"
            "signal.pthread_sigmask(signal.SIG_SETMASK, ())\n_imported()\n"
            "print(signal.pthread_sigmask(signal.SIG_BLOCK, ()))",
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout
    assert said == "set()\n"


def find(franky, path):
    owner, _, name = path.partition(".")
    return getattr(getattr(franky, owner), name)


def test_the_interface_is_as_recorded():
    franky = installed_franky()
    for path, parameters in FUNCTIONS.items():
        signature = find(franky, path).__doc__
        places = [signature.find(f"{parameter}:") for parameter in parameters]
        assert -1 not in places, f"{path} has not the parameters {parameters}: {signature}"
        assert places == sorted(places), f"{path} has its parameters in another order: {signature}"
    for path in ATTRIBUTES:
        assert find(franky, path) is not None, path
    assert set(franky.RobotMode.__members__) == MODES


def test_every_exception_of_the_package_is_in_the_table():
    franky = installed_franky()
    there = {name for name in dir(franky._franky) if name.endswith("Exception") and not name.startswith("_")}
    assert there == {*franky_driver.REFUSED, *franky_driver.UNREACHABLE, *LEFT}
    assert all(issubclass(getattr(franky, name), Exception) for name in there)


def test_an_arm_that_is_not_there_is_out_of_contact():
    driver = FrankyDriver(FILE, installed_franky())
    with pytest.raises(ContactLostError, match="NetworkException"):
        driver.connect()
    with pytest.raises(ContactLostError, match="no connection"):
        driver.state()


def test_errors_of_the_arm_have_their_names():
    errors = installed_franky().Errors()
    assert franky_driver._names_of(errors) == ()
    assert franky_driver._names_of(SimpleNamespace(joint_reflex=True, cartesian_reflex=False)) == (
        "joint_reflex",
    )


# -- the driver, with both -------------------------------------------------------------------------------
def test_the_limits_of_the_file_are_set(given):
    (ip,), limits = given.franky.robot.made_of
    assert ip == "127.0.0.1"
    assert limits == {
        "relative_dynamics_factor": 0.05,
        "default_torque_threshold": 10.0,
        "default_force_threshold": 15.0,
        "realtime_config": given.franky.RealtimeConfig.Enforce,
    }


def test_motions_are_begun_and_not_waited_for(given):
    given.driver.move_joints((0, -0.785, 0, -2.356, 0, 1.571, 0.785))
    given.driver.move_straight((0.4, 0.0, 0.3), (1.0, 0.0, 0.0, 0.0))
    assert [(name, named) for name, _, named in given.franky.robot.calls] == [
        ("move", {"asynchronous": True}),
        ("move", {"asynchronous": True}),
    ]


def test_the_fingers_are_told_by_how_much_a_width_may_differ(given):
    given.driver.grasp(0.06)
    given.driver.move_fingers(0.08)
    given.driver.home_fingers()
    assert given.franky.gripper.calls == [
        ("grasp_async", (0.06, 0.05, 20.0), {"epsilon_inner": 0.01, "epsilon_outer": 0.01}),
        ("move_async", (0.08, 0.05), {}),
        ("homing_async", (), {}),
    ]


@pytest.mark.parametrize(
    ("ready", "got", "done"), [(False, True, None), (True, True, True), (True, False, False)]
)
def test_the_answer_of_the_fingers_is_waited_for_without_blocking(given, ready, got, done):
    waited = []
    future = SimpleNamespace(wait=lambda seconds: waited.append(seconds) or ready, get=lambda: got)
    given.franky.gripper.answers["grasp_async"] = future
    given.driver.grasp(0.06)
    assert given.driver.fingers_done() is done
    assert waited == [0.0]


def test_stop_stops_arm_and_hand_even_if_the_arm_refuses(given):
    given.driver.stop()
    given.franky.robot.raises = given.franky.CommandException("no")
    with pytest.raises(MotionFailedError):
        given.driver.stop()
    assert [name for name, _, _ in given.franky.robot.calls] == ["stop", "stop"]
    assert [name for name, _, _ in given.franky.gripper.calls] == ["stop", "stop"]


def test_the_state_is_read(given):
    errors = SimpleNamespace(joint_reflex=True)
    pose = SimpleNamespace(translation=[0.4, 0.0, 0.3], quaternion=[1.0, 0.0, 0.0, 0.0])
    mode = SimpleNamespace(name="Reflex")
    given.franky.robot.answers["state"] = SimpleNamespace(O_T_EE=pose, robot_mode=mode, current_errors=errors)
    given.franky.gripper.answers["state"] = SimpleNamespace(width=0.06, is_grasped=True)
    assert given.driver.state() == ArmState(
        (0.4, 0.0, 0.3), (1.0, 0.0, 0.0, 0.0), 0.06, True, "Reflex", ("joint_reflex",)
    )


@pytest.mark.parametrize(
    ("names", "becomes"),
    [(franky_driver.REFUSED, MotionFailedError), (franky_driver.UNREACHABLE, ContactLostError)],
)
def test_exceptions_of_the_package_become_the_drivers(given, names, becomes):
    for name in names:
        given.franky.robot.raises = getattr(given.franky, name)("the words of the arm")
        for call in (given.driver.is_moving, given.driver.stop, given.driver.recover):
            with pytest.raises(becomes, match=f"{name}: the words of the arm"):
                call()
        with pytest.raises(becomes):
            given.driver.move_straight((0.4, 0.0, 0.3), (1.0, 0.0, 0.0, 0.0))


def test_every_other_exception_means_that_nothing_is_known(given):
    for error in (ValueError("what"), given.franky.Exception("what")):
        given.franky.robot.raises = error
        with pytest.raises(MotionUnknownError, match="what"):
            given.driver.is_moving()


def test_an_arm_that_does_not_recover_says_so(given):
    given.franky.robot.answers["recover_from_errors"] = False
    with pytest.raises(MotionFailedError, match="did not recover"):
        given.driver.recover()
