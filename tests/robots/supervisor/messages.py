"""Messages of ROS as far as a supervisor reads them: objects with the same attributes."""

from types import SimpleNamespace as Message


def header(stamp=0.0, frame=""):
    seconds = int(stamp)
    return Message(stamp=Message(sec=seconds, nanosec=round((stamp - seconds) * 1e9)), frame_id=frame)


def vector(x=0.0, y=0.0, z=0.0):
    return Message(x=x, y=y, z=z)


def joints(stamp=0.0, **speeds):
    return Message(header=header(stamp), name=list(speeds), position=[], velocity=list(speeds.values()))


def wrench(force=(0.0, 0.0, 0.0), torque=(0.0, 0.0, 0.0), stamp=0.0):
    return Message(header=header(stamp), wrench=Message(force=vector(*force), torque=vector(*torque)))


def pose(x, y, z, stamp=0.0, frame="base_link"):
    return Message(header=header(stamp, frame), pose=Message(position=vector(x, y, z)))


def odometry(x, y, z, stamp=0.0, frame="base_link"):
    return Message(header=header(stamp, frame), pose=Message(pose=Message(position=vector(x, y, z))))


def people(*places, stamp=0.0, frame="base_link"):
    poses = [Message(position=vector(x, y)) for x, y in places]
    return Message(header=header(stamp, frame), poses=poses)


def detections(*boxes, stamp=0.0, frame="base_link"):
    """Detections of (class, x, y, size in x, size in y)."""
    found = [
        Message(
            results=[Message(hypothesis=Message(class_id=kind))],
            bbox=Message(center=Message(position=vector(x, y)), size=vector(wide, deep)),
        )
        for kind, x, y, wide, deep in boxes
    ]
    return Message(header=header(stamp, frame), detections=found)


def transform(parent, child, move=(0.0, 0.0, 0.0), turn=(0.0, 0.0, 0.0, 1.0), stamp=0.0):
    x, y, z, w = turn
    moved = Message(translation=vector(*move), rotation=Message(x=x, y=y, z=z, w=w))
    return Message(header=header(stamp, parent), child_frame_id=child, transform=moved)


def tf(*transforms):
    return Message(transforms=transforms)


def switch(on):
    return Message(data=on)


def joystick(*buttons, stamp=0.0):
    return Message(header=header(stamp), buttons=list(buttons))


NOTHING = Message()
