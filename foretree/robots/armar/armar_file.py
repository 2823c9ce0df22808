"""Robot files of ARMAR: which skill of its skill manager carries out a skill, and what its end means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from pydantic import Field, model_validator

from foretree.robots.drivers import read_robot_file
from foretree.robots.ros.references import OrderContext, Stand
from foretree.robots.ros.robot_file import FailureMeaning, Seconds, StandEntry, Values
from foretree.robots.ros.senses.settings import SurfaceSettings
from foretree.schema import Strict, validate

#: Value of a parameter that stands for something in millimetres, or for a matrix.
_CONVERSIONS = ("millimetres", "matrix")
Params: TypeAlias = Mapping[str, Any]


class BridgeSettings(Strict):
    """Settings of the bridge.

    Attributes:
        python: the Python that has the package ``armarx``.
        environment: variables for it, such as ``ARMARX_WORKSPACE``.
        skill_manager: the name of the skill manager in ArmarX.
        object_memory: the name of the memory that knows objects; empty for none.
        connect_within: seconds that it has to connect.
        silence: seconds that it may say nothing.
    """

    python: str = Field(min_length=1)
    environment: Mapping[str, str] = Field(default_factory=dict)
    skill_manager: str = Field(default="SkillMemory", min_length=1)
    object_memory: str = "ObjectMemory"
    connect_within: Seconds = 60.0
    silence: Seconds = 5.0


class ArmarStep(Strict):
    """A skill of the skill manager.

    Attributes:
        skill: its name.
        provider: the name of its provider; ``$hand`` in either is replaced.
        params: its parameters; with references, ``{millimetres: ...}`` and ``{matrix: ...}``.
        done_if: alternatives of what its data has to say; without any, a skill that has succeeded did it.
        reason: the part of its data that says why it failed.
        failures: what its data means; the first that fits counts.
    """

    skill: str = Field(min_length=1)
    provider: str = Field(min_length=1)
    params: Params = Field(default_factory=dict)
    done_if: tuple[Values, ...] = ()
    reason: str = ""
    failures: tuple[FailureMeaning, ...] = ()


class ArmarSkill(Strict):
    """Execution of a skill: by one skill of ARMAR, written as a step is, or by several in turn."""

    steps: tuple[ArmarStep, ...] = ()
    skill: str = ""
    provider: str = ""
    params: Params = Field(default_factory=dict)
    done_if: tuple[Values, ...] = ()
    reason: str = ""
    failures: tuple[FailureMeaning, ...] = ()

    @model_validator(mode="after")
    def _one_or_several(self) -> ArmarSkill:
        of_one = self.model_fields_set - {"steps"}
        if self.steps and of_one:
            raise ValueError("steps, or a skill and its provider, not both")
        if not self.steps and not (self.skill and self.provider):
            raise ValueError("a skill and its provider, or steps")
        return self

    def sequence(self) -> tuple[ArmarStep, ...]:
        """Return the steps, of which there is at least one."""
        if self.steps:
            return self.steps
        return (ArmarStep.model_construct(**{name: getattr(self, name) for name in ArmarStep.model_fields}),)


class ObjectSenses(Strict):
    """Settings of which of the memory's objects are reported.

    Attributes:
        classes: the class in the belief of a class of the memory (``Kitchen/cup: mug``). Others are left out.
        localised_within: seconds; a pose that is older is not reported.
        confidence: an object that the memory is less sure of is not reported.
        surfaces: furniture of the scene, for telling on what an object rests.
    """

    classes: Mapping[str, str] = Field(default_factory=dict)
    localised_within: Seconds = 2.0
    confidence: float = Field(default=0.3, ge=0, le=1)
    surfaces: tuple[SurfaceSettings, ...] = ()


class ArmarFile(Strict):
    """A robot file of ARMAR. The frame of the scene is ArmarX's global one, in metres.

    Attributes:
        driver: what drives the robot.
        robot: the robot's name.
        says: a sentence about it.
        hands: names of its hands.
        bridge: how the bridge is run.
        skills: by name; ``*`` is for every other one.
        look: what turns the head; what is seen comes from the memory.
        objects: what of the memory's objects is reported.
        stop: whether to abort every skill that was begun here, or to set the soft emergency stop as well.
        stands: measured standing poses.
        stand_off: metres from a place to where the robot stands, if no pose was measured for it.
    """

    driver: Literal["armarx"] = "armarx"
    robot: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    says: str = ""
    hands: tuple[str, ...] = ()
    bridge: BridgeSettings
    skills: Mapping[str, ArmarSkill] = Field(min_length=1)
    look: ArmarSkill | None = None
    objects: ObjectSenses = Field(default_factory=ObjectSenses)
    stop: Literal["abort", "emergency_stop"] = "abort"
    stands: tuple[StandEntry, ...] = ()
    stand_off: float = Field(default=0.8, ge=0, le=5)

    def entry(self, skill: str) -> ArmarSkill | None:
        """Return how a skill is carried out; None if the robot does not offer it."""
        return self.skills.get(skill) or self.skills.get("*")

    def order_context(self) -> OrderContext:
        """Return what references need of the file."""
        stands = tuple(Stand(stand.place, *stand.at) for stand in self.stands)
        return OrderContext("Global", stands, self.stand_off)


def load_armar_file(name: str) -> ArmarFile:
    """Read the robot file of that name (``armar``) or path.

    Raises:
        ConfigError: there is none, or it makes no sense; with file, line and what would be valid.
    """
    path, data = read_robot_file(name, "armarx")
    return validate(ArmarFile, data, path)


def converted(value: Any) -> Any:
    """Return a value whose references are replaced with its conversions carried out.

    ``{millimetres: 0.4}`` is 400.0, and each number of a point or a list likewise. ``{matrix: POSE}`` is the
    pose as 4 by 4 numbers, the position in millimetres, as ArmarX has poses.

    Raises:
        ValueError: something is to be converted that is no number, or no pose.
    """
    if isinstance(value, Mapping):
        if len(value) == 1 and next(iter(value)) in _CONVERSIONS:
            ((conversion, inner),) = value.items()
            return _millimetres(inner) if conversion == "millimetres" else {"float32": _matrix(inner)}
        return {key: converted(each) for key, each in value.items()}
    return [converted(each) for each in value] if isinstance(value, (list, tuple)) else value


def _millimetres(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _millimetres(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_millimetres(each) for each in value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"millimetres of {value!r}, which is no number of metres")
    return 1000.0 * value


def _matrix(pose: Any) -> Sequence[Sequence[float]]:
    try:
        position, q = pose["position"], pose["orientation"]
        x, y, z, w = (float(q[part]) for part in "xyzw")
        at = [1000.0 * float(position[axis]) for axis in "xyz"]
    except (TypeError, KeyError) as error:
        raise ValueError(f"a matrix of {pose!r}, which is no pose") from error
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), at[0]],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), at[1]],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), at[2]],
        [0.0, 0.0, 0.0, 1.0],
    ]
