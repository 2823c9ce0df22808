"""The planning scene as it was last shown to MoveIt, and what has to be shown to bring it up to date."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from foretree.robots.moveit.arm import ChangeScene, MotionEnd
from foretree.robots.moveit.picking import CONTACT
from foretree.robots.moveit.routine import HandState, RoutineStep
from foretree.robots.moveit.scene.planning_scene import SceneSettings, scene_of
from foretree.robots.moveit.scene.scene_objects import (
    AttachedObject,
    SceneDiff,
    SceneObjects,
    applied,
    difference,
)
from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.robot import Target
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import best_of


class SceneKeeper:
    """Keeps the planning scene in step with the belief.

    Args:
        settings: how the scene is made.
        hands: what is known of each hand.
    """

    def __init__(self, settings: SceneSettings, hands: Mapping[str, HandState]) -> None:
        self._settings = settings
        self._hands = hands
        self._beliefs: Callable[[], Snapshot] | None = None
        self._shown = SceneObjects()

    def watch(self, beliefs: Callable[[], Snapshot]) -> None:
        """Have the scene made of the belief that *beliefs* returns."""
        self._beliefs = beliefs

    @property
    def is_watching(self) -> bool:
        """True once it is known where to ask for what is believed."""
        return self._beliefs is not None

    def wanted(self, leave_out: frozenset[str] = frozenset()) -> SceneObjects:
        """Return the scene that the belief describes now."""
        held = {
            state.held.name: AttachedObject(
                state.held.tool.inverse, Cuboid(state.held.tool, state.held.size).grown(-CONTACT).size, hand
            )
            for hand, state in self._hands.items()
            if state.held is not None
        }
        if self._beliefs is None:
            return SceneObjects({}, held)
        return scene_of(self._beliefs(), self._settings, held, leave_out)

    def due(self, leave_out: frozenset[str] = frozenset()) -> SceneDiff:
        """Return what has to be shown."""
        return difference(self._shown, self.wanted(leave_out))

    def note(self, step: RoutineStep, end: MotionEnd) -> None:
        """Take note of what was shown."""
        if isinstance(step.request, ChangeScene) and end.outcome == "done":
            self._shown = applied(self._shown, step.request.diff)

    # -- names, which robots have none of ------------------------------------------------------------------
    def name_of(self, target: Target) -> str | None:
        """Return the id of what an order is aimed at; None if the belief has no such thing."""
        if self._beliefs is None or target.pose is None:
            return None
        for name, entity in self._beliefs().entities().items():
            if entity.pose == target.pose and entity.best_class == best_of(target.classes):
                return name
        return None

    def describe(self, name: str) -> Target | None:
        """Return what an object of the scene is, as a robot tells of things; None if that is not known."""
        if self._beliefs is not None and (entity := self._beliefs().entity(name)) is not None:
            return Target(entity.classes, entity.pose, entity.features, extent=entity.extent)
        box = self._shown.objects.get(name)
        return None if box is None else Target({}, box.centre)

    def box_of(self, target: Target) -> Cuboid | None:
        """Return the box around what an order is aimed at; None if its size is not known."""
        if target.extent is not None:
            return Cuboid.of(target.extent)
        size = self._settings.sizes.get(best_of(target.classes))
        return None if target.pose is None or size is None else Cuboid.upright(target.pose, size)
