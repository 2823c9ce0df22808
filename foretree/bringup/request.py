"""The request that a session is opened from: which world, what is asked for, and with which options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from foretree.behaviours.understand import Understand
from foretree.bringup._recorders import RecorderRelay
from foretree.bringup.embedded import open_household, open_pddl, plan_household
from foretree.bringup.options import Options, Wish
from foretree.clock import Clock
from foretree.errors import takes_extra
from foretree.printable import counted
from foretree.reasoning.reasoner import DeferringReasoner
from foretree.runs.events import Recorder
from foretree.skills.executors import find_executor
from foretree.trees.session import Session

if TYPE_CHECKING:
    from foretree.bringup.homes import HomeWorld
    from foretree.simulation.household.world import HouseholdWorld
    from foretree.simulation.pddl_world.world import PddlWorld

#: A world that a session can run in.
World: TypeAlias = "HouseholdWorld | PddlWorld | HomeWorld"

#: Settings of weaker agents that a run is compared with, the stronger one first, by what it is called.
BASELINES = {
    "with replanning after failures only": {"guards": "none", "revisers": "planner"},
    "with neither guards nor replanning": {"guards": "none", "revisers": "none"},
}


@dataclass(frozen=True)
class Request:
    """All that a session in an embedded world is opened from; opens as many as are wanted.

    Attributes:
        wish: what is asked for.
        scene: the scene's name, or the path of its file.
        options: how it is set up.
        domain, problem: a PDDL task instead.
        home: the layout of a grid home instead, ``l_kitchen/3``.
        learns: whether later runs in homes know what this one has found out.
    """

    wish: Wish
    scene: str = "kitchen"
    options: Options = field(default_factory=Options)
    domain: Path | None = None
    problem: Path | None = None
    home: str = ""
    learns: bool = False

    def open(self, recorder: Recorder | None = None, clock: Clock | None = None) -> tuple[Session, World]:
        """Return a session that is ready to run, and its world.

        Raises:
            ForetreeError: a file, a setting, a fault or the goal makes no sense.
        """
        if self.domain is not None and self.problem is not None:
            return open_pddl(
                self.domain, self.problem, self.options, wish=self.wish, recorder=recorder, clock=clock
            )
        if self.home:
            with takes_extra("homes", "Grid homes"):
                from foretree.bringup.homes import open_named_home

            return open_named_home(
                self.home, self.wish, self.options, recorder=recorder, clock=clock, learns=self.learns
            )
        return open_household(self.scene, self.wish, self.options, recorder=recorder, clock=clock)

    def open_to_plan(self) -> Session:
        """Return a session to plan for, not to run: a scene in which nothing is to go wrong needs no world.

        Raises:
            ForetreeError: as :meth:`open` does.
        """
        if self.domain is None and not self.home and not self.options.faults:
            session = plan_household(self.scene, self.wish, self.options)
            if session is not None:
                return session
        return self.open()[0]

    def prepare(self, clock: Clock) -> tuple[Session, RecorderRelay]:
        """Open a session before it is recorded, and find out what can be found out before anything begins.

        What it records goes nowhere until the relay has a recorder to pass it on to.

        Raises:
            ForetreeError: as :meth:`open` does, or the instruction is not understood.
        """
        relay = RecorderRelay()
        session, _ = self.open(relay, clock)
        for skill in session.context.catalogue.skills.values():
            find_executor(skill.executor, skill.name)
        for node in session.tree.root.iterate():
            # A model is asked once the run is recorded, since that costs.
            if not isinstance(node, Understand) or isinstance(node.reasoner, DeferringReasoner):
                continue
            if session.mission.goal is None:
                node.check()
        return session, relay

    def agent_options(self) -> Options:
        """Return the options with the agent that the session has: in a home, by default the one for homes."""
        if not self.home:
            return self.options
        from foretree.bringup.homes import for_home

        return for_home(self.options)

    def with_overrides(self, **settings: str) -> Request:
        """Return the same request with other settings."""
        overrides = {**self.options.overrides, **settings}
        return replace(self, options=replace(self.options, overrides=overrides))

    def baselines(self) -> Iterator[str]:
        """Carry the request out with each of the weaker agents, and describe each run in two lines."""
        for words, settings in BASELINES.items():
            session, world = replace(self, learns=False).with_overrides(**settings).open()
            result = session.run()
            done, failed = result.counts.get("done", 0), result.counts.get("failed", 0)
            yield (
                f"The same run {words}: {result.outcome}, {counted(done, 'action')} done, "
                f"{failed} failed, {result.seconds:.1f} s."
            )
            refused = f"The world refused {len(world.illegal)} of them. " if world.illegal else ""
            yield f"  {refused}{result.reason or 'The goal is believed reached.'}"
