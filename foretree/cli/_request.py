"""The request that the options of ``run`` and ``plan`` come to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from foretree.cli._terminal import show_warnings, waiting
from foretree.errors import ForetreeError, near_miss
from foretree.printable import clean

if TYPE_CHECKING:
    from foretree.bringup.embedded import Request


class UsageError(ForetreeError):
    """Options that do not go together."""


def read_request(
    instruction: str,
    goal: str,
    scene: str,
    domain: Path | None,
    problem: Path | None,
    faults: list[str] | None,
    agent: str,
    guards: str | None,
    settings: list[str] | None,
    seed: int,
    revisers: list[str] | None = None,
    home: str = "",
) -> Request:
    from foretree.bringup.embedded import Options, Request, Wish

    if (domain is None) != (problem is None):
        raise UsageError("--domain and --problem go together: a PDDL task is both files.")
    asked = [bool(instruction.strip()), bool(goal.strip()), domain is not None]
    if sum(asked) != 1:
        raise UsageError(
            "Say what is to be done, in one way: an instruction in quotes, --goal, or --domain with "
            '--problem. For example: foretree run "put the mango into the fridge".'
        )
    if domain is not None and scene != "kitchen":
        raise UsageError("--scene is for the household: a PDDL task brings its own world in --problem.")
    if home and (domain is not None or scene != "kitchen"):
        raise UsageError("--home is a world of its own: it goes with neither --scene nor --domain.")
    overrides, changes = {}, {}
    for setting in settings or ():
        key, equals, value = setting.partition("=")
        file = key.partition(".")[0]
        if not equals or file not in ("agent", "scene", "skill") or file == key:
            near = near_miss(file, ("agent", "scene", "skill"))
            raise UsageError(
                f"--set {setting}: {near and near + ' '}write agent.KEY=VALUE, scene.KEY=VALUE or "
                "skill.NAME.KEY=VALUE, for example agent.tick_hz=20, scene.noise.confusion=0.1 or "
                "skill.pick.retries=0."
            )
        if file == "agent":
            overrides[key.removeprefix("agent.")] = value
        else:
            changes[key] = value
    if guards is not None:
        overrides["guards"] = guards
    if revisers:
        overrides["revisers"] = ",".join(revisers)
    options = Options(agent, overrides, tuple(faults) if faults else None, seed, changes)
    return Request(Wish(instruction, goal), scene, options, domain, problem, home)


class _Planning:
    """What planning has come to, asked whenever it is drawn."""

    def __rich__(self) -> str:
        from foretree.planning.solvers.fast_downward.solver import shared_planner_stage

        stage = shared_planner_stage()
        return f"planning: {stage} …" if stage else "planning …"


def print_plan(request: Request, form: str) -> None:
    from foretree.agent.plan_request import NoPlanError
    from foretree.bringup.preview import preview
    from foretree.runs.encoding import canonical

    try:
        with waiting(_Planning()):
            session = request.open_to_plan()
            show_warnings(session.warnings)
            text = preview(session, form)
    except NoPlanError as error:
        if form == "json":
            typer.echo(canonical({"status": error.status, "why": str(error), "timed": error.timed}))
        raise
    typer.echo(clean(text))  # or escape sequences would vanish from names where it is a pipe
