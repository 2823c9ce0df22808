"""Camera messages that belong together become an observation, once the camera's pose is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import dist
from typing import Any, Protocol

from foretree.robots.ros.senses.camera import CameraError, Pinhole
from foretree.robots.ros.senses.detections import Detected, detections_2d, detections_3d
from foretree.robots.ros.senses.images import ColourImage, DepthImage, ViewImage, colour_image, depth_image
from foretree.robots.ros.senses.settings import CameraSettings, DetectionSettings, SenseSettings
from foretree.robots.ros.senses.transforms import FreshTransforms, RigidPose, TransformError
from foretree.robots.ros.senses.view import CameraView, covered_surfaces, resting_on, surface_detection
from foretree.robots.ros.stamps import nanoseconds
from foretree.world_model.beliefs.facts import Hand
from foretree.world_model.observation import Detection, Observation

#: What is detected so near to the middle of a gripper is what that holds (metres).
_IN_HAND = 0.12

#: The messages of one set by stream: ``detections``, ``image``, ``depth``, ``info``.
Messages = Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class RgbdFrame:
    """A colour image with what belongs to it, for eyes that detect things in it.

    Attributes:
        colours: its pixels.
        depth: a depth for each of its pixels; None without a depth camera.
        camera: the camera; None without camera info.
        pose: the camera's pose on the map.
        time: when it was taken, on the session's clock.
        source: ``look`` when it was asked for, ``view`` when it came by the way.
    """

    colours: ColourImage
    depth: DepthImage | None
    camera: Pinhole | None
    pose: RigidPose
    time: float
    source: str


class FrameEyes(Protocol):
    """Eyes that detect things in colour images. They may take long, and have a thread of their own."""

    def see(self, frame: RgbdFrame) -> Observation:
        """Return what a frame shows."""


class Sight:
    """Makes observations of sets of camera messages.

    Args:
        robot: the robot's name.
        frame: the map's frame.
        settings: the camera, the detections, and surfaces that are known.
        transforms: transforms that are recent enough.
        holds: by hand, whether it holds something.
    """

    def __init__(
        self,
        robot: str,
        frame: str,
        settings: SenseSettings,
        transforms: FreshTransforms,
        holds: Callable[[], Mapping[str, bool]],
    ) -> None:
        self._robot = robot
        self._frame = frame
        self._settings = settings
        self._camera = settings.camera or CameraSettings()
        self._transforms = transforms
        self._holds = holds
        self._looks = 0

    def observation(
        self, messages: Messages, time: float, source: str
    ) -> tuple[Observation, tuple[str, ...]]:
        """Return what detections show, and why some of them cannot be used.

        Raises:
            TransformError: the camera's pose at that time is not known.
            ImageError, CameraError: an image or a camera info cannot be used.
        """
        settings = self._settings.detections
        assert settings is not None
        message = messages["detections"]
        at = nanoseconds(message.header.stamp)
        view = self._view(messages, at, settings)
        detected = self._detected(message, view, at, settings)
        self._looks += 1
        surfaces = self._settings.surfaces
        supports, covered = covered_surfaces(view, surfaces) if view else ([], [])
        furniture = {surface.class_ for surface in surfaces}  # the map knows better where that is
        things = [
            replace(one, rests=resting_on(one.extent, surfaces))
            for one in detected.detections
            if one.extent is not None and not furniture & set(one.classes)
        ]
        seen = {one.id for one in supports}
        bearing = {one.rests[1] for one in things if one.rests is not None} - seen
        supports += [one for one in map(surface_detection, surfaces) if one.id in bearing]
        observation = Observation(
            time,
            source,
            (*supports, *things),
            tuple(covered),
            held=self._held(things, at),
            viewpoint=view.viewpoint if view else "",
            shows=view.shows if view else None,
            image=self._image(messages, detected),
        )
        return self._renamed(observation), detected.refused

    def rgbd_frame(self, messages: Messages, time: float, source: str) -> RgbdFrame:
        """Return a colour image with what belongs to it.

        Raises:
            TransformError: the camera's pose at that time is not known.
            ImageError, CameraError: an image or a camera info cannot be used.
        """
        message = messages["image"]
        colours = colour_image(message)
        camera, depth = self._depth(messages)
        if depth is not None and depth.shape != colours.shape[:2]:
            raise CameraError(
                f"depth of {depth.shape[1]} x {depth.shape[0]} pixels with a colour image of "
                f"{colours.shape[1]} x {colours.shape[0]}: depth has to be registered to the colour image"
            )
        frame = self._camera.frame or str(message.header.frame_id)
        pose = self._transforms.lookup(self._frame, frame, nanoseconds(message.header.stamp)).pose
        return RgbdFrame(colours, depth, camera, pose, time, source)

    def _depth(self, messages: Messages) -> tuple[Pinhole | None, DepthImage | None]:
        camera = Pinhole.of(messages["info"]) if "info" in messages else None
        depth = depth_image(messages["depth"]) if "depth" in messages else None
        if camera is not None and depth is not None and not camera.fits(depth):
            raise CameraError(
                f"depth of {depth.shape[1]} x {depth.shape[0]} pixels, but the camera info says "
                f"{camera.width} x {camera.height}"
            )
        return camera, depth

    def _view(self, messages: Messages, at: int, settings: DetectionSettings) -> CameraView | None:
        camera, depth = self._depth(messages)
        if camera is None or depth is None:
            return None
        frame = self._camera.frame or str(messages["info"].header.frame_id)
        pose = self._transforms.lookup(self._frame, frame, at).pose
        return CameraView(camera, pose, depth, self._camera.near, self._camera.far, settings.found)

    def _detected(
        self, message: Any, view: CameraView | None, at: int, settings: DetectionSettings
    ) -> Detected:
        if settings.type.endswith("3DArray"):
            found = self._transforms.lookup(self._frame, str(message.header.frame_id), at)
            return detections_3d(message, found.pose, settings)
        assert view is not None
        return detections_2d(message, view, settings, self._settings.surfaces)

    def _held(self, things: list[Detection], at: int) -> dict[str, tuple[Hand, ...]]:
        """Return what is detected between the fingers of hands that hold something."""
        held: dict[str, tuple[Hand, ...]] = {}
        for hand, gripper in self._settings.grippers.items():
            if not gripper.frame or not self._holds().get(hand):
                continue
            try:
                middle = self._transforms.lookup(self._frame, gripper.frame, at).pose.position
            except TransformError as error:
                if error.may_come:
                    raise
                continue
            nearest = min(things, key=lambda one: (dist(one.pose, middle), one.id), default=None)
            if nearest is not None and dist(nearest.pose, middle) <= _IN_HAND:
                held[nearest.id] = (*held.get(nearest.id, ()), (self._robot, hand))
        return held

    def _image(self, messages: Messages, detected: Detected) -> ViewImage | None:
        if "image" not in messages:
            return None
        boxes = {f"l{self._looks}{name}": box for name, box in detected.boxes.items()}
        return ViewImage(colour_image(messages["image"]), boxes, self._camera.frame or "camera")

    def _renamed(self, observation: Observation) -> Observation:
        """The observation with ids that no other look has."""
        look = f"l{self._looks}"
        detections = tuple(
            replace(
                one,
                id=look + one.id,
                rests=None if one.rests is None else (one.rests[0], look + one.rests[1]),
            )
            for one in observation.detections
        )
        covered = tuple(replace(one, support=look + one.support) for one in observation.covered)
        held = {look + name: hands for name, hands in observation.held.items()}
        return replace(observation, detections=detections, covered=covered, held=held)
