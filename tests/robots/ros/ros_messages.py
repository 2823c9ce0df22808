"""Messages by the real definitions of ROS, sent and received: packed as CDR and unpacked again."""

from __future__ import annotations

from typing import Any

import numpy as np
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

#: Definitions that no ROS distribution has in its core (vision_msgs 4, map_msgs 2).
DEFINITIONS = {
    "vision_msgs/msg/Point2D": "float64 x\nfloat64 y",
    "vision_msgs/msg/Pose2D": "vision_msgs/Point2D position\nfloat64 theta",
    "vision_msgs/msg/BoundingBox2D": "vision_msgs/Pose2D center\nfloat64 size_x\nfloat64 size_y",
    "vision_msgs/msg/BoundingBox3D": "geometry_msgs/Pose center\ngeometry_msgs/Vector3 size",
    "vision_msgs/msg/ObjectHypothesis": "string class_id\nfloat64 score",
    "vision_msgs/msg/ObjectHypothesisWithPose": "ObjectHypothesis hypothesis\ngeometry_msgs/PoseWithCovariance pose",
    "vision_msgs/msg/Detection2D": "std_msgs/Header header\nObjectHypothesisWithPose[] results\nBoundingBox2D bbox\nstring id",
    "vision_msgs/msg/Detection3D": "std_msgs/Header header\nObjectHypothesisWithPose[] results\nBoundingBox3D bbox\nstring id",
    "vision_msgs/msg/Detection2DArray": "std_msgs/Header header\nDetection2D[] detections",
    "vision_msgs/msg/Detection3DArray": "std_msgs/Header header\nDetection3D[] detections",
    "map_msgs/msg/OccupancyGridUpdate": "std_msgs/Header header\nint32 x\nint32 y\nuint32 width\nuint32 height\nint8[] data",
}

STORE = get_typestore(Stores.ROS2_JAZZY)
for _name, _definition in DEFINITIONS.items():
    STORE.register(get_types_from_msg(_definition, _name))

NANO = 1_000_000_000
#: ROS time at which the sessions of these tests begin.
ZERO = 1_700_000_000 * NANO


def make(kind: str, **fields: Any) -> Any:
    return STORE.types[kind](**fields)


def packed(message: Any) -> bytes:
    return bytes(STORE.serialize_cdr(message, message.__msgtype__))


def sent(message: Any) -> Any:
    """The message as it arrives."""
    return STORE.deserialize_cdr(packed(message), message.__msgtype__)


