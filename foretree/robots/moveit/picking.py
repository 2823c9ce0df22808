"""Routines that pick things up and put them down."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from foretree.robots.moveit.arm import ChangeScene, GripTo, MotionEnd, Straight, ToJoints, ToPose
from foretree.robots.moveit.error_codes import OF_PLANNING, MotionProblem
from foretree.robots.moveit.routine import (
    HandState,
    Held,
    MotionRoutine,
    RoutineStep,
    StepFailed,
    done,
    grip_thing,
)
from foretree.robots.moveit.scene.scene_objects import AttachedObject, SceneDiff
from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.grasps import Grasp, GraspAnswer
from foretree.skills.manipulation.hand import HandGeometry
from foretree.skills.manipulation.transforms import UP, RigidTransform, scaled

#: What a hand holds is this much smaller in the planning scene on each side (metres): it touches what it
#: stands on, and would be in collision with it.
CONTACT = 0.005


@dataclass(frozen=True)
class PickJob:
    """Requirements of picking.

    Attributes:
        name: the thing's id in the planning scene.
        item: its box.
        answer: grasps, the best first.
        obstacles: ids of the obstacles by the numbers of the answer.
        in_scene: whether the thing is an object of the planning scene.
        tries: how many grasps are tried.
        carry: a posture for afterwards; none if empty.
    """

    name: str
    item: Cuboid
    answer: GraspAnswer
    obstacles: Sequence[str] = ()
    in_scene: bool = True
    tries: int = 6
    carry: dict[str, float] = field(default_factory=dict)


def pick(job: PickJob, hand: HandGeometry, hand_name: str, state: HandState) -> MotionRoutine:
    """Take a thing: open, reach, close, make sure that it is held, lift, and make sure once more."""
    if not job.answer.grasps:
        blocked = job.answer.blocked_by
        obstacle = job.obstacles[blocked[0]] if blocked else ""
        raise StepFailed(f"it cannot be gripped: {job.answer.why}", obstacle=obstacle)
    yield from done(RoutineStep("opening the hand", GripTo(hand.max_opening)))
    grasp = yield from _before_one_of(job)
    if grasp.opening < hand.max_opening:
        yield from done(RoutineStep("opening the hand as far as it takes", GripTo(grasp.opening)))
    if job.in_scene:
        # On its last, straight way the hand has the thing between its fingers.
        yield from done(RoutineStep("taking it out of the scene", ChangeScene(SceneDiff(remove=(job.name,)))))
    yield from done(RoutineStep("reaching for it", Straight((grasp.tool,)), touches=True))
    hold = GripTo(grasp.width, holds=True, tolerance=hand.tolerance)
    try:
        width = yield from grip_thing(hold, "gripping it")
    except StepFailed as failed:
        yield from _withdraw(grasp, hand)
        raise failed
    in_hand = grasp.tool.inverse @ job.item.pose
    state.held = Held(job.item.size, in_hand.inverse, width, job.name)
    shown = AttachedObject(in_hand, job.item.grown(-CONTACT).size, hand_name)
    yield from done(RoutineStep("taking it along", ChangeScene(SceneDiff(attach={job.name: shown}))))
    yield from done(RoutineStep("lifting it", Straight((grasp.lifted,))))
    try:
        yield from grip_thing(
            GripTo(width, holds=True, tolerance=hand.tolerance), "making sure that it is held"
        )
    except StepFailed:
        state.held = None
        yield RoutineStep(
            "leaving it", ChangeScene(SceneDiff(detach={job.name: hand_name}, remove=(job.name,)))
        )
        raise
    if job.carry:
        yield from done(RoutineStep("taking it close", ToJoints(job.carry)))


def _before_one_of(job: PickJob) -> Generator[RoutineStep, MotionEnd, Grasp]:
    """Go before one of the grasps, the best that can be reached; each is tried either way round."""
    ends: list[MotionEnd] = []
    tried = [one for grasp in job.answer.grasps for one in (grasp, grasp.turned)][: job.tries]
    for grasp in tried:
        end = yield RoutineStep("going before it", ToPose(grasp.before))
        if end.outcome == "done":
            return grasp
        ends.append(end)
        if end.moved or end.problem not in OF_PLANNING:
            break  # it is no matter of the grasp
        if end.problem is MotionProblem.COLLISION_AT_START:
            break
    raise summed_up("going before it", ends)


def summed_up(does: str, ends: Sequence[MotionEnd]) -> StepFailed:
    """Return the failure of several tries: what is in the way of one says more than the others' ends."""
    blocked = next((end for end in ends if end.obstacle), None)
    told = blocked or ends[-1]
    reachable = any(end.problem is not MotionProblem.OUT_OF_REACH for end in ends)
    says = told.says if len(ends) == 1 else f"{told.says}; {len(ends)} grasps were tried"
    return StepFailed(f"{does}: {says}", told if reachable else ends[0], out_of_reach=not reachable)


def _withdraw(grasp: Grasp, hand: HandGeometry) -> MotionRoutine:
    """Open the fingers and go back, as far as that goes."""
    end = yield RoutineStep("letting go", GripTo(hand.max_opening))
    if end.outcome == "done":
        yield RoutineStep("going back", Straight((grasp.before,)))


@dataclass(frozen=True)
class PlaceJob:
    """Requirements of putting a thing down.

    Attributes:
        spot: the pose of its middle where it goes.
        lift: how far above that the straight way down begins (metres).
        carry: a posture for afterwards; none if empty.
        seen_as: returns the box that the thing is shown as where it was put.
    """

    spot: RigidTransform
    lift: float
    carry: dict[str, float] = field(default_factory=dict)


def place(job: PlaceJob, hand: HandGeometry, hand_name: str, state: HandState) -> MotionRoutine:
    """Put a held thing down: above its spot, straight down, open, straight back."""
    held = state.held
    if held is None:
        raise StepFailed("it is not known how the hand holds it, so it cannot be put down")
    tool = job.spot @ held.tool
    yield from done(RoutineStep("going above the spot", ToPose(tool.moved(UP, job.lift))))
    yield from done(RoutineStep("setting it down", Straight((tool,))))
    opening = min(hand.max_opening, held.width + 2 * hand.tolerance)

    def lets_go() -> None:
        state.held = None

    end = yield RoutineStep("letting go", GripTo(opening), touches=True, begun=lets_go)
    if end.outcome != "done":
        if end.outcome == "failed" and not end.moved:
            state.held = held
        raise StepFailed(f"letting go: {end.says}", end)
    yield from done(
        RoutineStep("leaving it", ChangeScene(SceneDiff(detach={held.name: hand_name}, remove=(held.name,))))
    )
    back = tool.moved(scaled(tool.axes[2], -1.0), job.lift)
    yield from done(RoutineStep("going back", Straight((back,))))
    box = Cuboid(job.spot, held.size)
    yield from done(RoutineStep("showing it there", ChangeScene(SceneDiff(add={held.name: box}))))
    if job.carry:
        yield from done(RoutineStep("moving away", ToJoints(job.carry)))
