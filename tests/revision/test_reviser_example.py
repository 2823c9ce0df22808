"""The example in the docstring of :class:`~foretree.revision.revision.Reviser`."""

from __future__ import annotations

import doctest
from dataclasses import replace

import pytest
from at_home import AtHome

import foretree.revision.revision
from foretree.revision.revision import NoRevisionError, Reviser


def the_reviser() -> Reviser:
    [example] = doctest.DocTestFinder(recurse=False).find(Reviser, module=foretree.revision.revision)
    runner = doctest.DocTestRunner()
    runner.run(example, clear_globs=False)
    assert runner.failures == 0
    assert runner.tries
    return example.globs["SkipFirst"]()


def test_it_skips_what_is_not_needed():
    home = AtHome()
    home.believe("on mango1 table2", "robot_at robot1 table1")
    request = home.situation("(on mango1 table2)", "move robot1 table1 table2")
    revision = the_reviser().propose(request)
    assert revision.actions == ()
    assert revision.why == "move(robot1, table1, table2) is not needed."
    with pytest.raises(NoRevisionError, match="it does not reach the goal"):
        the_reviser().propose(replace(request, goal=home.situation("(on mango1 table1)").goal))
