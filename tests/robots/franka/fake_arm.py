"""An arm that a test plays: motions take some polls, and end as the test says."""

from __future__ import annotations

from dataclasses import replace

from foretree.robots.franka.driver import ArmState, ContactLostError, MotionFailedError

DOWN = (1.0, 0.0, 0.0, 0.0)


class PlayedArm:
    """Implements ``FrankaDriver``; notes what it is told. Motions end after *takes* polls."""

    def __init__(self, takes=2):
        self.takes = takes
        self.now = ArmState((0.4, 0.0, 0.5), DOWN, 0.08, False)
        self.told: list[tuple] = []
        self.stops = 0
        self.connections = 0
        self.recovered = 0
        self.reachable = True
        self.hangs = False  # motions never end by themselves
        self.breaks_off = ""  # the next motion ends like this
        self.refuses = ""  # the next motion does not begin
        self.grasp_answer = True
        self.grasp_width = None  # the width that is found, if not the expected one
        self._left = 0
        self._target: ArmState | None = None
        self._fingers: tuple[bool, ArmState] | None = None
        self._halted = False

    def _reach(self):
        if not self.reachable:
            raise ContactLostError("The arm does not answer.")

    def connect(self):
        self._reach()
        self.connections += 1
        self._target = self._fingers = None

    def state(self):
        self._reach()
        return self.now

    def _begin(self, told):
        self._reach()
        if self.refuses:
            why, self.refuses = self.refuses, ""
            raise MotionFailedError(why)
        self.told.append(told)
        self._left, self._halted = self.takes, False

    def move_joints(self, joints):
        self._begin(("joints", joints))
        self._target = self.now

    def move_straight(self, position, orientation):
        self._begin(("straight", position, orientation))
        self._target = replace(self.now, position=position, orientation=orientation)

    def is_moving(self):
        self._reach()
        if self._target is None:
            return False
        if self._halted or self.breaks_off:
            self._target, why, self.breaks_off = None, self.breaks_off, ""
            raise MotionFailedError(why or "ControlException: preempted")
        self._left -= 1
        if self.hangs or self._left > 0:
            return True
        self.now, self._target = self._target, None
        return False

    def move_fingers(self, width):
        self._begin(("fingers", width))
        self._fingers = True, replace(self.now, width=width, grasped=False)

    def grasp(self, width):
        self._begin(("grasp", width))
        found = self.grasp_width if self.grasp_width is not None else width
        held = replace(self.now, width=found if self.grasp_answer else 0.0, grasped=self.grasp_answer)
        self._fingers = self.grasp_answer, held

    def home_fingers(self):
        self._begin(("home",))
        self._fingers = True, self.now

    def fingers_done(self):
        self._reach()
        if self._fingers is None:
            return True
        if self._halted:
            self._fingers = None
            return False
        self._left -= 1
        if self.hangs or self._left > 0:
            return None
        answer, self.now = self._fingers
        self._fingers = None
        return answer

    def recover(self):
        self.recovered += 1
        self.now = replace(self.now, mode="Idle", errors=())

    def stop(self):
        self._reach()
        self.stops += 1
        self._halted = True
