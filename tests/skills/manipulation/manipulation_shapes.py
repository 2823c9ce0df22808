"""Shapes for property tests."""

from math import hypot, pi

from hypothesis import strategies as st

from foretree.skills.manipulation.cuboids import Cuboid
from foretree.skills.manipulation.transforms import RigidTransform, rotation_about

NUMBERS = st.floats(-2, 2)
POINTS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
SIZES = st.tuples(*[st.floats(0.01, 2)] * 3)
ROTATIONS = st.builds(rotation_about, POINTS.filter(lambda v: hypot(*v) > 1e-3), st.floats(-pi, pi))
CUBOIDS = st.builds(Cuboid, st.builds(RigidTransform, POINTS, ROTATIONS), SIZES)
