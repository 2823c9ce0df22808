"""The example in the docstring of ``Robot``, run."""

from __future__ import annotations

import doctest

import foretree.skills.robot
from foretree.skills.robot import Robot


def test_the_example_of_a_robot_works():
    [example] = doctest.DocTestFinder(recurse=False).find(Robot, module=foretree.skills.robot)
    assert doctest.DocTestRunner().run(example).failed == 0
    assert len(example.examples) >= 5
