"""The executor that a robot file names for the skills of an arm that MoveIt plans for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import Any, TypeAlias

from foretree.config import ConfigError
from foretree.errors import suggest
from foretree.robots.moveit.arm import Arm, ChangeScene
from foretree.robots.moveit.handling import PourJob, let_go, pour, slide, turn_joint
from foretree.robots.moveit.move_group import MoveGroupArm, stop_all
from foretree.robots.moveit.moveit_file import ArmEntry, read_settings
from foretree.robots.moveit.picking import PickJob, PlaceJob, pick, place
from foretree.robots.moveit.routine import (
    HandState,
    MotionRoutine,
    RoutineExecution,
    RoutineStep,
    StepFailed,
    done,
)
from foretree.robots.moveit.scene.planning_scene import SceneSettings
from foretree.robots.moveit.scene.scene_keeper import SceneKeeper
from foretree.robots.ros.exchange import RosExchange
from foretree.robots.ros.robot_file import RobotFile
from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.grasps import GraspPlanner, GraspRequest
from foretree.skills.manipulation.hand_paths import away, back, slide_path
from foretree.skills.manipulation.placing import ArmReach, free_spot
from foretree.skills.manipulation.transforms import Vector, add
from foretree.skills.robot import Execution, Order, RobotError, Target
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import best_of

#: How far a thing is pushed or pulled unless the skill's parameters say it (metres).
_DISTANCE = 0.1
#: What is nearer to a thing than this matters for how it is gripped (metres).
_NEIGHBOURHOOD = 0.4

_Make: TypeAlias = Callable[["MoveItExecutor", Order, str], MotionRoutine]


class MoveItExecutor:
    """Carries out skills of an arm by MoveIt; see docs/moveit.md.

    Args:
        exchange: the exchange with ROS.
        file: the robot file.
        arms_by_hand: the arms, in place of those that the settings describe.
        settings: see :class:`~foretree.robots.moveit.moveit_file.MoveItFile`.

    Raises:
        ConfigError: the settings make no sense.
    """

    def __init__(
        self,
        exchange: RosExchange,
        file: RobotFile,
        *,
        arms_by_hand: Mapping[str, Arm] | None = None,
        **settings: Any,
    ) -> None:
        self._exchange = exchange
        self._robot = file
        self.settings = read_settings(settings, file.robot)
        self._grasps: GraspPlanner = _planner(self.settings.grasp_planner)
        self._arms = dict(arms_by_hand) if arms_by_hand is not None else self._configured()
        self.hands = {name: HandState() for name in self.settings.arms}
        scene = self.settings.scene
        self.keeper = SceneKeeper(
            SceneSettings(
                self.settings.sizes, scene.least_certainty, scene.octomap, scene.inflation, scene.radius,
                lambda: self.settings.base_at,
            ),
            self.hands,
        )  # fmt: skip
        self._known: dict[str, RoutineExecution] = {}

    def _configured(self) -> dict[str, Arm]:
        if self.settings.link == "moveit_py":
            from foretree.robots.moveit.moveit_py_link import moveit_py_arms

            return moveit_py_arms(self._exchange, self.settings, self._robot.frame)
        return {
            hand: MoveGroupArm(self._exchange, self.settings, hand, self._robot.frame)
            for hand in self.settings.arms
        }

    def watch(self, beliefs: Callable[[], Snapshot]) -> None:
        """Have the planning scene kept in step with the belief that *beliefs* returns."""
        self.keeper.watch(beliefs)

    def begin(self, order: Order, execution_id: str) -> Execution:
        """Begin to carry out *order*.

        Raises:
            RobotError: there is no such skill or hand.
        """
        make = _ROUTINES.get(order.skill)
        if make is None:
            raise RobotError(f"MoveIt carries out no {order.skill}. {suggest(order.skill, _ROUTINES)}")
        hand = order.hand or next(iter(self.settings.arms))
        if hand not in self._arms:
            raise RobotError(f"The settings of MoveIt have no hand {hand!r}. {suggest(hand, self._arms)}")
        if not self.keeper.is_watching:
            raise RobotError(
                "MoveIt was not told where to ask for what is believed, and would plan as if nothing stood "
                "around: call the robot's watch() first."
            )
        execution = RoutineExecution(
            execution_id,
            self._arms[hand],
            self._whole(make, order, hand),
            self.keeper.describe,
            self.keeper.note,
        )
        self._known[execution_id] = execution
        return execution

    def attach(self, execution_id: str) -> Execution | None:
        """Return an execution of this process; one from before a crash is not known: its steps are gone."""
        return self._known.get(execution_id)

    def stop(self) -> None:
        """Stop the arms and the hands, also of what was begun by a program that has crashed since."""
        stop_all(self._exchange, self.settings)
        for execution in self._known.values():
            execution.cancel()

    # -- routines ------------------------------------------------------------------------------------------
    def _whole(self, make: _Make, order: Order, hand: str) -> MotionRoutine:
        """The routine of an order, after a handle was let go of and the scene was brought up to date."""
        yield from let_go(self._arm(hand).hand.geometry, self.hands[hand])
        diff = self.keeper.due(self._reached_into(order))
        if diff:
            yield from done(RoutineStep("showing MoveIt what is believed", ChangeScene(diff)))
        yield from make(self, order, hand)

    def _reached_into(self, order: Order) -> frozenset[str]:
        """Return what an order reaches into: its box says nothing of its inside."""
        where, item = order.targets.get("place"), order.targets.get("item")
        if where is None or (name := self.keeper.name_of(where)) is None:
            return frozenset()
        box = self.keeper.box_of(where)
        if order.skill in ("open", "close", "place_in"):
            return frozenset({name})
        within = box is not None and item is not None and item.pose is not None and _holds(box, item.pose)
        return frozenset({name}) if within else frozenset()

    def _pick(self, order: Order, hand: str) -> MotionRoutine:
        state, arm = self.hands[hand], self._arm(hand)
        if state.held is not None:
            raise StepFailed("the hand holds something already")
        target = self._target(order, "item")
        item = self._box(target)
        name = self.keeper.name_of(target) or f"item of {hand}"
        scene = self.keeper.wanted(self._reached_into(order))
        support = self._support_of(item, order, scene.objects)
        near = {
            other: box
            for other, box in scene.objects.items()
            if other != name and box.top > item.bottom and item.grown(_NEIGHBOURHOOD).meets(box)
        }
        sideways = best_of(target.classes) in self.settings.from_side
        answer = self._grasps.plan(
            GraspRequest(
                item,
                arm.hand.geometry,
                best_of(target.classes),
                support,
                tuple(near.values()),
                ("side",) if sideways else ("top", "side"),
                self.settings.approach,
            )
        )
        job = PickJob(
            name, item, answer, tuple(near), name in scene.objects, self.settings.grasps, dict(arm.carry)
        )
        yield from pick(job, arm.hand.geometry, hand, state)

    def _place(self, order: Order, hand: str) -> MotionRoutine:
        state, arm = self.hands[hand], self._arm(hand)
        if state.held is None:
            raise StepFailed("it is not known how the hand holds it, so it cannot be put down")
        where = self._target(order, "place")
        scene = self.keeper.wanted(self._reached_into(order))
        if order.skill == "place_in":
            support = None if where.pose is None else self.settings.interior_at(where.pose)
            if support is None:
                raise StepFailed(
                    f"nothing is stated about the inside of the {best_of(where.classes)}: interiors has no "
                    "entry for where it stands"
                )
        else:
            support = self._box(where)
        own = self.keeper.name_of(where)
        taken = [box for name, box in scene.objects.items() if name != own]
        spot = free_spot(support, state.held.size, taken, self._reach(hand, where))
        if spot.item is None:
            raise StepFailed(spot.why)
        job = PlaceJob(spot.item, self.settings.approach, dict(arm.carry))
        yield from place(job, arm.hand.geometry, hand, state)

    def _turn(self, order: Order, hand: str) -> MotionRoutine:
        state = self.hands[hand]
        if state.held is not None:
            raise StepFailed("the hand holds something")
        where = self._target(order, "place")
        joint = None if where.pose is None else self.settings.articulation_at(where.pose)
        if joint is None:
            raise StepFailed(
                f"nothing is stated about how the {best_of(where.classes)} opens: furniture has no entry for "
                "where it stands"
            )
        geometry = self._arm(hand).hand.geometry
        yield from turn_joint(joint, order.skill == "open", geometry, state, self.settings.approach)

    def _pour(self, order: Order, hand: str) -> MotionRoutine:
        target = self._box(self._target(order, "target"))
        base = self._base(order.targets.get("place") or order.targets["target"])
        towards = away(target.centre, base) if base is not None else (1.0, 0.0, 0.0)
        settings = self.settings
        job = PourJob(target, towards, settings.tilt, settings.pour_height, settings.pour_time)
        yield from pour(job, self.hands[hand])

    def _slide(self, order: Order, hand: str) -> MotionRoutine:
        if self.hands[hand].held is not None:
            raise StepFailed("the hand holds something")
        target = self._target(order, "item")
        item = self._box(target)
        distance = float(str(order.parameters.get("distance", _DISTANCE)))
        base = self._base(order.targets.get("place") or target)
        said = order.parameters.get("direction")
        if isinstance(said, (list, tuple)) and len(said) == 2:
            direction = (float(said[0]), float(said[1]), 0.0)
        elif base is not None:
            direction = away(item.centre, base)
            direction = back(direction) if order.skill == "pull" else direction
        else:
            raise StepFailed("it is not known where the robot stands, nor is a direction stated")
        geometry = self._arm(hand).hand.geometry
        support = self._support_of(item, order, self.keeper.wanted().objects)
        path = slide_path(item, direction, distance, geometry, support, self.settings.approach)
        yield from slide(path, f"{order.skill}ing it")

    # -- what an order is about ----------------------------------------------------------------------------
    def _arm(self, hand: str) -> ArmEntry:
        return self.settings.arms[hand]

    def _target(self, order: Order, role: str) -> Target:
        if role not in order.targets:
            raise StepFailed(f"the order to {order.skill} has no {role}")
        return order.targets[role]

    def _box(self, target: Target) -> Cuboid:
        box = self.keeper.box_of(target)
        if box is None:
            kind = best_of(target.classes) or "thing"
            lacking = "where it is" if target.pose is None else "how large it is"
            raise StepFailed(
                f"of the {kind}, it is not known {lacking}: the belief has no box of it, and sizes has no "
                f"{kind}"
            )
        return box

    def _support_of(self, item: Cuboid, order: Order, objects: Mapping[str, Cuboid]) -> float | None:
        """The height of what a thing stands on: of what is right below it, or of its place."""
        middle = (item.centre[0], item.centre[1])
        below = [
            box.top
            for box in objects.values()
            if box.top <= item.centre[2] and _holds(box, (*middle, box.centre[2]))
        ]
        return max(below, default=None)

    def _base(self, at: Target) -> Vector | None:
        if self.settings.base_at is not None:
            return self.settings.base_at
        if at.pose is None:
            return None
        for stand in self._robot.stands:
            if abs(stand.place[0] - at.pose[0]) < 0.3 and abs(stand.place[1] - at.pose[1]) < 0.3:
                return (stand.at[0], stand.at[1], 0.0)
        return None

    def _reach(self, hand: str, at: Target) -> ArmReach | None:
        base = self._base(at)
        arm = self._arm(hand)
        return None if base is None else ArmReach(add(base, arm.shoulder), arm.reach)


def _planner(name: str) -> GraspPlanner:
    try:
        planner: GraspPlanner = resolve_name(name)()
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ConfigError(
            f"grasp_planner: {name} cannot be made: {error}. It is named as package.module:Class, and is "
            "made without arguments."
        ) from error
    return planner


def _holds(box: Cuboid, point: Vector) -> bool:
    inside = box.pose.inverse.of(point)
    return all(abs(at) <= side / 2 for at, side in zip(inside, box.size, strict=True))


_ROUTINES: Mapping[str, _Make] = {
    "pick": MoveItExecutor._pick,
    "place_on": MoveItExecutor._place,
    "place_in": MoveItExecutor._place,
    "open": MoveItExecutor._turn,
    "close": MoveItExecutor._turn,
    "pour": MoveItExecutor._pour,
    "push": MoveItExecutor._slide,
    "pull": MoveItExecutor._slide,
}