def stamp(time: float | None) -> Any:
    at = 0 if time is None else ZERO + round(time * NANO)
    return make("builtin_interfaces/msg/Time", sec=at // NANO, nanosec=at % NANO)


def header(time: float | None = 0.0, frame: str = "camera") -> Any:
    return make("std_msgs/msg/Header", stamp=stamp(time), frame_id=frame)


def point(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Any:
    return make("geometry_msgs/msg/Point", x=x, y=y, z=z)


def quaternion(x: float = 0.0, y: float = 0.0, z: float = 0.0, w: float = 1.0) -> Any:
    return make("geometry_msgs/msg/Quaternion", x=x, y=y, z=z, w=w)


def pose(x: float = 0.0, y: float = 0.0, z: float = 0.0, turn: Any = None) -> Any:
    return make("geometry_msgs/msg/Pose", position=point(x, y, z), orientation=turn or quaternion())


def with_covariance(plain: Any, variance: float = 0.0) -> Any:
    covariance = np.zeros(36)
    covariance[[0, 7]] = variance
    return make("geometry_msgs/msg/PoseWithCovariance", pose=plain, covariance=covariance)


def image(
    pixels: np.ndarray,
    encoding: str,
    time: float = 0.0,
    padding: int = 0,
    big: bool = False,
    frame: str = "camera",
) -> Any:
    """An image of rows of pixels; each row is followed by so many bytes of rubbish."""
    pixels = pixels.astype(pixels.dtype.newbyteorder(">" if big else "<"))
    height, width = pixels.shape[:2]
    rows = np.frombuffer(pixels.tobytes(), dtype=np.uint8).reshape(height, -1)
    rows = np.concatenate((rows, np.full((height, padding), 0xAB, dtype=np.uint8)), axis=1)
    return sent(
        make(
            "sensor_msgs/msg/Image",
            header=header(time, frame),
            height=height,
            width=width,
            encoding=encoding,
            is_bigendian=int(big),
            step=rows.shape[1],
            data=rows.reshape(-1),
        )
    )


def camera_info(
    width: int = 64,
    height: int = 48,
    focal: float = 60.0,
    time: float = 0.0,
    frame: str = "camera",
    model: str = "plumb_bob",
    distortion: tuple[float, ...] = (),
    binning: int = 0,
    k: tuple[float, ...] = (),
) -> Any:
    k = k or (focal, 0.0, (width - 1) / 2, 0.0, focal, (height - 1) / 2, 0.0, 0.0, 1.0)
    return sent(
        make(
            "sensor_msgs/msg/CameraInfo",
            header=header(time, frame),
            height=height,
            width=width,
            distortion_model=model,
            d=np.array(distortion, dtype=np.float64),
            k=np.array(k, dtype=np.float64),
            r=np.eye(3).reshape(-1),
            p=np.zeros(12),
            binning_x=binning,
            binning_y=binning,
            roi=make(
                "sensor_msgs/msg/RegionOfInterest",
                x_offset=0,
                y_offset=0,
                height=0,
                width=0,
                do_rectify=False,
            ),
        )
    )


def _results(scores: dict[str, float]) -> list[Any]:
    return [
        make(
            "vision_msgs/msg/ObjectHypothesisWithPose",
            hypothesis=make("vision_msgs/msg/ObjectHypothesis", class_id=name, score=score),
            pose=with_covariance(pose()),
        )
        for name, score in scores.items()
    ]


def detection_3d(
    scores: dict[str, float], at: Any, size: tuple[float, float, float] = (0.1, 0.1, 0.1), frame: str = ""
) -> Any:
    box = make(
        "vision_msgs/msg/BoundingBox3D",
        center=at,
        size=make("geometry_msgs/msg/Vector3", **dict(zip("xyz", size, strict=True))),
    )
    return make(
        "vision_msgs/msg/Detection3D", header=header(None, frame), results=_results(scores), bbox=box, id=""
    )


def detection_2d(
    scores: dict[str, float], at: tuple[float, float], size: tuple[float, float], theta: float = 0.0
) -> Any:
    middle = make(
        "vision_msgs/msg/Pose2D", position=make("vision_msgs/msg/Point2D", x=at[0], y=at[1]), theta=theta
    )
    box = make("vision_msgs/msg/BoundingBox2D", center=middle, size_x=size[0], size_y=size[1])
    return make(
        "vision_msgs/msg/Detection2D", header=header(None, ""), results=_results(scores), bbox=box, id=""
    )


def detections(*found: Any, time: float = 0.0, frame: str = "camera", flat: bool = False) -> Any:
    kind = "vision_msgs/msg/Detection2DArray" if flat else "vision_msgs/msg/Detection3DArray"
    return sent(make(kind, header=header(time, frame), detections=list(found)))


def joint_state(
    names: list[str],
    position: list[float],
    velocity: list[float] = (),
    effort: list[float] = (),
    time: float = 0.0,
) -> Any:
    parts = {"position": position, "velocity": velocity, "effort": effort}
    return sent(
        make(
            "sensor_msgs/msg/JointState",
            header=header(time, ""),
            name=names,
            **{part: np.array(values, dtype=np.float64) for part, values in parts.items()},
        )
    )


def amcl_pose(
    x: float, y: float, time: float = 0.0, variance: float = 0.0, frame: str = "map", turn: Any = None
) -> Any:
    return sent(
        make(
            "geometry_msgs/msg/PoseWithCovarianceStamped",
            header=header(time, frame),
            pose=with_covariance(pose(x, y, turn=turn), variance),
        )
    )


def odometry(x: float, y: float, time: float = 0.0, frame: str = "odom") -> Any:
    zero = make("geometry_msgs/msg/Vector3", x=0.0, y=0.0, z=0.0)
    twist = make("geometry_msgs/msg/Twist", linear=zero, angular=zero)
    return sent(
        make(
            "nav_msgs/msg/Odometry",
            header=header(time, frame),
            child_frame_id="base_link",
            pose=with_covariance(pose(x, y)),
            twist=make("geometry_msgs/msg/TwistWithCovariance", twist=twist, covariance=np.zeros(36)),
        )
    )


def grid(
    values: np.ndarray, resolution: float = 0.1, origin: Any = None, time: float = 0.0, frame: str = "map"
) -> Any:
    """A grid of rows along y of values along x."""
    height, width = values.shape
    info = make(
        "nav_msgs/msg/MapMetaData",
        map_load_time=stamp(None),
        resolution=resolution,
        width=width,
        height=height,
        origin=origin or pose(),
    )
    data = values.astype(np.int8).reshape(-1)
    return sent(make("nav_msgs/msg/OccupancyGrid", header=header(time, frame), info=info, data=data))


def grid_update(values: np.ndarray, x: int, y: int, time: float = 0.0) -> Any:
    height, width = values.shape
    data = values.astype(np.int8).reshape(-1)
    return sent(
        make(
            "map_msgs/msg/OccupancyGridUpdate",
            header=header(time, "map"),
            x=x,
            y=y,
            width=width,
            height=height,
            data=data,
        )
    )
